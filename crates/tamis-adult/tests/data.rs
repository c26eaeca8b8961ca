//! The bundled table and hierarchies are what they claim to be.

use std::collections::{BTreeSet, HashMap};
use tamis_adult::{AGE_CORRECTED, COLUMNS, HIERARCHIES, QUASI_IDENTIFIERS, ROWS, SENSITIVE};
use tamis_table::{Hierarchy, HierarchyRow};

fn rows(text: &str) -> Vec<Vec<&str>> {
    text.lines().map(|line| line.split(';').collect()).collect()
}

fn parse(text: &str) -> Hierarchy {
    let rows: Vec<HierarchyRow> = text
        .lines()
        .zip(1..)
        .map(|(text, line)| HierarchyRow { line, labels: text.split(';').map(str::to_owned).collect() })
        .collect();
    Hierarchy::from_rows(&rows).expect("a bundled hierarchy is sound")
}

fn position(column: &str) -> usize {
    COLUMNS.iter().position(|name| *name == column).expect("one of the nine columns")
}

#[test]
fn table_has_its_rows_and_columns() {
    let csv = tamis_adult::csv();
    assert!(csv.is_ascii() && csv.ends_with('\n') && !csv.contains('\r'));
    let rows = rows(&csv);
    assert_eq!(rows[0], COLUMNS);
    assert_eq!(rows.len() - 1, ROWS);
    assert!(rows.iter().all(|row| row.len() == 9 && row.iter().all(|field| !field.is_empty() && *field != "?")));
}

#[test]
fn counts_are_those_of_adult() {
    let csv = tamis_adult::csv();
    let mut counts: HashMap<(usize, &str), usize> = HashMap::new();
    for row in rows(&csv).into_iter().skip(1) {
        for (column, field) in row.into_iter().enumerate() {
            *counts.entry((column, field)).or_default() += 1;
        }
    }
    for (column, value, count) in [
        ("sex", "Male", 20_380),
        ("sex", "Female", 9_782),
        ("race", "White", 25_933),
        ("race", "Black", 2_817),
        ("race", "Asian-Pac-Islander", 895),
        ("race", "Amer-Indian-Eskimo", 286),
        ("race", "Other", 231),
        ("workclass", "Private", 22_286),
        ("workclass", "Without-pay", 14),
        ("salary-class", "<=50K", 22_654),
        ("salary-class", ">50K", 7_508),
    ] {
        assert_eq!(counts[&(position(column), value)], count, "{column} {value}");
    }
    let ages: BTreeSet<u32> = counts
        .keys()
        .filter(|(column, _)| *column == position("age"))
        .map(|(_, age)| age.parse().expect("an age is a number"))
        .collect();
    assert_eq!((ages.first(), ages.last()), (Some(&17), Some(&90)));
}

#[test]
fn roles_cover_every_column_once() {
    let mut roles: Vec<&str> = QUASI_IDENTIFIERS.into_iter().chain([SENSITIVE]).collect();
    assert_eq!(HIERARCHIES.map(|(name, _)| name).to_vec(), roles);
    roles.sort_by_key(|column| position(column));
    assert_eq!(roles, COLUMNS);
    assert!(QUASI_IDENTIFIERS.is_sorted_by_key(|column| position(column)));
    assert_eq!(tamis_adult::hierarchy("zip"), None);
}

#[test]
fn hierarchies_have_the_published_number_of_lines_and_levels() {
    let expected = [
        ("sex", 2, 2),
        ("age", 100, 5),
        ("race", 5, 2),
        ("marital-status", 7, 3),
        ("education", 16, 4),
        ("native-country", 41, 3),
        ("workclass", 8, 3),
        ("salary-class", 2, 2),
        ("occupation", 14, 3),
    ];
    let found = HIERARCHIES.map(|(name, text)| {
        let hierarchy = parse(text);
        (name, hierarchy.lines(), hierarchy.levels())
    });
    assert_eq!(found, expected);
}

#[test]
fn every_value_is_listed_and_ends_in_a_star() {
    let csv = tamis_adult::csv();
    let rows = rows(&csv);
    for (name, text) in HIERARCHIES.into_iter().chain([("age", AGE_CORRECTED)]) {
        let hierarchy = parse(text);
        let column = position(name);
        for row in &rows[1..] {
            assert_eq!(hierarchy.label(row[column], hierarchy.levels() - 1), Some("*"), "{name} {}", row[column]);
        }
    }
}

/// Lower and upper bound that a label of `width` years would have if it began at a multiple of `width`.
fn interval(start: u32, width: u32) -> String {
    format!("{}-{}", start / width * width, start / width * width + width - 1)
}

#[test]
fn published_age_labels_are_one_year_off() {
    let age = parse(tamis_adult::hierarchy("age").expect("age has a hierarchy"));
    for years in 1..=100u32 {
        for (level, width) in [(1, 5), (2, 10), (3, 20)] {
            assert_eq!(age.label(&years.to_string(), level), Some(interval(years - 1, width).as_str()));
        }
    }
}

#[test]
fn corrected_age_labels_mean_what_they_say() {
    let age = parse(AGE_CORRECTED);
    assert_eq!((age.lines(), age.levels()), (100, 5));
    for years in 0..=99u32 {
        for (level, width) in [(1, 5), (2, 10), (3, 20)] {
            assert_eq!(age.label(&years.to_string(), level), Some(interval(years, width).as_str()));
        }
    }
}
