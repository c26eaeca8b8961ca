//! Cells that a command does not see keep their data key: inside other values, or as another program wrote them. Values that a document
//! holds in a second place are seen before they are sealed in the first one.

use crate::holders::*;
use crate::program::Desk;

/// A field and another one inside it, in the documents of two policies whose cells have different names.
fn nested() -> Desk {
    let desk = desk();
    let fields = "[[table]]\nname = \"T\"\nkey = \"id\"\nrecord = \"/r/p\"\nrecord_key = \"@id\"\n\
        [[table.field]]\nname = \"v\"\n[[table.field]]\nname = \"e\"\npath = \"v/e\"\n";
    desk.write("nested.toml", fields).write("a.xml", "<r><p id=\"1\"><v>a<e>AIDS</e>b</v></p></r>");
    for (policy, element) in [("n.upolicy", "UCRYPT"), ("m.upolicy", "SEJF")] {
        let holders = "--holder patient.upub --holder doctor.upub";
        desk.done(&format!("ucrypt policy new {policy} -p 2 {holders} --fields nested.toml --element {element}"));
    }
    desk
}

#[test]
fn a_field_that_holds_a_cell_is_not_sealed() {
    let desk = nested();
    desk.done("ucrypt seal n.upolicy a.xml --all --field e -o inner.xml");
    for policy in ["n.upolicy", "m.upolicy"] {
        let seal = format!("ucrypt seal {policy} inner.xml --all --field v -o out.xml");
        assert_refused(&desk, &seal, 5, &["record \"1\"", "field \"v\"", "sealed value inside"]);
    }
    // The outer one alone, opened again, is what it was.
    desk.done("ucrypt seal n.upolicy a.xml --all --field v -o outer.xml");
    desk.done(&format!("ucrypt open n.upolicy outer.xml -o opened.xml{}", with(&["patient", "doctor"])));
    assert_eq!(desk.read("opened.xml"), desk.read("a.xml"));
}

/// The sealed table with one cell of its own, in hexadecimal digits, in a column of another kind.
fn unseen(desk: &Desk) -> String {
    let sealed = desk.read("sealed.csv");
    let cell = &sealed[sealed.find("<UCRYPT").expect("a cell")..];
    let cell = cell[..cell.find("</UCRYPT>").expect("its end") + 9].replace("\"\"", "\"");
    let digits = cell.bytes().map(|byte| format!("{byte:02x}")).collect::<Vec<_>>().concat();
    let more = |line: &str| match line.split(',').next() {
        Some("Id") => format!("{line},Export\n"),
        Some("1") => format!("{line},{digits}\n"),
        _ => format!("{line},\n"),
    };
    sealed.lines().map(more).collect::<Vec<_>>().concat()
}

#[test]
fn the_key_of_a_cell_that_is_not_recognised_is_never_taken_away() {
    let desk = sealed_desk();
    let both = with(&["doctor", "payer"]);
    let keys = desk.read("sealed.csv.ukeys");
    desk.write("odd.csv", unseen(&desk)).write("odd.csv.ukeys", &keys);
    let kid = desk.json("ucrypt inspect odd.csv", 0)["data_keys"][0]["kid"].as_str().expect("a name").to_owned();
    // A rotation would leave that cell without a key that opens it.
    let words = ["odd.csv", kid.as_str(), "still names it", "nothing was changed"];
    assert_refused(&desk, &format!("ucrypt rotate p.upolicy odd.csv --full{both}"), 5, &words);
    assert_refused(&desk, &format!("ucrypt remove-holder p.upolicy patient odd.csv{both}"), 5, &words);
    desk.done(&format!("ucrypt rotate p.upolicy odd.csv --headers{both}"));
    let opened = desk.json(&format!("ucrypt open p.upolicy odd.csv -o opened.csv{both}"), 0);
    assert_eq!(opened["opened"], 4);
    assert!(opened["notes"].to_string().contains(&kid), "{opened}");
    assert!(desk.read("opened.csv.ukeys").contains(&kid));
    // Without it, nothing stays.
    let opened = desk.json(&format!("ucrypt open p.e1.upolicy sealed.csv -o plain-again.csv{both}"), 0);
    assert_eq!(opened["notes"], serde_json::json!([]));
    assert!(!desk.path("plain-again.csv.ukeys").exists());
}

