//! The table that a verb is about, whatever file it came from.

use crate::answer::{CommandError, sentence};
use std::collections::HashMap;
use std::path::{Path, PathBuf};
use tamis_cells::format::{self, Format, read_pattern};
use tamis_cells::{CellTable, Pattern, Status};

/// The table and what its file says beyond cells and equations.
pub(super) struct Subject {
    /// Its cells, equations and attackers.
    pub(super) table: CellTable,
    /// What it is called in reports.
    pub(super) name: String,
}

impl Subject {
    /// Reads a table of cells and equations, JSON or JJ.
    pub(super) fn read(paths: &[PathBuf]) -> Result<Self, CommandError> {
        let [path] = paths else {
            return Err(sentence("several files are given; a table of cells and equations is one file, JSON or JJ"));
        };
        let bytes = bytes_of(path)?;
        let table = match (extension(path).as_deref(), Format::detect(&bytes)) {
            (Some("json"), _) => format::json::read(&bytes),
            (Some("jj"), _) => format::jj::read(&bytes),
            _ => format::read(&bytes, "it"),
        };
        let table = table.map_err(|error| sentence(format!("{}: {error}", path.display())))?;
        let name = path.file_name().map_or_else(|| path.display().to_string(), |name| name.to_string_lossy().into());
        Ok(Self { table, name })
    }

    /// Gives cells the status that flags ask for: ids, or `@FILE` for a file that names them.
    pub(super) fn mark(&mut self, hide: &[String], publish: &[String]) -> Result<(), CommandError> {
        let mut wanted: HashMap<usize, Status> = HashMap::new();
        for (flag, status, texts) in [("--hide", Status::Hidden, hide), ("--publish", Status::Fixed, publish)] {
            for text in texts {
                for cell in self.cells_named(flag, text)? {
                    let (id, own) = (&self.table.cells()[cell].id, self.table.cells()[cell].status);
                    let contradiction = match (status, own) {
                        (Status::Fixed, Status::Primary) => Some("it is primary"),
                        (Status::Fixed, Status::Hidden) => Some("its table says that it must be hidden"),
                        (Status::Hidden, Status::Fixed) => Some("its table says that it must be published"),
                        (Status::Fixed, _) if wanted.get(&cell) == Some(&Status::Hidden) => Some("--hide names it too"),
                        _ => None,
                    };
                    if let Some(reason) = contradiction {
                        return Err(sentence(format!("{flag} {text}: cell {id} cannot be, {reason}; decide for one")));
                    }
                    // A primary cell is hidden in any case, and more is asked of it.
                    if own != Status::Primary {
                        wanted.insert(cell, status);
                    }
                }
            }
        }
        if !wanted.is_empty() {
            self.table = with_status(&self.table, |cell, own| wanted.get(&cell).copied().unwrap_or(own))?;
        }
        Ok(())
    }

    fn cells_named(&self, flag: &str, text: &str) -> Result<Vec<usize>, CommandError> {
        if let Some(path) = text.strip_prefix('@') {
            return Ok(self.pattern(Path::new(path))?.cells().collect());
        }
        let found = self.table.cells().iter().position(|cell| cell.id.to_string() == text);
        let unknown = || {
            sentence(format!(
                "{flag} {text}: there is no such cell in {}; ids are, for example, {}",
                self.name,
                self.examples()
            ))
        };
        Ok(vec![found.ok_or_else(unknown)?])
    }

    fn examples(&self) -> String {
        let ids: Vec<String> = self.table.cells().iter().take(3).map(|cell| cell.id.to_string()).collect();
        ids.join(", ")
    }

    /// Which cells a file says are hidden.
    pub(super) fn pattern(&self, path: &Path) -> Result<Pattern, CommandError> {
        let bytes = bytes_of(path)?;
        read_pattern(&bytes, &self.table).map_err(|error| sentence(format!("{}: {error}", path.display())))
    }
}

/// The same table with another status for some cells.
pub(super) fn with_status(
    table: &CellTable,
    status: impl Fn(usize, Status) -> Status,
) -> Result<CellTable, CommandError> {
    let mut cells = table.cells().to_vec();
    for (position, cell) in cells.iter_mut().enumerate() {
        cell.status = status(position, cell.status);
    }
    CellTable::new(cells, table.equations().to_vec(), table.attackers().to_vec())
        .map_err(|error| sentence(error.to_string()))
}

/// The extension of a file in small letters.
pub(super) fn extension(path: &Path) -> Option<String> {
    path.extension().map(|extension| extension.to_string_lossy().to_ascii_lowercase())
}

fn bytes_of(path: &Path) -> Result<Vec<u8>, CommandError> {
    std::fs::read(path).map_err(|reason| sentence(format!("cannot read {}: {reason}", path.display())))
}
