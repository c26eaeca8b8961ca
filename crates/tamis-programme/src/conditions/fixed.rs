//! Appointments that stand already and may not move.

use super::Restriction;
use crate::{People, ProgrammeError, Slots};
use std::collections::HashMap;
use tamis_appointments::Allowed;

/// The slot that a column names, and any slot where it is empty.
pub(super) fn restrict(name: &str, people: &People, slots: &Slots) -> Result<Restriction, ProgrammeError> {
    let column = people.sheet.column(name)?;
    let slot_of_id: HashMap<&str, usize> = slots.by_id("--fixed")?;
    let missing = column.missing().map(|code| code.0 as usize);
    let class = |code: usize, text: &str| {
        if Some(code) == missing {
            return Ok(Allowed::All);
        }
        if let Some(&slot) = slot_of_id.get(text) {
            return Ok(Allowed::Only([slot].into()));
        }
        let row = (0..people.count()).find(|&row| column.codes().get(row) as usize == code).unwrap_or(0);
        Err(ProgrammeError::Invalid(format!(
            "{}: `{name}` is `{text}`, which is no slot of {}; mend it, or leave it empty if the person is free",
            people.sheet.place(row),
            slots.sheet.name()
        )))
    };
    let slots_of_class =
        column.dictionary().iter().enumerate().map(|(code, text)| class(code, text)).collect::<Result<_, _>>()?;
    let class_of_row = (0..people.count()).map(|row| column.codes().get(row)).collect();
    Ok(Restriction { name: format!("--fixed {name}"), class_of_row, slots_of_class })
}

/// Refuses a column that names anything but slots.
pub(crate) fn check_fixed(name: &str, people: &People, slots: &Slots) -> Result<(), ProgrammeError> {
    restrict(name, people, slots).map(|_| ())
}
