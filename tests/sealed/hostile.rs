//! Documents made to hurt, read by the program with 64 MB of address space: each ends in seconds, with exit code 2 and a place.

#![cfg(target_os = "linux")]

use crate::holders::*;
use crate::program::Desk;
use std::fs::File;
use std::io::{BufWriter, Write as _};

/// A document of a beginning, a part many times and an end, written piece by piece.
fn write_long(desk: &Desk, name: &str, head: &str, part: &str, times: usize, tail: &str) {
    let mut file = BufWriter::with_capacity(1 << 20, File::create(desk.path(name)).expect("a file"));
    file.write_all(head.as_bytes()).expect("written");
    for _ in 0..times {
        file.write_all(part.as_bytes()).expect("written");
    }
    file.write_all(tail.as_bytes()).expect("written");
    file.flush().expect("written");
}

fn assert_small_refusal(desk: &Desk, name: &str, words: &[&str]) {
    let extension = name.rsplit('.').next().expect("an extension");
    let ran = desk.tamis_small(&format!("ucrypt seal p.upolicy {name} -o out.{extension} --record 5"));
    assert_eq!(ran.code, 2, "{name}: {ran:?}");
    for word in [name].iter().chain(words) {
        assert!(ran.err.contains(word), "{name}: {}", ran.err);
    }
    assert!(!desk.path(&format!("out.{extension}")).exists(), "{name}");
    std::fs::remove_file(desk.path(name)).expect("it was written");
}

/// Documents, by their names, and what is said of each.
fn assert_small_refusals<const COUNT: usize>(desk: &Desk, documents: [(&str, String, [&str; 2]); COUNT]) {
    for (name, document, words) in documents {
        desk.write(name, document);
        assert_small_refusal(desk, name, &words);
    }
}

/// What an error says about the place of the longest line of a document. A database may lack the memory to say which record it is.
fn longest_line(desk: &Desk, document: &str, kind: &str) -> String {
    if kind == "db" {
        return document.to_owned();
    }
    let text = desk.read(&format!("{document}.{kind}"));
    let longest = text.lines().enumerate().max_by_key(|(_, line)| line.len());
    format!("line {}", longest.expect("a line").0 + 1)
}

/// A program that asks for memory and gets none is ended by its runtime; one that asks in time can say which record it is about.
#[test]
fn a_long_value_is_treated_or_refused_whatever_memory_there_is() {
    let desk = desk();
    // What the program takes for itself differs between builds.
    let short = "ucrypt seal p.upolicy plain.xml -o short.xml --record 5";
    let least = (32..200).step_by(4).find(|limit| desk.tamis_within(*limit, short).code == 0);
    let least = least.expect("enough memory for the program itself");
    let value = "x".repeat(5_900_000);
    desk.write("long.csv", csv().replace("Podagra", &value)).write("long.sql", sql().replace("Podagra", &value));
    desk.write("long.xml", xml().replace("Podagra", &format!("{value}<!-- and a comment -->")));
    rusqlite::Connection::open(desk.path("long.db"))
        .expect("a database")
        .execute_batch(&desk.read("long.sql"))
        .expect("rows");
    for kind in KINDS {
        let seal = format!("ucrypt seal p.upolicy long.{kind} -o long-sealed.{kind} --record 5");
        let by = with(&["doctor", "payer"]);
        let open = format!("ucrypt open p.upolicy long-sealed.{kind} -o long-opened.{kind}{by}");
        for (command, document) in [(seal, "long"), (open, "long-sealed")] {
            let spot = longest_line(&desk, document, kind);
            let mut codes = Vec::new();
            for more in (0..=48).step_by(4) {
                let ran = desk.tamis_within(least + more, &command);
                let is_told = ran.err.contains("memory") && ran.err.contains(&spot);
                assert!(ran.code == 0 || ran.code == 2 && is_told, "{command}, {more} MB: {ran:?}");
                codes.push(ran.code);
            }
            assert!(codes.starts_with(&[2]) && codes.ends_with(&[0]), "{command}: {codes:?}");
        }
        if kind == "db" {
            assert!(rows(&desk, "long.db") == rows(&desk, "long-opened.db"));
        } else {
            assert!(desk.bytes(&format!("long.{kind}")) == desk.bytes(&format!("long-opened.{kind}")), "{kind}");
        }
    }
}

