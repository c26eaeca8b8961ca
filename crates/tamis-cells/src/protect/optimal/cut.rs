//! Inequalities over hidden (1) and published (0) cells that every protected pattern fulfils.

use super::model::{Fate, Model};
use crate::attack::Room;

/// Coefficients below this, of a right-hand side of 1, are given up.
const SMALL: f64 = 1e-6;

/// A sum over cells that is at least `rhs`. All cells are open ones, ascending; coefficients may be negative.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Cut {
    pub(crate) terms: Vec<(usize, f64)>,
    pub(crate) rhs: f64,
}

impl Cut {
    /// How much is missing at a point; negative if fulfilled.
    pub(crate) fn violation(&self, x: &[f64]) -> f64 {
        self.rhs - self.terms.iter().map(|&(cell, c)| c * x[cell]).sum::<f64>()
    }

    /// The distance by which it cuts a point off.
    pub(crate) fn depth(&self, x: &[f64]) -> f64 {
        let square: f64 = self.terms.iter().filter(|(cell, _)| x[*cell] > 0.0).map(|(_, c)| c * c).sum();
        self.violation(x) / f64::sqrt(square.max(0.1))
    }
}

/// The capacity constraint of a demand in units of its level, before it is made stronger.
///
/// For any multipliers d with s z_k = sum d_i z_i, an attacker's push of cell k is at most the sum over the hidden cells of
/// d_i times the room above (d_i > 0) or of -d_i times the room below (d_i < 0). A protected pattern lets it be the level,
/// hence sum c_i x_i >= 1 in units of the level. What is hidden anyway goes to the right-hand side. A width is demanded of
/// both pushes together: their coefficients add up.
pub(crate) fn capacity(model: &Model<'_>, room: &Room, demand: usize, pushes: &[(Vec<(usize, f64)>, f64)]) -> Cut {
    let level = model.demands[demand].level;
    let mut sum: Vec<(usize, f64)> = Vec::new();
    let mut rhs = model.need[demand];
    for (multipliers, error) in pushes {
        for &(cell, d) in multipliers {
            // Where the true multiplier may be zero or of the other sign, both rooms count.
            let noise = d.abs() <= 1e3 * error;
            let room = match d {
                _ if noise => f64::max(room.up[cell], room.down[cell]),
                _ if d > 0.0 => room.up[cell],
                _ => room.down[cell],
            } / level;
            if room == 0.0 || d == 0.0 {
                continue;
            }
            if noise && room <= 1e2 {
                // The right-hand side pays for it. Where the room is large or has no bound the term stays instead.
                rhs -= (d.abs() + error) * room;
                continue;
            }
            sum.push((cell, (d.abs() + error) * room));
        }
    }
    if pushes.len() > 1 {
        sum.sort_by_key(|(cell, _)| *cell);
        sum.dedup_by(|next, kept| {
            let same = next.0 == kept.0;
            if same {
                kept.1 += next.1;
            }
            same
        });
    }
    for (cell, c) in &sum {
        if model.fate[*cell] == Fate::Hidden {
            rhs -= c;
        }
    }
    sum.retain(|(cell, _)| model.fate[*cell] == Fate::Open);
    Cut { terms: sum, rhs }
}

impl Cut {
    /// Truncated to the right-hand side r, which becomes 1: no coefficient need be larger than r, since x_i = 1 alone then
    /// fulfils the inequality. Small coefficients are given up. `None` if the right-hand side is (next to) nothing.
    pub(crate) fn truncated(&self) -> Option<Self> {
        let mut rhs = self.rhs;
        if rhs.is_nan() || rhs < 1e-5 {
            return None;
        }
        let mut terms = self.terms.clone();
        terms.retain(|(_, c)| {
            let small = *c < SMALL * self.rhs;
            if small {
                rhs -= c;
            }
            !small
        });
        for (_, c) in &mut terms {
            *c = if *c >= rhs * (1.0 - 1e-9) { 1.0 } else { *c / rhs };
        }
        Some(Self { terms, rhs: 1.0 })
    }

    /// What a pattern (0 or 1 everywhere) that breaks an inequality proves: at least one more of its cells must be hidden.
    /// Unlike the inequality itself, this is broken by 1, however close the call was. `None` if the pattern breaks nothing
    /// beyond the rounding of the sum.
    pub(crate) fn one_more(&self, x: &[f64]) -> Option<Self> {
        const ROUNDING: f64 = 1e-14;
        let reached: f64 = self.terms.iter().filter(|(cell, _)| x[*cell] > 0.5).map(|(_, c)| c).sum();
        let published = self.terms.iter().filter(|(cell, _)| x[*cell] <= 0.5);
        let terms = published.map(|(cell, _)| (*cell, 1.0)).collect();
        (reached < self.rhs - ROUNDING * self.terms.len() as f64).then_some(Self { terms, rhs: 1.0 })
    }
}
