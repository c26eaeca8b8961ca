//! What must be true of a table before anything is computed.

use std::collections::HashMap;

use thiserror::Error;

use super::{Attacker, Cell, CellId, Equation, Levels};

/// How much of the largest term an equation may be off: values in files are decimal, sums of them are not exact.
const RELATIVE_TOLERANCE: f64 = 1e-9;

/// A table that cannot be true.
#[derive(Debug, Clone, PartialEq, Error)]
pub enum TableError {
    /// Two cells have one id.
    #[error("cell {0} is given twice; ids must differ")]
    Twice(CellId),
    /// A number is not one.
    #[error("cell {id}: {field} is {value}, expected a number{expected}")]
    Number { id: CellId, field: &'static str, value: f64, expected: &'static str },
    /// The value is outside its bounds.
    #[error("cell {id}: its value {value} is outside its bounds, {lower} to {upper}")]
    OutsideBounds { id: CellId, value: f64, lower: f64, upper: f64 },
    /// An equation does not hold.
    #[error(
        "equation {number} ({shown}) does not add up: the left side is {left}, the right side {right}, {difference} apart"
    )]
    DoesNotAddUp { number: usize, shown: String, left: f64, right: f64, difference: f64 },
    /// An equation has a term that is not one.
    #[error("equation {number}: {problem}")]
    Term { number: usize, problem: String },
    /// An attacker knows something that is not true.
    #[error("attacker {name}: {problem}")]
    Attacker { name: String, problem: String },
}

pub(super) fn cells(cells: &[Cell]) -> Result<(), TableError> {
    let mut seen = HashMap::with_capacity(cells.len());
    for cell in cells {
        let number = |field, value: f64, good: bool, expected| {
            if good { Ok(()) } else { Err(TableError::Number { id: cell.id.clone(), field, value, expected }) }
        };
        number("value", cell.value, cell.value.is_finite(), "")?;
        number("weight", cell.weight, cell.weight.is_finite() && cell.weight >= 0.0, " that is not negative")?;
        number("lb", cell.lower, !cell.lower.is_nan(), "")?;
        number("ub", cell.upper, !cell.upper.is_nan(), "")?;
        let Levels { lower, upper, sliding } = cell.levels;
        for (field, level) in [("lpl", lower), ("upl", upper), ("spl", sliding)] {
            number(field, level, level.is_finite() && level >= 0.0, " that is not negative")?;
        }
        if !(cell.lower <= cell.value && cell.value <= cell.upper) {
            let (value, lower, upper) = (cell.value, cell.lower, cell.upper);
            return Err(TableError::OutsideBounds { id: cell.id.clone(), value, lower, upper });
        }
        if seen.insert(&cell.id, ()).is_some() {
            return Err(TableError::Twice(cell.id.clone()));
        }
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
        let (mut left, mut largest) = (0.0, equation.rhs.abs());
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
            let product = coefficient * cells[cell].value;
            left += product;
            largest = f64::max(largest, product.abs());
        }
        let difference = left - equation.rhs;
        if difference.abs() > RELATIVE_TOLERANCE * f64::max(largest, 1.0) {
            let (shown, right) = (show(cells, equation), equation.rhs);
            return Err(TableError::DoesNotAddUp { number, shown, left, right, difference: difference.abs() });
        }
    }
    Ok(())
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
            if [levels.lower, levels.upper, levels.sliding].iter().any(|level| !level.is_finite() || *level < 0.0) {
                return Err(wrong(format!("a level of cell {id} is not a number that is not negative")));
            }
        }
    }
    Ok(())
}

/// The equation as a person writes it, cut short after a few terms.
fn show(cells: &[Cell], equation: &Equation) -> String {
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
        text += &format!("{sign}{factor}[{}]", cells[cell].id);
    }
    if equation.terms.len() > SHOWN {
        text += " + ...";
    }
    text + &format!(" = {}", equation.rhs)
}
