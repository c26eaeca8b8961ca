//! Opening cells.

use std::collections::HashMap;
use std::sync::{Arc, OnceLock};

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use zeroize::{Zeroize as _, Zeroizing};

use super::Place;
use super::associated::{CellKeys, Common};
use super::cipher::TAG;
use super::scratch::Scratch;
use super::{Attributes, CellError, Cipher, DataKey, KeyId, Marker, Refusal, Value, scratch};
use crate::shown::beginning;

/// How many start tags are remembered.
const REMEMBERED: usize = 8;

/// Opens the cells of any number of data keys. Used from several threads at once.
#[derive(Default)]
pub struct Opener {
    /// By id. A document may claim one id for the keys of two policies; both are kept.
    keys: HashMap<String, Vec<Entry>>,
    /// What was found out about the first start tags: most cells have one of them.
    remembered: [OnceLock<Ready>; REMEMBERED],
}

struct Entry {
    policy: String,
    epoch: String,
    keys: Arc<CellKeys>,
}

/// A start tag whose cells can be opened.
struct Ready {
    attributes: Arc<Attributes>,
    common: Common,
    keys: Arc<CellKeys>,
}

impl Ready {
    fn with_key<T>(
        &self,
        place: Place<'_>,
        work: impl FnOnce(Cipher, &Zeroizing<[u8; 32]>, &mut Scratch) -> Result<T, Refusal>,
    ) -> Result<T, Refusal> {
        scratch::with(|room| {
            self.common.write_aad(place, &mut room.aad);
            let key = self.keys.derive(&room.aad);
            work(self.common.cipher, &key, room)
        })
    }
}

impl Opener {
    /// Makes ready to open the cells of one more data key.
    pub fn insert(&mut self, policy: &str, epoch: u32, kid: &KeyId, key: &DataKey) {
        self.keys.entry(kid.as_str().to_owned()).or_default().push(Entry {
            policy: policy.to_owned(),
            epoch: epoch.to_string(),
            keys: Arc::new(CellKeys::new(key)),
        });
    }

    /// Refuses a cell whose data key is not here, or that is none of this format, without opening it.
    pub(crate) fn require(&self, place: Place<'_>, marker: &Marker) -> Result<(), CellError> {
        let found = Common::of(&marker.attributes).and_then(|_| self.keys_of(&marker.attributes));
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
        let attributes = &marker.attributes;
        let known = || self.remembered.iter().map_while(OnceLock::get);
        // Neighbours share their attributes, which is faster to see than that they are the same.
        let same = known().find(|ready| Arc::ptr_eq(&ready.attributes, attributes));
        if let Some(ready) = same.or_else(|| known().find(|ready| ready.attributes == *attributes)) {
            return ready.with_key(place, work);
        }
        let mut ready = Ready {
            common: Common::of(attributes)?,
            keys: Arc::clone(self.keys_of(attributes)?),
            attributes: Arc::clone(attributes),
        };
        let result = ready.with_key(place, work);
        // Where there is no room any more, the next cell takes as long as this one.
        for room in &self.remembered {
            match room.set(ready) {
                Ok(()) => break,
                Err(back) => ready = back,
            }
        }
        result
    }

    fn entry(&self, attributes: &Attributes) -> Option<&Entry> {
        let entries = self.keys.get(&attributes.kid)?;
        entries.iter().find(|entry| entry.policy == attributes.pol && entry.epoch == attributes.ep)
    }

    fn keys_of(&self, attributes: &Attributes) -> Result<&Arc<CellKeys>, Refusal> {
        self.entry(attributes).map(|entry| &entry.keys).ok_or_else(|| Refusal::NoKey {
            kid: beginning(&attributes.kid),
            policy: beginning(&attributes.pol),
            epoch: beginning(&attributes.ep),
        })
    }
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

#[cfg(test)]
mod tests;
