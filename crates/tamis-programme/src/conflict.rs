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
    /// What is wrong, in a sentence.
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
        let mut is_concerned = vec![false; programme.instance.units.len()];
        for &unit in &conflict.units {
            is_concerned[unit] = true;
        }
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
            detail: named(&conflict.reason, programme),
            slot_labels: conflict.slots.iter().map(|&slot| programme.slots.label(slot)).collect(),
        }
    }
}

/// The sentence of a solver, which knows rules and units by number, with their names.
fn named(reason: &str, programme: &Programme) -> String {
    let mut words: Vec<String> = Vec::new();
    for word in reason.split(' ') {
        let digits = word.trim_end_matches(|c: char| !c.is_ascii_digit());
        let number = digits.parse::<usize>().ok().and_then(|number| number.checked_sub(1));
        let name = number.and_then(|number| match words.last()?.as_str() {
            "rule" => programme.conditions.mixing.get(number).map(ToString::to_string),
            "unit" => programme.parties.first_row_of_unit(number).map(|row| programme.people.label(row)),
            _ => None,
        });
        match name {
            Some(name) => {
                words.pop();
                words.push(format!("{name}{}", &word[digits.len()..]));
            }
            None => words.push(word.to_owned()),
        }
    }
    words.join(" ")
}

/// A list of names that is cut where nobody reads on.
fn listed(names: &[String], separator: &str) -> String {
    let mut shown: Vec<String> = names.iter().take(MOST_NAMES).cloned().collect();
    if names.len() > MOST_NAMES {
        shown.push(format!("{} more", names.len() - MOST_NAMES));
    }
    shown.join(separator)
}

impl fmt::Display for NamedConflict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let certainty = if self.proved { "no schedule meets the conditions" } else { "no schedule was found" };
        write!(f, "{certainty}: {}", self.detail)?;
        let groups: Vec<String> = self.groups.iter().map(Group::to_string).collect();
        let parts = [("people", groups.as_slice()), ("slots", &self.slot_labels), ("conditions", &self.rules)];
        for (what, names) in parts.into_iter().filter(|(_, names)| !names.is_empty()) {
            write!(f, "; the {what}: {}", listed(names, " | "))?;
        }
        f.write_str("; add slots or places, or relax a condition")
    }
}

impl fmt::Display for Group {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} with {}", self.people, self.quasi_id)?;
        if !self.ids.is_empty() {
            write!(f, " ({})", self.ids.join(", "))?;
        }
        Ok(())
    }
}
