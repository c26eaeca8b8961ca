//! Writes the lines of a hierarchy file.

use crate::atomic_file::AtomicFile;
use crate::quoting::{Care, append_cell};
use crate::{Compression, SourceError};
use std::io::Write;
use std::path::Path;
use tamis_table::HierarchyRow;

const DELIMITER: u8 = b';';

/// Writes a hierarchy file, whole or not at all, compressed if the extension says so.
pub fn write_hierarchy(path: impl AsRef<Path>, rows: &[HierarchyRow]) -> Result<(), SourceError> {
    let path = path.as_ref();
    AtomicFile::create(path)?.filled(Compression::of_path(path), |file| file.write_all(&to_bytes(rows)))
}

/// The text of a hierarchy file: fields separated by `;`, quoted only where needed.
///
/// ```
/// use tamis_source::hierarchy_to_string;
/// use tamis_table::HierarchyRow;
/// let labels = ["a;b", "[20, 40[", "*"].map(str::to_owned).to_vec();
/// assert_eq!(hierarchy_to_string(&[HierarchyRow { line: 1, labels }]), "\"a;b\";[20, 40[;*\n");
/// ```
pub fn hierarchy_to_string(rows: &[HierarchyRow]) -> String {
    // The bytes are whole texts and ASCII, so nothing is lost.
    String::from_utf8_lossy(&to_bytes(rows)).into_owned()
}

fn to_bytes(rows: &[HierarchyRow]) -> Vec<u8> {
    // Rows of one length above 1 show their delimiter; others need quotes around whatever could be taken for one.
    let width = rows.first().map_or(0, |row| row.labels.len());
    let clear = width > 1 && rows.iter().all(|row| row.labels.len() == width);
    let mut text = Vec::new();
    let care = if clear { Care::Needed } else { Care::Detection };
    for row in rows {
        for (position, label) in row.labels.iter().enumerate() {
            if position > 0 {
                text.push(DELIMITER);
            }
            append_cell(label, DELIMITER, row.labels.len() == 1, care, &mut text);
        }
        if !row.labels.is_empty() {
            text.push(b'\n');
        }
    }
    text
}
