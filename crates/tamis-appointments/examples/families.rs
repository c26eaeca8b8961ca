//! Programmes with families at scale: `families PROGRAMMES PERCENT_IN_FAMILIES [SECONDS] [METHOD] [PEOPLE]`.
//!
//! Every programme has 3 to 13 slots and people of 93 birth years, part of them in families of two to four; it prints the smallest
//! cells that are left, with how many there are. Measure with `time`.

use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use std::time::{Duration, Instant};
use tamis_appointments::{Allowed, Instance, Member, Method, Patience, SolveOptions, Unit, solve};

const YEARS: usize = 93;

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let number = |at: usize| arguments.get(at).and_then(|text| text.parse::<u64>().ok());
    let (programmes, percent) = (number(0).unwrap_or(100), number(1).unwrap_or(30));
    let method = match arguments.get(3).map(String::as_str) {
        Some("greatest") => Method::Greatest,
        Some("half") => Method::Half,
        Some("authors") => Method::Authors,
        Some("random") => Method::Random,
        _ => Method::Heuristic,
    };
    let instance = programmes_with_families(programmes, percent, number(4).unwrap_or(1_700));
    let patience = number(2).filter(|&limit| limit > 0).map(|limit| Patience::of(Duration::from_secs(limit)));
    let options = SolveOptions { patience: patience.unwrap_or_default(), ..SolveOptions::default() };
    let begin = Instant::now();
    match solve(&instance, method, &options) {
        Ok(solution) => {
            let smallest: Vec<(u64, u64)> = solution.vector.counts().iter().copied().take(8).collect();
            let bound: Vec<(u64, u64)> = solution.lower_bound.counts().iter().copied().take(3).collect();
            println!("{} people, {:?}: {smallest:?}, bound {bound:?}", instance.people(), begin.elapsed());
            assert_eq!(instance.check(&solution.schedule), Ok(()));
        }
        Err(error) => println!("{:?}: {error}", begin.elapsed()),
    }
}

/// Programmes of about so many people each; slots have two places in a hundred more than there are people.
fn programmes_with_families(programmes: u64, percent: u64, people: u64) -> Instance {
    let mut rng = ChaCha8Rng::seed_from_u64(1);
    let (mut units, mut capacities) = (Vec::new(), Vec::new());
    for _ in 0..programmes {
        let people = rng.random_range(people / 3..=people * 5 / 3);
        let slots = rng.random_range(3..=13_u64);
        let first = capacities.len();
        capacities.extend((0..slots).map(|_| (people * 51).div_ceil(slots * 50)));
        let allowed = Allowed::Only((first..capacities.len()).collect());
        let mut singles = vec![0; YEARS];
        let mut left = people;
        while left > 0 {
            if left * 100 > people * (100 - percent) {
                let size = rng.random_range(2..=4).min(left);
                let member = |quasi_id| Member { quasi_id, values: Vec::new(), people: 1 };
                let members = (0..size).map(|_| member(rng.random_range(0..YEARS))).collect();
                units.push(Unit { members, count: 1, allowed: allowed.clone() });
                left -= size;
            } else {
                singles[rng.random_range(0..YEARS)] += 1;
                left -= 1;
            }
        }
        let singles = singles.into_iter().enumerate().filter(|&(_, count)| count > 0);
        units.extend(singles.map(|(year, count)| Unit { allowed: allowed.clone(), ..Unit::people(year, count) }));
    }
    Instance { quasi_ids: YEARS, capacities, units, attributes: Vec::new(), mixing: Vec::new() }
}
