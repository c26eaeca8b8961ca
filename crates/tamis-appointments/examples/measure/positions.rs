//! Where vectors stand in their order, in floating point, which is enough for means of shares.

use tamis_appointments::AnonymityVector;

/// Positions of the vectors of so many people in their order, (N) being 0.
pub(crate) struct Positions {
    /// `[m][j]`: in how many ways m is a sum of parts of at least j
    ways: Vec<Vec<f64>>,
}

impl Positions {
    pub(crate) fn new(people: usize) -> Self {
        let mut ways = vec![vec![0.0; people + 2]; people + 1];
        ways[0].fill(1.0);
        for part in (1..=people).rev() {
            for sum in part..=people {
                ways[sum][part] = ways[sum][part + 1] + ways[sum - part][part];
            }
        }
        Self { ways }
    }

    pub(crate) fn of(&self, vector: &AnonymityVector) -> f64 {
        let mut people = vector.people() as usize;
        let mut position = 0.0;
        for (size, &cells) in (1..).zip(&vector.to_dense()) {
            if let Some(rest) = people.checked_sub((cells as usize + 1) * size) {
                position += self.ways[rest][size];
            }
            people -= cells as usize * size;
        }
        position
    }
}
