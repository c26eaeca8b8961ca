//! (X,Y)-linkability: no value of X tells a value of Y with more than confidence h.
//!
//! For two sets of columns X and Y without a common one, and for all values x of X and y of Y, at most the share h of the released rows
//! with x has y (Wang and Fung 2006). h is in (0, 1]. `values` names the values of a single Y that must not be told; without it none
//! may. With part of the quasi-identifiers as X it is a template of confidence bounding: zip -> (AIDS, 0.2).
//!
//! Quasi-identifiers count as released. Where X has columns that are not generalized, a class is suppressed as soon as one of its rows
//! is in a failing group: coarser than need be, but right.
//!
//! Not hereditary: a part of a group may be more even than the whole. Where all of X are quasi-identifiers and none of Y is, merging
//! groups that hold gives one that holds, which bounds what less general transformations can release.
//!
//! Time is that of sorting the different combinations of X and Y in all classes.
//!
//! Figure 2 of Liber (2014): in the first group three of four rows have AIDS; after a rotation of synonyms one of four has.
//!
//! ```
//! use tamis_privacy::{Classes, Histograms, JointFacts, JointPart, Parameters, QuasiFacts, TableFacts, bind};
//! let job = QuasiFacts { name: "job".to_owned(), labels: vec![2], numbers: Vec::new() };
//! let values = ["AIDS", "flu", "test A positive", "disease A"].map(str::to_owned);
//! let part = JointPart { values: values.into(), of_code: vec![0, 1, 2, 3], missing: None };
//! let joint = JointFacts { columns: vec!["disease".to_owned()], parts: vec![part] };
//! let facts = TableFacts { quasi: vec![job], joint: vec![joint], ..TableFacts::of_rows(4) };
//! let failing = |rows: Vec<(u32, u32)>, h: f64| {
//!     let joint = vec![Histograms::from_classes([rows])];
//!     let classes = Classes { levels: vec![0], labels: vec![vec![0]], rows: vec![4], joint, ..Classes::default() };
//!     let bound = bind("xy-linkability", &Parameters::from([("y", "disease".into()), ("h", h.into())]), &facts)?;
//!     Ok::<_, tamis_privacy::ModelError>(bound.table[0].failing(&classes, &[true]))
//! };
//! assert_eq!(failing(vec![(0, 3), (1, 1)], 0.74)?, [0]);
//! assert!(failing(vec![(0, 3), (1, 1)], 0.75)?.is_empty());
//! assert!(failing(vec![(0, 1), (1, 1), (2, 1), (3, 1)], 0.25)?.is_empty());
//! # Ok::<(), tamis_privacy::ModelError>(())
//! ```

use super::{Link, Sides, X, Y, failing_classes, joint};
use crate::share::{exceeds, most_within};
use crate::{Bind, Classes, ModelError, ModelKind, ParameterKind, Parameters, TableFacts, TableModel};

/// Shared with the kind that has this one as a part.
pub(super) const H: ParameterKind = ParameterKind { name: "h", meaning: "largest confidence, above 0 and at most 1" };
pub(super) const VALUES: ParameterKind =
    ParameterKind { name: "values", meaning: "the values of a single y that must not be told; all if left out" };

/// Registry entry.
pub const KIND: ModelKind = ModelKind {
    kind: "xy-linkability",
    promise: "no combination of values of x has one of y in more than the share h of its rows",
    parameters: &[X, Y, H, VALUES],
    bind: Bind::Table { joint, bind },
};

#[derive(Debug)]
struct XyLinkability {
    sides: Sides,
    h: f64,
    /// Names of the values that must not be told; empty if none may.
    values: Vec<String>,
    /// For each number of the other columns of Y whether it must not be told.
    is_watched: Vec<bool>,
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
    let h = parameters.number(kind, "h", H.meaning, (f64::MIN_POSITIVE, 1.0))?;
    let sides = Sides::bind(kind, parameters, facts)?;
    let values = parameters.texts(kind, "values")?.unwrap_or_default();
    let numbers = sides.y.part.iter().max().map_or(0, |&most| most as usize + 1);
    let mut is_watched = vec![values.is_empty(); numbers];
    if !values.is_empty() {
        watch(kind, &sides, facts, &values, &mut is_watched)?;
    }
    Ok(Box::new(XyLinkability { sides, h, values, is_watched }))
}

