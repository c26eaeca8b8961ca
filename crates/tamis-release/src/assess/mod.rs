//! Assesses a table as it is: which k, l and t it has, and whether that is enough.

mod bound;
mod diversity;
mod verdict;

pub use bound::Bound;
pub use diversity::Diversity;
pub use verdict::ModelVerdict;

use crate::outcome::RiskFigures;
use crate::prepare::{Requirement, joint_columns};
use crate::sealed::notes_on_sealed;
use crate::{ModelPolicy, ReleaseError};
use diversity::diversity;
use serde::Serialize;
use std::collections::{BTreeMap, HashSet};
use tamis_privacy::models::t_closeness::Distance;
use tamis_risk::ProsecutorRisk;
use tamis_table::hierarchy::SUPPRESSED;
use tamis_table::{Column, FrequencySet, FrequencySpec, MissingPolicy, Recoder, Table};

/// What to assess.
#[derive(Debug, Clone, Default)]
pub struct AssessOptions {
    /// The quasi-identifiers.
    pub quasi: Vec<String>,
    /// The sensitive attributes.
    pub sensitive: Vec<String>,
    /// Hierarchies of sensitive attributes.
    pub hierarchies: BTreeMap<String, Recoder>,
    /// The distance of t-closeness; hierarchical where there is a hierarchy, else equal.
    pub distance: Option<Distance>,
    /// The one attribute that `distance` is for; every one if none is named.
    pub distance_of: Option<String>,
    /// The l for which the least c of recursive diversity is told.
    pub l: u64,
    /// How often each value of a sensitive attribute occurs in the table that t is measured against; the assessed rows themselves
    /// where it is not given. Values are those of the attribute's dictionary, in its order.
    pub reference: BTreeMap<String, Vec<u64>>,
    /// Requirements to test the table against as it is.
    pub models: Vec<ModelPolicy>,
    /// The column that names the person.
    pub entity: Option<String>,
    /// Which rows to assess, if not all.
    pub rows: Option<Vec<bool>>,
    /// Whether all rows are the population around those to assess.
    pub has_population: bool,
    /// Count rows of nothing but `*` as a class instead of leaving them out as suppressed.
    pub count_suppressed: bool,
    /// A row whose risk is above this is at risk.
    pub threshold: f64,
}

/// What a table has.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Assessment {
    /// Rows assessed.
    pub rows: u64,
    /// Rows left out because their quasi-identifiers are all `*`.
    pub suppressed: u64,
    /// Size of the smallest class; 0 if there is no row.
    pub k: u64,
    /// Number of classes.
    pub classes: u64,
    /// Size of the largest class.
    pub largest: u64,
    /// Mean class size.
    pub average: f64,
    /// How many classes have size 1, 2, 3, ...
    pub anonymity_vector: Vec<u64>,
    /// The prosecutor's risk.
    pub risk: RiskFigures,
    /// Per sensitive attribute, the figures of the worst class.
    pub sensitive: BTreeMap<String, Diversity>,
    /// Whether the requirements asked about hold.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub models: Vec<ModelVerdict>,
    /// What the user should know.
    pub notes: Vec<String>,
    /// The class of each row, for showing the table; rows left out have none.
    #[serde(skip)]
    pub class_of_row: Vec<Option<u32>>,
}

