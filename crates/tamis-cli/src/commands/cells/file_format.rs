//! How a file is written, by its name.

use super::subject::extension;
use crate::answer::{CommandError, sentence};
use clap::ValueEnum;
use std::path::Path;
use tamis_source::Compression;

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(super) enum FileFormat {
    /// What may be published: hidden cells without their values
    Csv,
    /// Cells and equations with true values, secondaries marked hidden; not for publication
    Json,
    /// The same for other programs, with their status letters; not for publication
    Jj,
}

impl FileFormat {
    /// The format that the name of an output says, compressed or not.
    pub(super) fn of_output(flag: &str, path: &Path) -> Result<Self, CommandError> {
        match plain_extension(path).as_deref() {
            Some("csv" | "tsv") => Ok(Self::Csv),
            Some("json") => Ok(Self::Json),
            Some("jj") => Ok(Self::Jj),
            _ => Err(sentence(format!(
                "{flag} {}: its name does not say how to write it; call it .csv, .tsv, .json or .jj",
                path.display()
            ))),
        }
    }
}

/// Refuses a name that promises another format than the CSV that is written.
pub(super) fn ensure_csv(flag: &str, path: Option<&Path>) -> Result<(), CommandError> {
    match path {
        Some(path) if !matches!(plain_extension(path).as_deref(), Some("csv" | "tsv")) => {
            Err(sentence(format!("{flag} {}: this file is written as CSV; call it .csv or .tsv", path.display())))
        }
        _ => Ok(()),
    }
}

/// The extension without that of a compression.
fn plain_extension(path: &Path) -> Option<String> {
    match Compression::of_path(path) {
        Compression::None => extension(path),
        _ => extension(&path.with_extension("")),
    }
}
