//! Distinct l-diversity: every class has at least l different sensitive values.
//!
//! Machanavajjhala et al. 2006; l is a whole number from 1. Where people have several rows there must also be l people: the values
//! of one person are no choice.
//!
//! Monotone and hereditary: a union has all values of its parts, and a part no value that the class lacks.
//!
//! A class of Table 14 of the thesis (flu, chest pain twice, back pain) is 3-diverse:
//!
//! ```
//! assert_eq!(tamis_privacy::models::distinct_l::distinct(&[1, 2, 1, 0]), 3);
//! ```

use super::ATTRIBUTE;
use crate::{Bind, Class, Model, ModelError, ModelKind, ParameterKind, Parameters, SensitiveFacts, TableFacts};

/// Registry entry.
pub const KIND: ModelKind = ModelKind {
    kind: "distinct-l-diversity",
    promise: "every class has at least l different sensitive values",
    parameters: &[ParameterKind { name: "l", meaning: "least number of values, a whole number from 1" }, ATTRIBUTE],
    bind: Bind::Classes(bind),
};

/// How many values occur.
pub fn distinct(counts: &[u32]) -> u64 {
    counts.iter().filter(|&&count| count > 0).count() as u64
}

#[derive(Debug)]
struct DistinctDiversity {
    l: u64,
    sensitive: SensitiveFacts,
}

fn bind(parameters: &Parameters, facts: &TableFacts) -> Result<Vec<Box<dyn Model>>, ModelError> {
    let l = parameters.whole(KIND.kind, "l", KIND.parameters[0].meaning, 1)?;
    let sensitive = parameters.sensitive(KIND.kind, facts)?;
    Ok(sensitive
        .into_iter()
        .map(|sensitive| Box::new(DistinctDiversity { l, sensitive: sensitive.clone() }) as Box<dyn Model>)
        .collect())
}

impl Model for DistinctDiversity {
    fn describe(&self) -> String {
        format!("distinct {}-diversity of {}", self.l, self.sensitive.name)
    }

    fn holds(&self, class: &Class<'_>) -> bool {
        class.size >= self.l && distinct(self.sensitive.counts(class.counts)) >= self.l
    }

    fn is_hereditary(&self) -> bool {
        true
    }

    fn least_size(&self) -> u64 {
        self.l
    }
}
