//! All transformations by name. A new one is a file in `kinds/` and two lines here.

use crate::kinds::{condense, microaggregate, sample, synthesize};
use crate::{Input, Output, TransformError, Transformation};
use serde::{Deserialize, Serialize};

/// A transformation with its parameters, as a policy (`[[steps]]` with its `kind`) or the command line gives it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "flags", derive(clap::Subcommand))]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum Step {
    /// Draw new rows from the statistics of groups of near rows
    Condense(condense::Condense),
    /// Give groups of near rows one common value in each column
    Microaggregate(microaggregate::Microaggregate),
    /// Keep a random part of the rows
    Sample(sample::Sample),
    /// Draw rows from a model of the table
    Synthesize(synthesize::Synthesize),
}

impl Step {
    /// Applies the transformation.
    pub fn apply(&self, input: Input<'_>) -> Result<Output, TransformError> {
        let transformation: &dyn Transformation = match self {
            Self::Condense(step) => step,
            Self::Microaggregate(step) => step,
            Self::Sample(step) => step,
            Self::Synthesize(step) => step,
        };
        transformation.apply(input)
    }
}
