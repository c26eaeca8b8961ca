//! Keys of up to 64, up to 128 and more bits, and many sensitive values, take different ways to the same result.

use crate::common;

use common::{Company, Dice, Flavour, Quality, Requirement, Row, Sample, check, check_optimum};
use proptest::prelude::*;
use tamis_engine::{Recoding, Surveyed, Tally, survey};

/// The same table with further quasi-identifiers of as many values as rows, all generalized to `*`.
fn padded(sample: &Sample, further: usize) -> Sample {
    let mut padded = sample.clone();
    for pad in 0..further {
        for (number, row) in padded.rows.iter_mut().enumerate() {
            row.quasi.push(format!("{}", (number * 31 + pad) % sample.rows.len()));
        }
        padded.hierarchies.push(None);
        padded.wildcards.push(false);
        padded.quality.weights.push(1.0);
        padded.lower.push(1);
        padded.upper.push(1);
    }
    padded
}

fn figures(sample: &Sample, attributes: usize) -> Vec<(Vec<usize>, u64, u64, bool, bool)> {
    let surveyed = survey(&sample.problem()).unwrap();
    let figures = |found: Surveyed| {
        (found.levels[..attributes].to_vec(), found.suppressed, found.classes, found.holds, found.is_minimal)
    };
    surveyed.into_iter().map(figures).collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(40))]

    /// 40 rows need 6 bits for each further attribute: 66 bits with 11 of them, 132 with 22.
    #[test]
    fn further_hidden_attributes_change_nothing(seed: u64, rows in 33usize..=40, attributes in 1usize..=3, population: bool) {
        let sample = Sample::random(seed, rows, attributes, Flavour { population, ..Flavour::default() });
        let narrow = figures(&sample, attributes);
        for further in [11, 22] {
            let padded = padded(&sample, further);
            check(&padded);
            prop_assert_eq!(&figures(&padded, attributes), &narrow);
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(4))]

    #[test]
    fn more_than_256_sensitive_values(seed: u64, closeness: bool) {
        let mut sample = Sample::random(seed, 300, 2, Flavour::default());
        for (number, row) in sample.rows.iter_mut().enumerate() {
            row.sensitive = vec![(number * 7 % 290).to_string()];
        }
        sample.trees = vec![(0..290).map(|value| vec![value.to_string(), (value / 100).to_string(), "*".to_owned()]).collect()];
        sample.requirements = vec![
            Requirement::K { k: 3 },
            if closeness {
                Requirement::Closeness { twentieths: 6, distance: "hierarchical", attribute: None }
            } else {
                Requirement::Recursive { tenths: 15, l: 3, attribute: Some(0) }
            },
        ];
        check(&sample);
    }
}

/// A table whose attributes all have `values` values; the first three may be generalized, the others are hidden.
fn large(rows: usize, attributes: usize, values: usize) -> Sample {
    let mut dice = Dice(values as u64);
    let table: Vec<Vec<usize>> = (0..rows).map(|_| (0..20).map(|_| dice.below(values)).collect()).collect();
    let secrets: Vec<usize> = (0..rows).map(|_| dice.below(5)).collect();
    let lines: Vec<Vec<String>> = (0..values)
        .map(|value| vec![value.to_string(), format!("a{}", value % 50), format!("b{}", value % 10), "*".to_owned()])
        .collect();
    Sample {
        company: Company::default(),
        rows: table
            .iter()
            .zip(secrets)
            .enumerate()
            .map(|(person, (quasi, secret))| Row {
                quasi: quasi[..attributes].iter().map(ToString::to_string).collect(),
                sensitive: vec![secret.to_string()],
                person,
                is_released: true,
            })
            .collect(),
        hierarchies: vec![Some(lines); attributes],
        wildcards: vec![false; attributes],
        trees: vec![(0..5).map(|value| vec![value.to_string(), "*".to_owned()]).collect()],
        flavour: Flavour::default(),
        requirements: vec![Requirement::K { k: 3 }, Requirement::Recursive { tenths: 20, l: 2, attribute: None }],
        quality: Quality { measure: "loss", variant: None, aggregate: None, tenths: 5, weights: vec![1.0; attributes] },
        limit: rows as u64 / 2,
        lower: (0..attributes).map(|j| if j < 3 { 0 } else { 3 }).collect(),
        upper: vec![3; attributes],
    }
}

/// 2,000 values take 11 bits: 55 with 5 attributes, 88 with 8, 132 with 12. 200 values take 8 bits: 160 with 20.
#[test]
fn twelve_attributes_of_2000_values_and_twenty_of_200() {
    for (values, widths) in [(2000, vec![5, 8, 12]), (200, vec![8, 16, 20])] {
        let expected = figures(&large(2500, 3, values), 3);
        for attributes in widths {
            let sample = large(2500, attributes, values);
            assert_eq!(figures(&sample, 3), expected, "{attributes} attributes");
            let problem = sample.problem();
            let solution = check_optimum(&problem, &survey(&problem).unwrap()).unwrap();
            let replayed = Recoding::of(&problem, &solution.levels).tally;
            assert_eq!(Tally { forced: solution.tally.forced.clone(), ..replayed }, solution.tally);
        }
    }
}

/// Exactly 64 and 128 bits, and then an attribute of one value that takes none.
#[test]
fn a_constant_attribute_after_a_full_key() {
    for attributes in [8, 16] {
        let mut sample = large(2000, attributes, 256);
        for row in &mut sample.rows {
            row.quasi.push("Chile".to_owned());
        }
        sample.hierarchies.push(Some(vec![vec!["Chile".to_owned(), "America".to_owned()]]));
        sample.wildcards.push(false);
        sample.quality.weights.push(1.0);
        sample.lower.push(0);
        sample.upper.push(1);
        let problem = sample.problem();
        let solution = check_optimum(&problem, &survey(&problem).unwrap()).unwrap();
        assert_eq!(Recoding::of(&problem, &solution.levels).tally.suppressed, solution.tally.suppressed);
    }
}
