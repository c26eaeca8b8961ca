//! What can be wrong with a randomized release, said so that the user can mend it.

use std::fmt::Display;
use tamis_table::TableError;

/// A release that makes no sense, or that its budget does not allow.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum MechanismError {
    /// A column is not there, or a table cannot be put together.
    #[error(transparent)]
    Table(#[from] TableError),
    /// A text that is no decimal number.
    #[error(
        "`{found}` is {problem}; expected a decimal number of at least 0 with at most 18 decimals, such as 0.5 or 1e-6"
    )]
    NotANumber {
        /// The text.
        found: String,
        /// What is wrong with it.
        problem: &'static str,
    },
    /// A parameter out of its range.
    #[error("{parameter} is {found}; expected {expected}")]
    BadParameter {
        /// The parameter.
        parameter: &'static str,
        /// The value found.
        found: String,
        /// What is allowed.
        expected: String,
    },
    /// A column is named twice.
    #[error("`{column}` is named twice; name every column once")]
    RepeatedColumn {
        /// The column.
        column: String,
    },
    /// A domain without values.
    #[error("the domain of `{column}` has no values; list at least one")]
    EmptyDomain {
        /// The column.
        column: String,
    },
    /// A domain that lists a value twice.
    #[error("the domain of `{column}` lists `{value}` twice; list every value once")]
    RepeatedValue {
        /// The column.
        column: String,
        /// The value.
        value: String,
    },
    /// A row outside the domain.
    #[error(
        "row {row} has `{value}` in `{column}`, which is not in the domain given for it; add it to the domain, or remove the row"
    )]
    OutsideDomain {
        /// The row, from 1.
        row: usize,
        /// The column.
        column: String,
        /// What stands there.
        value: String,
    },
    /// More cells or tuples than can be gone through.
    #[error(
        "the domain of these columns has {size} {things}, more than {most}; name fewer columns, or columns with fewer values"
    )]
    DomainTooLarge {
        /// How many, or "too many to count".
        size: String,
        /// What is counted.
        things: &'static str,
        /// The most there may be.
        most: u64,
    },
    /// More tuples would be inserted than a release can hold.
    #[error(
        "about {expected:.0} of the {size} tuples of the domain would be inserted, more than {most}; name fewer columns, or choose a smaller d"
    )]
    TooManyInserted {
        /// The tuples of the domain.
        size: u128,
        /// How many of them would be inserted.
        expected: f64,
        /// The most there may be.
        most: u64,
    },
    /// A row that belongs to nobody.
    #[error("row {row} has no value in `{column}`; every row needs the person it is about")]
    NoEntity {
        /// The row, from 1.
        row: usize,
        /// The entity column.
        column: String,
    },
    /// A spending that exceeds the budget; nothing is spent.
    #[error(
        "the budget does not allow it: {asked_epsilon} of epsilon and {asked_delta} of delta are asked for, {left_epsilon} and {left_delta} are left"
    )]
    BudgetExceeded {
        /// Epsilon asked for.
        asked_epsilon: Box<crate::Ratio>,
        /// Delta asked for.
        asked_delta: Box<crate::Ratio>,
        /// Epsilon left.
        left_epsilon: Box<crate::Ratio>,
        /// Delta left.
        left_delta: Box<crate::Ratio>,
    },
    /// A ledger that cannot be trusted.
    #[error(
        "the budget is no whole ledger: {reason}; what was spent stays spent, so find out what was, and create a new ledger whose total is less by it (an old copy alone would give back what was spent since)"
    )]
    BadLedger {
        /// What was found.
        reason: String,
    },
    /// The operating system gives no random numbers.
    #[error("the system gives no random numbers ({reason}); nothing can be released without them")]
    NoRandomness {
        /// What it says.
        reason: String,
    },
}

impl MechanismError {
    /// Whether the question was understood and the answer is no.
    pub fn is_refusal(&self) -> bool {
        matches!(self, Self::BudgetExceeded { .. })
    }

    pub(crate) fn parameter(parameter: &'static str, found: impl Display, expected: impl Into<String>) -> Self {
        Self::BadParameter { parameter, found: found.to_string(), expected: expected.into() }
    }
}