const RECORD: &str = "<pacjenci><pacjent><Id>5</Id><Choroba>";
const END: &str = "</Choroba></pacjent></pacjenci>";

#[test]
fn a_document_of_ordinary_size_is_sealed_and_opened_in_the_same_room() {
    let desk = desk();
    for kind in KINDS {
        let ran = desk.tamis_small(&format!("ucrypt seal p.upolicy plain.{kind} -o sealed.{kind} --record 5"));
        assert_eq!(ran.code, 0, "{kind}: {ran:?}");
        let holders = with(&["patient", "payer"]);
        let ran = desk.tamis_small(&format!("ucrypt open p.upolicy sealed.{kind} -o opened.{kind}{holders}"));
        assert_eq!(ran.code, 0, "{kind}: {ran:?}");
        assert_plain(&desk, &format!("sealed.{kind}"));
    }
}

#[test]
fn entities_of_any_kind_are_refused() {
    let desk = desk();
    let entity = |level: u32| format!("<!ENTITY e{level} \"&e{0};&e{0};\">", level - 1);
    let bomb = (1..30).map(entity).collect::<Vec<_>>().concat();
    desk.write("bomb.xml", format!("<!DOCTYPE a [<!ENTITY e0 \"ha\">{bomb}]>{RECORD}&e29;{END}"));
    assert_small_refusal(&desk, "bomb.xml", &["line 1", "document type"]);
    desk.write(
        "quadratic.xml",
        format!("<!DOCTYPE a [<!ENTITY e \"{}\">]>{RECORD}{}{END}", "h".repeat(50_000), "&e;".repeat(50_000)),
    );
    assert_small_refusal(&desk, "quadratic.xml", &["line 1", "document type"]);
    desk.write("external.xml", format!("<!DOCTYPE a [\n<!ENTITY e SYSTEM \"file:///etc/passwd\">]>{RECORD}&e;{END}"));
    assert_small_refusal(&desk, "external.xml", &["line 1", "document type"]);
    desk.write("dtd.xml", format!("<!DOCTYPE a SYSTEM \"http://127.0.0.1:9/a.dtd\">{RECORD}{END}"));
    assert_small_refusal(&desk, "dtd.xml", &["line 1", "document type"]);
    desk.write("unknown.xml", format!("{RECORD}\n&nbsp;{END}"));
    assert_small_refusal(&desk, "unknown.xml", &["line 2, column 1", "record \"5\"", "&nbsp;"]);
}

#[test]
fn xml_that_goes_on_without_end_is_refused() {
    let desk = desk();
    write_long(&desk, "deep.xml", RECORD, "<a>", 5_000_000, "");
    assert_small_refusal(&desk, "deep.xml", &["line 1", "record \"5\"", "deep"]);
    write_long(&desk, "deep-outside.xml", "<pacjenci>", "<a>", 5_000_000, "");
    assert_small_refusal(&desk, "deep-outside.xml", &["line 1", "deep"]);
    let attributes = (0..80_000).map(|number| format!(" a{number}='x'")).collect::<Vec<_>>().concat();
    desk.write("attributes.xml", format!("{RECORD}<b{attributes}/>{END}"));
    assert_small_refusal(&desk, "attributes.xml", &["line 1", "record \"5\"", "attributes"]);
    let megabyte = "x".repeat(1 << 20);
    write_long(&desk, "text.xml", RECORD, &megabyte, 300, END);
    assert_small_refusal(&desk, "text.xml", &["line 1", "record \"5\"", "longer than"]);
    write_long(&desk, "comment.xml", "<pacjenci><!--", &megabyte, 300, "--></pacjenci>");
    assert_small_refusal(&desk, "comment.xml", &["line 1", "longer than"]);
    write_long(&desk, "tag.xml", "<pacjenci><a b='", &megabyte, 300, "'/></pacjenci>");
    assert_small_refusal(&desk, "tag.xml", &["line 1", "longer than"]);
}

