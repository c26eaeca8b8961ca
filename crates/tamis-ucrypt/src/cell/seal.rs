//! Sealing cells.

use std::fmt;
use std::str::FromStr;
use std::sync::Arc;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use rand::Rng as _;
use zeroize::Zeroize as _;

use super::Place;
use super::associated::{CellKeys, Common};
use super::cipher::TAG;
use super::{Attributes, CellError, Cipher, DataKey, KeyId, Marker, Refusal, Value, scratch};
use crate::shown::beginning;

/// What a cell is bound to, so that it opens nowhere else.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Binding {
    /// Table, record and field: `rf`.
    #[default]
    RecordField,
    /// Table and field, for tables whose records have no lasting key: `f`. Cells of one column can be exchanged unnoticed.
    Field,
    /// Nothing: `n`. Any two cells of one data key can be exchanged unnoticed.
    None,
}

impl Binding {
    /// The name in the marker.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::RecordField => "rf",
            Self::Field => "f",
            Self::None => "n",
        }
    }
}

impl fmt::Display for Binding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl FromStr for Binding {
    type Err = Refusal;

    fn from_str(text: &str) -> Result<Self, Refusal> {
        match text {
            "rf" => Ok(Self::RecordField),
            "f" => Ok(Self::Field),
            "n" => Ok(Self::None),
            other => Err(Refusal::Binding(beginning(other))),
        }
    }
}

/// What all cells of one sealing run have in common.
#[derive(Debug, Clone, Copy)]
pub struct Scope<'a> {
    /// The cipher.
    pub cipher: Cipher,
    /// The id of the policy.
    pub policy: &'a str,
    /// The epoch of the policy.
    pub epoch: u32,
    /// The id of the data key.
    pub kid: &'a KeyId,
    /// What the cells are bound to.
    pub binding: Binding,
    /// Plaintexts are padded to a multiple of this many bytes.
    pub pad: usize,
}

/// Seals cells under one data key. Used from several threads at once.
pub struct Sealer {
    attributes: Arc<Attributes>,
    common: Common,
    keys: CellKeys,
    pad: usize,
}

impl Sealer {
    /// Makes ready to seal under this key.
    pub fn new(key: &DataKey, scope: Scope<'_>) -> Self {
        let attributes = Attributes {
            cipher: scope.cipher.as_str().to_owned(),
            v: Some("1".to_owned()),
            pol: scope.policy.to_owned(),
            ep: scope.epoch.to_string(),
            kid: scope.kid.as_str().to_owned(),
            bind: scope.binding.as_str().to_owned(),
            others: Vec::new(),
        };
        let common = Common::of(&attributes).expect("what is written here is read here");
        Self { common, attributes: Arc::new(attributes), keys: CellKeys::new(key), pad: scope.pad }
    }

    /// Seals a value for its place, in time linear in its length.
    pub fn seal(&self, place: Place<'_>, value: &Value<'_>) -> Result<Marker, CellError> {
        let mut nonce = [0; 24];
        let nonce = &mut nonce[..self.common.cipher.nonce_len()];
        rand::rng().fill_bytes(nonce);
        self.seal_with(nonce, place, value)
    }

    fn seal_with(&self, nonce: &[u8], place: Place<'_>, value: &Value<'_>) -> Result<Marker, CellError> {
        scratch::with(|room| {
            self.common.write_aad(place, &mut room.aad);
            // All room at once: growing later would leave a copy of the value in memory that was given back.
            room.message.reserve(nonce.len() + value.padded_len(self.pad) + TAG);
            room.message.extend_from_slice(nonce);
            value.write_padded(self.pad, &mut room.message);
            room.message.resize(room.message.len() + TAG, 0);
            let key = self.keys.derive(&room.aad);
            // The value is overwritten where it stands.
            if self.common.cipher.encrypt(&key, &room.aad, &mut room.message).is_none() {
                room.message.zeroize();
                return Err(Refusal::TooLong.at(place));
            }
            Ok(Marker { attributes: room.own(&self.attributes), body: STANDARD.encode(&room.message) })
        })
    }
}

#[cfg(test)]
mod tests;
