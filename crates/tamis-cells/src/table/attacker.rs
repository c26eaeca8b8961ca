//! People who know more than everybody does.

use super::cell::Levels;
use super::plain;

/// Somebody who knows more about some cells than their public bounds: a respondent who knows its own contribution, a
/// coalition, an expert of one trade.
///
/// Every table has one attacker without any such knowledge, the public. Further attackers see the same published cells
/// and equations; only the bounds and levels named here differ from those of the cells.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Attacker {
    /// What it is called in reports.
    pub name: String,
    /// Bounds that this attacker knows: cell, lower, upper.
    pub bounds: Vec<(usize, f64, f64)>,
    /// What is asked against this attacker for a primary cell, instead of the levels of the cell. A cell that the attacker
    /// knows exactly cannot be protected from it: levels of zero say that nothing is asked there.
    pub levels: Vec<(usize, Levels)>,
}

impl Attacker {
    pub(super) fn make_plain(&mut self) {
        for (_, lower, upper) in &mut self.bounds {
            (*lower, *upper) = (plain(*lower), plain(*upper));
        }
        self.levels.iter_mut().for_each(|(_, levels)| levels.make_plain());
    }
}
