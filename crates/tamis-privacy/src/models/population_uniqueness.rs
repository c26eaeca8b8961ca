//! Population uniqueness: few released rows are expected to be the only ones of their kind in the population.
//!
//! The table is a sample of a population that is not at hand. From how many classes of each size are released, an estimator says how
//! many people are unique in the population; the share of released rows expected to be must be at most `max`, in \[0, 1\]. `fraction` is
//! the share of the population in the input, in (0, 1]; suppressed rows lower it. `estimator` is one of [`Estimator`], Dankar's decision
//! rule if left out. Where an estimator does not converge all sample uniques count as population uniques.
//!
//! If the share is too large, the classes of one row are suppressed, all at once so that none is preferred: only a row that is unique in
//! the sample can be in the population, and a table without such rows is taken for one of a population without them. Not
//! hereditary, and not monotone: estimates may grow when classes merge.
//!
//! ```
//! use tamis_privacy::{Classes, Parameters, TableFacts, bind};
//! let classes = Classes { rows: vec![1, 1, 2, 6], ..Classes::default() };
//! let failing = |max: f64| {
//!     let parameters = Parameters::from([("max", max.into()), ("fraction", 1.0.into())]);
//!     let bound = bind("population-uniqueness", &parameters, &TableFacts::of_rows(10))?;
//!     Ok::<_, tamis_privacy::ModelError>(bound.table[0].failing(&classes, &[true; 4]))
//! };
//! // Two of ten rows are unique, and the table is the population.
//! assert!(failing(0.2)?.is_empty());
//! assert_eq!(failing(0.1)?, [0, 1]);
//! # Ok::<(), tamis_privacy::ModelError>(())
//! ```

use crate::uniqueness::{Estimator, Sizes, population_uniques};
use crate::{Bind, Classes, ModelError, ModelKind, ParameterKind, Parameters, TableFacts, TableModel, Value};

/// Registry entry.
pub const KIND: ModelKind = ModelKind {
    kind: "population-uniqueness",
    promise: "at most the share max of the released rows is expected to be unique in the population",
    parameters: &[
        ParameterKind { name: "max", meaning: "largest share of released rows, between 0 and 1" },
        ParameterKind { name: "fraction", meaning: "share of the population in the input, above 0 and at most 1" },
        ParameterKind {
            name: "estimator",
            meaning: "\"pitman\", \"zayatz\", \"snb\" or \"dankar\", which chooses among them; dankar if left out",
        },
    ],
    bind: Bind::Table { joint: |_| Vec::new(), bind },
};

#[derive(Debug)]
struct PopulationUniqueness {
    max: f64,
    /// Rows of the input divided by this are the population.
    fraction: f64,
    rows: u64,
    estimator: Estimator,
}

fn bind(parameters: &Parameters, facts: &TableFacts) -> Result<Vec<Box<dyn TableModel>>, ModelError> {
    let max = parameters.number(KIND.kind, "max", KIND.parameters[0].meaning, (0.0, 1.0))?;
    let fraction = parameters.number(KIND.kind, "fraction", KIND.parameters[1].meaning, (f64::MIN_POSITIVE, 1.0))?;
    let estimator = match parameters.get("estimator") {
        None => Estimator::Dankar,
        Some(value) => {
            let named = if let Value::Text(name) = value { Estimator::named(name) } else { None };
            named.ok_or_else(|| ModelError::BadParameter {
                kind: KIND.kind,
                parameter: "estimator",
                found: value.to_string(),
                expected: "\"pitman\", \"zayatz\", \"snb\" or \"dankar\"".to_owned(),
            })?
        }
    };
    if facts.has_entity {
        return Err(ModelError::RowsAreNotPeople { kind: KIND.kind });
    }
    Ok(vec![Box::new(PopulationUniqueness { max, fraction, rows: facts.rows, estimator })])
}

impl PopulationUniqueness {
    /// The share of the rows of classes of these sizes that is expected to be unique in the population.
    fn share(&self, sizes: &[(u64, u64)]) -> f64 {
        let sizes = Sizes { of: sizes };
        let (rows, uniques) = (sizes.rows() as f64, sizes.uniques() as f64);
        if uniques == 0.0 {
            return 0.0;
        }
        let fraction = (self.fraction * rows / self.rows as f64).min(1.0);
        let among =
            population_uniques(self.estimator, &sizes, fraction).map_or(1.0, |found| found.share_of_sample_uniques);
        among * uniques / rows
    }
}

impl TableModel for PopulationUniqueness {
    fn describe(&self) -> String {
        let estimator = self.estimator.name();
        format!("at most {} of rows unique in the population ({estimator}, fraction {})", self.max, self.fraction)
    }

    fn failing(&self, classes: &Classes, kept: &[bool]) -> Vec<u32> {
        let released = || classes.rows.iter().zip(kept).filter(|&(_, &kept)| kept).map(|(&rows, _)| rows);
        if self.share(&Sizes::count(released())) <= self.max {
            return Vec::new();
        }
        (0..classes.len()).filter(|&class| kept[class] && classes.rows[class] == 1).map(|class| class as u32).collect()
    }
}
