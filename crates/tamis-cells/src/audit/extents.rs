//! How far every hidden cell goes, whether anything is asked of it or not.

use std::sync::Arc;
use std::time::Instant;

use tamis_solver::{Budget, Budgeted, LiveSolver};

use super::AuditError;
use super::certificate::{self, Question, Sign};
use super::strike::{Ends, Strike};
use super::target::{Learnt, Target};
use super::work::Work;

/// So many cells share one warm program: enough to make up for its first solve.
const PIECE: usize = 64;

/// Finds both ends of every cell; whether all were found before the deadline. A cell that a known table brings to its bound
/// needs no attack.
pub(super) fn attack(targets: &mut [Target], solver: &dyn LiveSolver, work: &Work<'_>) -> Result<bool, AuditError> {
    let solver = Budgeted::new(solver, Arc::new(Budget::until(work.deadline())));
    for target in targets.iter_mut() {
        // Where all that is not 0 is hidden, the whole table may be any multiple of itself.
        if let Some(witness) = certificate::witness(&target.part, &target.part.values) {
            target.learn(witness);
        }
    }
    let mut pieces = Vec::new();
    for (number, target) in targets.iter().enumerate() {
        let cells: Vec<usize> = (0..target.part.cells.len()).collect();
        pieces.extend(cells.chunks(PIECE).map(|piece| (number, piece.to_vec())));
    }
    let found = work.map(&pieces, |(number, piece)| of_piece(&targets[*number], piece, &solver, work))?;
    for ((number, _), found) in pieces.iter().zip(found) {
        for (at, sign, ends) in found {
            targets[*number].reaches[at].toward(sign).ends = ends;
        }
    }
    Ok(work.deadline().is_none_or(|deadline| Instant::now() < deadline))
}

fn of_piece(
    target: &Target,
    piece: &[usize],
    solver: &dyn LiveSolver,
    work: &Work<'_>,
) -> Result<Vec<(usize, Sign, Ends)>, AuditError> {
    let mut learnt = Learnt::new(target);
    let mut strike = Strike::new(&target.part, solver);
    let mut found = Vec::with_capacity(2 * piece.len());
    for &at in piece {
        for sign in [-1, 1] {
            work.done(1)?;
            let question = Question { target: at, sign, closed: None };
            let (low, guess) = (learnt.low(at, sign), target.guess(at, sign));
            found.push((at, sign, strike.extent(question, low, guess, &mut |witness| learnt.learn(witness))));
        }
    }
    work.count(strike.attacks);
    Ok(found)
}
