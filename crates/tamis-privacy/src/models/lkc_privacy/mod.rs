//! LKC-privacy: whoever knows at most L quasi-identifiers of a person finds at least K rows, none of whose sensitive values is certain.
//!
//! For every combination q of at most L quasi-identifiers and every group T\[q\] of released rows that agree on q: |T\[q\]| >= K, and
//! for every sensitive value v the confidence P(v | T\[q\]) <= C (Mohammed, Fung, Hung and Lee 2009). An attacker rarely knows all
//! quasi-identifiers, and asking only for what can be known costs far less than k-anonymity where there are many.
//!
//! L and K are whole numbers from 1, C a share in (0, 1]; with C = 1 no sensitive attribute is needed. An L above the number of
//! quasi-identifiers means all of them, so that K is k-anonymity and C confidence bounding.
//!
//! Only combinations of exactly min(L, d) of the d quasi-identifiers that have more than one label need be looked at: a group by fewer
//! is a union of groups by more, so it is at least as large, and its confidence is a mean of theirs. Columns with one label part nothing.
//! So only groups by the largest combinations are suppressed, not the larger ones that they make fail.
//!
//! The K part is hereditary (see [`TableModel::is_hereditary`] of it), the C part is not: a part of a group may be more even than the
//! whole. Both are monotone in that generalizing everything further, with nothing suppressed, cannot break them.
//!
//! Time is linear in classes times combinations, for each round in which something falls. Missing values count as a value of their own.
//!
//! Four people, two quasi-identifiers; any single one finds at least two people, both together find one:
//!
//! ```
//! use tamis_privacy::{Classes, Parameters, QuasiFacts, TableFacts, bind, settle};
//! let quasi = |name: &str| QuasiFacts { name: name.to_owned(), labels: vec![2], numbers: Vec::new() };
//! let facts = TableFacts { quasi: vec![quasi("job"), quasi("sex")], ..TableFacts::of_rows(4) };
//! let classes = Classes { levels: vec![0, 0], labels: vec![vec![0, 0, 1, 1], vec![0, 1, 0, 1]], rows: vec![1; 4], ..Classes::default() };
//! let left = |l: i64| {
//!     let bound = bind("lkc-privacy", &Parameters::from([("l", l.into()), ("k", 2.into()), ("c", 1.into())]), &facts)?;
//!     Ok::<_, tamis_privacy::ModelError>(settle(&[&*bound.table[0]], &classes, vec![true; 4]))
//! };
//! assert_eq!(left(1)?, [true; 4]);
//! assert_eq!(left(2)?, [false; 4]);
//! # Ok::<(), tamis_privacy::ModelError>(())
//! ```

mod combinations;
mod confidence;
mod size;

use super::ATTRIBUTE;
use crate::grouping::Labels;
use crate::{Bind, ModelError, ModelKind, ParameterKind, Parameters, TableFacts, TableModel};
use combinations::{combinations, number};
use confidence::GroupConfidence;
use size::GroupSize;

/// Registry entry.
pub const KIND: ModelKind = ModelKind {
    kind: "lkc-privacy",
    promise: "whoever knows any L quasi-identifiers of a person finds at least K rows, and no sensitive value in more than the share C of them",
    parameters: &[
        ParameterKind { name: "l", meaning: "most quasi-identifiers an attacker knows, a whole number from 1" },
        ParameterKind { name: "k", meaning: "least number of rows in a group, a whole number from 1" },
        ParameterKind { name: "c", meaning: "largest share of a sensitive value in a group, above 0 and at most 1" },
        ATTRIBUTE,
    ],
    bind: Bind::Table { joint: |_| Vec::new(), bind },
};

/// Every combination is a pass over all classes.
const MOST_COMBINATIONS: u64 = 100_000;

fn bind(parameters: &Parameters, facts: &TableFacts) -> Result<Vec<Box<dyn TableModel>>, ModelError> {
    let l = parameters.whole(KIND.kind, "l", KIND.parameters[0].meaning, 1)?;
    let k = parameters.whole(KIND.kind, "k", KIND.parameters[1].meaning, 1)?;
    let c = parameters.number(KIND.kind, "c", KIND.parameters[2].meaning, (f64::MIN_POSITIVE, 1.0))?;
    if facts.has_entity {
        return Err(ModelError::RowsAreNotPeople { kind: KIND.kind });
    }
    if k > facts.rows {
        return Err(ModelError::KExceedsRows { k, rows: facts.rows });
    }
    let columns = facts.quasi.len();
    let l = usize::try_from(l).unwrap_or(columns).min(columns);
    let combinations = number(columns, l);
    if combinations > MOST_COMBINATIONS {
        return Err(ModelError::Impossible {
            kind: KIND.kind,
            reason: format!(
                "{l} of {columns} quasi-identifiers can be chosen in {combinations} ways, more than the {MOST_COMBINATIONS} that are \
                 looked at; choose a smaller l, or use k-anonymity and confidence bounding, which are about all of them at once"
            ),
        });
    }
    let mut models: Vec<Box<dyn TableModel>> = vec![Box::new(GroupSize { l, k })];
    if c < 1.0 || parameters.get("attribute").is_some() {
        for sensitive in parameters.sensitive(KIND.kind, facts)? {
            let position = facts.sensitive.iter().position(|other| other.name == sensitive.name).unwrap_or(0);
            let (attribute, values) = (sensitive.name.clone(), sensitive.totals.len().max(1));
            models.push(Box::new(GroupConfidence { l, k, c, attribute, position, values }));
        }
    }
    Ok(models)
}

/// The combinations that matter: of the columns in which the classes differ.
fn combinations_of(labels: &Labels, l: usize) -> Vec<Vec<usize>> {
    let differs = |column: &Vec<u32>| column.iter().any(|&label| label != column[0]);
    let varying: Vec<usize> = (0..labels.columns.len()).filter(|&j| differs(&labels.columns[j])).collect();
    combinations(&varying, l.min(varying.len()), &labels.domains)
}
