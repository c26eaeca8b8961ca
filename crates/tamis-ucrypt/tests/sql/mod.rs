//! SQL dumps: what is not treated keeps its bytes, what is hidden comes back as it stood, and what cannot be sealed is refused.

use crate::disguise;
mod headers;
mod properties;
mod refusals;
mod tools;

use std::fmt::Write as _;
use std::io;

use disguise::readers::{Endless, Trickle};
use disguise::{Filter, Hide, Refusal, Show, Watch, columns};
use proptest::prelude::*;
use rusqlite::Connection;
use tamis_ucrypt::document::Treatment;
use tamis_ucrypt::document::header::{KeyHeader, KeyHeaders};
use tamis_ucrypt::document::rows::{Charset, Columns, Keys, RewriteError, Summary};
use tamis_ucrypt::document::sql::{Dialect, Headers, Home, Options, rewrite, survey};

fn run<T: Treatment<Refusal = Refusal>>(
    text: &str,
    options: &Options,
    selectors: &[Columns],
    treatment: &T,
) -> Result<(String, Summary), RewriteError<Refusal>> {
    let mut out = Vec::new();
    let summary = rewrite(text.as_bytes(), &mut out, options, selectors, Headers::Keep, treatment)?;
    Ok((String::from_utf8(out).unwrap(), summary))
}

fn options(dialect: Dialect) -> Options {
    Options { dialect: Some(dialect), ..Options::default() }
}

fn error(text: &str, dialect: Dialect, selectors: &[Columns]) -> String {
    run(text, &options(dialect), selectors, &Hide).unwrap_err().to_string()
}

/// Hides and shows again, and gives what was hidden.
fn round_trip(text: &str, options: &Options, selectors: &[Columns]) -> String {
    let (hidden, _) = run(text, options, selectors, &Hide).unwrap();
    assert_eq!(run(&hidden, options, selectors, &Hide).unwrap().0, hidden, "hiding twice changes nothing");
    assert_eq!(run(&hidden, options, selectors, &Show).unwrap().0, text);
    hidden
}

#[test]
fn a_cell_that_became_a_blob_is_a_cell() {
    let digits = |text: &str| base16ct::lower::encode_string(text.as_bytes());
    let selectors = [columns("t", "id", &["a"])];
    let values = "CREATE TABLE t (id int, a text);\nINSERT INTO t VALUES (1,'x');\n";
    let copied = "COPY t (id, a) FROM stdin;\n1\tx\n\\.\n";
    for (plain, dialect, open, close) in [
        (values, Dialect::Sqlite, "X'", "'"),
        (values, Dialect::MySql, "0x", ""),
        (values, Dialect::PostgreSql, "'\\x", "'"),
        (copied, Dialect::PostgreSql, "\\\\x", ""),
    ] {
        let options = options(dialect);
        let (hidden, _) = run(plain, &options, &selectors, &Hide).unwrap();
        let (from, to) = (hidden.find("<UCRYPT").unwrap(), hidden.rfind("</UCRYPT>").unwrap() + "</UCRYPT>".len());
        let quote = usize::from(plain == values);
        let cell = hidden[from..to].replace("\\\"", "\"");
        let with =
            |text: &str| format!("{}{open}{}{close}{}", &hidden[..from - quote], digits(text), &hidden[to + quote..]);
        let blob = with(&cell);
        let (again, summary) = run(&blob, &options, &selectors, &Hide).unwrap();
        assert_eq!((again == blob, summary.sealed), (true, 1), "{blob}");
        assert_eq!(run(&blob, &options, &selectors, &Show).unwrap().0, plain, "{blob}");
        assert_eq!(run(&blob, &options, &[], &Watch::default()).unwrap().1.sealed, 1, "{blob}");
        let broken = run(&with("foo<UCRYPT v='1' pol='p'>"), &options, &[], &Show).unwrap_err().to_string();
        assert!(broken.contains("is a damaged sealed value"), "{broken}");
    }
}

