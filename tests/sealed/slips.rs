//! Slips of people who use it for the first time: none may leave a document unsealed, or replaced, without a word.

use crate::holders::*;

const CLINIC: &str =
    "<c xmlns=\"urn:clinic\"><p id=\"5\"><name>Pyc</name></p><p id=\"6\"><name>Nowak</name><city>Brzeg</city></p></c>";

fn clinic(fields: &str) -> crate::program::Desk {
    let desk = desk();
    desk.write("clinic.xml", CLINIC).write("clinic.toml", fields);
    desk.done("ucrypt policy new c.upolicy -p 2 --holder patient.upub --holder doctor.upub --fields clinic.toml");
    desk
}

fn clinic_fields(record: &str, city: &str) -> String {
    format!(
        "[namespaces]\nc = \"urn:clinic\"\n[[table]]\nname = \"p\"\nrecord = \"{record}\"\nrecord_key = \"@id\"\n\
        [[table.field]]\nname = \"name\"\npath = \"c:name\"\n[[table.field]]\nname = \"city\"\npath = \"{city}\"\n"
    )
}

#[test]
fn a_document_that_can_be_read_only_once_is_refused() {
    let open = "ucrypt open p.upolicy /dev/null --kind sql -o out.sql --with patient.ukey --with payer.ukey";
    assert_refused(&sealed_desk(), open, 2, &["/dev/null", "no regular file"]);
}

#[test]
fn a_document_in_the_place_of_the_policy_is_named() {
    let desk = sealed_desk();
    let by = with(&["patient", "payer"]);
    for command in ["seal plain.csv p.upolicy -o out.csv --all", &format!("open sealed.csv p.upolicy -o out.csv{by}")] {
        let words = ["csv: this is no policy file", "NAME.upolicy, and come before the document"];
        assert_refused(&desk, &format!("ucrypt {command}"), 2, &words);
    }
    desk.write("broken.upolicy", "p = ");
    assert_refused(&desk, "ucrypt policy show broken.upolicy", 2, &["broken.upolicy: this is no policy file"]);
    assert_refused(&desk, &format!("ucrypt refresh broken.upolicy{by}"), 2, &["broken.upolicy: this is no policy"]);
}

#[test]
fn standard_input_and_output_are_no_documents() {
    let desk = sealed_desk();
    let by = with(&["patient", "payer"]);
    for input in ["seal p.upolicy - -o out.csv --all", "inspect -", "filter - --drop -o out.csv"] {
        assert_refused(&desk, &format!("ucrypt {input}"), 2, &["standard input", "name a file"]);
    }
    assert_refused(&desk, &format!("ucrypt open p.upolicy - -o out.csv{by}"), 2, &["standard input"]);
    assert_refused(&desk, &format!("ucrypt rotate p.upolicy - --full{by}"), 2, &["standard input"]);
    assert_refused(&desk, &format!("ucrypt open p.upolicy sealed.csv -o -{by}"), 2, &["standard output"]);
    for output in ["seal p.upolicy plain.csv --all -o -", "filter sealed.csv --drop -o -"] {
        assert_refused(&desk, &format!("ucrypt {output}"), 2, &["standard output", "name a file"]);
    }
}

#[test]
fn a_path_that_leads_nowhere_seals_nothing_and_says_so() {
    let desk = clinic(&clinic_fields("/c/p", "c:city"));
    let words = ["/c/p", "\"c\"", "urn:clinic"];
    assert_refused(&desk, "ucrypt seal c.upolicy clinic.xml -o out.xml --all", 2, &words);

    let desk = clinic(&clinic_fields("/c:c/c:p", "c:town"));
    assert_refused(&desk, "ucrypt seal c.upolicy clinic.xml -o out.xml --all", 2, &["\"city\""]);
    desk.done("ucrypt seal c.upolicy clinic.xml -o out.xml --all --field name");

    // A record may lack what others have.
    let desk = clinic(&clinic_fields("/c:c/c:p", "c:city"));
    let ran = desk.done("ucrypt seal c.upolicy clinic.xml -o out.xml --record 5");
    assert!(ran.err.contains("no chosen record has the field \"city\""), "{ran:?}");
    desk.done("ucrypt seal c.upolicy clinic.xml -o out.xml --record 6");
    let again = desk.done("ucrypt seal c.upolicy out.xml -o again.xml --record 6");
    assert!(format!("{again:?}").contains("sealed before"), "{again:?}");
}

