//! The 24 results published on Adult, to compare with.
//!
//! Source: D. Fernández and D. Quijón, "Software para la aplicación de algoritmos que preservan la privacidad sobre las bases de
//! datos estadísticas", Universidad del Bío-Bío, 2018, annex 2. The thesis prints no level vectors and, from k = 25 on, the loss in
//! single precision only. Levels and full losses are added here; evaluating these levels gives every printed figure.

mod table;

pub use table::PUBLISHED;

/// One published result: what was asked for, and what came out.
///
/// All settings have a suppression limit of 1.0 and the loss measure with the geometric mean and factor 0.5.
///
/// ```
/// let k5 = tamis_adult::PUBLISHED.iter().find(|row| row.name == "k5").unwrap();
/// assert_eq!(k5.levels, [0, 3, 0, 0, 2, 1, 0, 0]);
/// assert_eq!((k5.rows.kept, k5.rows.suppressed), (27_978, 2_184));
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PublishedResult {
    /// Short name of the setting, such as `k5_c4_l2`.
    pub name: &'static str,
    /// The privacy models.
    pub setting: PublishedSetting,
    /// The quality.
    pub loss: PublishedLoss,
    /// Level of each of [`crate::QUASI_IDENTIFIERS`].
    pub levels: [u8; 8],
    /// The equivalence classes that were kept.
    pub classes: PublishedClasses,
    /// The rows.
    pub rows: PublishedRows,
    /// The re-identification risk of the kept rows.
    pub risk: PublishedRisk,
    /// Figures on the released age column.
    pub age: PublishedAge,
}

/// The models of a published result: k-anonymity, and one on occupation or none.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PublishedSetting {
    /// k-anonymity.
    pub k: u64,
    /// The c of recursive (c,l)-diversity.
    pub c: Option<f64>,
    /// The l of recursive (c,l)-diversity.
    pub l: Option<u64>,
    /// t-closeness with the hierarchical distance.
    pub t: Option<f64>,
}

/// Loss of a published result.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PublishedLoss {
    /// In percent, as printed. From k = 25 on it is `loss as f32 * 100f32`, which is good for seven digits.
    pub printed_percent: f64,
    /// As a fraction, to the last digit of a double.
    pub full: f64,
}

/// Sizes of the kept classes.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PublishedClasses {
    /// How many there are.
    pub count: u64,
    /// Size of the smallest.
    pub min: u64,
    /// Size of the largest.
    pub max: u64,
    /// Mean size.
    pub average: f64,
}

/// Rows released and rows suppressed; together [`crate::ROWS`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PublishedRows {
    /// Rows of kept classes.
    pub kept: u64,
    /// Rows of failing classes.
    pub suppressed: u64,
}

/// Re-identification risk, as fractions.
///
/// The thesis prints percent; dividing by 100 has moved a few figures by one unit in the last place. Compare with a relative
/// tolerance of 3e-16.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PublishedRisk {
    /// Classes per kept row.
    pub average: f64,
    /// One over the smallest class.
    pub max: f64,
    /// Share of kept rows in classes smaller than ten.
    pub at_risk: f64,
}

/// Figures on the released age column, computed from its labels: `20-39` has lower bound 20, upper bound 39, midpoint 29.
///
/// Where every age is released as `*`, means, minimum and maximum are 0.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PublishedAge {
    /// Mean over kept rows of the midpoints, each midpoint and the mean rounded down.
    pub mean_midpoint: u32,
    /// Mean over kept rows of the lower bounds, rounded down.
    pub mean_lower: u32,
    /// Smallest lower bound of a kept row.
    pub min: u32,
    /// Largest upper bound of a kept row.
    pub max: u32,
    /// The most frequent label over all rows, intervals in brackets; suppressed rows count as `*`.
    pub mode: &'static str,
    /// How many rows carry it.
    pub mode_count: u64,
}
