//! Anything secret, encrypted for the key of one person: an armoured age file.

use zeroize::Zeroizing;

use super::{HolderSecret, KeyError};
use crate::shown::beginning;

/// Encrypts so that only the owner of this public key (`age1...`) can read it.
pub(crate) fn seal_parcel(recipient: &str, bytes: &[u8]) -> Result<String, KeyError> {
    let recipient: age::x25519::Recipient = recipient.parse().map_err(|_| KeyError::Recipient(beginning(recipient)))?;
    age::encrypt_and_armor(&recipient, bytes).map_err(|error| KeyError::Encrypt(error.to_string()))
}

/// Decrypts what was encrypted for this person.
pub(crate) fn open_parcel(secret: &HolderSecret, text: &str) -> Option<Zeroizing<Vec<u8>>> {
    age::decrypt(secret.identity(), text.trim_start().as_bytes()).ok().map(Zeroizing::new)
}
