//! Searches with models of shares, spans, likeness, disclosure, populations and risk, against one that evaluates everything from the
//! definitions.

use crate::common;

use common::{ClassModel, Dice, Flavour, Requirement, Sample, check};
use proptest::prelude::*;

/// A random table with one or two of these models in place of half of the others.
fn sample(seed: u64, rows: usize, attributes: usize, flavour: Flavour) -> Sample {
    let mut sample = Sample::random(seed, rows, attributes, flavour);
    let mut dice = Dice(!seed);
    sample.requirements.retain(|_| dice.chance(50));
    let models = ClassModel::random(&mut dice, &sample);
    sample.requirements.extend(models.into_iter().map(Requirement::Class));
    sample
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(512))]

    #[test]
    fn rows_are_people(seed: u64, rows in 1usize..=40, attributes in 1usize..=4) {
        check(&sample(seed, rows, attributes, Flavour::default()));
    }

    #[test]
    fn people_have_several_rows(seed: u64, rows in 1usize..=40, attributes in 1usize..=3) {
        check(&sample(seed, rows, attributes, Flavour { people: true, ..Flavour::default() }));
    }

    #[test]
    fn missing_values_match_anything(seed: u64, rows in 1usize..=30, attributes in 1usize..=3) {
        check(&sample(seed, rows, attributes, Flavour { wildcards: true, ..Flavour::default() }));
    }

    #[test]
    fn rows_are_part_of_a_population(seed: u64, rows in 1usize..=40, attributes in 1usize..=3) {
        check(&sample(seed, rows, attributes, Flavour { population: true, ..Flavour::default() }));
    }

    #[test]
    fn missing_values_in_a_population(seed: u64, rows in 1usize..=30, attributes in 1usize..=3) {
        check(&sample(seed, rows, attributes, Flavour { people: false, wildcards: true, population: true }));
    }
}
