//! Background knowledge: what is left of a class when the attacker can rule values out.
//!
//! *Definition.* The attacker knows that a person does not have certain sensitive values. Of the rows of the person's class, those with
//! other values remain; a value follows if its share among them is at least `confidence`. Classes in which nothing is ruled out are no
//! success of this attack (see [`homogeneity`](super::homogeneity)). Sealed values are no part of a class here: they cannot follow.
//!
//! *Power.* The worst case over all attackers: the least number of values that must be ruled out for some value of the class to follow.
//! It is reached by keeping the most frequent value and ruling out the others, the most frequent of them first: for any other choice,
//! swapping a kept value for a more frequent one, or a ruled out one for a less frequent one, leaves the share smaller.
//!
//! *Source.* Machanavajjhala et al. (2006); the power is the number of values that l-diversity lets an attacker rule out (l - 2).
//!
//! *What a success proves.* k-anonymity does not withstand what neighbours know. A larger l does.
//!
//! *Cost.* Linear in the rows, but for sorting the values within classes.

use super::classes::{Classes, Counted, field, visible};
use super::error::setting;
use super::report::{Found, counted, listed, people, percent, value_in_words};
use super::{AttackError, Finding, Report};
use std::collections::BTreeMap;
use tamis_table::{Column, Table, brief_number};

/// What the attacker brings along.
#[derive(Debug, Clone, PartialEq)]
pub enum Knowledge<'a> {
    /// Values that the people do not have.
    RulesOut(Vec<&'a str>),
    /// As many values of the attacker's choice as this.
    Power(u64),
}

/// How the attack is tried.
#[derive(Debug, Clone, PartialEq)]
pub struct Options<'a> {
    /// What the attacker brings along.
    pub knowledge: Knowledge<'a>,
    /// Only people with these values of quasi-identifiers.
    pub only: Vec<(&'a str, &'a str)>,
    /// From which share on a value follows.
    pub confidence: f64,
    /// How many findings to describe.
    pub limit: usize,
}

/// A value that follows in a class, and what had to be ruled out.
struct Inference {
    class: usize,
    code: u32,
    probability: f64,
    ruled_out: Vec<u32>,
}

/// Finds the classes in which a value follows.
pub fn attack(table: &Table, quasi: &[&str], sensitive: &str, options: &Options<'_>) -> Result<Report, AttackError> {
    if !(options.confidence > 0.0 && options.confidence <= 1.0) {
        return Err(setting(format!(
            "the confidence is {}; expected a number above 0 and up to 1",
            brief_number(options.confidence)
        )));
    }
    let classes = Classes::of(table, quasi)?;
    let column = table.column(sensitive)?;
    let position = |name: &str| {
        let found = quasi.iter().position(|quasi| *quasi == name);
        found.ok_or_else(|| {
            setting(format!("`{name}` is not among the quasi-identifiers; name one of {}", quasi.join(", ")))
        })
    };
    let mut only = Vec::new();
    for &(name, value) in &options.only {
        only.push((position(name)?, value));
    }
    let tried: Vec<usize> = classes
        .kept()
        .filter(|&class| only.iter().all(|&(column, value)| classes.text(column, class) == value))
        .collect();
    if tried.is_empty() {
        return Err(setting("no row of the table fits the condition; check the spelling of its value"));
    }
    let code_of = |value: &&str| {
        let found = column.dictionary().iter().position(|text| text == *value).map(|code| code as u32);
        found.ok_or_else(|| setting(format!("`{value}` is to be ruled out, but no row has it in `{sensitive}`")))
    };
    let ruled_out: Vec<u32> = match &options.knowledge {
        Knowledge::RulesOut(values) => values.iter().map(code_of).collect::<Result<_, _>>()?,
        Knowledge::Power(_) => Vec::new(),
    };
    let histograms = classes.histograms(column);
    let mut powers: BTreeMap<u64, u64> = BTreeMap::new();
    let mut inferences = Vec::new();
    // Nothing can follow in a class in which everything is sealed.
    for &class in tried.iter().filter(|&&class| !histograms[class].is_empty()) {
        let histogram = &histograms[class];
        let power = power(histogram, options.confidence);
        *powers.entry(power).or_default() += visible(histogram);
        let inference = match options.knowledge {
            Knowledge::RulesOut(_) => following(histogram, &ruled_out, options.confidence),
            Knowledge::Power(most) if power <= most => {
                let others: Vec<u32> = histogram.iter().skip(1).take(power as usize).map(|&(code, _)| code).collect();
                let rest: u64 = histogram.iter().skip(1 + power as usize).map(|&(_, count)| count).sum();
                histogram.first().map(|&(code, count)| (code, count as f64 / (count + rest) as f64, others))
            }
            Knowledge::Power(_) => None,
        };
        inferences.extend(inference.map(|(code, probability, ruled_out)| Inference {
            class,
            code,
            probability,
            ruled_out,
        }));
    }
    inferences.sort_by(|a, b| b.probability.total_cmp(&a.probability).then(a.class.cmp(&b.class)));
    Ok(describe(&classes, (column, &histograms), &tried, &inferences, &powers, options))
}

