//! The key of one cell, handed on alone: it opens that cell and no other, and tells nothing of the data key.

use zeroize::Zeroizing;

use super::Place;
use super::associated::Common;
use super::open::decrypt;
use super::{Binding, CellError, Marker, Opener, Refusal, Value, scratch};

/// The key of one cell.
pub struct CellKey(Zeroizing<[u8; 32]>);

impl CellKey {
    /// The key of a cell that this opener opens. Only cells bound to record and field have a key of their own.
    pub fn of(opener: &Opener, place: Place<'_>, marker: &Marker) -> Result<Self, CellError> {
        if marker.attributes.bind != Binding::RecordField.as_str() {
            return Err(Refusal::SharedKey(marker.attributes.bind.clone()).at(place));
        }
        opener.cell_key(place, marker).map(Self)
    }

    /// The key of these bytes.
    pub fn from_bytes(bytes: Zeroizing<[u8; 32]>) -> Self {
        Self(bytes)
    }

    /// The bytes, for a file that is handed on.
    pub fn bytes(&self) -> &[u8; 32] {
        &self.0
    }

    /// Opens the cell.
    pub fn open(&self, place: Place<'_>, marker: &Marker) -> Result<Value<'static>, CellError> {
        let open = || {
            let common = Common::of(&marker.attributes)?;
            scratch::with(|room| {
                common.write_aad(place, &mut room.aad);
                decrypt(common.cipher, &self.0, &marker.body, room)
            })
        };
        open().map_err(|refusal| refusal.at(place))
    }
}
