//! What `tamis appointments database` promises, checked by SQL of its own on real SQLite files.

use crate::program::{Desk, Ran};
use rusqlite::Connection;
use serde_json::{Value, json};

/// A desk with a database in which these statements were run.
fn desk_with(statements: &str) -> Desk {
    let desk = Desk::new();
    connect(&desk).execute_batch(&format!("BEGIN; {statements}; COMMIT")).expect("statements");
    desk
}

fn connect(desk: &Desk) -> Connection {
    Connection::open(desk.path("people.db")).expect("SQLite")
}

/// The first column of an answer, as whole numbers.
fn numbers(desk: &Desk, sql: &str) -> Vec<i64> {
    let connection = connect(desk);
    let mut statement = connection.prepare(sql).unwrap_or_else(|error| panic!("{sql}: {error}"));
    let rows = statement.query_map([], |row| row.get(0)).expect("rows");
    rows.collect::<Result<_, _>>().unwrap_or_else(|error| panic!("{sql}: {error}"))
}

/// The arguments of a command on `people.db`.
fn on_people(command: &str) -> String {
    let (verb, rest) = command.split_once(' ').unwrap_or((command, ""));
    format!("appointments database {verb} --database sqlite:people.db {rest}")
}

fn json(desk: &Desk, command: &str) -> Value {
    desk.json(&on_people(command), 0)
}

/// The vector of a table by an independent count: sizes of the groups of rows with the same values, one by one.
fn vector(desk: &Desk, table: &str, columns: &str) -> Vec<u64> {
    let sizes = numbers(desk, &format!("SELECT COUNT(*) FROM {table} GROUP BY {columns}"));
    let largest = sizes.iter().max().copied().unwrap_or(0);
    (1..=largest).map(|size| sizes.iter().filter(|&&found| found == size).count() as u64).collect()
}

/// How many slots hold more people than they take, or are no slots.
fn overfull(desk: &Desk, table: &str, column: &str) -> Vec<i64> {
    numbers(
        desk,
        &format!(
            "SELECT p.{column} FROM {table} p LEFT JOIN {table}_resource r ON r.RESOURCE = p.{column} \
             GROUP BY p.{column} HAVING MAX(r.CAPACITY) IS NULL OR COUNT(*) > MAX(r.CAPACITY)"
        ),
    )
}

/// How many vectors of so many people are less anonymous, by looking at all of them.
fn index_among_vectors(people: u64, vector: &[u64]) -> f64 {
    fn vectors(people: u64, smallest: u64) -> Vec<Vec<u64>> {
        if people == 0 {
            return vec![Vec::new()];
        }
        let with_smallest = |size: u64| {
            vectors(people - size, size).into_iter().map(move |mut rest| {
                rest.resize(rest.len().max(size as usize), 0);
                rest[size as usize - 1] += 1;
                rest
            })
        };
        (smallest..=people).flat_map(with_smallest).collect()
    }
    vectors(people, 1).iter().filter(|other| other.as_slice() > vector).count() as f64
}

/// The people of the paper's running example: four kinds, of 4, 4, 5 and 2 people, and five slots.
fn running_example() -> String {
    let kinds = [("A", 4), ("B", 4), ("C", 5), ("D", 2)];
    let kinds = kinds.iter().flat_map(|&(kind, people)| std::iter::repeat_n(kind, people));
    let people: Vec<String> = kinds.enumerate().map(|(id, kind)| format!("({id}, '{kind}', NULL, NULL)")).collect();
    format!(
        "CREATE TABLE example (ID INTEGER PRIMARY KEY, Q TEXT, REC_RAND INTEGER, REC_INTELLIGENT INTEGER);
         INSERT INTO example VALUES {};
         CREATE TABLE example_resource (RESOURCE INTEGER, CAPACITY INTEGER);
         INSERT INTO example_resource VALUES (1, 4), (2, 2), (3, 4), (4, 3), (5, 2)",
        people.join(", ")
    )
}

