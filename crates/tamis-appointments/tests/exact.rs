//! The proven optimum, beside every schedule there is.

mod brute_force;
mod multisets;

use brute_force::{every_vector, optimum};
use proptest::prelude::*;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;
use tamis_appointments::{
    AnonymityVector, Instance, LevelProof, Method, Patience, Reason, Solution, SolveOptions, solve,
};

/// The exact solution, checked for what every solution must have.
fn solved(frequencies: &[u64], capacities: &[u64], options: &SolveOptions) -> Solution {
    let instance = Instance::plain(frequencies, capacities).expect("there is room for everybody");
    let solution = solve(&instance, Method::Exact, options).expect("a problem without conditions has a schedule");
    assert_eq!(instance.check(&solution.schedule), Ok(()));
    assert_eq!(solution.schedule.vector(&instance), solution.vector);
    assert!(solution.lower_bound <= solution.vector);
    for proof in &solution.proofs {
        assert_eq!(solution.vector.cells_of_size(proof.size), proof.cells, "{proof:?} of {}", solution.vector);
    }
    assert!(solution.proofs.is_sorted_by(|left, right| left.size < right.size));
    solution
}

fn dense(cells: &[u64]) -> AnonymityVector {
    AnonymityVector::from_dense(cells)
}

/// At most 12 people of at most 4 values, and at most 4 slots, with some places too many.
fn small_problems() -> impl Strategy<Value = (Vec<u64>, Vec<u64>)> {
    let people = 1_u64..=12;
    (people, 1_usize..=4, 1_usize..=4, 0_u64..=6, any::<u64>()).prop_map(|(people, values, slots, slack, dice)| {
        (composition(people, values, dice), composition(people + slack, slots, dice.rotate_left(32)))
    })
}

/// A number cut into at most so many numbers, where the dice say.
fn composition(number: u64, parts: usize, mut dice: u64) -> Vec<u64> {
    let mut cuts: Vec<u64> = (1..parts)
        .map(|_| {
            dice = dice.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (dice >> 33) % (number + 1)
        })
        .chain([0, number])
        .collect();
    cuts.sort_unstable();
    cuts.windows(2).map(|pair| pair[1] - pair[0]).filter(|&part| part > 0).collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1500))]

    #[test]
    fn the_optimum_is_that_of_all_schedules((frequencies, capacities) in small_problems()) {
        let solution = solved(&frequencies, &capacities, &SolveOptions::default());
        prop_assert!(solution.is_optimal());
        prop_assert_eq!(Some(solution.vector), optimum(&frequencies, &capacities));
    }

    #[test]
    fn the_bound_of_any_method_is_no_greater_than_the_optimum((frequencies, capacities) in small_problems()) {
        let instance = Instance::plain(&frequencies, &capacities).expect("there is room for everybody");
        let solution = solve(&instance, Method::Greatest, &SolveOptions::default()).expect("there is a schedule");
        prop_assert!(Some(solution.lower_bound) <= optimum(&frequencies, &capacities));
    }

    #[test]
    fn a_level_of_search_proves_that_much(
        (frequencies, capacities) in small_problems(),
        level in 0_u32..3,
    ) {
        let options = SolveOptions { level: Some(level), ..SolveOptions::default() };
        let solution = solved(&frequencies, &capacities, &options);
        let best = optimum(&frequencies, &capacities).expect("there is a schedule");
        prop_assert!(solution.lower_bound <= best && best <= solution.vector);
        let first = best.k().expect("there are people");
        for size in 1..=first + u64::from(level) {
            prop_assert_eq!(solution.vector.cells_of_size(size), best.cells_of_size(size));
            if size <= best.largest() {
                prop_assert!(solution.proofs.iter().any(|proof| proof.size == size));
            }
        }
    }
}

/// The example of both sources: 15 people of four values, five slots.
const FREQUENCIES: [u64; 4] = [4, 4, 5, 2];
const CAPACITIES: [u64; 5] = [4, 2, 4, 3, 2];

#[test]
fn running_example_has_14504_schedules_58_of_them_without_anybody_alone() {
    let vectors = every_vector(&FREQUENCIES, &CAPACITIES);
    assert_eq!(vectors.values().sum::<u64>(), 14_504);
    let without_anybody_alone: u64 =
        vectors.iter().filter(|(vector, _)| vector.k() >= Some(2)).map(|(_, schedules)| schedules).sum();
    assert_eq!(without_anybody_alone, 58);
    // 99.60 percent of the schedules have somebody alone.
    assert_eq!(((14_504 - without_anybody_alone) * 10_000 + 14_504 / 2) / 14_504, 9_960);
}

