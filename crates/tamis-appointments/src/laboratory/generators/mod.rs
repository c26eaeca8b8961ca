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
