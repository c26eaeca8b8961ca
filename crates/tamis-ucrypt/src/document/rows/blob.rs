//! Bytes that stand in hexadecimal digits and are the text of a sealed value: a program that knows no better keeps a text as a blob.

use zeroize::Zeroizing;

/// Whether a bare value may be a blob, by its first bytes: `X'3C...'` or `0x3C...`.
pub(crate) fn begins_blob(raw: &[u8]) -> bool {
    matches!(raw, [b'X' | b'x', b'\'', ..] | [b'0', b'x' | b'X', ..])
}

/// The text of a bare value that is a blob, if there is anything of a sealed value in it.
pub(crate) fn blob_text(literal: &str) -> Option<Zeroizing<String>> {
    if !begins_blob(literal.as_bytes()) {
        return None;
    }
    let digits = &literal[2..];
    text_of_digits(digits.strip_suffix('\'').unwrap_or(digits))
}

/// The same for a text of PostgreSQL that is read as bytes: `\x3c...`.
pub(crate) fn bytea_text(text: &str) -> Option<Zeroizing<String>> {
    text_of_digits(text.strip_prefix("\\x")?)
}

fn text_of_digits(digits: &str) -> Option<Zeroizing<String>> {
    let bytes = base16ct::mixed::decode_vec(digits).ok()?;
    let text = Zeroizing::new(String::from_utf8(bytes).ok()?);
    memchr::memchr2(b'<', b'&', text.as_bytes()).is_some().then_some(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_blobs_that_are_texts_with_a_bracket_are_read() {
        for literal in ["X'3C613E'", "x'3c613e'", "0x3C613E"] {
            assert_eq!(blob_text(literal).unwrap().as_str(), "<a>", "{literal}");
        }
        assert_eq!(bytea_text("\\x3c613e").unwrap().as_str(), "<a>");
        for literal in ["X'61'", "X'3CFF'", "X'3C6'", "X''", "X", "3C613E", "'3C613E'", "0"] {
            assert!(blob_text(literal).is_none() && bytea_text(literal).is_none(), "{literal}");
        }
    }
}
