//! What the authors' program does: the thesis' `findSlots` (section 4.5), whose figures are those of the paper's Table
//! 10.

use super::most_frequent_first;
use super::remaining::{Remaining, Room};
use crate::instance::Plain;
use crate::schedule::{Placement, Schedule};

/// Every quasi-identifier value, the most frequent first, collects the largest slots until they cover it, then fills
/// them from the smallest on; what is left of the largest is for the others. O((Q + R) log R).
pub(crate) fn authors(problem: &Plain, seed: u64) -> Schedule {
    most_frequent_first(problem, seed, find_slots)
}

fn find_slots(people: u64, remaining: &mut Remaining) -> Vec<Placement> {
    let mut collected = Vec::new();
    let mut covered = 0;
    while covered < people {
        let Some(room) = remaining.take_largest() else { break };
        covered += room.places;
        collected.push(room);
    }
    let mut left = people;
    let mut placements = Vec::with_capacity(collected.len());
    for Room { slot, places } in collected.into_iter().rev() {
        let units = places.min(left);
        left -= units;
        remaining.put(Room { slot, places: places - units });
        placements.push(Placement { slot, units });
    }
    placements
}
