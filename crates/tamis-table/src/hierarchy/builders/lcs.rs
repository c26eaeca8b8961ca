//! Longest common subsequences: how long they are, quickly, and where they lie.

use foldhash::fast::FixedState;
use std::collections::HashMap;

/// One text prepared for comparison with many: for each character, the positions where it stands, one bit each.
pub(super) struct Prepared {
    words: usize,
    length: usize,
    positions: HashMap<char, Vec<u64>, FixedState>,
}

impl Prepared {
    pub(super) fn new(text: &[char]) -> Self {
        let words = text.len().div_ceil(64);
        let mut positions: HashMap<char, Vec<u64>, FixedState> = HashMap::default();
        for (position, &character) in text.iter().enumerate() {
            positions.entry(character).or_insert_with(|| vec![0; words])[position / 64] |= 1 << (position % 64);
        }
        Self { words, length: text.len(), positions }
    }

    /// The length of the longest common subsequence with `other`.
    ///
    /// Bit-parallel after Hyyrö (2004): a zero bit in `row` is a step of the dynamic program's current row, so one character of
    /// `other` costs one addition per 64 characters of the prepared text.
    pub(super) fn common(&self, other: &[char], row: &mut Vec<u64>) -> usize {
        row.clear();
        row.resize(self.words, u64::MAX);
        for character in other {
            let Some(positions) = self.positions.get(character) else { continue };
            let mut carry = false;
            for (word, &matches) in row.iter_mut().zip(positions) {
                let hit = *word & matches;
                let (sum, overflow) = word.overflowing_add(hit);
                let (sum, second) = sum.overflowing_add(u64::from(carry));
                carry = overflow || second;
                *word = sum | (*word & !matches);
            }
        }
        let unused = self.words * 64 - self.length;
        let ones: usize = row.iter().map(|word| word.count_ones() as usize).sum();
        // Bits past the end never match, so all of them are still one.
        self.length - (ones - unused)
    }
}

/// Positions of a longest common subsequence in both texts, ascending.
///
/// What the texts share at their starts and ends is matched there, so that the rest falls into few gaps.
pub(super) fn matches(left: &[char], right: &[char]) -> Vec<(usize, usize)> {
    let start = left.iter().zip(right).take_while(|(left, right)| left == right).count();
    let (left_rest, right_rest) = (&left[start..], &right[start..]);
    let end = left_rest.iter().rev().zip(right_rest.iter().rev()).take_while(|(left, right)| left == right).count();
    let left_middle = &left_rest[..left_rest.len() - end];
    let right_middle = &right_rest[..right_rest.len() - end];
    let mut pairs: Vec<(usize, usize)> = (0..start).map(|position| (position, position)).collect();
    pairs.extend(middle_matches(left_middle, right_middle).into_iter().map(|(i, j)| (start + i, start + j)));
    pairs.extend((0..end).map(|offset| (left.len() - end + offset, right.len() - end + offset)));
    pairs
}

/// The textbook table: `best[i][j]` is the length for what follows position i and j.
fn middle_matches(left: &[char], right: &[char]) -> Vec<(usize, usize)> {
    let width = right.len() + 1;
    let mut best = vec![0u32; (left.len() + 1) * width];
    for i in (0..left.len()).rev() {
        for j in (0..right.len()).rev() {
            best[i * width + j] = if left[i] == right[j] {
                best[(i + 1) * width + j + 1] + 1
            } else {
                best[(i + 1) * width + j].max(best[i * width + j + 1])
            };
        }
    }
    let (mut i, mut j, mut pairs) = (0, 0, Vec::new());
    while i < left.len() && j < right.len() {
        if left[i] == right[j] {
            pairs.push((i, j));
            i += 1;
            j += 1;
        } else if best[(i + 1) * width + j] >= best[i * width + j + 1] {
            i += 1;
        } else {
            j += 1;
        }
    }
    pairs
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn chars(text: &str) -> Vec<char> {
        text.chars().collect()
    }

    #[test]
    fn common_ends_are_matched_first() {
        let pairs = matches(&chars("abXba"), &chars("abYba"));
        assert_eq!(pairs, [(0, 0), (1, 1), (3, 3), (4, 4)]);
    }

    proptest! {
        #[test]
        fn length_and_positions_agree(left in "[abc]{0,150}", right in "[abcd]{0,150}") {
            let (left, right) = (chars(&left), chars(&right));
            let pairs = matches(&left, &right);
            prop_assert!(pairs.windows(2).all(|pair| pair[0].0 < pair[1].0 && pair[0].1 < pair[1].1));
            prop_assert!(pairs.iter().all(|&(i, j)| left[i] == right[j]));
            prop_assert_eq!(Prepared::new(&left).common(&right, &mut Vec::new()), pairs.len());
        }
    }
}
