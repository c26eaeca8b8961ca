//! People with several rows, missing values and populations by example; `optimal.rs` has them at random.

use crate::common;

use common::{Company, Flavour, Quality, Requirement, Row, Sample, check};
use tamis_engine::{Recoding, survey};

/// Rows `value secret person`, a population row marked by a trailing `-`; `?` is a missing value.
fn sample(hierarchy: &str, rows: &str, flavour: Flavour, requirements: Vec<Requirement>) -> Sample {
    let lines: Vec<Vec<String>> = hierarchy
        .split_whitespace()
        .map(|line| line.split(';').map(|label| label.replace('?', "")).collect())
        .collect();
    let rows: Vec<Row> = rows
        .split(',')
        .map(|row| {
            let values: Vec<&str> = row.split_whitespace().collect();
            Row {
                quasi: vec![values[0].replace('?', "")],
                sensitive: vec![values[1].to_owned()],
                person: values[2].parse().unwrap(),
                is_released: values.get(3) != Some(&"-"),
            }
        })
        .collect();
    Sample {
        company: Company::default(),
        rows,
        upper: vec![lines[0].len() - 1],
        hierarchies: vec![Some(lines)],
        wildcards: vec![flavour.wildcards],
        trees: vec![(0..5).map(|value| vec![value.to_string(), "*".to_owned()]).collect()],
        flavour,
        requirements,
        quality: Quality { measure: "loss", variant: None, aggregate: None, tenths: 5, weights: vec![1.0] },
        limit: 0,
        lower: vec![0],
    }
}

/// Suppressed rows of each level, and whether it may be chosen.
fn levels(sample: &Sample) -> Vec<(u64, bool)> {
    check(sample);
    survey(&sample.problem()).unwrap().into_iter().map(|found| (found.suppressed, found.holds)).collect()
}

const PEOPLE: Flavour = Flavour { people: true, wildcards: false, population: false };
const WILDCARDS: Flavour = Flavour { people: false, wildcards: true, population: false };
const POPULATION: Flavour = Flavour { people: false, wildcards: false, population: true };
const TWO: &str = "a;* b;*";

#[test]
fn k_counts_people() {
    // Three rows of person 1 hide nobody.
    let rows = "a 0 1, a 0 1, a 0 1, b 0 2, b 0 3";
    let at = |k: u64| levels(&sample(TWO, rows, PEOPLE, vec![Requirement::K { k }]));
    assert_eq!(at(2), [(3, false), (0, true)]);
    assert_eq!(at(3), [(5, false), (0, true)]);
}

#[test]
fn the_size_of_a_class_is_its_people() {
    let problem = sample(TWO, "a 0 1, a 0 1, a 0 2, b 0 2", PEOPLE, vec![Requirement::K { k: 1 }]).problem();
    let recoding = Recoding::of(&problem, &[0]);
    assert_eq!((recoding.class_rows, recoding.class_sizes), (vec![3, 1], vec![2, 1]));
    assert_eq!(Recoding::of(&problem, &[1]).class_sizes, [2]);
}

#[test]
fn a_person_counts_once_per_value() {
    // By rows 5 is not below 2.1 times 2; by people 2 is below 2.1 times 1.
    let rows = "a 0 1, a 0 1, a 0 1, a 0 1, a 0 1, a 1 2, a 1 3";
    let requirement = Requirement::Recursive { tenths: 21, l: 2, attribute: None };
    assert_eq!(levels(&sample(TWO, rows, PEOPLE, vec![requirement])), [(0, true), (0, true)]);
}

#[test]
fn one_person_with_many_values_is_not_diverse() {
    let rows = "a 0 1, a 1 1, a 2 1, b 0 2, b 1 3";
    let requirement = Requirement::Distinct { l: 2, attribute: None };
    assert_eq!(levels(&sample(TWO, rows, PEOPLE, vec![requirement])), [(3, false), (0, true)]);
}

#[test]
fn closeness_compares_people_with_people() {
    // One person's five visits do not move the table's distribution: it is half and half, as is each class.
    let rows = "a 0 1, a 0 1, a 0 1, a 0 1, a 0 1, a 1 2, b 0 3, b 1 4";
    let requirement = Requirement::Closeness { twentieths: 0, distance: "equal", attribute: None };
    assert_eq!(levels(&sample(TWO, rows, PEOPLE, vec![requirement])), [(0, true), (0, true)]);
}

