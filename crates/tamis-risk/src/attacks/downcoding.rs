//! Downcoding: undoing generalizations of a release that is known to be minimal.
//!
//! *Definition.* The attacker has the release, the hierarchies and k, and knows that the release is minimal: everything one step finer was
//! refused because it is not k-anonymous. Each class could hold many combinations of finer values (*cells*: every generalized column one
//! level lower); the refusal excludes some. A cell that has at least m rows in every combination left is downcoded: m rows with that finer value
//! are in the private table for certain. Without the refusal nothing about cells would be certain.
//!
//! * *Global* recoding gives each column one level, as Tamis does. For each generalized column, the table with that column one level
//!   lower has some class of fewer than k rows, which may lie in any released class.
//! * *Local* recoding chooses levels row by row, as in Cohen's definition of a hierarchical minimal generalization. Then no class has k
//!   rows that agree on a finer label and leave no or at least k others, for they would have been refined.
//!
//! The probabilities given take every value below a label to be equally likely beforehand.
//!
//! *Source.* Cohen, Attacks on Deidentification's Defenses (USENIX Security 2022), who shows that minimal hierarchical k-anonymous
//! releases can be downcoded, and that this holds for all models that refine k-anonymity in the same way.
//!
//! *What it cannot do.* Suppressed rows, and releases whose class sizes are below k, are refused. A class with more than
//! 200,000 combinations of cells is refused too. Refinements that would merge rows of overlapping classes are not considered, so
//! less is excluded than could be: what is found is certain, but more may be.
//!
//! *Cost.* The number of ways to spread each class over its cells: for n rows and m cells, (n + m - 1) over n.

use super::classes::Classes;
use super::error::setting;
use super::refusal::{
    Mask, Parts, Posterior, Way, level_of_column, listed_levels, log_factorials, most_ways, probabilities,
    separate_probabilities,
};
use super::report::{Found, are, counted, percent};
use super::{AttackError, Fields, Finding, Labels, LabelsByColumn, Report};
use std::collections::HashMap;
use tamis_table::Table;

/// How levels were chosen.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Recoding {
    /// One level for each column.
    #[default]
    Global,
    /// Levels row by row.
    Local,
}

/// How the attack is tried.
#[derive(Debug, Clone, Default)]
pub struct Options {
    /// The hierarchies; a column without one was not generalized.
    pub labels: LabelsByColumn,
    /// The k that the release was made with.
    pub k: u64,
    /// How levels were chosen.
    pub recoding: Recoding,
    /// How many findings to describe.
    pub limit: usize,
}

/// The finer values of a class.
struct Cells {
    /// The level of each column in this class.
    levels: Vec<usize>,
    /// The finer label of each cell in each column.
    labels: Vec<Vec<String>>,
    /// How many private values each cell stands for.
    values: Vec<f64>,
}

/// Undoes what can be undone of a release.
pub fn attack(released: &Table, quasi: &[&str], options: &Options) -> Result<Report, AttackError> {
    let classes = Classes::of(released, quasi)?;
    if classes.suppressed_rows() > 0 {
        let rows = counted(classes.suppressed_rows(), "suppressed row", "suppressed rows");
        return Err(setting(format!(
            "the release has {rows}, which this attack cannot reason about; remove them first"
        )));
    }
    if options.k < 2 || classes.k() < options.k {
        return Err(setting(format!(
            "k is {}, but the smallest class of the release has {}; give the k that the release was made with, 2 or more",
            options.k,
            counted(classes.k(), "row", "rows")
        )));
    }
    let levels = match options.recoding {
        Recoding::Global => {
            let level = |column: &&tamis_table::Column| level_of_column(column, &options.labels);
            Some(classes.columns.iter().map(level).collect::<Result<Vec<_>, _>>()?)
        }
        Recoding::Local => None,
    };
    let mut parts = Parts::default();
    let mut all_cells = Vec::new();
    for class in classes.kept() {
        let cells = cells_of(&classes, class, levels.as_deref(), &options.labels)?;
        parts.push(ways_of(&classes, class, &cells, options)?)?;
        all_cells.push(cells);
    }
    let generalized = |levels: &[usize]| levels.iter().filter(|&&level| level > 0).count();
    let posterior = match &levels {
        Some(levels) => probabilities(&parts.ways, generalized(levels))?,
        None => separate_probabilities(&parts.ways, all_cells.iter().map(|cells| generalized(&cells.levels)))?,
    };
    let impossible = || AttackError::Impossible(format!("a finer release with k = {} always exists", options.k));
    let posterior = posterior.ok_or_else(impossible)?;
    Ok(describe(&classes, &all_cells, &parts.ways, &posterior, options.limit))
}

