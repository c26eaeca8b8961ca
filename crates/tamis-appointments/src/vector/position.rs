//! Where a vector stands, how far it is from another, and how much better.

use super::logarithmic::Logarithms;
use super::rounding::{fraction, natural_log};
use super::{AnonymityVector, LARGEST_EXACT, VectorError, VectorOrder};
use num_bigint::{BigInt, BigUint};
use serde::Serialize;

/// How a position was computed; every answer says which.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
#[cfg_attr(feature = "flags", derive(clap::ValueEnum))]
pub enum Ranking {
    /// By integers of any size.
    Exact,
    /// By logarithms, for any number of people.
    ///
    /// From 1,000 people on, ln(index / p) and ln(1 - index / p) are right to 1e-4, from 5,000 on to 2e-5, as
    /// measured against exact indexes.
    Logarithmic,
}

impl Ranking {
    /// Exact up to [`LARGEST_EXACT`] people.
    pub fn for_people(people: u64) -> Self {
        if people <= LARGEST_EXACT { Self::Exact } else { Self::Logarithmic }
    }
}

/// Where a vector stands among all vectors of as many people.
///
/// ```
/// use tamis_appointments::AnonymityVector;
/// use tamis_appointments::vector::{improvement, positions};
///
/// let vectors = [vec![2, 3, 2, 4], vec![24, 3], vec![9, 4, 3, 1]].map(|cells| AnonymityVector::from_dense(&cells));
/// let [base, random, scheduled] = &positions(&vectors.each_ref(), None)?[..] else { unreachable!() };
/// assert_eq!(scheduled.minus(random), Some(634.into()));
/// assert_eq!(improvement(scheduled, random, base), 634.0 / 3157.0);
/// # Ok::<(), tamis_appointments::vector::VectorError>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Position {
    people: u64,
    exact: Option<ExactPosition>,
    logarithms: Logarithms,
}

#[derive(Debug, Clone, PartialEq)]
struct ExactPosition {
    index: BigUint,
    count: BigUint,
}

/// The positions of vectors that all stand for as many people; exact if there are few enough, unless a ranking is asked for.
pub fn positions(vectors: &[&AnonymityVector], ranking: Option<Ranking>) -> Result<Vec<Position>, VectorError> {
    let Some(first) = vectors.first() else { return Ok(Vec::new()) };
    let people = first.checked_people()?;
    match ranking.unwrap_or(Ranking::for_people(people)) {
        Ranking::Exact => positions_in(&VectorOrder::of_people(people)?, vectors),
        Ranking::Logarithmic => {
            let position = |vector: &&AnonymityVector| {
                vector.expect_people(people)?;
                Ok(Position { people, exact: None, logarithms: Logarithms::of(vector, people) })
            };
            vectors.iter().map(position).collect()
        }
    }
}

/// The exact positions of vectors in an order that is made already.
pub fn positions_in(order: &VectorOrder, vectors: &[&AnonymityVector]) -> Result<Vec<Position>, VectorError> {
    let indexes = order.index_all(vectors)?;
    Ok(indexes.into_iter().map(|index| Position::exact(order, index)).collect())
}

impl Position {
    fn exact(order: &VectorOrder, index: BigUint) -> Self {
        let count = natural_log(order.count());
        let share = natural_log(&index) - count;
        let gap = natural_log(&(order.count() - &index)) - count;
        let exact = ExactPosition { index, count: order.count().clone() };
        Self { people: order.people(), exact: Some(exact), logarithms: Logarithms { count, share, gap } }
    }

    /// N.
    pub fn people(&self) -> u64 {
        self.people
    }

    /// How it was computed.
    pub fn ranking(&self) -> Ranking {
        if self.exact.is_some() { Ranking::Exact } else { Ranking::Logarithmic }
    }

    /// How many vectors are less anonymous; none if only its logarithm is known.
    pub fn index(&self) -> Option<&BigUint> {
        self.exact.as_ref().map(|exact| &exact.index)
    }

    /// p(N); none if only its logarithm is known.
    pub fn count(&self) -> Option<&BigUint> {
        self.exact.as_ref().map(|exact| &exact.count)
    }

    /// index / p(N).
    pub fn share(&self) -> f64 {
        match &self.exact {
            Some(exact) => fraction(&exact.index.clone().into(), &exact.count),
            None => self.logarithms.share.exp(),
        }
    }

    /// ln p(N).
    pub fn log_count(&self) -> f64 {
        self.logarithms.count
    }

    /// ln of the index; none for index 0.
    pub fn log_index(&self) -> Option<f64> {
        Some(self.logarithms.share + self.logarithms.count).filter(|log| log.is_finite())
    }

    /// ln(1 - index / p(N)): tells apart what `share` rounds to 1. The lower, the more anonymous.
    pub fn log_gap(&self) -> f64 {
        self.logarithms.gap
    }

    /// The thesis' difference `v1 - v2` of this vector and another of as many people: positive if this one is more anonymous.
    /// Its magnitude is the distance. None if only logarithms are known.
    pub fn minus(&self, other: &Self) -> Option<BigInt> {
        let (mine, theirs) = (self.index()?, other.index()?);
        Some(BigInt::from(mine.clone()) - BigInt::from(theirs.clone()))
    }

    /// The difference as a share of p(N).
    pub fn share_minus(&self, other: &Self) -> f64 {
        match (self.minus(other), self.count()) {
            (Some(difference), Some(count)) => fraction(&difference, count),
            _ => self.logarithms.minus(&other.logarithms, 0.0),
        }
    }
}

