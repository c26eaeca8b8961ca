//! The paper's Algorithm 2 as printed.

use super::most_frequent_first;
use super::remaining::{Remaining, Room};
use crate::instance::Plain;
use crate::schedule::{Placement, Schedule};

/// Every quasi-identifier value, the most frequent first, goes to a slot that fits exactly; else, if some slot is
/// larger, to the largest; else a part of it fills the largest slot that takes at most half of it.
///
/// The last step is undefined in the paper when no slot is that small (five people, two slots of three): then the slot
/// closest to half, which is the smallest, is filled. On the running example the vector is the optimum, (0,2,1,2); the
/// matrix printed in the paper is that of [`greatest`](super::greatest()). O((Q + R) log R).
pub(crate) fn half(problem: &Plain, seed: u64) -> Schedule {
    most_frequent_first(problem, seed, |people, remaining| {
        place(people, remaining, |left, remaining| {
            remaining.take_at_most(left / 2).or_else(|| remaining.take_smallest())
        })
    })
}

/// Algorithm 2 for one quasi-identifier value, with the choice of the slot to fill where none holds everybody.
pub(super) fn place(
    people: u64,
    remaining: &mut Remaining,
    choose: impl Fn(u64, &mut Remaining) -> Option<Room>,
) -> Vec<Placement> {
    let mut placements = Vec::new();
    let mut left = people;
    while left > 0 {
        let room = match remaining.take_exactly(left) {
            Some(room) => Some(room),
            None if remaining.largest() > Some(left) => remaining.take_largest(),
            None => choose(left, remaining),
        };
        // There are at least as many places as people, so a slot is left while people are.
        let Some(Room { slot, places }) = room else { break };
        let units = places.min(left);
        remaining.put(Room { slot, places: places - units });
        placements.push(Placement { slot, units });
        left -= units;
    }
    placements
}
