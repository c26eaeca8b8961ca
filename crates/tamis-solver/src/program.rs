//! What is to be solved, without a word of who solves it.

/// Minimise the costs of the variables within their bounds and the rows.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Program {
    /// The variables; rows name them by position.
    pub variables: Vec<Variable>,
    /// What their values must meet.
    pub rows: Vec<Row>,
}

/// A number to be found.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Variable {
    /// At least this; may be minus infinity unless it is an integer variable.
    pub lower: f64,
    /// At most this; may be infinity unless it is an integer variable.
    pub upper: f64,
    /// What one unit costs.
    pub cost: f64,
    /// Whether only integers will do. Bounds of integer variables lie within 2^31 - 1 of zero.
    pub is_integer: bool,
}

/// A sum of multiples of variables, and what it must be.
#[derive(Debug, Clone, PartialEq)]
pub struct Row {
    /// Variables with their factors; no variable twice.
    pub terms: Vec<(usize, f64)>,
    /// How the sum compares to the right side.
    pub relation: Relation,
    /// The right side.
    pub right: f64,
}

/// How a sum compares to a number.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Relation {
    /// At most.
    AtMost,
    /// Exactly.
    Exactly,
    /// At least.
    AtLeast,
}

/// What is wrong with a program.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum ProgramError {
    /// Bounds that cannot be meant.
    #[error(
        "variable {variable} has bounds {lower} and {upper}; integer variables need bounds within 2^31 - 1 of zero"
    )]
    Bounds {
        /// Its position.
        variable: usize,
        /// Its lower bound.
        lower: f64,
        /// Its upper bound.
        upper: f64,
    },
    /// A cost, factor or right side that is no number.
    #[error("{place} is {value}, which is not a finite number")]
    NotFinite {
        /// Where.
        place: String,
        /// What was found.
        value: f64,
    },
    /// A row that names a variable that does not exist, or one twice.
    #[error("row {row} names variable {variable} twice, or there is no such variable")]
    Name {
        /// The position of the row.
        row: usize,
        /// The position of the variable.
        variable: usize,
    },
}

impl Program {
    /// Adds an integer variable and returns its position.
    pub fn integer(&mut self, lower: i32, upper: i32, cost: f64) -> usize {
        self.add(Variable { lower: lower.into(), upper: upper.into(), cost, is_integer: true })
    }

    /// Adds a variable that may take any number and returns its position.
    pub fn real(&mut self, lower: f64, upper: f64, cost: f64) -> usize {
        self.add(Variable { lower, upper, cost, is_integer: false })
    }

    fn add(&mut self, variable: Variable) -> usize {
        self.variables.push(variable);
        self.variables.len() - 1
    }

    /// Adds a row.
    pub fn row(&mut self, terms: impl IntoIterator<Item = (usize, f64)>, relation: Relation, right: f64) {
        self.rows.push(Row { terms: terms.into_iter().collect(), relation, right });
    }

    /// Whether every number is one and every row speaks of variables that exist, once each.
    pub fn validate(&self) -> Result<(), ProgramError> {
        for (position, variable) in self.variables.iter().enumerate() {
            variable.validate(position)?;
        }
        let mut named_in = vec![usize::MAX; self.variables.len()];
        for (number, row) in self.rows.iter().enumerate() {
            for &(variable, factor) in &row.terms {
                if named_in.get(variable).is_none_or(|&row| row == number) {
                    return Err(ProgramError::Name { row: number, variable });
                }
                named_in[variable] = number;
                finite(factor, || format!("the factor of variable {variable} in row {number}"))?;
            }
            finite(row.right, || format!("the right side of row {number}"))?;
        }
        Ok(())
    }
}

impl Variable {
    fn validate(&self, position: usize) -> Result<(), ProgramError> {
        let &Self { lower, upper, cost, is_integer } = self;
        let is_in_range = |bound: f64| bound.abs() <= f64::from(i32::MAX);
        let is_meant = lower <= upper && lower < f64::INFINITY && upper > f64::NEG_INFINITY;
        if !is_meant || is_integer && !(is_in_range(lower) && is_in_range(upper)) {
            return Err(ProgramError::Bounds { variable: position, lower, upper });
        }
        finite(cost, || format!("the cost of variable {position}"))
    }
}

fn finite(value: f64, place: impl Fn() -> String) -> Result<(), ProgramError> {
    if value.is_finite() { Ok(()) } else { Err(ProgramError::NotFinite { place: place(), value }) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_that_are_none_and_names_of_nothing_are_refused() {
        let mut program = Program::default();
        let x = program.integer(0, 3, 1.0);
        assert_eq!(program.validate(), Ok(()));
        program.row([(x, 1.0), (x, 1.0)], Relation::AtMost, 1.0);
        assert_eq!(program.validate(), Err(ProgramError::Name { row: 0, variable: 0 }));
        program.rows.clear();
        program.row([(7, 1.0)], Relation::AtMost, 1.0);
        assert_eq!(program.validate(), Err(ProgramError::Name { row: 0, variable: 7 }));
        program.rows.clear();
        program.row([(x, f64::NAN)], Relation::AtMost, 1.0);
        assert!(matches!(program.validate(), Err(ProgramError::NotFinite { .. })));
        program.rows.clear();
        program.variables[x].upper = f64::INFINITY;
        assert!(matches!(program.validate(), Err(ProgramError::Bounds { .. })));
        program.variables[x].is_integer = false;
        assert_eq!(program.validate(), Ok(()));
    }
}
