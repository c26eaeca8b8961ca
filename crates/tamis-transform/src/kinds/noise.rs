//! Noise: a random number added to every number.
//!
//! What is added has mean zero and the standard deviation `scale`, or `relative` times that of the column, and is normal, Laplace or
//! uniform (Liber 2014, section 3.5). Numbers stay as precise as they were written, so whole numbers stay whole, and inside `min` and
//! `max`. Noise widens a column; `keep_moments` moves and shrinks the noisy numbers so that mean and variance are those from before
//! (Kim 1986). With `correlated` the noise of several columns has their own correlations (covariance `relative`² times theirs), which
//! then survive too; independent noise weakens them.
//!
//! Noise alone gives no guarantee: a number far from all others is still far from them.
//!
//! ```
//! use rand_chacha::{ChaCha20Rng, rand_core::SeedableRng};
//! use tamis_table::{ColumnBuilder, Table};
//! use tamis_transform::{Input, NoFiles, Transformation, kinds::noise::Noise};
//!
//! let mut age = ColumnBuilder::new("age");
//! for text in ["30", "71", "34"] {
//!     age.push(text)?;
//! }
//! let table = Table::new(vec![age.finish()])?;
//! let step = Noise { columns: vec!["age".into()], scale: Some(2.0), min: Some(30.0), ..Noise::default() };
//! let mut dice = ChaCha20Rng::seed_from_u64(1);
//! let output = step.apply(Input { table: &table, groups: None, dice: &mut dice, files: &NoFiles })?;
//! let age: u32 = output.tables[0].table.column("age")?.text(0).parse()?;
//! assert!((30..45).contains(&age));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use crate::columns::named_columns;
use crate::unit_normal::unit_normal;
use crate::{Input, Numbers, Output, TransformError, Transformation, replace_columns};
use rand::RngExt;
use rand_chacha::ChaCha20Rng;
use serde::{Deserialize, Serialize};
use std::f64::consts::SQRT_2;
use tamis_table::brief_number;

/// Add random numbers to numbers.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "flags", derive(clap::Args))]
#[serde(deny_unknown_fields, default)]
pub struct Noise {
    /// The columns of numbers
    #[cfg_attr(feature = "flags", arg(long, value_delimiter = ',', value_name = "A,B,...", required = true))]
    pub columns: Vec<String>,
    /// The standard deviation of what is added
    #[cfg_attr(
        feature = "flags",
        arg(long, value_name = "X", allow_negative_numbers = true, conflicts_with = "relative")
    )]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub scale: Option<f64>,
    /// The same as a part of the column's own standard deviation: 0.1 is a tenth
    #[cfg_attr(feature = "flags", arg(long, value_name = "PART", allow_negative_numbers = true))]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub relative: Option<f64>,
    /// How what is added is distributed
    #[cfg_attr(feature = "flags", arg(long, value_name = "NAME", default_value = "normal"))]
    pub distribution: Distribution,
    /// No number becomes less
    #[cfg_attr(feature = "flags", arg(long, value_name = "X", allow_negative_numbers = true))]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub min: Option<f64>,
    /// No number becomes more
    #[cfg_attr(feature = "flags", arg(long, value_name = "X", allow_negative_numbers = true))]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max: Option<f64>,
    /// What becomes of numbers beyond `min` and `max`
    #[cfg_attr(feature = "flags", arg(long, value_name = "NAME", default_value = "clamp"))]
    pub bounds: Bounds,
    /// Keep the mean and the variance of each column
    #[cfg_attr(feature = "flags", arg(long))]
    pub keep_moments: bool,
    /// Give the noise the correlations of the columns; normal and with `relative` only
    #[cfg_attr(feature = "flags", arg(long))]
    pub correlated: bool,
}

/// How noise is distributed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "flags", derive(clap::ValueEnum))]
#[serde(rename_all = "kebab-case")]
pub enum Distribution {
    /// The bell curve.
    #[default]
    Normal,
    /// Two exponential curves back to back: mostly small, at times large.
    Laplace,
    /// All equally likely, none larger than 1.73 times the standard deviation.
    Uniform,
}

/// What becomes of numbers beyond the bounds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "flags", derive(clap::ValueEnum))]
#[serde(rename_all = "kebab-case")]
pub enum Bounds {
    /// They become the bound.
    #[default]
    Clamp,
    /// They are thrown back by as much as they are beyond it, so that the bound does not pile up.
    Reflect,
}

const KIND: &str = "noise";
/// A power of ten with more digits is no double any more.
const MOST_DIGITS: i32 = 300;

