//! Numbers in intervals, each level joining neighbours of the level below.

use super::decimal::{NotDecimal, power_of_ten};
use super::{Decimal, Labels, fail, growing_sizes};
use crate::HierarchyError;
use serde::{Deserialize, Serialize};

/// Intervals of numbers, closed below and open above.
///
/// Level 1 holds the intervals themselves: either `bins` that are listed, or a grid of intervals of one `width` from
/// `start` on in both directions. Each entry of `factors` adds a level that joins so many neighbours. Numbers below `min`
/// become `<min` and numbers from `max` on `>=max` on every level (bottom and top coding); a bin cut by such an end is
/// labelled with what is left of it. All arithmetic is exact in decimals.
///
/// ```
/// use tamis_table::hierarchy::builders::{Builder, Decimal, Interval};
/// let age = Builder::Interval(Interval {
///     width: Some(Decimal::from(5)),
///     factors: vec![2, 2],
///     max: Some(Decimal::from(80)),
///     ..Interval::default()
/// });
/// let rows = age.build(&["37", "93", ""])?;
/// assert_eq!(rows[0].labels, ["37", "[35, 40[", "[30, 40[", "[20, 40[", "*"]);
/// assert_eq!(rows[1].labels, ["93", ">=80", ">=80", ">=80", "*"]);
/// assert_eq!(rows[2].labels, ["", "", "", "", "*"]);
/// # Ok::<(), tamis_table::HierarchyError>(())
/// ```
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Interval {
    /// The intervals of level 1, if they are not all equally wide.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub bins: Option<Bins>,
    /// Where one of the equally wide intervals starts; 0 if not given.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub start: Option<Decimal>,
    /// How wide they are; if not given, 1, 2 or 5 times a power of ten such that about twenty cover the values.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub width: Option<Decimal>,
    /// How many intervals each further level joins.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub factors: Vec<u32>,
    /// Numbers below this share one open interval.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub min: Option<Decimal>,
    /// Numbers from this on share one open interval.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max: Option<Decimal>,
    /// How intervals are written.
    pub labels: IntervalLabels,
}

/// Intervals that are listed one by one, ascending.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged, expecting = "`bins` must be cut points like [20, 30, 60] or ranges like [[20, 30], [30, 60]]")]
pub enum Bins {
    /// Where one interval ends and the next starts: n + 1 points make n intervals.
    Cuts(Vec<Decimal>),
    /// From (inclusive) and to (exclusive) of each.
    Ranges(Vec<[Decimal; 2]>),
}

/// How intervals are written.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum IntervalLabels {
    /// `[20, 30[`: 20 belongs to it, 30 does not.
    #[default]
    HalfOpen,
    /// `20-29`: first and last, for whole numbers only.
    Range,
}

/// The parameters and values of one run, all as whole numbers at one decimal scale.
struct Run {
    scale: u32,
    bins: Layout,
    min: Option<i128>,
    max: Option<i128>,
    labels: IntervalLabels,
}

/// Where the bins of level 1 lie; they are numbered upwards.
enum Layout {
    Grid { start: i128, width: i128 },
    List(Vec<(i128, i128)>),
}

impl Interval {
    pub(super) fn rows(&self, values: &[&str]) -> Result<Vec<Labels>, HierarchyError> {
        let numbers = values.iter().map(|value| parse(value)).collect::<Result<Vec<_>, _>>()?;
        let sizes = growing_sizes(1, &self.factors, "interval")?;
        let scale = self.parameters().chain(numbers.iter().copied()).map(Decimal::scale).max().unwrap_or(0);
        let numbers = numbers.iter().map(|&number| units(number, scale)).collect::<Result<Vec<_>, _>>()?;
        let run = self.run(scale, &numbers)?;
        values
            .iter()
            .zip(numbers)
            .map(|(&value, number)| {
                let mut labels = vec![value.to_owned()];
                for &size in &sizes {
                    labels.push(run.label(value, number, size)?);
                }
                Ok(labels)
            })
            .collect()
    }

    fn parameters(&self) -> impl Iterator<Item = Decimal> {
        let bins = match &self.bins {
            Some(Bins::Cuts(cuts)) => cuts.clone(),
            Some(Bins::Ranges(ranges)) => ranges.concat(),
            None => Vec::new(),
        };
        bins.into_iter().chain([self.start, self.width, self.min, self.max].into_iter().flatten())
    }

    fn run(&self, scale: u32, numbers: &[i128]) -> Result<Run, HierarchyError> {
        let at_scale = |number: Option<Decimal>| number.map(|number| units(number, scale)).transpose();
        let (min, max) = (at_scale(self.min)?, at_scale(self.max)?);
        if let (Some(low), Some(high)) = (self.min, self.max)
            && min >= max
        {
            return fail(format!("`min` ({low}) must lie below `max` ({high})"));
        }
        let bins = match &self.bins {
            Some(_) if self.start.is_some() || self.width.is_some() => {
                return fail("give an interval hierarchy either `bins` or `start` and `width`, not both");
            }
            Some(bins) => Layout::List(bins.at_scale(scale)?),
            None => {
                let inside =
                    |&&number: &&i128| min.is_none_or(|min| number >= min) && max.is_none_or(|max| number < max);
                let width = match at_scale(self.width)? {
                    Some(width) if width > 0 => width,
                    Some(_) => return fail("the `width` of intervals must be above 0"),
                    None => fitting_width(numbers.iter().filter(inside).copied()),
                };
                Layout::Grid { start: at_scale(self.start)?.unwrap_or(0), width }
            }
        };
        Ok(Run { scale, bins, min, max, labels: self.labels })
    }
}

