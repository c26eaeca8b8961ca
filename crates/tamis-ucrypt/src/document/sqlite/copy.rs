//! A copy to work on, and the place that the result takes when it is finished.

use std::fs::{self, File};
use std::io::{self, Seek as _};
use std::path::{Path, PathBuf};
use std::time::Duration;

use rusqlite::backup::Backup;
use rusqlite::config::DbConfig;
use rusqlite::{Connection, OpenFlags};
use tempfile::{NamedTempFile, TempPath};

use crate::directory_of;
use crate::document::rows::RowsError;

/// Pages copied at once.
const PAGES: i32 = 1024;

/// Opens a database to read it. One that is not there is not created.
pub(super) fn open(path: &Path) -> Result<Connection, RowsError> {
    // A missing file would be reported as one that cannot be opened; the system says it better.
    File::open(path).map_err(RowsError::Read)?;
    let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let database = Connection::open_with_flags(path, flags).map_err(RowsError::Database)?;
    database.busy_timeout(Duration::from_secs(10)).map_err(RowsError::Database)?;
    Ok(database)
}

/// A copy of a database that nobody else sees.
pub(super) struct Copy {
    pub(super) database: Connection,
    file: File,
    /// Its name, where an open file cannot do without.
    name: Option<TempPath>,
    /// Whether the original keeps a write-ahead log.
    logs: bool,
}

impl Copy {
    /// Copies a database as it is at this moment, whatever other programs do to it, into a file of this directory.
    pub(super) fn new(from: &Path, directory: &Path) -> Result<Self, RowsError> {
        let original = open(from)?;
        let (file, name) = temporary(directory)?.into_parts();
        let mut database = Connection::open(&name).map_err(RowsError::Database)?;
        Backup::new(&original, &mut database)
            .and_then(|backup| backup.run_to_completion(PAGES, Duration::ZERO, None))
            .map_err(RowsError::Database)?;
        let mut copy = Self { database, file, name: Some(name), logs: false };
        copy.prepare().map_err(RowsError::Database)?;
        if cfg!(unix)
            && let Some(name) = copy.name.take()
        {
            // It stays open, and whatever stops the program, nothing of what is opened stays behind.
            name.close().map_err(RowsError::Write)?;
        }
        Ok(copy)
    }

    /// If anything fails it is thrown away: it needs no journal.
    fn prepare(&mut self) -> rusqlite::Result<()> {
        let database = &self.database;
        let mode: String = database.query_row("PRAGMA journal_mode", [], |row| row.get(0))?;
        self.logs = mode.eq_ignore_ascii_case("wal");
        database.query_row("PRAGMA locking_mode = EXCLUSIVE", [], |_| Ok(()))?;
        database.query_row("PRAGMA journal_mode = OFF", [], |_| Ok(()))?;
        database.execute_batch("PRAGMA synchronous = OFF; PRAGMA foreign_keys = OFF; PRAGMA trusted_schema = OFF;")?;
        database.set_db_config(DbConfig::SQLITE_DBCONFIG_ENABLE_TRIGGER, false)?;
        Ok(())
    }

    /// Packs the copy and hands it over.
    pub(super) fn finish(self, mut to: &File) -> Result<(), RowsError> {
        let Self { database, mut file, name: _name, logs } = self;
        database.execute_batch("VACUUM").map_err(RowsError::Database)?;
        if logs {
            database.query_row("PRAGMA journal_mode = WAL", [], |_| Ok(())).map_err(RowsError::Database)?;
        }
        database.close().map_err(|(_, error)| RowsError::Database(error))?;
        file.rewind().and_then(|()| io::copy(&mut file, &mut to)).map_err(RowsError::Write)?;
        Ok(())
    }
}

fn temporary(directory: &Path) -> Result<NamedTempFile, RowsError> {
    tempfile::Builder::new().prefix(".ucrypt-").suffix(".db").tempfile_in(directory).map_err(RowsError::Write)
}

/// The place of a database, taken when its content is finished.
pub(super) struct Place {
    file: NamedTempFile,
    target: PathBuf,
}

impl Place {
    /// A file beside the place `to`, which keeps its permissions, or has those of the original.
    pub(super) fn of(from: &Path, to: &Path) -> Result<Self, RowsError> {
        let target = fs::canonicalize(to).unwrap_or_else(|_| to.to_owned());
        let permissions = fs::metadata(&target).or_else(|_| fs::metadata(from)).map_err(RowsError::Read)?.permissions();
        let file = temporary(directory_of(&target))?;
        file.as_file().set_permissions(permissions).map_err(RowsError::Write)?;
        Ok(Self { file, target })
    }

    pub(super) fn file(&self) -> &File {
        self.file.as_file()
    }

    pub(super) fn directory(&self) -> &Path {
        directory_of(&self.target)
    }

    /// Brings the file to disk and gives it its name.
    pub(super) fn take(self) -> Result<(), RowsError> {
        let Self { file, target } = self;
        for log in ["-wal", "-journal"] {
            let mut name = target.clone().into_os_string();
            name.push(log);
            if fs::metadata(&name).is_ok_and(|log| log.len() > 0) {
                return Err(RowsError::InUse(target.display().to_string()));
            }
        }
        file.as_file().sync_all().map_err(RowsError::Write)?;
        file.persist(&target).map_err(|error| RowsError::Write(error.error))?;
        // The file is in place; some file systems cannot sync a directory, and that takes nothing back.
        let _ = File::open(directory_of(&target)).and_then(|directory| directory.sync_all());
        Ok(())
    }
}