mod the_story {
    use super::*;

    #[test]
    fn of_several_tables_from_making_them_up_to_appointments() {
        let desk = Desk::new();
        let made = json(
            &desk,
            "generate-tables --table tabla --tables 3 --population 200 --ages spain --sex woman --min-age 45 --max-age 69 \
             --postcodes 4 --seed 11",
        );
        assert_eq!(made["tables"][2], json!({ "table": "tabla2", "people": 200 }));
        assert_eq!(made["seed"], 11);
        for table in ["tabla0", "tabla1", "tabla2"] {
            let wrong = format!(
                "SELECT COUNT(*) FROM {table} WHERE SEX <> 'woman' OR AGE NOT BETWEEN 45 AND 69 \
                 OR CP NOT BETWEEN 28000 AND 28003 OR REC_RAND <> -1 OR REC_INTELLIGENT <> -1"
            );
            assert_eq!(numbers(&desk, &wrong), [0]);
            assert_eq!(numbers(&desk, &format!("SELECT ID FROM {table}")), (0..200).collect::<Vec<_>>());
        }
        let different = "SELECT COUNT(*) FROM (SELECT ID, AGE, CP FROM tabla0 EXCEPT SELECT ID, AGE, CP FROM tabla1)";
        assert!(numbers(&desk, different)[0] > 100, "every table has people of its own");

        let found = json(&desk, "get-k --table tabla --tables 3 --attributes AGE,CP");
        for (number, table) in found["tables"].as_array().expect("a list").iter().enumerate() {
            let expected = vector(&desk, &format!("tabla{number}"), "AGE, CP");
            assert_eq!(table["vector"], json!(expected));
            assert_eq!(table["k"], json!(expected.iter().position(|&groups| groups > 0).map(|at| at + 1)));
            assert_eq!((&table["people"], &table["classes"]), (&json!(200), &json!(expected.iter().sum::<u64>())));
        }

        let slots = json(
            &desk,
            "generate-resources --table tabla --tables 3 --resources 5 --min-capacity 10 --max-capacity 25 --seed 11",
        );
        for (number, table) in slots["tables"].as_array().expect("a list").iter().enumerate() {
            let name = format!("tabla{number}_resource");
            let capacities = numbers(&desk, &format!("SELECT CAPACITY FROM {name} ORDER BY RESOURCE"));
            assert_eq!(
                numbers(&desk, &format!("SELECT RESOURCE FROM {name}")),
                (0_i64..).take(capacities.len()).collect::<Vec<_>>()
            );
            assert!(capacities.len() >= 8 && capacities.iter().all(|capacity| (10..=25).contains(capacity)));
            assert_eq!(table["places"], json!(capacities.iter().sum::<i64>()));
            assert!(table["places"].as_i64() >= Some(200), "more slots are made until there is room for everybody");
            assert_eq!(table["people"], 200, "counted in the table");
        }

        let assigned = json(&desk, "assign --table tabla --tables 3 --attributes AGE,CP --seed 11");
        for (number, table) in assigned["tables"].as_array().expect("a list").iter().enumerate() {
            let name = format!("tabla{number}");
            assert_eq!(table["before"]["vector"], found["tables"][number]["vector"]);
            assert_eq!(table["random"]["vector"], json!(vector(&desk, &name, "AGE, CP, REC_RAND")));
            assert_eq!(table["intelligent"]["vector"], json!(vector(&desk, &name, "AGE, CP, REC_INTELLIGENT")));
            assert!(overfull(&desk, &name, "REC_RAND").is_empty());
            assert!(overfull(&desk, &name, "REC_INTELLIGENT").is_empty());
            let ones = |kind: &str| table[kind]["vector"][0].as_u64().expect("a number");
            assert!(ones("intelligent") < ones("random"), "{table}");
        }

        let after = json(&desk, "get-k --table tabla --tables 3 --attributes AGE,CP,REC_INTELLIGENT");
        for number in 0..3 {
            assert_eq!(after["tables"][number]["vector"], assigned["tables"][number]["intelligent"]["vector"]);
        }
    }

