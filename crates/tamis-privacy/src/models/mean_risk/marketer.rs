//! Marketer risk: whoever matches all released rows with a register of the population is right about few of them.
//!
//! A row whose released values fit P people of the population is matched with the right one with probability 1/P. The expected share of
//! correct matches, (sum over classes of rows / P) / rows, must be at most `max`, a share in (0, 1] (El Emam and Dankar 2008). The
//! population is the input; `subset` says which of its rows are released, as for delta-presence.
//!
//! The classes with the smallest population are suppressed first, all of one size at once. Monotone: in a merged class every row fits more
//! people. Not hereditary: a risky class may be released below where others make up for it; but no more rows may be than the
//! riskless ones here. Time is that of sorting the classes.
//!
//! ```
//! use tamis_privacy::{Classes, Parameters, TableFacts, bind};
//! let facts = TableFacts { has_population: true, ..TableFacts::of_rows(4) };
//! let classes = Classes { rows: vec![2, 2], population: vec![4, 20], ..Classes::default() };
//! let failing = |max: f64| {
//!     let bound = bind("marketer-risk", &Parameters::from([("max", max.into())]), &facts)?;
//!     Ok::<_, tamis_privacy::ModelError>(bound.table[0].failing(&classes, &[true, true]))
//! };
//! // (2/4 + 2/20) / 4
//! assert!(failing(0.15)?.is_empty());
//! assert_eq!(failing(0.1)?, [0]);
//! # Ok::<(), tamis_privacy::ModelError>(())
//! ```

use super::{Crowd, MAX, MeanRisk};
use crate::{Bind, ModelError, ModelKind, ParameterKind, Parameters, TableFacts, TableModel};

/// Registry entry.
pub const KIND: ModelKind = ModelKind {
    kind: "marketer-risk",
    promise: "someone who matches the released rows with the whole population is right about the share max of them or less",
    parameters: &[
        MAX,
        ParameterKind {
            name: "subset",
            meaning: "which input rows are to be released: a file of them, or { column = ..., equals = ... }",
        },
    ],
    bind: Bind::Table { joint: |_| Vec::new(), bind },
};

fn bind(parameters: &Parameters, facts: &TableFacts) -> Result<Vec<Box<dyn TableModel>>, ModelError> {
    let max = parameters.number(KIND.kind, "max", MAX.meaning, (f64::MIN_POSITIVE, 1.0))?;
    if facts.has_entity {
        return Err(ModelError::RowsAreNotPeople { kind: KIND.kind });
    }
    if !facts.has_population {
        return Err(ModelError::NoPopulation { kind: KIND.kind });
    }
    Ok(vec![Box::new(MeanRisk { max, crowd: Crowd::Population })])
}
