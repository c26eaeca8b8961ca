//! Families: the heuristic against the rules, the exact search, and what it may cost.

use crate::instance::{Allowed, Attribute, Instance, Limit, Member, MixingRule, Unit, Who};
use crate::solve::{Method, SolveOptions, solve};
use proptest::prelude::*;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// People of some quasi-identifiers, so many in a hundred in families of two to four, and slots with a tenth more places.
fn families(people: u64, percent: u64, quasi_ids: usize, slots: usize, seed: u64) -> Instance {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let mut units = Vec::new();
    let mut left = people;
    while left > people * (100 - percent) / 100 {
        let size = rng.random_range(2..=4).min(left);
        let member = |quasi_id| Member { quasi_id, values: Vec::new(), people: 1 };
        let members = (0..size).map(|_| member(rng.random_range(0..quasi_ids))).collect();
        units.push(Unit { members, count: 1, allowed: Allowed::All });
        left -= size;
    }
    for _ in 0..left {
        units.push(Unit::people(rng.random_range(0..quasi_ids), 1));
    }
    // Every quasi-identifier is somebody's.
    units.extend((0..quasi_ids).map(|quasi_id| Unit::people(quasi_id, 1)));
    let places = (people + quasi_ids as u64) * 11 / 10 + 4 * slots as u64;
    let capacities = vec![places.div_ceil(slots as u64); slots];
    Instance { quasi_ids, capacities, units, attributes: Vec::new(), mixing: Vec::new() }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(12))]

    #[test]
    fn the_heuristic_is_never_worse_than_the_best_of_the_rules(
        (people, percent) in (20_u64..700, prop_oneof![Just(10_u64), Just(30), Just(60), Just(100)]),
        (quasi_ids, slots) in (2_usize..60, 2_usize..9),
        seed in 0_u64..1_000,
    ) {
        let instance = families(people, percent, quasi_ids, slots, seed);
        let options = SolveOptions { seed, ..SolveOptions::default() };
        let heuristic = solve(&instance, Method::Heuristic, &options);
        let heuristic = heuristic.map_err(|error| TestCaseError::fail(error.to_string()))?;
        prop_assert_eq!(instance.check(&heuristic.schedule), Ok(()));
        prop_assert_eq!(heuristic.schedule.vector(&instance), heuristic.vector.clone());
        for method in [Method::Greatest, Method::Half, Method::Authors] {
            let rule = solve(&instance, method, &options).map_err(|error| TestCaseError::fail(error.to_string()))?;
            prop_assert!(heuristic.vector <= rule.vector, "{:?}: {} > {}", method, heuristic.vector, rule.vector);
        }
    }
}

#[test]
fn of_many_people_in_families_few_stay_alone() {
    let instance = families(3_000, 40, 90, 8, 5);
    let alone = |method| {
        let solution = solve(&instance, method, &SolveOptions::default());
        let solution = solution.unwrap_or_else(|error| panic!("{method:?}: {error}"));
        assert_eq!(instance.check(&solution.schedule), Ok(()));
        solution.vector.cells_of_size(1)
    };
    let (heuristic, rule) = (alone(Method::Heuristic), alone(Method::Greatest));
    assert!(rule >= 20 && heuristic == 0, "{heuristic} alone, {rule} by the rule");
}

/// The exact search says how good the heuristic is where it proves its answer.
#[test]
fn the_heuristic_is_mostly_optimal_where_the_exact_search_proves() {
    let (mut proved, mut optimal) = (0, 0);
    for number in 0..12_u64 {
        let people = 12 + number * 2;
        let instance =
            families(people, 20 + 10 * (number % 5), 3 + number as usize % 3, 2 + number as usize % 2, number);
        let exact = solve(&instance, Method::Exact, &SolveOptions::default());
        let exact = exact.unwrap_or_else(|error| panic!("{error}"));
        if exact.is_optimal() {
            proved += 1;
            let heuristic = solve(&instance, Method::Heuristic, &SolveOptions::default()).map(|found| found.vector);
            optimal += usize::from(heuristic.is_ok_and(|vector| vector == exact.vector));
        }
    }
    assert_eq!(proved, 12, "small families are proved");
    assert!(optimal >= 11, "{optimal} of {proved}");
}

#[test]
fn mixing_rules_with_plenty_of_room_are_no_conflict() {
    let people = 8_000_u32;
    let units = (0..people).map(|person| {
        let nationality = if person % 10 == 0 { 1 + person / 10 % 5 } else { 0 };
        let member = Member { quasi_id: (person / 7) as usize % 93, values: vec![nationality], people: 1 };
        Unit { members: vec![member], count: 1, allowed: Allowed::All }
    });
    let share = "0.15".parse().map_or_else(|error| panic!("{error}"), Limit::MaximumShare);
    let rules = [share, Limit::MinimumDistinct(3)].map(|limit| MixingRule { attribute: 0, who: Who::AllBut(0), limit });
    let values = (0..6).map(|value| value.to_string()).collect();
    let instance = Instance {
        quasi_ids: 93,
        capacities: vec![40; 210],
        units: units.collect(),
        attributes: vec![Attribute { name: "nationality".to_owned(), values }],
        mixing: rules.to_vec(),
    };
    for method in [Method::Heuristic, Method::Greatest, Method::Random] {
        let solution = solve(&instance, method, &SolveOptions::default());
        let solution = solution.unwrap_or_else(|error| panic!("{method:?}: {error}"));
        assert_eq!(instance.check(&solution.schedule), Ok(()), "{method:?}");
    }
}
