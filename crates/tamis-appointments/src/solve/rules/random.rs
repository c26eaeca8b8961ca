//! Everybody draws a free place.

use super::hypergeometric::Urn;
use crate::instance::Plain;
use crate::schedule::{Placement, Schedule};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use std::collections::HashSet;

/// Every person draws one of the free places, each with the same chance: all ways to seat the people are equally
/// likely.
///
/// Up to [`DRAWN_ONE_BY_ONE`] people it is done just so, in O(N log N). Beyond, cell sizes are drawn from the law that
/// these draws have, in the rounding of floating point.
pub(crate) fn random(problem: &Plain, seed: u64) -> Schedule {
    let mut dice = ChaCha8Rng::seed_from_u64(seed);
    let people = problem.people();
    let places = people + problem.slack();
    let rows = if people > DRAWN_ONE_BY_ONE {
        let mut urn = Urn::new(&problem.capacities);
        problem.frequencies.iter().map(|&people| urn.draw(people, &mut dice)).collect()
    } else if places / LABELS_PER_PERSON <= people {
        by_shuffling(problem, &mut dice)
    } else {
        by_trying(problem, places, &mut dice)
    };
    Schedule { rows }
}

/// So many people at most draw a place each.
const DRAWN_ONE_BY_ONE: u64 = 1 << 24;

/// Where there are at most so many places for every person, all of them are laid out and shuffled.
const LABELS_PER_PERSON: u64 = 4;

/// Lays out the places and shuffles them as far as they are needed.
fn by_shuffling(problem: &Plain, dice: &mut ChaCha8Rng) -> Vec<Vec<Placement>> {
    let slots = problem.capacities.iter().enumerate();
    let mut places: Vec<u32> =
        slots.flat_map(|(slot, &capacity)| std::iter::repeat_n(slot as u32, capacity as usize)).collect();
    let mut drawn = 0;
    seat(problem, || {
        let chosen = dice.random_range(drawn..places.len());
        places.swap(drawn, chosen);
        drawn += 1;
        places[drawn - 1] as usize
    })
}

/// Tries places until a free one is met, which is soon where most of them are.
fn by_trying(problem: &Plain, places: u64, dice: &mut ChaCha8Rng) -> Vec<Vec<Placement>> {
    let mut end = 0;
    let ends: Vec<u64> = problem
        .capacities
        .iter()
        .map(|&capacity| {
            end += capacity;
            end
        })
        .collect();
    let mut taken = HashSet::new();
    seat(problem, || {
        loop {
            let place = dice.random_range(0..places);
            if taken.insert(place) {
                return ends.partition_point(|&end| end <= place);
            }
        }
    })
}

/// Draws a slot for everybody and counts them.
fn seat(problem: &Plain, mut draw: impl FnMut() -> usize) -> Vec<Vec<Placement>> {
    let mut drawn = Vec::new();
    let row = |&people: &u64| {
        drawn.clear();
        drawn.extend((0..people).map(|_| draw()));
        drawn.sort_unstable();
        let same = drawn.chunk_by(|left, right| left == right);
        same.map(|slots| Placement { slot: slots[0], units: slots.len() as u64 }).collect()
    };
    problem.frequencies.iter().map(row).collect()
}
