//! What can be wrong with a requirement.

/// A requirement that makes no sense, or not for this table.
#[derive(Debug, thiserror::Error, PartialEq)]
#[non_exhaustive]
pub enum ModelError {
    /// No model of that name.
    #[error("there is no model `{kind}`; the models are {known}")]
    UnknownKind {
        /// What was asked for.
        kind: String,
        /// The kinds there are.
        known: String,
    },
    /// A parameter is absent.
    #[error("model `{kind}` needs the parameter `{parameter}` ({meaning}); add `{parameter} = ...`")]
    MissingParameter {
        /// The model.
        kind: &'static str,
        /// The parameter.
        parameter: &'static str,
        /// What it means.
        meaning: &'static str,
    },
    /// A parameter the model does not have.
    #[error("model `{kind}` has no parameter `{parameter}`; it takes {known}")]
    UnknownParameter {
        /// The model.
        kind: &'static str,
        /// The parameter.
        parameter: String,
        /// The parameters it takes.
        known: String,
    },
    /// A parameter out of its range or of the wrong type.
    #[error("model `{kind}`: `{parameter}` is {found}; expected {expected}")]
    BadParameter {
        /// The model.
        kind: &'static str,
        /// The parameter.
        parameter: &'static str,
        /// The value found.
        found: String,
        /// What is allowed.
        expected: String,
    },
    /// A model on sensitive values where no attribute is sensitive.
    #[error(
        "model `{kind}` needs a sensitive attribute; give a column `role = \"sensitive\"`, or name one with `attribute = ...`"
    )]
    NoSensitiveAttribute {
        /// The model.
        kind: &'static str,
    },
    /// The named attribute is not sensitive.
    #[error("model `{kind}`: `{attribute}` is not a sensitive attribute; the sensitive attributes are {known}")]
    UnknownAttribute {
        /// The model.
        kind: &'static str,
        /// The attribute named.
        attribute: String,
        /// The sensitive ones.
        known: String,
    },
    /// The hierarchical distance without a usable hierarchy.
    #[error("model `{kind}` with the hierarchical distance needs a hierarchy of `{attribute}` that {problem}")]
    NoHierarchy {
        /// The model.
        kind: &'static str,
        /// The sensitive attribute.
        attribute: String,
        /// What is wanted.
        problem: &'static str,
    },
    /// The ordered distance of values that nothing ranks.
    #[error(
        "the ordered distance needs an order of `{attribute}`, but `{found}` is neither a number nor a date; write plain numbers such as 3000 or 2.5, or take the distance `listed` with a hierarchy file of `{attribute}` whose lines list its values in order"
    )]
    NoOrder {
        /// The sensitive attribute.
        attribute: String,
        /// A value that nothing ranks.
        found: String,
    },
    /// The ordered distance of dates that can be read in two ways.
    #[error(
        "the ordered distance needs an order of `{attribute}`, but `{found}` may be day first or month first and no value decides; write dates such as 2020-03-01, name their format in the policy (hierarchy = {{ date = {{ format = \"%d/%m/%Y\" }} }}), or take the distance `listed` with a hierarchy file of `{attribute}` whose lines list its values in order"
    )]
    DayOrMonth {
        /// The sensitive attribute.
        attribute: String,
        /// One of the dates.
        found: String,
    },
    /// The ordered distance of numbers that can be read in two ways.
    #[error(
        "the ordered distance needs an order of `{attribute}`, but {}, or take the distance `listed` with a hierarchy file of `{attribute}` whose lines list its values in order",
        dot_in(.found)
    )]
    ThousandsOrDecimals {
        /// The sensitive attribute.
        attribute: String,
        /// One of the numbers.
        found: String,
    },
    /// The listed distance of values that nothing lists.
    #[error("the distance `listed` needs a hierarchy file of `{attribute}` whose lines list its values in order")]
    NoList {
        /// The sensitive attribute.
        attribute: String,
    },
    /// More people wanted in a class than the table has.
    #[error("k = {k} is more than the {rows} rows of the table; choose k between 1 and {rows}")]
    KExceedsRows {
        /// The k asked for.
        k: u64,
        /// The rows there are.
        rows: u64,
    },
    /// A bound on presence without a population.
    #[error("model `{kind}` needs `subset`: which rows of the input are the ones to release")]
    NoPopulation {
        /// The model.
        kind: &'static str,
    },
    /// A column that is neither a quasi-identifier nor counted.
    #[error("model `{kind}`: `{parameter}` names the column `{column}`, which {problem}")]
    UnusableColumn {
        /// The model.
        kind: &'static str,
        /// The parameter.
        parameter: &'static str,
        /// The column.
        column: String,
        /// What is wrong with it.
        problem: String,
    },
    /// A model of rows where the policy counts people.
    #[error(
        "model `{kind}` counts rows and cannot be used where `entity` lets a person have several; give one row per person"
    )]
    RowsAreNotPeople {
        /// The model.
        kind: &'static str,
    },
    /// A sensitive value that does not occur.
    #[error("model `{kind}`: `{value}` is no value of `{attribute}`; its values are {known}")]
    UnknownValue {
        /// The model.
        kind: &'static str,
        /// The attribute.
        attribute: String,
        /// The value named.
        value: String,
        /// Some of the values there are.
        known: String,
    },
    /// A model of numbers for values that are not.
    #[error("model `{kind}` works on numbers, but `{attribute}` also holds `{found}`")]
    NotNumbers {
        /// The model.
        kind: &'static str,
        /// The attribute.
        attribute: String,
        /// A value that is no number.
        found: String,
    },
    /// Anything else that only the model itself can say.
    #[error("model `{kind}`: {reason}")]
    Impossible {
        /// The model.
        kind: &'static str,
        /// Why, and what to do.
        reason: String,
    },
}

impl ModelError {
    /// A model that measures how far apart numbers are, for numbers such as this whose dot may separate thousands or decimals.
    pub fn thousands_or_decimals(kind: &'static str, attribute: &str, found: &str) -> Self {
        let reason = format!("it measures how far apart the numbers of `{attribute}` are, but {}", dot_in(found));
        Self::Impossible { kind, reason }
    }
}

/// What is in doubt about a number such as `1.000`, and how to write it instead.
fn dot_in(found: &str) -> String {
    let found = found.trim();
    let thousands = found.replace('.', "");
    format!(
        "the dot in `{found}` may separate thousands or decimals and no value decides; write `{thousands}` if it is thousands, or one more decimal such as `{found}0`"
    )
}
