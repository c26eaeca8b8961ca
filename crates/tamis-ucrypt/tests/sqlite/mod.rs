//! SQLite databases: values keep their storage class, everything else stays, and nothing readable is left behind.

use crate::disguise;
mod refusals;

use std::fs;
use std::path::{Path, PathBuf};

use disguise::{Filter, Hide, Refusal, Show, Watch, columns};
use proptest::prelude::*;
use rusqlite::Connection;
use rusqlite::types::Value;
use tamis_ucrypt::document::Treatment;
use tamis_ucrypt::document::header::{KeyHeader, KeyHeaders};
use tamis_ucrypt::document::rows::{Columns, Keys, RewriteError, Summary};
use tamis_ucrypt::document::sqlite::{self, Options, read_headers};
use tempfile::TempDir;

struct Place {
    directory: TempDir,
}

impl Place {
    fn new() -> Self {
        Self { directory: tempfile::tempdir().unwrap() }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.directory.path().join(name)
    }

    /// A database made by these statements.
    fn database(&self, statements: &str) -> PathBuf {
        let path = self.path("original.db");
        Connection::open(&path).unwrap().execute_batch(statements).unwrap();
        path
    }

    fn files(&self) -> Vec<String> {
        let mut names: Vec<String> = fs::read_dir(self.directory.path())
            .unwrap()
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .collect();
        names.sort();
        names
    }
}

fn run<T: Treatment<Refusal = Refusal>>(
    from: &Path,
    to: &Path,
    selectors: &[Columns],
    treatment: &T,
) -> Result<Summary, RewriteError<Refusal>> {
    rewrite(from, to, &Options::default(), selectors, None, treatment)
}

/// Rewrites a database and puts the result in its place.
fn rewrite<T: Treatment<Refusal = Refusal>>(
    from: &Path,
    to: &Path,
    options: &Options,
    selectors: &[Columns],
    headers: Option<&KeyHeaders>,
    treatment: &T,
) -> Result<Summary, RewriteError<Refusal>> {
    let beside = to.parent().unwrap();
    let draft = tempfile::NamedTempFile::new_in(beside).unwrap();
    let summary = sqlite::rewrite(from, draft.as_file(), beside, options, selectors, headers, treatment)?;
    draft.persist(to).unwrap();
    Ok(summary)
}

#[test]
fn a_cell_that_became_a_blob_is_a_cell() {
    let place = Place::new();
    let database = place.database(
        "CREATE TABLE t (id INTEGER, a, b); INSERT INTO t VALUES (1, 'x', X'3C00'), (2, X'3C55', NULL), (3, 7, 'y');\
         CREATE TABLE other (c); INSERT INTO other VALUES (X'3C61'), ('<a>');",
    );
    let selectors = [columns("t", "id", &["a"])];
    let hidden = place.path("hidden.db");
    run(&database, &hidden, &selectors, &Hide).unwrap();
    Connection::open(&hidden).unwrap().execute_batch("UPDATE t SET a = CAST(a AS BLOB)").unwrap();
    let again = place.path("again.db");
    let summary = run(&hidden, &again, &selectors, &Hide).unwrap();
    assert_eq!((summary.sealed, summary.changed), (3, 0));
    let all = "SELECT id, a, b FROM t ORDER BY id";
    assert_eq!(records(&again, all), records(&hidden, all));
    let shown = place.path("shown.db");
    run(&hidden, &shown, &selectors, &Show).unwrap();
    assert_eq!(records(&shown, all), records(&database, all));
    // In a column that nobody selected, too.
    let watch = Watch::default();
    run(&hidden, &place.path("seen.db"), &[], &watch).unwrap();
    assert_eq!(watch.0.into_inner().unwrap().len(), 3);
    let rest = place.path("rest.db");
    assert_eq!(run(&hidden, &rest, &selectors, &Filter { only_sealed: false }).unwrap().dropped, 3);
    let spoil = "UPDATE t SET a = CAST('foo<UCRYPT v=\"1\" pol=\"p\">' AS BLOB) WHERE id = 2";
    Connection::open(&hidden).unwrap().execute_batch(spoil).unwrap();
    for selectors in [&selectors[..], &[]] {
        let refused = run(&hidden, &place.path("none.db"), selectors, &Watch::default()).unwrap_err().to_string();
        assert!(refused.contains("is a damaged sealed value"), "{refused}");
    }
    // Escaped, without any bracket.
    let escaped = "UPDATE t SET a = 'x', b = CAST('&lt;UCRYPT v=\"1\" pol=\"p\"&gt;AA&lt;/UCRYPT&gt;' AS BLOB)";
    Connection::open(&hidden).unwrap().execute_batch(escaped).unwrap();
    let refused = run(&hidden, &place.path("none.db"), &selectors, &Watch::default()).unwrap_err().to_string();
    assert!(refused.contains("escaped once more"), "{refused}");
}

