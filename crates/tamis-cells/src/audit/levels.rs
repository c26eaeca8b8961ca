//! Which levels hold.
//!
//! A level is first asked for as it is: the cheapest deviation that meets it, which moves few cells and often shows that other
//! levels hold too. Where there is none, the cell is pushed as far as it goes, which proves how far that is.

use std::sync::Arc;

use tamis_solver::LiveSolver;

use super::AuditError;
use super::certificate::{Question, Sign};
use super::shared::Shared;
use super::strike::{Ends, Strike};
use super::target::{Asked, Learnt, Target};
use super::witness::Witness;
use super::work::Work;
use crate::attack::{Part, Room, Router};
use crate::demand::{Demand, Side};
use crate::table::CellTable;

/// So many levels share one warm program: enough to make up for its first solve.
const PIECE: usize = 64;

/// What attacks on some levels found: tables, and what is proved of a position in a direction.
type Found = (Vec<Witness>, Vec<(usize, Sign, Ends)>);

/// Attackers whose levels are attacked at once, at most; tables found for them are tried by those that follow. The first are few:
/// what they need, many of the others do.
const GROUP: usize = 16;

/// What a cell that an attacker knows more of costs in the search for deviations, beside 1 for others: deviations without such
/// cells do for all attackers.
const KNOWN: f64 = 50.0;

/// Attacks every level that is not known to hold, smaller ones first. The public comes first: what it holds possible settles most
/// levels of the others. `given` are tables of the public, with the numbers of their targets, that are known already.
pub(super) fn attack(
    table: &CellTable,
    targets: &mut [Target],
    given: Vec<(usize, Arc<Witness>)>,
    solver: &dyn LiveSolver,
    work: &Work<'_>,
) -> Result<(), AuditError> {
    let publics = targets.partition_point(|target| target.part.attacker == 0);
    let (publics, others) = targets.split_at_mut(publics);
    let mut tables = given;
    tables.extend(attack_some(table, publics, solver, work)?);
    if others.is_empty() {
        return Ok(());
    }
    let mut shared = Shared::of(publics, tables);
    let (mut rest, mut size) = (others, 1);
    while !rest.is_empty() {
        let (group, others) = rest.split_at_mut(usize::min(size, rest.len()));
        if work.is_over() {
            break;
        }
        work.each(group, |target| shared.settle(publics, target, work.keeps_tables()));
        for (number, witness) in attack_some(table, group, solver, work)? {
            shared.add_seen(publics, &group[number], &witness);
        }
        (rest, size) = (others, usize::min(2 * size, GROUP));
    }
    Ok(())
}

/// Attacks the open levels of some targets; the tables found, by target.
fn attack_some(
    table: &CellTable,
    targets: &mut [Target],
    solver: &dyn LiveSolver,
    work: &Work<'_>,
) -> Result<Vec<(usize, Arc<Witness>)>, AuditError> {
    let mut pieces = Vec::new();
    for (number, target) in targets.iter().enumerate() {
        let mut open: Vec<Asked> = target.asked.iter().filter(|asked| !target.is_met(asked)).copied().collect();
        work.done((target.asked.len() - open.len()) as u64)?;
        open.sort_by(|a, b| a.level.total_cmp(&b.level));
        pieces.extend(open.chunks(PIECE).map(|piece| (number, piece.to_vec())));
    }
    let found = work.map(&pieces, |(number, piece)| of_piece(table, &targets[*number], piece, solver, work))?;
    let mut tables = Vec::new();
    for ((number, _), (witnesses, ends)) in pieces.iter().zip(found) {
        let target = &mut targets[*number];
        for witness in witnesses.into_iter().map(Arc::new) {
            target.learn_shared(&witness);
            tables.push((*number, witness));
        }
        for (at, sign, Ends { high, .. }) in ends {
            let ends = &mut target.reaches[at].toward(sign).ends;
            ends.high = f64::min(ends.high, high);
        }
    }
    Ok(tables)
}

fn of_piece(
    table: &CellTable,
    target: &Target,
    piece: &[Asked],
    solver: &dyn LiveSolver,
    work: &Work<'_>,
) -> Result<Found, AuditError> {
    let mut learnt = Learnt::new(target);
    let mut ends = Vec::new();
    let mut routes = Routes::new(table, target, solver);
    let mut strike = Strike::new(&target.part, solver);
    for asked in piece {
        work.done(1)?;
        if learnt.is_met(asked) || work.is_over() {
            continue;
        }
        routes.find(asked).into_iter().for_each(|witness| learnt.learn(witness));
        if learnt.is_met(asked) {
            continue;
        }
        for &sign in asked.signs() {
            let question = Question { target: asked.at, sign, closed: None };
            let found = strike.level(question, asked.level, &mut |witness| learnt.learn(witness));
            ends.push((asked.at, sign, found));
        }
    }
    work.count(strike.attacks + routes.attacks);
    Ok((learnt.witnesses, ends))
}

/// The cheapest deviations that meet levels, found by programs that stay.
pub(super) struct Routes<'a> {
    table: &'a CellTable,
    target: &'a Target,
    solver: &'a dyn LiveSolver,
    single: Option<Router>,
    /// For widths.
    joint: Option<Router>,
    closed: Option<usize>,
    /// By cell of the table, whether some attacker knows more of it than the public does.
    is_known: Vec<bool>,
    pub(super) attacks: u64,
}

impl<'a> Routes<'a> {
    pub(super) fn new(table: &'a CellTable, target: &'a Target, solver: &'a dyn LiveSolver) -> Self {
        let mut is_known = vec![false; table.cells().len()];
        for (cell, ..) in table.attackers().iter().flat_map(|attacker| &attacker.bounds) {
            is_known[*cell] = true;
        }
        Self { table, target, solver, single: None, joint: None, closed: None, is_known, attacks: 0 }
    }

    /// One more cell of the part is published from now on, or none.
    pub(super) fn close(&mut self, closed: Option<usize>) {
        let cell = |at: usize| self.target.part.cells[at];
        for router in [&mut self.single, &mut self.joint].into_iter().flatten() {
            if let Some(open) = self.closed {
                router.close(cell(open), false);
            }
            if let Some(closed) = closed {
                router.close(cell(closed), true);
            }
        }
        self.closed = closed;
    }

    /// Tables that meet a level: one, or two for a width. None if there are none or they cannot be proved.
    pub(super) fn find(&mut self, asked: &Asked) -> Vec<Witness> {
        let target = self.target;
        let part = &target.part;
        let slot = if asked.side == Side::Width { &mut self.joint } else { &mut self.single };
        let closed = self.closed;
        let router = slot.get_or_insert_with(|| {
            let widths = target.asked.iter().filter(|other| asked.side == Side::Width && other.side == Side::Width);
            let mut widths: Vec<usize> = widths.map(|other| part.cells[other.at]).collect();
            widths.sort_unstable();
            widths.dedup();
            let (cells, equations) = (part.cells.clone(), part.equations.clone());
            let public = Room::of(self.table, 0);
            let mut router = Router::new(self.table, self.solver, &public, Part { cells, equations }, widths);
            if let Some(closed) = closed {
                router.close(part.cells[closed], true);
            }
            router
        });
        self.attacks += 1;
        let level = part.in_full(asked.level);
        let demand = Demand { cell: part.cells[asked.at], attacker: part.attacker, side: asked.side, level };
        let worth = |cell: usize| if self.is_known[cell] { KNOWN } else { 1.0 };
        let found = router.route(self.table, &demand, &worth).ok().flatten().unwrap_or_default();
        found.iter().filter_map(|deviation| target.witness(deviation)).collect()
    }
}
