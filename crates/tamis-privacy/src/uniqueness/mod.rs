//! How many people are unique in the population of which a table is a sample.
//!
//! A person whose quasi-identifiers are unique in the sample need not be unique outside. Each estimator here works on nothing but how
//! many classes of each size the sample has, and on the sampling fraction:
//!
//! | estimator | idea | source |
//! |---|---|---|
//! | [`Estimator::Zayatz`] | Bayes' rule with the sample's own class sizes as prior | Zayatz 1991 |
//! | [`Estimator::Pitman`] | maximum likelihood in Pitman's model of random partitions | Hoshino 2001 |
//! | [`Estimator::Snb`] | class sizes follow a slide negative binomial distribution | Chen and Keller-McNulty 1998 |
//! | [`Estimator::Dankar`] | the one of the three that simulations trust most at this sampling fraction | Dankar et al. 2012 |
//!
//! ```
//! use tamis_privacy::uniqueness::{Estimator, Sizes, population_uniques};
//!
//! // 40 people are alone, 20 are in pairs, 40 in classes of four.
//! let sizes = Sizes { of: &[(1, 40), (2, 10), (4, 10)] };
//! let all = population_uniques(Estimator::Dankar, &sizes, 1.0).unwrap();
//! assert_eq!(all.population_uniques, 40.0, "the sample is the population");
//! let tenth = population_uniques(Estimator::Zayatz, &sizes, 0.1).unwrap();
//! assert!(tenth.share_of_sample_uniques < 1.0);
//! ```

pub mod pitman;
pub mod snb;
pub mod zayatz;

/// Up to this sampling fraction the decision rule trusts Pitman's model (Dankar et al. 2012).
const SMALL_FRACTION: f64 = 0.1;

/// How many classes of each size a sample has.
#[derive(Debug, Clone, Copy)]
pub struct Sizes<'a> {
    /// Pairs of a size from 1 and the number of classes of that size, sizes ascending and distinct.
    pub of: &'a [(u64, u64)],
}

impl Sizes<'_> {
    /// People in the sample.
    pub fn rows(&self) -> u64 {
        self.of.iter().map(|&(size, classes)| size * classes).sum()
    }

    /// Classes in the sample.
    pub fn classes(&self) -> u64 {
        self.of.iter().map(|&(_, classes)| classes).sum()
    }

    /// Classes of one size.
    pub fn of_size(&self, size: u64) -> u64 {
        self.of.iter().find(|&&(found, _)| found == size).map_or(0, |&(_, classes)| classes)
    }

    /// The people who are alone in their class.
    pub fn uniques(&self) -> u64 {
        self.of_size(1)
    }

    /// Pairs of a size and its number of classes, from the sizes of classes in any order; empty classes do not count.
    ///
    /// ```
    /// use tamis_privacy::uniqueness::Sizes;
    /// assert_eq!(Sizes::count([3, 1, 0, 3]), [(1, 1), (3, 2)]);
    /// ```
    pub fn count(sizes: impl IntoIterator<Item = u64>) -> Vec<(u64, u64)> {
        let mut counts = std::collections::BTreeMap::new();
        for size in sizes.into_iter().filter(|&size| size > 0) {
            *counts.entry(size).or_insert(0) += 1;
        }
        counts.into_iter().collect()
    }
}

/// Which model of the population is believed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Estimator {
    /// Pitman's random partitions.
    Pitman,
    /// Bayes' rule on the sample's classes.
    Zayatz,
    /// The slide negative binomial distribution.
    Snb,
    /// The decision rule of Dankar et al.
    Dankar,
}

impl Estimator {
    /// All of them; the decision rule last.
    pub const ALL: [Self; 4] = [Self::Pitman, Self::Zayatz, Self::Snb, Self::Dankar];

    /// The name used in policies and reports.
    pub fn name(self) -> &'static str {
        match self {
            Self::Pitman => "pitman",
            Self::Zayatz => "zayatz",
            Self::Snb => "snb",
            Self::Dankar => "dankar",
        }
    }

    /// The estimator of that name.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|estimator| estimator.name() == name)
    }
}

/// What an estimator says.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Estimate {
    /// The estimator that was used; for the decision rule the one it chose.
    pub estimator: Estimator,
    /// Expected number of people who are unique in the population.
    pub population_uniques: f64,
    /// The same as a share of the population.
    pub share_of_population: f64,
    /// The probability that someone who is unique in the sample is unique in the population; 0 if nobody is.
    pub share_of_sample_uniques: f64,
}

impl Estimate {
    /// Completes an estimated number of population uniques. A sample contains each of them with the sampling fraction as probability.
    fn of(estimator: Estimator, uniques: f64, sizes: &Sizes<'_>, fraction: f64) -> Option<Self> {
        let population = sizes.rows() as f64 / fraction;
        let sample_uniques = sizes.uniques() as f64;
        if !(uniques.is_finite() && uniques >= 0.0 && population > 0.0) {
            return None;
        }
        let population_uniques = uniques.min(population);
        let among = if sample_uniques == 0.0 { 0.0 } else { (population_uniques * fraction / sample_uniques).min(1.0) };
        Some(Self {
            estimator,
            population_uniques,
            share_of_population: population_uniques / population,
            share_of_sample_uniques: among,
        })
    }
}

/// Estimates the number of people who are unique in the population.
///
/// `fraction` is the size of the sample divided by that of the population, above 0 and at most 1. Nothing is returned where the
/// fraction is not, where there are no rows, or where the estimator is not defined or does not converge on these sizes. A sample that
/// is the whole population needs no estimate: its own uniques are returned. A sample without uniques is taken for one of a population
/// without them, as usual for these estimators.
pub fn population_uniques(estimator: Estimator, sizes: &Sizes<'_>, fraction: f64) -> Option<Estimate> {
    if !(fraction > 0.0 && fraction <= 1.0) || sizes.rows() == 0 {
        return None;
    }
    if fraction == 1.0 || sizes.uniques() == 0 {
        return Estimate::of(estimator, sizes.uniques() as f64, sizes, fraction);
    }
    let uniques = match estimator {
        Estimator::Pitman => pitman::population_uniques(sizes, fraction),
        Estimator::Zayatz => Some(zayatz::population_uniques(sizes, fraction)),
        Estimator::Snb => snb::population_uniques(sizes, fraction),
        Estimator::Dankar => return dankar(sizes, fraction),
    };
    Estimate::of(estimator, uniques?, sizes, fraction)
}

/// The decision rule of Dankar, El Emam, Neisa and Roffey (2012): up to a sampling fraction of 0.1 Pitman's model, above it the smaller
/// of SNB and Zayatz. Where a model does not converge, Zayatz takes its place, which is always defined.
pub fn dankar(sizes: &Sizes<'_>, fraction: f64) -> Option<Estimate> {
    let zayatz = population_uniques(Estimator::Zayatz, sizes, fraction)?;
    if fraction <= SMALL_FRACTION {
        return Some(population_uniques(Estimator::Pitman, sizes, fraction).unwrap_or(zayatz));
    }
    let snb = population_uniques(Estimator::Snb, sizes, fraction);
    Some(snb.filter(|snb| snb.population_uniques <= zayatz.population_uniques).unwrap_or(zayatz))
}
