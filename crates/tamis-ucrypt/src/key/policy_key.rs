//! The key pair of a policy (X25519). Its secret half is what the holders share.

use std::fmt;
use std::str::FromStr;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use hkdf::Hkdf;
use hmac::{Hmac, KeyInit, Mac};
use hpke::kem::X25519HkdfSha256;
use hpke::{Deserializable, Kem, Serializable};
use rand::Rng as _;
use rand::rand_core::UnwrapErr;
use rand::rngs::SysRng;
use sha2::Sha256;
use zeroize::Zeroizing;

use super::KeyError;

pub(super) type Suite = X25519HkdfSha256;

/// The secret half: 32 bytes that exist only while p holders work together.
pub struct PolicySecret(Zeroizing<[u8; 32]>);

impl PolicySecret {
    /// A new secret from the randomness of the operating system.
    pub fn generate() -> Self {
        let mut bytes = Zeroizing::new([0; 32]);
        UnwrapErr(SysRng).fill_bytes(bytes.as_mut());
        Self(bytes)
    }

    pub(crate) fn from_bytes(bytes: Zeroizing<[u8; 32]>) -> Self {
        Self(bytes)
    }

    pub(super) fn bytes(&self) -> &[u8; 32] {
        &self.0
    }

    pub(super) fn private_key(&self) -> <Suite as Kem>::PrivateKey {
        <Suite as Kem>::PrivateKey::from_bytes(self.0.as_ref()).expect("any 32 bytes are a secret key of X25519")
    }

    /// The public half.
    pub fn public(&self) -> PolicyPublic {
        PolicyPublic(Suite::sk_to_pk(&self.private_key()).to_bytes().into())
    }

    fn authenticator(&self, bytes: &[u8]) -> Hmac<Sha256> {
        let mut key = Zeroizing::new([0; 32]);
        Hkdf::<Sha256>::new(Some(b"UCRYPT1 policy"), self.0.as_ref())
            .expand(b"mac", key.as_mut())
            .expect("HKDF-SHA256 gives up to 8,160 bytes");
        let mut mac = Hmac::<Sha256>::new_from_slice(key.as_ref()).expect("HMAC takes any key");
        mac.update(bytes);
        mac
    }

    /// The code that only p holders can compute over these bytes.
    pub(crate) fn authenticate(&self, bytes: &[u8]) -> [u8; 32] {
        self.authenticator(bytes).finalize().into_bytes().into()
    }

    /// Whether the code belongs to these bytes, compared in constant time.
    pub(crate) fn vouches_for(&self, bytes: &[u8], code: &[u8; 32]) -> bool {
        self.authenticator(bytes).verify_slice(code).is_ok()
    }
}

/// The public half: all that sealing needs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PolicyPublic([u8; 32]);

impl PolicyPublic {
    pub(crate) fn bytes(&self) -> &[u8; 32] {
        &self.0
    }

    pub(super) fn public_key(self) -> Result<<Suite as Kem>::PublicKey, KeyError> {
        <Suite as Kem>::PublicKey::from_bytes(&self.0).map_err(|_| KeyError::PolicyPublic)
    }
}

impl fmt::Display for PolicyPublic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&STANDARD.encode(self.0))
    }
}

impl FromStr for PolicyPublic {
    type Err = KeyError;

    fn from_str(text: &str) -> Result<Self, KeyError> {
        let bytes = STANDARD.decode(text).map_err(|_| KeyError::PolicyPublic)?;
        let public = Self(bytes.try_into().map_err(|_| KeyError::PolicyPublic)?);
        public.public_key()?;
        Ok(public)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What stands behind `name = ` on the page of the format.
    fn figure(name: &str) -> &'static str {
        let page = include_str!("../../../../docs/ucrypt/format.md");
        let start = format!("    {name} = ");
        page.lines().find_map(|line| line.strip_prefix(&start)).unwrap_or_else(|| panic!("the page has no {name}"))
    }

    #[test]
    fn known_answers_of_the_manual() {
        let bytes: [u8; 32] = std::array::from_fn(|at| 0x40 + u8::try_from(at).unwrap());
        let secret = PolicySecret::from_bytes(Zeroizing::new(bytes));
        assert_eq!(secret.public().to_string(), figure("pk"));
        let key = base16ct::lower::decode_vec(figure("mac key")).unwrap();
        let mut mac = Hmac::<Sha256>::new_from_slice(&key).unwrap();
        mac.update(b"a policy");
        assert!(secret.vouches_for(b"a policy", &mac.finalize().into_bytes().into()));
    }
}
