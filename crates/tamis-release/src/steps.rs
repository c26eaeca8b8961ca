//! The transformations that a policy asks for: some on the input before the search, some on the release after it.

use crate::{Input, Policy, ReleaseError, Role, Secret, Sources, read_key};
use serde::Serialize;
use std::cell::RefCell;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use tamis_source::{ColumnFilter, Compression};
use tamis_table::{Column, Table};
use tamis_transform::figures::{FigureChanges, compare};
use tamis_transform::{Files, Output, OutputTable, Stage, Step, TransformError};
use zeroize::Zeroizing;

/// Opens the files that steps name, relative to the policy.
struct StepFiles<'a> {
    sources: &'a dyn Sources,
    input: &'a Input,
    /// What the user should know of the files.
    notes: RefCell<Vec<String>>,
}

impl Files for StepFiles<'_> {
    fn table(&self, path: &str) -> Result<Table, TransformError> {
        // Another file than the input may be written another way.
        let input = Input { path: path.to_owned(), missing: self.input.missing.clone(), ..Input::default() };
        self.sources.table(&input, ColumnFilter::All).map_err(|error| TransformError::File(error.to_string()))
    }

    fn key(&self, path: &str) -> Result<Zeroizing<Vec<u8>>, TransformError> {
        let (key, note) =
            read_key(self.sources.resolve(path)).map_err(|error| TransformError::File(error.to_string()))?;
        self.notes.borrow_mut().extend(note);
        Ok(key)
    }
}

/// Refuses steps that would undo what the models promise.
pub(crate) fn check_steps(policy: &Policy) -> Result<(), ReleaseError> {
    let mut covered: Vec<&str> = Vec::new();
    for (position, step) in policy.steps.iter().enumerate() {
        let own_groups = match step {
            Step::Permute(permute) => {
                covered.extend(permute.columns.iter().map(String::as_str));
                permute.by.is_some() || permute.groups_from.is_some() || !permute.group_by.is_empty()
            }
            Step::Anatomize(anatomize) => {
                covered.push(&anatomize.sensitive);
                anatomize.l.is_some() || anatomize.groups_from.is_some() || !anatomize.group_by.is_empty()
            }
            Step::RotateSynonyms(rotate) => rotate.groups_from.is_some() || !rotate.group_by.is_empty(),
            _ => false,
        };
        if own_groups {
            return Err(ReleaseError::Setting(format!(
                "step {}, {}: in a policy the classes of the release are the groups, for which the models hold; leave `group_by`, `groups_from`, `by` and `l` out, or use `tamis transform`",
                position + 1,
                step.kind()
            )));
        }
    }
    if policy.release_stage() != Some(Stage::Groups) {
        return Ok(());
    }
    let sensitive = policy.attributes.iter().filter(|(_, attribute)| attribute.role == Role::Sensitive);
    match sensitive.map(|(name, _)| name.as_str()).find(|name| !covered.contains(name)) {
        None => Ok(()),
        Some(name) => Err(ReleaseError::Setting(format!(
            "the sensitive column `{name}` would stay beside the values of the quasi-identifiers; permute or anatomize it too, or leave it out of the policy"
        ))),
    }
}

/// What a step did to the figures that researchers care about.
#[derive(Debug, Clone, Serialize)]
pub struct StepFigures {
    /// The position of the step in the policy, from 1.
    pub step: usize,
    /// Its kind.
    pub kind: &'static str,
    /// Means, variances, correlations and contingency tables before and after.
    pub figures: FigureChanges,
    /// What the user should know.
    pub notes: Vec<String>,
}

impl StepFigures {
    /// Of a step's first table, which holds the quasi-identifiers where it makes several.
    fn of(step: &Step, position: usize, before: &Table, output: &Output, policy: &Policy) -> Self {
        let after = output.tables.first().map_or(before, |made| &made.table);
        let figures = compare(&without_identifying(before, policy), &without_identifying(after, policy));
        Self { step: position + 1, kind: step.kind(), figures, notes: output.notes.clone() }
    }
}

