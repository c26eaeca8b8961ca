//! The patient, the doctor and the payer of the paper, their policy and their table.

#![allow(dead_code, reason = "each test file uses its part")]

use super::program::{Desk, Ran};
use rusqlite::Connection;

/// The table of Figure 9 of the paper, with another record 5 than that of its Figure 8: values that stand nowhere else, so that one which got
/// somewhere is seen.
pub(crate) const ROWS: [[&str; 5]; 9] = [
    ["1", "Kowalski", "Inżynier", "Kraków", "AIDS"],
    ["2", "Nowak", "Malarz", "Opole", "Nowotwór"],
    ["3", "Kwiatkowski", "Inżynier", "Brzeg", "Nowotwór"],
    ["4", "Pyc", "Malarz", "Opole", "Grypa"],
    ["5", "Zagłoba", "Szlachcic", "Zbaraż", "Podagra"],
    ["6", "Wielgosz", "Inżynier", "Kraków", "Grypa"],
    ["7", "Aster", "Tancerz", "Brzeg", "AIDS"],
    ["8", "Lewkowicz", "Muzyk", "Brzeg", "AIDS"],
    ["9", "Spytek", "Inżynier", "Kraków", "AIDS"],
];

pub(crate) const COLUMNS: [&str; 5] = ["Id", "Nazwisko", "Zawód", "Miasto", "Choroba"];

pub(crate) const FIELDS: &str = r#"
[[table]]
name = "pacjenci"
key = "Id"
record = "/pacjenci/pacjent"
record_key = "Id"

[[table.field]]
name = "Nazwisko"
[[table.field]]
name = "Zawód"
[[table.field]]
name = "Miasto"
[[table.field]]
name = "Choroba"
"#;

pub(crate) const KINDS: [&str; 4] = ["xml", "csv", "sql", "db"];
pub(crate) const PAIRS: [[&str; 2]; 3] = [["patient", "doctor"], ["patient", "payer"], ["doctor", "payer"]];

pub(crate) fn csv() -> String {
    let line = |row: &[&str; 5]| row.join(",") + "\n";
    [line(&COLUMNS)].into_iter().chain(ROWS.iter().map(line)).collect()
}

pub(crate) fn xml() -> String {
    let record = |row: &[&str; 5]| {
        let cells: String =
            COLUMNS.iter().zip(row).map(|(name, text)| format!("<{name}>{text}</{name}>")).collect::<Vec<_>>().concat();
        format!("  <pacjent>{cells}</pacjent>\n")
    };
    let records: String = ROWS.iter().map(record).collect();
    format!("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<!-- Rysunek 9 -->\n<pacjenci>\n{records}</pacjenci>\n")
}

pub(crate) fn sql() -> String {
    let tuple = |row: &[&str; 5]| {
        let texts: Vec<String> = row[1..].iter().map(|text| format!("'{text}'")).collect();
        format!("({}, {})", row[0], texts.join(", "))
    };
    let tuples: Vec<String> = ROWS.iter().map(tuple).collect();
    let columns: Vec<String> = COLUMNS[1..].iter().map(|name| format!("\"{name}\" TEXT")).collect();
    format!(
        "CREATE TABLE pacjenci (\"Id\" INTEGER, {});\nINSERT INTO pacjenci VALUES\n{};\n",
        columns.join(", "),
        tuples.join(",\n")
    )
}

/// The rows of a database, as text.
pub(crate) fn rows(desk: &Desk, name: &str) -> Vec<Vec<String>> {
    let database = Connection::open(desk.path(name)).expect("a database");
    let mut statement = database.prepare("SELECT * FROM pacjenci ORDER BY Id").expect("a table");
    let row = |row: &rusqlite::Row<'_>| (0..5).map(|column| row.get_ref(column).map(text)).collect();
    statement.query_map([], row).expect("rows").collect::<Result<_, _>>().expect("rows")
}

pub(crate) fn text(value: rusqlite::types::ValueRef<'_>) -> String {
    match value {
        rusqlite::types::ValueRef::Integer(number) => number.to_string(),
        value => value.as_str().expect("text").to_owned(),
    }
}

/// Keys of patient, doctor and payer, a policy that any two of them open, and the table in every kind of document.
pub(crate) fn desk() -> Desk {
    let desk = Desk::new();
    for holder in ["patient", "doctor", "payer"] {
        desk.done(&format!("ucrypt keygen {holder}"));
    }
    desk.write("fields.toml", FIELDS);
    new_policy(&desk, "p.upolicy", "fields.toml --owner patient");
    desk.write("plain.csv", csv()).write("plain.xml", xml()).write("plain.sql", sql());
    Connection::open(desk.path("plain.db")).expect("a database").execute_batch(&sql()).expect("rows");
    desk
}

