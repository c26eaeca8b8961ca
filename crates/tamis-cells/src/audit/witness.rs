//! Tables that an attacker holds possible.

use super::certificate::Sign;
use super::part::Part;

/// A table that the attacker holds possible, as deviations from the true one that were checked apart from the solver.
///
/// The equations hold for every multiple of a deviation, so that each multiple that fits into the rooms is such a table too:
/// one witness tells how far every cell gets that moves in it, along with it and turned round.
#[derive(Debug)]
pub(super) struct Witness {
    /// Position and deviation in units, ascending, none zero.
    moves: Vec<(usize, f64)>,
    /// How many times it fits.
    along: f64,
    /// How many times it fits turned round.
    against: f64,
    /// How much less than it seems any cell may move; 0 for what was checked in whole numbers.
    error: f64,
}

impl Witness {
    /// `None` if not even a part of it fits, in either direction.
    pub(super) fn new(part: &Part, moves: Vec<(usize, f64)>, error: f64) -> Option<Self> {
        let (mut along, mut against) = (f64::INFINITY, f64::INFINITY);
        for &(at, by) in &moves {
            let sign = if by > 0.0 { 1 } else { -1 };
            along = f64::min(along, part.room(at, sign) / by.abs());
            against = f64::min(against, part.room(at, -sign) / by.abs());
        }
        (!moves.is_empty() && f64::max(along, against) > 0.0).then_some(Self { moves, along, against, error })
    }

    /// The same table as another attacker sees it; `None` if that one knows that one of its cells does not move.
    pub(super) fn seen_by(&self, own: &Part, other: &Part) -> Option<Self> {
        let units = |number| {
            if own.exponent == other.exponent { number } else { other.in_units(own.in_full(number)) }
        };
        let moves = self.moves.iter().map(|&(at, by)| Some((other.position(own.cells[at])?, units(by))));
        Self::new(other, moves.collect::<Option<Vec<_>>>()?, units(self.error))
    }

    /// How far one cell gets downwards and upwards where some cells do not move and others have less room (position, downwards,
    /// upwards).
    pub(super) fn reach_within(&self, at: usize, still: &[usize], narrow: &[(usize, f64, f64)]) -> (f64, f64) {
        self.reach_of(self.by(at), self.fits_within(still, narrow))
    }

    /// How many times it fits there, as it is and turned round.
    pub(super) fn fits_within(&self, still: &[usize], narrow: &[(usize, f64, f64)]) -> (f64, f64) {
        let (mut along, mut against) = (self.along, self.against);
        if still.iter().any(|at| self.needs(*at)) {
            return (0.0, 0.0);
        }
        for &(at, down, up) in narrow {
            let by = self.by(at);
            if by != 0.0 {
                let (ahead, behind) = if by > 0.0 { (up, down) } else { (down, up) };
                along = f64::min(along, ahead / by.abs());
                against = f64::min(against, behind / by.abs());
            }
        }
        (along, against)
    }

    /// How far a cell that moves by so much gets downwards and upwards where the table fits so many times.
    pub(super) fn reach_of(&self, by: f64, (along, against): (f64, f64)) -> (f64, f64) {
        let (with, turned) = (self.times(along, by), self.times(against, by));
        if by > 0.0 { (turned, with) } else { (with, turned) }
    }

    /// The cells that move: position and deviation.
    pub(super) fn moves(&self) -> impl ExactSizeIterator<Item = (usize, f64)> + '_ {
        self.moves.iter().copied()
    }

    /// The deviation of a cell.
    fn by(&self, at: usize) -> f64 {
        self.moves.binary_search_by_key(&at, |(at, _)| *at).map_or(0.0, |place| self.moves[place].1)
    }

    /// The first cell that moves.
    pub(super) fn first(&self) -> Option<usize> {
        self.moves.first().map(|(at, _)| *at)
    }

    /// Whether it fits as it is, in one direction or the other.
    pub(super) fn fits(&self) -> bool {
        f64::max(self.along, self.against) >= 1.0
    }

    /// How far every cell that moves gets: position, downwards, upwards.
    pub(super) fn reaches(&self) -> impl Iterator<Item = (usize, f64, f64)> + '_ {
        self.moves.iter().map(|&(at, by)| {
            let (with, turned) = (self.times(self.along, by), self.times(self.against, by));
            if by > 0.0 { (at, turned, with) } else { (at, with, turned) }
        })
    }

    /// How far one cell gets in a direction.
    pub(super) fn reach(&self, at: usize, sign: Sign) -> f64 {
        let found = self.moves.binary_search_by_key(&at, |(at, _)| *at);
        let Ok(place) = found else { return 0.0 };
        let by = self.moves[place].1;
        self.times(if (by > 0.0) == (sign > 0) { self.along } else { self.against }, by)
    }

    /// How far a deviation goes that many times, for sure.
    fn times(&self, times: f64, by: f64) -> f64 {
        if times == 0.0 { 0.0 } else { times * f64::max(by.abs() - self.error, 0.0) }
    }

    /// Whether a cell moves in it.
    pub(super) fn needs(&self, at: usize) -> bool {
        self.moves.binary_search_by_key(&at, |(at, _)| *at).is_ok()
    }
}
