//! What an experiment found.

use super::trial::Trial;
use super::{Arm, Comparison, Experiment, Setting, Summary};
use serde::Serialize;

/// What an experiment found.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Outcome {
    /// What it is called.
    pub title: String,
    /// The seed that gives it again.
    pub seed: u64,
    /// How many seconds a single problem could be worked on, if there was a limit.
    pub time_limit: Option<f64>,
    /// The command that gives it again, if it was made by one.
    pub command: Option<String>,
    /// A row per setting.
    pub rows: Vec<Row>,
    /// Remarks for the reader.
    pub notes: Vec<String>,
}

/// The figures of a setting.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Row {
    /// What sets it apart.
    pub label: String,
    /// Where its problems come from, with every parameter.
    pub populations: String,
    /// How many people a problem has on average.
    pub people: f64,
    /// How many people each problem has, if the setting is a size of population.
    pub size: Option<u64>,
    /// How many problems there were.
    pub runs: u64,
    /// The arms, in the order of the experiment.
    pub arms: Vec<ArmFigures>,
    /// The comparisons, in the order of the experiment.
    pub comparisons: Vec<ComparisonFigures>,
}

/// The figures of an arm.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ArmFigures {
    /// Which one.
    pub arm: Arm,
    /// The size of the smallest cell.
    pub k: Summary,
    /// The printed mean of k.
    pub published_k: Option<f64>,
    /// The share of people who stand alone.
    pub alone: Summary,
    /// The share of problems whose schedule was proved optimal by the method itself: its bound says that nothing is better. A schedule
    /// that is not proved may be optimal all the same.
    pub proved: f64,
    /// How long all problems took, added up over the threads.
    pub seconds: f64,
}

/// The figures of a comparison.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ComparisonFigures {
    /// What is compared.
    #[serde(flatten)]
    pub comparison: Comparison,
    /// The improvement, a fraction of the index of the base vector.
    pub improvement: Summary,
    /// The printed mean improvement.
    pub published: Option<f64>,
}

impl Row {
    /// The row of a setting with these trials and these improvements per comparison.
    pub(super) fn of(experiment: &Experiment, setting: &Setting, trials: &[Trial], improvements: &[Vec<f64>]) -> Self {
        let runs = trials.len() as f64;
        let arms = experiment.arms.iter().enumerate().filter_map(|(at, &arm)| {
            let over_trials = |figure: &dyn Fn(&Trial) -> f64| trials.iter().map(figure).collect::<Vec<f64>>();
            let k = over_trials(&|trial| trial.arms[at].vector.k().unwrap_or(0) as f64);
            let alone = over_trials(&|trial| {
                let vector = &trial.arms[at].vector;
                vector.cells_of_size(1) as f64 / vector.people() as f64
            });
            Some(ArmFigures {
                arm,
                k: Summary::of(&k)?,
                published_k: setting.published_k.iter().find(|(of, _)| *of == arm).map(|&(_, k)| k),
                alone: Summary::of(&alone)?,
                proved: trials.iter().filter(|trial| trial.arms[at].is_proved).count() as f64 / runs,
                seconds: trials.iter().map(|trial| trial.arms[at].took.as_secs_f64()).sum(),
            })
        });
        let comparisons = experiment.comparisons.iter().zip(improvements).filter_map(|(&comparison, values)| {
            Some(ComparisonFigures {
                comparison,
                improvement: Summary::of(values)?,
                published: setting.published.iter().find(|(of, _)| *of == comparison).map(|&(_, value)| value),
            })
        });
        Self {
            label: setting.label.clone(),
            populations: setting.source.to_string(),
            size: setting.people(),
            people: trials.iter().map(|trial| trial.base.people() as f64).sum::<f64>() / runs,
            runs: trials.len() as u64,
            arms: arms.collect(),
            comparisons: comparisons.collect(),
        }
    }

    /// The figures of a comparison, if it was made.
    pub fn comparison(&self, of: Arm, over: Arm) -> Option<&ComparisonFigures> {
        self.comparisons.iter().find(|figures| figures.comparison == Comparison { of, over })
    }

    /// The figures of an arm, if it took part.
    pub fn arm(&self, arm: Arm) -> Option<&ArmFigures> {
        self.arms.iter().find(|figures| figures.arm == arm)
    }
}
