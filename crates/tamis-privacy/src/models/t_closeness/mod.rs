//! t-closeness: the sensitive values of every class are distributed nearly as in the whole table.
//!
//! A class holds iff the earth mover's distance between its distribution p and the table's q is at most t (Li, Li and
//! Venkatasubramanian 2007); the table is the whole input, rows that get suppressed included. t lies between 0 and 1. Distances:
//! * `equal`: all values are equally far apart; half the sum of |p - q|;
//! * `ordered`: the m values in the order of their type (numbers, dates) or of an explicit list, neighbours 1/(m-1) apart;
//! * `listed`: the same in the order of the lines of a hierarchy file, which means nothing unless somebody says so by this name;
//! * `hierarchical`: two values are as far apart as the level on which they meet, divided by the number of levels.
//!
//! Monotone, since the distance is convex: a mixture is no farther from q than the farthest of its parts. Not hereditary.
//!
//! Table 17 of the thesis: the salaries 3, 5, 9 (thousand) of a class against 3 to 11 in the table.
//!
//! ```
//! use tamis_privacy::models::t_closeness::{Distance, Mover};
//! use tamis_privacy::TableFacts;
//! let facts = TableFacts::of_histogram("salary", &[1; 9]);
//! let mover = Mover::new(Distance::Ordered, &facts.sensitive[0]).ok_or("no distance")?;
//! let distance = mover.distance(&[1, 0, 1, 0, 0, 0, 1, 0, 0]);
//! assert!((distance - 12.0 / 72.0).abs() < 1e-15);
//! # Ok::<(), &str>(())
//! ```

mod mover;

pub use mover::{Distance, Mover};

use super::ATTRIBUTE;
use crate::{Bind, Class, Model, ModelError, ModelKind, ParameterKind, Parameters, SensitiveFacts, TableFacts, Value};

/// Registry entry.
pub const KIND: ModelKind = ModelKind {
    kind: "t-closeness",
    promise: "the sensitive values of every class are distributed nearly as in the whole table",
    parameters: &[
        ParameterKind { name: "t", meaning: "largest distance, between 0 and 1" },
        ParameterKind {
            name: "distance",
            meaning: "`hierarchical` (needs a hierarchy), `ordered`, `listed` (in the order of a hierarchy file's lines) or `equal`; hierarchical if there is a hierarchy, else equal",
        },
        ATTRIBUTE,
    ],
    bind: Bind::Classes(bind),
};

/// What rounding may add to a distance that equals t.
const SLACK: f64 = 1e-15;

#[derive(Debug)]
struct TCloseness {
    t: f64,
    mover: Mover,
    sensitive: SensitiveFacts,
}

fn bind(parameters: &Parameters, facts: &TableFacts) -> Result<Vec<Box<dyn Model>>, ModelError> {
    let t = parameters.number(KIND.kind, "t", KIND.parameters[0].meaning, (0.0, 1.0))?;
    let chosen = distance(parameters)?;
    let sensitive = parameters.sensitive(KIND.kind, facts)?;
    sensitive
        .into_iter()
        .map(|sensitive| {
            let distance =
                chosen.unwrap_or(if sensitive.tree.is_some() { Distance::Hierarchical } else { Distance::Equal });
            sensitive.check_order(distance)?;
            let mover = Mover::new(distance, sensitive).ok_or_else(|| ModelError::NoHierarchy {
                kind: KIND.kind,
                attribute: sensitive.name.clone(),
                problem: if sensitive.tree.is_some() { "ends in one label for all values" } else { "lists its values" },
            })?;
            Ok(Box::new(TCloseness { t, mover, sensitive: sensitive.clone() }) as Box<dyn Model>)
        })
        .collect()
}

fn distance(parameters: &Parameters) -> Result<Option<Distance>, ModelError> {
    let Some(value) = parameters.get("distance") else { return Ok(None) };
    match value {
        Value::Text(name) => Distance::named(name),
        _ => None,
    }
    .map(Some)
    .ok_or_else(|| ModelError::BadParameter {
        kind: KIND.kind,
        parameter: "distance",
        found: value.to_string(),
        expected: "\"hierarchical\", \"ordered\" or \"equal\", or \"listed\" for the order of a hierarchy file's lines"
            .to_owned(),
    })
}

impl Model for TCloseness {
    fn describe(&self) -> String {
        format!("{}-closeness of {} ({} distance)", self.t, self.sensitive.name, self.mover.kind().name())
    }

    fn holds(&self, class: &Class<'_>) -> bool {
        self.mover.distance(self.sensitive.counts(class.counts)) <= self.t + SLACK
    }

    fn most_kept(&self, class: &Class<'_>) -> u64 {
        self.mover.judge(self.sensitive.counts(class.counts), self.t + SLACK).err().unwrap_or(class.size)
    }

    fn judge(&self, class: &Class<'_>) -> Result<(), u64> {
        self.mover.judge(self.sensitive.counts(class.counts), self.t + SLACK)
    }
}
