//! The JJ format, which tau-Argus and its solvers exchange tables in and sdcTable writes.
//!
//! ```text
//! 0                                 a line that says 0
//! 3                                 how many cells
//! 0 12 12 u 0 99 2 2 0              a line a cell: id value weight status lb ub lpl upl spl
//! 1 8 8 s 0 99 0 0 0
//! 2 20 20 z 0 99 0 0 0
//! 1                                 how many equations
//! 0 3 : 0 (1) 1 (1) 2 (-1)          rhs, how many terms, a colon, then id and coefficient; may go on over lines
//! ```
//!
//! Status letters: `u` primary, `s` may be hidden, `z` must be published; `m`, `x` and `h` (hidden by another program, or by
//! hand) must be hidden. No bound is `inf` or `-inf`. Blanks around brackets and colons and empty lines do not matter. Ids are
//! whole numbers.

use std::collections::HashMap;
use std::io::{self, Write};

use super::{FormatError, text_of};
use crate::pattern::Pattern;
use crate::table::{Cell, CellId, CellTable, Equation, Levels, Status};

const FIELDS: &str = "id value weight status lb ub lpl upl spl";

/// Reads a table.
pub fn read(bytes: &[u8]) -> Result<CellTable, FormatError> {
    let text = text_of(bytes);
    let mut tokens = Tokens { rest: text, line: 1 };
    let first = tokens.need("a line that says 0")?;
    if first.text != b"0" {
        return Err(first.wrong("expected 0, which every JJ file starts with"));
    }
    let (cell_count, counted_at) = tokens.count("how many cells there are")?;
    // Not trusted as a capacity: a file of ten bytes may promise any number of cells.
    let mut cells: Vec<Cell> = Vec::new();
    let mut lines = Lines::default();
    let mut positions = HashMap::new();
    for _ in 0..cell_count {
        let Some((line, fields)) = tokens.line_of_tokens() else {
            return Err(at(
                tokens.line,
                format!("the file ends after {} of the {cell_count} cells promised in line {counted_at}", cells.len()),
            ));
        };
        let cell = cell(&fields, line)?;
        let CellId::Number(id) = cell.id else { continue };
        if let Some(earlier) = positions.insert(id, cells.len()) {
            let before = lines.cells[earlier];
            return Err(at(line, format!("cell {id} is given twice, before in line {before}; ids must differ")));
        }
        cells.push(cell);
        lines.cells.push(line);
    }
    let (equation_count, counted_at) = tokens.count("how many equations there are")?;
    let mut equations = Vec::new();
    for number in 1..=equation_count {
        if tokens.peek().is_none() {
            let found = number - 1;
            return Err(at(
                tokens.line,
                format!("the file ends after {found} of the {equation_count} equations promised in line {counted_at}"),
            ));
        }
        equations.push(tokens.equation(number, &positions, &mut lines)?);
    }
    if let Some(token) = tokens.next() {
        return Err(token.wrong(&format!("expected nothing after the {equation_count} equations promised")));
    }
    let places: HashMap<i64, usize> = positions;
    CellTable::new(cells, equations, Vec::new()).map_err(|error| {
        let of_cell = error.cell().and_then(|id| match id {
            CellId::Number(id) => places.get(id).map(|position| lines.cells[*position]),
            CellId::Text(_) => None,
        });
        match of_cell.or_else(|| error.equation().map(|number| lines.equations[number - 1])) {
            Some(line) => at(line, error.to_string()),
            None => error.into(),
        }
    })
}

/// Where cells and equations stand, for messages.
#[derive(Default)]
struct Lines {
    cells: Vec<usize>,
    equations: Vec<usize>,
}

fn at(line: usize, problem: String) -> FormatError {
    FormatError::Line { line, problem }
}

