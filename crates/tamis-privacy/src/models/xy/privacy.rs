//! (X,Y)-privacy: (X,Y)-anonymity and (X,Y)-linkability together.
//!
//! Each value of X is linked to at least k different values of Y, and tells none of them with more than confidence h (Wang and Fung 2006).
//! k different values alone may hide that nearly all rows have one of them; a bound on confidence alone lets one of two values be
//! ruled out. The parameters are those of the two parts, and so are their properties: see [`super::anonymity`] and
//! [`super::linkability`].
//!
//! The first group of Figure 2 of Liber (2014), three times AIDS and once flu, has two values, but one of them with confidence 0.75:
//!
//! ```
//! use tamis_privacy::{Classes, Histograms, JointFacts, JointPart, Parameters, QuasiFacts, TableFacts, bind, settle};
//! let job = QuasiFacts { name: "job".to_owned(), labels: vec![1], numbers: Vec::new() };
//! let part = JointPart { values: ["AIDS", "flu"].map(str::to_owned).into(), of_code: vec![0, 1], missing: None };
//! let joint = JointFacts { columns: vec!["disease".to_owned()], parts: vec![part] };
//! let facts = TableFacts { quasi: vec![job], joint: vec![joint], ..TableFacts::of_rows(4) };
//! let joint = vec![Histograms::from_classes([vec![(0, 3), (1, 1)]])];
//! let classes = Classes { levels: vec![0], labels: vec![vec![0]], rows: vec![4], joint, ..Classes::default() };
//! let holds = |k: i64, h: f64| {
//!     let parameters = Parameters::from([("y", "disease".into()), ("k", k.into()), ("h", h.into())]);
//!     let bound = bind("xy-privacy", &parameters, &facts)?;
//!     Ok::<_, tamis_privacy::ModelError>(settle(&[&*bound.table[0], &*bound.table[1]], &classes, vec![true]) == [true])
//! };
//! assert!(holds(2, 0.75)? && !holds(2, 0.5)? && !holds(3, 0.75)?);
//! # Ok::<(), tamis_privacy::ModelError>(())
//! ```

use super::linkability::{H, VALUES};
use super::{X, Y, anonymity, joint, linkability};
use crate::{Bind, ModelError, ModelKind, Parameters, TableFacts, TableModel};

/// Registry entry.
pub const KIND: ModelKind = ModelKind {
    kind: "xy-privacy",
    promise: "each combination of values of x is linked to at least k different ones of y, to none in more than the share h of its rows",
    parameters: &[X, Y, anonymity::KIND.parameters[2], H, VALUES],
    bind: Bind::Table { joint, bind },
};

fn bind(parameters: &Parameters, facts: &TableFacts) -> Result<Vec<Box<dyn TableModel>>, ModelError> {
    Ok(vec![anonymity::model(KIND.kind, parameters, facts)?, linkability::model(KIND.kind, parameters, facts)?])
}
