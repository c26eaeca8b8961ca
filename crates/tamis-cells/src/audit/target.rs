//! A part, what is asked of it, and what is known of it so far.

use std::sync::Arc;

use super::certificate::{self, Sign};
use super::part::Part;
use super::strike::Ends;
use super::tolerance::meets;
use super::witness::Witness;
use crate::demand::{Demand, Side};

/// How far a cell goes in one direction, in units.
#[derive(Debug, Clone)]
pub(super) struct Reach {
    pub(super) ends: Ends,
    /// A table that goes as far as `ends.low`.
    pub(super) witness: Option<Arc<Witness>>,
}

/// The reaches of one cell downwards and upwards.
#[derive(Debug, Clone)]
pub(super) struct Reaches {
    pub(super) down: Reach,
    pub(super) up: Reach,
}

impl Reaches {
    pub(super) fn of(&self, sign: Sign) -> &Reach {
        if sign > 0 { &self.up } else { &self.down }
    }

    pub(super) fn toward(&mut self, sign: Sign) -> &mut Reach {
        if sign > 0 { &mut self.up } else { &mut self.down }
    }
}

/// A demand on a cell of a part, its level in units.
#[derive(Debug, Clone, Copy)]
pub(super) struct Asked {
    /// Position in [`Demand::of`].
    pub(super) number: usize,
    pub(super) at: usize,
    pub(super) side: Side,
    pub(super) level: f64,
    pub(super) value: f64,
}

impl Asked {
    pub(super) fn met(&self, down: f64, up: f64) -> bool {
        meets(self.side.of(down, up), self.level, self.value)
    }

    /// The directions that the demand is about.
    pub(super) fn signs(&self) -> &'static [Sign] {
        match self.side {
            Side::Upper => &[1],
            Side::Lower => &[-1],
            Side::Width => &[1, -1],
        }
    }
}

impl Side {
    pub(super) fn of(self, down: f64, up: f64) -> f64 {
        match self {
            Self::Upper => up,
            Self::Lower => down,
            Self::Width => down + up,
        }
    }
}

/// A part, what is asked of it and, once attacked, what was found.
pub(super) struct Target {
    pub(super) part: Part,
    pub(super) asked: Vec<Asked>,
    pub(super) reaches: Vec<Reaches>,
}

impl Target {
    pub(super) fn new(part: Part, demands: &[Demand]) -> Self {
        let mut asked: Vec<Asked> = Vec::new();
        // Demands stand attacker by attacker.
        let first = demands.partition_point(|demand| demand.attacker < part.attacker);
        let own = demands.iter().enumerate().skip(first).take_while(|(_, demand)| demand.attacker == part.attacker);
        for (number, demand) in own {
            if let Some(at) = part.position(demand.cell) {
                let (level, value) = (part.in_units(demand.level), part.values[at]);
                asked.push(Asked { number, at, side: demand.side, level, value });
            }
        }
        let reach = |at, sign| Reach { ends: Ends { low: 0.0, high: part.room(at, sign) }, witness: None };
        let reaches = (0..part.cells.len()).map(|at| Reaches { down: reach(at, -1), up: reach(at, 1) }).collect();
        let mut target = Self { part, asked, reaches };
        if target.part.rows.is_empty() {
            // A cell without equations goes wherever its bounds let it.
            if let Some(witness) = Witness::new(&target.part, vec![(0, 1.0)], 0.0) {
                target.learn(witness);
            }
        }
        target
    }

    /// What a table proves about all cells that move in it.
    pub(super) fn learn(&mut self, witness: Witness) {
        self.learn_shared(&Arc::new(witness));
    }

    /// The same where others keep the table too.
    pub(super) fn learn_shared(&mut self, witness: &Arc<Witness>) {
        for (at, down, up) in witness.reaches() {
            for (sign, low) in [(-1, down), (1, up)] {
                let reach = self.reaches[at].toward(sign);
                if low > reach.ends.low {
                    *reach = Reach { ends: Ends { low, ..reach.ends }, witness: Some(Arc::clone(witness)) };
                }
            }
        }
    }

    /// What deviations of cells of the table prove, wherever they come from. Time: linear in the terms of the part.
    pub(super) fn witness(&self, deviation: &[(usize, f64)]) -> Option<Witness> {
        let mut units = vec![0.0; self.part.cells.len()];
        for &(cell, by) in deviation {
            if let Some(at) = self.part.position(cell) {
                units[at] = self.part.in_units(by);
            }
        }
        certificate::witness(&self.part, &units)
    }

    pub(super) fn is_met(&self, asked: &Asked) -> bool {
        let Reaches { down, up } = &self.reaches[asked.at];
        asked.met(down.ends.low, up.ends.low)
    }

    /// The deviation of a cell that is looked for first where nothing is asked of it: its level, or its room.
    pub(super) fn guess(&self, at: usize, sign: Sign) -> f64 {
        let level = self.asked.iter().filter(|asked| asked.at == at).map(|asked| asked.level).max_by(f64::total_cmp);
        let room = self.part.room(at, sign);
        level.unwrap_or(if room.is_finite() { room } else { self.part.values[at].abs() })
    }
}

/// What the attacks on a piece of a part find, on top of what was known before.
pub(super) struct Learnt {
    /// How far every cell is known to go, downwards and upwards.
    lows: Vec<(f64, f64)>,
    pub(super) witnesses: Vec<Witness>,
}

impl Learnt {
    pub(super) fn new(target: &Target) -> Self {
        let lows = target.reaches.iter().map(|reaches| (reaches.down.ends.low, reaches.up.ends.low)).collect();
        Self { lows, witnesses: Vec::new() }
    }

    pub(super) fn learn(&mut self, witness: Witness) {
        for (at, down, up) in witness.reaches() {
            self.lows[at] = (f64::max(self.lows[at].0, down), f64::max(self.lows[at].1, up));
        }
        self.witnesses.push(witness);
    }

    pub(super) fn is_met(&self, asked: &Asked) -> bool {
        let (down, up) = self.lows[asked.at];
        asked.met(down, up)
    }

    pub(super) fn low(&self, at: usize, sign: Sign) -> f64 {
        if sign > 0 { self.lows[at].1 } else { self.lows[at].0 }
    }
}
