//! A population by its quasi-identifier with slots for it.

use super::{Person, Population, Resources, Sex};
use crate::instance::Plain;
use crate::laboratory::LaboratoryError;
use crate::laboratory::dice::Dice;
use std::collections::BTreeMap;

/// People with age, postcode and sex as quasi-identifier, and slots of some range of capacities.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Screening {
    /// Who is invited.
    pub population: Population,
    /// How many slots at least.
    pub slots: u64,
    /// The smallest capacity.
    pub minimum_capacity: u64,
    /// The largest capacity.
    pub maximum_capacity: u64,
}

impl Screening {
    /// The people and the capacities of a seed.
    pub fn tables(&self, seed: u64) -> Result<(Vec<Person>, Vec<u64>), LaboratoryError> {
        let mut dice = Dice::new(seed);
        let people = self.population.generate(dice.seed())?;
        let resources = Resources {
            number: self.slots,
            minimum: self.minimum_capacity,
            maximum: self.maximum_capacity,
            people: self.population.people,
        };
        Ok((people, resources.generate(dice.seed())?))
    }

    /// The problem of a seed: people by (age, postcode, sex), in that order.
    pub fn generate(&self, seed: u64) -> Result<Plain, LaboratoryError> {
        let (people, capacities) = self.tables(seed)?;
        Ok(Self::problem(&people, capacities))
    }

    /// The problem of people and capacities that are made already.
    pub fn problem(people: &[Person], capacities: Vec<u64>) -> Plain {
        let mut crowds = BTreeMap::new();
        for person in people {
            *crowds.entry((person.age, person.postcode, person.sex == Sex::Woman)).or_insert(0) += 1;
        }
        Plain { frequencies: crowds.into_values().collect(), capacities }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::laboratory::generators::Ages;

    #[test]
    fn people_are_counted_by_all_three_attributes() {
        let population =
            Population { people: 500, ages: Ages::Uniform, sex: None, minimum_age: 40, maximum_age: 41, postcodes: 2 };
        let screening = Screening { population, slots: 5, minimum_capacity: 10, maximum_capacity: 25 };
        let problem = screening.generate(1).expect("plausible");
        assert_eq!((problem.people(), problem.frequencies.len()), (500, 8));
        assert!(problem.capacities.iter().sum::<u64>() >= 500);
        assert_eq!(screening.tables(1).expect("plausible").1, problem.capacities);
    }
}
