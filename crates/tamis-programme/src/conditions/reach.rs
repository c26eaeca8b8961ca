//! Where each person may go, from all conditions together.

use crate::sheet::number_numbers;
use crate::{People, ProgrammeError, Slots};
use std::collections::HashMap;
use std::sync::Arc;
use tamis_appointments::Allowed;

/// One condition: people of a class may go to the slots of the class.
#[derive(Debug, Clone)]
pub(super) struct Restriction {
    /// The condition as messages call it.
    pub(super) name: String,
    pub(super) class_of_row: Vec<u32>,
    pub(super) slots_of_class: Vec<Allowed>,
}

impl Restriction {
    /// The slots it leaves to a person.
    fn of_row(&self, row: usize) -> &Allowed {
        &self.slots_of_class[self.class_of_row[row] as usize]
    }
}

/// All conditions on where people may go: classes of people who may go to the same slots.
#[derive(Debug, Clone)]
pub(crate) struct Reach {
    pub(crate) class_of_row: Vec<u32>,
    pub(crate) slots_of_class: Vec<Allowed>,
    restrictions: Vec<Restriction>,
}

impl Reach {
    /// Meets the conditions of every person; somebody left without any slot is an error. Linear in people; each combination of
    /// classes is looked at once.
    pub(super) fn new(restrictions: Vec<Restriction>, people: &People, slots: &Slots) -> Result<Self, ProgrammeError> {
        if restrictions.is_empty() {
            return Ok(Self {
                class_of_row: vec![0; people.count()],
                slots_of_class: vec![Allowed::All],
                restrictions,
            });
        }
        let numberings: Vec<(&[u32], usize)> =
            restrictions.iter().map(|one| (one.class_of_row.as_slice(), one.slots_of_class.len())).collect();
        let (combination_of_row, first_rows) = number_numbers(people.count(), &numberings);
        let mut classes = Classes::default();
        let mut class_of_combination = Vec::with_capacity(first_rows.len());
        for &row in &first_rows {
            let met = common_slots(restrictions.iter().map(|one| one.of_row(row as usize)), slots.count());
            if is_nowhere(&met) {
                return Err(nowhere_to_go(&restrictions, people, slots, row as usize));
            }
            class_of_combination.push(classes.number(met));
        }
        let class_of_row = combination_of_row.iter().map(|&of| class_of_combination[of as usize]).collect();
        Ok(Self { class_of_row, slots_of_class: classes.slots, restrictions })
    }

    /// The slots a person may go to.
    pub(crate) fn of_row(&self, row: usize) -> &Allowed {
        &self.slots_of_class[self.class_of_row[row] as usize]
    }

    /// The conditions that keep a person from a slot, as messages call them.
    pub(crate) fn ruled_out_by(&self, row: usize, slot: usize) -> impl Iterator<Item = &str> {
        let keeps_out = move |one: &&Restriction| match one.of_row(row) {
            Allowed::All => false,
            Allowed::Only(slots) => slots.binary_search(&slot).is_err(),
        };
        self.restrictions.iter().filter(keeps_out).map(|one| one.name.as_str())
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

fn is_nowhere(slots: &Allowed) -> bool {
    matches!(slots, Allowed::Only(slots) if slots.is_empty())
}

/// What leaves the person of this row, the first of them, without a slot, and how many others it does that to.
fn nowhere_to_go(restrictions: &[Restriction], people: &People, slots: &Slots, row: usize) -> ProgrammeError {
    let alone = restrictions.iter().find(|one| is_nowhere(one.of_row(row)));
    let (reason, concerned) = if let Some(one) = alone {
        let concerned = (row..people.count()).filter(|&row| is_nowhere(one.of_row(row))).count();
        (format!("{} leaves no slot", one.name), concerned)
    } else {
        let names: Vec<&str> = restrictions.iter().map(|one| one.name.as_str()).collect();
        let is_concerned = |&row: &usize| {
            !restrictions.iter().any(|one| is_nowhere(one.of_row(row)))
                && is_nowhere(&common_slots(restrictions.iter().map(|one| one.of_row(row)), slots.count()))
        };
        let concerned = (row..people.count()).filter(is_concerned).count();
        (format!("{} leave no slot together, though each leaves some,", names.join(" and ")), concerned)
    };
    ProgrammeError::Invalid(format!(
        "{}: {reason} for {}{}; add slots, or widen or drop the condition",
        people.sheet.place(row),
        people.label(row),
        and_others(concerned),
    ))
}

/// How messages that name one of several people speak of the others.
pub(super) fn and_others(people: usize) -> String {
    match people {
        0 | 1 => String::new(),
        2 => " and for one person more".to_owned(),
        _ => format!(" and for {} people more", people - 1),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Conditions, Sheet};
    use tamis_source::ReadOptions;

    /// What is said of people who may go to slots of their `home` and their `sex`.
    fn sentence(people: &str, slots: &str, regions: &[&str]) -> Result<String, Box<dyn std::error::Error>> {
        let directory = tempfile::tempdir()?;
        let sheet = |name: &str, text: &str| {
            let path = directory.path().join(name);
            std::fs::write(&path, text)?;
            Ok::<_, Box<dyn std::error::Error>>(Sheet::read(&path, &ReadOptions::default(), None)?)
        };
        let people = People::new(sheet("people.csv", people)?, &["age".to_owned()], Some("id"))?;
        let slots = Slots::new(sheet("slots.csv", slots)?, "places", None)?;
        let regions = regions.iter().map(|text| text.parse()).collect::<Result<_, _>>()?;
        let conditions = Conditions { regions, ..Conditions::default() };
        Ok(conditions.reach(&people, &slots).err().map(|error| error.to_string()).unwrap_or_default())
    }

    #[test]
    fn everybody_without_a_slot_is_counted_whatever_their_value() -> Result<(), Box<dyn std::error::Error>> {
        let people = "id,age,home\n1,5,a\n2,5,b\n3,5,c\n4,5,d\n5,5,c\n";
        let said = sentence(people, "home,places\nd,9\n", &["home"])?;
        assert!(said.contains("line 2: --region home leaves no slot for id 1 and for 3 people more"), "{said}");
        let said = sentence(people, "home,places\na,9\nb,9\nc,9\n", &["home"])?;
        assert!(said.contains("line 5: --region home leaves no slot for id 4; add slots"), "{said}");
        assert_eq!(sentence(people, "home,places\na,9\nb,9\nc,9\nd,9\n", &["home"])?, "");
        Ok(())
    }

    #[test]
    fn a_slot_is_ruled_out_by_the_conditions_that_leave_it_out() {
        let restriction = |name: &str, slots_of_class: Vec<Allowed>| Restriction {
            name: name.to_owned(),
            class_of_row: vec![0],
            slots_of_class,
        };
        let only = |slots: &[usize]| vec![Allowed::Only(slots.into())];
        let reach = Reach {
            class_of_row: vec![0],
            slots_of_class: only(&[1]),
            restrictions: vec![
                restriction("first", only(&[1, 2])),
                restriction("second", only(&[1])),
                restriction("third", vec![Allowed::All]),
            ],
        };
        let by = |slot: usize| reach.ruled_out_by(0, slot).collect::<Vec<_>>();
        assert_eq!((by(0), by(1), by(2)), (vec!["first", "second"], vec![], vec!["second"]));
    }
}
