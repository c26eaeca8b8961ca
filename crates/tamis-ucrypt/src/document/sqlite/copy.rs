//! A copy to work on.

use std::fs::File;
use std::io::{self, Read as _, Seek as _, SeekFrom, Write as _};
use std::path::Path;
use std::time::Duration;

use rusqlite::backup::Backup;
use rusqlite::config::DbConfig;
use rusqlite::{Connection, ErrorCode, OpenFlags};
use tempfile::TempPath;

use super::table::quoted;
use crate::document::rows::RowsError;

/// Pages copied at once.
const PAGES: i32 = 1024;

/// Where the header of a database says by which rules it is written and read: 1 with a rollback journal, 2 with a write-ahead log
/// (<https://www.sqlite.org/fileformat.html>, sections 1.3.3 and 1.3.10).
const RULES: u64 = 18;

/// Where it counts its changes, by which SQLite notices that another program wrote.
const CHANGES: u64 = 24;

/// Opens a database to read it. One that is not there is not created.
pub(super) fn open(path: &Path) -> Result<Connection, RowsError> {
    // A missing file would be reported as one that cannot be opened; the system says it better.
    File::open(path).map_err(RowsError::Read)?;
    let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let database = Connection::open_with_flags(path, flags).map_err(RowsError::Database)?;
    database.busy_timeout(Duration::from_secs(10)).map_err(RowsError::Database)?;
    // What another program did not finish would have to be undone first, in the file itself.
    let read = database.query_row("PRAGMA schema_version", [], |_| Ok(()));
    read.map_err(|error| match error.sqlite_error_code() {
        Some(ErrorCode::ReadOnly) => RowsError::InUse(path.display().to_string()),
        _ => RowsError::Database(error),
    })?;
    Ok(database)
}

/// A copy of a database that nobody else sees.
pub(super) struct Copy {
    pub(super) database: Connection,
    file: File,
    /// Its name, where an open file cannot do without.
    name: Option<TempPath>,
    /// By which rules the original is written and read.
    rules: [u8; 2],
}

impl Copy {
    /// Copies a database as it is at this moment, whatever other programs do to it, into a file of this directory. Whatever stops the
    /// program, nothing of it stays behind: the file loses its name while it is empty, and SQLite puts no other beside it.
    pub(super) fn new(from: &Path, directory: &Path) -> Result<Self, RowsError> {
        let original = open(from)?;
        let draft = tempfile::Builder::new().prefix(".ucrypt-").suffix(".db").tempfile_in(directory);
        let (file, name) = draft.map_err(RowsError::Write)?.into_parts();
        let database = Connection::open(&name).map_err(RowsError::Database)?;
        let mut copy = Self { database, file, name: Some(name), rules: [1, 1] };
        // A journal would have a name. If anything fails the copy is thrown away, so it needs none.
        set(&copy.database, "journal_mode = OFF").map_err(RowsError::Database)?;
        if cfg!(unix)
            && let Some(name) = copy.name.take()
        {
            name.close().map_err(RowsError::Write)?;
        }
        Backup::new(&original, &mut copy.database)
            .and_then(|backup| backup.run_to_completion(PAGES, Duration::ZERO, None))
            .map_err(RowsError::Database)?;
        copy.leave_log().map_err(RowsError::Write)?;
        copy.prepare().map_err(RowsError::Database)?;
        Ok(copy)
    }

    /// Lets a copy of a database with a write-ahead log do without: SQLite would put one beside it, under a name.
    fn leave_log(&mut self) -> io::Result<()> {
        let mut counted = [0; 4];
        self.file.seek(SeekFrom::Start(RULES))?;
        // An empty database has no header.
        if self.file.read(&mut self.rules)? < self.rules.len() || self.rules == [1, 1] {
            self.rules = [1, 1];
            return Ok(());
        }
        write_at(&self.file, RULES, &[1, 1])?;
        self.file.seek(SeekFrom::Start(CHANGES))?;
        self.file.read_exact(&mut counted)?;
        write_at(&self.file, CHANGES, &u32::from_be_bytes(counted).wrapping_add(1).to_be_bytes())
    }

