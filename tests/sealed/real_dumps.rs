//! Dumps as PostgreSQL, MariaDB and SQLite make them: nothing that the policy names stays readable, they are loaded again by their own systems,
//! and come back byte for byte.

#![cfg(unix)]

use crate::holders::*;
use crate::program::Desk;
use crate::servers::{MariaDb, Postgres, sqlite_shell};

const BOTH: [&str; 2] = ["doctor", "payer"];

/// Three tables; in PostgreSQL visits are partitioned and staff has children.
const FIELDS: &str = r#"
[[table]]
name = "patients"
key = "id"
[[table.field]]
name = "disease"
[[table]]
name = "visits"
key = "id"
[[table.field]]
name = "disease"
[[table.field]]
name = "note"
[[table]]
name = "staff"
key = "id"
[[table.field]]
name = "illness"
"#;

/// What stands in the sealed fields, and nowhere else.
const SECRETS: [&str; 10] =
    ["Leprosy", "Gout", "Scabies", "Plague", "Cholera", "Typhus", "Rabies", "Burnout", "Malaria", "Anthrax"];

fn desk() -> Desk {
    let desk = Desk::new();
    for holder in ["patient", "doctor", "payer"] {
        desk.done(&format!("ucrypt keygen {holder}"));
    }
    desk.write("three.toml", FIELDS);
    new_policy(&desk, "t.upolicy", "three.toml --id t");
    desk
}

fn readable(text: &str) -> Vec<&'static str> {
    SECRETS.into_iter().filter(|secret| text.contains(secret)).collect()
}

/// Seals a whole dump, looks for anything readable, and opens it again byte for byte. Gives the sealed one.
fn sealed(desk: &Desk, dump: &str, fields: u64) -> String {
    assert!(!readable(dump).is_empty(), "{dump}");
    desk.write("dump.sql", dump);
    let done = desk.json("ucrypt seal t.upolicy dump.sql --all -o sealed.sql", 0);
    let text = desk.read("sealed.sql");
    assert_eq!((&done["sealed"], &done["notes"]), (&fields.into(), &serde_json::json!([])), "{done}\n{text}");
    assert_eq!(readable(&text), [""; 0], "{text}");
    desk.done(&format!("ucrypt open t.upolicy sealed.sql -o opened.sql{}", with(&BOTH)));
    assert!(desk.read("opened.sql") == dump, "{}", desk.read("opened.sql"));
    text
}

/// Opens what a system dumped after it had loaded a sealed dump.
fn opened(desk: &Desk, dump: &str) -> String {
    assert_eq!(readable(dump), [""; 0], "{dump}");
    desk.write("again.sql", dump);
    desk.done(&format!("ucrypt open t.upolicy again.sql -o opened.sql{}", with(&BOTH)));
    desk.read("opened.sql")
}

mod postgresql {
    use super::*;

