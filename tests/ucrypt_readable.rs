//! Sealing ends well only if nothing that the policy seals stays readable, or what does was allowed to.

mod holders;
mod program;

use holders::*;
use program::Desk;

#[test]
fn what_may_stay_readable_is_named_by_its_kind() {
    let desk = desk();
    let seal = "ucrypt seal p.upolicy plain.csv --all -o out.csv --allow-readable";
    assert_refused(&desk, &format!("{seal} everything"), 2, &["\"everything\"", "attributes"]);
    let sealed = desk.json(&format!("{seal} attributes,attributes --allow-readable attributes"), 0);
    assert_eq!(sealed["readable"], serde_json::json!({}));
}

/// Conditions of two patients, in the manner of FHIR: values are attributes of empty elements.
const CONDITIONS: &str = r#"<?xml version="1.0" encoding="UTF-8"?>
<Bundle xmlns="http://hl7.org/fhir">
  <Condition><id value="5"/>
    <code><coding><code value="B24"/><display value='HIV "disease"'/></coding><text value="AIDS"/></code>
    <note lang="pl" xml:lang="pl" x:by="Rieux" xmlns:x="urn:x">zaraz<b kind="bold">&#x105;</b><!-- Oran --><?p plague?></note>
    <note lang=""></note>
  </Condition>
  <Condition><id value="6"/><code><text value="flu"/></code><note lang="fr">rien</note></Condition>
</Bundle>
"#;

const FHIR: &str = r#"
[namespaces]
"" = "http://hl7.org/fhir"
[[table]]
name = "conditions"
record = "/Bundle/Condition"
record_key = "id/@value"
[[table.field]]
name = "diagnosis"
path = "code/text"
[[table.field]]
name = "display"
path = "code/coding/display/@value"
[[table.field]]
name = "note"
"#;

fn fhir() -> Desk {
    let desk = desk();
    desk.write("fhir.toml", FHIR).write("a.xml", CONDITIONS);
    new_policy(&desk, "f.upolicy", "fhir.toml --id fhir");
    desk
}

const BOTH: [&str; 2] = ["doctor", "payer"];

#[test]
fn attributes_of_a_sealed_element_are_sealed_with_it_and_come_back_byte_for_byte() {
    let desk = fhir();
    let sealed = desk.json("ucrypt seal f.upolicy a.xml --record 5 -o sealed.xml", 0);
    // Text and value, the display, two notes and their three attributes.
    assert_eq!((&sealed["sealed"], &sealed["readable"]), (&8.into(), &serde_json::json!({})), "{sealed}");
    let text = desk.read("sealed.xml");
    for value in ["AIDS", "disease", "zaraz", "Oran", "plague", "Rieux", "lang=\"pl\" xml", "bold"] {
        assert!(!text.contains(value), "{value}: {text}");
    }
    for value in ["B24", "value=\"5\"", "xml:lang=\"pl\"", "xmlns:x=\"urn:x\"", "flu", "rien", "lang=\"fr\""] {
        assert!(text.contains(value), "{value}: {text}");
    }
    desk.done(&format!("ucrypt open f.upolicy sealed.xml -o opened.xml{}", with(&BOTH)));
    assert_eq!(desk.read("opened.xml"), CONDITIONS);
    // Sealed again it stays as it is, and other commands know its cells.
    let again = desk.json("ucrypt seal f.upolicy sealed.xml --record 5 -o again.xml", 0);
    assert_eq!((&again["sealed"], desk.read("again.xml")), (&0.into(), text));
    assert_eq!(desk.json("ucrypt inspect sealed.xml", 0)["sealed"], 8);
    assert_eq!(desk.json("ucrypt filter sealed.xml --drop --policy f.upolicy -o left.xml", 0)["kept"], 1);
}

