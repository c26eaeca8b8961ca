//! Puts the figures of a release together for the pages people look at.

use crate::assess::{AssessOptions, Assessment, assess, count_values};
use crate::init::role_name;
use crate::report::{
    AttributeReport, Classes, CompareReport, CompareRow, Figure, LatticeNode, LatticeReport, NodeStatus, Published,
    ReleaseReport, Risk, Rows, SensitiveReport, Verdict,
};
use crate::shown_policy::shown_policy;
use crate::{Compared, Policy, Prepared, ReleaseError, Role, Solved};
use std::collections::BTreeMap;
use tamis_adult::PublishedResult;
use tamis_engine::Recoding;
use tamis_privacy::models::t_closeness::Distance;
use tamis_table::hierarchy::SUPPRESSED;
use tamis_table::{Column, ColumnBuilder, DataType, Table, compare_values};

/// What a missing value is called on a page.
const MISSING: &str = "(missing)";

/// The page of one release.
pub fn release_report(
    policy: &Policy,
    policy_text: &str,
    prepared: &Prepared,
    solved: &Solved,
    facts: Vec<(String, String)>,
) -> Result<ReleaseReport, ReleaseError> {
    let outcome = &solved.outcome;
    let problem = &prepared.problem;
    let parts = prepared.loss.parts(&solved.recoding.levels, &solved.recoding.tally).unwrap_or_default();
    let mut attributes = Vec::new();
    for (name, role) in &prepared.columns {
        attributes.push(attribute_report(name, *role, prepared, &solved.recoding, &parts)?);
    }
    let mut class_sizes: BTreeMap<u64, u64> = BTreeMap::new();
    for (_, size) in solved.recoding.kept_classes() {
        *class_sizes.entry(size).or_default() += 1;
    }
    let mut quality = vec![("loss".to_owned(), outcome.quality.loss)];
    for (name, value) in &outcome.quality.chosen {
        if let Some(value) = value.as_f64() {
            quality.insert(0, (name.clone(), value));
        }
    }
    let k = problem.models.iter().map(|model| model.least_size()).max().filter(|&least| least > 1);
    Ok(ReleaseReport {
        is_mechanism: policy.is_mechanism(),
        title: format!("Release of {}", policy.input.path),
        version: env!("CARGO_PKG_VERSION").to_owned(),
        verdict: Verdict {
            models: outcome.models.clone(),
            measure: problem.measure.name().to_owned(),
            score: solved.solution.score.value(),
            optimal: outcome.solution.optimal,
            bound: Some(outcome.solution.lower_bound),
        },
        rows: Rows { input: outcome.rows.input, kept: outcome.rows.kept, suppressed: outcome.rows.suppressed },
        quality,
        classes: Classes {
            count: outcome.classes.count,
            min: outcome.classes.min,
            max: outcome.classes.max,
            average: outcome.classes.average,
        },
        risk: Risk {
            average: outcome.risk.average,
            max: outcome.risk.max,
            at_risk: outcome.risk.at_risk,
            threshold: outcome.risk.threshold,
        },
        k,
        class_sizes: class_sizes.into_iter().collect(),
        counts_people: policy.entity.is_some(),
        sensitive: sensitive_reports(policy, prepared, &solved.recoding)?,
        attributes,
        lattice: Some(lattice_report(prepared, solved)),
        smallest_count: k.unwrap_or(0),
        policy: shown_policy(policy_text),
        facts,
        notes: outcome.notes.clone(),
    })
}