fn cells_of(
    classes: &Classes<'_>,
    class: usize,
    levels: Option<&[usize]>,
    labels: &LabelsByColumn,
) -> Result<Cells, AttackError> {
    let mut cells = Cells { levels: Vec::new(), labels: vec![Vec::new()], values: vec![1.0] };
    for (position, column) in classes.columns.iter().enumerate() {
        let text = classes.text(position, class);
        let known = labels.get(column.name());
        let level = match (levels, known) {
            (Some(levels), _) => levels[position],
            (None, Some(known)) => listed_levels(known, column.name(), text)?.first().copied().unwrap_or(0),
            (None, None) => 0,
        };
        let finer =
            known.filter(|_| level > 0).map_or_else(|| vec![(text.to_owned(), 1)], |known| finer(known, text, level));
        let mut next = Cells { levels: Vec::new(), labels: Vec::new(), values: Vec::new() };
        for (start, values) in cells.labels.iter().zip(&cells.values) {
            for (label, below) in &finer {
                next.labels.push([start.as_slice(), std::slice::from_ref(label)].concat());
                next.values.push(values * f64::from(*below));
            }
            if next.labels.len() as u64 > most_ways(next.labels.len()) {
                return Err(too_many(classes, class, next.labels.len()));
            }
        }
        next.levels = [cells.levels.as_slice(), &[level]].concat();
        cells = next;
    }
    Ok(cells)
}

/// The labels one level below a text on `level`, and how many values each stands for.
fn finer(labels: &Labels, text: &str, level: usize) -> Vec<(String, u32)> {
    let mut finer: Vec<(String, u32)> = Vec::new();
    for value in labels.values_under(text) {
        let chain = labels.chain(value);
        if chain.get(level) != Some(&text) {
            continue;
        }
        match finer.iter_mut().find(|(label, _)| label == chain[level - 1]) {
            Some((_, count)) => *count += 1,
            None => finer.push((chain[level - 1].to_owned(), 1)),
        }
    }
    finer
}

fn too_many(classes: &Classes<'_>, class: usize, cells: usize) -> AttackError {
    AttackError::TooManyWays { what: format!("the class {}", classes.fields(class).phrase()), limit: most_ways(cells) }
}

/// Every way to spread the rows of a class over its cells.
fn ways_of(classes: &Classes<'_>, class: usize, cells: &Cells, options: &Options) -> Result<Vec<Way>, AttackError> {
    let (rows, count) = (classes.size(class), cells.labels.len());
    // (n + m - 1) over n, term by term.
    let mut ways = 1.0f64;
    for term in 1..count {
        ways = ways * (rows as f64 + term as f64) / term as f64;
        if ways > most_ways(count) as f64 {
            return Err(too_many(classes, class, count));
        }
    }
    let factorials = log_factorials(rows);
    let mut all = Vec::new();
    spread(rows as u32, count, &mut Vec::with_capacity(count), &mut |counts| {
        let of_cell = |(&n, values): (&u32, &f64)| f64::from(n) * values.ln() - factorials[n as usize];
        let weight = counts.iter().zip(&cells.values).map(of_cell).sum();
        all.push(Way { fails: failing(counts, cells, rows, options), weight, counts: counts.to_vec() });
    });
    Ok(all)
}

fn spread(rows: u32, cells: usize, start: &mut Vec<u32>, each: &mut impl FnMut(&[u32])) {
    if start.len() + 1 >= cells {
        start.push(rows);
        each(start);
        start.pop();
        return;
    }
    for here in 0..=rows {
        start.push(here);
        spread(rows - here, cells, start, each);
        start.pop();
    }
}