    const SCRIPT: &str = r#"
CREATE SCHEMA ward;
CREATE TABLE patients (id int PRIMARY KEY, name text, disease text);
INSERT INTO patients VALUES (1, 'Kowalski', E'Leprosy\twith a tab'), (5, 'O''Neil', 'Gout \ and ''more'''), (6, 'Pyc', NULL);
CREATE TABLE visits (id int NOT NULL, day date NOT NULL, disease text, note text DEFAULT 'none') PARTITION BY RANGE (day);
CREATE TABLE visits_2020 PARTITION OF visits FOR VALUES FROM ('2020-01-01') TO ('2021-01-01');
CREATE TABLE ward."Later; visits" PARTITION OF visits FOR VALUES FROM ('2021-01-01') TO ('2022-01-01') PARTITION BY HASH (id);
CREATE TABLE ward.hash_a PARTITION OF ward."Later; visits" FOR VALUES WITH (modulus 2, remainder 0);
CREATE TABLE ward.hash_b PARTITION OF ward."Later; visits" FOR VALUES WITH (modulus 2, remainder 1);
CREATE TABLE "Rest" PARTITION OF visits DEFAULT;
INSERT INTO visits VALUES (1, '2020-05-05', 'Scabies', 'x'), (2, '2021-05-05', 'Plague', NULL), (3, '2021-06-06', 'Cholera', DEFAULT), (4, '2030-01-01', 'Typhus', 'y');
CREATE TABLE staff (id int PRIMARY KEY, name text, illness text);
CREATE TABLE nurses (ward text) INHERITS (staff);
CREATE TABLE ward.heads (bonus int) INHERITS (nurses);
CREATE TABLE ward.temps (id int NOT NULL, name text, illness text, agency text);
ALTER TABLE ward.temps INHERIT staff;
INSERT INTO staff VALUES (10, 'A', 'Rabies');
INSERT INTO nurses VALUES (11, 'B', 'Burnout', 'W1');
INSERT INTO ward.heads VALUES (12, 'C', 'Malaria', 'W2', 5);
INSERT INTO ward.temps VALUES (13, 'D', 'Anthrax', 'Z');
CREATE TABLE log (what text);
CREATE FUNCTION seen() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN INSERT INTO log VALUES ('seen ' || NEW.id); RETURN NEW; END $$;
CREATE TRIGGER seen BEFORE INSERT OR UPDATE OF disease ON patients FOR EACH ROW EXECUTE FUNCTION seen();
CREATE VIEW sick AS SELECT * FROM patients WHERE disease <> 'flu';
CREATE RULE no_delete AS ON DELETE TO patients DO INSTEAD NOTHING;
CREATE INDEX ON patients (disease) WHERE disease = 'flu';
CREATE TABLE beds (id int GENERATED ALWAYS AS IDENTITY PRIMARY KEY, patient int REFERENCES patients (id), ward int);
CREATE FUNCTION admit(i int, n text, d text) RETURNS int LANGUAGE plpgsql AS $$ DECLARE beds int := 0; BEGIN
  SELECT count(*) + 1 INTO beds FROM beds WHERE ward = 3;
  INSERT INTO patients (id, name, disease) VALUES (i, n, d) RETURNING id INTO i; RETURN i; END $$;
CREATE PROCEDURE move(p int, w int) LANGUAGE plpgsql AS $$ BEGIN IF w > 5 THEN UPDATE patients SET name = 'moved' WHERE id = p; END IF;
  IF NOT FOUND THEN RAISE EXCEPTION 'no patient %', p; END IF; END $$;
CREATE FUNCTION import() RETURNS void LANGUAGE sql BEGIN ATOMIC INSERT INTO patients (id, disease) SELECT id, illness FROM staff WHERE id > 20; END;
CREATE FUNCTION touch() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN NEW.name := upper(NEW.name); RETURN NEW; END $$;
CREATE TRIGGER touch BEFORE UPDATE ON patients FOR EACH ROW EXECUTE FUNCTION touch();
CREATE MATERIALIZED VIEW counted AS SELECT ward, count(*) FROM beds GROUP BY ward;
COMMENT ON FUNCTION admit(int, text, text) IS 'for example admit(5)';
SELECT lo_from_bytea(0, 'letter');
COMMENT ON TABLE patients IS 'who has what; INSERT with care';
GRANT SELECT, INSERT, UPDATE ON patients TO PUBLIC;
"#;

    const VALUES: &str = "SELECT 'p', id, disease, NULL FROM patients UNION ALL SELECT 'v', id, disease, note FROM visits \
         UNION ALL SELECT 's', id, illness, NULL FROM staff ORDER BY 1, 2";

    #[test]
    fn rows_of_partitions_and_of_children_are_sealed_loaded_and_opened() {
        let server = Postgres::start();
        server.load("clinic", SCRIPT);
        let before = server.query("clinic", VALUES);
        assert_eq!(before.len(), 11);
        let desk = desk();
        for (number, options) in [
            "",
            "--column-inserts",
            "--column-inserts --rows-per-insert=2",
            "--load-via-partition-root",
            "--clean --if-exists --no-owner --no-privileges",
            "--disable-dollar-quoting --quote-all-identifiers",
        ]
        .into_iter()
        .enumerate()
        {
            let text = sealed(&desk, &server.dump("clinic", options), 15);
            let [loaded, again] = ["loaded", "again"].map(|name| format!("{name}{number}"));
            server.load(&loaded, &text);
            let is_sealed = "SELECT count(*) FROM visits WHERE disease LIKE '<UCRYPT%' AND note LIKE '<UCRYPT%'";
            assert_eq!(server.query(&loaded, is_sealed), ["4"], "{options}");
            server.load(&again, &opened(&desk, &server.dump(&loaded, options)));
            assert_eq!(server.query(&again, VALUES), before, "{options}");
        }
    }

