//! Reading a document as UTF-8, as much of it at a time as is needed.

use std::io::{self, Read};

use super::declaration;
use super::error::{Fault, Position, Problem, XmlError};
use super::limits::LONGEST_TOKEN;
use super::token::{self, Token};
use crate::document::charset::{Charset, UnknownCharset};
use crate::document::room;
use crate::shown::plain;

/// How many bytes are read at once.
const CHUNK: usize = 256 << 10;

/// An XML declaration is within this many bytes.
const LONGEST_DECLARATION: usize = 1024;

/// Start tags from this length on are worth remembering.
const LONG_TAG: usize = 48;

/// What keeps a document from being read.
#[derive(Debug)]
pub(super) enum Trouble {
    Fault(Fault),
    Read(io::Error),
}

impl Trouble {
    pub(super) fn new(at: usize, problem: Problem) -> Self {
        Self::Fault(Fault::new(at, problem))
    }

    /// The error, in a text that begins at this position.
    pub(super) fn located(self, start: Position, text: &[u8]) -> XmlError {
        match self {
            Self::Fault(Fault { at, problem }) => {
                XmlError::Malformed { at: start.after(&text[..at.min(text.len())]), problem }
            }
            Self::Read(error) => XmlError::Read(error),
        }
    }
}

impl From<Fault> for Trouble {
    fn from(fault: Fault) -> Self {
        Self::Fault(fault)
    }
}

/// A document that is being read.
#[derive(Debug)]
pub(super) struct Source<R> {
    input: R,
    pub(super) charset: Charset,
    /// The byte order mark.
    pub(super) mark: &'static [u8],
    raw: Vec<u8>,
    /// What was read and not given away yet. All places are bytes of it.
    pub(super) text: Vec<u8>,
    is_ended: bool,
    /// The last long start tag. The tags of sealed values mostly are the same, and comparing is faster than looking for quotes.
    tag: Vec<u8>,
}

impl<R: Read> Source<R> {
    /// Reads the beginning and finds the encoding out.
    pub(super) fn open(input: R) -> Result<Self, XmlError> {
        let mut source = Self {
            input,
            charset: Charset::UTF_8,
            mark: b"",
            raw: Vec::new(),
            text: Vec::new(),
            is_ended: false,
            tag: Vec::new(),
        };
        match source.begin() {
            Ok(()) => Ok(source),
            Err(trouble) => Err(trouble.located(Position::START, &source.text)),
        }
    }

    fn begin(&mut self) -> Result<(), Trouble> {
        self.fill(CHUNK, 0)?;
        let head = self.text.as_slice();
        let (found, mark): (_, &'static [u8]) = match head {
            [0xEF, 0xBB, 0xBF, ..] => (Some(Charset::UTF_8), b"\xEF\xBB\xBF"),
            [0, 0, 0xFE, 0xFF, ..] | [0xFF, 0xFE, 0, 0, ..] | [0, 0, 0, b'<', ..] | [b'<', 0, 0, 0, ..] => {
                return Err(Trouble::new(0, UnknownCharset("UTF-32".into()).into()));
            }
            [0x4C, 0x6F, 0xA7, 0x94, ..] => {
                return Err(Trouble::new(0, UnknownCharset("EBCDIC".into()).into()));
            }
            [0xFE, 0xFF, ..] => (Some(Charset::UTF_16_BE), b"\xFE\xFF"),
            [0xFF, 0xFE, ..] => (Some(Charset::UTF_16_LE), b"\xFF\xFE"),
            [0, b'<', ..] => (Some(Charset::UTF_16_BE), b""),
            [b'<', 0, ..] => (Some(Charset::UTF_16_LE), b""),
            _ => (None, b""),
        };
        self.text.drain(..mark.len());
        self.mark = mark;
        let wide = found.filter(|found| *found != Charset::UTF_8);
        if let Some(wide) = wide {
            self.recode(wide)?;
        }
        let start = &self.text[..self.text.len().min(LONGEST_DECLARATION)];
        let Some(declared) = declaration::encoding(start).map_err(|problem| Trouble::new(0, problem))? else {
            return Ok(());
        };
        let fits = match found {
            Some(Charset::UTF_8) => declared.eq_ignore_ascii_case("utf-8"),
            Some(_) => declared.to_ascii_lowercase().starts_with("utf-16"),
            None => true,
        };
        if !fits {
            let found = if wide.is_some() { "UTF-16" } else { "UTF-8" };
            return Err(Trouble::new(0, Problem::OtherEncoding { declared: plain(&declared), found }));
        }
        if found.is_none() {
            if declared.to_ascii_lowercase().starts_with("utf-16") {
                let found = "an encoding of single bytes";
                return Err(Trouble::new(0, Problem::OtherEncoding { declared: plain(&declared), found }));
            }
            let charset = Charset::named(&declared).map_err(|unknown| Trouble::new(0, unknown.into()))?;
            self.recode(charset)?;
        }
        Ok(())
    }

