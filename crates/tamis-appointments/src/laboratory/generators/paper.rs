//! The populations of the paper's Table 10, as the authors' program draws them.

use super::QuasiIds;
use super::within::{Sum, within};
use crate::instance::Plain;
use crate::laboratory::LaboratoryError;
use crate::laboratory::dice::Dice;
use crate::laboratory::error::check_people;

/// The generator behind the paper's figures.
///
/// The paper's text speaks of deviations of 20% ([`super::PaperText`]); its printed figures come from something else, which the
/// authors' public program shows: Q = N/100 + 5 frequencies, evenly from N/Q - 5 (at least 1) to N/Q + 10 and mended to sum to N;
/// R = N/10 capacities, evenly from N/R - 5 to N/R + 4 and raised to at least N. All divisions are of integers.
///
/// ```
/// use tamis_appointments::laboratory::generators::{Paper, QuasiIds};
///
/// let problem = Paper { people: 1000, quasi_ids: QuasiIds::PAPER }.generate(1)?;
/// assert_eq!((problem.frequencies.len(), problem.capacities.len()), (15, 100));
/// assert_eq!(problem.people(), 1000);
/// # Ok::<(), tamis_appointments::laboratory::LaboratoryError>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Paper {
    /// N.
    pub people: u64,
    /// Q.
    pub quasi_ids: QuasiIds,
}

impl Paper {
    /// The problem of a seed.
    pub fn generate(&self, seed: u64) -> Result<Plain, LaboratoryError> {
        let people = self.people;
        check_people(people)?;
        if people < 10 {
            let expected = "the paper's generator has a slot for every ten people, give 10 or more";
            return Err(LaboratoryError::parameter("the number of people", people, expected));
        }
        let values = self.quasi_ids.checked(people)?;
        let slots = people / 10;
        let (crowd, places) = (people / values, people / slots);
        let mut dice = Dice::new(seed);
        Ok(Plain {
            frequencies: within(&mut dice, values, crowd.saturating_sub(5).max(1)..=crowd + 10, Sum::Exactly(people)),
            capacities: within(&mut dice, slots, places - 5..=places + 4, Sum::AtLeast(people)),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn problems_are_what_the_paper_describes(people in 10_u64..3000, is_dense in any::<bool>(), seed in any::<u64>()) {
            let quasi_ids = if is_dense { QuasiIds::DENSE } else { QuasiIds::PAPER };
            let problem = Paper { people, quasi_ids }.generate(seed)?;
            let (values, slots) = (quasi_ids.of(people), people / 10);
            prop_assert_eq!(problem.frequencies.len() as u64, values);
            prop_assert_eq!(problem.capacities.len() as u64, slots);
            prop_assert_eq!(problem.people(), people);
            prop_assert!(problem.capacities.iter().sum::<u64>() >= people);
            let (crowd, places) = (people / values, people / slots);
            prop_assert!(problem.frequencies.iter().all(|&f| f >= 1 && f + 5 >= crowd && f <= crowd + 10));
            prop_assert!(problem.capacities.iter().all(|&c| c + 5 >= places && c <= places + 4));
            prop_assert_eq!(Paper { people, quasi_ids }.generate(seed)?, problem);
        }
    }

    #[test]
    fn populations_that_the_formula_cannot_describe_are_refused() {
        let refused = |people, formula: &str| {
            let quasi_ids = formula.parse().expect("a formula");
            Paper { people, quasi_ids }.generate(0).expect_err("impossible").to_string()
        };
        assert_eq!(
            refused(9, "N/100+5"),
            "the number of people is 9; the paper's generator has a slot for every ten people, give 10 or more"
        );
        assert_eq!(
            refused(20, "25"),
            "the number of quasi-identifier values is 25; for 20 people there can be 1 to 20; each value needs somebody"
        );
    }
}