    #[test]
    fn parts_that_a_dump_without_definitions_does_not_tell_are_refused_by_name() {
        let server = Postgres::start();
        server.load("clinic", SCRIPT);
        let desk = desk();
        desk.write("dump.sql", server.dump("clinic", "--data-only -t patients -t visits_2020"));
        let seal = "ucrypt seal t.upolicy dump.sql --all -o sealed.sql";
        assert_refused(&desk, seal, 2, &["public.visits_2020 has the columns of visits", "--allow-readable tables"]);
        let done = desk.json(&format!("{seal} --allow-readable tables"), 0);
        assert_eq!((&done["sealed"], &done["readable"]["tables"]), (&3.into(), &1.into()), "{done}");
        // Whatever they are called, and where the table itself is there too.
        desk.write("dump.sql", server.dump("clinic", "--data-only"));
        let parts = ["public.visits_2020 ", "\"Rest\"", "ward.hash_a ", "public.nurses ", "ward.heads ", "ward.temps "];
        for part in parts.map(|part| part.trim_matches('"')) {
            assert_refused(&desk, seal, 2, &[part, "has the columns of ", "--allow-readable tables"]);
        }
        desk.write("dump.sql", server.dump("clinic", "--data-only --inserts"));
        assert_refused(&desk, seal, 2, &["columns"]);
        // Of what a table inherits from, another schema has the definition.
        desk.write("dump.sql", server.dump("clinic", "-n ward"));
        assert_refused(&desk, seal, 2, &["ward.heads has the columns of staff", "--allow-readable tables"]);
    }

    /// Its rows have a column that the parent got later behind those of the child, where the definition does not put it.
    #[test]
    fn rows_without_column_names_of_a_table_that_inherits_are_refused() {
        let server = Postgres::start();
        server.load(
            "clinic",
            "CREATE TABLE base (id int, note text); CREATE TABLE patients (disease text) INHERITS (base); ALTER TABLE base ADD COLUMN ward text;\
             INSERT INTO patients VALUES (1, 'n', 'Plague', 'A'); CREATE TABLE visits (id int, disease text, note text);\
             CREATE TABLE old () INHERITS (visits); INSERT INTO old VALUES (2, 'Gout', '');",
        );
        let desk = desk();
        for options in ["--inserts", "--rows-per-insert=2 --on-conflict-do-nothing"] {
            desk.write("dump.sql", server.dump("clinic", options));
            let words = ["the order of the columns of public.patients is not known", "--column-inserts"];
            assert_refused(&desk, "ucrypt seal t.upolicy dump.sql --all -o sealed.sql", 2, &words);
        }
        for options in ["", "--column-inserts", "--inserts -t visits -t old"] {
            desk.write("dump.sql", server.dump("clinic", options));
            desk.done("ucrypt seal t.upolicy dump.sql --all -o sealed.sql");
            assert_eq!(readable(&desk.read("sealed.sql")), [""; 0], "{options}");
        }
    }

    #[test]
    fn parts_that_tell_what_is_sealed_in_each_of_their_rows_are_refused() {
        let server = Postgres::start();
        server.load(
            "nested",
            "CREATE TABLE visits (id int, disease text, note text) PARTITION BY RANGE (id);\
             CREATE TABLE p1 PARTITION OF visits FOR VALUES FROM (0) TO (100) PARTITION BY LIST (disease);\
             CREATE TABLE p2 PARTITION OF p1 FOR VALUES IN ('Plague'); INSERT INTO visits VALUES (5, 'Plague', '');",
        );
        server.load(
            "checked",
            "CREATE TABLE visits (id int, disease text, note text);\
             CREATE TABLE bad (CHECK (disease = 'Plague')) INHERITS (visits); INSERT INTO bad VALUES (5, 'Plague', '');",
        );
        let desk = desk();
        for (database, word) in [
            ("nested", "table public.p1 is divided by its column disease"),
            ("checked", "public.bad has a condition (CHECK)"),
        ] {
            desk.write("dump.sql", server.dump(database, ""));
            let words = [word, "--allow-readable statements"];
            assert_refused(&desk, "ucrypt seal t.upolicy dump.sql --all -o sealed.sql", 2, &words);
        }
    }

