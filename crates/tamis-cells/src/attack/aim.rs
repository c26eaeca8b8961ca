//! The one column of an attack's program that has a cost.

use tamis_solver::LiveProgram;

/// Remembers where a program aims, so that a new aim changes two costs at most and the simplex method goes on from the last
/// corner.
#[derive(Debug, Default)]
pub(crate) struct Aim(Option<usize>);

impl Aim {
    /// Gives `column` a cost and takes that of the last aim away.
    pub(crate) fn take(&mut self, program: &mut dyn LiveProgram, column: usize, cost: f64) {
        let mut costs = vec![(column, cost)];
        if let Some(last) = self.0.replace(column).filter(|last| *last != column) {
            costs.push((last, 0.0));
            costs.sort_unstable_by_key(|(column, _)| *column);
        }
        program.set_costs(&costs);
    }
}
