//! A table together with the file it came from, which knows its places by name.

use std::path::{Path, PathBuf};

use tamis_cells::plain;
use tamis_source::{ColumnFilter, ReadOptions, SourceError, line_of_row, line_of_row_in, read_table, read_table_from};
use tamis_table::{Column, Table, number_in};

use crate::error::{TotalsError, invalid};

/// A file to read from. A pipe gives its bytes once, so that they are kept for whoever looks again.
#[derive(Debug, Clone)]
pub struct Input {
    path: PathBuf,
    bytes: Option<Vec<u8>>,
}

impl Input {
    /// Takes a file as it is, and reads what is no regular file, such as a pipe, to its end.
    pub fn open(path: impl Into<PathBuf>) -> Result<Self, TotalsError> {
        let path = path.into();
        let is_pipe = std::fs::metadata(&path).is_ok_and(|facts| !facts.is_file() && !facts.is_dir());
        let bytes = is_pipe.then(|| read_all(&path)).transpose()?;
        Ok(Self { path, bytes })
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// All that it holds.
    pub fn bytes(&self) -> Result<Vec<u8>, TotalsError> {
        self.bytes.clone().map_or_else(|| read_all(&self.path), Ok)
    }
}

fn read_all(path: &Path) -> Result<Vec<u8>, TotalsError> {
    std::fs::read(path).map_err(|reason| SourceError::Open { name: path.display().to_string(), reason }.into())
}

/// A file and its columns.
#[derive(Debug, Clone)]
pub(crate) struct Sheet {
    input: Input,
    options: ReadOptions,
    table: Table,
}

impl Sheet {
    pub(crate) fn read(path: &Path, options: &ReadOptions) -> Result<Self, TotalsError> {
        Self::of(Input::open(path)?, options)
    }

    pub(crate) fn of(input: Input, options: &ReadOptions) -> Result<Self, TotalsError> {
        let table = match &input.bytes {
            Some(bytes) => read_table_from(bytes.as_slice(), &input.path.display().to_string(), options)?,
            None => read_table(&input.path, options)?,
        };
        let options = ReadOptions { progress: None, columns: ColumnFilter::All, ..options.clone() };
        Ok(Self { input, options, table })
    }

    fn path(&self) -> std::path::Display<'_> {
        self.input.path.display()
    }

    /// The file as messages call it.
    pub(crate) fn name(&self) -> String {
        format!("`{}`", self.path())
    }

    pub(crate) fn rows(&self) -> usize {
        self.table.rows()
    }

    pub(crate) fn columns(&self) -> &[Column] {
        self.table.columns()
    }

    pub(crate) fn find(&self, name: &str) -> Option<&Column> {
        self.table.columns().iter().find(|column| column.name() == name)
    }

    /// The column that has one of the names, spelled so or with other capitals.
    pub(crate) fn find_usual(&self, names: &[&str]) -> Option<&Column> {
        let alike = |name: &str| self.columns().iter().find(|column| column.name().trim().eq_ignore_ascii_case(name));
        names.iter().find_map(|name| self.find(name)).or_else(|| names.iter().find_map(|name| alike(name)))
    }

    /// A column, or an error that names the file and the columns there are.
    pub(crate) fn column(&self, name: &str) -> Result<&Column, TotalsError> {
        self.find(name).ok_or_else(|| {
            let known = self.columns().iter().map(|column| column.name().to_owned()).collect();
            SourceError::UnknownColumn { name: self.path().to_string(), column: name.to_owned(), known }.into()
        })
    }

    /// The place of a row as messages call it: the line of the file, or the row if the file is gone.
    pub(crate) fn place(&self, row: usize) -> String {
        let line = match &self.input.bytes {
            Some(bytes) => line_of_row_in(bytes.as_slice(), &self.path().to_string(), &self.options, row),
            None => line_of_row(&self.input.path, &self.options, row),
        };
        match line.ok().flatten() {
            Some(line) => format!("`{}`, line {line}", self.path()),
            None => format!("`{}`, row {}", self.path(), row + 1),
        }
    }

    /// The numbers of a column, one a row, none where it is empty. Each distinct text is read once.
    pub(crate) fn numbers(&self, column: &Column, infinite: bool) -> Result<Vec<Option<f64>>, TotalsError> {
        let read = |text: &str| match (number_in(text), text.trim().to_ascii_lowercase().as_str()) {
            (Some(number), _) => Some(plain(number)),
            (None, "inf" | "+inf" | "infinity") if infinite => Some(f64::INFINITY),
            (None, "-inf" | "-infinity") if infinite => Some(f64::NEG_INFINITY),
            _ => None,
        };
        let missing = column.missing().map(|code| code.0);
        let of_code: Vec<Option<f64>> = column.dictionary().iter().map(read).collect();
        (0..self.rows())
            .map(|row| {
                let code = column.codes().get(row);
                if Some(code) == missing {
                    return Ok(None);
                }
                of_code[code as usize].map(Some).ok_or_else(|| {
                    let (place, name, found) = (self.place(row), column.name(), column.text(row));
                    let remedy = remedy(found);
                    invalid(format!(
                        "{place}, column `{name}`: found `{found}`, expected a number with a decimal point{remedy}"
                    ))
                })
            })
            .collect()
    }
}

/// What to do about a text that is no number: another way of writing numbers, or a hidden value.
fn remedy(text: &str) -> String {
    let text = text.trim();
    let is_sign =
        |c: char| c.is_ascii_digit() || c.is_whitespace() || matches!(c, '.' | ',' | '\'' | '-' | '+' | '\u{2019}');
    if !text.contains(|c: char| c.is_ascii_digit()) {
        if text.chars().count() > 2 {
            return String::new();
        }
        return "; if it stands for a hidden value, this is a released table: give the one with true values, and `audit` \
                the released one behind --pattern"
            .to_owned();
    }
    if !text.chars().all(is_sign) {
        return String::new();
    }
    // The last comma or point is the decimal one if it is the only one of its kind and not before three digits.
    let last = text.rfind([',', '.']);
    let is_decimal = |at: usize| {
        let sign = &text[at..=at];
        text.matches(sign).count() == 1 && (text[at + 1..].len() != 3 || text[..at].contains([',', '.']))
    };
    let (whole, part) = match last.filter(|&at| is_decimal(at)) {
        Some(at) => (&text[..at], Some(&text[at + 1..])),
        None => (text, None),
    };
    let digits: String = whole.chars().filter(|c| c.is_ascii_digit() || *c == '-').collect();
    let written = part.map_or_else(|| digits.clone(), |part| format!("{digits}.{part}"));
    format!(" and nothing between thousands; write it like {written}")
}
