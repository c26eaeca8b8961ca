//! Recursive (c,l)-diversity: the most frequent sensitive value is not too frequent, the rare ones not too rare.
//!
//! With the counts of a class sorted in descending order r1 >= r2 >= ... >= rm, it holds iff m >= l and
//! r1 < c (rl + ... + rm), strictly (Machanavajjhala et al. 2006). c is a positive number, l a whole number from 1. Where people have
//! several rows there must also be l people: the values of one person are no choice.
//!
//! Monotone (theorem 3 of that paper). Not hereditary.
//!
//! Figure 7 of the thesis: counts 3, 2, 1, 1 are (2,3)-diverse, for 3 < 2 (1 + 1).
//!
//! ```
//! use tamis_privacy::models::recursive_cl::least_c;
//! assert_eq!(least_c(&[1, 3, 2, 1], 3), Some(1.5));
//! ```

use super::ATTRIBUTE;
use crate::{Bind, Class, Model, ModelError, ModelKind, ParameterKind, Parameters, SensitiveFacts, TableFacts};

/// Registry entry.
pub const KIND: ModelKind = ModelKind {
    kind: "recursive-cl-diversity",
    promise: "the most frequent sensitive value of a class is less than c times as frequent as the rarest ones together",
    parameters: &[
        ParameterKind { name: "c", meaning: "the most frequent value's limit, a positive number" },
        ParameterKind { name: "l", meaning: "least number of values, a whole number from 1" },
        ATTRIBUTE,
    ],
    bind: Bind::Classes(bind),
};

/// The bound that `c` must exceed for these counts to be (c,l)-diverse; none if they have fewer than `l` values.
pub fn least_c(counts: &[u32], l: u64) -> Option<f64> {
    let (most, tail) = most_and_tail(counts, l)?;
    Some(most as f64 / tail as f64)
}

/// The largest count and the sum of all but the l - 1 largest; none if there are fewer than l values.
fn most_and_tail(counts: &[u32], l: u64) -> Option<(u64, u64)> {
    let mut sorted: [u32; 32] = [0; 32];
    let mut spill = Vec::new();
    let values: &mut [u32] = if counts.len() <= sorted.len() {
        sorted[..counts.len()].copy_from_slice(counts);
        &mut sorted[..counts.len()]
    } else {
        spill.extend_from_slice(counts);
        &mut spill
    };
    values.sort_unstable_by(|left, right| right.cmp(left));
    let l = usize::try_from(l).ok().filter(|&l| l >= 1 && values.get(l - 1).is_some_and(|&count| count > 0))?;
    Some((u64::from(values[0]), values[l - 1..].iter().map(|&count| u64::from(count)).sum()))
}

#[derive(Debug)]
struct RecursiveDiversity {
    c: f64,
    l: u64,
    sensitive: SensitiveFacts,
}

fn bind(parameters: &Parameters, facts: &TableFacts) -> Result<Vec<Box<dyn Model>>, ModelError> {
    let c = parameters.number(KIND.kind, "c", KIND.parameters[0].meaning, (f64::MIN_POSITIVE, f64::MAX))?;
    let l = parameters.whole(KIND.kind, "l", KIND.parameters[1].meaning, 1)?;
    let sensitive = parameters.sensitive(KIND.kind, facts)?;
    Ok(sensitive
        .into_iter()
        .map(|sensitive| Box::new(RecursiveDiversity { c, l, sensitive: sensitive.clone() }) as Box<dyn Model>)
        .collect())
}

impl Model for RecursiveDiversity {
    fn describe(&self) -> String {
        format!("recursive ({},{})-diversity of {}", crate::Value::Number(self.c), self.l, self.sensitive.name)
    }

    fn holds(&self, class: &Class<'_>) -> bool {
        // Division rounds 11/10 to the same double as the literal 1.1, so a class exactly on the bound fails; 1.1 * 10 is above 11.
        class.size >= self.l && least_c(self.sensitive.counts(class.counts), self.l).is_some_and(|least| least < self.c)
    }

    /// By monotonicity all kept parts together hold, and their tail is no larger than the class's: removing rows cannot enlarge
    /// the sum of all but the l - 1 largest counts. So no value keeps more than c times that tail.
    fn most_kept(&self, class: &Class<'_>) -> u64 {
        let counts = self.sensitive.counts(class.counts);
        let Some((_, tail)) = most_and_tail(counts, self.l) else { return 0 };
        let cap = (self.c * tail as f64).ceil() as u64;
        counts.iter().map(|&count| u64::from(count).min(cap)).sum()
    }

    fn least_size(&self) -> u64 {
        self.l
    }
}