    /// Takes all that was read for text of this encoding.
    fn recode(&mut self, charset: Charset) -> Result<(), Trouble> {
        self.charset = charset;
        if charset != Charset::UTF_8 {
            self.raw = std::mem::take(&mut self.text);
            self.decode()?;
        }
        Ok(())
    }

    fn decode(&mut self) -> Result<(), Trouble> {
        if self.charset.decode_more(&mut self.raw, self.is_ended, &mut self.text) {
            Ok(())
        } else {
            Err(Trouble::new(self.text.len(), Problem::NotEncoded(self.charset.name())))
        }
    }

    /// Reads at least so many bytes, if there are, since what is at this place needs them.
    fn fill(&mut self, bytes: usize, at: usize) -> Result<(), Trouble> {
        let is_utf8 = self.charset == Charset::UTF_8;
        let into = if is_utf8 { &mut self.text } else { &mut self.raw };
        // The few bytes more keep the standard library from doubling the buffer when it looks for the end.
        if room::reserve(into, bytes + 64).is_err() {
            return Err(Trouble::new(at, Problem::NoMemory { bytes: self.text.len() - at }));
        }
        let read = self.input.by_ref().take(bytes as u64).read_to_end(into).map_err(Trouble::Read)?;
        self.is_ended = read < bytes;
        if is_utf8 { Ok(()) } else { self.decode() }
    }

    /// The token at this place and its length; nothing at the end of the document.
    pub(super) fn token(&mut self, at: usize) -> Result<Option<(Token, usize)>, Trouble> {
        loop {
            let rest = &self.text[at..];
            if !self.tag.is_empty() && rest.get(1) == self.tag.get(1) && rest.starts_with(&self.tag) {
                return Ok(Some((Token::Start, self.tag.len())));
            }
            match token::next(rest, self.is_ended).map_err(|problem| Trouble::new(at, problem))? {
                Some((_, length)) if length > LONGEST_TOKEN => return Err(Trouble::new(at, Problem::LongToken)),
                Some((token, length)) => {
                    if token == Token::Start && (LONG_TAG..LONGEST_DECLARATION).contains(&length) {
                        self.tag.clear();
                        self.tag.extend_from_slice(&rest[..length]);
                    }
                    return Ok(Some((token, length)));
                }
                None if self.is_ended => return Ok(None),
                None if rest.len() > LONGEST_TOKEN => return Err(Trouble::new(at, Problem::LongToken)),
                // What is there is looked at again: twice as much each time keeps that cheap.
                None => {
                    let more = rest.len().clamp(CHUNK, (LONGEST_TOKEN + CHUNK).saturating_sub(rest.len()).max(CHUNK));
                    self.fill(more, at)?;
                }
            }
        }
    }

    /// Gives away the text up to this place. The spare buffer takes the rest.
    pub(super) fn give(&mut self, to: usize, mut spare: Vec<u8>) -> Vec<u8> {
        if spare.capacity() == 0 && 2 * to < self.text.len() {
            // Without a spare buffer, the shorter part is the one to make room for.
            return self.text.drain(..to).collect();
        }
        spare.clear();
        spare.extend_from_slice(&self.text[to..]);
        let mut given = std::mem::replace(&mut self.text, spare);
        given.truncate(to);
        given
    }
}
