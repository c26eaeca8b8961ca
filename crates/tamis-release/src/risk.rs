//! The risk that people in a table are recognised, in full: who could do it, whom, by which columns, and what should not be there at
//! all.
//!
//! [`risk`] takes tables and returns a [`RiskReport`]; nothing is read or written. [`RiskBound`] are the requirements a report is held
//! against, and `report::risk_page` and `report::external_risk_page` draw it for the steward and for everyone else.
//!
//! ```
//! use tamis_release::risk::{RiskOptions, risk};
//! use tamis_table::{ColumnBuilder, Table};
//!
//! let mut age = ColumnBuilder::new("age");
//! for text in ["39", "39", "50"] {
//!     age.push(text)?;
//! }
//! let table = Table::new(vec![age.finish()])?;
//! let report = risk(&table, None, &RiskOptions { quasi: vec!["age".into()], ..RiskOptions::default() })?;
//! assert_eq!((report.uniques.rows, report.prosecutor.max), (1, 1.0));
//! assert_eq!(report.records[0].row, 3);
//! # Ok::<(), tamis_release::ReleaseError>(())
//! ```

mod bound;
mod people;
mod population;
mod record;
mod report;

pub use bound::RiskBound;
pub use record::{ColumnInRecord, RecordRisk};
pub use report::{
    AttributeRisk, ClassSizes, Estimates, HipaaFlag, JournalistFigures, MarketerFigures, MsuFigures, PopulationFigures,
    PresenceFigures, RiskReport, UniqueFigures, UniquesEstimate,
};

use crate::ReleaseError;
use crate::outcome::RiskFigures;
use people::People;
use population::Around;
use record::Riskiest;
use tamis_privacy::uniqueness::{Estimate, Estimator, Sizes, dankar, population_uniques};
use tamis_risk::contribution::{MOST_COLUMNS, left_out, shapley};
use tamis_risk::hipaa::Flag;
use tamis_risk::{JournalistRisk, MinimalUniques, ProsecutorRisk, expected_risk, hipaa, subsets_up_to, suda};
use tamis_table::{Table, brief_number};

/// The sets of columns that are walked at most.
const MOST_SETS: u64 = 20_000;
/// How large sets are looked at by default where there are many columns.
const SIZE_FOR_MANY_COLUMNS: usize = 3;
/// The fraction that DIS scores assume where none is known, as sdcMicro does.
const DEFAULT_DIS_FRACTION: f64 = 0.01;

/// What to measure.
#[derive(Debug, Clone)]
pub struct RiskOptions {
    /// The quasi-identifiers.
    pub quasi: Vec<String>,
    /// The column that names the person, where a person may have several rows.
    pub entity: Option<String>,
    /// The share of the population that is in the table, where no population is given.
    pub fraction: Option<f64>,
    /// A row whose risk is above this is at risk.
    pub threshold: f64,
    /// How many of the riskiest records to list.
    pub top: usize,
    /// Up to how many columns a minimal sample unique may have; all where there are up to ten columns, else three.
    pub msu: Option<usize>,
    /// A row to explain, from 1.
    pub row: Option<usize>,
}

impl Default for RiskOptions {
    fn default() -> Self {
        Self { quasi: Vec::new(), entity: None, fraction: None, threshold: 0.1, top: 10, msu: None, row: None }
    }
}

