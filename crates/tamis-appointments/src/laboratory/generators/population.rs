//! People as the thesis' tool makes them up: age, postcode, sex.

use super::pyramid;
use crate::laboratory::LaboratoryError;
use crate::laboratory::dice::Dice;
use crate::laboratory::error::check_people;
use std::fmt;

/// The first postcode handed out, Madrid's.
pub const FIRST_POSTCODE: u32 = 28_000;

/// Postcodes have five digits.
const MOST_POSTCODES: u32 = 100_000 - FIRST_POSTCODE;

/// No age above this makes sense.
const OLDEST_ASKED_FOR: u32 = 150;

/// A made-up person.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Person {
    /// In years.
    pub age: u32,
    /// From [`FIRST_POSTCODE`] on.
    pub postcode: u32,
    /// As the thesis has it.
    pub sex: Sex,
}

/// The sexes of the thesis' tables.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "flags", derive(clap::ValueEnum))]
pub enum Sex {
    /// Men only.
    Man,
    /// Women only.
    Woman,
}

impl fmt::Display for Sex {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Man => "man",
            Self::Woman => "woman",
        })
    }
}

/// How ages are spread.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "flags", derive(clap::ValueEnum))]
pub enum Ages {
    /// Every age between the bounds is as likely as any other.
    Uniform,
    /// As in Spain at the beginning of 2015 (thesis, Figure 14), as far as the bounds let through.
    #[cfg_attr(feature = "flags", value(name = "spain"))]
    SpanishPyramid,
}

/// A population to be screened, as the thesis' tool generates it.
///
/// Ages, postcodes and sexes are drawn independently of each other; postcodes evenly, sexes as in Figure 15 of the thesis
/// (49.14% men) unless only one is wanted.
///
/// ```
/// use tamis_appointments::laboratory::generators::{Ages, Population, Sex};
///
/// let invited = Population {
///     people: 1000,
///     ages: Ages::SpanishPyramid,
///     sex: Some(Sex::Woman),
///     minimum_age: 25,
///     maximum_age: 69,
///     postcodes: 3,
/// };
/// let people = invited.generate(7)?;
/// assert_eq!(people.len(), 1000);
/// assert!(people.iter().all(|person| (25..=69).contains(&person.age) && person.sex == Sex::Woman));
/// # Ok::<(), tamis_appointments::laboratory::LaboratoryError>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Population {
    /// How many people.
    pub people: u64,
    /// How their ages are spread.
    pub ages: Ages,
    /// Only people of this sex; both if none.
    pub sex: Option<Sex>,
    /// Nobody is younger.
    pub minimum_age: u32,
    /// Nobody is older.
    pub maximum_age: u32,
    /// How many postcodes there are, from [`FIRST_POSTCODE`] on.
    pub postcodes: u32,
}

impl Population {
    /// The people of a seed. A smaller population with otherwise equal parameters is the beginning of a larger one.
    pub fn generate(&self, seed: u64) -> Result<Vec<Person>, LaboratoryError> {
        self.check()?;
        let weights = self.weights_up_to_age();
        let all = weights.last().map_or(0, |&(_, sum)| sum);
        let mut dice = Dice::new(seed);
        let person = |_| {
            let at = dice.below(all);
            let age = weights[weights.partition_point(|&(_, sum)| sum <= at)].0;
            let postcode = FIRST_POSTCODE + dice.below(u64::from(self.postcodes)) as u32;
            let is_man = dice.below(pyramid::RESIDENTS) < pyramid::MEN;
            let sex = self.sex.unwrap_or(if is_man { Sex::Man } else { Sex::Woman });
            Person { age, postcode, sex }
        };
        Ok((0..self.people).map(person).collect())
    }

