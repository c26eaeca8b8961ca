//! The headers of data keys, wherever a kind of document has them.

use std::fs::{self, File};
use std::io::{self, BufReader, ErrorKind, Read as _};
use std::path::{Path, PathBuf};

use jiff::Timestamp;

use super::of_file::OfFile as _;
use super::place::target;
use super::{Form, Kind, OperationError, Progress};
use crate::directory_of;
use crate::document::header::{HeaderError, KeyHeader, KeyHeaders};
use crate::document::sql::{self, Home};
use crate::document::{sqlite, xml};
use crate::policy::{Policy, SealingRun};

/// Longest key file that is read. The keys of a document are fewer: see [`KeyHeaders`].
const LONGEST: u64 = 8 << 20;

/// The file beside a CSV file that holds the headers: its whole name and `.ukeys`. A symbolic link has none of its own.
pub(super) fn sidecar(document: &Path) -> PathBuf {
    let mut name = if document.is_symlink() { target(document) } else { document.to_owned() }.into_os_string();
    name.push(".ukeys");
    name.into()
}

/// The header of the data key of a run, and when it was born: to the second, which is enough and says less.
pub(super) fn header_of(policy: &Policy, run: &SealingRun, born: Option<Timestamp>) -> Result<KeyHeader, HeaderError> {
    let born = born.and_then(|born| Timestamp::from_second(born.as_second()).ok()).map(|born| born.to_string());
    KeyHeader::new(&policy.id, &run.epoch.to_string(), run.kid.as_str(), born.as_deref(), &run.dk)
}

/// Headers, and where in a dump they were.
#[derive(Debug, Clone, Default)]
pub(super) struct Found {
    pub(super) headers: KeyHeaders,
    pub(super) home: Home,
    /// What is wrong with others.
    pub(super) damaged: Vec<HeaderError>,
}

/// Reads the headers of a document, all of which must be sound: whoever writes them anew could lose one.
pub(super) fn read(path: &Path, form: &Form, element: &str) -> Result<Found, OperationError> {
    let mut found = read_sound(path, form, element)?;
    match found.damaged.pop() {
        Some(error) => Err(error).of(path),
        None => Ok(found),
    }
}

/// Reads the sound headers of a document: a damaged one must not keep the cells of others from opening. In a dump all must be sound.
pub(super) fn read_sound(path: &Path, form: &Form, element: &str) -> Result<Found, OperationError> {
    let mut found = Found::default();
    match form.kind {
        Kind::Xml => {
            let document = xml::Document::open(File::open(path).of(path)?).of(path)?;
            for key in document.keys() {
                found.headers.take(KeyHeader::from_instruction(key), &mut found.damaged).of(path)?;
            }
        }
        Kind::Csv => (found.headers, found.damaged) = read_sound_sidecar(&sidecar(path))?,
        Kind::Sql => {
            let file = Progress::watch(form.progress.as_ref(), File::open(path).of(path)?);
            let survey = sql::survey(BufReader::new(file), &sql_options(form, element)).of(path)?;
            (found.headers, found.home) = (survey.headers, survey.home);
        }
        Kind::Sqlite => (found.headers, found.damaged) = sqlite::read_headers(path).of(path)?,
    }
    Ok(found)
}

/// Reads a key file. One that is not there holds nothing.
pub(super) fn read_sidecar(path: &Path) -> Result<KeyHeaders, OperationError> {
    let (headers, damaged) = read_sound_sidecar(path)?;
    damaged.into_iter().next().map_or(Ok(headers), Err).of(path)
}

/// Reads the sound headers of a key file.
pub(super) fn read_sound_sidecar(path: &Path) -> Result<(KeyHeaders, Vec<HeaderError>), OperationError> {
    match path.metadata() {
        Err(error) if error.kind() == ErrorKind::NotFound && path.is_symlink() => {
            return Err(OperationError::LostKeys(path.to_owned()));
        }
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(Default::default()),
        Ok(there) if !there.is_file() => return Err(OperationError::NotAFile(path.to_owned())),
        _ => {}
    }
    let file = File::open(path).of(path)?;
    let mut text = String::new();
    // What a file says of its length need not be so.
    if file.take(LONGEST + 1).read_to_string(&mut text).of(path)? as u64 > LONGEST {
        return Err(io::Error::other("the key file is too long")).of(path);
    }
    KeyHeaders::sound_of_sidecar(&text).of(path)
}

/// Another key file in the directory of this one that has a data key.
pub(super) fn sidecar_with(beside: &Path, policy: &str, kid: &str) -> Option<PathBuf> {
    const MOST: usize = 1_000;
    let entries = fs::read_dir(directory_of(beside)).into_iter().flatten().flatten().map(|entry| entry.path());
    let mut keys = entries.filter(|path| path.extension().is_some_and(|extension| extension == "ukeys")).take(MOST);
    keys.find(|path| path != beside && read_sidecar(path).is_ok_and(|keys| keys.find(policy, kid).is_some()))
}

/// How a dump is read.
pub(super) fn sql_options(form: &Form, element: &str) -> sql::Options {
    sql::Options {
        dialect: form.dialect,
        charset: form.charset,
        elements: vec![element.to_owned()],
        ..sql::Options::default()
    }
}