/// Which refinements of one column this way makes fail; generalized columns have a bit each.
fn failing(counts: &[u32], cells: &Cells, rows: u64, options: &Options) -> Mask {
    let k = options.k;
    let mut fails = 0;
    let generalized = (0..cells.levels.len()).filter(|&column| cells.levels[column] > 0);
    for (bit, column) in generalized.enumerate() {
        let mut parts: HashMap<&str, u64> = HashMap::new();
        for (labels, &count) in cells.labels.iter().zip(counts) {
            *parts.entry(&labels[column]).or_default() += u64::from(count);
        }
        let fail = match options.recoding {
            Recoding::Global => parts.values().any(|&part| part > 0 && part < k),
            Recoding::Local => !parts.values().any(|&part| part >= k && (part == rows || rows >= 2 * k)),
        };
        fails |= Mask::from(fail) << bit;
    }
    fails
}

fn describe(
    classes: &Classes<'_>,
    all_cells: &[Cells],
    parts: &[Vec<Way>],
    posterior: &Posterior,
    limit: usize,
) -> Report {
    let mut found = Found::new(limit);
    let (mut recovered, mut undone, mut largest_gain) = (0u64, 0u64, 0.0f64);
    for ((class, cells), (ways, posterior)) in classes.kept().zip(all_cells).zip(parts.iter().zip(posterior)) {
        let rows = classes.size(class);
        let possible = || ways.iter().zip(posterior).filter_map(|(way, probability)| probability.map(|p| (way, p)));
        let all_values: f64 = cells.values.iter().sum();
        let least: Vec<u32> = (0..cells.labels.len())
            .map(|cell| possible().map(|(way, _)| way.counts[cell]).min().unwrap_or(0))
            .collect();
        for (cell, values) in cells.values.iter().enumerate() {
            let expected: f64 = possible().map(|(way, p)| f64::from(way.counts[cell]) * p).sum::<f64>() / rows as f64;
            largest_gain = largest_gain.max(expected - values / all_values);
        }
        let certain: u64 = least.iter().map(|&count| u64::from(count)).sum();
        if certain == 0 || cells.labels.len() < 2 {
            continue;
        }
        recovered += certain;
        undone += u64::from(certain == rows);
        found.add(|| {
            let who = classes.fields(class);
            let learned = downcoded(classes, cells, &least);
            let known: Vec<String> =
                learned.iter().map(|(count, fields)| format!("{count} with {}", fields.phrase())).collect();
            let all = if certain == rows { "are certainly" } else { "certainly include" };
            let sentence = format!(
                "The {rows} rows with {} {all} {}: otherwise a finer table would have been released.",
                who.phrase(),
                known.join(" and ")
            );
            let learned =
                Fields(learned.into_iter().map(|(count, fields)| (fields.phrase(), count.to_string())).collect());
            Finding { people: certain, probability: 1.0, who, learned, sentence }
        });
    }
    Report::new("downcoding", classes.rows(), recovered, found)
        .summary(format!(
            "The finer values of {recovered} of {} follow from the release being minimal; {} {} undone whole. No finer value becomes more than {} likelier.",
            counted(classes.rows(), "row", "rows"),
            counted(undone, "class", "classes"),
            are(undone),
            percent(largest_gain)
        ))
        .figure("classes", classes.kept().count())
        .figure("classes_undone", undone)
        .figure("rows_downcoded", recovered)
        .figure("largest_gain", largest_gain)
}

/// The cells that hold rows for certain, with the columns that were generalized.
fn downcoded(classes: &Classes<'_>, cells: &Cells, least: &[u32]) -> Vec<(u32, Fields)> {
    let fields = |labels: &[String]| {
        let columns = classes.columns.iter().zip(labels).zip(&cells.levels).filter(|(_, level)| **level > 0);
        Fields(columns.map(|((column, label), _)| (column.name().to_owned(), label.clone())).collect())
    };
    let certain = least.iter().zip(&cells.labels).filter(|(count, _)| **count > 0);
    certain.map(|(&count, labels)| (count, fields(labels))).collect()
}
