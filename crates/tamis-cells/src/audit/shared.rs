//! Tables that were found for one attacker, seen by the others.
//!
//! Attackers see the same equations and differ in the bounds of a few cells. A table that one of them holds possible is possible
//! for the public, and for every other attacker who knows nothing about the cells that move in it, or too little. So that one table settles
//! levels of most attackers, without a linear program for any of them.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use super::strike::Ends;
use super::target::{Asked, Reach, Target};
use super::witness::Witness;

/// A table and how far it moves one cell.
struct Move {
    /// Position in [`Shared::tables`].
    table: usize,
    /// In units of the public's part.
    by: f64,
}

/// Tables that the public holds possible.
#[derive(Default)]
pub(super) struct Shared {
    /// The public's target that it belongs to, and the table.
    tables: Vec<(usize, Arc<Witness>)>,
    /// By cell of the table of totals: who moves it.
    moving: HashMap<usize, Vec<Move>>,
}

impl Shared {
    /// What is known of the public so far: what goes furthest, and other tables with the numbers of their targets.
    pub(super) fn of(publics: &[Target], others: Vec<(usize, Arc<Witness>)>) -> Self {
        let furthest = publics.iter().enumerate().flat_map(|(number, target)| {
            let reaches = target.reaches.iter().flat_map(|reaches| [&reaches.down, &reaches.up]);
            reaches.filter_map(move |reach| Some((number, reach.witness.clone()?)))
        });
        let mut shared = Self::default();
        // The same table stands for many cells; the order is that of the cells.
        let mut seen = HashSet::new();
        let mut all: Vec<(usize, Arc<Witness>)> =
            furthest.chain(others).filter(|(_, witness)| seen.insert(Arc::as_ptr(witness))).collect();
        // Tables that move few cells are possible for most attackers.
        all.sort_by_key(|(_, witness)| witness.moves().len());
        for (number, witness) in all {
            shared.add(publics, number, witness);
        }
        shared
    }

    /// Takes a table that belongs to a target of the public.
    pub(super) fn add(&mut self, publics: &[Target], target: usize, witness: Arc<Witness>) {
        let part = &publics[target].part;
        for (at, by) in witness.moves() {
            self.moving.entry(part.cells[at]).or_default().push(Move { table: self.tables.len(), by });
        }
        self.tables.push((target, witness));
    }

    /// Takes a table that was found for another attacker.
    pub(super) fn add_seen(&mut self, publics: &[Target], of: &Target, witness: &Witness) {
        let Some(first) = witness.first() else { return };
        let holds = |target: &Target| target.part.position(of.part.cells[first]).is_some();
        if let Some(number) = publics.iter().position(holds)
            && let Some(seen) = witness.seen_by(&of.part, &publics[number].part)
        {
            self.add(publics, number, Arc::new(seen));
        }
    }

    /// Puts to the test what may settle levels of another attacker; keeps the tables too if they are wanted.
    pub(super) fn settle(&self, publics: &[Target], target: &mut Target, keep: bool) {
        let Some(less) = Less::of(publics, target) else { return };
        let public = &publics[less.public];
        // How many times each table fits into what the attacker holds possible.
        let fits = |(number, witness): &(usize, Arc<Witness>)| {
            if *number == less.public { witness.fits_within(&less.still, &less.narrow) } else { (0.0, 0.0) }
        };
        let fits: Vec<(f64, f64)> = self.tables.iter().map(fits).collect();
        for place in 0..target.asked.len() {
            let asked = target.asked[place];
            let cell = target.part.cells[asked.at];
            if target.is_met(&asked) {
                continue;
            }
            for found in self.moving.get(&cell).into_iter().flatten().filter(|found| fits[found.table] != (0.0, 0.0)) {
                let witness = &self.tables[found.table].1;
                let (down, up) = witness.reach_of(found.by, fits[found.table]);
                let (down, up) = (public.part.in_full(down), public.part.in_full(up));
                if !may_help(target, &asked, down, up) {
                    continue;
                }
                if let Some(seen) = keep.then(|| witness.seen_by(&public.part, &target.part)).flatten() {
                    target.learn(seen);
                }
                for (sign, reach) in [(-1, down), (1, up)] {
                    let reach = target.part.in_units(reach);
                    let ends = &mut target.reaches[asked.at].toward(sign).ends;
                    ends.low = f64::max(ends.low, reach);
                }
                if target.is_met(&asked) {
                    break;
                }
            }
        }
    }
}

/// What is known of the ends of the cells of another attacker: it holds possible at most what the public does, and what the
/// public's tables show unless it knows better.
pub(super) fn narrow(publics: &[Target], target: &mut Target) {
    let Some(less) = Less::of(publics, target) else { return };
    let public = &publics[less.public];
    for (at, (cell, reaches)) in public.part.cells.iter().zip(&public.reaches).enumerate() {
        let Some(own) = target.part.position(*cell) else { continue };
        for (sign, Reach { ends, witness }) in [(-1, &reaches.down), (1, &reaches.up)] {
            let units = |number| target.part.in_units(public.part.in_full(number));
            let low = witness.as_ref().map_or(0.0, |witness| {
                let (down, up) = witness.reach_within(at, &less.still, &less.narrow);
                if sign > 0 { up } else { down }
            });
            // Both proofs end at the same number where the table goes as far as the public can.
            let (low, high) = (units(low), units(ends.high));
            let known = &mut target.reaches[own].toward(sign).ends;
            *known = Ends { low: f64::max(known.low, low), high: f64::min(known.high, high) };
        }
    }
}

/// Whether a table that moves a cell so far helps to meet a level, or half of a width.
fn may_help(target: &Target, asked: &Asked, down: f64, up: f64) -> bool {
    let (down, up) = (target.part.in_units(down), target.part.in_units(up));
    let reaches = &target.reaches[asked.at];
    let (known_down, known_up) = (reaches.down.ends.low, reaches.up.ends.low);
    asked.met(f64::max(down, known_down), f64::max(up, known_up))
        || asked.signs().len() > 1 && (down > known_down || up > known_up)
}

/// What an attacker knows beyond the public, in the public's positions and units.
struct Less {
    /// The target of the public.
    public: usize,
    /// What does not move.
    still: Vec<usize>,
    /// What has less room, and how much.
    narrow: Vec<(usize, f64, f64)>,
}

impl Less {
    /// `None` if the public has no such target.
    fn of(publics: &[Target], target: &Target) -> Option<Self> {
        let first = *target.part.cells.first()?;
        let public = publics.iter().position(|public| public.part.position(first).is_some())?;
        let (all, own) = (&publics[public].part, &target.part);
        let (mut still, mut narrow) = (Vec::new(), Vec::new());
        let mut next = own.cells.iter().enumerate().peekable();
        for (at, cell) in all.cells.iter().enumerate() {
            let Some((place, _)) = next.next_if(|(_, own)| *own == cell) else {
                still.push(at);
                continue;
            };
            let room = |sign| all.in_units(own.in_full(own.room(place, sign)));
            let (down, up) = if all.exponent == own.exponent {
                (own.room(place, -1), own.room(place, 1))
            } else {
                (room(-1), room(1))
            };
            if (down, up) != (all.room(at, -1), all.room(at, 1)) {
                narrow.push((at, down, up));
            }
        }
        Some(Self { public, still, narrow })
    }
}