#[test]
fn attributes_of_a_sealed_element_are_rotated_granted_and_opened_with_it() {
    let desk = fhir();
    desk.done("ucrypt seal f.upolicy a.xml --all -o sealed.xml");
    let before = desk.read("sealed.xml");
    desk.done(&format!("ucrypt rotate f.upolicy sealed.xml --full{}", with(&BOTH)));
    assert_ne!(desk.read("sealed.xml"), before);
    // Another program may rename prefixes.
    desk.write("renamed.xml", desk.read("sealed.xml").replace("x:by", "y:by").replace("xmlns:x=", "xmlns:y="));
    desk.done(&format!("ucrypt open f.upolicy renamed.xml -o opened.xml{}", with(&BOTH)));
    assert!(desk.read("opened.xml").contains("y:by=\"Rieux\""));
    // By its name, a field opens with its attributes and nothing else does.
    desk.done(&format!("ucrypt open f.upolicy sealed.xml --field diagnosis -o opened.xml{}", with(&BOTH)));
    let opened = desk.read("opened.xml");
    assert!(
        opened.contains("<text value=\"AIDS\"/>") && !opened.contains("Rieux") && !opened.contains("rien"),
        "{opened}"
    );
    desk.done("ucrypt keygen reader");
    let grant = format!(
        "ucrypt open f.upolicy sealed.xml --grant diagnosis --record 5 --to reader.upub -o one.ugrant{}",
        with(&BOTH)
    );
    desk.done(&grant);
    desk.done("ucrypt open f.upolicy sealed.xml --granted one.ugrant --with reader.ukey -o granted.xml");
    assert!(desk.read("granted.xml").contains("<text value=\"AIDS\"/>"));
}

#[test]
fn a_cell_of_an_attribute_opens_nowhere_else() {
    let desk = fhir();
    desk.done("ucrypt seal f.upolicy a.xml --record 5 --field note -o sealed.xml");
    let text = desk.read("sealed.xml");
    let cells: Vec<&str> = text
        .match_indices("&lt;UCRYPT")
        .map(|(at, _)| &text[at..at + text[at..].find('"').expect("its end")])
        .collect();
    assert_eq!(cells.len(), 3);
    for (one, other) in [(0, 1), (0, 2), (1, 2)] {
        let moved = text.replace(cells[one], "@").replace(cells[other], cells[one]).replace('@', cells[other]);
        desk.write("moved.xml", moved);
        let open = format!("ucrypt open f.upolicy moved.xml -o opened.xml{}", with(&BOTH));
        let opened =
            String::from_utf8(assert_left(&desk, &open, "opened.xml", &["record \"5\"", "note"])).expect("text");
        assert!(opened.contains(cells[one]) && opened.contains(cells[other]), "both stay as they are: {opened}");
    }
}

#[test]
fn attributes_stay_readable_only_if_that_is_allowed() {
    let desk = fhir();
    let seal = "ucrypt seal f.upolicy a.xml --record 5 --allow-readable attributes -o sealed.xml";
    let sealed = desk.json(seal, 0);
    assert_eq!(
        (&sealed["sealed"], &sealed["readable"]),
        (&4.into(), &serde_json::json!({"attributes": 4})),
        "{sealed}"
    );
    assert!(sealed["notes"].to_string().contains("stays readable in 4 places"), "{sealed}");
    assert!(desk.read("sealed.xml").contains("<text value=\"AIDS\"><UCRYPT"));
    desk.done(&format!("ucrypt open f.upolicy sealed.xml -o opened.xml{}", with(&BOTH)));
    assert_eq!(desk.read("opened.xml"), CONDITIONS);
    // Sealing what was sealed that way seals the attributes too, and so does naming one of them.
    desk.done("ucrypt seal f.upolicy sealed.xml --record 5 -o all.xml");
    assert!(!desk.read("all.xml").contains("AIDS"));
    desk.done(&format!("ucrypt open f.upolicy all.xml -o opened.xml{}", with(&BOTH)));
    assert_eq!(desk.read("opened.xml"), CONDITIONS);
}

