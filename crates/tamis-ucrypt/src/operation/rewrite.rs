//! Rewriting a document of any kind.

use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::Path;

use super::fields::Needed;
use super::headers::{Found, read_sidecar, read_sound_sidecar, sidecar, sql_options};
use super::of_file::{OfFile as _, of_output};
use super::place::{Draft, Readers, target};
use super::steps::Steps;
use super::still_named::still_named;
use super::{Form, Kind, OperationError, Progress, selectors};
use crate::cell::CellError;
use crate::directory_of;
use crate::document::Compared;
use crate::document::header::{KeyHeader, KeyHeaders};
use crate::document::rows::{Columns, Keys, RowsError, Summary};
use crate::document::{Treatment, csv, sql, sqlite, xml};
use crate::policy::Policy;

/// What was found in a document and what was done to it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Counts {
    /// Records read.
    pub records: u64,
    /// Records left out.
    pub dropped: u64,
    /// Values that were sealed when they were read, and not damaged.
    pub sealed: u64,
    /// Values that were changed.
    pub changed: u64,
    /// Chosen fields that hold a cell of another tool, and so were not sealed.
    pub foreign: u64,
    /// Sealed values that were cut off or edited, where that is counted and not refused.
    pub damaged: u64,
    /// Tables of the policy that a dump or database does not have.
    pub absent: Vec<String>,
    /// How far the keys of records were compared, if they were to be unique.
    pub compared: Compared,
}

impl From<Summary> for Counts {
    fn from(summary: Summary) -> Self {
        let Summary { records, dropped, sealed, damaged, changed, absent, compared, .. } = summary;
        Self { records, dropped, sealed, changed, damaged, absent, compared, ..Self::default() }
    }
}

impl From<xml::Tally> for Counts {
    fn from(tally: xml::Tally) -> Self {
        let xml::Tally { records, removed, sealed, damaged, changed, compared } = tally;
        Self { records, dropped: removed, sealed, changed, damaged, compared, ..Self::default() }
    }
}

/// What is looked at in a document.
#[derive(Clone, Copy)]
pub(super) enum Fields<'a> {
    /// What a policy names, and every sealed value.
    Of(&'a Policy),
    /// The records at this path of an XML document, and every sealed value of this element.
    Records(&'a xml::Selectors),
    /// Every sealed value of this element.
    Sealed(&'a str),
}

impl Fields<'_> {
    fn element(&self) -> &str {
        match self {
            Self::Of(policy) => &policy.element,
            Self::Records(selectors) => selectors.element(),
            Self::Sealed(element) => element,
        }
    }
}

/// One rewriting.
pub(super) struct Rewrite<'a, T> {
    pub(super) form: &'a Form,
    pub(super) fields: Fields<'a>,
    /// What becomes of the headers of data keys: those that were there stay if nobody says otherwise.
    pub(super) headers: Option<&'a Found>,
    /// Data keys that the document has no more, and so should not name.
    pub(super) gone: &'a [String],
    /// The fields whose columns a table must have.
    pub(super) needed: Needed<'a>,
    /// Whether two records with one key are refused.
    pub(super) unique: bool,
    pub(super) treatment: &'a T,
}

/// A document that is finished but does not have its name yet.
pub(super) struct Staged {
    pub(super) counts: Counts,
    pub(super) steps: Steps,
    /// Data keys that are gone and that it names all the same.
    pub(super) named: Vec<String>,
}

impl<'a, T> Rewrite<'a, T> {
    /// One that leaves headers as they are and lets records share a key.
    pub(super) fn new(form: &'a Form, fields: Fields<'a>, treatment: &'a T) -> Self {
        Self { form, fields, headers: None, gone: &[], needed: Needed::None, unique: false, treatment }
    }
}

