//! Shares wrapped to the keys of their holders, to be kept inside the policy: age files, in base64.
//!
//! Inside is a framed list of `UCRYPT1 share`, policy, generation, number and value, so that a share copied from elsewhere says where it is from.

use std::num::NonZeroU8;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use zeroize::Zeroizing;

use super::{HolderSecret, KeyError, Share, ShareRefusal};
use crate::framing::{list, parts};
use crate::shown::beginning;

const LABEL: &[u8] = b"UCRYPT1 share";

/// Which sharing a share belongs to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ShareLabel<'a> {
    /// The policy.
    pub policy: &'a str,
    /// The generation of the shares.
    pub generation: u32,
}

impl ShareLabel<'_> {
    /// Checks that a share with this label belongs to the sharing `self`.
    pub(crate) fn check(&self, share: ShareLabel<'_>) -> Result<(), ShareRefusal> {
        if share.policy != self.policy {
            return Err(ShareRefusal::Foreign(beginning(share.policy)));
        }
        let (share, policy) = (share.generation, self.generation);
        if share < policy {
            return Err(ShareRefusal::OldGeneration { share, policy });
        }
        if share > policy {
            return Err(ShareRefusal::LaterGeneration { share, policy });
        }
        Ok(())
    }
}

/// Wraps a share so that only the owner of this public key (`age1...`) can read it.
pub fn wrap_share(recipient: &str, label: ShareLabel<'_>, share: &Share) -> Result<String, KeyError> {
    let recipient: age::x25519::Recipient = recipient.parse().map_err(|_| KeyError::Recipient(beginning(recipient)))?;
    let generation = label.generation.to_string();
    let number = share.number().to_string();
    let inside =
        Zeroizing::new(list([LABEL, label.policy.as_bytes(), generation.as_bytes(), number.as_bytes(), share.value()]));
    let wrapped = age::encrypt(&recipient, &inside).map_err(|error| KeyError::Encrypt(error.to_string()))?;
    Ok(STANDARD.encode(wrapped))
}

/// Reads a share that was wrapped to this holder, if it belongs to the sharing of this label.
pub fn unwrap_share(secret: &HolderSecret, label: ShareLabel<'_>, wrapped: &str) -> Result<Share, ShareRefusal> {
    let wrapped = STANDARD.decode(wrapped).map_err(|_| ShareRefusal::Corrupted("it is not base64"))?;
    let inside = age::decrypt(secret.identity(), &wrapped)
        .map_err(|_| ShareRefusal::Corrupted("the holder's key does not open it"))?;
    let inside = Zeroizing::new(inside);
    let form = ShareRefusal::Corrupted("it has an unknown form");
    let Some([LABEL, policy, generation, number, value]) = parts(&inside).as_deref().and_then(array) else {
        return Err(form);
    };
    let text = |bytes: &[u8]| str::from_utf8(bytes).ok().map(str::to_owned);
    let (Some(policy), Some(generation), Some(number)) = (
        text(policy),
        text(generation).and_then(|text| text.parse().ok()),
        text(number).and_then(|text| text.parse::<NonZeroU8>().ok()),
    ) else {
        return Err(form);
    };
    label.check(ShareLabel { policy: &policy, generation })?;
    let mut bytes = Zeroizing::new([0; 32]);
    if value.len() != bytes.len() {
        return Err(form);
    }
    bytes.copy_from_slice(value);
    Ok(Share::new(number, bytes))
}

fn array<'a>(parts: &[&'a [u8]]) -> Option<[&'a [u8]; 5]> {
    parts.try_into().ok()
}