#[test]
fn one_that_another_program_wrote_otherwise_stops_a_rotation_in_every_kind_of_document() {
    for (kind, begin, end) in [("xml", "<!-- ", " -->"), ("sql", "-- ", "\n")] {
        let desk = sealed_desk();
        let name = format!("sealed.{kind}");
        let key = desk.json(&format!("ucrypt inspect {name}"), 0)["data_keys"][0]["kid"].clone();
        desk.write(&name, format!("{}{begin}{}{end}", desk.read(&name), key.as_str().expect("a name")));
        let rotate = format!("ucrypt rotate p.upolicy {name} --full{}", with(&["doctor", "payer"]));
        assert_refused(&desk, &rotate, 5, &[&name, "still names it"]);
    }
    let desk = sealed_desk();
    let key = desk.json("ucrypt inspect sealed.db", 0)["data_keys"][0]["kid"].clone();
    let database = rusqlite::Connection::open(desk.path("sealed.db")).expect("a database");
    database.execute_batch("CREATE TABLE other (note TEXT)").expect("a table");
    database.execute("INSERT INTO other VALUES (?1)", [key.as_str()]).expect("a row");
    drop(database);
    let rotate = format!("ucrypt rotate p.upolicy sealed.db --full{}", with(&["doctor", "payer"]));
    assert_refused(&desk, &rotate, 5, &["sealed.db", "still names it"]);
}

const SEAL: &str = "ucrypt seal p.upolicy twice.";

/// A document of one record, with something before the record and something in it.
fn document(before: &str, inside: &str) -> String {
    format!(
        "<pacjenci>{before}<pacjent><Id>5</Id>{inside}<Nazwisko>a</Nazwisko><Zawód>b</Zawód><Miasto>c</Miasto>\
         <Choroba>d</Choroba></pacjent></pacjenci>"
    )
}

#[test]
fn what_was_taken_out_of_an_xml_document_is_seen_behind_whatever_stands_before_it() {
    let desk = desk();
    let record = "<pacjent><Choroba>AIDS</Choroba></pacjent>";
    for (before, word) in [
        (format!("<!-- values were in <![CDATA[ before -->\n<!-- {record} -->"), "line 2, column 1: a comment"),
        ("<?a <![CDATA[ ?><!-- <Choroba>AIDS</Choroba> -->".to_owned(), "line 1, column 27: a comment"),
        (format!("<?old {record}?>"), "line 1, column 11: a processing instruction"),
        (format!("<!-- <?a -->\n<?b <!-- {record}?>"), "line 2, column 1: a processing instruction"),
    ] {
        desk.write("twice.xml", document(&before, ""));
        let seal = format!("{SEAL}xml --all -o out.xml");
        assert_refused(&desk, &seal, 2, &[word, "--allow-readable comments"]);
        desk.done(&format!("{seal} --allow-readable comments"));
        std::fs::remove_file(desk.path("out.xml")).expect("it was sealed");
    }
    for before in
        [format!("<n><![CDATA[{record}]]></n>"), format!("<n><![CDATA[<!-- {record} --><?a {record}?>]]></n>")]
    {
        desk.write("twice.xml", document(&before, ""));
        desk.done(&format!("{SEAL}xml --all -o out.xml"));
        std::fs::remove_file(desk.path("out.xml")).expect("it was sealed");
    }
}