    #[test]
    fn a_table_that_is_divided_by_what_is_sealed_is_refused() {
        let server = Postgres::start();
        server.load(
            "clinic",
            "CREATE TABLE visits (id int, disease text, note text) PARTITION BY LIST (disease);\
             CREATE TABLE bad PARTITION OF visits FOR VALUES IN ('Plague'); INSERT INTO visits VALUES (5, 'Plague', '');",
        );
        let desk = desk();
        desk.write("dump.sql", server.dump("clinic", ""));
        let words = ["table public.visits is divided by its column disease", "--allow-readable statements"];
        assert_refused(&desk, "ucrypt seal t.upolicy dump.sql --all -o sealed.sql", 2, &words);
        // What is not sealed may divide it.
        desk.done("ucrypt seal t.upolicy dump.sql --all --field note -o sealed.sql");
    }

    #[test]
    fn rows_of_copy_in_a_script_for_psql_are_sealed_and_loaded() {
        let server = Postgres::start();
        let tables = "CREATE TABLE patients (id int, disease text); CREATE TABLE visits (id int, disease text, note text);\n\
             CREATE TABLE staff (id int, illness text);\n";
        let rows = "\\copy patients from stdin\n1\tLeprosy\n5\tGout\\tx\n\\.\n\\copy public.visits (note, id, disease) FROM pstdin\n\
             \\N\t2\tPlague\n\\.\nSELECT 1 \\g /dev/null\nINSERT INTO staff VALUES (10, 'Rabies') \\g\nINSERT INTO staff VALUES (11, 'Burnout');\n";
        let script = format!("{tables}{rows}");
        let desk = desk();
        let text = sealed(&desk, &script, 6);
        server.load("sealed", &text);
        server.load("opened", &opened(&desk, &server.dump("sealed", "")));
        let all = "SELECT id, disease FROM patients ORDER BY 1";
        assert_eq!(server.query("opened", all), ["1|Leprosy", "5|Gout\tx"]);
        assert_eq!(server.query("opened", "SELECT illness FROM staff ORDER BY id"), ["Rabies", "Burnout"]);
    }
}

mod mariadb {
    use super::*;

    const SCRIPT: &str = r#"
CREATE TABLE patients (id int PRIMARY KEY, name text, disease text);
INSERT INTO patients VALUES (1, 'Kowalski', 'Leprosy\twith a tab'), (5, 'O\'Neil', 'Gout \\ and "more"'), (6, 'Pyc', NULL);
CREATE TABLE visits (id int, day date NOT NULL, disease text, note text DEFAULT 'none', PRIMARY KEY (id, day)) PARTITION BY RANGE (YEAR(day))
  (PARTITION p0 VALUES LESS THAN (2021), PARTITION p1 VALUES LESS THAN MAXVALUE);
INSERT INTO visits VALUES (1, '2020-05-05', 'Scabies', 'x'), (2, '2021-05-05', 'Plague', NULL);
CREATE TABLE staff (id int PRIMARY KEY, name text, illness text, hidden int INVISIBLE DEFAULT 1);
INSERT INTO staff VALUES (10, 'A', 'Rabies'), (11, 'B', 'Burnout');
CREATE TABLE log (what text);
CREATE VIEW sick AS SELECT * FROM patients WHERE disease <> 'flu';
DELIMITER //
CREATE TRIGGER seen BEFORE INSERT ON patients FOR EACH ROW BEGIN INSERT INTO log VALUES (CONCAT('it''s; ', NEW.id)); END //
CREATE PROCEDURE move() BEGIN INSERT INTO patients SELECT id, name, illness FROM staff; END //
CREATE PROCEDURE admit(i INT, d TEXT) BEGIN DECLARE n INT DEFAULT 0; IF i > 5 THEN UPDATE patients SET name = 'moved' WHERE id = i; END IF;
  INSERT INTO patients (id, name, disease) VALUES (i, 'new', d); SELECT 'done'; END //
CREATE FUNCTION beds(i INT) RETURNS INT DETERMINISTIC RETURN i + 5 //
CREATE EVENT clean ON SCHEDULE EVERY 1 DAY DO DELETE FROM log //
CREATE SEQUENCE numbers //
DELIMITER ;
"#;

