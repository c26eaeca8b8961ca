//! The register in a database against counts that are made another way.

use proptest::prelude::*;
use rusqlite::Connection;
use std::collections::BTreeMap;
use std::time::Duration;
use tamis_appointments::{AnonymityVector, Method, SolveOptions};
use tamis_programme::ProgrammeError;
use tamis_programme::register::{AssignOptions, Assigned, Layout, Tables, assign, get_k};
use tamis_source::database::{Access, Database, OpenOptions, open};
use tempfile::TempDir;

/// A directory with a database.
struct Place {
    directory: TempDir,
}

impl Place {
    /// A database in which these statements were run.
    fn with(statements: &[String]) -> Self {
        let place = Self { directory: tempfile::tempdir().expect("a temporary directory") };
        place.connect().execute_batch(&format!("BEGIN; {}; COMMIT", statements.join("; "))).expect("statements");
        place
    }

    fn connect(&self) -> Connection {
        Connection::open(self.directory.path().join("people.db")).expect("SQLite")
    }

    fn open(&self, access: Access) -> Box<dyn Database> {
        let url = format!("sqlite:{}", self.directory.path().join("people.db").display());
        open(&url, &OpenOptions { access, wait: Duration::ZERO }).expect("a database")
    }

    /// All rows of two columns, as text.
    fn rows(&self, sql: &str) -> Vec<(String, String)> {
        let connection = self.connect();
        let mut statement = connection.prepare(sql).expect("a statement");
        let rows = statement.query_map([], |row| Ok((row.get(0)?, row.get(1)?))).expect("rows");
        rows.collect::<Result<_, _>>().expect("texts")
    }
}

fn one(name: &str) -> Tables {
    Tables { name: name.to_owned(), number: 1 }
}

/// How many pairs occur how often.
fn count(pairs: impl IntoIterator<Item = (String, String)>) -> BTreeMap<(String, String), u64> {
    let mut counts = BTreeMap::new();
    for pair in pairs {
        *counts.entry(pair).or_default() += 1;
    }
    counts
}

fn assign_by(place: &Place, method: Method, seed: u64) -> Result<Vec<Assigned>, ProgrammeError> {
    let options = AssignOptions {
        attributes: vec!["Q".to_owned()],
        layout: Layout::default(),
        may_add_columns: false,
        may_replace: false,
        method,
        solve: SolveOptions { seed, ..SolveOptions::default() },
    };
    assign(&mut *place.open(Access::Write), &one("p"), &options)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn k_is_that_of_an_independent_count(
        rows in prop::collection::vec((0_u8..5, prop::sample::select(vec!["man", "woman", "NULL"])), 1..60),
    ) {
        let mut statements = vec!["CREATE TABLE p (AGE INTEGER, SEX TEXT)".to_owned()];
        let insert = |(age, sex): &(u8, &str)| format!("INSERT INTO p VALUES ({age}, NULLIF('{sex}', 'NULL'))");
        statements.extend(rows.iter().map(insert));
        let place = Place::with(&statements);
        let found = get_k(&mut *place.open(Access::Read), &one("p"), &["age".to_owned(), "SEX".to_owned()])
            .expect("a table with rows");
        let groups = count(rows.iter().map(|(age, sex)| (age.to_string(), (*sex).to_owned())));
        prop_assert_eq!(&found.tables[0].vector, &AnonymityVector::of_sizes(groups.values().copied()));
        prop_assert_eq!(Some(&found.tables[0].k), groups.values().min());
        let with_nulls = rows.iter().filter(|row| row.1 == "NULL").count() as u64;
        prop_assert_eq!(found.tables[0].with_nulls, with_nulls);
    }

    #[test]
    fn appointments_are_within_capacities_and_as_anonymous_as_told(
        kinds in prop::collection::vec(0_u8..6, 1..50),
        capacities in prop::collection::vec(1_u64..12, 1..12),
        method in prop::sample::select(vec![Method::Exact, Method::Heuristic, Method::Authors]),
        seed in any::<u64>(),
    ) {
        let mut statements = vec![
            "CREATE TABLE p (ID TEXT, Q INTEGER, REC_RAND TEXT DEFAULT '-1', REC_INTELLIGENT INTEGER)".to_owned(),
            "CREATE TABLE p_resource (CAPACITY INTEGER, RESOURCE TEXT)".to_owned(),
        ];
        let insert = |(id, kind): (usize, &u8)| format!("INSERT INTO p (ID, Q) VALUES ('{id}x', {kind})");
        statements.extend(kinds.iter().enumerate().map(insert));
        let insert = |(slot, capacity): (usize, &u64)| format!("INSERT INTO p_resource VALUES ({capacity}, 's{slot}')");
        statements.extend(capacities.iter().enumerate().map(insert));
        let place = Place::with(&statements);
        let assigned = assign_by(&place, method, seed);
        if capacities.iter().sum::<u64>() < kinds.len() as u64 {
            let refusal = assigned.expect_err("too few places").to_string();
            prop_assert!(refusal.ends_with("places are missing"), "{}", refusal);
            return Ok(());
        }
        let assigned = &assigned.expect("enough places")[0];
        for (column, vector) in [("REC_RAND", &assigned.random), ("REC_INTELLIGENT", &assigned.intelligent)] {
            let written = place.rows(&format!("SELECT CAST(Q AS TEXT), {column} FROM p"));
            let cells = count(written.iter().cloned());
            prop_assert_eq!(vector, &AnonymityVector::of_sizes(cells.values().copied()));
            prop_assert_eq!(written.len(), kinds.len());
            prop_assert!(written.iter().all(|row| row.1.starts_with('s')), "everybody has one of the slots");
            for (slot, &capacity) in capacities.iter().enumerate() {
                let people = written.iter().filter(|row| row.1 == format!("s{slot}")).count() as u64;
                prop_assert!(people <= capacity, "{} people in slot {} of {}", people, slot, capacity);
            }
        }
        let before = count(kinds.iter().map(|kind| (kind.to_string(), String::new())));
        prop_assert_eq!(&assigned.before, &AnonymityVector::of_sizes(before.into_values()));
        prop_assert!(method != Method::Exact || assigned.intelligent <= assigned.random);
    }
}

