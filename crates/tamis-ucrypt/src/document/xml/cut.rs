//! Cutting a document into batches of whole records and of what is between them.

use std::io::Read;
use std::ops::Range;
use std::sync::Arc;

use super::error::{Fault, Position, Problem, XmlError};
use super::events;
use super::find::Find;
use super::limits::{DEEPEST, LONGEST_RECORD};
use super::plan::Selectors;
use super::source::{Source, Trouble};
use super::text::{characters, check_references, section_end, trim};
use super::token::{Measured, Token};
use super::walk::{Surroundings, Walker};
use crate::shown::plain;

/// A batch is handed on at the first good place behind this many bytes, and behind [`FULL`] at any place that is in no field.
const ENOUGH: usize = 128 << 10;

const FULL: usize = 1 << 20;

/// Buffers up to this size are used again.
const SPARE: usize = 1 << 20;

/// Records with more tokens are read once more by those who treat them: a list of theirs could take more memory than the record.
const MOST_TOKENS: usize = 1 << 15;

/// Part of a document.
#[derive(Debug)]
pub(super) struct Batch {
    pub(super) text: Vec<u8>,
    /// The tokens of its records.
    pub(super) tokens: Vec<Measured>,
    /// Where it begins.
    pub(super) position: Position,
    pub(super) pieces: Vec<Piece>,
    /// An empty buffer.
    pub(super) out: Vec<u8>,
}

/// Part of a batch.
#[derive(Debug)]
pub(super) enum Piece {
    /// What is between records, already checked, and what may be sealed values in it.
    Between { range: Range<usize>, finds: Vec<Find> },
    /// A whole record, and which tokens of the batch are its own; none if it has too many.
    Record { range: Range<usize>, tokens: Range<usize>, surroundings: Arc<Surroundings> },
}

impl Piece {
    /// The longest part of it that is treated at once: a record, or what is around a sealed value.
    fn treated(&self) -> Range<usize> {
        match self {
            Self::Record { range, .. } => range.clone(),
            Self::Between { range, finds } => {
                let spans = finds.iter().map(|find| range.start + find.span.start()..range.start + find.span.end());
                spans.max_by_key(ExactSizeIterator::len).unwrap_or_default()
            }
        }
    }
}

impl Batch {
    /// The longest part of it that is treated at once.
    pub(super) fn longest(&self) -> Range<usize> {
        self.pieces.iter().map(Piece::treated).max_by_key(ExactSizeIterator::len).unwrap_or_default()
    }
}

/// Cuts a document, from its root element on.
#[derive(Debug)]
pub(super) struct Cutter<'p, R> {
    source: Source<R>,
    pub(super) plan: &'p Selectors,
    /// Where the text of the source begins.
    position: Position,
    /// Up to where it is cut.
    at: usize,
    pieces: Vec<Piece>,
    /// The tokens of the records among the pieces.
    tokens: Vec<Measured>,
    /// Walks through what is between records.
    walker: Walker<'p>,
    /// What was walked through since the last record.
    between: String,
    /// What surrounds the next record, unless that has changed.
    surroundings: Option<Arc<Surroundings>>,
    is_root_over: bool,
    /// Whether a batch may end here: a leaf element is never torn apart, nor white space from the record behind it.
    is_good_place: bool,
    /// Where a batch might have ended last.
    good_place: usize,
    failed: Option<XmlError>,
    texts: Vec<Vec<u8>>,
    outs: Vec<Vec<u8>>,
    lists: Vec<Vec<Measured>>,
}

impl<'p, R: Read> Cutter<'p, R> {
    /// Cuts a source. `looks_for_namesakes` says whether records are noted that a person would take for one.
    pub(super) fn new(source: Source<R>, position: Position, plan: &'p Selectors, looks_for_namesakes: bool) -> Self {
        Self {
            source,
            plan,
            position,
            at: 0,
            pieces: Vec::new(),
            tokens: Vec::new(),
            walker: Walker::new(plan).looking_for_namesakes(looks_for_namesakes),
            between: String::new(),
            surroundings: None,
            is_root_over: false,
            is_good_place: true,
            good_place: 0,
            failed: None,
            texts: Vec::new(),
            outs: Vec::new(),
            lists: Vec::new(),
        }
    }

