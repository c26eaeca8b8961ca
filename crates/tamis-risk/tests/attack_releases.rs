//! Two releases of one table against all ways to pair their rows.

use crate::attack_tables;

use attack_tables::{label, number, quarters_for, rows, table, values};
use proptest::prelude::*;
use std::collections::BTreeSet;
use tamis_risk::attacks::{complementary, unsorted};
use tamis_table::Table;

const NAMES: [&str; 3] = ["a", "b", "s"];

/// The private rows with the first two columns on some levels.
fn release(private: &[Vec<usize>], levels: [usize; 2], order: &[usize]) -> Vec<Vec<String>> {
    let text = |row: &Vec<usize>| {
        vec![label(row[0], levels[0]).to_owned(), label(row[1], levels[1]).to_owned(), row[2].to_string()]
    };
    order.iter().map(|&row| text(&private[row])).collect()
}

fn as_table(rows: &[Vec<String>]) -> Table {
    table(&NAMES, rows)
}

/// How much a text of the hierarchy leaves open.
fn breadth(text: &str) -> usize {
    match text {
        "*" => 5,
        "any" => 4,
        "low" => 3,
        "high" => 2,
        _ => 1,
    }
}

fn covers(general: &str, specific: &str) -> bool {
    let values = |text: &str| (0..4).filter(|&value| attack_tables::fits(text, value)).collect::<BTreeSet<_>>();
    values(specific).is_subset(&values(general))
}

/// The linked row of two rows that can be about one person.
fn linked(left: &[String], right: &[String]) -> Option<Vec<String>> {
    if left[2] != right[2] || (0..2).any(|j| !covers(&left[j], &right[j]) && !covers(&right[j], &left[j])) {
        return None;
    }
    let finer = |j: usize| if breadth(&right[j]) < breadth(&left[j]) { &right[j] } else { &left[j] };
    Some(vec![finer(0).clone(), finer(1).clone(), left[2].clone()])
}

/// All ways to pair every row of one release with one of the other.
fn pairings(left: &[Vec<String>], right: &[Vec<String>], taken: &mut Vec<usize>, all: &mut Vec<Vec<Vec<String>>>) {
    if taken.len() == left.len() {
        all.push(taken.iter().zip(left).filter_map(|(&other, row)| linked(row, &right[other])).collect());
        return;
    }
    for other in 0..right.len() {
        if !taken.contains(&other) && linked(&left[taken.len()], &right[other]).is_some() {
            taken.push(other);
            pairings(left, right, taken, all);
            taken.pop();
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn whoever_is_exposed_is_so_in_every_way_to_pair_the_rows(
        private in values(3, 6), first in [0usize..3, 0usize..3], second in [0usize..3, 0usize..3], turn in 0usize..6, k in 2u64..4,
    ) {
        let order: Vec<usize> = (0..private.len()).collect();
        let mut turned = order.clone();
        turned.rotate_left(turn % private.len());
        let (left, right) = (release(&private, first, &order), release(&private, second, &turned));
        let options = complementary::Options {
            on: vec!["s"], labels: quarters_for(&["a", "b"]), k: Some(k), limit: 100, ..complementary::Options::default()
        };
        let (linking, report) = complementary::attack(&as_table(&left), &as_table(&right), &options)?;
        let mut all = Vec::new();
        pairings(&left, &right, &mut Vec::new(), &mut all);
        prop_assert!(!all.is_empty());
        for finding in &report.findings {
            let values: Vec<&String> = finding.who.0.iter().chain(&finding.learned.0).map(|(_, value)| value).collect();
            for pairing in &all {
                let same = pairing.iter().filter(|row| row[..2].iter().eq(values[..2].iter().copied())).count() as u64;
                prop_assert!(same > 0 && same < k && 1.0 / same as f64 >= finding.probability, "{:?}", finding);
                prop_assert!(pairing.iter().any(|row| row.iter().eq(values.iter().copied())));
            }
        }
        // A linking table without uncertain rows is the only one.
        if number(&report, "uncertain_links") == 0.0 {
            let sorted = |mut rows: Vec<Vec<String>>| { rows.sort(); rows };
            let found = sorted(rows(&linking));
            for pairing in all {
                prop_assert_eq!(&found, &sorted(pairing));
            }
        }
    }

    #[test]
    fn releases_in_the_same_order_give_the_finer_level_of_every_column(
        private in values(3, 8), first in [0usize..3, 0usize..3], second in [0usize..3, 0usize..3],
    ) {
        let order: Vec<usize> = (0..private.len()).collect();
        let (left, right) = (release(&private, first, &order), release(&private, second, &order));
        let finer = [first[0].min(second[0]), first[1].min(second[1])];
        let expected = release(&private, finer, &order);
        let options = unsorted::Options { labels: quarters_for(&["a", "b"]), quasi: vec!["a", "b"], limit: 100, ..unsorted::Options::default() };
        let (combined, report) = unsorted::attack(&as_table(&left), &as_table(&right), &options)?;
        prop_assert_eq!(rows(&combined), expected.clone());
        let size = |rows: &[Vec<String>], row: &Vec<String>| rows.iter().filter(|other| other[..2] == row[..2]).count();
        let k = |rows: &[Vec<String>]| rows.iter().map(|row| size(rows, row)).min().unwrap_or(0);
        let promised = k(&left).min(k(&right));
        let exposed = expected.iter().filter(|row| size(&expected, row) < promised).count() as u64;
        prop_assert_eq!(report.at_risk, exposed);
    }
}

#[test]
fn rows_suppressed_in_both_releases_are_not_people() {
    let first = table(&["a", "s"], &[vec!["1", "x"], vec!["1", "y"], vec!["*", "z"], vec!["2", "z"], vec!["2", "x"]]);
    let second = table(&["a", "s"], &[vec!["1", "x"], vec!["1", "y"], vec!["*", "z"], vec!["2", "z"], vec!["*", "x"]]);
    let options = unsorted::Options { quasi: vec!["a"], k: Some(2), limit: 10, ..unsorted::Options::default() };
    let (_, report) = unsorted::attack(&first, &second, &options).expect("an answer");
    assert_eq!((report.people, report.at_risk), (4, 0), "{}", report.summary);
}

#[test]
fn releases_of_different_length_or_without_a_common_column_are_no_input() {
    let one = table(&["a"], &[vec!["1"]]);
    let two = table(&["a"], &[vec!["1"], vec!["2"]]);
    let other = table(&["b"], &[vec!["1"]]);
    let options = unsorted::Options::default();
    let error =
        |left, right| unsorted::attack(left, right, &options).err().map(|error| error.to_string()).unwrap_or_default();
    assert!(error(&one, &two).contains("1 and 2 rows"));
    assert!(error(&one, &other).contains("no column in common"));
}
