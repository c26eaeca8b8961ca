//! Files that stand beside their place until they are finished.

use std::fs::{self, File};
use std::io::{ErrorKind, Write as _};
use std::path::{Path, PathBuf};

use tempfile::NamedTempFile;

use super::OperationError;
use super::error::OfFile as _;

/// Who may read a new file. One that is replaced keeps its permissions.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Readers {
    /// Whoever may read any new file of this user.
    Usual,
    /// The user alone: it holds what was sealed, or a secret.
    Owner,
}

/// Where a path leads: a symbolic link stays and what it points to is replaced.
pub(super) fn target(path: &Path) -> PathBuf {
    fs::canonicalize(path).unwrap_or_else(|_| path.to_owned())
}

/// The directory of a place.
pub(super) fn directory(target: &Path) -> &Path {
    target.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// An empty file beside the place where it is going to be. It is gone with the value unless it gets its name.
pub(super) fn beside(target: &Path, readers: Readers) -> Result<NamedTempFile, OperationError> {
    let mut builder = tempfile::Builder::new();
    builder.prefix(".ucrypt-");
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        if readers == Readers::Usual {
            // The mask of the process takes away what this user's files do not usually allow.
            builder.permissions(fs::Permissions::from_mode(0o666));
        }
    }
    let file = builder.tempfile_in(directory(target)).of(target)?;
    if let Ok(there) = fs::metadata(target).map(|there| there.permissions()) {
        fs::set_permissions(file.path(), there).of(target)?;
    }
    Ok(file)
}

/// A finished file of this content, on disk, beside its place.
pub(super) fn written(target: &Path, readers: Readers, content: &[u8]) -> Result<NamedTempFile, OperationError> {
    let mut file = beside(target, readers)?;
    file.write_all(content).and_then(|()| file.as_file().sync_all()).of(target)?;
    Ok(file)
}

/// Gives a finished file its name.
pub(super) fn name(file: NamedTempFile, target: &Path) -> Result<(), OperationError> {
    file.persist(target).map_err(|error| error.error).of(target)?;
    sync_directory(target);
    Ok(())
}

/// Gives a finished file a name that nothing has.
pub(super) fn name_new(file: NamedTempFile, target: &Path) -> Result<(), OperationError> {
    match file.persist_noclobber(target).map_err(|error| error.error) {
        Err(error) if error.kind() == ErrorKind::AlreadyExists => {
            return Err(OperationError::Exists(target.to_owned()));
        }
        named => named.of(target)?,
    };
    sync_directory(target);
    Ok(())
}

/// Brings the names in a directory to disk. Some file systems cannot, and that takes nothing back.
pub(super) fn sync_directory(target: &Path) {
    let _ = File::open(directory(target)).and_then(|directory| directory.sync_all());
}
