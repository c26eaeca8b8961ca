//! What p holders vouch for towards one reader: HPKE (RFC 9180) in auth mode, the policy's key as that of the sender.
//!
//! Anybody can encrypt something for a reader. That the holders of a policy did, the reader knows from a code that only its secret gives, and that
//! nobody but this reader can check. `code` is base64 of the encapsulated key and the tag of an empty text: 48 bytes. The suite is that of data
//! keys, `info` is `UCRYPT1 grant`, and the associated data is what is vouched for.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use hpke::aead::AesGcm256;
use hpke::kdf::HkdfSha256;
use hpke::{Deserializable, Kem, OpModeR, OpModeS, Serializable};
use zeroize::Zeroizing;

use super::policy_key::Suite;
use super::{HolderSecret, KeyError, PolicyPublic, PolicySecret, usual_recipient};
use crate::shown::beginning;

const INFO: &[u8] = b"UCRYPT1 grant";
const ENCAPSULATED: usize = 32;

/// The code by which the reader with this public key (`age1...`) knows that the holders vouch for these bytes.
pub(crate) fn vouch(secret: &PolicySecret, recipient: &str, bytes: &[u8]) -> Result<String, KeyError> {
    let unfit = || KeyError::Recipient(beginning(recipient));
    let reader = payload(&usual_recipient(recipient)?).ok_or_else(unfit)?;
    let reader = <Suite as Kem>::PublicKey::from_bytes(reader.as_ref()).map_err(|_| unfit())?;
    let sender = OpModeS::Auth((secret.private_key(), secret.public().public_key()?));
    let sealed = hpke::single_shot_seal_with_rng::<AesGcm256, HkdfSha256, Suite>(
        &sender,
        &reader,
        INFO,
        b"",
        bytes,
        &mut rand::rng(),
    );
    let (encapsulated, tag) = sealed.map_err(|_| unfit())?;
    Ok(STANDARD.encode([encapsulated.to_bytes().as_slice(), &tag].concat()))
}

/// Whether the holders of the policy with this public key vouch for these bytes towards this reader.
pub(crate) fn is_vouched_for(public: PolicyPublic, reader: &HolderSecret, bytes: &[u8], code: &str) -> bool {
    let check = || {
        let code = STANDARD.decode(code).ok()?;
        let (encapsulated, tag) = code.split_at_checked(ENCAPSULATED)?;
        let secret = payload(&reader.identity_text())?;
        hpke::single_shot_open::<AesGcm256, HkdfSha256, Suite>(
            &OpModeR::Auth(public.public_key().ok()?),
            &<Suite as Kem>::PrivateKey::from_bytes(secret.as_ref()).ok()?,
            &<Suite as Kem>::EncappedKey::from_bytes(encapsulated).ok()?,
            INFO,
            tag,
            bytes,
        )
        .ok()
    };
    check().is_some_and(|nothing| nothing.is_empty())
}

/// The 32 bytes of a key that age wrote, in Bech32. Its checksum was checked when the key was read.
fn payload(key: &str) -> Option<Zeroizing<[u8; 32]>> {
    const LETTERS: &[u8; 32] = b"qpzry9x8gf2tvdw0s3jn54khce6mua7l";
    const CHECKSUM: usize = 6;
    let (_, data) = key.rsplit_once('1')?;
    let data = data.as_bytes().get(..data.len().checked_sub(CHECKSUM)?)?;
    let mut bytes = Zeroizing::new([0; 32]);
    for (place, letter) in data.iter().enumerate() {
        let five = LETTERS.iter().position(|other| *other == letter.to_ascii_lowercase())?;
        for bit in 0..5 {
            let (at, is_set) = (5 * place + bit, five & (16 >> bit) != 0);
            match bytes.get_mut(at / 8) {
                Some(byte) => *byte |= u8::from(is_set) << (7 - at % 8),
                // The last letter holds bits of none.
                None if is_set => return None,
                None => {}
            }
        }
    }
    (data.len() == (32 * 8usize).div_ceil(5)).then_some(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_holders_vouch_and_only_for_this_reader_and_these_bytes() {
        let (secret, other) = (PolicySecret::generate(), PolicySecret::generate());
        let [reader, stranger] = ["reader", "stranger"].map(|name| HolderSecret::generate(name).unwrap());
        let code = vouch(&secret, &reader.recipient(), b"bytes").unwrap();
        assert_eq!(STANDARD.decode(&code).unwrap().len(), 48);
        assert!(is_vouched_for(secret.public(), &reader, b"bytes", &code));
        assert!(!is_vouched_for(secret.public(), &reader, b"byte", &code));
        assert!(!is_vouched_for(secret.public(), &stranger, b"bytes", &code));
        assert!(!is_vouched_for(other.public(), &reader, b"bytes", &code));
        for end in 0..code.len() {
            assert!(!is_vouched_for(secret.public(), &reader, b"bytes", &code[..end]));
        }
    }
}
