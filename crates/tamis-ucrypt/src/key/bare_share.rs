//! Shares outside the policy: `HOLDER.ushare` files, under a passphrase or as words for a paper in a safe.
//!
//! The words are the 24 English words of BIP-39 for the 32 bytes of the share; the last one holds a checksum. Policy, generation and number
//! stand beside them: they are no secret, and without them the words open nothing.

use std::num::NonZeroU8;

use bip39::Mnemonic;
use serde::{Deserialize, Serialize};
use zeroize::{Zeroize as _, Zeroizing};

use super::passphrase::is_out_of_memory;
use super::{KeyError, Passphrase, Share, ShareError, ShareLabel, ShareRefusal, check_holder_name};

/// How the file of a share is protected.
#[derive(Clone, Copy)]
pub enum Protection<'a> {
    /// By a passphrase.
    Passphrase(&'a Passphrase),
    /// By the place where the paper lies.
    Paper,
    /// By the one for some holders and by the other for the rest.
    Mixed {
        /// Whose shares are words for a paper.
        paper: &'a [String],
        /// The passphrase for all others.
        passphrase: &'a Passphrase,
    },
}

/// A share with all that belongs to it.
pub struct BareShare {
    /// The holder.
    pub holder: String,
    /// The policy.
    pub policy: String,
    /// The generation of the shares.
    pub generation: u32,
    /// The share.
    pub share: Share,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    policy: String,
    #[serde(rename = "gen")]
    generation: u32,
    holder: String,
    x: NonZeroU8,
    #[serde(default)]
    words: Option<String>,
    #[serde(default)]
    sealed: Option<String>,
}

impl Drop for File {
    fn drop(&mut self) {
        self.words.zeroize();
    }
}

impl BareShare {
    /// Which sharing the share belongs to.
    pub fn label(&self) -> ShareLabel<'_> {
        ShareLabel { policy: &self.policy, generation: self.generation }
    }

    /// The 24 words.
    pub fn words(&self) -> Zeroizing<String> {
        let mnemonic = Mnemonic::from_entropy(self.share.value()).expect("32 bytes are a length of BIP-39");
        let mut text = Zeroizing::new(String::with_capacity(24 * 9));
        for word in mnemonic.words() {
            if !text.is_empty() {
                text.push(' ');
            }
            text.push_str(word);
        }
        text
    }

    /// A share from words that somebody typed: white space and capitals do not matter.
    pub fn from_words(holder: &str, label: ShareLabel<'_>, number: NonZeroU8, words: &str) -> Result<Self, ShareError> {
        let refused = |why| ShareRefusal::Corrupted(why).of(holder);
        let mut plain = Zeroizing::new(String::with_capacity(words.len()));
        for word in words.split_whitespace() {
            if !plain.is_empty() {
                plain.push(' ');
            }
            plain.push_str(word);
        }
        plain.make_ascii_lowercase();
        let count = plain.split_whitespace().count();
        if count != 24 {
            return Err(ShareRefusal::Words(count).of(holder));
        }
        let mnemonic =
            Mnemonic::parse_in_normalized(bip39::Language::English, &plain).map_err(|error| match error {
                bip39::Error::InvalidChecksum => refused("a word is wrong or two are exchanged: the checksum fails"),
                bip39::Error::UnknownWord(position) => ShareRefusal::UnknownWord(position + 1).of(holder),
                _ => refused("its words are no share"),
            })?;
        let entropy = Zeroizing::new(mnemonic.to_entropy());
        let mut value = Zeroizing::new([0; 32]);
        if entropy.len() != value.len() {
            return Err(refused("24 words are expected"));
        }
        value.copy_from_slice(&entropy);
        Ok(Self {
            holder: holder.to_owned(),
            policy: label.policy.to_owned(),
            generation: label.generation,
            share: Share::new(number, value),
        })
    }

    /// The text of the file.
    pub fn to_file(&self, protection: Protection<'_>) -> Result<Zeroizing<String>, KeyError> {
        let mut text = Zeroizing::new(String::with_capacity(1024));
        text.push_str("# A share of the key of sealed fields. Together with enough other shares it opens them.\n");
        for (name, value) in [
            ("policy", toml::Value::from(self.policy.as_str())),
            ("gen", toml::Value::from(self.generation)),
            ("holder", toml::Value::from(self.holder.as_str())),
            ("x", toml::Value::from(i64::from(self.share.number().get()))),
        ] {
            text.push_str(name);
            text.push_str(" = ");
            text.push_str(&value.to_string());
            text.push('\n');
        }
        let passphrase = match protection {
            Protection::Paper => None,
            Protection::Passphrase(passphrase) => Some(passphrase),
            Protection::Mixed { paper, passphrase } => (!paper.contains(&self.holder)).then_some(passphrase),
        };
        match passphrase {
            None => {
                text.push_str("words = \"");
                text.push_str(&self.words());
                text.push_str("\"\n");
            }
            Some(passphrase) => {
                text.push_str("sealed = \"\"\"\n");
                text.push_str(&passphrase.encrypt(self.share.value())?);
                text.push_str("\"\"\"\n");
            }
        }
        Ok(text)
    }

    /// Whether the text of a file is encrypted with a passphrase.
    pub fn needs_passphrase(file: &str) -> bool {
        file.contains("-----BEGIN AGE ENCRYPTED FILE-----")
    }

    /// Reads the text of a file. `name` is whose share it is meant to be, should the file itself not say.
    pub fn from_file(name: &str, file: &str, passphrase: Option<&Passphrase>) -> Result<Self, ShareError> {
        // What the reader says is not passed on: it quotes the line, and a line may hold the words.
        let read: File = toml::from_str(file).map_err(|_| ShareRefusal::Corrupted("it is no share file").of(name))?;
        check_holder_name(&read.holder)
            .map_err(|_| ShareRefusal::Corrupted("its holder has no proper name").of(name))?;
        let holder = read.holder.as_str();
        let label = ShareLabel { policy: &read.policy, generation: read.generation };
        let value = match (&read.words, &read.sealed) {
            (Some(words), None) => return Self::from_words(holder, label, read.x, words),
            (None, Some(sealed)) => open(sealed, passphrase).map_err(|refusal| refusal.of(holder))?,
            _ => {
                let why = "it must hold either words or a sealed share";
                return Err(ShareRefusal::Corrupted(why).of(holder));
            }
        };
        Ok(Self {
            holder: holder.to_owned(),
            policy: label.policy.to_owned(),
            generation: label.generation,
            share: Share::new(read.x, value),
        })
    }
}

fn open(sealed: &str, passphrase: Option<&Passphrase>) -> Result<Zeroizing<[u8; 32]>, ShareRefusal> {
    let passphrase = passphrase.ok_or(ShareRefusal::PassphraseNeeded)?;
    let plain = passphrase.decrypt(sealed.trim_start()).map_err(|error| match error {
        error if is_out_of_memory(&error) => ShareRefusal::Memory,
        age::DecryptError::KeyDecryptionFailed | age::DecryptError::DecryptionFailed => ShareRefusal::Passphrase,
        age::DecryptError::ExcessiveWork { .. } => {
            ShareRefusal::Corrupted("its passphrase asks for more work than is reasonable")
        }
        _ => ShareRefusal::Corrupted("its encryption is damaged"),
    })?;
    let mut value = Zeroizing::new([0; 32]);
    if plain.len() != value.len() {
        return Err(ShareRefusal::Corrupted("it has not 32 bytes"));
    }
    value.copy_from_slice(&plain);
    Ok(value)
}

#[cfg(test)]
mod tests;
