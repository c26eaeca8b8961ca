//! Networks that are far too small for the sums, so that nearly all of these stay out of them.

use super::search::Search;
use crate::instance::Plain;
use crate::solve::{SolveOptions, rules};
use crate::vector::AnonymityVector;
use proptest::prelude::*;
use tamis_solver::Limit;

/// The least vector of all schedules, row by row and slot by slot.
fn optimum(frequencies: &[u64], capacities: &mut [u64], slot: usize, cells: &mut Vec<u64>) -> Option<AnonymityVector> {
    let Some((&people, rest)) = frequencies.split_first() else {
        return Some(AnonymityVector::of_sizes(cells.iter().copied()));
    };
    if people == 0 {
        return optimum(rest, capacities, 0, cells);
    }
    let mut left = frequencies.to_vec();
    let mut best = None;
    for cell in 0..=people.min(*capacities.get(slot)?) {
        left[0] = people - cell;
        capacities[slot] -= cell;
        cells.extend((cell > 0).then_some(cell));
        let found = optimum(&left, capacities, slot + 1, cells);
        best = [best, found].into_iter().flatten().min();
        cells.truncate(cells.len() - usize::from(cell > 0));
        capacities[slot] += cell;
    }
    best
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

/// Compares the search in networks of at most so many arcs with all schedules.
fn assert_optimal(problem: &Plain, most_arcs: usize) {
    let start = rules::greatest(problem, 1);
    let mut search = Search::new(problem, start, &SolveOptions::default());
    search.run_in_networks_of(most_arcs, &Limit::none());
    let solution = search.into_solution();
    let best = optimum(&problem.frequencies, &mut problem.capacities.clone(), 0, &mut Vec::new());
    assert!(solution.is_optimal(), "{problem:?}: {} is not proved", solution.vector);
    assert_eq!(Some(solution.vector), best, "{problem:?}");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn one_large_group_outside_the_network_is_cut_as_in_the_best_of_all_schedules(
        large in 9_u64..24,
        small in prop::collection::vec(1_u64..6, 0..3),
        capacities in prop::collection::vec(1_u64..9, 2..5),
        most_arcs in 1_usize..20,
    ) {
        let frequencies = small.into_iter().chain([large]).collect();
        assert_optimal(&with_room(frequencies, capacities), most_arcs);
    }

    #[test]
    fn one_large_slot_outside_the_network_is_filled_as_in_the_best_of_all_schedules(
        frequencies in prop::collection::vec(1_u64..7, 1..5),
        small in prop::collection::vec(1_u64..5, 0..3),
        large in 8_u64..20,
        most_arcs in 1_usize..20,
    ) {
        let capacities = small.into_iter().chain([large]).collect();
        assert_optimal(&with_room(frequencies, capacities), most_arcs);
    }

    #[test]
    fn several_groups_outside_the_network_are_dealt_out_or_searched_apart(
        frequencies in prop::collection::vec(3_u64..12, 2..4),
        capacities in prop::collection::vec(2_u64..9, 2..4),
        most_arcs in 30_usize..60,
    ) {
        assert_optimal(&with_room(frequencies, capacities), most_arcs);
    }
}
