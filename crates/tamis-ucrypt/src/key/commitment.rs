//! Commitments to shares: public, so that a wrong share is told from a right one before anything is recovered, and its holder named.
//!
//! A commitment is SHA-256 of the framed list `UCRYPT1 share`, policy, generation, number, value. The value has 256 bits that nobody can
//! guess (it is uniformly random, or with a threshold of 1 the random secret itself), so the hash gives nothing away.

use std::fmt;
use std::str::FromStr;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use sha2::{Digest, Sha256};
use zeroize::Zeroizing;

use super::Share;
use crate::framing::list;

/// What a policy says publicly about a share.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Commitment([u8; 32]);

impl Commitment {
    /// Commits to a share of one policy and generation.
    pub fn to(policy: &str, generation: u32, share: &Share) -> Self {
        let generation = generation.to_string();
        let number = share.number().to_string();
        let list = Zeroizing::new(list([
            b"UCRYPT1 share".as_slice(),
            policy.as_bytes(),
            generation.as_bytes(),
            number.as_bytes(),
            share.value(),
        ]));
        Self(Sha256::digest(&*list).into())
    }

    pub(crate) fn bytes(&self) -> &[u8; 32] {
        &self.0
    }
}

impl fmt::Display for Commitment {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&STANDARD.encode(self.0))
    }
}

impl FromStr for Commitment {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let bytes = STANDARD.decode(text).map_err(|_| "it is not base64")?;
        let bytes = bytes.try_into().map_err(|_| "it has not 32 bytes")?;
        Ok(Self(bytes))
    }
}

#[cfg(test)]
mod tests {
    use std::num::NonZeroU8;

    use zeroize::Zeroizing;

    use super::{Commitment, Share};

    #[test]
    fn known_answer_of_the_manual() {
        let value = Zeroizing::new(std::array::from_fn(|at| u8::try_from(at).unwrap()));
        let share = Share::new(NonZeroU8::new(2).unwrap(), value);
        assert_eq!(Commitment::to("p7Q2", 1, &share).to_string(), "jqrYtURVKNlMW3ULlvUlRNT0dM6xLBuCnYlgBpz2lmU=");
    }
}
