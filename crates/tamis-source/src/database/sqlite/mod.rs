//! SQLite: a database that is a file, built into Tamis.

mod transaction;

use super::dialect::Dialect;
use super::{Access, ColumnType, Database, DatabaseError, OpenOptions, Transaction};
use rusqlite::config::DbConfig;
use rusqlite::{Connection, ErrorCode, OpenFlags, TransactionBehavior};
use std::path::{Path, PathBuf};
use transaction::SqliteTransaction;

const DIALECT: Dialect = Dialect {
    quote: '"',
    placeholder: |position| format!("?{position}"),
    type_name: |kind| match kind {
        ColumnType::Integer => "INTEGER",
        ColumnType::Text => "TEXT",
        ColumnType::Key => "INTEGER PRIMARY KEY",
    },
};

/// An open file.
pub(super) struct Sqlite {
    connection: Connection,
    name: String,
    behavior: TransactionBehavior,
    /// The file, if it did not exist before.
    made: Option<PathBuf>,
}

impl Sqlite {
    pub(super) fn open(path: &Path, options: &OpenOptions) -> Result<Self, DatabaseError> {
        let name = crate::shown(path);
        let exists = path.try_exists().unwrap_or(false);
        if !exists {
            ensure_may_be_made(path, options.access)?;
        } else if path.is_dir() {
            return Err(DatabaseError::CannotOpen { database: name, reason: "it is a directory".to_owned() });
        }
        let flags = match options.access {
            Access::Read => OpenFlags::SQLITE_OPEN_READ_ONLY,
            Access::Write => OpenFlags::SQLITE_OPEN_READ_WRITE,
            Access::Create => OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_CREATE,
        };
        let opened = Connection::open_with_flags(path, flags | OpenFlags::SQLITE_OPEN_NO_MUTEX);
        let connection = opened.map_err(|error| explain(&name, &error))?;
        let set = || -> rusqlite::Result<()> {
            connection.busy_timeout(options.wait)?;
            // A quoted name that no column has is a mistake and not a text; functions in views of a stranger's file are not run.
            connection.set_db_config(DbConfig::SQLITE_DBCONFIG_DQS_DML, false)?;
            connection.set_db_config(DbConfig::SQLITE_DBCONFIG_DQS_DDL, false)?;
            connection.set_db_config(DbConfig::SQLITE_DBCONFIG_TRUSTED_SCHEMA, false)?;
            Ok(())
        };
        set().map_err(|error| explain(&name, &error))?;
        let behavior = match options.access {
            Access::Read => TransactionBehavior::Deferred,
            // Taking the lock at once leaves no moment between reading and writing at which somebody else could write.
            Access::Write | Access::Create => TransactionBehavior::Immediate,
        };
        Ok(Self { connection, name, behavior, made: (!exists).then(|| path.to_owned()) })
    }
}

fn ensure_may_be_made(path: &Path, access: Access) -> Result<(), DatabaseError> {
    let database = crate::shown(path);
    if access != Access::Create {
        return Err(DatabaseError::Absent { database });
    }
    match path.parent() {
        Some(directory) if !directory.as_os_str().is_empty() && !directory.is_dir() => {
            Err(DatabaseError::NoDirectory { database, directory: crate::shown(directory) })
        }
        _ => Ok(()),
    }
}

impl Database for Sqlite {
    fn begin(&mut self) -> Result<Box<dyn Transaction + '_>, DatabaseError> {
        let begun = self.connection.transaction_with_behavior(self.behavior);
        let transaction = begun.map_err(|error| explain(&self.name, &error))?;
        // The file is looked at only now; what it is shows with the first question.
        let looked = transaction.query_row("SELECT COUNT(*) FROM sqlite_schema", [], |_| Ok(()));
        looked.map_err(|error| explain(&self.name, &error))?;
        Ok(Box::new(SqliteTransaction::new(transaction, &self.name)))
    }
}

impl Drop for Sqlite {
    /// A database that was to be made and could not be filled leaves no empty file behind.
    fn drop(&mut self) {
        if let Some(path) = &self.made
            && std::fs::metadata(path).is_ok_and(|file| file.is_file() && file.len() == 0)
        {
            let _ = std::fs::remove_file(path);
        }
    }
}

/// What SQLite says, as a sentence for whoever named the file.
fn explain(name: &str, error: &rusqlite::Error) -> DatabaseError {
    let database = name.to_owned();
    match error.sqlite_error_code() {
        Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked) => DatabaseError::Locked { database },
        Some(ErrorCode::NotADatabase) => DatabaseError::NotADatabase { database },
        Some(ErrorCode::ReadOnly) if is_left_half_written(error) => DatabaseError::HalfWritten { database },
        Some(ErrorCode::ReadOnly) => DatabaseError::ReadOnly { database },
        Some(ErrorCode::CannotOpen | ErrorCode::PermissionDenied) => {
            DatabaseError::CannotOpen { database, reason: error.to_string() }
        }
        _ => DatabaseError::Engine { database, reason: error.to_string() },
    }
}

/// Whether a journal lies beside the file that a reader may not roll back.
fn is_left_half_written(error: &rusqlite::Error) -> bool {
    error.sqlite_error().is_some_and(|error| error.extended_code == rusqlite::ffi::SQLITE_READONLY_ROLLBACK)
}