#[test]
fn an_attribute_that_is_the_key_or_a_field_of_its_own_is_not_sealed_with_its_element() {
    let desk = desk();
    let fields = "[[table]]\nname = \"T\"\nrecord = \"/r/p\"\nrecord_key = \"@id\"\n[[table.field]]\nname = \"all\"\npath = \".\"\n\
        [[table.field]]\nname = \"a\"\npath = \"@a\"\n";
    desk.write("k.toml", fields).write("k.xml", "<r><p id='1' a='AIDS' b=''>x</p><p b='' id='2' a=\"&gt;\"/></r>");
    new_policy(&desk, "k.upolicy", "k.toml --id key");
    assert_eq!(desk.json("ucrypt seal k.upolicy k.xml --all --field all -o sealed.xml", 0)["sealed"], 4);
    assert!(desk.read("sealed.xml").contains("<p id='1' a='AIDS' b='&lt;UCRYPT"));
    assert_eq!(desk.json("ucrypt seal k.upolicy k.xml --all -o sealed.xml", 0)["sealed"], 6);
    desk.done(&format!("ucrypt open k.upolicy sealed.xml -o opened.xml{}", with(&BOTH)));
    assert_eq!(desk.read("opened.xml"), desk.read("k.xml"));
}

#[test]
fn a_record_or_field_in_a_comment_is_refused_unless_allowed() {
    let desk = fhir();
    let record = "<Condition><id value=\"7\"/><code><text value=\"AIDS\"/></code></Condition>";
    for (at, comment, line) in [
        ("<Bundle", format!("<!-- {record} -->\n<Bundle"), 2),
        ("  <Condition><id value=\"6\"", format!("<!--\n{record}--><Condition><id value=\"6\""), 8),
        ("<note lang=\"fr\"", "<!-- <x:note>AIDS</x:note> --><note lang=\"fr\"".to_owned(), 8),
        ("</Bundle>", "</Bundle><!-- <text value='AIDS'/> -->".to_owned(), 9),
    ] {
        desk.write("b.xml", CONDITIONS.replacen(at, &comment, 1));
        let seal = "ucrypt seal f.upolicy b.xml --record 5 -o sealed.xml";
        let place = format!("line {line}, column ");
        let said =
            assert_refused(&desk, seal, 2, &[&place, "a comment that holds an element", "--allow-readable comments"]);
        assert!(said.contains("would stay readable in 1 place"), "{said}");
        let done = desk.json(&format!("{seal} --allow-readable comments"), 0);
        assert_eq!(done["readable"], serde_json::json!({"comments": 1}));
        desk.done(&format!("ucrypt open f.upolicy sealed.xml -o opened.xml{}", with(&BOTH)));
        assert_eq!(desk.read("opened.xml"), desk.read("b.xml"));
    }
    // Inside a field it is sealed with it.
    desk.write("b.xml", CONDITIONS.replace("<!-- Oran -->", "<!-- <note>Oran</note> -->"));
    desk.done("ucrypt seal f.upolicy b.xml --record 5 -o sealed.xml");
    assert!(!desk.read("sealed.xml").contains("Oran"));
}

#[test]
fn a_column_called_like_a_sealed_one_is_refused_unless_allowed() {
    let desk = desk();
    for other in ["choroba", " Choroba ", "CHOROBA"] {
        desk.write("a.csv", format!("Id,Nazwisko,Zawód,Miasto,Choroba,{other}\n5,Pyc,Malarz,Opole,AIDS,AIDS\n"));
        let seal = "ucrypt seal p.upolicy a.csv --all -o out.csv";
        let words = ["a.csv", "1 place", "column 6", "beside \"Choroba\"", "--allow-readable namesakes"];
        assert_refused(&desk, seal, 2, &words);
        desk.done(&format!("{seal} --field Miasto"));
        assert_eq!(desk.json(&format!("{seal} --allow-readable namesakes"), 0)["readable"]["namesakes"], 1);
    }
}

/// Statements of dumps that are no rows of `INSERT ... VALUES` or `COPY` and put values into a table that is sealed.
mod dumps {
    use super::*;

