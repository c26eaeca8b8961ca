//! The populations that the paper's text describes.

use super::QuasiIds;
use crate::instance::Plain;
use crate::laboratory::LaboratoryError;
use crate::laboratory::dice::Dice;
use crate::laboratory::error::check_people;

/// Normal frequencies and capacities, each with a standard deviation of 20% (paper, section 8.1).
///
/// Frequencies are around N/Q and sum to N: the draws are shares, rounded by largest remainder with at least one person each.
/// Capacities are around 10, at least 1, and drawn until there is room for everybody.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PaperText {
    /// N.
    pub people: u64,
    /// Q.
    pub quasi_ids: QuasiIds,
}

/// The mean capacity of a slot.
const MEAN_CAPACITY: f64 = 10.0;

/// The standard deviation, as a share of the mean.
const DEVIATION: f64 = 0.2;

impl PaperText {
    /// The problem of a seed.
    pub fn generate(&self, seed: u64) -> Result<Plain, LaboratoryError> {
        check_people(self.people)?;
        let values = self.quasi_ids.checked(self.people)?;
        let mut dice = Dice::new(seed);
        let shares: Vec<f64> = (0..values).map(|_| (1.0 + DEVIATION * dice.normal()).max(0.0)).collect();
        let mut capacities = Vec::new();
        let mut places = 0;
        while places < self.people {
            let capacity = (MEAN_CAPACITY * (1.0 + DEVIATION * dice.normal())).round().max(1.0) as u64;
            places += capacity;
            capacities.push(capacity);
        }
        Ok(Plain { frequencies: apportioned(self.people, &shares), capacities })
    }
}

/// People by shares, at least one for each: whole parts first, then one more for the largest remainders.
fn apportioned(people: u64, shares: &[f64]) -> Vec<u64> {
    let beyond_one = people - shares.len() as u64;
    let whole: f64 = shares.iter().sum();
    let exact: Vec<f64> =
        shares.iter().map(|share| (people as f64 * share / whole.max(f64::MIN_POSITIVE) - 1.0).max(0.0)).collect();
    let all: f64 = exact.iter().sum::<f64>().max(f64::MIN_POSITIVE);
    let scaled: Vec<f64> = exact.iter().map(|part| part * beyond_one as f64 / all).collect();
    let mut parts: Vec<u64> = scaled.iter().map(|part| part.floor() as u64).collect();
    let mut order: Vec<usize> = (0..parts.len()).collect();
    order.sort_by(|&left, &right| scaled[right].fract().total_cmp(&scaled[left].fract()));
    let missing = beyond_one.saturating_sub(parts.iter().sum());
    for &at in order.iter().cycle().take(missing as usize) {
        parts[at] += 1;
    }
    // Rounding errors of sums can only exceed by a person or two; take them from the largest parts.
    let mut excess = parts.iter().sum::<u64>().saturating_sub(beyond_one);
    while excess > 0 {
        let Some(largest) = parts.iter_mut().max() else { break };
        *largest -= 1;
        excess -= 1;
    }
    parts.iter().map(|part| part + 1).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn everybody_has_a_value_and_room(people in 6_u64..5000, seed in any::<u64>()) {
            let generator = PaperText { people, quasi_ids: QuasiIds::PAPER };
            let problem = generator.generate(seed)?;
            prop_assert_eq!(problem.frequencies.len() as u64, QuasiIds::PAPER.of(people));
            prop_assert_eq!(problem.people(), people);
            prop_assert!(problem.frequencies.iter().all(|&frequency| frequency > 0));
            let places: u64 = problem.capacities.iter().sum();
            prop_assert!(places >= people && places - problem.capacities[problem.capacities.len() - 1] < people);
            prop_assert_eq!(generator.generate(seed)?, problem);
        }

        #[test]
        fn shares_are_apportioned_to_the_last_person(
            shares in prop::collection::vec(0.0_f64..3.0, 1..20), beyond in 0_u64..500,
        ) {
            let people = beyond + shares.len() as u64;
            let parts = apportioned(people, &shares);
            prop_assert_eq!(parts.iter().sum::<u64>(), people);
            prop_assert!(parts.iter().all(|&part| part > 0));
        }
    }

    #[test]
    fn deviations_are_a_fifth_of_the_mean() {
        let problem = PaperText { people: 100_000, quasi_ids: QuasiIds::PAPER }.generate(1).expect("plausible");
        let deviation = |numbers: &[u64]| {
            let mean = numbers.iter().sum::<u64>() as f64 / numbers.len() as f64;
            let squares: f64 = numbers.iter().map(|&number| (number as f64 - mean).powi(2)).sum();
            (squares / numbers.len() as f64).sqrt() / mean
        };
        assert!((deviation(&problem.frequencies) - 0.2).abs() < 0.02);
        assert!((deviation(&problem.capacities) - 0.2).abs() < 0.01);
    }
}
