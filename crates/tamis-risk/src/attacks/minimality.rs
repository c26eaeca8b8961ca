//! Minimality: what the algorithm's choice tells about sensitive values.
//!
//! *Definition.* The attacker has the release, the quasi-identifiers of the people in it (an external table), the hierarchies, and knows that the
//! release is minimal for frequency l-diversity: each value that matters makes up at most 1/l of every class (and every class has at
//! least k rows). Had a finer table met that, it would have been released. Of all ways to hand the sensitive values of a class to its
//! people, those remain in which everything finer fails; a person's probability of a value is its share among these. It should be at most 1/l.
//!
//! * *Global* recoding gives each column one level. With any generalized column one level lower, some class must fail. Since a union of
//!   classes that hold holds, the transformations below fail as well.
//! * *Local* recoding generalizes some rows only. People fit several classes then; among the people of connected classes, some of which
//!   are generalized, some group with the same original values must fail.
//!
//! *Source.* Wong, Fu, Wang and Pei, Minimality Attack in Privacy Preserving Data Publishing (VLDB 2007). Their example: two people with
//! q1 and some more with q2, of whom two have the disease. Both q1 having it is the only reason to generalize, so both have it.
//!
//! *What a success proves.* l-diversity of the release is not l-diversity to somebody who knows how it was made. Their m-confidentiality, or
//! choices that do not depend on sensitive values (as in differential privacy), prevent it.
//!
//! *What it cannot do.* The external table must list exactly the people of the release. Suppressed rows are refused, and so is a part of
//! the release with more than 200,000 ways to hand out its values.
//!
//! *Cost.* The number of ways in which the values of each class can be spread over its people, people with the same values counting as one.

use super::classes::field;
use super::downcoding::Recoding;
use super::error::setting;
use super::fit::Fit;
use super::handing::{Part, Requirement, ways_of};
use super::refusal::{Parts, Posterior, Way, level_of_column, probabilities, separate_probabilities};
use super::report::{Found, counted, everybody, people, percent};
use super::{AttackError, Finding, LabelsByColumn, Report};
use std::collections::HashMap;
use tamis_table::{Column, Table, brief_number};

/// Rounding must not turn a probability of exactly 1/l into a success.
const SLACK: f64 = 1e-9;

/// How the attack is tried.
#[derive(Debug, Clone)]
pub struct Options<'a> {
    /// The hierarchies of the quasi-identifiers.
    pub labels: LabelsByColumn,
    /// Each value that matters makes up at most 1/l of a class.
    pub l: f64,
    /// The least size of a class.
    pub k: u64,
    /// The sensitive values that matter; all if empty.
    pub values: Vec<&'a str>,
    /// How levels were chosen.
    pub recoding: Recoding,
    /// How many findings to describe.
    pub limit: usize,
}

/// Computes what everybody's sensitive value is, given that the release is minimal.
pub fn attack(
    released: &Table,
    external: &Table,
    quasi: &[&str],
    sensitive: &str,
    options: &Options<'_>,
) -> Result<Report, AttackError> {
    if !(options.l >= 1.0 && options.l.is_finite()) {
        return Err(setting(format!("l is {}; expected a number of at least 1", brief_number(options.l))));
    }
    let fit = Fit::of(released, external, quasi, &options.labels)?;
    let column = released.column(sensitive)?;
    let requirement = Requirement { l: options.l, k: options.k, matters: matters(column, &options.values)? };
    let histograms = counts_by_class(&fit, column);
    check(&fit, &histograms, &requirement, column)?;
    let levels = match options.recoding {
        Recoding::Global => {
            let level = |column: &&Column| level_of_column(column, &options.labels);
            Some(fit.released.columns.iter().map(level).collect::<Result<Vec<usize>, _>>()?)
        }
        Recoding::Local => None,
    };
    let parts = parts_of(&fit);
    if levels.is_some() && parts.iter().any(|part| part.classes.len() > 1) {
        return Err(setting(
            "some people fit several classes of the release, so it was not recoded by whole columns; try the attack with local recoding",
        ));
    }
    let mut ways = Parts::default();
    for part in &parts {
        let refinements = match &levels {
            Some(levels) => finer_groupings(&fit, part, levels, options),
            None => vec![(0..part.groups.len()).collect()],
        };
        ways.push(ways_of(&fit, part, &histograms, &refinements, &requirement)?)?;
    }
    let posterior = match &levels {
        Some(levels) => probabilities(&ways.ways, levels.iter().filter(|&&level| level > 0).count())?,
        None => separate_probabilities(&ways.ways, parts.iter().map(|part| usize::from(is_generalized(&fit, part))))?,
    };
    let impossible =
        || AttackError::Impossible(format!("a finer table with l = {} always exists for these people", options.l));
    let posterior = posterior.ok_or_else(impossible)?;
    Ok(describe(&fit, &parts, &ways.ways, &posterior, &histograms, column, &requirement, options.limit))
}

