//! The verbs, one file each.

pub(crate) mod anonymize;
pub(crate) mod apply;
pub(crate) mod check;
pub(crate) mod compare;
pub(crate) mod demo;
pub(crate) mod generate;
pub(crate) mod hierarchy;
pub(crate) mod init;
pub(crate) mod lattice;
pub(crate) mod models;
pub(crate) mod verify;

use crate::answer::CommandError;
use crate::args::InputArgs;
use std::io::Write;
use std::path::Path;
use tamis_release::{ReleaseError, single_character};
use tamis_source::{AtomicFile, ReadOptions};

/// The reading options that flags give.
fn read_options(input: &InputArgs) -> Result<ReadOptions, CommandError> {
    let defaults = ReadOptions::default();
    Ok(ReadOptions {
        delimiter: input.delimiter.as_deref().map(|text| single_character("delimiter", text)).transpose()?,
        encoding: input.encoding.as_deref().map(str::parse).transpose().map_err(ReleaseError::from)?,
        missing: if input.missing.is_empty() { defaults.missing.clone() } else { input.missing.clone() },
        ..defaults
    })
}

/// Writes a text file, whole or not at all.
fn write_text(path: &Path, text: &str) -> Result<(), CommandError> {
    let mut file = AtomicFile::create(path)?;
    file.write_all(text.as_bytes())
        .map_err(|reason| crate::answer::sentence(format!("cannot write {}: {reason}", path.display())))?;
    file.commit()?;
    Ok(())
}
