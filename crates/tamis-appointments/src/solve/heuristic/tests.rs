use super::*;
use crate::instance::Instance;
use crate::solve::Patience;
use proptest::prelude::*;
use std::time::Duration;

fn plain(frequencies: &[u64], capacities: &[u64]) -> Plain {
    Plain { frequencies: frequencies.to_vec(), capacities: capacities.to_vec() }
}

/// The vector of the heuristic's schedule, which is checked.
fn reached(problem: &Plain) -> AnonymityVector {
    let instance = Instance::plain(&problem.frequencies, &problem.capacities).unwrap();
    let schedule = heuristic(problem, &SolveOptions::default());
    assert_eq!(instance.check(&schedule), Ok(()));
    schedule.plain_vector()
}

/// The least vector of all matrices, looked at row by row.
fn least_of_all(problem: &Plain) -> AnonymityVector {
    fn rows(frequencies: &[u64], free: &mut Vec<u64>, sizes: &mut Vec<u64>, best: &mut Option<AnonymityVector>) {
        let Some((&people, others)) = frequencies.split_first() else {
            let vector = AnonymityVector::of_sizes(sizes.iter().copied());
            if best.as_ref().is_none_or(|best| vector < *best) {
                *best = Some(vector);
            }
            return;
        };
        row(people, 0, others, free, sizes, best);
    }
    fn row(
        left: u64,
        slot: usize,
        others: &[u64],
        free: &mut Vec<u64>,
        sizes: &mut Vec<u64>,
        best: &mut Option<AnonymityVector>,
    ) {
        if slot == free.len() {
            if left == 0 {
                rows(others, free, sizes, best);
            }
            return;
        }
        for units in 0..=left.min(free[slot]) {
            free[slot] -= units;
            sizes.push(units);
            row(left - units, slot + 1, others, free, sizes, best);
            sizes.pop();
            free[slot] += units;
        }
    }
    let mut best = None;
    rows(&problem.frequencies, &mut problem.capacities.clone(), &mut Vec::new(), &mut best);
    best.unwrap()
}

/// Some frequencies, and capacities that are raised where they do not suffice.
fn problems(
    frequencies: impl Strategy<Value = Vec<u64>>,
    capacities: impl Strategy<Value = Vec<u64>>,
) -> impl Strategy<Value = Plain> {
    (frequencies, capacities).prop_map(|(frequencies, mut capacities)| {
        let lacking = frequencies.iter().sum::<u64>().saturating_sub(capacities.iter().sum());
        let (each, more) = (lacking / capacities.len() as u64, lacking % capacities.len() as u64);
        for (slot, capacity) in capacities.iter_mut().enumerate() {
            *capacity += each + u64::from((slot as u64) < more);
        }
        Plain { frequencies, capacities }
    })
}

fn numbers(range: std::ops::Range<u64>, number: std::ops::Range<usize>) -> impl Strategy<Value = Vec<u64>> {
    prop::collection::vec(range, number)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(40))]

    #[test]
    fn up_to_twelve_people_it_is_the_optimum(problem in problems(numbers(1..5, 1..4), numbers(1..7, 1..5))) {
        prop_assume!(problem.people() <= 12);
        prop_assert_eq!(reached(&problem), least_of_all(&problem));
    }

    #[test]
    fn it_is_never_worse_than_the_rules_nor_better_than_the_bound(
        problem in prop_oneof![
            problems(numbers(1..30, 1..15), numbers(1..30, 1..15)),
            problems(numbers(1..4, 50..200), numbers(20..90, 1..6)),
            problems(numbers(50..400, 1..6), numbers(1..9, 50..200)),
            problems(numbers(1..1_000_000_000, 1..12), numbers(1..1_000_000_000, 1..12)),
            problems(numbers(10..11, 1..30), numbers(7..8, 1..50)),
            problems(numbers(4..20, 350..400), numbers(5..15, 350..400)),
            problems(numbers(1..9_000, 350..400), numbers(1..9_000, 350..400)),
        ],
        seed in any::<u64>(),
    ) {
        let instance = Instance::plain(&problem.frequencies, &problem.capacities)?;
        let options = SolveOptions { seed, ..SolveOptions::default() };
        let schedule = heuristic(&problem, &options);
        prop_assert_eq!(instance.check(&schedule), Ok(()));
        prop_assert!(schedule.rows.iter().flatten().all(|placement| placement.units > 0));
        prop_assert!(schedule.rows.iter().all(|row| row.is_sorted_by(|left, right| left.slot < right.slot)));
        let vector = schedule.plain_vector();
        for rule in [rules::half, rules::greatest, rules::authors] {
            prop_assert!(vector <= rule(&problem, seed).plain_vector());
        }
        prop_assert!(vector >= bounds::lower_bound(&problem));
        prop_assert_eq!(heuristic(&problem, &options), schedule);
    }
}