    /// The next batch. What is before an error is handed on before the error is.
    pub(super) fn next(&mut self) -> Result<Option<Batch>, XmlError> {
        if let Some(error) = self.failed.take() {
            return Err(error);
        }
        while !self.is_full() {
            match self.step() {
                Ok(true) => {}
                Ok(false) => break,
                Err(trouble) => {
                    let error = trouble.located(self.position, &self.source.text);
                    if self.at == 0 {
                        return Err(error);
                    }
                    self.failed = Some(error);
                    // Nobody reads on, and there may be no memory to keep what is behind.
                    self.source.text.truncate(self.at);
                    break;
                }
            }
        }
        Ok((self.at > 0).then(|| self.hand_on()))
    }

    fn is_full(&self) -> bool {
        let enough = if self.is_good_place { ENOUGH } else { FULL };
        self.at >= enough && (self.is_good_place || self.walker.is_between())
    }

    /// Takes the buffers of a batch back.
    pub(super) fn recycle(&mut self, text: Vec<u8>, out: Vec<u8>, mut tokens: Vec<Measured>) {
        if tokens.capacity() * size_of::<Measured>() <= SPARE {
            tokens.clear();
            self.lists.push(tokens);
        }
        if text.capacity() <= SPARE {
            self.texts.push(text);
        }
        if out.capacity() <= 2 * SPARE {
            self.outs.push(out);
        }
    }

    fn hand_on(&mut self) -> Batch {
        self.end_between();
        let text = self.source.give(self.at, self.texts.pop().unwrap_or_default());
        self.at = 0;
        self.good_place = 0;
        let position = self.position;
        self.position = position.after(&text);
        let tokens = std::mem::replace(&mut self.tokens, self.lists.pop().unwrap_or_default());
        let pieces = std::mem::take(&mut self.pieces);
        Batch { text, tokens, position, pieces, out: self.outs.pop().unwrap_or_default() }
    }

    fn end_between(&mut self) {
        if !self.between.is_empty() {
            let finds = self.walker.turn_over();
            self.pieces.push(Piece::Between { range: self.at - self.between.len()..self.at, finds });
            self.between.clear();
        }
    }

    /// Takes one token or one record; false at the end of the document.
    fn step(&mut self) -> Result<bool, Trouble> {
        let at = self.at;
        if self.is_good_place || self.walker.is_between() {
            self.good_place = at;
        } else if at - self.good_place > LONGEST_RECORD {
            return Err(Trouble::new(self.good_place, Problem::LongRecord));
        }
        let Some((token, length)) = self.source.token(at)? else {
            return if self.is_root_over {
                Ok(false)
            } else {
                Err(Trouble::new(at, Problem::Unclosed(plain(self.walker.innermost()))))
            };
        };
        let text = characters(&self.source.text[at..at + length]).map_err(|fault| fault.shifted(at))?;
        let is_outside = self.walker.is_outside();
        let fault = |problem| Fault::new(at, problem);
        self.is_good_place = !matches!(token, Token::Text | Token::CData | Token::Start);
        match token {
            Token::Start | Token::Empty => {
                let tag = &text[1..length - if token == Token::Empty { 2 } else { 1 }];
                if self.is_root_over {
                    return Err(fault(Problem::SecondRoot(plain(tag))).into());
                }
                if self.walker.begins_record(tag).map_err(|fault| fault.shifted(at + 1))? {
                    self.record(token, length)?;
                    self.is_good_place = true;
                    self.is_root_over |= is_outside;
                    return Ok(true);
                }
            }
            Token::Text if is_outside && trim(text).is_empty() => {}
            Token::Text | Token::CData if is_outside => {
                let space = text.len() - text.trim_ascii_start().len();
                return Err(fault(Problem::OutsideRoot).shifted(space).into());
            }
            Token::Text => {
                check_references(text).map_err(|fault| fault.shifted(at))?;
                if let Some(end) = section_end(text.as_bytes()) {
                    return Err(fault(Problem::CDataEnd).shifted(end).into());
                }
            }
            Token::Comment => events::comment(text).map_err(fault)?,
            Token::Instruction => events::instruction(text).map_err(fault)?,
            Token::End | Token::CData => {}
        }
        let start = self.between.len();
        self.between.push_str(text);
        let end = self.between.len();
        let walked = match token {
            Token::Start => self.walker.start(&self.between, start, end, false),
            Token::Empty => self.walker.start(&self.between, start, end, true),
            Token::End => self.walker.end(&self.between, start, end),
            _ => Ok(()),
        };
        self.is_good_place &= self.walker.is_between();
        if let Err(fault) = walked {
            self.between.truncate(start);
            return Err(Trouble::new(at + fault.at - start, fault.problem));
        }
        if matches!(token, Token::Start | Token::End | Token::Empty) {
            self.surroundings = None;
            self.is_root_over |= self.walker.is_outside();
        }
        self.at += length;
        Ok(true)
    }

