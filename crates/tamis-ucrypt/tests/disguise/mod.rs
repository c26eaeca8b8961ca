//! A treatment that hides values and one that shows them again, in place of real sealing: what goes in must come out.

#![allow(dead_code, unreachable_pub)]

pub mod readers;

use std::sync::Mutex;

use tamis_ucrypt::cell::{Attributes, Marker};
use tamis_ucrypt::document::rows::{Column, Columns};
use tamis_ucrypt::document::{Content, Outcome, Place, Treatment};

/// A refusal that says where.
pub type Refusal = String;

fn hexadecimal(bytes: &[u8]) -> String {
    base16ct::lower::encode_string(bytes)
}

fn bytes(digits: &str) -> Vec<u8> {
    base16ct::lower::decode_vec(digits).unwrap()
}

/// A marker around a value that anybody can read.
pub fn marker(place: Place<'_>, kind: char, text: &str) -> Marker {
    let attributes = Attributes {
        cipher: "none".into(),
        v: Some("1".into()),
        others: vec![("at".into(), hexadecimal(format!("{place:?}").as_bytes()))],
        ..Attributes::default()
    };
    Marker { attributes: attributes.into(), body: format!("{kind}{}", hexadecimal(text.as_bytes())) }
}

/// Hides whatever is not hidden.
pub struct Hide;

impl Treatment for Hide {
    type Refusal = Refusal;

    fn field(&self, place: Place<'_>, content: &Content<'_>) -> Result<Outcome, Refusal> {
        Ok(match content {
            Content::Text(text) => Outcome::Sealed(marker(place, 't', text)),
            Content::Unusual(text) => Outcome::Sealed(marker(place, 'u', text)),
            Content::Spelled { text, spelling } => {
                let kind = if text.is_some() { 's' } else { 'm' };
                let both = format!("{}{SEPARATOR}{spelling}", text.unwrap_or_default());
                Outcome::Sealed(marker(place, kind, &both))
            }
            Content::Null => Outcome::Sealed(marker(place, 'n', "")),
            Content::Sealed(_) => Outcome::Keep,
            Content::Fragment(_) => return Err("no fragments in tables".into()),
        })
    }

    fn needs(&self, _: Place<'_>) -> bool {
        true
    }
}

/// Between what a value means and how it is spelled.
const SEPARATOR: char = '\u{10ffff}';

/// Shows what [`Hide`] has hidden, in the same place.
pub struct Show;

impl Treatment for Show {
    type Refusal = Refusal;

    fn field(&self, place: Place<'_>, content: &Content<'_>) -> Result<Outcome, Refusal> {
        let Content::Sealed(found) = content else { return Ok(Outcome::Keep) };
        let text = String::from_utf8(bytes(&found.body[1..])).unwrap();
        let kind = found.body.chars().next().unwrap();
        if *found != marker(place, kind, &text) {
            return Err(format!("{place:?} holds a value of another place"));
        }
        Ok(match kind {
            'n' => Outcome::Null,
            'u' => Outcome::Unusual(text),
            's' | 'm' => {
                let (text, spelling) = text.split_once(SEPARATOR).unwrap();
                Outcome::Spelled { text: (kind == 's').then(|| text.to_owned()), spelling: spelling.to_owned() }
            }
            _ => Outcome::Text(text),
        })
    }
}

/// Changes nothing and remembers what it saw.
#[derive(Default)]
pub struct Watch(pub Mutex<Vec<(String, String, String, String)>>);

impl Treatment for Watch {
    type Refusal = Refusal;

    fn field(&self, place: Place<'_>, content: &Content<'_>) -> Result<Outcome, Refusal> {
        let content = match content {
            Content::Text(text) | Content::Unusual(text) | Content::Spelled { text: Some(text), .. } => {
                format!("text {text}")
            }
            Content::Null | Content::Spelled { .. } => "null".into(),
            Content::Sealed(marker) => format!("sealed {}", marker.body),
            Content::Fragment(_) => return Err("no fragments in tables".into()),
        };
        self.0.lock().unwrap().push((place.table.into(), place.record.into(), place.field.into(), content));
        Ok(Outcome::Keep)
    }
}

/// Keeps the records with or without sealed values.
pub struct Filter {
    pub only_sealed: bool,
}

impl Treatment for Filter {
    type Refusal = Refusal;

    fn field(&self, _: Place<'_>, _: &Content<'_>) -> Result<Outcome, Refusal> {
        Ok(Outcome::Keep)
    }

    fn keeps(&self, sealed: bool) -> bool {
        sealed == self.only_sealed
    }
}

/// A selector whose fields are called like their columns.
pub fn columns(source: &str, key: &str, columns: &[&str]) -> Columns {
    let column = |name: &&str| Column { column: (*name).into(), field: (*name).into(), required: true };
    Columns {
        source: source.into(),
        table: "T".into(),
        key: key.into(),
        columns: columns.iter().map(column).collect(),
        element: "UCRYPT".into(),
    }
}
