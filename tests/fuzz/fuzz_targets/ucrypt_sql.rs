//! Any bytes are an SQL dump of any system or a clear error; what nobody touches keeps its bytes, what is hidden is not hidden twice, and it
//! is shown as it stood.
#![no_main]

use libfuzzer_sys::fuzz_target;
use tamis_ucrypt::cell::{Attributes, Marker};
use tamis_ucrypt::document::rows::{Charset, Column, Columns};
use tamis_ucrypt::document::sql::{Dialect, Headers, Options, rewrite, survey};
use tamis_ucrypt::document::{Content, Outcome, Place, Treatment};

struct Keep;

impl Treatment for Keep {
    type Refusal = ();

    fn field(&self, _: Place<'_>, _: &Content<'_>) -> Result<Outcome, ()> {
        Ok(Outcome::Keep)
    }
}

/// Between what a value means and how it is spelled.
const SEPARATOR: char = '\u{10ffff}';

const CIPHER: &str = "fuzz";

struct Hide;

impl Treatment for Hide {
    type Refusal = ();

    fn field(&self, _: Place<'_>, content: &Content<'_>) -> Result<Outcome, ()> {
        let (kind, text) = match content {
            Content::Text(text) => ('t', (*text).to_owned()),
            Content::Unusual(text) => ('u', (*text).to_owned()),
            // An escape may mean it, too.
            Content::Spelled { text: Some(text), .. } if text.contains(SEPARATOR) => return Err(()),
            Content::Spelled { text: Some(text), spelling } => ('s', format!("{text}{SEPARATOR}{spelling}")),
            Content::Spelled { text: None, spelling } => ('m', (*spelling).to_owned()),
            Content::Null => ('n', String::new()),
            Content::Sealed(marker) if marker.attributes.cipher == CIPHER => return Ok(Outcome::Keep),
            Content::Sealed(_) | Content::Fragment(_) => return Err(()),
        };
        // With a version and a policy it claims to be a cell, and is damaged wherever it is none.
        let attributes =
            Attributes { cipher: CIPHER.into(), v: Some("1".into()), pol: "p".into(), ..Attributes::default() };
        let mut body: String = text.bytes().map(|byte| format!("{byte:02x}")).collect();
        body.push(kind);
        Ok(Outcome::Sealed(Marker { attributes: attributes.into(), body }))
    }
}

struct Show;

impl Treatment for Show {
    type Refusal = ();

    fn field(&self, _: Place<'_>, content: &Content<'_>) -> Result<Outcome, ()> {
        let Content::Sealed(marker) = content else { return Err(()) };
        let digits = |at: usize| u8::from_str_radix(&marker.body[at..at + 2], 16).expect("two digits");
        let bytes = (0..marker.body.len() - 1).step_by(2).map(digits).collect();
        let text = String::from_utf8(bytes).expect("it was text");
        Ok(match marker.body.as_bytes().last() {
            Some(b't') => Outcome::Text(text),
            Some(b'u') => Outcome::Unusual(text),
            Some(b'n') => Outcome::Null,
            Some(b'm') => Outcome::Spelled { text: None, spelling: text },
            _ => {
                let (text, spelling) = text.split_once(SEPARATOR).expect("both were hidden");
                Outcome::Spelled { text: Some(text.to_owned()), spelling: spelling.to_owned() }
            }
        })
    }
}

fuzz_target!(|bytes: &[u8]| {
    let columns = Columns {
        source: "t".into(),
        table: "T".into(),
        key: "k".into(),
        columns: vec![Column { column: "a".into(), field: "a".into(), required: true }],
        element: "UCRYPT".into(),
    };
    for dialect in [Dialect::Standard, Dialect::PostgreSql, Dialect::MySql, Dialect::Sqlite] {
        let options = Options { dialect: Some(dialect), ..Options::default() };
        let _ = survey(bytes, &options);
        for selectors in [&[][..], &[columns.clone()]] {
            let mut same = Vec::new();
            if rewrite(bytes, &mut same, &options, selectors, Headers::Keep, &Keep).is_ok() {
                assert_eq!(same, bytes);
            }
        }
        let brings_cells = bytes.windows(CIPHER.len()).any(|window| window.eq_ignore_ascii_case(CIPHER.as_bytes()));
        let selectors = [columns.clone()];
        let treated = |bytes: &[u8], hides: bool| {
            let mut out = Vec::new();
            // Beside bytes of another encoding nothing is shown unless somebody says that UTF-8 is meant.
            let named = Options { charset: Charset::named("UTF-8").expect("it is known"), ..options.clone() };
            let done = match hides {
                true => rewrite(bytes, &mut out, &options, &selectors, Headers::Keep, &Hide),
                false => rewrite(bytes, &mut out, &named, &selectors, Headers::Keep, &Show),
            };
            done.ok().map(|_| out)
        };
        if !brings_cells && let Some(hidden) = treated(bytes, true) {
            assert_eq!(treated(&hidden, true).as_ref(), Some(&hidden));
            assert_eq!(treated(&hidden, false).as_deref(), Some(bytes));
        }
    }
});
