//! Finds inequalities that a point of the relaxation breaks.

use std::collections::HashMap;

use tamis_solver::LiveSolver;

use super::adversary::{Adversary, multipliers};
use super::cut::{Cut, capacity};
use super::guard::signs;
use super::model::{Fate, Model};
use super::strengthen::rounded;
use crate::attack::NoAnswer;
use crate::demand::Side;

/// Inequalities broken by less than this are not worth a row.
const LEAST: f64 = 2e-3;

/// Attacks of a quick round.
const QUICK: u64 = 200;

/// How hard to look for inequalities.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Effort {
    /// Some demands only.
    Quick,
    /// All demands, with further attempts where the first fails.
    Thorough,
    /// All demands of a pattern, without any doubt.
    Exact,
}

/// How often an inequality is sought again with fewer published cells.
const REFINE: usize = 3;
/// Multipliers below this are weighed as if they were this large: zero must stay within reach of any other value.
const LITTLE: f64 = 0.2;
/// The degree to which published cells count as hidden when few of them are to take part.
const SPARE: f64 = 0.02;
/// How far the aim may be pushed where a level may be exceeded, in levels.
const FAR: f64 = 1e3;
/// Rooms of cells that are hidden anyway are capped at this many levels: taking part in an inequality makes it void.
const HIDDEN: f64 = 30.0;

type Multipliers = Vec<(usize, f64)>;

/// The attackers' programs at points of the relaxation.
pub(crate) struct Separator<'m> {
    solver: &'m dyn LiveSolver,
    /// Attacks of programs that are gone.
    before: u64,
    adversaries: Vec<Adversary>,
    /// Programs over the cells that may be hidden at points nearby, and which these are.
    likely: Vec<Adversary>,
    active: Vec<bool>,
    /// Demands that are not met by what is hidden anyway; attacker by attacker, largest level first.
    demands: Vec<usize>,
    /// Where the next round starts.
    start: usize,
}

impl<'m> Separator<'m> {
    pub(crate) fn new(model: &Model<'_>, solver: &'m dyn LiveSolver, mut demands: Vec<usize>) -> Self {
        demands.sort_by(|a, b| {
            let (a, b) = (&model.demands[*a], &model.demands[*b]);
            a.attacker.cmp(&b.attacker).then(b.level.total_cmp(&a.level))
        });
        Self { solver, before: 0, adversaries: Vec::new(), likely: Vec::new(), active: Vec::new(), demands, start: 0 }
    }

    pub(crate) fn solved(&self) -> u64 {
        self.before + self.adversaries.iter().chain(&self.likely).map(|adversary| adversary.solved).sum::<u64>()
    }

    /// Violated inequalities at `x`, at most about `most`; `likely` names cells that may be hidden at points nearby. If none is
    /// returned with [`Effort::Exact`], the pattern `x` is protected.
    pub(crate) fn cuts(
        &mut self,
        model: &Model<'_>,
        x: &[f64],
        most: usize,
        effort: Effort,
        likely: &dyn Fn(usize) -> bool,
        over: &dyn Fn() -> bool,
    ) -> Result<Vec<Cut>, NoAnswer> {
        self.active = (0..x.len()).map(|cell| x[cell] > 0.0 || likely(cell)).collect();
        self.before = self.solved();
        self.likely.clear();
        let solver = self.solver;
        self.adversaries = model.rooms.iter().map(|_| Adversary::new(model, solver, |cell| x[cell] > 0.0)).collect();
        let mut cuts = Vec::new();
        let mut certified = vec![false; model.demands.len()];
        let count = self.demands.len();
        for turn in 0..count {
            let place = (self.start + turn) % count;
            let demand = self.demands[place];
            if certified[demand] {
                continue;
            }
            let found = self.attack(model, x, demand, effort, &mut certified)?;
            let any = !found.is_empty();
            cuts.extend(found);
            let weary = effort == Effort::Quick && self.solved() > self.before + QUICK;
            if (any && cuts.len() >= most) || weary || over() {
                self.start = place;
                break;
            }
        }
        Ok(cuts)
    }

