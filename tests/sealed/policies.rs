//! Policies of many shapes: several in one document, 255 holders, keys and shares of every kind together.

use crate::holders::*;

#[test]
fn several_policies_in_one_document_leave_each_other_alone() {
    let desk = desk();
    for holder in ["alice", "bob", "carol", "dave"] {
        desk.done(&format!("ucrypt keygen {holder}"));
    }
    desk.done(
        "ucrypt policy new q.upolicy -p 3 --holder alice.upub --holder bob.upub --holder carol.upub --holder dave.upub --fields fields.toml",
    );
    for kind in KINDS {
        let document = format!("both.{kind}");
        desk.done(&format!("ucrypt seal p.upolicy plain.{kind} -o {document} --record 5"));
        desk.done(&format!("ucrypt seal q.upolicy {document} --in-place --record 2 --field Choroba"));
        // Each opens its own; the other's stay sealed and open afterwards.
        let ran = desk.done(&format!("ucrypt open p.upolicy {document} -o half.{kind}{}", with(&["patient", "payer"])));
        assert!(ran.err.contains("1 cell stays sealed"), "{}", ran.err);
        assert_opens(&desk, "q.upolicy", &format!("half.{kind}"), &["alice", "bob", "dave"]);
        let three = format!("ucrypt open q.upolicy {document} -o out.{kind}{}", with(&["alice", "bob"]));
        assert_refused(&desk, &three, 3, &["2 of the 3 holders", "carol", "dave"]);
        desk.done(&format!("ucrypt rotate p.upolicy {document} --full{}", with(&["patient", "payer"])));
        desk.done(&format!("ucrypt open q.upolicy {document} -o half.{kind}{}", with(&["bob", "carol", "dave"])));
        assert_opens(&desk, "p.upolicy", &format!("half.{kind}"), &["doctor", "payer"]);
    }
}

/// A key, a share under a passphrase and words on paper: each two of the three open, in a file or typed, and after a refresh too.
#[test]
fn a_mixed_policy_opens_with_each_kind_of_pair() {
    let desk = desk();
    desk.write("pass", "correct horse\n");
    let shares = "--paper-for safe --share-passphrase-file pass";
    desk.done(&format!(
        "ucrypt policy new m.upolicy -p 2 --holder patient.upub --bare notary --bare safe {shares} --fields fields.toml"
    ));
    desk.done("ucrypt seal m.upolicy plain.csv -o mixed.csv --record 5");
    for generation in ["", ".g2"] {
        let paper = desk.read(&format!("safe{generation}.ushare"));
        let words = paper.lines().find_map(|line| line.strip_prefix("words = ")).expect("words").trim_matches('"');
        desk.write("typed.txt", words.replace(' ', "\n"));
        let notary = desk.read(&format!("notary{generation}.ushare"));
        assert!(notary.contains("BEGIN AGE") && !notary.contains("words"), "{notary}");
        let key = "--with patient.ukey".to_owned();
        let sealed = format!("--with notary{generation}.ushare --passphrase-file pass");
        let [file, typed] = [format!("--with safe{generation}.ushare"), "--words-file safe=typed.txt".to_owned()];
        for pair in [[&key, &sealed], [&key, &file], [&key, &typed], [&sealed, &file], [&sealed, &typed]] {
            desk.done(&format!("ucrypt open m.upolicy mixed.csv -o opened.csv {} {}", pair[0], pair[1]));
            assert_plain(&desk, "mixed.csv");
        }
        for alone in [&key, &sealed, &file, &typed] {
            let open = format!("ucrypt open m.upolicy mixed.csv -o out.csv {alone}");
            assert_refused(&desk, &open, 3, &["1 of the 2 holders"]);
        }
        if generation.is_empty() {
            desk.done(&format!("ucrypt refresh m.upolicy {shares} {key} {file}"));
        }
    }
    let wrong = "ucrypt refresh m.upolicy --paper-for patient --share-passphrase-file pass --with patient.ukey --with safe.g2.ushare";
    assert_refused(&desk, wrong, 2, &["patient", "outside the policy"]);
}

#[test]
fn up_to_255_holders() {
    let desk = desk();
    let all: String = (0..255).map(|number| format!(" --bare h{number}")).collect::<Vec<_>>().concat();
    desk.done(&format!("ucrypt policy new many.upolicy -p 128 --paper --fields fields.toml{all}"));
    desk.done("ucrypt seal many.upolicy plain.xml -o many.xml --record 5");
    let enough: String = (127..255).map(|number| format!(" --with h{number}.ushare")).collect::<Vec<_>>().concat();
    desk.done(&format!("ucrypt open many.upolicy many.xml -o opened.xml{enough}"));
    assert_plain(&desk, "many.xml");
    let few: String = (0..127).map(|number| format!(" --with h{number}.ushare")).collect::<Vec<_>>().concat();
    assert_refused(&desk, &format!("ucrypt open many.upolicy many.xml -o out.xml{few}"), 3, &["127 of the 128"]);
}

