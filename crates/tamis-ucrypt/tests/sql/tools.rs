//! Dumps as the tools of three systems write them, and values in every spelling that these systems know.

use super::*;

const SQLITE3: &str = r#"PRAGMA foreign_keys=OFF;
BEGIN TRANSACTION;
CREATE TABLE IF NOT EXISTS "pacjenci"(
  "Id" INTEGER PRIMARY KEY, Nazwisko TEXT NOT NULL DEFAULT '', Wiek REAL, "Choroba" TEXT, zdj BLOB);
INSERT INTO pacjenci VALUES(1,'Kowalski',44.0,replace('a\nb','\n',char(10)),X'00ff');
INSERT INTO pacjenci VALUES(2,'O''Neil',9.0e+999,replace(replace('a\r\nb','\r',char(13)),'\n',char(10)),NULL);
INSERT INTO pacjenci VALUES(3,unistr('a\u000ab\\'),-1.0e-05,NULL,'');
INSERT INTO "pacjenci" VALUES(4,'',-0.0,'x',x'');
CREATE TABLE sqlite_sequence_copy(name,seq);
INSERT INTO sqlite_sequence VALUES('pacjenci',4);
CREATE VIEW v AS SELECT Id, 'a;b' FROM pacjenci;
CREATE TRIGGER t AFTER INSERT ON pacjenci BEGIN INSERT INTO dziennik VALUES(new.Id, 'x;'); END;
CREATE INDEX i ON pacjenci(Nazwisko) WHERE Nazwisko <> ';';
COMMIT;
"#;

const MYSQLDUMP: &str = r#"/*M!999999\- enable the sandbox mode */
-- MariaDB dump 10.19  Distrib 10.11.6-MariaDB, for debian-linux-gnu (x86_64)
/*!40101 SET @OLD_CHARACTER_SET_CLIENT=@@CHARACTER_SET_CLIENT */;
/*!40014 SET @OLD_UNIQUE_CHECKS=@@UNIQUE_CHECKS, UNIQUE_CHECKS=0 */;
/*!40101 SET @OLD_SQL_MODE=@@SQL_MODE, SQL_MODE='NO_AUTO_VALUE_ON_ZERO' */;
DROP TABLE IF EXISTS `pacjenci`;
/*!40101 SET character_set_client = utf8mb4 */;
CREATE TABLE `pacjenci` (
  `Id` int(11) NOT NULL AUTO_INCREMENT,
  `Nazwisko` varchar(255) DEFAULT NULL COMMENT 'it''s (a; b)',
  `Wiek` decimal(5,2) DEFAULT NULL,
  `Choroba` longtext DEFAULT NULL CHECK (json_valid(`Choroba`)),
  `zdj` longblob,
  PRIMARY KEY (`Id`)
) ENGINE=InnoDB AUTO_INCREMENT=5 DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_general_ci;
LOCK TABLES `pacjenci` WRITE;
/*!40000 ALTER TABLE `pacjenci` DISABLE KEYS */;
INSERT INTO `pacjenci` VALUES
(1,'Kowalski',44.00,'{\"a\": \"b\\n\"}',_binary 'a\0b'),
(2,'O\'Neil',-1.50,NULL,0x00FF),
(3,_utf8mb4'x',1e10,'',x'00ff');
INSERT IGNORE INTO `pacjenci` VALUES (4,"it's \"so\"",NULL,'\%\_\t\q',NULL);
REPLACE INTO `pacjenci` (`Id`, `Nazwisko`, `Wiek`, `Choroba`, `zdj`) VALUES (5,N'y',TRUE,null,b'101');
/*!40000 ALTER TABLE `pacjenci` ENABLE KEYS */;
UNLOCK TABLES;
DELIMITER ;;
/*!50003 CREATE*/ /*!50017 DEFINER=`root`@`localhost`*/ /*!50003 TRIGGER t BEFORE INSERT ON pacjenci FOR EACH ROW BEGIN SET NEW.Nazwisko = 'x'; END */;;
DELIMITER ;
/*!40101 SET SQL_MODE=@OLD_SQL_MODE */;
-- Dump completed on 2026-01-01  0:00:00
"#;

