//! What is wrong with a document, in words for the person who has it before them.

use std::cell::Cell;
use std::{fmt, io};

use crate::cell::MarkerError;
use crate::document::charset::UnknownCharset;

use super::limits;

/// A place in a document: where a text editor would put the cursor.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Position {
    /// The line, from 1.
    pub line: u64,
    /// The character in its line, from 1.
    pub column: u64,
}

impl Position {
    /// The first character.
    pub const START: Self = Self { line: 1, column: 1 };

    /// The place that is reached behind this text. Bytes that are no UTF-8 count one each.
    pub(super) fn after(self, text: &[u8]) -> Self {
        let lines = memchr::memchr_iter(b'\n', text).count() as u64;
        let last = memchr::memrchr(b'\n', text).map_or(text, |at| &text[at + 1..]);
        let characters = last.iter().filter(|byte| **byte & 0xC0 != 0x80).count() as u64;
        let column = if lines == 0 { self.column + characters } else { 1 + characters };
        Self { line: self.line + lines, column }
    }
}

/// Says where the bytes of a text stand. Each answer goes on from the last one, so that many that are asked for in order take one walk.
#[derive(Debug)]
pub(super) struct Positions<'t> {
    text: &'t [u8],
    start: Position,
    last: Cell<(usize, Position)>,
}

impl<'t> Positions<'t> {
    /// Of a text that begins there.
    pub(super) fn new(text: &'t [u8], start: Position) -> Self {
        Self { text, start, last: Cell::new((0, start)) }
    }

    pub(super) fn of(&self, at: usize) -> Position {
        let at = at.min(self.text.len());
        let (from, before) = Some(self.last.get()).filter(|(last, _)| *last <= at).unwrap_or((0, self.start));
        let position = before.after(&self.text[from..at]);
        self.last.set((at, position));
        position
    }
}

impl fmt::Display for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}, column {}", self.line, self.column)
    }
}

