//! Writes a delimited text file from coded columns.

use crate::atomic_file::{AtomicFile, write_error};
use crate::compression::Compressor;
use crate::quoting::{Care, append_cell};
use crate::{Compression, SourceError};
use std::fmt;
use std::io::{self, Write};
use std::path::Path;
use tamis_table::Column;

/// How to write a table.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct WriteOptions {
    /// What separates fields: an ASCII character other than `"` and line breaks.
    pub delimiter: u8,
    /// How to compress; `None` goes by the extension of the file, `.gz` or `.zst`.
    pub compression: Option<Compression>,
}

impl Default for WriteOptions {
    fn default() -> Self {
        Self { delimiter: b',', compression: None }
    }
}

/// Whether the file is called `.tsv`, compressed or not.
pub fn is_tsv(path: &Path) -> bool {
    let is_compressed = Compression::of_path(path) != Compression::None;
    let plain = if is_compressed { path.with_extension("") } else { path.to_path_buf() };
    plain.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("tsv"))
}

/// A column to write: its distinct cells, and which of them each row has.
pub struct OutputColumn<'a> {
    /// The header.
    pub name: &'a str,
    /// The distinct texts.
    pub cells: Vec<String>,
    /// The position in `cells` of a row's text.
    pub cell_of_row: Box<dyn Fn(usize) -> u32 + 'a>,
}

impl<'a> OutputColumn<'a> {
    /// A column of a table as it is, each missing value in the spelling of its row.
    ///
    /// ```
    /// use tamis_source::OutputColumn;
    /// use tamis_table::ColumnBuilder;
    /// let mut age = ColumnBuilder::new("age");
    /// age.push("39")?;
    /// let column = age.finish();
    /// assert_eq!(OutputColumn::of(&column).cells, ["39"]);
    /// # Ok::<(), tamis_table::TableError>(())
    /// ```
    pub fn of(column: &'a Column) -> Self {
        let values = column.dictionary().iter();
        let spellings = column.dictionary().len() as u32;
        let cell_of_row = move |row| match column.spelling(row) {
            Some(spelling) => spellings + spelling as u32,
            None => column.codes().get(row),
        };
        Self {
            name: column.name(),
            cells: values.chain(column.spellings().iter().map(String::as_str)).map(str::to_owned).collect(),
            cell_of_row: Box::new(cell_of_row),
        }
    }

    /// A column of texts, one for each row.
    pub fn of_rows(name: &'a str, cells: Vec<String>) -> Self {
        Self { name, cells, cell_of_row: Box::new(|row| row as u32) }
    }
}

impl fmt::Debug for OutputColumn<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("OutputColumn").field("name", &self.name).field("cells", &self.cells).finish_non_exhaustive()
    }
}

/// Writes a table to a file, whole or not at all: a header, then the given rows in the given order.
///
/// Cells are quoted only where reading them back needs it and are otherwise written as they are. Panics if `cell_of_row` gives
/// a position past the end of `cells`.
///
/// ```
/// use tamis_source::{OutputColumn, ReadOptions, WriteOptions, read_table, write_table};
/// # let directory = tempfile::tempdir()?;
/// # let path = directory.path().join("people.csv.gz");
/// let ages = [1, 0, 1];
/// let age = OutputColumn {
///     name: "age",
///     cells: vec!["[20, 40[".to_owned(), "[40, 60[".to_owned()],
///     cell_of_row: Box::new(|row| ages[row]),
/// };
/// write_table(&path, &WriteOptions::default(), &[age], [2, 1].into_iter())?;
///
/// let table = read_table(&path, &ReadOptions::default())?;
/// assert_eq!(table.rows(), 2);
/// assert_eq!(table.columns()[0].text(1), "[20, 40[");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn write_table(
    path: impl AsRef<Path>,
    options: &WriteOptions,
    columns: &[OutputColumn<'_>],
    rows: impl Iterator<Item = usize>,
) -> Result<(), SourceError> {
    write_file(path.as_ref(), |path| AtomicFile::create(path), *options, columns, rows)
}

