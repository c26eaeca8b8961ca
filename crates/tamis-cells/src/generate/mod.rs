//! Random tables to try protection on.
//!
//! A table of any number of dimensions, each flat or with a hierarchy, and all its margins. Values of the innermost cells are
//! whole numbers, margins their exact sums. Values are up to 499 if nothing else is said; which cells are confidential is
//! drawn, or follows from small values ([`Primaries::UpTo`]).
//!
//! Every table made here can be protected, unless there are singletons: levels are shares of the value, so that multiplying
//! everything that a primary sums up by one plus or less that share is a table that an attacker holds possible once everything
//! is hidden. [`ShapeError::OutOfReach`] refuses shares that bounds do not admit.

mod dimension;
mod values;

use std::fmt;

use thiserror::Error;

use crate::table::CellTable;

pub use dimension::Dimension;

/// More cells than this are refused: they would not fit into memory together with their equations.
pub const MOST_CELLS: usize = 20_000_000;

/// Deeper hierarchies than this are refused: no real one is.
const DEEPEST: usize = 30;

/// What a random table looks like.
#[derive(Debug, Clone, PartialEq)]
pub struct Shape {
    /// The dimensions, without their totals.
    pub dimensions: Vec<Dimension>,
    /// The share of innermost cells that are empty; empty cells are published.
    pub zeros: f64,
    /// The largest value of an innermost cell; the least is 1.
    pub largest: u32,
    /// Which cells are confidential.
    pub primaries: Primaries,
    /// What everybody knows about a value beforehand.
    pub bounds: Bounds,
    /// The lower protection level, as a share of the value.
    pub lower: f64,
    /// The upper protection level, as a share of the value.
    pub upper: f64,
    /// The sliding protection level, as a share of the value.
    pub sliding: f64,
    /// What hiding a cell costs.
    pub weights: Weights,
    /// The share of innermost primaries with one respondent, who attacks the others knowing its own value.
    pub singletons: f64,
}

impl Default for Shape {
    /// A 10 x 10 table with 5% primaries, values up to 499 and wide bounds.
    fn default() -> Self {
        Self {
            dimensions: vec![Dimension::flat(10); 2],
            zeros: 0.0,
            largest: 499,
            primaries: Primaries::Share(0.05),
            bounds: Bounds::Wide,
            lower: 0.1,
            upper: 0.1,
            sliding: 0.0,
            weights: Weights::Value,
            singletons: 0.0,
        }
    }
}

/// Which cells of a random table are confidential.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Primaries {
    /// This share of the innermost cells that are not empty, drawn at random; at least one if the share is above 0.
    Share(f64),
    /// Every cell, margins included, whose value is 1 to this.
    UpTo(u32),
}

/// What everybody knows about the values of a random table.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Bounds {
    /// They are not negative.
    Wide,
    /// They are not negative, and at most this multiple of the grand total.
    Multiple(f64),
    /// They are this share of the value away at most, rounded outwards to whole numbers.
    Within(f64),
}

impl Bounds {
    /// What `tight` means without a number: half the value up or down.
    pub const TIGHT: Self = Self::Within(0.5);
}

/// What hiding a cell of a random table costs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Weights {
    /// Its value.
    Value,
    /// 1.
    Unit,
    /// The logarithm of 1 and the value.
    Log,
    /// A whole number from 1 to 100, drawn at random.
    Random,
}

/// A shape of which there is no table.
#[derive(Debug, Clone, PartialEq, Error)]
pub enum ShapeError {
    /// No dimensions.
    #[error("a table needs at least one dimension")]
    NoDimensions,
    /// A dimension without categories.
    #[error("dimension {number} has a size of 0, expected 1 or more everywhere")]
    Empty {
        /// Which dimension, the first is 1.
        number: usize,
    },
    /// Too many cells.
    #[error("the table would have more than {MOST_CELLS} cells; make it smaller")]
    TooLarge,
    /// A hierarchy that goes too deep.
    #[error("dimension {number} has {depth} levels, expected at most {DEEPEST}")]
    TooDeep {
        /// Which dimension, the first is 1.
        number: usize,
        /// How many levels it has.
        depth: usize,
    },
    /// Sums that are too large to be exact.
    #[error("the grand total could exceed 2^53, beyond which sums are not exact; lower the largest value")]
    TooMuch,
    /// A share is not one.
    #[error("{what} is {share}, expected {expected}")]
    Share {
        /// What the share is of.
        what: &'static str,
        /// What was found.
        share: f64,
        /// What was expected.
        expected: &'static str,
    },
    /// Values of nothing.
    #[error("the largest value is 0, expected 1 or more")]
    NoValues,
    /// Levels that no pattern could meet.
    #[error("{level} is {share} of the value, but {bounds} let nobody doubt more than {reach}; lower it or widen them")]
    OutOfReach {
        /// Which level.
        level: &'static str,
        /// The share it asks for.
        share: f64,
        /// The bounds in words.
        bounds: Bounds,
        /// The share that bounds admit.
        reach: f64,
    },
}

