//! Linkage: joining a release with a table that has names.
//!
//! *Definition.* A released row fits a person if each of its values is the person's value, a label of it, or `*`. A person's
//! *candidates* are the released rows that fit. A person is re-identified if there is one candidate and, unless the attacker knows
//! that everybody in the external table is in the release, nobody else in the external table fits that row.
//!
//! The probability of a correct match for a person with c candidates is 1/c if the person is known to be in the release. Otherwise it
//! is the mean over the candidates of 1/max(c, p), where p people of the external table fit the candidate: a class of c rows that p
//! people fit holds the person with probability c/p if c < p, and then the right row is one of c.
//!
//! *Source.* Sweeney, k-Anonymity: A Model for Protecting Privacy (2002), who found a governor's medical record in this way.
//!
//! *What a success proves.* Removing names is not enough: the columns joined on are a quasi-identifier. k-anonymity over them leaves
//! everyone at least k candidates.
//!
//! *What is refused.* A column without a hierarchy whose texts the two tables do not share: nobody would be found, which would prove nothing.
//!
//! *Cost.* Linear in the rows of both tables for releases recoded by whole columns: a hash join on codes.

use super::fit::Fit;
use super::report::{Found, are, counted, people, percent};
use super::vocabulary::ensure_common;
use super::{AttackError, Fields, Finding, LabelsByColumn, Report};
use tamis_table::Table;

/// How the attack is tried.
#[derive(Debug, Clone, Default)]
pub struct Options<'a> {
    /// The hierarchies of generalized columns.
    pub labels: LabelsByColumn,
    /// The column of the external table that names people.
    pub identify: Option<&'a str>,
    /// Whether everybody in the external table is known to be in the release.
    pub present: bool,
    /// How many findings to describe.
    pub limit: usize,
}

/// The candidates of every person of the external table, in row order.
///
/// ```
/// use tamis_risk::attacks::{linkage, LabelsByColumn};
/// use tamis_table::{ColumnBuilder, Table};
/// let table = |values: &[&str]| -> Result<Table, tamis_table::TableError> {
///     let mut zip = ColumnBuilder::new("zip");
///     values.iter().try_for_each(|value| zip.push(value))?;
///     Table::new(vec![zip.finish()])
/// };
/// let candidates =
///     linkage::candidates(&table(&["05345", "05345", "05351"])?, &table(&["05351", "05345", "05399"])?, &["zip"], &LabelsByColumn::new())?;
/// assert_eq!(candidates, [1, 2, 0]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn candidates(
    released: &Table,
    external: &Table,
    on: &[&str],
    labels: &LabelsByColumn,
) -> Result<Vec<u64>, AttackError> {
    let fit = Fit::of(released, external, on, labels)?;
    let of_group: Vec<u64> = (0..fit.people.first_rows.len()).map(|group| fit.candidates(group)).collect();
    Ok(fit.people.class_of_row.iter().map(|&group| of_group[group as usize]).collect())
}

/// Tries to find every person of the external table in the release.
pub fn attack(released: &Table, external: &Table, on: &[&str], options: &Options<'_>) -> Result<Report, AttackError> {
    let fit = Fit::of(released, external, on, &options.labels)?;
    ensure_common(&fit.released, &fit.people, &options.labels)?;
    let names = options.identify.map(|name| external.column(name)).transpose()?;
    let people_per_released = fit.people_per_released();
    let groups = fit.people.first_rows.len();
    let is_found = |group: usize| {
        let rivals = |&released: &u32| people_per_released[released as usize];
        fit.candidates(group) == 1 && (options.present || fit.released_for(group).iter().map(rivals).sum::<u64>() == 1)
    };
    let (mut at_risk, mut without, mut matched, mut correct) = (0, 0, 0, 0.0);
    let mut sizes: Vec<u64> = Vec::new();
    for group in 0..groups {
        let (size, candidates) = (fit.people.size(group), fit.candidates(group));
        at_risk += if is_found(group) { size } else { 0 };
        if candidates == 0 {
            without += size;
            continue;
        }
        matched += size;
        sizes.push(candidates);
        correct += size as f64 * probability(&fit, group, candidates, &people_per_released, options.present);
    }
    let mut found = Found::new(options.limit);
    let exposed: Vec<bool> = (0..groups).map(is_found).collect();
    for (person, &group) in fit.people.class_of_row.iter().enumerate().filter(|(_, group)| exposed[**group as usize]) {
        found.add(|| {
            let row =
                fit.released_for(group as usize).first().map_or(0, |&group| fit.released.first_rows[group as usize]);
            let identified = names.filter(|column| !column.text(person).trim().is_empty());
            let name = identified.map_or_else(
                || format!("Person {} of the external table", person + 1),
                |column| column.text(person).to_owned(),
            );
            let who = match identified {
                Some(column) => Fields(vec![(column.name().to_owned(), name.clone())]),
                None => Fields(vec![("row".to_owned(), (person + 1).to_string())]),
            };
            let learned = learned(released, on, row as usize);
            let known = fit.people.fields(group as usize).phrase();
            let rest =
                if learned.0.is_empty() { "is in the release".to_owned() } else { format!("has {}", learned.phrase()) };
            let sentence = format!("{name} ({known}) fits only row {} of the release, and so {rest}.", row + 1);
            Finding { people: 1, probability: 1.0, who, learned, sentence }
        });
    }
    let rows = external.rows() as u64;
    let least = sizes.iter().min().copied().unwrap_or(0);
    Ok(Report::new("linkage", rows, at_risk, found)
        .summary(format!(
            "{at_risk} of {} {} re-identified; {without} {} no row; the others have {} or more. A match is right with probability {} on average.",
            people(rows),
            are(at_risk),
            if without == 1 { "fits" } else { "fit" },
            counted(if at_risk > 0 { sizes.iter().filter(|&&size| size > 1).min().copied().unwrap_or(least) } else { least }, "candidate", "candidates"),
            percent(if matched == 0 { 0.0 } else { correct / matched as f64 })
        ))
        .figure("released_rows", fit.released.rows())
        .figure("suppressed_rows", fit.released.suppressed_rows())
        .figure("matched", matched)
        .figure("unmatched", without)
        .figure("least_candidates", least)
        .figure("one_candidate", (0..groups).filter(|&group| fit.candidates(group) == 1).map(|group| fit.people.size(group)).sum::<u64>())
        .figure("average_probability", if matched == 0 { 0.0 } else { correct / matched as f64 })
        .figure("expected_matches", correct)
        .notes(fit.notes))
}

/// How likely a match of a person is right; see the definition above.
fn probability(fit: &Fit<'_>, group: usize, candidates: u64, people_per_released: &[u64], present: bool) -> f64 {
    if present {
        return 1.0 / candidates as f64;
    }
    let rows = |released: u32| fit.released.size(released as usize) as f64;
    let match_of = |released: u32| 1.0 / candidates.max(people_per_released[released as usize]) as f64;
    let sum: f64 = fit.released_for(group).iter().map(|&released| rows(released) * match_of(released)).sum();
    sum / candidates as f64
}

/// The other columns of a released row.
fn learned(released: &Table, on: &[&str], row: usize) -> Fields {
    let others = released.columns().iter().filter(|column| !on.contains(&column.name()));
    Fields(others.map(|column| (column.name().to_owned(), column.text(row).to_owned())).collect())
}
