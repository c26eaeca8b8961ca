//! The first and second order statistics of a group, and new points that have them.

use super::Draw;
use super::eigen::Eigen;
use crate::unit_normal::unit_normal;
use rand::{Rng, RngExt};

/// What is kept of a group of points: its mean, and how far it spreads along its principal axes.
#[derive(Debug)]
pub(super) struct GroupStatistics {
    mean: Vec<f64>,
    /// Each eigenvector of the covariance times the standard deviation along it.
    axes: Vec<Vec<f64>>,
}

impl GroupStatistics {
    /// Takes the points as columns. Covariances have n below, not n - 1, so that points drawn anew vary as much as these.
    pub(super) fn of(columns: &[Vec<f64>]) -> Self {
        let n = columns.first().map_or(0, Vec::len).max(1) as f64;
        let mean: Vec<f64> = columns.iter().map(|column| column.iter().sum::<f64>() / n).collect();
        let covariance = |i: usize, j: usize| {
            let products = columns[i].iter().zip(&columns[j]).map(|(x, y)| (x - mean[i]) * (y - mean[j]));
            products.sum::<f64>() / n
        };
        let d = columns.len();
        let eigen = Eigen::of((0..d).map(|i| (0..d).map(|j| covariance(i, j)).collect()).collect());
        let stretched = |(value, vector): (f64, Vec<f64>)| {
            // Rounding can make a zero eigenvalue negative.
            let deviation = value.max(0.0).sqrt();
            vector.into_iter().map(|part| part * deviation).collect()
        };
        Self { axes: eigen.values.into_iter().zip(eigen.vectors).map(stretched).collect(), mean }
    }

    /// A point drawn independently along every axis.
    pub(super) fn draw(&self, draw: Draw, dice: &mut impl Rng) -> Vec<f64> {
        let mut point = self.mean.clone();
        for axis in &self.axes {
            let steps = draw.of_unit_variance(dice);
            for (coordinate, part) in point.iter_mut().zip(axis) {
                *coordinate += steps * part;
            }
        }
        point
    }
}

impl Draw {
    /// A number of mean 0 and variance 1.
    fn of_unit_variance(self, dice: &mut impl Rng) -> f64 {
        match self {
            Self::Uniform => (2.0 * dice.random::<f64>() - 1.0) * f64::sqrt(3.0),
            Self::Normal => unit_normal(dice),
        }
    }
}