impl fmt::Display for Bounds {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Wide => f.write_str("bounds from 0"),
            Self::Multiple(factor) => write!(f, "bounds from 0 to {factor} times the grand total"),
            Self::Within(share) => write!(f, "bounds within {share} of the value"),
        }
    }
}

impl Shape {
    /// What is wrong with it, if anything is.
    fn check(&self) -> Result<(), ShapeError> {
        if self.dimensions.is_empty() {
            return Err(ShapeError::NoDimensions);
        }
        if let Some(number) = self.dimensions.iter().position(|dimension| dimension.leaves() == Some(0)) {
            return Err(ShapeError::Empty { number: number + 1 });
        }
        if let Some(number) = self.dimensions.iter().position(|dimension| dimension.branches.len() > DEEPEST) {
            let depth = self.dimensions[number].branches.len();
            return Err(ShapeError::TooDeep { number: number + 1, depth });
        }
        let cells = self.dimensions.iter().try_fold(1_usize, |cells, dimension| cells.checked_mul(dimension.nodes()?));
        if cells.is_none_or(|cells| cells > MOST_CELLS) {
            return Err(ShapeError::TooLarge);
        }
        if self.largest == 0 {
            return Err(ShapeError::NoValues);
        }
        let leaves: f64 = self.dimensions.iter().map(|dimension| dimension.leaves().unwrap_or(0) as f64).product();
        if leaves * f64::from(self.largest) > (1_u64 << 53) as f64 {
            return Err(ShapeError::TooMuch);
        }
        let primaries = if let Primaries::Share(share) = self.primaries { share } else { 0.0 };
        for (what, share) in [
            ("the share of empty cells", self.zeros),
            ("the share of primaries", primaries),
            ("the share of singletons", self.singletons),
        ] {
            if !(0.0..=1.0).contains(&share) {
                return Err(ShapeError::Share { what, share, expected: "0 to 1" });
            }
        }
        let (down, up) = match self.bounds {
            Bounds::Wide => (1.0, f64::INFINITY),
            Bounds::Multiple(share) if share >= 1.0 && share.is_finite() => (1.0, share - 1.0),
            Bounds::Multiple(share) => {
                return Err(ShapeError::Share {
                    what: "the multiple of the grand total",
                    share,
                    expected: "1 or more",
                });
            }
            Bounds::Within(share) if share >= 0.0 && share.is_finite() => (share, share),
            Bounds::Within(share) => {
                return Err(ShapeError::Share { what: "the share of bounds", share, expected: "0 or more" });
            }
        };
        for (level, share, reach) in [
            ("the lower protection level", self.lower, down),
            ("the upper protection level", self.upper, up),
            ("the sliding protection level", self.sliding, down + up),
        ] {
            if !(share.is_finite() && share >= 0.0) {
                return Err(ShapeError::Share { what: level, share, expected: "0 or more" });
            }
            if share > reach {
                return Err(ShapeError::OutOfReach { level, share, bounds: self.bounds, reach });
            }
        }
        Ok(())
    }
}

/// A random table and the labels of its cells.
#[derive(Debug, Clone, PartialEq)]
pub struct Generated {
    /// The table; ids are the labels of a cell with slashes between them, for example `r1/c2/Total`.
    pub table: CellTable,
    /// The dimensions.
    pub dimensions: Vec<Labels>,
}

/// The labels of one dimension of a random table.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Labels {
    /// What the dimension is called.
    pub name: String,
    /// All labels, every one after those that it sums up; the last is `Total`.
    pub labels: Vec<String>,
    /// The position of the label that sums up each; none for `Total`.
    pub parents: Vec<Option<usize>>,
}

impl Generated {
    /// The labels of a cell, one a dimension.
    pub fn labels(&self, cell: usize) -> Vec<&str> {
        let mut rest = cell;
        let mut labels: Vec<&str> = Vec::with_capacity(self.dimensions.len());
        for dimension in self.dimensions.iter().rev() {
            labels.push(&dimension.labels[rest % dimension.labels.len()]);
            rest /= dimension.labels.len();
        }
        labels.reverse();
        labels
    }
}

/// Makes up a table. The same shape and seed give the same table. Time: O(cells times dimensions).
///
/// ```
/// use tamis_cells::generate::{Dimension, Shape, generate};
/// let shape = Shape { dimensions: vec![Dimension::flat(4), Dimension { branches: vec![2, 3] }], ..Shape::default() };
/// let made = generate(&shape, 7).unwrap();
/// // 4 rows and their total, 6 columns in 2 groups and their total
/// assert_eq!(made.table.cells().len(), 5 * 9);
/// assert_eq!(made.labels(0), ["r1", "c1.1"]);
/// assert_eq!(made.labels(44), ["Total", "Total"]);
/// ```
pub fn generate(shape: &Shape, seed: u64) -> Result<Generated, ShapeError> {
    shape.check()?;
    let dimensions: Vec<Labels> =
        shape.dimensions.iter().enumerate().map(|(number, dimension)| dimension.labels(number)).collect();
    let table = values::table(shape, &dimensions, seed);
    Ok(Generated { table, dimensions })
}
