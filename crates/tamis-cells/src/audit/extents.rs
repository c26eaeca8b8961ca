//! How far every hidden cell goes, whether anything is asked of it or not.

use std::sync::Arc;
use std::time::Instant;

use tamis_solver::{Budget, Budgeted, LiveSolver};

use super::AuditError;
use super::certificate::{self, Question, Sign};
use super::shared;
use super::strike::{Ends, Strike};
use super::target::{Learnt, Target};
use super::witness::Witness;
use super::work::Work;

/// So many cells share one warm program: enough to make up for its first solve.
const PIECE: usize = 64;

/// What attacks on some cells found: what is proved of a position in a direction, and tables.
type Found = (Vec<(usize, Sign, Ends)>, Vec<Witness>);

/// Pieces that are attacked for those who know more than the public, counted by the cells of their parts: beyond it there are hundreds
/// of attackers in large tables, and their intervals are known as far as the public's tables show.
const MOST_CELLS: usize = 20_000;

/// So many attackers are looked at together.
const GROUP: usize = 16;

/// Finds both ends of every cell; whether all were found, in time and for all attackers. A cell that a known table brings to its bound
/// needs no attack.
pub(super) fn attack(targets: &mut [Target], solver: &dyn LiveSolver, work: &Work<'_>) -> Result<bool, AuditError> {
    let solver = Budgeted::new(solver, Arc::new(Budget::until(work.deadline())));
    for target in targets.iter_mut() {
        // Where all that is not 0 is hidden, the whole table may be any multiple of itself.
        if let Some(witness) = certificate::witness(&target.part, &target.part.values) {
            target.learn(witness);
        }
    }
    let publics = targets.partition_point(|target| target.part.attacker == 0);
    let (publics, others) = targets.split_at_mut(publics);
    attack_some(publics, &solver, work, !others.is_empty(), usize::MAX)?;
    let mut left = MOST_CELLS;
    let mut complete = true;
    for group in others.chunks_mut(GROUP) {
        work.each(group, |target| shared::narrow(publics, target));
        let asked = attack_some(group, &solver, work, false, left)?;
        complete &= asked <= left;
        left = left.saturating_sub(asked);
    }
    Ok(complete && work.deadline().is_none_or(|deadline| Instant::now() < deadline))
}

/// Finds the ends of the cells of some targets, of pieces with so many cells at most; keeps the tables too if somebody looks at them
/// later. Tells how many that are whose ends are not known beforehand.
fn attack_some(
    targets: &mut [Target],
    solver: &dyn LiveSolver,
    work: &Work<'_>,
    keep: bool,
    most: usize,
) -> Result<usize, AuditError> {
    let mut pieces = Vec::new();
    for (number, target) in targets.iter().enumerate() {
        let is_open = |at: &usize| [-1, 1].into_iter().any(|sign| !target.reaches[*at].of(sign).ends.is_known());
        let cells: Vec<usize> = (0..target.part.cells.len()).filter(is_open).collect();
        work.done(2 * (target.part.cells.len() - cells.len()) as u64)?;
        pieces.extend(cells.chunks(PIECE).map(|piece| (number, piece.to_vec())));
    }
    let mut asked = 0;
    let mut taken = 0;
    for (number, _) in &pieces {
        asked += targets[*number].part.cells.len();
        taken += usize::from(asked <= most);
    }
    pieces.truncate(taken);
    let found = work.map(&pieces, |(number, piece)| of_piece(&targets[*number], piece, solver, work, keep))?;
    for ((number, _), (ends, witnesses)) in pieces.iter().zip(found) {
        let target = &mut targets[*number];
        for witness in witnesses {
            target.learn(witness);
        }
        for (at, sign, Ends { low, high }) in ends {
            let known = &mut target.reaches[at].toward(sign).ends;
            *known = Ends { low: f64::max(known.low, low), high: f64::min(known.high, high) };
        }
    }
    Ok(asked)
}

fn of_piece(
    target: &Target,
    piece: &[usize],
    solver: &dyn LiveSolver,
    work: &Work<'_>,
    keep: bool,
) -> Result<Found, AuditError> {
    let mut learnt = Learnt::new(target);
    let mut strike = Strike::new(&target.part, solver);
    let mut found = Vec::with_capacity(2 * piece.len());
    for &at in piece {
        for sign in [-1, 1] {
            work.done(1)?;
            let question = Question { target: at, sign, closed: None };
            let known = Ends { low: learnt.low(at, sign), high: target.reaches[at].of(sign).ends.high };
            let guess = target.guess(at, sign);
            found.push((at, sign, strike.extent(question, known, guess, &mut |witness| learnt.learn(witness))));
        }
    }
    work.count(strike.attacks);
    Ok((found, if keep { learnt.witnesses } else { Vec::new() }))
}
