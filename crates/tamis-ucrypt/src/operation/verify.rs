//! Checking the share of every holder without opening anything.

use jiff::Timestamp;

use super::{OperationError, PolicyFile};
use crate::audit::Action;
use crate::key::{ShareError, ShareRefusal};
use crate::policy::{Offer, PolicyError};

/// What is known about one holder.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Verdict {
    /// The share is the one that was given out.
    Good,
    /// It is refused.
    Refused(ShareRefusal),
    /// The holder did not come.
    Absent,
}

/// What is known about all.
#[derive(Debug)]
pub struct Verified {
    /// The holders of the policy in its order, then those who came and are none.
    pub holders: Vec<(String, Verdict)>,
    /// Whether the good shares together give the key of the policy, and the policy is what its holders agreed to; not known if too
    /// few came.
    pub policy: Option<Result<(), PolicyError>>,
}

impl Verified {
    /// Whether nothing wrong was found.
    pub fn is_good(&self) -> bool {
        !self.holders.iter().any(|(_, verdict)| matches!(verdict, Verdict::Refused(_)))
            && !matches!(self.policy, Some(Err(_)))
    }

    /// What was found, for the log.
    fn outcome(&self) -> String {
        let refused = self.holders.iter().filter(|(_, verdict)| matches!(verdict, Verdict::Refused(_)));
        let refused: Vec<&str> = refused.map(|(name, _)| name.as_str()).collect();
        match (refused.is_empty(), &self.policy) {
            (false, _) => format!("refused: {}", refused.join(", ")),
            (true, Some(Err(_))) => "the policy was edited".to_owned(),
            (true, _) => "nothing wrong".to_owned(),
        }
    }
}

/// Checks every share that is offered. `unread` are shares whose files could not even be read.
pub fn verify(
    file: &PolicyFile,
    offers: &[Offer<'_>],
    unread: Vec<ShareError>,
    clock: Timestamp,
) -> Result<Verified, OperationError> {
    let policy = &file.policy;
    let now = file.now(clock)?.now;
    let mut holders: Vec<(String, Verdict)> =
        policy.holders.iter().map(|holder| (holder.name.clone(), Verdict::Absent)).collect();
    let mut note = |name: &str, verdict: Verdict| match holders.iter_mut().find(|(known, _)| known == name) {
        // What is wrong once is not made good by another share of the same holder.
        Some((_, Verdict::Refused(_))) => {}
        Some((_, known)) if *known == Verdict::Good && verdict == Verdict::Good => {
            *known = Verdict::Refused(ShareRefusal::Duplicated);
        }
        Some((_, known)) => *known = verdict,
        None => holders.push((name.to_owned(), verdict)),
    };
    let mut good: Vec<Offer<'_>> = Vec::new();
    for offer in offers {
        match policy.check_offer(*offer, now) {
            Ok((holder, _)) => {
                good.push(*offer);
                note(&holder.name, Verdict::Good);
            }
            Err(error) => note(&error.holder, Verdict::Refused(error.refusal)),
        }
    }
    for error in unread {
        note(&error.holder, Verdict::Refused(error.refusal));
    }
    // An edited policy may ask for more holders than it takes, so that their number alone says nothing.
    let together = match policy.unlock(&good, now) {
        // One that is good by itself is refused only for coming twice, which says nothing of the policy either.
        Err(PolicyError::TooFew { .. } | PolicyError::Share(_)) => None,
        unlocked => Some(unlocked.map(|_| ())),
    };
    let names: Vec<String> =
        holders.iter().filter(|(_, verdict)| *verdict == Verdict::Good).map(|(name, _)| name.clone()).collect();
    let verified = Verified { holders, policy: together };
    file.append(policy, clock, Action::Verify, &names, verified.outcome())?;
    Ok(verified)
}
