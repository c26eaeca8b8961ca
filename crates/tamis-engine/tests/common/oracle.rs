//! One transformation evaluated from the definitions, row by row and text by text.

use super::company::Rows;
use super::sample::{Requirement, Sample};
use super::scores::scores;
use std::collections::{BTreeMap, BTreeSet};

/// What becomes of a table under one transformation.
#[derive(Debug, Clone)]
pub(crate) struct Outcome {
    /// The score; one number, or several for the rank aggregate.
    pub(crate) score: Vec<f64>,
    /// Rows to release that are suppressed.
    pub(crate) suppressed: u64,
    /// Released classes.
    pub(crate) classes: u64,
    /// Whether the transformation may be chosen.
    pub(crate) holds: bool,
    /// For each row whether it is in a released class.
    pub(crate) is_kept: Vec<bool>,
}

/// The hierarchy of one quasi-identifier as a list of lines, with the line a missing value gets if none lists it.
pub(crate) struct Lines {
    lines: Vec<Vec<String>>,
}

impl Lines {
    pub(crate) fn of(sample: &Sample, j: usize) -> Self {
        let mut lines = sample.lines(j);
        let is_missing = sample.rows.iter().any(|row| row.quasi[j].is_empty());
        if is_missing && !lines.iter().any(|line| line[0].is_empty()) {
            let columns = lines[0].len();
            let top = lines[0][columns - 1].clone();
            let is_one = lines.iter().all(|line| line[columns - 1] == top);
            let mut own = vec![String::new(); columns];
            if is_one && columns > 1 {
                own[columns - 1] = top;
            }
            lines.push(own);
        }
        Self { lines }
    }

    pub(crate) fn label(&self, value: &str, level: usize) -> &str {
        &self.lines.iter().find(|line| line[0] == value).unwrap()[level]
    }

    /// Number of lines, and of those with this label.
    pub(crate) fn share(&self, label: &str, level: usize) -> (usize, usize) {
        (self.lines.iter().filter(|line| line[level] == label).count(), self.lines.len())
    }

    pub(crate) fn height(&self) -> usize {
        self.lines[0].len() - 1
    }
}

/// The labels of a class.
pub(crate) type Key = Vec<String>;

pub(crate) fn outcome(sample: &Sample, levels: &[usize]) -> Outcome {
    let hierarchies: Vec<Lines> = (0..levels.len()).map(|j| Lines::of(sample, j)).collect();
    let key = |row: usize| -> Key {
        let values = sample.rows[row].quasi.iter();
        values
            .zip(&hierarchies)
            .zip(levels)
            .map(|((value, lines), &level)| lines.label(value, level).to_owned())
            .collect()
    };
    let mut classes: BTreeMap<Key, Vec<usize>> = BTreeMap::new();
    for row in 0..sample.rows.len() {
        classes.entry(key(row)).or_default().push(row);
    }
    // The labels that match anything: those of missing values, as long as no other value of the column has the same.
    let wildcards: Vec<Option<String>> = (0..levels.len())
        .map(|j| {
            let mut values: BTreeSet<&str> = sample.rows.iter().map(|row| row.quasi[j].as_str()).collect();
            let label = |value: &str| hierarchies[j].label(value, levels[j]).to_owned();
            let is_wild = sample.wildcards[j] && values.remove("");
            is_wild.then(|| label("")).filter(|wild| values.iter().all(|value| label(value) != *wild))
        })
        .collect();
    let anything_matches = wildcards.iter().any(Option::is_some);
    let matches = |left: &Key, right: &Key| {
        anything_matches
            && (0..levels.len()).all(|j| {
                let is_wild = |label: &String| wildcards[j].as_ref() == Some(label);
                left[j] == right[j] || is_wild(&left[j]) || is_wild(&right[j])
            })
    };
    let released = |rows: &[usize]| rows.iter().filter(|&&row| sample.rows[row].is_released).count() as u64;
    let keys: Vec<Key> = (0..sample.rows.len()).map(key).collect();
    let rows = Rows { sample, hierarchies: &hierarchies, levels, keys: &keys };
    let mut kept: BTreeSet<Key> = classes.keys().cloned().collect();
    // What falls here and in every less general transformation goes first.
    rows.settle(&mut kept, true);
    let mut is_blocked;
    loop {
        is_blocked = false;
        let mut next = kept.clone();
        for (key, own) in classes.iter().filter(|(key, _)| kept.contains(*key)) {
            let others =
                classes.iter().filter(|(other, _)| *other != key && kept.contains(*other) && matches(key, other));
            let mut rows = own.clone();
            rows.extend(others.flat_map(|(_, rows)| rows).copied());
            if released(own) == 0 {
                let mut presence = sample.requirements.iter().filter(|r| matches!(r, Requirement::Presence { .. }));
                is_blocked |= presence.any(|requirement| !holds(sample, requirement, &rows));
            } else if !sample.requirements.iter().all(|requirement| holds(sample, requirement, &rows)) {
                next.remove(key);
            }
        }
        rows.settle(&mut next, false);
        if next == kept {
            break;
        }
        kept = next;
    }
    let mut is_kept = vec![false; sample.rows.len()];
    let (mut kept_sizes, mut all_sizes) = (Vec::new(), Vec::new());
    for (key, rows) in classes.iter().filter(|(_, rows)| released(rows) > 0) {
        all_sizes.push(released(rows));
        if kept.contains(key) {
            kept_sizes.push(released(rows));
            for &row in rows {
                is_kept[row] = true;
            }
        }
    }
    let suppressed = all_sizes.iter().sum::<u64>() - kept_sizes.iter().sum::<u64>();
    Outcome {
        score: scores(sample, levels, &hierarchies, &is_kept, &kept_sizes, &all_sizes),
        suppressed,
        classes: kept_sizes.len() as u64,
        holds: suppressed <= sample.limit && !is_blocked,
        is_kept,
    }
}

