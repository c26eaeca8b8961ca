//! Average risk: whoever picks a released row finds its person with a small probability on average.
//!
//! Someone who knows that a person is in the table and their quasi-identifiers is right with probability 1/c in a class of c rows (the
//! prosecutor). The mean over all released rows is the number of classes divided by that of rows, and must be at most `max`, a share in
//! (0, 1]; 1/`max` is the least mean class size.
//!
//! The smallest classes are suppressed first, all of one size at once. Monotone: merging classes lowers their number. Not hereditary: a
//! small class may be released below where a large one makes up for it; but no more rows may be than the riskless ones here.
//!
//! Classes of 4 and 5 rows (Figure 2 of Liber 2014) have an average risk of 2/9. Time is that of sorting the classes.
//!
//! ```
//! use tamis_privacy::{Classes, Parameters, TableFacts, bind};
//! let failing = |max: f64, rows: Vec<u64>| {
//!     let bound = bind("average-risk", &Parameters::from([("max", max.into())]), &TableFacts::of_rows(9))?;
//!     let kept = vec![true; rows.len()];
//!     Ok::<_, tamis_privacy::ModelError>(bound.table[0].failing(&Classes { rows, ..Classes::default() }, &kept))
//! };
//! assert!(failing(2.0 / 9.0, vec![4, 5])?.is_empty());
//! assert_eq!(failing(0.2, vec![4, 5])?, [0]);
//! # Ok::<(), tamis_privacy::ModelError>(())
//! ```

use super::{Crowd, MAX, MeanRisk};
use crate::{Bind, ModelError, ModelKind, Parameters, TableFacts, TableModel};

/// Registry entry.
pub const KIND: ModelKind = ModelKind {
    kind: "average-risk",
    promise: "someone who looks for a released person picks the right row with probability max or less, on average over all rows",
    parameters: &[MAX],
    bind: Bind::Table { joint: |_| Vec::new(), bind },
};

fn bind(parameters: &Parameters, facts: &TableFacts) -> Result<Vec<Box<dyn TableModel>>, ModelError> {
    let max = parameters.number(KIND.kind, "max", MAX.meaning, (f64::MIN_POSITIVE, 1.0))?;
    if facts.has_entity {
        return Err(ModelError::RowsAreNotPeople { kind: KIND.kind });
    }
    if 1.0 / max > facts.rows as f64 * (1.0 + super::RELATIVE_SLACK) {
        let least = 1.0 / facts.rows as f64;
        let reason =
            format!("even all {} rows in one class have a risk of {least}; choose max between that and 1", facts.rows);
        return Err(ModelError::Impossible { kind: KIND.kind, reason });
    }
    Ok(vec![Box::new(MeanRisk { max, crowd: Crowd::Released })])
}
