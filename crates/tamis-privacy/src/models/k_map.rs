//! k-map: everyone shares their quasi-identifier values with at least k - 1 others of the population.
//!
//! With a population table of which the rows to release are a subset, a class holds iff at least k rows of the population share its
//! values (Sweeney 2002). k is a whole number from 1 to the rows of the population. Weaker than k-anonymity of the same k, which does not count those who are not
//! released: it is enough against an attacker who does not know who was.
//!
//! Monotone and hereditary: the populations of classes add up, and a part of a class shares its values with fewer. O(1).
//!
//! ```
//! use tamis_privacy::{Class, Parameters, TableFacts, bind};
//! let facts = TableFacts { has_population: true, ..TableFacts::of_rows(20) };
//! let bound = bind("k-map", &Parameters::from([("k", 5.into())]), &facts)?;
//! assert!(bound.classes[0].holds(&Class { size: 1, population: 5, counts: &[] }));
//! assert!(!bound.classes[0].holds(&Class { size: 4, population: 4, counts: &[] }));
//! # Ok::<(), tamis_privacy::ModelError>(())
//! ```

use super::SUBSET;
use crate::{Bind, Class, Model, ModelError, ModelKind, ParameterKind, Parameters, TableFacts};

/// Registry entry.
pub const KIND: ModelKind = ModelKind {
    kind: "k-map",
    promise: "everyone shares their quasi-identifier values with at least k - 1 others of the population",
    parameters: &[
        ParameterKind { name: "k", meaning: "least number of people of the population, a whole number from 1" },
        SUBSET,
    ],
    bind: Bind::Classes(bind),
};

#[derive(Debug)]
struct KMap {
    k: u64,
}

fn bind(parameters: &Parameters, facts: &TableFacts) -> Result<Vec<Box<dyn Model>>, ModelError> {
    let k = parameters.whole(KIND.kind, "k", KIND.parameters[0].meaning, 1)?;
    if !facts.has_population {
        return Err(ModelError::NoPopulation { kind: KIND.kind });
    }
    if let Some(rows) = facts.population.filter(|&rows| k > rows) {
        let reason = format!("k = {k} is more than the {rows} rows of the population; choose k between 1 and {rows}");
        return Err(ModelError::Impossible { kind: KIND.kind, reason });
    }
    Ok(vec![Box::new(KMap { k })])
}

impl Model for KMap {
    fn describe(&self) -> String {
        format!("{}-map", self.k)
    }

    fn holds(&self, class: &Class<'_>) -> bool {
        class.population >= self.k
    }

    fn is_hereditary(&self) -> bool {
        true
    }
}
