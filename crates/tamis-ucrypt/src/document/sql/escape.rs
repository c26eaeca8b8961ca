//! Escapes of a backslash and one more byte.

use crate::document::rows::Sink;

/// Writes bytes, with what `escape` gives in the place of those for which it gives something.
pub(super) fn put_escaped(bytes: &[u8], out: &mut impl Sink, escape: impl Fn(u8) -> Option<[u8; 2]>) {
    let mut copied = 0;
    for (at, &byte) in bytes.iter().enumerate() {
        if let Some(escaped) = escape(byte) {
            out.put(&bytes[copied..at]);
            out.put(&escaped);
            copied = at + 1;
        }
    }
    out.put(&bytes[copied..]);
}
