//! Opening cells.

use std::collections::HashMap;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use zeroize::{Zeroize as _, Zeroizing};

use super::associated::{CellKeys, push_place, push_shared};
use super::cipher::TAG;
use super::scratch::Scratch;
use super::{Attributes, Binding, CellError, Cipher, DataKey, KeyId, Marker, Refusal, Value, scratch};
use crate::document::Place;

/// Opens the cells of any number of data keys. Used from several threads at once.
#[derive(Default)]
pub struct Opener {
    /// By id. A document may claim one id for the keys of two policies; both are kept.
    keys: HashMap<String, Vec<Entry>>,
}

struct Entry {
    policy: String,
    epoch: String,
    keys: CellKeys,
}

impl Opener {
    /// Makes ready to open the cells of one more data key.
    pub fn insert(&mut self, policy: &str, epoch: u32, kid: &KeyId, key: &DataKey) {
        self.keys.entry(kid.as_str().to_owned()).or_default().push(Entry {
            policy: policy.to_owned(),
            epoch: epoch.to_string(),
            keys: CellKeys::new(key),
        });
    }

    /// Whether the data key of this marker is here.
    pub fn has_key(&self, attributes: &Attributes) -> bool {
        self.entry(attributes).is_some()
    }

    /// Refuses a cell whose data key is not here, or that is none of this format, without opening it.
    pub(crate) fn require(&self, place: Place<'_>, marker: &Marker) -> Result<(), CellError> {
        let found = checked(&marker.attributes).and_then(|_| self.keys_of(&marker.attributes));
        found.map(|_| ()).map_err(|refusal| refusal.at(place))
    }

    /// Opens the cell at its place, in time linear in its length. A cell from another place, and an edited one, does not open.
    pub fn open(&self, place: Place<'_>, marker: &Marker) -> Result<Value<'static>, CellError> {
        let opened = self.with_key(place, marker, |cipher, key, room| decrypt(cipher, key, &marker.body, room));
        opened.map_err(|refusal| refusal.at(place))
    }

    /// The key of this one cell, if it opens the cell: it can be handed on without handing on the data key.
    pub(crate) fn cell_key(&self, place: Place<'_>, marker: &Marker) -> Result<Zeroizing<[u8; 32]>, CellError> {
        let key = self.with_key(place, marker, |cipher, key, room| {
            decrypt(cipher, key, &marker.body, room)?.erase();
            Ok(key.clone())
        });
        key.map_err(|refusal| refusal.at(place))
    }

    fn with_key<T>(
        &self,
        place: Place<'_>,
        marker: &Marker,
        work: impl FnOnce(Cipher, &Zeroizing<[u8; 32]>, &mut Scratch) -> Result<T, Refusal>,
    ) -> Result<T, Refusal> {
        let cipher = checked(&marker.attributes)?;
        let keys = self.keys_of(&marker.attributes)?;
        scratch::with(|room| {
            write_aad(&marker.attributes, place, &mut room.aad)?;
            let key = keys.derive(&room.aad);
            work(cipher, &key, room)
        })
    }

    fn entry(&self, attributes: &Attributes) -> Option<&Entry> {
        let entries = self.keys.get(&attributes.kid)?;
        entries.iter().find(|entry| entry.policy == attributes.pol && entry.epoch == attributes.ep)
    }

    fn keys_of(&self, attributes: &Attributes) -> Result<&CellKeys, Refusal> {
        self.entry(attributes).map(|entry| &entry.keys).ok_or_else(|| Refusal::NoKey {
            kid: shortened(&attributes.kid),
            policy: shortened(&attributes.pol),
            epoch: shortened(&attributes.ep),
        })
    }
}

/// Checks that a marker is one of this version, with nothing in it that is not authenticated.
pub(super) fn checked(attributes: &Attributes) -> Result<Cipher, Refusal> {
    match attributes.v.as_deref() {
        None => return Err(Refusal::Foreign),
        Some("1") => {}
        Some(other) => return Err(Refusal::Version(shortened(other))),
    }
    if let Some((name, _)) = attributes.others.first() {
        return Err(Refusal::UnknownAttribute(shortened(name)));
    }
    Ok(attributes.cipher.parse::<Cipher>()?)
}

pub(super) fn write_aad(attributes: &Attributes, place: Place<'_>, aad: &mut Vec<u8>) -> Result<(), Refusal> {
    let binding: Binding = attributes.bind.parse()?;
    push_shared(attributes, aad);
    push_place(binding, place, aad);
    Ok(())
}

pub(super) fn decrypt(
    cipher: Cipher,
    key: &[u8; 32],
    body: &str,
    room: &mut Scratch,
) -> Result<Value<'static>, Refusal> {
    STANDARD.decode_vec(body, &mut room.message).map_err(|_| Refusal::NotBase64)?;
    let length = room.message.len();
    if length < cipher.nonce_len() + TAG {
        return Err(Refusal::TooShort(length));
    }
    let plaintext = cipher.decrypt(key, &room.aad, &mut room.message).ok_or(Refusal::NotAuthentic)?;
    let value = Value::read_padded(plaintext).ok_or(Refusal::Form);
    plaintext.zeroize();
    value
}

/// A message quotes no more of a hostile marker than this.
fn shortened(text: &str) -> String {
    text.chars().take(40).collect()
}

#[cfg(test)]
mod tests;
