//! Reads a delimited text file into a table.

use crate::detect::Layout;
use crate::options::Watched;
use crate::records::{Forced, Records};
use crate::{ReadOptions, SourceError};
use std::collections::HashMap;
use std::fs::File;
use std::io::Read;
use std::path::Path;
use tamis_table::{ColumnBuilder, Table, TableError};

/// What to do about bytes that are not UTF-8 in a table.
pub(crate) const FORCE_LATIN1: &str =
    "save the file as UTF-8, or say `encoding = \"latin-1\"` or `--encoding latin-1` if it is Latin-1";

/// Reads a table with a header from a file, plain or compressed with gzip or zstd.
///
/// Delimiter and quote are detected unless given, see [`detect`](crate::detect()). The text is streamed: what stays in
/// memory are the coded columns. Blank lines are skipped, except that in a file of one column a blank line below the header
/// is a row whose value is the empty text, for else rows without a value would vanish.
pub fn read_table(path: impl AsRef<Path>, options: &ReadOptions) -> Result<Table, SourceError> {
    let path = path.as_ref();
    let name = crate::shown(path);
    match File::open(path) {
        Ok(file) => read_table_from(file, &name, options),
        Err(reason) => Err(SourceError::Open { name, reason }),
    }
}

/// Reads a table as [`read_table`] does from anything that gives bytes; `name` stands for the file in messages.
///
/// ```
/// use tamis_source::{ReadOptions, read_table_from};
/// let text = "sex;age\nMale;39\nFemale;50\n";
/// let table = read_table_from(text.as_bytes(), "people.csv", &ReadOptions::default())?;
/// assert_eq!(table.rows(), 2);
/// assert_eq!(table.columns()[1].text(0), "39");
///
/// let ragged = read_table_from("sex;age\nMale\n".as_bytes(), "people.csv", &ReadOptions::default());
/// assert!(ragged.is_err_and(|error| error.to_string().starts_with("`people.csv`, line 2: found 1 field")));
/// # Ok::<(), tamis_source::SourceError>(())
/// ```
pub fn read_table_from(reader: impl Read, name: &str, options: &ReadOptions) -> Result<Table, SourceError> {
    let forced = Forced { delimiter: options.delimiter, quote: options.quote, encoding: options.encoding };
    let watched = Watched { inner: reader, progress: options.progress.clone(), read: 0 };
    let mut records = Records::open(Box::new(watched), name, forced, Layout::Table)?;
    let header = Header::read(&mut records, name)?;
    let mut columns = header.select(name, options)?;
    let rows = if header.names.len() == 1 {
        read_single_column(&mut records, &header, name, &mut columns)?
    } else {
        read_columns(&mut records, &header, name, &mut columns)?
    };
    if rows == 0 {
        return Err(SourceError::NoRows { name: name.to_owned(), line: header.line });
    }
    let columns = columns.into_iter().map(|column| column.values.finish()).collect();
    Table::new(columns).map_err(|reason| table_error(name, reason))
}

/// A column of the file that is kept.
struct Kept {
    index: usize,
    values: ColumnBuilder,
}

impl Kept {
    /// Appends the field of the record at hand. Only values not met before are checked to be UTF-8.
    #[inline]
    fn push(&mut self, records: &mut Records<'_>, name: &str) -> Result<(), SourceError> {
        if self.values.push_known(&records.record()[self.index]) { Ok(()) } else { self.push_new(records, name) }
    }

    #[cold]
    fn push_new(&mut self, records: &mut Records<'_>, name: &str) -> Result<(), SourceError> {
        match std::str::from_utf8(&records.record()[self.index]) {
            Ok(text) => self.push_text(text, name),
            Err(error) => {
                let field = format!("`{}`", self.values.name());
                Err(records.not_utf8(self.index, error, field, FORCE_LATIN1))
            }
        }
    }

    fn push_text(&mut self, text: &str, name: &str) -> Result<(), SourceError> {
        self.values.push(text).map_err(|reason| table_error(name, reason))
    }
}

fn read_columns(
    records: &mut Records<'_>,
    header: &Header,
    name: &str,
    columns: &mut [Kept],
) -> Result<u64, SourceError> {
    let mut rows = 0;
    while records.advance()? {
        header.check_width(records, name)?;
        for column in &mut *columns {
            column.push(records, name)?;
        }
        rows += 1;
    }
    Ok(rows)
}

/// Blank lines count here, and the parser skips them: they show as gaps between the lines of the records it gives.
fn read_single_column(
    records: &mut Records<'_>,
    header: &Header,
    name: &str,
    columns: &mut [Kept],
) -> Result<u64, SourceError> {
    let mut rows = 0;
    let mut expected_line = header.line_below;
    loop {
        let more = records.advance()?;
        let (line, last_line) = records.lines();
        for _ in expected_line..line {
            for column in &mut *columns {
                column.push_text("", name)?;
            }
            rows += 1;
        }
        if !more {
            return Ok(rows);
        }
        header.check_width(records, name)?;
        for column in &mut *columns {
            column.push(records, name)?;
        }
        rows += 1;
        expected_line = last_line + 1;
    }
}

/// The first record of a table.
struct Header {
    names: Vec<String>,
    line: u64,
    line_below: u64,
}

impl Header {
    fn read(records: &mut Records<'_>, name: &str) -> Result<Self, SourceError> {
        if !records.advance()? {
            return Err(SourceError::Empty { name: name.to_owned() });
        }
        let (line, last_line) = records.lines();
        let width = records.record().len();
        let names = (0..width)
            .map(|index| records.text(index, || "the header".to_owned(), FORCE_LATIN1))
            .collect::<Result<Vec<_>, _>>()?;
        let mut positions = HashMap::new();
        for (column, position) in names.iter().zip(1..) {
            if column.trim().is_empty() {
                return Err(SourceError::EmptyHeader { name: name.to_owned(), line, position });
            }
            if let Some(first) = positions.insert(column, position) {
                let (name, column) = (name.to_owned(), column.clone());
                return Err(SourceError::DuplicateHeader { name, line, column, first, second: position });
            }
        }
        Ok(Self { names, line, line_below: last_line + 1 })
    }

    fn select(&self, name: &str, options: &ReadOptions) -> Result<Vec<Kept>, SourceError> {
        let (name, known) = (name.to_owned(), self.names.clone());
        if let Some(column) = options.columns.names().iter().find(|column| !known.contains(column)) {
            return Err(SourceError::UnknownColumn { name, column: column.clone(), known });
        }
        let kept = self.names.iter().enumerate().filter(|(_, column)| options.columns.keeps(column));
        let kept: Vec<Kept> = kept
            .map(|(index, column)| Kept { index, values: ColumnBuilder::new(column).missing(&options.missing) })
            .collect();
        if kept.is_empty() { Err(SourceError::NoColumns { name, known }) } else { Ok(kept) }
    }

    #[inline]
    fn check_width(&self, records: &mut Records<'_>, name: &str) -> Result<(), SourceError> {
        let (found, expected) = (records.record().len(), self.names.len());
        if found == expected {
            return Ok(());
        }
        let (line, _) = records.lines();
        let delimiter = records.format().delimiter;
        Err(SourceError::Ragged { name: name.to_owned(), line, found, expected, delimiter })
    }
}

fn table_error(name: &str, reason: TableError) -> SourceError {
    SourceError::Table { name: name.to_owned(), reason: Box::new(reason) }
}
