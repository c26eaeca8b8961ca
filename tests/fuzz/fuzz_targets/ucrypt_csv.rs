//! Any bytes are a CSV file or a clear error; what nobody touches keeps its bytes, what is hidden is not hidden twice, and it is shown as
//! it stood.
#![no_main]

use libfuzzer_sys::fuzz_target;
use tamis_ucrypt::cell::{Attributes, Marker};
use tamis_ucrypt::document::csv::{Options, rewrite};
use tamis_ucrypt::document::rows::{Charset, Column, Columns};
use tamis_ucrypt::document::{Content, Outcome, Place, Treatment};

struct Keep;

impl Treatment for Keep {
    type Refusal = ();

    fn field(&self, _: Place<'_>, _: &Content<'_>) -> Result<Outcome, ()> {
        Ok(Outcome::Keep)
    }
}

struct Hide;

impl Treatment for Hide {
    type Refusal = ();

    fn field(&self, _: Place<'_>, content: &Content<'_>) -> Result<Outcome, ()> {
        let (kind, text) = match content {
            Content::Text(text) => ('t', text),
            Content::Unusual(text) => ('u', text),
            Content::Sealed(marker) if marker.attributes.cipher == "fuzz" => return Ok(Outcome::Keep),
            _ => return Err(()),
        };
        // With a version and a policy it claims to be a cell, and is damaged wherever it is none.
        let attributes =
            Attributes { cipher: "fuzz".into(), v: Some("1".into()), pol: "p".into(), ..Attributes::default() };
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
        Ok(if marker.body.ends_with('u') { Outcome::Unusual(text) } else { Outcome::Text(text) })
    }
}

fuzz_target!(|input: (u8, &[u8])| {
    let (delimiter, bytes) = input;
    let options = Options { delimiter, ..Options::default() };
    let mut same = Vec::new();
    if rewrite(bytes, &mut same, &options, &[], &Keep).is_ok() {
        assert_eq!(same, bytes);
    }
    let columns = Columns {
        source: String::new(),
        table: "T".into(),
        key: "k".into(),
        columns: vec![Column { column: "a".into(), field: "a".into(), required: true }],
        element: "UCRYPT".into(),
    };
    let selectors = [columns];
    let mut hidden = Vec::new();
    let brings_cells = bytes.windows(4).any(|window| window == b"fuzz");
    if !brings_cells && rewrite(bytes, &mut hidden, &options, &selectors, &Hide).is_ok() {
        let mut twice = Vec::new();
        rewrite(hidden.as_slice(), &mut twice, &options, &selectors, &Hide).expect("what is hidden is a cell");
        assert_eq!(twice, hidden);
        let mut shown = Vec::new();
        // Beside bytes of another encoding nothing is shown unless somebody says that UTF-8 is meant.
        let options = Options { charset: Charset::named("UTF-8").expect("it is known"), ..options };
        rewrite(hidden.as_slice(), &mut shown, &options, &selectors, &Show).expect("what is hidden can be shown");
        assert_eq!(shown, bytes);
    }
});
