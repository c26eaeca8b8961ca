//! Holders who came together.

use jiff::Timestamp;

use crate::cell::Opener;
use crate::document::header::{KeyHeader, KeyHeaders};
use crate::key::KeyError;
use crate::policy::{Offer, Policy, Unlocked};

/// The holders that came, and what their keys open.
pub(super) struct Gathered<'p> {
    /// The policy, or its successor where a change was interrupted and only that opens.
    pub(super) unlocked: Vec<Unlocked<'p>>,
    /// What they brought.
    pub(super) offers: &'p [Offer<'p>],
    /// The time that their expiry was judged by.
    pub(super) now: Timestamp,
}

impl Gathered<'_> {
    /// Who came, for the log.
    pub(super) fn holders(&self) -> &[String] {
        self.unlocked.first().map_or(&[], |unlocked| unlocked.holders())
    }

    /// Whether they open a data key with another policy, such as one of an earlier epoch.
    pub(super) fn opens_with(&self, policy: &Policy, header: &KeyHeader) -> bool {
        let fits = |offer: &&Offer<'_>| policy.check_offer(**offer, self.now).is_ok();
        let offers: Vec<Offer<'_>> = self.offers.iter().filter(fits).copied().collect();
        let unlocked = policy.unlock(&offers, self.now);
        unlocked.is_ok_and(|unlocked| unlocked.data_key(header.ep(), header.kid(), header.dk()).is_ok())
    }

    /// Unwraps the data keys of the policy, and tells which of them do not open.
    pub(super) fn opener(&self, headers: &KeyHeaders) -> (Opener, Vec<(String, KeyError)>) {
        let mut opener = Opener::default();
        let mut closed = Vec::new();
        for header in headers.as_slice() {
            let own = self.unlocked.iter().filter(|unlocked| unlocked.policy().id == header.pol());
            let mut refusal = None;
            let mut is_open = false;
            for unlocked in own {
                match unlocked.data_key(header.ep(), header.kid(), header.dk()) {
                    Ok(key) => {
                        opener.insert(header.pol(), header.ep(), header.kid(), &key);
                        is_open = true;
                        break;
                    }
                    Err(error) => refusal = Some(error),
                }
            }
            if let Some(error) = refusal.filter(|_| !is_open) {
                closed.push((header.kid().to_string(), error));
            }
        }
        (opener, closed)
    }
}
