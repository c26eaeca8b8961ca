//! Documents that nobody else changes meanwhile: locks for programs that keep to them, and a second look for those that do not.

use std::collections::BTreeMap;
use std::fs::{self, File, Metadata, OpenOptions};
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use super::headers::sidecar;
use super::of_file::OfFile as _;
use super::place::target;
use super::rewrite::refuse_in_use;
use super::{Form, Kind, OperationError};
use crate::directory_of;
use crate::lock::{Access, wait};

/// The documents that a command reads or replaces, locked until the value is gone.
///
/// Two commands that change one document would both read what was there before, and the later one would take back what the earlier one
/// did. So a document is locked before it is read, and the next command waits until the new one has its name. Whoever waited reads the
/// policy again: a rotation may have changed both.
#[derive(Default)]
pub(super) struct Held {
    locks: Vec<File>,
    /// What is read, and what it was when the locks were there. Editors know no locks.
    read: Vec<(PathBuf, Option<State>)>,
    /// Outputs that were not there, and so could not be locked.
    new: Vec<PathBuf>,
    /// Databases that are replaced.
    databases: Vec<PathBuf>,
}

impl Held {
    /// A document that is only read.
    pub(super) fn to_read(input: &Path, form: &Form) -> Result<Self, OperationError> {
        Self::lock([(input, form)], [])
    }

    /// A document, and another one or the same that it becomes.
    pub(super) fn to_write(input: &Path, form: &Form, output: &Path) -> Result<Self, OperationError> {
        Self::lock([(input, form)], [(output, form)])
    }

    /// Documents that are replaced.
    pub(super) fn to_replace(documents: &[(PathBuf, Form)]) -> Result<Self, OperationError> {
        let all = || documents.iter().map(|(path, form)| (path.as_path(), form));
        Self::lock(all(), all())
    }

    /// A policy that nobody changes until the value is gone. It comes before any document, as it does for whoever changes it: two commands
    /// would wait for each other otherwise.
    pub(super) fn policy(path: &Path) -> Result<Self, OperationError> {
        let mut held = Self::default();
        held.take(path, Access::Read)?;
        Ok(held)
    }