    fn attack(
        &mut self,
        model: &Model<'_>,
        x: &[f64],
        demand: usize,
        effort: Effort,
        certified: &mut [bool],
    ) -> Result<Vec<Cut>, NoAnswer> {
        let facts = model.demands[demand];
        let room = &model.rooms[facts.attacker];
        let level = facts.level;
        let exact = effort == Effort::Exact;
        let enough = if exact { model.need[demand] } else { 1.0 - LEAST };
        let sides = signs(facts.side);
        let mut cuts = Vec::new();
        // First with rooms capped at the level: where all multipliers are 0, 1 or -1, this finds the most violated truncated
        // inequality; elsewhere it is a good guess, and a met level is met.
        let (reach, pushes) = push(&mut self.adversaries[facts.attacker], model, facts.cell, sides, |cell| {
            let at = x[cell];
            (f64::min(room.down[cell] / level, 1.0) * at, f64::min(room.up[cell] / level, 1.0) * at)
        })?;
        if sides.len() == 1 {
            self.certify(model, demand, certified);
        }
        if reach >= enough {
            return Ok(cuts);
        }
        let mut last = pushes;
        let mut note = |pushes: &[(Multipliers, f64)]| {
            let cut = capacity(model, room, demand, pushes);
            let before = cuts.len();
            if exact {
                cuts.extend(cut.one_more(x));
            }
            if let Some(cut) = cut.truncated() {
                cuts.extend(rounded(&cut, x).filter(|cut| cut.violation(x) > LEAST));
                if cut.violation(x) > LEAST {
                    cuts.push(cut);
                }
            }
            cuts.len() > before
        };
        if note(&last) {
            if effort == Effort::Quick {
                return Ok(cuts);
            }
            if let Some(cut) = self.refined(model, x, demand, last)? {
                if !exact {
                    cuts.clear();
                }
                cuts.extend(rounded(&cut, x).filter(|cut| cut.violation(x) > LEAST));
                cuts.push(cut);
            }
            return Ok(cuts);
        }
        let (reach, pushes) = push(&mut self.adversaries[facts.attacker], model, facts.cell, sides, |cell| {
            let at = x[cell];
            if at == 0.0 { (0.0, 0.0) } else { (room.down[cell] / level * at, room.up[cell] / level * at) }
        })?;
        if reach < enough {
            if note(&pushes) {
                return Ok(cuts);
            }
            last = pushes;
        }
        if effort != Effort::Thorough {
            return Ok(cuts);
        }
        // The truncated coefficient min(|d| room, 1) is concave in |d|: go on from where it is capped with a small slope.
        for _ in 0..2 {
            let slopes = steepness(&last);
            let slope = |d: f64, room: f64| if d * room >= 1.0 { 1.0 / d } else { room.min(2.0) };
            let (_, pushes) = push(&mut self.adversaries[facts.attacker], model, facts.cell, sides, |cell| {
                let (down, up) = slopes.get(&cell).copied().unwrap_or((0.0, 0.0));
                let factor = if model.fate[cell] == Fate::Open { x[cell] } else { 1.0 };
                (slope(down, room.down[cell] / level) * factor, slope(up, room.up[cell] / level) * factor)
            })?;
            if note(&pushes) {
                break;
            }
            last = pushes;
        }
        Ok(cuts)
    }

    /// An inequality that `x` breaks and in which few published cells take part, from one with many.
    ///
    /// Prices of equations without hidden cells are up to the solver, and with them which published cells take part. A little
    /// room for each makes it choose few, so that the inequality says more about other points. A coefficient counts once,
    /// however large its multiplier is: cells are weighed by what they cost per unit of the last multiplier.
    fn refined(
        &mut self,
        model: &Model<'_>,
        x: &[f64],
        demand: usize,
        mut last: Vec<(Multipliers, f64)>,
    ) -> Result<Option<Cut>, NoAnswer> {
        let facts = model.demands[demand];
        let (room, level) = (&model.rooms[facts.attacker], facts.level);
        if self.likely.is_empty() {
            let (solver, active) = (self.solver, &self.active);
            let program = |_| Adversary::new(model, solver, |cell| active[cell]).with_aim(FAR);
            self.likely = model.rooms.iter().map(program).collect();
        }
        let mut best: Option<Cut> = None;
        for _ in 0..REFINE {
            let slopes = steepness(&last);
            let slope = |d: f64, room: f64| f64::min(room, 1.0 / d.max(LITTLE));
            let rooms = |cell: usize| {
                let (down, up) = slopes.get(&cell).copied().unwrap_or((0.0, 0.0));
                let (free_down, free_up) = (room.down[cell] / level, room.up[cell] / level);
                if model.fate[cell] == Fate::Open {
                    let at = x[cell].max(SPARE);
                    (slope(down, free_down) * at, slope(up, free_up) * at)
                } else {
                    (free_down.min(HIDDEN), free_up.min(HIDDEN))
                }
            };
            let (_, pushes) = push(&mut self.likely[facts.attacker], model, facts.cell, signs(facts.side), rooms)?;
            let Some(cut) = capacity(model, room, demand, &pushes).truncated() else { break };
            if cut.violation(x) <= LEAST || best.as_ref().is_some_and(|best| cut.terms.len() >= best.terms.len()) {
                break;
            }
            best = Some(cut);
            last = pushes;
        }
        Ok(best)
    }

    /// Deviations that move another cell by the full level at hand certify its level too, if that is not larger: scaled down
    /// they respect the rooms capped at it.
    fn certify(&self, model: &Model<'_>, demand: usize, certified: &mut [bool]) {
        let facts = model.demands[demand];
        let z = |cell| self.adversaries[facts.attacker].deviation(cell);
        for &other in &self.demands {
            let its = &model.demands[other];
            let moved = match its.side {
                Side::Upper => z(its.cell),
                Side::Lower => -z(its.cell),
                Side::Width => 0.0,
            };
            certified[other] |= its.attacker == facts.attacker && moved >= 1.0 - 1e-9 && its.level <= facts.level;
        }
    }
}

/// Pushes a cell to the given sides: how far it gets in all, and the multipliers of each push.
fn push(
    adversary: &mut Adversary,
    model: &Model<'_>,
    cell: usize,
    sides: &[f64],
    room: impl Fn(usize) -> (f64, f64),
) -> Result<(f64, Vec<(Multipliers, f64)>), NoAnswer> {
    let mut reach = 0.0;
    let mut pushes = Vec::with_capacity(sides.len());
    for &sign in sides {
        reach += adversary.push(cell, sign, &room)?;
        pushes.push(multipliers(model, &adversary.prices(), cell, sign));
    }
    Ok((reach, pushes))
}

/// The largest multiplier of every cell below and above zero, as sizes.
fn steepness(pushes: &[(Multipliers, f64)]) -> HashMap<usize, (f64, f64)> {
    let mut steepness: HashMap<usize, (f64, f64)> = HashMap::new();
    for &(cell, d) in pushes.iter().flat_map(|(multipliers, _)| multipliers) {
        let (down, up) = steepness.entry(cell).or_insert((0.0, 0.0));
        if d > 0.0 { *up = up.max(d) } else { *down = down.max(-d) }
    }
    steepness
}
