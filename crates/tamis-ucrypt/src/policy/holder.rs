//! A holder as a policy knows it.

use std::num::NonZeroU8;

use jiff::Timestamp;

use crate::key::{Commitment, NotAfter};

/// One of the n.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Holder {
    /// The name, by which messages tell the holders apart.
    pub name: String,
    /// The number of the share.
    pub number: NonZeroU8,
    /// Until when the holder may take part.
    pub not_after: Option<NotAfter>,
    /// What is publicly known of the share.
    pub commitment: Commitment,
    /// Where the share is.
    pub keeping: Keeping,
}

/// Where the share of a holder is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Keeping {
    /// In the policy, wrapped to the holder's key.
    Wrapped {
        /// The holder's public key, as `age1...`.
        recipient: String,
        /// The wrapped share.
        share: String,
    },
    /// In the holder's own file or on paper.
    Bare,
}

impl Holder {
    /// Whether the holder's time is over at this moment.
    pub fn is_over(&self, now: Timestamp) -> bool {
        self.not_after.as_ref().is_some_and(|end| end.is_over(now))
    }

    /// The public key that the share is wrapped to, if it is.
    pub fn recipient(&self) -> Option<&str> {
        match &self.keeping {
            Keeping::Wrapped { recipient, .. } => Some(recipient),
            Keeping::Bare => None,
        }
    }
}
