//! Pearson correlations between columns of numbers.

use serde::Serialize;

/// The correlation of every two columns, over the rows where both hold a number.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Correlations {
    /// The columns, in the order of rows and columns of the matrices.
    pub columns: Vec<String>,
    /// Before; none where a column is constant.
    pub before: Vec<Vec<Option<f64>>>,
    /// After.
    pub after: Vec<Vec<Option<f64>>>,
    /// The two columns whose correlation changed most; none if nothing can be compared.
    pub largest_change: Option<CorrelationChange>,
}

/// How the correlation of two columns changed.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct CorrelationChange {
    /// The two columns.
    pub columns: [String; 2],
    /// Their correlation before.
    pub before: f64,
    /// Their correlation after.
    pub after: f64,
}

impl CorrelationChange {
    /// The size of the change.
    pub fn size(&self) -> f64 {
        (self.after - self.before).abs()
    }
}

impl Correlations {
    /// Takes the numbers of each column before and after, NaN where there is none.
    pub(super) fn of(columns: Vec<String>, numbers: &[(Vec<f64>, Vec<f64>)]) -> Self {
        let before: Vec<&[f64]> = numbers.iter().map(|(before, _)| before.as_slice()).collect();
        let after: Vec<&[f64]> = numbers.iter().map(|(_, after)| after.as_slice()).collect();
        let (before, after) = (matrix(&before), matrix(&after));
        let mut correlations = Self { columns, before, after, largest_change: None };
        correlations.largest_change = correlations.changes().into_iter().next();
        correlations
    }

    /// The change of every two columns that can be compared, the largest first.
    pub fn changes(&self) -> Vec<CorrelationChange> {
        let mut changes = Vec::new();
        for (i, first) in self.columns.iter().enumerate() {
            for (j, second) in self.columns.iter().enumerate().skip(i + 1) {
                if let (Some(before), Some(after)) = (self.before[i][j], self.after[i][j]) {
                    changes.push(CorrelationChange { columns: [first.clone(), second.clone()], before, after });
                }
            }
        }
        changes.sort_by(|left, right| right.size().total_cmp(&left.size()));
        changes
    }
}

fn matrix(columns: &[&[f64]]) -> Vec<Vec<Option<f64>>> {
    let mut matrix = vec![vec![None; columns.len()]; columns.len()];
    for (i, left) in columns.iter().enumerate() {
        for (j, right) in columns.iter().enumerate().take(i + 1) {
            let correlation = correlation(left, right);
            matrix[i][j] = correlation;
            matrix[j][i] = correlation;
        }
    }
    matrix
}

/// In two passes, the second correcting the rounding of the first.
fn correlation(left: &[f64], right: &[f64]) -> Option<f64> {
    let pairs = || left.iter().zip(right).filter(|(x, y)| !x.is_nan() && !y.is_nan());
    let (&x0, &y0) = pairs().next()?;
    let (mut n, mut sum_x, mut sum_y, mut same_x, mut same_y) = (0.0, 0.0, 0.0, true, true);
    for (&x, &y) in pairs() {
        n += 1.0;
        sum_x += x;
        sum_y += y;
        same_x &= x == x0;
        same_y &= y == y0;
    }
    // A constant column may deviate from its mean by rounding; that must not pass for a correlation.
    if same_x || same_y {
        return None;
    }
    let (mean_x, mean_y) = (sum_x / n, sum_y / n);
    let (mut xx, mut yy, mut xy, mut rest_x, mut rest_y) = (0.0, 0.0, 0.0, 0.0, 0.0);
    for (&x, &y) in pairs() {
        let (dx, dy) = (x - mean_x, y - mean_y);
        xx += dx * dx;
        yy += dy * dy;
        xy += dx * dy;
        rest_x += dx;
        rest_y += dy;
    }
    let variances = (xx - rest_x * rest_x / n).sqrt() * (yy - rest_y * rest_y / n).sqrt();
    let correlation = (xy - rest_x * rest_y / n) / variances;
    correlation.is_finite().then(|| correlation.clamp(-1.0, 1.0))
}
