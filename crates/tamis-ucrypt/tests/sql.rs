//! SQL dumps: what is not treated keeps its bytes, what is hidden comes back as it stood, and what cannot be sealed is refused.

mod disguise;

use std::fmt::Write as _;
use std::io::{self, Read};

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

const SQLITE: &str = r#"PRAGMA foreign_keys=OFF;
BEGIN TRANSACTION;
CREATE TABLE pacjenci ("Id" INTEGER PRIMARY KEY, Nazwisko TEXT, Wiek INTEGER, "Choroba" TEXT);
INSERT INTO pacjenci VALUES(1,'Kowalski',44,'AIDS');
INSERT INTO pacjenci VALUES(2,'O''Neil',NULL,'');
INSERT INTO pacjenci VALUES(3,'a;b -- c',-7,'<UCRYPT>');
CREATE TABLE inne(x, y);
INSERT INTO inne VALUES(1,'AIDS');
CREATE TRIGGER t AFTER INSERT ON inne BEGIN INSERT INTO pacjenci VALUES(9,'x',1,'y'); END;
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
CREATE TRIGGER t BEFORE INSERT ON x FOR EACH ROW BEGIN INSERT INTO pacjenci VALUES (NEW.a, ''); END ;;
DELIMITER ;
REPLACE INTO `inne` VALUES (1, 'AIDS');
"#;

