//! One deviation may meet many demands: the same table, moved further or the other way, is possible too as long as no cell
//! leaves its room.

use crate::attack::Room;
use crate::demand::{Demand, Side};

/// Levels count as met when they are missed by no more than this share: that of an audit.
pub(super) const SLACK: f64 = crate::audit::tolerance::RELATIVE;

/// The demands of a table, found by cell, and the rooms of its attackers.
pub(super) struct Certifier {
    pub(super) demands: Vec<Demand>,
    pub(super) rooms: Vec<Room>,
    of_cell: Vec<Vec<usize>>,
    asked: Vec<bool>,
}

impl Certifier {
    pub(super) fn new(demands: Vec<Demand>, rooms: Vec<Room>, cells: usize) -> Self {
        let (mut of_cell, mut asked) = (vec![Vec::new(); cells], vec![false; rooms.len()]);
        for (number, demand) in demands.iter().enumerate() {
            of_cell[demand.cell].push(number);
            asked[demand.attacker] = true;
        }
        Self { demands, rooms, of_cell, asked }
    }

    /// Calls `met` with every demand that some multiple of the deviation meets, whoever it was found for. Time: attackers
    /// times moved cells.
    pub(super) fn each_met(&self, deviation: &[(usize, f64)], mut met: impl FnMut(usize)) {
        for (attacker, room) in self.rooms.iter().enumerate().filter(|(attacker, _)| self.asked[*attacker]) {
            // How many times the deviation fits, as it is and turned round.
            let (mut along, mut against) = (f64::INFINITY, f64::INFINITY);
            for &(cell, by) in deviation {
                let (ahead, behind) =
                    if by > 0.0 { (room.up[cell], room.down[cell]) } else { (room.down[cell], room.up[cell]) };
                along = f64::min(along, ahead / by.abs());
                against = f64::min(against, behind / by.abs());
            }
            for &(cell, by) in deviation {
                for &number in self.of_cell[cell].iter().filter(|number| self.demands[**number].attacker == attacker) {
                    let Demand { side, level, .. } = self.demands[number];
                    let times = match side {
                        Side::Width => along + against,
                        Side::Upper if by > 0.0 => along,
                        Side::Lower if by < 0.0 => along,
                        Side::Upper | Side::Lower => against,
                    };
                    if times * by.abs() >= level * (1.0 - SLACK) {
                        met(number);
                    }
                }
            }
        }
    }
}