#[test]
fn running_example_has_four_optimal_schedules() {
    let vectors = every_vector(&FREQUENCIES, &CAPACITIES);
    assert_eq!(vectors.first_key_value(), Some((&dense(&[0, 2, 1, 2]), &4)));
    let solution = solved(&FREQUENCIES, &CAPACITIES, &SolveOptions::default());
    assert_eq!(solution.vector, dense(&[0, 2, 1, 2]));
    assert!(solution.is_optimal());
}

#[test]
fn running_example_printed_result_has_255_better_schedules_and_84_as_good() {
    let vectors = every_vector(&FREQUENCIES, &CAPACITIES);
    let printed = dense(&[2, 3, 1, 1]);
    assert_eq!(vectors.range(..&printed).map(|(_, schedules)| schedules).sum::<u64>(), 255);
    assert_eq!(vectors[&printed], 84);
}

#[test]
fn running_example_in_the_four_iterations_of_the_paper() {
    let solution = solved(&FREQUENCIES, &CAPACITIES, &SolveOptions::default());
    let proved: Vec<(u64, u64)> = solution.proofs.iter().map(|proof| (proof.size, proof.cells)).collect();
    assert_eq!(proved, [(1, 0), (2, 2), (3, 1), (4, 2)]);
    assert_eq!(solution.proofs[0].reason, Reason::Zero);
    for (level, iterations) in [(0, 2), (1, 3), (2, 4), (9, 4)] {
        let options = SolveOptions { level: Some(level), ..SolveOptions::default() };
        let proofs = solved(&FREQUENCIES, &CAPACITIES, &options).proofs;
        assert_eq!(proofs, solution.proofs[..iterations]);
    }
}

#[test]
fn equal_numbers_may_not_be_matched_first() {
    let (frequencies, capacities) = ([1, 4, 9], [1, 3, 3, 9]);
    let solution = solved(&frequencies, &capacities, &SolveOptions::default());
    assert_eq!(Some(&solution.vector), optimum(&frequencies, &capacities).as_ref());
    // 1 to 1 and 9 to 9 leaves 4 for 3 and 3.
    assert!(solution.vector < AnonymityVector::of_sizes([1, 9, 3, 1]));
}

#[test]
fn the_best_schedule_may_need_a_cycle() {
    let solution = solved(&[6, 6], &[5, 7], &SolveOptions::default());
    // Without a cycle one of the four cells is empty: 5 and 1 to 6.
    assert_eq!(solution.vector, AnonymityVector::of_sizes([2, 3, 3, 4]));
    assert_eq!(Some(solution.vector), optimum(&[6, 6], &[5, 7]));
}

#[test]
fn room_to_spare_and_slots_larger_than_everybody() {
    assert_eq!(solved(&[3, 3], &[1_000_000_000, 1], &SolveOptions::default()).vector, dense(&[0, 0, 2]));
    let solution = solved(&[7, 5, 5], &[6, 6, 6, 6], &SolveOptions::default());
    assert!(solution.is_optimal());
    assert_eq!(Some(solution.vector), optimum(&[7, 5, 5], &[6, 6, 6, 6]));
}

#[test]
fn numbers_too_large_for_the_networks_still_get_an_answer() {
    solved(&[400_000, 300_001, 123_457], &[500_000, 200_000, 123_458], &SolveOptions::default());
    let huge = 1 << 39;
    assert!(solved(&[huge], &[huge], &SolveOptions::default()).is_optimal());
    solved(&[huge, huge - 7], &[huge - 3, huge], &SolveOptions::default());
}

/// The default method, with no more than so many seconds.
fn best_within(frequencies: &[u64], capacities: &[u64], seed: u64, seconds: u64) -> Solution {
    let instance = Instance::plain(frequencies, capacities).expect("there is room for everybody");
    let options =
        SolveOptions { seed, patience: Patience::of(Duration::from_secs(seconds)), ..SolveOptions::default() };
    solve(&instance, Method::Best, &options).expect("a problem without conditions has a schedule")
}

#[test]
fn two_groups_of_thousands_in_two_slots_are_proved_whatever_their_size_and_the_seed() {
    for seed in 0..4 {
        let solution = best_within(&[30_000, 20_000], &[25_000, 26_000], seed, 20);
        assert!(solution.is_optimal());
        assert_eq!(solution.vector, AnonymityVector::of_counts([(10_000, 2), (15_000, 2)]));
        assert_eq!(solution.proofs.last().map(|proof| (proof.size, proof.cells)), Some((15_000, 2)));
    }
    let solution = best_within(&[3_000, 2_000], &[2_500, 2_600], 0, 20);
    assert_eq!((solution.vector.k(), solution.is_optimal()), (Some(1_000), true));
    let solution = solved(&[12_000, 9_000, 7_000], &[11_000, 9_000, 5_000, 4_000], &SolveOptions::default());
    assert_eq!((solution.vector.k(), solution.is_optimal()), (Some(4_000), true));
    assert!(solution.proofs.iter().any(|proof| proof.reason == Reason::Enumeration));
    let huge = 1 << 38;
    assert!(solved(&[huge, huge - 7], &[huge - 3, huge], &SolveOptions::default()).is_optimal());
}