/// Measures the risk of a table, against a population that contains it where one is given.
pub fn risk(table: &Table, population: Option<&Table>, options: &RiskOptions) -> Result<RiskReport, ReleaseError> {
    let size = checked(table, options)?;
    let people = People::of(table, options)?;
    let records = &people.records;
    let around = population.map(|population| Around::count(table, population, &people, options)).transpose()?;
    let fraction = match &around {
        Some(around) => Some(around.fraction),
        None => options.fraction,
    };
    let journalist_of: Option<Vec<f64>> = match (&around, fraction) {
        (Some(around), _) => Some(around.of_tuple.iter().map(|&people| 1.0 / people as f64).collect()),
        (None, Some(fraction)) => Some(estimated(records, fraction)),
        (None, None) => None,
    };
    let mut notes = Vec::new();
    if let Some(around) = &around
        && around.not_covered > 0
    {
        notes.push(format!(
            "{} rows have quasi-identifiers that the population has less often than the table, so it cannot contain the table; their own number is taken instead",
            around.not_covered
        ));
    }
    let minimal = MinimalUniques::find(records, size);
    let scores = suda::scores(records, &minimal);
    let dis = suda::dis_scores(records, &scores, fraction.unwrap_or(DEFAULT_DIS_FRACTION));
    let values = shapley(records, &minimal);
    if values.is_none() {
        notes.push(format!(
            "the average contribution of a column is computed from all sets of columns, for at most {MOST_COLUMNS} of them and without a smaller --msu"
        ));
    }
    let tuples = || 0..records.tuples();
    let prosecutor =
        ProsecutorRisk::of(tuples().map(|tuple| (records.rows(tuple), records.size(tuple))), options.threshold);
    let sizes = Sizes::count(tuples().map(|tuple| records.size(tuple)));
    let of_sizes = Sizes { of: &sizes };
    let journalist = journalist_of
        .as_ref()
        .map(|risks| JournalistRisk::of(tuples().map(|tuple| (records.rows(tuple), risks[tuple])), options.threshold));
    let rows = records.total_rows();
    let unique_rows = records.unique_rows();
    let attributes = left_out(records)
        .into_iter()
        .enumerate()
        .map(|(column, left)| AttributeRisk {
            column: options.quasi[column].clone(),
            uniques_without: left.unique_rows,
            uniques_fewer: unique_rows - left.unique_rows,
            average_without: left.average_risk,
            contribution: values.as_ref().map(|values| values[column]),
            suda_share: scores.of_column[column],
        })
        .collect();
    let riskiest = Riskiest {
        table,
        people: &people,
        minimal: &minimal,
        scores: &scores,
        dis: &dis,
        journalist: journalist_of.as_deref(),
    };
    let row = options.row.map(|row| riskiest.explain(row, &options.quasi)).transpose()?;
    Ok(RiskReport {
        quasi: options.quasi.clone(),
        rows,
        suppressed: table.rows() as u64 - rows,
        classes: ClassSizes::of(&sizes),
        uniques: UniqueFigures { rows: unique_rows, share: share(unique_rows, rows) },
        prosecutor: figures(prosecutor.average, prosecutor.max, prosecutor.at_risk, options.threshold),
        marketer: match (&journalist, &around) {
            (None, _) => MarketerFigures { share: prosecutor.average, basis: "sample" },
            (Some(risk), Some(_)) => MarketerFigures { share: risk.average, basis: "population" },
            (Some(risk), None) => MarketerFigures { share: risk.average, basis: "estimate" },
        },
        journalist: journalist.map(|risk| JournalistFigures {
            risk: figures(risk.average, risk.max, risk.at_risk, options.threshold),
            basis: if around.is_some() { "population" } else { "estimate" },
        }),
        population: around.as_ref().map(|around| around.figures(records)),
        presence: around.as_ref().map(|around| around.presence(records)),
        // Where the population is counted, an estimate beside the count would only confuse.
        estimates: fraction.filter(|_| around.is_none()).map(|fraction| Estimates::of(&of_sizes, fraction)),
        attributes,
        msu: MsuFigures::of(&minimal, &scores, records),
        records: riskiest.list(options.top, &options.quasi),
        row,
        hipaa: flagged(table, options.entity.as_deref()),
        notes,
    })
}

