//! Reading more of an input.

use std::io::{ErrorKind, Read};

use super::{RowsError, Spot};
use crate::document::room;

/// Appends the next so many bytes of an input, or fewer where it ends, and makes room for as many as `room` says at once. Returns whether it
/// has ended. Where there is no memory for more, `spot` tells what it was for.
pub(crate) fn append(
    input: &mut impl Read,
    (more, room): (usize, usize),
    bytes: &mut Vec<u8>,
    spot: impl FnOnce(&[u8]) -> Spot,
) -> Result<bool, RowsError> {
    if room::reserve(bytes, room.max(more)).is_err() {
        return Err(RowsError::NoMemory(spot(bytes)));
    }
    let mut end = bytes.len();
    bytes.resize(end + more, 0);
    let mut has_ended = false;
    while end < bytes.len() && !has_ended {
        match input.read(&mut bytes[end..]) {
            Ok(0) => has_ended = true,
            Ok(got) => end += got,
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            Err(error) => return Err(RowsError::Read(error)),
        }
    }
    bytes.truncate(end);
    Ok(has_ended)
}