const PG_DUMP: &str = "--\n-- PostgreSQL database dump\n--\n\nSET statement_timeout = 0;\nSET standard_conforming_strings = on;\n\
    SELECT pg_catalog.set_config('search_path', '', false);\n\
    CREATE FUNCTION public.f() RETURNS trigger LANGUAGE plpgsql AS $_$\nBEGIN\n  INSERT INTO public.inne VALUES ('a;');\n  RETURN NEW;\nEND $_$;\n\
    CREATE TABLE public.pacjenci (\n    \"Id\" integer NOT NULL,\n    \"Nazwisko\" text DEFAULT 'x;'::text,\n    \"Wiek\" double precision,\n    \"Choroba\" text,\n    zdj bytea\n);\n\
    COPY public.pacjenci (\"Id\", \"Nazwisko\", \"Wiek\", \"Choroba\", zdj) FROM stdin;\n\
    1\tKowalski\t44\ta\\tb\\\\c\\nd\t\\\\x00ff\n2\t\\N\tNaN\t\\N\t\\N\n3\t\\x41\\101\t-Infinity\t\\\\.\t\n\\.\n\n\
    INSERT INTO public.pacjenci VALUES (4, 'O''Neil', 1e-05, E'it\\'s\\n', '\\x00ff');\n\
    INSERT INTO public.pacjenci VALUES (5, $$a'b$$, -1, $q$c$$d$q$, NULL), (6, U&'x', 'NaN', '', NULL);\n\
    SELECT pg_catalog.setval('public.pacjenci_id_seq', 6, true);\n\
    ALTER TABLE ONLY public.pacjenci ADD CONSTRAINT p PRIMARY KEY (\"Id\");\n";

#[test]
fn dumps_of_the_tools_pass_untouched_and_come_back() {
    let selector = [columns("pacjenci", "Id", &["Wiek", "Choroba", "zdj"])];
    for (text, dialect, records) in
        [(SQLITE3, Dialect::Sqlite, 5), (MYSQLDUMP, Dialect::MySql, 5), (PG_DUMP, Dialect::PostgreSql, 6)]
    {
        assert_eq!(Dialect::detect(text.as_bytes()), Some(dialect));
        let (same, summary) = run(text, &Options::default(), &[], &Hide).unwrap();
        assert_eq!((same.as_str(), summary.records), (text, records));
        let hidden = round_trip(text, &Options::default(), &selector);
        for readable in ["char(10)", "_binary", "$q$", "null", "TRUE", "it\\'s"] {
            let rows = hidden.lines().filter(|line| line.contains("<UCRYPT"));
            assert!(!rows.clone().any(|row| row.contains(readable)), "{readable}: {hidden}");
        }
    }
}

#[test]
fn a_dump_that_does_not_say_what_it_is_for_is_read_as_any_of_them() {
    for create in [
        "CREATE TABLE t (id INTEGER PRIMARY KEY, a, b TEXT);",
        "CREATE TABLE t (id serial, a jsonb, b text[]);",
        "CREATE TABLE `t` (`id` int NOT NULL AUTO_INCREMENT, `a` mediumtext, `b` text) DEFAULT CHARSET=utf8mb4;",
    ] {
        let text = format!("BEGIN TRANSACTION;\n{create}\nINSERT INTO t VALUES (1, 'x', 'y');\nCOMMIT;\n");
        assert_eq!(Dialect::detect(text.as_bytes()), None);
        round_trip(&text, &Options::default(), &[columns("t", "id", &["a", "b"])]);
    }
}

#[test]
fn what_only_the_system_can_compute_is_named_where_it_is_sealed_and_passes_elsewhere() {
    let selector = [columns("t", "id", &["a"])];
    for value in ["DEFAULT", "CURRENT_TIMESTAMP", "now()", "U&'x'", "1 + 1", "'a'::text", "ROW(1, 2)"] {
        let text = format!("INSERT INTO t (id, a) VALUES\n(1, 'x'),\n(2, {value});");
        let refused = error(&text, Dialect::PostgreSql, &selector);
        let why = "line 3: the value of column a of t is not a plain text, number or NULL and cannot be sealed";
        assert_eq!(refused, why, "{value}");
        let (same, _) = run(&text, &options(Dialect::PostgreSql), &selector, &Watch::default()).unwrap();
        assert_eq!(same, text);
    }
    let text = "INSERT INTO t (id, a) VALUES\n(1, 'x'),\n(2, /* c */ 'a');";
    assert_eq!(error(text, Dialect::PostgreSql, &selector), "line 3: a comment stands inside a row of t");
}

