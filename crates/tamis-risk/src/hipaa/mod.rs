//! Columns that the safe harbour rule wants gone.
//!
//! 45 CFR 164.514(b)(2) lists eighteen kinds of identifiers that must be removed before health data count as de-identified. Here every
//! column of a table is held against them by its name, in English, Spanish and Polish ([`names`]), and by its content ([`content`]). A
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

use tamis_table::Table;

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

/// Holds every column against the rule; in column order, what the content says before what the name says. Linear in the distinct values.
pub fn flags(table: &Table) -> Vec<Flag> {
    let mut flags = Vec::new();
    for column in table.columns() {
        let name = column.name().to_owned();
        let mut of_column: Vec<Flag> = content::matches(column)
            .into_iter()
            .map(|found| Flag {
                column: name.clone(),
                identifier: found.identifier,
                reason: found.reason.to_owned(),
                share: Some(found.share),
            })
            .collect();
        for (identifier, word) in names::matches(column.name()) {
            match of_column.iter_mut().find(|flag| flag.identifier == identifier) {
                Some(flag) => flag.reason = format!("{}; its name says `{word}`", flag.reason),
                None => of_column.push(Flag {
                    column: name.clone(),
                    identifier,
                    reason: format!("its name says `{word}`"),
                    share: None,
                }),
            }
        }
        // Numbers of people that only their uniqueness gives away matter where nothing better is known.
        if of_column.iter().any(|flag| flag.identifier != Identifier::OtherUnique) {
            of_column.retain(|flag| flag.identifier != Identifier::OtherUnique);
        }
        flags.append(&mut of_column);
    }
    flags
}