#[test]
fn xml_that_is_none_is_refused_with_its_place() {
    let desk = desk();
    let whole = format!("{RECORD}x{END}");
    let documents = [
        ("two.xml", format!("{whole}\n<pacjenci/>"), ["line 2", "second root"]),
        ("junk.xml", format!("{whole}\njunk"), ["line 2", "outside the root"]),
        ("unclosed.xml", format!("{RECORD}x</Choroba></pacjent>\n"), ["line 2", "never closed"]),
        ("cut.xml", format!("{RECORD}x</Choroba></pac"), ["line 1", "ends inside a tag"]),
        ("control.xml", format!("{RECORD}\n\u{1}{END}"), ["line 2", "U+0001"]),
        ("reference.xml", format!("{RECORD}\n&#1;{END}"), ["line 2", "reference"]),
        ("empty.xml", String::new(), ["line 1", "no root"]),
        ("version.xml", format!("<?xml version='1.1'?>{whole}"), ["line 1", "1.1"]),
        ("encoding.xml", format!("<?xml version='1.0' encoding='Shift_JIS'?>{whole}"), ["line 1", "Shift_JIS"]),
        ("wide.xml", format!("<?xml version='1.0' encoding='UTF-16'?>{whole}"), ["line 1", "UTF-16"]),
    ];
    assert_small_refusals(&desk, documents);
    // The long form of a slash, in three bytes, and half of a character.
    for (name, bytes) in [("overlong.xml", &b"\xe0\x80\xaf"[..]), ("half.xml", b"\xc5")] {
        desk.write(name, [RECORD.as_bytes(), bytes, END.as_bytes()].concat());
        assert_small_refusal(&desk, name, &["line 1", "not UTF-8"]);
    }
    desk.write("zeros.xml", format!("{RECORD}\0{END}"));
    assert_small_refusal(&desk, "zeros.xml", &["line 1", "U+0000"]);
}

#[test]
fn utf_16_is_read_in_xml_and_with_a_mark_in_csv_and_named_elsewhere() {
    let desk = desk();
    for big in [true, false] {
        let bytes = |unit: u16| if big { unit.to_be_bytes() } else { unit.to_le_bytes() };
        for mark in ["\u{feff}", ""] {
            let wide = |text: &str| -> Vec<u8> { format!("{mark}{text}").encode_utf16().flat_map(bytes).collect() };
            let document = xml().replace("encoding=\"UTF-8\"", "encoding=\"UTF-16\"");
            desk.write("wide.xml", wide(&document));
            let ran = desk.tamis_small("ucrypt seal p.upolicy wide.xml -o sealed.xml --record 5");
            assert_eq!(ran.code, 0, "{ran:?}");
            let ran = open(&desk, "p.upolicy", "sealed.xml", &["doctor", "payer"]);
            assert_eq!(ran.code, 0, "{ran:?}");
            assert_eq!(desk.bytes("opened.xml"), desk.bytes("wide.xml"));
            desk.write("wide.sql", wide(&sql())).write("wide.csv", wide(&csv()));
            assert_small_refusal(&desk, "wide.sql", &["line 1", "UTF-16"]);
            if mark.is_empty() {
                assert_small_refusal(&desk, "wide.csv", &["line 1", "UTF-16"]);
                continue;
            }
            let ran = desk.tamis_small("ucrypt seal p.upolicy wide.csv -o sealed.csv --record 5");
            assert_eq!(ran.code, 0, "{ran:?}");
        }
    }
}

#[test]
fn csv_that_is_none_or_goes_on_without_end_is_refused() {
    let desk = desk();
    let header = "Id,Nazwisko,Zawód,Miasto,Choroba\n";
    let documents = [
        ("ragged.csv", format!("{header}5,a,b,c,d\n6,a\n"), ["line 3", "2 values"]),
        ("long-row.csv", format!("{header}5,a,b,c,d,e\n"), ["line 2", "5 columns"]),
        ("open.csv", format!("{header}5,a,b,\"c,d\n6,a,b,c,d\n"), ["line 2", "never ends"]),
        ("behind.csv", format!("{header}5,a,b,\"c\"x,d\n"), ["line 2", "behind the closing quotation mark"]),
        ("zero.csv", format!("{header}5,a,b,c,d\n").replace('w', "\0"), ["line 1", "zero bytes"]),
        ("empty.csv", String::new(), ["empty", "columns"]),
        (
            "returns.csv",
            format!("{header}5,a,b,c,d\r6,a,b,c,d\r\n7,a\n").replacen('\n', "\r", 1),
            ["line 4", "2 values"],
        ),
        ("doubled.csv", format!("{},Choroba\n5,a,b,c,d,e\n", header.trim_end()), ["more than one column", "Choroba"]),
    ];
    assert_small_refusals(&desk, documents);
    desk.write("overlong.csv", [header.as_bytes(), b"5,a,b,c,\xe0\x80\xaf\n"].concat());
    assert_small_refusal(&desk, "overlong.csv", &["line 2", "Choroba", "UTF-8"]);
    let megabyte = "x".repeat(1 << 20);
    write_long(&desk, "field.csv", &format!("{header}5,a,b,c,\""), &megabyte, 300, "\"\n");
    assert_small_refusal(&desk, "field.csv", &["line 2", "longer than 8 MiB"]);
    write_long(&desk, "columns.csv", "Id", ",x", 100_000, "\n");
    assert_small_refusal(&desk, "columns.csv", &["line 1", "columns"]);
    // A header that comes again is a record like any other; its key is not among those that were asked for.
    desk.write("again.csv", format!("\u{feff}{}{}", csv(), header));
    let ran = desk.tamis_small("ucrypt seal p.upolicy again.csv -o again-sealed.csv --record 5");
    assert_eq!(ran.code, 0, "{ran:?}");
    assert!(desk.read("again-sealed.csv").ends_with(header));
}

