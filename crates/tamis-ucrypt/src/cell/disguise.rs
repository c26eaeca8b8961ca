//! Texts that look like a sealed value and are none.
//!
//! Whoever seals leaves what is sealed already as it is. A person may have typed the element around something readable, which would then stay
//! so; that it is no ciphertext shows without any key.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;

use super::associated::Common;
use super::cipher::TAG;
use super::{KeyId, Marker, Refusal};

impl Marker {
    /// Refuses what cannot be a ciphertext: a cell of this format that nobody could open with any key, and one of another tool whose body is
    /// no row of letters and digits. The reason repeats nothing of it.
    pub(crate) fn refuse_disguise(&self) -> Result<(), Refusal> {
        let attributes = &self.attributes;
        let common = match Common::of(attributes) {
            Ok(common) => common,
            Err(Refusal::Foreign) if is_opaque(&self.body) => return Ok(()),
            Err(Refusal::Foreign) => return Err(Refusal::Disguise("what stands in it can be read")),
            Err(Refusal::Version(_)) => return Err(Refusal::Disguise("its version is not known")),
            Err(Refusal::UnknownAttribute(_)) => {
                return Err(Refusal::Disguise("it has an attribute that is not known"));
            }
            Err(_) => return Err(Refusal::Disguise("its cipher or binding is not known")),
        };
        if attributes.kid.parse::<KeyId>().is_err() || attributes.ep.parse::<u32>().is_err() {
            return Err(Refusal::Disguise("it names no data key"));
        }
        let length = STANDARD.decode(&self.body).map_or(0, |bytes| bytes.len());
        if length <= common.cipher.nonce_len() + TAG {
            return Err(Refusal::Disguise("what stands in it is no ciphertext"));
        }
        Ok(())
    }
}

/// Whether a text may be a ciphertext in one of the usual spellings of bytes, in several lines perhaps. No word of a language with blanks,
/// accents or punctuation in its text is; a single plain word cannot be told from one.
fn is_opaque(body: &str) -> bool {
    let body = body.trim_end_matches('=');
    let is_digit = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'/' | b'-' | b'_');
    body.lines().all(|line| line.trim().bytes().all(is_digit))
}

#[cfg(test)]
mod tests {
    use super::super::Attributes;
    use super::*;

    const BODY: &str = "AAECAwQFBgcICQoLyfMiRDkCqpkkRkZlwnGjBmnAZFRRdIhEjbawz/AvuFuIY5WCVzTb3Ef4M0hXqFeA";

    fn marker(edit: impl FnOnce(&mut Attributes), body: &str) -> Marker {
        let mut attributes = Attributes::default();
        for (name, value) in
            [("cipher", "A256GCM"), ("v", "1"), ("pol", "p7Q2"), ("ep", "1"), ("kid", "kZ3bQ9xA"), ("bind", "rf")]
        {
            attributes.set(name, value.to_owned());
        }
        edit(&mut attributes);
        Marker { attributes: attributes.into(), body: body.to_owned() }
    }

    #[test]
    fn a_cell_is_told_from_a_readable_text_in_its_clothes() {
        assert_eq!(marker(|_| (), BODY).refuse_disguise(), Ok(()));
        let edits: [fn(&mut Attributes); 6] = [
            |attributes| attributes.v = Some("2".into()),
            |attributes| attributes.cipher = "AIDS".into(),
            |attributes| attributes.bind.clear(),
            |attributes| attributes.kid = "AIDS".into(),
            |attributes| attributes.ep = "AIDS".into(),
            |attributes| attributes.set("note", "AIDS".into()),
        ];
        for edit in edits {
            let said = marker(edit, BODY).refuse_disguise().unwrap_err().to_string();
            assert!(said.contains("would stay readable") && !said.contains("AIDS"), "{said}");
        }
        for body in ["", "AIDS", "Advanced AIDS, since 2019", "AIDSAIDSAIDSAIDSAIDSAIDSAIDSAIDSAIDS"] {
            assert!(marker(|_| (), body).refuse_disguise().is_err(), "{body}");
        }
    }

    #[test]
    fn a_cell_of_another_tool_is_a_row_of_letters_and_digits() {
        let foreign = |body| Marker { attributes: Attributes::default().into(), body: String::from(body) };
        for body in ["", "MBJKLO", "yv66vg==", "  3C55\n  0A", "a-b_c"] {
            assert_eq!(foreign(body).refuse_disguise(), Ok(()), "{body}");
        }
        for body in ["Advanced AIDS", "Nowotwór", "AIDS.", "HIV (AIDS)", "AIDS=sure"] {
            assert!(foreign(body).refuse_disguise().is_err(), "{body}");
        }
    }
}
