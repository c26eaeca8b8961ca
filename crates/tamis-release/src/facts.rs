//! What the models know of the whole table.

use crate::ReleaseError;
use crate::prepare::Requirement;
use std::collections::BTreeSet;
use tamis_privacy::models::ct_isolation;
use tamis_privacy::{JointFacts, JointPart, ModelError, QuasiFacts, SensitiveFacts, TableFacts, Unranked, Value};
use tamis_table::hierarchy::SUPPRESSED;
use tamis_table::{
    Attribute, Column, DataType, FrequencySet, Joint, Recoder, Rival, SEALED, Table, compare_values, number_in,
    thousands_or_decimals, value_order,
};

/// The facts of a counted table; people instead of rows where the policy names an entity.
pub(crate) fn table_facts(
    frequency: &FrequencySet,
    table: &Table,
    recoders: &[(String, Recoder)],
) -> Result<TableFacts, ReleaseError> {
    let mut sensitive = Vec::new();
    let mut offset = 0;
    for (position, counted) in frequency.sensitive.iter().enumerate() {
        let totals = frequency.sensitive_totals(position);
        let width = totals.len();
        let recoder = recoders.iter().find(|(name, _)| *name == counted.name).map(|(_, recoder)| recoder);
        let facts = sensitive_facts(table.column(&counted.name)?, totals, recoder);
        sensitive.push(SensitiveFacts { offset, ..facts });
        offset += width;
    }
    let rows = match &frequency.entities {
        None => frequency.rows,
        Some(entities) => entities.ids.iter().collect::<BTreeSet<_>>().len() as u64,
    };
    let quasi =
        frequency.attributes.iter().enumerate().map(|(j, attribute)| {
            Ok(quasi_facts(attribute, table.column(&attribute.name)?, &frequency.rows_of_codes(j)))
        });
    let joint = frequency.joint.iter().map(|joint| joint_facts(joint, table));
    Ok(TableFacts {
        rows,
        has_population: frequency.population.is_some(),
        population: frequency.population.as_ref().map(|rows| rows.iter().map(|&rows| u64::from(rows)).sum()),
        has_entity: frequency.entities.is_some(),
        quasi: quasi.collect::<Result<_, ReleaseError>>()?,
        sensitive,
        joint: joint.collect::<Result<_, ReleaseError>>()?,
    })
}

/// Refuses to measure distances between the points of a table along a quasi-identifier whose dots may separate thousands or decimals.
pub(crate) fn check_points(
    requirements: &[Requirement<'_>],
    frequency: &FrequencySet,
    table: &Table,
) -> Result<(), ReleaseError> {
    const KIND: &str = ct_isolation::KIND.kind;
    for (_, parameters) in requirements.iter().filter(|(kind, _)| *kind == KIND) {
        let is_meant = |name: &str| match parameters.get("attributes") {
            None => true,
            Some(Value::List(names)) => names.contains(&Value::Text(name.to_owned())),
            Some(one) => *one == Value::Text(name.to_owned()),
        };
        for attribute in frequency.attributes.iter().filter(|attribute| is_meant(&attribute.name)) {
            if let Some(found) = thousands_or_decimals(table.column(&attribute.name)?.dictionary().iter()) {
                return Err(ModelError::thousands_or_decimals(KIND, &attribute.name, found).into());
            }
        }
    }
    Ok(())
}

/// The facts of one sensitive attribute whose codes occur this often.
pub(crate) fn sensitive_facts(column: &Column, totals: Vec<u64>, recoder: Option<&Recoder>) -> SensitiveFacts {
    // Values that the table no longer has (of rows outside the subset) are not part of the order.
    let mut order: Vec<u32> = (0..totals.len() as u32).filter(|&code| totals[code as usize] > 0).collect();
    let text = |code: u32| column.dictionary().text(code);
    // The `*` of suppressed rows and the mark of sealed fields are no values and must not make text of numbers.
    let missing = column.missing().map(|code| code.0);
    let is_value = |code: &u32| Some(*code) != missing && ![SUPPRESSED, SEALED].contains(&text(*code));
    let values = (0..column.dictionary().len() as u32).filter(is_value).map(text);
    let data_type = DataType::of(values.clone());
    let mut listed = recoder.and_then(Recoder::listed_order).map(|lines| (lines, order.clone()));
    if let Some((lines, codes)) = &mut listed {
        codes.sort_by_key(|&code| (lines[code as usize], code));
    }
    let stated = recoder.and_then(Recoder::stated_order);
    match stated {
        Some(ranks) => order.sort_by_key(|&code| (ranks[code as usize], code)),
        None => order.sort_by(|&left, &right| compare_values(data_type, text(left), text(right))),
    }
    // An order that somebody stated is taken as it was stated.
    let is_respelled = |pair: &[u32]| value_order(data_type, text(pair[0]), text(pair[1])).is_eq();
    let respelled = match stated {
        Some(_) => Vec::new(),
        None => std::iter::once(false).chain(order.windows(2).map(is_respelled)).collect(),
    };
    let unranked = match data_type {
        _ if stated.is_some() => None,
        DataType::Text => unranked_text(order.iter().copied().filter(is_value).map(text)),
        _ => data_type.rival(values.clone()).map(|rival| match rival {
            Rival::DateFormat(found, _) => Unranked::Date(found.to_owned()),
            Rival::Thousands(found) => Unranked::Thousands(found.to_owned()),
        }),
    };
    SensitiveFacts {
        name: column.name().to_owned(),
        offset: 0,
        totals,
        order,
        respelled,
        unranked,
        dotted: thousands_or_decimals(values).map(str::to_owned),
        listed: listed.map(|(_, codes)| codes),
        values: column.dictionary().iter().map(str::to_owned).collect(),
        tree: recoder.map(Recoder::tree),
        labels: recoder.map_or_else(Vec::new, labels_by_level).into(),
    }
}

/// One of the texts that nothing ranks: of those that keep the values from having a type, the first, so that `7K` is named beside `7` and
/// 2024-02-30 beside dates that there are.
fn unranked_text<'a>(mut values: impl Iterator<Item = &'a str> + Clone) -> Option<Unranked> {
    let is_date = |value: &str| matches!(DataType::of(std::iter::once(value)), DataType::Date(_));
    let mut strange = values.clone().filter(|value| number_in(value).is_none());
    let found = strange.clone().find(|value| !is_date(value)).or_else(|| strange.next()).or_else(|| values.next());
    found.map(|found| Unranked::Text(found.to_owned()))
}

