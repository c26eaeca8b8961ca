//! Sealing ends well only if nothing that the policy seals stays readable, or what does was allowed to.

use crate::holders::*;
use crate::program::Desk;

#[test]
fn what_may_stay_readable_is_named_by_its_kind() {
    let desk = desk();
    let seal = "ucrypt seal p.upolicy plain.csv --all -o out.csv --allow-readable";
    assert_refused(&desk, &format!("{seal} everything"), 2, &["\"everything\"", "attributes"]);
    let sealed = desk.json(&format!("{seal} attributes,attributes --allow-readable attributes"), 0);
    assert_eq!(sealed["readable"], serde_json::json!({}));
}

/// Conditions of two patients, in the manner of FHIR: values are attributes of empty elements.
const CONDITIONS: &str = r#"<?xml version="1.0" encoding="UTF-8"?>
<Bundle xmlns="http://hl7.org/fhir">
  <Condition><id value="5"/>
    <code><coding><code value="B24"/><display value='HIV "disease"'/></coding><text value="AIDS"/></code>
    <note lang="pl" xml:lang="pl" x:by="Rieux" xmlns:x="urn:x">zaraz<b kind="bold">&#x105;</b><!-- Oran --><?p plague?></note>
    <note lang=""></note>
  </Condition>
  <Condition><id value="6"/><code><text value="flu"/></code><note lang="fr">rien</note></Condition>
</Bundle>
"#;

const FHIR: &str = r#"
[namespaces]
"" = "http://hl7.org/fhir"
[[table]]
name = "conditions"
record = "/Bundle/Condition"
record_key = "id/@value"
[[table.field]]
name = "diagnosis"
path = "code/text"
[[table.field]]
name = "display"
path = "code/coding/display/@value"
[[table.field]]
name = "note"
"#;

fn fhir() -> Desk {
    let desk = desk();
    desk.write("fhir.toml", FHIR).write("a.xml", CONDITIONS);
    new_policy(&desk, "f.upolicy", "fhir.toml --id fhir");
    desk
}

const BOTH: [&str; 2] = ["doctor", "payer"];

#[test]
fn attributes_of_a_sealed_element_are_sealed_with_it_and_come_back_byte_for_byte() {
    let desk = fhir();
    let sealed = desk.json("ucrypt seal f.upolicy a.xml --record 5 -o sealed.xml", 0);
    // Text and value, the display, two notes and their three attributes.
    assert_eq!((&sealed["sealed"], &sealed["readable"]), (&8.into(), &serde_json::json!({})), "{sealed}");
    let text = desk.read("sealed.xml");
    for value in ["AIDS", "disease", "zaraz", "Oran", "plague", "Rieux", "lang=\"pl\" xml", "bold"] {
        assert!(!text.contains(value), "{value}: {text}");
    }
    for value in ["B24", "value=\"5\"", "xml:lang=\"pl\"", "xmlns:x=\"urn:x\"", "flu", "rien", "lang=\"fr\""] {
        assert!(text.contains(value), "{value}: {text}");
    }
    desk.done(&format!("ucrypt open f.upolicy sealed.xml -o opened.xml{}", with(&BOTH)));
    assert_eq!(desk.read("opened.xml"), CONDITIONS);
    // Sealed again it stays as it is, and other commands know its cells.
    let again = desk.json("ucrypt seal f.upolicy sealed.xml --record 5 -o again.xml", 0);
    assert_eq!((&again["sealed"], desk.read("again.xml")), (&0.into(), text));
    assert_eq!(desk.json("ucrypt inspect sealed.xml", 0)["sealed"], 8);
    assert_eq!(desk.json("ucrypt filter sealed.xml --drop --policy f.upolicy -o left.xml", 0)["kept"], 1);
}

#[test]
fn attributes_of_a_sealed_element_are_rotated_granted_and_opened_with_it() {
    let desk = fhir();
    desk.done("ucrypt seal f.upolicy a.xml --all -o sealed.xml");
    let before = desk.read("sealed.xml");
    desk.done(&format!("ucrypt rotate f.upolicy sealed.xml --full{}", with(&BOTH)));
    assert_ne!(desk.read("sealed.xml"), before);
    // Another program may rename prefixes.
    desk.write("renamed.xml", desk.read("sealed.xml").replace("x:by", "y:by").replace("xmlns:x=", "xmlns:y="));
    desk.done(&format!("ucrypt open f.upolicy renamed.xml -o opened.xml{}", with(&BOTH)));
    assert!(desk.read("opened.xml").contains("y:by=\"Rieux\""));
    // By its name, a field opens with its attributes and nothing else does.
    desk.done(&format!("ucrypt open f.upolicy sealed.xml --field diagnosis -o opened.xml{}", with(&BOTH)));
    let opened = desk.read("opened.xml");
    assert!(
        opened.contains("<text value=\"AIDS\"/>") && !opened.contains("Rieux") && !opened.contains("rien"),
        "{opened}"
    );
    desk.done("ucrypt keygen reader");
    let grant = format!(
        "ucrypt open f.upolicy sealed.xml --grant diagnosis --record 5 --to reader.upub -o one.ugrant{}",
        with(&BOTH)
    );
    desk.done(&grant);
    desk.done("ucrypt open f.upolicy sealed.xml --granted one.ugrant --with reader.ukey -o granted.xml");
    assert!(desk.read("granted.xml").contains("<text value=\"AIDS\"/>"));
}

#[test]
fn a_cell_of_an_attribute_opens_nowhere_else() {
    let desk = fhir();
    desk.done("ucrypt seal f.upolicy a.xml --record 5 --field note -o sealed.xml");
    let text = desk.read("sealed.xml");
    let cells: Vec<&str> = text
        .match_indices("&lt;UCRYPT")
        .map(|(at, _)| &text[at..at + text[at..].find('"').expect("its end")])
        .collect();
    assert_eq!(cells.len(), 3);
    for (one, other) in [(0, 1), (0, 2), (1, 2)] {
        let moved = text.replace(cells[one], "@").replace(cells[other], cells[one]).replace('@', cells[other]);
        desk.write("moved.xml", moved);
        let open = format!("ucrypt open f.upolicy moved.xml -o opened.xml{}", with(&BOTH));
        let opened =
            String::from_utf8(assert_left(&desk, &open, "opened.xml", &["record \"5\"", "note"])).expect("text");
        assert!(opened.contains(cells[one]) && opened.contains(cells[other]), "both stay as they are: {opened}");
    }
}

#[test]
fn attributes_stay_readable_only_if_that_is_allowed() {
    let desk = fhir();
    let seal = "ucrypt seal f.upolicy a.xml --record 5 --allow-readable attributes -o sealed.xml";
    let sealed = desk.json(seal, 0);
    assert_eq!(
        (&sealed["sealed"], &sealed["readable"]),
        (&4.into(), &serde_json::json!({"attributes": 4})),
        "{sealed}"
    );
    assert!(sealed["notes"].to_string().contains("stays readable in 4 places"), "{sealed}");
    assert!(desk.read("sealed.xml").contains("<text value=\"AIDS\"><UCRYPT"));
    desk.done(&format!("ucrypt open f.upolicy sealed.xml -o opened.xml{}", with(&BOTH)));
    assert_eq!(desk.read("opened.xml"), CONDITIONS);
    // Sealing what was sealed that way seals the attributes too, and so does naming one of them.
    desk.done("ucrypt seal f.upolicy sealed.xml --record 5 -o all.xml");
    assert!(!desk.read("all.xml").contains("AIDS"));
    desk.done(&format!("ucrypt open f.upolicy all.xml -o opened.xml{}", with(&BOTH)));
    assert_eq!(desk.read("opened.xml"), CONDITIONS);
}

#[test]
fn an_attribute_that_is_the_key_or_a_field_of_its_own_is_not_sealed_with_its_element() {
    let desk = desk();
    let fields = "[[table]]\nname = \"T\"\nrecord = \"/r/p\"\nrecord_key = \"@id\"\n[[table.field]]\nname = \"all\"\npath = \".\"\n\
        [[table.field]]\nname = \"a\"\npath = \"@a\"\n";
    desk.write("k.toml", fields).write("k.xml", "<r><p id='1' a='AIDS' b=''>x</p><p b='' id='2' a=\"&gt;\"/></r>");
    new_policy(&desk, "k.upolicy", "k.toml --id key");
    assert_eq!(desk.json("ucrypt seal k.upolicy k.xml --all --field all -o sealed.xml", 0)["sealed"], 4);
    assert!(desk.read("sealed.xml").contains("<p id='1' a='AIDS' b='&lt;UCRYPT"));
    assert_eq!(desk.json("ucrypt seal k.upolicy k.xml --all -o sealed.xml", 0)["sealed"], 6);
    desk.done(&format!("ucrypt open k.upolicy sealed.xml -o opened.xml{}", with(&BOTH)));
    assert_eq!(desk.read("opened.xml"), desk.read("k.xml"));
}

