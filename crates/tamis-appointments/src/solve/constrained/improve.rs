//! A schedule made better step by step, every step meeting every condition.

use super::anneal::{Cooling, anneal};
use super::board::Board;
use super::descent::{Depth, Descent};
use super::kick::kick;
use crate::solve::Patience;
use crate::vector::AnonymityVector;
use rand_chacha::ChaCha8Rng;

/// How many changes the hasty descent from each start may look at.
const HASTY_LOOKS: u64 = 1_500_000;

/// How many changes the further descents may look at.
const LOOKS: u64 = 3_000_000;

/// How many changes may be looked at after kicks.
const KICK_LOOKS: u64 = 3_000_000;

/// How many starts are descended from thoroughly; of problems with more than [`MANY_PEOPLE`] only the best.
const STARTS: usize = 3;
const MANY_PEOPLE: u64 = 5_000;

/// Problems up to so many people are annealed from a great heat, again and again; larger ones once, from little heat.
const FEW_PEOPLE: u64 = 400;
const COOLINGS_OF_FEW: [Cooling; 3] = [Cooling { work: 100_000, heat: 0.6 }; 3];
const COOLINGS_OF_MANY: [Cooling; 1] = [Cooling { work: 2_400_000, heat: 0.15 }];

/// The best schedule that descents from the starts and, for small problems, annealing lead to. Stops at the bound.
pub(super) fn improve<'a>(
    starts: Vec<Board<'a>>,
    lower_bound: &AnonymityVector,
    rng: &mut ChaCha8Rng,
    patience: &Patience,
) -> Option<Board<'a>> {
    let mut ranked: Vec<(AnonymityVector, Board<'a>)> = Vec::new();
    for mut board in starts {
        Descent::new(HASTY_LOOKS, Depth::Hasty).run(&mut board, patience);
        ranked.push((board.vector(), board));
    }
    ranked.sort_by(|left, right| left.0.cmp(&right.0));
    let people = ranked.first()?.1.kinds.people();
    ranked.truncate(if people > MANY_PEOPLE { 1 } else { STARTS });
    for (vector, board) in &mut ranked {
        if *vector > *lower_bound && people <= MANY_PEOPLE {
            Descent::new(LOOKS, Depth::Thorough).run(board, patience);
            *vector = board.vector();
        }
    }
    let (vector, mut best) = ranked.into_iter().min_by(|left, right| left.0.cmp(&right.0))?;
    if vector > *lower_bound {
        Descent::new(LOOKS, Depth::Hasty).run(&mut best, patience);
        kick(&mut best, lower_bound, KICK_LOOKS, rng, patience);
    }
    for cooling in if people <= FEW_PEOPLE { &COOLINGS_OF_FEW[..] } else { &COOLINGS_OF_MANY[..] } {
        if best.vector() > *lower_bound {
            anneal(&mut best, *cooling, lower_bound, rng, patience);
            Descent::new(LOOKS, Depth::Hasty).run(&mut best, patience);
        }
    }
    Some(best)
}
