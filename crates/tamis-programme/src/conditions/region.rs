//! People only go to slots of their own region, date, sex, or whatever both files have.

use super::{ColumnPair, Restriction};
use crate::sheet::number_rows;
use crate::{People, ProgrammeError, Slots};
use std::collections::HashMap;
use tamis_appointments::Allowed;
use tamis_table::Column;

/// A value of a row; all spellings of a missing value are one.
fn value(column: &Column, row: usize) -> Option<&str> {
    let code = column.codes().get(row);
    (column.missing().map(|missing| missing.0) != Some(code)).then(|| column.dictionary().text(code))
}

/// Slots whose columns have the values of the person's columns.
pub(super) fn restrict(pairs: &[ColumnPair], people: &People, slots: &Slots) -> Result<Restriction, ProgrammeError> {
    let of_people: Vec<&Column> =
        pairs.iter().map(|pair| people.sheet.column(&pair.people)).collect::<Result<_, _>>()?;
    let of_slots: Vec<&Column> = pairs.iter().map(|pair| slots.sheet.column(&pair.slots)).collect::<Result<_, _>>()?;
    let mut slots_of_values: HashMap<Vec<Option<&str>>, Vec<usize>> = HashMap::new();
    for slot in 0..slots.count() {
        let values = of_slots.iter().map(|column| value(column, slot)).collect();
        slots_of_values.entry(values).or_default().push(slot);
    }
    let (class_of_row, first_rows) = number_rows(people.count(), &of_people);
    let slots_of_class = first_rows.iter().map(|&row| {
        let values: Vec<Option<&str>> = of_people.iter().map(|column| value(column, row as usize)).collect();
        Allowed::Only(slots_of_values.get(&values).cloned().unwrap_or_default().into())
    });
    let slots_of_class = slots_of_class.collect();
    let names: Vec<String> = pairs.iter().map(ColumnPair::to_string).collect();
    Ok(Restriction { name: format!("--region {}", names.join(",")), class_of_row, slots_of_class })
}
