//! Tables of large numbers that are all about as long: rows of 64-bit limbs, least significant first, in one flat buffer.
//!
//! A `Vec<BigUint>` would put every number on the heap by itself; partition tables hold a hundred thousand of them and are
//! swept over hundreds of times.

use num_bigint::BigUint;

/// How many limbs hold a number of so many bits.
pub(super) fn limbs_of_bits(bits: f64) -> usize {
    (bits / 64.0).floor() as usize + 1
}

/// Rows of numbers, each `stride` limbs long.
#[derive(Debug, Clone)]
pub(super) struct LimbTable {
    limbs: Vec<u64>,
    stride: usize,
}

impl LimbTable {
    /// So many rows of zero.
    pub(super) fn zeros(rows: usize, stride: usize) -> Self {
        Self { limbs: vec![0; rows * stride], stride }
    }

    /// How many rows there are.
    pub(super) fn rows(&self) -> usize {
        self.limbs.len() / self.stride
    }

    /// Limbs of every row.
    pub(super) fn stride(&self) -> usize {
        self.stride
    }

    pub(super) fn row(&self, row: usize) -> &[u64] {
        &self.limbs[row * self.stride..][..self.stride]
    }

    pub(super) fn row_mut(&mut self, row: usize) -> &mut [u64] {
        &mut self.limbs[row * self.stride..][..self.stride]
    }

    pub(super) fn number(&self, row: usize) -> BigUint {
        number(self.row(row))
    }

    /// Forgets all rows from this one on.
    pub(super) fn truncate(&mut self, rows: usize) {
        self.limbs.truncate(rows * self.stride);
    }

    /// The first rows with only the limbs that their numbers use, none of which may be longer than the last of them.
    pub(super) fn compact(&self, rows: usize) -> Self {
        let stride = used(self.row(rows - 1)).max(1);
        let mut limbs = Vec::with_capacity(rows * stride);
        for row in self.limbs.chunks_exact(self.stride).take(rows) {
            limbs.extend_from_slice(&row[..stride]);
        }
        Self { limbs, stride }
    }

    /// Adds an earlier row to a row, or subtracts it, modulo numbers of `width` limbs.
    pub(super) fn add_row(&mut self, row: usize, earlier: usize, is_plus: bool, width: usize) {
        let (below, from) = self.limbs.split_at_mut(row * self.stride);
        let (target, term) = (&mut from[..width], &below[earlier * self.stride..][..width]);
        let _wraps = if is_plus { wrapping_add(target, term) } else { wrapping_subtract(target, term) };
    }

    /// Multiplies the power series whose coefficients are the rows by `1 - x^step`: `row[m] -= row[m - step]`, last row first.
    /// No coefficient of the product may be negative, nor longer than `width` limbs.
    pub(super) fn times_one_minus(&mut self, step: usize, width: usize) {
        for row in (step..self.rows()).rev() {
            let (below, from) = self.limbs.split_at_mut(row * self.stride);
            let other = &below[(row - step) * self.stride..][..width];
            let is_negative = wrapping_subtract(&mut from[..width], other);
            debug_assert!(!is_negative, "a difference fell below zero");
        }
    }

    /// Divides the power series by `1 - x^step`: `row[m] += row[m - step]`, first row first. No sum may be longer than `width`.
    pub(super) fn over_one_minus(&mut self, step: usize, width: usize) {
        for row in step..self.rows() {
            let (below, from) = self.limbs.split_at_mut(row * self.stride);
            let other = &below[(row - step) * self.stride..][..width];
            let is_too_long = wrapping_add(&mut from[..width], other);
            debug_assert!(!is_too_long, "a sum outgrew its limbs");
        }
    }
}

/// How many limbs of a number are not leading zeros.
pub(super) fn used(limbs: &[u64]) -> usize {
    limbs.iter().rposition(|&limb| limb != 0).map_or(0, |last| last + 1)
}

/// `sum += term`; the term may be shorter, the sum must be long enough for the result.
pub(super) fn add(sum: &mut [u64], term: &[u64]) {
    let (low, high) = sum.split_at_mut(term.len());
    let mut carry = wrapping_add(low, term);
    for limb in high {
        if !carry {
            break;
        }
        (*limb, carry) = limb.overflowing_add(1);
    }
    debug_assert!(!carry, "a sum outgrew its limbs");
}

/// `sum += term` of as many limbs; whether one more limb would be needed.
pub(super) fn wrapping_add(sum: &mut [u64], term: &[u64]) -> bool {
    along(sum, term, |limb, other, carry| {
        let (partial, first) = limb.overflowing_add(other);
        let (total, second) = partial.overflowing_add(u64::from(carry));
        (total, first | second)
    })
}

/// `difference -= term` of as many limbs; whether the term was greater.
pub(super) fn wrapping_subtract(difference: &mut [u64], term: &[u64]) -> bool {
    along(difference, term, |limb, other, borrow| {
        let (partial, first) = limb.overflowing_sub(other);
        let (rest, second) = partial.overflowing_sub(u64::from(borrow));
        (rest, first | second)
    })
}

/// Limb by limb with a carry.
fn along(target: &mut [u64], other: &[u64], step: impl Fn(u64, u64, bool) -> (u64, bool)) -> bool {
    let mut carry = false;
    for (limb, &other) in target.iter_mut().zip(other) {
        (*limb, carry) = step(*limb, other, carry);
    }
    carry
}

/// The number these limbs are.
pub(super) fn number(limbs: &[u64]) -> BigUint {
    BigUint::new(limbs.iter().flat_map(|&limb| [limb as u32, (limb >> 32) as u32]).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn limbs_add_and_subtract_as_numbers_do(
            left in prop::collection::vec(prop_oneof![Just(u64::MAX), any::<u64>()], 1..5),
            right in prop::collection::vec(prop_oneof![Just(u64::MAX), any::<u64>()], 1..5),
        ) {
            let mut sum = [left.as_slice(), &[0; 6]].concat();
            add(&mut sum, &right);
            prop_assert_eq!(number(&sum), number(&left) + number(&right));
            let length = sum.len();
            let padded = [left.as_slice(), &[0; 6]].concat();
            prop_assert!(!wrapping_subtract(&mut sum, &padded[..length]));
            prop_assert_eq!(number(&sum), number(&right));
            prop_assert_eq!(used(&sum), right.iter().rposition(|&limb| limb > 0).map_or(0, |last| last + 1));
        }
    }

    #[test]
    fn multiplying_undoes_dividing_and_compacting_keeps_numbers() {
        let mut table = LimbTable::zeros(60, 3);
        table.row_mut(0)[0] = 1;
        table.over_one_minus(1, 3);
        table.over_one_minus(2, 3);
        let before = table.clone();
        assert_eq!(table.number(10), BigUint::from(6_u32), "10 into ones and twos");
        table.over_one_minus(7, 3);
        table.times_one_minus(7, 3);
        let narrow = table.compact(50);
        assert_eq!((narrow.stride(), narrow.rows()), (1, 50));
        assert!((0..50).all(|row| before.number(row) == narrow.number(row)));
    }
}
