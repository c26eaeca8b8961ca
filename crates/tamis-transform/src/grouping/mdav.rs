//! MDAV: groups of at least k rows around the rows farthest from the centre.
//!
//! While at least 3k rows are left: r is the row farthest from the centre of those left; r and the k - 1 rows nearest to it are a
//! group; s is the row farthest from r of the rest; s and the k - 1 rows nearest to it are another. If at least 2k rows are left
//! afterwards, one more group is formed around the row farthest from their centre. What is left, k to 2k - 1 rows, is the last group.
//! (Domingo-Ferrer and Mateo-Sanz 2002; stated for all kinds of columns as MDAV-generic by Domingo-Ferrer and Torra 2005.)
//!
//! The centre has the mean of each column of numbers and the most frequent value of each column of categories, the one with the
//! lowest code of several; of equally far or near rows the first one is taken. Distances are squares of Euclid's, where two
//! categories that differ are one apart.
//!
//! n/k groups take a few passes over the rows left each: O(n² d / k) for n rows of d columns, plus O(n log k) a group at worst for
//! the nearest rows. Columns lie side by side and are compacted as rows go, so that all passes are plain loops over slices.

use super::{Groups, Points};
use std::collections::BinaryHeap;

/// Groups of k to 2k - 1 rows; one group if there are fewer than 2k rows. `k` must not be 0.
///
/// ```
/// use tamis_transform::grouping::{Points, mdav};
/// let points = Points { numbers: vec![vec![1.0, 9.0, 1.1, 8.0, 1.2]], categories: vec![] };
/// let groups = mdav(&points, 2);
/// assert_eq!(groups.of_row, [1, 0, 1, 0, 1]);
/// ```
pub fn mdav(points: &Points, k: usize) -> Groups {
    let mut left = Left::new(points);
    let mut groups = Groups { of_row: vec![0; points.len()], count: 0 };
    while left.len() >= 3 * k {
        left.measure(&left.centre());
        let far = left.farthest();
        left.measure(&left.point(far));
        left.take_nearest(far, k, &mut groups);
        let opposite = left.farthest();
        left.measure(&left.point(opposite));
        left.take_nearest(opposite, k, &mut groups);
        left.compact();
    }
    if left.len() >= 2 * k {
        left.measure(&left.centre());
        let far = left.farthest();
        left.measure(&left.point(far));
        left.take_nearest(far, k, &mut groups);
        left.compact();
    }
    if left.len() > 0 {
        left.take_all(&mut groups);
    }
    groups
}

/// One point.
struct Point {
    numbers: Vec<f64>,
    categories: Vec<u32>,
}

/// The rows that belong to no group yet, in their order.
struct Left {
    rows: Vec<u32>,
    numbers: Vec<Vec<f64>>,
    categories: Vec<Vec<u32>>,
    /// How many of the rows left hold each category of each column.
    counts: Vec<Vec<u32>>,
    /// Squared distances from the point measured last.
    distances: Vec<f64>,
    /// Put into a group since the rows were compacted.
    is_taken: Vec<bool>,
    /// The nearest rows while they are looked for; the farthest of them on top.
    nearest: BinaryHeap<(u64, usize)>,
}

impl Left {
    fn new(points: &Points) -> Self {
        let rows = points.len();
        let counts = points.categories.iter().map(|codes| {
            let mut counts = vec![0; codes.iter().max().map_or(0, |&code| code as usize + 1)];
            for &code in codes {
                counts[code as usize] += 1;
            }
            counts
        });
        Self {
            rows: (0..rows as u32).collect(),
            numbers: points.numbers.clone(),
            categories: points.categories.clone(),
            counts: counts.collect(),
            distances: vec![0.0; rows],
            is_taken: vec![false; rows],
            nearest: BinaryHeap::new(),
        }
    }

    fn len(&self) -> usize {
        self.rows.len()
    }

