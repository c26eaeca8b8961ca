//! What a database must do, asked of a real SQLite file and checked by SQL of its own.

use proptest::prelude::*;
use rusqlite::Connection;
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::time::Duration;
use tamis_source::database::{
    Access, ColumnType, Database, DatabaseError, Identifier, NewColumn, OpenOptions, Value, open,
};
use tempfile::TempDir;

/// A directory with a database.
struct Place {
    directory: TempDir,
}

impl Place {
    fn new() -> Self {
        Self { directory: tempfile::tempdir().expect("a temporary directory") }
    }

    /// A database in which these statements were run.
    fn with(statements: &str) -> Self {
        let place = Self::new();
        place.connect().execute_batch(statements).expect("statements");
        place
    }

    fn path(&self) -> PathBuf {
        self.directory.path().join("people.db")
    }

    fn connect(&self) -> Connection {
        Connection::open(self.path()).expect("SQLite")
    }

    fn open(&self, access: Access) -> Result<Box<dyn Database>, DatabaseError> {
        open(&format!("sqlite:{}", self.path().display()), &OpenOptions { access, wait: Duration::ZERO })
    }

    /// The sentence with which opening and beginning fail.
    fn refusal(&self, access: Access) -> String {
        let error = match self.open(access) {
            Ok(mut database) => database.begin().err().expect("a refusal"),
            Err(error) => error,
        };
        error.to_string().replace(&self.path().display().to_string(), "people.db")
    }
}

fn named(name: &str) -> Identifier {
    Identifier::new(name).expect(name)
}

mod names {
    use super::*;

    const NASTY: [&str; 7] =
        ["x\"; DROP TABLE y;--", "x'; DROP TABLE y;--", "código postal", "two words", "select", "p.\"size\"", "\"\""];

    #[test]
    fn are_names_whatever_they_look_like() {
        let place = Place::with("CREATE TABLE y (a); INSERT INTO y VALUES (1)");
        for table in NASTY {
            let mut database = place.open(Access::Write).expect("a database");
            let transaction = database.begin().expect("a transaction");
            let columns: Vec<NewColumn> =
                NASTY.iter().map(|name| NewColumn::new(named(name), ColumnType::Integer)).collect();
            let names: Vec<Identifier> = NASTY.iter().map(|name| named(name)).collect();
            let table = named(table);
            transaction.create_table(&table, &columns).expect("a new table");
            let rows = [1, 2, 2].map(|number| vec![Value::Integer(number); NASTY.len()]);
            transaction.insert(&table, &names, &mut rows.into_iter()).expect("new rows");
            transaction.add_column(&table, &NewColumn::new(named("; --"), ColumnType::Text)).expect("a new column");
            assert_eq!(transaction.columns(&table).expect("columns")[..NASTY.len()], NASTY);
            assert_eq!(transaction.group_sizes(&table, &names).expect("groups"), [(1, 1), (2, 1)]);
            assert_eq!(transaction.rows_with_nulls(&table, &names).expect("nulls"), 0);
            assert_eq!(transaction.repeated(&table, &names[0]).expect("repeated"), Some((Value::Integer(2), 2)));
            let new = ["it's"].map(|text| vec![Value::Integer(1), Value::from(text)]);
            transaction.update(&table, &names[0], &[named("; --")], &mut new.into_iter()).expect("an update");
            transaction.commit().expect("a commit");
        }
        let connection = place.connect();
        let kept: i64 = connection.query_row("SELECT COUNT(*) FROM y", [], |row| row.get(0)).expect("y is still there");
        assert_eq!(kept, 1);
        let written: String = connection
            .query_row("SELECT \"; --\" FROM \"x\"\"; DROP TABLE y;--\" WHERE \"select\" = 1", [], |row| row.get(0))
            .expect("the table with the nasty name");
        assert_eq!(written, "it's");
    }

    #[test]
    fn that_are_not_there_are_answered_with_those_that_are() {
        let place = Place::with("CREATE TABLE people (AGE, \"a\nb\"); CREATE VIEW elders AS SELECT * FROM people");
        let mut database = place.open(Access::Read).expect("a database");
        let transaction = database.begin().expect("a transaction");
        let table = transaction.find_table("peple").expect_err("no such table").to_string();
        assert!(table.ends_with("has no table `peple`; its tables are `elders`, `people`"), "{table}");
        let people = transaction.find_table("PEOPLE").expect("names in other case are found");
        assert_eq!(people.as_str(), "people");
        let column = transaction.find_column(&people, "ages").expect_err("no such column").to_string();
        assert_eq!(column, "the table `people` has no column `ages`; its columns are `AGE`, `a\\nb`");
        // A quoted name that no column has is a text to SQLite, unless it is told otherwise.
        assert!(transaction.group_sizes(&people, &[named("ages")]).is_err());
    }

    #[test]
    fn with_control_characters_or_nothing_are_refused() {
        for name in ["", "a\0b", "a\nb", "\u{1b}[31m"] {
            assert!(Identifier::new(name).is_err(), "{name:?}");
        }
    }
}

mod files {
    use super::*;

