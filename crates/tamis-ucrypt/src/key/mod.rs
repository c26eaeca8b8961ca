//! Keys: what the holders keep, how a policy's secret is shared among them, and how it guards data keys.
//!
//! | key | where it is |
//! |---|---|
//! | [`HolderSecret`] | the holder's own file `NAME.ukey`, with or without a passphrase |
//! | [`PolicySecret`] | nowhere: p of the n [`Share`]s give it back |
//! | [`Share`] | wrapped to its holder's key inside the policy, or alone in a [`BareShare`] file or on paper |
//! | data key | wrapped to the [`PolicyPublic`] key in the header of the document: [`wrap_data_key`] |

mod bare_share;
mod commitment;
mod data_key_wrap;
mod error;
mod holder;
mod not_after;
mod parcel;
mod passphrase;
mod policy_key;
mod share;
mod vouch;
mod wrapped_share;

pub use bare_share::{BareShare, Protection};
pub use commitment::Commitment;
pub use data_key_wrap::{DataKeyLabel, rewrap_data_key, unwrap_data_key, wrap_data_key};
pub use error::{KeyError, ShareError, ShareRefusal};
pub(crate) use holder::usual_recipient;
pub use holder::{HolderPublic, HolderSecret, check_holder_name};
pub use not_after::NotAfter;
pub(crate) use parcel::{open_parcel, seal_parcel};
pub use passphrase::Passphrase;
pub use policy_key::{PolicyPublic, PolicySecret};
pub(crate) use share::check_threshold;
pub use share::{MAX_HOLDERS, Share, recover, split};
pub(crate) use vouch::{is_vouched_for, vouch};
pub use wrapped_share::{ShareLabel, unwrap_share, wrap_share};
