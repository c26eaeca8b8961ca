//! Why there is no schedule, with the names of people and slots.

use crate::Programme;
use serde::Serialize;
use std::collections::BTreeMap;
use std::fmt;
use tamis_appointments::{Conflict, Limit};

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
            detail: named(&conflict.reason, programme) + rounding(conflict, programme),
            slot_labels: conflict.slots.iter().map(|&slot| programme.slots.label(slot)).collect(),
        }
    }
}

/// Shares of slots add up to less than the share of all places; who adds them up otherwise wonders at the number told.
fn rounding(conflict: &Conflict, programme: &Programme) -> &'static str {
    let is_share = |&rule: &usize| {
        let rule = programme.conditions.mixing.get(rule);
        rule.is_some_and(|rule| matches!(rule.limit, Limit::MaximumShare(_)))
    };
    if conflict.rules.iter().any(is_share) { " (the share is rounded down to whole people in every slot)" } else { "" }
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

/// A sentence, then a line for the people, the slots and each condition, then what to do. Lists are cut where nobody reads on.
impl fmt::Display for NamedConflict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let certainty = if self.proved { "no schedule meets the conditions" } else { "no schedule was found" };
        write!(f, "{certainty}: {}", self.detail)?;
        let groups: Vec<String> = self.groups.iter().map(Group::to_string).collect();
        for (what, names) in [("people", &groups), ("slots", &self.slot_labels), ("conditions", &self.rules)] {
            for (at, name) in names.iter().take(MOST_NAMES).enumerate() {
                write!(f, "\n  {:<12}{name}", if at == 0 { what } else { "" })?;
            }
            if names.len() > MOST_NAMES {
                write!(f, "\n  {:<12}and {} more", "", names.len() - MOST_NAMES)?;
            }
        }
        f.write_str("\nadd slots or places, or relax a condition")
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