#[test]
fn a_record_or_field_in_a_comment_is_refused_unless_allowed() {
    let desk = fhir();
    let record = "<Condition><id value=\"7\"/><code><text value=\"AIDS\"/></code></Condition>";
    for (at, comment, line) in [
        ("<Bundle", format!("<!-- {record} -->\n<Bundle"), 2),
        ("  <Condition><id value=\"6\"", format!("<!--\n{record}--><Condition><id value=\"6\""), 8),
        ("<note lang=\"fr\"", "<!-- <x:note>AIDS</x:note> --><note lang=\"fr\"".to_owned(), 8),
        ("</Bundle>", "</Bundle><!-- <text value='AIDS'/> -->".to_owned(), 9),
    ] {
        desk.write("b.xml", CONDITIONS.replacen(at, &comment, 1));
        let seal = "ucrypt seal f.upolicy b.xml --record 5 -o sealed.xml";
        let place = format!("line {line}, column ");
        let said =
            assert_refused(&desk, seal, 2, &[&place, "a comment that holds an element", "--allow-readable comments"]);
        assert!(said.contains("would stay readable in 1 place"), "{said}");
        let done = desk.json(&format!("{seal} --allow-readable comments"), 0);
        assert_eq!(done["readable"], serde_json::json!({"comments": 1}));
        desk.done(&format!("ucrypt open f.upolicy sealed.xml -o opened.xml{}", with(&BOTH)));
        assert_eq!(desk.read("opened.xml"), desk.read("b.xml"));
    }
    // Inside a field it is sealed with it.
    desk.write("b.xml", CONDITIONS.replace("<!-- Oran -->", "<!-- <note>Oran</note> -->"));
    desk.done("ucrypt seal f.upolicy b.xml --record 5 -o sealed.xml");
    assert!(!desk.read("sealed.xml").contains("Oran"));
}

#[test]
fn an_attribute_that_should_tell_how_to_read_an_element_and_tells_more_is_sealed() {
    let desk = desk();
    let fields = "[[table]]\nname = \"T\"\nrecord = \"/r/p\"\nrecord_key = \"@id\"\n[[table.field]]\nname = \"d\"\n";
    let plain = "<r xmlns:xsi='http://www.w3.org/2001/XMLSchema-instance'>\
        <p id='1'><d xml:lang='AIDS' xsi:nil='AIDS' xml:space='AIDS' xsi:schemaLocation='AIDS' xml:id='AIDS' xml:base='AIDS'/></p>\
        <p id='2'><d xml:lang='pl-PL' xsi:nil='false' xml:space='preserve' xsi:type='CD' xsi:schemaLocation='urn:x x.xsd'>flu</d></p></r>";
    desk.write("k.toml", fields).write("k.xml", plain);
    new_policy(&desk, "k.upolicy", "k.toml --id key");
    assert_eq!(desk.json("ucrypt seal k.upolicy k.xml --all -o sealed.xml", 0)["sealed"], 8);
    let sealed = desk.read("sealed.xml");
    assert!(
        !sealed.contains("AIDS") && sealed.contains("xml:lang='pl-PL'") && sealed.contains("xsi:type='CD'"),
        "{sealed}"
    );
    assert_eq!(desk.json("ucrypt seal k.upolicy sealed.xml --all -o again.xml", 0)["sealed"], 0);
    desk.done(&format!("ucrypt open k.upolicy sealed.xml -o opened.xml{}", with(&BOTH)));
    assert_eq!(desk.read("opened.xml"), plain);
}

#[test]
fn a_column_called_like_a_sealed_one_is_refused_unless_allowed() {
    let desk = desk();
    for other in [
        "choroba",
        " Choroba ",
        "Choroba\u{a0}",
        "\u{feff}Choroba",
        "Cho\u{200b}roba",
        "ＣＨＯＲＯＢＡ",
        "Choroba.1",
        "'choroba'",
    ] {
        desk.write("a.csv", format!("Id,Nazwisko,Zawód,Miasto,Choroba,{other}\n5,Pyc,Malarz,Opole,AIDS,AIDS\n"));
        let seal = "ucrypt seal p.upolicy a.csv --all -o out.csv";
        let words = ["a.csv", "1 place", "column 6", "beside \"Choroba\"", "--allow-readable namesakes"];
        assert_refused(&desk, seal, 2, &words);
        desk.done(&format!("{seal} --field Miasto"));
        assert_eq!(desk.json(&format!("{seal} --allow-readable namesakes"), 0)["readable"]["namesakes"], 1);
    }
    // Letters with accents are one sign or two.
    let header = "Id,Nazwisko,Zawód,Miasto,Choroba,Zawo\u{301}d";
    desk.write("a.csv", format!("{header}\n5,Pyc,Malarz,Opole,AIDS,Malarz\n"));
    assert_refused(&desk, "ucrypt seal p.upolicy a.csv --all -o out.csv", 2, &["column 6", "beside \"Zawód\""]);
    let database = rusqlite::Connection::open(desk.path("plain.db")).expect("a database");
    database.execute_batch("ALTER TABLE pacjenci ADD COLUMN \" choroba\" TEXT").expect("a column");
    drop(database);
    let seal = "ucrypt seal p.upolicy plain.db --all -o out.db";
    assert_refused(&desk, seal, 2, &["\" choroba\" of table \"pacjenci\"", "beside \"Choroba\""]);
    assert_eq!(desk.json(&format!("{seal} --allow-readable namesakes"), 0)["readable"]["namesakes"], 1);
}

#[test]
fn a_record_whose_key_looks_like_a_chosen_one_is_refused_unless_allowed() {
    let desk = desk();
    for key in ["5 ", " 5", "5\u{a0}", "\u{200b}5"] {
        desk.write("a.csv", format!("{}{key},A,B,C,AIDS\n", csv()));
        let seal = "ucrypt seal p.upolicy a.csv -o out.csv --record 5";
        assert_refused(&desk, seal, 2, &["the field \"Choroba\"", "looks like one that was chosen", "namesakes"]);
        assert_eq!(desk.json(&format!("{seal} --allow-readable namesakes"), 0)["readable"]["namesakes"], 4);
        assert_eq!(
            desk.json(&format!("{seal} --allow-readable namesakes --field Miasto"), 0)["readable"]["namesakes"],
            1
        );
        // Others are other records.
        desk.done("ucrypt seal p.upolicy a.csv -o out.csv --record 4");
        desk.done("ucrypt seal p.upolicy a.csv -o out.csv --all");
        assert!(!desk.read("out.csv").contains("AIDS"));
    }
}

/// Sealed, the key of a record keeps its table from being read.
#[test]
fn a_field_that_holds_the_key_of_another_table_is_refused() {
    let desk = desk();
    let visits = "[[table]]\nname = \"v\"\nrecord = \"/b/p/v\"\nrecord_key = \"@nr\"\n[[table.field]]\nname = \"e\"\n";
    let people = |path: &str| {
        format!(
            "[[table]]\nname = \"p\"\nrecord = \"/b/p\"\nrecord_key = \"@id\"\n[[table.field]]\nname = \"d\"\npath = \"{path}\"\n"
        )
    };
    let words = ["the field \"d\" of \"p\"", "the key of the records of \"v\""];
    let holders = ["patient", "doctor"].map(|holder| format!(" --holder {holder}.upub")).concat();
    for (path, one) in [("v/@nr", "one.upolicy"), ("v", "two.upolicy")] {
        desk.write("k.toml", format!("{}{visits}", people(path))).write("one.toml", people(path));
        assert_refused(&desk, &format!("ucrypt policy new k.upolicy -p 2{holders} --fields k.toml"), 2, &words);
        new_policy(&desk, one, "one.toml");
        let amend = format!("ucrypt policy amend {one} --fields k.toml{}", with(&BOTH));
        assert_refused(&desk, &amend, 2, &words);
    }
    desk.write("k.toml", format!("{}{visits}", people("v/@code")))
        .write("k.xml", "<b><p id='5'><v nr='7' code='J'><e>AIDS</e></v></p></b>");
    new_policy(&desk, "k.upolicy", "k.toml");
    desk.done("ucrypt seal k.upolicy k.xml --all -o sealed.xml");
    desk.done(&format!("ucrypt open k.upolicy sealed.xml -o opened.xml{}", with(&BOTH)));
    assert_eq!(desk.read("opened.xml"), desk.read("k.xml"));
}

