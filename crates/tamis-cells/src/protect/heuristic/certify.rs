//! One deviation may meet many demands: the same table, moved further or the other way, is possible too as long as no cell
//! leaves its room.

use crate::attack::Room;
use crate::demand::{Demand, Side};
use crate::table::CellTable;

/// Levels count as met when they are missed by no more than this share: that of an audit.
pub(super) const SLACK: f64 = crate::audit::tolerance::RELATIVE;

/// The demands of a table, found by cell, and the rooms of its attackers.
pub(super) struct Certifier {
    pub(super) demands: Vec<Demand>,
    /// What the public knows.
    pub(super) public: Room,
    /// By cell, what attackers know beyond it: attacker, room downwards and upwards.
    beyond: Vec<Vec<(usize, f64, f64)>>,
    attackers: usize,
    of_cell: Vec<Vec<usize>>,
}

impl Certifier {
    pub(super) fn new(table: &CellTable) -> Self {
        let demands = Demand::of(table);
        let cells = table.cells();
        let (mut of_cell, mut beyond) = (vec![Vec::new(); cells.len()], vec![Vec::new(); cells.len()]);
        for (number, demand) in demands.iter().enumerate() {
            of_cell[demand.cell].push(number);
        }
        for (number, attacker) in table.attackers().iter().enumerate() {
            for &(cell, lower, upper) in &attacker.bounds {
                let value = cells[cell].value;
                beyond[cell].push((number + 1, value - lower, upper - value));
            }
        }
        Self { demands, public: Room::of(table, 0), beyond, attackers: table.attackers().len(), of_cell }
    }

    /// Calls `met` with every demand that some multiple of the deviation meets, whoever it was found for. Time: attackers, and
    /// demands on moved cells.
    pub(super) fn each_met(&self, deviation: &[(usize, f64)], mut met: impl FnMut(usize)) {
        // How many times the deviation fits, as it is and turned round: for the public, then for each attacker.
        let fits = |by: f64, down: f64, up: f64| {
            let (ahead, behind) = if by > 0.0 { (up, down) } else { (down, up) };
            (ahead / by.abs(), behind / by.abs())
        };
        let less = |a: (f64, f64), b: (f64, f64)| (f64::min(a.0, b.0), f64::min(a.1, b.1));
        let of_public = |&(cell, by): &(usize, f64)| fits(by, self.public.down[cell], self.public.up[cell]);
        let public = deviation.iter().map(of_public).fold((f64::INFINITY, f64::INFINITY), less);
        let mut times = vec![public; self.attackers + 1];
        for &(cell, by) in deviation {
            for &(attacker, down, up) in &self.beyond[cell] {
                times[attacker] = less(times[attacker], fits(by, down, up));
            }
        }
        for &(cell, by) in deviation {
            for &number in &self.of_cell[cell] {
                let Demand { side, level, attacker, .. } = self.demands[number];
                let (along, against) = times[attacker];
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
