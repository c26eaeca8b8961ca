//! Where the tables go.

use super::args::FileArgs;
use crate::answer::{CommandError, sentence};
use std::path::{Path, PathBuf};
use tamis_source::{AtomicFile, Compression, OutputColumn, WriteOptions, write_table_to};
use tamis_table::Table;
use tamis_transform::{Output, Step};

/// The file of each table, in the order of the tables.
pub(super) struct Destinations {
    paths: Vec<PathBuf>,
}

impl Destinations {
    pub(super) fn of(step: &Step, files: &FileArgs) -> Result<Self, CommandError> {
        let names = step.tables();
        let mut paths: Vec<PathBuf> = names.iter().map(|name| beside(&files.output, name)).collect();
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
            let columns = columns_of(&made.table);
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

fn columns_of(table: &Table) -> Vec<OutputColumn<'_>> {
    let column = |column| {
        let column: &tamis_table::Column = column;
        OutputColumn {
            name: column.name(),
            cells: column.dictionary().iter().map(str::to_owned).collect(),
            cell_of_row: Box::new(|row| column.codes().get(row)),
        }
    };
    table.columns().iter().map(column).collect()
}

/// `people.csv.gz` and `quasi` make `people.quasi.csv.gz`.
fn beside(output: &Path, name: &str) -> PathBuf {
    if name.is_empty() {
        return output.to_path_buf();
    }
    let plain = plain(output);
    let file = |path: &Path| path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    let (stem, whole) =
        (plain.file_stem().map(|stem| stem.to_string_lossy().into_owned()).unwrap_or_default(), file(output));
    let extensions = whole.strip_prefix(stem.as_str()).unwrap_or_default();
    output.with_file_name(format!("{stem}.{name}{extensions}"))
}

/// The path without the extension of its compression.
fn plain(path: &Path) -> PathBuf {
    if Compression::of_path(path) == Compression::None { path.to_path_buf() } else { path.with_extension("") }
}

fn is_tsv(path: &Path) -> bool {
    plain(path).extension().is_some_and(|extension| extension.eq_ignore_ascii_case("tsv"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_go_before_the_extension() {
        let name = |path: &str| beside(Path::new(path), "quasi").display().to_string();
        assert_eq!(name("out/people.csv"), "out/people.quasi.csv");
        assert_eq!(name("people.csv.gz"), "people.quasi.csv.gz");
        assert_eq!(name("people"), "people.quasi");
        assert_eq!(name("my.people.tsv.zst"), "my.people.quasi.tsv.zst");
        assert_eq!(beside(Path::new("people.csv"), ""), Path::new("people.csv"));
    }
}
