//! Where the SQL of one system differs from that of another, as far as a dump shows it.

mod recognise;

pub(super) use recognise::doubtful;

/// The system that a dump is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Dialect {
    /// Standard SQL: strings in apostrophes, doubled to stand for themselves; names in quotation marks.
    #[default]
    Standard,
    /// PostgreSQL: `E'...'`, `$tag$...$tag$`, `COPY ... FROM stdin`, lines for psql.
    PostgreSql,
    /// MySQL and MariaDB: backslashes in strings, strings in quotation marks, `#` comments, `DELIMITER`.
    MySql,
    /// SQLite: names in brackets, `replace(..., char(10))` for line breaks.
    Sqlite,
}

impl Dialect {
    /// Bytes of a dump that are looked at to recognise it.
    pub(super) const LOOKED_AT: usize = 64 << 10;

    /// Recognises the dump of a tool by its comments and statements before the first row. Values tell nothing of it: they may be anything.
    ///
    /// ```
    /// use tamis_ucrypt::document::sql::Dialect;
    /// assert_eq!(Dialect::detect(b"-- MySQL dump 10.13  Distrib 8.0.36"), Some(Dialect::MySql));
    /// assert_eq!(Dialect::detect(b"PRAGMA foreign_keys=OFF;\nBEGIN TRANSACTION;"), Some(Dialect::Sqlite));
    /// assert_eq!(Dialect::detect(b"INSERT INTO t VALUES (1, '-- MySQL dump');"), None);
    /// ```
    pub fn detect(start: &[u8]) -> Option<Self> {
        recognise::dialect(&start[..start.len().min(Self::LOOKED_AT)])
    }

    /// Whether the inside of `/*! ... */` is executed. A dump that does not say what it is for may be for a system that does.
    pub(super) fn executes_comments(self) -> bool {
        matches!(self, Self::MySql | Self::Standard)
    }

    /// Whether a backslash in every string takes the meaning of the next character.
    pub(super) fn backslashes(self) -> bool {
        self == Self::MySql
    }

    /// Whether a string may stand in the place of a name. A dump that does not say what it is for may be for SQLite.
    pub(super) fn quotes_names_as_strings(self) -> bool {
        matches!(self, Self::Sqlite | Self::Standard)
    }

    /// What encloses names, by its first byte, and what closes it.
    pub(super) fn closing(self, opening: u8) -> Option<u8> {
        match opening {
            b'\'' | b'"' => Some(opening),
            b'`' if self != Self::PostgreSql => Some(b'`'),
            b'[' if self == Self::Sqlite => Some(b']'),
            _ => None,
        }
    }

    /// A name in whatever encloses names.
    pub fn quoted_name(self, name: &str) -> String {
        if self == Self::MySql {
            format!("`{}`", name.replace('`', "``"))
        } else {
            format!("\"{}\"", name.replace('"', "\"\""))
        }
    }

    pub(super) fn parser(self) -> &'static dyn sqlparser::dialect::Dialect {
        match self {
            Self::Standard => &sqlparser::dialect::GenericDialect {},
            Self::PostgreSql => &sqlparser::dialect::PostgreSqlDialect {},
            Self::MySql => &sqlparser::dialect::MySqlDialect {},
            Self::Sqlite => &sqlparser::dialect::SQLiteDialect {},
        }
    }
}
