//! Downcoding and minimality against the enumeration of every private table.

use crate::attack_tables;

use attack_tables::{CHAINS, file, fits, hierarchies, label, number, quarters_for, table, values};
use proptest::prelude::*;
use std::collections::{BTreeMap, BTreeSet};
use tamis_risk::attacks::downcoding::{Options, Recoding, attack};
use tamis_risk::attacks::{AttackError, minimality};

const NAMES: [&str; 2] = ["a", "b"];

type Rows = Vec<Vec<usize>>;

fn recoded(rows: &[Vec<usize>], levels: [usize; 2]) -> Vec<Vec<&'static str>> {
    rows.iter().map(|row| (0..2).map(|j| label(row[j], levels[j])).collect()).collect()
}

fn is_anonymous(rows: &[Vec<&str>], k: usize) -> bool {
    rows.iter().all(|row| rows.iter().filter(|other| *other == row).count() >= k)
}

/// The levels one step below.
fn below(levels: [usize; 2]) -> Vec<[usize; 2]> {
    let mut all = Vec::new();
    if levels[0] > 0 {
        all.push([levels[0] - 1, levels[1]]);
    }
    if levels[1] > 0 {
        all.push([levels[0], levels[1] - 1]);
    }
    all
}

fn all_levels() -> impl Iterator<Item = [usize; 2]> {
    (0..3).flat_map(|a| (0..3).map(move |b| [a, b]))
}

/// Every private table of which a row may be any value under its labels.
fn private_tables(released: &[Vec<&str>]) -> Vec<Rows> {
    let mut all: Vec<Rows> = vec![Vec::new()];
    for row in released {
        let under = |text: &str| (0..4).filter(|&value| CHAINS[value].contains(&text)).collect::<Vec<_>>();
        let (first, second) = (under(row[0]), under(row[1]));
        all = all
            .iter()
            .flat_map(|start| {
                let pairs = first.iter().flat_map(|&a| second.iter().map(move |&b| vec![a, b]));
                pairs.map(move |pair| [start.clone(), vec![pair]].concat())
            })
            .collect();
    }
    all
}

/// What the definition of downcoding gives for a release and the private tables that lead to it: rows certain to be in a cell, and the largest gain.
fn downcoded(released: &[Vec<&str>], levels: &[[usize; 2]], tables: &[Rows]) -> (u64, f64) {
    let cell = |row: &Vec<usize>, levels: [usize; 2]| {
        (0..2).map(|j| label(row[j], levels[j].saturating_sub(1))).collect::<Vec<_>>()
    };
    let (mut certain, mut gain) = (0, 0.0f64);
    let mut classes: BTreeMap<&Vec<&str>, Vec<usize>> = BTreeMap::new();
    for (number, row) in released.iter().enumerate() {
        classes.entry(row).or_default().push(number);
    }
    let everything = private_tables(released);
    for members in classes.values() {
        let levels = levels[members[0]];
        let counts = |table: &Rows| {
            let mut counts: BTreeMap<Vec<&str>, u64> = BTreeMap::new();
            for &member in members {
                *counts.entry(cell(&table[member], levels)).or_default() += 1;
            }
            counts
        };
        let mut cells: BTreeMap<Vec<&str>, f64> = BTreeMap::new();
        for table in &everything {
            for (cell, count) in counts(table) {
                *cells.entry(cell).or_default() += count as f64 / everything.len() as f64;
            }
        }
        if cells.len() < 2 {
            continue;
        }
        for (cell, expected) in cells {
            let held: Vec<u64> = tables.iter().map(|table| counts(table).get(&cell).copied().unwrap_or(0)).collect();
            certain += held.iter().min().copied().unwrap_or(0);
            let mean = held.iter().sum::<u64>() as f64 / held.len() as f64;
            gain = gain.max((mean - expected) / members.len() as f64);
        }
    }
    (certain, gain)
}

