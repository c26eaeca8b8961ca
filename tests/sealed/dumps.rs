//! Dumps and databases in which something could be taken for something else: nothing that is to be sealed may stay readable.

use crate::holders::*;
use crate::program::Desk;
use rusqlite::Connection;

const FIELDS_OF_DUMPS: &str = r#"
[[table]]
name = "pat"
source = "patients"
key = "id"
[[table.field]]
name = "dis"
[[table.field]]
name = "name"
"#;

fn desk_of_dumps() -> Desk {
    let desk = desk();
    desk.write("dumps.toml", FIELDS_OF_DUMPS);
    new_policy(&desk, "d.upolicy", "dumps.toml");
    desk
}

/// Seals all of a dump and opens it again.
fn assert_sealed(desk: &Desk, dump: &str, more: &str) {
    desk.write("dump.sql", dump);
    desk.done(&format!("ucrypt seal d.upolicy dump.sql -o dump-sealed.sql --all {more}"));
    assert!(!desk.read("dump-sealed.sql").contains("SECRET"), "{dump}");
    desk.done(&format!("ucrypt open d.upolicy dump-sealed.sql -o dump-opened.sql{}", with(&["doctor", "payer"])));
    assert_eq!(desk.read("dump-opened.sql"), dump);
}

fn assert_not_sealed(desk: &Desk, dump: &str, words: &[&str]) {
    desk.write("dump.sql", dump);
    assert_refused(desk, "ucrypt seal d.upolicy dump.sql -o dump-sealed.sql --all", 2, words);
}

#[test]
fn a_name_like_begin_hides_nothing_behind_it() {
    let desk = desk_of_dumps();
    let create = "CREATE TABLE public.patients (id integer, dis text, name text);\n";
    let rows = "INSERT INTO public.patients VALUES (2, 'SECRET', 'SECRET');\n";
    for (first, routine) in [
        (
            "-- PostgreSQL database dump\n",
            "CREATE TRIGGER t AFTER UPDATE OF begin ON public.visits FOR EACH ROW EXECUTE FUNCTION public.g();",
        ),
        ("-- PostgreSQL database dump\n", "CREATE FUNCTION f(begin int) RETURNS int LANGUAGE sql AS 'select 1';"),
        ("-- PostgreSQL database dump\n", "CREATE FUNCTION f() RETURNS int BEGIN ATOMIC SELECT 1; SELECT 2; END;"),
        (
            "",
            "CREATE TRIGGER begin AFTER UPDATE OF a, begin ON begin BEGIN DELETE FROM u; SELECT CASE WHEN 1 THEN 2 END; END;",
        ),
    ] {
        assert_sealed(&desk, &format!("{first}{create}{routine}\n{rows}"), "");
    }
    let endless = "CREATE TRIGGER t AFTER UPDATE ON u BEGIN DELETE FROM u;\n";
    assert_not_sealed(&desk, &format!("{create}{endless}{rows}"), &["body of a routine or trigger", "never ends"]);
}

#[test]
fn a_table_that_is_made_anew_has_its_own_columns() {
    let desk = desk_of_dumps();
    let one = "CREATE TABLE `patients` (id int, dis text, name text, att text);\nINSERT INTO `patients` VALUES (1,'SECRET','SECRET','x');\n";
    let two = "CREATE TABLE `patients` (id int, att text, name text, dis text);\nINSERT INTO `patients` VALUES (2,'x','SECRET','SECRET');\n";
    assert_sealed(&desk, &format!("-- MySQL dump 10.13\nUSE a;\n{one}USE b;\n{two}"), "");
    assert_sealed(&desk, &format!("{one}DROP TABLE patients;\n{two}"), "");
    let renamed =
        "ALTER TABLE patients RENAME COLUMN att TO dis;\nINSERT INTO `patients` VALUES (2,'x','SECRET','SECRET');\n";
    assert_not_sealed(&desk, &format!("{one}{renamed}"), &["line 4", "columns of table patients are not known"]);
    let harmless = "ALTER TABLE patients ADD CONSTRAINT c PRIMARY KEY (id);\nINSERT INTO `patients` VALUES (2,'SECRET','SECRET','x');\n";
    assert_sealed(&desk, &format!("{one}{harmless}"), "");
}

