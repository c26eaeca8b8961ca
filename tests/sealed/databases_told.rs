//! SQLite databases in which a sealed value would stay somewhere else: triggers, foreign keys, indexes, comments.

use crate::holders::*;
use crate::program::Desk;
use rusqlite::Connection;

/// A policy of two tables of a database: `t` with `dis`, `c` with `why`.
fn ward() -> Desk {
    let desk = desk();
    let table = |name: &str, field: &str| {
        format!("[[table]]\nname = \"{name}\"\nkey = \"id\"\n[[table.field]]\nname = \"{field}\"\n")
    };
    desk.write("v.toml", table("t", "dis") + &table("c", "why")).write("t.toml", table("t", "dis"));
    new_policy(&desk, "v.upolicy", "v.toml");
    new_policy(&desk, "t.upolicy", "t.toml");
    desk
}

const TABLES: &str = "CREATE TABLE t (id INTEGER PRIMARY KEY, dis TEXT, note TEXT); INSERT INTO t VALUES (5, 'AIDS', 'x'), (6, 'flu', 'y');
    CREATE TABLE log (a, b); INSERT INTO log VALUES (5, 'AIDS'); CREATE TABLE x (id);";

fn database(desk: &Desk, statements: &str) -> Connection {
    let _ = std::fs::remove_file(desk.path("d.db"));
    let database = Connection::open(desk.path("d.db")).expect("a database");
    database.execute_batch(statements).expect("statements");
    database
}

fn holds(desk: &Desk, name: &str, word: &str) -> bool {
    desk.bytes(name).windows(word.len()).any(|bytes| bytes == word.as_bytes())
}

#[test]
fn a_trigger_that_may_copy_a_sealed_column_is_refused_however_it_is_written() {
    let desk = ward();
    for trigger in [
        "CREATE TRIGGER g AFTER UPDATE ON t BEGIN INSERT INTO log SELECT 1, 2 WHERE 0 UNION ALL VALUES (new.id, new.dis); END",
        "CREATE TRIGGER g AFTER UPDATE ON x BEGIN INSERT INTO log SELECT q.id, q.dis FROM x JOIN x y ON x.id = y.id JOIN t q ON q.id = x.id; END",
        "CREATE TRIGGER g AFTER UPDATE ON x BEGIN INSERT INTO log SELECT id, dis FROM (t); END",
        "CREATE VIEW v AS SELECT id, dis AS d FROM t; CREATE TRIGGER g INSTEAD OF INSERT ON v BEGIN INSERT INTO log VALUES (new.id, new.d); END",
        "CREATE VIEW v (a, b, c) AS SELECT * FROM t; CREATE TRIGGER g AFTER UPDATE ON t BEGIN INSERT INTO log SELECT a, b FROM v; END",
        "CREATE VIEW lv AS SELECT a, b FROM log WHERE 0; CREATE TRIGGER g AFTER UPDATE ON t BEGIN INSERT INTO lv VALUES (new.id, new.dis); END",
        "CREATE TRIGGER g AFTER UPDATE ON t BEGIN INSERT OR REPLACE INTO t (id, note) SELECT new.id + 100, new.dis; END",
        "CREATE TRIGGER g AFTER UPDATE ON t BEGIN INSERT INTO log SELECT 1, j.value FROM x JOIN x y ON x.id = y.id JOIN json_each(new.dis) j; END",
        // The words of deleted rows stay in the tables of an index.
        "CREATE VIRTUAL TABLE ft USING fts5 (dis); CREATE TRIGGER g AFTER UPDATE ON t BEGIN INSERT INTO ft VALUES (new.dis); END",
    ] {
        database(&desk, &format!("{TABLES}{trigger}"));
        let words = ["the trigger \"g\" may put values of the column \"dis\"", "--allow-readable statements"];
        assert_refused(&desk, "ucrypt seal t.upolicy d.db -o s.db --all", 2, &words);
    }
}

#[test]
fn a_trigger_that_copies_the_key_alone_or_cleans_the_column_itself_is_no_reason() {
    let desk = ward();
    database(
        &desk,
        &format!(
            "{TABLES} CREATE TRIGGER a AFTER UPDATE OF dis ON t BEGIN INSERT INTO log VALUES (new.id, 'dis'); END;
            CREATE TRIGGER b AFTER UPDATE ON t BEGIN UPDATE t SET note = datetime() WHERE id = new.id; END;
            CREATE TRIGGER c AFTER INSERT ON t BEGIN UPDATE t SET dis = trim(new.dis) WHERE id = new.id; END"
        ),
    );
    desk.done("ucrypt seal t.upolicy d.db -o s.db --all");
}

#[test]
fn a_foreign_key_onto_a_sealed_column_is_no_reason_only_if_both_are_sealed_in_all_records() {
    let desk = ward();
    database(
        &desk,
        "CREATE TABLE t (id INTEGER PRIMARY KEY, dis TEXT UNIQUE); INSERT INTO t VALUES (5, 'AIDS');
        CREATE TABLE c (id INTEGER PRIMARY KEY, why TEXT REFERENCES t (dis)); INSERT INTO c VALUES (1, 'AIDS')",
    );
    for how in ["--record 5", "--where dis=AIDS", "--all --field dis", "--all --table t"] {
        let words = ["column \"why\" of table \"c\" refers to \"dis\"", "in one run (--all)"];
        assert_refused(&desk, &format!("ucrypt seal v.upolicy d.db -o s.db {how}"), 2, &words);
    }
    desk.done("ucrypt seal v.upolicy d.db -o s.db --all");
    assert!(!holds(&desk, "s.db", "AIDS"));
}

