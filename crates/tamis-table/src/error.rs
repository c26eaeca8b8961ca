//! What can be wrong with a table or a hierarchy, said so that the user can mend it.

/// A table that cannot be built or a column that is not there.
#[derive(Debug, thiserror::Error, PartialEq, Eq)]
#[non_exhaustive]
pub enum TableError {
    /// A column was asked for by a name the table does not have.
    #[error("there is no column `{name}`; the columns are {}", list(.known))]
    UnknownColumn {
        /// The name asked for.
        name: String,
        /// The names there are.
        known: Vec<String>,
    },
    /// Two columns carry the same name.
    #[error("two columns are called `{name}` (columns {first} and {second}); rename one of them in the header")]
    DuplicateColumn {
        /// The repeated name.
        name: String,
        /// Position of the first, from 1.
        first: usize,
        /// Position of the second, from 1.
        second: usize,
    },
    /// Columns of different lengths were put together.
    #[error("column `{name}` has {found} values where the others have {expected}")]
    UnevenColumns {
        /// The odd one out.
        name: String,
        /// Its length.
        found: usize,
        /// The length of the first column.
        expected: usize,
    },
    /// More distinct values, rows or bytes of text than a 32-bit code can count.
    #[error("column `{name}` is too large: {what} exceed 4,294,967,295")]
    TooLarge {
        /// The column.
        name: String,
        /// What overflowed.
        what: &'static str,
    },
    /// The hierarchy of a column is unusable.
    #[error("the hierarchy of `{column}`: {source}")]
    Hierarchy {
        /// The column the hierarchy was given for.
        column: String,
        /// What is wrong with it.
        source: HierarchyError,
    },
}

/// A hierarchy that is malformed or does not fit its column.
#[derive(Debug, thiserror::Error, PartialEq, Eq)]
#[non_exhaustive]
pub enum HierarchyError {
    /// No lines at all.
    #[error("it is empty; expected lines `value;level 1;...;*`")]
    Empty,
    /// A line with another number of columns than the first.
    #[error(
        "line {line} has {found} columns where line {first_line} has {expected}; give every value one label per level"
    )]
    UnevenRow {
        /// Where.
        line: u64,
        /// Columns found.
        found: usize,
        /// Columns of the first line.
        expected: usize,
        /// The first line.
        first_line: u64,
    },
    /// A value listed twice with different generalizations.
    #[error("line {line} gives `{value}` other labels than line {first_line} does; keep one of the two")]
    TwoParents {
        /// Where the second listing is.
        line: u64,
        /// The value.
        value: String,
        /// Where the first listing is.
        first_line: u64,
    },
    /// A label whose values are split again one level up.
    #[error(
        "level {level} does not coarsen level {}: line {line} generalizes `{label}` to `{parent}`, line {first_line} to `{first_parent}`",
        .level - 1
    )]
    NotCoarsening {
        /// Where the contradiction shows.
        line: u64,
        /// The level whose labels are at odds.
        level: usize,
        /// The label one level below.
        label: String,
        /// What this line makes of it.
        parent: String,
        /// What an earlier line made of it.
        first_parent: String,
        /// That earlier line.
        first_line: u64,
    },
    /// A value of the data that the hierarchy does not list.
    #[error("it does not list the value `{value}`{}; add a line for it", more(*.others))]
    MissingValue {
        /// The first value not listed.
        value: String,
        /// How many more there are.
        others: usize,
    },
    /// A builder was given parameters or values it cannot work with.
    #[error("{0}")]
    Builder(String),
}

fn list(names: &[String]) -> String {
    names.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ")
}

fn more(others: usize) -> String {
    match others {
        0 => String::new(),
        1 => " (nor 1 other)".to_owned(),
        n => format!(" (nor {n} others)"),
    }
}
