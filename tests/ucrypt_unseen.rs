//! Cells that a command does not see keep their data key: inside other values, or as another program wrote them.

mod holders;
mod program;

use holders::*;
use program::Desk;

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
