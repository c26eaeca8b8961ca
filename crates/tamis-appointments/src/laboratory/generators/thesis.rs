//! The populations of the thesis' experiments.

use crate::instance::Plain;
use crate::laboratory::LaboratoryError;
use crate::laboratory::dice::Dice;
use crate::laboratory::error::check_people;
use crate::laboratory::generators::Resources;

/// People who draw their quasi-identifier value, and slots with capacities from a range until there is room (thesis, sections 4.1, 4.2
/// and 4.6).
///
/// The thesis' `test` takes ranges for the number of values and for the capacities but does not print the ranges it was run with.
/// [`Thesis::of`] has those that come nearest to its Tables 7 and 8 among the simple ones that were tried: 5 to 10 values, and
/// capacities from 1 to twice the root of N.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Thesis {
    /// N.
    pub people: u64,
    /// `minQ`: the smallest number of values that may be drawn.
    pub minimum_quasi_ids: u64,
    /// `maxQ`: the largest.
    pub maximum_quasi_ids: u64,
    /// `minF`: the smallest capacity.
    pub minimum_capacity: u64,
    /// `maxF`: the largest.
    pub maximum_capacity: u64,
}

impl Thesis {
    /// The ranges that fit the thesis' figures best.
    pub fn of(people: u64) -> Self {
        Self {
            people,
            minimum_quasi_ids: 5,
            maximum_quasi_ids: 10,
            minimum_capacity: 1,
            maximum_capacity: people.saturating_mul(4).isqrt().max(1),
        }
    }

    /// The problem of a seed. Values that nobody drew do not exist.
    pub fn generate(&self, seed: u64) -> Result<Plain, LaboratoryError> {
        check_people(self.people)?;
        let (least, most) = (self.minimum_quasi_ids, self.maximum_quasi_ids);
        if !(1..=most).contains(&least) {
            let expected = format!("give one from 1 to the largest number, {most}");
            return Err(LaboratoryError::parameter("the smallest number of quasi-identifier values", least, expected));
        }
        if most > MOST_VALUES {
            let expected = format!("give one up to {MOST_VALUES}");
            return Err(LaboratoryError::parameter("the largest number of quasi-identifier values", most, expected));
        }
        let mut dice = Dice::new(seed);
        let mut frequencies = vec![0; dice.between(least, most) as usize];
        for _ in 0..self.people {
            let value = dice.below(frequencies.len() as u64) as usize;
            frequencies[value] += 1;
        }
        frequencies.retain(|&people| people > 0);
        let resources = Resources {
            number: 1,
            minimum: self.minimum_capacity,
            maximum: self.maximum_capacity,
            people: self.people,
        };
        Ok(Plain { frequencies, capacities: resources.generate(dice.seed())? })
    }
}

/// More values than this are not drawn.
const MOST_VALUES: u64 = 100_000_000;

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn everybody_has_a_value_and_room(people in 1_u64..2000, seed in any::<u64>()) {
            let generator = Thesis::of(people);
            let problem = generator.generate(seed)?;
            prop_assert_eq!(problem.people(), people);
            prop_assert!((1..=10).contains(&problem.frequencies.len()));
            prop_assert!(problem.frequencies.iter().all(|&frequency| frequency > 0));
            prop_assert!(problem.capacities.iter().sum::<u64>() >= people);
            prop_assert!(problem.capacities.iter().all(|c| (1..=generator.maximum_capacity).contains(c)));
            prop_assert_eq!(generator.generate(seed)?, problem);
        }
    }

    #[test]
    fn ranges_the_wrong_way_round_are_refused() {
        let refused = Thesis { minimum_quasi_ids: 11, ..Thesis::of(100) }.generate(0).expect_err("impossible");
        assert_eq!(
            refused.to_string(),
            "the smallest number of quasi-identifier values is 11; give one from 1 to the largest number, 10"
        );
        let refused = Thesis { maximum_capacity: 0, ..Thesis::of(100) }.generate(0).expect_err("impossible");
        assert_eq!(refused.to_string(), "the smallest capacity is 1; give one from 1 to the largest capacity, 0");
    }
}
