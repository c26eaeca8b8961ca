//! Conditions at scale without families: `conditions PEOPLE mixing|distance [SECONDS]`.
//!
//! `mixing`: a tenth of the people are of five other nationalities; slots of 40 may have 15 percent of them, of three
//! nationalities at least. `distance`: everybody may go to the slots of the own and the two neighbouring places. Measure with `time`.

use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use std::collections::BTreeMap;
use std::time::{Duration, Instant};
use tamis_appointments::{
    Allowed, Attribute, Instance, Limit, Member, Method, MixingRule, Patience, SolveOptions, Unit, Who, solve,
};

const YEARS: usize = 93;

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let number = |at: usize| arguments.get(at).and_then(|text| text.parse::<u64>().ok());
    let people = number(0).unwrap_or(400_000);
    let instance = match arguments.get(1).map(String::as_str) {
        Some("distance") => neighbouring_places(people),
        _ => mixed_nationalities(people),
    };
    let patience = number(2).filter(|&limit| limit > 0).map(|limit| Patience::of(Duration::from_secs(limit)));
    let options = SolveOptions { patience: patience.unwrap_or_default(), ..SolveOptions::default() };
    let begin = Instant::now();
    match solve(&instance, Method::Heuristic, &options) {
        Ok(solution) => {
            let smallest: Vec<(u64, u64)> = solution.vector.counts().iter().copied().take(8).collect();
            let bound: Vec<(u64, u64)> = solution.lower_bound.counts().iter().copied().take(3).collect();
            println!("{} people, {:?}: {smallest:?}, bound {bound:?}", instance.people(), begin.elapsed());
            assert_eq!(instance.check(&solution.schedule), Ok(()));
        }
        Err(error) => println!("{:?}: {error}", begin.elapsed()),
    }
}

fn mixed_nationalities(people: u64) -> Instance {
    let mut rng = ChaCha8Rng::seed_from_u64(1);
    let mut counts: BTreeMap<(usize, u32), u64> = BTreeMap::new();
    for _ in 0..people {
        let nationality = if rng.random_bool(0.1) { rng.random_range(1..=5) } else { 0 };
        *counts.entry((rng.random_range(0..YEARS), nationality)).or_insert(0) += 1;
    }
    let units = counts.into_iter().map(|((quasi_id, nationality), count)| Unit {
        members: vec![Member { quasi_id, values: vec![nationality], people: 1 }],
        count,
        allowed: Allowed::All,
    });
    let rule = |limit| MixingRule { attribute: 0, who: Who::AllBut(0), limit };
    let share = "0.15".parse().map_or(Limit::MinimumDistinct(3), Limit::MaximumShare);
    Instance {
        quasi_ids: YEARS,
        capacities: vec![40; (people * 21).div_ceil(20 * 40) as usize],
        units: units.collect(),
        attributes: vec![Attribute {
            name: "nationality".to_owned(),
            values: (0..6).map(|value| value.to_string()).collect(),
        }],
        mixing: vec![rule(share), rule(Limit::MinimumDistinct(3))],
    }
}

fn neighbouring_places(people: u64) -> Instance {
    let mut rng = ChaCha8Rng::seed_from_u64(1);
    let places = (people as usize / 2_000).max(3);
    let slots_of_place = 5;
    let mut counts: BTreeMap<(usize, usize), u64> = BTreeMap::new();
    for _ in 0..people {
        *counts.entry((rng.random_range(0..places), rng.random_range(0..YEARS))).or_insert(0) += 1;
    }
    let slots_of = |place: usize| {
        let near = place.saturating_sub(1)..=(place + 1).min(places - 1);
        Allowed::Only(near.flat_map(|near| near * slots_of_place..(near + 1) * slots_of_place).collect())
    };
    let allowed: Vec<Allowed> = (0..places).map(slots_of).collect();
    let units = counts
        .into_iter()
        .map(|((place, quasi_id), count)| Unit { allowed: allowed[place].clone(), ..Unit::people(quasi_id, count) });
    let slots = places * slots_of_place;
    Instance {
        quasi_ids: YEARS,
        capacities: vec![(people * 21).div_ceil(20 * slots as u64); slots],
        units: units.collect(),
        attributes: Vec::new(),
        mixing: Vec::new(),
    }
}
