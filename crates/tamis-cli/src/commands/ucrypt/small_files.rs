//! Policies, keys, shares, grants, words and passphrases in their files.

use crate::answer::{CommandError, sentence};
use std::io::Read as _;
use std::path::Path;
use tamis_ucrypt::operation::{OperationError, PolicyFile};
use tamis_ucrypt::policy::PolicyError;
use zeroize::Zeroizing;

/// Reads a policy, or locks it, with its file named where it is none.
pub(super) fn policy_in(
    path: &Path,
    read: impl FnOnce(&Path) -> Result<PolicyFile, OperationError>,
) -> Result<PolicyFile, CommandError> {
    read(path).map_err(|error| match error {
        OperationError::PolicyNotAFile(_) if path.is_dir() => {
            sentence(format!("{}: it is a directory", path.display()))
        }
        OperationError::Policy(PolicyError::File(_)) => {
            let is_named = path.extension().is_some_and(|extension| extension == "upolicy");
            let hint = if is_named { "" } else { "; policies are called NAME.upolicy, and come before the document" };
            sentence(format!("{}: {error}{hint}", path.display()))
        }
        error => error.into(),
    })
}

/// Longest file of a key, share, grant or passphrase that is read.
const LONGEST: u64 = 16 << 20;

/// A text without the byte order mark that some editors put in front of it.
pub(super) fn without_mark(text: &str) -> &str {
    text.strip_prefix('\u{feff}').unwrap_or(text)
}

/// The text of a small file, which may be secret, without a byte order mark.
pub(super) fn small_file(path: &Path) -> Result<Zeroizing<String>, CommandError> {
    small_text(path)?.map_err(|reason| sentence(format!("{}: {reason}", path.display())))
}

/// The same of a file that may be a pipe with a name, into which somebody has yet to write what they are asked for.
pub(super) fn awaited_file(path: &Path) -> Result<Zeroizing<String>, CommandError> {
    text_in(path)?.map_err(|reason| sentence(format!("{}: {reason}", path.display())))
}

/// Whether a file is handed over through a descriptor, and has no name of its own.
pub(super) fn is_handed_over(path: &Path) -> bool {
    path.starts_with("/dev/fd") || path.starts_with("/proc/self/fd") || path == "/dev/stdin"
}

/// The text of a small file, or what keeps it from being one. A pipe that nobody writes to would keep the program waiting for ever; those
/// that are handed over have a writer.
pub(super) fn small_text(path: &Path) -> Result<Result<Zeroizing<String>, &'static str>, CommandError> {
    if !is_handed_over(path) && std::fs::metadata(path).is_ok_and(|there| !there.is_file()) {
        let what = if path.is_dir() { "a directory" } else { "no regular file" };
        return Err(sentence(format!("{}: it is {what}", path.display())));
    }
    text_in(path)
}

fn text_in(path: &Path) -> Result<Result<Zeroizing<String>, &'static str>, CommandError> {
    let failed = |reason: std::io::Error| sentence(format!("{}: {reason}", path.display()));
    let file = std::fs::File::open(path).map_err(failed)?;
    // Room for all of it, so that no copy of a part stays behind where a longer one was needed. A pipe does not say how much comes.
    let length = file.metadata().map_err(failed)?.len().clamp(1 << 16, LONGEST) as usize;
    let mut bytes = Zeroizing::new(Vec::with_capacity(length + 2));
    file.take(LONGEST + 1).read_to_end(&mut bytes).map_err(failed)?;
    if bytes.len() as u64 > LONGEST {
        return Ok(Err("it is longer than 16 MiB, which no such file is"));
    }
    // The text goes over the same bytes, so that no copy stays behind.
    match String::from_utf8(std::mem::take(&mut *bytes)) {
        Ok(mut text) => {
            let mark = text.len() - without_mark(&text).len();
            text.drain(..mark);
            Ok(Ok(Zeroizing::new(text)))
        }
        Err(error) => {
            drop(Zeroizing::new(error.into_bytes()));
            Ok(Err("it is not text"))
        }
    }
}