#[test]
fn several_tables_have_a_mean_a_lowest_and_a_highest_k() {
    let statements: Vec<String> = [(0, 2), (1, 5), (2, 3)]
        .iter()
        .flat_map(|(number, people)| {
            let rows = vec!["(1)"; *people].join(", ");
            [format!("CREATE TABLE t{number} (Q)"), format!("INSERT INTO t{number} VALUES {rows}")]
        })
        .collect();
    let place = Place::with(&statements);
    let tables = Tables { name: "t".to_owned(), number: 3 };
    let found = get_k(&mut *place.open(Access::Read), &tables, &["Q".to_owned()]).expect("three tables");
    assert_eq!((found.mean(), found.min(), found.max()), (10.0 / 3.0, 2, 5));
}

#[test]
fn whoever_has_another_value_than_none_and_minus_one_has_an_appointment() {
    let place = Place::with(&[
        "CREATE TABLE p (ID, Q, REC_RAND, REC_INTELLIGENT)".to_owned(),
        "INSERT INTO p VALUES (1, 1, NULL, -1), (2, 1, '-1', 'Monday'), (3, 1, '', -1)".to_owned(),
        "CREATE TABLE p_resource (RESOURCE, CAPACITY)".to_owned(),
        "INSERT INTO p_resource VALUES (1, 3)".to_owned(),
    ]);
    let refusal = assign_by(&place, Method::Exact, 1).expect_err("Monday").to_string();
    assert!(refusal.starts_with("`p`: 1 row has an appointment"), "{refusal}");
}

#[test]
fn an_appointment_is_refused_as_a_whole_by_the_rules_of_the_table() {
    let place = Place::with(&[
        "CREATE TABLE p (ID, Q, REC_RAND, REC_INTELLIGENT CHECK (REC_INTELLIGENT < 3))".to_owned(),
        "INSERT INTO p VALUES (1, 1, -1, -1), (2, 1, -1, -1)".to_owned(),
        "CREATE TABLE p_resource (RESOURCE, CAPACITY)".to_owned(),
        "INSERT INTO p_resource VALUES (7, 2)".to_owned(),
    ]);
    let refusal = assign_by(&place, Method::Exact, 1).expect_err("a constraint").to_string();
    assert!(refusal.contains("CHECK constraint failed"), "{refusal}");
    let kept = place.rows("SELECT CAST(REC_RAND AS TEXT), CAST(REC_INTELLIGENT AS TEXT) FROM p");
    assert!(kept.iter().all(|row| (row.0.as_str(), row.1.as_str()) == ("-1", "-1")));
}
