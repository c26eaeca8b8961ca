//! XML documents.
//!
//! A [`Document`] is read once, from beginning to end. The reading thread only finds out where tokens and records end, with
//! the parser of quick-xml; other threads walk through the tokens of the records, ask the [`Treatment`] and write the result. Nothing but replaced fields,
//! removed records and the instructions with data keys changes by a byte, in any encoding.
//!
//! Memory is bounded by the [`limits`], not by the document: its longest token and its longest record count. What is not well
//! formed or beyond a limit is an error with its [`Position`]; document types are refused, so there are no entities to expand
//! and nothing is ever fetched.
//!
//! ```
//! use std::convert::Infallible;
//! use tamis_ucrypt::document::xml::{Document, Field, Keys, Namespaces, Path, Rewrite, Selector, Selectors};
//! use tamis_ucrypt::document::{Content, Outcome, Place, Treatment};
//!
//! struct Shout;
//!
//! impl Treatment for Shout {
//!     type Refusal = Infallible;
//!
//!     fn field(&self, place: Place<'_>, content: &Content<'_>) -> Result<Outcome, Infallible> {
//!         Ok(match content {
//!             Content::Text(text) if place.record == "5" => Outcome::Text(text.to_uppercase()),
//!             _ => Outcome::Keep,
//!         })
//!     }
//! }
//!
//! let none = Namespaces::new();
//! let selector = Selector {
//!     table: "patients".into(),
//!     record: Path::absolute("/patients/patient", &none)?,
//!     key: Some(Path::relative("id", &none)?),
//!     fields: vec![Field { name: "Disease".into(), path: Path::relative("disease", &none)? }],
//! };
//! let selectors = Selectors::new("UCRYPT", [selector])?;
//! let input = "<patients><patient><disease>flu</disease><id>5</id></patient></patients>";
//! let mut output = Vec::new();
//! let rewrite = Rewrite { selectors: &selectors, treatment: &Shout, keys: Keys::AsTheyAre, threads: 1 };
//! Document::open(input.as_bytes())?.rewrite(&rewrite, &mut output)?;
//! assert_eq!(output, b"<patients><patient><disease>FLU</disease><id>5</id></patient></patients>");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # What a field holds
//!
//! Text is handed over as a reader of the document gets it, if escaping it again gives the same bytes: `&`, `<`, `>`, carriage
//! returns and characters that the encoding does not have are escaped, in attributes also `"`, tabs and line feeds, and `'`
//! where it is the quote. Anything else is handed over as a fragment of raw XML, so that it comes back as it was: child elements,
//! comments, CDATA, unusual escapes. An element without an end tag, `<a/>`, is the empty fragment; `<a></a>` is the empty text.
//!
//! Sealed values are recognised as an element, as escaped text, in CDATA and in attributes, white space around them aside, in
//! selected fields and everywhere else, as a reader of XML gets them: comments and instructions are nothing, also inside them, and
//! several texts and sections are one text. One that is changed stays in its form; a field that is sealed gets the element, an
//! attribute its escaped form. Fields that occur several times in a record are called `name`, `name[2]`, `name[3]` and so on; sealed
//! values that no selector names by their path, `./a/@b` in a record and `/r/a` outside.

mod commented;
mod cut;
mod declaration;
mod error;
mod events;
mod find;
mod key;
pub mod limits;
mod name;
mod plan;
mod prolog;
mod reading;
mod scope;
mod selector;
mod source;
mod tag;
mod text;
mod token;
mod treat;
mod value;
mod walk;

#[cfg(test)]
mod tests;

use std::io::{Read, Write};
use std::marker::PhantomData;

use super::Treatment;
use super::batch::{Ends, in_order};
use crate::document::{KeyHasher, SeenKey, UniqueKeys};

use commented::commented;
use cut::{Batch, Cutter};
use prolog::Prolog;
use scope::Scope;
use source::Source;
use token::Measured;
use treat::Treater;

pub use error::{Position, Problem, RewriteError, XmlError};
pub use name::ExpandedName;
pub use plan::Selectors;
pub(crate) use reading::{text_of, value_of};
pub use selector::{Field, Namespaces, Path, Selector, SelectorError};
pub use treat::Tally;

/// A document whose beginning was read, up to the root element.
#[derive(Debug)]
pub struct Document<R> {
    source: Source<R>,
    prolog: Prolog,
}

/// What becomes of the instructions with data keys.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Keys<'a> {
    /// They stay.
    AsTheyAre,
    /// These take their place: what stands between `<?ucrypt-key ` and `?>`.
    Are(&'a [String]),
}

/// What is done to a document.
#[derive(Debug)]
pub struct Rewrite<'a, T> {
    /// What is looked at.
    pub selectors: &'a Selectors,
    /// What is done to it.
    pub treatment: &'a T,
    /// What becomes of the data keys.
    pub keys: Keys<'a>,
    /// How many threads treat records, beside the one that reads and writes; with 1 or 0 that one does everything. The result
    /// does not depend on it.
    pub threads: usize,
}

impl<R: Read> Document<R> {
    /// Reads the beginning of a document.
    pub fn open(input: R) -> Result<Self, XmlError> {
        let mut source = Source::open(input)?;
        let prolog = Prolog::read(&mut source)?;
        Ok(Self { source, prolog })
    }

