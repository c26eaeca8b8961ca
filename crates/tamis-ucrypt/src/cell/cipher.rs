//! The ciphers a cell can be sealed with.

use std::fmt;
use std::str::FromStr;

use crate::shown::beginning;
use aes_gcm::AesGcm;
use aes_gcm::aead::consts::U12;
use aes_gcm::aead::{AeadCore, AeadInOut, KeyInit, Nonce, Tag};
use aes_gcm::aes::Aes256Enc;
use aes_gcm_siv::AesGcmSiv;
use chacha20poly1305::XChaCha20Poly1305;

// Both modes only ever encrypt blocks. Every cell has a key of its own, so the other half of a key schedule would be computed and
// wiped for nothing each time.
type Aes256Gcm = AesGcm<Aes256Enc, U12>;
type Aes256GcmSiv = AesGcmSiv<Aes256Enc>;

/// Bytes of the tag that all three ciphers append.
pub(crate) const TAG: usize = 16;

/// A cipher, by the name that stands in the marker.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Cipher {
    /// AES-256-GCM (NIST SP 800-38D), the default and the fastest where the processor knows AES.
    #[default]
    A256Gcm,
    /// AES-256-GCM-SIV (RFC 8452), which a repeated nonce does not break.
    A256GcmSiv,
    /// XChaCha20-Poly1305, under its JOSE name: fast without AES instructions, and its nonce has 24 bytes.
    Xc20p,
}

impl Cipher {
    /// All ciphers.
    pub const ALL: [Self; 3] = [Self::A256Gcm, Self::A256GcmSiv, Self::Xc20p];

    /// The name in the marker.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::A256Gcm => "A256GCM",
            Self::A256GcmSiv => "A256GCM-SIV",
            Self::Xc20p => "XC20P",
        }
    }

    /// Bytes of the nonce at the beginning of the body.
    pub fn nonce_len(self) -> usize {
        match self {
            Self::A256Gcm | Self::A256GcmSiv => 12,
            Self::Xc20p => 24,
        }
    }

    /// Encrypts in place a message laid out as nonce, plaintext and room for the tag. Nothing if it is too long for the cipher.
    pub(crate) fn encrypt(self, key: &[u8; 32], aad: &[u8], message: &mut [u8]) -> Option<()> {
        match self {
            Self::A256Gcm => encrypt::<Aes256Gcm>(key, aad, message),
            Self::A256GcmSiv => encrypt::<Aes256GcmSiv>(key, aad, message),
            Self::Xc20p => encrypt::<XChaCha20Poly1305>(key, aad, message),
        }
    }

    /// Decrypts in place a message laid out as nonce, ciphertext and tag, and gives its plaintext. Nothing if it is not authentic.
    pub(crate) fn decrypt<'m>(self, key: &[u8; 32], aad: &[u8], message: &'m mut [u8]) -> Option<&'m mut [u8]> {
        match self {
            Self::A256Gcm => decrypt::<Aes256Gcm>(key, aad, message),
            Self::A256GcmSiv => decrypt::<Aes256GcmSiv>(key, aad, message),
            Self::Xc20p => decrypt::<XChaCha20Poly1305>(key, aad, message),
        }
    }
}

impl fmt::Display for Cipher {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl FromStr for Cipher {
    type Err = UnknownCipher;

    fn from_str(text: &str) -> Result<Self, UnknownCipher> {
        let found = Self::ALL.into_iter().find(|cipher| cipher.as_str() == text);
        found.ok_or_else(|| UnknownCipher(beginning(text)))
    }
}

/// A cipher that this version does not know.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0:?} is no known cipher: A256GCM, A256GCM-SIV and XC20P are")]
pub struct UnknownCipher(String);

fn encrypt<C: AeadInOut + KeyInit>(key: &[u8; 32], aad: &[u8], message: &mut [u8]) -> Option<()> {
    let cipher = C::new_from_slice(key).ok()?;
    let (nonce, rest) = split_nonce::<C>(message)?;
    let (text, room) = rest.split_at_mut(rest.len().checked_sub(TAG)?);
    let tag = cipher.encrypt_inout_detached(&nonce, aad, text.into()).ok()?;
    room.copy_from_slice(&tag);
    Some(())
}

fn decrypt<'m, C: AeadInOut + KeyInit>(key: &[u8; 32], aad: &[u8], message: &'m mut [u8]) -> Option<&'m mut [u8]> {
    let cipher = C::new_from_slice(key).ok()?;
    let (nonce, rest) = split_nonce::<C>(message)?;
    let (text, tag) = rest.split_at_mut(rest.len().checked_sub(TAG)?);
    let tag = Tag::<C>::try_from(&*tag).ok()?;
    cipher.decrypt_inout_detached(&nonce, aad, (&mut *text).into(), &tag).ok()?;
    Some(text)
}

fn split_nonce<C: AeadCore>(message: &mut [u8]) -> Option<(Nonce<C>, &mut [u8])> {
    let length = Nonce::<C>::default().len();
    let (nonce, rest) = message.split_at_mut_checked(length)?;
    Some((Nonce::<C>::try_from(&*nonce).ok()?, rest))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Runs the known answers of one file both ways, and gives the numbers of valid and invalid ones.
    fn known_answers(cipher: Cipher, file: &str) -> (usize, usize) {
        let mut counts = (0, 0);
        for line in file.lines().filter(|line| !line.starts_with('#')) {
            let parts: Vec<&str> = line.split('|').collect();
            let bytes: Vec<Vec<u8>> = parts[2..].iter().map(|hex| base16ct::lower::decode_vec(hex).unwrap()).collect();
            let [key, nonce, aad, text, ciphertext, tag] = &bytes[..] else {
                panic!("{line}");
            };
            let key: [u8; 32] = key[..].try_into().unwrap();
            let sealed = [&nonce[..], ciphertext, tag].concat();
            let mut message = sealed.clone();
            let opened = cipher.decrypt(&key, aad, &mut message).map(|text| text.to_vec());
            if parts[1] == "valid" {
                counts.0 += 1;
                assert_eq!(opened.as_ref(), Some(text), "{line}");
                let mut message = [&nonce[..], text, &[0; TAG]].concat();
                cipher.encrypt(&key, aad, &mut message).unwrap();
                assert_eq!(message, sealed, "{line}");
            } else {
                counts.1 += 1;
                assert_eq!(opened, None, "{line}");
            }
        }
        counts
    }

    #[test]
    fn wycheproof_aes_256_gcm() {
        let file = include_str!("../../tests/data/aes_256_gcm.txt");
        assert_eq!(known_answers(Cipher::A256Gcm, file), (39, 27));
    }

    #[test]
    fn nist_aes_256_gcm() {
        let file = include_str!("../../tests/data/aes_256_gcm_nist.txt");
        assert_eq!(known_answers(Cipher::A256Gcm, file), (100, 0));
    }

    #[test]
    fn wycheproof_aes_256_gcm_siv() {
        let file = include_str!("../../tests/data/aes_256_gcm_siv.txt");
        assert_eq!(known_answers(Cipher::A256GcmSiv, file), (69, 34));
    }

    #[test]
    fn wycheproof_xchacha20_poly1305() {
        let file = include_str!("../../tests/data/xchacha20_poly1305.txt");
        assert_eq!(known_answers(Cipher::Xc20p, file), (108, 41));
    }

    #[test]
    fn a_message_too_short_for_nonce_and_tag_is_refused() {
        for cipher in Cipher::ALL {
            for length in 0..cipher.nonce_len() + TAG {
                assert_eq!(cipher.decrypt(&[0; 32], b"", &mut vec![0; length]), None);
            }
        }
    }
}
