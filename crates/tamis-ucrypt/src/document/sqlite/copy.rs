//! A copy that takes its name when it is finished.

use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::time::Duration;

use rusqlite::backup::Backup;
use rusqlite::config::DbConfig;
use rusqlite::{Connection, OpenFlags};
use tempfile::TempPath;

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

/// A copy of a database beside the place where it is going to be.
pub(super) struct Copy {
    pub(super) database: Connection,
    path: TempPath,
    target: PathBuf,
    /// Whether the original keeps a write-ahead log.
    logs: bool,
    permissions: fs::Permissions,
}

impl Copy {
    /// Copies a database as it is at this moment, whatever other programs do to it.
    pub(super) fn new(from: &Path, to: &Path) -> Result<Self, RowsError> {
        let target = fs::canonicalize(to).unwrap_or_else(|_| to.to_owned());
        let directory = target.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."));
        let permissions = fs::metadata(&target).or_else(|_| fs::metadata(from)).map_err(RowsError::Read)?.permissions();
        let original = open(from)?;
        let path = tempfile::Builder::new()
            .prefix(".ucrypt-")
            .suffix(".db")
            .tempfile_in(directory)
            .map_err(RowsError::Write)?;
        let path = path.into_temp_path();
        let mut database = Connection::open(&path).map_err(RowsError::Database)?;
        Backup::new(&original, &mut database)
            .and_then(|backup| backup.run_to_completion(PAGES, Duration::ZERO, None))
            .map_err(RowsError::Database)?;
        let mut copy = Self { database, path, target, logs: false, permissions };
        copy.prepare().map_err(RowsError::Database)?;
        Ok(copy)
    }

    /// Nobody else sees the copy, and if anything fails it is thrown away: it needs no journal.
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

    /// Packs the copy, brings it to disk and gives it its name.
    pub(super) fn finish(self) -> Result<(), RowsError> {
        let Self { database, path, target, logs, permissions } = self;
        database.execute_batch("VACUUM").map_err(RowsError::Database)?;
        if logs {
            database.query_row("PRAGMA journal_mode = WAL", [], |_| Ok(())).map_err(RowsError::Database)?;
        }
        database.close().map_err(|(_, error)| RowsError::Database(error))?;
        for log in ["-wal", "-journal"] {
            let mut name = target.clone().into_os_string();
            name.push(log);
            if fs::metadata(&name).is_ok_and(|log| log.len() > 0) {
                return Err(RowsError::InUse(target.display().to_string()));
            }
        }
        fs::set_permissions(&path, permissions).map_err(RowsError::Write)?;
        File::open(&path).and_then(|file| file.sync_all()).map_err(RowsError::Write)?;
        let directory = target.parent().map(Path::to_owned);
        path.persist(&target).map_err(|error| RowsError::Write(error.error))?;
        // The file is in place; some file systems cannot sync a directory, and that takes nothing back.
        let _ = directory.map(|directory| File::open(directory).and_then(|directory| directory.sync_all()));
        Ok(())
    }
}
