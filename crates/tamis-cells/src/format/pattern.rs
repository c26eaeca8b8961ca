//! Patterns from files: which cells another program, or an earlier run, hides.
//!
//! Four kinds are told apart by their content: a list of ids, one a line; a table with the columns `id` and `status` (comma,
//! semicolon or tab between them), whose status is a letter as peers use it or a word; JSON, either a list of ids or an object
//! with the list `suppressed`, as `protect --json` prints it; a JJ file whose status letters say what is hidden.

use std::collections::HashMap;

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
    if let Some((_, header)) = lines.clone().next() {
        columns = Columns::of(header).filter(|columns| columns.status.is_some() || names.find(header.trim()).is_none());
        if columns.is_some() {
            lines.next();
        }
    }
    for (line, text) in lines {
        let (id, hidden) = match &columns {
            Some(columns) => columns.read(text, line)?,
            None => (text.trim().to_owned(), true),
        };
        let cell = names
            .find(&id)
            .ok_or_else(|| FormatError::Line { line, problem: format!("there is no cell {id} in the table") })?;
        if hidden {
            pattern.set(cell, true);
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
}

/// Where the columns of a table of hidden cells are.
struct Columns {
    delimiter: char,
    id: usize,
    status: Option<usize>,
}

impl Columns {
    /// The columns that a header names; none if it is no header.
    fn of(header: &str) -> Option<Self> {
        let delimiter = [',', ';', '\t'].into_iter().find(|delimiter| header.contains(*delimiter)).unwrap_or(',');
        let names = split(header, delimiter);
        let find = |name: &str| names.iter().position(|found| found.trim().eq_ignore_ascii_case(name));
        Some(Self { delimiter, id: find("id")?, status: find("status") })
    }

    /// The id of a line, and whether its cell is hidden.
    fn read(&self, text: &str, line: usize) -> Result<(String, bool), FormatError> {
        let fields = split(text, self.delimiter);
        let field = |column: usize, name: &str| {
            let problem = || format!("it has {} fields, expected one in column {} ({name})", fields.len(), column + 1);
            fields.get(column).map(|field| field.trim()).ok_or_else(|| FormatError::Line { line, problem: problem() })
        };
        let id = field(self.id, "id")?.to_owned();
        let Some(status) = self.status else { return Ok((id, true)) };
        let status = field(status, "status")?;
        let hidden = match status.to_ascii_lowercase().as_str() {
            "u" | "m" | "x" | "h" | "primary" | "secondary" | "hidden" | "suppressed" => true,
            "s" | "z" | "v" | "" | "free" | "fixed" | "published" => false,
            _ => {
                let problem = format!(
                    "the status of cell {id} is {status:?}, expected u (primary), m or x (hidden), s or z (published)"
                );
                return Err(FormatError::Line { line, problem });
            }
        };
        Ok((id, hidden))
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
