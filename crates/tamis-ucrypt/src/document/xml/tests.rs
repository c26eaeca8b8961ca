//! Tests over whole documents.

mod claims;
mod encodings;
mod forms;
mod hostile;
mod long;
mod paper;
mod records;
mod round_trip;
mod selection;
mod tokens;

use std::sync::Mutex;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;

use crate::cell::{Attributes, Marker, MarkerError};
use crate::document::{At, Content, Outcome, Place, Treatment};

use super::{
    Document, Field, Keys, Namespaces, Path, Problem, Rewrite, RewriteError, Selector, Selectors, Tally, XmlError,
};

/// Hides fields in base64 together with their place, and brings them back only to the same place.
struct Hide;

struct Show;

fn hidden(place: Place<'_>, kind: &str, data: &str) -> Marker {
    let attributes = Attributes { cipher: "hidden".into(), ..Attributes::default() };
    let Place { table, record, field } = place;
    let body = STANDARD.encode(format!("{table}\u{1}{record}\u{1}{field}\u{1}{kind}\u{1}{data}"));
    Marker { attributes: attributes.into(), body }
}

impl Treatment for Hide {
    type Refusal = String;

    fn field(&self, place: Place<'_>, content: &Content<'_>) -> Result<Outcome, String> {
        Ok(match content {
            Content::Text(text) | Content::Unusual(text) => Outcome::Sealed(hidden(place, "text", text)),
            Content::Fragment(raw) => Outcome::Sealed(hidden(place, "fragment", raw)),
            Content::Null | Content::Spelled { .. } => Outcome::Sealed(hidden(place, "null", "")),
            Content::Sealed(_) => Outcome::Keep,
        })
    }
}

impl Treatment for Show {
    type Refusal = String;

    fn field(&self, place: Place<'_>, content: &Content<'_>) -> Result<Outcome, String> {
        let Content::Sealed(marker) = content else { return Ok(Outcome::Keep) };
        let bytes = STANDARD.decode(&marker.body).map_err(|error| error.to_string())?;
        let text = String::from_utf8(bytes).map_err(|error| error.to_string())?;
        let parts: Vec<&str> = text.splitn(5, '\u{1}').collect();
        if parts[..3] != [place.table, place.record, place.field] {
            return Err(format!("{parts:?} is not at {place:?}"));
        }
        Ok(match parts[3] {
            "text" => Outcome::Text(parts[4].into()),
            "fragment" => Outcome::Fragment(parts[4].into()),
            _ => Outcome::Null,
        })
    }
}

/// Changes nothing and remembers what it saw.
#[derive(Default)]
struct Watch(Mutex<Vec<(String, String)>>);

impl Treatment for Watch {
    type Refusal = String;

    fn field(&self, Place { table, record, field }: Place<'_>, content: &Content<'_>) -> Result<Outcome, String> {
        let content = match content {
            Content::Text(text) | Content::Unusual(text) => format!("text {text}"),
            Content::Fragment(raw) => format!("fragment {raw}"),
            Content::Null | Content::Spelled { .. } => "null".into(),
            Content::Sealed(marker) => format!("sealed {}", marker.body),
        };
        self.0.lock().unwrap().push((format!("{table} {record} {field}"), content));
        Ok(Outcome::Keep)
    }
}

/// Leaves everything as it is, damaged values too.
struct Leave;

impl Treatment for Leave {
    type Refusal = String;

    fn field(&self, _: Place<'_>, _: &Content<'_>) -> Result<Outcome, String> {
        Ok(Outcome::Keep)
    }

    fn leaves_damaged(&self, _: At, _: Place<'_>, _: MarkerError) -> bool {
        true
    }
}

/// `/r/p` with the key `@id` and these fields, each named like its path.
fn selectors(fields: &[&str]) -> Selectors {
    selectors_of(&[("t", "/r/p", "@id", fields)])
}

fn selectors_of(tables: &[(&str, &str, &str, &[&str])]) -> Selectors {
    let namespaces = Namespaces::from([("n".to_owned(), "urn:n".to_owned())]);
    let path = |text: &&str| Path::relative(text, &namespaces).unwrap();
    let selectors = tables.iter().map(|(table, record, key, fields)| Selector {
        table: (*table).into(),
        record: Path::absolute(record, &namespaces).unwrap(),
        key: Some(path(key)),
        fields: fields.iter().map(|field| Field { name: (*field).into(), path: path(field) }).collect(),
    });
    Selectors::new("UCRYPT", selectors).unwrap()
}

fn rewrite<T: Treatment>(
    input: &[u8],
    selectors: &Selectors,
    treatment: &T,
    threads: usize,
) -> Result<(Vec<u8>, Tally), RewriteError<T::Refusal>> {
    let mut output = Vec::new();
    let rewrite = Rewrite { selectors, treatment, keys: Keys::AsTheyAre, threads };
    let tally = Document::open(input)?.rewrite(&rewrite, &mut output)?;
    Ok((output, tally))
}

fn rewritten<T: Treatment<Refusal = String>>(input: &str, selectors: &Selectors, treatment: &T) -> String {
    let (output, _) = rewrite(input.as_bytes(), selectors, treatment, 1).unwrap();
    String::from_utf8(output).unwrap()
}

/// What a treatment gets to see.
fn seen(input: &str, selectors: &Selectors) -> Vec<(String, String)> {
    let watch = Watch::default();
    assert_eq!(rewritten(input, selectors, &watch), input);
    watch.0.into_inner().unwrap()
}

/// The position and the problem of a document that is refused, whichever of its records has it.
fn refused(input: impl std::io::Read, selectors: &Selectors) -> (u64, u64, Problem) {
    let rewrite = Rewrite { selectors, treatment: &Hide, keys: Keys::AsTheyAre, threads: 2 };
    let result = Document::open(input)
        .map_err(RewriteError::from)
        .and_then(|document| document.rewrite(&rewrite, std::io::sink()));
    match result {
        Err(RewriteError::Xml(XmlError::Malformed { at, problem })) => match problem {
            Problem::InRecord { problem, .. } => (at.line, at.column, *problem),
            problem => (at.line, at.column, problem),
        },
        other => panic!("not refused: {other:?}"),
    }
}

fn problem(input: &str) -> Problem {
    refused(input.as_bytes(), &selectors(&["a"])).2
}
