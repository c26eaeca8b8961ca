//! Skewness: a class whose sensitive values are distributed unlike those of the whole table.
//!
//! *Definition.* Before looking at a class, an attacker expects a value with the share it has in the whole table, or in a reference table such as the
//! one before rows were suppressed (the prior); knowing
//! the class, with the share it has there (the posterior). The *factor* is posterior / prior, the *gain* posterior - prior. People are at
//! risk if both reach their thresholds for some value. Shares are those among the rows whose value is not sealed.
//!
//! *Source.* Li, Li and Venkatasubramanian, t-Closeness: Privacy Beyond k-Anonymity and l-Diversity (ICDE 2007).
//!
//! *What a success proves.* l-diversity does not protect values that are rare in the table: a class in which half the people have what
//! one in a hundred has is 2-diverse, however l is measured. t-closeness bounds the gain, beta-likeness the relative gain,
//! delta-disclosure privacy the factor.
//!
//! *Cost.* Linear in the rows, but for sorting the values within classes.

use super::classes::{Classes, field, visible};
use super::error::setting;
use super::report::{Found, are, people, percent, points};
use super::{AttackError, Finding, Report};
use std::collections::HashMap;
use tamis_table::{Column, SEALED, Table, brief_number};

/// How the attack is tried.
#[derive(Debug, Clone, PartialEq)]
pub struct Options<'a> {
    /// From how many times the prior on a posterior counts.
    pub factor: f64,
    /// From which difference on it counts.
    pub gain: f64,
    /// Where the prior comes from; the table itself, without its suppressed rows, if absent.
    pub reference: Option<&'a Table>,
    /// The values that matter; all if empty.
    pub values: Vec<&'a str>,
    /// How many findings to describe.
    pub limit: usize,
}

struct Skew {
    class: usize,
    code: u32,
    prior: f64,
    posterior: f64,
}

/// Finds the classes that tell much more about a value than the whole table does.
pub fn attack(table: &Table, quasi: &[&str], sensitive: &str, options: &Options<'_>) -> Result<Report, AttackError> {
    if !(options.factor >= 1.0 && options.factor.is_finite()) {
        return Err(setting(format!(
            "the factor is {}; expected a number of at least 1",
            brief_number(options.factor)
        )));
    }
    if !(0.0..=1.0).contains(&options.gain) {
        return Err(setting(format!("the gain is {}; expected a number between 0 and 1", brief_number(options.gain))));
    }
    let classes = Classes::of(table, quasi)?;
    let column = table.column(sensitive)?;
    let histograms = classes.histograms(column);
    let totals = if let Some(reference) = options.reference {
        counts_in(reference, column)?
    } else {
        let mut totals = vec![0u64; column.dictionary().len()];
        for &(code, count) in classes.kept().flat_map(|class| &histograms[class]) {
            totals[code as usize] += count;
        }
        totals
    };
    let mut matters = vec![options.values.is_empty(); totals.len()];
    for value in &options.values {
        let found = column.dictionary().iter().position(|text| text == *value);
        let code = found.ok_or_else(|| setting(format!("no row has the value `{value}` in `{sensitive}`")))?;
        matters[code] = true;
    }
    let rows = match options.reference {
        Some(reference) => visible_rows(reference.column(sensitive)?),
        None => totals.iter().sum(),
    } as f64;
    let whole = if options.reference.is_some() { "reference table" } else { "table" };
    let size = |class: usize| visible(&histograms[class]);
    let (mut largest_factor, mut largest_gain) = (1.0f64, 0.0f64);
    let mut skews = Vec::new();
    let mut at_risk = 0;
    for class in classes.kept() {
        let mut is_exposed = false;
        for &(code, count) in histograms[class].iter().filter(|(code, _)| matters[*code as usize]) {
            let skew = Skew {
                class,
                code,
                prior: totals[code as usize] as f64 / rows,
                posterior: count as f64 / size(class) as f64,
            };
            largest_factor = largest_factor.max(skew.factor());
            largest_gain = largest_gain.max(skew.gain());
            if skew.posterior > skew.prior && skew.factor() >= options.factor && skew.gain() >= options.gain {
                is_exposed = true;
                skews.push(skew);
            }
        }
        at_risk += if is_exposed { size(class) } else { 0 };
    }
    skews.sort_by(|a, b| b.gain().total_cmp(&a.gain()).then(a.class.cmp(&b.class)).then(a.code.cmp(&b.code)));
    let mut found = Found::new(options.limit);
    for skew in &skews {
        found.add(|| {
            let (who, learned) = (classes.fields(skew.class), field(sensitive, column.dictionary().text(skew.code)));
            let whom = classes.whom(skew.class, column, &histograms[skew.class]);
            let sentence = format!(
                "Whoever has {whom} has {} with probability {} instead of {}, {:.1} times as likely as anybody in the {whole}.",
                learned.phrase(),
                percent(skew.posterior),
                percent(skew.prior),
                skew.factor()
            );
            Finding { people: size(skew.class), probability: skew.posterior, who, learned, sentence }
        });
    }
    Ok(Report::new("skewness", classes.rows(), at_risk, found)
        .summary(format!(
            "{at_risk} of {} {} in classes that make a value of {sensitive} at least {} times as likely and at least {} likelier than in the whole {whole}.",
            people(classes.rows()),
            are(at_risk),
            brief_number(options.factor),
            points(options.gain)
        ))
        .figure("classes", classes.kept().count())
        .figure("largest_factor", largest_factor)
        .figure("largest_gain", largest_gain)
        .notes(classes.note_on_sealed(column, &histograms)))
}

/// How many rows of a column are not sealed.
fn visible_rows(column: &Column) -> u64 {
    let counts = column.frequencies();
    counts.iter().sum::<u64>() - column.sealed().map_or(0, |code| counts[code.0 as usize])
}

/// How often the values of a column occur in the reference table, which must have them all but the sealed ones.
fn counts_in(reference: &Table, column: &Column) -> Result<Vec<u64>, AttackError> {
    let theirs = reference.column(column.name())?;
    let counts: HashMap<&str, u64> = theirs.dictionary().iter().zip(theirs.frequencies()).collect();
    let count_of = |text: &str| {
        let sealed = (text == SEALED).then_some(0);
        sealed.or_else(|| counts.get(text).copied()).ok_or_else(|| {
            setting(format!(
                "the reference table has no row with `{text}` in `{}`; give one that the release was made from, such as the input",
                column.name()
            ))
        })
    };
    column.dictionary().iter().map(count_of).collect()
}

impl Skew {
    fn factor(&self) -> f64 {
        self.posterior / self.prior
    }

    fn gain(&self) -> f64 {
        self.posterior - self.prior
    }
}