/// Work that grew with the square of their number would take minutes.
#[cfg(target_os = "linux")]
#[test]
fn many_comments_and_namesakes_take_time_in_proportion() {
    let desk = desk();
    let many = "<!-- a -->".repeat(200_000);
    let named: Vec<String> = (0..200_000).map(|number| format!("<!-- <Choroba> {number} -->")).collect();
    for (text, allowed) in [
        (document("", &many), ""),
        (document(&many, ""), ""),
        (document("", "").replace("<Choroba>", &format!("<Choroba>{many}")), ""),
        (document(&"<?a b?>".repeat(200_000), ""), ""),
        (document("", &named.concat()), " --allow-readable comments"),
        (document("", &"<choroba/>".repeat(60_000)), " --allow-readable namesakes"),
        (document(&"<!-- <Choroba> -->".repeat(200_000), ""), " --allow-readable comments"),
    ] {
        desk.write("twice.xml", text);
        let ran = desk.tamis_small(&format!("{SEAL}xml --all -o out.xml{allowed}"));
        assert_eq!(ran.code, 0, "{allowed}: {ran:?}");
        std::fs::remove_file(desk.path("out.xml")).expect("it was sealed");
    }
}

fn database(desk: &Desk, more: &str) {
    let _ = std::fs::remove_file(desk.path("twice.db"));
    let table = "CREATE TABLE pacjenci (Id INTEGER, Nazwisko TEXT, \"Zawód\" TEXT, Miasto TEXT, Choroba TEXT PRIMARY KEY);\
        INSERT INTO pacjenci VALUES (5, 'a', 'b', 'c', 'AIDS');";
    let database = rusqlite::Connection::open(desk.path("twice.db")).expect("a database");
    database.execute_batch(&format!("{table}{more}")).expect("statements");
}

#[test]
fn what_a_database_copies_from_a_sealed_column_is_seen() {
    let desk = desk();
    let seal = format!("{SEAL}db --all -o out.db");
    for (more, words) in [
        (
            "CREATE TABLE visits (Id, of REFERENCES pacjenci); INSERT INTO visits VALUES (1, 'AIDS');",
            ["column \"of\" of table \"visits\"", "foreign key"],
        ),
        (
            "CREATE VIEW v AS SELECT Id, Choroba FROM pacjenci; CREATE VIEW w AS SELECT * FROM v;\
             CREATE VIRTUAL TABLE words USING fts5(Choroba, content='w', content_rowid='Id'); INSERT INTO words(words) VALUES ('rebuild');",
            ["pacjenci", "through a view, the content of a full-text index"],
        ),
        (
            "CREATE VIRTUAL TABLE words USING fts4(content=\"pacjenci\", Choroba);",
            ["pacjenci", "is the content of a full-text index"],
        ),
        (
            "CREATE VIRTUAL TABLE words USING fts5(Choroba);\
             CREATE TRIGGER filling AFTER INSERT ON pacjenci BEGIN INSERT INTO words (rowid, Choroba) VALUES (new.Id, new.Choroba); END;\
             INSERT INTO pacjenci VALUES (20, 'a', 'b', 'c', 'Flu');",
            [
                "the trigger \"filling\" may put values of the column \"Choroba\" into \"words\"",
                "--allow-readable statements",
            ],
        ),
    ] {
        database(&desk, more);
        assert_refused(&desk, &seal, 2, &words);
    }
    desk.done(&format!("{seal} --allow-readable statements"));
    std::fs::remove_file(desk.path("out.db")).expect("it was sealed");
    for more in [
        "CREATE VIRTUAL TABLE pacjenci_help USING fts5(body); CREATE VIRTUAL TABLE pacjenci_place USING rtree(id, a, b);",
        "CREATE VIEW v AS SELECT Id FROM pacjenci; CREATE VIRTUAL TABLE words USING fts5(Id, content='v');",
        "CREATE TABLE visits (Id, of REFERENCES other); CREATE TABLE other (Id PRIMARY KEY);",
        "CREATE TABLE log (Id, said); CREATE TRIGGER logging AFTER UPDATE ON pacjenci WHEN new.Choroba <> old.Choroba BEGIN \
         INSERT INTO log VALUES (new.Id, 'seen'); END;",
    ] {
        database(&desk, more);
        desk.done(&seal);
        std::fs::remove_file(desk.path("out.db")).expect("it was sealed");
    }
}