impl Transformation for Noise {
    /// Linear in cells; correlated noise in d columns costs d² for each row.
    fn apply(&self, input: Input<'_>) -> Result<Output, TransformError> {
        let table = input.table;
        let columns = named_columns(KIND, "columns", &self.columns, table)?;
        self.check()?;
        let numbers = columns.iter().map(|column| Numbers::of(KIND, column)).collect::<Result<Vec<_>, _>>()?;
        let noise = if self.correlated {
            self.correlated_noise(&numbers, input.dice)?
        } else {
            self.noise(&numbers, input.dice)
        };
        let mut replaced = Vec::with_capacity(columns.len());
        for ((numbers, noise), column) in numbers.iter().zip(noise).zip(columns) {
            let mut disturbed: Vec<Option<f64>> =
                numbers.values().iter().zip(noise).map(|(value, noise)| value.map(|value| value + noise)).collect();
            if self.keep_moments {
                let before = Moments::of(numbers.known());
                let after = Moments::of(disturbed.iter().flatten().copied());
                let factor = if after.deviation > 0.0 { before.deviation / after.deviation } else { 0.0 };
                for value in disturbed.iter_mut().flatten() {
                    *value = before.mean + (*value - after.mean) * factor;
                }
            }
            // Before the bounds, which would make an infinite number look like a finite one.
            numbers.ensure_finite(disturbed.iter().flatten().copied())?;
            let limits = self.limits(numbers.decimals())?;
            for value in disturbed.iter_mut().flatten() {
                *value = self.bounded(*value, limits);
            }
            replaced.push(numbers.written(&disturbed)?.spelled_like(column));
        }
        Ok(Output::of(replace_columns(table, replaced)?))
    }
}

impl Noise {
    fn check(&self) -> Result<(), TransformError> {
        let is_amount = |number: f64| number.is_finite() && number >= 0.0;
        match (self.scale, self.relative) {
            (Some(scale), None) if !is_amount(scale) => {
                return Err(TransformError::parameter(
                    KIND,
                    "scale",
                    brief_number(scale),
                    "a standard deviation from 0 on",
                ));
            }
            (None, Some(part)) if !is_amount(part) => {
                return Err(TransformError::parameter(
                    KIND,
                    "relative",
                    brief_number(part),
                    "a part of the column's standard deviation from 0 on",
                ));
            }
            (Some(_), None) | (None, Some(_)) => {}
            (None, None) => {
                return Err(TransformError::parameter(
                    KIND,
                    "scale",
                    "not given".to_owned(),
                    "either `scale` or `relative`",
                ));
            }
            (Some(_), Some(_)) => {
                return Err(TransformError::parameter(
                    KIND,
                    "scale",
                    "given beside `relative`".to_owned(),
                    "one of the two",
                ));
            }
        }
        for (parameter, bound) in [("min", self.min), ("max", self.max)] {
            if let Some(bound) = bound
                && !bound.is_finite()
            {
                return Err(TransformError::parameter(KIND, parameter, brief_number(bound), "a number"));
            }
        }
        if let (Some(min), Some(max)) = (self.min, self.max)
            && min > max
        {
            return Err(TransformError::parameter(
                KIND,
                "min",
                brief_number(min),
                format!("at most `max`, which is {}", brief_number(max)),
            ));
        }
        if self.correlated && (self.relative.is_none() || self.distribution != Distribution::Normal) {
            return Err(TransformError::parameter(
                KIND,
                "correlated",
                "given".to_owned(),
                "`relative` and normal noise with it",
            ));
        }
        Ok(())
    }

    /// Independent noise for every row of every column, drawn row by row.
    fn noise(&self, numbers: &[Numbers<'_>], dice: &mut ChaCha20Rng) -> Vec<Vec<f64>> {
        let deviation = |numbers: &Numbers<'_>| match (self.scale, self.relative) {
            (Some(scale), _) => scale,
            (None, part) => part.unwrap_or(0.0) * Moments::of(numbers.known()).deviation,
        };
        let deviations: Vec<f64> = numbers.iter().map(deviation).collect();
        let rows = numbers.first().map_or(0, |numbers| numbers.values().len());
        let mut noise = vec![Vec::with_capacity(rows); numbers.len()];
        for _ in 0..rows {
            for (noise, deviation) in noise.iter_mut().zip(&deviations) {
                noise.push(deviation * self.distribution.standard(dice));
            }
        }
        noise
    }

