//! Finds a row of a table in its file again.

use crate::detect::Layout;
use crate::records::{Forced, Records};
use crate::{ReadOptions, SourceError};
use std::fs::File;
use std::io::Read;
use std::path::Path;

/// The line of the file in which a row of its table starts, both counted as users count: lines from 1, rows from 0 below the header.
///
/// A table does not keep lines: blank lines and values with line breaks make them differ from rows, and nobody asks for them until a
/// value turns out to be wrong. Then the file is read once more, with the options it was read with.
pub fn line_of_row(path: impl AsRef<Path>, options: &ReadOptions, row: usize) -> Result<Option<u64>, SourceError> {
    let path = path.as_ref();
    let name = crate::shown(path);
    match File::open(path) {
        Ok(file) => line_of_row_in(file, &name, options, row),
        Err(reason) => Err(SourceError::Open { name, reason }),
    }
}

/// The line of a row as [`line_of_row`] finds it in anything that gives bytes; none if there is no such row.
///
/// ```
/// use tamis_source::{ReadOptions, line_of_row_in};
/// let text = "name,note\n\nAda,\"two\nlines\"\nBob,one\n";
/// let line = |row| line_of_row_in(text.as_bytes(), "people.csv", &ReadOptions::default(), row);
/// assert_eq!((line(0)?, line(1)?, line(2)?), (Some(3), Some(5), None));
/// # Ok::<(), tamis_source::SourceError>(())
/// ```
pub fn line_of_row_in(
    reader: impl Read,
    name: &str,
    options: &ReadOptions,
    row: usize,
) -> Result<Option<u64>, SourceError> {
    let forced = Forced { delimiter: options.delimiter, quote: options.quote, encoding: options.encoding };
    let mut records = Records::open(Box::new(reader), name, forced, Layout::Table)?;
    if !records.advance()? {
        return Ok(None);
    }
    let is_single_column = records.record().len() == 1;
    let mut line_below = records.lines().1 + 1;
    let mut next_row = 0;
    loop {
        let is_more = records.advance()?;
        if is_single_column {
            // Blank lines are rows here.
            let (line, last_line) = records.lines();
            let blank = usize::try_from(line.saturating_sub(line_below)).unwrap_or(usize::MAX);
            if row - next_row < blank {
                return Ok(Some(line_below + (row - next_row) as u64));
            }
            next_row += blank;
            line_below = last_line + 1;
        }
        if !is_more {
            return Ok(None);
        }
        if next_row == row {
            return Ok(Some(records.lines().0));
        }
        next_row += 1;
    }
}
