//! What an attack found, for people and for programs.

use serde::ser::SerializeMap;
use serde::{Serialize, Serializer};
use serde_json::{Map, Value};

/// Columns with values, in order; a JSON object.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Fields(pub Vec<(String, String)>);

impl Fields {
    /// The values as a person writes them down: `age = 30, zip = 054**`, and `zip missing` where there is none.
    pub fn phrase(&self) -> String {
        let part = |(name, value): &(String, String)| {
            if value.trim().is_empty() { format!("{name} missing") } else { format!("{name} = {value}") }
        };
        self.0.iter().map(part).collect::<Vec<_>>().join(", ")
    }
}

impl Serialize for Fields {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(self.0.len()))?;
        for (name, value) in &self.0 {
            map.serialize_entry(name, value)?;
        }
        map.end()
    }
}

/// One person or group that an attack exposes.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Finding {
    /// How many people it is about.
    pub people: u64,
    /// How sure the attacker may be.
    pub probability: f64,
    /// What the attacker knew of them.
    pub who: Fields,
    /// What the attacker learns.
    pub learned: Fields,
    /// Both in a sentence.
    pub sentence: String,
}

/// The result of an attack.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Report {
    /// The name of the attack.
    pub attack: &'static str,
    /// People it was tried on.
    pub people: u64,
    /// People it exposes.
    pub at_risk: u64,
    /// Those people as a share of the ones it was tried on.
    pub share: f64,
    /// The outcome in a sentence.
    pub summary: String,
    /// Figures of this attack by name.
    pub figures: Map<String, Value>,
    /// What limits the answer.
    pub notes: Vec<String>,
    /// Who is at risk, worst first.
    pub findings: Vec<Finding>,
    /// How many findings were left out.
    pub more: u64,
}

impl Report {
    pub(crate) fn new(attack: &'static str, people: u64, at_risk: u64, found: Found) -> Self {
        Self {
            attack,
            people,
            at_risk,
            share: if people == 0 { 0.0 } else { at_risk as f64 / people as f64 },
            summary: String::new(),
            figures: Map::new(),
            notes: Vec::new(),
            findings: found.findings,
            more: found.more,
        }
    }

    pub(crate) fn summary(mut self, summary: String) -> Self {
        self.summary = summary;
        self
    }

    pub(crate) fn figure(mut self, name: &str, value: impl Into<Value>) -> Self {
        self.figures.insert(name.to_owned(), value.into());
        self
    }

    pub(crate) fn notes(mut self, notes: impl IntoIterator<Item = String>) -> Self {
        self.notes.extend(notes);
        self
    }
}

/// Collects findings up to a limit and counts the rest: a sentence for each of a million people is written only if it is read.
#[derive(Debug)]
pub(crate) struct Found {
    findings: Vec<Finding>,
    limit: usize,
    more: u64,
}

impl Found {
    pub(crate) fn new(limit: usize) -> Self {
        Self { findings: Vec::new(), limit, more: 0 }
    }

    pub(crate) fn add(&mut self, finding: impl FnOnce() -> Finding) {
        if self.findings.len() < self.limit { self.findings.push(finding()) } else { self.more += 1 }
    }
}

/// `1 person`, `3 people`.
pub(crate) fn people(count: u64) -> String {
    counted(count, "person", "people")
}

/// `1 row`, `3 rows`.
pub(crate) fn counted(count: u64, one: &str, many: &str) -> String {
    format!("{count} {}", if count == 1 { one } else { many })
}

/// `1 person is`, `3 people are`.
pub(crate) fn are(count: u64) -> &'static str {
    if count == 1 { "is" } else { "are" }
}

/// A value inside a sentence.
pub(crate) fn value_in_words(value: &str) -> &str {
    if value.trim().is_empty() { "a missing value" } else { value }
}

/// The subject of a sentence about everybody in a group.
pub(crate) fn everybody(count: u64) -> String {
    match count {
        1 => "The only person".to_owned(),
        2 => "Both people".to_owned(),
        count => format!("All {count} people"),
    }
}

/// A share as people read it: 66.7%.
pub(crate) fn percent(share: f64) -> String {
    let text = format!("{:.1}", share * 100.0);
    format!("{}%", text.strip_suffix(".0").unwrap_or(&text))
}

/// A difference of shares: `50 percentage points`.
pub(crate) fn points(difference: f64) -> String {
    let text = percent(difference);
    let number = text.trim_end_matches('%');
    format!("{number} {}", if number == "1" { "percentage point" } else { "percentage points" })
}

/// `a`, `a and b`, `a, b and c`.
pub(crate) fn listed(names: &[&str]) -> String {
    match names {
        [] => String::new(),
        [name] => (*name).to_owned(),
        [names @ .., last] => format!("{} and {last}", names.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use super::{Fields, are, people};

    #[test]
    fn a_missing_value_is_called_one() {
        let fields =
            [("age", "30"), ("zip", ""), ("city", " ")].map(|(name, value)| (name.to_owned(), value.to_owned()));
        assert_eq!(Fields(fields.to_vec()).phrase(), "age = 30, zip missing, city missing");
    }

    #[test]
    fn one_person_is_and_several_are() {
        assert_eq!(
            [1, 0, 2].map(|count| format!("{} {}", people(count), are(count))),
            ["1 person is", "0 people are", "2 people are"]
        );
    }
}