fn attribute_report(
    name: &str,
    role: Role,
    prepared: &Prepared,
    recoding: &Recoding,
    parts: &[f64],
) -> Result<AttributeReport, ReleaseError> {
    let column = prepared.table.column(name)?;
    let in_release = |row: usize| prepared.subset.as_ref().is_none_or(|subset| subset[row]);
    let keeps = |row: usize| recoding.keeps(prepared.tuple_of_row[row]);
    let mut before = vec![0u64; column.dictionary().len()];
    let mut after = vec![0u64; column.dictionary().len()];
    let mut suppressed = 0;
    column.codes().for_each(|row, code| {
        if in_release(row) {
            before[code as usize] += 1;
            if keeps(row) { after[code as usize] += 1 } else { suppressed += 1 }
        }
    });
    let missing = column.missing().map(|code| code.0);
    let text = |code: u32| if Some(code) == missing { MISSING } else { column.dictionary().text(code) }.to_owned();
    let mut codes: Vec<u32> = (0..before.len() as u32).filter(|&code| before[code as usize] > 0).collect();
    codes.sort_by(|&left, &right| {
        let dictionary = column.dictionary();
        compare_values(column.data_type(), dictionary.text(left), dictionary.text(right))
    });
    let quasi = prepared.problem.frequency.attributes.iter().position(|attribute| attribute.name == name);
    let mut report = AttributeReport {
        name: name.to_owned(),
        role: role_name(role).to_owned(),
        ordered: column.data_type() != DataType::Text,
        before: codes.iter().map(|&code| (text(code), before[code as usize])).collect(),
        ..AttributeReport::default()
    };
    if let Some(j) = quasi {
        let recoder = &prepared.problem.frequency.attributes[j].recoder;
        let level = recoding.levels[j];
        let mut released: Vec<(String, u64)> = Vec::new();
        let labels = recoder.labels_of_codes(level);
        let mut position_of_label: BTreeMap<u32, usize> = BTreeMap::new();
        for &code in &codes {
            let label = labels[code as usize];
            let position = *position_of_label.entry(label).or_insert_with(|| {
                let label = recoder.labels(level).text(label);
                released.push((if Some(code) == missing && label.is_empty() { MISSING } else { label }.to_owned(), 0));
                released.len() - 1
            });
            released[position].1 += after[code as usize];
        }
        released.retain(|(_, count)| *count > 0);
        report.after = released;
        report.level = level;
        report.levels = recoder.levels();
        report.loss = parts.get(j).copied();
        let values = codes.iter().copied().filter(|&code| Some(code) != missing);
        let most_frequent = values.max_by_key(|&code| before[code as usize]);
        report.labels = most_frequent.map_or_else(Vec::new, |code| {
            let label = |level| recoder.labels(level).text(recoder.labels_of_codes(level)[code as usize]).to_owned();
            (0..recoder.levels()).map(label).collect()
        });
    } else {
        report.after =
            codes.iter().map(|&code| (text(code), after[code as usize])).filter(|(_, count)| *count > 0).collect();
    }
    if suppressed > 0 {
        match report.after.iter_mut().find(|(label, _)| label == SUPPRESSED) {
            Some((_, count)) => *count += suppressed,
            None => report.after.push((SUPPRESSED.to_owned(), suppressed)),
        }
    }
    Ok(report)
}

/// The sensitive attributes of the released rows, assessed class by class.
fn sensitive_reports(
    policy: &Policy,
    prepared: &Prepared,
    recoding: &Recoding,
) -> Result<Vec<SensitiveReport>, ReleaseError> {
    let names: Vec<&String> =
        prepared.columns.iter().filter(|(_, role)| *role == Role::Sensitive).map(|(name, _)| name).collect();
    if names.is_empty() || recoding.statistics().count == 0 {
        return Ok(Vec::new());
    }
    let assessed = assess_release(policy, prepared, recoding, &names)?;
    names
        .into_iter()
        .filter_map(|name| Some((name, assessed.sensitive.get(name)?)))
        .map(|(name, diversity)| {
            let column = prepared.table.column(name)?;
            Ok(SensitiveReport {
                name: name.clone(),
                distinct_l: diversity.distinct_l,
                entropy_l: diversity.entropy_l,
                t: Some(diversity.t),
                distance: diversity.distance.to_owned(),
                ordered: column.data_type() != DataType::Text,
                distribution: distribution(column, prepared),
            })
        })
        .collect()
}

