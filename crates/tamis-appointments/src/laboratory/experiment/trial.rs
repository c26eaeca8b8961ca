//! One problem, scheduled in every way.

use super::{Arm, Comparison, Experiment, RunOptions, Source};
use crate::instance::Instance;
use crate::laboratory::LaboratoryError;
use crate::laboratory::dice::Dice;
use crate::laboratory::draw::drawn_vector;
use crate::solve::{Patience, SolveOptions, solve};
use crate::vector::{AnonymityVector, LARGEST_EXACT, VectorOrder};
use num_bigint::BigInt;
use num_traits::{ToPrimitive, Zero};
use rayon::prelude::*;
use std::collections::BTreeMap;
use std::time::{Duration, Instant};

/// What came of one problem.
#[derive(Debug, Clone)]
pub(super) struct Trial {
    /// The vector before appointments.
    pub(super) base: AnonymityVector,
    /// The outcome of each arm.
    pub(super) arms: Vec<ArmTrial>,
}

/// What an arm made of the problem.
#[derive(Debug, Clone)]
pub(super) struct ArmTrial {
    pub(super) vector: AnonymityVector,
    pub(super) is_proved: bool,
    pub(super) took: Duration,
}

impl Trial {
    /// Makes up the numbered problem and schedules it.
    pub(super) fn run(
        experiment: &Experiment,
        source: &Source,
        run: u64,
        mut dice: Dice,
        options: &RunOptions,
    ) -> Result<Self, LaboratoryError> {
        let (problem, drawn) = match source {
            Source::Draws(generator, _) => {
                let problem = generator.generate(dice.seed())?;
                let drawn = drawn_vector(&problem, dice.seed());
                (problem, drawn)
            }
            Source::Programmes(programmes) => {
                let programme = &programmes[run as usize];
                (programme.problem(), programme.drawn_vector())
            }
        };
        let base = AnonymityVector::of_sizes(problem.frequencies.iter().copied());
        let instance = Instance::plain(&problem.frequencies, &problem.capacities)?;
        let seed = dice.seed();
        let arm = |arm: &Arm| {
            let Arm::Method(method) = *arm else {
                return Ok(ArmTrial { vector: drawn.clone(), is_proved: false, took: Duration::ZERO });
            };
            let patience = options.time_limit.map_or_else(Patience::default, Patience::of);
            let started = Instant::now();
            let solution = solve(&instance, method, &SolveOptions { seed, level: None, patience })?;
            Ok(ArmTrial { is_proved: solution.is_optimal(), vector: solution.vector, took: started.elapsed() })
        };
        let arms = experiment.arms.iter().map(arm).collect::<Result<_, LaboratoryError>>()?;
        Ok(Self { base, arms })
    }
}

/// Vectors of one number of people are indexed together, so many problems at a time.
const TOGETHER: usize = 512;

/// The improvement of every comparison in every trial: a list per comparison, in the order of the trials. No list if there are
/// more people than indexes are computed for.
pub(super) fn improvements(experiment: &Experiment, trials: &[Trial]) -> Result<Vec<Vec<f64>>, LaboratoryError> {
    let is_indexed = trials.iter().all(|trial| trial.base.people() <= LARGEST_EXACT);
    if experiment.comparisons.is_empty() || !is_indexed {
        return Ok(Vec::new());
    }
    let mut of_people: BTreeMap<u64, Vec<usize>> = BTreeMap::new();
    for (run, trial) in trials.iter().enumerate() {
        of_people.entry(trial.base.people()).or_default().push(run);
    }
    let chunks: Vec<&[usize]> = of_people.values().flat_map(|runs| runs.chunks(TOGETHER)).collect();
    let measured: Vec<Vec<(usize, Vec<f64>)>> = chunks
        .into_par_iter()
        .map(|runs| measured_together(experiment, trials, runs))
        .collect::<Result<_, LaboratoryError>>()?;
    let mut improvements = vec![vec![0.0; trials.len()]; experiment.comparisons.len()];
    for (run, of_run) in measured.into_iter().flatten() {
        for (list, improvement) in improvements.iter_mut().zip(of_run) {
            list[run] = improvement;
        }
    }
    Ok(improvements)
}

/// The improvements of some trials with the same number of people, each with the number of its run.
fn measured_together(
    experiment: &Experiment,
    trials: &[Trial],
    runs: &[usize],
) -> Result<Vec<(usize, Vec<f64>)>, LaboratoryError> {
    let vectors = runs.iter().flat_map(|&run| {
        let trial = &trials[run];
        std::iter::once(&trial.base).chain(trial.arms.iter().map(|arm| &arm.vector))
    });
    let vectors: Vec<&AnonymityVector> = vectors.collect();
    let people = vectors.first().map_or(1, |vector| vector.people());
    let indices: Vec<BigInt> =
        VectorOrder::of_people(people)?.index_all(&vectors)?.into_iter().map(BigInt::from).collect();
    let position = |arm: Arm| experiment.arms.iter().position(|&other| other == arm);
    let measured = runs.iter().zip(indices.chunks(experiment.arms.len() + 1)).map(|(&run, indices)| {
        let improvement = |comparison: &Comparison| match (position(comparison.of), position(comparison.over)) {
            (Some(of), Some(over)) => ratio(&(&indices[of + 1] - &indices[over + 1]), &indices[0]),
            _ => f64::NAN,
        };
        (run, experiment.comparisons.iter().map(improvement).collect())
    });
    Ok(measured.collect())
}

/// The quotient of two large numbers; 0 if the base is the least anonymous vector.
fn ratio(part: &BigInt, whole: &BigInt) -> f64 {
    if whole.is_zero() {
        return 0.0;
    }
    // 60 bits more than the quotient has before the point are more than a double keeps.
    let quotient: BigInt = (part << 60_u32) / whole;
    quotient.to_f64().unwrap_or(f64::NAN) / (1_u64 << 60) as f64
}