    /// What the instructions with data keys say: what stands between `<?ucrypt-key ` and `?>`.
    pub fn keys(&self) -> &[String] {
        &self.prolog.keys
    }

    /// The name of the root element; nothing if its tag is malformed.
    ///
    /// ```
    /// use tamis_ucrypt::document::xml::Document;
    /// let root = Document::open("<h:a xmlns:h='urn:h'/>".as_bytes())?.root();
    /// assert_eq!(root.map(|name| (name.local, name.namespace)), Some(("a".into(), "urn:h".into())));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn root(&mut self) -> Option<ExpandedName> {
        let (_, length) = self.source.token(0).ok()??;
        let tag = std::str::from_utf8(&self.source.text[..length]).ok()?.strip_prefix('<')?.strip_suffix('>')?;
        let tag = tag.strip_suffix('/').unwrap_or(tag);
        let (mut attributes, mut scope) = (Vec::new(), Scope::default());
        tag::attributes(tag, &mut attributes).ok()?;
        tag::declare(tag, &attributes, &mut scope).ok()?;
        let (prefix, local) = name::parts(&tag[..tag::name_length(tag)]);
        Some(ExpandedName { namespace: scope.resolve(prefix).ok()?.to_owned(), local: local.to_owned() })
    }

    /// Reads the rest and writes all of it anew, in time linear in its length. After an error, what was written is of no use.
    pub fn rewrite<T: Treatment>(
        self,
        rewrite: &Rewrite<'_, T>,
        mut output: impl Write,
    ) -> Result<Tally, RewriteError<T::Refusal>> {
        let Self { source, prolog } = self;
        let charset = source.charset;
        let head = match rewrite.keys {
            Keys::AsTheyAre => prolog.text().to_owned(),
            Keys::Are(keys) => prolog.with_keys(keys, &charset)?,
        };
        output.write_all(source.mark).map_err(XmlError::Write)?;
        output.write_all(&charset.encode_all(head)).map_err(XmlError::Write)?;
        let tell = |part: &str, position, out: Option<&str>| {
            let found = commented(part, position, rewrite.selectors, out);
            found.for_each(|place| rewrite.treatment.stays_readable(place));
        };
        if rewrite.treatment.looks_for_readable() {
            tell(prolog.text(), Position::START, None);
        }
        let cutter = Cutter::new(source, prolog.end, rewrite.selectors, rewrite.treatment.looks_for_readable());
        let unique = UniqueKeys::default();
        let mut stream = Stream { cutter, output, unique, tally: Tally::default(), refusal: PhantomData };
        let hasher = KeyHasher::default();
        in_order(&mut stream, rewrite.threads, || {
            let mut treater = Treater::new(rewrite.selectors, rewrite.treatment, &charset, hasher.clone());
            let charset = &charset;
            move |mut batch: Batch| {
                batch.out.clear();
                let mut out = String::from_utf8(std::mem::take(&mut batch.out)).unwrap_or_default();
                let (tally, seen) = treater.treat(&batch, &mut out)?;
                if rewrite.treatment.looks_for_readable() {
                    tell(&String::from_utf8_lossy(&batch.text), batch.position, Some(&out));
                }
                let Batch { text, tokens, position, .. } = batch;
                Ok(Treated { text, tokens, position, out: charset.encode_all(out), tally, seen })
            }
        })?;
        stream.output.flush().map_err(XmlError::Write)?;
        stream.tally.compared = stream.unique.compared();
        Ok(stream.tally)
    }
}

/// A batch that was treated.
struct Treated {
    text: Vec<u8>,
    tokens: Vec<Measured>,
    position: Position,
    out: Vec<u8>,
    tally: Tally,
    seen: Vec<SeenKey>,
}

/// The document on both sides of the treatment. Knows what a treatment may refuse only to share its error.
struct Stream<'p, R, W, E> {
    cutter: Cutter<'p, R>,
    output: W,
    unique: UniqueKeys,
    tally: Tally,
    refusal: PhantomData<E>,
}

impl<R: Read, W: Write, E: Send> Ends for Stream<'_, R, W, E> {
    type Item = Batch;
    type Product = Treated;
    type Error = RewriteError<E>;

    fn next(&mut self) -> Result<Option<Batch>, RewriteError<E>> {
        Ok(self.cutter.next()?)
    }

    fn weight(batch: &Batch) -> usize {
        batch.text.len()
    }

    fn longest(batch: &Batch) -> usize {
        batch.longest().len()
    }

    fn too_heavy(batch: &Batch) -> RewriteError<E> {
        let longest = batch.longest();
        let problem = Problem::NoMemory { bytes: longest.len() };
        XmlError::Malformed { at: batch.position.after(&batch.text[..longest.start]), problem }.into()
    }

    fn take(&mut self, treated: Treated) -> Result<(), RewriteError<E>> {
        if let Some(key) = treated.seen.iter().find(|key| !self.unique.insert(key.hash)) {
            let at = treated.position.after(&treated.text[..key.at as usize]);
            let table = self.cutter.plan.selector(key.group).table.clone();
            let problem = Problem::DoubledKey { table, record: key::shown_key(key.key.of(&treated.text)) };
            return Err(XmlError::Malformed { at, problem }.into());
        }
        self.output.write_all(&treated.out).map_err(XmlError::Write)?;
        self.tally.add(treated.tally);
        self.cutter.recycle(treated.text, treated.out, treated.tokens);
        Ok(())
    }
}