/// The columns that the safe harbour rule wants gone, the one that names people among them whatever it looks like.
fn flagged(table: &Table, entity: Option<&str>) -> Vec<HipaaFlag> {
    let position = |name: &str| table.columns().iter().position(|column| column.name() == name);
    let mut flags = hipaa::flags(table);
    if let Some(entity) = entity.filter(|entity| !flags.iter().any(|flag| flag.column == *entity)) {
        let at = flags.partition_point(|flag| position(&flag.column) < position(entity));
        let reason = "it was named as the column that tells people apart".to_owned();
        let flag = Flag { column: entity.to_owned(), identifier: hipaa::Identifier::OtherUnique, reason, share: None };
        flags.insert(at, flag);
    }
    flags.into_iter().map(HipaaFlag::from).collect()
}

/// The largest size of sets to walk, once all settings make sense.
fn checked(table: &Table, options: &RiskOptions) -> Result<usize, ReleaseError> {
    let setting = |sentence: String| Err(ReleaseError::Setting(sentence));
    let width = options.quasi.len();
    if width == 0 {
        return setting("name at least one quasi-identifier with --quasi".to_owned());
    }
    for (position, name) in options.quasi.iter().enumerate() {
        table.column(name)?;
        if options.quasi[..position].contains(name) {
            return setting(format!("--quasi names `{name}` twice; name each column once"));
        }
    }
    if !(0.0..=1.0).contains(&options.threshold) {
        return setting(format!(
            "--threshold is {}; expected a number between 0 and 1",
            brief_number(options.threshold)
        ));
    }
    if let Some(fraction) = options.fraction.filter(|fraction| !(*fraction > 0.0 && *fraction <= 1.0)) {
        return setting(format!(
            "--fraction is {}; expected the share of the population that is in the table, above 0 and at most 1",
            brief_number(fraction)
        ));
    }
    if let Some(row) = options.row.filter(|&row| row == 0 || row > table.rows()) {
        return setting(format!("--row is {row}; expected a row of the table, from 1 to {}", table.rows()));
    }
    let default = if width <= MOST_COLUMNS { width } else { SIZE_FOR_MANY_COLUMNS };
    let size = options.msu.unwrap_or(default);
    if size == 0 {
        return setting(
            "--msu is 0; expected the largest number of columns of a minimal sample unique, from 1".to_owned(),
        );
    }
    let sets = subsets_up_to(width, size);
    if width > 63 || sets > MOST_SETS {
        return setting(format!(
            "--msu {size} of {width} quasi-identifiers means {sets} sets of columns to look at; at most {MOST_SETS} of at most 63 columns are, so choose a smaller --msu or fewer columns"
        ));
    }
    Ok(size.min(width))
}

/// The expected risk of every tuple, computed once for every size.
fn estimated(records: &tamis_risk::Records, fraction: f64) -> Vec<f64> {
    let mut known = std::collections::HashMap::new();
    (0..records.tuples())
        .map(|tuple| {
            let size = records.size(tuple);
            *known.entry(size).or_insert_with(|| expected_risk(size, fraction))
        })
        .collect()
}

fn figures(average: f64, max: f64, at_risk: f64, threshold: f64) -> RiskFigures {
    RiskFigures { average, max, at_risk, threshold }
}

fn share(part: u64, whole: u64) -> f64 {
    if whole == 0 { 0.0 } else { part as f64 / whole as f64 }
}

impl Estimates {
    fn of(sizes: &Sizes<'_>, fraction: f64) -> Self {
        let told = |estimate: Estimate| UniquesEstimate {
            estimator: estimate.estimator.name(),
            population_uniques: estimate.population_uniques,
            share_of_population: estimate.share_of_population,
            share_of_sample_uniques: estimate.share_of_sample_uniques,
        };
        let estimate = |estimator| population_uniques(estimator, sizes, fraction).map(told);
        Self {
            fraction,
            pitman: estimate(Estimator::Pitman),
            zayatz: estimate(Estimator::Zayatz),
            snb: estimate(Estimator::Snb),
            // The rule by itself names the estimator it chooses, also where all of them agree.
            dankar: dankar(sizes, fraction).map(told),
        }
    }
}
