//! What a cell is bound to: the associated data of its cipher, and the derivation of its key.
//!
//! The associated data is a list of ten texts, each after its length as a little-endian 32-bit number: `UCRYPT`, `1`, cipher, policy, epoch,
//! data key id, binding, table, record, field. What the binding leaves out is empty. The texts are those that a parser gives, so that a cell
//! may move between XML, CSV and SQL.

use std::sync::OnceLock;

use hkdf::Hkdf;
use hmac::{Hmac, KeyInit as _, Mac as _};
use sha2::Sha256;
use zeroize::{Zeroize as _, Zeroizing};

use super::Place;
use super::{Attributes, Binding, Cipher, DataKey, Refusal};
use crate::framing::push;
use crate::shown::beginning;

/// What the cells of one start tag have in common.
pub(crate) struct Common {
    pub(crate) cipher: Cipher,
    binding: Binding,
    /// The beginning of their associated data.
    shared: Vec<u8>,
}

impl Common {
    /// Checks that a start tag is one of this version, with nothing in it that is not authenticated.
    pub(crate) fn of(attributes: &Attributes) -> Result<Self, Refusal> {
        let Attributes { cipher, v, pol, ep, kid, bind, others } = attributes;
        match v.as_deref() {
            None => return Err(Refusal::Foreign),
            Some("1") => {}
            Some(other) => return Err(Refusal::Version(beginning(other))),
        }
        if let Some((name, _)) = others.first() {
            return Err(Refusal::UnknownAttribute(beginning(name)));
        }
        let mut shared = Vec::new();
        for text in ["UCRYPT", "1", cipher, pol, ep, kid, bind] {
            push(text.as_bytes(), &mut shared);
        }
        Ok(Self { cipher: cipher.parse::<Cipher>()?, binding: bind.parse()?, shared })
    }

    /// Appends the associated data of the cell at a place.
    pub(crate) fn write_aad(&self, place: Place<'_>, aad: &mut Vec<u8>) {
        let (table, record, field) = match self.binding {
            Binding::RecordField => (place.table, place.record, place.field),
            Binding::Field => (place.table, "", place.field),
            Binding::None => ("", "", ""),
        };
        aad.extend_from_slice(&self.shared);
        for text in [table, record, field] {
            push(text.as_bytes(), aad);
        }
    }
}

/// Bytes that SHA-256 takes at once.
const BLOCK: usize = 64;

/// How many beginnings of associated data are remembered: each table of a document has one of its own.
const BEGINNINGS: usize = 4;

/// A data key made ready to derive the keys of cells: HKDF-SHA256 with its extraction done.
///
/// A key is one output of HMAC, so its expansion (RFC 5869, section 2.3) is HMAC of the associated data and a byte of one. The first
/// block of the associated data is the same for all cells of a table, mostly: it is hashed once, which leaves two blocks of three.
pub(crate) struct CellKeys {
    mac: Hmac<Sha256>,
    beginnings: [OnceLock<Beginning>; BEGINNINGS],
}

struct Beginning {
    block: [u8; BLOCK],
    mac: Hmac<Sha256>,
}

impl CellKeys {
    pub(crate) fn new(key: &DataKey) -> Self {
        let (mut extracted, _) = Hkdf::<Sha256>::extract(Some(b"UCRYPT1 cell"), key.bytes());
        let mac = Hmac::new_from_slice(&extracted).expect("HMAC takes keys of any length");
        extracted.as_mut_slice().zeroize();
        Self { mac, beginnings: [const { OnceLock::new() }; BEGINNINGS] }
    }

    /// The key of the cell with this associated data. Cells that are bound to their records have
    /// one each, as long as no two records have the same key; under weaker bindings, and where they have, cells share one, and only their
    /// random nonces differ.
    pub(crate) fn derive(&self, aad: &[u8]) -> Zeroizing<[u8; 32]> {
        let (mut mac, rest) = self.begun(aad);
        mac.update(rest);
        mac.update(&[1]);
        Zeroizing::new(mac.finalize().into_bytes().into())
    }

    /// HMAC over the beginning of the associated data, and what is still to come.
    fn begun<'a>(&self, aad: &'a [u8]) -> (Hmac<Sha256>, &'a [u8]) {
        if let Some((block, rest)) = aad.split_first_chunk::<BLOCK>() {
            for known in &self.beginnings {
                let known = known.get_or_init(|| {
                    let mut mac = self.mac.clone();
                    mac.update(block);
                    Beginning { block: *block, mac }
                });
                if known.block == *block {
                    return (known.mac.clone(), rest);
                }
            }
        }
        (self.mac.clone(), aad)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn keys_are_those_of_hkdf(
            key: [u8; 32],
            lists in prop::collection::vec((0..6_u8, prop::collection::vec(any::<u8>(), 0..200), 0..80_usize), 1..20),
        ) {
            let keys = CellKeys::new(&DataKey::from_bytes(Zeroizing::new(key)));
            let slow = Hkdf::<Sha256>::new(Some(b"UCRYPT1 cell"), &key);
            for (table, rest, shared) in lists {
                let aad = [&vec![table; shared][..], &rest].concat();
                let mut expected = [0; 32];
                slow.expand(&aad, &mut expected).unwrap();
                prop_assert_eq!(*keys.derive(&aad), expected);
            }
        }
    }
}
