//! Passphrases, and what is encrypted with them.

use age::secrecy::SecretString;
use age::{DecryptError, scrypt};
use zeroize::Zeroizing;

use super::KeyError;

/// Work that a new passphrase costs: 2 to this power, age's own usual choice (a second, a quarter of a gigabyte).
const USUAL_COST: u8 = 18;
/// Work beyond which a file is refused: a hostile one could ask for hours and all memory.
const HIGHEST_COST: u8 = 20;

/// A passphrase.
#[derive(Clone)]
pub struct Passphrase {
    secret: SecretString,
    cost: u8,
}

impl Passphrase {
    /// A passphrase, however it was asked for; never from the arguments of the program, which other users can see.
    pub fn new(text: String) -> Self {
        Self { secret: SecretString::from(text), cost: USUAL_COST }
    }

    /// The same passphrase, encrypting at a cost of 2 to the power of `cost`, between 1 and 20: less than 18 only where guessing is impossible.
    #[must_use]
    pub fn with_cost(self, cost: u8) -> Self {
        Self { cost: cost.clamp(1, HIGHEST_COST), ..self }
    }

    /// Encrypts to an armoured age file.
    pub(crate) fn encrypt(&self, bytes: &[u8]) -> Result<String, KeyError> {
        let mut recipient = scrypt::Recipient::new(self.secret.clone());
        recipient.set_work_factor(self.cost);
        age::encrypt_and_armor(&recipient, bytes).map_err(|error| KeyError::Encrypt(error.to_string()))
    }

    /// Decrypts an armoured age file.
    pub(crate) fn decrypt(&self, text: &str) -> Result<Zeroizing<Vec<u8>>, DecryptError> {
        let mut identity = scrypt::Identity::new(self.secret.clone());
        identity.set_max_work_factor(HIGHEST_COST);
        age::decrypt(&identity, text.as_bytes()).map(Zeroizing::new)
    }
}
