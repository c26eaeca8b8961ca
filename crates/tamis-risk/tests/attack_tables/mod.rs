//! Small tables and hierarchies for the tests of the attacks.

#![allow(dead_code, reason = "each test file uses its part")]

use proptest::prelude::*;
use std::path::Path;
use tamis_risk::attacks::{Labels, LabelsByColumn};
use tamis_source::{ReadOptions, read_hierarchy, read_table};
use tamis_table::{ColumnBuilder, HierarchyRow, Table};

fn data(name: &str) -> std::path::PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/data").join(name)
}

/// A table of `tests/data`.
pub(crate) fn file(name: &str) -> Table {
    read_table(data(name), &ReadOptions::default()).unwrap_or_else(|error| panic!("{error}"))
}

/// The hierarchies of `tests/data`, by column.
pub(crate) fn hierarchies(files: &[(&str, &str)]) -> LabelsByColumn {
    let labels = |name: &str| {
        let rows = read_hierarchy(data(name)).unwrap_or_else(|error| panic!("{error}"));
        Labels::from_rows(&rows).unwrap_or_else(|error| panic!("{name}: {error}"))
    };
    files.iter().map(|(column, name)| ((*column).to_owned(), labels(name))).collect()
}

/// A table from its rows.
pub(crate) fn table<T: AsRef<str>>(names: &[&str], rows: &[Vec<T>]) -> Table {
    let column = |position: usize| {
        let mut builder = ColumnBuilder::new(names[position]);
        for row in rows {
            builder.push(row[position].as_ref()).expect("a small column");
        }
        builder.finish()
    };
    Table::new((0..names.len()).map(column).collect()).expect("a table")
}

/// The rows of a table as text.
pub(crate) fn rows(table: &Table) -> Vec<Vec<String>> {
    (0..table.rows()).map(|row| table.columns().iter().map(|column| column.text(row).to_owned()).collect()).collect()
}

/// Values 0 to 3 with two labels on level 1, one of them for a single value, and one on level 2.
pub(crate) const CHAINS: [[&str; 3]; 4] =
    [["0", "low", "any"], ["1", "low", "any"], ["2", "low", "any"], ["3", "high", "any"]];

/// That hierarchy.
pub(crate) fn quarters() -> Labels {
    let row = |(line, chain): (u64, &[&str; 3])| HierarchyRow { line, labels: chain.map(str::to_owned).to_vec() };
    Labels::from_rows(&(1..).zip(&CHAINS).map(row).collect::<Vec<_>>()).expect("a hierarchy")
}

/// That hierarchy for every named column.
pub(crate) fn quarters_for(names: &[&str]) -> LabelsByColumn {
    names.iter().map(|name| ((*name).to_owned(), quarters())).collect()
}

/// A value of 0 to 3 on a level.
pub(crate) fn label(value: usize, level: usize) -> &'static str {
    if level == 3 { "*" } else { CHAINS[value][level] }
}

/// Whether a released text can be about a person with a value.
pub(crate) fn fits(text: &str, value: usize) -> bool {
    text == "*" || CHAINS[value].contains(&text)
}

/// Rows of this many values from 0 to 3.
pub(crate) fn values(width: usize, most: usize) -> impl Strategy<Value = Vec<Vec<usize>>> {
    prop::collection::vec(prop::collection::vec(0usize..4, width), 1..=most)
}

/// Rows of two texts of any level.
pub(crate) fn texts(most: usize) -> impl Strategy<Value = Vec<Vec<&'static str>>> {
    let text = (0usize..4, 0usize..4).prop_map(|(value, level)| label(value, level));
    prop::collection::vec(prop::collection::vec(text, 2), 1..=most)
}

/// The value of a figure.
pub(crate) fn number(report: &tamis_risk::attacks::Report, name: &str) -> f64 {
    report.figures[name].as_f64().unwrap_or_else(|| panic!("{name} is no number"))
}