/// The records of a query.
fn records(path: &Path, query: &str) -> Vec<Vec<Value>> {
    let database = Connection::open(path).unwrap();
    let mut statement = database.prepare(query).unwrap();
    let count = statement.column_count();
    let rows = statement.query_map([], |row| (0..count).map(|column| row.get(column)).collect()).unwrap();
    rows.map(Result::unwrap).collect()
}

/// Everything that a database says about itself and holds, as its shell would write it.
fn schema(path: &Path) -> Vec<Vec<Value>> {
    records(path, "SELECT type, name, tbl_name, sql FROM sqlite_schema ORDER BY name")
}

const PATIENTS: &str = r#"
    PRAGMA user_version = 7;
    CREATE TABLE pacjenci ("Id" INTEGER PRIMARY KEY, Nazwisko TEXT, "Wiek ""x""" INTEGER, Waga REAL, Zdjecie BLOB, Choroba);
    CREATE INDEX i ON pacjenci (Choroba);
    CREATE TABLE dziennik (x);
    CREATE TRIGGER t AFTER UPDATE ON pacjenci BEGIN INSERT INTO dziennik VALUES (OLD.Choroba); END;
    INSERT INTO pacjenci VALUES (1, 'Kowalski', 44, 70.5, X'00FF', 'AIDS-plaintext'), (-5, 'Nowak', NULL, 80.0, NULL, 12),
        (7, '12', 9223372036854775807, 1e300, X'', '<UCRYPT>'), (8, NULL, -1, 9e999, 'text', 0.1);
    INSERT INTO dziennik VALUES (1);
"#;

fn patients() -> Columns {
    columns("pacjenci", "id", &["Nazwisko", "Wiek \"x\"", "Waga", "Zdjecie", "Choroba"])
}

#[test]
fn values_come_back_with_their_storage_class() {
    let place = Place::new();
    let original = place.database(PATIENTS);
    let (hidden, shown) = (place.path("hidden.db"), place.path("shown.db"));
    let summary = run(&original, &hidden, &[patients()], &Hide).unwrap();
    assert_eq!((summary.records, summary.changed, summary.dropped), (5, 20, 0));
    let sealed = records(&hidden, "SELECT * FROM pacjenci");
    for value in sealed.iter().flat_map(|record| &record[1..]) {
        assert!(matches!(value, Value::Text(text) if text.starts_with("<UCRYPT ")), "{value:?}");
    }
    run(&hidden, &shown, &[patients()], &Show).unwrap();
    let all = "SELECT *, typeof(Waga), typeof(Choroba) FROM pacjenci ORDER BY Id";
    assert_eq!(records(&shown, all), records(&original, all));
    for path in [&hidden, &shown] {
        assert_eq!(schema(path), schema(&original));
        assert_eq!(records(path, "SELECT x FROM dziennik"), [[Value::Integer(1)]], "no trigger fired");
        assert_eq!(records(path, "PRAGMA user_version"), [[Value::Integer(7)]]);
        assert_eq!(records(path, "PRAGMA integrity_check"), [[Value::Text("ok".into())]]);
    }
    assert_eq!(place.files(), ["hidden.db", "original.db", "shown.db"]);
}

#[test]
fn hiding_twice_changes_nothing_and_a_database_can_be_its_own_result() {
    let place = Place::new();
    let path = place.database(PATIENTS);
    let before = records(&path, "SELECT * FROM pacjenci");
    run(&path, &path, &[patients()], &Hide).unwrap();
    let once = records(&path, "SELECT * FROM pacjenci");
    assert_ne!(once, before);
    let summary = run(&path, &path, &[patients()], &Hide).unwrap();
    assert_eq!((summary.sealed, summary.changed), (20, 0));
    assert_eq!(records(&path, "SELECT * FROM pacjenci"), once);
    run(&path, &path, &[patients()], &Show).unwrap();
    assert_eq!(records(&path, "SELECT * FROM pacjenci"), before);
    assert_eq!(place.files(), ["original.db"]);
}

#[test]
fn nothing_readable_is_left_in_free_pages_indexes_or_samples() {
    let place = Place::new();
    let path = place.database(PATIENTS);
    let database = Connection::open(&path).unwrap();
    let many = "WITH RECURSIVE n(x) AS (VALUES (100) UNION ALL SELECT x + 1 FROM n WHERE x < 3000)
        INSERT INTO pacjenci (Id, Choroba) SELECT x, 'AIDS-plaintext ' || x || ' and more of it' FROM n";
    database.execute_batch(many).unwrap();
    database.execute_batch("DELETE FROM pacjenci WHERE Id > 2000; ANALYZE").unwrap();
    drop(database);
    let holds = |path: &Path| {
        let bytes = fs::read(path).unwrap();
        bytes.windows(14).any(|window| window == b"AIDS-plaintext")
    };
    assert!(holds(&path));
    let hidden = place.path("hidden.db");
    run(&path, &hidden, &[patients()], &Hide).unwrap();
    assert!(!holds(&hidden));
}

