//! Many runs in a few numbers.

use serde::Serialize;

/// Mean, spread and extremes of a figure over the runs of an experiment.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Summary {
    /// The mean.
    pub mean: f64,
    /// The standard error of the mean, in the unit of the mean; a single run has none.
    pub standard_error: Option<f64>,
    /// The smallest.
    pub minimum: f64,
    /// The largest.
    pub maximum: f64,
    /// The values that 5, 25, 50, 75 and 95 percent of the runs do not exceed.
    pub quantiles: [f64; 5],
}

/// The shares of runs below [`Summary::quantiles`].
const SHARES: [f64; 5] = [0.05, 0.25, 0.5, 0.75, 0.95];

impl Summary {
    /// The summary of the values of all runs; none without runs.
    ///
    /// ```
    /// use tamis_appointments::laboratory::experiment::Summary;
    ///
    /// let summary = Summary::of(&[1.0, 2.0, 3.0, 4.0]).unwrap();
    /// assert_eq!((summary.mean, summary.minimum, summary.maximum), (2.5, 1.0, 4.0));
    /// assert!((summary.standard_error.unwrap() - (5.0_f64 / 12.0).sqrt()).abs() < 1e-12);
    /// assert_eq!(Summary::of(&[1.0]).unwrap().standard_error, None);
    /// ```
    pub fn of(values: &[f64]) -> Option<Self> {
        let runs = values.len() as f64;
        let mut sorted = values.to_vec();
        sorted.sort_by(f64::total_cmp);
        let (&minimum, &maximum) = (sorted.first()?, sorted.last()?);
        let mean = values.iter().sum::<f64>() / runs;
        let squares: f64 = values.iter().map(|value| (value - mean).powi(2)).sum();
        let standard_error = (values.len() > 1).then(|| (squares / (runs - 1.0) / runs).sqrt());
        let quantiles = SHARES.map(|share| sorted[((runs * share).ceil() as usize).clamp(1, sorted.len()) - 1]);
        Some(Self { mean, standard_error, minimum, maximum, quantiles })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quantiles_are_values_of_runs() {
        let values: Vec<f64> = (1..=100).rev().map(f64::from).collect();
        assert_eq!(Summary::of(&values).expect("values").quantiles, [5.0, 25.0, 50.0, 75.0, 95.0]);
        assert_eq!(Summary::of(&[7.0, 7.0]).expect("values").standard_error, Some(0.0));
        assert_eq!(Summary::of(&[]), None);
    }
}
