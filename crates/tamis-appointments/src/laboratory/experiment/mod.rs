//! Experiments: many made-up problems, scheduled in several ways and compared.

mod arm;
mod outcome;
mod summary;
mod tables;
#[cfg(test)]
mod tests;
mod trial;

pub use arm::{Arm, Comparison};
pub use outcome::{ArmFigures, ComparisonFigures, Outcome, Row};
pub use summary::Summary;
pub use tables::{Runs, custom, table_10, table_10_by_text, table_11, thesis_7, thesis_8};

use super::LaboratoryError;
use super::dice::Dice;
use super::generators::{Generator, Programme};
use rayon::prelude::*;
use std::fmt;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;
use trial::{Trial, improvements};

/// What is made up, how it is scheduled and what is compared.
#[derive(Debug, Clone)]
pub struct Experiment {
    /// What it is called.
    pub title: String,
    /// The rows of its table.
    pub settings: Vec<Setting>,
    /// The ways to schedule.
    pub arms: Vec<Arm>,
    /// What is set against what.
    pub comparisons: Vec<Comparison>,
    /// Remarks for the reader.
    pub notes: Vec<String>,
}

/// A row of an experiment.
#[derive(Debug, Clone)]
pub struct Setting {
    /// What sets it apart.
    pub label: String,
    /// Where its problems come from.
    pub source: Source,
    /// The printed improvements, as fractions.
    pub published: Vec<(Comparison, f64)>,
    /// The printed mean k.
    pub published_k: Vec<(Arm, f64)>,
}

/// Where the problems of a row come from.
#[derive(Debug, Clone)]
pub enum Source {
    /// So many draws of a generator.
    Draws(Generator, u64),
    /// Programmes with appointments that were drawn already.
    Programmes(Vec<Programme>),
}

impl fmt::Display for Source {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Draws(generator, _) => generator.fmt(f),
            Self::Programmes(programmes) => write!(f, "norway: a problem for each of {} dates", programmes.len()),
        }
    }
}

impl Source {
    /// How many problems there are.
    pub fn runs(&self) -> u64 {
        match self {
            Self::Draws(_, runs) => *runs,
            Self::Programmes(programmes) => programmes.len() as u64,
        }
    }
}

/// How an experiment is run.
#[derive(Debug, Clone, Default)]
pub struct RunOptions {
    /// Everything random comes from here.
    pub seed: u64,
    /// How long a single problem may be worked on; without a limit the outcome depends on nothing but the seed.
    pub time_limit: Option<Duration>,
    /// How many threads work on it; as many as there are processors if 0.
    pub threads: usize,
}

impl Setting {
    /// How many people each of its problems has, if they all have as many.
    pub fn people(&self) -> Option<u64> {
        match &self.source {
            Source::Draws(generator, _) => Some(generator.people()),
            Source::Programmes(_) => None,
        }
    }
}

impl Experiment {
    /// Leaves out the arms that are not among these, and what they were compared in. Drawn appointments stay. An arm the experiment
    /// did not have is added, and compared with them if the experiment compares at all.
    pub fn keep_arms(&mut self, arms: &[Arm]) {
        let is_comparing = !self.comparisons.is_empty();
        for &arm in arms {
            if !self.arms.contains(&arm) {
                self.arms.push(arm);
                if is_comparing {
                    self.comparisons.push(Comparison { of: arm, over: Arm::Drawn });
                }
            }
        }
        let is_kept = |arm: &Arm| *arm == Arm::Drawn || arms.contains(arm);
        self.arms.retain(is_kept);
        self.comparisons.retain(|comparison| is_kept(&comparison.of) && is_kept(&comparison.over));
    }

    /// How many problems it has.
    pub fn runs(&self) -> u64 {
        self.settings.iter().map(|setting| setting.source.runs()).sum()
    }

    /// Schedules every problem in every way. Each problem has a seed of its own and sums are made in the order of the runs, so the
    /// outcome does not depend on the threads. `progress` is told how many problems are done.
    pub fn run(&self, options: &RunOptions, progress: &(dyn Fn(u64) + Sync)) -> Result<Outcome, LaboratoryError> {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(options.threads).build();
        let pool = pool.map_err(|error| LaboratoryError::Threads(error.to_string()))?;
        pool.install(|| self.run_here(options, progress))
    }

    fn run_here(&self, options: &RunOptions, progress: &(dyn Fn(u64) + Sync)) -> Result<Outcome, LaboratoryError> {
        let done = AtomicU64::new(0);
        let rows = self.settings.iter().enumerate().map(|(number, setting)| {
            let trial = |run: u64| {
                let dice = Dice::of_part(options.seed, (number as u64) << 32 | run);
                let trial = Trial::run(self, &setting.source, run, dice, options)?;
                progress(done.fetch_add(1, Ordering::Relaxed) + 1);
                Ok(trial)
            };
            let trials: Vec<Trial> =
                (0..setting.source.runs()).into_par_iter().map(trial).collect::<Result<_, LaboratoryError>>()?;
            let improvements = improvements(self, &trials)?;
            Ok(Row::of(self, setting, &trials, &improvements))
        });
        Ok(Outcome {
            title: self.title.clone(),
            seed: options.seed,
            time_limit: options.time_limit.map(|limit| limit.as_secs_f64()),
            command: None,
            rows: rows.collect::<Result<_, LaboratoryError>>()?,
            notes: self.notes.clone(),
        })
    }
}
