//! Secret keys as files.

use crate::ReleaseError;
use std::fs::File;
use std::io::Read;
use std::path::Path;
use zeroize::Zeroizing;

/// A key is a line of text or a few bytes; whatever is longer is another file given by mistake.
const LARGEST_KEY: usize = 1 << 16;

/// The bytes of a key, and what to say if others than its owner can read the file.
///
/// ```
/// let folder = tempfile::tempdir()?;
/// let path = folder.path().join("key");
/// std::fs::write(&path, "correct horse battery staple\n")?;
/// let (key, _) = tamis_release::read_key(&path)?;
/// assert_eq!(key.len(), 29);
/// std::fs::write(&path, vec![b'x'; 1 << 17])?;
/// assert!(tamis_release::read_key(&path).is_err_and(|error| error.to_string().contains("too large for a key")));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn read_key(path: impl AsRef<Path>) -> Result<(Zeroizing<Vec<u8>>, Option<String>), ReleaseError> {
    let path = path.as_ref();
    let unreadable = |reason: std::io::Error| {
        ReleaseError::Setting(format!(
            "cannot read the key {}: {reason}; `tamis transform new-key FILE` makes one",
            path.display()
        ))
    };
    // All the room at once: bytes that grow leave a copy of the key behind.
    let mut key = Zeroizing::new(Vec::with_capacity(LARGEST_KEY + 1));
    let file = File::open(path).map_err(unreadable)?;
    let note = note(&file, path);
    file.take(LARGEST_KEY as u64 + 1).read_to_end(&mut key).map_err(unreadable)?;
    if key.len() > LARGEST_KEY {
        return Err(ReleaseError::Setting(format!(
            "{} is too large for a key; expected at most {LARGEST_KEY} bytes",
            path.display()
        )));
    }
    Ok((key, note))
}

/// What to say about a key that others can read; asked of the file that is open, which the path may no longer lead to.
#[cfg(unix)]
fn note(file: &File, path: &Path) -> Option<String> {
    use std::os::unix::fs::PermissionsExt;
    let mode = file.metadata().ok()?.permissions().mode();
    (mode & 0o077 != 0).then(|| {
        format!(
            "others can read the key {0}, and with it find the values behind pseudonyms; `chmod 600 {0}` keeps it to you",
            path.display()
        )
    })
}

/// Where files have no modes there is nothing to say.
#[cfg(not(unix))]
fn note(_: &File, _: &Path) -> Option<String> {
    None
}
