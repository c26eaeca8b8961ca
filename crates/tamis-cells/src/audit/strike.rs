//! One part under attack: a linear program that is changed in place, and proofs of what it answers.

use tamis_solver::{LiveColumn, LiveProgram, LiveRow, LiveSolver, LiveStatus, Simplex};

use super::certificate::{self, Kind, Question, Witness};
use super::part::Part;
use crate::attack::Aim;

/// Proofs that end within this share of what matters say the same; far below the slack of a level.
const AGREE: f64 = 1e-11;

/// How far a cell goes: proved from both sides, in units.
#[derive(Debug, Clone)]
pub(super) struct Reach {
    /// A table that the attacker holds possible goes so far.
    pub(super) low: f64,
    /// No such table goes further.
    pub(super) high: f64,
    /// The cells that deviate in that table, positions in the part, ascending.
    pub(super) support: Vec<usize>,
}

impl Reach {
    fn settled(&self, matters: f64) -> bool {
        self.low == f64::INFINITY || self.high - self.low <= AGREE * f64::max(self.high, matters)
    }

    fn learn(&mut self, witness: Option<Witness>, high: f64) {
        if let Some(witness) = witness.filter(|witness| witness.reach > self.low) {
            self.low = witness.reach;
            self.support = witness.support;
        }
        self.high = f64::min(self.high, high);
    }
}

/// A program for the deviations of one part.
struct Live {
    program: Box<dyn LiveProgram>,
    kind: Kind,
    /// Deviations in the program are units divided by this, a power of two.
    scale: f64,
    /// Rows in the program are those of the part divided by these, powers of two.
    divisors: Vec<f64>,
    aim: Aim,
    closed: Option<usize>,
}

impl Live {
    fn new(part: &Part, solver: &dyn LiveSolver, kind: Kind, scale: f64) -> Self {
        let mut program = solver.program();
        let columns: Vec<LiveColumn> = (0..part.cells.len())
            .map(|at| {
                let (lower, upper) = bounds(part, kind, scale, at);
                LiveColumn { cost: 0.0, lower, upper }
            })
            .collect();
        program.add_columns(&columns);
        let largest = |row: &Vec<(usize, f64)>| row.iter().fold(0.0, |most, (_, factor)| f64::max(most, factor.abs()));
        let divisors: Vec<f64> = part.rows.iter().map(|row| power_of_two(largest(row))).collect();
        let rows: Vec<LiveRow> = part
            .rows
            .iter()
            .zip(&divisors)
            .map(|(row, divisor)| {
                let terms = row.iter().map(|&(at, factor)| (at, factor / divisor)).collect();
                LiveRow { lower: 0.0, upper: 0.0, terms }
            })
            .collect();
        program.add_rows(&rows);
        Self { program, kind, scale, divisors, aim: Aim::default(), closed: None }
    }

    fn solve(&mut self, part: &Part, question: Question, simplex: Simplex) -> LiveStatus {
        self.aim.take(&mut *self.program, question.target, -f64::from(question.sign));
        if self.closed != question.closed {
            let mut changes = Vec::new();
            if let Some(open) = self.closed {
                let (lower, upper) = bounds(part, self.kind, self.scale, open);
                changes.push((open, lower, upper));
            }
            changes.extend(question.closed.map(|closed| (closed, 0.0, 0.0)));
            changes.sort_unstable_by_key(|(at, ..)| *at);
            self.program.set_bounds(&changes);
            self.closed = question.closed;
        }
        self.program.solve(simplex)
    }

    /// What the last answer proves.
    fn proofs(&self, part: &Part, question: Question) -> (Option<Witness>, f64) {
        let deviations: Vec<f64> = self.program.values().iter().map(|value| value * self.scale).collect();
        let prices = self.program.prices().iter().zip(&self.divisors).map(|(price, divisor)| -price / divisor);
        let high = certificate::bound(part, question, &prices.collect::<Vec<_>>());
        (certificate::witness(part, question, self.kind, &deviations), high)
    }
}

