//! The search on which cells are used, beside all schedules.

use super::{polish, search};
use crate::instance::{Instance, Plain};
use crate::schedule::Schedule;
use crate::solve::{bounds, rules};
use crate::vector::AnonymityVector;
use proptest::prelude::*;
use tamis_solver::Limit;

/// The least vector of all schedules, cell by cell.
fn optimum(
    frequencies: &[u64],
    left: u64,
    capacities: &mut [u64],
    slot: usize,
    cells: &mut Vec<u64>,
) -> Option<AnonymityVector> {
    if left == 0 {
        return match frequencies.split_first() {
            Some((&next, rest)) => optimum(rest, next, capacities, 0, cells),
            None => Some(AnonymityVector::of_sizes(cells.iter().copied())),
        };
    }
    let mut best = None;
    for cell in 0..=left.min(*capacities.get(slot)?) {
        capacities[slot] -= cell;
        cells.push(cell);
        let found = optimum(frequencies, left - cell, capacities, slot + 1, cells);
        best = [best, found].into_iter().flatten().min();
        cells.pop();
        capacities[slot] += cell;
    }
    best
}

fn least(problem: &Plain) -> AnonymityVector {
    optimum(&problem.frequencies, 0, &mut problem.capacities.clone(), 0, &mut Vec::new()).expect("there is a schedule")
}

/// Slots for everybody, as many more as it takes.
fn with_room(frequencies: Vec<u64>, mut capacities: Vec<u64>) -> Plain {
    let people: u64 = frequencies.iter().sum();
    let missing = people.saturating_sub(capacities.iter().sum());
    let slots = capacities.len() as u64;
    for (number, capacity) in (0..).zip(&mut capacities) {
        *capacity += missing / slots + u64::from(number < missing % slots);
    }
    Plain { frequencies, capacities }
}

fn checked(problem: &Plain, schedule: &Schedule) -> AnonymityVector {
    let instance = Instance::plain(&problem.frequencies, &problem.capacities).expect("there is room for everybody");
    assert_eq!(instance.check(schedule), Ok(()), "{problem:?}");
    schedule.plain_vector()
}

/// The vector of the best schedule by the search, from that of a simple rule.
fn searched(problem: &Plain) -> AnonymityVector {
    let known = rules::greatest(problem, 1);
    let found = search(problem, &known, &bounds::lower_bound(problem), &Limit::none());
    assert!(found.is_optimal);
    checked(problem, &found.better.unwrap_or(known))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1500))]

    #[test]
    fn the_search_finds_the_best_of_all_schedules(
        frequencies in prop::collection::vec(1_u64..=12, 1..=3),
        capacities in prop::collection::vec(1_u64..=12, 1..=3),
    ) {
        let problem = with_room(frequencies, capacities);
        prop_assert_eq!(searched(&problem), least(&problem), "{:?}", problem);
    }

    #[test]
    fn a_polished_schedule_is_no_worse(
        frequencies in prop::collection::vec(1_u64..=1000, 1..=6),
        capacities in prop::collection::vec(1_u64..=1000, 1..=6),
        seed: u64,
    ) {
        let problem = with_room(frequencies, capacities);
        let random = rules::random(&problem, seed);
        let vector = random.plain_vector();
        if let Some(polished) = polish(&problem, &random, &Limit::none()) {
            prop_assert!(checked(&problem, &polished) < vector);
            prop_assert_eq!(polish(&problem, &polished, &Limit::none()), None);
        }
    }
}