#[test]
fn a_cell_in_an_expression_is_a_damaged_one_wherever_it_stands() {
    let cell = r#"<UCRYPT cipher="none" v="1" pol="p">AA</UCRYPT>"#;
    let digits = base16ct::lower::encode_string(cell.as_bytes());
    let upper = digits.to_ascii_uppercase();
    let expressions = [
        format!("'{cell}'::text"),
        format!("'\\x{digits}'::bytea"),
        format!("_binary 0x{digits}"),
        format!("0X{}", &upper[..41]),
        format!("('{cell}')"),
        format!("'{}' '{}'", &cell[..20], &cell[20..]),
        format!("'<UCRYPT' || '{}'", &cell[7..]),
        format!("decode('{digits}', 'hex')"),
        format!("CAST(X'{upper}' AS CHAR)"),
        format!("X'{}'", &upper[..41]),
    ];
    let selectors = [columns("t", "id", &["a"])];
    for dialect in [Dialect::Standard, Dialect::PostgreSql, Dialect::MySql, Dialect::Sqlite] {
        for expression in &expressions {
            for values in [format!("{expression}, NULL"), format!("NULL, {expression}")] {
                let text = format!("CREATE TABLE t (id int, a text, b text);\nINSERT INTO t VALUES (7, {values});\n");
                let refused = [
                    run(&text, &options(dialect), &selectors, &Hide).map(|_| ()),
                    run(&text, &options(dialect), &selectors, &Show).map(|_| ()),
                    run(&text, &options(dialect), &selectors, &Filter { only_sealed: false }).map(|_| ()),
                    run(&text, &options(dialect), &[], &Show).map(|_| ()),
                ];
                for refused in refused {
                    let said = refused.expect_err(&text).to_string();
                    assert!(said.contains("is a damaged sealed value: it is part of an expression"), "{said}");
                }
            }
        }
    }
}

#[test]
fn bytes_of_postgresql_are_a_cell_however_they_are_quoted() {
    let digits = base16ct::lower::encode_string(b"<UCRYPT>AA</UCRYPT>");
    let strings =
        [format!("e'\\\\x{digits}'"), format!("$$\\x{digits}$$"), format!("$a$\\x{digits}$a$"), format!("0X{digits}")];
    for string in strings {
        let text = format!("CREATE TABLE t (id int, a bytea);\nINSERT INTO t VALUES (7, {string});\n");
        let summary = run(&text, &options(Dialect::PostgreSql), &[], &Watch::default()).unwrap().1;
        assert_eq!(summary.sealed, 1, "{string}");
    }
}

const SQLITE: &str = r#"PRAGMA foreign_keys=OFF;
BEGIN TRANSACTION;
CREATE TABLE pacjenci ("Id" INTEGER PRIMARY KEY, Nazwisko TEXT, Wiek INTEGER, "Choroba" TEXT);
INSERT INTO pacjenci VALUES(1,'Kowalski',44,'AIDS');
INSERT INTO pacjenci VALUES(2,'O''Neil',NULL,'');
INSERT INTO pacjenci VALUES(3,'a;b -- c',-7,'<UCRYPT>');
CREATE TABLE inne(x, y);
INSERT INTO inne VALUES(1,'AIDS');
CREATE TRIGGER t AFTER INSERT ON inne BEGIN INSERT INTO pacjenci SELECT NEW.x + count(*), NEW.y, NEW.x, NEW.y FROM pacjenci; END;
INSERT INTO inne VALUES(2,X'00ff');
COMMIT;
"#;

