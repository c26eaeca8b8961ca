//! Where the tables go.

use super::args::FileArgs;
use crate::answer::{CommandError, sentence};
use std::path::{Path, PathBuf};
use tamis_release::path_of_table;
use tamis_source::{AtomicFile, Compression, OutputColumn, WriteOptions, write_table_to};
use tamis_transform::{Output, Step};

/// The file of each table, in the order of the tables.
pub(super) struct Destinations {
    paths: Vec<PathBuf>,
}

impl Destinations {
    pub(super) fn of(step: &Step, files: &FileArgs) -> Result<Self, CommandError> {
        let names = step.tables();
        let mut paths: Vec<PathBuf> = names.iter().map(|name| path_of_table(&files.output, name)).collect();
        for text in &files.tables {
            let (name, path) =
                text.split_once('=').ok_or_else(|| sentence(format!("--table is `{text}`; expected NAME=FILE")))?;
            let known = names.iter().position(|known| *known == name && !name.is_empty());
            let Some(place) = known.and_then(|position| paths.get_mut(position)) else {
                return Err(sentence(match names {
                    [""] => {
                        format!("--table names `{name}`, but `{}` makes one table; --output says where", step.kind())
                    }
                    names => format!("--table names `{name}`; `{}` makes {}", step.kind(), names.join(", ")),
                }));
            };
            *place = PathBuf::from(path);
        }
        Ok(Self { paths })
    }

    pub(super) fn paths(&self) -> impl Iterator<Item = &Path> {
        self.paths.iter().map(PathBuf::as_path)
    }

    /// Writes all tables and then `others`; new files appear together or not at all, and secret ones are their owner's alone.
    pub(super) fn write(
        &self,
        output: &Output,
        delimiter: u8,
        others: impl FnOnce() -> Result<(), CommandError>,
    ) -> Result<(), CommandError> {
        let mut complete = Vec::with_capacity(self.paths.len());
        for (made, path) in output.tables.iter().zip(&self.paths) {
            let mut file = if made.is_secret { AtomicFile::create_private(path)? } else { AtomicFile::create(path)? };
            let delimiter = if is_tsv(path) { b'\t' } else { delimiter };
            let options = WriteOptions { delimiter, compression: Some(Compression::of_path(path)) };
            let columns: Vec<OutputColumn<'_>> = made.table.columns().iter().map(OutputColumn::of).collect();
            write_table_to(&mut file, &path.display().to_string(), &options, &columns, 0..made.table.rows())?;
            complete.push((file, path));
        }
        let new: Vec<&Path> = self.paths().filter(|path| !path.exists()).collect();
        let appear = || -> Result<(), CommandError> {
            for (file, _) in complete {
                file.commit()?;
            }
            others()
        };
        appear().inspect_err(|_| {
            for path in &new {
                let _ = std::fs::remove_file(path);
            }
        })
    }
}

/// The path without the extension of its compression.
fn plain(path: &Path) -> PathBuf {
    if Compression::of_path(path) == Compression::None { path.to_path_buf() } else { path.with_extension("") }
}

fn is_tsv(path: &Path) -> bool {
    plain(path).extension().is_some_and(|extension| extension.eq_ignore_ascii_case("tsv"))
}