/// The value that follows in a class once some are ruled out, with its probability and what was ruled out; none if nothing was, or
/// if nothing is left.
fn following(histogram: &[Counted], ruled_out: &[u32], confidence: f64) -> Option<(u32, f64, Vec<u32>)> {
    let (out, left): (Vec<Counted>, Vec<Counted>) = histogram.iter().partition(|(code, _)| ruled_out.contains(code));
    let rows: u64 = left.iter().map(|&(_, count)| count).sum();
    let &(code, count) = left.first().filter(|_| !out.is_empty())?;
    let probability = count as f64 / rows as f64;
    (probability >= confidence).then(|| (code, probability, out.iter().map(|&(code, _)| code).collect()))
}

/// The least number of values to rule out so that one has at least the share `confidence` of the rest.
///
/// `histogram` is sorted by falling count.
fn power(histogram: &[Counted], confidence: f64) -> u64 {
    let Some(&(_, most)) = histogram.first() else { return 0 };
    let mut rows: u64 = histogram.iter().map(|&(_, count)| count).sum();
    let mut power = 0;
    for &(_, count) in histogram.iter().skip(1) {
        if most as f64 >= confidence * rows as f64 {
            break;
        }
        rows -= count;
        power += 1;
    }
    power
}

fn describe(
    classes: &Classes<'_>,
    (column, histograms): (&Column, &[Vec<Counted>]),
    tried: &[usize],
    inferences: &[Inference],
    powers: &BTreeMap<u64, u64>,
    options: &Options<'_>,
) -> Report {
    let sensitive = column.name();
    let mut found = Found::new(options.limit);
    let mut at_risk = 0;
    for inference in inferences {
        let histogram = &histograms[inference.class];
        let size = visible(histogram);
        at_risk += size;
        found.add(|| {
            let who = classes.fields(inference.class);
            let learned = field(sensitive, column.dictionary().text(inference.code));
            let names: Vec<&str> =
                inference.ruled_out.iter().map(|&code| value_in_words(column.dictionary().text(code))).collect();
            let sure = if inference.probability == 1.0 { "certainly" } else { "probably" };
            let share = if inference.probability == 1.0 {
                String::new()
            } else {
                format!(" ({})", percent(inference.probability))
            };
            let condition = match names.as_slice() {
                [] => "without any further knowledge".to_owned(),
                [name] => format!("once {name} is ruled out"),
                names => format!("once {} are ruled out", listed(names)),
            };
            let whom = classes.whom(inference.class, column, histogram);
            let sentence = format!("Whoever has {whom} {sure} has {}{share} {condition}.", learned.phrase());
            Finding { people: size, probability: inference.probability, who, learned, sentence }
        });
    }
    let rows: u64 = tried.iter().map(|&class| classes.size(class)).sum();
    let least = powers.keys().next().copied();
    // Classes where nothing is ruled out are not counted against known values, so that the weakest of all would not be among them.
    let weakest = match (&options.knowledge, least) {
        (Knowledge::Power(_), Some(least)) => {
            format!("; in the weakest class an attacker has to rule out {}", counted(least, "value", "values"))
        }
        _ => String::new(),
    };
    let by_power: serde_json::Map<String, serde_json::Value> =
        powers.iter().map(|(power, &people)| (power.to_string(), people.into())).collect();
    Report::new("background", rows, at_risk, found)
        .summary(format!("The {sensitive} of {at_risk} of {} follows{weakest}.", people(rows)))
        .figure("classes", tried.len())
        .figure("least_power", least)
        .figure("people_by_power", by_power)
        .notes(classes.note_on_sealed(column, histograms))
}
