//! Linkage and membership against nested loops.

use crate::attack_tables;

use attack_tables::{fits, number, quarters_for, table, texts, values};
use proptest::prelude::*;
use tamis_risk::attacks::{Labels, LabelsByColumn, linkage, membership};
use tamis_table::{HierarchyRow, Table};

const NAMES: [&str; 2] = ["a", "b"];

fn people_table(people: &[Vec<usize>]) -> Table {
    let texts: Vec<Vec<String>> = people.iter().map(|row| row.iter().map(ToString::to_string).collect()).collect();
    table(&NAMES, &texts)
}

fn is_candidate(released: &[&str], person: &[usize]) -> bool {
    released != ["*", "*"] && released.iter().zip(person).all(|(text, &value)| fits(text, value))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn candidates_are_the_rows_that_fit(released in texts(12), people in values(2, 12)) {
        let found = linkage::candidates(&table(&NAMES, &released), &people_table(&people), &NAMES, &quarters_for(&NAMES))?;
        let count = |person: &Vec<usize>| released.iter().filter(|row| is_candidate(row, person)).count() as u64;
        prop_assert_eq!(found, people.iter().map(count).collect::<Vec<_>>());
    }

    #[test]
    fn a_person_is_found_if_they_and_a_row_fit_nobody_else(released in texts(12), people in values(2, 12), present in any::<bool>()) {
        let options = linkage::Options { labels: quarters_for(&NAMES), present, limit: 100, ..linkage::Options::default() };
        let report = linkage::attack(&table(&NAMES, &released), &people_table(&people), &NAMES, &options)?;
        let (mut found, mut expected_matches) = (Vec::new(), 0.0);
        for (number, person) in people.iter().enumerate() {
            let rows: Vec<_> = released.iter().filter(|row| is_candidate(row, person)).collect();
            let rivals: Vec<usize> =
                rows.iter().map(|row| people.iter().filter(|other| is_candidate(row, other)).count()).collect();
            if rows.len() == 1 && (present || rivals == [1]) {
                found.push((number + 1).to_string());
            }
            for rivals in rivals {
                let most = if present { rows.len() } else { rows.len().max(rivals) };
                expected_matches += 1.0 / most as f64 / rows.len() as f64;
            }
        }
        let named: Vec<String> = report.findings.iter().map(|finding| finding.who.0[0].1.clone()).collect();
        prop_assert_eq!(named, found);
        prop_assert!((number(&report, "expected_matches") - expected_matches).abs() < 1e-9);
    }

    #[test]
    fn presence_is_certain_only_where_a_row_has_no_other_explanation(released in texts(12), people in values(2, 12)) {
        let labels = quarters_for(&NAMES);
        let found = membership::probabilities(&table(&NAMES, &released), &people_table(&people), &NAMES, &labels)?;
        let suppressed = released.iter().filter(|row| ***row == ["*", "*"]).count() as f64;
        let told = |person: &Vec<usize>| {
            let mut absent = 1.0;
            let mut kinds: Vec<_> = released.iter().filter(|row| is_candidate(row, person)).collect();
            kinds.sort();
            kinds.dedup();
            for kind in kinds {
                let rows = released.iter().filter(|row| *row == kind).count();
                let rivals = people.iter().filter(|other| is_candidate(kind, other)).count();
                absent *= 1.0 - (rows as f64 / rivals as f64).min(1.0);
            }
            1.0 - absent
        };
        let left: f64 = people.iter().map(|person| 1.0 - told(person)).sum();
        let hidden = if left < 1e-9 { 0.0 } else { (suppressed / left).min(1.0) };
        for (person, probability) in people.iter().zip(found) {
            let told = told(person);
            prop_assert!((probability - (told + (1.0 - told) * hidden)).abs() < 1e-9);
            let fits = released.iter().any(|row| is_candidate(row, person));
            prop_assert_eq!(probability == 0.0, !fits && suppressed == 0.0);
        }
    }
}

