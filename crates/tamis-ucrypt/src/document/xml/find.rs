//! What a walk finds: records, selected fields and what looks like a sealed value, by their places in the text at hand.

use std::ops::Range;

use super::plan::FieldId;

/// Where a value is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Span {
    /// The content of an element.
    Content {
        /// The `<` of the start tag.
        open: usize,
        /// The `>` or `/>` of the start tag.
        close: usize,
        /// What is between the tags.
        inner: Range<usize>,
        /// Behind the end tag.
        end: usize,
        /// Whether start and end tag are one.
        empty: bool,
        /// Whether it is text, or a sealed value beside something else: a sealed value that is not all of it was edited.
        is_text: bool,
    },
    /// The value of an attribute between these quotes.
    Value { inner: Range<usize>, quote: u8 },
    /// A whole element that has other content beside it.
    Element {
        range: Range<usize>,
        /// Where the element around it begins, if that is in this text.
        parent: Option<usize>,
    },
}

impl Span {
    /// Where the part begins that may be replaced: finds are in this order.
    pub(super) fn start(&self) -> usize {
        match self {
            Self::Content { close, .. } => *close,
            Self::Value { inner, .. } => inner.start,
            Self::Element { range, .. } => range.start,
        }
    }

    /// Where the part ends that may be replaced.
    pub(super) fn end(&self) -> usize {
        match self {
            Self::Content { end, .. } => *end,
            Self::Value { inner, .. } => inner.end,
            Self::Element { range, .. } => range.end,
        }
    }
}

/// What a find is called.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Called {
    /// A selector says so.
    Selected(FieldId),
    /// It is an attribute of an element that a selector names, and which of them: `code`, or `code{urn:x}` in a namespace.
    Attribute(FieldId, Box<str>),
    /// No selector does, and a person would take it for one of these fields, or for something around them.
    Namesake(Box<[FieldId]>),
    /// No selector does; it counts only if it is a sealed value. The name is its path as the document writes it.
    Unselected(Box<str>),
}

/// A selected field, or what looks like a sealed value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Find {
    /// The number of its record, if it is in one.
    pub(super) record: Option<usize>,
    pub(super) called: Called,
    pub(super) span: Span,
}

/// A record.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Record {
    pub(super) selector: usize,
    pub(super) range: Range<usize>,
    pub(super) key: Option<Span>,
    pub(super) has_two_keys: bool,
}