/// Writes a table as [`write_table`] does into a file that nobody but its owner may read, where files have owners.
pub fn write_private_table(
    path: impl AsRef<Path>,
    options: &WriteOptions,
    columns: &[OutputColumn<'_>],
    rows: impl Iterator<Item = usize>,
) -> Result<(), SourceError> {
    write_file(path.as_ref(), |path| AtomicFile::create_private(path), *options, columns, rows)
}

fn write_file(
    path: &Path,
    create: fn(&Path) -> Result<AtomicFile, SourceError>,
    options: WriteOptions,
    columns: &[OutputColumn<'_>],
    rows: impl Iterator<Item = usize>,
) -> Result<(), SourceError> {
    check(options.delimiter)?;
    let compression = options.compression.unwrap_or_else(|| Compression::of_path(path));
    create(path)?.filled(compression, |file| write_rows(file, options.delimiter, columns, rows))
}

/// Writes a table as [`write_table`] does to anything that takes bytes; `name` stands for it in messages.
///
/// ```
/// use tamis_source::{OutputColumn, WriteOptions, write_table_to};
/// let cells = vec!["Male".to_owned(), "Female".to_owned()];
/// let sex = OutputColumn { name: "sex", cells, cell_of_row: Box::new(|row| row as u32 % 2) };
/// let mut text = Vec::new();
/// write_table_to(&mut text, "people.csv", &WriteOptions::default(), &[sex], 0..3)?;
/// assert_eq!(text, b"sex\nMale\nFemale\nMale\n");
/// # Ok::<(), tamis_source::SourceError>(())
/// ```
pub fn write_table_to(
    writer: impl Write,
    name: &str,
    options: &WriteOptions,
    columns: &[OutputColumn<'_>],
    rows: impl Iterator<Item = usize>,
) -> Result<(), SourceError> {
    check(options.delimiter)?;
    let write = || {
        let mut compressor = Compressor::new(writer, options.compression.unwrap_or_default())?;
        write_rows(&mut compressor, options.delimiter, columns, rows)?;
        compressor.finish()?.flush()
    };
    write().map_err(|reason| write_error(name, reason))
}

fn check(delimiter: u8) -> Result<(), SourceError> {
    if delimiter.is_ascii() && !matches!(delimiter, b'"' | b'\n' | b'\r') {
        Ok(())
    } else {
        Err(SourceError::UnusableDelimiter { delimiter, quote: b'"' })
    }
}

/// The cells of a column as they appear in the file, each with the delimiter or line break behind it, end to end.
struct WrittenCells {
    bytes: Vec<u8>,
    ends: Vec<usize>,
}

impl WrittenCells {
    fn new(cells: &[String], delimiter: u8, behind: u8, alone: bool) -> Self {
        // Without a delimiter in the file, a lone cell has to hide whatever could be taken for one.
        let care = if alone { Care::Detection } else { Care::Needed };
        let mut bytes = Vec::new();
        let mut ends = vec![0];
        for cell in cells {
            append_cell(cell, delimiter, alone, care, &mut bytes);
            bytes.push(behind);
            ends.push(bytes.len());
        }
        Self { bytes, ends }
    }

    #[inline]
    fn get(&self, cell: u32) -> &[u8] {
        let cell = cell as usize;
        &self.bytes[self.ends[cell]..self.ends[cell + 1]]
    }
}

const BUFFER: usize = 1 << 16;

/// Each distinct cell is quoted once; a row is then a copy of bytes per column.
fn write_rows(
    writer: &mut impl Write,
    delimiter: u8,
    columns: &[OutputColumn<'_>],
    rows: impl Iterator<Item = usize>,
) -> io::Result<()> {
    let alone = columns.len() == 1;
    let behind = |position: usize| if position + 1 == columns.len() { b'\n' } else { delimiter };
    let mut buffer = Vec::with_capacity(2 * BUFFER);
    for (position, column) in columns.iter().enumerate() {
        append_cell(column.name, delimiter, alone, Care::Detection, &mut buffer);
        buffer.push(behind(position));
    }
    let written: Vec<(WrittenCells, &dyn Fn(usize) -> u32)> = columns
        .iter()
        .enumerate()
        .map(|(position, column)| {
            (WrittenCells::new(&column.cells, delimiter, behind(position), alone), &*column.cell_of_row)
        })
        .collect();
    for row in rows {
        for (cells, cell_of_row) in &written {
            buffer.extend_from_slice(cells.get(cell_of_row(row)));
        }
        if buffer.len() >= BUFFER {
            writer.write_all(&buffer)?;
            buffer.clear();
        }
    }
    writer.write_all(&buffer)
}