/// Nobody should find out only when something is to be sealed.
#[test]
fn fields_that_no_document_could_be_sealed_by_are_refused_when_the_policy_is_written() {
    let desk = desk();
    let columns = |fields: &str| format!("[[table]]\nname = \"t\"\nkey = \"Id\"\n{fields}");
    let field = |name: &str, more: &str| format!("[[table.field]]\nname = \"{name}\"\n{more}\n");
    for (fields, words) in [
        (columns(&field("Id", "")), ["Id", "record key"]),
        (columns(&field("number", "column = \"Id\"")), ["Id", "record key"]),
        (columns(&(field("a", "column = \"c\"") + &field("b", "column = \"c\""))), ["c", "selected twice"]),
        (clinic_fields("/c:c/c:p", "@id"), ["city", "holds the key"]),
        (clinic_fields("/c:c/c:p", "d:city"), ["\"d\"", "no namespace"]),
        (clinic_fields("c:c/c:p", "c:city"), ["c:c/c:p", "must begin with"]),
        (clinic_fields("/c:c/c:p", "c:city[1]"), ["c:city[1]", "no name"]),
    ] {
        desk.write("bad.toml", &fields);
        let new = "ucrypt policy new bad.upolicy -p 2 --holder patient.upub --holder doctor.upub --fields bad.toml";
        assert_refused(&desk, new, 2, &words);
        let amend = format!("ucrypt policy amend p.upolicy --fields bad.toml{}", with(&["patient", "payer"]));
        assert_refused(&desk, &amend, 2, &words);
    }
}

#[test]
fn a_table_that_is_not_there_or_has_no_rows_seals_nothing() {
    let desk = desk();
    desk.write("other.sql", sql().replace("pacjenci", "osoby"));
    assert_refused(&desk, "ucrypt seal p.upolicy other.sql -o out.sql --all", 2, &["pacjenci"]);
    desk.write("empty.csv", COLUMNS.join(",") + "\n");
    assert_refused(&desk, "ucrypt seal p.upolicy empty.csv -o out.csv --all", 2, &["no row"]);
}

#[test]
fn a_document_is_replaced_only_by_whoever_says_so() {
    let desk = desk();
    for kind in KINDS {
        let seal = format!("ucrypt seal p.upolicy plain.{kind} -o ./plain.{kind} --record 5");
        assert_refused(&desk, &seal, 2, &["--in-place"]);
    }
    desk.done("ucrypt seal p.upolicy plain.csv --in-place --record 5");
}

#[test]
fn opening_what_is_not_there_is_refused() {
    let desk = sealed_desk();
    desk.done("ucrypt policy new q.upolicy -p 2 --holder patient.upub --holder doctor.upub --fields fields.toml");
    let id = |name: &str| {
        let policy = desk.read(name);
        let id = policy.lines().find_map(|line| line.strip_prefix("id = ")).expect("an id");
        id.trim_matches('"').to_owned()
    };
    let by = with(&["patient", "doctor"]);
    for kind in KINDS {
        let open = format!("ucrypt open q.upolicy sealed.{kind} -o out.{kind}{by}");
        assert_refused(&desk, &open, 2, &[&id("p.upolicy"), &id("q.upolicy")]);
        let open = format!("ucrypt open p.upolicy plain.{kind} -o out.{kind}{by}");
        assert_refused(&desk, &open, 2, &["no cell of policy"]);
        let open = format!("ucrypt open p.upolicy sealed.{kind} -o out.{kind} --record 6{by}");
        assert_refused(&desk, &open, 2, &["asked for"]);
    }
}

