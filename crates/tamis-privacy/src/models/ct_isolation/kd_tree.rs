//! Weighted points in space, found by their distance.
//!
//! A k-d tree: the points are split at the median of the coordinate that spreads most, again and again. For points that are not
//! pathological a search visits a number of nodes that grows with the logarithm of their number.

use std::cmp::Ordering;

/// Leaves of up to so many points are searched one by one.
const LEAF: usize = 8;

/// Points that are all different, with the number of rows at each.
#[derive(Debug)]
pub(super) struct KdTree {
    dimensions: usize,
    /// The points in the order of the tree, coordinates one after the other.
    coordinates: Vec<f64>,
    /// The number of rows at each point, in the order of the tree.
    weights: Vec<u64>,
    /// For each point of the tree the number it was given with.
    numbers: Vec<u32>,
    /// The coordinate each inner node splits at, by the middle of its range.
    axes: Vec<u8>,
}

impl KdTree {
    /// From points, coordinates one after the other, and their weights. Takes n (log n)^2 steps.
    pub(super) fn new(dimensions: usize, points: &[f64], weights: &[u64]) -> Self {
        let mut numbers: Vec<u32> = (0..weights.len() as u32).collect();
        let mut axes = vec![0; weights.len()];
        split(dimensions, points, &mut numbers, &mut axes);
        let point = |&number: &u32| points[number as usize * dimensions..][..dimensions].iter().copied();
        Self {
            dimensions,
            coordinates: numbers.iter().flat_map(point).collect(),
            weights: numbers.iter().map(|&number| weights[number as usize]).collect(),
            numbers,
            axes,
        }
    }

    /// The square of the least distance within which there are at least `weight` rows; infinite if there are fewer altogether.
    pub(super) fn squared_radius(&self, centre: &[f64], weight: u64) -> f64 {
        let mut nearest = Nearest { found: Vec::new(), total: 0, weight };
        self.visit(centre, 0..self.weights.len(), &mut nearest);
        if nearest.total < weight { f64::INFINITY } else { nearest.reach() }
    }

    /// Shows all points with factor times squared distance below `limit`, by number.
    pub(super) fn within(&self, centre: &[f64], factor: f64, limit: f64, show: impl FnMut(u32)) {
        self.visit(centre, 0..self.weights.len(), &mut Within { factor, limit, show, numbers: &self.numbers });
    }

    fn visit(&self, centre: &[f64], range: std::ops::Range<usize>, search: &mut impl Search) {
        if range.len() <= LEAF {
            for place in range {
                search.meet(place, squared_distance(centre, self.point(place)), self.weights[place]);
            }
            return;
        }
        let middle = range.start + range.len() / 2;
        let axis = usize::from(self.axes[middle]);
        let ahead = centre[axis] - self.point(middle)[axis];
        let (below, above) = (range.start..middle, middle + 1..range.end);
        let (near, far) = if ahead < 0.0 { (below, above) } else { (above, below) };
        self.visit(centre, near, search);
        search.meet(middle, squared_distance(centre, self.point(middle)), self.weights[middle]);
        // Rounding is monotone, so no point beyond the plane is nearer than the plane in this arithmetic either.
        if search.reaches(ahead * ahead) {
            self.visit(centre, far, search);
        }
    }

    fn point(&self, place: usize) -> &[f64] {
        &self.coordinates[place * self.dimensions..][..self.dimensions]
    }
}

/// The square of the distance between two points.
pub(super) fn squared_distance(left: &[f64], right: &[f64]) -> f64 {
    left.iter().zip(right).map(|(left, right)| (left - right) * (left - right)).sum()
}