const POSTGRESQL: &str = "--\n-- PostgreSQL database dump\n--\n\\restrict abc'def\n\nSET standard_conforming_strings = on;\n\
    CREATE FUNCTION public.f() RETURNS text LANGUAGE sql AS $_$ SELECT 'a;b'; INSERT INTO pacjenci VALUES (1) $_$;\n\
    CREATE TABLE public.pacjenci (\n    \"Id\" integer NOT NULL,\n    \"Nazwisko\" text,\n    \"Wiek\" numeric(5,2) DEFAULT 1,\n    \"Choroba\" text\n);\n\n\
    COPY public.pacjenci (\"Id\", \"Nazwisko\", \"Wiek\", \"Choroba\") FROM stdin;\n1\tKowalski\t44\tA\\nB\n2\tO'Neil; --\t\\N\t\n3\ta\\\\b\t7\t\\\\N\n\\.\n\n\
    INSERT INTO public.pacjenci OVERRIDING SYSTEM VALUE VALUES (4, 'Nowak', 5, 'a\\');\n\
    INSERT INTO public.inne VALUES (E'it\\'s', 'AIDS'), (ARRAY['a', 'b'], f('x', 1));\n";

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
fn other_spellings_of_a_string_come_back_as_the_usual_one() {
    for (dialect, spelled, usual) in [
        (Dialect::PostgreSql, r"E'it\'s'", "'it''s'"),
        (Dialect::MySql, r#""it's \a""#, r"'it\'s a'"),
        (Dialect::Sqlite, r"replace('a\nb','\n',char(10))", "'a\nb'"),
        (Dialect::Standard, "N'a'", "'a'"),
    ] {
        let text = |value: &str| format!("INSERT INTO t (id, a) VALUES (1, {value});");
        let selector = [columns("t", "id", &["a"])];
        let (hidden, _) = run(&text(spelled), &options(dialect), &selector, &Hide).unwrap();
        assert_eq!(run(&hidden, &options(dialect), &selector, &Show).unwrap().0, text(usual));
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

fn headers() -> KeyHeaders {
    KeyHeaders::new([
        KeyHeader::new("p7Q2", "1", "kZ3bQ9xA", None, "AAEC").unwrap(),
        KeyHeader::new("p7Q2", "2", "bbbbbbbb", Some("2026-01-01T00:00:00Z"), "a+/=").unwrap(),
    ])
    .unwrap()
}

fn with_headers(text: &str, headers: &KeyHeaders, home: Home) -> String {
    let mut out = Vec::new();
    let keys = Headers::Replace(headers, home);
    rewrite(text.as_bytes(), &mut out, &Options::default(), &[], keys, &Watch::default()).unwrap();
    String::from_utf8(out).unwrap()
}

#[test]
fn headers_go_before_the_dump_and_leave_without_a_trace() {
    for start in ["", "\u{feff}"] {
        for text in [SQLITE, MYSQL, POSTGRESQL] {
            let text = format!("{start}{text}");
            let plain = survey(text.as_bytes(), &Options::default()).unwrap();
            assert_eq!((plain.headers.as_slice().len(), plain.home), (0, Home::Block));
            let with = with_headers(&text, &headers(), Home::Block);
            assert!(
                with.starts_with(&format!("{start}-- ucrypt_keys: "))
                    && with.ends_with(text.trim_start_matches('\u{feff}'))
            );
            let read = survey(with.as_bytes(), &Options::default()).unwrap();
            assert_eq!((&read.headers, read.home), (&headers(), Home::Block));
            let mut fewer = headers();
            fewer.retain(|header| header.ep() == 2);
            let read = survey(with_headers(&with, &fewer, Home::Block).as_bytes(), &Options::default()).unwrap();
            assert_eq!(read.headers, fewer);
            assert_eq!(with_headers(&with, &KeyHeaders::default(), Home::Block), text);
        }
    }
}

#[test]
fn headers_of_a_dumped_database_are_replaced_where_they_are() {
    let text = "CREATE TABLE a (x text);\nCREATE TABLE public.ucrypt_keys (kid text, pol text, ep integer, born text, dk text);\n\
        INSERT INTO a VALUES ('x');\nINSERT INTO public.ucrypt_keys VALUES ('kZ3bQ9xA', 'p', 1, NULL, 'AA');\nSELECT 1;\n";
    let found = survey(text.as_bytes(), &Options::default()).unwrap();
    assert_eq!(found.home, Home::Table);
    assert_eq!(found.headers.as_slice(), [KeyHeader::new("p", "1", "kZ3bQ9xA", None, "AA").unwrap()]);
    let replaced = with_headers(text, &headers(), found.home);
    assert_eq!(survey(replaced.as_bytes(), &Options::default()).unwrap().headers, headers());
    assert!(!replaced.contains("'p', 1"), "{replaced}");
    assert!(replaced.contains("dk text);\nINSERT INTO public.ucrypt_keys (kid, pol, ep, born, dk) VALUES ('kZ3bQ9xA', 'p7Q2', 1, NULL, 'AAEC');\n"));
    assert_eq!(
        with_headers(text, &KeyHeaders::default(), found.home),
        text.replace("INSERT INTO public.ucrypt_keys VALUES ('kZ3bQ9xA', 'p', 1, NULL, 'AA');\n", "")
    );
    let copied = "COPY ucrypt_keys (dk, kid, ep, pol) FROM stdin;\nAA\tkZ3bQ9xA\t1\tp\n\\.\n";
    let copied = survey(copied.as_bytes(), &options(Dialect::PostgreSql)).unwrap();
    assert_eq!(copied.headers, found.headers);
    let damaged = text.replace("kZ3bQ9xA", "k");
    assert_eq!(
        survey(damaged.as_bytes(), &Options::default()).unwrap_err().to_string(),
        "the data-key header has no valid kid"
    );
}

#[test]
fn a_database_reads_hidden_dumps_and_their_headers() {
    let selector = [columns("pacjenci", "Id", &["Nazwisko", "Wiek", "Choroba"])];
    let hidden =
        run(&with_headers(SQLITE, &headers(), Home::Block), &options(Dialect::Sqlite), &selector, &Hide).unwrap().0;
    let database = Connection::open_in_memory().unwrap();
    database.execute_batch(&hidden).unwrap();
    let count = |query: &str| database.query_row(query, [], |row| row.get::<_, i64>(0)).unwrap();
    assert_eq!(
        count("SELECT count(*) FROM pacjenci WHERE Wiek LIKE '<UCRYPT %</UCRYPT>' AND typeof(Wiek) = 'text'"),
        4 - 1
    );
    assert_eq!(count("SELECT count(*) FROM ucrypt_keys WHERE dk = 'a+/='"), 1);
    assert_eq!(count("SELECT count(*) FROM inne WHERE y = 'AIDS'"), 1);
}

#[test]
fn statements_that_cannot_be_followed_are_refused() {
    let selector = [columns("t", "id", &["a"])];
    for (text, sentence) in [
        (
            "\n\nUPDATE public.t SET a = 'x';",
            "line 3: this statement changes a selected table; only rows of INSERT ... VALUES and of COPY can be sealed",
        ),
        (
            "INSERT INTO t SELECT 1, 'x';",
            "line 1: this statement changes a selected table; only rows of INSERT ... VALUES and of COPY can be sealed",
        ),
        (
            "INSERT INTO \"T\" SET a = 'x';",
            "line 1: this statement changes a selected table; only rows of INSERT ... VALUES and of COPY can be sealed",
        ),
        (
            "CREATE TABLE t (id int, a text) AS SELECT 1, 'x';",
            "line 1: table t is filled by a query, so its values cannot be sealed",
        ),
        (
            "INSERT INTO t VALUES (1, 'x');",
            "line 1: the columns of table t are not known: no column names here, and no CREATE TABLE before that could be read",
        ),
        ("INSERT INTO t (id, a) VALUES (1, 'x'), (2);", "line 1: the record has 1 values, and the table has 2 columns"),
        (
            "INSERT INTO t (id, a) VALUES (1,\nlower('X'));",
            "line 1: the value of column a is not a plain text, number or NULL and cannot be sealed",
        ),
        ("INSERT INTO t (id, a) VALUES (NULL, 'x');", "line 1: the record key id is empty"),
        ("INSERT INTO t (id, b) VALUES (1, 'x');", "there is no column a in t"),
        (
            "INSERT INTO t (id, a) VALUES (1, 'x') ON CONFLICT (id) DO UPDATE SET a = 'x';",
            "line 1: a string behind the rows cannot be sealed",
        ),
        ("INSERT INTO t (id, a) VALUES ROW(1, 'x');", "line 1: rows in parentheses are expected behind VALUES"),
        (
            "INSERT INTO x.t (id, a) VALUES (1, 'x'); INSERT INTO y.t (id, a) VALUES (1, 'x');",
            "t could be x.t or y.t: name the table with its schema",
        ),
        (
            "COPY t (id, a) FROM stdin WITH (FORMAT csv);\n1,x\n\\.\n",
            "line 1: rows of COPY can be sealed only in its text format without options",
        ),
        (
            "SET standard_conforming_strings = off;",
            "line 1: this setting changes the meaning of backslashes in strings; write the dump without it",
        ),
        ("SELECT 'a\n\n", "line 1: a string or quoted name begins here and never ends"),
        ("SELECT 1 /* ", "line 1: a comment begins here and never ends"),
        ("INSERT INTO t (id, a) VALUES (1, 'x';", "line 1: a row ends where none of its parentheses does"),
        ("INSERT INTO t (id, a) VALUES (1, ", "line 1: a parenthesis begins here and never ends"),
        ("COPY t (id, a) FROM stdin;\n1\tx\n", "line 3: the data of a COPY statement begins here and never ends"),
        ("COPY t (id, a) FROM stdin;\n1\tx\ty\n\\.\n", "line 2: the record has 3 values, and the table has 2 columns"),
        ("\0S\0E", "line 1: there are zero bytes; UTF-16 and binary files are not read, save the file as UTF-8"),
        (
            "INSERT INTO t (id, a) VALUES (1, '<UCRYPT v=''1''>AA');",
            "line 1: the field \"a\" of record \"1\" is a damaged sealed value: the sealed value does not end with the end tag of its element",
        ),
    ] {
        assert_eq!(error(text, Dialect::PostgreSql, &selector), sentence, "{text}");
    }
    let unique = Options { keys: Keys::Unique, ..Options::default() };
    let doubled = "INSERT INTO t (id, a) VALUES (1, 'x');\nINSERT INTO t (id, a) VALUES (2, 'x'),\n(1, 'y');";
    let refused = run(doubled, &unique, &selector, &Hide).unwrap_err().to_string();
    assert_eq!(refused, "line 3: another record has the same key in column id; a sealed value would open in both");
    assert!(run(doubled, &Options::default(), &selector, &Hide).is_ok());
    for harmless in
        ["UPDATE u SET t = 1;", "INSERT INTO u SELECT 'x';", "CREATE INDEX i ON t (a);", "ALTER TABLE t ADD x int;", ""]
    {
        assert_eq!(run(harmless, &Options::default(), &[columns("v", "id", &["a"])], &Hide).unwrap().0, harmless);
    }
    let absent = run("SELECT 1;", &Options::default(), &selector, &Hide).unwrap().1.absent;
    assert_eq!(absent, ["t"]);
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

/// A prefix, then a pattern over and over.
struct Endless {
    prefix: Vec<u8>,
    pattern: &'static [u8],
    left: usize,
    at: usize,
}

impl Read for Endless {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let length = buffer.len().min(self.left);
        for byte in &mut buffer[..length] {
            let behind = self.at.checked_sub(self.prefix.len());
            *byte = behind.map_or_else(|| self.prefix[self.at], |behind| self.pattern[behind % self.pattern.len()]);
            self.at += 1;
        }
        self.left -= length;
        Ok(length)
    }
}

#[test]
fn a_value_of_300_megabytes_is_refused_before_it_is_read() {
    let selector = [columns("t", "id", &["a"])];
    for (prefix, pattern, sentence) in [
        (
            "INSERT INTO t (id, a) VALUES (1, '",
            b"x".as_slice(),
            "line 1: the record or statement is longer than 8 MiB, or would be",
        ),
        ("SELECT '", b"''", "line 1: the record or statement is longer than 8 MiB, or would be"),
        ("/*", b"* ", "line 1: the record or statement is longer than 8 MiB, or would be"),
        ("INSERT INTO t (id, a) VALUES (1", b",1", "line 1: there are more than 65536 columns"),
        ("COPY t (id, a) FROM stdin;\n", b"1\t", "line 2: the record or statement is longer than 8 MiB, or would be"),
        ("INSERT ", b"x(", "line 1: the record or statement is longer than 8 MiB, or would be"),
        ("CREATE TABLE ", b"x ", "line 1: the record or statement is longer than 8 MiB, or would be"),
    ] {
        let mut input = Endless { prefix: prefix.into(), pattern, left: 300 << 20, at: 0 };
        let refused = rewrite(&mut input, io::sink(), &options(Dialect::PostgreSql), &selector, Headers::Keep, &Hide)
            .unwrap_err();
        assert_eq!(refused.to_string(), sentence);
        assert!(input.left > 270 << 20, "{} left", input.left);
    }
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
    assert!(expected[1].as_ref().unwrap_err().contains("the value of column id is not a plain text"));
    for threads in [2, 3] {
        assert_eq!([with(threads, &doubled), with(threads, &damaged)], expected);
    }
}

/// Gives a few bytes at a time, so that every boundary falls everywhere.
struct Trickle<'a>(&'a [u8], usize);

impl Read for Trickle<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let length = buffer.len().min(self.1).min(self.0.len());
        buffer[..length].copy_from_slice(&self.0[..length]);
        self.0 = &self.0[length..];
        Ok(length)
    }
}