#[test]
fn a_spelling_that_would_be_more_than_its_value_is_not_written() {
    let selector = [columns("t", "id", &["a"])];
    let place = tamis_ucrypt::document::Place { table: "T", record: "1", field: "a" };
    for (kind, text, spelling, usual) in [
        ('s', "x", "'x'); DROP TABLE t; --", "'x'"),
        ('s', "x", "'y'", "'x'"),
        ('s', "x", "E'x' 'y'", "'x'"),
        ('s', "x", "$$x$$, 'y'", "'x'"),
        ('s', "5", "5", "'5'"),
        ('s', "it's", "E'it\\'s'", "E'it\\'s'"),
        ('m', "", "null, 1", "NULL"),
        ('m', "", "''", "NULL"),
        ('m', "", "nUlL", "nUlL"),
    ] {
        let marker = disguise::marker(place, kind, &format!("{text}\u{10ffff}{spelling}")).to_text("UCRYPT");
        let dump = format!("INSERT INTO t (id, a) VALUES (1, '{marker}');");
        let (shown, _) = run(&dump, &options(Dialect::PostgreSql), &selector, &Show).unwrap();
        assert_eq!(shown, format!("INSERT INTO t (id, a) VALUES (1, {usual});"), "{spelling}");
    }
    for (text, spelling, usual) in [
        ("x", "x\ty", "x"),
        ("x\ty", "x\ty", "x\\ty"),
        ("x\ny", "x\ny", "x\\ny"),
        ("\n", "\\\n", "\\n"),
        (".", "\\.", "."),
        ("x", "x\\", "x"),
        ("AA", "\\x41A", "\\x41A"),
    ] {
        let marker = disguise::marker(place, 's', &format!("{text}\u{10ffff}{spelling}")).to_text("UCRYPT");
        let dump = format!("COPY t (id, a) FROM stdin;\n1\t{marker}\n\\.\n");
        let (shown, _) = run(&dump, &options(Dialect::PostgreSql), &selector, &Show).unwrap();
        assert_eq!(shown, format!("COPY t (id, a) FROM stdin;\n1\t{usual}\n\\.\n"), "{spelling}");
    }
}

/// A literal as some dump might spell it.
fn literal(dialect: Dialect) -> BoxedStrategy<String> {
    let quoted = "([a-zó <>;,()]|''){0,6}";
    let any = prop_oneof![
        "(NULL|null|Null|TRUE|false|-?[0-9]{1,3}(\\.[0-9]{0,2})?(e-?[0-9])?)",
        quoted.prop_map(|text| format!("'{text}'")),
        quoted.prop_map(|text| format!("N'{text}'")),
        "[xX]'([0-9a-fA-F]{2}){0,3}'",
    ];
    let own = match dialect {
        Dialect::PostgreSql => prop_oneof![
            "([a-z]|''|\\\\[abfnrtz'\\\\]|\\\\x41|\\\\07|\\\\u00f3){0,5}".prop_map(|text| format!("E'{text}'")),
            "[a-z' ;]{0,5}".prop_map(|text| format!("$${text}$$")),
            "[a-p'$ ;]{0,5}".prop_map(|text| format!("$q${text}$q$")),
            "[a-z\\\\]{0,5}".prop_map(|text| format!("e'{}'", text.replace('\\', "\\\\"))),
        ]
        .boxed(),
        Dialect::MySql => prop_oneof![
            "([a-z]|''|\\\\[0bnrtZ%_q'\"\\\\]){0,5}".prop_map(|text| format!("'{text}'")),
            "([a-z']|\"\"|\\\\[0bnrtZ%_q'\"\\\\]){0,5}".prop_map(|text| format!("\"{text}\"")),
            "([a-z]|\\\\[0n']){0,5}".prop_map(|text| format!("_binary '{text}'")),
            "[a-z]{0,5}".prop_map(|text| format!("_utf8mb4'{text}'")),
            "0x[0-9A-F]{2,4}",
        ]
        .boxed(),
        _ => prop_oneof![
            "([a-z]|''){0,5}".prop_map(|text| format!("replace('{text}\\n','\\n',char(10))")),
            "([a-z]|''|\\\\u000a|\\\\\\\\|\\\\000d){0,5}".prop_map(|text| format!("unistr('{text}')")),
            "[a-z\n\\\\]{0,5}".prop_map(|text| format!("'{text}'")),
        ]
        .boxed(),
    };
    prop_oneof![any, own].boxed()
}

proptest! {
    #[test]
    fn every_spelling_of_a_value_comes_back(
        (dialect, values) in prop_oneof![Just(Dialect::PostgreSql), Just(Dialect::MySql), Just(Dialect::Sqlite)]
            .prop_flat_map(|dialect| (Just(dialect), prop::collection::vec(literal(dialect), 1..6))),
    ) {
        let rows: Vec<String> = values.iter().enumerate().map(|(id, value)| format!("({id}, {value})")).collect();
        let text = format!("INSERT INTO t (id, a) VALUES {};\n", rows.join(", "));
        let selector = [columns("t", "id", &["a"])];
        let (hidden, summary) = run(&text, &options(dialect), &selector, &Hide).unwrap();
        prop_assert_eq!(summary.changed as usize, values.len());
        prop_assert_eq!(run(&hidden, &options(dialect), &selector, &Show).unwrap().0, text);
    }
}
