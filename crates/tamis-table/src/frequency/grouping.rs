//! Numbering distinct tuples over several coded columns.

use crate::Codes;
use hashbrown::HashTable;
use std::hash::BuildHasher;

/// Rows are packed in blocks that stay in the first-level cache, column by column.
const BLOCK: usize = 1024;

/// A column whose codes can be packed into tuple keys.
pub trait TupleColumn {
    /// Sets the bits from `shift` on in `keys[i]` to the code of row `start + i`.
    fn pack(&self, start: usize, shift: u32, keys: &mut [u64]);
}

impl TupleColumn for Codes {
    fn pack(&self, start: usize, shift: u32, keys: &mut [u64]) {
        fn pack<T: Copy + Into<u64>>(codes: &[T], shift: u32, keys: &mut [u64]) {
            for (key, &code) in keys.iter_mut().zip(codes) {
                *key |= code.into() << shift;
            }
        }
        let rows = start..start + keys.len();
        match self {
            Self::Narrow(codes) => pack(&codes[rows], shift, keys),
            Self::Medium(codes) => pack(&codes[rows], shift, keys),
            Self::Wide(codes) => pack(&codes[rows], shift, keys),
        }
    }
}

/// Codes seen through a map, as when tuples are generalized.
impl TupleColumn for (&[u32], &[u32]) {
    fn pack(&self, start: usize, shift: u32, keys: &mut [u64]) {
        let (codes, map) = self;
        for (key, &code) in keys.iter_mut().zip(&codes[start..]) {
            *key |= u64::from(map[code as usize]) << shift;
        }
    }
}

/// The items of each group side by side: rows by tuple, tuples by class.
///
/// ```
/// use tamis_table::Members;
/// let members = Members::of(&[1, 0, 1], 2);
/// assert_eq!((members.len(), members.group(1)), (2, &[0, 2][..]));
/// ```
#[derive(Debug, Clone)]
pub struct Members {
    starts: Vec<u32>,
    items: Vec<u32>,
}

impl Members {
    /// Sorts items by their group, keeping their order within it. Linear in items and groups.
    pub fn of(group_of_item: &[u32], groups: usize) -> Self {
        let mut starts = vec![0u32; groups + 1];
        for &group in group_of_item {
            starts[group as usize + 1] += 1;
        }
        for group in 0..groups {
            starts[group + 1] += starts[group];
        }
        let mut next = starts.clone();
        let mut items = vec![0; group_of_item.len()];
        for (item, &group) in group_of_item.iter().enumerate() {
            let slot = &mut next[group as usize];
            items[*slot as usize] = item as u32;
            *slot += 1;
        }
        Self { starts, items }
    }

    /// Number of groups.
    pub fn len(&self) -> usize {
        self.starts.len() - 1
    }

    /// Whether there is no group.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The items of a group. Panics if there is no such group.
    pub fn group(&self, group: usize) -> &[u32] {
        &self.items[self.starts[group] as usize..self.starts[group + 1] as usize]
    }
}

/// Gives every distinct tuple a number in order of first appearance.
///
/// Returns the number of each row and the first row of each number. `domains` bounds the codes of each column. As many columns
/// as fit are packed into one 64-bit key; if some are left, the numbers so far (32 bits) are packed with the next ones, so any
/// number of columns works and the usual eight cost one hash look-up a row.
pub fn number_tuples(rows: usize, columns: &[&dyn TupleColumn], domains: &[u32]) -> (Vec<u32>, Vec<u32>) {
    let mut numbers = vec![0; rows];
    let mut firsts: Vec<u32> = if rows > 0 { vec![0] } else { Vec::new() };
    let mut next = 0;
    while next < columns.len() {
        let mut used = if next == 0 { 0 } else { bits(firsts.len() as u32) };
        let first = next;
        let mut shifts = Vec::new();
        // A constant column takes no bits, but a shift by all 64 would be one too far.
        while next < columns.len() && used < u64::BITS && used + bits(domains[next]) <= u64::BITS {
            shifts.push(used);
            used += bits(domains[next]);
            next += 1;
        }
        firsts = renumber(&mut numbers, first > 0, &columns[first..next], &shifts);
    }
    (numbers, firsts)
}

fn renumber(numbers: &mut [u32], fold: bool, columns: &[&dyn TupleColumn], shifts: &[u32]) -> Vec<u32> {
    let hasher = foldhash::fast::FixedState::default();
    let mut index: HashTable<u32> = HashTable::new();
    let mut keys: Vec<u64> = Vec::new();
    let mut firsts = Vec::new();
    let mut block = [0u64; BLOCK];
    for (part, numbers) in numbers.chunks_mut(BLOCK).enumerate() {
        let start = part * BLOCK;
        let block = &mut block[..numbers.len()];
        for (key, &number) in block.iter_mut().zip(numbers.iter()) {
            *key = if fold { u64::from(number) } else { 0 };
        }
        for (column, &shift) in columns.iter().zip(shifts) {
            column.pack(start, shift, block);
        }
        for (offset, (number, &key)) in numbers.iter_mut().zip(block.iter()).enumerate() {
            let hash = hasher.hash_one(key);
            *number = *index
                .entry(hash, |&other| keys[other as usize] == key, |&other| hasher.hash_one(keys[other as usize]))
                .or_insert_with(|| {
                    firsts.push((start + offset) as u32);
                    keys.len() as u32
                })
                .get();
            if *number as usize == keys.len() {
                keys.push(key);
            }
        }
    }
    firsts
}

/// Bits needed for codes below `domain`.
fn bits(domain: u32) -> u32 {
    u32::BITS - domain.saturating_sub(1).leading_zeros()
}
