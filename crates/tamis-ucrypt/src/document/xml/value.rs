//! What stands in a field, and how what it becomes is written there.

use std::borrow::Cow;
use std::sync::Arc;

use memchr::memchr;

use crate::cell::{Attributes, Marker, MarkerError, MarkerReader};
use crate::document::Content;

use super::find::Span;
use super::reading::{OwnText, is_split, joined};
use super::text::{Site, escape, is_canonical, push_number, trim, unescaped};
use crate::document::charset::Charset;

/// How a sealed value is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Form {
    /// As an element.
    Element,
    /// As text, with its angle brackets escaped.
    Escaped,
    /// As text in a CDATA section.
    Section,
}

/// What stands in a field.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Value<'t> {
    Text(Cow<'t, str>),
    /// What the text alone would not give back byte for byte.
    Fragment(&'t str),
    Sealed(Marker, Form),
    /// It claims to be sealed.
    Damaged(MarkerError),
}

impl<'t> Value<'t> {
    /// Reads the value of a span that was walked over.
    pub(super) fn read(text: &'t str, span: &Span, charset: &Charset, reader: &mut MarkerReader) -> Self {
        match span {
            // Both <a></a> and <a/> are empty; the latter is told apart so that it can come back.
            Span::Content { empty: true, .. } => Self::Fragment(""),
            Span::Content { inner, is_text, .. } => Self::content(&text[inner.clone()], *is_text, charset, reader),
            Span::Element { range, .. } => match Self::content(&text[range.clone()], false, charset, reader) {
                // What this program seals is alone in its element.
                Self::Sealed(marker, _) if marker.attributes.claims() => Self::Damaged(MarkerError::Beside),
                value => value,
            },
            Span::Value { inner, quote } => {
                Self::escaped(&text[inner.clone()], Site::Attribute(*quote), charset, reader)
            }
        }
    }

    fn content(raw: &'t str, is_text: bool, charset: &Charset, reader: &mut MarkerReader) -> Self {
        if memchr(b'<', raw.as_bytes()).is_none() {
            return Self::escaped(raw, Site::Element, charset, reader);
        }
        if let Ok(marker) = reader.read(raw) {
            return Self::Sealed(marker, Form::Element);
        }
        let section = trim(raw).strip_prefix("<![CDATA[").and_then(|section| section.strip_suffix("]]>"));
        if let Some(section) = section.filter(|section| !section.contains("]]>")) {
            return Self::sealed(section, Form::Section, reader).unwrap_or(Self::Fragment(raw));
        }
        let is_split = is_split(raw);
        let element = if is_split { Self::element(&joined(raw), reader) } else { Self::element(raw, reader) };
        match element {
            // It is the value of another element in this one.
            Some(Self::Damaged(MarkerError::Beside)) if !is_text => {}
            Some(sealed) => return sealed,
            None => {}
        }
        if is_split || memchr(b'&', raw.as_bytes()).is_some() {
            let own = OwnText::of(raw);
            match Self::sealed(&own.text, Form::Escaped, reader) {
                Some(sealed) if !own.has_children => return sealed,
                Some(Self::Sealed(marker, _)) if marker.attributes.claims() => {
                    return Self::Damaged(MarkerError::NotText);
                }
                Some(Self::Damaged(_)) => return Self::Damaged(MarkerError::Beside),
                _ => {}
            }
        }
        Self::Fragment(raw)
    }

    fn escaped(raw: &'t str, site: Site, charset: &Charset, reader: &mut MarkerReader) -> Self {
        let is_plain = |byte: u8| match byte {
            b'&' | b'>' | b'\r' => false,
            b'"' | b'\'' | b'\n' | b'\t' => site == Site::Element,
            _ => true,
        };
        if raw.bytes().all(is_plain) {
            return Self::Text(Cow::Borrowed(raw));
        }
        let text = unescaped(raw);
        if let Some(sealed) = Self::sealed(&text, Form::Escaped, reader) {
            return sealed;
        }
        if is_canonical(raw, &text, site, charset) { Self::Text(text) } else { Self::Fragment(raw) }
    }

    fn sealed(text: &str, form: Form, reader: &mut MarkerReader) -> Option<Self> {
        match reader.read(text) {
            Ok(marker) => Some(Self::Sealed(marker, form)),
            Err(_) => reader.broken(text).map(Self::Damaged),
        }
    }

    /// The same for markup.
    fn element(raw: &str, reader: &mut MarkerReader) -> Option<Self> {
        match reader.read(raw) {
            Ok(marker) => Some(Self::Sealed(marker, Form::Element)),
            Err(_) => reader.broken_xml(raw).map(Self::Damaged),
        }
    }

    /// Whether it is sealed, or was.
    pub(super) fn is_sealed(&self) -> bool {
        matches!(self, Self::Sealed(..) | Self::Damaged(_))
    }

    /// Shows the value as a treatment gets it, and tells the form of a sealed one.
    pub(super) fn with_content<R>(self, with: impl FnOnce(&Content<'_>) -> R) -> (R, Option<Form>) {
        match self {
            Self::Text(text) => (with(&Content::Text(&text)), None),
            Self::Fragment(raw) => (with(&Content::Fragment(raw)), None),
            Self::Sealed(marker, form) => (with(&Content::Sealed(marker)), Some(form)),
            // Nobody is asked about a damaged value.
            Self::Damaged(_) => (with(&Content::Null), None),
        }
    }
}

/// Writes sealed values, and remembers the start tag of the last one: the next one mostly has the same.
#[derive(Debug)]
pub(super) struct MarkerWriter {
    element: String,
    attributes: Arc<Attributes>,
    head: String,
    tail: String,
}

impl MarkerWriter {
    pub(super) fn new(element: &str) -> Self {
        let tail = format!("</{element}>");
        Self { element: element.to_owned(), attributes: Arc::default(), head: String::new(), tail }
    }

    /// Appends a sealed value. False if it holds characters that XML or the encoding does not have.
    #[must_use]
    pub(super) fn push(
        &mut self,
        marker: &Marker,
        form: Form,
        site: Site,
        charset: &Charset,
        out: &mut String,
    ) -> bool {
        let start = out.len();
        self.push_element(marker, out);
        let is_encoded = |out: &str| charset.has_all() || out[start..].chars().all(|character| charset.has(character));
        match (form, site) {
            (Form::Element, Site::Element) => is_encoded(out),
            (Form::Section, Site::Element) => {
                out.insert_str(start, "<![CDATA[");
                out.push_str("]]>");
                is_encoded(out)
            }
            _ => {
                let text = out.split_off(start);
                escape(&text, site, charset, out)
            }
        }
    }

    fn push_element(&mut self, marker: &Marker, out: &mut String) {
        // Without a branch in it, this loop runs over many bytes at once.
        let bytes = marker.body.bytes();
        let escapes = bytes.fold(0, |found, byte| found | u8::from(matches!(byte, b'<' | b'>' | b'&' | b'"' | 0..=31)));
        if escapes != 0 {
            return marker.write(&self.element, out);
        }
        if self.head.is_empty() || !Arc::ptr_eq(&self.attributes, &marker.attributes) {
            let empty = Marker { attributes: Arc::clone(&marker.attributes), body: String::new() };
            self.head = empty.to_text(&self.element);
            self.head.truncate(self.head.len() - self.tail.len());
            self.attributes = empty.attributes;
        }
        out.push_str(&self.head);
        out.push_str(&marker.body);
        out.push_str(&self.tail);
    }
}

/// Appends raw XML. False if it cannot stand at this site or in this encoding.
#[must_use]
pub(super) fn push_fragment(raw: &str, site: Site, charset: &Charset, out: &mut String) -> bool {
    // Another program may have written the document anew, and put an attribute between other quotes than before.
    let quote = match site {
        Site::Attribute(quote) => Some(char::from(quote)),
        Site::Element => None,
    };
    let stands = |character: char| Some(character) != quote && charset.has(character);
    // References mean the character in texts and attribute values, but not in names, comments and CDATA.
    let is_text = memchr(b'<', raw.as_bytes()).is_none();
    if (is_text || quote.is_none()) && (charset.has_all() && quote.is_none() || raw.chars().all(stands)) {
        out.push_str(raw);
        return true;
    }
    if !is_text {
        return false;
    }
    for character in raw.chars() {
        if stands(character) { out.push(character) } else { push_number(character, out) }
    }
    true
}