    fn prepare(&self) -> rusqlite::Result<()> {
        let database = &self.database;
        set(database, "locking_mode = EXCLUSIVE")?;
        database.execute_batch("PRAGMA synchronous = OFF; PRAGMA foreign_keys = OFF; PRAGMA trusted_schema = OFF;")?;
        database.set_db_config(DbConfig::SQLITE_DBCONFIG_ENABLE_TRIGGER, false)?;
        Ok(())
    }

    /// Packs the copy and hands it over.
    pub(super) fn finish(self, mut to: &File) -> Result<(), RowsError> {
        let Self { database, mut file, name: _name, rules } = self;
        pack(&database).map_err(|error| match error.sqlite_error_code() {
            Some(ErrorCode::Unknown) => RowsError::Uncopied(error),
            _ => RowsError::Database(error),
        })?;
        database.close().map_err(|(_, error)| RowsError::Database(error))?;
        file.rewind().and_then(|()| io::copy(&mut file, &mut to)).map_err(RowsError::Write)?;
        if rules != [1, 1] {
            write_at(to, RULES, &rules).map_err(RowsError::Write)?;
        }
        Ok(())
    }
}

/// Takes everything out of a database that is not in use. `VACUUM` counts the rows anew where nothing but a hidden number tells them apart, and
/// what refers to these, such as a full-text index, would find other rows. It leaves the numbers of a table with an index alone, so that one
/// without entries keeps them; when that goes it leaves an empty page.
fn pack(database: &Connection) -> rusqlite::Result<()> {
    let gaps = with_gaps(database)?;
    let kept: Vec<String> = (0..gaps.len()).map(|number| format!("\"ucrypt_keeps_row_numbers_{number}\"")).collect();
    for (index, table) in kept.iter().zip(&gaps) {
        database.execute_batch(&format!("CREATE INDEX main.{index} ON {} (1) WHERE 0", quoted(table)))?;
    }
    database.execute_batch("VACUUM")?;
    kept.iter().try_for_each(|index| database.execute_batch(&format!("DROP INDEX main.{index}")))
}

/// The tables whose rows `VACUUM` would count anew: those without any index or key, of which rows are missing.
fn with_gaps(database: &Connection) -> rusqlite::Result<Vec<String>> {
    let query = "SELECT name FROM pragma_table_list AS list WHERE schema = 'main' AND type = 'table' AND wr = 0 \
                 AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\' AND NOT EXISTS (SELECT 1 FROM pragma_index_list(list.name)) \
                 AND NOT EXISTS (SELECT 1 FROM pragma_table_info(list.name) WHERE pk > 0)";
    let mut statement = database.prepare(query)?;
    let tables: Vec<String> = statement.query_map([], |row| row.get(0))?.collect::<rusqlite::Result<_>>()?;
    let has_gaps = |table: &String| {
        let numbers = format!("SELECT count(*), min(_rowid_), max(_rowid_) FROM main.{}", quoted(table));
        let numbers = database.query_row(&numbers, [], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?)));
        // A column may have the name of the numbers.
        !numbers.is_ok_and(|(count, first, last): (i64, Option<i64>, Option<i64>)| {
            count == 0 || (first, last) == (Some(1), Some(count))
        })
    };
    Ok(tables.into_iter().filter(has_gaps).collect())
}

fn write_at(mut file: &File, at: u64, bytes: &[u8]) -> io::Result<()> {
    file.seek(SeekFrom::Start(at))?;
    file.write_all(bytes)
}

/// Sets something that answers with what it is now.
fn set(database: &Connection, pragma: &str) -> rusqlite::Result<()> {
    database.query_row(&format!("PRAGMA {pragma}"), [], |_| Ok(()))
}
