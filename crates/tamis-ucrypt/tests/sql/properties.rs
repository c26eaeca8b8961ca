//! Random dumps: what nobody touches keeps its bytes, and databases and another parser read what is hidden.

use super::*;

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
        // A value with a comment before it is an expression, which is not handed over; its row is still a record.
        let with_comment = usize::from(text.contains("(16, --") || text.contains("(16,/*"));
        prop_assert_eq!(seen.len() + with_comment, rows.len());
        let handed_over = rows.iter().filter(|(id, ..)| with_comment == 0 || *id != 16);
        for ((_, record, _, what), (id, a, _)) in seen.iter().zip(handed_over) {
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