    /// Sums are made anew in the order of rows: subtracting what was taken would let rounding decide between equally far rows.
    fn centre(&self) -> Point {
        let mode = |counts: &Vec<u32>| {
            let first_most = |best: usize, code: usize| if counts[code] > counts[best] { code } else { best };
            (0..counts.len()).reduce(first_most).unwrap_or(0) as u32
        };
        Point {
            numbers: self.numbers.iter().map(|column| column.iter().sum::<f64>() / self.len() as f64).collect(),
            categories: self.counts.iter().map(mode).collect(),
        }
    }

    fn point(&self, position: usize) -> Point {
        Point {
            numbers: self.numbers.iter().map(|column| column[position]).collect(),
            categories: self.categories.iter().map(|column| column[position]).collect(),
        }
    }

    fn measure(&mut self, from: &Point) {
        self.distances.fill(0.0);
        for (column, &origin) in self.numbers.iter().zip(&from.numbers) {
            for (distance, &number) in self.distances.iter_mut().zip(column) {
                *distance += (number - origin) * (number - origin);
            }
        }
        for (column, &origin) in self.categories.iter().zip(&from.categories) {
            for (distance, &category) in self.distances.iter_mut().zip(column) {
                *distance += if category == origin { 0.0 } else { 1.0 };
            }
        }
    }

    /// The first of the farthest rows that are not taken; some row must not be.
    fn farthest(&self) -> usize {
        let (mut farthest, mut most) = (0, -1.0);
        for (position, (&distance, &is_taken)) in self.distances.iter().zip(&self.is_taken).enumerate() {
            if distance > most && !is_taken {
                (farthest, most) = (position, distance);
            }
        }
        farthest
    }

    /// Makes a group of the row at `origin`, from which distances were measured, and the k - 1 rows nearest to it.
    fn take_nearest(&mut self, origin: usize, k: usize, groups: &mut Groups) {
        self.take(origin, groups.count as u32, groups);
        // The bits of doubles that are not negative are in the order of the doubles.
        let mut limit = if k > 1 { u64::MAX } else { 0 };
        for (position, (&distance, &is_taken)) in self.distances.iter().zip(&self.is_taken).enumerate() {
            let distance = distance.to_bits();
            // Of equally near rows the first one stays, so a later one must be nearer than the farthest.
            if distance < limit && !is_taken {
                self.nearest.push((distance, position));
                if self.nearest.len() == k {
                    self.nearest.pop();
                }
                if self.nearest.len() + 1 == k {
                    limit = self.nearest.peek().map_or(0, |&(distance, _)| distance);
                }
            }
        }
        while let Some((_, position)) = self.nearest.pop() {
            self.take(position, groups.count as u32, groups);
        }
        groups.count += 1;
    }

    fn take_all(&mut self, groups: &mut Groups) {
        for &row in &self.rows {
            groups.of_row[row as usize] = groups.count as u32;
        }
        groups.count += 1;
    }

    fn take(&mut self, position: usize, group: u32, groups: &mut Groups) {
        groups.of_row[self.rows[position] as usize] = group;
        self.is_taken[position] = true;
        for (column, counts) in self.categories.iter().zip(&mut self.counts) {
            counts[column[position] as usize] -= 1;
        }
    }

    /// Closes the gaps that taken rows left.
    fn compact(&mut self) {
        let is_taken = std::mem::take(&mut self.is_taken);
        keep(&mut self.rows, &is_taken);
        self.numbers.iter_mut().for_each(|column| keep(column, &is_taken));
        self.categories.iter_mut().for_each(|column| keep(column, &is_taken));
        self.distances.truncate(self.rows.len());
        self.is_taken = is_taken;
        self.is_taken.truncate(self.rows.len());
        self.is_taken.fill(false);
    }
}

fn keep<T: Copy>(values: &mut Vec<T>, is_taken: &[bool]) {
    let mut kept = 0;
    for position in 0..values.len() {
        values[kept] = values[position];
        kept += usize::from(!is_taken[position]);
    }
    values.truncate(kept);
}