impl Bins {
    fn at_scale(&self, scale: u32) -> Result<Vec<(i128, i128)>, HierarchyError> {
        let bins: Vec<(i128, i128)> = match self {
            Self::Cuts(cuts) => {
                let cuts = cuts.iter().map(|&cut| units(cut, scale)).collect::<Result<Vec<_>, _>>()?;
                cuts.windows(2).map(|pair| (pair[0], pair[1])).collect()
            }
            Self::Ranges(ranges) => ranges
                .iter()
                .map(|&[from, to]| Ok((units(from, scale)?, units(to, scale)?)))
                .collect::<Result<_, HierarchyError>>()?,
        };
        if bins.is_empty() {
            return fail("`bins` needs at least two cut points or one range");
        }
        let number = |units: i128| Decimal::from_units(units, scale);
        if let Some(&(from, to)) = bins.iter().find(|(from, to)| from >= to) {
            return fail(format!("the bin from {} to {} is empty; list `bins` upwards", number(from), number(to)));
        }
        if let Some(pair) = bins.windows(2).find(|pair| pair[0].1 > pair[1].0) {
            return fail(format!(
                "the bin from {} on starts before the one from {} on ends; list `bins` upwards without overlap",
                number(pair[1].0),
                number(pair[0].0)
            ));
        }
        Ok(bins)
    }
}

impl Run {
    /// The label of `number` where `size` bins of level 1 are joined.
    fn label(&self, value: &str, number: i128, size: u64) -> Result<String, HierarchyError> {
        let written = |units: i128| Decimal::from_units(units, self.scale);
        if let Some(min) = self.min.filter(|&min| number < min) {
            return Ok(format!("<{}", written(min)));
        }
        if let Some(max) = self.max.filter(|&max| number >= max) {
            return Ok(format!(">={}", written(max)));
        }
        let (from, to) = match &self.bins {
            Layout::Grid { start, width } => grid_bin(number, *start, *width, size).ok_or_else(|| {
                HierarchyError::Builder(format!(
                    "the interval around `{value}` is too wide to count; use smaller `factors` or `width`"
                ))
            })?,
            Layout::List(bins) => list_bin(number, bins, size).ok_or_else(|| {
                HierarchyError::Builder(format!(
                    "`{value}` lies in none of the `bins`; add one for it, or set `min` or `max` for an open end"
                ))
            })?,
        };
        let from = self.min.map_or(from, |min| from.max(min));
        let to = self.max.map_or(to, |max| to.min(max));
        match self.labels {
            IntervalLabels::HalfOpen => Ok(format!("[{}, {}[", written(from), written(to))),
            IntervalLabels::Range => {
                let one = power_of_ten(self.scale.into()).unwrap_or(1);
                if let Some(broken) = [number, from, to].into_iter().find(|units| units % one != 0) {
                    return fail(format!(
                        "`labels = \"range\"` is for whole numbers and {} is none; leave it out to get labels like [0.5, 1[",
                        written(broken)
                    ));
                }
                let last = to - one;
                Ok(match (from < 0, from == last) {
                    (_, true) => written(from).to_string(),
                    (true, false) => format!("{} to {}", written(from), written(last)),
                    (false, false) => format!("{}-{}", written(from), written(last)),
                })
            }
        }
    }
}

fn grid_bin(number: i128, start: i128, width: i128, size: u64) -> Option<(i128, i128)> {
    let width = width.checked_mul(size.into())?;
    let from = number.checked_sub(number.checked_sub(start)?.rem_euclid(width))?;
    Some((from, from.checked_add(width)?))
}

fn list_bin(number: i128, bins: &[(i128, i128)], size: u64) -> Option<(i128, i128)> {
    let position = bins.partition_point(|&(_, to)| to <= number);
    bins.get(position).filter(|&&(from, _)| from <= number)?;
    let size = usize::try_from(size).unwrap_or(usize::MAX);
    let first = position / size * size;
    let last = first.saturating_add(size - 1).min(bins.len() - 1);
    Some((bins[first].0, bins[last].1))
}

/// The least of 1, 2, 5, 10, ... of which about twenty cover the numbers.
pub(super) fn fitting_width(numbers: impl Iterator<Item = i128> + Clone) -> i128 {
    let (Some(least), Some(greatest)) = (numbers.clone().min(), numbers.max()) else { return 1 };
    let wanted = greatest.saturating_sub(least) / 20 + i128::from(greatest.saturating_sub(least) % 20 > 0);
    let mut power: i128 = 1;
    loop {
        for width in [1, 2, 5].map(|step| power.saturating_mul(step)) {
            if width >= wanted {
                return width;
            }
        }
        power = power.saturating_mul(10);
    }
}

fn parse(value: &str) -> Result<Decimal, HierarchyError> {
    Decimal::parse(value).map_err(|reason| {
        HierarchyError::Builder(match reason {
            NotDecimal::NoNumber => format!(
                "`{value}` is no number, so it fits no interval; correct it, or declare it as missing, or use another hierarchy"
            ),
            NotDecimal::TooLong => format!("`{value}` takes too many digits to be placed exactly; round it"),
        })
    })
}

fn units(number: Decimal, scale: u32) -> Result<i128, HierarchyError> {
    number.units_at(scale).ok_or_else(|| {
        HierarchyError::Builder(format!(
            "`{number}` and the {scale} decimals of other numbers take too many digits to be placed exactly; round them"
        ))
    })
}
