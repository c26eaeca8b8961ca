//! The headers of data keys: a block before the dump, or a table of it.

use super::*;

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
fn a_dump_is_known_by_what_it_says_behind_however_many_data_keys() {
    let kid = |number: usize| format!("{number:08}");
    let many: Vec<KeyHeader> =
        (0..200).map(|number| KeyHeader::new("p", "1", &kid(number), None, &"A".repeat(108)).unwrap()).collect();
    let many = KeyHeaders::new(many).unwrap();
    for (text, dialect) in [(SQLITE, Dialect::Sqlite), (MYSQL, Dialect::MySql), (POSTGRESQL, Dialect::PostgreSql)] {
        assert_eq!(survey(text.as_bytes(), &Options::default()).unwrap().dialect, dialect);
        let with = with_headers(text, &many, Home::Block);
        assert_eq!(survey(with.as_bytes(), &Options::default()).unwrap().dialect, dialect);
        assert_eq!(with_headers(&with, &KeyHeaders::default(), Home::Block), text);
    }
}
