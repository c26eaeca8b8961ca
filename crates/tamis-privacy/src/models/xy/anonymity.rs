//! (X,Y)-anonymity: each value of X is linked to at least k different values of Y.
//!
//! For two sets of columns X and Y without a common one, and for every value x of X in the released rows, the rows with x have at least
//! k different values of Y (Wang and Fung 2006). k is a whole number from 1. With a key such as the patient's number as Y it counts
//! people where they have several rows, and with X the quasi-identifiers it is then k-anonymity; with a sensitive Y it is distinct
//! l-diversity of groups by X.
//!
//! Quasi-identifiers count as released, so a quasi-identifier in Y has fewer values the more it is generalized. Where X has columns that
//! are not generalized, a class is suppressed as soon as one of its rows is in a failing group: coarser than need be, but right.
//!
//! Hereditary iff all of X are quasi-identifiers and none of Y is: then groups of X only merge when generalizing, a merged group has
//! all values of its parts, and what meets the bound in a less general transformation also meets it here with the whole classes
//! around it. Otherwise not: fewer labels in Y may break here what holds below.
//!
//! Time is that of sorting the different combinations of X and Y in all classes.
//!
//! The first group of Figure 2 of Liber (2014), three times AIDS and once flu, links its value to 2 diseases:
//!
//! ```
//! use tamis_privacy::{Classes, Histograms, JointFacts, JointPart, Parameters, QuasiFacts, TableFacts, Value, bind};
//! let job = QuasiFacts { name: "job".to_owned(), labels: vec![2], numbers: Vec::new() };
//! let values = ["AIDS", "flu", "tumour"].map(str::to_owned);
//! let part = JointPart { values: values.into(), of_code: vec![0, 1, 2], missing: None };
//! let joint = JointFacts { columns: vec!["disease".to_owned()], parts: vec![part] };
//! let facts = TableFacts { quasi: vec![job], joint: vec![joint], ..TableFacts::of_rows(9) };
//! let diseases = Histograms::from_classes([vec![(0, 3), (1, 1)], vec![(0, 2), (1, 1), (2, 2)]]);
//! let classes = Classes { levels: vec![0], labels: vec![vec![0, 1]], rows: vec![4, 5], joint: vec![diseases], ..Classes::default() };
//! let failing = |k: i64| {
//!     let bound = bind("xy-anonymity", &Parameters::from([("y", "disease".into()), ("k", k.into())]), &facts)?;
//!     Ok::<_, tamis_privacy::ModelError>(bound.table[0].failing(&classes, &[true, true]))
//! };
//! assert!(failing(2)?.is_empty());
//! assert_eq!(failing(3)?, [0]);
//! # Ok::<(), tamis_privacy::ModelError>(())
//! ```

use super::{Link, Sides, X, Y, failing_classes, joint};
use crate::{Bind, Classes, ModelError, ModelKind, ParameterKind, Parameters, TableFacts, TableModel};

/// Registry entry.
pub const KIND: ModelKind = ModelKind {
    kind: "xy-anonymity",
    promise: "each combination of values of x is linked to at least k different ones of y",
    parameters: &[
        X,
        Y,
        ParameterKind { name: "k", meaning: "least number of different values, a whole number from 1" },
    ],
    bind: Bind::Table { joint, bind },
};

#[derive(Debug)]
struct XyAnonymity {
    sides: Sides,
    k: u64,
}

fn bind(parameters: &Parameters, facts: &TableFacts) -> Result<Vec<Box<dyn TableModel>>, ModelError> {
    Ok(vec![model(KIND.kind, parameters, facts)?])
}

/// The model, for a kind that has it as a part.
pub(super) fn model(
    kind: &'static str,
    parameters: &Parameters,
    facts: &TableFacts,
) -> Result<Box<dyn TableModel>, ModelError> {
    let k = parameters.whole(kind, "k", KIND.parameters[2].meaning, 1)?;
    let sides = Sides::bind(kind, parameters, facts)?;
    if k > facts.rows {
        return Err(ModelError::KExceedsRows { k, rows: facts.rows });
    }
    Ok(Box::new(XyAnonymity { sides, k }))
}

/// How many different values of Y the links of one value of X have.
fn distinct(group: &[Link]) -> u64 {
    group.chunk_by(|left, right| left.y == right.y).count() as u64
}

impl TableModel for XyAnonymity {
    fn describe(&self) -> String {
        format!("({}, {})-anonymity with k {}", self.sides.x.describe(), self.sides.y.describe(), self.k)
    }

    fn failing(&self, classes: &Classes, kept: &[bool]) -> Vec<u32> {
        failing_classes(&self.sides.links(classes, kept), |group| distinct(group) < self.k)
    }

    fn is_hereditary(&self) -> bool {
        self.sides.only_x_generalizes()
    }
}
