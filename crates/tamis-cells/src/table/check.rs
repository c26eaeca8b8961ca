//! What must be true of a table before anything is computed.

use std::collections::HashSet;
use std::fmt::Write;

use thiserror::Error;

use super::sum::Sum;
use super::{Attacker, Cell, CellId, Equation, Levels};

/// A table that cannot be true.
#[derive(Debug, Clone, PartialEq, Error)]
pub enum TableError {
    /// Two cells have one id.
    #[error("cell {0} is given twice; ids must differ")]
    Twice(CellId),
    /// A number is not one, or not of the kind that is needed.
    #[error("cell {id}: {field} is {value}, expected a number{expected}")]
    Number {
        /// The cell.
        id: CellId,
        /// The field as files name it.
        field: &'static str,
        /// What was found.
        value: f64,
        /// What more than a number was expected.
        expected: &'static str,
    },
    /// The value is outside its bounds.
    #[error("cell {id}: its value {value} is outside its bounds, {lower} to {upper}")]
    OutsideBounds {
        /// The cell.
        id: CellId,
        /// Its value.
        value: f64,
        /// Its lower bound.
        lower: f64,
        /// Its upper bound.
        upper: f64,
    },
    /// An equation does not hold.
    #[error(
        "equation {number} ({shown}) does not add up: the left side is {left}, the right side {right}, {difference} apart; \
        correct the values, or leave out an equation that need not hold"
    )]
    DoesNotAddUp {
        /// Which equation, the first is 1.
        number: usize,
        /// The equation as a person writes it.
        shown: String,
        /// The sum of its terms.
        left: f64,
        /// Its right-hand side.
        right: f64,
        /// How far apart they are.
        difference: f64,
    },
    /// An equation has a term that is not one.
    #[error("equation {number}: {problem}")]
    Term {
        /// Which equation, the first is 1.
        number: usize,
        /// What is wrong.
        problem: String,
    },
    /// The coefficients of an equation are too far apart for linear programs.
    #[error(
        "equation {number}: the coefficient {large} of cell {large_id} is more than {MOST_APART:e} times the coefficient {small} of \
        cell {small_id}; no linear solver tells such a coefficient from zero; scale the cells, for example by counting one of \
        them in thousands or millions"
    )]
    FarApart {
        /// Which equation, the first is 1.
        number: usize,
        /// The largest coefficient.
        large: f64,
        /// Its cell.
        large_id: CellId,
        /// The smallest coefficient.
        small: f64,
        /// Its cell.
        small_id: CellId,
    },
    /// The weights are too large to be added up.
    #[error("the weights of the cells add up to more than a number holds; divide all weights by a common factor")]
    Weights,
    /// An attacker knows something that is not true.
    #[error("attacker {name}: {problem}")]
    Attacker {
        /// Who.
        name: String,
        /// What is wrong.
        problem: String,
    },
}

impl TableError {
    /// The cell that is wrong, where it is a cell.
    pub fn cell(&self) -> Option<&CellId> {
        match self {
            Self::Twice(id) | Self::Number { id, .. } | Self::OutsideBounds { id, .. } => Some(id),
            Self::DoesNotAddUp { .. }
            | Self::Term { .. }
            | Self::FarApart { .. }
            | Self::Weights
            | Self::Attacker { .. } => None,
        }
    }

    /// The number of the equation that is wrong, where it is an equation; the first is 1.
    pub fn equation(&self) -> Option<usize> {
        match self {
            Self::DoesNotAddUp { number, .. } | Self::Term { number, .. } | Self::FarApart { number, .. } => {
                Some(*number)
            }
            _ => None,
        }
    }
}

/// How many times the smallest coefficient of an equation the largest may be. Solvers drop entries below 1e-9 of the largest
/// and let rows be off by as much, so that a cell with such a coefficient could be published as if it told nothing.
const MOST_APART: f64 = 1e6;

const NOT_NEGATIVE: &str = " that is not negative";

pub(super) fn cells(cells: &[Cell]) -> Result<(), TableError> {
    let mut seen = HashSet::with_capacity(cells.len());
    for cell in cells {
        let number = |field, value: f64, good: bool, expected| {
            if good { Ok(()) } else { Err(TableError::Number { id: cell.id.clone(), field, value, expected }) }
        };
        number("value", cell.value, cell.value.is_finite(), "")?;
        number("weight", cell.weight, is_level(cell.weight), NOT_NEGATIVE)?;
        number("lb", cell.lower, !cell.lower.is_nan(), "")?;
        number("ub", cell.upper, !cell.upper.is_nan(), "")?;
        let Levels { lower, upper, sliding } = cell.levels;
        for (field, level) in [("lpl", lower), ("upl", upper), ("spl", sliding)] {
            number(field, level, is_level(level), NOT_NEGATIVE)?;
        }
        if !(cell.lower <= cell.value && cell.value <= cell.upper) {
            let (value, lower, upper) = (cell.value, cell.lower, cell.upper);
            return Err(TableError::OutsideBounds { id: cell.id.clone(), value, lower, upper });
        }
        if !seen.insert(&cell.id) {
            return Err(TableError::Twice(cell.id.clone()));
        }
    }
    if !cells.iter().map(|cell| cell.weight).sum::<f64>().is_finite() {
        return Err(TableError::Weights);
    }
    Ok(())
}