    #[test]
    fn of_one_table_which_keeps_its_name() {
        let desk = Desk::new();
        json(&desk, "generate-tables --table tabla --tables 1 --population 20 --seed 1");
        json(&desk, "generate-resources --table tabla --seed 1");
        json(&desk, "assign --table tabla --attributes AGE,CP,SEX --seed 1");
        assert_eq!(numbers(&desk, "SELECT COUNT(*) FROM tabla WHERE REC_RAND >= 0 AND REC_INTELLIGENT >= 0"), [20]);
        assert_eq!(numbers(&desk, "SELECT COUNT(*) FROM sqlite_schema WHERE type = 'table'"), [2]);
    }

    #[test]
    fn is_the_same_for_the_same_seed_and_another_for_another() {
        let told = |seed: u64| {
            let desk = Desk::new();
            json(&desk, &format!("generate-tables --table t --population 60 --seed {seed}"));
            json(&desk, &format!("generate-resources --table t --seed {seed}"));
            json(&desk, &format!("assign --table t --attributes CP,SEX --seed {seed}"));
            let rows = "SELECT AGE * 10000000 + (CP - 28000) * 1000000 + REC_RAND * 1000 + REC_INTELLIGENT FROM t";
            (numbers(&desk, rows), numbers(&desk, "SELECT CAPACITY FROM t_resource"))
        };
        assert_eq!(told(5), told(5));
        assert_ne!(told(5), told(6));
    }
}

mod the_running_example {
    use super::*;

    #[test]
    fn ends_in_the_optimum_of_the_paper() {
        let desk = desk_with(&running_example());
        let before = json(&desk, "get-k --table example --attributes Q");
        assert_eq!((&before["tables"][0]["k"], &before["tables"][0]["vector"]), (&json!(2), &json!([0, 1, 0, 2, 1])));
        let assigned = json(&desk, "assign --table example --attributes Q --method exact --seed 3");
        let table = &assigned["tables"][0];
        assert_eq!((&table["before"]["k"], &table["before"]["vector"]), (&json!(2), &json!([0, 1, 0, 2, 1])));
        assert_eq!((&table["intelligent"]["k"], &table["intelligent"]["vector"]), (&json!(2), &json!([0, 2, 1, 2])));
        assert_eq!((&table["method"], &table["ranking"]), (&json!("exact"), &json!("exact")));
        let index = |vector: &Value| {
            let cells: Vec<String> = vector.as_array().expect("a list").iter().map(Value::to_string).collect();
            index_among_vectors(15, &cells.iter().map(|cells| cells.parse().expect("a number")).collect::<Vec<_>>())
        };
        let [before, random, best] = ["before", "random", "intelligent"].map(|kind| index(&table[kind]["vector"]));
        assert_eq!(table["intelligent"]["index"], json!(best.to_string()));
        let found = table["improvement"].as_f64().expect("a number");
        assert!((found - (best - random) / before).abs() < 1e-12, "{found}: {before} {random} {best}");
        assert_eq!(assigned["mean_improvement"], table["improvement"]);
        assert_eq!((&table["optimal"], &table["people"], &table["places"]), (&json!(true), &json!(15), &json!(15)));
        assert_eq!(vector(&desk, "example", "Q, REC_INTELLIGENT"), [0, 2, 1, 2]);
        assert!(overfull(&desk, "example", "REC_INTELLIGENT").is_empty());
        assert!(overfull(&desk, "example", "REC_RAND").is_empty());
    }

