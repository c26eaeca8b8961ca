use super::hypergeometric::Urn;
use super::*;
use crate::instance::Instance;
use proptest::prelude::*;
use std::collections::BTreeMap;

fn running_example() -> Plain {
    Plain { frequencies: vec![4, 4, 5, 2], capacities: vec![4, 2, 4, 3, 2] }
}

/// The cells of every row, rows and cells in ascending order: a matrix up to the names of rows and slots.
fn shape(schedule: &Schedule) -> Vec<Vec<u64>> {
    let sorted = |row: &Vec<Placement>| {
        let mut units: Vec<u64> = row.iter().map(|placement| placement.units).collect();
        units.sort_unstable();
        units
    };
    let mut rows: Vec<_> = schedule.rows.iter().map(sorted).collect();
    rows.sort();
    rows
}

#[test]
fn algorithm_2_as_printed_meets_the_optimum_of_the_running_example() {
    for seed in 0..20 {
        assert_eq!(half(&running_example(), seed).plain_vector().to_dense(), [0, 2, 1, 2]);
    }
}

#[test]
fn the_matrix_the_paper_prints_is_that_of_the_largest_slot() {
    for seed in 0..20 {
        let schedule = greatest(&running_example(), seed);
        assert_eq!(schedule.plain_vector().to_dense(), [2, 3, 1, 1]);
        assert_eq!(shape(&schedule), [vec![1, 3], vec![1, 4], vec![2], vec![2, 2]]);
    }
}

#[test]
fn where_no_slot_is_up_to_half_the_closest_to_it_is_filled() {
    let problem = Plain { frequencies: vec![5], capacities: vec![3, 3] };
    assert_eq!(half(&problem, 0).plain_vector().to_dense(), [0, 1, 1]);
    let problem = Plain { frequencies: vec![9], capacities: vec![8, 6, 7] };
    assert_eq!(shape(&half(&problem, 0)), [[3, 6]]);
}

#[test]
fn the_authors_fill_the_smallest_of_the_collected_first() {
    let problem = Plain { frequencies: vec![10], capacities: vec![3, 8, 6] };
    assert_eq!(shape(&authors(&problem, 0)), [[4, 6]]);
    assert_eq!(authors(&problem, 0).rows[0], [Placement { slot: 1, units: 4 }, Placement { slot: 2, units: 6 }]);
}

/// The rule as the sources write it: plain loops over arrays, the first of equal slots.
fn slowly(problem: &Plain, choose: impl Fn(u64, &[u64]) -> usize) -> Vec<Vec<u64>> {
    let mut capacities = problem.capacities.clone();
    let mut frequencies = problem.frequencies.clone();
    frequencies.sort_unstable_by(|left, right| right.cmp(left));
    let mut rows = Vec::new();
    for mut q in frequencies {
        let mut row = Vec::new();
        while q > 0 {
            let largest = (0..capacities.len()).max_by_key(|&slot| capacities[slot]).unwrap();
            let exact = capacities.iter().position(|&capacity| capacity == q);
            let slot = exact.unwrap_or_else(|| if capacities[largest] > q { largest } else { choose(q, &capacities) });
            let units = q.min(capacities[slot]);
            capacities[slot] -= units;
            q -= units;
            row.push(units);
        }
        row.sort_unstable();
        rows.push(row);
    }
    rows.sort();
    rows
}

fn authors_slowly(problem: &Plain) -> Vec<Vec<u64>> {
    let mut capacities = problem.capacities.clone();
    let mut frequencies = problem.frequencies.clone();
    frequencies.sort_unstable_by(|left, right| right.cmp(left));
    let mut rows = Vec::new();
    for q in frequencies {
        capacities.sort_unstable_by(|left, right| right.cmp(left));
        let enough = (0..=capacities.len()).find(|&slots| capacities[..slots].iter().sum::<u64>() >= q).unwrap();
        let mut left = q;
        let mut row = Vec::new();
        for slot in (0..enough).rev() {
            let units = left.min(capacities[slot]);
            capacities[slot] -= units;
            left -= units;
            row.push(units);
        }
        row.sort_unstable();
        rows.push(row);
    }
    rows.sort();
    rows
}

prop_compose! {
    fn problems()(
        frequencies in prop::collection::vec(1_u64..40, 1..12),
        capacities in prop::collection::vec(1_u64..40, 1..12),
    ) -> Plain {
        let mut capacities = capacities;
        let places: u64 = capacities.iter().sum();
        let lacking = frequencies.iter().sum::<u64>().saturating_sub(places);
        if lacking > 0 {
            capacities.push(lacking);
        }
        Plain { frequencies, capacities }
    }
}

