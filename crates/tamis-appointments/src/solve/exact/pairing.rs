//! Groups and slots that are both much larger than the others, put together before the search.
//!
//! A group of 30,000 people and a slot for as many make cells of all sizes up to 30,000 possible, which are too many to tell apart, though
//! most of the group goes to that slot in any good schedule. With most of it there, what is left is of the size of all the others.

use crate::instance::Plain;
use crate::schedule::{Placement, Schedule};

/// A problem without the people that were put together, and these.
#[derive(Debug)]
pub(super) struct Paired {
    pub(super) rest: Plain,
    /// (row, slot, people)
    cells: Vec<(usize, usize, u64)>,
}

impl Paired {
    /// Puts the largest groups into the largest slots as long as both are more than four times as large as is usual, all but so many
    /// people as is usual; none if there are no such groups or slots.
    pub(super) fn of(problem: &Plain) -> Option<Self> {
        const MUCH_LARGER: u64 = 4;
        let mut rest = problem.clone();
        let usual = median(&rest.frequencies).max(median(&rest.capacities));
        let mut cells = Vec::new();
        let (rows, slots) = (descending(&rest.frequencies), descending(&rest.capacities));
        let (mut rows, mut slots) = (rows.into_iter().peekable(), slots.into_iter().peekable());
        while let (Some(&row), Some(&slot)) = (rows.peek(), slots.peek()) {
            let together = rest.frequencies[row].min(rest.capacities[slot]);
            if together > usual.saturating_mul(MUCH_LARGER) {
                let people = together - usual;
                rest.frequencies[row] -= people;
                rest.capacities[slot] -= people;
                cells.push((row, slot, people));
            }
            // Those that are still much larger than usual meet the next ones.
            if rest.frequencies[row] <= rest.capacities[slot] {
                rows.next();
            } else {
                slots.next();
            }
        }
        (!cells.is_empty()).then_some(Self { rest, cells })
    }

    /// The schedule of the problem from one of the rest.
    pub(super) fn schedule(&self, mut of_rest: Schedule) -> Schedule {
        for &(row, slot, people) in &self.cells {
            let placements = &mut of_rest.rows[row];
            match placements.iter_mut().find(|placement| placement.slot == slot) {
                Some(placement) => placement.units += people,
                None => placements.push(Placement { slot, units: people }),
            }
            placements.sort_unstable();
        }
        of_rest
    }
}

fn median(numbers: &[u64]) -> u64 {
    let mut numbers = numbers.to_vec();
    numbers.sort_unstable();
    numbers.get(numbers.len() / 2).copied().unwrap_or(0)
}

/// The positions of numbers, the largest first.
fn descending(numbers: &[u64]) -> Vec<usize> {
    let mut positions: Vec<usize> = (0..numbers.len()).collect();
    positions.sort_by_key(|&at| std::cmp::Reverse(numbers[at]));
    positions
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_left_is_of_the_usual_size() {
        let problem = Plain { frequencies: vec![5, 900, 4, 5, 300], capacities: vec![6, 1000, 6, 5, 250] };
        let paired = Paired::of(&problem).expect("900 and 300 are much larger than 5");
        assert_eq!(paired.rest.frequencies, [5, 6, 4, 5, 6]);
        assert_eq!(paired.rest.capacities, [6, 6, 6, 5, 56]);
        let alone = Plain { frequencies: vec![5, 900, 4], capacities: vec![90; 11] };
        assert!(Paired::of(&alone).is_none());
    }

    #[test]
    fn people_put_together_join_those_who_come_later() {
        let problem = Plain { frequencies: vec![100, 2, 2], capacities: vec![100, 2, 2] };
        let paired = Paired::of(&problem).expect("a hundred are much more than two");
        let placed = |slot, units| Placement { slot, units };
        let of_rest = Schedule { rows: vec![vec![placed(0, 2)], vec![placed(1, 2)], vec![placed(2, 2)]] };
        assert_eq!(paired.schedule(of_rest).rows[0], [placed(0, 100)]);
    }
}
