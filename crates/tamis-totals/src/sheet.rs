//! A table together with the file it came from, which knows its places by name.

use std::path::{Path, PathBuf};

use tamis_source::{ColumnFilter, ReadOptions, SourceError, line_of_row, read_table};
use tamis_table::{Column, Table, number_in};

use crate::error::{TotalsError, invalid};

/// A file and its columns.
#[derive(Debug, Clone)]
pub(crate) struct Sheet {
    path: PathBuf,
    options: ReadOptions,
    table: Table,
}

impl Sheet {
    pub(crate) fn read(path: &Path, options: &ReadOptions) -> Result<Self, TotalsError> {
        let table = read_table(path, options)?;
        let options = ReadOptions { progress: None, columns: ColumnFilter::All, ..options.clone() };
        Ok(Self { path: path.to_owned(), options, table })
    }

    /// The file as messages call it.
    pub(crate) fn name(&self) -> String {
        format!("`{}`", self.path.display())
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
            SourceError::UnknownColumn { name: self.path.display().to_string(), column: name.to_owned(), known }.into()
        })
    }

    /// The place of a row as messages call it: the line of the file, or the row if the file is gone.
    pub(crate) fn place(&self, row: usize) -> String {
        match line_of_row(&self.path, &self.options, row).ok().flatten() {
            Some(line) => format!("`{}`, line {line}", self.path.display()),
            None => format!("`{}`, row {}", self.path.display(), row + 1),
        }
    }

    /// The numbers of a column, one a row, none where it is empty. Each distinct text is read once.
    pub(crate) fn numbers(&self, column: &Column, infinite: bool) -> Result<Vec<Option<f64>>, TotalsError> {
        let read = |text: &str| match (number_in(text), text.trim().to_ascii_lowercase().as_str()) {
            (Some(number), _) => Some(number),
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