    const TABLE: &str = "CREATE TABLE pacjenci (\"Id\" INTEGER, \"Nazwisko\" TEXT, \"Zawód\" TEXT, \"Miasto\" TEXT, \"Choroba\" TEXT);\n\
        INSERT INTO pacjenci VALUES (1, 'a', 'b', 'c', 'd');\n";

    /// The table as a dialect quotes names.
    fn table(dialect: &str) -> String {
        if dialect == "mysql" { TABLE.replace('"', "`") } else { TABLE.to_owned() }
    }

    fn seal(dialect: &str) -> String {
        format!("ucrypt seal p.upolicy dump.sql --all --dialect {dialect} -o out.sql")
    }

    #[test]
    fn values_that_cannot_be_sealed_are_refused_by_table_and_line_and_pass_if_allowed() {
        let desk = desk();
        for (dialect, statement) in [
            ("postgresql", "UPDATE pacjenci SET \"Choroba\" = 'Podagra' WHERE \"Id\" = 1;"),
            ("postgresql", "DO $$ BEGIN INSERT INTO public.pacjenci VALUES (5, 'x', 'y', 'z', 'Podagra'); END $$;"),
            ("postgresql", "DO 'BEGIN INSERT INTO pacjenci VALUES (5, ''x'', ''y'', ''z'', ''Podagra''); END';"),
            (
                "postgresql",
                "CREATE FUNCTION f() RETURNS void LANGUAGE sql AS $f$ INSERT INTO pacjenci VALUES (5, 'Podagra') $f$;",
            ),
            (
                "postgresql",
                "CREATE FUNCTION f() RETURNS void LANGUAGE sql BEGIN ATOMIC UPDATE pacjenci SET \"Choroba\" = 'Podagra'; END;",
            ),
            ("postgresql", "CREATE RULE r AS ON INSERT TO other DO ALSO INSERT INTO pacjenci VALUES (5, 'Podagra');"),
            ("postgresql", "PREPARE p AS INSERT INTO pacjenci VALUES ($1, $2); EXECUTE p(5, 'Podagra');"),
            ("postgresql", "EXPLAIN ANALYZE INSERT INTO pacjenci VALUES (5, 'Podagra');"),
            ("postgresql", "SELECT 5 AS \"Id\", 'Podagra' AS \"Choroba\" INTO pacjenci;"),
            ("postgresql", "WITH x AS (SELECT 'Podagra') INSERT INTO pacjenci SELECT * FROM x;"),
            ("postgresql", "MERGE INTO pacjenci USING x ON true WHEN MATCHED THEN UPDATE SET \"Choroba\" = 'Podagra';"),
            ("postgresql", "CREATE TABLE pacjenci AS SELECT 5 AS \"Id\", 'Podagra' AS \"Choroba\";"),
            ("postgresql", "CREATE TABLE pacjenci (\"Id\", \"Choroba\") AS VALUES (5, 'Podagra');"),
            ("postgresql", "CREATE MATERIALIZED VIEW pacjenci AS SELECT 'Podagra' AS \"Choroba\";"),
            (
                "postgresql",
                "CREATE TABLE c (LIKE pacjenci);\nINSERT INTO c VALUES (5, 'Podagra');\nALTER TABLE c INHERIT pacjenci;",
            ),
            ("postgresql", "INSERT INTO c (a) VALUES ('Podagra');\nALTER TABLE c RENAME TO pacjenci;"),
            ("postgresql", "COPY pacjenci FROM stdin WITH (FORMAT csv);\n5,x,y,z,Podagra\n\\.\n"),
            ("postgresql", "\\copy pacjenci from stdin with csv\n5,x,y,z,Podagra\n\\.\n"),
            ("postgresql", "\\set insert 'INSERT INTO pacjenci VALUES (5, ''Podagra'')'\n:insert;"),
            (
                "postgresql",
                "SELECT * FROM pg_restore_attribute_stats('relname', 'pacjenci', 'most_common_vals', '{Podagra}'::text);",
            ),
            (
                "postgresql",
                "INSERT INTO pacjenci VALUES (5, 'x', 'y', 'z', 'w') ON CONFLICT DO UPDATE SET \"Choroba\" = 'Podagra';",
            ),
            (
                "postgresql",
                "CREATE FUNCTION f(int, text) RETURNS void LANGUAGE sql AS $$ INSERT INTO pacjenci SELECT $1, $2 $$;\nSELECT f(5, 'Podagra');",
            ),
            ("mysql", "DELIMITER //\nINSERT INTO pacjenci VALUES (5, 'x', 'y', 'z', 'Podagra')//\nDELIMITER ;\n"),
            ("mysql", "\\d //\nREPLACE pacjenci SET `Choroba` = 'Podagra'//\n\\d ;\n"),
            (
                "mysql",
                "DELIMITER $$\nCREATE PROCEDURE f() BEGIN\n  UPDATE pacjenci SET `Choroba` = \"Podagra\";\nEND$$\nDELIMITER ;\nCALL f();",
            ),
            (
                "mysql",
                "DELIMITER $$\nCREATE PROCEDURE f(a INT, b TEXT) INSERT INTO pacjenci VALUES (a, b)$$\nDELIMITER ;\nCALL f(5, 'Podagra');",
            ),
            ("mysql", "/*!50001 CREATE TABLE pacjenci AS SELECT 5 AS `Id`, 'Podagra' AS `Choroba` */;"),
            ("mysql", "/*!50003 UPDATE pacjenci SET `Choroba` = 'Podagra' */;"),
            ("mysql", "/*M!100100 REPLACE INTO pacjenci SET `Choroba` = 'Podagra' */;"),
            ("mysql", "CREATE TABLE pacjenci (SELECT 5 AS `Id`, 'Podagra' AS `Choroba`);"),
            ("mysql", "SET @q = 'INSERT INTO pacjenci VALUES (5, \"Podagra\")'; PREPARE s FROM @q; EXECUTE s;"),
            ("mysql", "INSERT INTO pacjenci SET `Id` = 5, `Choroba` = 'Podagra';"),
            ("mysql", "INSERT INTO pacjenci VALUES ROW(5, 'x', 'y', 'z', 'Podagra');"),
            ("mysql", "RENAME TABLE pacjenci TO x, y TO pacjenci; INSERT INTO pacjenci TABLE z;"),
            ("sqlite", "CREATE TABLE pacjenci AS SELECT 5 AS Id, 'Podagra' AS Choroba;"),
            (
                "sqlite",
                "CREATE TRIGGER t AFTER INSERT ON x BEGIN INSERT INTO pacjenci VALUES (5, 'x', 'y', 'z', 'Podagra'); END;",
            ),
            ("sqlite", "CREATE VIEW pacjenci AS SELECT 5 AS Id, 'Podagra' AS Choroba;"),
            (
                "standard",
                "INSERT INTO x VALUES (1)\nGO\nINSERT INTO pacjenci VALUES (5, 'x', 'y', 'z', 'Podagra')\nGO\n;",
            ),
            ("standard", "/*!50001 UPDATE pacjenci SET \"Choroba\" = 'Podagra' */;"),
        ] {
            desk.write("dump.sql", format!("{}{statement}\n", table(dialect)));
            let seal = seal(dialect);
            assert_eq!(desk.tamis(&seal).code, 2, "{statement}");
            let said = assert_refused(&desk, &seal, 2, &["pacjenci", "line ", "--allow-readable statements"]);
            assert!(said.contains("dump.sql: what the policy seals would stay readable in "), "{statement}: {said}");
            // Each of them passes where that is allowed, and what was sealed opens again.
            let ran = desk.tamis(&format!("{seal} --allow-readable statements"));
            if statement.contains("INSERT INTO c ")
                || statement.contains("CREATE VIEW")
                || statement.contains("RENAME TABLE")
            {
                continue;
            }
            assert_eq!(ran.code, 0, "{statement}: {ran:?}");
            assert!(ran.err.contains("stays readable in "), "{statement}: {ran:?}");
            let open = format!("ucrypt open p.upolicy out.sql --dialect {dialect} -o opened.sql{}", with(&BOTH));
            desk.done(&open);
            assert_eq!(desk.read("opened.sql"), desk.read("dump.sql"), "{statement}");
        }
    }