#[test]
fn the_running_example_and_the_false_shortcuts_are_solved() {
    assert_eq!(reached(&plain(&[4, 4, 5, 2], &[4, 2, 4, 3, 2])).to_dense(), [0, 2, 1, 2]);
    for problem in [plain(&[1, 4, 9], &[1, 3, 3, 9]), plain(&[6, 6], &[5, 7])] {
        assert_eq!(reached(&problem), least_of_all(&problem));
    }
}

#[test]
fn shapes_that_leave_every_crowd_whole() {
    let tiny_crowds: Vec<u64> = (0..3000).map(|at| at % 3 + 1).collect();
    let years: Vec<u64> = (1..=93).collect();
    for problem in [
        plain(&[7], &[7]),
        plain(&[3, 1, 4, 1, 5], &[1 << 39]),
        plain(&[3, 1, 4, 1, 5], &[2, 3, 1_000_000, 2]),
        plain(&[5, 9, 2, 6, 5], &[6, 5, 9, 5, 2]),
        plain(&tiny_crowds, &[1000, 2000, 3000]),
        plain(&tiny_crowds, &[600; 10]),
        plain(&years, &[437, 300, 1001, 633, 2000]),
    ] {
        assert_eq!(reached(&problem), AnonymityVector::of_sizes(problem.frequencies.iter().copied()));
    }
}

#[test]
fn shapes_that_leave_every_slot_whole() {
    let slots: Vec<u64> = (0..20_000).map(|at| at % 10 + 5).collect();
    let whole = AnonymityVector::of_sizes(slots.iter().copied());
    assert_eq!(reached(&plain(&[190_000], &slots)), whole);
    assert_eq!(reached(&plain(&[95; 2000], &slots)), whole);
}

#[test]
fn the_smallest_slots_stay_empty_where_there_is_slack() {
    let mut slots = vec![10; 1000];
    slots.extend([3; 500]);
    assert_eq!(reached(&plain(&[100; 100], &slots)).counts(), [(10, 1000)]);
}

#[test]
fn copies_of_a_small_problem_keep_the_optimum_of_a_large_one() {
    // Six and six into five and seven: 5 + 1 and 6, or 3 + 3 and 4 + 2 ...; the optimum is that of the pair, again and
    // again.
    let pair = plain(&[6, 6], &[5, 7]);
    let one = least_of_all(&pair);
    let many = plain(&[6; 2000], &[5, 7].repeat(1000));
    assert!(
        reached(&many) <= AnonymityVector::of_counts(one.counts().iter().map(|&(size, cells)| (size, 1000 * cells)))
    );
}

#[test]
fn without_patience_the_rules_answer() {
    let problem = plain(&[13, 8, 21, 34, 5], &[9, 9, 9, 9, 9, 9, 9, 9, 9]);
    let options = SolveOptions { patience: Patience::of(Duration::ZERO), ..SolveOptions::default() };
    let instance = Instance::plain(&problem.frequencies, &problem.capacities).unwrap();
    let schedule = heuristic(&problem, &options);
    assert_eq!(instance.check(&schedule), Ok(()));
    assert_eq!(schedule, Incumbent::by_rules(&problem, 0).schedule);
}
