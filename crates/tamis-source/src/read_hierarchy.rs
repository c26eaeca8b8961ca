//! Reads the lines of a hierarchy file.

use crate::detect::Layout;
use crate::records::{Forced, Records};
use crate::{Encoding, SourceError};
use std::fs::File;
use std::io::Read;
use std::path::Path;
use tamis_table::HierarchyRow;

/// Reads a hierarchy file: lines `value;level 1;...;*` without a header.
///
/// Delimiter and quote are detected as for a table, with `;` preferred; the file may be compressed. Blank lines are skipped.
/// Rows keep the line they stand in and may differ in length: whether they make a hierarchy is for
/// [`Hierarchy::from_rows`](tamis_table::Hierarchy::from_rows) to say.
pub fn read_hierarchy(path: impl AsRef<Path>) -> Result<Vec<HierarchyRow>, SourceError> {
    read_hierarchy_in(path, Encoding::Utf8)
}

/// Reads a hierarchy file in the encoding of the table it belongs to; one in UTF-8 is read whatever the table's encoding.
pub fn read_hierarchy_in(path: impl AsRef<Path>, encoding: Encoding) -> Result<Vec<HierarchyRow>, SourceError> {
    let path = path.as_ref();
    let name = crate::shown(path);
    let read = |forced: Forced| match File::open(path) {
        Ok(file) => read_rows(Box::new(file), &name, forced),
        Err(reason) => Err(SourceError::Open { name: name.clone(), reason }),
    };
    match read(Forced::default()) {
        Err(SourceError::NotUtf8 { .. }) if encoding == Encoding::Latin1 => {
            read(Forced { encoding: Some(encoding), ..Forced::default() })
        }
        rows => rows,
    }
}

/// Reads a hierarchy as [`read_hierarchy`] does from bytes at hand; `name` stands for the file in messages.
///
/// ```
/// use tamis_source::parse_hierarchy;
/// let rows = parse_hierarchy("39;[20, 40[;*\n50;[40, 60[;*\n".as_bytes(), "age.csv")?;
/// assert_eq!(rows[1].line, 2);
/// assert_eq!(rows[1].labels, ["50", "[40, 60[", "*"]);
/// # Ok::<(), tamis_source::SourceError>(())
/// ```
pub fn parse_hierarchy(bytes: &[u8], name: &str) -> Result<Vec<HierarchyRow>, SourceError> {
    read_rows(Box::new(bytes), name, Forced::default())
}

fn read_rows(file: Box<dyn Read + '_>, name: &str, forced: Forced) -> Result<Vec<HierarchyRow>, SourceError> {
    let mut records = Records::open(file, name, forced, Layout::Hierarchy)?;
    let mut rows = Vec::new();
    while records.advance()? {
        let (line, _) = records.lines();
        let labels = (0..records.record().len())
            .map(|index| records.text(index, || label_name(index), "save the file as UTF-8"))
            .collect::<Result<_, _>>()?;
        rows.push(HierarchyRow { line, labels });
    }
    Ok(rows)
}

fn label_name(index: usize) -> String {
    if index == 0 { "the value".to_owned() } else { format!("level {index}") }
}
