//! Slots as the thesis' tool makes them up.

use crate::laboratory::LaboratoryError;
use crate::laboratory::dice::Dice;
use crate::laboratory::error::check_people;

/// Slots with capacities drawn from a range, and as many more as it takes to have room for everybody.
///
/// ```
/// use tamis_appointments::laboratory::generators::Resources;
///
/// let capacities = Resources { number: 5, minimum: 10, maximum: 25, people: 100 }.generate(1)?;
/// assert!(capacities.len() >= 5 && capacities.iter().sum::<u64>() >= 100);
/// assert!(capacities.iter().all(|capacity| (10..=25).contains(capacity)));
/// # Ok::<(), tamis_appointments::laboratory::LaboratoryError>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Resources {
    /// How many slots at least.
    pub number: u64,
    /// The smallest capacity.
    pub minimum: u64,
    /// The largest capacity.
    pub maximum: u64,
    /// How many people need a place.
    pub people: u64,
}

/// No slot takes more people than this; sums of capacities then stay far from overflowing.
const LARGEST_CAPACITY: u64 = 1_000_000_000;

/// More slots than this are not made up.
const MOST_SLOTS: u64 = 100_000_000;

impl Resources {
    /// The capacities of a seed.
    pub fn generate(&self, seed: u64) -> Result<Vec<u64>, LaboratoryError> {
        self.check()?;
        let mut dice = Dice::new(seed);
        let mut capacities: Vec<u64> = (0..self.number).map(|_| dice.between(self.minimum, self.maximum)).collect();
        let mut places: u64 = capacities.iter().sum();
        while places < self.people {
            let capacity = dice.between(self.minimum, self.maximum);
            places += capacity;
            capacities.push(capacity);
        }
        Ok(capacities)
    }

    fn check(&self) -> Result<(), LaboratoryError> {
        check_people(self.people)?;
        if !(1..=MOST_SLOTS).contains(&self.number) {
            return Err(LaboratoryError::parameter("the number of slots", self.number, "give 1 to 100,000,000"));
        }
        if self.minimum == 0 || self.minimum > self.maximum {
            let expected = format!("give one from 1 to the largest capacity, {}", self.maximum);
            return Err(LaboratoryError::parameter("the smallest capacity", self.minimum, expected));
        }
        if self.maximum > LARGEST_CAPACITY {
            return Err(LaboratoryError::parameter(
                "the largest capacity",
                self.maximum,
                "give one up to 1,000,000,000",
            ));
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn there_is_room_for_everybody_and_no_slot_too_many(
            number in 1_u64..20, minimum in 1_u64..20, span in 0_u64..20, people in 1_u64..500, seed in any::<u64>(),
        ) {
            let resources = Resources { number, minimum, maximum: minimum + span, people };
            let capacities = resources.generate(seed)?;
            prop_assert!(capacities.iter().all(|capacity| (minimum..=minimum + span).contains(capacity)));
            prop_assert!(capacities.iter().sum::<u64>() >= people);
            let without_last: u64 = capacities[..capacities.len() - 1].iter().sum();
            prop_assert!(capacities.len() as u64 == number || without_last < people);
            prop_assert_eq!(resources.generate(seed)?, capacities);
        }
    }

    #[test]
    fn impossible_slots_are_refused_with_what_to_do() {
        let refused = |resources: Resources| resources.generate(0).expect_err("impossible").to_string();
        let possible = Resources { number: 5, minimum: 10, maximum: 25, people: 100 };
        assert_eq!(
            refused(Resources { number: 0, ..possible.clone() }),
            "the number of slots is 0; give 1 to 100,000,000"
        );
        assert_eq!(
            refused(Resources { minimum: 0, ..possible }),
            "the smallest capacity is 0; give one from 1 to the largest capacity, 25"
        );
    }
}
