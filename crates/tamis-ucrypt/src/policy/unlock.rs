//! Holders coming together to open what a policy guards.

use jiff::Timestamp;

use super::{Holder, Keeping, Policy, PolicyError};
use crate::cell::{Binding, Cipher, DataKey, KeyId, Scope, Sealer};
use crate::key::{
    BareShare, Commitment, DataKeyLabel, HolderSecret, KeyError, PolicySecret, Share, ShareError, ShareRefusal,
    recover, unwrap_data_key, unwrap_share, vouch, wrap_data_key,
};

/// What a holder brings.
#[derive(Clone, Copy)]
pub enum Offer<'a> {
    /// The holder's key, for the share that the policy holds.
    Key(&'a HolderSecret),
    /// The share itself.
    Share(&'a BareShare),
}

/// A policy together with its secret: p holders are here, and the policy is what they agreed to.
pub struct Unlocked<'p> {
    pub(super) policy: &'p Policy,
    pub(super) secret: PolicySecret,
    holders: Vec<String>,
}

/// A new data key, ready to seal with.
pub struct SealingRun {
    /// The id of the data key.
    pub kid: KeyId,
    /// The epoch in which it is born.
    pub epoch: u32,
    /// The wrapped data key, for the header of the document.
    pub dk: String,
    /// What seals cells.
    pub sealer: Sealer,
}

impl Policy {
    /// Makes a data key for one run of sealing. Needs nobody's secret.
    pub fn sealing_run(&self) -> Result<SealingRun, KeyError> {
        self.sealing_run_with(self.cipher, self.binding)
    }

    /// The same with another cipher and binding than the policy says.
    pub fn sealing_run_with(&self, cipher: Cipher, binding: Binding) -> Result<SealingRun, KeyError> {
        let key = DataKey::generate();
        let kid = KeyId::generate();
        let label = DataKeyLabel { policy: &self.id, epoch: self.epoch, kid: &kid };
        let dk = wrap_data_key(self.public, label, &key)?;
        let scope = Scope { cipher, policy: &self.id, epoch: self.epoch, kid: &kid, binding, pad: self.pad };
        let sealer = Sealer::new(&key, scope);
        Ok(SealingRun { kid, epoch: self.epoch, dk, sealer })
    }

    /// Checks one holder's share: that it is the one given out for this policy and generation, and that its time is not over.
    ///
    /// `now` is the time that [`crate::audit::trusted_now`] gives, not the clock alone.
    pub fn check_offer(&self, offer: Offer<'_>, now: Timestamp) -> Result<(&Holder, Share), ShareError> {
        let (holder, share) = match offer {
            Offer::Key(secret) => self.wrapped_share(secret)?,
            Offer::Share(bare) => self.bare_share(bare)?,
        };
        if let Some(end) = holder.not_after.as_ref().filter(|end| end.is_over(now)) {
            return Err(ShareRefusal::Expired(end.to_string()).of(&holder.name));
        }
        let right =
            share.number() == holder.number && Commitment::to(&self.id, self.generation, &share) == holder.commitment;
        if right { Ok((holder, share)) } else { Err(ShareRefusal::Wrong.of(&holder.name)) }
    }

    fn wrapped_share(&self, secret: &HolderSecret) -> Result<(&Holder, Share), ShareError> {
        let recipient = secret.recipient();
        let holder = self.holders.iter().find(|holder| holder.recipient() == Some(&recipient));
        let Some(holder) = holder else {
            // A key that is unknown, or that belongs to somebody whose share is elsewhere.
            return Err(match self.holders.iter().find(|holder| holder.name == secret.name()) {
                Some(holder) if holder.keeping == Keeping::Bare => ShareRefusal::KeptBare.of(&holder.name),
                Some(holder) => ShareRefusal::OtherKey.of(&holder.name),
                None => ShareRefusal::NotAHolder.of(secret.name()),
            });
        };
        let Keeping::Wrapped { share, .. } = &holder.keeping else {
            return Err(ShareRefusal::KeptBare.of(&holder.name));
        };
        let share = unwrap_share(secret, self.share_label(), share).map_err(|refusal| refusal.of(&holder.name))?;
        Ok((holder, share))
    }

    fn bare_share(&self, bare: &BareShare) -> Result<(&Holder, Share), ShareError> {
        self.share_label().check(bare.label()).map_err(|refusal| refusal.of(&bare.holder))?;
        // By name: a share with another's number is a wrong one of whoever offers it, not of the other.
        let holder = self.holders.iter().find(|holder| holder.name == bare.holder);
        let holder = holder.ok_or_else(|| ShareRefusal::NotAHolder.of(&bare.holder))?;
        Ok((holder, bare.share.clone()))
    }

    /// Brings p holders together. Every share is checked before any is used, and one bad share is refused however many good ones there are.
    pub fn unlock(&self, offers: &[Offer<'_>], now: Timestamp) -> Result<Unlocked<'_>, PolicyError> {
        let mut shares: Vec<Share> = Vec::with_capacity(offers.len());
        let mut holders: Vec<String> = Vec::with_capacity(offers.len());
        for offer in offers {
            let (holder, share) = self.check_offer(*offer, now)?;
            if holders.contains(&holder.name) {
                return Err(ShareRefusal::Duplicated.of(&holder.name).into());
            }
            holders.push(holder.name.clone());
            shares.push(share);
        }
        let too_few = || PolicyError::TooFew {
            have: holders.len(),
            need: self.threshold,
            others: self.could_help(&holders, now),
        };
        let secret = match recover(self.threshold, &shares) {
            Some(secret) => secret,
            None if self.is_secret_of(&shares) => {
                return Err(PolicyError::Edited("it asks for more holders than it takes"));
            }
            None => return Err(too_few()),
        };
        if secret.public() != self.public {
            return Err(PolicyError::Edited("its public key is not that of its shares"));
        }
        if !self.is_vouched_for(&secret) {
            return Err(PolicyError::Edited("its code does not fit what it says"));
        }
        Ok(Unlocked { policy: self, secret, holders })
    }

    /// Whether these shares give the secret, however many the policy asks for: a larger number may have been written into it.
    fn is_secret_of(&self, shares: &[Share]) -> bool {
        recover(shares.len(), shares).is_some_and(|secret| secret.public() == self.public)
    }

    /// Who is not here and whose time is not over.
    fn could_help(&self, here: &[String], now: Timestamp) -> Vec<String> {
        let valid = |holder: &&Holder| !here.contains(&holder.name) && !holder.is_over(now);
        self.holders.iter().filter(valid).map(|holder| holder.name.clone()).collect()
    }
}

impl Unlocked<'_> {
    /// The policy.
    pub fn policy(&self) -> &Policy {
        self.policy
    }

    /// Who came, for the log.
    pub fn holders(&self) -> &[String] {
        &self.holders
    }

    /// The code by which one reader knows that the holders vouch for these bytes.
    pub(crate) fn vouch(&self, recipient: &str, bytes: &[u8]) -> Result<String, KeyError> {
        vouch(&self.secret, recipient, bytes)
    }

    /// Unwraps a data key of the policy from the header of a document.
    pub fn data_key(&self, epoch: u32, kid: &KeyId, dk: &str) -> Result<DataKey, KeyError> {
        let label = DataKeyLabel { policy: &self.policy.id, epoch, kid };
        unwrap_data_key(&self.secret, label, dk)
    }
}