    /// Takes a whole record, whose start tag has this length.
    fn record(&mut self, token: Token, length: usize) -> Result<(), Trouble> {
        let start = self.at;
        let surroundings = match &self.surroundings {
            Some(known) => Arc::clone(known),
            None => Arc::new(self.walker.surroundings()),
        };
        let mut end = start + length;
        let mut depth = usize::from(token == Token::Start);
        let first = self.tokens.len();
        self.tokens.push((token, length as u32));
        while depth > 0 {
            let (token, length) = match self.source.token(end) {
                Ok(Some(token)) => token,
                Ok(None) => {
                    let fault = Fault::new(self.source.text.len(), Problem::Unclosed(String::new()));
                    return Err(self.blamed(start, &surroundings, fault));
                }
                Err(Trouble::Fault(fault)) => return Err(self.blamed(start, &surroundings, fault)),
                Err(trouble) => return Err(trouble),
            };
            // No token is longer than the limit, which is far below four gigabytes.
            if self.tokens.len() - first <= MOST_TOKENS {
                self.tokens.push((token, length as u32));
            }
            match token {
                Token::Start => depth += 1,
                Token::End => depth -= 1,
                _ => {}
            }
            // One more, in case it is the element of a sealed value.
            if surroundings.depth + depth > DEEPEST + 1 {
                return Err(self.blamed(start, &surroundings, Fault::new(end, Problem::Deep)));
            }
            end += length;
            if end - start > LONGEST_RECORD {
                return Err(Trouble::new(start, Problem::LongRecord));
            }
        }
        // A sealed value before it has its place in the text that ends here.
        self.walker.begin_child().map_err(|fault| Trouble::new(start, fault.problem))?;
        self.end_between();
        self.surroundings = Some(Arc::clone(&surroundings));
        if self.tokens.len() - first > MOST_TOKENS {
            self.tokens.truncate(first);
        }
        self.pieces.push(Piece::Record { range: start..end, tokens: first..self.tokens.len(), surroundings });
        self.at = end;
        Ok(())
    }

    /// What is wrong with a record that does not come to its end: mostly something before, such as an end tag that does not match.
    fn blamed(&self, start: usize, surroundings: &Surroundings, fault: Fault) -> Trouble {
        // With the name of the tag that begins there.
        let end = (fault.at + self.plan.element().len() + 2).min(self.source.text.len());
        let before = self.source.text.get(start..end).unwrap_or_default();
        let Ok(text) = characters(before) else { return fault.into() };
        let mut walker = Walker::new(self.plan);
        let before = walker.element(text, surroundings).err();
        // That the text ends here is no fault, unless the document does.
        let is_end = |problem: &Problem| matches!(problem, Problem::Unclosed(_) | Problem::CutOff);
        let found = match before {
            Some(before) if !is_end(&before.problem) || matches!(fault.problem, Problem::Unclosed(_)) => before,
            _ => Fault::new(fault.at - start, fault.problem),
        };
        walker.blamed(text, found).shifted(start).into()
    }
}