#[test]
fn a_log_or_a_policy_that_is_missing_is_missed() {
    let desk = desk();
    for verb in ["check", "show"] {
        desk.done(&format!("ucrypt audit {verb} p.upolicy"));
        desk.done(&format!("ucrypt audit {verb} p.uaudit"));
        assert_refused(&desk, &format!("ucrypt audit {verb} none.upolicy"), 2, &["none.upolicy"]);
    }
    std::fs::remove_file(desk.path("p.uaudit")).expect("it was written");
    for verb in ["check", "show"] {
        let ran = desk.tamis(&format!("ucrypt audit {verb} p.upolicy"));
        assert_eq!(ran.code, 1, "{ran:?}");
        assert!(format!("{ran:?}").contains("the log is missing"), "{ran:?}");
    }
}

#[test]
fn an_old_policy_beside_its_successor_seals_nothing() {
    let desk = sealed_desk();
    let by = with(&["patient", "doctor"]);
    let plain = desk.tamis(&format!("ucrypt rotate p.upolicy --full sealed.csv plain.xml{by}"));
    assert_eq!(plain.code, 0, "{plain:?}");
    assert!(plain.err.contains("plain.xml: nothing in it"), "{plain:?}");
    assert!(!plain.err.contains("sealed.csv: nothing in it"), "{plain:?}");
    let seal = "ucrypt seal p.e1.upolicy plain.csv -o out.csv --record 5";
    assert_refused(&desk, seal, 2, &["p.upolicy", "epoch 2"]);
    assert_refused(&desk, &format!("ucrypt rotate p.e1.upolicy --full sealed.xml{by}"), 2, &["p.upolicy"]);
    let headers = desk.tamis(&format!("ucrypt rotate p.upolicy --headers sealed.csv plain.sql{by}"));
    assert_eq!(headers.code, 0, "{headers:?}");
    assert!(headers.err.contains("plain.sql: nothing in it"), "{headers:?}");
    assert!(!headers.err.contains("sealed.csv: nothing in it"), "{headers:?}");
}

#[test]
fn another_key_does_not_lengthen_a_holders_time() {
    let desk = desk();
    desk.done("ucrypt keygen clerk --not-after 2090-01-01");
    desk.done(
        "ucrypt policy new t.upolicy -p 2 --holder patient.upub --holder doctor.upub --holder clerk.upub --fields fields.toml",
    );
    let by = with(&["patient", "doctor"]);
    for (number, given, kept) in [
        (1, "", "2090-01-01"),
        (2, " --not-after 2095-01-01", "2090-01-01"),
        (3, " --not-after 2080-01-01", "2080-01-01"),
    ] {
        desk.done(&format!("ucrypt keygen clerk{number}{given}"));
        desk.done(&format!("ucrypt replace-key t.upolicy clerk clerk{number}.upub{by}"));
        let policy = desk.read("t.upolicy");
        assert!(policy.contains(&format!("not_after = \"{kept}\"")), "{policy}");
        assert_eq!(policy.matches("not_after").count(), 1, "{policy}");
    }
}

#[test]
fn what_is_missing_or_exchanged_is_called_by_its_name() {
    let desk = sealed_desk();
    let bare = "ucrypt policy new b.upolicy -p 2 --holder patient.upub --holder doctor.upub --bare notary --fields fields.toml";
    assert_refused(&desk, bare, 2, &["--share-passphrase-file", "--paper"]);
    let open = "ucrypt open p.upolicy sealed.csv -o out.csv --with patient.ukey";
    assert_refused(&desk, &format!("{open} --with doctor.upub"), 4, &["\"doctor\"", ".upub", ".ukey"]);
    let new = "ucrypt policy new b.upolicy -p 2 --holder patient.upub --holder doctor.ukey --fields fields.toml";
    assert_refused(&desk, new, 2, &["doctor.ukey", ".upub"]);
    std::fs::create_dir(desk.path("namesake")).expect("a directory");
    desk.done("ucrypt keygen doctor --directory namesake");
    assert_refused(&desk, &format!("{open} --with namesake/doctor.ukey"), 4, &["another key in this policy"]);
    std::fs::remove_file(desk.path("sealed.csv.ukeys")).expect("it was written");
    assert_refused(&desk, &format!("{open} --with doctor.ukey"), 5, &["sealed.csv.ukeys", "missing"]);
}

