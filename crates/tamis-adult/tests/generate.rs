//! Generated tables are repeatable and look like Adult.

use std::collections::{HashMap, HashSet};
use tamis_adult::{COLUMNS, DEFAULT_NOISE, GenerateError, HIERARCHIES, ROWS, generate};

const SAMPLE: u64 = 200_000;

fn generated(rows: u64, seed: u64, noise: f64) -> String {
    let mut out = Vec::new();
    generate(rows, seed, noise, &mut out).expect("a vector takes everything");
    String::from_utf8(out).expect("Adult is ASCII")
}

fn rows(csv: &str) -> Vec<[&str; 9]> {
    csv.lines().skip(1).map(|line| line.split(';').collect::<Vec<_>>().try_into().expect("nine fields")).collect()
}

/// Half the sum over all pairs of values in two columns of the difference between their shares: the share of rows that would have
/// to change for the two tables to agree on these columns.
fn distance(left: &[[&str; 9]], right: &[[&str; 9]], columns: (usize, usize)) -> f64 {
    let mut differences: HashMap<(&str, &str), f64> = HashMap::new();
    for (table, sign) in [(left, 1.0), (right, -1.0)] {
        for row in table {
            *differences.entry((row[columns.0], row[columns.1])).or_default() += sign / table.len() as f64;
        }
    }
    differences.values().map(|difference| difference.abs()).sum::<f64>() / 2.0
}

#[test]
fn same_arguments_give_the_same_bytes() {
    let table = generated(5_000, 42, DEFAULT_NOISE);
    assert_eq!(table, generated(5_000, 42, DEFAULT_NOISE));
    assert_ne!(table, generated(5_000, 43, DEFAULT_NOISE));
    assert_ne!(table, generated(5_000, 42, 0.03));
    assert!(generated(6_000, 42, DEFAULT_NOISE).starts_with(&table));
}

/// A change here changes every table generated so far; it belongs in the changelog.
#[test]
fn first_rows_of_seed_1_stay_what_they_are() {
    let table = generated(4, 1, 0.1);
    let rows: Vec<&str> = table.lines().skip(1).collect();
    assert_eq!(rows, FIRST_ROWS);
}

const FIRST_ROWS: [&str; 4] = [
    "Male;24;White;Married-civ-spouse;Masters;United-States;Private;Prof-specialty;>50K",
    "Male;56;White;Married-civ-spouse;HS-grad;Cuba;Self-emp-inc;Sales;<=50K",
    "Male;44;White;Never-married;Bachelors;United-States;Private;Adm-clerical;>50K",
    "Male;52;White;Divorced;HS-grad;United-States;Private;Craft-repair;<=50K",
];

#[test]
fn shape_is_that_of_adult() {
    let table = generated(1_000, 3, 0.5);
    assert_eq!(table.lines().next(), Some(COLUMNS.join(";").as_str()));
    assert_eq!(table.lines().count(), 1_001);
    assert!(table.ends_with('\n'));
    assert!(table.lines().all(|line| line.split(';').count() == COLUMNS.len()));
    assert_eq!(generated(0, 3, 0.5).lines().count(), 1);
}

#[test]
fn every_value_is_in_its_hierarchy() {
    let listed: HashMap<&str, HashSet<&str>> = HIERARCHIES
        .into_iter()
        .map(|(name, text)| (name, text.lines().filter_map(|line| line.split(';').next()).collect()))
        .collect();
    for line in generated(50_000, 4, 1.0).lines().skip(1) {
        for (name, value) in COLUMNS.into_iter().zip(line.split(';')) {
            assert!(listed[name].contains(value), "{name} {value}");
            assert!(name != "age" || (17..=90).contains(&value.parse::<u32>().expect("an age is a number")), "{value}");
        }
    }
}

#[test]
fn marginals_are_those_of_adult() {
    let (adult, table) = (tamis_adult::csv(), generated(SAMPLE, 5, DEFAULT_NOISE));
    let (adult, table) = (rows(&adult), rows(&table));
    for (column, name) in COLUMNS.into_iter().enumerate() {
        let apart = distance(&adult, &table, (column, column));
        let limit = if name == "age" { 0.015 } else { 0.005 };
        assert!(apart < limit, "{name}: {apart}");
    }
}

/// Half the values replaced: columns no longer hang together, but each still has its distribution.
#[test]
fn heavy_noise_keeps_marginals_and_breaks_the_joint_distribution() {
    let (adult, table) = (tamis_adult::csv(), generated(SAMPLE, 6, 0.5));
    let (adult, table) = (rows(&adult), rows(&table));
    let (sex, status) = (0, 3);
    assert!(distance(&adult, &table, (status, status)) < 0.005);
    assert!(distance(&adult, &table, (sex, status)) > 0.1);
}

#[test]
fn pairs_of_columns_hang_together_as_in_adult() {
    let (adult, table) = (tamis_adult::csv(), generated(SAMPLE, 7, DEFAULT_NOISE));
    let (adult, table) = (rows(&adult), rows(&table));
    let age = 1;
    for (left, left_name) in COLUMNS.into_iter().enumerate() {
        for (right, right_name) in COLUMNS.into_iter().enumerate().skip(left + 1) {
            let limit = if left == age || right == age { 0.04 } else { 0.025 };
            let apart = distance(&adult, &table, (left, right));
            assert!(apart < limit, "{left_name} and {right_name}: {apart}");
        }
    }
}

#[test]
fn rows_without_noise_are_records_and_noise_makes_new_ones() {
    let adult = tamis_adult::csv();
    let records: HashSet<&str> = adult.lines().collect();
    assert!(generated(20_000, 8, 0.0).lines().all(|line| records.contains(line)));
    let table = generated(ROWS as u64, 8, DEFAULT_NOISE);
    let fresh = table.lines().filter(|line| !records.contains(line)).count() as f64 / ROWS as f64;
    // nine values and the step of the age: at most 1 - 0.98^10 of the rows are touched, and some of those exist already
    assert!((0.05..0.183).contains(&fresh), "{fresh}");
}

#[test]
fn noise_that_is_no_probability_is_refused() {
    for noise in [-0.1, 1.1, f64::NAN, f64::INFINITY] {
        let error = generate(1, 1, noise, &mut Vec::new()).expect_err("no probability");
        assert!(matches!(error, GenerateError::Noise { .. }));
        assert!(error.to_string().ends_with("give a number from 0 to 1"), "{error}");
    }
}

#[test]
fn a_writer_that_fails_is_reported() {
    let mut full = [0u8; 10];
    let error = generate(1, 1, 0.0, &mut full.as_mut_slice()).expect_err("ten bytes are too few");
    assert!(error.to_string().starts_with("the generated rows cannot be written: "), "{error}");
}