fn labels_by_level(recoder: &Recoder) -> Vec<Vec<String>> {
    (0..recoder.levels()).map(|level| recoder.labels(level).iter().map(str::to_owned).collect()).collect()
}

fn quasi_facts(attribute: &Attribute, column: &Column, rows: &[u64]) -> QuasiFacts {
    let recoder = &attribute.recoder;
    // A value that only rows outside the release hold, such as the `*` of suppressed ones, need not be a number.
    let number = |(text, &rows): (&str, &u64)| {
        let number = number_in(text);
        if rows == 0 { Some(number.unwrap_or(0.0)) } else { number }
    };
    let numbers: Option<Vec<f64>> = column.dictionary().iter().zip(rows).map(number).collect();
    let middles = |numbers: &Vec<f64>| (0..recoder.levels()).map(|level| middles(recoder, level, numbers)).collect();
    QuasiFacts {
        name: attribute.name.clone(),
        labels: (0..recoder.levels()).map(|level| recoder.labels(level).len() as u32).collect(),
        numbers: numbers.as_ref().map_or_else(Vec::new, middles),
    }
}

/// The middle of the numbers that each label of a level covers.
fn middles(recoder: &Recoder, level: usize, numbers: &[f64]) -> Vec<f64> {
    let mut ranges = vec![(f64::INFINITY, f64::NEG_INFINITY); recoder.labels(level).len()];
    for (&label, &number) in recoder.labels_of_codes(level).iter().zip(numbers) {
        let (least, most) = &mut ranges[label as usize];
        (*least, *most) = (least.min(number), most.max(number));
    }
    // The difference of the largest doubles is not finite, the sum of their halves is.
    let middle = |(least, most): (f64, f64)| {
        if (most - least).is_finite() { least + (most - least) / 2.0 } else { least / 2.0 + most / 2.0 }
    };
    ranges.into_iter().map(middle).collect()
}

fn joint_facts(joint: &Joint, table: &Table) -> Result<JointFacts, ReleaseError> {
    let parts = joint.columns.iter().zip(&joint.of_code).map(|(name, of_code)| {
        let column = table.column(name)?;
        let values = column.dictionary().iter().map(str::to_owned).collect();
        Ok(JointPart { values, of_code: of_code.clone(), missing: column.missing().map(|code| code.0) })
    });
    Ok(JointFacts { columns: joint.columns.clone(), parts: parts.collect::<Result<_, ReleaseError>>()? })
}
