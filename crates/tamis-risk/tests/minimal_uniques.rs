//! Minimal sample uniques, scores and contributions against their definitions, tried on every subset and every order.

use proptest::prelude::*;
use tamis_risk::{ColumnSet, MinimalUniques, Records, contribution, suda};

type Rows = Vec<Vec<u32>>;

fn records(rows: &Rows) -> Records {
    let width = rows.first().map_or(0, Vec::len);
    let columns: Vec<Vec<u32>> = (0..width).map(|column| rows.iter().map(|row| row[column]).collect()).collect();
    Records::of_rows(&columns.iter().map(Vec::as_slice).collect::<Vec<_>>())
}

/// Whether nobody else agrees with a row on the columns of a set.
fn is_unique(rows: &Rows, row: usize, set: u64) -> bool {
    let agrees = |other: &Vec<u32>| {
        (0..other.len()).filter(|&column| set >> column & 1 == 1).all(|column| other[column] == rows[row][column])
    };
    rows.iter().enumerate().all(|(at, other)| at == row || !agrees(other))
}

/// All minimal uniques of a row by looking at every subset of every set.
fn minimal(rows: &Rows, row: usize, size: usize) -> Vec<u64> {
    let width = rows[row].len();
    let proper_parts = |set: u64| (0..set).filter(move |part| part & set == *part);
    (1..1u64 << width)
        .filter(|set| set.count_ones() as usize <= size)
        .filter(|&set| is_unique(rows, row, set) && proper_parts(set).all(|part| !is_unique(rows, row, part)))
        .collect()
}

fn small_tables() -> impl Strategy<Value = Rows> {
    (1usize..=5, 2usize..=14, 2u32..=4)
        .prop_flat_map(|(width, rows, values)| prop::collection::vec(prop::collection::vec(0..values, width), rows))
}

/// The tuple number of each row: distinct rows in order of first appearance.
fn tuple_of(rows: &Rows, row: usize) -> u32 {
    let mut seen: Vec<&Vec<u32>> = Vec::new();
    for other in rows {
        if !seen.contains(&other) {
            seen.push(other);
        }
    }
    seen.iter().position(|other| **other == rows[row]).expect("itself") as u32
}

proptest! {
    #[test]
    fn every_minimal_unique_is_found_and_nothing_else(rows in small_tables(), size in 1usize..=5) {
        let found = MinimalUniques::find(&records(&rows), size);
        let width = rows[0].len();
        for row in 0..rows.len() {
            let mut sets: Vec<u64> = found.of_tuple(tuple_of(&rows, row)).map(|set| set.0).collect();
            sets.sort_unstable();
            prop_assert_eq!(sets, minimal(&rows, row, size.min(width)));
        }
        for (set, &count) in &found.unique_rows {
            let unique = (0..rows.len()).filter(|&row| is_unique(&rows, row, set.0)).count() as u64;
            prop_assert_eq!(count, unique);
        }
    }

    #[test]
    fn the_shapley_value_is_the_mean_gain_over_all_orders(rows in small_tables()) {
        let records = records(&rows);
        let width = records.width();
        let found = contribution::shapley(&records, &MinimalUniques::find(&records, width)).expect("few columns");
        let unique = |set: u64| (0..rows.len()).filter(|&row| is_unique(&rows, row, set)).count() as f64;
        let mut gains = vec![0.0; width];
        let orders = permutations(width);
        for order in &orders {
            let mut set = 0;
            for &column in order {
                gains[column] += unique(set | 1 << column) - unique(set);
                set |= 1 << column;
            }
        }
        let scale = orders.len() as f64 * rows.len() as f64;
        for (value, gain) in found.iter().zip(&gains) {
            prop_assert!((value - gain / scale).abs() < 1e-12, "{:?} {:?}", found, gains);
        }
        let total: f64 = found.iter().sum();
        prop_assert!((total - records.unique_rows() as f64 / rows.len() as f64).abs() < 1e-12);
    }

    #[test]
    fn a_column_left_out_leaves_the_uniques_and_classes_of_the_others(rows in small_tables()) {
        let width = rows[0].len();
        for (column, left) in contribution::left_out(&records(&rows)).into_iter().enumerate() {
            let others = ((1u64 << width) - 1) & !(1 << column);
            let unique = (0..rows.len()).filter(|&row| is_unique(&rows, row, others)).count() as u64;
            prop_assert_eq!(left.unique_rows, unique);
            let mut tuples: Rows = rows.clone();
            for row in &mut tuples {
                row.remove(column);
            }
            tuples.sort();
            tuples.dedup();
            prop_assert_eq!(left.average_risk, tuples.len() as f64 / rows.len() as f64);
        }
    }
}

fn permutations(width: usize) -> Vec<Vec<usize>> {
    if width == 0 {
        return vec![Vec::new()];
    }
    let shorter = permutations(width - 1);
    shorter
        .iter()
        .flat_map(|order| {
            (0..=order.len()).map(move |at| {
                let mut longer = order.clone();
                longer.insert(at, width - 1);
                longer
            })
        })
        .collect()
}

/// Three records whose contributions the tests of sdcMicro (suda2, version 5.7) give as 50, 37.5 and 37.5 percent.
#[test]
fn sdcmicro_three_records() {
    let records = records(&vec![vec![2, 0, 0], vec![1, 3, 6], vec![1, 0, 0]]);
    let uniques = MinimalUniques::find(&records, 3);
    let scores = suda::scores(&records, &uniques);
    assert_eq!(scores.of_tuple, [2.0, 4.0, 2.0]);
    assert_eq!(scores.of_column, [0.5, 0.375, 0.375]);
    assert_eq!(uniques.of_tuple(1).map(ColumnSet::columns).collect::<Vec<_>>(), [vec![1], vec![2]]);
}

#[test]
fn dis_is_the_share_of_unique_matches_that_are_right() {
    // Two uniques and two pairs at a fraction of 0.25: 0.25 2 / (0.25 2 + 0.75 4) = 1/7.
    let records = records(&vec![vec![0, 0], vec![0, 1], vec![1, 2], vec![1, 2], vec![2, 2], vec![2, 2]]);
    assert_eq!(suda::dis(&records, 0.25), Some(1.0 / 7.0));
    let scores = suda::scores(&records, &MinimalUniques::find(&records, 2));
    assert_eq!(scores.of_tuple, [1.0, 1.0, 0.0, 0.0]);
    // Equal scores share it equally: 1 / (1 + (2 7 - 2) / 2) = 1/7 each.
    let shared = suda::dis_scores(&records, &scores, 0.25);
    assert!((shared[0] - 1.0 / 7.0).abs() < 1e-12 && shared[0] == shared[1]);
    assert_eq!(shared[2..], [0.0, 0.0]);
}

#[test]
fn a_search_up_to_a_size_scores_as_elliot_does() {
    // The product over i = k..M of (d - i).
    for (k, d, size, expected) in [(1, 5, 3, 24.0), (2, 5, 3, 6.0), (3, 5, 3, 2.0), (3, 3, 3, 1.0), (1, 8, 8, 5040.0)] {
        assert_eq!(suda::score(k, d, size), expected);
    }
}

#[test]
fn the_number_of_sets_is_the_number_walked() {
    for width in 1..=6 {
        for size in 1..=6 {
            let row: Vec<u32> = vec![0; width];
            let walked = MinimalUniques::find(&records(&vec![row.clone(), row]), size).unique_rows.len() as u64;
            assert_eq!(walked, tamis_risk::subsets_up_to(width, size));
        }
    }
}
