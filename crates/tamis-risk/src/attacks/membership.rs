//! Membership: whether a person of the population is in the release at all.
//!
//! *Definition.* If r released rows have some values and p people of the population fit these values, each of them is among the rows
//! with probability q = r/p; with q = 0 if no row fits. Suppressed rows (`*` in every column) can be about anybody who is not in another row. If there are s
//! of them and m people are expected to be in no other row (m is the sum of 1 - q over the population), each of these is in a suppressed
//! row with probability h = min(1, s/m), and everybody is in the release with probability q + (1 - q) h. So nobody is certainly absent
//! from a release with suppressed rows.
//!
//! Where released values overlap, as after recoding row by row, a person may fit several; they are then taken as
//! independent chances, so that the person is certain to be present only if one of them is certain. Being certain in either
//! direction is a success: with probability 1 the person is in the release, with 0 the person is not. With bounds, as in
//! delta-presence, a probability outside them is.
//!
//! *Source.* Nergiz, Atzori and Clifton, Hiding the Presence of Individuals from Shared Databases (2007).
//!
//! *What a success proves.* Where being in the table is itself a secret (the patients of a clinic), k-anonymity does not keep it;
//! delta-presence does.
//!
//! *Cost.* As [`linkage`](super::linkage): linear for releases recoded by whole columns.

use super::error::setting;
use super::fit::Fit;
use super::report::{Found, are, counted, people, percent};
use super::vocabulary::ensure_common;
use super::{AttackError, Fields, Finding, LabelsByColumn, Report};
use tamis_table::{Table, brief_number};

/// How the attack is tried.
#[derive(Debug, Clone, Default)]
pub struct Options<'a> {
    /// The hierarchies of generalized columns.
    pub labels: LabelsByColumn,
    /// The column of the population that names people.
    pub identify: Option<&'a str>,
    /// The least probability that is tolerated; any above 0 if absent.
    pub min: Option<f64>,
    /// The largest probability that is tolerated; any below 1 if absent.
    pub max: Option<f64>,
    /// How many findings to describe.
    pub limit: usize,
}

/// The probability of every person of the population to be in the release, in row order.
pub fn probabilities(
    released: &Table,
    population: &Table,
    on: &[&str],
    labels: &LabelsByColumn,
) -> Result<Vec<f64>, AttackError> {
    let fit = Fit::of(released, population, on, labels)?;
    let of_group = by_group(&fit);
    Ok(fit.people.class_of_row.iter().map(|&group| of_group[group as usize]).collect())
}

/// Sums of shares are off by rounding; people less than this are nobody.
const SLACK: f64 = 1e-9;

fn by_group(fit: &Fit<'_>) -> Vec<f64> {
    let told = by_told_rows(fit);
    let hidden = in_suppressed_rows(fit, &told);
    told.into_iter().map(|told| if hidden >= 1.0 { 1.0 } else { told + (1.0 - told) * hidden }).collect()
}

/// The probability of each group's people to be in a row that is not suppressed.
fn by_told_rows(fit: &Fit<'_>) -> Vec<f64> {
    let fitting = fit.people_per_released();
    let share = |released: usize| (fit.released.size(released) as f64 / fitting[released] as f64).min(1.0);
    let probability = |group: usize| match fit.released_for(group) {
        &[released] => share(released as usize),
        several => 1.0 - several.iter().map(|&released| 1.0 - share(released as usize)).product::<f64>(),
    };
    (0..fit.people.first_rows.len()).map(probability).collect()
}

/// The probability of somebody who is in no other row to be in a suppressed one.
fn in_suppressed_rows(fit: &Fit<'_>, told: &[f64]) -> f64 {
    let suppressed = fit.released.suppressed_rows() as f64;
    let left: f64 = told.iter().enumerate().map(|(group, told)| fit.people.size(group) as f64 * (1.0 - told)).sum();
    if suppressed == 0.0 || left < SLACK {
        return 0.0;
    }
    if suppressed >= left - SLACK { 1.0 } else { suppressed / left }
}

