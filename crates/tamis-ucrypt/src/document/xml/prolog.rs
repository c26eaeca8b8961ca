//! What stands before the root element, where the data keys of a document are.

use std::io::Read;
use std::ops::Range;

use super::declaration;
use super::error::{Fault, Position, Problem, XmlError};
use super::events;
use super::limits::LONGEST_TOKEN;
use super::source::{Source, Trouble};
use super::text::{characters, trim};
use super::token::Token;
use crate::document::charset::Charset;
use crate::shown::plain;
use crate::xml_text::is_character;

/// The name of the processing instructions that hold data keys.
pub(super) const TARGET: &str = "ucrypt-key";

/// What is before the root element.
#[derive(Debug)]
pub(super) struct Prolog {
    text: String,
    /// Where the data keys are, with the line feed behind each.
    instructions: Vec<Range<usize>>,
    /// What the instructions say.
    pub(super) keys: Vec<String>,
    /// Where the root begins.
    pub(super) end: Position,
}

impl Prolog {
    /// Reads up to the root element.
    pub(super) fn read<R: Read>(source: &mut Source<R>) -> Result<Self, XmlError> {
        let mut prolog = Self { text: String::new(), instructions: Vec::new(), keys: Vec::new(), end: Position::START };
        let read = prolog.tokens(source);
        let at = read.map_err(|trouble| trouble.located(Position::START, &source.text))?;
        let given = source.give(at, Vec::new());
        prolog.end = Position::START.after(&given);
        // Every token of it was found to be text.
        prolog.text = String::from_utf8_lossy(&given).into_owned();
        Ok(prolog)
    }

    fn tokens<R: Read>(&mut self, source: &mut Source<R>) -> Result<usize, Trouble> {
        let mut at = 0;
        while let Some((token, length)) = source.token(at)? {
            let bytes = &source.text[at..at + length];
            let text = characters(bytes).map_err(|fault| fault.shifted(at))?;
            match token {
                Token::Start | Token::Empty => return Ok(at),
                Token::Text if trim(text).is_empty() => {}
                Token::Text | Token::CData => return Err(Trouble::new(at, Problem::OutsideRoot)),
                Token::End => return Err(Trouble::new(at, Problem::UnmatchedEnd(plain(&text[2..length - 1])))),
                Token::Comment => events::comment(text).map_err(|problem| Fault::new(at, problem))?,
                Token::Instruction if at == 0 && declaration::is_declaration(bytes) => {}
                Token::Instruction => {
                    events::instruction(text).map_err(|problem| Fault::new(at, problem))?;
                    self.note(text, at);
                }
            }
            at += length;
            if at > LONGEST_TOKEN {
                return Err(Trouble::new(at, Problem::LongProlog));
            }
        }
        Err(Trouble::new(at, Problem::NoRoot))
    }

    fn note(&mut self, instruction: &str, at: usize) {
        let inner = instruction.strip_prefix("<?").and_then(|inner| inner.strip_suffix("?>")).unwrap_or_default();
        let Some(key) = inner.strip_prefix(TARGET) else { return };
        if key.is_empty() || key.starts_with([' ', '\t', '\n', '\r']) {
            self.keys.push(trim(key).to_owned());
            self.instructions.push(at..at + instruction.len());
        }
    }

    /// The prolog with other data keys: those that were there go, the new ones stand before the root element, a line each.
    /// Taking them away again gives the same bytes as before.
    pub(super) fn with_keys(&self, keys: &[String], charset: &Charset) -> Result<String, XmlError> {
        let mut text = String::with_capacity(self.text.len());
        let mut copied = 0;
        for instruction in &self.instructions {
            text.push_str(&self.text[copied..instruction.start]);
            let feed = self.text[instruction.end..].starts_with('\n');
            copied = instruction.end + usize::from(feed);
        }
        text.push_str(&self.text[copied..]);
        for key in keys {
            let fits = |character| is_character(character) && charset.has(character);
            if key.contains("?>") || !key.chars().all(fits) {
                return Err(XmlError::Header);
            }
            text.push_str("<?");
            text.push_str(TARGET);
            text.push(' ');
            text.push_str(key);
            text.push_str("?>\n");
        }
        Ok(text)
    }

    /// The prolog as it is.
    pub(super) fn text(&self) -> &str {
        &self.text
    }
}
