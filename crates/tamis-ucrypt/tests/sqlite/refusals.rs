//! What cannot be sealed is refused, and databases that are none or in use are left alone.

use super::*;

#[test]
fn what_cannot_be_sealed_is_refused_and_leaves_no_file() {
    for (statements, selector, sentence) in [
        (
            "CREATE TABLE t (id, a)",
            columns("t", "id", &["b"]),
            "there is no column b in t, which has \"id\", \"a\"; if it is not meant here, name the fields that are (--field)",
        ),
        (
            "CREATE TABLE t (id, a)",
            columns("t", "nr", &["a"]),
            "there is no column nr, which tells the records apart, in t, which has \"id\", \"a\"",
        ),
        (
            "CREATE TABLE t (id, a, b AS (a))",
            columns("t", "id", &["b"]),
            "table t has a selected column that is computed from others",
        ),
        (
            "CREATE TABLE t (id INTEGER, a INTEGER) STRICT",
            columns("t", "id", &["a"]),
            "table t is STRICT, and a selected column is not declared as TEXT or ANY",
        ),
        (
            "CREATE TABLE t (id, a PRIMARY KEY) WITHOUT ROWID",
            columns("t", "id", &["a"]),
            "table t is WITHOUT ROWID, and a selected column is part of its primary key",
        ),
        (
            "CREATE TABLE u (id, a); CREATE VIEW t AS SELECT * FROM u",
            columns("t", "id", &["a"]),
            "table t is a view, or belongs to a virtual table, and holds no values of its own",
        ),
        (
            "CREATE TABLE t (id, a); CREATE VIRTUAL TABLE f USING fts5(a, content='t')",
            columns("t", "id", &["a"]),
            "table t is the content of a full-text index, which would keep its values readable; drop the index first",
        ),
        (
            "CREATE TABLE t (rowid, oid, _rowid_)",
            columns("t", "oid", &["rowid"]),
            "table t has columns that hide every name of its row numbers",
        ),
        (
            "CREATE TABLE t (id, a); INSERT INTO t VALUES (NULL, 'x')",
            columns("t", "id", &["a"]),
            "table t, record 1: the record key id is empty",
        ),
        (
            "CREATE TABLE t (id, a); INSERT INTO t VALUES (5, CAST(X'ff' AS TEXT))",
            columns("t", "id", &["a"]),
            "table t, record 5: the value of column a is not text in UTF-8",
        ),
        (
            "CREATE TABLE t (id, a); INSERT INTO t VALUES (5, zeroblob(9000000))",
            columns("t", "id", &["a"]),
            "table t, record 5: the record or statement is longer than 8 MiB, or would be",
        ),
        (
            "CREATE TABLE t (id, a CHECK (length(a) < 9)); INSERT INTO t VALUES (5, 'x')",
            columns("t", "id", &["a"]),
            "the database refuses to change table t: CHECK constraint failed: length(a) < 9; one of its keys, indexes, checks or computed columns cannot take a sealed value, or needs what the program has that made it: drop that first, or name another column",
        ),
        (
            "CREATE TABLE t (id, a); INSERT INTO t VALUES (5, '<UCRYPT v=\"1\">AA')",
            columns("t", "id", &["a"]),
            "table t, record 5: the field \"a\" of record \"5\" is a damaged sealed value: the sealed value does not end with the end tag of its element",
        ),
    ] {
        let place = Place::new();
        let path = place.database(statements);
        let refused = run(&path, &place.path("out.db"), &[selector], &Hide).unwrap_err().to_string();
        assert_eq!(refused, sentence, "{statements}");
        assert_eq!(place.files(), ["original.db"]);
    }
}

#[test]
fn keys_must_be_unique_if_asked_for() {
    let place = Place::new();
    let path = place.database("CREATE TABLE t (id, a); INSERT INTO t VALUES (5, 'x'), (6, 'y'), ('5', 'z')");
    let selector = [columns("t", "id", &["a"])];
    let unique = Options { keys: Keys::Unique, ..Options::default() };
    let refused = rewrite(&path, &path, &unique, &selector, None, &Hide).unwrap_err().to_string();
    assert_eq!(
        refused,
        "table t, record 5: another record has the same key in column id; a sealed value would open in both"
    );
    assert!(run(&path, &path, &selector, &Hide).is_ok());
    let absent = run(&path, &path, &[columns("nowhere", "id", &["a"])], &Hide).unwrap().absent;
    assert_eq!(absent, ["nowhere"]);
}

#[test]
fn files_that_are_no_database_are_left_alone_and_what_is_in_a_log_is_copied() {
    let place = Place::new();
    let text = place.path("text.db");
    fs::write(&text, "this is not a database, but it is long enough to be looked at as if it were one".repeat(20))
        .unwrap();
    let refused = run(&text, &text, &[], &Hide).unwrap_err().to_string();
    assert_eq!(refused, "the database refuses: file is not a database");
    assert!(
        run(&place.path("missing.db"), &text, &[], &Hide)
            .unwrap_err()
            .to_string()
            .starts_with("the document cannot be read: ")
    );
    assert!(!place.path("missing.db").exists());
    let path = place.database("PRAGMA journal_mode = WAL; CREATE TABLE t (id, a);");
    let user = Connection::open(&path).unwrap();
    user.execute_batch("INSERT INTO t VALUES (1, 'x')").unwrap();
    let selector = [columns("t", "id", &["a"])];
    let out = place.path("out.db");
    assert_eq!(run(&path, &out, &selector, &Hide).unwrap().changed, 1, "what is in the log is copied");
    drop(user);
    run(&path, &path, &selector, &Hide).unwrap();
    assert_eq!(records(&path, "PRAGMA journal_mode"), [[Value::Text("wal".into())]]);
    assert!(matches!(&records(&path, "SELECT a FROM t")[0][0], Value::Text(text) if text.starts_with("<UCRYPT")));
}
