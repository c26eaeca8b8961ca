//! Writes the released table.

use crate::sources::single_character;
use crate::steps::{StepFigures, after_search, path_of_table};
use crate::write_tables::write_tables;
use crate::{Policy, Prepared, ReleaseError, Role, RowOrder, Sources, SuppressedRows};
use rand::SeedableRng;
use rand::seq::SliceRandom;
use rand_chacha::ChaCha20Rng;
use sha2::{Digest, Sha256};
use std::path::{Path, PathBuf};
use tamis_engine::Recoding;
use tamis_source::{OutputColumn, WriteOptions, is_tsv, write_table};
use tamis_table::hierarchy::SUPPRESSED;
use tamis_table::{Column, ColumnBuilder, Table};
use tamis_transform::{OutputTable, Stage};

/// What was written.
#[derive(Debug, Clone)]
pub struct Written {
    /// Rows of the release, suppressed ones included if they are kept as `*`.
    pub rows: u64,
    /// The files with their rows: one, or one for each table that the last step makes.
    pub files: Vec<(PathBuf, u64)>,
    /// What the steps of the release did to it.
    pub steps: Vec<StepFigures>,
    /// The seed of the shuffle; none if the order is the input's.
    pub seed: Option<u64>,
}

/// Writes the released rows to `path`.
///
/// Rows are shuffled unless the policy wants the input's order, so that two releases of one table cannot be matched row by row. All
/// cells of a suppressed row become `*`, its sensitive ones too: a lone suppressed person would otherwise show theirs.
pub fn write_release(
    path: &Path,
    policy: &Policy,
    sources: &dyn Sources,
    prepared: &Prepared,
    recoding: &Recoding,
    seed: u64,
) -> Result<Written, ReleaseError> {
    let delimiter = match &policy.output.delimiter {
        Some(text) => single_character("delimiter", text)?,
        None if is_tsv(path) => b'\t',
        None => sources.delimiter(&policy.input)?,
    };
    let options = WriteOptions { delimiter, ..WriteOptions::default() };
    let is_kept: Vec<bool> =
        (0..prepared.problem.frequency.tuples() as u32).map(|tuple| recoding.passes(tuple)).collect();
    // The order of the input tells of rows that a mechanism must not tell of.
    let is_shuffled = policy.output.order == RowOrder::Shuffled || prepared.mechanism.is_some();
    let order = row_order(policy, prepared, &is_kept, is_shuffled.then(|| shuffle_key(seed, recoding)));
    // A shuffled row lies anywhere in memory; its tuple is looked up once, not once for every column.
    let tuples: Vec<u32> = order.iter().map(|&row| prepared.tuple_of_row[row as usize]).collect();
    let written = WrittenRows { order: &order, tuples: &tuples };
    let mut columns = Vec::new();
    for (name, role) in &prepared.columns {
        let mut column = output_column(name, *role, prepared, recoding, (&is_kept, written))?;
        if let Some(text) = &policy.output.missing {
            write_missing_as(text, &mut column, (prepared.table.column(name)?, *role));
        }
        columns.push(column);
    }
    let mut rows = order.len() as u64;
    let mut steps = Vec::new();
    let files = match policy.release_stage() {
        None if prepared.mechanism.is_none() => {
            write_table(path, &options, &columns, 0..order.len())?;
            vec![(path.to_path_buf(), rows)]
        }
        _ => {
            let table = table_of(&columns, order.len())?;
            let groups: Vec<u32> = tuples.iter().map(|&tuple| recoding.class_of_tuple[tuple as usize]).collect();
            let (mut tables, told) = after_search(policy, table, &groups, (sources, &prepared.secret))?;
            if let Some(mechanism) = &prepared.mechanism {
                tables = tables
                    .into_iter()
                    .map(|made| {
                        Ok(OutputTable { table: mechanism.release(made.table, prepared, &recoding.levels)?, ..made })
                    })
                    .collect::<Result<_, ReleaseError>>()?;
            }
            steps = told;
            rows = tables.iter().map(|made| made.table.rows() as u64).next().unwrap_or(0);
            let files: Vec<(PathBuf, u64)> =
                tables.iter().map(|made| (path_of_table(path, made.name), made.table.rows() as u64)).collect();
            let paths: Vec<PathBuf> = files.iter().map(|(path, _)| path.clone()).collect();
            write_tables(&tables, &paths, delimiter)?;
            files
        }
    };
    Ok(Written { rows, files, steps, seed: is_shuffled.then_some(seed) })
}

/// Writes missing values in another way, where they are not generalized.
fn write_missing_as(text: &str, output: &mut OutputColumn<'_>, (column, role): (&Column, Role)) {
    let Some(missing) = column.missing().map(|code| column.dictionary().text(code.0)) else { return };
    let spellings = if role == Role::Insensitive { column.spellings() } else { &[] };
    for cell in output.cells.iter_mut().filter(|cell| *cell == missing || spellings.contains(cell)) {
        text.clone_into(cell);
    }
}