#[test]
fn a_condition_names_its_system_and_the_table_that_was_asked_for() {
    let desk = desk();
    let two = format!("{FIELDS}\n[[table]]\nname = \"wizyty\"\nkey = \"Nr\"\n[[table.field]]\nname = \"Opis\"\n");
    desk.write("two.toml", two);
    desk.done("ucrypt policy new two.upolicy -p 2 --holder patient.upub --holder doctor.upub --fields two.toml");
    let ran = desk.tamis("ucrypt filter --sql --drop --policy two.upolicy --table wizyty --dialect mysql");
    assert_eq!(ran.code, 0, "{ran:?}");
    assert!(ran.out.starts_with("-- wizyty, for MySQL (--dialect"), "{ran:?}");
    assert!(!ran.out.contains("pacjenci"), "{ran:?}");
    assert_refused(&desk, "ucrypt filter --sql --drop --policy two.upolicy --table none", 2, &["none"]);
}

#[test]
fn what_is_no_key_or_no_words_is_told_as_what_it_is() {
    let desk = sealed_desk();
    let open = "ucrypt open p.upolicy sealed.csv -o out.csv --with payer.ukey";
    for file in ["p.upolicy", "plain.csv", "sealed.csv.ukeys"] {
        assert_refused(&desk, &format!("{open} --with {file}"), 4, &[file, "no secret key"]);
    }
    let word = |count: usize| vec!["abandon"; count].join(" ");
    for (words, said) in
        [(word(23), "there are 23"), (String::new(), "there are 0"), (word(6) + " ac " + &word(17), "word 7")]
    {
        desk.write("words", words);
        assert_refused(&desk, &format!("{open} --words-file doctor=words"), 4, &["\"doctor\"", said]);
    }
}

#[test]
fn conditions_encodings_and_outputs_that_are_mistaken_are_told_with_a_remedy() {
    let desk = desk();
    for (command, words) in [
        ("seal p.upolicy plain.xml -o out.xml --where Chorba=AIDS", ["no record has \"Chorba\"", "path"]),
        ("seal p.upolicy plain.xml -o out.xml --where x:Choroba=AIDS", ["the condition", "[namespaces]"]),
        (
            "seal p.upolicy plain.csv -o out.csv --all --encoding windows1250",
            ["\"windows1250\"", "windows-1250 to 1258"],
        ),
        ("seal p.upolicy plain.csv --all", ["--output", "--in-place"]),
        ("seal p.upolicy plain.csv --all -o out.xml", ["the name says XML", "--kind"]),
        ("seal p.upolicy fields.toml --all -o out.csv", ["fields.toml", "--kind"]),
        ("filter plain.csv --drop --table pacjenci -o out.csv", ["--table", "--policy"]),
        ("keygen doctor --directory nowhere", ["nowhere", "make it first"]),
        ("remove-holder p.upolicy doctor --with patient.ukey --with payer.ukey", ["every document", "--soft"]),
        ("audit check p.upolicy --contains deadbeef", ["--contains", "64"]),
        ("policy new p -p 1 --holder doctor.upub --fields fields.toml", ["p: ", "NAME.upolicy"]),
        ("policy new q.upolicy -p 1 --holder doctor.upub --fields plain.csv", ["plain.csv: line 1", "fields.md"]),
        ("open p.upolicy plain.csv -o out.csv --granted plain.xml --with patient.ukey", ["plain.xml", "no grant"]),
    ] {
        assert_refused(&desk, &format!("ucrypt {command}"), 2, &words);
    }
    let dump =
        b"CREATE TABLE pacjenci (`Id` int, `Nazwisko` blob, `Zaw\xc3\xb3d` text, `Miasto` text, `Choroba` text);\n\
        INSERT INTO pacjenci VALUES (5, _binary '\xff\xfe', 'a', 'b', 'c');\n";
    desk.write("blob.sql", dump);
    let seal = "ucrypt seal p.upolicy blob.sql -o out.sql --all --dialect mysql";
    assert_refused(&desk, seal, 2, &["line 2", "Nazwisko", "--hex-blob"]);
}

