//! What a cell is bound to: the associated data of its cipher, and the derivation of its key.
//!
//! The associated data is a list of ten texts, each after its length as a little-endian 32-bit number: `UCRYPT`, `1`, cipher, policy, epoch,
//! data key id, binding, table, record, field. What the binding leaves out is empty. The texts are those that a parser gives, so that a cell
//! may move between XML, CSV and SQL.

use hkdf::Hkdf;
use sha2::Sha256;
use zeroize::Zeroizing;

use super::{Attributes, Binding, DataKey};
use crate::document::Place;
use crate::framing::push;

/// Appends the part that all cells of one sealing run share.
pub(crate) fn push_shared(attributes: &Attributes, list: &mut Vec<u8>) {
    let Attributes { cipher, pol, ep, kid, bind, .. } = attributes;
    for text in ["UCRYPT", "1", cipher, pol, ep, kid, bind] {
        push(text.as_bytes(), list);
    }
}

/// Appends the part that depends on the place of the cell.
pub(crate) fn push_place(binding: Binding, place: Place<'_>, list: &mut Vec<u8>) {
    let (table, record, field) = match binding {
        Binding::RecordField => (place.table, place.record, place.field),
        Binding::Field => (place.table, "", place.field),
        Binding::None => ("", "", ""),
    };
    for text in [table, record, field] {
        push(text.as_bytes(), list);
    }
}

/// A data key made ready to derive the keys of cells: HKDF-SHA256 with its extraction done.
pub(crate) struct CellKeys(Hkdf<Sha256>);

impl CellKeys {
    pub(crate) fn new(key: &DataKey) -> Self {
        Self(Hkdf::new(Some(b"UCRYPT1 cell"), key.bytes()))
    }

    /// The key of the cell with this associated data. Cells that are bound to their records have
    /// one each, as long as no two records have the same key; under weaker bindings, and where they have, cells share one, and only their
    /// random nonces differ.
    pub(crate) fn derive(&self, aad: &[u8]) -> Zeroizing<[u8; 32]> {
        let mut key = Zeroizing::new([0; 32]);
        self.0.expand(aad, key.as_mut()).expect("HKDF-SHA256 gives up to 8,160 bytes");
        key
    }
}