/// How often each value of a column occurs in the rows to release, in the order of their type.
fn distribution(column: &Column, prepared: &Prepared) -> Vec<(String, u64)> {
    let missing = column.missing().map(|code| code.0);
    let in_release = |row: &usize| prepared.subset.as_ref().is_none_or(|subset| subset[*row]);
    let counts = count_values(column, None, (0..prepared.table.rows()).filter(in_release));
    let text = |code: u32| column.dictionary().text(code);
    let mut codes: Vec<u32> = (0..counts.len() as u32).filter(|&code| counts[code as usize] > 0).collect();
    codes.sort_by(|&left, &right| compare_values(column.data_type(), text(left), text(right)));
    let label = |code: u32| if Some(code) == missing { MISSING } else { text(code) }.to_owned();
    codes.into_iter().map(|code| (label(code), counts[code as usize])).collect()
}

/// The distance that the policy's t-closeness has, if it asks for one, and the attribute it is for, if it names one.
fn policy_distance(policy: &Policy) -> (Option<Distance>, Option<String>) {
    let text = |name: &str| {
        let model = policy.models.iter().find(|model| model.kind == "t-closeness")?;
        match model.parameters.get(name) {
            Some(tamis_privacy::Value::Text(text)) => Some(text.clone()),
            _ => None,
        }
    };
    (text("distance").and_then(|name| Distance::named(&name)), text("attribute"))
}

/// Assesses the released rows as a table whose only quasi-identifier is the class.
fn assess_release(
    policy: &Policy,
    prepared: &Prepared,
    recoding: &Recoding,
    sensitive: &[&String],
) -> Result<Assessment, ReleaseError> {
    let mut class = ColumnBuilder::new("class");
    for &tuple in &prepared.tuple_of_row {
        class.push(&recoding.class_of_tuple[tuple as usize].to_string())?;
    }
    let in_release = |row: usize| prepared.subset.as_ref().is_none_or(|subset| subset[row]);
    let tuples = prepared.tuple_of_row.iter().enumerate();
    let rows = tuples.map(|(row, &tuple)| in_release(row) && recoding.keeps(tuple)).collect();
    let mut columns: Vec<Column> = vec![class.finish()];
    for name in sensitive {
        columns.push(prepared.table.column(name)?.clone());
    }
    if let Some(entity) = &policy.entity {
        columns.push(prepared.table.column(entity)?.clone());
    }
    let (distance, distance_of) = policy_distance(policy);
    let options = AssessOptions {
        quasi: vec!["class".to_owned()],
        rows: Some(rows),
        sensitive: sensitive.iter().map(|name| (*name).clone()).collect(),
        hierarchies: prepared.sensitive_recoders.iter().cloned().collect(),
        distance,
        distance_of,
        reference: reference_counts(policy, prepared, sensitive)?,
        l: 2,
        entity: policy.entity.clone(),
        threshold: policy.risk.threshold,
        ..AssessOptions::default()
    };
    assess(&Table::new(columns)?, &options)
}

/// How often each sensitive value occurs in all rows to release, suppressed ones included; once per person where there are people.
fn reference_counts(
    policy: &Policy,
    prepared: &Prepared,
    sensitive: &[&String],
) -> Result<BTreeMap<String, Vec<u64>>, ReleaseError> {
    let entity = policy.entity.as_ref().map(|name| prepared.table.column(name)).transpose()?;
    let in_release = |row: &usize| prepared.subset.as_ref().is_none_or(|subset| subset[*row]);
    let mut reference = BTreeMap::new();
    for name in sensitive {
        let rows = (0..prepared.table.rows()).filter(in_release);
        reference.insert((*name).clone(), count_values(prepared.table.column(name)?, entity, rows));
    }
    Ok(reference)
}

