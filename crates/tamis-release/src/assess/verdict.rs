//! Whether a table as it is meets a requirement of the registry.

use super::AssessOptions;
use crate::facts::{check_points, sensitive_facts, table_facts};
use crate::mechanism::Mechanism;
use crate::prepare::Requirement;
use crate::{ModelPolicy, ReleaseError};
use serde::Serialize;
use tamis_engine::view_classes;
use tamis_privacy::{Bind, Class, Classes, Histograms, ModelError, SensitiveFacts, TableFacts};
use tamis_table::{FrequencySet, Recoder, Table};

/// Whether one requirement holds.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ModelVerdict {
    /// The kind of model.
    pub kind: String,
    /// The requirement in words.
    pub model: String,
    /// Whether it holds for the table as it is.
    pub holds: bool,
    /// Classes that fail.
    pub failing_classes: u64,
    /// Their rows.
    pub failing_rows: u64,
}

/// Tests every requirement on the classes of the table; linear in the classes and their values for most models.
pub(super) fn verdicts(
    frequency: &FrequencySet,
    table: &Table,
    options: &AssessOptions,
) -> Result<Vec<ModelVerdict>, ReleaseError> {
    if options.models.is_empty() {
        return Ok(Vec::new());
    }
    let recoders: Vec<(String, Recoder)> =
        options.hierarchies.iter().map(|(name, recoder)| (name.clone(), recoder.clone())).collect();
    let requirements: Vec<Requirement<'_>> =
        options.models.iter().map(|model| (model.kind.as_str(), &model.parameters)).collect();
    check_points(&requirements, frequency, table)?;
    let mut facts = table_facts(frequency, table, &recoders)?;
    // Rows that are not assessed are counted as those of a population around the rest, which they need not be.
    facts.has_population = options.has_population;
    for sensitive in &mut facts.sensitive {
        if let Some(reference) = options.reference.get(&sensitive.name) {
            // Values that only the reference has take part in the order too.
            let recoder = options.hierarchies.get(&sensitive.name);
            let of_reference = sensitive_facts(table.column(&sensitive.name)?, reference.clone(), recoder);
            *sensitive = SensitiveFacts { offset: sensitive.offset, ..of_reference };
        }
    }
    let mut classes = view_classes(frequency, &vec![0; frequency.attributes.len()]);
    let rows = classes.rows.clone();
    if frequency.entities.is_some() {
        // On the untouched levels every tuple is a class of its own.
        classes.rows = (0..frequency.tuples()).map(|tuple| frequency.size(tuple)).collect();
        for (position, histograms) in classes.sensitive.iter_mut().enumerate() {
            let values = (0..frequency.tuples()).map(|tuple| frequency.values(position, tuple));
            *histograms = Histograms::from_classes(values);
        }
    }
    if !options.has_population {
        classes.population.clone_from(&classes.rows);
    }
    options.models.iter().map(|model| verdict(model, &facts, (&classes, &rows))).collect()
}

fn verdict(
    model: &ModelPolicy,
    facts: &TableFacts,
    (classes, rows): (&Classes, &[u64]),
) -> Result<ModelVerdict, ReleaseError> {
    let is_promise = matches!(tamis_privacy::kind(&model.kind)?.bind, Bind::Mechanism { .. });
    if is_promise || Mechanism::of(&[(&model.kind, &model.parameters)])?.is_some() {
        return Err(ReleaseError::Setting(format!(
            "{} is a promise of how a release is made and cannot be seen in a table; see docs/models/{0}.md",
            model.kind
        )));
    }
    let verdict_of_none = |sentence: String| ModelVerdict {
        kind: model.kind.clone(),
        model: sentence,
        holds: false,
        failing_classes: rows.iter().filter(|&&rows| rows > 0).count() as u64,
        failing_rows: rows.iter().sum(),
    };
    let bound = tamis_privacy::bind(&model.kind, &model.parameters, facts);
    // As for the bounds on k and l, no class is none that holds.
    if rows.iter().all(|&rows| rows == 0) && matches!(bound, Ok(_) | Err(ModelError::KExceedsRows { .. })) {
        return Ok(verdict_of_none("every row is suppressed, so that no class meets it".to_owned()));
    }
    let bound = match bound {
        // More people than the table has is a question like any other, and its answer is no.
        Err(error @ ModelError::KExceedsRows { .. }) => return Ok(verdict_of_none(error.to_string())),
        bound => bound?,
    };
    let mut counts = vec![0; facts.sensitive.iter().map(|sensitive| sensitive.totals.len()).sum()];
    let released: Vec<bool> = classes.rows.iter().map(|&rows| rows > 0).collect();
    let mut is_failing = vec![false; classes.len()];
    for each in &bound.classes {
        for class in (0..classes.len()).filter(|&class| released[class] || each.judges_empty_classes()) {
            let entries = |position: usize| classes.sensitive[position].of(class);
            for (position, sensitive) in facts.sensitive.iter().enumerate() {
                for &(code, count) in entries(position) {
                    counts[sensitive.offset + code as usize] = count;
                }
            }
            let (size, population) = (classes.rows[class], classes.population[class]);
            is_failing[class] |= !each.holds(&Class { size, population, counts: &counts });
            for (position, sensitive) in facts.sensitive.iter().enumerate() {
                for &(code, _) in entries(position) {
                    counts[sensitive.offset + code as usize] = 0;
                }
            }
        }
    }
    for each in &bound.table {
        for class in each.failing(classes, &released) {
            is_failing[class as usize] = true;
        }
    }
    let failing = || (0..classes.len()).filter(|&class| is_failing[class]);
    let parts = bound.classes.iter().map(|each| each.describe()).chain(bound.table.iter().map(|each| each.describe()));
    Ok(ModelVerdict {
        kind: model.kind.clone(),
        model: parts.collect::<Vec<_>>().join(" and "),
        holds: failing().next().is_none(),
        failing_classes: failing().count() as u64,
        failing_rows: failing().map(|class| rows[class]).sum(),
    })
}
