//! What arithmetic alone says about cells.

use crate::vector::AnonymityVector;

/// Whether so many people split into cells of sizes from `least` to `most`.
fn splits(people: u64, least: u64, most: u64) -> bool {
    people == 0 || (most >= least && least > 0 && people.div_ceil(most) <= people / least)
}

/// The fewest cells of a size, but at least so many, such that the other people split into larger ones up to the largest.
pub(super) fn fewest_of_size(size: u64, people: u64, largest: u64, at_least: u64) -> Option<u64> {
    (at_least..=people / size).find(|&cells| splits(people - cells * size, size + 1, largest))
}

/// The smallest vector that begins with the proved components, has at least so many cells of the next size, and holds so many
/// people beyond the proved ones in cells up to the largest size.
pub(super) fn smallest_vector(proved: &[u32], left: u64, largest: u64, at_least: u64) -> AnonymityVector {
    let mut counts: Vec<(u64, u64)> = (1..).zip(proved.iter().map(|&cells| u64::from(cells))).collect();
    let (mut left, mut at_least) = (left, at_least);
    let mut size = proved.len() as u64 + 1;
    while left > 0 && size <= largest {
        let Some(cells) =
            fewest_of_size(size, left, largest, at_least).or_else(|| fewest_of_size(size, left, largest, 0))
        else {
            break;
        };
        counts.push((size, cells));
        left -= cells * size;
        at_least = 0;
        size += 1;
    }
    AnonymityVector::of_counts(counts)
}
