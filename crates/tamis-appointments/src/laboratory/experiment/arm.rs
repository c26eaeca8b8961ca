//! What an experiment sets side by side.

use crate::solve::Method;
use serde::{Serialize, Serializer};
use std::fmt;

/// A way to schedule that takes part in an experiment.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Arm {
    /// Random appointments as the authors' program draws them; for a programme like Norway's, the appointments that were drawn. Printed
    /// improvements are measured against these.
    Drawn,
    /// One of Tamis' methods.
    Method(Method),
}

impl Arm {
    /// As tables and files name it; a method has the name it has everywhere.
    pub fn name(self) -> &'static str {
        match self {
            Self::Drawn => "drawn",
            Self::Method(method) => method.name(),
        }
    }
}

#[cfg(feature = "flags")]
impl clap::ValueEnum for Arm {
    fn value_variants<'a>() -> &'a [Self] {
        const ARMS: [Arm; 7] = [
            Arm::Method(Method::Exact),
            Arm::Method(Method::Heuristic),
            Arm::Method(Method::Greatest),
            Arm::Method(Method::Half),
            Arm::Method(Method::Authors),
            Arm::Method(Method::Random),
            Arm::Drawn,
        ];
        &ARMS
    }

    fn to_possible_value(&self) -> Option<clap::builder::PossibleValue> {
        match self {
            Self::Method(method) => method.to_possible_value(),
            Self::Drawn => Some(
                clap::builder::PossibleValue::new(self.name())
                    .help("The random appointments of the authors' program, always there to be compared with"),
            ),
        }
    }
}

impl fmt::Display for Arm {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl Serialize for Arm {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.name())
    }
}

/// How much better one arm is than another: (index of `of` - index of `over`) / index of the base vector. The paper's section 8.2
/// prints it the other way round, with which every improvement would be a loss.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Comparison {
    /// The arm that should be better.
    pub of: Arm,
    /// The arm it is measured against.
    pub over: Arm,
}

impl fmt::Display for Comparison {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.of, self.over)
    }
}
