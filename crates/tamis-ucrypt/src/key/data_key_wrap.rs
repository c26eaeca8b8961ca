//! Data keys wrapped to the public key of a policy: HPKE (RFC 9180), base mode, DHKEM(X25519, HKDF-SHA256), HKDF-SHA256, AES-256-GCM.
//!
//! The value `dk` of a header is base64 of the 32 bytes of the encapsulated key, the encrypted data key and its tag: 80 bytes. `info` is
//! `UCRYPT1 dek`; the associated data is the list of policy, epoch and data key id, framed like that of a cell.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use hpke::aead::AesGcm256;
use hpke::kdf::HkdfSha256;
use hpke::{Deserializable, Kem, OpModeR, OpModeS, Serializable};
use zeroize::Zeroizing;

use super::policy_key::Suite;
use super::{KeyError, PolicyPublic, PolicySecret};
use crate::cell::{DataKey, KeyId};
use crate::framing::list;

const INFO: &[u8] = b"UCRYPT1 dek";
const ENCAPSULATED: usize = 32;

/// Which data key it is, as the markers of its cells say.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DataKeyLabel<'a> {
    /// The policy.
    pub policy: &'a str,
    /// The epoch in which the key was born, which stays when the key is wrapped again.
    pub epoch: u32,
    /// The id.
    pub kid: &'a KeyId,
}

impl DataKeyLabel<'_> {
    fn associated(&self) -> Vec<u8> {
        let epoch = self.epoch.to_string();
        list([self.policy.as_bytes(), epoch.as_bytes(), self.kid.as_str().as_bytes()])
    }

    fn refused(&self) -> KeyError {
        KeyError::DataKey { policy: self.policy.to_owned(), epoch: self.epoch, kid: self.kid.to_string() }
    }
}

/// Wraps a data key so that only the holders of the policy can get at it. Gives the value `dk` of its header.
///
/// ```
/// use tamis_ucrypt::cell::{DataKey, KeyId};
/// use tamis_ucrypt::key::{DataKeyLabel, PolicySecret, unwrap_data_key, wrap_data_key};
/// let secret = PolicySecret::generate();
/// let label = DataKeyLabel { policy: "p7Q2", epoch: 1, kid: &KeyId::generate() };
/// let dk = wrap_data_key(secret.public(), label, &DataKey::generate()).unwrap();
/// assert!(unwrap_data_key(&secret, label, &dk).is_ok());
/// assert!(unwrap_data_key(&secret, DataKeyLabel { epoch: 2, ..label }, &dk).is_err());
/// ```
pub fn wrap_data_key(public: PolicyPublic, label: DataKeyLabel<'_>, key: &DataKey) -> Result<String, KeyError> {
    let (encapsulated, sealed) = hpke::single_shot_seal_with_rng::<AesGcm256, HkdfSha256, Suite>(
        &OpModeS::Base,
        &public.public_key()?,
        INFO,
        key.bytes(),
        &label.associated(),
        &mut rand::rng(),
    )
    // The only thing that can go wrong is a public key on which no secret can be agreed.
    .map_err(|_| KeyError::PolicyPublic)?;
    Ok(STANDARD.encode([encapsulated.to_bytes().as_slice(), &sealed].concat()))
}

/// Gets a data key back with the secret of the policy.
pub fn unwrap_data_key(secret: &PolicySecret, label: DataKeyLabel<'_>, dk: &str) -> Result<DataKey, KeyError> {
    unwrap(secret, label, dk).ok_or_else(|| label.refused())
}

fn unwrap(secret: &PolicySecret, label: DataKeyLabel<'_>, dk: &str) -> Option<DataKey> {
    let bytes = STANDARD.decode(dk).ok()?;
    let (encapsulated, sealed) = bytes.split_at_checked(ENCAPSULATED)?;
    let opened = hpke::single_shot_open::<AesGcm256, HkdfSha256, Suite>(
        &OpModeR::Base,
        &secret.private_key(),
        &<Suite as Kem>::EncappedKey::from_bytes(encapsulated).ok()?,
        INFO,
        sealed,
        &label.associated(),
    );
    let opened = Zeroizing::new(opened.ok()?);
    let mut key = Zeroizing::new([0; 32]);
    if opened.len() != key.len() {
        return None;
    }
    key.copy_from_slice(&opened);
    Some(DataKey::from_bytes(key))
}

/// Wraps a data key for the new key of a policy. The cells under it stay as they are.
pub fn rewrap_data_key(
    old: &PolicySecret,
    new: PolicyPublic,
    label: DataKeyLabel<'_>,
    dk: &str,
) -> Result<String, KeyError> {
    wrap_data_key(new, label, &unwrap_data_key(old, label, dk)?)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn label(kid: &KeyId) -> DataKeyLabel<'_> {
        DataKeyLabel { policy: "p7Q2", epoch: 1, kid }
    }

    #[test]
    fn a_header_holds_eighty_bytes_and_opens_only_as_it_was_written() {
        let secret = PolicySecret::generate();
        let kid: KeyId = "kZ3bQ9xA".parse().unwrap();
        let other: KeyId = "kZ3bQ9xB".parse().unwrap();
        let key = DataKey::generate();
        let dk = wrap_data_key(secret.public(), label(&kid), &key).unwrap();
        assert_eq!(STANDARD.decode(&dk).unwrap().len(), 80);
        assert_eq!(unwrap_data_key(&secret, label(&kid), &dk).unwrap().bytes(), key.bytes());
        for wrong in
            [DataKeyLabel { policy: "p7Q", ..label(&kid) }, DataKeyLabel { epoch: 11, ..label(&kid) }, label(&other)]
        {
            assert!(unwrap_data_key(&secret, wrong, &dk).is_err());
        }
        assert!(unwrap_data_key(&PolicySecret::generate(), label(&kid), &dk).is_err());
        for end in 0..dk.len() {
            assert!(unwrap_data_key(&secret, label(&kid), &dk[..end]).is_err());
        }
        let bytes = STANDARD.decode(&dk).unwrap();
        for index in 0..bytes.len() {
            let mut edited = bytes.clone();
            edited[index] ^= 1;
            assert!(unwrap_data_key(&secret, label(&kid), &STANDARD.encode(edited)).is_err(), "{index}");
        }
    }

    #[test]
    fn a_key_wrapped_again_opens_with_the_new_secret_only() {
        let (old, new) = (PolicySecret::generate(), PolicySecret::generate());
        let kid = KeyId::generate();
        let key = DataKey::generate();
        let dk = wrap_data_key(old.public(), label(&kid), &key).unwrap();
        let again = rewrap_data_key(&old, new.public(), label(&kid), &dk).unwrap();
        assert_eq!(unwrap_data_key(&new, label(&kid), &again).unwrap().bytes(), key.bytes());
        assert!(unwrap_data_key(&old, label(&kid), &again).is_err());
        let message = rewrap_data_key(&new, old.public(), label(&kid), &dk).map(|_| ()).unwrap_err().to_string();
        assert!(message.starts_with(&format!("data key \"{kid}\" of policy \"p7Q2\", epoch 1 does not open")));
    }

    #[test]
    fn a_public_key_on_which_nothing_can_be_agreed_is_refused() {
        let zero: Result<PolicyPublic, _> = STANDARD.encode([0; 32]).parse();
        let wrapped = zero.and_then(|public| wrap_data_key(public, label(&KeyId::generate()), &DataKey::generate()));
        assert!(matches!(wrapped, Err(KeyError::PolicyPublic)));
    }
}
