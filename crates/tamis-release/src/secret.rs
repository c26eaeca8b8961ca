//! The secret from which everything random in a release is drawn, apart from the order of its rows.

use crate::ReleaseError;
use rand::{SeedableRng, TryRng};
use rand_chacha::ChaCha20Rng;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use sha2::{Digest, Sha256};
use std::fmt;
use zeroize::{Zeroize, ZeroizeOnDrop};

/// 256 secret bits. Whoever knows them can undo noise, swaps and samples; a manifest keeps them so that the release can be made anew.
#[derive(Clone, PartialEq, Eq, Zeroize, ZeroizeOnDrop)]
pub struct Secret([u8; 32]);

impl Secret {
    /// From the operating system.
    pub fn random() -> Result<Self, ReleaseError> {
        let mut bytes = [0; 32];
        rand::rngs::SysRng
            .try_fill_bytes(&mut bytes)
            .map_err(|error| ReleaseError::Setting(format!("the system gives no random numbers: {error}")))?;
        Ok(Self(bytes))
    }

    /// From a seed, so that everything can be repeated by whoever knows the seed.
    ///
    /// ```
    /// use tamis_release::Secret;
    /// assert_eq!(Secret::of_seed(7), Secret::of_seed(7));
    /// assert_ne!(Secret::of_seed(7), Secret::of_seed(8));
    /// ```
    pub fn of_seed(seed: u64) -> Self {
        Self(Sha256::new().chain_update(b"tamis secret").chain_update(seed.to_le_bytes()).finalize().into())
    }

    /// From a seed if there is one, else from the operating system.
    pub fn of_seed_or_random(seed: Option<u64>) -> Result<Self, ReleaseError> {
        seed.map_or_else(Self::random, |seed| Ok(Self::of_seed(seed)))
    }

    /// A generator for one purpose; those for different purposes have nothing to do with each other.
    pub fn dice(&self, purpose: &str) -> ChaCha20Rng {
        ChaCha20Rng::from_seed(Sha256::new().chain_update(self.0).chain_update(purpose).finalize().into())
    }
}

impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Secret(..)")
    }
}

impl Serialize for Secret {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&base16ct::lower::encode_string(&self.0))
    }
}

impl<'de> Deserialize<'de> for Secret {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        let mut bytes = [0; 32];
        let decoded = base16ct::lower::decode(text.as_bytes(), &mut bytes).map(<[u8]>::len);
        if decoded != Ok(32) {
            return Err(serde::de::Error::custom("a secret is 64 hexadecimal digits"));
        }
        Ok(Self(bytes))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_secret_survives_being_stored_and_is_never_shown() -> Result<(), Box<dyn std::error::Error>> {
        let secret = Secret::random()?;
        let stored = serde_json::to_string(&secret)?;
        assert_eq!(serde_json::from_str::<Secret>(&stored)?, secret);
        assert_eq!(format!("{secret:?}"), "Secret(..)");
        assert!(serde_json::from_str::<Secret>("\"zz\"").is_err());
        assert!(serde_json::from_str::<Secret>(&format!("\"{}\"", "é".repeat(32))).is_err());
        Ok(())
    }

    #[test]
    fn purposes_do_not_share_their_numbers() {
        use rand::Rng;
        let secret = Secret::of_seed(1);
        assert_ne!(secret.dice("sample").next_u64(), secret.dice("noise").next_u64());
    }
}
