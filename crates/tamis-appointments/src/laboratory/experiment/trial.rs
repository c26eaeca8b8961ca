//! One problem, scheduled in every way.

use super::{Arm, Experiment, RunOptions, Source};
use crate::instance::Instance;
use crate::laboratory::LaboratoryError;
use crate::laboratory::dice::Dice;
use crate::laboratory::draw::drawn_vector;
use crate::solve::{Patience, SolveOptions, solve};
use crate::vector::AnonymityVector;
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

/// The improvement of every comparison in every trial: a list per comparison, in the order of the trials.
pub(super) fn improvements(experiment: &Experiment, trials: &[Trial]) -> Vec<Vec<f64>> {
    if experiment.comparisons.is_empty() {
        return Vec::new();
    }
    let mut of_people: BTreeMap<u64, Vec<usize>> = BTreeMap::new();
    for (run, trial) in trials.iter().enumerate() {
        of_people.entry(trial.base.people()).or_default().push(run);
    }
    let chunks: Vec<&[usize]> = of_people.values().flat_map(|runs| runs.chunks(TOGETHER)).collect();
    let measured: Vec<Vec<(usize, Vec<f64>)>> =
        chunks.into_par_iter().map(|runs| measured_together(experiment, trials, runs)).collect();
    let mut improvements = vec![vec![0.0; trials.len()]; experiment.comparisons.len()];
    for (run, of_run) in measured.into_iter().flatten() {
        for (list, improvement) in improvements.iter_mut().zip(of_run) {
            list[run] = improvement;
        }
    }
    improvements
}

/// The improvements of some trials with the same number of people.
fn measured_together(experiment: &Experiment, trials: &[Trial], runs: &[usize]) -> Vec<(usize, Vec<f64>)> {
    let vectors = runs.iter().flat_map(|&run| {
        let trial = &trials[run];
        std::iter::once(&trial.base).chain(trial.arms.iter().map(|arm| &arm.vector))
    });
    let indices = indices(&vectors.collect::<Vec<_>>());
    let of_trial = indices.chunks(experiment.arms.len() + 1);
    let position = |arm: Arm| experiment.arms.iter().position(|&other| other == arm);
    let measured = runs.iter().zip(of_trial).map(|(&run, indices)| {
        let comparisons = experiment.comparisons.iter().map(|comparison| {
            match (position(comparison.of), position(comparison.over)) {
                (Some(of), Some(over)) => ratio(&(&indices[of + 1] - &indices[over + 1]), &indices[0]),
                _ => f64::NAN,
            }
        });
        (run, comparisons.collect())
    });
    measured.collect()
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

/// PLACEHOLDER until the vector branch is merged.
fn indices(vectors: &[&AnonymityVector]) -> Vec<BigInt> {
    let n = vectors.first().map_or(0, |vector| vector.people()) as usize;
    let mut r = vec![BigInt::zero(); n + 1];
    r[0] = BigInt::from(1);
    for j in 1..=n {
        for m in j..=n {
            let add = r[m - j].clone();
            r[m] += add;
        }
    }
    let mut index = vec![BigInt::zero(); vectors.len()];
    let mut left = vec![n as u64; vectors.len()];
    for j in 1..=n as u64 {
        for (at, vector) in vectors.iter().enumerate() {
            let c = vector.cells_of_size(j);
            let take = (c + 1) * j;
            if left[at] >= take && left[at] > 0 {
                index[at] += &r[(left[at] - take) as usize];
            }
            left[at] -= c * j;
        }
        for m in (j as usize..=n).rev() {
            let sub = r[m - j as usize].clone();
            r[m] -= sub;
        }
    }
    index
}
