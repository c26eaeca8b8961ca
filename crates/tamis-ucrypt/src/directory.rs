//! Where a file is.

use std::path::Path;

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
