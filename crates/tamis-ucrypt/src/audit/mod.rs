//! The log of a policy: who opened, shared and changed what, when. The file is `NAME.uaudit`, beside the policy.
//!
//! Every line is a JSON object with the hash of the line before, so that no line can be edited, removed or put in between without a trace.
//! What the chain cannot show is that lines were cut off at the end, or that the whole file was written anew: keep the hash of the last line
//! elsewhere, such as in the next message to the other holders, and [`Summary::last`] tells whether it is still there.
//!
//! The time of the last line in which holders took part is also a defence of expiry: [`trusted_now`] does not let the clock go back behind it.

mod agreement;
mod chain;
mod clock;
mod entry;
mod error;
mod log;

pub use agreement::{Disagreement, Outdated, compare, compare_last_change, outdated, tells_of};
pub use chain::{Checked, Summary, check};
pub use clock::clocks;
pub use entry::{Action, Entry, Event};
pub use error::AuditError;
pub use log::{Log, TrustedNow, trusted_now};
