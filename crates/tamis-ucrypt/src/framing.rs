//! Lists of byte strings written so that no two lists look alike: each after its length as a little-endian 32-bit number.

/// Appends one byte string and its length.
pub(crate) fn push(bytes: &[u8], list: &mut Vec<u8>) {
    // Nothing that is framed comes near four gigabytes: documents refuse fields that long, and policies files that long.
    list.extend_from_slice(&(bytes.len() as u32).to_le_bytes());
    list.extend_from_slice(bytes);
}

/// A list of byte strings.
pub(crate) fn list<'a>(parts: impl IntoIterator<Item = &'a [u8]>) -> Vec<u8> {
    let mut list = Vec::new();
    for part in parts {
        push(part, &mut list);
    }
    list
}

/// Takes a list apart again. Nothing if it does not come out even.
pub(crate) fn parts(mut list: &[u8]) -> Option<Vec<&[u8]>> {
    let mut parts = Vec::new();
    while !list.is_empty() {
        let (length, rest) = list.split_first_chunk::<4>()?;
        let length = usize::try_from(u32::from_le_bytes(*length)).ok()?;
        let (part, rest) = rest.split_at_checked(length)?;
        parts.push(part);
        list = rest;
    }
    Some(parts)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn a_list_comes_apart_as_it_was_put_together(texts in prop::collection::vec(prop::collection::vec(any::<u8>(), 0..9), 0..6)) {
            let list = list(texts.iter().map(Vec::as_slice));
            prop_assert_eq!(parts(&list).unwrap(), texts);
        }

        #[test]
        fn what_comes_apart_was_put_together_so(bytes in prop::collection::vec(0..3_u8, 0..24)) {
            if let Some(parts) = parts(&bytes) {
                prop_assert_eq!(list(parts), bytes);
            }
        }
    }
}
