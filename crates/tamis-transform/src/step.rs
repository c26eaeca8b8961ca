//! All transformations by name. A new one is a file in `kinds/` and two lines here.

use crate::kinds::sample;
use crate::{Input, Output, Stage, TransformError, Transformation};
use serde::{Deserialize, Serialize};

/// A transformation with its parameters, as a policy (`[[steps]]` with its `kind`) or the command line gives it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "flags", derive(clap::Subcommand))]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum Step {
    /// Keep a random part of the rows
    Sample(sample::Sample),
}

impl Step {
    /// The transformation itself.
    fn transformation(&self) -> &dyn Transformation {
        match self {
            Self::Sample(step) => step,
        }
    }

    /// Applies the transformation.
    pub fn apply(&self, input: Input<'_>) -> Result<Output, TransformError> {
        self.transformation().apply(input)
    }

    /// What it works on when a policy asks for it.
    pub fn stage(&self) -> Stage {
        self.transformation().stage()
    }

    /// The names of the tables it makes.
    pub fn table_names(&self) -> &'static [&'static str] {
        self.transformation().table_names()
    }

    /// The files it names.
    pub fn files(&self) -> Vec<&str> {
        self.transformation().files()
    }
}
