//! The proven optimum against a search that evaluates everything from the definitions.

mod common;

use common::{Flavour, Sample, check};
use proptest::prelude::*;

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1000))]

    #[test]
    fn rows_are_people(seed: u64, rows in 1usize..=40, attributes in 1usize..=4) {
        check(&Sample::random(seed, rows, attributes, Flavour::default()));
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(500))]

    #[test]
    fn people_have_several_rows(seed: u64, rows in 1usize..=40, attributes in 1usize..=3) {
        check(&Sample::random(seed, rows, attributes, Flavour { people: true, ..Flavour::default() }));
    }

    #[test]
    fn missing_values_match_anything(seed: u64, rows in 1usize..=30, attributes in 1usize..=3) {
        check(&Sample::random(seed, rows, attributes, Flavour { wildcards: true, ..Flavour::default() }));
    }

    #[test]
    fn rows_are_part_of_a_population(seed: u64, rows in 1usize..=40, attributes in 1usize..=3) {
        check(&Sample::random(seed, rows, attributes, Flavour { population: true, ..Flavour::default() }));
    }

    #[test]
    fn people_with_several_rows_and_missing_values(seed: u64, rows in 1usize..=30, attributes in 1usize..=3) {
        check(&Sample::random(seed, rows, attributes, Flavour { people: true, wildcards: true, population: false }));
    }

    #[test]
    fn missing_values_in_a_population(seed: u64, rows in 1usize..=30, attributes in 1usize..=3) {
        check(&Sample::random(seed, rows, attributes, Flavour { people: false, wildcards: true, population: true }));
    }
}
