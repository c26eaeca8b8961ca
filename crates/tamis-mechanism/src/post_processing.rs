//! What may be done to noisy counts without looking at the data again.

/// How noisy counts are made to look like counts. Free of charge: whoever has the noisy counts could do it too.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum PostProcessing {
    /// As they are: unbiased, some below 0.
    #[default]
    None,
    /// What is below 0 becomes 0. Small counts and totals come out too large on average.
    Clamp,
    /// None below 0, and the total stays that of the noisy counts: the nearest such counts.
    KeepTotal,
}

impl PostProcessing {
    /// The counts to tell. O(n log n).
    ///
    /// ```
    /// use tamis_mechanism::PostProcessing;
    /// assert_eq!(PostProcessing::Clamp.apply(&[7, -3, 2]), [7, 0, 2]);
    /// assert_eq!(PostProcessing::KeepTotal.apply(&[7, -3, 2]), [5, 0, 1]);
    /// ```
    pub fn apply(self, noisy: &[i64]) -> Vec<i64> {
        match self {
            Self::None => noisy.to_vec(),
            Self::Clamp => noisy.iter().map(|&count| count.max(0)).collect(),
            Self::KeepTotal => keep_total(noisy),
        }
    }
}

/// The nearest whole numbers of at least 0 with the same total: the same amount is taken off every count that stays above 0, and what
/// whole numbers leave over is taken off the first ones.
fn keep_total(noisy: &[i64]) -> Vec<i64> {
    let target = noisy.iter().map(|&count| i128::from(count)).sum::<i128>().max(0);
    let mut sorted: Vec<i128> = noisy.iter().map(|&count| count.into()).collect();
    sorted.sort_unstable_by(|left, right| right.cmp(left));
    // The most counts that can stay above what is taken off them.
    let (mut sum, mut kept_sum, mut kept) = (0_i128, 0_i128, 0_i128);
    for (rank, &count) in (1_i128..).zip(&sorted) {
        sum += count;
        if count * rank > sum - target {
            (kept_sum, kept) = (sum, rank);
        }
    }
    if kept == 0 {
        return vec![0; noisy.len()];
    }
    let excess = kept_sum - target;
    let (each, mut left) = (excess.div_euclid(kept), excess.rem_euclid(kept));
    let mut told: Vec<i128> = noisy.iter().map(|&count| (i128::from(count) - each).max(0)).collect();
    for count in &mut told {
        if left > 0 && *count > 0 {
            *count -= 1;
            left -= 1;
        }
    }
    told.into_iter().map(|count| i64::try_from(count).unwrap_or(i64::MAX)).collect()
}