impl<T: Treatment<Refusal = CellError>> Rewrite<'_, T> {
    /// Writes the document anew, beside its place.
    pub(super) fn stage(&self, input: &Path, output: &Path, readers: Readers) -> Result<Staged, OperationError> {
        let place = target(output);
        let file = Draft::beside(&place, readers)?;
        let counts = if self.form.kind == Kind::Sqlite {
            refuse_in_use(&place)?;
            self.database(input, file.file(), directory_of(&place)).map_err(|error| of_output(error, output))?
        } else {
            let mut writer = BufWriter::with_capacity(1 << 16, file.file());
            let counts = self.stream(input, &mut writer).map_err(|error| of_output(error, output))?;
            writer.flush().of(output)?;
            counts
        };
        let named = still_named(file.file(), self.gone).of(output)?;
        file.file().sync_all().of(output)?;
        Ok(Staged { counts, steps: self.steps(file, output)?, named })
    }

    /// What puts an unchanged copy of a document, with the headers of this rewriting, in another place. Databases are rewritten for that.
    pub(super) fn copy(&self, input: &Path, output: &Path, readers: Readers) -> Result<Steps, OperationError> {
        if self.form.kind == Kind::Sqlite {
            return Ok(self.stage(input, output, readers)?.steps);
        }
        let file = Draft::beside(&target(output), readers)?;
        io::copy(&mut File::open(input).of(input)?, &mut file.file()).of(output)?;
        file.file().sync_all().of(output)?;
        self.steps(file, output)
    }

    /// A finished document takes its name, and the keys of a CSV file with it.
    fn steps(&self, file: Draft, output: &Path) -> Result<Steps, OperationError> {
        let mut steps = Steps::default();
        if let (Kind::Csv, Some(Found { headers, .. })) = (self.form.kind, self.headers) {
            let readers = file.readers().of(output)?;
            steps.append(with_keys_of_copies(output, headers, readers)?);
        }
        steps.name(file, output);
        Ok(steps)
    }

    /// Reads the document and throws away what it becomes.
    pub(super) fn look(&self, input: &Path) -> Result<Counts, OperationError> {
        if self.form.kind == Kind::Sqlite {
            let (options, selectors) = self.tables(input)?;
            return Ok(sqlite::look(input, &options, &selectors, self.treatment).of(input)?.into());
        }
        self.stream(input, io::sink())
    }

    fn stream(&self, input: &Path, output: impl Write) -> Result<Counts, OperationError> {
        let file = Progress::watch(self.form.progress.as_ref(), File::open(input).of(input)?);
        let element = self.fields.element();
        let keys = if self.unique { Keys::Unique } else { Keys::Any };
        match self.form.kind {
            Kind::Xml => {
                let looked;
                let selectors = match self.fields {
                    Fields::Of(policy) => {
                        looked = selectors::xml(policy, self.form.table.as_deref())?;
                        &looked
                    }
                    Fields::Records(selectors) => selectors,
                    Fields::Sealed(element) => {
                        looked = xml::Selectors::new(element, [])?;
                        &looked
                    }
                };
                let instructions: Option<Vec<String>> =
                    self.headers.map(|found| found.headers.as_slice().iter().map(KeyHeader::to_instruction).collect());
                let keys = instructions.as_deref().map_or(xml::Keys::AsTheyAre, xml::Keys::Are);
                let rewrite = xml::Rewrite { selectors, treatment: self.treatment, keys, threads: self.form.threads };
                let document = xml::Document::open(file).of(input)?;
                Ok(document.rewrite(&rewrite, output).of(input)?.into())
            }
            Kind::Csv => {
                let options = csv::Options {
                    delimiter: self.form.delimiter,
                    charset: self.form.charset,
                    elements: vec![element.to_owned()],
                    keys,
                    threads: self.form.threads,
                };
                let selectors = self.columns(input)?;
                Ok(csv::rewrite(file, output, &options, &selectors, self.treatment).of(input)?.into())
            }
            Kind::Sql | Kind::Sqlite => {
                let options = sql::Options { keys, threads: self.form.threads, ..sql_options(self.form, element) };
                let headers =
                    self.headers.map_or(sql::Headers::Keep, |found| sql::Headers::Replace(&found.headers, found.home));
                let selectors = self.columns(input)?;
                Ok(sql::rewrite(file, output, &options, &selectors, headers, self.treatment).of(input)?.into())
            }
        }
    }

    fn database(&self, input: &Path, output: &File, beside: &Path) -> Result<Counts, OperationError> {
        let (options, selectors) = self.tables(input)?;
        let headers = self.headers.map(|found| &found.headers);
        Ok(sqlite::rewrite(input, output, beside, &options, &selectors, headers, self.treatment).of(input)?.into())
    }

    fn tables(&self, input: &Path) -> Result<(sqlite::Options, Vec<Columns>), OperationError> {
        let keys = if self.unique { Keys::Unique } else { Keys::Any };
        Ok((sqlite::Options { elements: vec![self.fields.element().to_owned()], keys }, self.columns(input)?))
    }

    fn columns(&self, input: &Path) -> Result<Vec<Columns>, OperationError> {
        match self.fields {
            Fields::Of(policy) => selectors::columns(policy, self.form, input, self.needed),
            Fields::Records(_) | Fields::Sealed(_) => Ok(Vec::new()),
        }
    }
}