#[test]
fn an_index_keeps_no_value_of_a_row_that_the_table_lost() {
    let desk = ward();
    let make = "CREATE TABLE t (id INTEGER PRIMARY KEY, dis TEXT); CREATE INDEX ix ON t (upper(dis));
        INSERT INTO t VALUES (4, 'x'), (5, 'flu'), (6, 'AIDS')";
    drop(database(&desk, make));
    // One record less on the page of the table.
    let mut bytes = desk.bytes("d.db");
    assert_eq!(bytes[4096 + 4], 3);
    bytes[4096 + 4] = 2;
    desk.write("d.db", bytes);
    desk.done("ucrypt seal t.upolicy d.db -o s.db --all");
    assert!(!holds(&desk, "s.db", "AIDS"));
    let whole: String = Connection::open(desk.path("s.db"))
        .and_then(|database| database.query_row("PRAGMA integrity_check", [], |row| row.get(0)))
        .expect("a check");
    assert_eq!(whole, "ok");
}

/// What refers to hidden row numbers, such as an index of words over another table, finds the same rows as before.
#[test]
fn rows_keep_their_hidden_numbers() {
    let desk = ward();
    drop(database(
        &desk,
        &format!(
            "{TABLES} CREATE TABLE u (body); INSERT INTO u VALUES ('one'), ('two'), ('three');
            CREATE VIRTUAL TABLE ft USING fts5 (body, content='u'); INSERT INTO ft (ft) VALUES ('rebuild');
            INSERT INTO ft (ft, rowid, body) VALUES ('delete', 1, 'one'); DELETE FROM u WHERE rowid = 1"
        ),
    ));
    desk.done("ucrypt seal t.upolicy d.db -o s.db --all");
    desk.done(&format!("ucrypt open t.upolicy s.db -o o.db{}", with(&["doctor", "payer"])));
    for name in ["s.db", "o.db"] {
        let database = Connection::open(desk.path(name)).expect("a database");
        let found = database
            .query_row("SELECT rowid, body FROM ft WHERE ft MATCH 'two'", [], |row| Ok((row.get(0)?, row.get(1)?)))
            .expect("a row");
        assert_eq!(found, (2, "two".to_owned()), "{name}");
        let kept: i64 = database
            .query_row("SELECT count(*) FROM sqlite_schema WHERE name LIKE 'ucrypt_keeps%'", [], |row| row.get(0))
            .expect("a count");
        assert_eq!(kept, 0, "{name}");
    }
}

#[test]
fn a_row_in_a_comment_of_a_definition_is_told() {
    let desk = ward();
    for (comment, is_told) in [
        ("/* INSERT INTO t VALUES (5, 'AIDS'); */", true),
        ("-- VALUES (5, 'AIDS')\n", true),
        ("/* in words of the ward */", false),
    ] {
        let make =
            format!("CREATE TABLE t (id INTEGER PRIMARY KEY, dis TEXT {comment}); INSERT INTO t VALUES (5, 'gout')");
        drop(database(&desk, &make));
        let seal = "ucrypt seal t.upolicy d.db -o s.db --all";
        if is_told {
            let words =
                ["a comment with a statement in the definition of the table \"t\"", "--allow-readable comments"];
            assert_refused(&desk, seal, 2, &words);
        } else {
            desk.done(seal);
        }
    }
}

/// What SQLite says of an index or a computed column, with the table and a way out.
#[test]
fn what_the_database_refuses_is_told_with_a_remedy() {
    let desk = ward();
    let json = "CREATE TABLE t (id INTEGER PRIMARY KEY, dis TEXT, g AS (json_extract(dis, '$.a')) STORED);
        INSERT INTO t VALUES (5, '{\"a\":1}')";
    drop(database(&desk, json));
    let words = ["refuses to change table t: malformed JSON", "drop that first"];
    assert_refused(&desk, "ucrypt seal t.upolicy d.db -o s.db --all", 2, &words);
    drop(database(&desk, "CREATE TABLE t (id TEXT, dis INTEGER PRIMARY KEY); INSERT INTO t VALUES ('a', 7)"));
    let words = ["refuses to change table t: datatype mismatch", "name another column"];
    assert_refused(&desk, "ucrypt seal t.upolicy d.db -o s.db --all", 2, &words);
    let foreign = database(&desk, &format!("{TABLES} CREATE TABLE z (a); CREATE INDEX zi ON z (a COLLATE NOCASE)"));
    foreign
        .execute_batch("PRAGMA writable_schema = ON; UPDATE sqlite_schema SET sql = replace(sql, 'NOCASE', 'PL') WHERE name = 'zi'")
        .expect("the index of another program");
    drop(foreign);
    let words = ["refuses to be copied: no such collation sequence: PL", "drop that index first"];
    assert_refused(&desk, "ucrypt seal t.upolicy d.db -o s.db --all", 2, &words);
}