fn value() -> impl Strategy<Value = String> {
    prop_oneof![
        Just("NULL".to_owned()),
        any::<i32>().prop_map(|number| number.to_string()),
        "-?[0-9]{1,3}\\.[0-9]{1,2}",
        "x'([0-9a-f]{2}){0,3}'",
        "[a-z0-9ó \"\\\\;,()<>\n$#*/-]{0,8}".prop_map(|text| format!("'{text}'")),
        "['a]{0,5}".prop_map(|text| format!("'{}'", text.replace('\'', "''"))),
        Just("'<UCRYPT>'".to_owned()),
    ]
}

fn gap() -> impl Strategy<Value = &'static str> {
    prop_oneof![Just(""), Just(" "), Just("\n\t"), Just(" -- it's; (\n"), Just("/* ' ; */")]
}

prop_compose! {
    fn dump()(
        statements in prop::collection::vec((prop::collection::vec((gap(), value(), value(), gap()), 1..5), gap(), any::<bool>(), 0..3_usize), 1..5),
    ) -> String {
        let mut text = String::from("CREATE TABLE t (id INTEGER PRIMARY KEY, a, b);\n");
        let mut id = 0;
        for (rows, between, named, other) in statements {
            text.push_str(["", "CREATE TABLE IF NOT EXISTS \"u;\" (x);\n", "INSERT INTO t (a) SELECT 'x' WHERE 0;\n"][other % 2]);
            text.push_str(if named { "INSERT INTO t (b, id, a) VALUES" } else { "insert into \"t\" values" });
            for (number, (before, a, b, after)) in rows.iter().enumerate() {
                id += 1;
                let comma = if number > 0 { "," } else { "" };
                // A comment beside a value makes it something that only SQL can read; here and there one may be.
                let inner = if before.contains(['-', '/']) && id % 16 > 0 { "\n " } else { before };
                let row = if named { format!("({b},{inner} {id}, {a})") } else { format!("({id},{inner} {a} , {b} )") };
                write!(text, "{after}{comma}{before}{row}").unwrap();
            }
            writeln!(text, "{between};").unwrap();
        }
        text
    }
}