pub(super) fn equations(cells: &[Cell], equations: &[Equation]) -> Result<(), TableError> {
    let mut last_seen = vec![usize::MAX; cells.len()];
    for (index, equation) in equations.iter().enumerate() {
        let number = index + 1;
        let term = |problem: String| TableError::Term { number, problem };
        if !equation.rhs.is_finite() {
            return Err(term(format!("the right side is {}, expected a number", equation.rhs)));
        }
        if equation.terms.is_empty() {
            return Err(term("it has no terms; leave it out".to_owned()));
        }
        let mut left = Sum::default();
        for &(cell, coefficient) in &equation.terms {
            let id = &cells.get(cell).ok_or_else(|| term(format!("there is no cell at position {cell}")))?.id;
            if !coefficient.is_finite() || coefficient == 0.0 {
                return Err(term(format!(
                    "the coefficient of cell {id} is {coefficient}, expected a number other than 0"
                )));
            }
            if last_seen[cell] == index {
                return Err(term(format!("cell {id} occurs twice; add its coefficients")));
            }
            last_seen[cell] = index;
            left.add(coefficient * cells[cell].value);
        }
        let difference = left.value() - equation.rhs;
        let tolerance = tolerance(equation.terms.len(), left.size + equation.rhs.abs());
        // A sum that overflows is no number and never within the tolerance.
        let holds = difference.abs() <= tolerance;
        if !holds {
            let (shown, left, right) = (show(cells, equation), left.value(), equation.rhs);
            return Err(TableError::DoesNotAddUp { number, shown, left, right, difference: difference.abs() });
        }
        far_apart(cells, number, equation)?;
    }
    Ok(())
}

/// Refuses an equation with coefficients of very different sizes.
fn far_apart(cells: &[Cell], number: usize, equation: &Equation) -> Result<(), TableError> {
    let by_size = |a: &&(usize, f64), b: &&(usize, f64)| a.1.abs().total_cmp(&b.1.abs());
    let (Some(&(large_cell, large)), Some(&(small_cell, small))) =
        (equation.terms.iter().max_by(by_size), equation.terms.iter().min_by(by_size))
    else {
        return Ok(());
    };
    if large.abs() / small.abs() <= MOST_APART {
        return Ok(());
    }
    let (large_id, small_id) = (cells[large_cell].id.clone(), cells[small_cell].id.clone());
    Err(TableError::FarApart { number, large, large_id, small, small_id })
}

/// How far an equation that holds may seem to be off. Files hold decimals: each term is off by an ulp when read, and a margin
/// that another program added up and printed with 15 digits by some more, about an ulp a term. `size` is the sum of the
/// absolute terms. For 100 terms that sum to a billion this is 0.00006, far below any difference that data has.
fn tolerance(terms: usize, size: f64) -> f64 {
    // Errors of rounding add up like steps of a random walk: past a thousand terms the bound a term is too generous.
    (32 + terms.min(1000)) as f64 * f64::EPSILON * size
}

pub(super) fn attackers(cells: &[Cell], attackers: &[Attacker]) -> Result<(), TableError> {
    for attacker in attackers {
        let wrong = |problem: String| TableError::Attacker { name: attacker.name.clone(), problem };
        let known = |cell: usize| cells.get(cell).ok_or_else(|| wrong(format!("there is no cell at position {cell}")));
        for &(cell, lower, upper) in &attacker.bounds {
            let Cell { id, value, .. } = known(cell)?;
            if !(lower <= *value && *value <= upper) {
                return Err(wrong(format!("the value {value} of cell {id} is outside the bounds {lower} to {upper}")));
            }
        }
        for (cell, levels) in &attacker.levels {
            let id = &known(*cell)?.id;
            for (field, level) in [("lpl", levels.lower), ("upl", levels.upper), ("spl", levels.sliding)] {
                if !is_level(level) {
                    return Err(wrong(format!(
                        "{field} of cell {id} is {level}, expected a number that is not negative"
                    )));
                }
            }
        }
    }
    Ok(())
}

fn is_level(number: f64) -> bool {
    number.is_finite() && number >= 0.0
}

/// The equation as a person writes it, cut short after a few terms.
pub(super) fn show(cells: &[Cell], equation: &Equation) -> String {
    const SHOWN: usize = 6;
    let mut text = String::new();
    for (place, &(cell, coefficient)) in equation.terms.iter().take(SHOWN).enumerate() {
        let sign = match (place, coefficient < 0.0) {
            (0, false) => "",
            (0, true) => "-",
            (_, false) => " + ",
            (_, true) => " - ",
        };
        let factor = if coefficient.abs() == 1.0 { String::new() } else { format!("{} ", coefficient.abs()) };
        let _ = write!(text, "{sign}{factor}[{}]", cells[cell].id);
    }
    if equation.terms.len() > SHOWN {
        text += " + ...";
    }
    text + &format!(" = {}", equation.rhs)
}
