//! Files that have no name until they are finished.

use std::fs::{self, File, Permissions};
use std::io::{self, ErrorKind, Write as _};
use std::path::{Path, PathBuf};

use tempfile::NamedTempFile;

use super::OperationError;
use super::of_file::OfFile as _;
use crate::directory_of;

/// Who may read a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Readers {
    /// Whoever may read any new file of this user; one that is replaced keeps its permissions.
    Usual,
    /// Whoever may read the file that it comes from, which has these permissions, and any new file of this user; one that is replaced keeps
    /// its own.
    #[cfg(unix)]
    Of(u32),
    /// The user alone, whatever was there before: it holds what was sealed, or a secret.
    Owner,
}

impl Readers {
    /// Those of a file, for what is made of it: a copy that more people can read would give away what is not sealed.
    pub(super) fn of(input: &Path) -> Result<Self, OperationError> {
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt as _;
            let given = fs::metadata(input).of(input)?.permissions().mode();
            Ok(Self::Of(given & mode(Self::Usual)))
        }
        #[cfg(not(unix))]
        fs::metadata(input).of(input).map(|_| Self::Usual)
    }
}

/// Where a path leads: a symbolic link stays and what it points to is replaced.
pub(super) fn target(path: &Path) -> PathBuf {
    fs::canonicalize(path).unwrap_or_else(|_| path.to_owned())
}

/// What temporary names begin with.
const PREFIX: &str = ".ucrypt-";

/// A file on the way to its place, in the same directory. It is gone with the value unless it gets its name.
pub(super) enum Draft {
    /// Without any name: the system throws it away, however the program ends.
    #[cfg(target_os = "linux")]
    Unnamed(File),
    /// Under a temporary name, where the system knows no other way.
    Named(NamedTempFile),
}

impl Draft {
    /// An empty one.
    pub(super) fn beside(target: &Path, readers: Readers) -> Result<Self, OperationError> {
        let there = fs::metadata(target).ok();
        // A user who may do everything could put a file in the place of a device.
        if there.as_ref().is_some_and(|there| !there.is_file()) {
            return Err(OperationError::NotReplaced(target.to_owned()));
        }
        let directory = directory_of(target);
        if !directory.is_dir() {
            return Err(OperationError::NoDirectory(directory.to_owned()));
        }
        let draft = Self::in_directory(directory, readers).of(target)?;
        if readers != Readers::Owner
            && let Some(there) = there
        {
            draft.file().set_permissions(there.permissions()).of(target)?;
        }
        Ok(draft)
    }

    fn in_directory(directory: &Path, readers: Readers) -> io::Result<Self> {
        #[cfg(target_os = "linux")]
        if let Some(file) = unnamed::create(directory, readers) {
            return Ok(Self::Unnamed(file));
        }
        let mut builder = tempfile::Builder::new();
        builder.prefix(PREFIX);
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt as _;
            builder.permissions(Permissions::from_mode(mode(readers)));
        }
        builder.tempfile_in(directory).map(Self::Named).map_err(without_name)
    }

    /// A finished one of this content, on disk.
    pub(super) fn written(target: &Path, readers: Readers, content: &[u8]) -> Result<Self, OperationError> {
        let draft = Self::beside(target, readers)?;
        draft.file().write_all(content).and_then(|()| draft.file().sync_all()).of(target)?;
        Ok(draft)
    }

    /// Who may read it, for what stands beside it.
    pub(super) fn readers(&self) -> io::Result<Readers> {
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt as _;
            Ok(Readers::Of(self.file().metadata()?.permissions().mode() & mode(Readers::Usual)))
        }
        #[cfg(not(unix))]
        Ok(Readers::Usual)
    }

    /// The file, to write to.
    pub(super) fn file(&self) -> &File {
        match self {
            #[cfg(target_os = "linux")]
            Self::Unnamed(file) => file,
            Self::Named(file) => file.as_file(),
        }
    }

    /// Gives it its name, and takes the name from whatever has it.
    pub(super) fn name(self, target: &Path) -> Result<(), OperationError> {
        match self {
            #[cfg(target_os = "linux")]
            Self::Unnamed(file) => unnamed::name(&file, target),
            Self::Named(file) => file.persist(target).map(|_| ()).map_err(|error| error.error),
        }
        .of(target)?;
        sync_directory(target);
        Ok(())
    }

    /// Gives it a name that nothing has.
    pub(super) fn name_new(self, target: &Path) -> Result<(), OperationError> {
        let named = match self {
            #[cfg(target_os = "linux")]
            Self::Unnamed(file) => unnamed::link(&file, target),
            Self::Named(file) => file.persist_noclobber(target).map(|_| ()).map_err(|error| error.error),
        };
        match named {
            Err(error) if error.kind() == ErrorKind::AlreadyExists => Err(OperationError::Exists(target.to_owned())),
            named => {
                named.of(target)?;
                sync_directory(target);
                Ok(())
            }
        }
    }
}

/// An error without the temporary name, which tells nobody anything.
fn without_name(error: io::Error) -> io::Error {
    if error.raw_os_error().is_some() { error } else { io::Error::from(error.kind()) }
}