/// What is wrong at one place. Names are shortened; no text of a field is ever quoted.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Problem {
    /// `<!DOCTYPE`.
    #[error("a document type declaration is refused, because entities could make the document anything: remove it")]
    DocumentType,
    /// A namespace that is none.
    #[error(
        "a declaration of a namespace in an element that is to be sealed has blanks, so it is no namespace and would stay readable: take it out"
    )]
    NoNamespace,
    /// `<!` that begins nothing.
    #[error("\"<!\" begins neither a comment nor a CDATA section")]
    Markup,
    /// A token beyond [`limits::LONGEST_TOKEN`].
    #[error("a text, tag, comment or instruction longer than {} MB", limits::LONGEST_TOKEN >> 20)]
    LongToken,
    /// More before the root than [`limits::LONGEST_TOKEN`].
    #[error("more than {} MB before the root element", limits::LONGEST_TOKEN >> 20)]
    LongProlog,
    /// A record beyond [`limits::LONGEST_RECORD`].
    #[error("a record, or an element outside records, longer than {} MB", limits::LONGEST_RECORD >> 20)]
    LongRecord,
    /// A record that would be beyond [`limits::LONGEST_RECORD`].
    #[error("a record that would become longer than {} MB, and could not be read again", limits::LONGEST_RECORD >> 20)]
    LongResult,
    /// A record that this process cannot take.
    #[error(
        "a record of {bytes} bytes or more, for which there is not enough memory; let the process have more of it (ulimit -v)"
    )]
    NoMemory {
        /// How long it is, as far as it was read.
        bytes: usize,
    },
    /// More than [`limits::MOST_FIELDS`].
    #[error("more than {} fields in one record", limits::MOST_FIELDS)]
    ManyFields,
    /// Deeper than [`limits::DEEPEST`].
    #[error("elements nested more than {} deep", limits::DEEPEST)]
    Deep,
    /// More than [`limits::MOST_ATTRIBUTES`].
    #[error("more than {} attributes in one element", limits::MOST_ATTRIBUTES)]
    ManyAttributes,
    /// More than [`limits::MOST_NAMESPACES`] or longer than [`limits::LONGEST_SCOPE`].
    #[error("too many or too long names and namespaces in force")]
    LargeScope,
    /// The document ends inside a token.
    #[error("the document ends inside a tag, a comment, a CDATA section or an instruction")]
    CutOff,
    /// The document ends inside an element.
    #[error("the element \"{0}\" is never closed")]
    Unclosed(String),
    /// An end tag for another element.
    #[error("\"</{found}>\" where \"</{expected}>\" is expected")]
    MismatchedEnd {
        /// The element that is open.
        expected: String,
        /// The element that the tag ends.
        found: String,
    },
    /// An end tag for nothing.
    #[error("\"</{0}>\" closes no element")]
    UnmatchedEnd(String),
    /// An end tag that holds more than a name.
    #[error("an end tag holds more than a name")]
    EndTag,
    /// No element at all.
    #[error("there is no root element")]
    NoRoot,
    /// Another element behind the root.
    #[error("a second root element, \"{0}\"")]
    SecondRoot(String),
    /// Text before or behind the root.
    #[error("text outside the root element")]
    OutsideRoot,
    /// A character that XML does not allow.
    #[error("the character U+{0:04X} is not allowed in XML")]
    Character(u32),
    /// Bytes that the encoding does not know.
    #[error("bytes that are not {0}")]
    NotEncoded(&'static str),
    /// An encoding that is not offered.
    #[error(transparent)]
    UnknownEncoding(#[from] UnknownCharset),
    /// A declaration that the bytes contradict.
    #[error("the document declares the encoding \"{declared}\" but begins as {found}")]
    OtherEncoding {
        /// What the declaration says.
        declared: String,
        /// What the first bytes say.
        found: &'static str,
    },
    /// A bad XML declaration.
    #[error("the XML declaration is not well formed or not at the beginning")]
    Declaration,
    /// Another version of XML.
    #[error("XML version \"{0}\" is not offered, only 1.0")]
    Version(String),
    /// A reference to an entity that nothing defines.
    #[error("the entity \"&{0};\" is not defined")]
    UnknownEntity(String),
    /// `&` that begins no reference, or a reference to no character.
    #[error("\"&\" begins no reference to a character or entity")]
    Reference,
    /// `]]>` in text.
    #[error("\"]]>\" outside a CDATA section")]
    CDataEnd,
    /// `--` inside a comment.
    #[error("\"--\" inside a comment")]
    Comment,
    /// A processing instruction without a proper name.
    #[error("a processing instruction without a proper name")]
    Instruction,
    /// A name that is none.
    #[error("\"{0}\" is no name of an element or attribute")]
    Name(String),
    /// An attribute that is not `name="value"`.
    #[error("an attribute that is not name=\"value\"")]
    Attribute,
    /// The same attribute twice.
    #[error("the attribute \"{0}\" stands twice in one element")]
    RepeatedAttribute(String),
    /// `<` in an attribute.
    #[error("\"<\" in the value of an attribute")]
    LessThan,
    /// A prefix that nothing declares.
    #[error("the prefix \"{0}\" is not declared")]
    Prefix(String),
    /// A namespace declaration that the standard forbids.
    #[error("a namespace declaration that is not allowed")]
    Namespace,
    /// A record without a key.
    #[error("a record of \"{0}\" has no key")]
    NoKey(String),
    /// A record with two keys.
    #[error("a record of \"{0}\" has its key twice")]
    TwoKeys(String),
    /// Two records with one key.
    #[error("record \"{record}\": another record of \"{table}\" has the same key; a sealed value would open in both")]
    DoubledKey {
        /// The table.
        table: String,
        /// The key.
        record: String,
    },
    /// A record key that is no text.
    #[error("the key of a record of \"{0}\" is not mere text")]
    KeyNotText(String),
    /// A record key that is sealed.
    #[error("the key of a record of \"{0}\" is sealed")]
    SealedKey(String),
    /// A field that claims to be sealed.
    #[error("the field \"{field}\" of record \"{record}\" is a damaged sealed value: {problem}")]
    Damaged {
        /// The record key.
        record: String,
        /// The field.
        field: String,
        /// The damage.
        problem: MarkerError,
    },
    /// Something else in a record.
    #[error("record \"{record}\": {problem}")]
    InRecord {
        /// The record key.
        record: String,
        /// What is wrong.
        problem: Box<Problem>,
    },
    /// What a field was to become is no well-formed XML.
    #[error("what the field \"{field}\" of record \"{record}\" holds cannot stand there as XML")]
    Unfit {
        /// The record key.
        record: String,
        /// The field.
        field: String,
    },
}

/// Why an XML document could not be read or written.
#[derive(Debug, thiserror::Error)]
pub enum XmlError {
    /// It is not well formed, beyond the limits or without what the selectors expect.
    #[error("{at}: {problem}")]
    Malformed {
        /// Where.
        at: Position,
        /// What.
        problem: Problem,
    },
    /// It cannot be read.
    #[error("the document cannot be read: {0}")]
    Read(io::Error),
    /// The result cannot be written.
    #[error("the result cannot be written: {0}")]
    Write(io::Error),
    /// A key header that would end its own processing instruction, or a character that XML does not have.
    #[error("a data-key header cannot be written as a processing instruction")]
    Header,
}

/// Why a document could not be rewritten.
#[derive(Debug, thiserror::Error)]
pub enum RewriteError<R> {
    /// The document is at fault.
    #[error(transparent)]
    Xml(#[from] XmlError),
    /// The treatment refused a field.
    #[error("{at}: {refusal}")]
    Refused {
        /// Where the field is.
        at: Position,
        /// What the treatment says.
        refusal: R,
    },
}

/// A problem and how many bytes into the text at hand it was found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Fault {
    pub(super) at: usize,
    pub(super) problem: Problem,
}

impl Fault {
    pub(super) fn new(at: usize, problem: Problem) -> Self {
        Self { at, problem }
    }

    /// The same fault in a text in which this one begins at `offset`.
    pub(super) fn shifted(self, offset: usize) -> Self {
        Self { at: self.at + offset, ..self }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_are_the_same_in_whatever_order_they_are_asked_for() {
        let text = "a\nłóżko <b/>\n\nc";
        let positions = Positions::new(text.as_bytes(), Position { line: 3, column: 7 });
        let from_the_start = |at| Position { line: 3, column: 7 }.after(&text.as_bytes()[..at]);
        let places = (0..=text.len()).filter(|at| text.is_char_boundary(*at));
        for at in places.clone().chain(places.rev()).chain([0, 9, 9, 3]) {
            assert_eq!(positions.of(at), from_the_start(at), "{at}");
        }
        assert_eq!(positions.of(1000), from_the_start(text.len()));
    }
}
