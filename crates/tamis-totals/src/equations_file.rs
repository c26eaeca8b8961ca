//! Equations that no dimension implies, from a file.

use std::collections::HashMap;
use std::path::PathBuf;

use serde::Deserialize;
use tamis_cells::{CellId, Equation};
use tamis_source::SourceError;

use crate::draft::{Draft, id_in};
use crate::error::{TotalsError, invalid};

/// An equation in JSON, as in the JSON of tables of cells.
#[derive(Debug, Deserialize)]
struct Written {
    #[serde(default)]
    rhs: f64,
    terms: Vec<(CellId, f64)>,
}

#[derive(Deserialize)]
#[serde(untagged)]
enum Document {
    List(Vec<Written>),
    Table { equations: Vec<Written> },
}

/// An equation as written: the line, terms by name with their coefficients, the right side.
type Line = (String, Vec<(CellId, f64)>, f64);

impl Draft {
    /// Adds the equations of files to those of the tables. Linear in their terms.
    pub(crate) fn further_equations(&mut self, ids: &[CellId], paths: &[PathBuf]) -> Result<(), TotalsError> {
        if paths.is_empty() {
            return Ok(());
        }
        let cells: HashMap<&CellId, usize> = ids.iter().enumerate().map(|(cell, id)| (id, cell)).collect();
        for path in paths {
            let name = path.display().to_string();
            let text =
                std::fs::read_to_string(path).map_err(|reason| SourceError::Open { name: name.clone(), reason })?;
            let is_json = path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("json"));
            let lines = if is_json { from_json(&text) } else { from_text(&text) };
            for (place, terms, rhs) in lines.map_err(|sentence| invalid(format!("`{name}`{sentence}")))? {
                let mut coefficients: Vec<(usize, f64)> = Vec::with_capacity(terms.len());
                let mut at: HashMap<usize, usize> = HashMap::new();
                for (id, coefficient) in terms {
                    let cell = *cells.get(&id).ok_or_else(|| {
                        let example =
                            ids.first().map_or_else(String::new, |id| format!("; cells are called like [{id}]"));
                        invalid(format!("`{name}`{place}: the table has no cell `{id}`{example}"))
                    })?;
                    let entry = *at.entry(cell).or_insert(coefficients.len());
                    if entry == coefficients.len() {
                        coefficients.push((cell, 0.0));
                    }
                    coefficients[entry].1 += coefficient;
                }
                coefficients.retain(|&(_, coefficient)| coefficient != 0.0);
                let left: f64 = coefficients.iter().map(|&(cell, by)| by * self.cells[cell].value).sum();
                let sizes = coefficients.iter().map(|&(cell, by)| (by * self.cells[cell].value).abs());
                let largest = sizes.fold(f64::max(1.0, rhs.abs()), f64::max);
                if (left - rhs).abs() > crate::draft::SAME * largest {
                    let (left, rhs, off) = (self.number_text(left), rhs, self.number_text((left - rhs).abs()));
                    return Err(invalid(format!(
                        "`{name}`{place}: the equation does not add up: the left side is {left}, the right side {rhs}, {off} apart"
                    )));
                }
                self.equations.push(Equation { rhs, terms: coefficients });
            }
        }
        Ok(())
    }
}

fn from_json(text: &str) -> Result<Vec<Line>, String> {
    let document: Document = serde_json::from_str(text).map_err(|error| {
        format!(": found no equations ({error}); expected [{{\"rhs\": 0, \"terms\": [[id, coefficient], ...]}}, ...]")
    })?;
    let (Document::List(written) | Document::Table { equations: written }) = document;
    let line = |(number, written): (usize, Written)| (format!(", equation {}", number + 1), written.terms, written.rhs);
    Ok(written.into_iter().enumerate().map(line).collect())
}

fn from_text(text: &str) -> Result<Vec<Line>, String> {
    let mut equations = Vec::new();
    for (number, line) in (1..).zip(text.lines()) {
        let line = line.split('#').next().unwrap_or_default().trim();
        if !line.is_empty() {
            let (terms, rhs) = parse_equation(line).map_err(|sentence| format!(", line {number}: {sentence}"))?;
            equations.push((format!(", line {number}"), terms, rhs));
        }
    }
    Ok(equations)
}

/// Reads `a + b - 2 c = 10`; a name with blanks or signs stands in brackets, terms may stand on both sides.
///
/// ```
/// use tamis_totals::parse_equation;
/// let (terms, rhs) = parse_equation("[North/A] - 2 x = 10 + y")?;
/// let terms: Vec<String> = terms.iter().map(|(id, by)| format!("{by} {id}")).collect();
/// assert_eq!(terms, ["1 North/A", "-2 x", "-1 y"]);
/// assert_eq!(rhs, 10.0);
/// assert!(parse_equation("a + = 3").is_err());
/// # Ok::<(), String>(())
/// ```
pub fn parse_equation(line: &str) -> Result<(Vec<(CellId, f64)>, f64), String> {
    let (mut terms, mut rhs) = (Vec::new(), 0.0);
    let mut side = 1.0;
    let mut rest = line.trim();
    let mut first = true;
    let mut sides = 1;
    loop {
        let mut sign = 1.0;
        match rest.chars().next() {
            Some(mark @ ('+' | '-')) => {
                sign = if mark == '-' { -1.0 } else { 1.0 };
                rest = rest[1..].trim_start();
            }
            Some(other) if !first && other != '=' => {
                return Err(format!("found `{rest}` where `+`, `-` or `=` was expected"));
            }
            _ => {}
        }
        let (number, behind) = leading_number(rest);
        let (name, behind) = leading_name(behind)?;
        match (number, name) {
            (number, Some(name)) => terms.push((id_in(name), side * sign * number.unwrap_or(1.0))),
            (Some(number), None) => rhs -= side * sign * number,
            (None, None) => {
                return Err(format!("found `{rest}` where a number or a cell was expected, as in `a + b - 2 c = 10`"));
            }
        }
        rest = behind.trim_start();
        first = false;
        if let Some(right) = rest.strip_prefix('=') {
            if sides == 2 {
                return Err("found a second `=`; expected one".to_owned());
            }
            (side, sides, first) = (-1.0, 2, true);
            rest = right.trim_start();
        } else if rest.is_empty() {
            break;
        }
    }
    if sides == 2 { Ok((terms, rhs)) } else { Err("found no `=`; expected one, as in `a + b - 2 c = 10`".to_owned()) }
}

/// A number at the start that is not the start of a name.
fn leading_number(text: &str) -> (Option<f64>, &str) {
    let end = text.find(|c: char| c.is_whitespace() || matches!(c, '[' | '=' | '*' | '+' | '-')).unwrap_or(text.len());
    match tamis_table::number_in(&text[..end]) {
        Some(number) => {
            let behind = text[end..].trim_start();
            (Some(number), behind.strip_prefix('*').unwrap_or(behind).trim_start())
        }
        None => (None, text),
    }
}

fn leading_name(text: &str) -> Result<(Option<&str>, &str), String> {
    if let Some(inside) = text.strip_prefix('[') {
        let (name, behind) = inside.split_once(']').ok_or("found `[` without `]` behind it")?;
        return Ok((Some(name), behind));
    }
    let end = text.find(|c: char| c.is_whitespace() || matches!(c, '=' | '+' | '-')).unwrap_or(text.len());
    Ok(if end == 0 { (None, text) } else { (Some(&text[..end]), &text[end..]) })
}
