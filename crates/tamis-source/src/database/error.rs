//! What can be wrong with a database, said so that the user can mend it.

/// A database that cannot be opened, read or changed as asked.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum DatabaseError {
    /// A URL that is only a path.
    #[error("`{found}` does not say which kind of database it is; write sqlite:{found}")]
    NoScheme {
        /// What was given.
        found: String,
    },
    /// A kind of database nobody has heard of.
    #[error("there is no kind of database `{scheme}:`; databases are given as sqlite:PATH")]
    UnknownScheme {
        /// What was given before the colon.
        scheme: String,
    },
    /// A kind of database that is planned.
    #[error("`{scheme}:` databases cannot be opened yet; for now, give a SQLite database as sqlite:PATH")]
    NotYet {
        /// What was given before the colon.
        scheme: String,
    },
    /// A URL that ends after its scheme.
    #[error("`sqlite:` names no file; write sqlite:PATH")]
    NoPath,
    /// A database that no two commands could share.
    #[error("a database in memory is gone when the command ends; name a file as sqlite:PATH")]
    InMemory,
    /// A file that is not there.
    #[error("there is no database `{database}`; check the path")]
    Absent {
        /// The file.
        database: String,
    },
    /// A file in a directory that is not there.
    #[error(
        "cannot make the database `{database}`: there is no directory `{directory}`; create it or choose another path"
    )]
    NoDirectory {
        /// The file.
        database: String,
        /// Where it was to be.
        directory: String,
    },
    /// A file that cannot be opened.
    #[error("cannot open the database `{database}`: {reason}; check that it is a file that you may read and write")]
    CannotOpen {
        /// The file.
        database: String,
        /// What the database says.
        reason: String,
    },
    /// A file of another kind.
    #[error("`{database}` is not a SQLite database; check the path")]
    NotADatabase {
        /// The file.
        database: String,
    },
    /// Somebody else is writing.
    #[error("the database `{database}` is being written by another program; try again when it is done, or wait longer")]
    Locked {
        /// The file.
        database: String,
    },
    /// A database that may not be changed.
    #[error("the database `{database}` is read-only; make a copy that may be written, or change its permissions")]
    ReadOnly {
        /// The file.
        database: String,
    },
    /// A database whose last change was cut short.
    #[error(
        "a program was stopped while it wrote to the database `{database}`; open it once with a command that writes, which takes back \
         what was half written"
    )]
    HalfWritten {
        /// The file.
        database: String,
    },
    /// Anything else the database says.
    #[error("the database `{database}` answers: {reason}")]
    Engine {
        /// The file.
        database: String,
        /// What the database says.
        reason: String,
    },
    /// A name that cannot be one.
    #[error("`{}` cannot be the name of a table or column; give a name without control characters", .name.escape_debug())]
    UnusableName {
        /// The name.
        name: String,
    },
    /// A table that is not there.
    #[error("`{database}` has no table `{}`; {}", .table.escape_debug(), known_tables(.known))]
    UnknownTable {
        /// The database.
        database: String,
        /// The table.
        table: String,
        /// The tables there are.
        known: Vec<String>,
    },
    /// A column that is not there.
    #[error("the table `{table}` has no column `{}`; its columns are {}", .column.escape_debug(), list(.known))]
    UnknownColumn {
        /// The table.
        table: String,
        /// The column.
        column: String,
        /// The columns there are.
        known: Vec<String>,
    },
    /// Text in an unknown encoding.
    #[error("the table `{table}` holds text in column `{column}` that is not UTF-8; store it as UTF-8")]
    NotUtf8 {
        /// The table.
        table: String,
        /// The column.
        column: String,
    },
    /// Rows to change that are not there, or more than one for a key.
    #[error("{asked} rows of `{table}` were to be changed by `{key}`, but {changed} were; nothing was written")]
    NotEachOnce {
        /// The table.
        table: String,
        /// The key column.
        key: String,
        /// How many keys there were.
        asked: u64,
        /// How many rows have them.
        changed: u64,
    },
}

/// So many names are listed at most.
const MOST_NAMES: usize = 20;

fn known_tables(known: &[String]) -> String {
    if known.is_empty() { "it has no tables yet".to_owned() } else { format!("its tables are {}", list(known)) }
}

fn list(names: &[String]) -> String {
    let shown: Vec<String> = names.iter().take(MOST_NAMES).map(|name| format!("`{}`", name.escape_debug())).collect();
    let shown = shown.join(", ");
    match names.len().saturating_sub(MOST_NAMES) {
        0 => shown,
        more => format!("{shown} and {more} more"),
    }
}
