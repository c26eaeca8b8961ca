//! Homogeneity, background knowledge, skewness and similarity against their definitions.

use crate::attack_tables;

use attack_tables::{CHAINS, number, quarters, table, values};
use proptest::prelude::*;
use std::collections::BTreeMap;
use tamis_risk::attacks::{background, homogeneity, similarity, skewness};
use tamis_table::Table;

const NAMES: [&str; 2] = ["q", "s"];

fn as_table(people: &[Vec<usize>]) -> Table {
    let texts: Vec<Vec<String>> = people.iter().map(|row| row.iter().map(ToString::to_string).collect()).collect();
    table(&NAMES, &texts)
}

/// The sensitive values of each class.
fn classes(people: &[Vec<usize>]) -> BTreeMap<usize, Vec<usize>> {
    let mut classes: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
    for row in people {
        classes.entry(row[0]).or_default().push(row[1]);
    }
    classes
}

fn share(values: &[usize], value: usize) -> f64 {
    values.iter().filter(|other| **other == value).count() as f64 / values.len() as f64
}

/// What is left once the values of a set are ruled out; a bit each.
fn without(values: &[usize], set: usize) -> Vec<usize> {
    values.iter().copied().filter(|value| set & 1 << value == 0).collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn a_class_is_homogeneous_if_a_value_has_the_share(people in values(2, 14), tenths in 1u32..=10) {
        let wanted = f64::from(tenths) / 10.0;
        let report = homogeneity::attack(&as_table(&people), &["q"], "s", wanted, 100)?;
        let is_alike = |values: &Vec<usize>| (0..4).any(|value| share(values, value) >= wanted);
        let expected: usize = classes(&people).values().filter(|values| is_alike(values)).map(Vec::len).sum();
        prop_assert_eq!(report.at_risk as usize, expected);
    }

    #[test]
    fn a_value_follows_if_it_is_what_is_left(people in values(2, 14), tenths in 5u32..=10, ruled_out in 1usize..16) {
        let confidence = f64::from(tenths) / 10.0;
        let texts = ["0", "1", "2", "3"];
        let present = |value: &usize| people.iter().any(|row| row[1] == *value);
        let named: Vec<&str> = (0..4).filter(|value| ruled_out & 1 << value != 0).filter(present).map(|value| texts[value]).collect();
        prop_assume!(!named.is_empty());
        let knowledge = background::Knowledge::RulesOut(named);
        let options = background::Options { knowledge, only: vec![], confidence, limit: 100 };
        let report = background::attack(&as_table(&people), &["q"], "s", &options)?;
        let follows = |values: &Vec<usize>| {
            let left = without(values, ruled_out);
            left.len() < values.len() && (0..4).any(|value| !left.is_empty() && share(&left, value) >= confidence)
        };
        let expected: usize = classes(&people).values().filter(|values| follows(values)).map(Vec::len).sum();
        prop_assert_eq!(report.at_risk as usize, expected);
    }

    #[test]
    fn the_power_is_the_smallest_set_of_values_that_does(people in values(2, 14), tenths in 5u32..=10, power in 0u64..4) {
        let confidence = f64::from(tenths) / 10.0;
        let options = background::Options { knowledge: background::Knowledge::Power(power), only: vec![], confidence, limit: 100 };
        let report = background::attack(&as_table(&people), &["q"], "s", &options)?;
        let least = |values: &Vec<usize>| {
            let does = |set: &usize| {
                let left = without(values, *set);
                !left.is_empty() && (0..4).any(|value| share(&left, value) >= confidence)
            };
            (0usize..16).filter(does).map(usize::count_ones).min().unwrap_or(9)
        };
        let powers: Vec<(u32, usize)> = classes(&people).values().map(|values| (least(values), values.len())).collect();
        let expected: usize = powers.iter().filter(|(least, _)| u64::from(*least) <= power).map(|(_, size)| size).sum();
        prop_assert_eq!(report.at_risk as usize, expected);
        prop_assert_eq!(number(&report, "least_power"), f64::from(powers.iter().map(|(least, _)| *least).min().unwrap_or(0)));
    }

    #[test]
    fn a_class_is_skewed_if_both_thresholds_are_reached(people in values(2, 14), factor in 1u32..4, tenths in 0u32..6) {
        let (factor, gain) = (f64::from(factor), f64::from(tenths) / 10.0);
        let options = skewness::Options { factor, gain, reference: None, values: vec![], limit: 100 };
        let report = skewness::attack(&as_table(&people), &["q"], "s", &options)?;
        let all: Vec<usize> = people.iter().map(|row| row[1]).collect();
        let is_skewed = |values: &Vec<usize>| (0..4).any(|value| {
            let (prior, posterior) = (share(&all, value), share(values, value));
            posterior > prior && posterior / prior >= factor && posterior - prior >= gain
        });
        let expected: usize = classes(&people).values().filter(|values| is_skewed(values)).map(Vec::len).sum();
        prop_assert_eq!(report.at_risk as usize, expected);
    }

    #[test]
    fn a_class_is_similar_if_different_values_have_one_label(people in values(2, 14), level in 1usize..3) {
        let report = similarity::attack(&as_table(&people), &["q"], "s", &quarters(), Some(level), 100)?;
        let one = |values: &[usize], level: usize| values.iter().all(|value| CHAINS[*value][level] == CHAINS[values[0]][level]);
        let is_similar = |values: &Vec<usize>| !one(values, 0) && (1..=level).any(|level| one(values, level) && level < 2);
        let expected: usize = classes(&people).values().filter(|values| is_similar(values)).map(Vec::len).sum();
        prop_assert_eq!(report.at_risk as usize, expected);
    }
}

