//! Any bytes are an XML document or a clear error; a document whose fields were sealed is sealed already, and comes back byte for
//! byte when they are opened.
#![no_main]

use std::convert::Infallible;

use libfuzzer_sys::fuzz_target;
use tamis_ucrypt::cell::{Attributes, Marker};
use tamis_ucrypt::document::xml::{Document, Field, Keys, Namespaces, Path, Rewrite, Selector, Selectors};
use tamis_ucrypt::document::{Content, Outcome, Place, Treatment};

const CIPHER: &str = "fuzz";

struct Hide;
struct Show;

/// As hexadecimal digits: a letter for what it was, then its bytes.
fn hidden(kind: &str, text: &str) -> Outcome {
    // With a version and a policy it claims to be a cell, and is damaged wherever it is none.
    let attributes =
        Attributes { cipher: CIPHER.into(), v: Some("1".into()), pol: "p".into(), ..Attributes::default() };
    let body = text.bytes().fold(kind.to_owned(), |body, byte| body + &format!("{byte:02x}"));
    Outcome::Sealed(Marker { attributes: attributes.into(), body })
}

impl Treatment for Hide {
    type Refusal = Infallible;

    fn field(&self, _: Place<'_>, content: &Content<'_>) -> Result<Outcome, Infallible> {
        Ok(match content {
            Content::Text(text) | Content::Unusual(text) => hidden("t", text),
            Content::Fragment(raw) => hidden("f", raw),
            Content::Null | Content::Spelled { .. } | Content::Sealed(_) => Outcome::Keep,
        })
    }
}

impl Treatment for Show {
    type Refusal = Infallible;

    fn field(&self, place: Place<'_>, content: &Content<'_>) -> Result<Outcome, Infallible> {
        let Content::Sealed(marker) = content else { return Ok(Outcome::Keep) };
        // What the document brought along itself stays.
        if marker.attributes.cipher != CIPHER || place.field.starts_with(['.', '/']) || !marker.body.is_ascii() {
            return Ok(Outcome::Keep);
        }
        let digits = marker.body.get(1..).unwrap_or_default();
        let bytes = (0..digits.len() / 2).map(|at| u8::from_str_radix(&digits[2 * at..2 * at + 2], 16).unwrap_or(b'?'));
        let text = String::from_utf8_lossy(&bytes.collect::<Vec<u8>>()).into_owned();
        Ok(if marker.body.starts_with('t') { Outcome::Text(text) } else { Outcome::Fragment(text) })
    }
}

fn rewritten(bytes: &[u8], treatment: &impl Treatment<Refusal = Infallible>) -> Option<Vec<u8>> {
    let namespaces = Namespaces::from([("n".into(), "u".into())]);
    let path = |text: &str| Path::relative(text, &namespaces).expect("a true path");
    let field = |name: &str| Field { name: name.into(), path: path(name) };
    let selector = |record, key: Option<&str>, fields: &[&str]| Selector {
        table: "t".into(),
        record: Path::absolute(record, &namespaces).expect("a true path"),
        key: key.map(path),
        fields: fields.iter().map(|name| field(name)).collect(),
    };
    let selectors = [selector("/r/p", None, &["a", "n:b", "@c", "a/d"]), selector("/n:r", Some("@k"), &["a"])];
    let selectors = Selectors::new("U", selectors).expect("true selectors");
    let mut output = Vec::new();
    let rewrite = Rewrite { selectors: &selectors, treatment, keys: Keys::AsTheyAre, threads: 1 };
    Document::open(bytes).ok()?.rewrite(&rewrite, &mut output).ok()?;
    Some(output)
}

fuzz_target!(|bytes: &[u8]| {
    let Some(sealed) = rewritten(bytes, &Hide) else { return };
    assert_eq!(rewritten(&sealed, &Hide).as_deref(), Some(sealed.as_slice()));
    let claims = bytes.windows(CIPHER.len()).any(|window| window == CIPHER.as_bytes());
    assert!(claims || rewritten(&sealed, &Show).as_deref() == Some(bytes));
});