    #[test]
    fn that_do_not_exist_are_made_only_when_asked_for_and_filled() {
        let place = Place::new();
        assert_eq!(place.refusal(Access::Read), "there is no database `people.db`; check the path");
        assert_eq!(place.refusal(Access::Write), "there is no database `people.db`; check the path");
        assert!(!place.path().exists());
        drop(place.open(Access::Create).expect("a database").begin().expect("a transaction"));
        assert!(!place.path().exists(), "nothing was committed, so nothing is left");
        let mut database = place.open(Access::Create).expect("a database");
        let transaction = database.begin().expect("a transaction");
        transaction.create_table(&named("t"), &[NewColumn::new(named("a"), ColumnType::Key)]).expect("a table");
        transaction.commit().expect("a commit");
        drop(database);
        assert!(place.path().exists());
    }

    #[test]
    fn in_a_directory_that_does_not_exist_are_refused() {
        let place = Place::new();
        let url = format!("sqlite:{}", place.directory.path().join("nowhere/people.db").display());
        let options = OpenOptions { access: Access::Create, ..OpenOptions::default() };
        let refusal = open(&url, &options).err().expect("a refusal").to_string();
        assert!(refusal.contains("there is no directory") && refusal.contains("create it"), "{refusal}");
    }

    #[test]
    fn of_another_kind_are_refused() {
        let place = Place::new();
        std::fs::write(place.path(), "name,age\n".repeat(200)).expect("a file");
        for access in [Access::Read, Access::Write, Access::Create] {
            assert_eq!(place.refusal(access), "`people.db` is not a SQLite database; check the path");
        }
        std::fs::remove_file(place.path()).expect("removed");
        std::fs::create_dir(place.path()).expect("a directory");
        assert!(place.refusal(Access::Read).starts_with("cannot open the database `people.db`: it is a directory"));
    }

    #[test]
    fn that_somebody_else_is_writing_are_refused_after_the_wait() {
        let place = Place::with("CREATE TABLE people (AGE)");
        let other = place.connect();
        other.execute_batch("BEGIN EXCLUSIVE").expect("a lock");
        for access in [Access::Read, Access::Write] {
            let refusal = place.refusal(access);
            assert!(refusal.starts_with("the database `people.db` is being written by another program"), "{refusal}");
        }
        other.execute_batch("ROLLBACK").expect("an unlock");
        place.open(Access::Write).expect("a database").begin().expect("a transaction");
    }

    #[test]
    fn that_are_read_only_can_be_read() {
        let place = Place::with("CREATE TABLE people (AGE)");
        // The header says that only a later version of SQLite may write to this file.
        let mut bytes = std::fs::read(place.path()).expect("a file");
        bytes[18] = 9;
        std::fs::write(place.path(), bytes).expect("a file");
        let refusal = place.refusal(Access::Write);
        assert!(refusal.starts_with("the database `people.db` is read-only"), "{refusal}");
        place.open(Access::Read).expect("a database").begin().expect("a transaction");
    }
}

mod changes {
    use super::*;

    fn texts(place: &Place, sql: &str) -> Vec<String> {
        let connection = place.connect();
        let mut statement = connection.prepare(sql).expect("a statement");
        let rows = statement.query_map([], |row| row.get(0)).expect("rows");
        rows.collect::<Result<_, _>>().expect("texts")
    }

    #[test]
    fn appear_together_or_not_at_all() {
        let place = Place::with("CREATE TABLE people (ID INTEGER PRIMARY KEY); INSERT INTO people VALUES (1)");
        let mut database = place.open(Access::Write).expect("a database");
        let (people, id) = (named("people"), named("ID"));
        let transaction = database.begin().expect("a transaction");
        transaction.drop_table(&people).expect("dropped");
        drop(transaction);
        let transaction = database.begin().expect("a transaction");
        let rows = [2, 3, 1].map(|id| vec![Value::Integer(id)]);
        let failed = transaction.insert(&people, &[id], &mut rows.into_iter());
        assert!(failed.expect_err("1 is taken").to_string().contains("UNIQUE"));
        drop(transaction);
        assert_eq!(texts(&place, "SELECT CAST(ID AS TEXT) FROM people"), ["1"]);
    }

    #[test]
    fn reach_each_row_by_its_key_without_an_index() {
        for (kind, keys) in [
            ("INTEGER", ["1", "2", "10"]),
            ("TEXT", ["'1'", "'01'", "'1.0'"]),
            ("", ["1", "'1'", "x'31'"]),
            ("TEXT COLLATE NOCASE", ["'ana'", "'bob'", "'ann'"]),
            ("REAL", ["0.5", "1", "1e300"]),
        ] {
            let values = keys.map(|key| format!("({key}, NULL)")).join(", ");
            let place = Place::with(&format!("CREATE TABLE p (ID {kind}, SLOT TEXT); INSERT INTO p VALUES {values}"));
            let mut database = place.open(Access::Write).expect("a database");
            let transaction = database.begin().expect("a transaction");
            let (table, id, slot) = (named("p"), named("ID"), named("SLOT"));
            let mut rows = Vec::new();
            transaction.each_row(&table, std::slice::from_ref(&id), &mut |values| rows.push(values)).expect("rows");
            for (number, row) in rows.iter_mut().enumerate() {
                row.push(Value::Text(format!("slot {number}")));
            }
            transaction.update(&table, &id, &[slot], &mut rows.into_iter()).expect(kind);
            transaction.commit().expect("a commit");
            assert_eq!(texts(&place, "SELECT SLOT FROM p ORDER BY ID"), ["slot 0", "slot 1", "slot 2"], "{kind}");
            assert_eq!(texts(&place, "SELECT name FROM sqlite_schema"), ["p"], "nothing else is left");
        }
    }