    #[test]
    fn is_told_in_a_table() {
        let desk = desk_with(&running_example());
        let shown = desk.done(&on_people("assign --table example --attributes Q --seed 3"));
        let lines: Vec<Vec<&str>> = shown.out.lines().map(|line| line.split_whitespace().collect()).collect();
        assert!(lines.contains(&vec!["example", "none", "2", "(0,1,0,2,1)"]), "{}", shown.out);
        assert!(lines.contains(&vec!["example", "by", "Tamis", "2", "(0,2,1,2)"]), "{}", shown.out);
        assert!(
            shown.out.contains("`example`: k = 2: ") && shown.out.contains("no schedule is more anonymous"),
            "{}",
            shown.out
        );
        let k = desk.done(&on_people("get-k --table example --attributes Q,REC_INTELLIGENT"));
        assert!(k.out.contains("(0,2,1,2)"), "{}", k.out);
    }

    #[test]
    fn can_have_other_names_for_everything() {
        let statements = running_example()
            .replace("ID INTEGER PRIMARY KEY", "\"tarjeta sanitaria\" TEXT")
            .replace("Q TEXT", "\"grupo \"\"Q\"\"\" TEXT")
            .replace(", REC_RAND INTEGER, REC_INTELLIGENT INTEGER", "")
            .replace(", NULL, NULL)", ")")
            .replace("RESOURCE INTEGER, CAPACITY", "\"día\" TEXT, plazas")
            .replace("(1, 4)", "('lunes; ''-- ', 4)");
        let desk = desk_with(&statements);
        let arguments = [
            "appointments",
            "database",
            "assign",
            "--database",
            "sqlite:people.db",
            "--table",
            "example",
            "--attributes",
            "grupo \"Q\"",
            "--key",
            "tarjeta sanitaria",
            "--random-column",
            "al azar",
            "--intelligent-column",
            "cita",
            "--resource-column",
            "día",
            "--capacity-column",
            "plazas",
            "--seed",
            "1",
        ];
        let refused = desk.tamis_with(&arguments);
        assert_eq!(refused.code, 2);
        assert!(
            refused.err.contains("has no column `al azar`") && refused.err.contains("--add-columns"),
            "{refused:?}"
        );
        let done = desk.tamis_with(&[&arguments[..], &["--add-columns"]].concat());
        assert_eq!(done.code, 0, "{done:?}");
        assert_eq!(vector(&desk, "example", "\"grupo \"\"Q\"\"\", cita"), [0, 2, 1, 2]);
        assert_eq!(numbers(&desk, "SELECT COUNT(*) FROM example WHERE \"cita\" = 'lunes; ''-- '"), [4]);
    }
}

mod many_people {
    use super::*;

    #[test]
    fn have_vectors_that_fit_a_line() {
        let desk = Desk::new();
        json(&desk, "generate-tables --table p --population 20000 --seed 1");
        let shown = desk.done(&on_people("get-k --table p --attributes AGE,CP"));
        let line = shown.out.lines().find(|line| line.starts_with("p ")).expect("a line");
        assert!(line.len() < 150 && line.contains(",... up to "), "{line}");
    }

    #[test]
    fn take_one_pass_without_an_index_on_the_key() {
        let desk = desk_with(
            "CREATE TABLE p (ID TEXT, Q INTEGER, REC_RAND, REC_INTELLIGENT);
             WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 100000)
             INSERT INTO p SELECT 'person ' || i, i % 97, -1, -1 FROM n;
             CREATE TABLE p_resource (RESOURCE, CAPACITY);
             WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 250)
             INSERT INTO p_resource SELECT 'slot ' || i, 401 + i % 7 FROM n",
        );
        let assigned = json(&desk, "assign --table p --attributes Q --method half --seed 1");
        assert_eq!(assigned["tables"][0]["people"], 100_000);
        assert_eq!(assigned["tables"][0]["intelligent"]["vector"], json!(vector(&desk, "p", "Q, REC_INTELLIGENT")));
        assert!(overfull(&desk, "p", "REC_RAND").is_empty() && overfull(&desk, "p", "REC_INTELLIGENT").is_empty());
    }
}

