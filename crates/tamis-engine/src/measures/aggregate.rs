//! One number, or ranking, from the parts of the attributes.

use crate::Score;

/// How the parts of the attributes are put together.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Aggregate {
    /// Product over attributes of (w x + 1)^(1/d), minus 1.
    Geometric,
    /// Mean of w x.
    Arithmetic,
    /// Sum of w x.
    Sum,
    /// Largest w x.
    Max,
    /// All w x in descending order, compared position by position.
    Rank,
}

impl Aggregate {
    /// All of them.
    pub const ALL: [Self; 5] = [Self::Geometric, Self::Arithmetic, Self::Sum, Self::Max, Self::Rank];

    /// Name in policies.
    pub fn name(self) -> &'static str {
        match self {
            Self::Geometric => "geometric",
            Self::Arithmetic => "arithmetic",
            Self::Sum => "sum",
            Self::Max => "max",
            Self::Rank => "rank",
        }
    }

    /// The aggregate of that name.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|aggregate| aggregate.name() == name)
    }

    /// Puts parts together. Every aggregate grows with each part, so bounds on parts give a bound on the whole.
    ///
    /// ```
    /// use tamis_engine::Aggregate;
    /// assert_eq!(Aggregate::Max.combine([0.1, 0.3].into_iter(), &[1.0, 0.5]).value(), 0.15);
    /// ```
    pub fn combine(self, parts: impl Iterator<Item = f64>, weights: &[f64]) -> Score {
        let count = weights.len() as f64;
        let mut weighted = parts.zip(weights).map(|(part, weight)| part * weight);
        Score::number(match self {
            Self::Geometric => {
                // Of parts up to 1 the mean is not above 1, and it is 1 if all of them are; the roundings of the roots would make it
                // 1.0000000000000009 or 0.9999999999999996.
                let (mut product, mut most, mut is_everything) = (1.0, 1.0_f64, count > 0.0);
                for part in weighted {
                    product *= (part + 1.0).powf(1.0 / count);
                    most = most.max(part);
                    is_everything &= part == 1.0;
                }
                if is_everything { 1.0 } else { (product - 1.0).min(most) }
            }
            Self::Arithmetic => weighted.sum::<f64>() / count,
            Self::Sum => weighted.sum(),
            Self::Max => weighted.fold(0.0, f64::max),
            Self::Rank => {
                let mut parts: Vec<f64> = weighted.by_ref().collect();
                parts.sort_unstable_by(|left, right| right.total_cmp(left));
                return Score::sequence(parts);
            }
        })
    }
}