#[test]
fn sql_that_is_none_or_goes_on_without_end_is_refused() {
    let desk = desk();
    let head = "CREATE TABLE pacjenci (\"Id\" INTEGER, \"Nazwisko\" TEXT, \"Zawód\" TEXT, \"Miasto\" TEXT, \"Choroba\" TEXT);\nINSERT INTO pacjenci VALUES (5, 'a', 'b', 'c', ";
    let documents = [
        ("open.sql", format!("{head}'d"), ["line 2", "never ends"]),
        ("parenthesis.sql", format!("{head}'d'"), ["line 2", "never ends"]),
        ("semicolon.sql", format!("{head}'d';\n"), ["line 2", "parentheses"]),
        ("computed.sql", format!("{head}now());\n"), ["line 2", "column Choroba of pacjenci"]),
        ("ragged.sql", format!("{head}'d', 'e');\n"), ["line 2", "6 values"]),
        ("comment.sql", format!("{head}'d');\n/* "), ["line 3", "a comment"]),
    ];
    assert_small_refusals(&desk, documents);
    write_long(&desk, "parentheses.sql", head, "(", 5_000_000, "");
    assert_small_refusal(&desk, "parentheses.sql", &["line 2"]);
    write_long(&desk, "balanced.sql", head, "(", 2_000_000, &format!("1{});", ")".repeat(2_000_000)));
    assert_small_refusal(&desk, "balanced.sql", &["line 2", "Choroba"]);
    let megabyte = "x".repeat(1 << 20);
    write_long(&desk, "value.sql", &format!("{head}'"), &megabyte, 300, "');\n");
    assert_small_refusal(&desk, "value.sql", &["line 2", "longer than 8 MiB"]);
    write_long(&desk, "create.sql", "CREATE TABLE pacjenci (", "(", 5_000_000, "");
    assert_small_refusal(&desk, "create.sql", &["pacjenci"]);
    let nested = format!("{}'x'{}", "replace(".repeat(200_000), ",'\\n',char(10))".repeat(200_000));
    desk.write("nested.sql", format!("PRAGMA foreign_keys=OFF;\nBEGIN TRANSACTION;\n{head}{nested});\n"));
    assert_small_refusal(&desk, "nested.sql", &["line 4", "Choroba"]);
    let deep = format!("{}1{}", "(".repeat(2_000_000), ")".repeat(2_000_000));
    desk.write(
        "deep.sql",
        format!("CREATE TABLE pacjenci (\"Id\" INT DEFAULT {deep});\nINSERT INTO pacjenci VALUES (5);"),
    );
    assert_small_refusal(&desk, "deep.sql", &["line 2", "pacjenci"]);
    // The beginning of the data keys again and again, none of which ends.
    let keys = "-- ucrypt_keys: the data keys of the sealed values below, wrapped for the holders of their policies\n";
    write_long(&desk, "keys.sql", "", keys, 500_000, &sql());
    let ran = desk.tamis_small("ucrypt seal p.upolicy keys.sql -o out.sql --record 5");
    assert!([0, 2].contains(&ran.code), "{ran:?}");
    // Each of many names behind a dot, and none before it.
    write_long(&desk, "dots.sql", &format!("{}UPDATE t SET ", sql()), "].a ", 1_000_000, ";\n");
    let ran = desk.tamis_small("ucrypt seal p.upolicy dots.sql -o out.sql --record 5");
    assert_eq!(ran.code, 0, "{ran:?}");
    write_long(&desk, "plain.csv.ukeys", "{\"v\":\"", "1", 30 << 20, "\"}");
    let ran = desk.tamis_small("ucrypt inspect plain.csv");
    assert!(ran.code == 2 && ran.err.contains("too long"), "{ran:?}");
}