/// Orders the numbers as a tree: the median in the middle, smaller ones before, larger ones after it.
fn split(dimensions: usize, points: &[f64], numbers: &mut [u32], axes: &mut [u8]) {
    if numbers.len() <= LEAF {
        return;
    }
    let coordinate = |number: u32, axis: usize| points[number as usize * dimensions + axis];
    let spread = |axis: usize| {
        let range = numbers.iter().fold((f64::INFINITY, f64::NEG_INFINITY), |(least, most), &number| {
            (least.min(coordinate(number, axis)), most.max(coordinate(number, axis)))
        });
        range.1 - range.0
    };
    let widest = (0..dimensions).max_by(|&left, &right| spread(left).total_cmp(&spread(right))).unwrap_or(0);
    let middle = numbers.len() / 2;
    let order = |left: &u32, right: &u32| coordinate(*left, widest).total_cmp(&coordinate(*right, widest));
    numbers.select_nth_unstable_by(middle, order);
    axes[middle] = widest as u8;
    let (below, above) = numbers.split_at_mut(middle);
    let (axes_below, axes_above) = axes.split_at_mut(middle);
    split(dimensions, points, below, axes_below);
    split(dimensions, points, &mut above[1..], &mut axes_above[1..]);
}

/// What is looked for.
trait Search {
    /// Meets a point at a squared distance.
    fn meet(&mut self, place: usize, squared: f64, weight: u64);
    /// Whether points at this squared distance or farther may still matter.
    fn reaches(&self, squared: f64) -> bool;
}

/// The nearest points that together have enough rows, as a heap with the farthest first.
struct Nearest {
    found: Vec<(f64, u64)>,
    total: u64,
    weight: u64,
}

impl Nearest {
    fn reach(&self) -> f64 {
        self.found.last().map_or(f64::INFINITY, |&(squared, _)| squared)
    }
}

impl Search for Nearest {
    fn meet(&mut self, _: usize, squared: f64, weight: u64) {
        if !self.reaches(squared) {
            return;
        }
        let at = self.found.partition_point(|(other, _)| other.total_cmp(&squared) != Ordering::Greater);
        self.found.insert(at, (squared, weight));
        self.total += weight;
        while let Some(&(_, farthest)) = self.found.last()
            && self.total - farthest >= self.weight
        {
            self.found.pop();
            self.total -= farthest;
        }
    }

    fn reaches(&self, squared: f64) -> bool {
        self.total < self.weight || squared < self.reach()
    }
}

/// All points that are near enough.
struct Within<'a, F> {
    factor: f64,
    limit: f64,
    show: F,
    numbers: &'a [u32],
}

impl<F: FnMut(u32)> Search for Within<'_, F> {
    fn meet(&mut self, place: usize, squared: f64, _: u64) {
        if self.reaches(squared) {
            (self.show)(self.numbers[place]);
        }
    }

    fn reaches(&self, squared: f64) -> bool {
        self.factor * squared < self.limit
    }
}

#[cfg(test)]
mod tests {
    use super::{KdTree, squared_distance};

    #[test]
    fn what_is_found_is_what_looking_at_every_point_finds() {
        let mut state = 7u64;
        let mut dice = |below: u64| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            (state >> 33) % below
        };
        for (number, dimensions) in [(0, 2), (1, 1), (9, 1), (60, 2), (300, 3)] {
            let points: Vec<f64> = (0..number * dimensions).map(|_| dice(12) as f64).collect();
            let weights: Vec<u64> = (0..number).map(|_| 1 + dice(3)).collect();
            let tree = KdTree::new(dimensions, &points, &weights);
            for _ in 0..60 {
                let centre: Vec<f64> = (0..dimensions).map(|_| dice(12) as f64).collect();
                let distance = |point: usize| squared_distance(&centre, &points[point * dimensions..][..dimensions]);
                let wanted = 1 + dice(9);
                let mut near: Vec<(f64, u64)> = (0..number).map(|point| (distance(point), weights[point])).collect();
                near.sort_by(|left, right| left.0.total_cmp(&right.0));
                let mut total = 0;
                let radius = near.iter().find(|(_, weight)| {
                    total += weight;
                    total >= wanted
                });
                assert_eq!(tree.squared_radius(&centre, wanted), radius.map_or(f64::INFINITY, |found| found.0));
                let limit = dice(60) as f64;
                let mut found = Vec::new();
                tree.within(&centre, 2.0, limit, |point| found.push(point as usize));
                found.sort_unstable();
                let expected: Vec<usize> = (0..number).filter(|&point| 2.0 * distance(point) < limit).collect();
                assert_eq!(found, expected);
            }
        }
    }
}
