//! The key of a record.

use std::borrow::Cow;
use std::ops::Range;

use crate::cell::starts_marker;
use crate::document::rows;
use crate::shown::plain;

use super::error::{Fault, Problem};
use super::find::{Record, Span};
use super::plan::Selectors;
use super::text::{trim, unescaped};

/// The key of a record: its text without white space around it, so that it is the same as in other kinds of documents.
pub(super) fn key<'t>(text: &'t str, plan: &Selectors, record: &Record) -> Result<Cow<'t, str>, Fault> {
    let selector = plan.selector(record.selector);
    if selector.key.is_none() {
        return Ok(Cow::Borrowed(""));
    }
    let fault = |problem: fn(String) -> Problem| Err(Fault::new(record.range.start, problem(selector.table.clone())));
    let Some(span) = record.key.as_ref() else { return fault(Problem::NoKey) };
    if record.has_two_keys {
        return fault(Problem::TwoKeys);
    }
    let raw = trim(&text[inner(span).clone()]);
    let section = section(raw);
    let key = match section {
        Some(section) => Cow::Borrowed(section),
        None if starts_marker(raw, plan.element()) => return fault(Problem::SealedKey),
        None if raw.contains('<') => return fault(Problem::KeyNotText),
        None => unescaped(raw),
    };
    if starts_marker(&key, plan.element()) {
        return fault(Problem::SealedKey);
    }
    if section.is_some() && key.contains("]]>") {
        return fault(Problem::KeyNotText);
    }
    let key = match key {
        Cow::Borrowed(key) => Cow::Borrowed(trim(key)),
        Cow::Owned(key) => Cow::Owned(trim(&key).to_owned()),
    };
    // Readers of XML get every line end as a line feed.
    let key = if raw.contains('\r') { Cow::Owned(key.replace("\r\n", "\n").replace('\r', "\n")) } else { key };
    if key.is_empty() { fault(Problem::NoKey) } else { Ok(key) }
}

/// Where the key of a record stands; nowhere if it has none.
pub(super) fn key_span(record: &Record) -> rows::Span {
    let range = record.key.as_ref().map_or(0..0, |span| inner(span).clone());
    // A batch with a longer text would be beyond the limits.
    rows::Span { start: range.start as u32, end: range.end as u32 }
}

/// The key that stands in these bytes, for a message.
pub(super) fn shown_key(raw: &[u8]) -> String {
    let raw = String::from_utf8_lossy(raw);
    let raw = trim(&raw);
    plain(&section(raw).map_or_else(|| unescaped(raw), Cow::Borrowed))
}

fn inner(span: &Span) -> &Range<usize> {
    let (Span::Content { inner, .. } | Span::Value { inner, .. } | Span::Element { range: inner, .. }) = span;
    inner
}

fn section(raw: &str) -> Option<&str> {
    raw.strip_prefix("<![CDATA[").and_then(|raw| raw.strip_suffix("]]>"))
}