#[test]
fn two_policies_of_one_id_do_not_stand_beside_each_other() {
    let desk = desk();
    let new = |name: &str| {
        format!(
            "ucrypt policy new {name}.upolicy --id twin -p 2 --holder patient.upub --holder doctor.upub --fields fields.toml"
        )
    };
    desk.done(&new("one"));
    assert_refused(&desk, &new("two"), 2, &["one.upolicy", "\"twin\"", "--id"]);
    // One that came from elsewhere is no later epoch of this one.
    std::fs::create_dir(desk.path("elsewhere")).expect("a directory");
    desk.done(&new("elsewhere/two"));
    let both = with(&["patient", "doctor"]);
    desk.done("ucrypt seal elsewhere/two.upolicy plain.csv -o two.csv --record 5");
    desk.done(&format!("ucrypt rotate elsewhere/two.upolicy two.csv --full{both}"));
    std::fs::copy(desk.path("elsewhere/two.upolicy"), desk.path("two.upolicy")).expect("a copy");
    desk.done("ucrypt seal one.upolicy plain.csv -o one.csv --record 5");
}

#[test]
fn an_earlier_policy_is_told_of_the_newest_and_keeps_a_good_log() {
    let desk = sealed_desk();
    let both = with(&["patient", "doctor"]);
    desk.done("ucrypt seal p.upolicy plain.csv -o left.csv --record 5");
    for _ in 0..2 {
        desk.done(&format!("ucrypt rotate p.upolicy sealed.csv --full{both}"));
    }
    let seal = "ucrypt seal p.e1.upolicy plain.csv -o late.csv --record 5";
    assert_refused(&desk, seal, 2, &["./p.upolicy is epoch 3"]);
    desk.done(&format!("ucrypt open p.e1.upolicy left.csv -o opened.csv{both}"));
    desk.json("ucrypt audit check p.e1.upolicy", 0);
    let inspected = desk.json("ucrypt inspect sealed.csv --policy p.e1.upolicy", 0);
    assert_eq!(inspected["groups"][0]["opened_by"], "the holders of a later policy", "{inspected}");
    assert!(inspected["data_keys"][0]["born"].is_string(), "{inspected}");
}

#[test]
fn what_is_given_in_the_wrong_place_is_told_where_it_belongs() {
    let desk = sealed_desk();
    desk.done("ucrypt keygen reader");
    let both = with(&["patient", "payer"]);
    desk.done(&format!("ucrypt open p.upolicy sealed.csv -o g.ugrant --grant Choroba --to reader.upub{both}"));
    std::fs::create_dir(desk.path("place.csv")).expect("a directory");
    desk.write("words", "abandon ability able");
    let open = "open p.upolicy sealed.csv -o out.csv";
    for (command, code, words) in [
        (&format!("{open} --with g.ugrant"), 2, ["g.ugrant: this is a grant", "--granted"]),
        (&format!("{open} --with place.csv"), 2, ["place.csv", "it is a directory"]),
        (&format!("{open} --with patient.ukey payer.ukey"), 2, ["repeat --with", "--with payer.ukey"]),
        (&open.to_owned(), 3, ["0 of the 2 holders", "--words-file"]),
        (&format!("{open} --with doctor.upub"), 4, ["is refused: it is a public key", ".ukey"]),
        (&format!("{open} --with words"), 4, ["is refused: it is no secret key", "--words-file"]),
        (&format!("rotate p.upolicy sealed.csv --full{both} doctor.ukey"), 2, ["doctor.ukey", "repeat --with"]),
        (&"seal p.upolicy place.csv --all -o out.csv".to_owned(), 2, ["place.csv", "it is a directory"]),
        (&"seal place.csv plain.csv --all -o out.csv".to_owned(), 2, ["place.csv", "it is a directory"]),
        (&"inspect p.upolicy".to_owned(), 2, ["this is a policy", "policy show"]),
        (&"audit show sealed.csv".to_owned(), 2, ["sealed.csv", "no policy"]),
        (&"audit check patient.ukey".to_owned(), 2, ["patient.ukey", "no policy"]),
        (&"keygen nurse.ukey".to_owned(), 2, ["name of a file", "\"nurse\""]),
    ] {
        assert_refused(&desk, &format!("ucrypt {command}"), code, &words);
    }
    // A document of the policy's name has no log either.
    desk.write("p.csv", csv());
    assert_refused(&desk, "ucrypt audit show p.csv", 2, &["p.csv", "no policy"]);
}

