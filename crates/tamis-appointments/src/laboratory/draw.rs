//! Random appointments as the authors' program draws them, against which the published improvements are measured.

use super::dice::Dice;
use crate::instance::Plain;
use crate::vector::AnonymityVector;

/// The vector of one random schedule: again and again a quasi-identifier value and a slot are drawn evenly, whatever their
/// size, and somebody of that value goes there; where nobody (or no place) is left, the next one after it is taken.
///
/// This is not the draw of [`crate::Method::Random`], where every person draws one of the free places: small values and small
/// slots are used up earlier here, which makes the schedule about one percentage point less anonymous.
///
/// O(N log N): the next value or slot that is not used up is found in nearly constant time.
pub(super) fn drawn_vector(problem: &Plain, seed: u64) -> AnonymityVector {
    let mut dice = Dice::new(seed);
    let (mut values, mut slots) = (Stock::new(&problem.frequencies), Stock::new(&problem.capacities));
    let draw = |_| {
        let value = values.take(dice.below(values.len()) as usize);
        let slot = slots.take(dice.below(slots.len()) as usize);
        (value as u64) << 32 | slot as u64
    };
    let mut cells: Vec<u64> = (0..problem.people()).map(draw).collect();
    cells.sort_unstable();
    AnonymityVector::of_sizes(cells.chunk_by(PartialEq::eq).map(|cell| cell.len() as u64))
}

/// How much is left of each thing, and where to look when nothing is.
struct Stock {
    left: Vec<u64>,
    /// A thing that is left points at itself; one that is used up further along the circle, past used-up things only.
    next: Vec<usize>,
}

impl Stock {
    fn new(left: &[u64]) -> Self {
        Self { left: left.to_vec(), next: (0..left.len()).collect() }
    }

    fn len(&self) -> u64 {
        self.left.len() as u64
    }

    /// Takes one of the thing at this place, or of the next of which any is left.
    fn take(&mut self, at: usize) -> usize {
        let mut found = at;
        while self.left[found] == 0 {
            // Halving the path keeps later searches short.
            self.next[found] = self.next[self.next[found]];
            found = self.next[found];
        }
        self.left[found] -= 1;
        if self.left[found] == 0 {
            self.next[found] = (found + 1) % self.left.len();
        }
        found
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// The same draws, looking for what is left step by step.
    fn drawn_slowly(problem: &Plain, seed: u64) -> AnonymityVector {
        let mut dice = Dice::new(seed);
        let (mut values, mut slots) = (problem.frequencies.clone(), problem.capacities.clone());
        let mut matrix = vec![vec![0; slots.len()]; values.len()];
        for _ in 0..problem.people() {
            let mut draw = |left: &mut Vec<u64>| {
                let mut at = dice.below(left.len() as u64) as usize;
                while left[at] == 0 {
                    at = (at + 1) % left.len();
                }
                left[at] -= 1;
                at
            };
            let (value, slot) = (draw(&mut values), draw(&mut slots));
            matrix[value][slot] += 1;
        }
        AnonymityVector::of_sizes(matrix.into_iter().flatten())
    }

    proptest! {
        #[test]
        fn draws_are_those_of_a_step_by_step_search(
            frequencies in prop::collection::vec(1_u64..9, 1..8),
            extra in prop::collection::vec(1_u64..9, 0..5),
            seed in any::<u64>(),
        ) {
            let capacities = frequencies.iter().rev().chain(&extra).copied().collect();
            let problem = Plain { frequencies, capacities };
            let vector = drawn_vector(&problem, seed);
            prop_assert_eq!(vector.people(), problem.people());
            prop_assert_eq!(vector, drawn_slowly(&problem, seed));
        }
    }
}
