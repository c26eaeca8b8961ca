//! Changes of a policy that p of its holders agree to: new shares of the same key, or a new key.
//!
//! A change never alters the threshold by itself, and holders that stay keep their share numbers. It gives a new policy; the old value is
//! untouched, so that a document can be rewritten before the new file replaces the old one.

use super::{Member, Policy, PolicyError, Proof, Unlocked};
use crate::cell::KeyId;
use crate::key::{BareShare, DataKeyLabel, KeyError, NotAfter, PolicySecret, rewrap_data_key};

/// A policy that was just written or changed.
pub struct Change {
    /// The policy.
    pub policy: Policy,
    /// The shares of holders who keep theirs outside the policy, to be handed to them.
    pub bare: Vec<BareShare>,
}

impl Policy {
    /// The holders, as a list to edit before [`Unlocked::reshare`] or [`Unlocked::rekey`].
    pub fn members(&self) -> Vec<Member> {
        self.holders.iter().map(Member::from).collect()
    }

    /// Whether another policy is later than this one and may be what changes of its key made of it: the change that followed this one says so.
    pub(crate) fn may_become(&self, other: &Self) -> bool {
        let follows = |proof: &Proof| proof.epoch != self.epoch || proof.public == self.public;
        other.id == self.id && other.epoch > self.epoch && other.proof.as_ref().is_none_or(follows)
    }

    /// The holders and one more.
    pub fn members_with(&self, member: Member) -> Result<Vec<Member>, PolicyError> {
        let mut members = self.members();
        if members.iter().any(|other| other.name == member.name) {
            return Err(PolicyError::HolderExists(member.name));
        }
        members.push(member);
        Ok(members)
    }

    /// The holders without one, if as many as the threshold are left.
    pub fn members_without(&self, name: &str) -> Result<Vec<Member>, PolicyError> {
        let mut members = self.members();
        members.retain(|member| member.name != name);
        if members.len() == self.holders.len() {
            return Err(self.no_such_holder(name));
        }
        if members.len() < self.threshold {
            return Err(PolicyError::TooFewLeft {
                holder: name.to_owned(),
                left: members.len(),
                threshold: self.threshold,
            });
        }
        Ok(members)
    }

    /// The holders, one of whom keeps the share under another key (none: outside the policy). Another key does not lengthen what the
    /// owner allowed: the earlier of the holder's time and the key's own counts.
    pub fn members_with_key(
        &self,
        name: &str,
        recipient: Option<String>,
        not_after: Option<NotAfter>,
    ) -> Result<Vec<Member>, PolicyError> {
        let allowed =
            self.holders.iter().find(|holder| holder.name == name).and_then(|holder| holder.not_after.clone());
        let not_after = match (allowed, not_after) {
            (Some(allowed), Some(own)) => Some(if own.is_before(&allowed) { own } else { allowed }),
            (allowed, own) => allowed.or(own),
        };
        self.members_replacing(name, Member { name: name.to_owned(), not_after, recipient })
    }

    /// The holders, one of whom gives the place to another person, with the key and time of that one.
    pub fn members_replacing(&self, name: &str, member: Member) -> Result<Vec<Member>, PolicyError> {
        let mut members = self.members();
        if member.name != name && members.iter().any(|other| other.name == member.name) {
            return Err(PolicyError::HolderExists(member.name));
        }
        let place = members.iter_mut().find(|other| other.name == name);
        *place.ok_or_else(|| self.no_such_holder(name))? = member;
        Ok(members)
    }

    fn no_such_holder(&self, name: &str) -> PolicyError {
        let known = self.holders.iter().map(|holder| holder.name.clone()).collect();
        PolicyError::NoSuchHolder { name: name.to_owned(), known }
    }
}

impl Unlocked<'_> {
    /// New shares of the same key for these holders. Old shares do not fit the new ones, but p old ones still fit each other:
    /// documents stay as they are, and p holders who kept old shares can still open them.
    pub fn reshare(&self, threshold: usize, members: &[Member]) -> Result<Change, PolicyError> {
        let next = Policy { threshold, generation: next(self.policy.generation)?, ..self.policy.clone() };
        let mut change = next.shared(&self.secret, members, &self.policy.holders)?;
        change.policy.code = change.policy.code_by(&self.secret);
        Ok(change)
    }

    /// A new key, shared among these holders, and the proof that the old holders agreed. Data keys must be wrapped anew
    /// ([`Self::rewrap`]), and what old holders shall not read must be sealed under new data keys.
    pub fn rekey(&self, threshold: usize, members: &[Member]) -> Result<Change, PolicyError> {
        let secret = PolicySecret::generate();
        let mut next = Policy {
            threshold,
            epoch: next(self.policy.epoch)?,
            generation: next(self.policy.generation)?,
            public: secret.public(),
            ..self.policy.clone()
        };
        next.proof = Some(Proof {
            epoch: self.policy.epoch,
            public: self.policy.public,
            code: self.secret.authenticate(&next.succession(self.policy)),
        });
        let mut change = next.shared(&secret, members, &self.policy.holders)?;
        change.policy.code = change.policy.code_by(&secret);
        Ok(change)
    }

    /// The policy with other rules than who holds it: `edit` may change owner, element, cipher, binding, padding and selections.
    pub fn amend(&self, edit: impl FnOnce(&mut Policy)) -> Result<Policy, PolicyError> {
        let mut edited = self.policy.clone();
        edit(&mut edited);
        let mut amended = Policy {
            owner: edited.owner,
            element: edited.element,
            cipher: edited.cipher,
            binding: edited.binding,
            pad: edited.pad,
            namespaces: edited.namespaces,
            selections: edited.selections,
            ..self.policy.clone()
        };
        amended.check()?;
        amended.code = amended.code_by(&self.secret);
        Ok(amended)
    }

    /// Whether the holders of this policy agreed to the next key of it.
    pub fn agreed_to(&self, successor: &Policy) -> bool {
        successor.proof.is_some_and(|proof| {
            proof.epoch == self.policy.epoch
                && proof.public == self.policy.public
                && successor.id == self.policy.id
                && self.secret.vouches_for(&successor.succession(self.policy), &proof.code)
        })
    }

    /// The text of the file in which the successor waits: its own, and the code by which the holders of this policy know it again. They may
    /// have no part in the new key, and nothing else would tell them that its shares or rules were damaged meanwhile.
    pub fn handover_file(&self, successor: &Policy) -> String {
        successor.to_waiting_file(&self.secret.authenticate(&successor.handover()))
    }

    /// Whether the successor is, to the word, what the holders of this policy wrote.
    pub fn handed_over(&self, successor: &Policy, code: Option<&[u8; 32]>) -> bool {
        code.is_some_and(|code| self.secret.vouches_for(&successor.handover(), code))
    }

    /// Wraps a data key of this policy for the key of its successor.
    pub fn rewrap(&self, successor: &Policy, epoch: u32, kid: &KeyId, dk: &str) -> Result<String, KeyError> {
        let label = DataKeyLabel { policy: &self.policy.id, epoch, kid };
        rewrap_data_key(&self.secret, successor.public, label, dk)
    }
}

fn next(count: u32) -> Result<u32, PolicyError> {
    count.checked_add(1).ok_or(PolicyError::TooManyChanges)
}