    fn lock<'a>(
        read: impl IntoIterator<Item = (&'a Path, &'a Form)>,
        replaced: impl IntoIterator<Item = (&'a Path, &'a Form)>,
    ) -> Result<Self, OperationError> {
        let mut held = Self::default();
        let mut wanted = BTreeMap::new();
        // The keys of a CSV file are read and replaced as it is, and those of two may be one file.
        let keys = |path: &Path, kind: Kind| (kind == Kind::Csv).then(|| target(&sidecar(path)));
        let read: Vec<(PathBuf, Kind)> = read.into_iter().map(|(path, form)| (target(path), form.kind)).collect();
        for (path, kind) in &read {
            wanted
                .extend([Some(path.clone()), keys(path, *kind)].into_iter().flatten().map(|path| (path, Access::Read)));
        }
        for (path, form) in replaced {
            let place = target(path);
            held.databases.extend((form.kind == Kind::Sqlite).then(|| place.clone()));
            wanted.extend(keys(path, form.kind).map(|keys| (keys, Access::Replace)));
            wanted.insert(place, Access::Replace);
        }
        // In one order for all commands, so that no two wait for each other.
        for (path, access) in &wanted {
            held.take(path, *access)?;
        }
        for (path, kind) in read {
            // A database is copied as it was at one moment, whoever writes to it; only where the copy replaces it would that be lost.
            if kind != Kind::Sqlite || held.databases.contains(&path) {
                held.see(path.clone())?;
            }
            if kind == Kind::Csv {
                held.see(sidecar(&path))?;
            }
        }
        Ok(held)
    }

    fn take(&mut self, path: &Path, access: Access) -> Result<(), OperationError> {
        loop {
            match State::of(path).of(path)? {
                None if access == Access::Replace => self.new.push(path.to_owned()),
                Some(there) if there.is_file => {
                    let Some(file) = opened(path, access).of(path)? else { return Ok(()) };
                    if self.relock(&file, access, path).of(path)? {
                        return Ok(());
                    }
                    wait(&file, access, path).of(path)?;
                    let locked = State::from(&file.metadata().of(path)?);
                    if State::of(path).of(path)?.is_none_or(|there| there.inode != locked.inode) {
                        // Another command put another file in its place before the lock was there.
                        continue;
                    }
                    self.locks.push(file);
                }
                // Nothing to lock; whoever reads it will say what is wrong.
                _ => {}
            }
            return Ok(());
        }
    }

    /// Whether a file is held already, under another name: it must not be waited for.
    fn relock(&self, file: &File, access: Access, path: &Path) -> io::Result<bool> {
        let inode = State::from(&file.metadata()?).inode;
        for own in &self.locks {
            if inode.is_some() && State::from(&own.metadata()?).inode == inode {
                if access == Access::Replace {
                    wait(own, access, path)?;
                }
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Remembers a file that must be the same when everything is written.
    pub(super) fn see(&mut self, path: PathBuf) -> Result<(), OperationError> {
        let state = State::of(&path).of(&path)?;
        self.read.push((path, state));
        Ok(())
    }

    /// Refuses to go on if something is not what it was: to be called when everything is written, before anything has its name.
    pub(super) fn confirm(&mut self) -> Result<(), OperationError> {
        for path in &self.new {
            // Of several commands that write one new file, one comes first. Directories that cannot be locked are left to chance.
            let directory = directory_of(path);
            if let Ok(place) = File::open(directory)
                && !self.relock(&place, Access::Replace, directory).of(path)?
            {
                wait(&place, Access::Replace, directory).of(path)?;
                self.locks.push(place);
            }
        }
        for path in &self.databases {
            refuse_in_use(path)?;
        }
        for (path, state) in &self.read {
            if State::of(path).of(path)? != *state {
                return Err(OperationError::Changed(path.clone()));
            }
        }
        match self.new.iter().find(|path| fs::symlink_metadata(path).is_ok()) {
            Some(path) => Err(OperationError::Appeared(path.clone())),
            None => Ok(()),
        }
    }
}

/// Whether two paths lead to one file, under whatever names. What is not there is no file.
pub(super) fn is_one_file(left: &Path, right: &Path) -> bool {
    if target(left) == target(right) {
        return true;
    }
    let inode = |path: &Path| State::of(path).ok().flatten().and_then(|there| there.inode);
    inode(left).is_some_and(|left| inode(right) == Some(left))
}

/// A file that can be locked, or nothing if it may be replaced but not read.
pub(super) fn opened(path: &Path, access: Access) -> io::Result<Option<File>> {
    // Network file systems lock exclusively only what is open for writing.
    if access == Access::Replace
        && let Ok(file) = OpenOptions::new().read(true).write(true).open(path)
    {
        return Ok(Some(file));
    }
    match File::open(path) {
        Err(error) if error.kind() == ErrorKind::PermissionDenied && access == Access::Replace => Ok(None),
        file => file.map(Some),
    }
}

/// What tells one state of a file from another.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct State {
    is_file: bool,
    /// Device and number of the file, where there are such.
    inode: Option<(u64, u64)>,
    length: u64,
    modified: Option<SystemTime>,
}

impl State {
    /// The state of what a path leads to, if there is something.
    fn of(path: &Path) -> io::Result<Option<Self>> {
        match fs::metadata(path) {
            Ok(there) => Ok(Some(Self::from(&there))),
            Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
            Err(error) => Err(error),
        }
    }
}

impl From<&Metadata> for State {
    fn from(there: &Metadata) -> Self {
        #[cfg(unix)]
        let inode = {
            use std::os::unix::fs::MetadataExt as _;
            Some((there.dev(), there.ino()))
        };
        #[cfg(not(unix))]
        let inode = None;
        Self { is_file: there.is_file(), inode, length: there.len(), modified: there.modified().ok() }
    }
}

#[cfg(test)]
mod tests;
