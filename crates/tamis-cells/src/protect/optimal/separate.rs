//! Finds inequalities that a point of the relaxation breaks.

use tamis_solver::LiveSolver;

use super::adversary::{Adversary, multipliers};
use super::cut::{Cut, capacity};
use super::model::{Fate, Model};
use super::polish::Polish;
use super::strengthen::rounded;
use crate::attack::{NoAnswer, framed};
use crate::demand::Side;

/// Inequalities broken by less than this are not worth a row.
const LEAST: f64 = 2e-3;
/// Nor are those from prices of an earlier point that are broken by less than this.
const LEAST_OF_OLD: f64 = 0.05;
/// Attacks of a quick round.
const QUICK: u64 = 200;
/// The degree to which published cells count as hidden, so that few of them take part in an inequality.
const SPARE: f64 = 0.005;
/// Rooms of cells that are hidden anyway are capped at this many levels: taking part in an inequality makes it void.
const HIDDEN: f64 = 30.0;
/// A demand that brought no inequality rests for a round, then two, four, and at most so many.
const LONGEST_REST: u32 = 8;

/// How hard to look for inequalities.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Effort {
    /// Some demands only.
    Quick,
    /// All demands, but those that brought nothing of late.
    Thorough,
    /// All demands of a pattern, without any doubt.
    Exact,
}

/// Prices of equations, one list for each direction that a demand attacks in.
type Prices = Vec<Vec<(usize, f64)>>;

/// What is remembered of a demand between rounds.
#[derive(Debug, Clone, Default)]
struct Memory {
    /// The prices of its last inequality. Those of the next are often close.
    prices: Prices,
    /// Rounds to rest, and how long the last rest was.
    rest: (u32, u32),
    /// The demand on the other side of the same cell, of the same attacker.
    twin: Option<usize>,
}

/// The attackers' programs at points of the relaxation.
pub(crate) struct Separator<'m> {
    solver: &'m dyn LiveSolver,
    /// Attacks of programs that are gone.
    before: u64,
    adversaries: Vec<Adversary>,
    /// Demands that are not met by what is hidden anyway; attacker by attacker, largest level first.
    demands: Vec<usize>,
    memory: Vec<Memory>,
    /// What a coefficient of 1 costs at the point at hand, cell by cell.
    worth: Vec<f64>,
    /// Where the next round starts.
    start: usize,
}

impl<'m> Separator<'m> {
    pub(crate) fn new(model: &Model<'_>, solver: &'m dyn LiveSolver, mut demands: Vec<usize>) -> Self {
        demands.sort_by(|a, b| {
            let (a, b) = (&model.demands[*a], &model.demands[*b]);
            a.attacker.cmp(&b.attacker).then(b.level.total_cmp(&a.level))
        });
        let mut memory = vec![Memory::default(); model.demands.len()];
        let mut seen = std::collections::HashMap::new();
        for (number, demand) in model.demands.iter().enumerate().filter(|(_, demand)| demand.side != Side::Width) {
            if let Some(twin) = seen.insert((demand.cell, demand.attacker), number) {
                memory[number].twin = Some(twin);
                memory[twin].twin = Some(number);
            }
        }
        Self { solver, before: 0, adversaries: Vec::new(), demands, memory, worth: Vec::new(), start: 0 }
    }

    pub(crate) fn solved(&self) -> u64 {
        self.before + self.adversaries.iter().map(|adversary| adversary.solved).sum::<u64>()
    }