#[test]
fn a_missing_value_hides_in_every_class() {
    let k = || vec![Requirement::K { k: 2 }];
    assert_eq!(levels(&sample(TWO, "a 0 1, ? 0 2", WILDCARDS, k())), [(0, true), (0, true)]);
    // As a value of its own it does not.
    assert_eq!(levels(&sample(TWO, "a 0 1, ? 0 2", Flavour::default(), k())), [(2, false), (0, true)]);
}

#[test]
fn what_falls_takes_its_company_along() {
    // The two a are all alike, so they fall; the b and the missing value still have each other.
    let requirements = || vec![Requirement::K { k: 2 }, Requirement::Distinct { l: 2, attribute: None }];
    let rows = "a 0 1, a 0 2, b 1 3, ? 0 4";
    assert_eq!(levels(&sample(TWO, rows, WILDCARDS, requirements()))[0], (2, false));
    // With value 0 for the b as well, the missing value is what fails last.
    let rows = "a 0 1, a 0 2, b 0 3, ? 0 4";
    assert_eq!(levels(&sample(TWO, rows, WILDCARDS, requirements()))[0], (4, false));
}

#[test]
fn a_missing_value_generalized_with_some_values_is_no_longer_missing() {
    // On level 1 the missing value is one of the a, and the b is alone; on level 0 it could be a b.
    let hierarchy = "a;x;* ?;x;* b;y;*";
    let sample = sample(hierarchy, "a 0 1, ? 0 2, b 0 3", WILDCARDS, vec![Requirement::K { k: 2 }]);
    assert_eq!(levels(&sample), [(0, true), (1, false), (0, true)]);
}

#[test]
fn a_population_class_without_rows_to_release_blocks() {
    let presence = |min_tenths, max_tenths| vec![Requirement::Presence { min_tenths, max_tenths }];
    let rows = "a 0 1, a 0 2 -, b 0 3 -, b 0 4 -";
    // Half of the a are released, none of the b: that alone gives the b away as absent.
    let at = |min, max| {
        let mut sample = sample(TWO, rows, POPULATION, presence(min, max));
        sample.limit = 1;
        levels(&sample)
    };
    assert_eq!(at(0, 5), [(0, true), (0, true)]);
    assert_eq!(at(1, 5), [(0, false), (0, true)]);
    // Too many of the a: they can be suppressed.
    assert_eq!(at(0, 4), [(1, true), (0, true)]);
}

#[test]
fn everything_else_counts_rows_to_release() {
    let rows = "a 0 1, a 0 2 -, a 1 3 -, b 0 4, b 1 5";
    let k = Requirement::K { k: 2 };
    let closeness = Requirement::Closeness { twentieths: 7, distance: "equal", attribute: None };
    let presence = Requirement::Presence { min_tenths: 0, max_tenths: 10 };
    let all = sample(TWO, rows, POPULATION, vec![k, presence.clone()]);
    assert_eq!(levels(&all), [(1, false), (0, true)]);
    // Two of three rows to release have value 0; the b are 1/6 from that, the a 1/3.
    let near = sample(TWO, rows, POPULATION, vec![closeness, presence]);
    assert_eq!(levels(&near), [(0, true), (0, true)]);
}

/// Below, the company of the five does not fall, so their fall above proves nothing about them.
#[test]
fn who_falls_with_its_company_may_stand_where_that_stands() {
    let requirements = vec![Requirement::K { k: 6 }, Requirement::Recursive { tenths: 11, l: 2, attribute: None }];
    let rows = "b 0 1, b 0 2, b 0 3, b 1 4, b 1 5, b 1 6, c 1 7, c 1 8";
    let mut sample = sample("b;x c;x", rows, WILDCARDS, requirements);
    sample.wildcards.push(true);
    sample.hierarchies.push(Some(vec![vec!["1".to_owned()], vec!["2".to_owned()]]));
    sample.quality.weights.push(1.0);
    sample.lower.push(0);
    sample.upper.push(0);
    for (row, second) in sample.rows.iter_mut().zip(["1", "1", "1", "1", "1", "", "2", "2"]) {
        row.quasi.push(second.to_owned());
    }
    sample.limit = 2;
    assert_eq!(levels(&sample), [(2, true), (8, false)]);
}