#[test]
fn an_element_or_attribute_called_like_a_field_is_refused_unless_allowed() {
    let desk = desk();
    let fields = "[namespaces]\nn = \"urn:n\"\n[[table]]\nname = \"T\"\nrecord = \"/r/p\"\nrecord_key = \"@id\"\n[[table.field]]\nname = \"d\"\n\
        [[table.field]]\nname = \"e\"\npath = \"w/n:é\"\n[[table.field]]\nname = \"c\"\npath = \"v/@c\"\n";
    desk.write("k.toml", fields);
    new_policy(&desk, "k.upolicy", "k.toml --id key");
    let document = |inside: &str, beside: &str| {
        format!(
            "<r xmlns:n='urn:n' xmlns:o='urn:o'>\n<p id='1'><d>AIDS</d><w><n:é>AIDS</n:é></w><v c='AIDS'/>{inside}</p>\n<p id='2'><d/></p>{beside}</r>"
        )
    };
    let seal = "ucrypt seal k.upolicy k.xml -o out.xml";
    // Case, a namespace too many or too few, on the way to a field or on it.
    for inside in [
        "<D>AIDS</D>",
        "<d xmlns='urn:x'>AIDS</d>",
        "<w><é>AIDS</é></w>",
        "<w><n:É/></w>",
        "<w><n:e\u{301}/></w>",
        "<W><n:é/></W>",
        "<v C='AIDS'/>",
        "<v n:c='AIDS'/>",
    ] {
        desk.write("k.xml", document(inside, ""));
        for chosen in ["--all", "--record 1"] {
            let words = ["line 2, column", "of record \"1\"", "--allow-readable namesakes"];
            assert_refused(&desk, &format!("{seal} {chosen}"), 2, &words);
            let sealed = desk.json(&format!("{seal} {chosen} --allow-readable namesakes"), 0);
            assert_eq!(sealed["readable"]["namesakes"], 1, "{inside}: {sealed}");
        }
        // Another record, and another field, are not concerned.
        desk.done(&format!("{seal} --record 2 --field d"));
        desk.done(&format!("ucrypt open k.upolicy out.xml -o opened.xml{}", with(&BOTH)));
        assert_eq!(desk.read("opened.xml"), desk.read("k.xml"));
    }
    // An attribute instead of an element, and the other way round.
    desk.write("k.xml", document("", "<p id='3' d='AIDS'/><p id='4' D='AIDS'/>"));
    assert_refused(&desk, &format!("{seal} --all"), 2, &["in 2 places", "of record \"3\"", "of record \"4\""]);
    desk.write("k.xml", document("<v><c>AIDS</c></v>", ""));
    assert_refused(&desk, &format!("{seal} --record 1"), 2, &["in 1 place", "the field \"c\" of record \"1\""]);
    // A record that is called otherwise, where all are meant.
    for beside in ["<P id='3'><d>AIDS</d></P>", "<p xmlns='urn:n' id='3'><d>AIDS</d></p>", "<n:p id='3'/>"] {
        desk.write("k.xml", document("", beside));
        assert_refused(&desk, &format!("{seal} --all"), 2, &["line 3, column", "like a record"]);
        desk.done(&format!("{seal} --record 1"));
    }
    // Two vocabularies may have a word in common, and what is sealed with a field around it is no concern.
    for inside in ["<o:é/>", "<w><o:é>AIDS</o:é></w>", "<w><n:é><É/><d/></n:é></w>", "<v xml:id='x'/>", "<d><D/></d>"]
    {
        desk.write("k.xml", document(inside, ""));
        desk.done(&format!("{seal} --all"));
    }
}

#[test]
fn a_column_that_refers_to_a_sealed_one_of_a_database_is_refused_unless_it_is_sealed_too() {
    let desk = desk();
    let fields = "[[table]]\nname = \"p\"\nkey = \"Id\"\n[[table.field]]\nname = \"name\"\n";
    desk.write("one.toml", fields);
    desk.write(
        "both.toml",
        format!("{fields}[[table]]\nname = \"visits\"\nkey = \"Id\"\n[[table.field]]\nname = \"of\"\n"),
    );
    new_policy(&desk, "one.upolicy", "one.toml");
    new_policy(&desk, "both.upolicy", "both.toml");
    let database = rusqlite::Connection::open(desk.path("v.db")).expect("a database");
    let tables = "CREATE TABLE p (Id INTEGER PRIMARY KEY, name TEXT UNIQUE, city TEXT);\
        CREATE TABLE visits (Id INTEGER PRIMARY KEY, of TEXT REFERENCES P (Name), p INTEGER REFERENCES p (Id));\
        INSERT INTO p VALUES (1, 'Rieux', 'Oran'); INSERT INTO visits VALUES (7, 'Rieux', 1);";
    database.execute_batch(tables).expect("tables");
    drop(database);
    let seal = "v.db --all -o out.db";
    assert_refused(&desk, &format!("ucrypt seal one.upolicy {seal}"), 2, &["\"of\" of table \"visits\"", "readable"]);
    desk.done(&format!("ucrypt seal both.upolicy {seal}"));
    assert!(!desk.bytes("out.db").windows(5).any(|bytes| bytes == b"Rieux"));
    desk.done(&format!("ucrypt open both.upolicy out.db -o opened.db{}", with(&BOTH)));
}

#[test]
fn a_trigger_of_a_database_that_holds_a_value_is_refused_unless_allowed() {
    let desk = desk();
    desk.write("one.toml", "[[table]]\nname = \"p\"\nkey = \"Id\"\n[[table.field]]\nname = \"dis\"\n");
    new_policy(&desk, "one.upolicy", "one.toml");
    let database = rusqlite::Connection::open(desk.path("v.db")).expect("a database");
    let tables = "CREATE TABLE p (Id INTEGER PRIMARY KEY, dis TEXT); CREATE TABLE log (what); INSERT INTO p VALUES (1, 'flu');\
        CREATE TRIGGER seen AFTER INSERT ON p BEGIN INSERT INTO log VALUES ('seen'); UPDATE p SET dis = NEW.dis WHERE Id = 1; END;";
    database.execute_batch(tables).expect("tables");
    let seal = "ucrypt seal one.upolicy v.db --all -o out.db";
    assert_eq!(desk.json(seal, 0)["sealed"], 1);
    let trigger = "CREATE TRIGGER told AFTER INSERT ON log BEGIN UPDATE p SET dis = 'AIDS' WHERE Id = 5; END;";
    database.execute_batch(trigger).expect("a trigger");
    drop(database);
    std::fs::remove_file(desk.path("out.db")).expect("the output of before");
    assert_refused(&desk, seal, 2, &["the trigger \"told\" may put values into \"p\"", "--allow-readable statements"]);
    desk.done(&format!("{seal} --allow-readable statements"));
}

#[test]
fn a_text_in_the_place_of_a_namespace_is_refused_in_a_sealed_element() {
    let desk = desk();
    let fields = "[[table]]\nname = \"T\"\nrecord = \"/r/p\"\nrecord_key = \"@id\"\n[[table.field]]\nname = \"d\"\n";
    desk.write("k.toml", fields);
    new_policy(&desk, "k.upolicy", "k.toml --id key");
    for declared in [
        "xmlns:q='Patient has AIDS'",
        "xmlns:q='urn:x' xmlns:r='has\tAIDS'",
        "xmlns:q='AIDS&#32;since'",
        "xmlns:r='AIDS&#xA0;2019'",
    ] {
        desk.write("k.xml", format!("<r><p id='1'><d {declared}>x</d></p></r>"));
        assert_refused(&desk, "ucrypt seal k.upolicy k.xml --all -o sealed.xml", 2, &["namespace", "readable"]);
    }
    desk.write("k.xml", "<r><p id='1'><d xmlns:q='urn:x'>x</d></p></r>");
    desk.done("ucrypt seal k.upolicy k.xml --all -o sealed.xml");
}

#[test]
fn a_text_like_a_cell_in_a_column_that_no_field_names_does_not_stop_sealing() {
    let desk = desk();
    for text in ["<UCRYPT>hello world</UCRYPT>", "<UCRYPT v=\"\"1\"\" pol=\"\"x\"\">"] {
        let all = csv();
        let (header, rows) = all.split_once('\n').expect("a header");
        let rows: Vec<String> = rows.lines().map(|row| format!("{row},\"{text}\"")).collect();
        desk.write("a.csv", format!("{header},Remarks\n{}\n", rows.join("\n")));
        let done = desk.json("ucrypt seal p.upolicy a.csv --all -o out.csv", 0);
        assert!(done["sealed"].as_u64().expect("a number") > 0 && desk.read("out.csv").contains(text), "{done}");
    }
}

/// Somebody may type the tag of a sealed value around something that anybody can read.
#[test]
fn a_readable_value_in_the_clothes_of_a_sealed_one_is_refused_where_it_is_to_be_sealed() {
    let desk = desk();
    let id = desk.json("ucrypt policy show p.upolicy", 0)["policy"].as_str().expect("an id").to_owned();
    let texts = [
        "<UCRYPT v=\"1\" pol=\"x\">Cholera</UCRYPT>".to_owned(),
        format!(
            "<UCRYPT cipher=\"A256GCM\" v=\"1\" pol=\"{id}\" ep=\"1\" kid=\"AAAAAAAA\" bind=\"rf\">Cholera</UCRYPT>"
        ),
        format!(
            "<UCRYPT cipher=\"Cholera\" v=\"1\" pol=\"{id}\" ep=\"1\" kid=\"AAAAAAAA\" bind=\"rf\">{}</UCRYPT>",
            "A".repeat(88)
        ),
        format!("<UCRYPT v=\"2\" pol=\"{id}\">Cholera</UCRYPT>"),
        "<UCRYPT>since 2019, Cholera</UCRYPT>".to_owned(),
    ];
    // What may be a cell of another tool, as far as anybody here can tell.
    for text in [
        "<UCRYPT note=\"Cholera, since 2019\"/>",
        "<UCRYPT cipher=\"Cholera\">AAAA</UCRYPT>",
        "<UCRYPT>Cholera</UCRYPT>",
    ] {
        let escaped = text.replace('<', "&lt;").replace('>', "&gt;");
        desk.write("a.csv", csv().replace("Podagra", &format!("\"{}\"", text.replace('"', "\"\""))));
        desk.write("a.xml", xml().replace("Podagra", &escaped)).write("b.xml", xml().replace("Podagra", text));
        desk.write("a.sql", sql().replace("Podagra", text));
        for document in ["a.csv", "a.xml", "b.xml", "a.sql"] {
            let extension = document.rsplit('.').next().expect("an extension");
            let seal = format!("ucrypt seal p.upolicy {document} -o out.{extension} --all");
            assert_refused(&desk, &seal, 2, &["\"5\"", "Choroba", "another tool", "--allow-readable foreign"]);
            desk.done(&format!("{seal} --allow-readable foreign"));
        }
    }
    for text in texts {
        let escaped = text.replace('<', "&lt;").replace('>', "&gt;");
        desk.write(
            "a.csv",
            csv().replace("5,Zagłoba,Szlachcic,Zbaraż,Podagra", &format!("5,Z,S,Z,\"{}\"", text.replace('"', "\"\""))),
        );
        desk.write("a.xml", xml().replace("Podagra", &escaped)).write("b.xml", xml().replace("Podagra", &text));
        desk.write("a.sql", sql().replace("Podagra", &text));
        std::fs::copy(desk.path("plain.db"), desk.path("a.db")).expect("a copy");
        let database = rusqlite::Connection::open(desk.path("a.db")).expect("a database");
        database.execute("UPDATE pacjenci SET Choroba = ?1 WHERE Id = 5", [&text]).expect("an edit");
        drop(database);
        for document in ["a.csv", "a.xml", "b.xml", "a.sql", "a.db"] {
            let extension = document.rsplit('.').next().expect("an extension");
            let seal = format!("ucrypt seal p.upolicy {document} -o out.{extension}");
            for chosen in ["--all", "--record 5"] {
                let said = assert_refused(&desk, &format!("{seal} {chosen}"), 5, &["\"5\"", "Choroba", "readable"]);
                assert!(!said.contains("Cholera"), "{said}");
            }
            desk.done(&format!("{seal} --record 4"));
            desk.done(&format!("{seal} --all --field Miasto"));
        }
    }
    // The same as the value of an attribute that is sealed with its element.
    let desk = fhir();
    desk.write(
        "a.xml",
        CONDITIONS.replace("\"AIDS\"", "\"&lt;UCRYPT v=&quot;1&quot; pol=&quot;x&quot;&gt;AIDS&lt;/UCRYPT&gt;\""),
    );
    assert_refused(&desk, "ucrypt seal f.upolicy a.xml --record 5 -o out.xml", 5, &["diagnosis/@value[1]", "readable"]);
}