#[test]
fn a_few_groups_and_slots_of_a_million_are_proved_in_seconds() {
    let shapes: [(&[u64], &[u64]); 3] = [
        (&[812_345, 523_456, 434_567, 945_678], &[712_349, 623_451, 834_563, 545_683]),
        (&[712_345, 923_456, 534_567], &[412_349, 323_451, 534_563, 445_683, 454_322]),
        (
            &[4_812_345, 3_523_456],
            &[912_349, 823_451, 734_563, 645_683, 956_789, 867_891, 778_913, 989_123, 891_237, 735_802],
        ),
    ];
    for (frequencies, capacities) in shapes {
        assert!(best_within(frequencies, capacities, 1, 20).is_optimal(), "{frequencies:?} {capacities:?}");
    }
}

#[test]
fn where_not_all_cells_can_be_looked_at_in_time_there_is_a_schedule_and_a_bound() {
    let frequencies: Vec<u64> = (0..12).map(|row| 400_000 + row * 71_234 % 300_000).collect();
    let capacities: Vec<u64> = (0..12).map(|slot| 560_000 + slot * 53_457 % 200_000).collect();
    let options = SolveOptions { patience: Patience::of(Duration::from_secs(2)), ..SolveOptions::default() };
    let start = std::time::Instant::now();
    let solution = solved(&frequencies, &capacities, &options);
    assert!(start.elapsed() < Duration::from_secs(6));
    assert!(solution.vector.k() > Some(50_000), "{}", solution.vector);
}

#[test]
fn without_any_time_there_is_a_schedule_and_a_bound() {
    let frequencies = [23, 19, 31, 17, 29, 11];
    let capacities = [13, 14, 9, 5, 12, 14, 8, 13, 12, 14, 9, 7];
    let hurried = SolveOptions { patience: Patience::of(Duration::ZERO), ..SolveOptions::default() };
    let hurried = solved(&frequencies, &capacities, &hurried);
    let solution = solved(&frequencies, &capacities, &SolveOptions::default());
    assert!(solution.is_optimal());
    assert!(hurried.lower_bound <= solution.vector && solution.vector <= hurried.vector);
}

#[test]
fn a_raised_flag_ends_the_search() {
    let with_flag = |is_raised| SolveOptions {
        patience: Patience::default().or_flag(Arc::new(AtomicBool::new(is_raised))),
        ..SolveOptions::default()
    };
    let stopped = solved(&[31, 43, 29, 37], &[23, 17, 41, 59], &with_flag(true));
    let solution = solved(&[31, 43, 29, 37], &[23, 17, 41, 59], &with_flag(false));
    assert!(solution.is_optimal());
    assert!(stopped.lower_bound <= solution.vector && solution.vector <= stopped.vector);
}