#[test]
fn inspect_finds_cells_of_every_name_and_hints_at_those_that_it_cannot_find() {
    let desk = desk();
    desk.done("ucrypt policy new q.upolicy -p 2 --element SEJF --holder patient.upub --holder doctor.upub --fields fields.toml");
    for kind in KINDS {
        let document = format!("both.{kind}");
        desk.done(&format!("ucrypt seal p.upolicy plain.{kind} -o {document} --record 5"));
        desk.done(&format!("ucrypt seal q.upolicy {document} --in-place --record 2 --field Choroba"));
        for said in
            ["--policy p.upolicy --policy q.upolicy", "--element UCRYPT --element SEJF", "--policy p.upolicy", ""]
        {
            let found = desk.json(&format!("ucrypt inspect {document} {said}"), 0);
            assert_eq!(found["elements"], serde_json::json!(["UCRYPT", "SEJF"]), "{kind} {said}: {found}");
            assert_eq!((&found["sealed"], &found["notes"]), (&5.into(), &serde_json::json!([])), "{kind}: {found}");
        }
        let unsealed = desk.json(&format!("ucrypt inspect plain.{kind}"), 0);
        let note = unsealed["notes"][0].as_str().expect("a note");
        assert!(note.contains("nothing is sealed as <UCRYPT>") && note.contains("--element"), "{note}");
    }
    // Where the bytes of a name are not those of ASCII, the data key without cells is all that shows.
    let wide = desk.read("both.xml").replace("UTF-8", "UTF-16");
    desk.write("wide.xml", format!("\u{FEFF}{wide}").encode_utf16().flat_map(u16::to_le_bytes).collect::<Vec<u8>>());
    let one = desk.json("ucrypt inspect wide.xml", 0);
    assert_eq!((&one["sealed"], &one["elements"]), (&4.into(), &serde_json::json!(["UCRYPT"])), "{one}");
    let note = one["notes"][0].as_str().expect("a note");
    assert!(note.starts_with("1 data key of the document is of no cell") && note.contains("--element"), "{note}");
    assert_eq!(desk.json("ucrypt inspect wide.xml --element UCRYPT --element SEJF", 0)["sealed"], 5);
}

#[test]
fn a_wrong_guess_at_the_name_of_cells_does_not_stop_inspect() {
    let desk = desk();
    desk.done("ucrypt policy new q.upolicy -p 2 --element SEJF --holder patient.upub --holder doctor.upub --fields fields.toml");
    desk.done("ucrypt seal q.upolicy plain.xml -o sealed.xml --record 5");
    let found = desk.json("ucrypt inspect sealed.xml", 0);
    let kid = found["data_keys"][0]["kid"].as_str().expect("a data key");
    let guesses: String =
        ["A²", "1", "xml:a", "B"].map(|name| format!("<{name} cipher='' v='' kid='{kid}'/>")).concat();
    let misled = desk.read("sealed.xml").replace("</pacjenci>", &format!("<![CDATA[{guesses}]]></pacjenci>"));
    desk.write("misled.xml", misled);
    let again = desk.json("ucrypt inspect misled.xml", 0);
    assert_eq!((&again["sealed"], &again["elements"]), (&found["sealed"], &found["elements"]), "{again}");
    assert_eq!(again["sealed"], 4);
}

#[test]
fn one_of_something_is_not_said_as_if_it_were_several() {
    let desk = desk();
    let new = "ucrypt policy new one.upolicy --fields fields.toml --holder patient.upub";
    desk.done(&format!("{new} -p 1"));
    desk.done("ucrypt keygen reader");
    let alone = with(&["patient"]);
    let mut said: Vec<String> = vec![desk.tamis(&format!("{} -p 2", new.replace("one.", "two."))).err];
    for command in [
        "seal one.upolicy plain.csv -o one.csv --record 5 --field Choroba",
        "open one.upolicy one.csv -o out.csv",
        "audit check one.upolicy",
        "verify one.upolicy --with doctor.ukey",
        &format!("open one.upolicy one.csv -o out.csv{alone}"),
        &format!("open one.upolicy one.csv -o g.ugrant --grant Choroba --to reader.upub{alone}"),
        &format!("rotate one.upolicy one.csv --full{alone}"),
        "audit show one.upolicy",
        "seal p.upolicy plain.csv -o other.csv --record 5",
        &format!("rotate p.upolicy other.csv --headers -p 1{}", with(&["patient", "payer"])),
    ] {
        let ran = desk.tamis(&format!("ucrypt {command}"));
        said.push(ran.out + &ran.err);
    }
    let said = said.join("\n");
    for words in ["1 cell in", "1 cell of", "1 holder that is needed", "1 holder is needed", "1 good share"] {
        assert!(said.contains(words), "{words}: {said}");
    }
    for things in ["cells", "documents", "holders", "entries", "fields", "records", "good shares"] {
        assert!(!said.contains(&format!(" 1 {things}")), "{things}: {said}");
    }
}

