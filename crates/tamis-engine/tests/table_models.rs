//! Requirements on all classes together: the proven optimum against a search that evaluates everything row by row.

use crate::common;

use common::{Flavour, Sample, check};
use proptest::prelude::*;
use tamis_engine::{Limits, heuristic, optimal};

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1024))]

    #[test]
    fn rows_are_people(seed: u64, rows in 1usize..=24, attributes in 1usize..=3) {
        check(&Sample::with_company(seed, rows, attributes, Flavour::default()));
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(512))]

    #[test]
    fn rows_are_part_of_a_population(seed: u64, rows in 1usize..=24, attributes in 1usize..=3) {
        check(&Sample::with_company(seed, rows, attributes, Flavour { population: true, ..Flavour::default() }));
    }

    /// Missing values match anything for the models of classes; for those of the whole table they are values of their own.
    #[test]
    fn missing_values_match_anything(seed: u64, rows in 1usize..=16, attributes in 1usize..=3) {
        check(&Sample::with_company(seed, rows, attributes, Flavour { wildcards: true, ..Flavour::default() }));
    }

    #[test]
    fn the_heuristic_proves_nothing_wrong(seed: u64, rows in 1usize..=24, attributes in 1usize..=3) {
        let problem = Sample::with_company(seed, rows, attributes, Flavour::default()).problem();
        let best = optimal(&problem, &Limits::default(), &mut ());
        let found = heuristic(&problem, &Limits { evaluations: Some(20), ..Limits::default() }, &mut ());
        if let (Ok(best), Ok(found)) = (best, found) {
            prop_assert!(found.lower_bound <= best.score && best.score <= found.score);
        }
    }
}