/// Runs a command that must be refused with these words, print the same as JSON and leave the database as it was.
fn refused(desk: &Desk, command: &str, words: &[&str]) -> Ran {
    let before = desk.listing();
    let ran = desk.tamis(&on_people(command));
    assert_eq!(ran.code, 2, "{command}: {ran:?}");
    assert!(ran.out.is_empty(), "{command}: {ran:?}");
    for word in words {
        assert!(ran.err.contains(word), "{command} does not say `{word}`: {}", ran.err);
    }
    assert_eq!(desk.listing(), before, "{command} changes something");
    ran
}

mod bad_input {
    use super::*;

    #[test]
    fn names_that_are_not_there() {
        let desk = desk_with(&running_example());
        refused(
            &desk,
            "get-k --table exampel --attributes Q",
            &["no table `exampel`", "`example`, `example_resource`"],
        );
        refused(&desk, "get-k --table example --tables 2 --attributes Q", &["no table `example0`"]);
        refused(&desk, "get-k --table example --attributes AGE", &["no column `AGE`", "`ID`, `Q`, `REC_RAND`"]);
        refused(&desk, "assign --table example --attributes Q --key PERSON", &["no column `PERSON`"]);
        refused(&desk, "generate-resources --table nobody", &["no table `nobody`"]);
        let document = desk.json(&on_people("get-k --table nobody --attributes Q"), 2);
        assert!(document["error"].as_str().is_some_and(|error| error.contains("no table `nobody`")));
    }

    #[test]
    fn nasty_names_do_no_harm() {
        let desk = desk_with(&running_example());
        for name in ["x\"; DROP TABLE example;--", "x'; DROP TABLE example;--", "example; --"] {
            let database = ["appointments", "database", "get-k", "--database", "sqlite:people.db", "--table"];
            let as_table = desk.tamis_with(&[&database[..], &[name, "--attributes", "Q"]].concat());
            let as_column = desk.tamis_with(&[&database[..], &["example", "--attributes", name]].concat());
            assert_eq!((as_table.code, as_column.code), (2, 2), "{as_table:?} {as_column:?}");
            assert!(as_table.err.contains("has no table") && as_column.err.contains("has no column"));
            let make = ["appointments", "database", "generate-tables", "--database", "sqlite:people.db", "--seed", "1"];
            let ran = desk.tamis_with(&[&make[..], &["--table", name]].concat());
            assert_eq!(ran.code, 0, "{ran:?}");
        }
        assert_eq!(numbers(&desk, "SELECT COUNT(*) FROM example"), [15]);
        assert_eq!(numbers(&desk, "SELECT COUNT(*) FROM \"x\"\"; DROP TABLE example;--\""), [100]);
    }

    #[test]
    fn databases_that_cannot_be_used() {
        let desk = Desk::new();
        desk.write("people.csv", "name,age\n".repeat(100));
        for (url, words) in [
            ("people.db", "write sqlite:people.db"),
            ("postgres://me:secret@host/db", "`postgres:` databases cannot be opened yet"),
            ("mysql:db", "`mysql:` databases cannot be opened yet"),
            ("oracle:db", "there is no kind of database `oracle:`"),
            ("sqlite:nofile.db", "there is no database `nofile.db`"),
            ("sqlite:people.csv", "`people.csv` is not a SQLite database"),
            ("sqlite:.", "it is a directory"),
            ("sqlite:", "`sqlite:` names no file"),
        ] {
            let before = desk.listing();
            for command in ["get-k --attributes Q", "assign --attributes Q", "generate-resources"] {
                let ran = desk.tamis(&format!("appointments database {command} --table t --database {url}"));
                assert_eq!(ran.code, 2, "{url}: {ran:?}");
                assert!(ran.err.contains(words) && !ran.err.contains("secret"), "{url}: {}", ran.err);
            }
            assert_eq!(desk.listing(), before, "{url}");
        }
    }

