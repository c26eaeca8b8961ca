//! A schedule made better step by step, every step meeting every condition.

use super::anneal::{Cooling, anneal};
use super::board::Board;
use super::descent::{Depth, Descent};
use super::kick::kick;
use super::kinds::Kinds;
use super::settle::{Settling, settle};
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
const STARTS: usize = 4;
const MANY_PEOPLE: u64 = 5_000;

/// Problems up to so many people are annealed from a great heat, again and again; larger ones once, from little heat.
pub(super) const FEW_PEOPLE: u64 = 400;
const COOLINGS_OF_FEW: [Cooling; 4] = [Cooling { work: 100_000, heat: 0.6 }; 4];
const COOLINGS_OF_MANY: [Cooling; 1] = [Cooling { work: 2_400_000, heat: 0.15 }];

/// Very small problems need not be annealed for long.
const WORK_FOR_A_PERSON: u64 = 2_000;

/// A component of a large programme gets its share of the looks, but no fewer than these.
const FEWEST_LOOKS: u64 = 4_000;

/// The best schedule that descents from the starts and, for small problems, annealing lead to. Stops at the bound.
pub(super) fn improve<'a>(
    starts: Vec<Board<'a>>,
    lower_bound: &AnonymityVector,
    rng: &mut ChaCha8Rng,
    patience: &Patience,
) -> Option<Board<'a>> {
    let first = starts.first()?;
    let (people, share) = (first.kinds.people(), first.kinds.share);
    let part = |looks: u64| ((looks as f64 * share) as u64).max(FEWEST_LOOKS);
    let mut ranked: Vec<(AnonymityVector, Board<'a>)> = Vec::new();
    for mut board in starts {
        Descent::new(part(HASTY_LOOKS), Depth::Hasty).run(&mut board, patience);
        ranked.push((board.vector(), board));
    }
    ranked.sort_by(|left, right| left.0.cmp(&right.0));
    ranked.truncate(if people > MANY_PEOPLE { 1 } else { STARTS });
    for (vector, board) in &mut ranked {
        if *vector > *lower_bound && people <= MANY_PEOPLE {
            Descent::new(part(LOOKS), Depth::Thorough).run(board, patience);
            *vector = board.vector();
        }
    }
    ranked.sort_by(|left, right| left.0.cmp(&right.0));
    let (vector, best) = ranked.first_mut()?;
    if *vector > *lower_bound {
        Descent::new(part(LOOKS), Depth::Hasty).run(best, patience);
        kick(best, lower_bound, part(KICK_LOOKS), rng, patience);
        *vector = best.vector();
    }
    let coolings = if people <= FEW_PEOPLE { &COOLINGS_OF_FEW[..] } else { &COOLINGS_OF_MANY[..] };
    // Each cooling starts from another schedule, as what keeps a walk in one place is rarely there in the others too.
    for (cooling, at) in coolings.iter().zip((0..ranked.len()).cycle()) {
        if ranked.iter().all(|(vector, _)| *vector > *lower_bound) {
            let (vector, board) = &mut ranked[at];
            let work = part(cooling.work).min(WORK_FOR_A_PERSON * people);
            anneal(board, Cooling { work, ..*cooling }, lower_bound, rng, patience);
            Descent::new(part(LOOKS), Depth::Hasty).run(board, patience);
            *vector = board.vector();
        }
    }
    ranked.into_iter().min_by(|left, right| left.0.cmp(&right.0)).map(|(_, board)| board)
}

/// How many changes of families are looked at for each person: the more the fewer people the whole programme has.
const FEWEST_CHANGES: f64 = 120.0;
const MOST_CHANGES: f64 = 2_000.0;
const CHANGES: f64 = 20_000_000.0;

/// Which part of them shows from which size on cells can be bettered.
const FOR_A_TRIAL: f64 = 0.15;

/// How often a component of few people is settled anew.
const SETTLINGS_OF_FEW: usize = 4;

/// Programmes of so many people are bettered in both ways that there are.
const MODEST_PROGRAMME: f64 = 20_000.0;

/// Whether there is time for more than one way: the component has few people, or the whole programme has.
pub(super) fn is_worth_both_ways(kinds: &Kinds) -> bool {
    kinds.people() <= FEW_PEOPLE || kinds.people() as f64 <= MODEST_PROGRAMME * kinds.share
}

/// The best schedule that [`settle`] leads to from the best of the starts, put in order by a descent; in programmes that are not
/// too large also what [`improve`] leads to. Never worse than the best start.
pub(super) fn improve_families<'a>(
    starts: Vec<Board<'a>>,
    lower_bound: &AnonymityVector,
    rng: &mut ChaCha8Rng,
    patience: &Patience,
) -> Option<Board<'a>> {
    let ranked = starts.iter().map(|board| (board.vector(), board));
    let (vector, board) = ranked.min_by(|left, right| left.0.cmp(&right.0))?;
    let (people, share) = (board.kinds.people(), board.kinds.share);
    let is_small = people <= FEW_PEOPLE;
    let for_a_person = (CHANGES * share / people.max(1) as f64).clamp(FEWEST_CHANGES, MOST_CHANGES);
    // However many people a component has, as units of one kind move together it need not take longer.
    let work = (people as f64 * for_a_person).min(CHANGES);
    let looks = ((LOOKS as f64 * share) as u64).max(FEWEST_LOOKS);
    let mut best = (vector, board.clone());
    let mut offer = |settling: Settling, patience: &Patience, best: &mut (AnonymityVector, Board<'a>)| {
        let mut board = settle(&best.1, settling, rng, patience);
        Descent::new(looks, Depth::Hasty).run(&mut board, patience);
        let vector = board.vector();
        if vector < best.0 {
            *best = (vector, board);
        }
    };
    let for_a_trial = patience.left().map_or(patience.clone(), |left| patience.at_most(left.mul_f64(FOR_A_TRIAL)));
    offer(Settling { work: (work * FOR_A_TRIAL) as u64, smallest: 1 }, &for_a_trial, &mut best);
    for _ in 0..if is_small { SETTLINGS_OF_FEW } else { 1 } {
        let Some(above_bound) = best.0.first_difference(lower_bound).filter(|_| !patience.is_over()) else {
            return Some(best.1);
        };
        let smallest = above_bound.saturating_sub(1).max(1);
        offer(Settling { work: (work * (1.0 - FOR_A_TRIAL)) as u64, smallest }, patience, &mut best);
    }
    if is_worth_both_ways(best.1.kinds) && best.0 > *lower_bound {
        let others = improve(starts, lower_bound, rng, patience);
        return others.filter(|board| board.vector() < best.0).or(Some(best.1));
    }
    Some(best.1)
}