/// The mask of the process takes away what this user's files do not usually allow.
#[cfg(unix)]
fn mode(readers: Readers) -> u32 {
    match readers {
        Readers::Usual => 0o666,
        Readers::Of(permissions) => permissions,
        Readers::Owner => 0o600,
    }
}

#[cfg(target_os = "linux")]
mod unnamed {
    use std::fs::File;
    use std::io::{self, ErrorKind};
    use std::os::fd::AsRawFd as _;
    use std::path::Path;

    use rustix::fs::{AtFlags, CWD, Mode, OFlags, linkat, open};

    use super::{PREFIX, Readers, directory_of, mode, without_name};

    /// A file without a name, where the file system has such and `/proc` is there to name it later.
    pub(super) fn create(directory: &Path, readers: Readers) -> Option<File> {
        let flags = OFlags::TMPFILE | OFlags::RDWR | OFlags::CLOEXEC;
        let file = File::from(open(directory, flags, Mode::from_raw_mode(mode(readers))).ok()?);
        Path::new(&by_number(&file)).exists().then_some(file)
    }

    fn by_number(file: &File) -> String {
        format!("/proc/self/fd/{}", file.as_raw_fd())
    }

    /// Gives it a name that nothing has.
    pub(super) fn link(file: &File, target: &Path) -> io::Result<()> {
        Ok(linkat(CWD, by_number(file), CWD, target, AtFlags::SYMLINK_FOLLOW)?)
    }

    /// Gives it its name. A name that something has can be taken only by a file that has one.
    pub(super) fn name(file: &File, target: &Path) -> io::Result<()> {
        match link(file, target) {
            Err(error) if error.kind() == ErrorKind::AlreadyExists => {}
            named => return named,
        }
        let mut builder = tempfile::Builder::new();
        let named = builder.prefix(PREFIX).make_in(directory_of(target), |path| link(file, path));
        let named = named.map_err(without_name)?;
        named.persist(target).map_err(|error| error.error)
    }
}

/// Brings the names in a directory to disk. Some file systems cannot, and that takes nothing back.
pub(super) fn sync_directory(target: &Path) {
    let _ = File::open(directory_of(target)).and_then(|directory| directory.sync_all());
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The best way of the system, and the way of all systems.
    const WAYS: [fn(&Path) -> Draft; 2] = [
        |directory| Draft::in_directory(directory, Readers::Owner).unwrap(),
        |directory| Draft::Named(tempfile::Builder::new().prefix(PREFIX).tempfile_in(directory).unwrap()),
    ];

    #[test]
    fn a_draft_takes_its_name_or_leaves_nothing() {
        let place = tempfile::tempdir().unwrap();
        let path = place.path().join("out");
        let count = || fs::read_dir(place.path()).unwrap().count();
        for way in WAYS {
            drop(way(place.path()));
            assert_eq!(count(), 0);
            for round in ["new", "again"] {
                let draft = way(place.path());
                draft.file().write_all(round.as_bytes()).unwrap();
                draft.name(&path).unwrap();
                assert_eq!(fs::read_to_string(&path).unwrap(), round);
                assert_eq!(count(), 1);
            }
            assert!(matches!(way(place.path()).name_new(&path), Err(OperationError::Exists(_))));
            assert_eq!(fs::read_to_string(&path).unwrap(), "again");
            fs::remove_file(&path).unwrap();
            way(place.path()).name_new(&path).unwrap();
            assert_eq!(count(), 1);
            fs::remove_file(&path).unwrap();
        }
    }

    #[cfg(unix)]
    #[test]
    fn what_was_sealed_is_readable_by_its_owner_alone_whatever_was_there_before() {
        use std::os::unix::fs::PermissionsExt as _;
        let place = tempfile::tempdir().unwrap();
        let path = place.path().join("out");
        let mode = || fs::metadata(&path).unwrap().permissions().mode() & 0o777;
        fs::write(&path, "").unwrap();
        fs::set_permissions(&path, Permissions::from_mode(0o664)).unwrap();
        Draft::written(&path, Readers::Usual, b"sealed").unwrap().name(&path).unwrap();
        assert_eq!(mode(), 0o664);
        Draft::written(&path, Readers::Owner, b"opened").unwrap().name(&path).unwrap();
        assert_eq!(mode(), 0o600);
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn where_the_file_system_can_a_draft_has_no_name_at_all() {
        let place = tempfile::tempdir().unwrap();
        let mode = rustix::fs::Mode::RUSR | rustix::fs::Mode::WUSR;
        let flags = rustix::fs::OFlags::TMPFILE | rustix::fs::OFlags::RDWR;
        let can = rustix::fs::open(place.path(), flags, mode).is_ok() && Path::new("/proc/self/fd").exists();
        let draft = Draft::in_directory(place.path(), Readers::Owner).unwrap();
        assert_eq!(matches!(draft, Draft::Unnamed(_)), can);
        assert_eq!(fs::read_dir(place.path()).unwrap().count(), usize::from(!can));
    }
}