    #[test]
    fn a_database_that_another_program_is_writing() {
        let desk = desk_with(&running_example());
        let other = connect(&desk);
        other.execute_batch("BEGIN EXCLUSIVE").expect("a lock");
        for command in
            ["get-k --table example --attributes Q --wait 0", "assign --table example --attributes Q --wait 0"]
        {
            let ran = desk.tamis(&on_people(command));
            assert_eq!(ran.code, 2, "{ran:?}");
            assert!(ran.err.contains("`people.db` is being written by another program"), "{}", ran.err);
        }
    }

    #[test]
    fn numbers_that_make_no_sense() {
        let desk = desk_with(&running_example());
        for (command, words) in [
            ("generate-tables --table t --population 0", "the number of people is 0"),
            ("generate-tables --table t --population -5", "-5"),
            ("generate-tables --table t --tables 0", "0"),
            (
                "generate-tables --table t --min-age 50 --max-age 40",
                "the minimum age is 50; give one up to the maximum age, 40",
            ),
            ("generate-tables --table t --postcodes 0", "the number of postcodes is 0"),
            ("generate-tables --table t --ages spain --min-age 120 --max-age 130", "the pyramid ends at"),
            ("generate-resources --table example --resources 0", "the number of slots is 0"),
            ("generate-resources --table example --resources -1", "-1"),
            (
                "generate-resources --table example --min-capacity 9 --max-capacity 8 --replace",
                "the smallest capacity is 9",
            ),
            ("generate-resources --table example --min-capacity 0 --replace", "the smallest capacity is 0"),
            ("assign --table example --attributes Q --time-limit -1", "--time-limit is -1"),
            ("get-k --table example --attributes Q --wait -1", "--wait -1"),
        ] {
            refused(&desk, command, &[words]);
        }
    }

    #[test]
    fn numbers_that_make_no_sense_leave_no_file() {
        let desk = Desk::new();
        refused(&desk, "generate-tables --table t --min-age 50 --max-age 40", &["the minimum age"]);
        refused(&desk, "generate-tables --table t --population 999999999999", &["the number of people"]);
    }

    #[test]
    fn tables_and_appointments_that_are_there_already() {
        let desk = desk_with(&running_example());
        refused(&desk, "generate-tables --table EXAMPLE", &["has a table `example` already", "--replace"]);
        refused(&desk, "generate-resources --table example", &["has a table `example_resource` already", "--replace"]);
        json(&desk, "assign --table example --attributes Q --seed 1");
        refused(
            &desk,
            "assign --table example --attributes Q",
            &["`example`: 15 rows have an appointment", "--replace"],
        );
        json(&desk, "assign --table example --attributes Q --seed 1 --replace");
        json(&desk, "generate-tables --table example --population 30 --replace");
        assert_eq!(numbers(&desk, "SELECT COUNT(*) FROM example"), [30]);
        json(&desk, "generate-resources --table example --replace");
        assert!(numbers(&desk, "SELECT SUM(CAPACITY) FROM example_resource")[0] >= 30);
    }

    #[test]
    fn too_few_places_in_the_last_of_several_tables_leave_all_as_they_were() {
        let desk = Desk::new();
        json(&desk, "generate-tables --table t --tables 2 --population 40 --seed 1");
        json(&desk, "generate-resources --table t --tables 2 --seed 1");
        connect(&desk).execute("DELETE FROM t1_resource WHERE RESOURCE > 0", []).expect("fewer slots");
        let places = numbers(&desk, "SELECT SUM(CAPACITY) FROM t1_resource")[0];
        let missing =
            format!("`t1`: the slots take {places} people, but there are 40: {} places are missing", 40 - places);
        refused(&desk, "assign --table t --tables 2 --attributes AGE", &[&missing]);
        assert_eq!(numbers(&desk, "SELECT COUNT(*) FROM t0 WHERE REC_RAND <> -1"), [0]);
    }

