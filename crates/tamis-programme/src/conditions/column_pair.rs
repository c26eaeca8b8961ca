//! A column of people and the column of slots that it is held against.

use std::fmt;
use std::str::FromStr;

/// People's column and slots' column, which often have the same name: `Region`, or `HomeRegion=Region`.
///
/// ```
/// use tamis_programme::ColumnPair;
///
/// let pair: ColumnPair = "HomeRegion=Region".parse()?;
/// assert_eq!((pair.people.as_str(), pair.slots.as_str()), ("HomeRegion", "Region"));
/// assert_eq!("Region".parse::<ColumnPair>()?.slots, "Region");
/// # Ok::<(), String>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ColumnPair {
    /// The column of the people.
    pub people: String,
    /// The column of the slots.
    pub slots: String,
}

impl ColumnPair {
    /// Whether both columns have the same name.
    pub(crate) fn is_one_name(&self) -> bool {
        self.people == self.slots
    }
}

impl FromStr for ColumnPair {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let (people, slots) = text.split_once('=').unwrap_or((text, text));
        if people.is_empty() || slots.is_empty() {
            return Err(format!("`{text}` names no column; write COLUMN, or PEOPLE=SLOTS if the names differ"));
        }
        Ok(Self { people: people.to_owned(), slots: slots.to_owned() })
    }
}

impl fmt::Display for ColumnPair {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.is_one_name() { f.write_str(&self.people) } else { write!(f, "{}={}", self.people, self.slots) }
    }
}