#[test]
fn databases_that_are_none_or_damaged_are_refused() {
    let desk = desk();
    desk.write(
        "text.db",
        "a text that is longer than the head of a database, which has a hundred bytes, and says something else",
    );
    assert_small_refusal(&desk, "text.db", &["not a database"]);
    let database = rusqlite::Connection::open(desk.path("pages.db")).expect("a database");
    database.execute_batch(&sql()).expect("rows");
    database
        .execute_batch(
            "WITH RECURSIVE n(i) AS (SELECT 10 UNION ALL SELECT i + 1 FROM n WHERE i < 5000) INSERT INTO pacjenci SELECT i, 'a', 'b', 'c', 'd' FROM n",
        )
        .expect("rows");
    drop(database);
    let mut bytes = desk.bytes("pages.db");
    for page in bytes.chunks_mut(4096).skip(2).step_by(3) {
        page.fill(0xA5);
    }
    desk.write("pages.db", &bytes);
    assert_small_refusal(&desk, "pages.db", &["malformed"]);
    desk.write("cut.db", &bytes[..bytes.len() / 2]);
    assert_small_refusal(&desk, "cut.db", &["database"]);
    let view =
        "CREATE VIEW pacjenci AS SELECT 5 AS Id, 'a' AS Nazwisko, 'b' AS \"Zawód\", 'c' AS Miasto, 'd' AS Choroba";
    rusqlite::Connection::open(desk.path("view.db")).expect("a database").execute_batch(view).expect("a view");
    assert_small_refusal(&desk, "view.db", &["pacjenci", "view"]);
    let computed = "CREATE TABLE pacjenci (Id, Nazwisko, \"Zawód\", Miasto, Choroba AS (Miasto || 'x'))";
    rusqlite::Connection::open(desk.path("computed.db")).expect("a database").execute_batch(computed).expect("a table");
    assert_small_refusal(&desk, "computed.db", &["pacjenci", "computed"]);
}

#[test]
fn dumps_that_would_keep_a_parser_busy_end_in_seconds_and_in_the_same_room() {
    use std::fmt::Write as _;
    let desk = desk();
    let row = "INSERT INTO pacjenci (Id, Nazwisko, \"Zawód\", Miasto, Choroba) VALUES (5, 'a', 'b', 'c', 'd');\n";
    let definition = |middle: &str| format!("CREATE TABLE x (id int check ({middle}), nm text);\n{row}");
    let (mut tables, mut rows) = (String::new(), String::new());
    for number in 0..8_000 {
        writeln!(tables, "CREATE TABLE t{number} (id int, a text);").expect("a string takes any text");
        writeln!(rows, "INSERT INTO x{number} VALUES (1, 'x');").expect("a string takes any text");
    }
    let more = rows.replace("INTO x", "INTO y");
    for (name, text, code) in [
        ("deep.sql", format!("INSERT INTO pacjenci {}a{} VALUES (5);\n", "(".repeat(60_000), ")".repeat(60_000)), 2),
        ("long.sql", definition(&format!("1{}", "+1".repeat(60_000))), 0),
        ("wide.sql", definition(&format!("1{}", "+1".repeat(15_000))), 0),
        ("many.sql", format!("{tables}{rows}{row}"), 0),
        ("more.sql", format!("{tables}{rows}{more}{row}"), 2),
        ("alter.sql", format!("{tables}ALTER TABLE zz RENAME {};\n{row}", "a ".repeat(500_000)), 2),
    ] {
        desk.write(name, text);
        let ran = desk.tamis_small(&format!("ucrypt seal p.upolicy {name} -o out.sql --record 5"));
        assert_eq!(ran.code, code, "{name}: {ran:?}");
    }
}
