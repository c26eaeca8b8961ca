//! How fast CSV files, SQL dumps and SQLite databases are rewritten, and in how much memory.
//!
//!     cargo build --release -p tamis-ucrypt --example rows_speed
//!     rows_speed make FILE MEGABYTES      FILE ends in .csv, .sql (rows of INSERT), .copy.sql (PostgreSQL's COPY) or .db
//!     rows_speed WAY IN OUT THREADS       WAY is copy, seal or open; the kind is that of IN
//!
//! Threads beside the reading one; `ulimit -v 65536` before it shows that 64 MB are enough.

mod speed;

use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::Path;
use std::time::Instant;

use speed::{Copy, Error, FIELDS, person, report, seal_and_open};
use tamis_ucrypt::document::rows::{Column, Columns, RewriteError, Summary};
use tamis_ucrypt::document::sql::Headers;
use tamis_ucrypt::document::{Treatment, csv, sql, sqlite};

fn main() -> Result<(), Error> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match arguments[..] {
        ["make", path, megabytes] => make(path, megabytes.parse()?),
        [way, from, to, threads] => measure(way, from, to, threads.parse()?),
        _ => Err("rows_speed make FILE MEGABYTES, or rows_speed copy|seal|open IN OUT THREADS".into()),
    }
}

/// The kinds of files, by the ends of their names.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Csv,
    Insert,
    Copy,
    Database,
}

impl Kind {
    fn of(path: &str) -> Result<Self, Error> {
        let ends = [("csv", Self::Csv), ("copy.sql", Self::Copy), ("sql", Self::Insert), ("db", Self::Database)];
        let kind = ends.iter().find(|(end, _)| path.strip_suffix(end).is_some_and(|rest| rest.ends_with('.')));
        kind.map(|(_, kind)| *kind).ok_or_else(|| "a name ends in .csv, .sql, .copy.sql or .db".into())
    }
}

/// About a hundred bytes a record, four of its six values to be sealed.
fn make(path: &str, megabytes: usize) -> Result<(), Error> {
    let notes = "no further remarks, seen twice this year, comes again";
    let count = megabytes * 10_000;
    let kind = Kind::of(path)?;
    if kind == Kind::Database {
        let database = rusqlite::Connection::open(path)?;
        database.execute_batch("BEGIN; CREATE TABLE pacjenci (id INTEGER PRIMARY KEY, nazwisko TEXT, zawod TEXT, miasto TEXT, choroba TEXT, opis TEXT)")?;
        let mut insert = database.prepare("INSERT INTO pacjenci VALUES (?1, ?2, ?3, ?4, ?5, ?6)")?;
        for id in 0..count {
            let [name, job, town, illness] = person(id);
            insert.execute((u32::try_from(id)?, name, job, town, illness, notes))?;
        }
        return Ok(database.execute_batch("COMMIT")?);
    }
    let mut out = BufWriter::new(File::create(path)?);
    if kind == Kind::Csv {
        writeln!(out, "id,nazwisko,zawod,miasto,choroba,opis")?;
    } else {
        writeln!(
            out,
            "CREATE TABLE pacjenci (id INTEGER, nazwisko TEXT, zawod TEXT, miasto TEXT, choroba TEXT, opis TEXT);"
        )?;
    }
    if kind == Kind::Copy {
        writeln!(
            out,
            "-- PostgreSQL database dump\nCOPY pacjenci (id, nazwisko, zawod, miasto, choroba, opis) FROM stdin;"
        )?;
    }
    for id in 0..count {
        let [name, job, town, illness] = person(id);
        if kind == Kind::Csv {
            writeln!(out, "{id},{name},{job},{town},{illness},\"{notes}\"")?;
        } else if kind == Kind::Copy {
            writeln!(out, "{id}\t{name}\t{job}\t{town}\t{illness}\t{notes}")?;
        } else {
            let start = if id % 1000 == 0 { "INSERT INTO pacjenci VALUES " } else { "" };
            let end = if id % 1000 == 999 || id + 1 == count { ";\n" } else { "," };
            write!(out, "{start}({id},'{name}','{job}','{town}','{illness}','{notes}'){end}")?;
        }
    }
    if kind == Kind::Copy {
        writeln!(out, "\\.")?;
    }
    Ok(out.flush()?)
}

fn measure(way: &str, from: &str, to: &str, threads: usize) -> Result<(), Error> {
    let (seal, open) = seal_and_open()?;
    let start = Instant::now();
    let summary = match way {
        "copy" => rewrite(&Copy, from, to, threads)?,
        "seal" => rewrite(&seal, from, to, threads)?,
        "open" => rewrite(&open, from, to, threads)?,
        _ => return Err("copy, seal or open".into()),
    };
    report(&format!("{way} {from}, {threads} threads"), from, summary.changed, start)
}

fn rewrite<T: Treatment<Refusal = String>>(
    treatment: &T,
    from: &str,
    to: &str,
    threads: usize,
) -> Result<Summary, Error> {
    let selectors = [Columns {
        source: "pacjenci".into(),
        table: "pacjenci".into(),
        key: "id".into(),
        columns: FIELDS.map(|name| Column { column: name.into(), field: name.into(), required: true }).into(),
        element: "UCRYPT".into(),
    }];
    let kind = Kind::of(from)?;
    let said = |error: RewriteError<String>| error.to_string();
    if kind == Kind::Database {
        let options = sqlite::Options::default();
        let beside = Path::new(to).parent().unwrap_or(Path::new("."));
        let (from, file) = (Path::new(from), File::create(to)?);
        return Ok(sqlite::rewrite(from, &file, beside, &options, &selectors, None, treatment).map_err(said)?);
    }
    let (input, output) = (File::open(from)?, File::create(to)?);
    let result = if kind == Kind::Csv {
        let options = csv::Options { threads, ..csv::Options::default() };
        csv::rewrite(input, output, &options, &selectors, treatment)
    } else {
        let dialect = if kind == Kind::Copy { sql::Dialect::PostgreSql } else { sql::Dialect::Sqlite };
        let options = sql::Options { threads, dialect: Some(dialect), ..sql::Options::default() };
        sql::rewrite(input, output, &options, &selectors, Headers::Keep, treatment)
    };
    Ok(result.map_err(said)?)
}