fn bounds(part: &Part, kind: Kind, scale: f64, at: usize) -> (f64, f64) {
    let room = |room: f64| match kind {
        Kind::Deviations => room / scale,
        Kind::Ray => f64::from(u8::from(room == f64::INFINITY)),
    };
    // Zero less zero, not minus zero.
    (0.0 - room(part.down[at]), room(part.up[at]))
}

/// The largest power of two that is not above a number; 1 for zero and infinity.
fn power_of_two(number: f64) -> f64 {
    if number > 0.0 && number.is_finite() { f64::exp2(number.log2().floor().clamp(-900.0, 900.0)) } else { 1.0 }
}

/// An attacker at work on one part.
pub(super) struct Strike<'a> {
    part: &'a Part,
    solver: &'a dyn LiveSolver,
    /// The size of deviations that matter most, in units.
    scale: f64,
    live: Option<Live>,
    rays: Option<Live>,
    /// Linear programs solved.
    pub(super) attacks: u64,
}

impl<'a> Strike<'a> {
    /// `scale` is the size of deviations that matter, in units: tolerances of the solver are absolute.
    pub(super) fn new(part: &'a Part, solver: &'a dyn LiveSolver, scale: f64) -> Self {
        Self { part, solver, scale: power_of_two(scale), live: None, rays: None, attacks: 0 }
    }

    /// How far a cell goes. What the first answer leaves open is asked again with the other simplex, and then of a new
    /// program whose scale fits `matters`, the deviation that this question is about; every proof found on the way counts.
    pub(super) fn reach(&mut self, question: Question, matters: f64) -> Reach {
        let part = self.part;
        let at = question.target;
        // Without prices the room of the cell itself is a bound; without deviations there is a table as well.
        let own = if question.sign > 0 { part.up[at] } else { part.down[at] };
        let mut reach = Reach { low: 0.0, high: own, support: Vec::new() };
        if own == 0.0 || question.closed == Some(at) {
            reach.high = 0.0;
            return reach;
        }
        if part.rows.is_empty() {
            return Reach { low: own, high: own, support: vec![at] };
        }
        let mut live = self.live.take().unwrap_or_else(|| Live::new(part, self.solver, Kind::Deviations, self.scale));
        for simplex in [Simplex::Primal, Simplex::Dual] {
            self.ask(&mut live, question, simplex, &mut reach);
            if reach.settled(matters) {
                self.live = Some(live);
                return reach;
            }
        }
        self.live = Some(live);
        for scale in [power_of_two(matters), power_of_two(reach.low), power_of_two(matters) * 1024.0] {
            for simplex in [Simplex::Dual, Simplex::Primal] {
                let mut fresh = Live::new(part, self.solver, Kind::Deviations, scale);
                self.ask(&mut fresh, question, simplex, &mut reach);
                if reach.settled(matters) {
                    return reach;
                }
            }
        }
        reach
    }

    fn ask(&mut self, live: &mut Live, question: Question, simplex: Simplex, reach: &mut Reach) {
        self.attacks += 1;
        match live.solve(self.part, question, simplex) {
            LiveStatus::Optimal => {
                let (witness, high) = live.proofs(self.part, question);
                reach.learn(witness, high);
            }
            LiveStatus::Unbounded => self.ask_for_ray(question, reach),
            _ => {}
        }
    }

    /// A way to go on for ever: deviations of cells without bounds alone.
    fn ask_for_ray(&mut self, question: Question, reach: &mut Reach) {
        let part = self.part;
        let mut rays = self.rays.take().unwrap_or_else(|| Live::new(part, self.solver, Kind::Ray, 1.0));
        self.attacks += 1;
        if rays.solve(part, question, Simplex::Primal) == LiveStatus::Optimal {
            let (witness, _) = rays.proofs(part, question);
            let witness = witness.filter(|witness| witness.reach > 1e-6);
            reach.learn(witness.map(|witness| Witness { reach: f64::INFINITY, ..witness }), f64::INFINITY);
        }
        self.rays = Some(rays);
    }
}
