//! Sealed values among bytes that are not read as one value: in a cast, a call or an odd number of hexadecimal digits.

use memchr::memmem::{Finder, find};

/// What comes before the name of an element where a tag begins: a bracket, or the end of a reference to one.
const BEFORE: [&[u8]; 5] = [b"<", b"lt;", b"#60;", b"#x3c;", b"#x3C;"];

/// The same in hexadecimal digits.
const BEFORE_DIGITS: [&[u8]; 5] = [b"3c", b"6c743b", b"2336303b", b"237833633b", b"237833433b"];

/// White space in hexadecimal digits.
const SPACES: [&[u8]; 4] = [b"20", b"09", b"0a", b"0d"];

/// Looks for the start tags of one element.
#[derive(Debug, Clone)]
pub(super) struct Hidden {
    name: Finder<'static>,
    lower: Finder<'static>,
    upper: Finder<'static>,
}

impl Hidden {
    pub(super) fn new(element: &str) -> Self {
        let lower = base16ct::lower::encode_string(element.as_bytes());
        let upper = lower.to_ascii_uppercase();
        let finder = |needle: &str| Finder::new(needle).into_owned();
        Self { name: finder(element), lower: finder(&lower), upper: finder(&upper) }
    }

    /// Whether a start tag is anywhere in these bytes: one with a version and a policy, or any in hexadecimal digits.
    pub(super) fn is_in(&self, raw: &[u8]) -> bool {
        self.is_plain_in(raw) || [&self.lower, &self.upper].into_iter().any(|digits| is_digits_in(digits, raw))
    }

    /// Whether these bytes, which are no text, begin like a sealed value, quotation marks aside.
    pub(super) fn begins(&self, raw: &[u8]) -> bool {
        let is_before = |byte: &u8| byte.is_ascii_whitespace() || matches!(byte, b'"' | b'\'');
        let start = raw.iter().position(|byte| !is_before(byte)).unwrap_or(raw.len());
        let tag = raw[start..].strip_prefix(b"<").and_then(|tag| tag.strip_prefix(self.name.needle()));
        tag.and_then(<[u8]>::first).is_some_and(u8::is_ascii_whitespace)
    }

    fn is_plain_in(&self, raw: &[u8]) -> bool {
        let length = self.name.needle().len();
        let is_tag = |at: &usize| {
            // A text that is joined with the next one may end there.
            let goes_on = |byte: &u8| byte.is_ascii_alphanumeric() || !byte.is_ascii() || b"_-.:>/".contains(byte);
            let ends = raw.get(at + length).is_some_and(|byte| !goes_on(byte));
            ends && BEFORE.iter().any(|before| raw[..*at].ends_with(before))
        };
        // What stands behind a later tag stands behind the first one, too.
        let Some(at) = self.name.find_iter(raw).find(is_tag) else { return false };
        let behind = &raw[at + length..];
        find(behind, b"v=").is_some() && find(behind, b"pol=").is_some()
    }
}

fn is_digits_in(digits: &Finder<'_>, raw: &[u8]) -> bool {
    let length = digits.needle().len();
    digits.find_iter(raw).any(|at| {
        let next = raw.get(at + length..at + length + 2).unwrap_or_default();
        let begins = |before: &&[u8]| {
            let start = at.checked_sub(before.len());
            start.is_some_and(|start| raw[start..at].eq_ignore_ascii_case(before))
        };
        SPACES.iter().any(|space| next.eq_ignore_ascii_case(space)) && BEFORE_DIGITS.iter().any(begins)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn digits(text: &str) -> String {
        base16ct::lower::encode_string(text.as_bytes())
    }

    #[test]
    fn a_start_tag_is_found_however_it_stands() {
        let hidden = Hidden::new("UCRYPT");
        let cell = r#"<UCRYPT cipher="A256GCM" v="1" pol="p">AA==</UCRYPT>"#;
        let escaped = cell.replace('<', "&lt;").replace('>', "&gt;");
        for raw in [
            format!("'{cell}'::text"),
            format!("('{cell}')"),
            format!("('{}')", cell.replace('"', "\\\"")),
            format!("'<UCRYPT' || '{}'", &cell[7..]),
            format!("trim('{escaped}')"),
            format!("'\\x{}'::bytea", digits(cell)),
            format!("_binary 0x{}", digits(cell).to_ascii_uppercase()),
            format!("decode('{}', 'hex')", digits(&escaped)),
            format!("x'{}", &digits(cell)[..41]),
        ] {
            assert!(hidden.is_in(raw.as_bytes()), "{raw}");
        }
    }

    #[test]
    fn bytes_that_are_no_text_begin_like_a_cell_whatever_was_edited_behind() {
        let hidden = Hidden::new("UCRYPT");
        for raw in
            [&b"<UCRYPT cipher=\"A256GCM\" v=\"1\" p\xffl=\"p\">"[..], b"\"<UCRYPT\tcipher=\"\"\xff", b"' <UCRYPT \xff"]
        {
            assert!(hidden.begins(raw), "{raw:?}");
        }
        for raw in [&b"\xff<UCRYPT v"[..], b"<UCRYPT", b"<UCRYPT\xff", b"<UCRYPTED \xff", b"\xff", b""] {
            assert!(!hidden.begins(raw), "{raw:?}");
        }
    }

    #[test]
    fn other_names_and_tags_without_a_version_are_not() {
        let hidden = Hidden::new("UCRYPT");
        for raw in [
            "now()".to_owned(),
            "'<UCRYPT cipher=\"x\">AA</UCRYPT>'::text".to_owned(),
            "lower('<UCRYPTED v=\"1\" pol=\"p\">')".to_owned(),
            "lower('UCRYPT v=\"1\" pol=\"p\"')".to_owned(),
            "lower('<UCRYPT>')".to_owned(),
            "'<UCRYPT".to_owned(),
            format!("unhex('{}')", digits("<UCRYPTED v='1'>")),
            format!("unhex('{}')", digits(" UCRYPT v='1'>")),
            format!("0x{}", digits("<UCRYPT")),
        ] {
            assert!(!hidden.is_in(raw.as_bytes()), "{raw}");
        }
    }
}
