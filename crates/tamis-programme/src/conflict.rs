//! Why there is no schedule, with the names of people and slots.

use crate::Programme;
use serde::Serialize;
use std::collections::BTreeMap;
use std::fmt;
use tamis_appointments::Conflict;

/// People, slots and rules that cannot be reconciled.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct NamedConflict {
    /// How many people are concerned.
    pub people: u64,
    /// How many of them the slots can take.
    pub places: u64,
    /// Who they are.
    pub groups: Vec<Group>,
    /// Where they may go.
    pub slots: Vec<BTreeMap<String, String>>,
    /// The rules on who may meet that are concerned.
    pub rules: Vec<String>,
    /// Whether it is proved that there is no schedule, or none was found in the time given.
    pub proved: bool,
    /// The conflict as the solver says it, with people and slots by number.
    pub detail: String,
    #[serde(skip)]
    slot_labels: Vec<String>,
}

/// People of one quasi-identifier value within a conflict.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Group {
    /// Their quasi-identifier: `ZIP 11111, Gender male`.
    pub quasi_id: String,
    /// How many they are.
    pub people: u64,
    /// Their ids, if people have ids and they are few.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub ids: Vec<String>,
}

/// More names than this nobody reads.
const MOST_NAMES: usize = 5;

impl NamedConflict {
    pub(crate) fn new(conflict: &Conflict, programme: &Programme) -> Self {
        let mut rows_of_quasi: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
        let is_concerned: Vec<bool> =
            (0..programme.instance.units.len()).map(|unit| conflict.units.contains(&unit)).collect();
        for row in 0..programme.people.count() {
            if is_concerned[programme.parties.unit_of_row(row)] {
                rows_of_quasi.entry(programme.people.quasi_of_row[row] as usize).or_default().push(row);
            }
        }
        let group = |(quasi_id, rows): (usize, Vec<usize>)| {
            let ids = rows.iter().filter_map(|&row| programme.people.id_of(row).map(str::to_owned));
            let ids: Vec<String> = ids.take(MOST_NAMES + 1).collect();
            Group {
                quasi_id: programme.people.quasi_label(quasi_id),
                people: rows.len() as u64,
                ids: if ids.len() > MOST_NAMES { Vec::new() } else { ids },
            }
        };
        let slot = |&slot: &usize| {
            let described = programme.slots.described(slot).into_iter();
            described.map(|(name, value)| (name.to_owned(), value.to_owned())).collect()
        };
        let rule = |&rule: &usize| programme.conditions.mixing.get(rule).map(ToString::to_string);
        Self {
            people: conflict.people,
            places: conflict.places,
            groups: rows_of_quasi.into_iter().map(group).collect(),
            slots: conflict.slots.iter().map(slot).collect(),
            rules: conflict.rules.iter().filter_map(rule).collect(),
            proved: conflict.is_proved,
            detail: conflict.reason.clone(),
            slot_labels: conflict.slots.iter().map(|&slot| programme.slots.label(slot)).collect(),
        }
    }
}

/// A list of names that is cut where nobody reads on.
fn listed(names: &[String], separator: &str) -> String {
    let mut shown: Vec<String> = names.iter().take(MOST_NAMES).cloned().collect();
    if names.len() > MOST_NAMES {
        shown.push(format!("{} more", names.len() - MOST_NAMES));
    }
    shown.join(separator)
}

fn count(number: u64, one: &str, several: &str) -> String {
    if number == 1 { format!("1 {one}") } else { format!("{number} {several}") }
}

impl fmt::Display for NamedConflict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let groups: Vec<String> = self
            .groups
            .iter()
            .map(|group| {
                let ids = if group.ids.is_empty() { String::new() } else { format!(": {}", group.ids.join(", ")) };
                format!("{} with {}{ids}", group.people, group.quasi_id)
            })
            .collect();
        f.write_str(if self.proved {
            "no schedule meets the conditions: "
        } else {
            "no schedule was found that meets the conditions, though it is not proved that there is none: "
        })?;
        if self.groups.is_empty() {
            return f.write_str(&self.detail);
        }
        write!(f, "{} ({})", count(self.people, "person", "people"), listed(&groups, "; "))?;
        if !self.slots.is_empty() {
            let slots = listed(&self.slot_labels, "; ");
            write!(f, " can only go to {} ({slots})", count(self.slots.len() as u64, "slot", "slots"))?;
        }
        if self.rules.is_empty() {
            write!(f, ", where there {}", if self.places == 1 { "is" } else { "are" })?;
            write!(f, " {} for them", count(self.places, "place", "places"))?;
            if self.people > self.places {
                write!(f, ": {} missing", self.people - self.places)?;
            }
        } else {
            write!(f, ", where {} can be placed under {}", self.places, self.rules.join(" and "))?;
        }
        f.write_str("; add slots or places, or relax a condition")
    }
}