fn matters(column: &Column, values: &[&str]) -> Result<Vec<bool>, AttackError> {
    let mut matters = vec![values.is_empty(); column.dictionary().len()];
    for value in values {
        let found = column.dictionary().iter().position(|text| text == *value);
        let code = found.ok_or_else(|| setting(format!("no row has the value `{value}` in `{}`", column.name())))?;
        matters[code] = true;
    }
    Ok(matters)
}

/// How often each released class holds each sensitive value.
fn counts_by_class(fit: &Fit<'_>, column: &Column) -> Vec<Vec<u32>> {
    let mut counts = vec![vec![0; column.dictionary().len()]; fit.released.first_rows.len()];
    for (row, &class) in fit.released.class_of_row.iter().enumerate() {
        counts[class as usize][column.codes().get(row) as usize] += 1;
    }
    counts
}

/// Whether the release and the people go together and the release meets what it is said to meet.
fn check(
    fit: &Fit<'_>,
    histograms: &[Vec<u32>],
    requirement: &Requirement,
    column: &Column,
) -> Result<(), AttackError> {
    if fit.released.suppressed_rows() > 0 {
        let rows = counted(fit.released.suppressed_rows(), "suppressed row", "suppressed rows");
        return Err(setting(format!(
            "the release has {rows}, which this attack cannot reason about; remove them first"
        )));
    }
    let (rows, people) = (fit.released.rows(), fit.people.class_of_row.len() as u64);
    let lonely = (0..fit.people.first_rows.len()).find(|&group| fit.released_for(group).is_empty());
    if let Some(group) = lonely {
        return Err(setting(format!(
            "nobody in the release fits {}; the external table must list exactly the people of the release",
            fit.people.fields(group).phrase()
        )));
    }
    if rows != people {
        return Err(setting(format!(
            "the external table has {people} people where the release has {rows} rows; it must list exactly the people of the release"
        )));
    }
    if let Some(class) = fit.released.kept().find(|&class| !requirement.holds(&histograms[class])) {
        return Err(setting(format!(
            "the class {} does not meet l = {} and k = {} itself; give the requirement that the release was made with, and the values of `{}` that matter",
            fit.released.fields(class).phrase(),
            requirement.l,
            requirement.k,
            column.name()
        )));
    }
    Ok(())
}

/// The class that stands for the part a class is in.
fn find(root: &[usize], mut class: usize) -> usize {
    while root[class] != class {
        class = root[class];
    }
    class
}

/// The parts of the release that have no people in common.
fn parts_of(fit: &Fit<'_>) -> Vec<Part> {
    let mut root: Vec<usize> = (0..fit.released.first_rows.len()).collect();
    for group in 0..fit.people.first_rows.len() {
        for pair in fit.released_for(group).windows(2) {
            let (a, b) = (find(&root, pair[0] as usize), find(&root, pair[1] as usize));
            root[a.max(b)] = a.min(b);
        }
    }
    let mut parts: Vec<Part> = (0..root.len()).map(|_| Part::default()).collect();
    for class in 0..root.len() {
        parts[find(&root, class)].classes.push(class);
    }
    for group in 0..fit.people.first_rows.len() {
        if let Some(&class) = fit.released_for(group).first() {
            parts[find(&root, class as usize)].groups.push(group);
        }
    }
    parts.retain(|part| !part.classes.is_empty());
    parts
}