    #[test]
    fn that_miss_their_row_or_reach_two_are_refused() {
        let place = Place::with("CREATE TABLE p (ID, SLOT); INSERT INTO p VALUES (1, 0), (2, 0), (2, 0)");
        for keys in [vec![3], vec![2], vec![1, 3]] {
            let mut database = place.open(Access::Write).expect("a database");
            let transaction = database.begin().expect("a transaction");
            let mut rows = keys.iter().map(|&key| vec![Value::Integer(key), Value::Integer(7)]);
            let refused = transaction.update(&named("p"), &named("ID"), &[named("SLOT")], &mut rows);
            assert!(matches!(refused, Err(DatabaseError::NotEachOnce { .. })), "{keys:?}: {refused:?}");
        }
        assert_eq!(texts(&place, "SELECT DISTINCT CAST(SLOT AS TEXT) FROM p"), ["0"]);
    }

    #[test]
    fn keep_values_as_they_are() {
        let place = Place::with("CREATE TABLE p (a, b)");
        let values = [
            Value::Null,
            Value::Integer(i64::MIN),
            Value::Real(0.1),
            Value::from("'; DROP TABLE p; --"),
            Value::Bytes(vec![0, 255]),
        ];
        let mut database = place.open(Access::Write).expect("a database");
        let transaction = database.begin().expect("a transaction");
        let columns = [named("a"), named("b")];
        let mut rows = (0..).zip(&values).map(|(at, value)| vec![Value::Integer(at), value.clone()]);
        transaction.insert(&named("p"), &columns, &mut rows).expect("new rows");
        let mut read = Vec::new();
        transaction.each_row(&named("p"), &columns, &mut |row| read.extend(row.into_iter().nth(1))).expect("rows");
        assert_eq!(read, values);
    }

    #[test]
    fn text_that_is_not_utf8_is_told_by_its_column() {
        let place = Place::with("CREATE TABLE p (a); INSERT INTO p VALUES (CAST(x'FF' AS TEXT))");
        let mut database = place.open(Access::Read).expect("a database");
        let transaction = database.begin().expect("a transaction");
        let refused = transaction.each_row(&named("p"), &[named("a")], &mut |_| {}).expect_err("not text");
        assert!(refused.to_string().contains("column `a` that is not UTF-8"), "{refused}");
    }
}

/// A field as SQL writes it: few values, so that groups form.
fn literal() -> impl Strategy<Value = &'static str> {
    prop::sample::select(vec!["NULL", "1", "2", "'1'", "''", "'man'", "'MAN'", "2.5", "x'00'"])
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn groups_are_rows_with_the_same_values(rows in prop::collection::vec((literal(), literal()), 0..40)) {
        let mut statements = vec!["BEGIN; CREATE TABLE p (ID INTEGER PRIMARY KEY, size, p)".to_owned()];
        let mut expected: BTreeMap<(&str, &str), Vec<i64>> = BTreeMap::new();
        for (id, &(left, right)) in (1_i64..).zip(&rows) {
            statements.push(format!("INSERT INTO p VALUES ({id}, {left}, {right})"));
            expected.entry((left, right)).or_default().push(id);
        }
        let place = Place::with(&format!("{}; COMMIT", statements.join("; ")));
        let mut database = place.open(Access::Read).expect("a database");
        let transaction = database.begin().expect("a transaction");
        let (table, columns) = (named("p"), [named("size"), named("p")]);

        let mut sizes: BTreeMap<u64, u64> = BTreeMap::new();
        for ids in expected.values() {
            *sizes.entry(ids.len() as u64).or_default() += 1;
        }
        prop_assert_eq!(transaction.group_sizes(&table, &columns).expect("sizes"), Vec::from_iter(sizes));

        let mut groups: Vec<Vec<i64>> = Vec::new();
        transaction.each_grouped_row(&table, &columns, &[named("ID")], &mut |group, values| {
            groups.resize_with(groups.len().max(group + 1), Vec::new);
            if let [Value::Integer(id)] = values[..] { groups[group].push(id); }
        }).expect("rows");
        groups.sort();
        let mut expected_groups: Vec<Vec<i64>> = expected.into_values().collect();
        expected_groups.sort();
        prop_assert_eq!(groups, expected_groups);

        let with_nulls = rows.iter().filter(|row| row.0 == "NULL" || row.1 == "NULL").count() as u64;
        prop_assert_eq!(transaction.rows_with_nulls(&table, &columns).expect("nulls"), with_nulls);
        prop_assert_eq!(transaction.count_rows(&table).expect("rows"), rows.len() as u64);
    }
}
