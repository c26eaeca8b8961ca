//! Shamir's secret sharing of the 32-byte secret of a policy, over the field of 256 elements, byte by byte.
//!
//! The arithmetic is that of the crate `blahaj`, the maintained fork of `sharks`. `sharks` itself draws no coefficient 0
//! (RUSTSEC-2024-0398): each time one secret is shared anew, every holder can strike values of every byte off the list, and after some
//! three thousand times one holder alone knows the secret. The fork draws all 256 values, which a test below shows.
//!
//! What the crate does not refuse is refused here before it is called: a threshold of 0, which would hand out the secret, shares with
//! number 0, which would be the secret, and doubled shares, which would give a wrong one.

use std::num::NonZeroU8;

use rand::rand_core::UnwrapErr;
use rand::rngs::SysRng;
use sharks::Sharks;
use zeroize::Zeroizing;

use super::{KeyError, PolicySecret};

/// Shares that one secret can have: as many as the field has elements besides 0.
pub const MAX_HOLDERS: usize = 255;

/// What one holder knows of the secret: nothing, alone, unless the threshold is 1.
#[derive(Clone)]
pub struct Share {
    number: NonZeroU8,
    value: Zeroizing<[u8; 32]>,
}

impl Share {
    /// A share from its number and its value.
    pub fn new(number: NonZeroU8, value: Zeroizing<[u8; 32]>) -> Self {
        Self { number, value }
    }

    /// The number of the share: where the polynomials were evaluated.
    pub fn number(&self) -> NonZeroU8 {
        self.number
    }

    pub(crate) fn value(&self) -> &[u8; 32] {
        &self.value
    }
}

/// Shares a secret among holders with these numbers so that any `threshold` of them have it and fewer know nothing of it.
///
/// ```
/// use std::num::NonZeroU8;
/// use tamis_ucrypt::key::{PolicySecret, recover, split};
/// let secret = PolicySecret::generate();
/// let numbers = [1, 2, 3].map(|number| NonZeroU8::new(number).unwrap());
/// let shares = split(&secret, 2, &numbers).unwrap();
/// let doctor_and_payer = recover(2, &shares[1..]).unwrap();
/// assert_eq!(doctor_and_payer.public(), secret.public());
/// assert!(recover(2, &shares[..1]).is_none());
/// ```
pub fn split(secret: &PolicySecret, threshold: usize, numbers: &[NonZeroU8]) -> Result<Vec<Share>, KeyError> {
    let threshold = check_threshold(threshold, numbers.len())?;
    if let Some(twice) = doubled(numbers.iter().copied()) {
        return Err(KeyError::Position(twice.get()));
    }
    let mut system = UnwrapErr(SysRng);
    let dealt: Vec<sharks::Share> = Sharks(threshold).dealer_rng(secret.bytes(), &mut system).collect();
    let share = |number: &NonZeroU8| {
        // The dealer counts from 1.
        let share = dealt.get(usize::from(number.get()) - 1);
        let bytes = Zeroizing::new(share.map(Vec::from).unwrap_or_default());
        match bytes.split_first() {
            Some((x, y)) if *x == number.get() && y.len() == 32 => {
                let mut value = Zeroizing::new([0; 32]);
                value.copy_from_slice(y);
                Ok(Share::new(*number, value))
            }
            _ => Err(KeyError::Position(number.get())),
        }
    };
    numbers.iter().map(share).collect()
}

/// Checks how many of how many holders are needed.
pub(crate) fn check_threshold(threshold: usize, holders: usize) -> Result<u8, KeyError> {
    if holders == 0 {
        return Err(KeyError::NoHolders);
    }
    if holders > MAX_HOLDERS {
        return Err(KeyError::TooManyHolders(holders));
    }
    if threshold == 0 {
        return Err(KeyError::ThresholdZero);
    }
    match u8::try_from(threshold) {
        Ok(threshold) if usize::from(threshold) <= holders => Ok(threshold),
        _ => Err(KeyError::ThresholdAboveHolders { threshold, holders }),
    }
}

/// The secret of which these are shares, if there are enough, all different. Whether it is the right one, the public key must say.
pub fn recover(threshold: usize, shares: &[Share]) -> Option<PolicySecret> {
    let threshold = check_threshold(threshold, shares.len()).ok()?;
    // Any so many shares give the secret; more would only cost time.
    let shares = &shares[..usize::from(threshold)];
    if doubled(shares.iter().map(Share::number)).is_some() {
        return None;
    }
    let plain = |share: &Share| {
        let mut bytes = Zeroizing::new([0; 33]);
        bytes[0] = share.number.get();
        bytes[1..].copy_from_slice(share.value());
        sharks::Share::try_from(&bytes[..]).ok()
    };
    let shares: Vec<sharks::Share> = shares.iter().map(plain).collect::<Option<_>>()?;
    let recovered = Zeroizing::new(Sharks(threshold).recover(&shares).ok()?);
    let mut secret = Zeroizing::new([0; 32]);
    if recovered.len() != secret.len() {
        return None;
    }
    secret.copy_from_slice(&recovered);
    Some(PolicySecret::from_bytes(secret))
}

fn doubled(numbers: impl Iterator<Item = NonZeroU8>) -> Option<NonZeroU8> {
    let mut seen = [false; 256];
    for number in numbers {
        let seen = &mut seen[usize::from(number.get())];
        if *seen {
            return Some(number);
        }
        *seen = true;
    }
    None
}

#[cfg(test)]
mod tests;