proptest! {
    #[test]
    fn rules_are_those_of_the_sources(problem in problems(), seed in 0_u64..100) {
        let at_most_half = |q: u64, capacities: &[u64]| {
            let open = || (0..capacities.len()).filter(|&slot| capacities[slot] > 0);
            let low = open().filter(|&slot| 2 * capacities[slot] <= q).max_by_key(|&slot| capacities[slot]);
            low.or_else(|| open().min_by_key(|&slot| (2 * capacities[slot]).abs_diff(q))).unwrap()
        };
        let largest = |_: u64, capacities: &[u64]| (0..capacities.len()).max_by_key(|&slot| capacities[slot]).unwrap();
        prop_assert_eq!(shape(&half(&problem, seed)), slowly(&problem, at_most_half));
        prop_assert_eq!(shape(&greatest(&problem, seed)), slowly(&problem, largest));
        prop_assert_eq!(shape(&authors(&problem, seed)), authors_slowly(&problem));
    }

    #[test]
    fn rules_appoint_everybody_within_capacities(
        problem in problems(),
        seed: u64,
        scale in prop::sample::select(vec![0, 5, 20]),
    ) {
        let scaled = |numbers: &[u64]| numbers.iter().map(|&number| number << scale).collect::<Vec<_>>();
        let instance = Instance::plain(&scaled(&problem.frequencies), &scaled(&problem.capacities)).unwrap();
        let problem = instance.as_plain().unwrap();
        for rule in [greatest, half, authors, random] {
            let schedule = rule(&problem, seed);
            prop_assert_eq!(instance.check(&schedule), Ok(()));
            prop_assert_eq!(&schedule, &rule(&problem, seed));
            prop_assert!(schedule.rows.iter().flatten().all(|placement| placement.units > 0));
            prop_assert!(schedule.rows.iter().all(|row| row.is_sorted_by(|left, right| left.slot < right.slot)));
        }
    }
}

/// The placements of every row.
type Rows = Vec<Vec<Placement>>;

/// How many of all ways to seat the people of a tiny problem lead to each schedule.
fn seatings(problem: &Plain) -> BTreeMap<Rows, u64> {
    let mut ways_of = BTreeMap::from([(vec![vec![0; problem.capacities.len()]; problem.frequencies.len()], 1)]);
    for (row, &people) in problem.frequencies.iter().enumerate() {
        for _ in 0..people {
            let mut next = BTreeMap::new();
            for (matrix, ways) in ways_of {
                for (slot, &capacity) in problem.capacities.iter().enumerate() {
                    let taken: u64 = matrix.iter().map(|row| row[slot]).sum();
                    if taken < capacity {
                        let mut seated = matrix.clone();
                        seated[row][slot] += 1;
                        *next.entry(seated).or_insert(0) += ways * (capacity - taken);
                    }
                }
            }
            ways_of = next;
        }
    }
    let placements = |row: &Vec<u64>| {
        let cells = row.iter().enumerate().filter(|&(_, &units)| units > 0);
        cells.map(|(slot, &units)| Placement { slot, units }).collect()
    };
    ways_of.into_iter().map(|(matrix, ways)| (matrix.iter().map(placements).collect(), ways)).collect()
}

/// Draws often and compares with the exact law: the chi-square statistic stays within five standard deviations of its
/// mean.
fn follows_the_law(problem: &Plain, mut draw: impl FnMut(u64) -> Schedule) {
    const DRAWS: u64 = 40_000;
    let ways = seatings(problem);
    let all: u64 = ways.values().sum();
    let mut seen: BTreeMap<Rows, u64> = BTreeMap::new();
    for seed in 0..DRAWS {
        *seen.entry(draw(seed).rows).or_default() += 1;
    }
    assert!(seen.keys().all(|rows| ways.contains_key(rows)));
    let statistic: f64 = ways
        .iter()
        .map(|(rows, &ways)| {
            let expected = ways as f64 / all as f64 * DRAWS as f64;
            (seen.get(rows).copied().unwrap_or(0) as f64 - expected).powi(2) / expected
        })
        .sum();
    let freedom = ways.len() as f64 - 1.0;
    assert!((statistic - freedom).abs() < 5.0 * (2.0 * freedom).sqrt(), "{statistic} for {freedom} degrees of freedom");
}

#[test]
fn all_ways_to_seat_people_are_equally_likely() {
    // no slack, some slack, and so much that places are tried instead of shuffled
    for capacities in [vec![2, 1, 2], vec![3, 1, 2], vec![11, 7, 4]] {
        let problem = Plain { frequencies: vec![3, 2], capacities };
        follows_the_law(&problem, |seed| random(&problem, seed));
        follows_the_law(&problem, |seed| {
            let mut urn = Urn::new(&problem.capacities);
            let mut dice = ChaCha8Rng::seed_from_u64(seed);
            Schedule { rows: problem.frequencies.iter().map(|&people| urn.draw(people, &mut dice)).collect() }
        });
    }
}

#[test]
fn billions_draw_places_too() {
    let instance = Instance::plain(&[1 << 33, 1, 1 << 20], &[1 << 32, 1 << 33, 77, 1 << 38]).unwrap();
    let schedule = random(&instance.as_plain().unwrap(), 1);
    assert_eq!(instance.check(&schedule), Ok(()));
    assert_eq!(schedule.rows[1].len(), 1);
}
