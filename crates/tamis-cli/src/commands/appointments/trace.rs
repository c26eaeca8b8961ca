//! `--trace`: the iterations of the paper's Algorithm 1, as its Table 8 prints them.

use super::solve::{WIDEST, matrix};
use crate::answer::{CommandError, sentence};
use serde_json::{Value, json};
use tamis_appointments::{Instance, Iteration, Solution, SolveOptions, iterations};

/// The iterations that are shown.
pub(super) struct Trace {
    iterations: Vec<Iteration>,
    /// Whether the last of them is the last of the algorithm.
    is_whole: bool,
}

/// Larger matrices, repeated for every iteration, nobody could use.
const MOST_CELLS: usize = 100_000;
/// More iterations than this nobody reads.
const MOST_ITERATIONS: usize = 1_000;
/// And no more numbers in all: a vector has as many as the largest cell could hold people.
const MOST_NUMBERS: u64 = 500_000;

impl Trace {
    pub(super) fn of(instance: &Instance, solution: &Solution, options: &SolveOptions) -> Result<Self, CommandError> {
        if instance.quasi_ids.saturating_mul(instance.capacities.len()) > MOST_CELLS {
            return Err(sentence(format!(
                "--trace prints a matrix for every iteration, and this one has {} by {} cells; trace a problem of {MOST_CELLS} cells at most",
                instance.quasi_ids,
                instance.capacities.len()
            )));
        }
        // Zeros before k are iterations too, and free: the level of search counts from the first component that is not zero.
        let asked = options.level.zip(solution.vector.k()).map(|(level, k)| k.saturating_add(u64::from(level)));
        let most = asked.and_then(|asked| usize::try_from(asked).ok()).unwrap_or(usize::MAX).min(MOST_ITERATIONS);
        let iterations = iterations(instance, solution, (most, MOST_NUMBERS), &options.patience);
        let decided =
            iterations.last().map_or(0, |last| last.decided.iter().zip(1..).map(|(cells, size)| cells * size).sum());
        Ok(Self { is_whole: decided == instance.people(), iterations })
    }

    pub(super) fn document(&self) -> Value {
        let iteration = |iteration: &Iteration| {
            json!({
                "level": iteration.level,
                "matrix": iteration.matrix,
                "anom": iteration.decided,
                "v": iteration.vector,
                "optimum": iteration.is_optimum,
            })
        };
        self.iterations.iter().map(iteration).collect()
    }

    /// What is said where iterations are left out.
    pub(super) fn note(&self) -> Option<String> {
        let shown = match self.iterations.len() {
            0 => "no iteration is".to_owned(),
            1 => "one iteration is".to_owned(),
            shown => format!("{shown} iterations are"),
        };
        (!self.is_whole).then(|| {
            format!("{shown} shown: further ones are not proved, not asked for, or more than {MOST_NUMBERS} numbers long in all")
        })
    }

    pub(super) fn text(&self, instance: &Instance) -> String {
        let mut lines = vec![String::new()];
        let is_shown = instance.quasi_ids <= WIDEST && instance.capacities.len() <= WIDEST;
        for iteration in &self.iterations {
            let (decided, vector) = (tuple(&iteration.decided), tuple(&iteration.vector));
            lines.push(format!("level {}: anom {decided}, v {vector}", iteration.level));
            if is_shown {
                lines.extend([matrix(instance, &iteration.matrix), String::new()]);
            }
        }
        if self.iterations.iter().any(|iteration| iteration.is_optimum) {
            lines.push("Where there are too many schedules to look at, an iteration shows the optimum.".to_owned());
        }
        lines.extend(self.note());
        lines.join("\n")
    }
}

/// Components as the paper prints them.
fn tuple(components: &[u64]) -> String {
    let components: Vec<String> = components.iter().map(u64::to_string).collect();
    format!("({})", components.join(", "))
}
