//! Tables as lines of text, the tables of Liber (2014), and applying a transformation to them.

#![allow(dead_code, reason = "each test file uses its part")]

use rand_chacha::ChaCha20Rng;
use rand_chacha::rand_core::SeedableRng;
use std::collections::{BTreeMap, HashMap};
use tamis_table::{ColumnBuilder, Table};
use tamis_transform::{Files, Input, Output, TransformError, Transformation};
use zeroize::Zeroizing;

/// A table from a header and rows, cells separated by commas.
pub(crate) fn lines(header: &str, rows: &[impl AsRef<str>]) -> Table {
    let mut builders: Vec<ColumnBuilder> = header.split(',').map(ColumnBuilder::new).collect();
    for row in rows {
        for (builder, cell) in builders.iter_mut().zip(row.as_ref().split(',')) {
            builder.push(cell).expect("a small table");
        }
    }
    Table::new(builders.into_iter().map(ColumnBuilder::finish).collect()).expect("an even table")
}

/// The rows of a table, cells separated by commas.
pub(crate) fn rows(table: &Table) -> Vec<String> {
    let cell = |row| move |column: &tamis_table::Column| column.text(row).to_owned();
    (0..table.rows()).map(|row| table.columns().iter().map(cell(row)).collect::<Vec<_>>().join(",")).collect()
}

pub(crate) fn header(table: &Table) -> String {
    table.columns().iter().map(tamis_table::Column::name).collect::<Vec<_>>().join(",")
}

/// The cells of a column.
pub(crate) fn cells(table: &Table, column: &str) -> Vec<String> {
    let column = table.column(column).expect("the column");
    (0..table.rows()).map(|row| column.text(row).to_owned()).collect()
}

/// How often each text occurs.
pub(crate) fn counts<T: Ord>(items: impl IntoIterator<Item = T>) -> BTreeMap<T, usize> {
    items.into_iter().fold(BTreeMap::new(), |mut counts, item| {
        *counts.entry(item).or_default() += 1;
        counts
    })
}

/// Files that exist in memory only.
#[derive(Default)]
pub(crate) struct Memory {
    pub(crate) tables: HashMap<&'static str, Table>,
    pub(crate) keys: HashMap<&'static str, Vec<u8>>,
}

impl Files for Memory {
    fn table(&self, path: &str) -> Result<Table, TransformError> {
        self.tables.get(path).cloned().ok_or_else(|| TransformError::File(format!("no table {path}")))
    }

    fn key(&self, path: &str) -> Result<Zeroizing<Vec<u8>>, TransformError> {
        let key = self.keys.get(path).cloned().map(Zeroizing::new);
        key.ok_or_else(|| TransformError::File(format!("no key {path}")))
    }
}

pub(crate) fn apply_with(
    step: &impl Transformation,
    table: &Table,
    seed: u64,
    files: &Memory,
) -> Result<Output, TransformError> {
    let mut dice = ChaCha20Rng::seed_from_u64(seed);
    step.apply(Input { table, groups: None, dice: &mut dice, files })
}

pub(crate) fn apply(step: &impl Transformation, table: &Table, seed: u64) -> Result<Output, TransformError> {
    apply_with(step, table, seed, &Memory::default())
}

/// The one table that a transformation makes.
pub(crate) fn transformed(step: &impl Transformation, table: &Table, seed: u64) -> Table {
    let mut output = apply(step, table, seed).expect("a transformation that can be done");
    assert_eq!(output.tables.len(), 1);
    output.tables.remove(0).table
}

/// What is said about a transformation that is refused, and whether it is impossible rather than wrong.
pub(crate) fn refusal(result: Result<Output, TransformError>) -> (String, bool) {
    let error = result.expect_err("a refusal");
    (error.to_string(), error.is_refusal())
}

pub(crate) fn names(list: &[&str]) -> Vec<String> {
    list.iter().map(|&name| name.to_owned()).collect()
}

/// Table T of figure 6.
pub(crate) fn figure_6_table() -> Table {
    lines(
        "Płeć,Zawód,Miasto,Choroba",
        &[
            "M,Inżynier,Kraków,AIDS",
            "M,Inżynier,Kraków,AIDS",
            "M,Inżynier,Kraków,Grypa",
            "M,Inżynier,Kraków,AIDS",
            "M,Malarz,Opole,Nowotwór",
            "M,Malarz,Opole,Grypa",
            "K,Śpiewak,Brzeg,Nowotwór",
            "K,Tancerz,Brzeg,AIDS",
            "M,Muzyk,Brzeg,AIDS",
        ],
    )
}

/// Table T' of figure 6, which is that of figures 1 and 2 too: its four and five rows of equal quasi-identifiers.
pub(crate) fn figure_6_generalized() -> Table {
    lines(
        "Płeć,Zawód,Województwo,Choroba",
        &[
            "*,Techniczny,Małopolskie,AIDS",
            "*,Techniczny,Małopolskie,AIDS",
            "*,Techniczny,Małopolskie,Grypa",
            "*,Techniczny,Małopolskie,AIDS",
            "*,Artystyczny,Opolskie,Nowotwór",
            "*,Artystyczny,Opolskie,Grypa",
            "*,Artystyczny,Opolskie,Nowotwór",
            "*,Artystyczny,Opolskie,AIDS",
            "*,Artystyczny,Opolskie,AIDS",
        ],
    )
}
