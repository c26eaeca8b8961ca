//! Passphrases, and what is encrypted with them.

use age::secrecy::SecretString;
use age::{DecryptError, scrypt};
use std::io::{self, ErrorKind, Read as _};
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
    #[cfg(test)]
    pub(crate) fn with_cost(self, cost: u8) -> Self {
        Self { cost: cost.clamp(1, HIGHEST_COST), ..self }
    }

    /// Encrypts to an armoured age file.
    pub(crate) fn encrypt(&self, bytes: &[u8]) -> Result<String, KeyError> {
        ensure_memory(self.cost).map_err(|_| KeyError::Memory)?;
        let mut recipient = scrypt::Recipient::new(self.secret.clone());
        recipient.set_work_factor(self.cost);
        age::encrypt_and_armor(&recipient, bytes).map_err(|error| KeyError::Encrypt(error.to_string()))
    }

    /// Decrypts an armoured age file. Where the memory for it is not there, the error is one of the system, [`ErrorKind::OutOfMemory`].
    pub(crate) fn decrypt(&self, text: &str) -> Result<Zeroizing<Vec<u8>>, DecryptError> {
        ensure_memory(cost_of(text).unwrap_or(USUAL_COST).min(HIGHEST_COST))?;
        let mut identity = scrypt::Identity::new(self.secret.clone());
        identity.set_max_work_factor(HIGHEST_COST);
        age::decrypt(&identity, text.as_bytes()).map(Zeroizing::new)
    }
}

/// Whether an error says that the memory for a passphrase is not there.
pub(crate) fn is_out_of_memory(error: &DecryptError) -> bool {
    matches!(error, DecryptError::Io(error) if error.kind() == ErrorKind::OutOfMemory)
}

/// Whether an armoured age file is encrypted for the key of somebody, not with a passphrase.
pub(crate) fn is_for_a_key(text: &str) -> bool {
    stanza(text).is_some_and(|line| line.starts_with("-> X25519 "))
}

/// The work that a file asks for: `-> scrypt SALT COST`.
fn cost_of(text: &str) -> Option<u8> {
    stanza(text)?.strip_prefix("-> scrypt ")?.rsplit(' ').next()?.parse().ok()
}

/// The second line of what an armoured age file holds, which says how it is encrypted.
fn stanza(text: &str) -> Option<String> {
    let mut head = Vec::new();
    // What is damaged is found by whoever decrypts.
    let _ = age::armor::ArmoredReader::new(text.as_bytes()).take(256).read_to_end(&mut head);
    let line = head.split(|&byte| byte == b'\n').nth(1)?;
    str::from_utf8(line).ok().map(str::to_owned)
}

/// Asks for the memory that scrypt is going to take, and gives it back: scrypt itself would end the program if it were not there.
fn ensure_memory(cost: u8) -> io::Result<()> {
    // 128 bytes times a block size of 8 times 2 to the power of the cost, and something for everything else.
    let bytes = (1024_usize << cost) + (1 << 20);
    let mut memory: Vec<u8> = Vec::new();
    memory.try_reserve_exact(bytes).map_err(|_| io::Error::from(ErrorKind::OutOfMemory))?;
    // Otherwise the compiler may see that nobody uses it, and not ask.
    std::hint::black_box(&mut memory);
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_tells_the_work_it_asks_for() {
        for cost in [1, 7, 10] {
            let file = Passphrase::new("correct horse".into()).with_cost(cost).encrypt(b"text").unwrap();
            assert_eq!(cost_of(&file), Some(cost));
        }
        assert_eq!(cost_of("no file"), None);
    }
}
