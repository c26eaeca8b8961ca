//! Frequency sets against a count that anyone can follow.

use proptest::collection::vec;
use proptest::prelude::*;
use std::collections::{BTreeMap, BTreeSet};
use tamis_table::{ColumnBuilder, FrequencySet, FrequencySpec, MissingPolicy, Recoder, Table, TableError};

/// A table with two quasi-identifiers `a` and `b`, a sensitive `s` and a person `p`.
fn table(rows: &[[u8; 4]]) -> Result<Table, TableError> {
    let columns = ["a", "b", "s", "p"].iter().enumerate().map(|(position, name)| {
        let mut column = ColumnBuilder::new(*name);
        for row in rows {
            let text = if row[position] == 0 { String::new() } else { row[position].to_string() };
            column.push(&text)?;
        }
        Ok(column.finish())
    });
    Table::new(columns.collect::<Result<_, TableError>>()?)
}

fn spec<'a>(table: &Table, subset: Option<&'a [bool]>, entity: bool) -> Result<FrequencySpec<'a>, TableError> {
    let quasi = |name| Ok((name, Recoder::keep_or_suppress(table.column(name)?), MissingPolicy::MatchesAnything));
    Ok(FrequencySpec {
        quasi: vec![quasi("a")?, quasi("b")?],
        sensitive: vec!["s"],
        entity: entity.then_some("p"),
        subset,
        joint: Vec::new(),
    })
}

/// What one tuple must hold.
#[derive(Debug, Default, PartialEq, Eq)]
struct Naive {
    rows: u32,
    population: u32,
    sensitive: BTreeMap<u32, u32>,
    people: BTreeSet<u32>,
    people_values: BTreeSet<(u32, u32)>,
}

fn naive(table: &Table, subset: Option<&[bool]>) -> Result<BTreeMap<(u32, u32), Naive>, TableError> {
    let code = |name: &str, row: usize| table.column(name).map(|column| column.codes().get(row));
    let mut tuples: BTreeMap<(u32, u32), Naive> = BTreeMap::new();
    for row in 0..table.rows() {
        let tuple = tuples.entry((code("a", row)?, code("b", row)?)).or_default();
        tuple.population += 1;
        if subset.is_none_or(|subset| subset[row]) {
            tuple.rows += 1;
            *tuple.sensitive.entry(code("s", row)?).or_default() += 1;
            tuple.people.insert(code("p", row)?);
            tuple.people_values.insert((code("p", row)?, code("s", row)?));
        }
    }
    Ok(tuples)
}

fn slice<'a, T>(items: &'a [T], starts: &[u32], tuple: usize) -> &'a [T] {
    &items[starts[tuple] as usize..starts[tuple + 1] as usize]
}

fn agrees(rows: &[[u8; 4]], subset: Option<&[bool]>) -> Result<(), TestCaseError> {
    let failed = |error: TableError| TestCaseError::fail(error.to_string());
    let table = table(rows).map_err(failed)?;
    let (set, tuple_of_row) =
        FrequencySet::count(&table, spec(&table, subset, true).map_err(failed)?).map_err(failed)?;
    let expected = naive(&table, subset).map_err(failed)?;
    prop_assert_eq!(set.tuples(), expected.len());
    prop_assert_eq!(set.rows, expected.values().map(|tuple| u64::from(tuple.rows)).sum::<u64>());
    prop_assert_eq!(set.population.is_some(), subset.is_some());
    let (sensitive, entities) = (&set.sensitive[0], set.entities.as_ref());
    let entities = entities.ok_or_else(|| TestCaseError::fail("people were not counted"))?;
    for tuple in 0..set.tuples() {
        let (codes, counts) =
            (slice(&sensitive.codes, &sensitive.starts, tuple), slice(&sensitive.counts, &sensitive.starts, tuple));
        prop_assert!(codes.windows(2).all(|pair| pair[0] < pair[1]));
        let ids = slice(&entities.ids, &entities.starts, tuple);
        let values = slice(&entities.values[0], &entities.value_starts[0], tuple);
        prop_assert!(ids.windows(2).all(|pair| pair[0] < pair[1]));
        prop_assert!(values.windows(2).all(|pair| pair[0] < pair[1]));
        let found = Naive {
            rows: set.counts[tuple],
            population: set.population.as_ref().map_or(set.counts[tuple], |population| population[tuple]),
            sensitive: codes.iter().copied().zip(counts.iter().copied()).collect(),
            people: ids.iter().copied().collect(),
            people_values: values.iter().copied().collect(),
        };
        prop_assert_eq!(Some(&found), expected.get(&(set.codes[0][tuple], set.codes[1][tuple])));
    }
    for (row, &tuple) in tuple_of_row.iter().enumerate() {
        for (attribute, codes) in set.attributes.iter().zip(&set.codes) {
            let column = table.column(&attribute.name).map_err(failed)?;
            prop_assert_eq!(codes[tuple as usize], column.codes().get(row));
            prop_assert_eq!(attribute.wildcard, column.missing().map(|code| code.0));
        }
    }
    let totals: u64 = sensitive.totals.iter().sum();
    prop_assert_eq!(totals, set.rows);
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(256) })]

    #[test]
    fn counting_agrees_with_the_naive_count(rows in vec([0u8..4, 0u8..4, 0u8..5, 0u8..9], 0..60)) {
        agrees(&rows, None)?;
    }

    #[test]
    fn counting_a_subset_agrees_too(rows in vec(([0u8..3, 0u8..3, 0u8..4, 0u8..6], any::<bool>()), 0..60)) {
        let (rows, subset): (Vec<[u8; 4]>, Vec<bool>) = rows.into_iter().unzip();
        agrees(&rows, Some(&subset))?;
    }

    /// So many columns that their codes do not fit one 64-bit key.
    #[test]
    fn any_number_of_columns_can_be_grouped(rows in vec(vec(0u32..3, 12), 1..50)) {
        let columns: Vec<Vec<u32>> = (0..12).map(|column| rows.iter().map(|row| row[column]).collect()).collect();
        let columns: Vec<tamis_table::Codes> = columns.into_iter().map(tamis_table::Codes::Wide).collect();
        let views: Vec<&dyn tamis_table::TupleColumn> = columns.iter().map(|column| column as _).collect();
        let (numbers, firsts) = tamis_table::number_tuples(rows.len(), &views, &[1 << 20; 12]);
        let distinct: BTreeSet<&Vec<u32>> = rows.iter().collect();
        prop_assert_eq!(firsts.len(), distinct.len());
        for (row, &number) in rows.iter().zip(&numbers) {
            prop_assert_eq!(row, &rows[firsts[number as usize] as usize]);
        }
        prop_assert!(firsts.windows(2).all(|pair| pair[0] < pair[1]));
    }
}

#[test]
fn unknown_columns_are_named() {
    let table = table(&[[1, 1, 1, 1]]).unwrap_or_else(|error| panic!("{error}"));
    let spec = FrequencySpec { sensitive: vec!["salary"], ..FrequencySpec::default() };
    let error = FrequencySet::count(&table, spec).map(|_| ()).unwrap_err();
    assert_eq!(error.to_string(), "there is no column `salary`; the columns are `a`, `b`, `s`, `p`");
}

#[test]
fn without_quasi_identifiers_all_rows_are_one_tuple() {
    let table = table(&[[1, 1, 1, 1], [2, 2, 2, 2]]).unwrap_or_else(|error| panic!("{error}"));
    let (set, tuple_of_row) =
        FrequencySet::count(&table, FrequencySpec::default()).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!((set.counts, tuple_of_row), (vec![2], vec![0, 0]));
}