/// The rows of the table as SQLite reads them.
fn as_sqlite(text: &str) -> Vec<(i64, rusqlite::types::Value, rusqlite::types::Value)> {
    let database = Connection::open_in_memory().unwrap();
    database.execute_batch(text).unwrap_or_else(|error| panic!("{error}: {text}"));
    let mut statement = database.prepare("SELECT id, a, b FROM t ORDER BY id").unwrap();
    statement.query_map([], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?))).unwrap().map(Result::unwrap).collect()
}

proptest! {
    #[test]
    fn what_nobody_touches_keeps_its_bytes(text in dump(), step in 1..9_usize) {
        let watch = Watch::default();
        let selector = [columns("t", "id", &["a"])];
        let mut out = Vec::new();
        let summary = rewrite(Trickle(text.as_bytes(), step), &mut out, &options(Dialect::Sqlite), &selector, Headers::Keep, &watch);
        let Ok(summary) = summary else {
            prop_assert!(text.contains("--") || text.contains("/*"));
            return Err(TestCaseError::reject("a value with a comment"));
        };
        prop_assert_eq!(String::from_utf8(out).unwrap(), text.clone());
        let rows = as_sqlite(&text);
        prop_assert_eq!(summary.records as usize, rows.len());
        let seen = watch.0.into_inner().unwrap();
        prop_assert_eq!(seen.len(), rows.len());
        for ((_, record, _, what), (id, a, _)) in seen.iter().zip(&rows) {
            prop_assert_eq!(record, &id.to_string());
            match a {
                rusqlite::types::Value::Null => prop_assert_eq!(what, "null"),
                rusqlite::types::Value::Text(text) => prop_assert_eq!(what, &format!("text {text}")),
                rusqlite::types::Value::Integer(number) => prop_assert_eq!(what, &format!("text {number}")),
                _ => {}
            }
        }
    }

    #[test]
    fn what_is_hidden_is_shown_byte_for_byte(text in dump()) {
        let selector = [columns("t", "id", &["b"])];
        let Ok((hidden, _)) = run(&text, &options(Dialect::Sqlite), &selector, &Hide) else { return Ok(()) };
        let (before, after) = (as_sqlite(&text), as_sqlite(&hidden));
        prop_assert_eq!(before.len(), after.len());
        for ((_, a, _), (_, same, sealed)) in before.iter().zip(&after) {
            prop_assert_eq!(a, same);
            prop_assert!(matches!(sealed, rusqlite::types::Value::Text(text) if text.starts_with("<UCRYPT ")));
        }
        let (shown, _) = run(&hidden, &options(Dialect::Sqlite), &selector, &Show).unwrap();
        prop_assert_eq!(shown, text);
    }

    #[test]
    fn another_parser_reads_what_is_hidden(text in dump()) {
        let selector = [columns("t", "id", &["a", "b"])];
        let Ok((hidden, _)) = run(&text, &options(Dialect::Sqlite), &selector, &Hide) else { return Ok(()) };
        let parse = |text: &str| sqlparser::parser::Parser::parse_sql(&sqlparser::dialect::SQLiteDialect {}, text).map(|all| all.len());
        let Ok(before) = parse(&text) else { return Ok(()) };
        prop_assert_eq!(parse(&hidden).unwrap(), before);
    }

    #[test]
    fn any_bytes_are_a_dump_or_an_error(
        start in prop_oneof![Just(""), Just("INSERT INTO t VALUES ("), Just("COPY t FROM stdin;\n"), Just("CREATE TRIGGER x BEGIN ")],
        bytes in prop::collection::vec(prop_oneof![Just(b'\''), Just(b'('), Just(b')'), Just(b','), Just(b';'), Just(b'\n'), Just(b'\\'), Just(b'$'), any::<u8>()], 0..60),
        dialect in prop_oneof![Just(Dialect::Standard), Just(Dialect::PostgreSql), Just(Dialect::MySql), Just(Dialect::Sqlite)],
    ) {
        let text = [start.as_bytes(), &bytes].concat();
        let mut out = Vec::new();
        let watch = Watch::default();
        if rewrite(text.as_slice(), &mut out, &options(dialect), &[], Headers::Keep, &watch).is_ok() {
            prop_assert_eq!(out, text);
        }
    }
}
