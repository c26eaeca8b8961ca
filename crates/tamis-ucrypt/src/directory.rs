//! Where a file is.

use std::fs;
use std::path::{Path, PathBuf};

/// The directory of a file, whether its path names one or not.
///
/// ```
/// use std::path::Path;
/// use tamis_ucrypt::directory_of;
/// assert_eq!(directory_of(Path::new("p.upolicy")), Path::new("."));
/// assert_eq!(directory_of(Path::new("keys/p.upolicy")), Path::new("keys"));
/// ```
pub fn directory_of(path: &Path) -> &Path {
    path.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// Where a file is, if this path is a symbolic link: what stands beside a policy stands beside the policy, not beside a link to it.
pub(crate) fn followed(path: &Path) -> PathBuf {
    let is_link = fs::symlink_metadata(path).is_ok_and(|found| found.is_symlink());
    let led = is_link.then(|| fs::canonicalize(path).ok()).flatten();
    led.unwrap_or_else(|| path.to_owned())
}
