//! Which column to split a node at.

use tamis_solver::{LiveStatus, Simplex};

use super::master::Master;

/// A split is tried out until its column was tried so often.
const RELIABLE: u32 = 4;
/// Columns tried out at one node.
const TRIED: usize = 12;
/// Simplex steps of one trial.
const STEPS: u32 = 60;

/// A column to split at.
pub(crate) struct Choice {
    pub(crate) column: usize,
    pub(crate) value: f64,
    /// Bounds of the two children, as far as known.
    pub(crate) down: f64,
    pub(crate) up: f64,
}

/// What splits brought so far, column by column: sum of the gains a unit of change, and how many.
pub(crate) struct Brancher {
    down: Vec<(f64, u32)>,
    up: Vec<(f64, u32)>,
}

impl Brancher {
    pub(crate) fn new(columns: usize) -> Self {
        Self { down: vec![(0.0, 0); columns], up: vec![(0.0, 0); columns] }
    }

    /// The column whose children gain most; `None` if there is no fractional column.
    pub(crate) fn choose(&mut self, master: &mut Master, bound: f64, limit: f64) -> Option<Choice> {
        let values: Vec<f64> = master.values().collect();
        let mut open: Vec<(f64, usize)> = values
            .iter()
            .enumerate()
            .filter(|(_, value)| **value > 1e-6 && **value < 1.0 - 1e-6)
            .map(|(column, value)| (self.score(column, *value), column))
            .collect();
        open.sort_by(|a, b| b.0.total_cmp(&a.0));
        let &(_, first) = open.first()?;
        let mut best = Choice { column: first, value: values[first], down: bound, up: bound };
        let mut best_score = f64::NEG_INFINITY;
        let basis = master.program().basis();
        let bounds = master.bounds().to_vec();
        let unit = master.unit;
        let mut since = 0;
        for &(score, column) in open.iter().take(TRIED) {
            let value = values[column];
            let reliable = self.down[column].1 >= RELIABLE && self.up[column].1 >= RELIABLE;
            let (mut down, mut up) = (bound, bound);
            let mut gained = score;
            if !reliable {
                let program = master.program();
                program.set_step_limit(Some(STEPS));
                let mut gains = [0.0; 2];
                for (side, gain) in gains.iter_mut().enumerate() {
                    let at = side as f64;
                    program.set_bounds(&[(column, at, at)]);
                    let status = program.solve(Simplex::Dual);
                    let objective = program.objective() * unit;
                    *gain = match status {
                        LiveStatus::Optimal | LiveStatus::Stopped => (objective - bound).max(0.0),
                        LiveStatus::Infeasible | LiveStatus::CutOff => limit - bound,
                        _ => 0.0,
                    };
                    // Only a finished solve is a bound that may prune.
                    let known = match status {
                        LiveStatus::Optimal => objective,
                        LiveStatus::Infeasible | LiveStatus::CutOff => f64::INFINITY,
                        _ => bound,
                    };
                    *(if side == 0 { &mut down } else { &mut up }) = known;
                    program.set_bounds(&[(column, bounds[column].0, bounds[column].1)]);
                    program.restore(&basis);
                }
                program.set_step_limit(None);
                let note = |(sum, count): &mut (f64, u32), gain: f64, change: f64| {
                    *sum += gain / change;
                    *count += 1;
                };
                note(&mut self.down[column], gains[0], value);
                note(&mut self.up[column], gains[1], 1.0 - value);
                gained = product(gains[0], gains[1]);
            }
            if gained > best_score {
                best_score = gained;
                best = Choice { column, value, down, up };
                since = 0;
            } else {
                since += 1;
            }
            if best.down >= limit || best.up >= limit || since >= 6 {
                break;
            }
        }
        Some(best)
    }

    fn score(&self, column: usize, value: f64) -> f64 {
        let mean = |(sum, count): (f64, u32)| if count == 0 { None } else { Some(sum / f64::from(count)) };
        let overall = |all: &[(f64, u32)]| {
            let (sum, count) = all.iter().fold((0.0, 0), |(s, c), (sum, count)| (s + sum, c + count));
            if count == 0 { 1.0 } else { sum / f64::from(count) }
        };
        let down = mean(self.down[column]).unwrap_or_else(|| overall(&self.down));
        let up = mean(self.up[column]).unwrap_or_else(|| overall(&self.up));
        product(down * value, up * (1.0 - value))
    }
}

fn product(down: f64, up: f64) -> f64 {
    down.max(1e-6) * up.max(1e-6)
}