#[test]
fn what_is_there_is_told_to_whoever_asks_for_something_else() {
    let desk = desk();
    let seal = "ucrypt seal p.upolicy plain.csv -o out.csv --record 5 --field Chorob";
    assert_refused(&desk, seal, 2, &["no field \"Chorob\"", "Choroba, Miasto, Nazwisko, Zawód"]);
    let filter = "ucrypt filter plain.xml --drop -o out.xml --record-path";
    let said = assert_refused(&desk, &format!("{filter} /p:a/b"), 2, &["path of the records", "\"p\"", "policy"]);
    assert!(!said.contains("fields of the policy"), "{said}");
}

#[test]
fn an_element_that_only_names_a_data_key_is_no_cell() {
    let desk = sealed_desk();
    let key = desk.json("ucrypt inspect sealed.xml", 0)["data_keys"][0]["kid"].clone();
    let key = key.as_str().expect("a name");
    let sealed = desk.read("sealed.xml");
    let head = &sealed[..sealed.find("<pacjenci>").expect("a root")];
    let entry = format!("<wpis cipher='a' v='1' pol='p' kid='{key}'><b/></wpis>");
    desk.write("named.xml", format!("{head}<pacjenci>{entry}</pacjenci>"));
    let found = desk.json("ucrypt inspect named.xml", 0);
    assert_eq!((&found["sealed"], &found["damaged"]), (&0.into(), &0.into()), "{found}");
    assert_eq!(found["elements"], serde_json::json!([]), "{found}");
    assert!(found["notes"].to_string().contains("1 data key of the document is of no cell"), "{found}");
}

/// Capital letters are the same key: that holder takes part like any other, and not twice.
#[test]
fn a_public_key_in_capital_letters_is_that_of_its_holder() {
    let desk = desk();
    let public = desk.read("patient.upub");
    let key = public.lines().find_map(|line| line.strip_prefix("recipient = ")).expect("a key").trim_matches('"');
    let loud = public.replace(key, &key.to_ascii_uppercase());
    desk.write("loud.upub", &loud).write("twin.upub", loud.replace("\"patient\"", "\"twin\""));
    let new = "ucrypt policy new loud.upolicy -p 2 --fields fields.toml --holder";
    assert_refused(&desk, &format!("{new} patient.upub --holder twin.upub"), 2, &["public key", "twice"]);
    desk.done(&format!("{new} loud.upub --holder doctor.upub"));
    desk.done("ucrypt seal loud.upolicy plain.csv -o loud.csv --record 5");
    assert_opens(&desk, "loud.upolicy", "loud.csv", &["patient", "doctor"]);
    desk.write("loud.upolicy", desk.read("loud.upolicy").replace(key, &key.to_ascii_uppercase()));
    assert_refused(&desk, "ucrypt policy show loud.upolicy", 2, &["\"patient\"", "small letters"]);
}

#[test]
fn names_and_paths_have_no_control_characters() {
    let desk = desk();
    let new = "ucrypt policy new c.upolicy -p 2 --holder patient.upub --holder doctor.upub --fields c.toml";
    for name in ["pacjenci", "Id", "/pacjenci/pacjent", "Miasto"] {
        desk.write("c.toml", FIELDS.replacen(&format!("\"{name}\""), &format!("\"{name}\\u001b[2J\""), 1));
        assert_refused(&desk, new, 2, &["control characters"]);
    }
    // Headings of spreadsheets have several lines.
    let heading = FIELDS.replace("name = \"Miasto\"", "name = \"Miasto\"\ncolumn = \"Miasto\\npacjenta\"");
    desk.write("c.toml", heading).write("c.csv", csv().replacen("Miasto", "\"Miasto\npacjenta\"", 1));
    desk.done(new);
    desk.done("ucrypt seal c.upolicy c.csv -o s.csv --record 5");
}

#[test]
fn cells_of_an_earlier_epoch_are_not_said_to_be_todays_holders_alone() {
    let desk = sealed_desk();
    let both = with(&["patient", "payer"]);
    let opened_by = |document: &str, policy: &str| {
        let found = desk.json(&format!("ucrypt inspect {document} --policy {policy}"), 0);
        (found["groups"][0]["opened_by"].as_str().expect("a text").to_owned(), found["notes"].to_string())
    };
    for _ in 0..2 {
        desk.done(&format!("ucrypt rotate p.upolicy sealed.csv --full{both}"));
    }
    let (said, notes) = opened_by("sealed.xml", "p.upolicy");
    let earlier = "2 of patient, doctor, payer, if its data key was wrapped anew; else the holders of epoch 1";
    assert!(said == earlier && notes.contains("p.e1.upolicy"), "{said} {notes}");
    assert_eq!(opened_by("sealed.csv", "p.upolicy").0, "2 of patient, doctor, payer");
    // Only files that are there are named.
    let (said, notes) = opened_by("sealed.xml", "p.e2.upolicy");
    assert!(said == earlier && notes.contains("p.e1.upolicy") && !notes.contains("e2.e1"), "{said} {notes}");
    std::fs::remove_file(desk.path("p.e1.upolicy")).expect("it was kept");
    let notes = opened_by("sealed.xml", "p.e2.upolicy").1;
    assert!(notes.contains("epoch 1") && !notes.contains("e1.upolicy"), "{notes}");
}
