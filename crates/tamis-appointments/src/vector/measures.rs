//! Single figures of a vector: what the thesis proposes beside k and the index, for readers who want a mean.

use super::{AnonymityVector, VectorError};
use serde::Serialize;

/// Measures that take all components of the vector into account. N are the people, C the cells, s a cell's size.
///
/// ```
/// use tamis_appointments::{AnonymityVector, vector::Measures};
///
/// // The appointments of the paper's Table 3: nine people alone, three pairs.
/// let measures = Measures::of(&AnonymityVector::from_dense(&[9, 3]), 2)?;
/// assert_eq!(measures.mean_cell, 15.0 / 12.0);
/// assert_eq!(measures.mean_crowd, 21.0 / 15.0);
/// assert_eq!((measures.share_alone, measures.risk), (0.6, 0.8));
/// # Ok::<(), tamis_appointments::vector::VectorError>(())
/// ```
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Measures {
    /// N: people in all.
    pub people: u64,
    /// C: cells in all.
    pub cells: u64,
    /// The size of the smallest cell.
    pub k: u64,
    /// The size of the largest cell.
    pub largest: u64,
    /// N / C: the size of a random cell.
    pub mean_cell: f64,
    /// `sum of s^2 / N`: the size of the cell a random person stands in, the mean of sizes weighted by people.
    pub mean_crowd: f64,
    /// The size of the cell in the middle when cells are sorted by size; the mean of two if there are two.
    pub median_cell: f64,
    /// The size of the cell that the person in the middle stands in when people are sorted by the size of their cell.
    pub median_crowd: f64,
    /// `v[1] / N`: the share of people who stand alone.
    pub share_alone: f64,
    /// People in small cells.
    pub below: BelowThreshold,
    /// C / N: how often somebody is right who knows the quasi-identifier and slot of a random person and guesses who it is.
    pub risk: f64,
    /// `1 / k`: how often at the worst.
    pub highest_risk: f64,
    /// `-sum of (s/N) log2(s/N)`: what quasi-identifier and slot tell about a random person, in bits; log2 N tells them apart.
    pub entropy_bits: f64,
    /// `2^entropy`: as many cells of equal size would tell as much.
    pub effective_cells: f64,
    /// `N / 2^entropy`: the size those cells would have, which is the geometric mean of crowds.
    pub effective_crowd: f64,
}

/// The people in cells of fewer than k people.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct BelowThreshold {
    /// k.
    pub k: u64,
    /// How many people stand in smaller cells.
    pub people: u64,
    /// Their share.
    pub share: f64,
}

impl Measures {
    /// The measures of a vector; `below` is the cell size that is asked for. One pass over the sizes that occur.
    pub fn of(vector: &AnonymityVector, below: u64) -> Result<Self, VectorError> {
        let people = vector.checked_people()?;
        let counts = vector.counts();
        let n = people as f64;
        let cells = vector.cells();
        let squares: f64 = counts.iter().map(|&(size, cells)| (size as f64).powi(2) * cells as f64).sum();
        let in_small = counts.iter().take_while(|&&(size, _)| size < below).map(|&(size, cells)| size * cells).sum();
        let bits = |&(size, cells): &(u64, u64)| {
            let share = size as f64 / n;
            -(cells as f64) * share * share.log2()
        };
        // A single cell gives minus zero.
        let entropy_bits = counts.iter().map(bits).sum::<f64>().max(0.0);
        let k = vector.k().unwrap_or(0);
        Ok(Self {
            people,
            cells,
            k,
            largest: vector.largest(),
            mean_cell: n / cells as f64,
            mean_crowd: squares / n,
            median_cell: median(&counts.iter().copied(), cells),
            median_crowd: median(&counts.iter().map(|&(size, cells)| (size, size * cells)), people),
            share_alone: vector.cells_of_size(1) as f64 / n,
            below: BelowThreshold { k: below, people: in_small, share: in_small as f64 / n },
            risk: cells as f64 / n,
            highest_risk: (k as f64).recip(),
            entropy_bits,
            effective_cells: entropy_bits.exp2(),
            effective_crowd: n / entropy_bits.exp2(),
        })
    }
}

/// The value in the middle of values with their weights, ascending; the mean of the two middle ones if the total is even.
fn median(values: &(impl Iterator<Item = (u64, u64)> + Clone), total: u64) -> f64 {
    let at = |place: u64| {
        let mut passed = 0;
        let found = values.clone().find(|&(_, weight)| {
            passed += weight;
            passed > place
        });
        found.map_or(0, |(value, _)| value) as f64
    };
    f64::midpoint(at((total - 1) / 2), at(total / 2))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        /// Every measure again, from the list of people with the size of their cell.
        #[test]
        fn measures_are_those_of_the_list_of_people(sizes in prop::collection::vec(1_u64..9, 1..40), below in 1_u64..9) {
            let measures = Measures::of(&AnonymityVector::of_sizes(sizes.iter().copied()), below).expect("people");
            let mut crowds: Vec<u64> = sizes.iter().flat_map(|&size| vec![size; size as usize]).collect();
            crowds.sort_unstable();
            let mut sizes = sizes;
            sizes.sort_unstable();
            let n = crowds.len() as f64;
            let middle = |list: &[u64]| (list[(list.len() - 1) / 2] + list[list.len() / 2]) as f64 / 2.0;
            let close = |left: f64, right: f64| (left - right).abs() < 1e-9;
            prop_assert_eq!((measures.median_cell, measures.median_crowd), (middle(&sizes), middle(&crowds)));
            prop_assert!(close(measures.mean_crowd, crowds.iter().sum::<u64>() as f64 / n));
            prop_assert!(close(measures.mean_cell, n / sizes.len() as f64));
            prop_assert!(close(measures.risk, crowds.iter().map(|&crowd| 1.0 / crowd as f64).sum::<f64>() / n));
            prop_assert_eq!(measures.below.people, crowds.iter().filter(|&&crowd| crowd < below).count() as u64);
            prop_assert!(close(measures.share_alone * n, crowds.iter().filter(|&&crowd| crowd == 1).count() as f64));
            let geometric = (crowds.iter().map(|&crowd| (crowd as f64).ln()).sum::<f64>() / n).exp();
            prop_assert!(close(measures.effective_crowd, geometric));
            prop_assert!(close(measures.effective_cells * geometric, n));
            // A random person stands in a larger cell than a random cell is, unless all are alike.
            prop_assert!(measures.mean_crowd > measures.mean_cell - 1e-9);
        }
    }

    #[test]
    fn one_cell_of_everybody_tells_nothing() {
        let measures = Measures::of(&AnonymityVector::of_sizes([1_000_000_000]), 5).expect("people");
        assert_eq!((measures.entropy_bits, measures.effective_cells, measures.mean_crowd), (0.0, 1.0, 1e9));
        assert_eq!(Measures::of(&AnonymityVector::default(), 5), Err(VectorError::NoPeople));
    }
}
