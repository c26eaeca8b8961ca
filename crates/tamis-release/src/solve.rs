//! Solves a prepared problem and takes down the figures.

use crate::figures::number_figures;
use crate::outcome::exact_number;
use crate::{
    Algorithm, ClassFigures, Outcome, Policy, Prepared, QualityFigures, ReleaseError, RiskFigures, RowFigures,
    SearchFigures, SolutionFigures, Unit,
};
use serde_json::Value;
use std::collections::BTreeMap;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};
use tamis_engine::{Limits, Observer, Problem, Recoding, Score, Solution, heuristic, optimal};
use tamis_risk::ProsecutorRisk;
use tamis_table::hierarchy::SUPPRESSED;
use tamis_transform::Stage;

/// How to solve.
#[derive(Debug, Clone, Copy)]
pub struct SolveOptions<'a> {
    /// Threads to use.
    pub threads: usize,
    /// Stops the search and takes the best so far.
    pub stop: Option<&'a AtomicBool>,
    /// Makes the heuristic repeatable.
    pub seed: u64,
}

impl Default for SolveOptions<'_> {
    fn default() -> Self {
        Self { threads: 1, stop: None, seed: 0 }
    }
}

/// A solution with its figures.
#[derive(Debug, Clone)]
pub struct Solved {
    /// The figures.
    pub outcome: Outcome,
    /// What becomes of each tuple.
    pub recoding: Recoding,
    /// What the search found out.
    pub solution: Solution,
}

/// Finds the best transformation as the policy asks.
pub fn solve(
    policy: &Policy,
    prepared: &Prepared,
    options: &SolveOptions<'_>,
    observer: &mut dyn Observer,
) -> Result<Solved, ReleaseError> {
    let limits = Limits {
        time: policy.search.time_limit.map(Duration::from_secs_f64),
        stop: options.stop,
        threads: options.threads,
        seed: options.seed,
        evaluations: policy.search.evaluations,
    };
    let started = Instant::now();
    let solution = match policy.search.algorithm {
        Algorithm::Optimal => optimal(&prepared.problem, &limits, observer)?,
        Algorithm::Heuristic => heuristic(&prepared.problem, &limits, observer)?,
    };
    let seconds = started.elapsed().as_secs_f64();
    let recoding = Recoding::of(&prepared.problem, &solution.levels);
    let mut outcome = figures_of(policy, prepared, &recoding);
    outcome.solution.optimal = solution.is_optimal;
    outcome.solution.lower_bound = solution.lower_bound.value();
    outcome.search.checked = solution.checked;
    outcome.search.seconds = seconds;
    Ok(Solved { outcome, recoding, solution })
}

/// The figures of a transformation that was not searched for, as when a manifest is replayed.
pub fn figures_of(policy: &Policy, prepared: &Prepared, recoding: &Recoding) -> Outcome {
    let problem = &prepared.problem;
    let tally = &recoding.tally;
    let classes = recoding.statistics();
    let risk = match prepared.release_stage {
        // The values stay, so that people are found by them and not by their class.
        Some(Stage::Groups) => ProsecutorRisk::of(kept_tuples(problem, recoding), policy.risk.threshold),
        _ => ProsecutorRisk::of(recoding.kept_classes(), policy.risk.threshold),
    };
    let mut chosen = BTreeMap::new();
    let score = problem.measure.score(&recoding.levels, tally);
    let loss = prepared.loss.score(&recoding.levels, tally).value();
    if problem.measure.name() == prepared.loss.name() {
        // The default loss keeps the name; a loss with other settings stands beside it.
        if score != Score::number(loss) || policy.quality.ranks() {
            chosen.insert("score".to_owned(), score_value(policy, &score));
        }
    } else {
        chosen.insert(problem.measure.name().to_owned(), score_value(policy, &score));
    }
    let mut notes = prepared.notes.clone();
    if problem.limit > 0 && problem.is_everything_hidden(&recoding.levels) {
        notes.push("every quasi-identifier is generalized to its last label; such rows tell no more than suppressed ones and are reported as suppressed".to_owned());
    } else if prepared.release_stage == Some(Stage::Groups) {
        notes.push(
            "the released columns keep their values: whoever knows them finds the row, and the groups hide only which sensitive value is whose; the risk is that of finding the row"
                .to_owned(),
        );
    } else {
        for (attribute, &level) in problem.frequency.attributes.iter().zip(&recoding.levels) {
            let labels = attribute.recoder.labels(level);
            if labels.len() == 1 && labels.text(0) == SUPPRESSED {
                notes.push(format!(
                    "`{}` is released as `*` only; a max_level or a larger weight in its section keeps more of it, at the cost of the others",
                    attribute.name
                ));
            }
        }
    }
    let names = problem.frequency.attributes.iter().map(|attribute| attribute.name.clone());
    Outcome {
        solution: SolutionFigures {
            levels: names.zip(recoding.levels.iter().copied()).collect(),
            optimal: false,
            lower_bound: 0.0,
        },
        quality: QualityFigures { loss, chosen },
        classes: ClassFigures {
            count: classes.count,
            min: classes.min,
            max: classes.max,
            average: classes.average,
            unit: if policy.entity.is_some() { Unit::People } else { Unit::Rows },
        },
        rows: RowFigures {
            input: problem.frequency.rows,
            kept: problem.frequency.rows - recoding.suppressed_rows(),
            suppressed: recoding.suppressed_rows(),
        },
        risk: RiskFigures { average: risk.average, max: risk.max, at_risk: risk.at_risk, threshold: risk.threshold },
        search: SearchFigures { lattice: lattice_size(prepared), checked: 0, seconds: 0.0 },
        figures: number_figures(&prepared.table, &problem.frequency, recoding),
        models: prepared.requirements(),
        notes,
    }
}

/// Rows and sizes of the released tuples.
fn kept_tuples<'a>(problem: &'a Problem, recoding: &'a Recoding) -> impl Iterator<Item = (u64, u64)> + 'a {
    let counts = problem.frequency.counts.iter().zip(0..).filter(|&(&count, tuple)| count > 0 && recoding.keeps(tuple));
    counts.map(|(&count, _)| (u64::from(count), u64::from(count)))
}

/// A score in JSON: a number, or a list for the rank aggregate, however many columns there are.
pub fn score_value(policy: &Policy, score: &Score) -> Value {
    if policy.quality.ranks() { Value::from(score.parts().collect::<Vec<f64>>()) } else { Value::from(score.value()) }
}

/// A number, or a decimal string where a JSON reader would round it.
fn lattice_size(prepared: &Prepared) -> Value {
    let lattice = &prepared.problem.lattice;
    match lattice.size() {
        Some(size) => exact_number(size),
        None => Value::from(format!("{:.0}", lattice.approximate_size())),
    }
}
