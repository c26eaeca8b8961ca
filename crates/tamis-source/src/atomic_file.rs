//! Output that appears whole or not at all.

use crate::compression::Compressor;
use crate::shown_path::address_of_database;
use crate::{Compression, SourceError};
use std::fs::{self, File, Permissions};
use std::io::{self, BufWriter, ErrorKind, Write};
use std::path::{Path, PathBuf};
use tempfile::NamedTempFile;

/// A file that takes its name only when it is complete.
///
/// What is written goes to a temporary file in the same directory. [`AtomicFile::commit`] brings it safely to disk and
/// renames it, so that whoever looks sees the old file or the new one and never a part. Dropped without commit, it leaves
/// nothing behind. A new file gets the permissions of any newly created file, a replaced one keeps those it had; a symbolic
/// link stays and the file it points to is replaced.
///
/// ```
/// use std::io::Write;
/// use tamis_source::AtomicFile;
/// # let directory = tempfile::tempdir()?;
/// # let path = directory.path().join("report.html");
/// let mut file = AtomicFile::create(&path)?;
/// file.write_all(b"<!doctype html>")?;
/// assert!(!path.exists());
/// file.commit()?;
/// assert_eq!(std::fs::read(&path)?, b"<!doctype html>");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct AtomicFile {
    name: String,
    target: PathBuf,
    file: BufWriter<NamedTempFile>,
}

impl AtomicFile {
    /// Starts a file that will be called `path`. Fails at once if it could not be.
    pub fn create(path: impl AsRef<Path>) -> Result<Self, SourceError> {
        let path = path.as_ref();
        ensure_no_database(path)?;
        let name = crate::shown(path);
        let target = target_of(path).map_err(|reason| write_error(&name, reason))?;
        let before = match fs::metadata(&target) {
            Ok(there) if there.is_file() => Some(there.permissions()),
            Ok(there) => {
                let found = if there.is_dir() { "a directory" } else { "a device or pipe" };
                return Err(SourceError::NotAFile { name, found });
            }
            Err(_) => None,
        };
        let directory = directory_of(&target);
        if !directory.is_dir() {
            return Err(SourceError::NoDirectory { name, directory: crate::shown(directory) });
        }
        match temporary_file(directory, before) {
            Ok(file) => Ok(Self { name, target, file: BufWriter::with_capacity(1 << 16, file) }),
            Err(reason) => Err(write_error(&name, reason)),
        }
    }

    /// Starts a file that nobody but its owner may read, where files have owners, whatever may be read of the one it replaces.
    pub fn create_private(path: impl AsRef<Path>) -> Result<Self, SourceError> {
        let created = Self::create(path)?;
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt;
            let file = created.file.get_ref().as_file();
            file.set_permissions(Permissions::from_mode(0o600)).map_err(|reason| write_error(&created.name, reason))?;
        }
        Ok(created)
    }

    /// Brings the content to disk and gives the file its name.
    pub fn commit(self) -> Result<(), SourceError> {
        let Self { name, target, file } = self;
        let persist = || -> io::Result<()> {
            let file = file.into_inner().map_err(io::IntoInnerError::into_error)?;
            file.as_file().sync_all()?;
            file.persist(&target)?;
            // The file is complete and in place; some file systems cannot sync a directory, and that takes nothing back.
            let _ = File::open(directory_of(&target)).and_then(|directory| directory.sync_all());
            Ok(())
        };
        persist().map_err(|reason| write_error(&name, reason))
    }

    /// Writes a whole file through `write`, compressed; nothing appears if any of it fails.
    pub fn write_compressed(
        path: impl AsRef<Path>,
        compression: Compression,
        write: impl FnOnce(&mut dyn Write) -> io::Result<()>,
    ) -> Result<(), SourceError> {
        Self::create(path)?.filled(compression, |file| write(file))
    }

    /// The same for a file that nobody but its owner may read, see [`AtomicFile::create_private`].
    pub fn write_private_compressed(
        path: impl AsRef<Path>,
        compression: Compression,
        write: impl FnOnce(&mut dyn Write) -> io::Result<()>,
    ) -> Result<(), SourceError> {
        Self::create_private(path)?.filled(compression, |file| write(file))
    }

    /// Writes all of it and commits. The type of the file is known, for writers that make many small writes.
    pub(crate) fn filled(
        self,
        compression: Compression,
        write: impl FnOnce(&mut Compressor<Self>) -> io::Result<()>,
    ) -> Result<(), SourceError> {
        let name = self.name.clone();
        let write = || {
            let mut compressor = Compressor::new(self, compression)?;
            write(&mut compressor)?;
            compressor.finish()
        };
        write().map_err(|reason| write_error(&name, reason))?.commit()
    }
}

impl Write for AtomicFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.file.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

/// Checks that a file could be written under this name, so that long work need not fail at its end.
///
/// ```
/// let error = tamis_source::ensure_writable("no/such/directory/out.csv").map_err(|error| error.to_string());
/// assert_eq!(
///     error,
///     Err("cannot write `no/such/directory/out.csv`: there is no directory `no/such/directory`; \
///          create it or choose another path"
///         .to_owned())
/// );
/// ```
pub fn ensure_writable(path: impl AsRef<Path>) -> Result<(), SourceError> {
    AtomicFile::create(path).map(drop)
}

/// Refuses the address of a database where a file is to be written.
///
/// ```
/// use tamis_source::ensure_no_database;
/// assert!(ensure_no_database("out.csv").is_ok() && ensure_no_database("C:\\out.csv").is_ok());
/// assert_eq!(
///     ensure_no_database("mysql:ana:secret@host").map_err(|error| error.to_string()),
///     Err("the output is the address of a database (`mysql:`), and databases are not written to; name a file".to_owned())
/// );
/// ```
pub fn ensure_no_database(path: impl AsRef<Path>) -> Result<(), SourceError> {
    address_of_database(path.as_ref()).map_or(Ok(()), |address| Err(SourceError::Database { address }))
}

/// What the names of unfinished files begin with.
const PREFIX: &str = ".tamis-";

pub(crate) fn write_error(name: &str, reason: io::Error) -> SourceError {
    // The name of the unfinished file tells nobody anything.
    let is_named = reason.raw_os_error().is_none() && reason.to_string().contains(PREFIX);
    let reason = if is_named { io::Error::from(reason.kind()) } else { reason };
    SourceError::Write { name: name.to_owned(), reason }
}

/// The file itself, or the one a symbolic link points to.
fn target_of(path: &Path) -> io::Result<PathBuf> {
    match fs::symlink_metadata(path) {
        Ok(there) if there.file_type().is_symlink() => fs::canonicalize(path),
        Err(reason) if !matches!(reason.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory) => Err(reason),
        _ => Ok(path.to_owned()),
    }
}

fn directory_of(path: &Path) -> &Path {
    path.parent().filter(|directory| !directory.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// A file beside the target, never with wider permissions than the target is to have.
fn temporary_file(directory: &Path, before: Option<Permissions>) -> io::Result<NamedTempFile> {
    let mut builder = tempfile::Builder::new();
    builder.prefix(PREFIX);
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        builder.permissions(before.clone().unwrap_or(Permissions::from_mode(0o666)));
    }
    let file = builder.tempfile_in(directory)?;
    if let Some(permissions) = before {
        file.as_file().set_permissions(permissions)?;
    }
    Ok(file)
}
