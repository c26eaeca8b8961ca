//! The table that a verb is about, whatever file it came from.

use super::table_args::TableArgs;
use crate::answer::{CommandError, sentence};
use crate::shell::Shell;
use std::collections::HashMap;
use std::path::{Path, PathBuf};
use tamis_cells::format::{self, Format, read_pattern};
use tamis_cells::{CellTable, Pattern, Status};
use tamis_totals::{Input, TableOptions, Totals, TotalsError, read_pattern_from, read_totals_from};

/// The table and what its file says beyond cells and equations.
pub(super) struct Subject {
    /// Its cells, equations and attackers.
    pub(super) table: CellTable,
    /// What it is called in reports.
    pub(super) name: String,
    /// Its dimensions, and how its files were read; none for plain cells and equations.
    named: Option<(Totals, TableOptions)>,
}

impl Subject {
    /// Reads a table: cells and equations as JSON or JJ by its content or name, any other file as a table with dimensions.
    pub(super) fn read(paths: &[PathBuf], args: &TableArgs, shell: &Shell) -> Result<Self, CommandError> {
        let [first, ..] = paths else { return Err(sentence("name a table")) };
        let names: Vec<String> = paths.iter().map(|path| name_of(path)).collect();
        let name = names.join(", ");
        let inputs = paths.iter().map(Input::open).collect::<Result<Vec<_>, _>>().map_err(|error| told(&error))?;
        if let Some(instance) = read_instance(&inputs[0])? {
            if paths.len() > 1 {
                return Err(sentence(format!(
                    "{} holds cells and equations; it cannot be linked with other files, name it alone",
                    first.display()
                )));
            }
            if let Some(flag) = misplaced(args) {
                return Err(sentence(format!(
                    "{flag} is about tables with dimensions, but {} holds cells and equations; leave it out",
                    first.display()
                )));
            }
            return Ok(Self { table: instance, name, named: None });
        }
        let options = args.options(shell, first)?;
        let totals = read_totals_from(inputs, &options).map_err(|error| told(&error))?;
        Ok(Self { table: totals.table().clone(), name, named: Some((totals, options)) })
    }

    /// The dimensions and labels, with the statuses as they are now.
    pub(super) fn totals(&self) -> Option<&Totals> {
        self.named.as_ref().map(|(totals, _)| totals)
    }

    /// What to know about the table.
    pub(super) fn notes(&self) -> Vec<String> {
        self.totals().map_or_else(Vec::new, |totals| totals.notes().to_vec())
    }

    /// Gives cells another status.
    pub(super) fn set_status(&mut self, status: impl Fn(usize, Status) -> Status) -> Result<(), CommandError> {
        self.table = with_status(&self.table, status)?;
        if let Some((totals, _)) = &mut self.named {
            totals.set_table(self.table.clone());
        }
        Ok(())
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
                        let verb = if status == Status::Fixed { "published" } else { "hidden" };
                        return Err(sentence(format!(
                            "{flag} {text}: cell {id} cannot be {verb}, {reason}; decide for one"
                        )));
                    }
                    // A primary cell is hidden in any case, and more is asked of it.
                    if own != Status::Primary {
                        wanted.insert(cell, status);
                    }
                }
            }
        }
        if !wanted.is_empty() {
            self.set_status(|cell, own| wanted.get(&cell).copied().unwrap_or(own))?;
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
        let input = Input::open(path).map_err(|error| told(&error))?;
        let bytes = input.bytes().map_err(|error| told(&error))?;
        if bytes.trim_ascii().is_empty() {
            // More likely a pipe whose program failed than a pattern.
            let path = path.display();
            return Err(sentence(format!(
                "{path} is empty; expected the cells that are hidden, or [] if there are none"
            )));
        }
        if let Some((totals, options)) = &self.named {
            return read_pattern_from(&input, totals, options).map_err(|error| told(&error));
        }
        let pattern = read_pattern(&bytes, &self.table);
        pattern.map_err(|error| sentence(format!("{}: {error}", path.display())))
    }
}

/// Cells and equations, if the file holds them: by its name, or by what it begins with.
fn read_instance(input: &Input) -> Result<Option<CellTable>, CommandError> {
    let path = input.path();
    let by_name = matches!(extension(path).as_deref(), Some("json" | "jj"));
    if !by_name && !path.exists() {
        // A database, or nothing: whoever reads tables knows what to say.
        return Ok(None);
    }
    let bytes = input.bytes().map_err(|error| told(&error))?;
    let table = match (extension(path).as_deref(), Format::detect(&bytes)) {
        (Some("json"), _) | (_, Some(Format::Json)) => format::json::read(&bytes),
        (Some("jj"), _) | (_, Some(Format::Jj)) => format::jj::read(&bytes),
        _ => return Ok(None),
    };
    table.map(Some).map_err(|error| sentence(format!("{}: {error}", path.display())))
}

fn told(error: &TotalsError) -> CommandError {
    sentence(error.to_string())
}

/// A flag that says nothing about plain cells and equations.
fn misplaced(args: &TableArgs) -> Option<&'static str> {
    let given = [
        ("--dimensions", !args.dimensions.is_empty()),
        ("--value", args.value.is_some()),
        ("--hierarchy", !args.hierarchies.is_empty()),
        ("--total", !args.totals.is_empty()),
        ("--cost", args.cost.is_some()),
        ("--bounds", args.bounds.is_some()),
        ("--zero-range", args.zero_range.is_some()),
        ("--frequency", args.frequency.is_some()),
        ("--status", args.status.is_some()),
        ("--columns", !args.columns.is_empty()),
        ("--id", args.id.is_some()),
        ("--equations", !args.equations.is_empty()),
        ("--primary", !args.primary.is_empty()),
        ("--fixed", !args.fixed.is_empty()),
        ("--hidden", !args.hidden.is_empty()),
        ("--attackers", args.attackers.is_some()),
        ("--singletons", args.singletons != "off"),
    ];
    given.into_iter().find(|(_, is_given)| *is_given).map(|(flag, _)| flag)
}

fn name_of(path: &Path) -> String {
    path.file_name().map_or_else(|| path.display().to_string(), |name| name.to_string_lossy().into())
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