#[test]
fn tables_called_like_keywords_computed_columns_and_delimiters_are_followed() {
    let desk = desk_of_dumps();
    let create = "CREATE TABLE patients (id int, dis text, name text);\n";
    let rows = "INSERT INTO patients VALUES (2,'SECRET','SECRET');\n";
    let value = "CREATE TABLE value (a int, b int);\nINSERT INTO value VALUES(1,2);\nINSERT INTO main.value (a, b) VALUES (1,2);\n";
    assert_sealed(&desk, &format!("{create}{value}{rows}"), "");
    let computed =
        "CREATE TABLE patients (id int, g text GENERATED ALWAYS AS (upper(dis)) STORED, dis text, name text);\n";
    assert_sealed(&desk, &format!("PRAGMA foreign_keys=OFF;\nBEGIN TRANSACTION;\n{computed}{rows}COMMIT;\n"), "");
    for back in ["DELIMITER ; -- back", "DELIMITER\t;", "delimiter ;"] {
        let section = format!("DELIMITER //\nCREATE PROCEDURE p() BEGIN SELECT 1; END //\n{back}\n");
        assert_sealed(&desk, &format!("-- MySQL dump 10.13\n{create}{section}{rows}"), "");
    }
    let update = "INSERT INTO patients VALUES (2,'a','b') ON DUPLICATE KEY UPDATE dis = \"SECRET\";\n";
    assert_not_sealed(
        &desk,
        &format!("-- MySQL dump 10.13\n{create}{update}"),
        &["line 3", "a string behind the rows"],
    );
}

#[test]
fn dumps_that_were_joined_can_be_loaded_afterwards() {
    let desk = desk_of_dumps();
    let mut joined = String::new();
    for number in 1..=3 {
        let create = "CREATE TABLE IF NOT EXISTS patients (id int, dis text, name text);\n";
        desk.write(
            "part.sql",
            format!("{create}INSERT INTO patients VALUES ({number},'a','b'), (1{number},'c','d');\n"),
        );
        desk.done(&format!("ucrypt seal d.upolicy part.sql -o part-sealed.sql --record {number}"));
        joined += &desk.read("part-sealed.sql");
    }
    desk.write("joined.sql", joined);
    desk.done("ucrypt seal d.upolicy joined.sql -o more.sql --record 11");
    let database = Connection::open_in_memory().expect("a database");
    database.execute_batch(&desk.read("more.sql")).expect("a dump");
    let keys: i64 = database.query_row("SELECT count(*) FROM ucrypt_keys", [], |row| row.get(0)).expect("a number");
    assert_eq!(keys, 4);
    desk.done(&format!("ucrypt open d.upolicy more.sql -o opened.sql{}", with(&["doctor", "payer"])));
}

/// A dump whose names are not in the encoding that is presumed.
#[test]
fn columns_that_cannot_be_read_are_told_with_the_encoding() {
    let desk = desk();
    desk.write("old.sql", sql().chars().map(|one| if one == 'ó' { 0xf3 } else { one as u8 }).collect::<Vec<u8>>());
    let seal = "ucrypt seal p.upolicy old.sql -o out.sql --record 5";
    assert_refused(&desk, seal, 2, &["not text in UTF-8", "--encoding"]);
}

