//! Aggregates of a released numeric column, as the Adult study reports them for age.
//!
//! They are computed from the released labels, as a user of the release would: an interval `20-39` counts as its middle or as its lower
//! end. Midpoints and means are rounded down to integers, as in the published figures.

use serde::{Deserialize, Serialize};
use tamis_engine::Recoding;
use tamis_table::hierarchy::SUPPRESSED;
use tamis_table::{Column, DataType, FrequencySet, Table};

/// Figures of one released numeric column; zeros where nothing but `*` is released.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct NumberFigures {
    /// Mean over released rows, each interval counting as its middle; rounded down.
    pub mean_midpoint: i64,
    /// Mean over released rows, each interval counting as its lower end; rounded down.
    pub mean_lower: i64,
    /// Lower end of the lowest label.
    pub min: i64,
    /// Upper end of the highest label.
    pub max: i64,
    /// The most frequent label over all rows, as it is released; suppressed rows count as `*`.
    pub mode: String,
    /// How often it occurs.
    pub mode_count: u64,
}

/// The figures of every quasi-identifier that holds whole numbers.
pub(crate) fn number_figures(
    table: &Table,
    frequency: &FrequencySet,
    recoding: &Recoding,
) -> std::collections::BTreeMap<String, NumberFigures> {
    let is_integer = |name: &str| table.column(name).is_ok_and(|column| column.data_type() == DataType::Integer);
    (0..frequency.attributes.len())
        .filter(|&j| is_integer(&frequency.attributes[j].name))
        .filter_map(|j| Some((frequency.attributes[j].name.clone(), figures(table, frequency, recoding, j)?)))
        .collect()
}

/// None where a released label such as `12**` or `80+` is no interval, or one such as `2020` for 20200105 stands for something else than
/// the numbers it covers: nothing can be computed from it, and figures would be invented.
fn figures(table: &Table, frequency: &FrequencySet, recoding: &Recoding, j: usize) -> Option<NumberFigures> {
    let column = table.column(&frequency.attributes[j].name).ok()?;
    let missing = column.missing().map(|code| column.dictionary().text(code.0));
    let recoder = &frequency.attributes[j].recoder;
    let level = recoding.levels[j];
    let labels = recoder.labels_of_codes(level);
    let mut released = vec![0u64; recoder.labels(level).len()];
    let mut stars = 0u64;
    for (tuple, (&code, &count)) in frequency.codes[j].iter().zip(&frequency.counts).enumerate() {
        if recoding.keeps(tuple as u32) {
            released[labels[code as usize] as usize] += u64::from(count);
        } else {
            stars += u64::from(count);
        }
    }
    let covered = covered(column, labels, released.len());
    let mut intervals = Vec::new();
    let mut without = 0;
    let all = recoder.labels(level).iter().zip(&covered).zip(&released);
    for ((text, &(least, most)), &count) in all.filter(|&(_, &count)| count > 0) {
        match interval(text) {
            _ if text == SUPPRESSED => stars += count,
            // A missing value has no number either way.
            _ if Some(text) == missing => without += count,
            // A published hierarchy puts the age 40 under `20-39`, so that an interval may miss an end of what it covers, but not all.
            Some((low, high)) if low <= most && least <= high => intervals.push(((low, high), text, count)),
            _ => return None,
        }
    }
    intervals.sort_by_key(|&(ends, ..)| ends);
    let rows: u64 = intervals.iter().map(|&(.., count)| count).sum();
    let mean = |value: &dyn Fn(i128, i128) -> i128| {
        let sum: i128 = intervals
            .iter()
            .map(|&((low, high), _, count)| value(i128::from(low), i128::from(high)) * i128::from(count))
            .sum();
        if rows == 0 { 0 } else { sum.div_euclid(i128::from(rows)) as i64 }
    };
    // Of labels that are equally frequent a number is told before `*`, and that before a missing value.
    let others = [(missing.unwrap_or_default(), without), (SUPPRESSED, stars)];
    let labels = others.into_iter().chain(intervals.iter().rev().map(|&(_, text, count)| (text, count)));
    let (mode, mode_count) = labels.max_by_key(|&(_, count)| count).unwrap_or((SUPPRESSED, 0));
    Some(NumberFigures {
        mean_midpoint: mean(&|low, high| (low + high).div_euclid(2)),
        mean_lower: mean(&|low, _| low),
        min: intervals.iter().map(|&((low, _), ..)| low).min().unwrap_or(0),
        max: intervals.iter().map(|&((_, high), ..)| high).max().unwrap_or(0),
        mode: mode.to_owned(),
        mode_count,
    })
}

/// The least and the largest number that each label covers.
fn covered(column: &Column, labels: &[u32], count: usize) -> Vec<(i64, i64)> {
    let mut covered = vec![(i64::MAX, i64::MIN); count];
    for (text, &label) in column.dictionary().iter().zip(labels) {
        if let Ok(number) = text.trim().parse() {
            let (least, most) = &mut covered[label as usize];
            (*least, *most) = ((*least).min(number), (*most).max(number));
        }
    }
    covered
}

/// The ends of a label: `37`, `20-39` or `[20, 40[` (whose last whole number is 39). What goes down from left to right is none.
fn interval(label: &str) -> Option<(i64, i64)> {
    let label = label.trim();
    if let Ok(number) = label.parse() {
        return Some((number, number));
    }
    let (low, high, is_open) = if let Some(inner) = label.strip_prefix('[') {
        let (inner, is_open) = match inner.strip_suffix('[') {
            Some(inner) => (inner, true),
            None => (inner.strip_suffix(']')?, false),
        };
        let (low, high) = inner.split_once(',')?;
        (low, high, is_open)
    } else {
        // The first dash may be a sign.
        let dash = label.char_indices().skip(1).find(|&(_, character)| character == '-').map(|(at, _)| at)?;
        (&label[..dash], &label[dash + 1..], false)
    };
    let (low, high): (i64, i64) = (low.trim().parse().ok()?, high.trim().parse().ok()?);
    let high = if is_open { high.saturating_sub(1) } else { high };
    (low <= high).then_some((low, high))
}
