//! Walking through whole pieces of a document, token by token: those that were found when the document was cut, or else those
//! that quick-xml reads.
//!
//! quick-xml says what each token is. It lets pass what the walk checks itself: names, references, prefixes, repeated attributes,
//! end tags that do not match.

use quick_xml::errors::{Error, IllFormedError};
use quick_xml::events::Event;

use super::error::{Fault, Problem};
use super::text::{check_reference, check_references, is_space, section_end};
use super::token::{Measured, Token};
use super::walk::{Surroundings, Walker};
use crate::shown::plain;
use crate::xml_text::is_simple_name;

impl Walker<'_> {
    /// Walks through one whole element.
    pub(super) fn element(&mut self, text: &str, surroundings: &Surroundings) -> Result<(), Fault> {
        self.enter(surroundings);
        let end = self.events(text, true)?;
        if end == text.len() { Ok(()) } else { Err(Fault::new(end, Problem::OutsideRoot)) }
    }

    /// Walks through one whole element whose tokens are known: the same walk in less time.
    pub(super) fn tokens(&mut self, text: &str, tokens: &[Measured], surroundings: &Surroundings) -> Result<(), Fault> {
        self.enter(surroundings);
        let has_section_ends = section_end(text.as_bytes()).is_some();
        let mut end = 0;
        // Up to where a sealed value was taken at once.
        let mut taken = 0;
        for (token, length) in tokens {
            let at = end;
            end += *length as usize;
            if at < taken {
                continue;
            }
            let fault = |problem| Fault::new(at, problem);
            match token {
                Token::Start => {
                    self.start(text, at, end, false)?;
                    if !has_section_ends && let Some(later) = self.another_marker(text, end) {
                        taken = later;
                    }
                }
                Token::Empty => self.start(text, at, end, true)?,
                Token::End => self.end(text, at, end)?,
                Token::Text => {
                    let text = &text[at..end];
                    // What comes first is told first.
                    let section_end = if has_section_ends { section_end(text.as_bytes()) } else { None };
                    check_references(&text[..section_end.unwrap_or(text.len())]).map_err(|fault| fault.shifted(at))?;
                    if let Some(found) = section_end {
                        return Err(Fault::new(at + found, Problem::CDataEnd));
                    }
                }
                Token::Comment => comment(&text[at..end]).map_err(fault)?,
                Token::Instruction => instruction(&text[at..end]).map_err(fault)?,
                Token::CData => {}
            }
        }
        Ok(())
    }

    /// Walks through what is to stand inside an element.
    pub(super) fn fragment(&mut self, text: &str, surroundings: &Surroundings) -> Result<(), Fault> {
        self.enter(surroundings);
        self.events(text, false).map(|_| ())
    }

    /// Walks to the end of the first element, or of the text; returns where that is.
    fn events(&mut self, text: &str, one_element: bool) -> Result<usize, Fault> {
        let bytes = text.as_bytes();
        // One search over all of the text is cheaper than one in each of its parts.
        let has_section_ends = section_end(bytes).is_some();
        let mut reader = quick_xml::Reader::from_str(text);
        let config = reader.config_mut();
        config.check_comments = true;
        config.check_end_names = false;
        config.allow_unmatched_ends = true;
        // The reader drops a byte order mark and does not count it; inside a document it is a character like any other.
        let mut skipped = if text.starts_with('\u{FEFF}') { '\u{FEFF}'.len_utf8() } else { 0 };
        let mut at = skipped;
        loop {
            let event = reader.read_event();
            let end = skipped + reader.buffer_position() as usize;
            match event {
                Ok(Event::Start(_)) => {
                    self.start(text, at, end, false)?;
                    // Behind a tag the reader expects anything, so that it may go on somewhat later.
                    if !has_section_ends && let Some(later) = self.another_marker(text, end) {
                        *reader.get_mut() = &bytes[later..];
                        skipped += later - end;
                        at = later;
                        continue;
                    }
                }
                Ok(Event::Empty(_)) => self.start(text, at, end, true)?,
                Ok(Event::End(_)) => self.end(text, at, end)?,
                Ok(Event::Text(_)) => {
                    if has_section_ends && let Some(found) = section_end(&bytes[at..end]) {
                        return Err(Fault::new(at + found, Problem::CDataEnd));
                    }
                }
                Ok(Event::GeneralRef(_)) => {
                    check_reference(&text[at + 1..end - 1]).map_err(|problem| Fault::new(at, problem))?;
                }
                Ok(Event::PI(_)) => instruction(&text[at..end]).map_err(|problem| Fault::new(at, problem))?,
                Ok(Event::CData(_) | Event::Comment(_)) => {}
                Ok(Event::Decl(_)) => return Err(Fault::new(at, Problem::Declaration)),
                Ok(Event::DocType(_)) => return Err(Fault::new(at, Problem::DocumentType)),
                Ok(Event::Eof) if self.is_outside() => return Ok(end),
                Ok(Event::Eof) => return Err(Fault::new(end, Problem::Unclosed(plain(self.innermost())))),
                Err(error) => return Err(Fault::new(at, problem_of(&error))),
            }
            if one_element && self.is_outside() {
                return Ok(end);
            }
            at = end;
        }
    }
}

fn problem_of(error: &Error) -> Problem {
    match error {
        Error::IllFormed(IllFormedError::DoubleHyphenInComment) => Problem::Comment,
        Error::IllFormed(IllFormedError::UnclosedReference) => Problem::Reference,
        Error::Syntax(_) => Problem::CutOff,
        _ => Problem::Markup,
    }
}

/// Checks a processing instruction; the XML declaration is none.
pub(super) fn instruction(token: &str) -> Result<(), Problem> {
    let inner = token.strip_prefix("<?").and_then(|token| token.strip_suffix("?>")).unwrap_or_default();
    let target = &inner[..inner.bytes().position(is_space).unwrap_or(inner.len())];
    if target == "xml" {
        Err(Problem::Declaration)
    } else if is_simple_name(target) && !target.eq_ignore_ascii_case("xml") {
        Ok(())
    } else {
        Err(Problem::Instruction)
    }
}

/// Checks a comment.
pub(super) fn comment(token: &str) -> Result<(), Problem> {
    let inner = token.strip_prefix("<!--").and_then(|token| token.strip_suffix("-->")).unwrap_or_default();
    if inner.contains("--") || inner.ends_with('-') { Err(Problem::Comment) } else { Ok(()) }
}