    /// Violated inequalities at `x`, at most about `most`. If none is returned with [`Effort::Exact`], the pattern `x` is
    /// protected.
    pub(crate) fn cuts(
        &mut self,
        model: &Model<'_>,
        x: &[f64],
        most: usize,
        effort: Effort,
        over: &dyn Fn() -> bool,
    ) -> Result<Vec<Cut>, NoAnswer> {
        self.before = self.solved();
        let solver = self.solver;
        self.adversaries = model.rooms.iter().map(|_| Adversary::new(model, solver, |cell| x[cell] > 0.0)).collect();
        self.worth = x.iter().map(|at| at.max(SPARE)).collect();
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

    /// Violated inequalities of one demand, and of the other side of its cell; marks demands that need not be looked at any more.
    fn attack(
        &mut self,
        model: &Model<'_>,
        x: &[f64],
        demand: usize,
        effort: Effort,
        certified: &mut [bool],
    ) -> Result<Vec<Cut>, NoAnswer> {
        let facts = model.demands[demand];
        let (room, level) = (&model.rooms[facts.attacker], facts.level);
        let exact = effort == Effort::Exact;
        let old = std::mem::take(&mut self.memory[demand].prices);
        if !old.is_empty() {
            let least = if exact { LEAST } else { LEAST_OF_OLD };
            let prices = self.polished(model, demand, &old);
            if let Some(cut) = truncated(model, demand, &prices).filter(|cut| cut.violation(x) > least) {
                return Ok(self.kept(model, x, demand, (prices, cut), certified));
            }
            self.memory[demand].prices = old;
        }
        let rest = &mut self.memory[demand].rest;
        if !exact && rest.0 > 0 {
            rest.0 -= 1;
            return Ok(Vec::new());
        }
        // Rooms of what may be hidden are capped at the level: where all multipliers are 0, 1 or -1, this finds the most
        // violated truncated inequality; elsewhere it is a good guess, and a met level is met.
        let (reach, found) = self.push(model, demand, |cell| {
            let (down, up) = (room.down[cell] / level, room.up[cell] / level);
            match model.fate[cell] {
                Fate::Open => (f64::min(down, 1.0) * x[cell], f64::min(up, 1.0) * x[cell]),
                _ => (down.min(HIDDEN), up.min(HIDDEN)),
            }
        })?;
        if facts.side != Side::Width {
            self.certify(model, demand, certified);
        }
        let enough = if exact { model.need[demand] } else { 1.0 - LEAST };
        if reach < enough {
            let better = self.polished(model, demand, &found);
            for prices in [better, found] {
                if let Some(cut) = truncated(model, demand, &prices).filter(|cut| cut.violation(x) > LEAST) {
                    self.memory[demand].rest = (0, 0);
                    return Ok(self.kept(model, x, demand, (prices, cut), certified));
                }
            }
            if exact {
                return self.proved(model, x, demand);
            }
        }
        let rest = u32::clamp(2 * self.memory[demand].rest.1, 1, LONGEST_REST);
        self.memory[demand].rest = (rest, rest);
        Ok(Vec::new())
    }

    /// Pushes the cell of a demand to its sides: how far it gets in all, and the prices of each push.
    fn push(
        &mut self,
        model: &Model<'_>,
        demand: usize,
        room: impl Fn(usize) -> (f64, f64),
    ) -> Result<(f64, Prices), NoAnswer> {
        let facts = model.demands[demand];
        let adversary = &mut self.adversaries[facts.attacker];
        let (mut reach, mut prices) = (0.0, Vec::new());
        for &sign in signs(facts.side) {
            reach += adversary.push(facts.cell, sign, &room)?;
            prices.push(adversary.prices());
        }
        Ok((reach, prices))
    }

    /// Prices of a stronger inequality.
    fn polished(&self, model: &Model<'_>, demand: usize, prices: &Prices) -> Prices {
        let facts = model.demands[demand];
        let room = &model.rooms[facts.attacker];
        let polish = Polish { model, room, level: facts.level, worth: &self.worth };
        let sides = signs(facts.side).iter().zip(prices);
        sides.map(|(sign, prices)| polish.prices(facts.cell, *sign, prices)).collect()
    }

    /// Remembers the prices of an inequality; returns it with what it brings along: the same prices turned round for the other
    /// side of the cell, and rounded inequalities.
    fn kept(
        &mut self,
        model: &Model<'_>,
        x: &[f64],
        demand: usize,
        (prices, cut): (Prices, Cut),
        certified: &mut [bool],
    ) -> Vec<Cut> {
        let violation = cut.violation(x);
        let mut cuts = vec![cut];
        if let Some(twin) = self.memory[demand].twin.filter(|twin| !certified[*twin]) {
            let turn = |prices: &Vec<(usize, f64)>| prices.iter().map(|(row, price)| (*row, -price)).collect();
            let turned: Prices = prices.iter().map(turn).collect();
            // Where it is broken almost as much, an attack would hardly find more.
            if let Some(cut) = truncated(model, twin, &turned).filter(|cut| cut.violation(x) > 0.5 * violation) {
                certified[twin] = true;
                self.memory[twin].prices = turned;
                if cut != cuts[0] {
                    cuts.push(cut);
                }
            }
        }
        self.memory[demand].prices = prices;
        let rounded: Vec<Cut> = cuts.iter().filter_map(|cut| rounded(cut, x)).collect();
        cuts.extend(rounded.into_iter().filter(|cut| cut.violation(x) > LEAST));
        cuts
    }

    /// What a pattern proves by an attack within the true rooms: that one more cell is hidden.
    fn proved(&mut self, model: &Model<'_>, x: &[f64], demand: usize) -> Result<Vec<Cut>, NoAnswer> {
        let facts = model.demands[demand];
        let (room, level) = (&model.rooms[facts.attacker], facts.level);
        let (reach, prices) = self.push(model, demand, |cell| {
            let at = x[cell];
            if at == 0.0 { (0.0, 0.0) } else { (framed(room.down[cell], level), framed(room.up[cell], level)) }
        })?;
        if reach >= model.need[demand] {
            return Ok(Vec::new());
        }
        let mut cuts: Vec<Cut> = untruncated(model, demand, &prices).one_more(x).into_iter().collect();
        cuts.extend(truncated(model, demand, &prices).filter(|cut| cut.violation(x) > LEAST));
        Ok(cuts)
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

/// The directions that a demand attacks in.
fn signs(side: Side) -> &'static [f64] {
    match side {
        Side::Upper => &[1.0],
        Side::Lower => &[-1.0],
        Side::Width => &[1.0, -1.0],
    }
}

/// The inequality of a demand and prices, before it is made stronger.
fn untruncated(model: &Model<'_>, demand: usize, prices: &Prices) -> Cut {
    let facts = model.demands[demand];
    let sides = signs(facts.side).iter().zip(prices);
    let pushes: Vec<_> = sides.map(|(sign, prices)| multipliers(model, prices, facts.cell, *sign)).collect();
    capacity(model, &model.rooms[facts.attacker], demand, &pushes)
}

/// The inequality of a demand and prices; `None` if it says nothing.
fn truncated(model: &Model<'_>, demand: usize, prices: &Prices) -> Option<Cut> {
    untruncated(model, demand, prices).truncated()
}