/// Marks the numbers of the named values.
fn watch(
    kind: &'static str,
    sides: &Sides,
    facts: &TableFacts,
    values: &[String],
    is_watched: &mut [bool],
) -> Result<(), ModelError> {
    let [column] = sides.y.columns.as_slice() else {
        let reason = "`values` are those of one column, but y has several; leave `values` out or name one column";
        return Err(ModelError::Impossible { kind, reason: reason.to_owned() });
    };
    let joint = &facts.joint[sides.joint];
    let part = joint.columns.iter().position(|counted| counted == column).map(|position| &joint.parts[position]);
    let (Some(part), true) = (part, sides.y.quasi.is_empty()) else {
        let problem = "is a quasi-identifier, whose values change; leave `values` out".to_owned();
        return Err(ModelError::UnusableColumn { kind, parameter: "values", column: column.clone(), problem });
    };
    for value in values {
        let code = part.values.iter().position(|known| known == value);
        let mut found = false;
        for (&of_code, &number) in part.of_code.iter().zip(&sides.y.part) {
            if Some(of_code as usize) == code {
                is_watched[number as usize] = true;
                found = true;
            }
        }
        if !found {
            let known = part.values.iter().take(10).map(|known| format!("`{known}`")).collect::<Vec<_>>().join(", ");
            let (attribute, value) = (column.clone(), value.clone());
            return Err(ModelError::UnknownValue { kind, attribute, value, known });
        }
    }
    Ok(())
}

/// Rows of each value of Y among the links of one value of X, with the number of the value.
fn counts(group: &[Link]) -> impl Iterator<Item = ((u32, u32), u32)> {
    group.chunk_by(|left, right| left.y == right.y).map(|same| (same[0].y, same.iter().map(|link| link.rows).sum()))
}

impl XyLinkability {
    fn fails(&self, group: &[Link]) -> bool {
        let size = group.iter().map(|link| u64::from(link.rows)).sum();
        counts(group).any(|((_, part), rows)| self.is_watched[part as usize] && exceeds(u64::from(rows), size, self.h))
    }

    /// Most rows that can be left of a group.
    fn most_left(&self, group: &[Link]) -> u64 {
        let (watched, free): (Vec<_>, Vec<_>) = counts(group).partition(|(y, _)| self.is_watched[y.1 as usize]);
        let watched: Vec<u32> = watched.into_iter().map(|(_, rows)| rows).collect();
        most_within(&watched, free.iter().map(|&(_, rows)| u64::from(rows)).sum(), self.h)
    }
}

impl TableModel for XyLinkability {
    fn describe(&self) -> String {
        let values = if self.values.is_empty() { String::new() } else { format!(" ({})", self.values.join(", ")) };
        format!("({}, {}{values})-linkability with h {}", self.sides.x.describe(), self.sides.y.describe(), self.h)
    }

    fn failing(&self, classes: &Classes, kept: &[bool]) -> Vec<u32> {
        failing_classes(&self.sides.links(classes, kept), |group| self.fails(group))
    }

    /// What a less general transformation releases of a group here are whole groups there, each within the bound; so all of it is.
    fn most_kept(&self, classes: &Classes, kept: &[bool]) -> u64 {
        let links = self.sides.links(classes, kept);
        if !self.sides.only_x_generalizes() {
            return links.iter().map(|link| u64::from(link.rows)).sum();
        }
        links.chunk_by(|left, right| left.x == right.x).map(|group| self.most_left(group)).sum()
    }
}
