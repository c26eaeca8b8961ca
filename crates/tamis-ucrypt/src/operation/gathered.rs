//! Holders who came together.

use crate::cell::Opener;
use crate::document::header::KeyHeaders;
use crate::key::KeyError;
use crate::policy::Unlocked;

/// The holders that came, and what their keys open.
pub(super) struct Gathered<'p> {
    /// The policy, or its successor where a change was interrupted and only that opens.
    pub(super) unlocked: Vec<Unlocked<'p>>,
}

impl Gathered<'_> {
    /// Who came, for the log.
    pub(super) fn holders(&self) -> &[String] {
        self.unlocked.first().map_or(&[], |unlocked| unlocked.holders())
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
