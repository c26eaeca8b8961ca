//! Delta-presence: whether someone of a population is among the released rows stays uncertain.
//!
//! With a population table of which the rows to release are a subset, a class holds iff the share of its population rows that are
//! in the subset lies in `[min, max]` (Nergiz, Atzori and Clifton 2007). A failing class with rows to release can be suppressed;
//! one without such rows cannot, as there is nothing to suppress, so it makes the whole transformation inadmissible.
//!
//! Monotone: the share of a union lies between the shares of its parts. Not hereditary.
//!
//! ```
//! use tamis_privacy::{Class, Parameters, TableFacts, bind};
//! let facts = TableFacts { has_population: true, ..TableFacts::of_rows(100) };
//! let bound = bind("delta-presence", &Parameters::from([("min", 0.1.into()), ("max", 0.5.into())]), &facts)?;
//! assert!(bound.classes[0].holds(&Class { size: 2, population: 4, counts: &[] }));
//! assert!(!bound.classes[0].holds(&Class { size: 3, population: 4, counts: &[] }));
//! # Ok::<(), tamis_privacy::ModelError>(())
//! ```

use super::SUBSET;
use crate::{Bind, Class, Model, ModelError, ModelKind, ParameterKind, Parameters, TableFacts};

/// Registry entry.
pub const KIND: ModelKind = ModelKind {
    kind: "delta-presence",
    promise: "the chance that someone of the population is among the released rows stays between min and max",
    parameters: &[
        ParameterKind { name: "min", meaning: "least share, between 0 and 1" },
        ParameterKind { name: "max", meaning: "largest share, between min and 1" },
        SUBSET,
    ],
    bind: Bind::Classes(bind),
};

#[derive(Debug)]
struct DeltaPresence {
    min: f64,
    max: f64,
}

fn bind(parameters: &Parameters, facts: &TableFacts) -> Result<Vec<Box<dyn Model>>, ModelError> {
    let min = parameters.number(KIND.kind, "min", KIND.parameters[0].meaning, (0.0, 1.0))?;
    let max = parameters.number(KIND.kind, "max", KIND.parameters[1].meaning, (min, 1.0))?;
    if !facts.has_population {
        return Err(ModelError::NoPopulation { kind: KIND.kind });
    }
    Ok(vec![Box::new(DeltaPresence { min, max })])
}

impl Model for DeltaPresence {
    fn describe(&self) -> String {
        format!("({}, {})-presence", self.min, self.max)
    }

    fn holds(&self, class: &Class<'_>) -> bool {
        // Division rounds 3/10 to the same double as the literal 0.3, so a share exactly on a bound holds.
        let share = class.size as f64 / class.population as f64;
        share >= self.min && share <= self.max
    }

    fn judges_empty_classes(&self) -> bool {
        true
    }
}