/// Everybody in the sets of people whom the rows with a value, and then the suppressed ones, could be about: each set as likely as any other.
#[test]
fn suppressed_rows_are_about_anybody_who_is_left() {
    let zips = ["1", "1", "1", "2", "2", "3", "4"];
    let released = ["1", "2", "2", "*", "*"].map(|zip| vec![zip]);
    let population = table(&["zip"], &zips.map(|zip| vec![zip]));
    let found = membership::probabilities(&table(&["zip"], &released), &population, &["zip"], &LabelsByColumn::new());
    let count =
        |set: u32, zip: &str| zips.iter().enumerate().filter(|(at, own)| set >> at & 1 == 1 && **own == zip).count();
    let is_told = |set: &u32| ["1", "2", "3", "4"].map(|zip| count(*set, zip)) == [1, 2, 0, 0];
    let mut there = [0.0; 7];
    let mut ways = 0.0;
    for told in (0u32..128).filter(is_told) {
        for hidden in (0u32..128).filter(|hidden| hidden & told == 0 && hidden.count_ones() == 2) {
            ways += 1.0;
            for (at, there) in there.iter_mut().enumerate() {
                *there += f64::from((told | hidden) >> at & 1);
            }
        }
    }
    for (found, there) in found.expect("an answer").into_iter().zip(there) {
        assert!((found - there / ways).abs() < 1e-12, "{found} is not {}", there / ways);
    }
}

#[test]
fn tables_without_common_texts_are_refused_unless_a_hierarchy_relates_them() {
    let released = table(&["a"], &[vec!["low"], vec!["low"], vec!["*"]]);
    let people = table(&["a"], &[vec!["1"], vec!["2"]]);
    let said = |labels: LabelsByColumn| {
        let linkage = linkage::Options { labels: labels.clone(), ..linkage::Options::default() };
        let membership = membership::Options { labels, ..membership::Options::default() };
        let linked = linkage::attack(&released, &people, &["a"], &linkage).map(|_| ());
        assert_eq!(linked, membership::attack(&released, &people, &["a"], &membership).map(|_| ()));
        linked.map_err(|error| error.to_string())
    };
    assert_eq!(
        said(LabelsByColumn::new()),
        Err("`a` has other texts in the release (such as `low`) than in the table of people (such as `1`), so nobody can be found; \
             give --hierarchy a=FILE if the column was generalized, or leave it out"
            .to_owned())
    );
    assert_eq!(said(quarters_for(&["a"])), Ok(()));
    // One person is looked for in a large release, whose value it has: the other values need not be theirs.
    let large: Vec<Vec<String>> = (0..100).map(|value| vec![value.to_string()]).collect();
    let one = table(&["a"], &[vec!["7"]]);
    let report = linkage::attack(&table(&["a"], &large), &one, &["a"], &linkage::Options::default());
    assert_eq!(report.map(|report| report.at_risk), Ok(1));
}

#[test]
fn bounds_of_presence_name_those_outside() {
    let released = table(&["zip"], &[vec!["1"], vec!["2"], vec!["2"]]);
    let population: Vec<Vec<&str>> = ["1", "1", "1", "1", "2", "2", "3"].into_iter().map(|value| vec![value]).collect();
    let population = table(&["zip"], &population);
    let named = |min, max| {
        let options = membership::Options { min, max, limit: 100, ..membership::Options::default() };
        let report = membership::attack(&released, &population, &["zip"], &options).expect("an answer");
        report.findings.iter().map(|finding| finding.who.0[0].1.clone()).collect::<Vec<_>>()
    };
    assert_eq!(named(None, None), ["5", "6", "7"]);
    assert_eq!(named(Some(0.0), Some(1.0)), [""; 0]);
    assert_eq!(named(Some(0.3), Some(0.9)), ["5", "6", "7", "1", "2", "3", "4"]);
}

#[test]
fn values_that_the_hierarchy_does_not_know_are_noted() {
    let released = table(&["a"], &[vec!["low"]]);
    let people = table(&["a"], &[vec!["1"], vec!["unknown"]]);
    let options = linkage::Options { labels: quarters_for(&["a"]), ..linkage::Options::default() };
    let report = linkage::attack(&released, &people, &["a"], &options).expect("an answer");
    assert!(report.notes[0].contains("`unknown`"), "{:?}", report.notes);
    assert!(
        linkage::attack(&released, &people, &["b"], &linkage::Options { labels: LabelsByColumn::new(), ..options })
            .is_err()
    );
}

#[test]
fn a_value_that_is_its_own_label_fits_once() {
    let chain = |line, labels: [&str; 3]| HierarchyRow { line, labels: labels.map(str::to_owned).to_vec() };
    let hierarchy = [chain(1, ["x", "x", "any"]), chain(2, ["y", "z", "any"])];
    let labels = LabelsByColumn::from([("a".to_owned(), Labels::from_rows(&hierarchy).expect("a hierarchy"))]);
    let released = table(&["a"], &[vec!["x"], vec!["any"], vec!["z"]]);
    let people = table(&["a"], &[vec!["x"], vec!["y"]]);
    assert_eq!(linkage::candidates(&released, &people, &["a"], &labels).expect("an answer"), [2, 2]);
}