    const VALUES: &str = "SELECT 'p', id, HEX(disease), '' FROM patients UNION ALL SELECT 'v', id, HEX(disease), HEX(note) FROM visits \
         UNION ALL SELECT 's', id, HEX(illness), '' FROM staff ORDER BY 1, 2";

    #[test]
    fn dumps_with_routines_and_executed_comments_are_sealed_loaded_and_opened() {
        let server = MariaDb::start();
        server.load("clinic", SCRIPT);
        let before = server.query("clinic", VALUES);
        assert_eq!(before.len(), 7);
        let desk = desk();
        let all = "--routines --triggers --events";
        for (number, options) in [
            all.to_owned(),
            format!("{all} --skip-extended-insert --complete-insert --hex-blob"),
            format!("{all} --replace --skip-opt --create-options"),
            "--compact --insert-ignore".to_owned(),
            "--compatible=ansi --skip-triggers".to_owned(),
        ]
        .iter()
        .enumerate()
        {
            let dump = server.dump("clinic", options);
            let text = sealed(&desk, &dump, 9);
            let [loaded, again] = ["loaded", "again"].map(|name| format!("{name}{number}"));
            server.load(&loaded, &text);
            let is_sealed = "SELECT COUNT(*) FROM visits WHERE disease LIKE '<UCRYPT%' AND note LIKE '<UCRYPT%'";
            assert_eq!(server.query(&loaded, is_sealed), ["2"], "{options}");
            server.load(&again, &opened(&desk, &server.dump(&loaded, options)));
            assert_eq!(server.query(&again, VALUES), before, "{options}");
        }
    }

    #[test]
    fn rows_in_executed_comments_are_sealed_loaded_and_opened() {
        let server = MariaDb::start();
        server.load("clinic", SCRIPT);
        let dump = server.dump("clinic", "--skip-triggers --skip-extended-insert");
        let wrapped: Vec<String> = dump
            .lines()
            .enumerate()
            .map(|(number, line)| match line.strip_suffix(';') {
                Some(row) if line.starts_with("INSERT INTO") && number % 2 == 0 => format!("/*!50001 {row} */;"),
                Some(row) if line.starts_with("INSERT INTO") => format!("/*M!100100 {row}*/;"),
                _ => line.to_owned(),
            })
            .collect();
        let wrapped = wrapped.join("\n") + "\n";
        assert!(
            wrapped.matches("/*!50001 INSERT").count() + wrapped.matches("/*M!100100 INSERT").count() == 7,
            "{wrapped}"
        );
        let desk = desk();
        server.load("loaded", &sealed(&desk, &wrapped, 9));
        server.load("again", &opened(&desk, &server.dump("loaded", "--skip-triggers")));
        assert_eq!(server.query("again", VALUES), server.query("clinic", VALUES));
        // Records that are left out leave no comment open.
        desk.done("ucrypt filter sealed.sql --drop --policy t.upolicy -o dropped.sql");
        server.load("dropped", &desk.read("dropped.sql"));
        assert_eq!(server.query("dropped", VALUES), [""; 0]);
    }

