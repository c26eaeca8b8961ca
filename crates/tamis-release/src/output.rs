//! Writes the released table.

use crate::sources::single_character;
use crate::{Policy, Prepared, ReleaseError, Role, RowOrder, Sources, SuppressedRows};
use rand::SeedableRng;
use rand::seq::SliceRandom;
use rand_chacha::ChaCha20Rng;
use sha2::{Digest, Sha256};
use std::path::Path;
use tamis_engine::Recoding;
use tamis_source::{Compression, OutputColumn, WriteOptions, write_table};
use tamis_table::hierarchy::SUPPRESSED;

/// What was written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Written {
    /// Rows in the file, suppressed ones included if they are kept as `*`.
    pub rows: u64,
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
    let is_kept: Vec<bool> =
        (0..prepared.problem.frequency.tuples() as u32).map(|tuple| recoding.passes(tuple)).collect();
    let mut order: Vec<u32> = (0..prepared.table.rows() as u32)
        .filter(|&row| prepared.subset.as_ref().is_none_or(|subset| subset[row as usize]))
        .filter(|&row| {
            policy.output.suppressed == SuppressedRows::Keep || is_kept[prepared.tuple_of_row[row as usize] as usize]
        })
        .collect();
    let is_shuffled = policy.output.order == RowOrder::Shuffled;
    if is_shuffled {
        order.shuffle(&mut ChaCha20Rng::from_seed(shuffle_key(seed, recoding)));
    }
    // A shuffled row lies anywhere in memory; its tuple is looked up once, not once for every column.
    let tuples: Vec<u32> = order.iter().map(|&row| prepared.tuple_of_row[row as usize]).collect();
    let written = WrittenRows { order: &order, tuples: &tuples };
    let mut columns = Vec::new();
    for (name, role) in &prepared.columns {
        columns.push(output_column(name, *role, prepared, recoding, (&is_kept, written))?);
    }
    let options = WriteOptions { delimiter, ..WriteOptions::default() };
    write_table(path, &options, &columns, 0..order.len())?;
    Ok(Written { rows: order.len() as u64, seed: is_shuffled.then_some(seed) })
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

/// Whether the file is called `.tsv`, compressed or not.
fn is_tsv(path: &Path) -> bool {
    let is_compressed = Compression::of_path(path) != Compression::None;
    let plain = if is_compressed { path.with_extension("") } else { path.to_path_buf() };
    plain.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("tsv"))
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
    let quasi = frequency.attributes.iter().position(|attribute| attribute.name == name);
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
    let codes = column.codes();
    let cell_of_row =
        Box::new(
            move |position: usize| {
                if is_kept[tuples[position] as usize] { codes.get(order[position] as usize) } else { star }
            },
        );
    Ok(OutputColumn { name, cells, cell_of_row })
}
