//! Sentences that several verbs say.

use crate::answer::{CommandError, sentence};
use std::io::Read as _;
use std::path::Path;
use zeroize::Zeroizing;

/// A number of things.
pub(super) fn counted(count: u64, one: &str, many: &str) -> String {
    if count == 1 { format!("1 {one}") } else { format!("{count} {many}") }
}

/// Longest file of a key, share, grant or passphrase that is read.
const LONGEST: u64 = 16 << 20;

/// The text of a small file, which may be secret.
pub(super) fn small_file(path: &Path) -> Result<Zeroizing<String>, CommandError> {
    let failed = |reason: &dyn std::fmt::Display| sentence(format!("{}: {reason}", path.display()));
    let mut bytes = Zeroizing::new(Vec::new());
    let file = std::fs::File::open(path).map_err(|error| failed(&error))?;
    file.take(LONGEST + 1).read_to_end(&mut bytes).map_err(|error| failed(&error))?;
    if bytes.len() as u64 > LONGEST {
        return Err(failed(&"it is longer than 16 MiB, which no such file is"));
    }
    // The text goes over the same bytes, so that no copy stays behind.
    match String::from_utf8(std::mem::take(&mut *bytes)) {
        Ok(text) => Ok(Zeroizing::new(text)),
        Err(error) => {
            drop(Zeroizing::new(error.into_bytes()));
            Err(failed(&"it is not text"))
        }
    }
}