    #[test]
    fn routines_that_hold_values_are_refused_by_name_and_pass_if_allowed() {
        let server = MariaDb::start();
        let routine = "DELIMITER //\nCREATE PROCEDURE fill() BEGIN INSERT INTO patients VALUES (7, 'X', 'Plague'); END //\nDELIMITER ;\n";
        server.load("clinic", &format!("{SCRIPT}{routine}"));
        let desk = desk();
        desk.write("dump.sql", server.dump("clinic", "--routines"));
        let seal = "ucrypt seal t.upolicy dump.sql --all -o sealed.sql";
        let words = ["what stands between DELIMITER lines may put values into patients", "--allow-readable statements"];
        assert_refused(&desk, seal, 2, &words);
        let done = desk.json(&format!("{seal} --allow-readable statements"), 0);
        assert_eq!((&done["sealed"], &done["readable"]["statements"]), (&9.into(), &1.into()), "{done}");
        server.load("loaded", &desk.read("sealed.sql"));
        desk.done(&format!("ucrypt open t.upolicy sealed.sql -o opened.sql{}", with(&BOTH)));
        assert_eq!(desk.read("opened.sql"), desk.read("dump.sql"));
    }
}

mod sqlite {
    use super::*;

    const SCRIPT: &str = r#"
CREATE TABLE patients (id INTEGER PRIMARY KEY, name TEXT, disease TEXT, short TEXT AS (substr(name, 1, 1)) STORED);
INSERT INTO patients VALUES (1, 'Kowalski', 'Leprosy' || char(10) || 'x'), (5, 'O''Neil', 'Gout'), (6, 'Pyc', NULL);
CREATE TABLE visits (id INTEGER, disease TEXT, note TEXT, PRIMARY KEY (id)) WITHOUT ROWID;
INSERT INTO visits VALUES (1, 'Scabies', X'00ff'), (2, 'Plague', 2.5);
CREATE TABLE "staff" (id, illness);
INSERT INTO staff VALUES (10, 'Rabies');
CREATE TABLE log (what);
CREATE TRIGGER seen AFTER INSERT ON patients BEGIN INSERT INTO log VALUES ('seen; ' || NEW.id); END;
CREATE VIEW sick AS SELECT * FROM patients WHERE disease <> 'flu';
CREATE INDEX by_disease ON patients (disease) WHERE disease <> 'flu';
"#;

    const VALUES: &str = "SELECT 'p', id, quote(disease), '' FROM patients UNION ALL SELECT 'v', id, quote(disease), quote(note) FROM visits \
         UNION ALL SELECT 's', id, quote(illness), '' FROM staff ORDER BY 1, 2;";

    #[test]
    fn dumps_of_the_shell_are_sealed_loaded_and_opened() {
        let desk = desk();
        let at = |name: &str| desk.path(name);
        sqlite_shell(&at("clinic.db"), SCRIPT);
        let before = sqlite_shell(&at("clinic.db"), VALUES);
        let text = sealed(&desk, &sqlite_shell(&at("clinic.db"), ".dump"), 8);
        sqlite_shell(&at("loaded.db"), &text);
        let again = opened(&desk, &sqlite_shell(&at("loaded.db"), ".dump"));
        sqlite_shell(&at("again.db"), &again);
        assert_eq!(sqlite_shell(&at("again.db"), VALUES), before);
        // A script with commands for the shell.
        let script = format!(".headers on\n.mode list\n{}", desk.read("dump.sql"));
        assert!(!sealed(&desk, &script, 8).is_empty());
    }

    #[test]
    fn a_table_that_an_extension_keeps_is_refused_by_name() {
        let desk = desk();
        for script in [
            "CREATE VIRTUAL TABLE visits USING fts5(id, disease, note); INSERT INTO visits VALUES (1, 'Plague', 'x');",
            "CREATE TABLE visits (id INTEGER PRIMARY KEY, disease, note); INSERT INTO visits VALUES (1, 'Plague', 'x');\
             CREATE VIRTUAL TABLE words USING fts5(disease, content='visits'); INSERT INTO words (words) VALUES ('rebuild');",
        ] {
            let _ = std::fs::remove_file(desk.path("clinic.db"));
            sqlite_shell(
                &desk.path("clinic.db"),
                &format!("CREATE TABLE staff (id, illness);INSERT INTO staff VALUES (1, 'Gout');{script}"),
            );
            desk.write("dump.sql", sqlite_shell(&desk.path("clinic.db"), ".dump"));
            let words = ["a table that an extension keeps may put values into visits"];
            assert_refused(&desk, "ucrypt seal t.upolicy dump.sql --all -o sealed.sql", 2, &words);
        }
    }
}
