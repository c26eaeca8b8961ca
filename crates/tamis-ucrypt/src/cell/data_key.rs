//! Data keys: the keys of one sealing run.

use std::fmt;
use std::str::FromStr;

use crate::shown::beginning;
use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use rand::Rng as _;
use rand::rand_core::UnwrapErr;
use rand::rngs::SysRng;
use zeroize::Zeroizing;

/// The 32 random bytes from which the keys of all cells of one sealing run are derived.
pub struct DataKey(Zeroizing<[u8; 32]>);

impl DataKey {
    /// A new key from the randomness of the operating system.
    pub fn generate() -> Self {
        let mut bytes = Zeroizing::new([0; 32]);
        UnwrapErr(SysRng).fill_bytes(bytes.as_mut());
        Self(bytes)
    }

    /// The key of these bytes.
    pub fn from_bytes(bytes: Zeroizing<[u8; 32]>) -> Self {
        Self(bytes)
    }

    pub(crate) fn bytes(&self) -> &[u8; 32] {
        &self.0
    }
}

/// The name of a data key: 48 random bits, written as eight characters of the URL-safe base64 alphabet.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct KeyId(String);

impl KeyId {
    /// A new name.
    pub fn generate() -> Self {
        let mut bytes = [0; 6];
        rand::rng().fill_bytes(&mut bytes);
        Self(URL_SAFE_NO_PAD.encode(bytes))
    }

    /// The name as text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for KeyId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// A text that names no data key.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0:?} is no data key id: eight letters, digits, - or _ are expected")]
pub struct KeyIdError(String);

impl FromStr for KeyId {
    type Err = KeyIdError;

    fn from_str(text: &str) -> Result<Self, KeyIdError> {
        let well_formed =
            text.len() == 8 && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_'));
        if well_formed { Ok(Self(text.to_owned())) } else { Err(KeyIdError(beginning(text))) }
    }
}
