//! One part under attack: linear programs that are changed in place, and proofs of what they answer.

use tamis_solver::{LiveColumn, LiveProgram, LiveRow, LiveSolver, LiveStatus, Simplex};

use super::certificate::{self, Question};
use super::part::Part;
use super::witness::Witness;
use crate::attack::{Aim, FAR, framed, scale_of};

/// Proofs that end within this share of what matters say the same; far below the slack of a level.
const AGREE: f64 = 1e-11;

/// How many sizes of numbers are tried before the end of a cell stays unknown.
const SIZES: usize = 6;

/// How often a table that leaves a room by a little is refined.
const REFINED: usize = 3;

/// What a solve is about.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Frame {
    /// Deviations in units of `scale`; the target goes no further than `most` units of the part.
    Within { scale: f64, most: f64 },
    /// A way to go on for ever: deviations of cells without bounds alone.
    Ray,
}

/// A program for the deviations of one part, all of them free between their rooms. Behind them stands a column for each row: what
/// the row is off by, which is 0 except where an answer is refined.
struct Live {
    program: Box<dyn LiveProgram>,
    /// Rows in the program are those of the part divided by these, powers of two.
    divisors: Vec<f64>,
    /// Bounds now in the program.
    bounds: Vec<(f64, f64)>,
    aim: Aim,
    /// Deviations of the last answer are counted in this many units.
    scale: f64,
}

impl Live {
    fn new(part: &Part, solver: &dyn LiveSolver) -> Self {
        let mut program = solver.program();
        let cells = part.cells.len();
        let bounds = vec![(0.0, 0.0); cells + part.rows.len()];
        program.add_columns(&vec![LiveColumn { cost: 0.0, lower: 0.0, upper: 0.0 }; bounds.len()]);
        let largest = |row: &[(usize, f64)]| row.iter().fold(0.0, |most, (_, factor)| f64::max(most, factor.abs()));
        let divisors: Vec<f64> = part.rows.iter().map(|row| scale_of(largest(row))).collect();
        let rows = part.rows.iter().zip(&divisors).enumerate().map(|(number, (row, divisor))| {
            let terms = row.iter().map(|&(at, factor)| (at, factor / divisor)).chain([(cells + number, 1.0)]).collect();
            LiveRow { lower: 0.0, upper: 0.0, terms }
        });
        program.add_rows(&rows.collect::<Vec<_>>());
        Self { program, divisors, bounds, aim: Aim::default(), scale: 1.0 }
    }

    /// Solves with bounds of every column that are counted in units of `scale`.
    fn solve(
        &mut self,
        question: Question,
        simplex: Simplex,
        scale: f64,
        bounds: impl Iterator<Item = (f64, f64)>,
    ) -> LiveStatus {
        let mut changes = Vec::new();
        for (at, (bounds, wanted)) in self.bounds.iter_mut().zip(bounds).enumerate() {
            let wanted = if question.closed == Some(at) { (0.0, 0.0) } else { wanted };
            if *bounds != wanted {
                *bounds = wanted;
                changes.push((at, wanted.0, wanted.1));
            }
        }
        if !changes.is_empty() {
            self.program.set_bounds(&changes);
        }
        self.scale = scale;
        self.aim.take(&mut *self.program, question.target, -f64::from(question.sign));
        self.program.solve(simplex)
    }

    /// The deviations of the last answer, in units.
    fn deviations(&self, part: &Part, question: Question) -> Vec<f64> {
        let values = self.program.values()[..part.cells.len()].iter().enumerate();
        values.map(|(at, value)| if question.closed == Some(at) { 0.0 } else { value * self.scale }).collect()
    }