    #[test]
    fn rows_that_belong_to_a_selected_table_under_another_name_are_sealed() {
        let desk = desk();
        let columns = "(\"Id\", \"Nazwisko\", \"Zawód\", \"Miasto\", \"Choroba\")";
        for (dialect, statements) in [
            ("postgresql", "CREATE TABLE c PARTITION OF pacjenci FOR VALUES IN (5);\nINSERT INTO c VALUES (5, 'x', 'y', 'z', 'Podagra');".to_owned()),
            ("postgresql", "CREATE TABLE c (e int) INHERITS (pacjenci);\nINSERT INTO c VALUES (5, 'x', 'y', 'z', 'Podagra', 1);".to_owned()),
            (
                "postgresql",
                "CREATE TABLE d (a int) INHERITS (c);\nALTER TABLE c INHERIT pacjenci;\nINSERT INTO d (\"Id\", \"Nazwisko\", \"Zawód\", \"Miasto\", \"Choroba\") VALUES (5, 'x', 'y', 'z', 'Podagra');"
                    .to_owned(),
            ),
            ("postgresql", format!("ALTER TABLE ONLY pacjenci ATTACH PARTITION s.c DEFAULT;\nCOPY s.c {columns} FROM stdin;\n5\tx\ty\tz\tPodagra\n\\.\n")),
            ("postgresql", format!("\\copy pacjenci {columns} from stdin\n5\tx\ty\tz\tPodagra\n\\.\n")),
            ("standard", format!("\\copy pacjenci {columns} from stdin\n5\tx\ty\tz\tPodagra\n\\.\n")),
            ("postgresql", format!("ALTER TABLE pacjenci RENAME TO old;\nINSERT INTO old {columns} VALUES (5, 'x', 'y', 'z', 'Podagra');")),
            ("postgresql", format!("CREATE VIEW v AS SELECT * FROM pacjenci;\nINSERT INTO v {columns} VALUES (5, 'x', 'y', 'z', 'Podagra');")),
            ("postgresql", "SELECT 1 \\gexec\nINSERT INTO pacjenci VALUES (5, 'x', 'y', 'z', 'Podagra') \\g\nSELECT 2;".to_owned()),
            ("mysql", "/*!50001 INSERT INTO pacjenci VALUES (5, 'x', 'y', 'z', 'Podagra') */;\n".to_owned()),
            ("mysql", "/*!50001 INSERT */ INTO /*M! pacjenci */ VALUES (5, 'x', 'y', 'z', 'Podagra');\n".to_owned()),
            ("mysql", "use db\nINSERT INTO pacjenci VALUES (5, 'x', 'y', 'z', 'Podagra');\n".to_owned()),
            ("sqlite", ".mode csv\nINSERT INTO pacjenci VALUES (5, 'x', 'y', 'z', 'Podagra');\n".to_owned()),
            ("standard", "/*!50001 INSERT INTO pacjenci VALUES (5, 'x', 'y', 'z', 'Podagra') */;\n".to_owned()),
        ] {
            desk.write("dump.sql", format!("{}{statements}\n", table(dialect)));
            let done = desk.json(&seal(dialect), 0);
            assert_eq!((&done["sealed"], &done["records"]), (&8.into(), &2.into()), "{statements}: {done}");
            assert!(!desk.read("out.sql").contains("Podagra"), "{}", desk.read("out.sql"));
            desk.done(&format!("ucrypt open p.upolicy out.sql --dialect {dialect} -o opened.sql{}", with(&BOTH)));
            assert_eq!(desk.read("opened.sql"), desk.read("dump.sql"));
        }
    }