fn lattice_report(prepared: &Prepared, solved: &Solved) -> LatticeReport {
    let problem = &prepared.problem;
    let status =
        |levels: &[usize]| if levels == solved.solution.levels { NodeStatus::Solution } else { NodeStatus::Evaluated };
    LatticeReport {
        attributes: problem.frequency.attributes.iter().map(|attribute| attribute.name.clone()).collect(),
        maximum: problem.lattice.upper().to_vec(),
        solution: solved.solution.levels.clone(),
        nodes: solved
            .solution
            .nodes
            .iter()
            .map(|node| LatticeNode {
                levels: node.levels.clone(),
                score: Some(node.score.value()),
                lower_bound: node.score.value(),
                status: status(&node.levels),
                holds: Some(node.is_admissible),
            })
            .collect(),
        total: solved.outcome.search.lattice.as_u64().map_or_else(
            || solved.outcome.search.lattice.as_str().unwrap_or_default().to_owned(),
            |size| size.to_string(),
        ),
        checked: solved.outcome.search.checked,
    }
}

/// The page of a comparison; `published` are figures to compare with, by the setting's name.
pub fn compare_report(
    title: &str,
    attributes: Vec<String>,
    rows: &[Compared],
    published: &[PublishedResult],
) -> CompareReport {
    let rows: Vec<CompareRow> = rows
        .iter()
        .enumerate()
        .filter_map(|(position, row)| {
            let outcome = row.outcome.as_ref()?;
            let (family, parameter) = match (row.setting.l, row.setting.t, row.setting.k) {
                _ if row.setting.model.is_some() => ("model", position as f64),
                (Some(l), ..) => ("l", l as f64),
                (_, Some(t), _) => ("t", t),
                (.., k) => ("k", k.unwrap_or(1) as f64),
            };
            let levels = outcome.solution.level_vector();
            Some(CompareRow {
                setting: row.name.clone(),
                family: family.to_owned(),
                parameter,
                loss: outcome.quality.loss,
                risk_average: outcome.risk.average,
                risk_max: outcome.risk.max,
                at_risk: outcome.risk.at_risk,
                classes: outcome.classes.count,
                average: outcome.classes.average,
                kept: outcome.rows.kept,
                suppressed: outcome.rows.suppressed,
                levels: levels.iter().map(ToString::to_string).collect::<Vec<_>>().join(" "),
                seconds: outcome.search.seconds,
                published: published.iter().find(|p| p.name == row.name).map(|p| reference(row, p)).unwrap_or_default(),
            })
        })
        .collect();
    let reference = if rows.iter().any(|row| !row.published.is_empty()) {
        "Fernández and Quijón, Universidad del Bío-Bío 2018, annex 2".to_owned()
    } else {
        String::new()
    };
    CompareReport {
        title: title.to_owned(),
        version: env!("CARGO_PKG_VERSION").to_owned(),
        attributes,
        rows,
        reference,
        notes: Vec::new(),
    }
}

/// Published figures are printed as percentages and partly in single precision.
const PRINTED: f64 = 5e-7;

fn reference(row: &Compared, published: &PublishedResult) -> Vec<Published> {
    let Some(outcome) = &row.outcome else { return Vec::new() };
    let mut figures = Vec::new();
    let mut compare = |figure, value: f64, ours: f64, tolerance: f64| {
        figures.push(Published { figure, value, agrees: (value - ours).abs() <= tolerance });
    };
    compare(Figure::Loss, published.loss.printed_percent / 100.0, outcome.quality.loss, PRINTED);
    compare(Figure::RiskAverage, published.risk.average, outcome.risk.average, 1e-15);
    compare(Figure::RiskMax, published.risk.max, outcome.risk.max, 1e-15);
    compare(Figure::AtRisk, published.risk.at_risk, outcome.risk.at_risk, 1e-15);
    compare(Figure::Classes, published.classes.count as f64, outcome.classes.count as f64, 0.0);
    compare(Figure::Average, published.classes.average, outcome.classes.average, 1e-9);
    compare(Figure::Kept, published.rows.kept as f64, outcome.rows.kept as f64, 0.0);
    compare(Figure::Suppressed, published.rows.suppressed as f64, outcome.rows.suppressed as f64, 0.0);
    figures
}