#[test]
fn tables_without_row_numbers_and_with_hidden_ones_are_rewritten() {
    let place = Place::new();
    let original = place.database(
        "CREATE TABLE a (k TEXT, n INTEGER, v, PRIMARY KEY (n, k)) WITHOUT ROWID;
         INSERT INTO a VALUES ('x', 2, 'one'), ('y', 1, 'two'), ('x', 1, 'three');
         CREATE TABLE b (rowid TEXT, _rowid_ TEXT, v);
         INSERT INTO b VALUES ('x', 'y', 'z');
         CREATE TABLE c (v, w AS (v || '!'));
         INSERT INTO c (v) VALUES ('z');",
    );
    let selectors = [columns("a", "k", &["v"]), columns("B", "rowid", &["v"]), columns("main.c", "v", &[])];
    let (hidden, shown) = (place.path("hidden.db"), place.path("shown.db"));
    let summary = run(&original, &hidden, &selectors, &Hide).unwrap();
    assert_eq!((summary.records, summary.changed), (5, 4));
    run(&hidden, &shown, &selectors, &Show).unwrap();
    for query in ["SELECT * FROM a", "SELECT * FROM b", "SELECT * FROM c"] {
        assert_eq!(records(&shown, query), records(&original, query));
    }
}

#[test]
fn many_records_are_rewritten_page_by_page() {
    let place = Place::new();
    let original = place.database(
        "CREATE TABLE t (id, v); WITH RECURSIVE n(x) AS (VALUES (1) UNION ALL SELECT x + 1 FROM n WHERE x < 2500)
         INSERT INTO t (rowid, id, v) SELECT x * 7 - 3000, x, 'value ' || x FROM n;
         INSERT INTO t VALUES (0, printf('%.3000000c', 'x')), (-1, printf('%.3000000c', 'y'));",
    );
    let selector = [columns("t", "id", &["v"])];
    let (hidden, shown) = (place.path("hidden.db"), place.path("shown.db"));
    assert_eq!(run(&original, &hidden, &selector, &Hide).unwrap().changed, 2502);
    assert_eq!(run(&hidden, &shown, &selector, &Show).unwrap().changed, 2502);
    let all = "SELECT * FROM t ORDER BY id";
    assert!(records(&shown, all) == records(&original, all));
}

#[test]
fn what_nobody_selected_may_be_of_any_length() {
    let place = Place::new();
    let path = place.database("CREATE TABLE t (id, a, b); INSERT INTO t VALUES (1, 'x', zeroblob(20000000)), (2, 'y', printf('%.9000000c', '<'))");
    let selector = [columns("t", "id", &["a"])];
    assert_eq!(run(&path, &path, &selector, &Hide).unwrap().changed, 2);
    assert_eq!(records(&path, "SELECT sum(octet_length(b)) FROM t"), [[Value::Integer(29_000_000)]]);
}

#[test]
fn values_that_nobody_selected_are_seen_only_if_sealed() {
    let place = Place::new();
    let path = place.database(
        "CREATE TABLE t (id, a, b); INSERT INTO t VALUES (5, 'plain', '<UCRYPT>A</UCRYPT>'), (6, NULL, 7);
         CREATE TABLE u (x); INSERT INTO u VALUES ('y'), ('<UCRYPT>B</UCRYPT>');",
    );
    let watch = Watch::default();
    run(&path, &place.path("out.db"), &[columns("t", "id", &["a"])], &watch).unwrap();
    let seen =
        |table: &str, record: &str, field: &str, what: &str| (table.into(), record.into(), field.into(), what.into());
    let expected = [
        seen("T", "5", "a", "text plain"),
        seen("T", "5", "b", "sealed A"),
        seen("T", "6", "a", "null"),
        seen("u", "2", "x", "sealed B"),
    ];
    assert_eq!(*watch.0.lock().unwrap(), expected);
}

#[test]
fn filters_delete_records_of_selected_tables_or_of_all() {
    let place = Place::new();
    let path = place.database(
        "CREATE TABLE t (id, a); INSERT INTO t VALUES (1, 'x'), (2, '<UCRYPT>A</UCRYPT>'), (3, NULL); CREATE TABLE u (x); INSERT INTO u VALUES ('y');",
    );
    let out = place.path("out.db");
    let ids = |table: &str| records(&out, &format!("SELECT count(*) FROM {table}"))[0][0].clone();
    assert_eq!(run(&path, &out, &[], &Filter { only_sealed: false }).unwrap().dropped, 1);
    assert_eq!((ids("t"), ids("u")), (Value::Integer(2), Value::Integer(1)));
    assert_eq!(run(&path, &out, &[], &Filter { only_sealed: true }).unwrap().dropped, 3);
    assert_eq!((ids("t"), ids("u")), (Value::Integer(1), Value::Integer(0)));
    run(&path, &out, &[columns("t", "id", &["a"])], &Filter { only_sealed: true }).unwrap();
    assert_eq!((ids("t"), ids("u")), (Value::Integer(1), Value::Integer(1)));
}

