//! Columns that the safe harbour rule wants gone.
//!
//! 45 CFR 164.514(b)(2) lists eighteen kinds of identifiers that must be removed before health data count as de-identified. Here every
//! column of a table is held against them by its name, in English, Spanish, Polish, German and French ([`names`]), and by its content ([`content`]). A
//! flag is a reason to look, not a verdict: names deceive, and the rule also asks that nobody has actual knowledge of who someone is.
//!
//! ```
//! use tamis_risk::hipaa::{Identifier, flags};
//! use tamis_table::{ColumnBuilder, Table};
//!
//! let mut column = ColumnBuilder::new("contacto");
//! for text in ["ana@example.cl", "pia@example.cl"] {
//!     column.push(text)?;
//! }
//! let found = flags(&Table::new(vec![column.finish()])?);
//! assert_eq!((found[0].identifier, found[0].share), (Identifier::Email, Some(1.0)));
//! # Ok::<(), tamis_table::TableError>(())
//! ```

pub mod content;
mod identifier;
pub mod names;

pub use identifier::Identifier;

use tamis_table::{Column, Table};

/// A column that looks like one of the eighteen.
#[derive(Debug, Clone, PartialEq)]
pub struct Flag {
    /// The column.
    pub column: String,
    /// What it looks like.
    pub identifier: Identifier,
    /// Why, in a few words.
    pub reason: String,
    /// The share of its rows with a value that match, where the content gave it away.
    pub share: Option<f64>,
}

impl Flag {
    /// Whether nothing of the column has a place in a release; of dates and places something may be kept, but for addresses of houses.
    pub fn is_left_out(&self) -> bool {
        match self.identifier {
            Identifier::Date => false,
            Identifier::Geography => names::is_address(&self.column),
            _ => true,
        }
    }

    /// Whether its values are sentences that somebody wrote.
    pub fn is_free_text(&self) -> bool {
        self.reason.starts_with(content::FREE_TEXT)
    }

    /// Whether nothing but their being different tells that its values are somebody's.
    pub fn is_by_uniqueness(&self) -> bool {
        self.reason.starts_with(content::ALONE)
    }

    /// What to do with the column.
    pub fn remedy(&self) -> &'static str {
        match self.identifier {
            Identifier::Geography if self.is_left_out() => "leave the column out, or keep the state alone",
            identifier => identifier.remedy(),
        }
    }
}

/// Holds every column against the rule, in column order. Linear in the distinct values.
pub fn flags(table: &Table) -> Vec<Flag> {
    table.columns().iter().flat_map(recognise).collect()
}

/// Holds a column against the rule; what the content says before what the name says.
///
/// Whoever asks what a column is asks here, so that no two answers differ.
pub fn recognise(column: &Column) -> Vec<Flag> {
    let flag = |identifier, reason, share| Flag { column: column.name().to_owned(), identifier, reason, share };
    let by_content = content::matches(column).into_iter();
    let mut flags: Vec<Flag> =
        by_content.map(|found| flag(found.identifier, found.reason.to_owned(), Some(found.share))).collect();
    for (identifier, word) in names::matches(column.name()) {
        match flags.iter_mut().find(|flag| flag.identifier == identifier) {
            Some(flag) => flag.reason = format!("{}; its name says `{word}`", flag.reason),
            None => flags.push(flag(identifier, format!("its name says `{word}`"), None)),
        }
    }
    // Numbers of people that only their uniqueness or name gives away matter where nothing better is known.
    if flags.iter().any(|flag| flag.identifier != Identifier::OtherUnique) {
        let is_known_by_content = |flag: &Flag| flag.share.is_some() && !flag.is_by_uniqueness();
        flags.retain(|flag| flag.identifier != Identifier::OtherUnique || is_known_by_content(flag));
    }
    flags
}