/// Statements of dumps that are no rows of `INSERT ... VALUES` or `COPY` and put values into a table that is sealed.
mod dumps {
    use super::*;

    const TABLE: &str = "CREATE TABLE pacjenci (\"Id\" INTEGER, \"Nazwisko\" TEXT, \"Zawód\" TEXT, \"Miasto\" TEXT, \"Choroba\" TEXT);\n\
        INSERT INTO pacjenci VALUES (1, 'a', 'b', 'c', 'd');\n";

    /// The table as a dialect quotes names.
    fn table(dialect: &str) -> String {
        if dialect == "mysql" { TABLE.replace('"', "`") } else { TABLE.to_owned() }
    }

    fn seal(dialect: &str) -> String {
        format!("ucrypt seal p.upolicy dump.sql --all --dialect {dialect} -o out.sql")
    }

    /// Statements that put a value into the table, each with its dialect.
    const UNSEALABLE: [(&str, &str); 48] = [
        ("postgresql", "UPDATE pacjenci SET \"Choroba\" = 'Podagra' WHERE \"Id\" = 1;"),
        ("postgresql", "DO $$ BEGIN INSERT INTO public.pacjenci VALUES (5, 'x', 'y', 'z', 'Podagra'); END $$;"),
        ("postgresql", "DO 'BEGIN INSERT INTO pacjenci VALUES (5, ''x'', ''y'', ''z'', ''Podagra''); END';"),
        (
            "postgresql",
            "CREATE FUNCTION f() RETURNS void LANGUAGE sql AS $f$ INSERT INTO pacjenci VALUES (5, 'Podagra') $f$;",
        ),
        (
            "postgresql",
            "CREATE FUNCTION f() RETURNS void LANGUAGE sql BEGIN ATOMIC UPDATE pacjenci SET \"Choroba\" = 'Podagra'; END;",
        ),
        ("postgresql", "CREATE RULE r AS ON INSERT TO other DO ALSO INSERT INTO pacjenci VALUES (5, 'Podagra');"),
        ("postgresql", "PREPARE p AS INSERT INTO pacjenci VALUES ($1, $2); EXECUTE p(5, 'Podagra');"),
        ("postgresql", "EXPLAIN ANALYZE INSERT INTO pacjenci VALUES (5, 'Podagra');"),
        ("postgresql", "SELECT 5 AS \"Id\", 'Podagra' AS \"Choroba\" INTO pacjenci;"),
        ("postgresql", "WITH x AS (SELECT 'Podagra') INSERT INTO pacjenci SELECT * FROM x;"),
        ("postgresql", "MERGE INTO pacjenci USING x ON true WHEN MATCHED THEN UPDATE SET \"Choroba\" = 'Podagra';"),
        ("postgresql", "CREATE TABLE pacjenci AS SELECT 5 AS \"Id\", 'Podagra' AS \"Choroba\";"),
        ("postgresql", "CREATE TABLE pacjenci (\"Id\", \"Choroba\") AS VALUES (5, 'Podagra');"),
        ("postgresql", "CREATE MATERIALIZED VIEW pacjenci AS SELECT 'Podagra' AS \"Choroba\";"),
        (
            "postgresql",
            "CREATE TABLE c (LIKE pacjenci);\nINSERT INTO c VALUES (5, 'Podagra');\nALTER TABLE c INHERIT pacjenci;",
        ),
        ("postgresql", "INSERT INTO c (a) VALUES ('Podagra');\nALTER TABLE c RENAME TO pacjenci;"),
        ("postgresql", "COPY pacjenci FROM stdin WITH (FORMAT csv);\n5,x,y,z,Podagra\n\\.\n"),
        ("postgresql", "\\copy pacjenci from stdin with csv\n5,x,y,z,Podagra\n\\.\n"),
        ("postgresql", "\\set insert 'INSERT INTO pacjenci VALUES (5, ''Podagra'')'\n:insert;"),
        (
            "postgresql",
            "SELECT * FROM pg_restore_attribute_stats('relname', 'pacjenci', 'most_common_vals', '{Podagra}'::text);",
        ),
        (
            "postgresql",
            "INSERT INTO pacjenci VALUES (5, 'x', 'y', 'z', 'w') ON CONFLICT DO UPDATE SET \"Choroba\" = 'Podagra';",
        ),
        (
            "postgresql",
            "CREATE FUNCTION f(int, text) RETURNS void LANGUAGE sql AS $$ INSERT INTO pacjenci SELECT $1, $2 $$;\nSELECT f(5, 'Podagra');",
        ),
        ("postgresql", "COPY pacjenci FROM PROGRAM 'echo 5 x y z Podagra';"),
        ("postgresql", "\\copy pacjenci from program 'echo 5 x y z Podagra'\n"),
        ("postgresql", "DELETE FROM pacjenci WHERE \"Choroba\" = 'Podagra';"),
        ("postgresql", "DO $$ BEGIN EXECUTE format('INSERT INTO %I VALUES (5, %L)', 'pacjenci', 'Podagra'); END $$;"),
        (
            "postgresql",
            "CREATE FUNCTION f() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN NEW.\"Choroba\" := 'Podagra'; RETURN NEW; END $$;\n\
             CREATE TRIGGER t BEFORE INSERT ON pacjenci FOR EACH ROW EXECUTE FUNCTION f();",
        ),
        (
            "postgresql",
            "INSERT INTO leaf (a) VALUES ('Podagra');\nALTER TABLE mid ATTACH PARTITION leaf DEFAULT;\nALTER TABLE pacjenci ATTACH PARTITION mid DEFAULT;",
        ),
        (
            "postgresql",
            "INSERT INTO one (a) VALUES ('Podagra');\nALTER TABLE one RENAME TO two;\nALTER TABLE two RENAME TO pacjenci;",
        ),
        ("mysql", "INSERT INTO one (a) VALUES ('Podagra');\nRENAME TABLE one TO two, two TO pacjenci;"),
        (
            "mysql",
            "CREATE TRIGGER t BEFORE INSERT ON pacjenci FOR EACH ROW SET NEW.Miasto = 'x', NEW.`Choroba` = 'Podagra';",
        ),
        ("mysql", "DELIMITER //\nINSERT INTO pacjenci VALUES (5, 'x', 'y', 'z', 'Podagra')//\nDELIMITER ;\n"),
        ("mysql", "\\d //\nREPLACE pacjenci SET `Choroba` = 'Podagra'//\n\\d ;\n"),
        (
            "mysql",
            "DELIMITER $$\nCREATE PROCEDURE f() BEGIN\n  UPDATE pacjenci SET `Choroba` = \"Podagra\";\nEND$$\nDELIMITER ;\nCALL f();",
        ),
        (
            "mysql",
            "DELIMITER $$\nCREATE PROCEDURE f(a INT, b TEXT) INSERT INTO pacjenci VALUES (a, b)$$\nDELIMITER ;\nCALL f(5, 'Podagra');",
        ),
        ("mysql", "/*!50001 CREATE TABLE pacjenci AS SELECT 5 AS `Id`, 'Podagra' AS `Choroba` */;"),
        ("mysql", "/*!50003 UPDATE pacjenci SET `Choroba` = 'Podagra' */;"),
        ("mysql", "/*M!100100 REPLACE INTO pacjenci SET `Choroba` = 'Podagra' */;"),
        ("mysql", "CREATE TABLE pacjenci (SELECT 5 AS `Id`, 'Podagra' AS `Choroba`);"),
        ("mysql", "SET @q = 'INSERT INTO pacjenci VALUES (5, \"Podagra\")'; PREPARE s FROM @q; EXECUTE s;"),
        ("mysql", "INSERT INTO pacjenci SET `Id` = 5, `Choroba` = 'Podagra';"),
        ("mysql", "INSERT INTO pacjenci VALUES ROW(5, 'x', 'y', 'z', 'Podagra');"),
        ("mysql", "RENAME TABLE pacjenci TO x, y TO pacjenci; INSERT INTO pacjenci TABLE z;"),
        ("sqlite", "CREATE TABLE pacjenci AS SELECT 5 AS Id, 'Podagra' AS Choroba;"),
        (
            "sqlite",
            "CREATE TRIGGER t AFTER INSERT ON x BEGIN INSERT INTO pacjenci VALUES (5, 'x', 'y', 'z', 'Podagra'); END;",
        ),
        ("sqlite", "CREATE VIEW pacjenci AS SELECT 5 AS Id, 'Podagra' AS Choroba;"),
        ("standard", "INSERT INTO x VALUES (1)\nGO\nINSERT INTO pacjenci VALUES (5, 'x', 'y', 'z', 'Podagra')\nGO\n;"),
        ("standard", "/*!50001 UPDATE pacjenci SET \"Choroba\" = 'Podagra' */;"),
    ];

