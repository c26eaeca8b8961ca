//! Journalist risk: someone who does not know who is in the table finds a person's row with a bounded probability.
//!
//! With a population table of which the rows to release are a subset, a row of a class belongs to any of the P people of the population
//! who share its values, so the risk is 1/P, and the class holds iff 1/P <= max (El Emam and Dankar 2008). max is a number above 0 and at
//! most 1; a risk of exactly max holds. It is k-map with k = 1/max rounded up, in the words in which a risk is agreed on.
//!
//! Monotone and hereditary: the populations of classes add up, and a part of a class shares its values with fewer. O(1).
//!
//! ```
//! use tamis_privacy::{Class, Parameters, TableFacts, bind};
//! let facts = TableFacts { has_population: true, ..TableFacts::of_rows(20) };
//! let bound = bind("journalist-risk", &Parameters::from([("max", 0.1.into())]), &facts)?;
//! assert!(bound.classes[0].holds(&Class { size: 1, population: 10, counts: &[] }));
//! assert!(!bound.classes[0].holds(&Class { size: 9, population: 9, counts: &[] }));
//! # Ok::<(), tamis_privacy::ModelError>(())
//! ```

use super::SUBSET;
use super::prosecutor_risk::least_size;
use crate::{Bind, Class, Model, ModelError, ModelKind, ParameterKind, Parameters, TableFacts};

/// Registry entry.
pub const KIND: ModelKind = ModelKind {
    kind: "journalist-risk",
    promise: "someone who does not know who is in the table finds a person's row with probability at most max",
    parameters: &[ParameterKind { name: "max", meaning: "largest risk, a number above 0 and at most 1" }, SUBSET],
    bind: Bind::Classes(bind),
};

#[derive(Debug)]
struct JournalistRisk {
    max: f64,
    least_population: u64,
}

fn bind(parameters: &Parameters, facts: &TableFacts) -> Result<Vec<Box<dyn Model>>, ModelError> {
    let max = parameters.number(KIND.kind, "max", KIND.parameters[0].meaning, (f64::MIN_POSITIVE, 1.0))?;
    if !facts.has_population {
        return Err(ModelError::NoPopulation { kind: KIND.kind });
    }
    Ok(vec![Box::new(JournalistRisk { max, least_population: least_size(max) })])
}

impl Model for JournalistRisk {
    fn describe(&self) -> String {
        format!("journalist risk at most {}", self.max)
    }

    fn holds(&self, class: &Class<'_>) -> bool {
        class.population >= self.least_population
    }

    fn is_hereditary(&self) -> bool {
        true
    }
}