const MYSQL: &str = r#"-- MySQL dump 10.13  Distrib 8.0.36, for Linux (x86_64)
/*!40101 SET NAMES utf8mb4 */;
DROP TABLE IF EXISTS `pacjenci`;
CREATE TABLE `pacjenci` (
  `Id` int NOT NULL AUTO_INCREMENT,
  `Nazwisko` varchar(255) DEFAULT NULL COMMENT 'it\'s (a; b)',
  `Wiek` int DEFAULT NULL,
  `Choroba` text,
  PRIMARY KEY (`Id`),
  KEY `k` (`Nazwisko`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4;
LOCK TABLES `pacjenci` WRITE;
INSERT INTO `pacjenci` VALUES (1,'Kowalski',44,'A\nB'),(2,'O\'Neil \"x\" \\',NULL,''),(3,'(;),(',1.50,'\0\Z');
UNLOCK TABLES;
DELIMITER ;;
CREATE TRIGGER t BEFORE INSERT ON x FOR EACH ROW BEGIN INSERT INTO pacjenci VALUES (NEW.a, NEW.b); END ;;
DELIMITER ;
REPLACE INTO `inne` VALUES (1, 'AIDS');
"#;

const POSTGRESQL: &str = "--\n-- PostgreSQL database dump\n--\n\\restrict abc'def\n\nSET standard_conforming_strings = on;\n\
    CREATE FUNCTION public.f() RETURNS text LANGUAGE sql AS $_$ SELECT 'a;b'; INSERT INTO pacjenci SELECT f() $_$;\n\
    CREATE TABLE public.pacjenci (\n    \"Id\" integer NOT NULL,\n    \"Nazwisko\" text,\n    \"Wiek\" numeric(5,2) DEFAULT 1,\n    \"Choroba\" text\n);\n\n\
    COPY public.pacjenci (\"Id\", \"Nazwisko\", \"Wiek\", \"Choroba\") FROM stdin;\n1\tKowalski\t44\tA\\nB\n2\tO'Neil; --\t\\N\t\n3\ta\\\\b\t7\t\\\\N\n\\.\n\n\
    INSERT INTO public.pacjenci OVERRIDING SYSTEM VALUE VALUES (4, 'Nowak', 5, 'a\\');\n\
    INSERT INTO public.inne VALUES (E'it\\'s', 'AIDS'), (ARRAY['a', 'b'], substr('x', 1));\n";

#[test]
fn dumps_of_three_systems_come_back_byte_for_byte() {
    let selector = [columns("pacjenci", "Id", &["Nazwisko", "Wiek", "Choroba"])];
    for (text, values, count) in [(SQLITE, "Kowalski", 9), (MYSQL, "Kowalski", 9), (POSTGRESQL, "Nowak", 12)] {
        let (hidden, summary) = run(text, &Options::default(), &selector, &Hide).unwrap();
        assert_eq!((summary.changed, summary.absent.len()), (count, 0), "{hidden}");
        assert!(!hidden.contains(values) && hidden.contains("'AIDS'"), "{hidden}");
        round_trip(text, &Options::default(), &selector);
    }
}

#[test]
fn numbers_become_strings_and_numbers_again() {
    let text = "INSERT INTO t (id, a) VALUES (1, -1.5), (2, '-1.5'), (3, TRUE), (4, X'00'), (5, '007'), (6, NULL);";
    for dialect in [Options::default(), options(Dialect::MySql)] {
        let hidden = round_trip(text, &dialect, &[columns("t", "id", &["a"])]);
        assert!(!hidden.contains("1.5") && !hidden.contains("TRUE"), "{hidden}");
    }
}

#[test]
fn values_reach_the_treatment_under_their_logical_names() {
    let watch = Watch::default();
    let text = "CREATE TABLE Pacjenci (ID int, choroba text, x text);\nINSERT INTO PACJENCI VALUES (5, 'AIDS', '<UCRYPT>A</UCRYPT>');\
        INSERT INTO u VALUES ('a', '<UCRYPT>B</UCRYPT>');";
    let (out, _) = run(text, &Options::default(), &[columns("pacjenci", "Id", &["Choroba"])], &watch).unwrap();
    assert_eq!(out, text);
    let seen =
        |table: &str, record: &str, field: &str, what: &str| (table.into(), record.into(), field.into(), what.into());
    let expected = [
        seen("T", "5", "Choroba", "text AIDS"),
        seen("T", "5", "x", "sealed A"),
        seen("u", "1", "column 2", "sealed B"),
    ];
    assert_eq!(*watch.0.lock().unwrap(), expected);
}

#[test]
fn filters_drop_rows_and_statements_that_become_empty() {
    let sealed = "'<UCRYPT>A</UCRYPT>'";
    let text = format!(
        "INSERT INTO t VALUES\n  (1, 'a'),\n  (2, {sealed}),\n  (3, 'b');\nINSERT INTO t VALUES (4, {sealed});\r\nINSERT INTO t VALUES ({sealed}, 5), (6, NULL) ON CONFLICT DO NOTHING;\nSELECT 1;\n\
         COPY u (a, b) FROM stdin;\n1\t<UCRYPT>A</UCRYPT>\n2\tx\n\\.\n"
    );
    let filtered = |only_sealed| run(&text, &options(Dialect::PostgreSql), &[], &Filter { only_sealed }).unwrap();
    let (kept, summary) = filtered(false);
    assert_eq!((summary.records, summary.dropped), (8, 4));
    assert_eq!(
        kept,
        "INSERT INTO t VALUES\n  (1, 'a'),\n  (3, 'b');\nINSERT INTO t VALUES (6, NULL) ON CONFLICT DO NOTHING;\nSELECT 1;\nCOPY u (a, b) FROM stdin;\n2\tx\n\\.\n"
    );
    assert_eq!(
        filtered(true).0,
        format!(
            "INSERT INTO t VALUES\n  (2, {sealed});\nINSERT INTO t VALUES (4, {sealed});\r\nINSERT INTO t VALUES ({sealed}, 5) ON CONFLICT DO NOTHING;\nSELECT 1;\n\
             COPY u (a, b) FROM stdin;\n1\t<UCRYPT>A</UCRYPT>\n\\.\n"
        )
    );
    let selector = [columns("u", "a", &["b"])];
    let (kept, _) = run(&text, &options(Dialect::PostgreSql), &selector, &Filter { only_sealed: true }).unwrap();
    assert!(kept.starts_with("INSERT INTO t VALUES\n  (1, 'a'),"), "other tables stay whole: {kept}");
    assert!(!kept.contains("2\tx"));
}

#[test]
fn a_dump_in_another_character_set_keeps_it() {
    let charset = Charset::named("windows-1250").unwrap();
    let text = charset.encode("INSERT INTO t (id, a) VALUES (1, 'Kraków'), (2, 'Łódź');").unwrap().into_owned();
    let selector = [columns("t", "id", &["a"])];
    let options = Options { charset, ..Options::default() };
    let (mut hidden, mut shown) = (Vec::new(), Vec::new());
    rewrite(text.as_slice(), &mut hidden, &options, &selector, Headers::Keep, &Hide).unwrap();
    rewrite(hidden.as_slice(), &mut shown, &options, &selector, Headers::Keep, &Show).unwrap();
    assert!(hidden.is_ascii() && shown == text);
}

#[test]
fn one_statement_of_many_megabytes_streams() {
    let mut text = String::from("INSERT INTO t (id, a) VALUES\n");
    for number in 0..100_000 {
        writeln!(text, "({number}, 'value {number}'),").unwrap();
    }
    text.push_str("(-1, 'last');\n");
    let selector = [columns("t", "id", &["a"])];
    let (hidden, summary) = run(&text, &Options::default(), &selector, &Hide).unwrap();
    assert_eq!(summary.changed, 100_001);
    assert!(run(&hidden, &Options::default(), &selector, &Show).unwrap().0 == text);
}

#[test]
fn threads_change_neither_the_result_nor_the_error() {
    let mut text = String::from("CREATE TABLE t (id INTEGER, a TEXT);\n");
    for number in 0..60_000 {
        let start = if number % 9 == 0 { "INSERT INTO t VALUES\n" } else { "" };
        let end = if number % 9 == 8 || number == 59_999 { ";" } else { "," };
        writeln!(text, "{start}({number}, 'value; {number}'){end}").unwrap();
    }
    let selector = [columns("t", "id", &["a"])];
    let with = |threads, text: &str| {
        let options = Options { threads, keys: Keys::Unique, ..Options::default() };
        run(text, &options, &selector, &Hide).map_err(|error| error.to_string())
    };
    let one = with(1, &text).unwrap();
    assert_eq!(one.1.changed, 60_000);
    for threads in [2, 3] {
        assert!(with(threads, &text).unwrap() == one);
    }
    let doubled = text.replace("\n(50000,", "\n(7,");
    let damaged = doubled.replace("\n(40000,", "\n(now(),");
    let expected = [with(1, &doubled), with(1, &damaged)];
    assert!(expected[0].as_ref().unwrap_err().contains("another record has the same key in column id"));
    assert!(expected[1].as_ref().unwrap_err().contains("the value of column id of t is not a plain text"));
    for threads in [2, 3] {
        assert_eq!([with(threads, &doubled), with(threads, &damaged)], expected);
    }
}