    /// Deviations close to some that leave rooms or equations by less than the solver sees, and that do not: the same program
    /// again, about what is to be changed and in units of that (iterative refinement).
    fn refined(&mut self, part: &Part, question: Question, most: f64, rough: &[f64], high: f64) -> Option<Vec<f64>> {
        let base: Vec<f64> = rough.iter().map(|by| if part.whole.is_some() { by.round() } else { *by }).collect();
        let room = |at, sign| match part.room(at, sign) {
            room if at == question.target && sign == question.sign => f64::min(room, most),
            room => room,
        };
        let off = |row: &[(usize, f64)]| row.iter().map(|&(at, factor)| factor * base[at]).sum::<f64>();
        let off: Vec<f64> = part.rows.iter().zip(&self.divisors).map(|(row, divisor)| off(row) / divisor).collect();
        let out = base.iter().enumerate().map(|(at, by)| f64::max(by - room(at, 1), -by - room(at, -1)));
        // The target may go further than it did, too.
        let missing = f64::min(high, most) - f64::from(question.sign) * base[question.target];
        let out = out.chain([missing].into_iter().filter(|missing| missing.is_finite()));
        let wrong = off.iter().map(|off| off.abs()).chain(out).fold(0.0, f64::max);
        if wrong == 0.0 {
            return None;
        }
        let scale = scale_of(wrong);
        let near = |by: f64| (by / scale).clamp(-FAR, FAR);
        let bounds = base.iter().enumerate().map(|(at, by)| (near(-room(at, -1) - by), near(room(at, 1) - by)));
        let bounds = bounds.chain(off.iter().map(|off| (off / scale, off / scale)));
        let is_solved = self.solve(question, Simplex::Primal, scale, bounds) == LiveStatus::Optimal;
        is_solved.then(|| self.deviations(part, question).iter().zip(&base).map(|(by, base)| base + by).collect())
    }

    fn bound(&self, part: &Part, question: Question) -> Option<f64> {
        let prices = self.program.prices().iter().zip(&self.divisors).map(|(price, divisor)| -price / divisor);
        certificate::bound(part, question, &prices.collect::<Vec<_>>())
    }
}

/// What a cell may do in the program.
fn bounds_in(part: &Part, frame: Frame, question: Question, at: usize) -> (f64, f64) {
    let end = |sign| match frame {
        Frame::Ray => f64::from(u8::from(part.room(at, sign) == f64::INFINITY)),
        Frame::Within { scale, most } if at == question.target && sign == question.sign => {
            f64::min(part.room(at, sign), most) / scale
        }
        Frame::Within { scale, .. } => framed(part.room(at, sign), scale),
    };
    // Zero less zero, not minus zero.
    (0.0 - end(-1), end(1))
}

/// How far a cell goes, in units, as far as it is proved.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Ends {
    /// A table that the attacker holds possible goes so far.
    pub(super) low: f64,
    /// No such table goes further.
    pub(super) high: f64,
}

impl Ends {
    /// The best word on how far it goes: where both proofs say the same, that without rounding.
    pub(super) fn end(&self) -> f64 {
        if self.settled(f64::INFINITY) { self.high } else { self.low }
    }

    /// Whether both proofs say the same.
    pub(super) fn is_known(&self) -> bool {
        self.settled(f64::INFINITY)
    }

    /// Whether no proof that matters is missing when as much as `wanted` is asked for.
    fn settled(&self, wanted: f64) -> bool {
        let end = f64::min(self.high, wanted);
        self.low >= wanted || end.is_finite() && self.high - self.low <= AGREE * f64::max(end, self.low)
    }
}

/// An attacker at work on one part.
pub(super) struct Strike<'a> {
    part: &'a Part,
    solver: &'a dyn LiveSolver,
    live: Option<Live>,
    /// Linear programs solved.
    pub(super) attacks: u64,
}

impl<'a> Strike<'a> {
    pub(super) fn new(part: &'a Part, solver: &'a dyn LiveSolver) -> Self {
        Self { part, solver, live: None, attacks: 0 }
    }