/// Writes the data keys of a CSV file beside it, to those that stand there. None of these is taken away, whatever becomes of the document: it
/// may have been copied or moved without them, and they may be the only ones that open the copy.
fn with_keys_of_copies(output: &Path, headers: &KeyHeaders, readers: Readers) -> Result<Steps, OperationError> {
    let keys = sidecar(output);
    let (there, damaged) = read_sound_sidecar(&keys)?;
    let (mut both, mut displaced) = (there.clone(), KeyHeaders::default());
    for header in headers.as_slice() {
        match both.get(header.pol(), header.kid()).cloned() {
            // One key under two wrappings, before and after a rotation perhaps: the document needs its own, and the other is put aside.
            Some(other) if other != *header => {
                displaced.replace(other);
                both.replace(header.clone());
            }
            Some(_) => {}
            None => both
                .add(header.clone())
                .map_err(|source| OperationError::KeysInTheWay { keys: keys.clone(), source })?,
        }
    }
    let mut steps = Steps::default();
    if !displaced.as_slice().is_empty() {
        put_aside(&keys, &displaced, readers, &mut steps)?;
    }
    if both != there {
        // What a damaged line was to say would be lost.
        damaged.into_iter().next().map_or(Ok(()), Err).of(&keys)?;
        steps.write(&keys, readers, both.to_sidecar().as_bytes())?;
    }
    Ok(steps)
}

/// Writes data keys to `NAME.csv.old1.ukeys`, or a higher number, unless they are in such a file.
fn put_aside(keys: &Path, displaced: &KeyHeaders, readers: Readers, steps: &mut Steps) -> Result<(), OperationError> {
    for number in 1.. {
        let path = keys.with_extension(format!("old{number}.ukeys"));
        if path.symlink_metadata().is_err() {
            return steps.create(&path, readers, displaced.to_sidecar().as_bytes());
        }
        let has = |there: &KeyHeaders| {
            displaced.as_slice().iter().all(|header| there.get(header.pol(), header.kid()) == Some(header))
        };
        if read_sidecar(&path).is_ok_and(|there| has(&there)) {
            break;
        }
    }
    Ok(())
}

/// A database with a log of changes beside it would mix that log with what replaces it.
pub(super) fn refuse_in_use(target: &Path) -> Result<(), OperationError> {
    for log in ["-wal", "-journal"] {
        let mut name = target.as_os_str().to_owned();
        name.push(log);
        if fs::metadata(&name).is_ok_and(|log| log.len() > 0) {
            return Err(RowsError::InUse(target.display().to_string())).of(target);
        }
    }
    Ok(())
}
