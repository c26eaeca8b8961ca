//! Sealing ends well only if nothing that the policy seals stays readable, or what does was allowed to.

mod holders;
mod program;

use holders::*;
use program::Desk;

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
fn a_column_called_like_a_sealed_one_is_refused_unless_allowed() {
    let desk = desk();
    for other in ["choroba", " Choroba ", "CHOROBA"] {
        desk.write("a.csv", format!("Id,Nazwisko,Zawód,Miasto,Choroba,{other}\n5,Pyc,Malarz,Opole,AIDS,AIDS\n"));
        let seal = "ucrypt seal p.upolicy a.csv --all -o out.csv";
        let words = ["a.csv", "1 place", "column 6", "beside \"Choroba\"", "--allow-readable namesakes"];
        assert_refused(&desk, seal, 2, &words);
        desk.done(&format!("{seal} --field Miasto"));
        assert_eq!(desk.json(&format!("{seal} --allow-readable namesakes"), 0)["readable"]["namesakes"], 1);
    }
}