fn cell(fields: &[Token<'_>], line: usize) -> Result<Cell, FormatError> {
    let &[id, value, weight, status, lower, upper, lpl, upl, spl] = fields else {
        let hint =
            if fields.len() == 8 { "; where the status is left out, add u, s or z behind the weight" } else { "" };
        return Err(at(line, format!("a cell has {} fields, expected 9: {FIELDS}{hint}", fields.len())));
    };
    let status = match status.text {
        b"u" | b"U" => Status::Primary,
        b"s" | b"S" => Status::Free,
        b"z" | b"Z" => Status::Fixed,
        b"m" | b"M" | b"x" | b"X" | b"h" | b"H" => Status::Hidden,
        _ => {
            return Err(status.wrong(
                "expected the status: u (primary), s (may be hidden), z (must be published) or m (must be hidden)",
            ));
        }
    };
    Ok(Cell {
        id: CellId::Number(id.whole("the id of a cell")?),
        value: value.number("the value")?,
        weight: weight.number("the weight")?,
        lower: lower.number("the lower bound")?,
        upper: upper.number("the upper bound")?,
        levels: Levels {
            lower: lpl.number("the lower protection level")?,
            upper: upl.number("the upper protection level")?,
            sliding: spl.number("the sliding protection level")?,
        },
        status,
    })
}

/// A word of the file: a bracket, a colon, or anything between blanks, brackets and colons.
#[derive(Clone, Copy)]
struct Token<'a> {
    text: &'a [u8],
    line: usize,
}

impl Token<'_> {
    fn wrong(&self, expected: &str) -> FormatError {
        const SHOWN: usize = 40;
        let mut shown = String::from_utf8_lossy(&self.text[..self.text.len().min(SHOWN)]).into_owned();
        if self.text.len() > SHOWN {
            shown += "...";
        }
        at(self.line, format!("found {shown:?}, {expected}"))
    }

    fn parse<T: std::str::FromStr>(&self) -> Option<T> {
        std::str::from_utf8(self.text).ok()?.parse().ok()
    }

    fn number(&self, what: &str) -> Result<f64, FormatError> {
        self.parse().ok_or_else(|| self.wrong(&format!("expected {what}, a number")))
    }

    fn whole<T: std::str::FromStr>(&self, what: &str) -> Result<T, FormatError> {
        self.parse().ok_or_else(|| self.wrong(&format!("expected {what}, a whole number")))
    }
}

struct Tokens<'a> {
    rest: &'a [u8],
    line: usize,
}

