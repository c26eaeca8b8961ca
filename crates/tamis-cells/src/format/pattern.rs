//! Patterns from files: which cells another program, or an earlier run, hides.
//!
//! Four kinds are told apart by their content: a list of ids, one a line; a table with a column `id`, or with columns of labels
//! that make ids when they are joined (comma, semicolon or tab between columns), and a column `status` or `value` that says
//! what is hidden, see [`is_hidden`]; JSON, either a list of ids or an object with the list `suppressed`, as `protect --json`
//! prints it; a JJ file whose status letters say what is hidden. A table of nothing but ids or labels lists hidden cells.

mod columns;

use std::collections::HashMap;

use columns::Columns;
pub use columns::{Mark, is_hidden};
use serde::Deserialize;

use super::{FormatError, jj, json, text_of};
use crate::pattern::Pattern;
use crate::table::{CellId, CellTable, Status};

/// What JSON may hold.
#[derive(Deserialize)]
#[serde(untagged)]
enum Listed {
    Ids(Vec<CellId>),
    Answer {
        suppressed: Vec<CellId>,
        #[serde(default)]
        primary: Vec<CellId>,
    },
}

/// Reads which cells of `table` are hidden. A cell that the file does not name is published. Time: O(cells and file).
///
/// ```
/// use tamis_cells::format;
/// let jj = "0\n3\n0 2 2 u 0 9 1 1 0\n1 3 3 s 0 9 0 0 0\n2 5 5 s 0 9 0 0 0\n1\n0 3 : 0 (1) 1 (1) 2 (-1)\n";
/// let table = format::read(jj.as_bytes(), "sum.jj").unwrap();
/// let pattern = format::read_pattern(b"0\n1\n", &table).unwrap();
/// assert_eq!(pattern.flags(), [true, true, false]);
/// assert_eq!(format::read_pattern(b"id,status\n0,u\n1,m\n2,s\n", &table), Ok(pattern));
/// ```
pub fn read_pattern(bytes: &[u8], table: &CellTable) -> Result<Pattern, FormatError> {
    let bytes = text_of(bytes);
    let names = Names::of(table);
    let mut pattern = Pattern::new(vec![false; table.cells().len()]);
    if matches!(bytes.trim_ascii_start().first(), Some(b'{' | b'[')) {
        let listed: Listed = parse_json(bytes)?;
        let (ids, place) = match listed {
            Listed::Ids(ids) => (ids, "the list of hidden cells"),
            Listed::Answer { suppressed, primary } => ([suppressed, primary].concat(), "suppressed"),
        };
        for id in ids {
            let unknown = || FormatError::UnknownCell { place: place.to_owned(), id: id.to_string() };
            pattern.set(names.find(&id.to_string()).ok_or_else(unknown)?, true);
        }
        return Ok(pattern);
    }
    let text = std::str::from_utf8(bytes).map_err(|error| {
        let line = bytes[..error.valid_up_to()].split(|byte| *byte == b'\n').count();
        FormatError::Line { line, problem: "it is not text in UTF-8".to_owned() }
    })?;
    if is_jj(text) {
        let other = jj::read(bytes)?;
        for cell in other.cells().iter().filter(|cell| matches!(cell.status, Status::Primary | Status::Hidden)) {
            let unknown = || FormatError::UnknownCell { place: "the JJ file".to_owned(), id: cell.id.to_string() };
            pattern.set(names.find(&cell.id.to_string()).ok_or_else(unknown)?, true);
        }
        return Ok(pattern);
    }
    let mut lines =
        text.lines().enumerate().map(|(index, line)| (index + 1, line)).filter(|(_, line)| !line.trim().is_empty());
    let mut columns = None;
    if let Some((line, header)) = lines.clone().next() {
        let first = lines.clone().nth(1).map_or("", |(_, row)| row);
        columns = Columns::of(header, first, &names).map_err(|problem| FormatError::Line { line, problem })?;
        if columns.is_some() {
            lines.next();
            if lines.clone().next().is_none() {
                let problem =
                    "it has a header and no rows; expected the cells that are hidden, or [] if there are none";
                return Err(FormatError::Line { line, problem: problem.to_owned() });
            }
        }
    }
    for (line, text) in lines {
        let wrong = |problem| FormatError::Line { line, problem };
        let find = |id: &str| names.find(id).ok_or_else(|| wrong(format!("there is no cell {id} in the table")));
        match &columns {
            Some(columns) => {
                let fields = split(text, columns.delimiter);
                let id = columns.id(&fields).map_err(wrong)?;
                let cell = find(&id)?;
                let told = |problem| wrong(format!("cell {id}: {problem}"));
                if columns.is_hidden(&fields, table.cells()[cell].value).map_err(told)? {
                    pattern.set(cell, true);
                }
            }
            None => pattern.set(find(text.trim())?, true),
        }
    }
    Ok(pattern)
}

fn parse_json(bytes: &[u8]) -> Result<Listed, FormatError> {
    // What is wrong with the text is said with its place; what is wrong with its content cannot be, in a choice of two.
    let value: serde_json::Value = serde_json::from_slice(bytes).map_err(|error| json::syntax(&error))?;
    Listed::deserialize(value).map_err(|_| FormatError::Line {
        line: 1,
        problem: "expected a list of ids, or an object with a list of ids named suppressed".to_owned(),
    })
}

/// Whether lines are those of a JJ file and not a list of ids that begins with the cells 0 and so on.
fn is_jj(text: &str) -> bool {
    let mut lines = text.lines().map(str::trim).filter(|line| !line.is_empty());
    lines.next() == Some("0")
        && lines.next().is_some_and(|count| count.parse::<usize>().is_ok())
        && lines.next().is_some_and(|cell| cell.split_whitespace().count() >= 8)
}

/// The cells by the text of their ids.
struct Names(HashMap<String, usize>);

impl Names {
    fn of(table: &CellTable) -> Self {
        Self(table.cells().iter().enumerate().map(|(position, cell)| (cell.id.to_string(), position)).collect())
    }

    fn find(&self, id: &str) -> Option<usize> {
        self.0.get(id).copied()
    }

    /// The name of some cell, the same each time.
    fn example(&self) -> &str {
        self.0.iter().min_by_key(|(_, position)| **position).map_or("", |(name, _)| name)
    }
}

/// The fields of a line; a field in quotes may hold the delimiter, and two quotes for one.
fn split(line: &str, delimiter: char) -> Vec<String> {
    let mut fields = vec![String::new()];
    let mut quoted = false;
    let mut characters = line.chars().peekable();
    while let Some(character) = characters.next() {
        let last = fields.len() - 1;
        match character {
            '"' if quoted && characters.peek() == Some(&'"') => {
                characters.next();
                fields[last].push('"');
            }
            '"' if quoted => quoted = false,
            '"' if fields[last].trim().is_empty() => {
                fields[last].clear();
                quoted = true;
            }
            other if other == delimiter && !quoted => fields.push(String::new()),
            other => fields[last].push(other),
        }
    }
    fields
}