    #[test]
    fn rows_that_somebody_put_into_comments_are_refused() {
        let desk = desk();
        let mysql = table("mysql");
        for (dialect, text) in [
            ("postgresql", format!("{TABLE}-- INSERT INTO pacjenci VALUES (5, 'x', 'y', 'z', 'Podagra');\n")),
            ("postgresql", format!("{TABLE}/* COPY public.pacjenci FROM stdin;\n5\tPodagra */\n")),
            ("mysql", format!("{mysql}# REPLACE INTO `pacjenci` VALUES\n# (5, 'Podagra');\n")),
            ("sqlite", format!("{TABLE}SELECT 1 /* UPDATE pacjenci SET Choroba = 'Podagra' */;\n")),
            ("sqlite", TABLE.replace("VALUES (1", "VALUES -- (5, 'x', 'y', 'z', 'Podagra'),\n(1")),
            ("sqlite", TABLE.replace("'d');", "'d') /* , (5, 'x', 'y', 'z', 'Podagra') */;")),
        ] {
            desk.write("dump.sql", &text);
            assert_refused(&desk, &seal(dialect), 2, &["line ", "a comment", "pacjenci", "--allow-readable comments"]);
            desk.done(&format!("{} --allow-readable comments", seal(dialect)));
            assert!(desk.read("out.sql").contains("Podagra"), "{text}");
        }
    }