/// Whether some value of a part was replaced.
fn is_generalized(fit: &Fit<'_>, part: &Part) -> bool {
    part.groups.iter().any(|&group| {
        fit.released_for(group).iter().any(|&class| {
            (0..fit.people.columns.len())
                .any(|column| fit.people.text(column, group) != fit.released.text(column, class as usize))
        })
    })
}

/// For each generalized column, which class each group of people of the part would be in with that column one level lower.
fn finer_groupings(fit: &Fit<'_>, part: &Part, levels: &[usize], options: &Options<'_>) -> Vec<Vec<usize>> {
    let generalized = (0..levels.len()).filter(|&column| levels[column] > 0);
    generalized
        .map(|column| {
            let mut numbers: HashMap<String, usize> = HashMap::new();
            let labels = options.labels.get(fit.people.columns[column].name());
            // The part is one released class, so that only the refined column tells its people apart.
            let label = |group: usize| {
                let value = fit.people.text(column, group);
                let chain = labels.map_or_else(|| vec![value], |labels| labels.chain(value));
                chain.get(levels[column] - 1).copied().unwrap_or(value).to_owned()
            };
            part.groups
                .iter()
                .map(|&group| {
                    let next = numbers.len();
                    *numbers.entry(label(group)).or_insert(next)
                })
                .collect()
        })
        .collect()
}

#[allow(clippy::too_many_arguments, reason = "everything that was found out, described once")]
fn describe(
    fit: &Fit<'_>,
    parts: &[Part],
    ways: &[Vec<Way>],
    posterior: &Posterior,
    histograms: &[Vec<u32>],
    column: &Column,
    requirement: &Requirement,
    limit: usize,
) -> Report {
    let domain = requirement.matters.len();
    let bound = 1.0 / requirement.l;
    let mut exposed = Vec::new();
    let (mut at_risk, mut largest) = (0, 0.0f64);
    for (part, (ways, posterior)) in parts.iter().zip(ways.iter().zip(posterior)) {
        for (position, &group) in part.groups.iter().enumerate() {
            let size = fit.people.size(group);
            let mut is_exposed = false;
            for value in (0..domain).filter(|&value| requirement.matters[value]) {
                let held = |way: &Way| f64::from(way.counts[position * domain + value]);
                let probability =
                    ways.iter().zip(posterior).map(|(way, p)| p.unwrap_or(0.0) * held(way)).sum::<f64>() / size as f64;
                largest = largest.max(probability);
                if probability > bound + SLACK {
                    is_exposed = true;
                    exposed.push((probability.min(1.0), group, value, naive(fit, group, value, histograms)));
                }
            }
            at_risk += if is_exposed { size } else { 0 };
        }
    }
    exposed.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
    let mut found = Found::new(limit);
    for &(probability, group, value, naive) in &exposed {
        found.add(|| {
            let size = fit.people.size(group);
            let (who, learned) = (fit.people.fields(group), field(column.name(), column.dictionary().text(value as u32)));
            let verb = if size == 1 { "has" } else { "have" };
            let sentence = format!(
                "{} with {} {verb} {} with probability {}, not {} as the release seems to say: otherwise a finer table would have been released.",
                everybody(size),
                who.phrase(),
                learned.phrase(),
                percent(probability),
                percent(naive)
            );
            Finding { people: size, probability, who, learned, sentence }
        });
    }
    let rows = fit.released.rows();
    Report::new("minimality", rows, at_risk, found)
        .summary(format!(
            "For {at_risk} of {} a value of {} is likelier than 1/l = {} to whoever knows that the release is minimal; the largest probability is {}.",
            people(rows),
            column.name(),
            percent(bound),
            percent(largest)
        ))
        .figure("l", requirement.l)
        .figure("largest_probability", largest.min(1.0))
        .figure("promised_probability", bound)
}

/// What the release alone seems to say: the share of a value in the classes that a person fits.
fn naive(fit: &Fit<'_>, group: usize, value: usize, histograms: &[Vec<u32>]) -> f64 {
    let classes = || fit.released_for(group).iter().map(|&class| &histograms[class as usize]);
    let rows: u32 = classes().flatten().sum();
    f64::from(classes().map(|counts| counts[value]).sum::<u32>()) / f64::from(rows)
}
