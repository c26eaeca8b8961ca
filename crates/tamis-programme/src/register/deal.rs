//! From how many go where to who goes where.

use rand::seq::SliceRandom;
use rand_chacha::ChaCha8Rng;
use tamis_appointments::{Placement, Schedule};

/// The slot of every person of every group, in the order of the people of the group. Whom of a group a slot gets is drawn, so
/// that it does not follow from the order of the keys.
pub(super) fn deal(schedule: &Schedule, random: &mut ChaCha8Rng) -> Vec<Vec<usize>> {
    let slots_of_group = |row: &Vec<Placement>| {
        let repeated = row.iter().map(|placement| std::iter::repeat_n(placement.slot, placement.units as usize));
        let mut slots: Vec<usize> = repeated.flatten().collect();
        slots.shuffle(random);
        slots
    };
    schedule.rows.iter().map(slots_of_group).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use rand_chacha::rand_core::SeedableRng;

    fn dealt(schedule: &Schedule, seed: u64) -> Vec<Vec<usize>> {
        deal(schedule, &mut ChaCha8Rng::seed_from_u64(seed))
    }

    proptest! {
        #[test]
        fn everybody_is_dealt_one_slot_and_every_slot_as_many_as_it_is_to_get(
            matrix in prop::collection::vec(prop::collection::vec(0_u64..5, 4), 1..5),
            seed in any::<u64>(),
        ) {
            let row = |units: &Vec<u64>| (0..).zip(units).map(|(slot, &units)| Placement { slot, units }).collect();
            let schedule = Schedule { rows: matrix.iter().map(row).collect() };
            let slots_of_groups = dealt(&schedule, seed);
            for (units, slots) in matrix.iter().zip(&slots_of_groups) {
                let counted: Vec<u64> = (0..4).map(|at| slots.iter().filter(|&&slot| slot == at).count() as u64).collect();
                prop_assert_eq!(&counted, units);
            }
            prop_assert_eq!(dealt(&schedule, seed), slots_of_groups);
        }
    }

    #[test]
    fn the_order_of_keys_does_not_tell_the_slot() {
        let halves = vec![Placement { slot: 0, units: 50 }, Placement { slot: 1, units: 50 }];
        let schedule = Schedule { rows: vec![halves] };
        assert!(!dealt(&schedule, 3)[0].is_sorted());
        assert_ne!(dealt(&schedule, 3), dealt(&schedule, 4));
    }
}
