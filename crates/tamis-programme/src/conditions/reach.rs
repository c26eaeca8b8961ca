//! Where each person may go, from all conditions together.

use crate::sheet::number_numbers;
use crate::{People, ProgrammeError, Slots};
use std::collections::HashMap;
use std::sync::Arc;
use tamis_appointments::Allowed;

/// One condition: people of a class may go to the slots of the class.
pub(super) struct Restriction {
    /// The condition as messages call it.
    pub(super) name: String,
    pub(super) class_of_row: Vec<u32>,
    pub(super) slots_of_class: Vec<Allowed>,
}

/// All conditions on where people may go: classes of people who may go to the same slots.
#[derive(Debug, Clone)]
pub(crate) struct Reach {
    pub(crate) class_of_row: Vec<u32>,
    pub(crate) slots_of_class: Vec<Allowed>,
}

impl Reach {
    /// Meets the conditions of every person; somebody left without any slot is an error. Linear in people; each combination of
    /// classes is looked at once.
    pub(super) fn new(restrictions: &[Restriction], people: &People, slots: &Slots) -> Result<Self, ProgrammeError> {
        if restrictions.is_empty() {
            return Ok(Self { class_of_row: vec![0; people.count()], slots_of_class: vec![Allowed::All] });
        }
        let numberings: Vec<(&[u32], usize)> =
            restrictions.iter().map(|one| (one.class_of_row.as_slice(), one.slots_of_class.len())).collect();
        let (combination_of_row, first_rows) = number_numbers(people.count(), &numberings);
        let mut classes = Classes::default();
        let mut class_of_combination = Vec::with_capacity(first_rows.len());
        for &row in &first_rows {
            let sets = restrictions.iter().map(|one| &one.slots_of_class[one.class_of_row[row as usize] as usize]);
            let met = common_slots(sets, slots.count());
            if matches!(&met, Allowed::Only(none) if none.is_empty()) {
                let combination = combination_of_row[row as usize];
                let alike = combination_of_row.iter().filter(|&&other| other == combination).count();
                return Err(nowhere_to_go(restrictions, people, row as usize, alike));
            }
            class_of_combination.push(classes.number(met));
        }
        let class_of_row = combination_of_row.iter().map(|&of| class_of_combination[of as usize]).collect();
        Ok(Self { class_of_row, slots_of_class: classes.slots })
    }

    /// The slots a person may go to.
    pub(crate) fn of_row(&self, row: usize) -> &Allowed {
        &self.slots_of_class[self.class_of_row[row] as usize]
    }
}

/// Gives each distinct set of slots a number.
#[derive(Default)]
struct Classes {
    number_of: HashMap<Allowed, u32>,
    slots: Vec<Allowed>,
}

impl Classes {
    fn number(&mut self, set: Allowed) -> u32 {
        if let Some(&number) = self.number_of.get(&set) {
            return number;
        }
        let number = self.slots.len() as u32;
        self.slots.push(set.clone());
        self.number_of.insert(set, number);
        number
    }
}

/// The slots that are in all sets; all slots are said as such.
pub(crate) fn common_slots<'a>(sets: impl IntoIterator<Item = &'a Allowed>, slots: usize) -> Allowed {
    let mut common: Option<Arc<[usize]>> = None;
    for set in sets {
        if let Allowed::Only(set) = set {
            common = Some(match common {
                None => Arc::clone(set),
                Some(common) => common.iter().copied().filter(|slot| set.binary_search(slot).is_ok()).collect(),
            });
        }
    }
    match common {
        Some(common) if common.len() < slots => Allowed::Only(common),
        _ => Allowed::All,
    }
}

fn nowhere_to_go(restrictions: &[Restriction], people: &People, row: usize, alike: usize) -> ProgrammeError {
    let is_empty = |one: &&Restriction| matches!(&one.slots_of_class[one.class_of_row[row] as usize], Allowed::Only(slots) if slots.is_empty());
    let reason = if let Some(one) = restrictions.iter().find(is_empty) {
        format!("{} leaves no slot", one.name)
    } else {
        let names: Vec<&str> = restrictions.iter().map(|one| one.name.as_str()).collect();
        format!("{} leave no slot together, though each leaves some", names.join(" and "))
    };
    let others = match alike {
        0 | 1 => String::new(),
        2 => " and for one person more".to_owned(),
        _ => format!(" and for {} people more", alike - 1),
    };
    ProgrammeError::Invalid(format!(
        "{}: {reason} for {}{others}; add slots, or widen or drop the condition",
        people.sheet.place(row),
        people.label(row),
    ))
}
