//! Writing a new policy.

use std::collections::BTreeMap;
use std::num::NonZeroU8;

use super::{Change, Holder, Keeping, Policy, PolicyError, Selection};
use crate::cell::{Binding, Cipher, KeyId};
use crate::key::{
    BareShare, Commitment, HolderPublic, KeyError, MAX_HOLDERS, NotAfter, PolicySecret, Share, ShareLabel, split,
    wrap_share,
};

/// Somebody who is to hold a share.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Member {
    /// The name.
    pub name: String,
    /// Until when the holder may take part.
    pub not_after: Option<NotAfter>,
    /// The public key to wrap the share to, or none for a share outside the policy.
    pub recipient: Option<String>,
}

impl From<HolderPublic> for Member {
    fn from(public: HolderPublic) -> Self {
        Self { name: public.name, not_after: public.not_after, recipient: Some(public.recipient) }
    }
}

impl From<&Holder> for Member {
    fn from(holder: &Holder) -> Self {
        Self {
            name: holder.name.clone(),
            not_after: holder.not_after.clone(),
            recipient: holder.recipient().map(str::to_owned),
        }
    }
}

/// What the owner sets.
#[derive(Debug, Clone)]
pub struct Plan {
    /// The id, or none for a random one.
    pub id: Option<String>,
    /// The owner.
    pub owner: String,
    /// The name of the element around sealed values.
    pub element: String,
    /// How many holders open what is sealed.
    pub threshold: usize,
    /// The holders.
    pub members: Vec<Member>,
    /// The cipher.
    pub cipher: Cipher,
    /// What cells are bound to.
    pub binding: Binding,
    /// The padding.
    pub pad: usize,
    /// Prefixes of XML namespaces.
    pub namespaces: BTreeMap<String, String>,
    /// The fields to seal.
    pub selections: Vec<Selection>,
}

impl Default for Plan {
    fn default() -> Self {
        Self {
            id: None,
            owner: String::new(),
            element: "UCRYPT".to_owned(),
            threshold: 2,
            members: Vec::new(),
            cipher: Cipher::default(),
            binding: Binding::default(),
            pad: 32,
            namespaces: BTreeMap::new(),
            selections: Vec::new(),
        }
    }
}

impl Policy {
    /// Writes a new policy: makes its key, shares it among the holders and forgets it.
    pub fn create(plan: Plan) -> Result<Change, PolicyError> {
        let secret = PolicySecret::generate();
        let policy = Self {
            id: plan.id.unwrap_or_else(random_id),
            owner: plan.owner,
            element: plan.element,
            threshold: plan.threshold,
            epoch: 1,
            generation: 1,
            public: secret.public(),
            cipher: plan.cipher,
            binding: plan.binding,
            pad: plan.pad,
            holders: Vec::new(),
            namespaces: plan.namespaces,
            selections: plan.selections,
            code: [0; 32],
            proof: None,
        };
        let mut change = policy.shared(&secret, &plan.members, &[])?;
        change.policy.code = change.policy.code_by(&secret);
        Ok(change)
    }

    /// This policy with the secret shared anew among these holders, not vouched for yet. Holders that were there keep their numbers.
    pub(super) fn shared(
        mut self,
        secret: &PolicySecret,
        members: &[Member],
        before: &[Holder],
    ) -> Result<Change, PolicyError> {
        let numbers = numbers(members, before)?;
        let shares = split(secret, self.threshold, &numbers)?;
        let mut bare = Vec::new();
        self.holders = Vec::with_capacity(members.len());
        for (member, share) in members.iter().zip(shares) {
            let holder = self.holder(member, &share)?;
            if holder.keeping == Keeping::Bare {
                bare.push(BareShare {
                    holder: member.name.clone(),
                    policy: self.id.clone(),
                    generation: self.generation,
                    share,
                });
            }
            self.holders.push(holder);
        }
        self.check()?;
        Ok(Change { policy: self, bare })
    }

    fn holder(&self, member: &Member, share: &Share) -> Result<Holder, PolicyError> {
        let keeping = match &member.recipient {
            None => Keeping::Bare,
            Some(recipient) => Keeping::Wrapped {
                recipient: recipient.clone(),
                share: wrap_share(recipient, self.share_label(), share)?,
            },
        };
        Ok(Holder {
            name: member.name.clone(),
            number: share.number(),
            not_after: member.not_after.clone(),
            commitment: Commitment::to(&self.id, self.generation, share),
            keeping,
        })
    }

    pub(super) fn share_label(&self) -> ShareLabel<'_> {
        ShareLabel { policy: &self.id, generation: self.generation }
    }
}

fn numbers(members: &[Member], before: &[Holder]) -> Result<Vec<NonZeroU8>, KeyError> {
    if members.len() > MAX_HOLDERS {
        return Err(KeyError::TooManyHolders(members.len()));
    }
    let old = |member: &Member| {
        let holder = before.iter().find(|holder| holder.name == member.name);
        holder.map(|holder| holder.number)
    };
    let kept: Vec<Option<NonZeroU8>> = members.iter().map(old).collect();
    let mut free = (1..=u8::MAX).filter_map(NonZeroU8::new).filter(|number| !kept.contains(&Some(*number)));
    let number = |kept: &Option<NonZeroU8>| kept.or_else(|| free.next()).ok_or(KeyError::TooManyHolders(256));
    kept.iter().map(number).collect()
}

fn random_id() -> String {
    loop {
        let id = KeyId::generate().to_string();
        // An id that begins like an option would be a nuisance on the command line.
        if id.starts_with(|c: char| c.is_ascii_alphanumeric()) {
            return id;
        }
    }
}
