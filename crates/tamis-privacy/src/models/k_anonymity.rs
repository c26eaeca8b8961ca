//! k-anonymity: everyone shares their quasi-identifier values with at least k - 1 others.
//!
//! A class holds iff its size is at least k (Samarati and Sweeney 1998). k is a whole number from 1 to the number of rows.
//!
//! Monotone and hereditary: a union is larger than its parts, and a part of a class that is too small is smaller still.
//!
//! Table 3 of the thesis, generalization `[1, 0]`: four classes of three people, so k = 3 holds and k = 4 does not.
//!
//! ```
//! use tamis_privacy::{Class, Parameters, TableFacts, bind};
//! let class = Class { size: 3, population: 3, counts: &[] };
//! let holds = |k: i64| {
//!     let bound = bind("k-anonymity", &Parameters::from([("k", k.into())]), &TableFacts::of_rows(12))?;
//!     Ok::<_, tamis_privacy::ModelError>(bound.classes[0].holds(&class))
//! };
//! assert!(holds(3)? && !holds(4)?);
//! # Ok::<(), tamis_privacy::ModelError>(())
//! ```

use crate::{Bind, Class, Model, ModelError, ModelKind, ParameterKind, Parameters, TableFacts};

/// Registry entry.
pub const KIND: ModelKind = ModelKind {
    kind: "k-anonymity",
    promise: "everyone shares their quasi-identifier values with at least k - 1 others",
    parameters: &[ParameterKind { name: "k", meaning: "least class size, a whole number from 1" }],
    bind: Bind::Classes(bind),
};

#[derive(Debug)]
struct KAnonymity {
    k: u64,
}

fn bind(parameters: &Parameters, facts: &TableFacts) -> Result<Vec<Box<dyn Model>>, ModelError> {
    let k = parameters.whole(KIND.kind, "k", KIND.parameters[0].meaning, 1)?;
    if k > facts.rows {
        return Err(ModelError::KExceedsRows { k, rows: facts.rows });
    }
    Ok(vec![Box::new(KAnonymity { k })])
}

impl Model for KAnonymity {
    fn describe(&self) -> String {
        format!("{}-anonymity", self.k)
    }

    fn holds(&self, class: &Class<'_>) -> bool {
        class.size >= self.k
    }

    fn is_hereditary(&self) -> bool {
        true
    }

    fn least_size(&self) -> u64 {
        self.k
    }
}
