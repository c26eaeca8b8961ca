//! What cannot be sealed is refused with its place, before it fills the memory.

use super::*;

#[test]
fn statements_that_cannot_be_followed_are_refused() {
    let selector = [columns("t", "id", &["a"])];
    for (text, sentence) in [
        (
            "\n\nUPDATE public.t SET a = 'x';",
            "line 3: this statement may put values into t; only rows of INSERT ... VALUES and of COPY can be sealed",
        ),
        (
            "INSERT INTO t SELECT 1, 'x';",
            "line 1: this statement may put values into t; only rows of INSERT ... VALUES and of COPY can be sealed",
        ),
        (
            "INSERT INTO \"T\" SET a = 'x';",
            "line 1: this statement may put values into t; only rows of INSERT ... VALUES and of COPY can be sealed",
        ),
        (
            "CREATE TABLE t (id int, a text) AS SELECT 1, 'x';",
            "line 1: table t is filled by a query, so its values cannot be sealed",
        ),
        (
            "INSERT INTO t VALUES (1, 'x');",
            "line 1: the columns of table t are not known: no column names here, and no CREATE TABLE before that could be read",
        ),
        ("INSERT INTO t (id, a) VALUES (1, 'x'), (2);", "line 1: the record has 1 value, and the table has 2 columns"),
        (
            "INSERT INTO t (id, a) VALUES (1,\nlower('X'));",
            "line 1: the value of column a of t is not a plain text, number or NULL and cannot be sealed",
        ),
        ("INSERT INTO t (id, a) VALUES (NULL, 'x');", "line 1: the record key id is empty"),
        (
            "INSERT INTO t (id, b) VALUES (1, 'x');",
            "there is no column a in t, which has \"id\", \"b\"; if it is not meant here, name the fields that are (--field)",
        ),
        (
            "INSERT INTO t (id, a) VALUES (1, 'x') ON CONFLICT (id) DO UPDATE SET a = 'x';",
            "line 1: a string behind the rows of t cannot be sealed",
        ),
        ("INSERT INTO t (id, a) VALUES ROW(1, 'x');", "line 1: rows of t in parentheses are expected behind VALUES"),
        (
            "INSERT INTO x.t (id, a) VALUES (1, 'x'); INSERT INTO y.t (id, a) VALUES (1, 'x');",
            "t could be x.t or y.t: name the table with its schema, as in source = \"x.t\"",
        ),
        (
            "COPY t (id, a) FROM stdin WITH (FORMAT csv);\n1,x\n\\.\n",
            "line 1: rows of COPY for t can be sealed only in its text format without options",
        ),
        (
            "SET standard_conforming_strings = off;",
            "line 1: this setting changes the meaning of backslashes in strings; write the dump without it",
        ),
        (
            "SELECT 'a\n\n",
            "line 1: a string or quoted name (if not standard SQL: --dialect says whose dump it is) begins here and never ends",
        ),
        ("SELECT 1 /* ", "line 1: a comment begins here and never ends"),
        ("INSERT INTO t (id, a) VALUES (1, 'x';", "line 1: a row ends where none of its parentheses does"),
        ("INSERT INTO t (id, a) VALUES (1, ", "line 1: a parenthesis begins here and never ends"),
        ("COPY t (id, a) FROM stdin;\n1\tx\n", "line 3: the data of a COPY statement begins here and never ends"),
        ("COPY t (id, a) FROM stdin;\n1\tx\ty\n\\.\n", "line 2: the record has 3 values, and the table has 2 columns"),
        (
            "\0S\0E",
            "line 1: there are zero bytes; binary files are not read, nor UTF-16 but in XML documents and CSV files with a byte order mark: save the file as UTF-8",
        ),
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
    assert_eq!(
        refused,
        "line 3, record \"1\": another record has the same key in column id; a sealed value would open in both"
    );
    assert!(run(doubled, &Options::default(), &selector, &Hide).is_ok());
    for harmless in
        ["UPDATE u SET t = 1;", "INSERT INTO u SELECT 'x';", "CREATE INDEX i ON t (a);", "ALTER TABLE t ADD x int;", ""]
    {
        assert_eq!(run(harmless, &Options::default(), &[columns("v", "id", &["a"])], &Hide).unwrap().0, harmless);
    }
    // A table of another schema is another table.
    let in_schema = [columns("public.t", "id", &["a"])];
    for (statement, is_harmless) in [
        ("INSERT INTO archive.t SELECT 1, 'x';", true),
        ("INSERT INTO \"old data\".\"t\" SELECT 1, 'x';", true),
        ("UPDATE `other`.`t` SET a = 'x';", true),
        ("INSERT INTO t SELECT 1, 'x';", false),
        ("INSERT INTO Public.T SELECT 1, 'x';", false),
        ("INSERT INTO archive.u SELECT * FROM \"public\".\"t\";", false),
    ] {
        let ran = run(statement, &Options::default(), &in_schema, &Hide);
        assert_eq!(ran.is_ok_and(|(text, _)| text == statement), is_harmless, "{statement}");
    }
    let absent = run("SELECT 1;", &Options::default(), &selector, &Hide).unwrap().1.absent;
    assert_eq!(absent, ["t"]);
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
fn a_dump_of_ever_new_tables_does_not_fill_the_memory() {
    let mut text = String::new();
    for number in 0..100_000 {
        writeln!(text, "INSERT INTO t{number} (a, b) VALUES (1, 2);").unwrap();
    }
    let refused = run(&text, &Options::default(), &[], &Hide).unwrap_err().to_string();
    assert!(refused.ends_with(": the dump has too many different tables and columns"), "{refused}");
    let tables: String = text.lines().take(10_000).collect();
    assert_eq!(run(&tables, &Options::default(), &[], &Hide).unwrap().1.records, 10_000);
    let deep = format!("CREATE TABLE t (id int DEFAULT {}1{}, a text);", "(".repeat(100_000), ")".repeat(100_000));
    let text = format!("{deep}\nINSERT INTO t VALUES (1, 'x');");
    assert_eq!(run(&text, &Options::default(), &[], &Hide).unwrap().0, text);
    assert_eq!(
        error(&text, Dialect::Sqlite, &[columns("t", "id", &["a"])]),
        "line 2: the columns of table t are not known: no column names here, and no CREATE TABLE before that could be read"
    );
}