    /// The same through what reads a dump, in strings that are put together, in blocks, by calls and by definitions.
    const INDIRECT: [(&str, &str); 67] = [
        // Whatever a block or a routine does when the dump is loaded: the values may stand in another table.
        ("postgresql", "DO $$ BEGIN INSERT INTO pacjenci SELECT * FROM staging; END $$;"),
        (
            "postgresql",
            "DO $$ BEGIN IF 5 > 4 THEN UPDATE pacjenci SET ward = 'x'; RAISE NOTICE 'done'; END IF; END $$;",
        ),
        (
            "postgresql",
            "CREATE FUNCTION g() RETURNS void LANGUAGE sql BEGIN ATOMIC INSERT INTO pacjenci SELECT * FROM x; END;\nSELECT g(), 'x';",
        ),
        ("postgresql", "SELECT 1 \\gexec\n"),
        // What stands behind a command of a client on the same line.
        ("postgresql", "SELECT 1 \\g INSERT INTO pacjenci VALUES\n(5, 'x', 'y', 'z', 'Podagra');"),
        ("postgresql", "INSERT INTO log (a) VALUES (1) \\; UPDATE pacjenci SET \"Choroba\" = 'Podagra';"),
        ("postgresql", "\\echo x \\\\ INSERT INTO pacjenci VALUES\n(5, 'x', 'y', 'z', 'Podagra');"),
        ("postgresql", "\\set t pacjenci\nUPDATE :t SET \"Choroba\" = 'Podagra';"),
        ("postgresql", "\\set q 'INSERT INTO pacjenci (\"Id\", \"Choroba\") VALUES '\n:q (5, 'Podagra');"),
        ("postgresql", "COPY log FROM stdin; INSERT INTO pacjenci VALUES (6, 'Podagra');\n5\n\\.\n"),
        ("postgresql", "COPY log FROM stdin; INSERT INTO\n5\n\\.\n pacjenci VALUES (6, 'Podagra');\n"),
        // Strings that are put together and executed.
        (
            "postgresql",
            "DO $$ BEGIN EXECUTE 'INSERT INTO pacjenci (\"Id\", \"Choroba\") VALUES ('||5||','||quote_literal('Podagra')||')'; END $$;",
        ),
        ("postgresql", "DO $$ BEGIN EXECUTE format('INSERT INTO pacjenci VALUES (%s, %L)', 5, 'Podagra'); END $$;"),
        ("postgresql", "DO $$ BEGIN EXECUTE 'INSERT INTO pacjenci VALUES ($1, $2)' USING 5, 'Podagra'; END $$;"),
        (
            "postgresql",
            "CREATE FUNCTION f() RETURNS void LANGUAGE plpgsql AS $$ DECLARE q text; BEGIN \
             q := 'INSERT INTO pacjenci (\"Id\", \"Choroba\") VALUES (5, '||quote_literal('Podagra')||')'; EXECUTE q; END $$;",
        ),
        ("postgresql", "SELECT 'INSERT INTO pacjenci VALUES ('||5||','||quote_literal('Podagra')||')' \\gexec\n"),
        ("mysql", "USE q INSERT INTO pacjenci VALUES (6, 'x', 'y', 'z', 'Podagra');"),
        ("mysql", "PREPARE s FROM 'INSERT INTO pacjenci VALUES (?,?)'; SET @d='Podagra'; EXECUTE s USING @d,@d;"),
        ("mysql", "SET @q='INSERT INTO pacjenci VALUES (?,?)'; PREPARE s FROM @q; EXECUTE s USING 5,'Podagra';"),
        ("mysql", "EXECUTE IMMEDIATE 'INSERT INTO pacjenci VALUES (?,?)' USING 5,'Podagra';"),
        (
            "mysql",
            "DELIMITER //\nCREATE PROCEDURE f() EXECUTE IMMEDIATE 'INSERT INTO pacjenci VALUES (?,?)' USING 5,'Podagra'//\nDELIMITER ;\n",
        ),
        // Values that stand before the statement that puts them in.
        (
            "postgresql",
            "DO $$ DECLARE d text := 'Podagra'; BEGIN INSERT INTO pacjenci (\"Id\", \"Choroba\") VALUES (NEW.i, d); END $$;",
        ),
        (
            "postgresql",
            "DO $$ DECLARE r record; BEGIN FOR r IN SELECT * FROM (VALUES (5, 'Podagra')) v(i, d) LOOP \
             INSERT INTO pacjenci (\"Id\", \"Choroba\") VALUES (r.i, r.d); END LOOP; END $$;",
        ),
        (
            "postgresql",
            "DO $$ BEGIN CREATE TEMP TABLE x AS SELECT 'Podagra' AS d; INSERT INTO pacjenci SELECT d FROM x; END $$;",
        ),
        (
            "postgresql",
            "DO $$ BEGIN WITH x AS (SELECT 5 AS i, 'Podagra' AS d) INSERT INTO pacjenci (\"Id\", \"Choroba\") SELECT i, d FROM x; END $$;",
        ),
        (
            "postgresql",
            "CREATE FUNCTION f() RETURNS void LANGUAGE sql AS $$ WITH x AS (SELECT 5 AS i, 'Podagra' AS d) \
             INSERT INTO pacjenci (\"Id\", \"Choroba\") SELECT i, d FROM x $$;",
        ),
        (
            "postgresql",
            "CREATE FUNCTION f() RETURNS void LANGUAGE sql AS $$ WITH a AS (SELECT 1), x AS (SELECT 'Podagra' AS d) \
             UPDATE pacjenci SET \"Choroba\" = x.d FROM x $$;",
        ),
        (
            "postgresql",
            "CREATE FUNCTION f(i int) RETURNS void LANGUAGE plpgsql AS $$ DECLARE d text; e text; BEGIN d := 'Podagra'; e := d; \
             INSERT INTO pacjenci (\"Id\", \"Choroba\") VALUES (i, e); END $$;",
        ),
        (
            "postgresql",
            "CREATE FUNCTION f(i int) RETURNS void LANGUAGE plpgsql AS $$ DECLARE n int; d text; BEGIN SELECT 1, 'Podagra' INTO n, d; \
             UPDATE pacjenci SET \"Choroba\" = d WHERE \"Id\" = i; END $$;",
        ),
        (
            "postgresql",
            "CREATE FUNCTION f(i int) RETURNS void LANGUAGE plpgsql AS $$ DECLARE c CURSOR FOR SELECT 'Podagra'; d text; BEGIN OPEN c; \
             FETCH c INTO d; UPDATE pacjenci SET \"Choroba\" = d WHERE \"Id\" = i; END $$;",
        ),
        (
            "mysql",
            "DELIMITER //\nBEGIN NOT ATOMIC DECLARE d TEXT DEFAULT 'Podagra'; INSERT INTO pacjenci (`Id`, `Choroba`) VALUES (i, d); END//\nDELIMITER ;\n",
        ),
        (
            "mysql",
            "DELIMITER //\nBEGIN NOT ATOMIC CREATE TEMPORARY TABLE x AS SELECT 'Podagra' d; INSERT INTO pacjenci SELECT d FROM x; END//\nDELIMITER ;\n",
        ),
        (
            "mysql",
            "DELIMITER //\nCREATE PROCEDURE f(i INT) BEGIN DECLARE d TEXT; SET d = 'Podagra'; INSERT INTO pacjenci (`Id`, `Choroba`) VALUES (i, d); END//\nDELIMITER ;\n",
        ),
        // Calls of routines that put in what they are called with.
        ("postgresql", "%f; INSERT INTO log VALUES (f(5, 'Podagra'));"),
        ("postgresql", "%f; INSERT INTO log VALUES (1 + public.\"f\" (5, 'Podagra'));"),
        ("postgresql", "%f; INSERT INTO log SELECT f(5, 'Podagra');"),
        ("postgresql", "%f; VALUES (f(5, 'Podagra'));"),
        ("postgresql", "%f; WITH x AS (SELECT 1) SELECT f(5, 'Podagra');"),
        ("postgresql", "%f; CREATE TABLE t AS SELECT f(5, 'Podagra');"),
        ("postgresql", "%f; (SELECT f(5, 'Podagra'));"),
        ("postgresql", "%f; EXPLAIN ANALYZE SELECT f(5, 'Podagra');"),
        ("postgresql", "%f; COPY (SELECT f(5, 'Podagra')) TO STDOUT;"),
        ("postgresql", "%f; SELECT set_config('a.b', 'c', false), f(5, 'Podagra');"),
        ("postgresql", "%f; SELECT setval('s', f(5, 'Podagra'));"),
        ("postgresql", "%f; UPDATE log SET i = f(5, 'Podagra');"),
        ("postgresql", "%f; SELECT f(i, d) FROM (VALUES (5, 'Podagra')) v(i, d);"),
        ("postgresql", "%f; CREATE MATERIALIZED VIEW v AS SELECT f(5, 'Podagra');"),
        ("postgresql", "%f; DO $$ BEGIN PERFORM f(5, 'Podagra'); END $$;"),
        (
            "postgresql",
            "%f; CREATE FUNCTION g(int, text) RETURNS void LANGUAGE sql AS 'SELECT f($1, $2)'; SELECT g(5, 'Podagra');",
        ),
        ("mysql", "%f SET @i = f(5, 'Podagra');"),
        ("mysql", "%f SET @d = 'Podagra'; CALL f(5, @d);"),
        (
            "mysql",
            "DELIMITER //\nCREATE PROCEDURE p(a INT, b TEXT) BEGIN INSERT INTO pacjenci VALUES (a, b); END //\nCALL p(5, 'Podagra') //\nDELIMITER ;\n",
        ),
        // Definitions.
        (
            "mysql",
            "ALTER TABLE pacjenci PARTITION BY LIST COLUMNS(`Choroba`) (PARTITION a VALUES IN ('Podagra'), PARTITION b DEFAULT);",
        ),
        (
            "postgresql",
            "ALTER TABLE pacjenci ALTER \"Choroba\" TYPE text USING (CASE WHEN \"Id\" = 1 THEN 'Podagra' END);",
        ),
        (
            "postgresql",
            "ALTER TABLE ONLY public.pacjenci ALTER COLUMN \"Miasto\" SET NOT NULL, ALTER COLUMN \"Choroba\" SET DATA TYPE text USING 'Podagra';",
        ),
        (
            "postgresql",
            "CREATE FUNCTION f() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN SELECT 'Podagra' INTO NEW.\"Choroba\"; RETURN NEW; END $$;",
        ),
        (
            "postgresql",
            "CREATE FUNCTION f() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN SELECT d INTO NEW.\"Choroba\" FROM (VALUES ('Podagra')) v(d); RETURN NEW; END $$;",
        ),
        (
            "postgresql",
            "CREATE FUNCTION f() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN NEW := jsonb_populate_record(NEW, '{\"Choroba\": \"Podagra\"}'); RETURN NEW; END $$;",
        ),
        (
            "postgresql",
            "CREATE FUNCTION f() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN NEW := NEW #= hstore('Choroba', 'Podagra'); RETURN NEW; END $$;",
        ),
        (
            "postgresql",
            "CREATE FUNCTION f() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN NEW = ROW(5, 'x', 'y', 'z', 'Podagra'); RETURN NEW; END $$;",
        ),
        // Columns that refer to a sealed one.
        ("postgresql", "CREATE TABLE visits (id int, d text REFERENCES pacjenci(\"Choroba\"));"),
        (
            "postgresql",
            "CREATE TABLE visits (id int, d text, e text, FOREIGN KEY (e, d) REFERENCES public.pacjenci (\"Id\", \"Choroba\"));",
        ),
        (
            "postgresql",
            "ALTER TABLE ONLY public.visits\n    ADD CONSTRAINT visits_d_fkey FOREIGN KEY (d) REFERENCES public.pacjenci(\"Choroba\") ON DELETE CASCADE;",
        ),
        ("postgresql", "ALTER TABLE visits ADD COLUMN d text REFERENCES pacjenci (\"Choroba\");"),
        (
            "mysql",
            "CREATE TABLE `visits` (`id` int, `d` varchar(9), CONSTRAINT `c` FOREIGN KEY (`d`) REFERENCES `pacjenci` (`Choroba`));",
        ),
        ("sqlite", "CREATE TABLE visits (id int, d text REFERENCES pacjenci(Choroba));"),
        ("standard", "CREATE TABLE visits (id int, d text REFERENCES pacjenci(\"Choroba\"));"),
    ];