/// Gaps between different values of the compared sides are far larger, rounding errors far smaller.
const CLOSE: f64 = 1e-9;

fn holds(sample: &Sample, requirement: &Requirement, rows: &[usize]) -> bool {
    let released: Vec<usize> = rows.iter().copied().filter(|&row| sample.rows[row].is_released).collect();
    let people: BTreeSet<usize> = released.iter().map(|&row| sample.rows[row].person).collect();
    let size = people.len() as u64;
    let attributes = |attribute: Option<usize>| match attribute {
        Some(attribute) => vec![attribute],
        None => (0..sample.trees.len()).collect(),
    };
    // A person counts once per value.
    let counts = |s: usize| -> BTreeMap<&str, u64> {
        let pairs: BTreeSet<(usize, &str)> =
            released.iter().map(|&row| (sample.rows[row].person, sample.rows[row].sensitive[s].as_str())).collect();
        let mut counts = BTreeMap::new();
        for &(_, value) in &pairs {
            *counts.entry(value).or_insert(0) += 1;
        }
        counts
    };
    match *requirement {
        Requirement::Class(ref model) => model.holds(sample, rows),
        Requirement::K { k } => size >= k,
        Requirement::Presence { min_tenths, max_tenths } => {
            let (subset, population) = (10 * released.len() as u64, rows.len() as u64);
            min_tenths * population <= subset && subset <= max_tenths * population
        }
        Requirement::Distinct { l, attribute } => {
            size >= l && attributes(attribute).into_iter().all(|s| counts(s).len() as u64 >= l)
        }
        Requirement::Entropy { quarters, attribute } => attributes(attribute).into_iter().all(|s| {
            let counts = counts(s);
            let total: u64 = counts.values().sum();
            let entropy: f64 = counts.values().map(|&f| f as f64 / total as f64).map(|p| -p * p.ln()).sum();
            let least = quarters.div_ceil(4);
            size >= least && counts.len() as u64 >= least && entropy + CLOSE >= (quarters as f64 / 4.0).ln()
        }),
        Requirement::Recursive { tenths, l, attribute } => attributes(attribute).into_iter().all(|s| {
            let mut ranked: Vec<u64> = counts(s).into_values().collect();
            ranked.sort_unstable_by(|a, b| b.cmp(a));
            let tail: u64 = ranked.iter().skip(l as usize - 1).sum();
            size >= l && ranked.len() as u64 >= l && 10 * ranked[0] < tenths * tail
        }),
        Requirement::Closeness { twentieths, distance, attribute } => attributes(attribute)
            .into_iter()
            .all(|s| moved(sample, s, &counts(s), distance) <= twentieths as f64 / 20.0 + CLOSE),
    }
}

/// The earth mover's distance of a class to the table.
fn moved(sample: &Sample, s: usize, counts: &BTreeMap<&str, u64>, distance: &str) -> f64 {
    let mut values: Vec<&str> = sample.rows.iter().map(|row| row.sensitive[s].as_str()).collect();
    values.sort_by_key(|value| value.parse::<i64>().unwrap());
    values.dedup();
    let rows: u64 = values.iter().map(|value| sample.total(s, value)).sum();
    let size: u64 = counts.values().sum();
    let extra = |value: &str| {
        counts.get(value).copied().unwrap_or(0) as f64 / size as f64 - sample.total(s, value) as f64 / rows as f64
    };
    let extras: Vec<f64> = values.iter().map(|value| extra(value)).collect();
    match distance {
        "equal" => extras.iter().map(|extra| extra.abs()).sum::<f64>() / 2.0,
        "ordered" if values.len() == 1 => 0.0,
        "ordered" => {
            let sums = (1..=extras.len()).map(|end| extras[..end].iter().sum::<f64>().abs());
            sums.sum::<f64>() / (values.len() - 1) as f64
        }
        _ => {
            let line = |value: &str| sample.trees[s].iter().find(|line| line[0] == value).unwrap();
            let height = line(values[0]).len() - 1;
            // From the leaves up: label -> (label above, extra).
            let mut nodes: BTreeMap<&str, f64> = values.iter().map(|&value| (value, extra(value))).collect();
            let mut cost = 0.0;
            for level in 1..=height {
                let mut above: BTreeMap<&str, (f64, f64)> = BTreeMap::new();
                for (node, extra) in nodes {
                    let leaf = values.iter().find(|value| line(value)[level - 1] == node).unwrap();
                    let (pos, neg) = above.entry(line(leaf)[level].as_str()).or_default();
                    *pos += extra.max(0.0);
                    *neg += (-extra).max(0.0);
                }
                cost += above.values().map(|(pos, neg)| pos.min(*neg)).sum::<f64>() * level as f64 / height as f64;
                nodes = above.into_iter().map(|(node, (pos, neg))| (node, pos - neg)).collect();
            }
            cost
        }
    }
}