/// By which share of the base's index the first vector is better than the second: `(index(v1) - index(v2)) / index(base)`,
/// computed exactly and rounded once where the positions are exact; 0 if the base is the worst vector of all, from which nothing
/// can be lost. All three must stand for as many people. Negative if the first is worse.
pub fn improvement(first: &Position, second: &Position, base: &Position) -> f64 {
    match (first.minus(second), base.index()) {
        (_, Some(index)) if *index == BigUint::ZERO => 0.0,
        (Some(difference), Some(index)) => fraction(&difference, index),
        _ if base.logarithms.share == f64::NEG_INFINITY => 0.0,
        _ => first.logarithms.minus(&second.logarithms, base.logarithms.share),
    }
}

impl Logarithms {
    /// (index1 - index2) / p(N), divided by the number with this logarithm.
    fn minus(&self, other: &Self, unit: f64) -> f64 {
        // Of the two ways to write the difference, the one with the smaller numbers loses fewer digits.
        if self.gap.max(other.gap) < self.share.max(other.share) {
            (other.gap - unit).exp() - (self.gap - unit).exp()
        } else {
            (self.share - unit).exp() - (other.share - unit).exp()
        }
    }
}

/// index / p(N) of nearly every vector with so many people alone, `exp(-pi (v[1] + 1) / sqrt(6 N))`: from a million people on,
/// any vector without people alone is above 99.8%, which is why k, the vector and [`Position::log_gap`] are told beside it.
///
/// ```
/// use tamis_appointments::vector::share_by_people_alone;
///
/// assert!(share_by_people_alone(1_000_000, 0) > 0.998);
/// ```
pub fn share_by_people_alone(people: u64, alone: u64) -> f64 {
    (-std::f64::consts::PI * (alone as f64 + 1.0) / (6.0 * people as f64).sqrt()).exp()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::vector::random::random_vector;
    use proptest::prelude::*;

    fn of_thirty(cells: &[&[u64]]) -> Vec<Position> {
        let vectors: Vec<AnonymityVector> = cells.iter().map(|cells| AnonymityVector::from_dense(cells)).collect();
        positions(&vectors.iter().collect::<Vec<_>>(), None).expect("thirty people each")
    }

    #[test]
    fn the_improvements_the_thesis_prints() {
        let of = of_thirty(&[&[2, 3, 2, 4], &[24, 3], &[9, 4, 3, 1], &[2, 6, 4, 1]]);
        let [base, random, scheduled, better] = &of[..] else { unreachable!() };
        assert_eq!(improvement(scheduled, random, base), 634.0 / 3157.0);
        assert_eq!(improvement(better, random, base), 3037.0 / 3157.0);
        assert_eq!(format!("{:.2}", improvement(scheduled, random, base)), "0.20");
        assert_eq!(format!("{:.2}", improvement(better, random, base)), "0.96");
        assert_eq!(improvement(random, scheduled, base), -634.0 / 3157.0, "the sign is that of v1 - v2");
        assert_eq!(random.minus(scheduled), Some(BigInt::from(-634)));
    }

    #[test]
    fn nothing_is_lost_from_the_worst_base() {
        let of = of_thirty(&[&[30], &[24, 3], &[9, 4, 3, 1]]);
        assert_eq!(improvement(&of[2], &of[1], &of[0]), 0.0);
        assert_eq!((of[0].log_index(), of[0].log_gap(), of[0].share()), (None, 0.0, 0.0));
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(24))]

        #[test]
        fn logarithmic_improvements_are_close_to_exact_ones(
            people in 1000_u64..6000,
            seed: u64,
            cells in (0.5_f64..3.0, 0.5_f64..3.0, 0.2_f64..1.0),
        ) {
            let root = (people as f64).sqrt();
            let some = |share: f64, seed: u64| random_vector(people, (share * root) as u64, seed);
            let vectors = [some(cells.0, seed), some(cells.1, seed ^ 1), some(cells.2, seed ^ 2)];
            let exact = positions(&vectors.each_ref(), Some(Ranking::Exact)).expect("as many people");
            let logarithmic = positions(&vectors.each_ref(), Some(Ranking::Logarithmic)).expect("as many people");
            let found = improvement(&logarithmic[0], &logarithmic[1], &logarithmic[2]);
            let expected = improvement(&exact[0], &exact[1], &exact[2]);
            prop_assert!((found - expected).abs() < 1e-4 * expected.abs().max(1.0), "{found} {expected}");
            prop_assert!((logarithmic[0].share_minus(&logarithmic[1]) - exact[0].share_minus(&exact[1])).abs() < 1e-4);
        }
    }

    #[test]
    fn the_index_saturates_as_the_people_alone_say() {
        for alone in [0_u64, 3, 40] {
            let people = 20_000;
            let rest = people - alone;
            let vector = AnonymityVector::of_counts([(1, alone), (2, (rest - 7 * (rest % 2)) / 2), (7, rest % 2)]);
            assert_eq!(vector.people(), people);
            let position = &positions(&[&vector], None).expect("few enough")[0];
            // Whatever stands beside those alone matters little: the next component moves the index by one such step at most.
            let (low, high) =
                (share_by_people_alone(people, alone), share_by_people_alone(people, alone.saturating_sub(1)));
            assert!(
                position.share() > low * 0.99 && position.share() < high * 1.01 + 1e-9,
                "{alone} {}",
                position.share()
            );
        }
    }
}
