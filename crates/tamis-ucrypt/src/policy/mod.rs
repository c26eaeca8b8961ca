//! Policies: how many of which holders open what is sealed, and which fields are sealed. The file is `NAME.upolicy`, public.
//!
//! The story of the paper: a patient, a doctor and a payer, any two of whom open the patient's fields.
//!
//! ```
//! use tamis_ucrypt::key::HolderSecret;
//! use tamis_ucrypt::policy::{Member, Offer, Plan, Policy};
//!
//! let keys = ["patient", "doctor", "payer"].map(|name| HolderSecret::generate(name).unwrap());
//! let members = keys.iter().map(|key| Member::from(key.public(None))).collect();
//! let made = Policy::create(Plan { owner: "patient".into(), threshold: 2, members, ..Plan::default() }).unwrap();
//! let policy = Policy::from_file(&made.policy.to_file()).unwrap();
//!
//! let now = "2026-01-01T00:00:00Z".parse().unwrap();
//! assert!(policy.unlock(&[Offer::Key(&keys[1]), Offer::Key(&keys[2])], now).is_ok());
//! let alone = policy.unlock(&[Offer::Key(&keys[1])], now).err().unwrap();
//! assert_eq!(alone.to_string(), "1 of the 2 holders that are needed took part; \"patient\" or \"payer\" could help");
//! ```

mod change;
mod check;
mod create;
mod error;
mod file;
mod holder;
mod selection;
mod statement;
mod unlock;

pub use change::Change;
pub use check::Warning;
pub use create::{Member, Plan};
pub use error::PolicyError;
pub use holder::{Holder, Keeping};
pub(crate) use selection::without_number;
pub use selection::{Field, Selection};
pub use unlock::{Offer, SealingRun, Unlocked};

use std::collections::BTreeMap;

use crate::cell::{Binding, Cipher};
use crate::key::PolicyPublic;

/// A policy as its file says, checked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Policy {
    /// The id, which stands in every cell.
    pub id: String,
    /// Who set the rules: a name for people.
    pub owner: String,
    /// The name of the element around sealed values.
    pub element: String,
    /// How many holders open what is sealed.
    pub threshold: usize,
    /// Counts the keys of the policy, from 1.
    pub epoch: u32,
    /// Counts the sharings, from 1. Shares of different generations do not fit together.
    pub generation: u32,
    /// The public key that data keys are wrapped to.
    pub public: PolicyPublic,
    /// The cipher of new cells.
    pub cipher: Cipher,
    /// What new cells are bound to.
    pub binding: Binding,
    /// New cells are padded to a multiple of this many bytes.
    pub pad: usize,
    /// The holders.
    pub holders: Vec<Holder>,
    /// Prefixes of XML namespaces that paths may use.
    pub namespaces: BTreeMap<String, String>,
    /// The fields to seal, by table.
    pub selections: Vec<Selection>,
    /// The code that p holders computed over all of this.
    pub code: [u8; 32],
    /// After a change of key: the one before, and the code that p of its holders computed.
    pub proof: Option<Proof>,
}

/// That p holders of the key before agreed to the present one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Proof {
    /// The epoch of the key before.
    pub epoch: u32,
    /// The key before.
    pub public: PolicyPublic,
    /// The code that they computed over the succession of the keys.
    pub code: [u8; 32],
}

#[cfg(test)]
mod tests;