    fn check(&self) -> Result<(), LaboratoryError> {
        check_people(self.people)?;
        if self.minimum_age > self.maximum_age {
            let expected = format!("give one up to the maximum age, {}", self.maximum_age);
            return Err(LaboratoryError::parameter("the minimum age", self.minimum_age, expected));
        }
        if self.maximum_age > OLDEST_ASKED_FOR {
            let expected = format!("give one up to {OLDEST_ASKED_FOR}");
            return Err(LaboratoryError::parameter("the maximum age", self.maximum_age, expected));
        }
        if self.ages == Ages::SpanishPyramid && self.minimum_age > pyramid::OLDEST {
            let expected = format!("the pyramid ends at {}", pyramid::OLDEST);
            return Err(LaboratoryError::parameter("the minimum age", self.minimum_age, expected));
        }
        if !(1..=MOST_POSTCODES).contains(&self.postcodes) {
            let expected = format!("give 1 to {MOST_POSTCODES}");
            return Err(LaboratoryError::parameter("the number of postcodes", self.postcodes, expected));
        }
        Ok(())
    }

    /// Every age that can occur with the weight of all ages up to it.
    fn weights_up_to_age(&self) -> Vec<(u32, u64)> {
        let mut sum = 0;
        let weigh = |age| {
            sum += match self.ages {
                Ages::Uniform => 1,
                Ages::SpanishPyramid => pyramid::weight(age),
            };
            (age, sum)
        };
        (self.minimum_age..=self.maximum_age).map(weigh).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn everybody(people: u64) -> Population {
        Population { people, ages: Ages::SpanishPyramid, sex: None, minimum_age: 0, maximum_age: 100, postcodes: 9 }
    }

    proptest! {
        #[test]
        fn people_are_within_their_bounds_and_a_shorter_table_begins_a_longer_one(
            people in 1_u64..200,
            is_uniform in any::<bool>(),
            minimum_age in 0_u32..=100,
            span in 0_u32..=50,
            postcodes in 1_u32..=30,
            seed in any::<u64>(),
        ) {
            let ages = if is_uniform { Ages::Uniform } else { Ages::SpanishPyramid };
            let maximum_age = minimum_age + span;
            let population = Population { people, ages, sex: None, minimum_age, maximum_age, postcodes };
            let made = population.generate(seed)?;
            prop_assert_eq!(made.len() as u64, people);
            for person in &made {
                prop_assert!((minimum_age..=maximum_age).contains(&person.age));
                prop_assert!((FIRST_POSTCODE..FIRST_POSTCODE + postcodes).contains(&person.postcode));
            }
            let longer = Population { people: people + 10, ..population }.generate(seed)?;
            prop_assert_eq!(&longer[..made.len()], &made[..]);
        }
    }

    #[test]
    fn ages_and_sexes_follow_the_figures() {
        let people = everybody(200_000).generate(1).expect("plausible parameters");
        let share =
            |is_one: &dyn Fn(&Person) -> bool| people.iter().filter(|person| is_one(person)).count() as f64 / 2e5;
        // Three standard errors of a share of 200,000 people are below 0.0034.
        assert!((share(&|person| person.sex == Sex::Man) - 0.4914).abs() < 0.0034);
        assert!((share(&|person| (35..40).contains(&person.age)) - 3_948_602.0 / 46_439_864.0).abs() < 0.0034);
        assert!((share(&|person| person.age >= 80) - 2_731_294.0 / 46_439_864.0).abs() < 0.0034);
        assert!((share(&|person| person.postcode == 28_008) - 1.0 / 9.0).abs() < 0.0034);
    }

    #[test]
    fn impossible_populations_are_refused_with_what_to_do() {
        let refused = |population: Population| population.generate(0).expect_err("impossible").to_string();
        assert_eq!(refused(everybody(0)), "the number of people is 0; give 1 to 100,000,000");
        assert_eq!(
            refused(Population { minimum_age: 30, maximum_age: 20, ..everybody(1) }),
            "the minimum age is 30; give one up to the maximum age, 20"
        );
        assert_eq!(
            refused(Population { minimum_age: 120, maximum_age: 130, ..everybody(1) }),
            "the minimum age is 120; the pyramid ends at 109"
        );
        assert_eq!(
            refused(Population { postcodes: 0, ..everybody(1) }),
            "the number of postcodes is 0; give 1 to 72000"
        );
    }
}
