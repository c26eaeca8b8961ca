//! The files that transformations ask for.

use std::fs::File;
use std::io::Read;
use tamis_source::{ReadOptions, read_table};
use tamis_table::Table;
use tamis_transform::{Files, Step, TransformError};
use zeroize::Zeroizing;

/// A key is a line of text or a few bytes; whatever is longer is another file given by mistake.
const LARGEST_KEY: usize = 1 << 16;

/// Files relative to where the program runs; tables are read as the flags say.
pub(super) struct Opened<'a> {
    pub(super) options: &'a ReadOptions,
}

impl Files for Opened<'_> {
    fn table(&self, path: &str) -> Result<Table, TransformError> {
        // Which character separates fields is found out anew: the other file may have been written by another program.
        let options = ReadOptions { delimiter: None, ..self.options.clone() };
        read_table(path, &options).map_err(|error| TransformError::File(error.to_string()))
    }

    fn key(&self, path: &str) -> Result<Zeroizing<Vec<u8>>, TransformError> {
        let mut key = Zeroizing::new(Vec::with_capacity(LARGEST_KEY + 1));
        File::open(path).and_then(|file| file.take(LARGEST_KEY as u64 + 1).read_to_end(&mut key)).map_err(
            |reason| {
                TransformError::File(format!(
                    "cannot read the key {path}: {reason}; `tamis transform new-key FILE` makes one"
                ))
            },
        )?;
        if key.len() > LARGEST_KEY {
            return Err(TransformError::File(format!(
                "{path} is too large for a key; expected at most {LARGEST_KEY} bytes"
            )));
        }
        Ok(key)
    }
}

/// What to say about a key that others can read.
pub(super) fn key_note(step: &Step) -> Option<String> {
    let Step::Pseudonymize(step) = step else { return None };
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        let mode = std::fs::metadata(&step.key_file).ok()?.permissions().mode();
        if mode & 0o077 != 0 {
            return Some(format!(
                "others can read the key {0}, and with it find the values behind pseudonyms; `chmod 600 {0}` keeps it to you",
                step.key_file
            ));
        }
    }
    #[cfg(not(unix))]
    let _ = step;
    None
}
