//! Where the tables go.

use super::args::FileArgs;
use crate::answer::{CommandError, sentence};
use crate::commands::named_file;
use std::path::{Path, PathBuf};
use tamis_release::{path_of_table, write_tables};
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
            let (name, path) = named_file(text)
                .ok_or_else(|| sentence(format!("--table is `{}`; expected NAME=FILE", text.display())))?;
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
        let new: Vec<&Path> = self.paths().filter(|path| !path.exists()).collect();
        write_tables(&output.tables, &self.paths, delimiter)?;
        others().inspect_err(|_| {
            for path in &new {
                let _ = std::fs::remove_file(path);
            }
        })
    }
}