/// Whether rows of one class can be recoded row by row to something finer that is still k-anonymous.
fn can_be_refined(rows: &[&Vec<usize>], levels: [usize; 2], k: usize) -> bool {
    let choices: Vec<[usize; 2]> =
        all_levels().filter(|choice| choice[0] <= levels[0] && choice[1] <= levels[1]).collect();
    (0..choices.len().pow(rows.len() as u32)).any(|mut number| {
        let mut chosen = Vec::new();
        let mut is_finer = false;
        for row in rows {
            let choice = choices[number % choices.len()];
            number /= choices.len();
            is_finer |= choice != levels;
            chosen.push(vec![label(row[0], choice[0]), label(row[1], choice[1])]);
        }
        is_finer && is_anonymous(&chosen, k)
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn what_global_recoding_gives_away_is_what_all_private_tables_share(private in values(2, 5)) {
        let k = 2;
        for levels in all_levels() {
            let released = recoded(&private, levels);
            let is_minimal = |rows: &[Vec<usize>]| below(levels).iter().all(|&finer| !is_anonymous(&recoded(rows, finer), k));
            // Four rows with four values each for both columns are as many private tables as an enumeration should have.
            if !is_anonymous(&released, k) || !is_minimal(&private) || levels[0] + levels[1] > 2 {
                continue;
            }
            let tables: Vec<Rows> = private_tables(&released).into_iter().filter(|table| is_minimal(table)).collect();
            let (certain, gain) = downcoded(&released, &vec![levels; released.len()], &tables);
            let options = Options { labels: quarters_for(&NAMES), k: k as u64, recoding: Recoding::Global, limit: 100 };
            let report = attack(&table(&NAMES, &released), &NAMES, &options)?;
            prop_assert_eq!(report.at_risk, certain, "{:?} {:?}", released, report);
            prop_assert!((number(&report, "largest_gain") - gain).abs() < 1e-9, "{} {:?}", gain, report);
        }
    }

    #[test]
    fn what_local_recoding_gives_away_is_what_all_private_tables_share(private in values(2, 4)) {
        let k = 2;
        for levels in [[1, 0], [2, 0], [0, 1], [1, 1]] {
            let released = recoded(&private, levels);
            let is_minimal = |rows: &[Vec<usize>]| {
                let labels = recoded(rows, levels);
                labels.iter().all(|class| {
                    let members: Vec<&Vec<usize>> =
                        rows.iter().zip(&labels).filter(|(_, label)| *label == class).map(|(row, _)| row).collect();
                    !can_be_refined(&members, levels, k)
                })
            };
            if !is_anonymous(&released, k) || !is_minimal(&private) {
                continue;
            }
            let tables: Vec<Rows> = private_tables(&released).into_iter().filter(|table| is_minimal(table)).collect();
            let (certain, _) = downcoded(&released, &vec![levels; released.len()], &tables);
            let options = Options { labels: quarters_for(&NAMES), k: k as u64, recoding: Recoding::Local, limit: 100 };
            let report = attack(&table(&NAMES, &released), &NAMES, &options)?;
            prop_assert_eq!(report.at_risk, certain, "{:?} {:?}", released, report);
        }
    }
}

/// Whether every class has each value of concern in at most half its rows.
fn is_diverse(classes: &[Vec<&str>], sick: &[bool]) -> bool {
    classes.iter().all(|class| {
        let members = || classes.iter().zip(sick).filter(|(other, _)| *other == class);
        2 * members().filter(|(_, sick)| **sick).count() <= members().count()
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(100))]

    #[test]
    fn what_minimality_tells_is_what_all_assignments_that_need_it_share(
        ages in values(1, 10), places in prop::collection::vec(0usize..2, 10), sickness in 0usize..1024,
    ) {
        // Few places, so that several people have the same values.
        let people: Rows = ages.iter().zip(&places).map(|(age, place)| vec![age[0], 3 * place]).collect();
        let sick: Vec<bool> = (0..people.len()).map(|person| sickness & 1 << person != 0).collect();
        prop_assume!(sick.iter().any(|sick| *sick));
        for levels in all_levels() {
            let released = recoded(&people, levels);
            // All finer transformations, not only those one step below.
            let is_minimal = |sick: &[bool]| all_levels()
                .filter(|finer| *finer != levels && finer[0] <= levels[0] && finer[1] <= levels[1])
                .all(|finer| !is_diverse(&recoded(&people, finer), sick));
            if !is_diverse(&released, &sick) || !is_minimal(&sick) {
                continue;
            }
            let mut possible: Vec<Vec<bool>> = Vec::new();
            for number in 0usize..1 << people.len() {
                let other: Vec<bool> = (0..people.len()).map(|person| number & 1 << person != 0).collect();
                let agrees = released.iter().all(|class| {
                    let count = |sick: &[bool]| released.iter().zip(sick).filter(|(row, sick)| *row == class && **sick).count();
                    count(&other) == count(&sick)
                });
                if agrees && is_minimal(&other) {
                    possible.push(other);
                }
            }
            let probability = |person: usize| possible.iter().filter(|sick| sick[person]).count() as f64 / possible.len() as f64;
            let exposed = (0..people.len()).filter(|&person| probability(person) > 0.5 + 1e-9).count() as u64;
            let largest = (0..people.len()).map(probability).fold(0.0, f64::max);
            let disease: Vec<Vec<&str>> = released.iter().zip(&sick)
                .map(|(row, sick)| vec![row[0], row[1], if *sick { "sick" } else { "well" }]).collect();
            let external: Vec<Vec<String>> = people.iter().map(|row| row.iter().map(ToString::to_string).collect()).collect();
            let options = minimality::Options {
                labels: quarters_for(&NAMES), l: 2.0, k: 1, values: vec!["sick"], recoding: Recoding::Global, limit: 100,
            };
            let report = minimality::attack(&table(&["a", "b", "s"], &disease), &table(&NAMES, &external), &NAMES, "s", &options)?;
            prop_assert_eq!(report.at_risk, exposed, "{:?}", report);
            prop_assert!((number(&report, "largest_probability") - largest).abs() < 1e-9, "{} {:?}", largest, report);
        }
    }
}

/// All different ways to give each person one of the released rows that fits.
fn handed_out(
    people: &[usize],
    left: &[(&'static str, bool)],
    start: &mut Vec<(&'static str, bool)>,
    all: &mut BTreeSet<Vec<(&'static str, bool)>>,
) {
    let Some(&person) = people.get(start.len()) else {
        all.insert(start.clone());
        return;
    };
    for taken in 0..left.len() {
        if fits(left[taken].0, person) {
            let rest: Vec<_> = left.iter().enumerate().filter(|(row, _)| *row != taken).map(|(_, row)| *row).collect();
            start.push(left[taken]);
            handed_out(people, &rest, start, all);
            start.pop();
        }
    }
}

/// Whether every part of the people that was generalized needed it: some of its people with the same value are sick by more than half.
fn needed(people: &[usize], released: &[&str], sick: &[bool]) -> bool {
    // Who fits a common row is in one part.
    let mut part: Vec<usize> = (0..people.len()).collect();
    for _ in people {
        for row in released {
            let fitting: Vec<usize> = (0..people.len()).filter(|&person| fits(row, people[person])).collect();
            let least = fitting.iter().map(|&person| part[person]).min().unwrap_or(0);
            for person in fitting {
                part[person] = least;
            }
        }
    }
    (0..people.len()).all(|number| {
        let members: Vec<usize> = (0..people.len()).filter(|&person| part[person] == number).collect();
        let is_generalized = members.iter().any(|&person| {
            let value = people[person].to_string();
            released.iter().any(|row| fits(row, people[person]) && **row != value)
        });
        let fails = |person: &usize| {
            let same = || (0..people.len()).filter(|other| people[*other] == people[*person]);
            2 * same().filter(|&other| sick[other]).count() > same().count()
        };
        !is_generalized || members.iter().any(fails)
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(600))]

    #[test]
    fn what_minimality_tells_of_rows_generalized_one_by_one_is_what_all_assignments_share(
        people in prop::collection::vec((0usize..4, 0usize..3, any::<bool>()), 2..=6),
    ) {
        let values: Vec<usize> = people.iter().map(|person| person.0).collect();
        let rows: Vec<(&'static str, bool)> = people.iter().map(|&(value, level, sick)| (label(value, level), sick)).collect();
        let labels: Vec<&str> = rows.iter().map(|row| row.0).collect();
        let sick: Vec<bool> = rows.iter().map(|row| row.1).collect();
        let classes: Vec<Vec<&str>> = labels.iter().map(|label| vec![*label]).collect();
        if !sick.contains(&true) || !is_diverse(&classes, &sick) || !needed(&values, &labels, &sick) {
            return Ok(());
        }
        let mut all = BTreeSet::new();
        handed_out(&values, &rows, &mut Vec::new(), &mut all);
        let sicknesses = all.iter().map(|rows| rows.iter().map(|row| row.1).collect::<Vec<bool>>());
        let possible: Vec<Vec<bool>> = sicknesses.filter(|sick| needed(&values, &labels, sick)).collect();
        let probability = |person: usize| possible.iter().filter(|sick| sick[person]).count() as f64 / possible.len() as f64;
        let exposed = (0..values.len()).filter(|&person| probability(person) > 0.5 + 1e-9).count() as u64;
        let largest = (0..values.len()).map(probability).fold(0.0, f64::max);
        let released: Vec<Vec<&str>> =
            rows.iter().map(|&(label, sick)| vec![label, if sick { "sick" } else { "well" }]).collect();
        let external: Vec<Vec<String>> = values.iter().map(|value| vec![value.to_string()]).collect();
        let options = minimality::Options {
            labels: quarters_for(&["a"]), l: 2.0, k: 1, values: vec!["sick"], recoding: Recoding::Local, limit: 100,
        };
        let report = minimality::attack(&table(&["a", "s"], &released), &table(&["a"], &external), &["a"], "s", &options)?;
        prop_assert_eq!(report.at_risk, exposed, "{:?}", report);
        prop_assert!((number(&report, "largest_probability") - largest).abs() < 1e-9, "{} {:?}", largest, report);
    }
}

#[test]
fn a_pair_that_had_to_be_generalized_differs() -> Result<(), AttackError> {
    let labels = || hierarchies(&[("age", "downcoding_age.csv")]);
    let pair = table(&["age"], &[vec!["20-39"], vec!["20-39"]]);
    let options = Options { labels: labels(), k: 2, recoding: Recoding::Global, limit: 10 };
    let report = attack(&pair, &["age"], &options)?;
    assert_eq!((report.people, report.at_risk), (2, 2));
    assert_eq!(
        report.findings[0].sentence,
        "The 2 rows with age = 20-39 are certainly 1 with age = 20-29 and 1 with age = 30-39: otherwise a finer table would have been released."
    );
    // Of two pairs recoded together, one may be the reason for the other.
    let report = attack(&file("downcoding_release.csv"), &["age"], &options)?;
    assert_eq!(report.at_risk, 0);
    let local = Options { recoding: Recoding::Local, ..options };
    assert_eq!(attack(&file("downcoding_release.csv"), &["age"], &local)?.at_risk, 4);
    Ok(())
}

#[test]
fn a_release_that_is_too_large_or_not_minimal_is_refused() {
    let options = |k| Options { labels: quarters_for(&NAMES), k, recoding: Recoding::Global, limit: 10 };
    let many = table(&NAMES, &vec![vec!["any", "any"]; 4000]);
    assert!(matches!(attack(&many, &NAMES, &options(2)), Err(AttackError::TooManyWays { .. })));
    // A single label below, so that the finer table has the same classes.
    let one = table(&["a"], &[vec!["0"], vec!["0"]]);
    let error = attack(&one, &["a"], &options(3)).err().map(|error| error.to_string()).unwrap_or_default();
    assert!(error.contains("smallest class of the release has 2 rows"), "{error}");
    let local = Options { recoding: Recoding::Local, ..options(2) };
    let four = table(&["a"], &vec![vec!["low"]; 4]);
    assert!(matches!(attack(&four, &["a"], &local), Err(AttackError::Impossible(_))));
}