#[test]
fn without_a_level_a_label_of_the_whole_table_says_nothing() -> Result<(), tamis_risk::attacks::AttackError> {
    let all_low = as_table(&[vec![0, 0], vec![0, 1], vec![1, 2], vec![1, 0]]);
    let at_risk =
        |level| similarity::attack(&all_low, &["q"], "s", &quarters(), level, 10).map(|report| report.at_risk);
    assert_eq!((at_risk(None)?, at_risk(Some(1))?, at_risk(Some(2))?), (0, 4, 4));
    Ok(())
}

#[test]
fn skewness_takes_the_shares_of_a_reference_table() -> Result<(), tamis_risk::attacks::AttackError> {
    // In the reference one in four has the value that half of the only class has.
    let released = as_table(&[vec![0, 0], vec![0, 1]]);
    let reference = as_table(&[vec![0, 0], vec![1, 1], vec![2, 1], vec![3, 1]]);
    let options = |reference| skewness::Options { factor: 2.0, gain: 0.1, reference, values: vec![], limit: 10 };
    assert_eq!(skewness::attack(&released, &["q"], "s", &options(None))?.at_risk, 0);
    let report = skewness::attack(&released, &["q"], "s", &options(Some(&reference)))?;
    assert_eq!((report.at_risk, number(&report, "largest_gain")), (2, 0.25));
    assert_eq!(
        report.findings[0].sentence,
        "Whoever has q = 0 has s = 0 with probability 50% instead of 25%, 2.0 times as likely as anybody in the reference table."
    );
    assert!(
        report.summary.ends_with(
            "at least 2 times as likely and at least 10 percentage points likelier than in the whole reference table."
        ),
        "{}",
        report.summary
    );
    let other = as_table(&[vec![0, 0]]);
    let error = skewness::attack(&released, &["q"], "s", &options(Some(&other))).map_err(|error| error.to_string());
    assert!(error.is_err_and(|error| error.contains("the reference table has no row with `1` in `s`")));
    Ok(())
}

#[test]
fn what_is_ruled_out_is_said_in_a_sentence() -> Result<(), tamis_risk::attacks::AttackError> {
    let class = as_table(&[vec![0, 0], vec![0, 1], vec![0, 2], vec![0, 3], vec![1, 3]]);
    let said = |values| {
        let knowledge = background::Knowledge::RulesOut(values);
        let options = background::Options { knowledge, only: vec![], confidence: 0.5, limit: 10 };
        background::attack(&class, &["q"], "s", &options)
    };
    let report = said(vec!["0", "1"])?;
    assert!(report.findings[0].sentence.ends_with("once 0 and 1 are ruled out."), "{}", report.findings[0].sentence);
    assert_eq!(report.summary, "The s of 4 of 5 people follows.");
    assert!(said(vec!["0", "1", "2"])?.findings[0].sentence.ends_with("once 0, 1 and 2 are ruled out."));
    Ok(())
}

#[test]
fn suppressed_rows_are_nobodys_class() -> Result<(), tamis_risk::attacks::AttackError> {
    let released = table(&NAMES, &[vec!["*", "flu"], vec!["*", "flu"], vec!["1", "flu"], vec!["1", "cold"]]);
    let report = homogeneity::attack(&released, &["q"], "s", 1.0, 10)?;
    assert_eq!((report.people, report.at_risk), (2, 0));
    Ok(())
}

#[test]
fn findings_beyond_the_limit_are_counted() -> Result<(), tamis_risk::attacks::AttackError> {
    let people: Vec<Vec<usize>> = (0..4).map(|value| vec![value, value]).collect();
    let report = homogeneity::attack(&as_table(&people), &["q"], "s", 1.0, 1)?;
    assert_eq!((report.findings.len(), report.more, report.at_risk), (1, 3, 4));
    Ok(())
}