/// Tells for every person of the population how likely they are in the release.
pub fn attack(released: &Table, population: &Table, on: &[&str], options: &Options<'_>) -> Result<Report, AttackError> {
    let (min, max) = (options.min.unwrap_or(0.0), options.max.unwrap_or(1.0));
    if !(0.0 <= min && min <= max && max <= 1.0) {
        return Err(setting(format!(
            "the bounds are {} and {}; expected 0 <= min <= max <= 1",
            brief_number(min),
            brief_number(max)
        )));
    }
    let fit = Fit::of(released, population, on, &options.labels)?;
    ensure_common(&fit.released, &fit.people, &options.labels)?;
    let names = options.identify.map(|name| population.column(name)).transpose()?;
    let probabilities = by_group(&fit);
    let told = by_told_rows(&fit);
    let is_exposed = |probability: f64| {
        options.min.map_or(probability == 0.0, |min| probability < min)
            || options.max.map_or(probability == 1.0, |max| probability > max)
    };
    let surprise = |group: &u32| (probabilities[*group as usize] - 0.5).abs();
    let mut exposed: Vec<(usize, u32)> = fit
        .people
        .class_of_row
        .iter()
        .copied()
        .enumerate()
        .filter(|&(_, group)| is_exposed(probabilities[group as usize]))
        .collect();
    // Present before absent, certain before uncertain.
    exposed.sort_by(|(_, a), (_, b)| {
        let (p, q) = (probabilities[*a as usize], probabilities[*b as usize]);
        (q > 0.5).cmp(&(p > 0.5)).then(surprise(b).total_cmp(&surprise(a)))
    });
    let mut found = Found::new(options.limit);
    for &(person, group) in &exposed {
        let probability = probabilities[group as usize];
        found.add(|| {
            let identified = names.filter(|column| !column.text(person).trim().is_empty());
            let name = identified.map_or_else(
                || format!("Person {} of the population", person + 1),
                |column| column.text(person).to_owned(),
            );
            let who = match identified {
                Some(column) => Fields(vec![(column.name().to_owned(), name.clone())]),
                None => Fields(vec![("row".to_owned(), (person + 1).to_string())]),
            };
            let known = fit.people.fields(group as usize);
            let verdict = match probability {
                1.0 if told[group as usize] < 1.0 => {
                    "is certainly in the release: it has at least as many suppressed rows as there are people in no other row"
                        .to_owned()
                }
                1.0 => {
                    "is certainly in the release: it has at least as many such rows as the population has such people"
                        .to_owned()
                }
                0.0 => "is certainly not in the release: no row fits".to_owned(),
                share => format!("is in the release with probability {}", percent(share)),
            };
            let sentence = format!("{name} ({}) {verdict}.", known.phrase());
            Finding { people: 1, probability, who, learned: known, sentence }
        });
    }
    let count = |wanted: &dyn Fn(f64) -> bool| {
        (0..probabilities.len())
            .filter(|&group| wanted(probabilities[group]))
            .map(|group| fit.people.size(group))
            .sum::<u64>()
    };
    let (present, absent) = (count(&|p| p == 1.0), count(&|p| p == 0.0));
    let fitting = fit.people_per_released();
    let too_many = fit.released.kept().filter(|&group| fit.released.size(group) > fitting[group]).count();
    let note = (too_many > 0).then(|| format!("{too_many} combinations of values have more released rows than people who fit; the population does not hold everybody in the release"));
    let suppressed = fit.released.suppressed_rows();
    let anybody = (suppressed > 0).then(|| {
        format!(
            "{} could be about anybody who is in no other row, so nobody is certainly absent",
            counted(suppressed, "suppressed row", "suppressed rows")
        )
    });
    let rows = population.rows() as u64;
    Ok(Report::new("membership", rows, exposed.len() as u64, found)
        .summary(format!(
            "Of {} in the population, {present} {} certainly in the release and {absent} certainly not; {} {} outside the bounds.",
            people(rows),
            are(present),
            exposed.len(),
            are(exposed.len() as u64)
        ))
        .figure("released_rows", fit.released.rows())
        .figure("suppressed_rows", suppressed)
        .figure("certainly_present", present)
        .figure("certainly_absent", absent)
        .figure("least_probability", probabilities.iter().copied().fold(1.0, f64::min))
        .figure("largest_probability", probabilities.iter().copied().fold(0.0, f64::max))
        .notes(note)
        .notes(anybody)
        .notes(fit.notes))
}
