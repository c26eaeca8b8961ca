//! Made-up people and slots.
//!
//! Each generator is a struct of its parameters; a seed turns it into the same numbers everywhere.

mod norway;
mod paper;
mod paper_text;
mod population;
mod pyramid;
mod quasi_ids;
mod resources;
mod screening;
mod thesis;
mod within;

pub use norway::{Norway, Programme, REGIONS, Region};
pub use paper::Paper;
pub use paper_text::PaperText;
pub use population::{Ages, FIRST_POSTCODE, Person, Population, Sex};
pub use quasi_ids::QuasiIds;
pub use resources::Resources;
pub use screening::Screening;
pub use thesis::Thesis;

use super::LaboratoryError;
use crate::instance::Plain;
use std::fmt;

/// Any generator of plain problems, to be named on a command line and put into an experiment.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Generator {
    /// What the authors' program draws.
    Paper(Paper),
    /// What the paper's text says.
    PaperText(PaperText),
    /// What the thesis' experiments draw, as far as it tells.
    Thesis(Thesis),
    /// People of a population by age, postcode and sex.
    Screening(Screening),
}

impl Generator {
    /// The problem of a seed.
    pub fn generate(&self, seed: u64) -> Result<Plain, LaboratoryError> {
        match self {
            Self::Paper(generator) => generator.generate(seed),
            Self::PaperText(generator) => generator.generate(seed),
            Self::Thesis(generator) => generator.generate(seed),
            Self::Screening(generator) => generator.generate(seed),
        }
    }

    /// How many people it makes up.
    pub fn people(&self) -> u64 {
        match self {
            Self::Paper(generator) => generator.people,
            Self::PaperText(generator) => generator.people,
            Self::Thesis(generator) => generator.people,
            Self::Screening(generator) => generator.population.people,
        }
    }

    /// The name of its kind on the command line.
    pub fn name(&self) -> &'static str {
        match self {
            Self::Paper(_) => "paper",
            Self::PaperText(_) => "paper-text",
            Self::Thesis(_) => "thesis",
            Self::Screening(_) => "spanish-pyramid",
        }
    }
}

/// The name of its kind and every parameter but the number of people, so that it can be repeated.
impl fmt::Display for Generator {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: ", self.name())?;
        match self {
            Self::Paper(Paper { quasi_ids, .. }) | Self::PaperText(PaperText { quasi_ids, .. }) => {
                write!(f, "{quasi_ids} quasi-identifier values")
            }
            Self::Thesis(Thesis {
                minimum_quasi_ids, maximum_quasi_ids, minimum_capacity, maximum_capacity, ..
            }) => {
                write!(f, "{minimum_quasi_ids} to {maximum_quasi_ids} quasi-identifier values, ")?;
                write!(f, "capacities of {minimum_capacity} to {maximum_capacity}")
            }
            Self::Screening(Screening { population, slots, minimum_capacity, maximum_capacity }) => {
                match population.ages {
                    Ages::SpanishPyramid => f.write_str("ages as in Spain")?,
                    Ages::Uniform => f.write_str("every age alike")?,
                }
                write!(f, " from {} to {}, ", population.minimum_age, population.maximum_age)?;
                match population.sex {
                    Some(sex) => write!(f, "sex {sex}")?,
                    None => f.write_str("both sexes")?,
                }
                write!(f, ", postcodes: {}, slots: at least {slots}, ", population.postcodes)?;
                write!(f, "capacities of {minimum_capacity} to {maximum_capacity}")
            }
        }
    }
}
