//! SUDA scores: how special a unique person is.
//!
//! A minimal sample unique of k columns, found among d columns in a search up to size M, scores the product over i = k..M of (d - i),
//! where a factor of 0 at i = d is left out (Elliot, Manning and Ford 2002; sdcMicro with M = d, where it is (d - k)!). Fewer columns
//! that suffice to single someone out score more. A person's score is the sum over their minimal uniques.
//!
//! DIS is the probability that a unique match with the file is right (Skinner and Elliot 2002): with U uniques, P people in pairs and a
//! sampling fraction f it is fU / (fU + (1 - f)P). It is shared out among the uniques by their scores as sdcMicro does: with
//! Q = 1 + (8 - d)/20 and A the sum of 1/score^Q over all uniques, a person's is 1 / (1 + (U/DIS - U) / (score^Q A)).

use crate::{ColumnSet, MinimalUniques, Records};

/// Scores of every tuple and what each column adds to them.
#[derive(Debug, Clone, PartialEq)]
pub struct Scores {
    /// The score of every tuple; 0 for those without minimal uniques.
    pub of_tuple: Vec<f64>,
    /// For every column the share of all scores that comes from minimal uniques with it. They overlap, so they do not sum to 1.
    pub of_column: Vec<f64>,
}

/// The score of a minimal unique of `k` of `d` columns in a search up to `size`.
///
/// ```
/// use tamis_risk::suda::score;
/// assert_eq!((score(1, 4, 4), score(2, 4, 4), score(2, 4, 2)), (6.0, 2.0, 2.0));
/// assert_eq!(score(1, 4, 2), 6.0);
/// ```
pub fn score(k: usize, d: usize, size: usize) -> f64 {
    (k..=size.min(d.saturating_sub(1))).map(|i| (d - i) as f64).product()
}

/// Sums the scores. Linear in the minimal uniques.
pub fn scores(records: &Records, uniques: &MinimalUniques) -> Scores {
    let width = records.width();
    let mut of_tuple = vec![0.0; records.tuples()];
    let mut of_column = vec![0.0; width];
    let mut total = 0.0;
    for &(tuple, set) in &uniques.found {
        let score = score(set.size(), width, uniques.size);
        let weighted = score * records.rows(tuple as usize) as f64;
        of_tuple[tuple as usize] += score;
        total += weighted;
        for column in ColumnSet::columns(set) {
            of_column[column] += weighted;
        }
    }
    if total > 0.0 {
        for share in &mut of_column {
            *share /= total;
        }
    }
    Scores { of_tuple, of_column }
}

/// The probability that a unique match is right; none without uniques and pairs.
pub fn dis(records: &Records, fraction: f64) -> Option<f64> {
    let people = |size: u64| {
        (0..records.tuples()).filter(|&tuple| records.size(tuple) == size).map(|tuple| records.size(tuple)).sum::<u64>()
            as f64
    };
    let (uniques, paired) = (fraction * people(1), (1.0 - fraction) * people(2));
    (uniques + paired > 0.0).then(|| uniques / (uniques + paired))
}

/// The same shared out by score: one number for every tuple, 0 where nobody is unique.
pub fn dis_scores(records: &Records, scores: &Scores, fraction: f64) -> Vec<f64> {
    let none = vec![0.0; records.tuples()];
    let Some(dis) = dis(records, fraction).filter(|&dis| dis > 0.0) else { return none };
    let power = 1.0 + (8.0 - records.width() as f64) / 20.0;
    let with_score = || (0..records.tuples()).filter(|&tuple| scores.of_tuple[tuple] > 0.0);
    let adjustment: f64 = with_score().map(|tuple| scores.of_tuple[tuple].powf(-power)).sum();
    let uniques = (0..records.tuples()).filter(|&tuple| records.size(tuple) == 1).count() as f64;
    let mut shared = none;
    for tuple in with_score() {
        let against = (uniques / dis - uniques) / (scores.of_tuple[tuple].powf(power) * adjustment);
        shared[tuple] = 1.0 / (1.0 + against);
    }
    shared
}
