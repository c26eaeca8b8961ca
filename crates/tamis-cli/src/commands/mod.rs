//! The verbs, one file each.

pub(crate) mod anonymize;
pub(crate) mod apply;
pub(crate) mod appointments;
pub(crate) mod attack;
pub(crate) mod audit;
pub(crate) mod budget;
pub(crate) mod cells;
pub(crate) mod check;
pub(crate) mod compare;
pub(crate) mod demo;
pub(crate) mod generate;
pub(crate) mod hierarchy;
pub(crate) mod histogram;
pub(crate) mod init;
pub(crate) mod lattice;
mod mechanism;
pub(crate) mod models;
mod payment;
pub(crate) mod perturb;
pub(crate) mod risk;
pub(crate) mod transform;
pub(crate) mod ucrypt;
pub(crate) mod vector;
pub(crate) mod verify;

use crate::answer::{CommandError, sentence};
use crate::args::InputArgs;
use crate::progress::reading;
use crate::shell::Shell;
use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::io::Write;
use std::path::{Path, PathBuf};
use tamis_release::{ReleaseError, single_character};
use tamis_source::{AtomicFile, ColumnFilter, ReadOptions, ensure_writable, read_table};
use tamis_table::Table;

/// A path as JSON documents name it. What is no text in it is spelled as well as can be.
pub(crate) fn spelled(path: impl AsRef<Path>) -> String {
    path.as_ref().display().to_string()
}

/// The two sides of `NAME=FILE`. The name of the file need not be text.
fn named_file(text: &OsStr) -> Option<(&str, &Path)> {
    #[cfg(unix)]
    {
        use std::os::unix::ffi::OsStrExt as _;
        let bytes = text.as_bytes();
        let at = bytes.iter().position(|byte| *byte == b'=')?;
        Some((str::from_utf8(&bytes[..at]).ok()?, Path::new(OsStr::from_bytes(&bytes[at + 1..]))))
    }
    #[cfg(not(unix))]
    text.to_str()?.split_once('=').map(|(name, file)| (name, Path::new(file)))
}

/// The reading options that flags give.
fn read_options(input: &InputArgs) -> Result<ReadOptions, CommandError> {
    let defaults = ReadOptions::default();
    Ok(ReadOptions {
        delimiter: input.delimiter.as_deref().map(|text| single_character("delimiter", text)).transpose()?,
        encoding: input.encoding.as_deref().map(str::parse).transpose().map_err(ReleaseError::from)?,
        missing: defaults.missing.iter().chain(&input.missing).cloned().collect(),
        ..defaults
    })
}

/// Reads only the named columns of a table; a name may be given more than once.
fn read_columns<'a>(
    path: &Path,
    names: impl IntoIterator<Item = &'a String>,
    input: &InputArgs,
    shell: &Shell,
) -> Result<Table, CommandError> {
    let names: BTreeSet<String> = names.into_iter().cloned().collect();
    let columns = ColumnFilter::Only(names.into_iter().collect());
    Ok(read_table(path, &ReadOptions { columns, progress: reading(shell, path), ..read_options(input)? })?)
}

/// Checks before long work that every output can be written and that none of them takes the place of an input or of another output.
fn ensure_outputs<'a>(
    outputs: impl IntoIterator<Item = &'a Path>,
    inputs: impl IntoIterator<Item = &'a Path>,
) -> Result<(), CommandError> {
    let mut taken: Vec<&Path> = inputs.into_iter().collect();
    for output in outputs {
        ensure_writable(output)?;
        if let Some(forbidden) = taken.iter().find(|other| is_same_file(output, other)) {
            return Err(sentence(format!(
                "{} would be overwritten by an output; choose another path",
                forbidden.display()
            )));
        }
        taken.push(output);
    }
    Ok(())
}

/// Whether two paths lead to one file, which need not exist yet.
fn is_same_file(left: &Path, right: &Path) -> bool {
    let real = |path: &Path| -> std::io::Result<PathBuf> {
        std::fs::canonicalize(path).or_else(|_| {
            let path = std::path::absolute(path)?;
            match (path.parent(), path.file_name()) {
                (Some(directory), Some(name)) => Ok(std::fs::canonicalize(directory)?.join(name)),
                _ => Ok(path),
            }
        })
    };
    matches!((real(left), real(right)), (Ok(left), Ok(right)) if left == right)
}

/// Writes a text file, whole or not at all.
fn write_text(path: &Path, text: &str) -> Result<(), CommandError> {
    write_into(AtomicFile::create(path)?, path, text)
}

/// Writes a text file that nobody but its owner may read, whole or not at all.
fn write_private_text(path: &Path, text: &str) -> Result<(), CommandError> {
    write_into(AtomicFile::create_private(path)?, path, text)
}

fn write_into(mut file: AtomicFile, path: &Path, text: &str) -> Result<(), CommandError> {
    file.write_all(text.as_bytes()).map_err(|reason| sentence(format!("cannot write {}: {reason}", path.display())))?;
    file.commit()?;
    Ok(())
}