    #[test]
    fn slots_and_keys_that_are_not_as_they_should_be() {
        for (change, words) in [
            ("UPDATE example_resource SET CAPACITY = 0 WHERE RESOURCE = 2", "`CAPACITY` of slot 2 is 0"),
            ("UPDATE example_resource SET CAPACITY = -3 WHERE RESOURCE = 2", "`CAPACITY` of slot 2 is -3"),
            ("UPDATE example_resource SET CAPACITY = 'many' WHERE RESOURCE = 2", "`CAPACITY` of slot 2 is many"),
            ("UPDATE example_resource SET CAPACITY = NULL WHERE RESOURCE = 2", "`CAPACITY` of slot 2 is NULL"),
            ("UPDATE example_resource SET CAPACITY = 9223372036854775807", "too large"),
            ("UPDATE example_resource SET RESOURCE = 1 WHERE RESOURCE = 2", "2 rows have 1 in `RESOURCE`"),
            ("UPDATE example_resource SET RESOURCE = NULL WHERE RESOURCE = 2", "1 row has no value in `RESOURCE`"),
            ("DELETE FROM example_resource", "there is no slot to go to"),
            ("DROP TABLE example_resource", "no table `example_resource`"),
            ("DELETE FROM example", "the table `example` has no rows"),
            ("ALTER TABLE example DROP COLUMN REC_RAND", "no column `REC_RAND`"),
        ] {
            let desk = desk_with(&format!("{}; {change}", running_example()));
            refused(&desk, "assign --table example --attributes Q", &[words]);
        }
        let desk = desk_with(&running_example());
        refused(&desk, "assign --table example --attributes Q --key Q", &["4 rows have A in `Q`", "--key"]);
        refused(&desk, "assign --table example --attributes Q,REC_RAND", &["`REC_RAND` of `example`", "another task"]);
        refused(&desk, "assign --table example --attributes Q --random-column rec_intelligent", &["another task"]);
    }

    #[test]
    fn a_view_can_be_counted_and_not_written() {
        let desk = desk_with(&format!(
            "{}; CREATE VIEW some AS SELECT * FROM example WHERE ID < 10; \
             CREATE VIEW some_resource AS SELECT * FROM example_resource",
            running_example()
        ));
        assert_eq!(json(&desk, "get-k --table some --attributes Q")["tables"][0]["vector"], json!([0, 1, 0, 2]));
        refused(&desk, "assign --table some --attributes Q", &["it is a view"]);
        refused(&desk, "generate-tables --table some --replace", &["some"]);
    }

    #[test]
    fn tables_without_rows_have_no_k_and_need_no_slots() {
        let desk = desk_with("CREATE TABLE empty (Q)");
        refused(&desk, "get-k --table empty --attributes Q", &["the table `empty` has no rows"]);
        refused(&desk, "generate-resources --table empty", &["`empty`: the number of people is 0"]);
    }
}

mod missing_values {
    use super::*;

    #[test]
    fn count_as_a_value_of_their_own_and_are_noted() {
        let desk =
            desk_with("CREATE TABLE p (Q, R); INSERT INTO p VALUES (NULL, 1), (NULL, 1), (1, 1), (1, NULL), (1, 1)");
        let found = json(&desk, "get-k --table p --attributes Q,R");
        assert_eq!(found["tables"][0]["vector"], json!([1, 2]));
        assert_eq!(found["tables"][0]["with_nulls"], 3);
        let shown = desk.done(&on_people("get-k --table p --attributes Q,R"));
        assert!(shown.err.contains("3 people in `p` without a value (NULL) in some attribute"), "{}", shown.err);
        assert!(desk.done(&on_people("get-k --table p --attributes Q,R --quiet")).err.is_empty());
    }
}
