//! Inequalities over hidden (1) and published (0) cells that every protected pattern fulfils.

use super::model::{Fate, Model, NEED};
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

/// The capacity constraint of a demand, truncated, with a right-hand side of 1.
///
/// For any multipliers d with s z_k = sum d_i z_i, an attacker's push of cell k is at most the sum over the hidden cells of
/// d_i times the room above (d_i > 0) or of -d_i times the room below (d_i < 0). A protected pattern lets it be the level,
/// hence sum c_i x_i >= 1 in units of the level. What is hidden anyway goes to the right-hand side r; then no c_i need be
/// larger than r, since x_i = 1 alone fulfils the inequality. A width is demanded of both pushes together: their
/// coefficients add up. `None` if the right-hand side is not positive.
pub(crate) fn capacity(
    model: &Model<'_>,
    room: &Room,
    level: f64,
    pushes: &[(Vec<(usize, f64)>, f64)],
) -> Option<Cut> {
    let mut sum: Vec<(usize, f64)> = Vec::new();
    let mut rhs = NEED;
    for (multipliers, error) in pushes {
        for &(cell, d) in multipliers {
            let room = if d > 0.0 { room.up[cell] } else { room.down[cell] } / level;
            if room == 0.0 {
                continue;
            }
            if d.abs() <= 1e3 * error && room <= 1e4 {
                rhs -= 2e3 * error * room;
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
    normalised(sum, rhs)
}

/// Truncates to the right-hand side, gives small coefficients up and divides by the right-hand side.
fn normalised(mut terms: Vec<(usize, f64)>, mut rhs: f64) -> Option<Cut> {
    if rhs.is_nan() || rhs < 1e-5 {
        return None;
    }
    let limit = rhs;
    terms.retain(|(_, c)| {
        let small = *c < SMALL * limit;
        if small {
            rhs -= c;
        }
        !small
    });
    for (_, c) in &mut terms {
        *c = if *c >= rhs * (1.0 - 1e-9) { 1.0 } else { *c / rhs };
    }
    Some(Cut { terms, rhs: 1.0 })
}
