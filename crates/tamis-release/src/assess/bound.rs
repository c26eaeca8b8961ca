//! Bounds that a table must meet, as `--require` gives them.

use super::{Assessment, Diversity};
use crate::ReleaseError;

/// A bound a table must meet.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Bound {
    /// At least this k.
    K(u64),
    /// At least this many different sensitive values in every class.
    L(u64),
    /// At least this entropy diversity.
    EntropyL(f64),
    /// Recursive diversity with this c and the l of the options.
    C(f64),
    /// At most this distance.
    T(f64),
    /// At most this risk for anyone.
    Risk(f64),
    /// At most this share of one value.
    Alpha(f64),
    /// Basic beta-likeness.
    Beta(f64),
    /// Delta-disclosure privacy.
    Delta(f64),
}

impl Bound {
    /// Parses `k=5,l=3,t=0.2`; also `entropy`, `c`, `alpha`, `beta`, `delta` and `risk`.
    ///
    /// ```
    /// use tamis_release::assess::Bound;
    /// assert_eq!(Bound::parse_list("k=5,t=0.2")?, [Bound::K(5), Bound::T(0.2)]);
    /// # Ok::<(), tamis_release::ReleaseError>(())
    /// ```
    pub fn parse_list(text: &str) -> Result<Vec<Self>, ReleaseError> {
        text.split(',').map(|part| Self::parse(part.trim())).collect()
    }

    fn parse(text: &str) -> Result<Self, ReleaseError> {
        let bad = || {
            ReleaseError::Setting(format!(
                "`{text}` is no requirement; expected k=NUMBER, l=NUMBER, entropy=NUMBER, c=NUMBER, t=NUMBER, alpha=NUMBER, beta=NUMBER, delta=NUMBER or risk=NUMBER"
            ))
        };
        let (name, value) = text.split_once('=').ok_or_else(bad)?;
        let whole = || value.trim().parse::<u64>().ok().filter(|&whole| whole >= 1).ok_or_else(bad);
        let number = |most: f64| {
            value.trim().parse::<f64>().ok().filter(|&number| number >= 0.0 && number <= most).ok_or_else(bad)
        };
        match name.trim() {
            "k" => whole().map(Self::K),
            "l" => whole().map(Self::L),
            "entropy" | "entropy_l" => number(f64::MAX).map(Self::EntropyL),
            "c" => number(f64::MAX).map(Self::C),
            "t" => number(1.0).map(Self::T),
            "risk" => number(1.0).map(Self::Risk),
            "alpha" => number(1.0).map(Self::Alpha),
            "beta" => number(f64::MAX).map(Self::Beta),
            "delta" => number(f64::MAX).map(Self::Delta),
            _ => Err(bad()),
        }
    }

    /// Why the table does not meet the bound, if it does not.
    pub fn violation(self, assessment: &Assessment) -> Result<Option<String>, ReleaseError> {
        if !matches!(self, Self::K(_) | Self::Risk(_)) && assessment.sensitive.is_empty() {
            return Err(ReleaseError::Setting(
                "l, entropy, c, t, alpha, beta and delta need a sensitive attribute; name one with --sensitive"
                    .to_owned(),
            ));
        }
        let of_each = |fails: &dyn Fn(&Diversity) -> Option<String>| {
            assessment.sensitive.iter().find_map(|(name, diversity)| Some(format!("{name}: {}", fails(diversity)?)))
        };
        Ok(match self {
            Self::K(k) => (assessment.k < k).then(|| format!("k is {}, {k} is required", assessment.k)),
            Self::Risk(most) => (assessment.risk.max > most)
                .then(|| format!("the largest risk is {}, at most {most} is allowed", assessment.risk.max)),
            Self::L(l) => of_each(&|d| {
                (d.distinct_l < l).then(|| format!("the least diverse class has l = {}, {l} is required", d.distinct_l))
            }),
            Self::EntropyL(l) => of_each(&|d| {
                (d.entropy_l * (1.0 + 1e-12) < l)
                    .then(|| format!("a class has entropy {}-diversity, {l} is required", d.entropy_l))
            }),
            Self::C(c) => of_each(&|d| match d.recursive_c {
                None => Some(format!("a class has fewer than {} values", d.l)),
                Some(least) => {
                    (least >= c).then(|| format!("a class needs c above {least} for l = {}, {c} is required", d.l))
                }
            }),
            Self::Alpha(alpha) => of_each(&|d| {
                (d.alpha > alpha)
                    .then(|| format!("a value has the share {} of a class, at most {alpha} is allowed", d.alpha))
            }),
            Self::Beta(beta) => of_each(&|d| {
                (d.beta > beta).then(|| {
                    format!(
                        "a value gains {} times its share of the table in a class, at most {beta} is allowed",
                        d.beta
                    )
                })
            }),
            Self::Delta(delta) => of_each(&|d| match d.delta {
                None => Some("a class lacks a value of the table, which no delta allows".to_owned()),
                Some(found) => {
                    (found >= delta).then(|| format!("a class needs delta above {found}, {delta} is required"))
                }
            }),
            Self::T(t) => of_each(&|d| {
                (d.t > t + 1e-15)
                    .then(|| format!("a class is at distance {} ({}), at most {t} is allowed", d.t, d.distance))
            }),
        })
    }
}