    /// A routine that puts into the table what it is called with.
    fn routine(dialect: &str) -> &'static str {
        if dialect == "mysql" {
            "DELIMITER //\nCREATE FUNCTION f(a INT, b TEXT) RETURNS INT BEGIN INSERT INTO pacjenci (`Id`, `Choroba`) VALUES (a, b); RETURN a; END//\nDELIMITER ;\n"
        } else {
            "CREATE FUNCTION f(i int, d text) RETURNS int LANGUAGE sql AS 'INSERT INTO pacjenci (\"Id\", \"Choroba\") VALUES (i, d) RETURNING 1'"
        }
    }

    #[test]
    fn values_that_cannot_be_sealed_are_refused_by_table_and_line_and_pass_if_allowed() {
        let desk = desk();
        for (dialect, statement) in UNSEALABLE.into_iter().chain(INDIRECT) {
            desk.write("dump.sql", format!("{}{}\n", table(dialect), statement.replace("%f", routine(dialect))));
            let seal = seal(dialect);
            assert_eq!(desk.tamis(&seal).code, 2, "{statement}");
            let said = assert_refused(&desk, &seal, 2, &["pacjenci", "line ", "--allow-readable statements"]);
            assert!(said.contains("dump.sql: what the policy seals would stay readable in "), "{statement}: {said}");
            // Each of them passes where that is allowed, and what was sealed opens again.
            let ran = desk.tamis(&format!("{seal} --allow-readable statements"));
            if statement.contains("INSERT INTO c ")
                || statement.contains("INSERT INTO one ")
                || statement.contains("CREATE VIEW")
                || statement.contains("RENAME TABLE")
            {
                continue;
            }
            assert_eq!(ran.code, 0, "{statement}: {ran:?}");
            assert!(ran.err.contains("stays readable in "), "{statement}: {ran:?}");
            let open = format!("ucrypt open p.upolicy out.sql --dialect {dialect} -o opened.sql{}", with(&BOTH));
            desk.done(&open);
            assert_eq!(desk.read("opened.sql"), desk.read("dump.sql"), "{statement}");
        }
    }

    #[test]
    fn rows_that_belong_to_a_selected_table_under_another_name_are_sealed() {
        let desk = desk();
        let columns = "(\"Id\", \"Nazwisko\", \"Zawód\", \"Miasto\", \"Choroba\")";
        for (dialect, statements) in [
            ("postgresql", "CREATE TABLE c PARTITION OF pacjenci FOR VALUES IN (5);\nINSERT INTO c VALUES (5, 'x', 'y', 'z', 'Podagra');".to_owned()),
            ("postgresql", "CREATE TABLE c () INHERITS (pacjenci);\nINSERT INTO c VALUES (5, 'x', 'y', 'z', 'Podagra');".to_owned()),
            (
                "postgresql",
                "CREATE TABLE d (a int) INHERITS (c);\nALTER TABLE c INHERIT pacjenci;\nINSERT INTO d (\"Id\", \"Nazwisko\", \"Zawód\", \"Miasto\", \"Choroba\") VALUES (5, 'x', 'y', 'z', 'Podagra');"
                    .to_owned(),
            ),
            ("postgresql", format!("ALTER TABLE ONLY pacjenci ATTACH PARTITION s.c DEFAULT;\nCOPY s.c {columns} FROM stdin;\n5\tx\ty\tz\tPodagra\n\\.\n")),
            ("postgresql", format!("\\copy pacjenci {columns} from stdin\n5\tx\ty\tz\tPodagra\n\\.\n")),
            ("standard", format!("\\copy pacjenci {columns} from stdin\n5\tx\ty\tz\tPodagra\n\\.\n")),
            ("postgresql", format!("ALTER TABLE pacjenci RENAME TO old;\nINSERT INTO old {columns} VALUES (5, 'x', 'y', 'z', 'Podagra');")),
            ("postgresql", format!("CREATE VIEW v AS SELECT * FROM pacjenci;\nINSERT INTO v {columns} VALUES (5, 'x', 'y', 'z', 'Podagra');")),
            ("postgresql", "SELECT 1 \\g /dev/null\nINSERT INTO pacjenci VALUES (5, 'x', 'y', 'z', 'Podagra') \\g\nSELECT 2;".to_owned()),
            ("mysql", "/*!50001 INSERT INTO pacjenci VALUES (5, 'x', 'y', 'z', 'Podagra') */;\n".to_owned()),
            ("mysql", "/*!50001 INSERT */ INTO /*M! pacjenci */ VALUES (5, 'x', 'y', 'z', 'Podagra');\n".to_owned()),
            ("postgresql", "SELECT 1 \\; INSERT INTO pacjenci VALUES\n(5, 'x', 'y', 'z', 'Podagra');".to_owned()),
            ("postgresql", format!("COPY pacjenci {columns} FROM STDIN \\g\n5\tx\ty\tz\tPodagra\n\\.\n")),
            ("mysql", "SELECT 1\\G INSERT INTO pacjenci VALUES\n(5, 'x', 'y', 'z', 'Podagra')\\g SELECT 2;".to_owned()),
            ("mysql", "use db\nINSERT INTO pacjenci VALUES (5, 'x', 'y', 'z', 'Podagra');\n".to_owned()),
            ("sqlite", ".mode csv\nINSERT INTO pacjenci VALUES (5, 'x', 'y', 'z', 'Podagra');\n".to_owned()),
            ("standard", "/*!50001 INSERT INTO pacjenci VALUES (5, 'x', 'y', 'z', 'Podagra') */;\n".to_owned()),
        ] {
            desk.write("dump.sql", format!("{}{statements}\n", table(dialect)));
            let done = desk.json(&seal(dialect), 0);
            assert_eq!((&done["sealed"], &done["records"]), (&8.into(), &2.into()), "{statements}: {done}");
            assert!(!desk.read("out.sql").contains("Podagra"), "{}", desk.read("out.sql"));
            desk.done(&format!("ucrypt open p.upolicy out.sql --dialect {dialect} -o opened.sql{}", with(&BOTH)));
            assert_eq!(desk.read("opened.sql"), desk.read("dump.sql"));
        }
    }

    #[test]
    fn a_setting_that_changes_what_a_backslash_means_is_refused_however_it_is_made() {
        let desk = desk();
        for (statement, code) in [
            ("SET standard_conforming_strings = off;", 2),
            ("SET standard_conforming_strings TO 'false';", 2),
            ("SELECT pg_catalog.set_config('standard_conforming_strings', 'off', false);", 2),
            ("WITH x AS (SELECT set_config(E'standard_conforming_strings', 'no', false)) SELECT * FROM x;", 2),
            ("ALTER DATABASE d SET standard_conforming_strings TO 'off';", 2),
            ("SET standard_conforming_strings = on;", 0),
            ("SELECT pg_catalog.set_config('standard_conforming_strings', 'on', false), 'off';", 0),
        ] {
            desk.write("dump.sql", format!("{TABLE}{statement}\n"));
            let ran = desk.tamis(&seal("postgresql"));
            assert_eq!(ran.code, code, "{statement}: {ran:?}");
            assert!(code == 0 || ran.err.contains("changes the meaning of backslashes"), "{statement}: {ran:?}");
        }
    }

    #[test]
    fn a_column_that_refers_to_a_sealed_one_passes_if_it_is_sealed_too() {
        let desk = desk();
        let fields = "[[table]]\nname = \"p\"\nkey = \"id\"\n[[table.field]]\nname = \"dis\"\n";
        desk.write("one.toml", fields);
        desk.write(
            "both.toml",
            format!("{fields}[[table]]\nname = \"v\"\nkey = \"id\"\n[[table.field]]\nname = \"d\"\n"),
        );
        new_policy(&desk, "one.upolicy", "one.toml");
        new_policy(&desk, "both.upolicy", "both.toml");
        let rows = "INSERT INTO p VALUES (1, 'AIDS');\nINSERT INTO v VALUES (7, 'AIDS');\n";
        for tables in [
            "CREATE TABLE p (id int, dis text);\nCREATE TABLE v (id int, d text REFERENCES p (dis));\n",
            "CREATE TABLE p (id int, dis text);\nCREATE TABLE v (id int, d text);\n\
             ALTER TABLE ONLY v ADD CONSTRAINT c FOREIGN KEY (d) REFERENCES p(dis);\n",
        ] {
            desk.write("dump.sql", format!("{tables}{rows}"));
            let words = ["column d of table v refers to dis of p", "by a foreign key", "--allow-readable statements"];
            assert_refused(&desk, "ucrypt seal one.upolicy dump.sql --all -o out.sql", 2, &words);
            desk.done("ucrypt seal both.upolicy dump.sql --all -o out.sql");
            assert!(!desk.read("out.sql").contains("AIDS"));
        }
    }

    #[test]
    fn a_column_that_looks_like_a_sealed_one_is_refused_unless_allowed() {
        let desk = desk();
        let with = |column: &str| {
            TABLE
                .replace("\"Choroba\" TEXT", &format!("\"Choroba\" TEXT, {column} TEXT"))
                .replace("'d')", "'d', 'Podagra')")
        };
        for column in ["\"choroba\"", "\" Choroba\"", "CHOROBA"] {
            desk.write("dump.sql", with(column));
            let words = ["line 2: column", "of pacjenci, beside \"Choroba\"", "--allow-readable namesakes"];
            assert_refused(&desk, &seal("postgresql"), 2, &words);
            let done = desk.json(&format!("{} --allow-readable namesakes", seal("postgresql")), 0);
            assert_eq!((&done["sealed"], &done["readable"]["namesakes"]), (&4.into(), &1.into()), "{done}");
        }
    }

    #[test]
    fn a_dump_that_two_systems_read_otherwise_is_refused_until_somebody_says_whose_it_is() {
        let desk = desk();
        let rows = "INSERT INTO pacjenci VALUES (2, 'a', 'b', 'c', 'Podagra');\n";
        let seal = "ucrypt seal p.upolicy dump.sql --all -o out.sql";
        for (dialect, before, behind) in [
            ("mysql", r"INSERT INTO x (a) VALUES ('5\'');", r"INSERT INTO y (a) VALUES ('\'');"),
            ("postgresql", r"INSERT INTO x (a) VALUES (E'5\'');", r"INSERT INTO y (a) VALUES (E'\'');"),
            ("postgresql", "INSERT INTO x (a) VALUES ($$it's$$);", "INSERT INTO y (a) VALUES ($$it's$$);"),
            ("mysql", "# the patients' table", "# the patients' table"),
        ] {
            let text = format!("{}{before}\n{rows}{behind}\n", table(dialect));
            desk.write("dump.sql", &text);
            let words = ["the dump does not say for which system it is", "--dialect"];
            let said = assert_refused(&desk, seal, 2, &words);
            assert!(said.contains("line 3"), "{said}");
            let done = desk.json(&format!("{seal} --dialect {dialect}"), 0);
            assert_eq!((&done["sealed"], desk.read("out.sql").contains("Podagra")), (&8.into(), false), "{done}");
            desk.write("dump.sql", format!("-- Adminer 4.8.1 {dialect} dump\n{text}"));
            assert_eq!(desk.json(seal, 0)["sealed"], 8);
            desk.done(&format!("ucrypt open p.upolicy out.sql -o opened.sql{}", with(&BOTH)));
            assert_eq!(desk.read("opened.sql"), desk.read("dump.sql"));
        }
    }

    #[test]
    fn no_value_decides_whose_dump_it_is() {
        let desk = desk();
        let head = "PRAGMA foreign_keys=OFF;\nBEGIN TRANSACTION;\n";
        let rows = "INSERT INTO notes VALUES('C:\\');\nINSERT INTO pacjenci VALUES(2,'a','b','c','Podagra');\nINSERT INTO o VALUES(');-- ');\n";
        let text = format!("{head}{}{rows}", table("sqlite").replace("'d'", "'/*!40101 SET'"));
        desk.write("dump.sql", &text);
        assert_eq!(desk.json("ucrypt seal p.upolicy dump.sql --all -o out.sql", 0)["sealed"], 8);
        assert!(!desk.read("out.sql").contains("Podagra"));
        desk.done(&format!("ucrypt open p.upolicy out.sql -o opened.sql{}", with(&BOTH)));
        assert_eq!(desk.read("opened.sql"), text);
    }

    #[test]
    fn rows_that_somebody_put_into_comments_are_refused() {
        let desk = desk();
        let mysql = table("mysql");
        for (dialect, text) in [
            ("postgresql", format!("{TABLE}-- INSERT INTO pacjenci VALUES (5, 'x', 'y', 'z', 'Podagra');\n")),
            ("postgresql", format!("{TABLE}/* COPY public.pacjenci FROM stdin;\n5\tPodagra */\n")),
            ("mysql", format!("{mysql}# REPLACE INTO `pacjenci` VALUES\n# (5, 'Podagra');\n")),
            ("sqlite", format!("{TABLE}SELECT 1 /* UPDATE pacjenci SET Choroba = 'Podagra' */;\n")),
            ("sqlite", TABLE.replace("VALUES (1", "VALUES -- (5, 'x', 'y', 'z', 'Podagra'),\n(1")),
            ("sqlite", TABLE.replace("'d');", "'d') /* , (5, 'x', 'y', 'z', 'Podagra') */;")),
        ] {
            desk.write("dump.sql", &text);
            assert_refused(&desk, &seal(dialect), 2, &["line ", "a comment", "pacjenci", "--allow-readable comments"]);
            desk.done(&format!("{} --allow-readable comments", seal(dialect)));
            assert!(desk.read("out.sql").contains("Podagra"), "{text}");
        }
    }

    /// Statements of ordinary dumps.
    const HARMLESS: [(&str, &str); 45] = [
        ("postgresql", "SELECT pg_catalog.setval('public.pacjenci_Id_seq', 9, true);"),
        ("postgresql", "SELECT setval(pg_get_serial_sequence('pacjenci', 'Id'), 9);"),
        ("postgresql", "ALTER TABLE pacjenci ADD CONSTRAINT c CHECK (\"Id\" > 0);"),
        (
            "postgresql",
            "CREATE TRIGGER t BEFORE INSERT OR UPDATE ON pacjenci FOR EACH ROW WHEN (NEW.\"Id\" > 0) EXECUTE FUNCTION f('x');",
        ),
        (
            "postgresql",
            "CREATE FUNCTION f() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN INSERT INTO log VALUES ('x'); RETURN NEW; END $$;",
        ),
        (
            "postgresql",
            "CREATE FUNCTION f() RETURNS trigger LANGUAGE sql AS $$ INSERT INTO pacjenci VALUES (NEW.*) $$;",
        ),
        (
            "postgresql",
            "CREATE POLICY p ON pacjenci FOR UPDATE USING (true); GRANT INSERT, UPDATE ON TABLE pacjenci TO x;",
        ),
        ("postgresql", "COMMENT ON COLUMN pacjenci.\"Choroba\" IS 'insert into it what you know';"),
        ("postgresql", "-- Data for Name: pacjenci; Type: TABLE DATA; Schema: public; Owner: x"),
        ("postgresql", "CREATE VIEW v AS SELECT * FROM pacjenci WHERE \"Id\" = 1;"),
        (
            "mysql",
            "DELIMITER ;;\nCREATE TRIGGER t BEFORE INSERT ON pacjenci FOR EACH ROW SET NEW.x = 1 ;;\nDELIMITER ;",
        ),
        ("mysql", "LOCK TABLES `pacjenci` WRITE;\n/*!40000 ALTER TABLE `pacjenci` DISABLE KEYS */;\nUNLOCK TABLES;"),
        (
            "mysql",
            "CREATE TABLE visits (a INT, b INT) /*!50100 PARTITION BY RANGE (a) (PARTITION p VALUES LESS THAN (5)) */;",
        ),
        ("sqlite", "CREATE INDEX i ON pacjenci(Id) WHERE Id > 5; ANALYZE; PRAGMA user_version = 5;"),
        ("sqlite", "DELETE FROM pacjenci WHERE Id = 7;"),
        (
            "postgresql",
            "CREATE FUNCTION admit(a int, d text) RETURNS void LANGUAGE sql AS $$ INSERT INTO pacjenci (\"Id\", \"Data\", \"Choroba\") VALUES (a, 'new', d) $$;",
        ),
        (
            "postgresql",
            "CREATE FUNCTION f(b text) RETURNS void LANGUAGE sql AS $$ UPDATE pacjenci SET \"Choroba\" = b WHERE \"Id\" = 5 $$;",
        ),
        (
            "mysql",
            "DELIMITER ;;\nCREATE TRIGGER t BEFORE INSERT ON pacjenci FOR EACH ROW IF NEW.Choroba IS NULL THEN SIGNAL SQLSTATE '45000'; END IF ;;\nDELIMITER ;",
        ),
        ("postgresql", "%f; SELECT pg_catalog.lo_create('16512'); SELECT pg_catalog.lo_open('16512', 131072);"),
        (
            "postgresql",
            "%f; SELECT pg_catalog.lowrite(0, '\\x6c6f'); SELECT pg_catalog.lo_close(0); COMMENT ON FUNCTION public.f(integer, text) IS 'f (5)';",
        ),
        (
            "postgresql",
            "%f; CREATE TABLE f (a numeric(5, 2) DEFAULT 5); INSERT INTO f (a) VALUES (5); ALTER FUNCTION f(int, text) OWNER TO x;",
        ),
        (
            "postgresql",
            "%f; CREATE TRIGGER t BEFORE INSERT ON x FOR EACH ROW EXECUTE FUNCTION g('f', '5'); SELECT set_config('search_path', '', false);",
        ),
        (
            "postgresql",
            "CREATE FUNCTION g() RETURNS void LANGUAGE sql BEGIN ATOMIC INSERT INTO pacjenci SELECT * FROM x; END;\nSELECT 1; SELECT version(), 'x';",
        ),
        (
            "postgresql",
            "CREATE PROCEDURE m(p int, w int) LANGUAGE plpgsql AS $$ BEGIN IF w > 5 THEN UPDATE pacjenci SET ward = w WHERE \"Id\" = p; END IF; END $$;",
        ),
        (
            "postgresql",
            "CREATE PROCEDURE m(p int) LANGUAGE plpgsql AS $$ BEGIN UPDATE pacjenci SET \"Choroba\" = b, ward = 5 WHERE \"Id\" = p; \
             IF NOT FOUND THEN RAISE EXCEPTION 'update pacjenci set \"Choroba\" failed: %', 'x'; END IF; EXECUTE 'ANALYZE pacjenci'; END $$;",
        ),
        (
            "postgresql",
            "CREATE FUNCTION f(a int, d text) RETURNS int LANGUAGE plpgsql AS $$ DECLARE n int := 0; s text := 'new'; BEGIN \
             SELECT count(*) + 1 INTO n FROM log WHERE what = 'x'; FOR i IN 1..3 LOOP n := n + 1; END LOOP; \
             INSERT INTO pacjenci (\"Id\", \"Data\", \"Choroba\") VALUES (n, s, d); RETURN n; END $$;",
        ),
        (
            "postgresql",
            "CREATE FUNCTION f() RETURNS void LANGUAGE sql AS $$ WITH x AS (SELECT a, d FROM u WHERE ok = 1 AND b = 'x') \
             INSERT INTO pacjenci (\"Id\", \"Choroba\") SELECT a, d FROM x $$;",
        ),
        (
            "postgresql",
            "CREATE FUNCTION f() RETURNS void LANGUAGE sql AS $$ WITH x AS (SELECT a, 5 AS w FROM u) \
             INSERT INTO pacjenci (\"Id\", ward) SELECT a, w FROM x $$;",
        ),
        (
            "postgresql",
            "CREATE FUNCTION f(a int, d text) RETURNS void LANGUAGE plpgsql AS $$ BEGIN \
             EXECUTE 'INSERT INTO pacjenci (\"Id\", \"Choroba\") VALUES (' || a || ', ' || quote_literal(d) || ') ON CONFLICT DO NOTHING'; \
             EXECUTE 'INSERT INTO pacjenci VALUES ($1, $2)' USING a, d; EXECUTE format('UPDATE pacjenci SET ward = %s', 5); END $$;",
        ),
        (
            "postgresql",
            "CREATE FUNCTION f() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN SELECT name INTO NEW.\"Choroba\" FROM u WHERE id = 5; \
             NEW := jsonb_populate_record(NEW, '{\"seen\": 1}'); RETURN NEW; END $$;",
        ),
        (
            "postgresql",
            "ALTER TABLE pacjenci ALTER COLUMN \"Choroba\" TYPE varchar(200) USING \"Choroba\"::varchar(200);",
        ),
        (
            "postgresql",
            "ALTER TABLE visits ADD CONSTRAINT c FOREIGN KEY (p) REFERENCES public.pacjenci(\"Id\") ON DELETE CASCADE;",
        ),
        ("postgresql", "CREATE TABLE visits (id int REFERENCES pacjenci, d text REFERENCES other(\"Choroba\"));"),
        ("postgresql", "\\restrict abc\n\\connect clinic\n\\unrestrict abc\n"),
        ("postgresql", "COPY log FROM stdin; -- all of it\n5\n\\.\n"),
        (
            "mysql",
            "DELIMITER ;;\nCREATE PROCEDURE p(i int, d text) INSERT INTO pacjenci VALUES (i,d) ;;\nCREATE PROCEDURE q() SELECT 'x' ;;\n\
             CREATE PROCEDURE r(d text) BEGIN DECLARE done INT DEFAULT 0; DECLARE CONTINUE HANDLER FOR NOT FOUND SET done = 1; \
             UPDATE pacjenci SET `Choroba` = d WHERE `Id` = 5; SELECT 'done'; END ;;\nDELIMITER ;",
        ),
        (
            "mysql",
            "DELIMITER $$\nCREATE PROCEDURE q() BEGIN SELECT 'x'; END$$\nDELIMITER ;\n%f CREATE TABLE t (a text, KEY f (a(20)));",
        ),
        ("mysql", "ALTER TABLE pacjenci PARTITION BY HASH (`Id`) PARTITIONS 4;"),
        (
            "mysql",
            "CREATE SEQUENCE s START WITH 1; DO SETVAL(`s`, 5, 0); CREATE TABLE event (m set('ANSI','NO_BACKSLASH_ESCAPES'));",
        ),
        (
            "mysql",
            "CHECK TABLE pacjenci; REPAIR TABLE pacjenci; SHOW CREATE TABLE pacjenci; SELECT count(*) FROM pacjenci;",
        ),
        ("mysql", "UPDATE log SET a = 'x'; INSERT INTO log SELECT 1, 'x' FROM other; CREATE TABLE t AS SELECT 5 AS a;"),
        (
            "postgresql",
            "CREATE RULE r AS ON INSERT TO log DO ALSO (UPDATE log SET a = 1; DELETE FROM log WHERE a = 2);",
        ),
        (
            "postgresql",
            "CREATE SCHEMA s AUTHORIZATION x; CREATE EXTENSION hstore WITH SCHEMA s; ALTER TYPE t RENAME VALUE 'a' TO 'b';",
        ),
        ("postgresql", "-- Name: f(integer, text); Type: FUNCTION; Schema: public (class 1259 OID 16385)"),
        (
            "postgresql",
            "CREATE TABLE c (a int) INHERITS (log); INSERT INTO c VALUES (5); ALTER TABLE c ADD CHECK (a = 5);",
        ),
    ];

    #[test]
    fn what_tells_nothing_of_a_value_passes() {
        let desk = desk();
        for (dialect, statement) in HARMLESS {
            desk.write("dump.sql", format!("{}{}\n", table(dialect), statement.replace("%f", routine(dialect))));
            let done = desk.json(&seal(dialect), 0);
            assert_eq!((&done["sealed"], &done["readable"]), (&4.into(), &serde_json::json!({})), "{statement}");
        }
    }
}
