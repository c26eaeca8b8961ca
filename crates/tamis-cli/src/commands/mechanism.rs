//! What the verbs of randomized releases share: exact numbers, domains and dice from flags.

use super::read_options;
use crate::answer::{CommandError, sentence};
use crate::args::InputArgs;
use crate::shell::Shell;
use std::collections::HashSet;
use std::path::PathBuf;
use tamis_mechanism::{ColumnDomain, Dice, MechanismError, Ratio};
use tamis_source::read_hierarchy_in;

/// A flag that is an exact number.
pub(crate) fn exact(flag: &str, text: &str) -> Result<Ratio, CommandError> {
    text.parse().map_err(|error: MechanismError| sentence(format!("{flag}: {error}")))
}

/// The totals of a budget to be created, if the flags give them.
pub(crate) fn total(epsilon: Option<&str>, delta: Option<&str>) -> Result<Option<(Ratio, Ratio)>, CommandError> {
    let Some(epsilon) = epsilon else { return Ok(None) };
    let delta = delta.map(|text| exact("--total-delta", text)).transpose()?;
    Ok(Some((exact("--total-epsilon", epsilon)?, delta.unwrap_or(Ratio::ZERO))))
}

/// The error of a mechanism as a sentence.
pub(crate) fn spoken(error: &MechanismError) -> CommandError {
    sentence(error.to_string())
}

/// Dice from the operating system, or from the seed with a warning for `notes`.
pub(crate) fn dice(shell: &Shell, purpose: &str, notes: &mut Vec<String>) -> Result<Dice, CommandError> {
    match shell.seed {
        None => Dice::from_system().map_err(|error| spoken(&error)),
        Some(seed) => {
            notes.push("whoever knows the --seed can draw the same random numbers and take them off again; leave it out for a release".to_owned());
            Ok(Dice::from_seed(seed, purpose))
        }
    }
}

/// A `--domain` flag: a column, and its values or the file that lists them.
#[derive(Debug)]
pub(crate) struct DomainFlag<'a> {
    pub(crate) column: &'a str,
    values: &'a str,
}

impl<'a> DomainFlag<'a> {
    /// Reads the flags; each must be about one of `columns`, and no two about the same.
    pub(crate) fn parse(flags: &'a [String], columns: &[String]) -> Result<Vec<Self>, CommandError> {
        let mut parsed: Vec<Self> = Vec::new();
        for flag in flags {
            let Some((column, values)) = flag.split_once('=').filter(|(column, _)| !column.is_empty()) else {
                return Err(sentence(format!("--domain is `{flag}`; expected COLUMN=FILE or COLUMN=VALUE|VALUE|...")));
            };
            if !columns.iter().any(|known| known == column) {
                let known: Vec<String> = columns.iter().map(|known| format!("`{known}`")).collect();
                return Err(sentence(format!(
                    "--domain names `{column}`, which is not among the columns asked about: {}",
                    known.join(", ")
                )));
            }
            if parsed.iter().any(|other| other.column == column) {
                return Err(sentence(format!("--domain names `{column}` twice; give its values once")));
            }
            parsed.push(Self { column, values });
        }
        Ok(parsed)
    }

    /// The file that lists the values, if a file does.
    pub(crate) fn file(&self) -> Option<PathBuf> {
        (!self.values.contains('|')).then(|| PathBuf::from(self.values))
    }

    /// The values: those between bars, or the first labels of the lines of a hierarchy file.
    pub(crate) fn domain(&self, input: &InputArgs) -> Result<ColumnDomain, CommandError> {
        let values = match self.file() {
            None => self.values.split('|').map(str::to_owned).collect(),
            Some(path) => {
                let encoding = read_options(input)?.encoding.unwrap_or_default();
                let rows = read_hierarchy_in(&path, encoding)?;
                let mut seen = HashSet::new();
                // A hierarchy may repeat a line; the value is one all the same.
                rows.into_iter()
                    .filter_map(|row| row.labels.into_iter().next())
                    .filter(|value| seen.insert(value.clone()))
                    .collect()
            }
        };
        ColumnDomain::new(self.column, values).map_err(|error| spoken(&error))
    }
}