#[test]
fn headers_have_a_table_of_their_own() {
    let place = Place::new();
    let path = place.database("CREATE TABLE t (id, a)");
    let header = |kid: &str| KeyHeader::new("p7Q2", "1", kid, Some("2026-01-01"), "AA==").unwrap();
    let headers = KeyHeaders::new([header("kZ3bQ9xA"), header("bbbbbbbb")]).unwrap();
    assert_eq!(read_headers(&path).unwrap().0, KeyHeaders::default());
    let put = |headers: &KeyHeaders| {
        rewrite(&path, &path, &Options::default(), &[], Some(headers), &Watch::default()).unwrap()
    };
    put(&headers);
    assert_eq!(read_headers(&path).unwrap().0, headers);
    run(&path, &path, &[], &Filter { only_sealed: true }).unwrap();
    assert_eq!(read_headers(&path).unwrap().0, headers, "they are no records");
    put(&KeyHeaders::new([header("bbbbbbbb")]).unwrap());
    assert_eq!(read_headers(&path).unwrap().0.as_slice().len(), 1);
    Connection::open(&path).unwrap().execute_batch("UPDATE ucrypt_keys SET kid = 'x'").unwrap();
    assert_eq!(read_headers(&path).unwrap().1[0].to_string(), "the data-key header has no valid kid");
    put(&KeyHeaders::default());
    assert_eq!(records(&path, "SELECT count(*) FROM sqlite_schema WHERE name = 'ucrypt_keys'"), [[Value::Integer(0)]]);
}

#[test]
fn two_databases_of_one_table_exchange_their_cells() {
    let place = Place::new();
    let one = place.database("CREATE TABLE t (id, a); INSERT INTO t VALUES (1, 'x')");
    let selector = [columns("t", "id", &["a"])];
    run(&one, &one, &selector, &Hide).unwrap();
    Connection::open(&one).unwrap().execute_batch("UPDATE t SET id = 2").unwrap();
    let refused = run(&one, &one, &selector, &Show).unwrap_err().to_string();
    assert!(
        refused.starts_with("table t, record 2: ") && refused.ends_with("holds a value of another place"),
        "{refused}"
    );
}

fn value() -> impl Strategy<Value = Value> {
    prop_oneof![
        Just(Value::Null),
        any::<i64>().prop_map(Value::Integer),
        any::<f64>().prop_filter("a NaN is NULL", |real| !real.is_nan()).prop_map(Value::Real),
        "[a-z0-9ó'\"<>\\.\0]{0,6}".prop_map(Value::Text),
        "-?[0-9]{1,4}(\\.[0-9])?".prop_map(Value::Text),
        prop::collection::vec(any::<u8>(), 0..6).prop_map(Value::Blob),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn what_is_hidden_is_shown_as_it_was(rows in prop::collection::vec((value(), value()), 0..8), kind in prop_oneof![Just(""), Just("TEXT"), Just("INTEGER"), Just("REAL"), Just("BLOB"), Just("NUMERIC")]) {
        let place = Place::new();
        let original = place.database(&format!("CREATE TABLE t (id INTEGER PRIMARY KEY, a {kind}, b)"));
        let database = Connection::open(&original).unwrap();
        database.execute_batch("PRAGMA synchronous = OFF").unwrap();
        for (a, b) in &rows {
            database.execute("INSERT INTO t (a, b) VALUES (?1, ?2)", [a, b]).unwrap();
        }
        drop(database);
        let selector = [columns("t", "id", &["a"])];
        let (hidden, shown) = (place.path("hidden.db"), place.path("shown.db"));
        run(&original, &hidden, &selector, &Hide).unwrap();
        run(&hidden, &shown, &selector, &Show).unwrap();
        let all = "SELECT id, typeof(a), a, typeof(b), b FROM t ORDER BY id";
        prop_assert_eq!(records(&shown, all), records(&original, all));
        let sealed = records(&hidden, "SELECT a, b FROM t ORDER BY id");
        for (record, before) in sealed.iter().zip(records(&original, "SELECT b FROM t ORDER BY id")) {
            prop_assert!(matches!(&record[0], Value::Text(text) if text.starts_with("<UCRYPT ")));
            prop_assert_eq!(&record[1], &before[0]);
        }
    }
}