/// A policy that any two of the three open, for the fields of a file and with further settings.
pub(crate) fn new_policy(desk: &Desk, policy: &str, fields: &str) {
    let holders = ["patient", "doctor", "payer"].map(|holder| format!(" --holder {holder}.upub")).concat();
    desk.done(&format!("ucrypt policy new {policy} -p 2{holders} --fields {fields}"));
}

/// The same with record 5 sealed, in every kind of document.
pub(crate) fn sealed_desk() -> Desk {
    let desk = desk();
    for kind in KINDS {
        desk.done(&format!("ucrypt seal p.upolicy plain.{kind} -o sealed.{kind} --record 5"));
    }
    desk
}

pub(crate) fn with(holders: &[&str]) -> String {
    holders.iter().map(|holder| format!(" --with {holder}.ukey")).collect::<Vec<_>>().concat()
}

pub(crate) fn open(desk: &Desk, policy: &str, document: &str, holders: &[&str]) -> Ran {
    let extension = document.rsplit('.').next().expect("an extension");
    desk.tamis(&format!("ucrypt open {policy} {document} -o opened.{extension}{}", with(holders)))
}

pub(crate) fn assert_opens(desk: &Desk, policy: &str, document: &str, holders: &[&str]) {
    let ran = open(desk, policy, document, holders);
    assert_eq!(ran.code, 0, "{document} by {holders:?}: {ran:?}");
    assert_plain(desk, document);
}

/// Whether what was opened is what was sealed.
pub(crate) fn assert_plain(desk: &Desk, document: &str) {
    let extension = document.rsplit('.').next().expect("an extension");
    let opened = format!("opened.{extension}");
    if extension == "db" {
        assert_eq!(rows(desk, &opened), ROWS.map(|row| row.map(str::to_owned).to_vec()), "{document}");
    } else {
        assert_eq!(desk.read(&opened), desk.read(&format!("plain.{extension}")), "{document}");
    }
    std::fs::remove_file(desk.path(&opened)).expect("it was written");
}

/// Runs a command that must be refused: its code, its words, and nothing written but the log.
pub(crate) fn assert_refused(desk: &Desk, command: &str, code: i32, words: &[&str]) -> String {
    let without_log = || {
        let mut listing = desk.listing();
        listing.retain(|path, _| path.extension().is_none_or(|extension| extension != "uaudit"));
        listing
    };
    let before = without_log();
    let ran = desk.tamis(command);
    assert_eq!(ran.code, code, "{command}: {ran:?}");
    for word in words {
        assert!(ran.err.contains(word), "{command}: {}", ran.err);
    }
    assert!(before == without_log(), "{command} leaves something behind");
    assert_no_secret(desk, &ran.err);
    ran.err
}

/// Runs a command that does all but what is damaged: exit code 5, its words, and an output, which is read and taken away.
pub(crate) fn assert_left(desk: &Desk, command: &str, output: &str, words: &[&str]) -> Vec<u8> {
    let ran = desk.tamis(command);
    assert_eq!(ran.code, 5, "{command}: {ran:?}");
    for word in words {
        assert!(ran.err.contains(word), "{command}: {}", ran.err);
    }
    assert_no_secret(desk, &ran.err);
    let content = desk.bytes(output);
    for file in [output.to_owned(), format!("{output}.ukeys")] {
        let _ = std::fs::remove_file(desk.path(&file));
    }
    content
}

/// No message may hold what is sealed, nor a key or share.
pub(crate) fn assert_no_secret(desk: &Desk, message: &str) {
    for value in &ROWS[4][1..] {
        assert!(!message.contains(value), "{message}");
    }
    assert!(!message.contains("AGE-SECRET-KEY-1"), "{message}");
    for (path, content) in desk.listing() {
        let Ok(text) = String::from_utf8(content) else { continue };
        if path.extension().is_some_and(|extension| extension == "ushare") {
            let line = text.lines().find_map(|line| line.strip_prefix("words = ")).unwrap_or_default();
            let words: Vec<&str> = line.trim_matches('"').split(' ').collect();
            for three in words.windows(3) {
                assert!(!message.contains(&three.join(" ")), "{message}");
            }
        }
    }
}