    /// Normal noise whose covariances are `relative`² times those of the columns: independent noise times a square root of them.
    fn correlated_noise(
        &self,
        numbers: &[Numbers<'_>],
        dice: &mut ChaCha20Rng,
    ) -> Result<Vec<Vec<f64>>, TransformError> {
        let covariances = covariances(numbers);
        for (numbers, row) in numbers.iter().zip(&covariances) {
            // A root of what is not finite would be no noise at all.
            numbers.ensure_finite(row.iter().copied())?;
        }
        let root = lower_root(&covariances);
        let part = self.relative.unwrap_or(0.0);
        let rows = numbers.first().map_or(0, |numbers| numbers.values().len());
        let mut noise = vec![Vec::with_capacity(rows); numbers.len()];
        for _ in 0..rows {
            let independent: Vec<f64> = numbers.iter().map(|_| Distribution::Normal.standard(dice)).collect();
            for (noise, row) in noise.iter_mut().zip(&root) {
                noise.push(part * row.iter().zip(&independent).map(|(factor, noise)| factor * noise).sum::<f64>());
            }
        }
        Ok(noise)
    }

    /// The least and the largest number of so many decimals that the bounds allow.
    fn limits(&self, decimals: usize) -> Result<(f64, f64), TransformError> {
        let unit = 10f64.powi(i32::try_from(decimals).unwrap_or(MOST_DIGITS).min(MOST_DIGITS));
        let least = self.min.map_or(f64::MIN, |min| round_to(min, unit, f64::ceil));
        let most = self.max.map_or(f64::MAX, |max| round_to(max, unit, f64::floor));
        if least <= most {
            return Ok((least, most));
        }
        let found = self.min.map_or_else(String::new, brief_number);
        Err(TransformError::parameter(
            KIND,
            "min",
            found,
            format!("bounds with a number of {decimals} decimals between them"),
        ))
    }

    fn bounded(&self, value: f64, (least, most): (f64, f64)) -> f64 {
        let inside = match self.bounds {
            Bounds::Clamp => value,
            Bounds::Reflect => reflected(value, self.min, self.max),
        };
        inside.clamp(least, most)
    }
}

/// Rounds in units of one part in `unit`, unless the number is too large to have such digits.
fn round_to(number: f64, unit: f64, round: impl Fn(f64) -> f64) -> f64 {
    let scaled = number * unit;
    // 2.3 times 10 is a little more than 23: what is whole but for the last digits of a double counts as whole.
    let nearest = scaled.round();
    let whole = if (scaled - nearest).abs() <= 4.0 * f64::EPSILON * scaled.abs() { nearest } else { round(scaled) };
    if whole.is_finite() { whole / unit } else { number }
}

/// The number folded back at the bounds until it lies between them.
fn reflected(value: f64, min: Option<f64>, max: Option<f64>) -> f64 {
    match (min, max) {
        (Some(min), Some(max)) if min < max => {
            let width = max - min;
            let along = (value - min).rem_euclid(2.0 * width);
            min + if along <= width { along } else { 2.0 * width - along }
        }
        (Some(min), _) if value < min => 2.0 * min - value,
        (_, Some(max)) if value > max => 2.0 * max - value,
        _ => value,
    }
}

impl Distribution {
    /// A number with mean 0 and standard deviation 1.
    fn standard(self, dice: &mut ChaCha20Rng) -> f64 {
        match self {
            Self::Normal => unit_normal(dice),
            Self::Laplace => {
                let size = -(1.0 - dice.random::<f64>()).ln() / SQRT_2;
                if dice.random::<bool>() { size } else { -size }
            }
            Self::Uniform => 3f64.sqrt() * (2.0 * dice.random::<f64>() - 1.0),
        }
    }
}

/// Mean and standard deviation (divisor n - 1, or zero for fewer than two numbers).
struct Moments {
    mean: f64,
    deviation: f64,
}

impl Moments {
    fn of(numbers: impl Iterator<Item = f64>) -> Self {
        let (mut count, mut mean, mut squares) = (0.0, 0.0, 0.0);
        for number in numbers {
            count += 1.0;
            let from_mean = number - mean;
            mean += from_mean / count;
            squares += from_mean * (number - mean);
        }
        Self { mean, deviation: if count < 2.0 { 0.0 } else { (squares / (count - 1.0)).sqrt() } }
    }
}

/// The covariances of the columns over the rows where all have a number.
fn covariances(numbers: &[Numbers<'_>]) -> Vec<Vec<f64>> {
    let rows = numbers.first().map_or(0, |numbers| numbers.values().len());
    let complete: Vec<Vec<f64>> = (0..rows)
        .filter_map(|row| numbers.iter().map(|numbers| numbers.values()[row]).collect::<Option<Vec<f64>>>())
        .collect();
    let mean = |j: usize| complete.iter().map(|row| row[j]).sum::<f64>() / complete.len().max(1) as f64;
    let means: Vec<f64> = (0..numbers.len()).map(mean).collect();
    let divisor = complete.len().saturating_sub(1).max(1) as f64;
    let covariance = |i: usize, j: usize| {
        complete.iter().map(|row| (row[i] - means[i]) * (row[j] - means[j])).sum::<f64>() / divisor
    };
    (0..numbers.len()).map(|i| (0..numbers.len()).map(|j| covariance(i, j)).collect()).collect()
}

/// The lower triangular root of a positive semidefinite matrix (Cholesky); columns that depend on earlier ones get no share of their own.
fn lower_root(matrix: &[Vec<f64>]) -> Vec<Vec<f64>> {
    let size = matrix.len();
    let mut root = vec![vec![0.0; size]; size];
    for j in 0..size {
        let explained: f64 = root[j][..j].iter().map(|x| x * x).sum();
        let rest = matrix[j][j] - explained;
        let pivot = if rest > 1e-12 * matrix[j][j] { rest.sqrt() } else { 0.0 };
        for i in j..size {
            let shared: f64 = (0..j).map(|x| root[i][x] * root[j][x]).sum();
            root[i][j] = if pivot > 0.0 { (matrix[i][j] - shared) / pivot } else { 0.0 };
        }
    }
    root
}