/// Assesses a table. One pass to group the rows, one over the classes.
pub fn assess(table: &Table, options: &AssessOptions) -> Result<Assessment, ReleaseError> {
    if options.quasi.is_empty() {
        return Err(ReleaseError::Setting("name at least one quasi-identifier with --quasi".to_owned()));
    }
    if let Some(name) = options.quasi.iter().find(|name| options.sensitive.contains(name)) {
        return Err(ReleaseError::Setting(format!(
            "`{name}` is named as a quasi-identifier and as sensitive; name it once"
        )));
    }
    let is_released = released_rows(table, options)?;
    let requirements: Vec<Requirement<'_>> =
        options.models.iter().map(|model| (model.kind.as_str(), &model.parameters)).collect();
    let joint = joint_columns(&requirements)?;
    let counted = options.sensitive.iter().chain(joint.iter().flatten()).filter(|name| !options.quasi.contains(name));
    let sealed = notes_on_sealed(table, counted.map(String::as_str), |row| is_released[row]);
    let spec = FrequencySpec {
        quasi: options
            .quasi
            .iter()
            .map(|name| Ok((name.as_str(), Recoder::keep_or_suppress(table.column(name)?), MissingPolicy::OwnCategory)))
            .collect::<Result<_, ReleaseError>>()?,
        sensitive: options.sensitive.iter().map(String::as_str).collect(),
        joint,
        entity: options.entity.as_deref(),
        subset: Some(&is_released),
    };
    let (frequency, tuple_of_row) = FrequencySet::count(table, spec)?;
    let sizes: Vec<u64> = (0..frequency.tuples()).map(|tuple| frequency.size(tuple)).collect();
    let classes = || sizes.iter().zip(&frequency.counts).filter(|&(&size, _)| size > 0);
    let mut anonymity_vector = vec![0u64; classes().map(|(&size, _)| size as usize).max().unwrap_or(0)];
    for (&size, _) in classes() {
        anonymity_vector[size as usize - 1] += 1;
    }
    let risk = ProsecutorRisk::of(classes().map(|(&size, &rows)| (u64::from(rows), size)), options.threshold);
    let count = classes().count() as u64;
    let assessed = options.rows.as_ref().map_or(table.rows(), |rows| rows.iter().filter(|&&row| row).count()) as u64;
    let sensitive: BTreeMap<String, Diversity> = frequency
        .sensitive
        .iter()
        .enumerate()
        .map(|(position, sensitive)| {
            let column = table.column(&sensitive.name)?;
            Ok((sensitive.name.clone(), diversity(&frequency, position, column, options)?))
        })
        .collect::<Result<_, ReleaseError>>()?;
    let with_l = |(name, note): (String, String)| match sensitive.get(&name).and_then(|figures| figures.visible_l) {
        Some(l) => format!("{note}; without them the least diverse class has l = {l}"),
        None => note,
    };
    let mut notes: Vec<String> = sealed.into_iter().map(with_l).collect();
    notes.extend(shown_by_suppressed_rows(table, options, &is_released)?);
    let models = verdict::verdicts(&frequency, table, options)?;
    Ok(Assessment {
        models,
        rows: frequency.rows,
        suppressed: assessed - frequency.rows,
        k: classes().map(|(&size, _)| size).min().unwrap_or(0),
        classes: count,
        largest: anonymity_vector.len() as u64,
        average: if count == 0 { 0.0 } else { sizes.iter().sum::<u64>() as f64 / count as f64 },
        anonymity_vector,
        risk: RiskFigures { average: risk.average, max: risk.max, at_risk: risk.at_risk, threshold: risk.threshold },
        sensitive,
        notes,
        class_of_row: tuple_of_row.iter().zip(&is_released).map(|(&tuple, &kept)| kept.then_some(tuple)).collect(),
    })
}

/// How often each value of a column occurs in some rows; once per person where a column names people.
pub fn count_values(column: &Column, person: Option<&Column>, rows: impl Iterator<Item = usize>) -> Vec<u64> {
    let mut counts = vec![0; column.dictionary().len()];
    let mut seen = HashSet::new();
    for row in rows {
        let code = column.codes().get(row);
        if person.is_none_or(|person| seen.insert((person.codes().get(row), code))) {
            counts[code as usize] += 1;
        }
    }
    counts
}

/// Says that suppressed rows, which no class holds, still show a sensitive value: who knows that somebody is among them learns from it.
fn shown_by_suppressed_rows(
    table: &Table,
    options: &AssessOptions,
    is_released: &[bool],
) -> Result<Option<String>, ReleaseError> {
    let is_assessed = |row: usize| options.rows.as_ref().is_none_or(|rows| rows[row]);
    let mut columns = Vec::new();
    for name in &options.sensitive {
        let column = table.column(name)?;
        let shows = |row: usize| column.dictionary().text(column.codes().get(row)) != SUPPRESSED;
        let rows = (0..table.rows()).filter(|&row| !is_released[row] && is_assessed(row) && shows(row)).count();
        if rows > 0 {
            columns.push(format!("`{name}` in {rows}"));
        }
    }
    let rows = columns.join(" and ");
    Ok((!rows.is_empty()).then(|| {
        format!(
            "suppressed rows, whose quasi-identifiers are all `*`, still show {rows} of them; they are left out, and --count-suppressed \
             counts them as a class"
        )
    }))
}

/// Rows in which some quasi-identifier is more than `*`. Which other columns are looked at does not matter, so that k is the same
/// whatever else is asked.
fn released_rows(table: &Table, options: &AssessOptions) -> Result<Vec<bool>, ReleaseError> {
    let columns = options.quasi.iter().map(|name| table.column(name)).collect::<Result<Vec<&Column>, _>>()?;
    let stars: Vec<Option<u32>> = columns
        .iter()
        .map(|column| column.dictionary().iter().position(|text| text == SUPPRESSED).map(|code| code as u32))
        .collect();
    let is_star = |row: usize| columns.iter().zip(&stars).all(|(column, &star)| Some(column.codes().get(row)) == star);
    let is_assessed = |row: usize| options.rows.as_ref().is_none_or(|rows| rows[row]);
    Ok((0..table.rows()).map(|row| is_assessed(row) && (options.count_suppressed || !is_star(row))).collect())
}