/// The input rows to write, in their order.
fn row_order(policy: &Policy, prepared: &Prepared, is_kept: &[bool], key: Option<[u8; 32]>) -> Vec<u32> {
    // Groups of suppressed rows would be told by the tables that steps make, and how many they are is no part of what a mechanism may
    // tell; such rows are left out.
    let is_recoded_only = policy.release_stage().is_none() && prepared.mechanism.is_none();
    let keeps_suppressed = policy.output.suppressed == SuppressedRows::Keep && is_recoded_only;
    let mut order: Vec<u32> = (0..prepared.table.rows() as u32)
        .filter(|&row| prepared.subset.as_ref().is_none_or(|subset| subset[row as usize]))
        .filter(|&row| keeps_suppressed || is_kept[prepared.tuple_of_row[row as usize] as usize])
        .collect();
    if let Some(key) = key {
        order.shuffle(&mut ChaCha20Rng::from_seed(key));
    }
    order
}

/// The rows to be written as a table.
fn table_of(columns: &[OutputColumn<'_>], rows: usize) -> Result<Table, ReleaseError> {
    let built = columns.iter().map(|column| {
        let mut builder = ColumnBuilder::new(column.name);
        for row in 0..rows {
            builder.push(&column.cells[(column.cell_of_row)(row) as usize])?;
        }
        Ok(builder.finish())
    });
    Ok(Table::new(built.collect::<Result<_, ReleaseError>>()?)?)
}

/// The key of the shuffle. It depends on the recoding too: two different releases of one table that were given the same seed are in
/// different orders, so that they cannot be matched row by row.
fn shuffle_key(seed: u64, recoding: &Recoding) -> [u8; 32] {
    let mut hasher = Sha256::new();
    hasher.update(seed.to_le_bytes());
    for &level in &recoding.levels {
        hasher.update((level as u64).to_le_bytes());
    }
    for &class in &recoding.class_of_tuple {
        hasher.update([u8::from(recoding.is_kept[class as usize])]);
    }
    hasher.finalize().into()
}

/// The input row and the tuple of every row written.
#[derive(Clone, Copy)]
struct WrittenRows<'a> {
    order: &'a [u32],
    tuples: &'a [u32],
}

fn output_column<'a>(
    name: &'a str,
    role: Role,
    prepared: &'a Prepared,
    recoding: &'a Recoding,
    (is_kept, written): (&'a [bool], WrittenRows<'a>),
) -> Result<OutputColumn<'a>, ReleaseError> {
    let frequency = &prepared.problem.frequency;
    let WrittenRows { order, tuples } = written;
    // Where groups protect in place of labels, the values stay.
    let quasi = frequency.attributes.iter().position(|attribute| attribute.name == name);
    let quasi = quasi.filter(|_| prepared.release_stage != Some(Stage::Groups));
    if let (Role::QuasiIdentifying, Some(j)) = (role, quasi) {
        let recoder = &frequency.attributes[j].recoder;
        let level = recoding.levels[j];
        let mut cells: Vec<String> = recoder.labels(level).iter().map(str::to_owned).collect();
        let star = cells.len() as u32;
        cells.push(SUPPRESSED.to_owned());
        let labels = recoder.labels_of_codes(level);
        let cell_of_tuple: Vec<u32> = frequency.codes[j]
            .iter()
            .zip(is_kept)
            .map(|(&code, &kept)| if kept { labels[code as usize] } else { star })
            .collect();
        let cell_of_row = Box::new(move |position: usize| cell_of_tuple[tuples[position] as usize]);
        return Ok(OutputColumn { name, cells, cell_of_row });
    }
    let column = prepared.table.column(name)?;
    let mut cells: Vec<String> = column.dictionary().iter().map(str::to_owned).collect();
    let star = cells.len() as u32;
    cells.push(SUPPRESSED.to_owned());
    // No model looks at an insensitive column, so that each row keeps its own spelling of a missing value; elsewhere rows that miss a value
    // are counted as alike and must look alike.
    let keeps_spelling = role == Role::Insensitive && !column.spellings().is_empty();
    let first_spelling = star + 1;
    if keeps_spelling {
        cells.extend_from_slice(column.spellings());
    }
    let codes = column.codes();
    let cell_of_row = Box::new(move |position: usize| {
        let row = order[position] as usize;
        match column.spelling(row).filter(|_| keeps_spelling) {
            _ if !is_kept[tuples[position] as usize] => star,
            Some(spelling) => first_spelling + spelling as u32,
            None => codes.get(row),
        }
    });
    Ok(OutputColumn { name, cells, cell_of_row })
}