    /// How far a cell goes, as far as it matters: whether `level` is reached, in units, and what is if not. Every table found
    /// on the way is handed to `learn`.
    pub(super) fn level(&mut self, question: Question, level: f64, learn: &mut dyn FnMut(Witness)) -> Ends {
        let mut ends = self.unknown(question);
        // Whole units as far as possible, so that corners have them too; and twice as far, so that prices tell what ends the
        // cell where that lies close to the level.
        let most = 2.0 * if level < 1e15 { level.ceil() } else { level };
        let frame = Frame::Within { scale: scale_of(level), most };
        for simplex in [Simplex::Primal, Simplex::Dual] {
            if !ends.settled(level) {
                self.ask(question, level, frame, simplex, &mut ends, learn);
            }
        }
        // Where the ends of the frame are in the way, others are not.
        for wider in [FAR, FAR * FAR] {
            if !ends.settled(level) {
                let frame = Frame::Within { scale: scale_of(level) * wider, most };
                self.ask(question, level, frame, Simplex::Primal, &mut ends, learn);
            }
        }
        if !ends.settled(level) {
            self.live = None;
            self.ask(question, level, frame, Simplex::Dual, &mut ends, learn);
        }
        ends
    }

    /// How far a cell goes, wherever that is; the search for the size of the answer starts at `guess`, and something is known.
    pub(super) fn extent(
        &mut self,
        question: Question,
        known: Ends,
        guess: f64,
        learn: &mut dyn FnMut(Witness),
    ) -> Ends {
        let unknown = self.unknown(question);
        let mut ends = Ends { low: known.low, high: f64::min(unknown.high, known.high) };
        let mut scale = scale_of(f64::max(guess, known.low.min(f64::MAX)));
        let mut tried = Vec::new();
        for _ in 0..SIZES {
            if ends.settled(f64::INFINITY) {
                break;
            }
            let most = FAR * scale;
            // The same size again is for the other simplex.
            let simplex = if tried.contains(&scale) { Simplex::Dual } else { Simplex::Primal };
            tried.push(scale);
            let reached = self.ask(question, f64::INFINITY, Frame::Within { scale, most }, simplex, &mut ends, learn);
            let at_end = reached.is_some_and(|reached| reached >= most * (1.0 - 1e-9));
            if at_end && ends.high == f64::INFINITY {
                self.ask(question, f64::INFINITY, Frame::Ray, Simplex::Primal, &mut ends, learn);
            }
            scale = match reached {
                _ if at_end => scale * FAR,
                Some(reached) if reached > 0.0 => scale_of(reached),
                _ if ends.high > 0.0 && ends.high.is_finite() => scale_of(ends.high),
                _ => scale / FAR,
            };
        }
        ends
    }

    /// What is known without any attack.
    fn unknown(&self, question: Question) -> Ends {
        let at = question.target;
        Ends { low: 0.0, high: if question.closed == Some(at) { 0.0 } else { self.part.room(at, question.sign) } }
    }

    /// Solves once for as much as `wanted`; what the answer says, in units, and what it proves.
    fn ask(
        &mut self,
        question: Question,
        wanted: f64,
        frame: Frame,
        simplex: Simplex,
        ends: &mut Ends,
        learn: &mut dyn FnMut(Witness),
    ) -> Option<f64> {
        let part = self.part;
        let live = self.live.get_or_insert_with(|| Live::new(part, self.solver));
        self.attacks += 1;
        let scale = if let Frame::Within { scale, .. } = frame { scale } else { 1.0 };
        let bounds = (0..part.cells.len()).map(|at| bounds_in(part, frame, question, at));
        let bounds = bounds.chain(part.rows.iter().map(|_| (0.0, 0.0)));
        if live.solve(question, simplex, scale, bounds) != LiveStatus::Optimal {
            return None;
        }
        let reached = f64::max(-live.program.objective(), 0.0) * live.scale;
        if frame != Frame::Ray
            && let Some(high) = live.bound(part, question)
        {
            ends.high = f64::min(ends.high, high);
        }
        let mut deviations = live.deviations(part, question);
        for _ in 0..=REFINED {
            let witness = certificate::witness(part, &deviations);
            let fits = witness.as_ref().is_some_and(Witness::fits);
            if let Some(witness) = witness {
                ends.low = f64::max(ends.low, witness.reach(question.target, question.sign));
                learn(witness);
            }
            let Frame::Within { most, .. } = frame else { break };
            if fits && (ends.settled(wanted) || ends.high >= most) {
                break;
            }
            self.attacks += 1;
            let Some(refined) = live.refined(part, question, most, &deviations, ends.high) else { break };
            deviations = refined;
        }
        Some(reached)
    }
}
