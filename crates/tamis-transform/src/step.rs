//! All transformations by name. A new one is a file in `kinds/` and two lines here.

use crate::kinds::{
    anatomize, code, condense, join, link, microaggregate, noise, permute, pseudonymize, rotate_synonyms, sample,
    suppress_cells, swap, synthesize,
};
use crate::{Input, Output, Stage, TransformError, Transformation};
use serde::{Deserialize, Serialize};

/// A transformation with its parameters, as a policy (`[[steps]]` with its `kind`) or the command line gives it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "flags", derive(clap::Subcommand))]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum Step {
    /// Split into quasi-identifiers with group ids and counts of sensitive values per group
    Anatomize(anatomize::Anatomize),
    /// Give numbers at or beyond a threshold one value (top and bottom coding)
    Code(code::Code),
    /// Draw new rows from the statistics of groups of near rows
    Condense(condense::Condense),
    /// Join linked tables again
    Join(join::Join),
    /// Split into quasi-identifiers, sensitive values and a secret table that links them
    Link(link::Link),
    /// Give groups of near rows one common value in each column
    Microaggregate(microaggregate::Microaggregate),
    /// Add random numbers to numbers
    Noise(noise::Noise),
    /// Exchange values at random inside groups of rows
    Permute(permute::Permute),
    /// Replace values by pseudonyms under a secret key
    Pseudonymize(pseudonymize::Pseudonymize),
    /// Let values that mean the same take turns inside groups of rows
    RotateSynonyms(rotate_synonyms::RotateSynonyms),
    /// Keep a random part of the rows
    Sample(sample::Sample),
    /// Replace single cells by `*`
    SuppressCells(suppress_cells::SuppressCells),
    /// Exchange values between pairs of rows
    Swap(swap::Swap),
    /// Draw rows from a model of the table
    Synthesize(synthesize::Synthesize),
}

impl Step {
    /// Applies the transformation.
    pub fn apply(&self, input: Input<'_>) -> Result<Output, TransformError> {
        self.named().1.apply(input)
    }

    /// The kind, as a policy and the command line spell it.
    pub fn kind(&self) -> &'static str {
        self.named().0
    }

    /// What it works on when a policy asks for it.
    pub fn stage(&self) -> Stage {
        self.named().1.stage()
    }

    /// The names of the tables it makes, in their order; one without a name for most.
    pub fn tables(&self) -> &'static [&'static str] {
        self.named().1.tables()
    }

    /// The other files that its parameters name.
    pub fn files(&self) -> Vec<&str> {
        self.named().1.files()
    }

    fn named(&self) -> (&'static str, &dyn Transformation) {
        match self {
            Self::Anatomize(step) => ("anatomize", step),
            Self::Code(step) => ("code", step),
            Self::Condense(step) => ("condense", step),
            Self::Join(step) => ("join", step),
            Self::Link(step) => ("link", step),
            Self::Microaggregate(step) => ("microaggregate", step),
            Self::Noise(step) => ("noise", step),
            Self::Permute(step) => ("permute", step),
            Self::Pseudonymize(step) => ("pseudonymize", step),
            Self::RotateSynonyms(step) => ("rotate-synonyms", step),
            Self::Sample(step) => ("sample", step),
            Self::SuppressCells(step) => ("suppress-cells", step),
            Self::Swap(step) => ("swap", step),
            Self::Synthesize(step) => ("synthesize", step),
        }
    }
}
