//! Places of a document in which a value that a policy names stays readable although its field is sealed.
//!
//! A reader of documents hands each of them to [`Treatment::stays_readable`](super::Treatment::stays_readable). Whoever seals refuses the
//! document because of them, unless the user allowed their kind. A format that knows of further kinds adds them to [`Readable`].

use std::collections::BTreeMap;
use std::fmt;
use std::str::FromStr;
use std::sync::{Mutex, PoisonError};

use crate::counted;
use crate::shown::beginning;

/// A kind of place that sealing a field does not reach.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Readable {
    /// XML: attributes of an element that a field names. As a rule they are sealed with it; where this is allowed they stay.
    Attributes,
    /// A column that nobody selected and that looks like a sealed one; XML: an element or attribute that does.
    Namesakes,
    /// SQL: a statement that may put values into a selected table and is no row of INSERT ... VALUES or COPY, wherever it stands: in a routine,
    /// a block, a string that is executed.
    Statements,
    /// A comment that holds such a statement or a row; XML: a record or a field.
    Comments,
    /// SQL: a table that nobody selected, and that looks like a part of one that is selected and not there.
    Tables,
    /// A field that holds a cell of another tool, of which nobody here can tell whether it is a ciphertext.
    Foreign,
}

impl Readable {
    /// All kinds.
    pub const ALL: [Self; 6] =
        [Self::Attributes, Self::Namesakes, Self::Statements, Self::Comments, Self::Tables, Self::Foreign];

    /// What the user calls it.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Attributes => "attributes",
            Self::Namesakes => "namesakes",
            Self::Statements => "statements",
            Self::Comments => "comments",
            Self::Tables => "tables",
            Self::Foreign => "foreign",
        }
    }

    /// What can be done about it, but to allow it.
    fn advice(self) -> &'static str {
        match self {
            Self::Attributes => "name them as fields of the policy, as in code/@value",
            Self::Namesakes => "rename them or name them as fields of the policy",
            Self::Statements => "write their values as rows of INSERT ... VALUES or COPY, or take them out",
            Self::Comments => "take these comments out",
            Self::Tables => "name them as tables of the policy, or dump the definitions of the tables too",
            Self::Foreign => "open these cells with their tool first",
        }
    }
}

impl fmt::Display for Readable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl FromStr for Readable {
    type Err = UnknownReadable;

    fn from_str(text: &str) -> Result<Self, UnknownReadable> {
        let found = Self::ALL.into_iter().find(|kind| kind.as_str() == text);
        found.ok_or_else(|| UnknownReadable(beginning(text)))
    }
}

/// A kind of place that this version does not know.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0:?} is nothing that can be left readable: {names} can", names = Readable::ALL.map(Readable::as_str).join(", "))]
pub struct UnknownReadable(String);

/// One place.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct ReadablePlace {
    /// Where it is among the others, such as its line and column: several threads find them in any order, and the first ones are told.
    pub order: (u64, u64),
    /// What it is.
    pub kind: Readable,
    /// Where it is in words for the user, without any value: `line 5, column 3: the attribute "value" of the field "text" of record "7"`.
    pub place: String,
}

/// Most places that are named one by one.
const MOST: usize = 10;

/// Values that the policy names and that would stay readable. No value is quoted.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct StillReadable {
    /// The first places.
    places: Vec<ReadablePlace>,
    /// How many there are of each kind.
    counts: BTreeMap<Readable, u64>,
}

impl StillReadable {
    fn add(&mut self, place: ReadablePlace) {
        *self.counts.entry(place.kind).or_default() += 1;
        let at = self.places.partition_point(|other| *other <= place);
        if at < MOST {
            self.places.insert(at, place);
            self.places.truncate(MOST);
        }
    }
}

impl fmt::Display for StillReadable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let count = self.counts.values().sum();
        write!(f, "what the policy seals would stay readable in {}: ", counted(count, "place", "places"))?;
        for (number, ReadablePlace { place, .. }) in self.places.iter().enumerate() {
            write!(f, "{}{place}", if number == 0 { "" } else { "; " })?;
        }
        match count.saturating_sub(self.places.len() as u64) {
            0 => {}
            more => write!(f, "; and {more} more")?,
        }
        f.write_str("; nothing was sealed: ")?;
        for kind in self.counts.keys() {
            write!(f, "{}, or ", kind.advice())?;
        }
        let kinds: Vec<&str> = self.counts.keys().map(|kind| kind.as_str()).collect();
        write!(f, "leave them readable with --allow-readable {}", kinds.join(","))
    }
}

/// The places of a document that is being sealed. Several threads add to them.
pub(crate) struct ReadablePlaces<'a> {
    allowed: &'a [Readable],
    found: Mutex<(StillReadable, BTreeMap<Readable, u64>)>,
}

impl<'a> ReadablePlaces<'a> {
    /// None yet; places of the kinds that are allowed are only counted.
    pub(crate) fn new(allowed: &'a [Readable]) -> Self {
        Self { allowed, found: Mutex::default() }
    }

    pub(crate) fn add(&self, place: ReadablePlace) {
        let (refused, left) = &mut *self.found.lock().unwrap_or_else(PoisonError::into_inner);
        if self.allowed.contains(&place.kind) {
            *left.entry(place.kind).or_default() += 1;
        } else {
            refused.add(place);
        }
    }

    /// How many of each kind stay readable because that is allowed; otherwise why the document is refused.
    pub(crate) fn allowed(&self) -> Result<BTreeMap<Readable, u64>, StillReadable> {
        let (refused, left) = &*self.found.lock().unwrap_or_else(PoisonError::into_inner);
        if refused.counts.is_empty() { Ok(left.clone()) } else { Err(refused.clone()) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn place(line: u64) -> ReadablePlace {
        ReadablePlace { order: (line, 1), kind: Readable::Attributes, place: format!("line {line}") }
    }

    #[test]
    fn the_first_places_are_told_whatever_order_they_were_found_in() {
        let places = ReadablePlaces::new(&[]);
        (1..=MOST as u64 + 2).rev().for_each(|line| places.add(place(line)));
        let told = places.allowed().unwrap_err().to_string();
        assert!(told.starts_with("what the policy seals would stay readable in 12 places: line 1; line 2; "), "{told}");
        assert!(told.contains("; line 10; and 2 more; nothing was sealed: "), "{told}");
        assert!(told.ends_with("or leave them readable with --allow-readable attributes"), "{told}");
    }

    #[test]
    fn what_is_allowed_is_counted() {
        let places = ReadablePlaces::new(&[Readable::Attributes]);
        places.add(place(1));
        assert_eq!(places.allowed(), Ok(BTreeMap::from([(Readable::Attributes, 1)])));
    }

    #[test]
    fn an_unknown_kind_names_those_that_are_known() {
        assert_eq!("attributes".parse(), Ok(Readable::Attributes));
        let told = "all".parse::<Readable>().unwrap_err().to_string();
        assert!(told.starts_with("\"all\" is nothing that can be left readable: attributes"), "{told}");
    }
}
