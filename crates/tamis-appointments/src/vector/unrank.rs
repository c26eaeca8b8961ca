//! From a place in the order to the vector that stands there.

use super::AnonymityVector;
use super::limbs::{LimbTable, add, limbs_of_bits, number};
use super::restricted::{PartsSweep, SizeSweep, bits_of_bounded};
use num_bigint::BigUint;

/// Memory that the tables of the last phase may take, in bytes.
const MOST_BYTES: usize = 256 << 20;

/// The vector of so many people that this many vectors are more anonymous than.
///
/// Sizes are decided from 1 up. While sizes are small, the table of r(., s) goes along, as for ranking. As soon as the people
/// left make so few cells that all tables of P(., at most t) fit into memory, these are made, and since any r(m, s) can then be
/// summed up from them, the next size that occurs is found by bisection.
pub(super) fn unrank(counts: &LimbTable, people: usize, mut before: BigUint) -> AnonymityVector {
    let mut cells: Vec<(u64, u64)> = Vec::new();
    let mut left = people;
    let mut sweep = SizeSweep::new(counts, people);
    // Invariant: `before` of the r(left, sweep.smallest) ways to go on come before the way sought.
    while left > 0 {
        let size = sweep.smallest;
        if size * size >= left && bytes_by_parts(left, size) <= MOST_BYTES {
            by_parts(left, size, before, &mut cells);
            break;
        }
        sweep.advance();
        let count = cells_of_size(size, &mut left, &mut before, |m| sweep.table.number(m));
        cells.push((size as u64, count));
        sweep.forget_above(left);
    }
    AnonymityVector::of_counts(cells)
}

/// How many cells have this size, given how many ways there are to go on with larger ones for so many people.
fn cells_of_size(size: usize, left: &mut usize, before: &mut BigUint, larger: impl Fn(usize) -> BigUint) -> u64 {
    let mut cells = 0;
    loop {
        let ways = larger(*left);
        // Ways to go on with more cells of this size come later in the order; there are some while the place is not reached.
        if *before < ways || *left < size {
            return cells;
        }
        *before -= ways;
        *left -= size;
        cells += 1;
    }
}

/// P(m, at most t) for every number t of cells that so many people can make of cells of at least this size; as far as needed.
struct PartTables {
    tables: Vec<LimbTable>,
}

fn shapes(people: usize, smallest: usize) -> impl Iterator<Item = (usize, usize)> {
    (1..=people / smallest).map(move |parts| (parts, people - parts * smallest))
}

fn bytes_by_parts(people: usize, smallest: usize) -> usize {
    shapes(people, smallest).map(|(parts, rest)| (rest + 1) * limbs_of_bits(bits_of_bounded(rest, parts)) * 8).sum()
}

impl PartTables {
    fn new(people: usize, smallest: usize) -> Self {
        let stride = shapes(people, smallest).map(|(parts, rest)| limbs_of_bits(bits_of_bounded(rest, parts))).max();
        let mut tables: Vec<LimbTable> = Vec::new();
        let mut sweep: Option<PartsSweep> = None;
        for (_, rest) in shapes(people, smallest) {
            let sweep = match &mut sweep {
                None => sweep.insert(PartsSweep::new(rest, stride.unwrap_or(1))),
                Some(sweep) => {
                    sweep.table.truncate(rest + 1);
                    sweep.advance();
                    sweep
                }
            };
            tables.push(sweep.table.compact(rest + 1));
        }
        Self { tables }
    }

    /// r(m, s).
    fn ways(&self, people: usize, smallest: usize) -> BigUint {
        if people == 0 {
            return BigUint::from(1_u32);
        }
        let longest = self.tables.iter().map(LimbTable::stride).max().unwrap_or(0);
        let mut sum = vec![0; longest + 1];
        for ((_, rest), table) in shapes(people, smallest).zip(&self.tables) {
            add(&mut sum, table.row(rest));
        }
        number(&sum)
    }
}

fn by_parts(people: usize, smallest: usize, mut before: BigUint, cells: &mut Vec<(u64, u64)>) {
    let tables = PartTables::new(people, smallest);
    let (mut left, mut from) = (people, smallest);
    while left > 0 {
        // The largest s with before < r(left, s): there the first cell stands. r falls with s.
        let (mut size, mut above) = (from, left + 1);
        while above - size > 1 {
            let middle = usize::midpoint(size, above);
            if before < tables.ways(left, middle) { size = middle } else { above = middle }
        }
        let count = cells_of_size(size, &mut left, &mut before, |m| tables.ways(m, size + 1));
        cells.push((size as u64, count));
        from = size + 1;
    }
}