impl<'a> Tokens<'a> {
    /// The next token without taking it; blanks and line ends before it are gone.
    fn peek(&mut self) -> Option<Token<'a>> {
        while let [first, rest @ ..] = self.rest {
            if !first.is_ascii_whitespace() {
                let end = match first {
                    b'(' | b')' | b':' => 1,
                    _ => self.rest.iter().position(|b| is_end(*b)).unwrap_or(self.rest.len()),
                };
                return Some(Token { text: &self.rest[..end], line: self.line });
            }
            self.line += usize::from(*first == b'\n');
            self.rest = rest;
        }
        None
    }

    fn next(&mut self) -> Option<Token<'a>> {
        let token = self.peek()?;
        self.rest = &self.rest[token.text.len()..];
        Some(token)
    }

    fn need(&mut self, what: &str) -> Result<Token<'a>, FormatError> {
        self.next().ok_or_else(|| at(self.line, format!("the file ends, expected {what}")))
    }

    fn symbol(&mut self, symbol: u8, what: &str) -> Result<(), FormatError> {
        let token = self.need(what)?;
        if token.text == [symbol] { Ok(()) } else { Err(token.wrong(&format!("expected {what}"))) }
    }

    fn count(&mut self, what: &str) -> Result<(usize, usize), FormatError> {
        let token = self.need(what)?;
        Ok((token.whole(what)?, token.line))
    }

    /// All tokens of the next line that has any.
    fn line_of_tokens(&mut self) -> Option<(usize, Vec<Token<'a>>)> {
        let first = self.next()?;
        let mut tokens = Vec::with_capacity(9);
        tokens.push(first);
        while let Some(token) = self.peek().filter(|token| token.line == first.line) {
            self.rest = &self.rest[token.text.len()..];
            tokens.push(token);
        }
        Some((first.line, tokens))
    }

    fn equation(
        &mut self,
        number: usize,
        positions: &HashMap<i64, usize>,
        lines: &mut Lines,
    ) -> Result<Equation, FormatError> {
        let right = self.need("the right side of an equation")?;
        lines.equations.push(right.line);
        let rhs = right.number(&format!("the right side of equation {number}"))?;
        let (count, _) = self.count(&format!("how many terms equation {number} has"))?;
        self.symbol(b':', &format!("a colon behind the number of terms of equation {number}"))?;
        let mut terms = Vec::new();
        for _ in 0..count {
            let token = self.need(&format!("{count} terms in equation {number}"))?;
            let id: i64 = token.whole(&format!("the id of a cell in equation {number}"))?;
            let cell = *positions
                .get(&id)
                .ok_or_else(|| at(token.line, format!("equation {number}: there is no cell {id}")))?;
            self.symbol(b'(', &format!("( before the coefficient of cell {id} in equation {number}"))?;
            let coefficient =
                self.need("a coefficient")?.number(&format!("the coefficient of cell {id} in equation {number}"))?;
            self.symbol(b')', &format!(") behind the coefficient of cell {id} in equation {number}"))?;
            terms.push((cell, coefficient));
        }
        Ok(Equation { rhs, terms })
    }
}

fn is_end(byte: u8) -> bool {
    byte.is_ascii_whitespace() || matches!(byte, b'(' | b')' | b':')
}

/// The letter that peers give a cell, in a table before (`hidden` is none) or after protection.
///
/// `u` primary, `z` must be published, `m` hidden for the sake of others, `s` published. A cell that must be hidden is `m`.
pub fn letter(status: Status, hidden: Option<bool>) -> char {
    match (status, hidden) {
        (Status::Primary, _) => 'u',
        (Status::Hidden, None) | (_, Some(true)) => 'm',
        (Status::Fixed, _) => 'z',
        (Status::Free, _) | (Status::Hidden, Some(false)) => 's',
    }
}

/// Writes a table with every digit of its numbers, and with the status letters of a pattern where one is given.
///
/// Ids that are all numbers stay what they are. Otherwise the cells are numbered from 0 in their order, as the format and its
/// readers know no other ids. Attackers beyond the public have no place in the format.
pub fn write(table: &CellTable, pattern: Option<&Pattern>, output: &mut impl Write) -> io::Result<()> {
    let cells = table.cells();
    let ids: Option<Vec<i64>> = cells
        .iter()
        .map(|cell| match cell.id {
            CellId::Number(id) => Some(id),
            CellId::Text(_) => None,
        })
        .collect();
    let ids = ids.unwrap_or_else(|| (0..).take(cells.len()).collect());
    writeln!(output, "0\n{}", cells.len())?;
    for (position, cell) in cells.iter().enumerate() {
        let Cell { value, weight, lower, upper, levels, status, .. } = cell;
        let letter = letter(*status, pattern.map(|pattern| pattern.hides(position)));
        let Levels { lower: lpl, upper: upl, sliding: spl } = levels;
        writeln!(output, "{} {value} {weight} {letter} {lower} {upper} {lpl} {upl} {spl}", ids[position])?;
    }
    writeln!(output, "{}", table.equations().len())?;
    for Equation { rhs, terms } in table.equations() {
        write!(output, "{rhs} {} :", terms.len())?;
        for (cell, coefficient) in terms {
            write!(output, " {} ( {coefficient} )", ids[*cell])?;
        }
        output.write_all(b"\n")?;
    }
    Ok(())
}