    #[test]
    fn what_tells_nothing_of_a_value_passes() {
        let desk = desk();
        for (dialect, statement) in [
            ("postgresql", "SELECT pg_catalog.setval('public.pacjenci_Id_seq', 9, true);"),
            ("postgresql", "SELECT setval(pg_get_serial_sequence('pacjenci', 'Id'), 9);"),
            ("postgresql", "ALTER TABLE pacjenci ADD CONSTRAINT c CHECK (\"Id\" > 0);"),
            (
                "postgresql",
                "CREATE TRIGGER t BEFORE INSERT OR UPDATE ON pacjenci FOR EACH ROW WHEN (NEW.\"Id\" > 0) EXECUTE FUNCTION f('x');",
            ),
            (
                "postgresql",
                "CREATE FUNCTION f() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN INSERT INTO log VALUES ('x'); RETURN NEW; END $$;",
            ),
            (
                "postgresql",
                "CREATE FUNCTION f() RETURNS trigger LANGUAGE sql AS $$ INSERT INTO pacjenci VALUES (NEW.*) $$;",
            ),
            (
                "postgresql",
                "CREATE POLICY p ON pacjenci FOR UPDATE USING (true); GRANT INSERT, UPDATE ON TABLE pacjenci TO x;",
            ),
            ("postgresql", "COMMENT ON COLUMN pacjenci.\"Choroba\" IS 'insert into it what you know';"),
            ("postgresql", "-- Data for Name: pacjenci; Type: TABLE DATA; Schema: public; Owner: x"),
            ("postgresql", "CREATE VIEW v AS SELECT * FROM pacjenci WHERE \"Id\" = 1;"),
            (
                "mysql",
                "DELIMITER ;;\nCREATE TRIGGER t BEFORE INSERT ON pacjenci FOR EACH ROW SET NEW.x = 1 ;;\nDELIMITER ;",
            ),
            (
                "mysql",
                "LOCK TABLES `pacjenci` WRITE;\n/*!40000 ALTER TABLE `pacjenci` DISABLE KEYS */;\nUNLOCK TABLES;",
            ),
            (
                "mysql",
                "CREATE TABLE visits (a INT, b INT) /*!50100 PARTITION BY RANGE (a) (PARTITION p VALUES LESS THAN (5)) */;",
            ),
            ("sqlite", "CREATE INDEX i ON pacjenci(Id) WHERE Id > 5; ANALYZE; PRAGMA user_version = 5;"),
            ("sqlite", "DELETE FROM pacjenci WHERE Id = 7;"),
        ] {
            desk.write("dump.sql", format!("{}{statement}\n", table(dialect)));
            let done = desk.json(&seal(dialect), 0);
            assert_eq!((&done["sealed"], &done["readable"]), (&4.into(), &serde_json::json!({})), "{statement}");
        }
    }
}