#[test]
fn the_same_problem_gives_the_same_schedule() {
    let (frequencies, capacities) = ([23, 19, 31, 17, 30], [13, 14, 9, 5, 12, 14, 8, 13, 12, 14, 9]);
    let once = solved(&frequencies, &capacities, &SolveOptions::default());
    assert_eq!(once, solved(&frequencies, &capacities, &SolveOptions::default()));
    assert!(once.proofs.iter().any(|proof: &LevelProof| proof.cells > 0));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    /// With three values and three slots, thirty people still have few enough schedules to look at each.
    #[test]
    fn the_optimum_of_thirty_people_is_that_of_all_schedules(
        people in 13_u64..=30, slack in 0_u64..8, dice in any::<u64>(),
    ) {
        let (frequencies, capacities) = (composition(people, 3, dice), composition(people + slack, 3, !dice));
        let solution = solved(&frequencies, &capacities, &SolveOptions::default());
        prop_assert!(solution.is_optimal());
        prop_assert_eq!(Some(solution.vector), optimum(&frequencies, &capacities));
    }

    /// With more values and slots, the multisets of cells are tried one by one, the most anonymous first.
    #[test]
    fn the_optimum_is_the_first_multiset_of_cells_that_fits_both_sides(
        people in 10_u64..=30, values in 2_usize..=7, slots in 2_usize..=8, slack in 0_u64..8, dice in any::<u64>(),
    ) {
        let (frequencies, capacities) = (composition(people, values, dice), composition(people + slack, slots, !dice));
        let solution = solved(&frequencies, &capacities, &SolveOptions::default());
        prop_assert!(solution.is_optimal());
        prop_assert_eq!(solution.vector, multisets::first_that_fits(&frequencies, &capacities));
    }

    /// One group is as large as all others together, or larger.
    #[test]
    fn one_group_much_larger_than_the_others_does_not_keep_the_optimum_away(
        large in 10_u64..=22, values in 1_usize..=5, slots in 2_usize..=7, slack in 0_u64..6, dice in any::<u64>(),
    ) {
        let mut frequencies = composition(10, values, dice);
        frequencies.push(large);
        let capacities = composition(10 + large + slack, slots, !dice);
        let solution = solved(&frequencies, &capacities, &SolveOptions::default());
        prop_assert!(solution.is_optimal());
        prop_assert_eq!(solution.vector, multisets::first_that_fits(&frequencies, &capacities));
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    /// Sizes of some hundreds, where the search for the cells that are used goes first: the smallest cell of three groups in two slots
    /// is known once two of the cells are, which is a slow search of its own.
    #[test]
    fn three_groups_and_two_slots_of_hundreds_have_the_optimum_of_all_schedules(
        frequencies in prop::collection::vec(101_u64..=160, 3), slack in 0_u64..3, dice in any::<u64>(),
    ) {
        let people: u64 = frequencies.iter().sum();
        let first = 101 + dice % (people - 201);
        let capacities = [first, people + slack - first];
        let solution = solved(&frequencies, &capacities, &SolveOptions::default());
        prop_assert!(solution.is_optimal());
        prop_assert_eq!(Some(solution.vector), best_in_two_slots(&frequencies, capacities));
    }

    /// All sizes times a number: each cell can be as many times as large, so that the optimum cannot be worse.
    #[test]
    fn sizes_times_a_number_are_no_worse_than_the_optimum_times_the_number(
        (frequencies, capacities) in small_problems(), factor in 1_000_u64..2_000_000,
    ) {
        let times = |numbers: &[u64]| numbers.iter().map(|&number| number * factor).collect::<Vec<_>>();
        let small = solved(&frequencies, &capacities, &SolveOptions::default());
        let large = solved(&times(&frequencies), &times(&capacities), &SolveOptions::default());
        let scaled = small.vector.counts().iter().map(|&(size, cells)| (size * factor, cells));
        prop_assert!(large.is_optimal(), "{frequencies:?} {capacities:?}");
        prop_assert!(large.vector <= AnonymityVector::of_counts(scaled));
    }
}

/// The least vector of all ways to send some of each group to the first slot and the others to the second.
fn best_in_two_slots(frequencies: &[u64], capacities: [u64; 2]) -> Option<AnonymityVector> {
    let &[first, second, third] = frequencies else { return None };
    let mut best: Option<[u64; 6]> = None;
    for a in 0..=first {
        for b in 0..=second {
            for c in 0..=third {
                if a + b + c > capacities[0] || first + second + third - a - b - c > capacities[1] {
                    continue;
                }
                // Empty cells are the best of all.
                let mut sizes = [a, b, c, first - a, second - b, third - c].map(|size| size.wrapping_sub(1));
                sizes.sort_unstable();
                best = best.max(Some(sizes));
            }
        }
    }
    Some(AnonymityVector::of_sizes(best?.map(|size| size.wrapping_add(1))))
}

/// Groups of 40 to 59 people and slots of 55 to 79 to match.
fn usual_lines(groups: u64) -> (Vec<u64>, Vec<u64>) {
    let frequencies: Vec<u64> = (0..groups).map(|group| 40 + group * 7 % 20).collect();
    let mut left: u64 = frequencies.iter().sum();
    let mut capacities = Vec::new();
    for slot in 0.. {
        let capacity = 55 + slot * 11 % 25;
        capacities.push(capacity);
        if left <= capacity {
            break;
        }
        left -= capacity;
    }
    (frequencies, capacities)
}

/// The k of these groups and slots by themselves and with others, whose search ends after some seconds.
fn k_without_and_with(more_groups: &[u64], more_slots: &[u64]) -> (Option<u64>, Option<u64>) {
    let (mut frequencies, mut capacities) = usual_lines(20);
    let options = || SolveOptions { patience: Patience::of(Duration::from_secs(6)), ..SolveOptions::default() };
    let without = solved(&frequencies, &capacities, &options());
    frequencies.extend(more_groups);
    capacities.extend(more_slots);
    (without.vector.k(), solved(&frequencies, &capacities, &options()).vector.k())
}

#[test]
fn thousands_of_people_in_one_group_do_not_make_k_smaller() {
    let (without, with) = k_without_and_with(&[1_500], &[60; 25]);
    assert!(with >= without, "{with:?} {without:?}");
}

#[test]
fn a_group_and_a_slot_of_thousands_are_put_together() {
    let (without, with) = k_without_and_with(&[30_000], &[30_000]);
    assert!(with >= without, "{with:?} {without:?}");
}