#[test]
fn a_filter_leaves_the_keys_of_cells_that_no_filter_drops() {
    let desk = sealed_desk();
    // In another table, in a row so long that the name of the key is cut in two by the pages of the database.
    for long in (3_900..4_100).step_by(4) {
        std::fs::copy(desk.path("sealed.db"), desk.path("long.db")).expect("a copy");
        let database = Connection::open(desk.path("long.db")).expect("a database");
        database.execute_batch("CREATE TABLE other (a, z, b)").expect("a table");
        let moved = "INSERT INTO other SELECT zeroblob(5000), \"Choroba\", zeroblob(?1) FROM pacjenci WHERE Id = 5";
        database.execute(moved, [long]).expect("a row");
        drop(database);
        desk.done("ucrypt filter long.db --drop --policy p.upolicy -o rest.db");
        let database = Connection::open(desk.path("rest.db")).expect("a database");
        let keys: i64 = database.query_row("SELECT count(*) FROM ucrypt_keys", [], |row| row.get(0)).expect("a table");
        assert_eq!(keys, 1, "{long}");
    }
    let outside = desk.read("sealed.xml");
    let start = outside.find("<UCRYPT ").expect("a cell");
    let end = outside.find("</UCRYPT>").expect("its end") + 9;
    let kid = outside.split_once("kid=\"").expect("a key").1[..8].to_owned();
    let escaped = outside[start..end].replace(&kid, &format!("&#{};{}", u32::from(kid.as_bytes()[0]), &kid[1..]));
    desk.write("outside.xml", outside.replace("</pacjenci>", &format!("<note>{escaped}</note></pacjenci>")));
    desk.done("ucrypt filter outside.xml --drop --policy p.upolicy -o rest.xml");
    assert!(desk.read("rest.xml").contains("<?ucrypt-key"));
}

#[test]
fn long_cells_of_a_database_are_found_without_a_policy() {
    let desk = desk_of_dumps();
    let database = Connection::open(desk.path("long.db")).expect("a database");
    let columns = (0..8).map(|number| format!(", c{number} TEXT")).collect::<Vec<_>>().concat();
    database
        .execute_batch(&format!("CREATE TABLE patients (id INTEGER, dis TEXT, name TEXT{columns})"))
        .expect("a table");
    let long = "x".repeat(2_000_000);
    for id in 1..=3 {
        let text = if id == 1 { long.as_str() } else { "gout" };
        database.execute("INSERT INTO patients (id, dis) VALUES (?1, ?2)", rusqlite::params![id, text]).expect("a row");
    }
    drop(database);
    desk.done("ucrypt seal d.upolicy long.db -o sealed.db --record 1 --record 2 --field dis");
    assert_eq!(desk.json("ucrypt inspect sealed.db", 0)["sealed"], 2);
    for (what, count) in [("--drop", 1), ("--only", 2)] {
        desk.done(&format!("ucrypt filter sealed.db {what} -o some.db"));
        let database = Connection::open(desk.path("some.db")).expect("a database");
        let rows: i64 = database.query_row("SELECT count(*) FROM patients", [], |row| row.get(0)).expect("a number");
        assert_eq!(rows, count, "{what}");
    }
}

/// The key of a table may tell apart what its column does not.
#[test]
fn records_that_only_their_primary_key_tells_apart_are_not_mixed_up() {
    let desk = desk_of_dumps();
    let database = Connection::open(desk.path("case.db")).expect("a database");
    let table =
        "CREATE TABLE patients (id TEXT COLLATE NOCASE, dis, name, PRIMARY KEY (id COLLATE BINARY)) WITHOUT ROWID;
        INSERT INTO patients VALUES ('A', 'upper', 'x'), ('a', 'lower', 'y'), ('b', 'bb', 'z');";
    database.execute_batch(table).expect("rows");
    drop(database);
    let rows = |name: &str| -> Vec<(String, String)> {
        let database = Connection::open(desk.path(name)).expect("a database");
        let mut statement =
            database.prepare("SELECT id, dis FROM patients ORDER BY id COLLATE BINARY").expect("a table");
        let rows = statement.query_map([], |row| Ok((row.get(0)?, row.get(1)?))).expect("rows");
        rows.collect::<Result<_, _>>().expect("rows")
    };
    desk.done("ucrypt seal d.upolicy case.db -o sealed.db --record A");
    assert_eq!(rows("sealed.db")[1], ("a".to_owned(), "lower".to_owned()));
    desk.done(&format!("ucrypt open d.upolicy sealed.db -o opened.db{}", with(&["doctor", "payer"])));
    assert_eq!(rows("opened.db"), rows("case.db"));
    desk.done("ucrypt filter sealed.db --drop -o rest.db");
    assert_eq!(rows("rest.db").len(), 2);
}
