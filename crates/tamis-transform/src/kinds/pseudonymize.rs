//! Pseudonyms: a keyed hash in place of a name, so that a person keeps the same pseudonym in every file.
//!
//! A pseudonym is the beginning of HMAC-SHA-256 (RFC 2104) of the context and the value under a secret key. Without the key nobody can
//! compute it from a guessed name, as with a plain hash of names or numbers, which is broken by trying them all; with the key it is the
//! same in every file and every run. Values get the same pseudonym where their context is the same; the context is the column's name
//! unless one is given, so that a patient and a doctor of one number are told apart. Values are taken as they are written: `Ada` and
//! `ada` are two people. Pseudonyms are no anonymity: the other columns still tell who it is.

use crate::columns::{named_columns, recoded};
use crate::{Input, Output, TransformError, Transformation, replace_columns};
use hmac::{Hmac, KeyInit, Mac};
use serde::{Deserialize, Serialize};
use sha2::Sha256;
use std::collections::HashMap;
use tamis_table::Column;
use zeroize::Zeroizing;

/// Replace values by pseudonyms under a secret key.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "flags", derive(clap::Args))]
#[serde(deny_unknown_fields, default)]
pub struct Pseudonymize {
    /// The columns whose values become pseudonyms
    #[cfg_attr(feature = "flags", arg(long, value_delimiter = ',', value_name = "A,B,...", required = true))]
    pub columns: Vec<String>,
    /// The file with the secret key, as `tamis transform new-key FILE` makes one
    #[cfg_attr(feature = "flags", arg(long, value_name = "FILE", required = true))]
    pub key_file: String,
    /// What the values are names of; the same context gives the same pseudonyms in all columns and files. The column's name if left out
    #[cfg_attr(feature = "flags", arg(long, value_name = "TEXT"))]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub context: Option<String>,
    /// The characters of pseudonyms
    #[cfg_attr(feature = "flags", arg(long, value_name = "NAME", default_value = "base32"))]
    pub alphabet: Alphabet,
    /// How many characters a pseudonym has: 8 to 51 in base32, 8 to 64 in hex; 16 if left out
    #[cfg_attr(feature = "flags", arg(long, value_name = "N", allow_negative_numbers = true))]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub length: Option<usize>,
}

/// The characters of pseudonyms.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "flags", derive(clap::ValueEnum))]
#[serde(rename_all = "kebab-case")]
pub enum Alphabet {
    /// Five bits a character: A to Z and 2 to 7 (RFC 4648).
    #[default]
    Base32,
    /// Four bits a character: 0 to 9 and a to f.
    Hex,
}

const KIND: &str = "pseudonymize";
const DEFAULT_LENGTH: usize = 16;
const SHORTEST: usize = 8;
const LEAST_KEY: usize = 16;

impl Transformation for Pseudonymize {
    /// One hash for each different value.
    fn apply(&self, input: Input<'_>) -> Result<Output, TransformError> {
        let columns = named_columns(KIND, "columns", &self.columns, input.table)?;
        let longest = self.alphabet.longest();
        let length = self.length.unwrap_or(DEFAULT_LENGTH);
        if !(SHORTEST..=longest).contains(&length) {
            return Err(TransformError::parameter(
                KIND,
                "length",
                length.to_string(),
                format!("{SHORTEST} to {longest} characters"),
            ));
        }
        if self.key_file.is_empty() {
            return Err(TransformError::parameter(
                KIND,
                "key_file",
                "not given".to_owned(),
                "a file with a secret key".to_owned(),
            ));
        }
        let keyed = keyed(&self.key_file, &input.files.key(&self.key_file)?)?;
        let mut met: HashMap<(&str, String), &str> = HashMap::new();
        let mut replaced = Vec::with_capacity(columns.len());
        for column in columns {
            let context = self.context.as_deref().unwrap_or(column.name());
            let pseudonyms = self.pseudonyms(column, context, length, &keyed);
            for (value, pseudonym) in column.dictionary().iter().zip(&pseudonyms) {
                if let Some(other) = met.insert((context, pseudonym.clone()), value)
                    && other != value
                {
                    return Err(TransformError::parameter(
                        KIND,
                        "length",
                        format!("{length}, with which two different values get the pseudonym `{pseudonym}`"),
                        format!("more characters, up to {longest}"),
                    ));
                }
            }
            replaced.push(recoded(column, &pseudonyms)?);
        }
        Ok(Output::of(replace_columns(input.table, replaced)?))
    }

    fn files(&self) -> Vec<&str> {
        vec![&self.key_file]
    }
}

impl Pseudonymize {
    /// The pseudonym of each code; a missing value stays missing.
    fn pseudonyms(&self, column: &Column, context: &str, length: usize, keyed: &Hmac<Sha256>) -> Vec<String> {
        let missing = column.missing().map(|code| code.0 as usize);
        let pseudonym = |(code, value): (usize, &str)| {
            if missing == Some(code) {
                return value.to_owned();
            }
            let mut mac = keyed.clone();
            // The length of the context keeps ("ab", "c") and ("a", "bc") apart.
            mac.update(&(context.len() as u64).to_be_bytes());
            mac.update(context.as_bytes());
            mac.update(value.as_bytes());
            let mut text = self.alphabet.encode(&mac.finalize().into_bytes());
            text.truncate(length);
            text
        };
        column.dictionary().iter().enumerate().map(pseudonym).collect()
    }
}

/// The hash with its key. A line break at the end of the file is an editor's, not the key's.
fn keyed(path: &str, key: &Zeroizing<Vec<u8>>) -> Result<Hmac<Sha256>, TransformError> {
    let end = key.iter().rposition(|byte| !matches!(byte, b'\n' | b'\r')).map_or(0, |last| last + 1);
    let key = &key[..end];
    let short = || {
        TransformError::File(format!(
            "the key in {path} has {} bytes; expected {LEAST_KEY} or more, as `tamis transform new-key FILE` makes",
            key.len()
        ))
    };
    if key.len() < LEAST_KEY {
        return Err(short());
    }
    Hmac::<Sha256>::new_from_slice(key).map_err(|_| short())
}

impl Alphabet {
    /// Characters that a hash fills entirely.
    fn longest(self) -> usize {
        match self {
            Self::Base32 => 256 / 5,
            Self::Hex => 256 / 4,
        }
    }

    fn encode(self, bytes: &[u8]) -> String {
        match self {
            Self::Hex => base16ct::lower::encode_string(bytes),
            Self::Base32 => base32(bytes),
        }
    }
}

/// The bytes five bits at a time; bits that fill no character are left out.
fn base32(bytes: &[u8]) -> String {
    const ALPHABET: &[u8; 32] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";
    let (mut bits, mut held) = (0u32, 0);
    let mut text = String::with_capacity(bytes.len() * 8 / 5);
    for &byte in bytes {
        bits = bits << 8 | u32::from(byte);
        held += 8;
        while held >= 5 {
            held -= 5;
            text.push(char::from(ALPHABET[(bits >> held) as usize % 32]));
        }
        bits &= (1 << held) - 1;
    }
    text
}

#[cfg(test)]
mod tests {
    use super::base32;

    #[test]
    fn base32_is_that_of_rfc_4648_without_the_rest() {
        // RFC 4648, section 10: "foobar" is MZXW6YTBOI======, whose last character holds three bits of the text.
        assert_eq!(base32(b"fooba"), "MZXW6YTB");
        assert_eq!(base32(b"foobar"), "MZXW6YTBO");
    }
}
