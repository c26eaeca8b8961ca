//! Room for those who may only go to some slots.

use super::model::Model;

/// Before every slot of the search: groups of people and how many places their slots have left together. More people than
/// places, and nothing can come of it (Hall's condition, for unions of the kinds' slots).
pub(super) struct Halls {
    /// The set of slots of each kind, by number.
    pub(super) set_of: Vec<usize>,
    pub(super) sets: usize,
    before: Vec<Vec<Hall>>,
}

/// The sets of slots that lie within a union, as bits, and the places of the union.
struct Hall {
    sets: u64,
    places: u32,
}

/// With more different futures than this only unions of one or two are looked at.
const MOST_FUTURES: usize = 6;

impl Halls {
    pub(super) fn new(model: &Model) -> Self {
        let mut sets: Vec<&[bool]> = model.kinds.iter().map(|kind| kind.allowed.as_slice()).collect();
        sets.sort_unstable();
        sets.dedup();
        let set_of =
            model.kinds.iter().map(|kind| sets.partition_point(|&set| set < kind.allowed.as_slice())).collect();
        let slots = model.slots.len();
        let before =
            (0..slots).map(|slot| if sets.len() > 64 { Vec::new() } else { halls(model, &sets, slot) }).collect();
        Self { set_of, sets: sets.len(), before }
    }

    /// Whether everybody may still find a place, with so many people left of each set of slots.
    pub(super) fn have_room(&self, slot: usize, people_of_set: &[u32]) -> bool {
        self.before[slot].iter().all(|hall| {
            let mut people = 0;
            let mut sets = hall.sets;
            while sets != 0 {
                people += people_of_set[sets.trailing_zeros() as usize];
                sets &= sets - 1;
            }
            people <= hall.places
        })
    }
}

fn halls(model: &Model, sets: &[&[bool]], slot: usize) -> Vec<Hall> {
    let mut futures: Vec<&[bool]> = sets.iter().map(|set| &set[slot..]).filter(|set| set.contains(&true)).collect();
    futures.sort_unstable();
    futures.dedup();
    let mut halls: Vec<Hall> = Vec::new();
    for union in unions(&futures) {
        let within = |set: &[bool]| set[slot..].iter().zip(&union).all(|(&in_set, &in_union)| in_union || !in_set);
        let bits = (0..sets.len()).filter(|&set| within(sets[set])).fold(0_u64, |bits, set| bits | 1 << set);
        let places =
            model.slots[slot..].iter().zip(&union).filter(|(_, of_union)| **of_union).map(|(slot, _)| slot.free).sum();
        if !halls.iter().any(|hall| hall.sets == bits) {
            halls.push(Hall { sets: bits, places });
        }
    }
    halls
}

fn unions(futures: &[&[bool]]) -> Vec<Vec<bool>> {
    let join = |chosen: &[&[bool]]| {
        let slots = futures.first().map_or(0, |future| future.len());
        (0..slots).map(|slot| chosen.iter().any(|future| future[slot])).collect::<Vec<bool>>()
    };
    if futures.len() <= MOST_FUTURES {
        return (1..1_u32 << futures.len())
            .map(|bits| {
                let chosen: Vec<&[bool]> =
                    (0..futures.len()).filter(|&at| bits >> at & 1 == 1).map(|at| futures[at]).collect();
                join(&chosen)
            })
            .collect();
    }
    let mut unions: Vec<Vec<bool>> = vec![join(futures)];
    for (at, &first) in futures.iter().enumerate() {
        unions.push(first.to_vec());
        unions.extend(futures[..at].iter().map(|&second| join(&[first, second])));
    }
    unions
}