#[test]
fn what_was_left_out_or_misspelt_is_told_with_what_could_stand_there() {
    let desk = sealed_desk();
    let both = with(&["patient", "payer"]);
    let new = "policy new q.upolicy --holder patient.upub --holder doctor.upub --fields fields.toml";
    let all = "seal p.upolicy plain.csv -o out.csv --all";
    desk.write("narrow.csv", "Id\n5,x\n");
    for (command, words) in [
        (format!("{new} -p x"), ["--threshold", "a whole number is expected"]),
        (format!("{new} -p 2 --pad x"), ["--pad", "a whole number is expected"]),
        (format!("{new} -p 2 --bind x"), ["--bind", "rf (record and field), f (field) or n (nothing)"]),
        (format!("{new} -p 2 --bare notary"), ["the shares of notary outside the policy", "--paper-for"]),
        (format!("replace-key p.upolicy doctor{both}"), [".upub", "--bare"]),
        (format!("add-holder p.upolicy{both}"), [".upub", "--bare"]),
        (format!("remove-holder p.upolicy docter --soft{both}"), ["\"docter\"", "patient, doctor, payer"]),
        (format!("refresh p.upolicy --paper-for nobody{both}"), ["\"nobody\"", "nobody does"]),
        (format!("{all} --table pacjent"), ["\"pacjent\"", "it has pacjenci"]),
        ("filter --sql --drop --policy p.upolicy --table pacjent".to_owned(), ["\"pacjent\"", "it has pacjenci"]),
        ("seal p.upolicy plain.csv -o out.csv".to_owned(), ["--records-from", "--where-file"]),
        ("seal p.upolicy narrow.csv -o out.csv --all --field Id".to_owned(), ["no field \"Id\"", "Choroba"]),
        ("filter narrow.csv --drop -o out.csv".to_owned(), ["2 values", "1 column"]),
    ] {
        let said = assert_refused(&desk, &format!("ucrypt {command}"), 2, &words);
        assert!(!said.contains("1 columns"), "{said}");
    }
    // Somebody else is in one place only.
    for name in ["one", "two"] {
        desk.done(&format!("ucrypt keygen {name}"));
    }
    let rotate = format!("ucrypt rotate p.upolicy sealed.csv --full{both} --replace doctor=one.upub");
    assert_refused(&desk, &format!("{rotate} --replace doctor=two.upub"), 2, &["--replace", "\"doctor\""]);
    // Which policy the cells of a document are of.
    desk.done(
        "ucrypt policy new q.upolicy --id other -p 2 --holder patient.upub --holder payer.upub --fields fields.toml",
    );
    desk.done("ucrypt seal q.upolicy plain.xml -o other.xml --record 5");
    let rotate = format!("ucrypt rotate p.upolicy other.xml --full{both}");
    assert_refused(&desk, &rotate, 2, &["nothing was changed", "their cells are of policy other"]);
}

#[test]
fn a_named_field_that_chosen_records_lack_and_others_have_is_told() {
    let desk = clinic(&clinic_fields("/c:c/c:p", "c:city"));
    let sealed = desk.json("ucrypt seal c.upolicy clinic.xml -o out.xml --record 5 --field city", 0);
    assert_eq!(sealed["sealed"], 0);
    assert!(sealed["notes"].to_string().contains("no chosen record has the field \\\"city\\\""), "{sealed}");
}
