//! The XML declaration at the beginning of a document.

use super::error::Problem;
use super::tag;
use super::text::is_space;
use crate::shown::plain;

/// Whether a token is the declaration and no processing instruction.
pub(super) fn is_declaration(token: &[u8]) -> bool {
    token.strip_prefix(b"<?xml").is_some_and(|rest| rest.first().is_some_and(|byte| is_space(*byte) || *byte == b'?'))
}

/// Reads the declaration at the beginning of these bytes, if there is one, and returns the encoding it names.
pub(super) fn encoding(bytes: &[u8]) -> Result<Option<String>, Problem> {
    if !is_declaration(bytes) {
        return Ok(None);
    }
    let end = memchr::memmem::find(bytes, b"?>").ok_or(Problem::Declaration)?;
    let tag = std::str::from_utf8(&bytes[2..end]).map_err(|_| Problem::Declaration)?;
    let mut attributes = Vec::new();
    tag::attributes(tag, &mut attributes).map_err(|_| Problem::Declaration)?;
    let mut pairs = attributes.iter().map(|one| (&tag[one.name.clone()], &tag[one.value.clone()])).peekable();
    match pairs.next() {
        Some(("version", "1.0")) => {}
        Some(("version", other)) => return Err(Problem::Version(plain(other))),
        _ => return Err(Problem::Declaration),
    }
    let encoding = pairs.next_if(|(name, _)| *name == "encoding").map(|(_, value)| value);
    let standalone = pairs.next_if(|(name, _)| *name == "standalone").map(|(_, value)| value);
    if pairs.next().is_some() || !matches!(standalone, None | Some("yes" | "no")) {
        return Err(Problem::Declaration);
    }
    Ok(encoding.map(str::to_owned))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_encoding_is_read() {
        for (text, found) in [
            ("<a/>", None),
            ("<?xml-stylesheet href='a'?>", None),
            ("<?xml version='1.0'?><a/>", None),
            ("<?xml version=\"1.0\" encoding=\"ISO-8859-2\" standalone='yes' ?>", Some("ISO-8859-2")),
        ] {
            assert_eq!(encoding(text.as_bytes()), Ok(found.map(str::to_owned)), "{text}");
        }
    }

    #[test]
    fn a_declaration_has_its_parts_in_order() {
        for text in [
            "<?xml?>",
            "<?xml version='1.0'",
            "<?xml encoding='a'?>",
            "<?xml encoding='a' version='1.0'?>",
            "<?xml version='1.0' standalone='yes' encoding='a'?>",
            "<?xml version='1.0' standalone='maybe'?>",
            "<?xml version='1.0' more='a'?>",
            "<?xml version='1.0'encoding='a'?>",
        ] {
            assert_eq!(encoding(text.as_bytes()), Err(Problem::Declaration), "{text}");
        }
        assert_eq!(encoding(b"<?xml version='1.1'?>"), Err(Problem::Version("1.1".into())));
    }
}
