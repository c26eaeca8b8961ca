//! The proven optimum against a search that evaluates everything from the definitions.

use crate::common;

use common::{Flavour, Sample, check};
use proptest::prelude::*;
use std::sync::atomic::AtomicBool;
use tamis_engine::{Limits, SearchError, optimal};

proptest! {
    #![proptest_config(ProptestConfig::with_cases(768))]

    #[test]
    fn rows_are_people(seed: u64, rows in 1usize..=40, attributes in 1usize..=4) {
        check(&Sample::random(seed, rows, attributes, Flavour::default()));
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(320))]

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

proptest! {
    #![proptest_config(ProptestConfig::with_cases(256))]

    /// A search that is stopped at once returns what it has and a bound that holds.
    #[test]
    fn a_stopped_search_claims_nothing_it_cannot_prove(seed: u64, rows in 1usize..=40, attributes in 1usize..=4) {
        let problem = Sample::random(seed, rows, attributes, Flavour::default()).problem();
        let stop = AtomicBool::new(true);
        let stopped = optimal(&problem, &Limits { stop: Some(&stop), ..Limits::default() }, &mut ());
        let best = optimal(&problem, &Limits::default(), &mut ());
        match (stopped, best) {
            (Ok(stopped), Ok(best)) => {
                prop_assert!(stopped.lower_bound <= best.score && best.score <= stopped.score);
                prop_assert!(!stopped.is_optimal || stopped.levels == best.levels);
            }
            (Err(SearchError::TimeOut), _) | (Err(SearchError::NoSolution { .. }), Err(SearchError::NoSolution { .. })) => {}
            (stopped, best) => prop_assert!(false, "{stopped:?}, {best:?}"),
        }
    }
}

/// Cases that once failed, by the number that makes them.
#[test]
fn regressions() {
    let people = Flavour { people: true, ..Flavour::default() };
    // A class must have more people than the table has rows, so suppressing a row costs less than a class would.
    check(&Sample::random(15_819_900_657_328_859_618, 1, 1, people));
    check(&Sample::random(1_037_044_790_438_608_350, 2, 3, Flavour { wildcards: true, ..people }));
    let wildcards = Flavour { wildcards: true, ..Flavour::default() };
    // A released class with fewer rows of its own than k.
    check(&Sample::random(17_109_706_449_049_373_132, 8, 2, wildcards));
    // A class that fails with its company holds when that is suppressed, but has fallen by then.
    check(&Sample::random(15_811_417_259_429_037_797, 20, 3, Flavour { population: true, ..wildcards }));
}