/// The table without the columns that point at people; only requirements that count them have them read.
fn without_identifying(table: &Table, policy: &Policy) -> Table {
    let is_told = |column: &&Column| {
        let attribute = policy.attributes.get(column.name());
        policy.entity.as_deref() != Some(column.name()) && attribute.is_none_or(|a| a.role != Role::Identifying)
    };
    let columns = table.columns().iter().filter(is_told).cloned().collect();
    Table::new(columns).unwrap_or_else(|_| table.clone())
}

/// The table after the steps that come before the search, and what they did to it.
pub(crate) fn before_search(
    policy: &Policy,
    mut table: Table,
    (sources, secret): (&dyn Sources, &Secret),
) -> Result<(Table, Vec<StepFigures>), ReleaseError> {
    let files = StepFiles { sources, input: &policy.input, notes: RefCell::default() };
    let mut steps = Vec::new();
    for (position, step) in policy.steps.iter().enumerate().filter(|(_, step)| step.stage() == Stage::Input) {
        let output = apply(step, position, (&table, None), (&files, secret))?;
        steps.push(StepFigures::of(step, position, &table, &output, policy));
        let mut tables = output.tables.into_iter();
        match (tables.next(), tables.next()) {
            (Some(only), None) => table = only.table,
            _ => {
                return Err(ReleaseError::Setting(format!(
                    "step {} makes several tables, which cannot be searched; use `tamis transform` for it",
                    position + 1
                )));
            }
        }
    }
    Ok((table, steps))
}

/// The tables to write after the steps that work on the release, whose rows are in these groups; and what they did to it.
pub(crate) fn after_search(
    policy: &Policy,
    mut table: Table,
    groups: &[u32],
    (sources, secret): (&dyn Sources, &Secret),
) -> Result<(Vec<OutputTable>, Vec<StepFigures>), ReleaseError> {
    let files = StepFiles { sources, input: &policy.input, notes: RefCell::default() };
    let mut told = Vec::new();
    let mut steps = policy.steps.iter().enumerate().filter(|(_, step)| step.stage() != Stage::Input).peekable();
    while let Some((position, step)) = steps.next() {
        let mut output = apply(step, position, (&table, Some(groups)), (&files, secret))?;
        told.push(StepFigures::of(step, position, &table, &output, policy));
        if output.tables.len() > 1 && steps.peek().is_some() {
            return Err(ReleaseError::Setting(format!(
                "step {} makes several tables, so it must be the last of the steps",
                position + 1
            )));
        }
        if output.tables.len() != 1 {
            return Ok((output.tables, told));
        }
        table = output.tables.remove(0).table;
    }
    Ok((vec![OutputTable { name: "", table, is_secret: false }], told))
}

fn apply(
    step: &Step,
    position: usize,
    (table, groups): (&Table, Option<&[u32]>),
    (files, secret): (&StepFiles<'_>, &Secret),
) -> Result<Output, ReleaseError> {
    let mut dice = secret.dice(&format!("step {position}"));
    let input = tamis_transform::Input { table, groups, dice: &mut dice, files };
    let mut output = step.apply(input)?;
    output.notes.append(&mut files.notes.borrow_mut());
    Ok(output)
}

/// Where the table called `name` goes when the release is asked for at `path`: `people.csv` becomes `people.quasi.csv`.
///
/// ```
/// use std::path::Path;
/// use tamis_release::path_of_table;
/// assert_eq!(path_of_table(Path::new("out/people.csv.gz"), "quasi"), Path::new("out/people.quasi.csv.gz"));
/// assert_eq!(path_of_table(Path::new("people.csv"), ""), Path::new("people.csv"));
/// ```
pub fn path_of_table(path: &Path, name: &str) -> PathBuf {
    let (Some(file), false) = (path.file_name(), name.is_empty()) else { return path.to_path_buf() };
    let most = if Compression::of_path(path) == Compression::None { 1 } else { 2 };
    let (mut stem, mut extensions) = (Path::new(file), Vec::new());
    while let (true, Some(before), Some(extension)) = (extensions.len() < most, stem.file_stem(), stem.extension()) {
        extensions.push(extension);
        stem = Path::new(before);
    }
    // The name need not be text.
    let mut file = stem.as_os_str().to_owned();
    for part in std::iter::once(OsStr::new(name)).chain(extensions.into_iter().rev()) {
        file.push(".");
        file.push(part);
    }
    path.with_file_name(file)
}
