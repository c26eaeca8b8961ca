//! Data keys of documents that are missing, edited or elsewhere.

use crate::holders::*;

#[test]
fn a_rotation_of_cells_whose_data_key_is_missing_fails_as_opening_them_does() {
    let desk = sealed_desk();
    std::fs::remove_file(desk.path("sealed.csv.ukeys")).expect("it was written");
    let without = |name: &str, from: &str, to: &str| {
        let text = desk.read(name);
        let start = text.find(from).unwrap_or_else(|| panic!("{name} has no {from}"));
        let end = start + text[start..].find(to).expect("an end") + to.len();
        desk.write(name, format!("{}{}", &text[..start], &text[end..]));
    };
    without("sealed.xml", "<?ucrypt-key", "?>");
    without("sealed.sql", "INSERT INTO ucrypt_keys", ";\n");
    rusqlite::Connection::open(desk.path("sealed.db"))
        .and_then(|database| database.execute_batch("DELETE FROM ucrypt_keys"))
        .expect("a database");
    let holders = with(&["doctor", "payer"]);
    for kind in KINDS {
        let words: &[&str] = match kind {
            "csv" => &["record \"5\"", "sealed.csv.ukeys", "missing"],
            "xml" => &["record \"5\"", "no data key", "no <?ucrypt-key?> instruction", "another program"],
            _ => &["record \"5\"", "no data key", "no row in the table ucrypt_keys", "another program"],
        };
        let open = assert_refused(&desk, &format!("ucrypt open p.upolicy sealed.{kind} -o out{holders}"), 5, words);
        for depth in ["--headers", "--full"] {
            let rotate = format!("ucrypt rotate p.upolicy sealed.{kind} {depth}{holders}");
            assert_eq!(assert_refused(&desk, &rotate, 5, words), open, "{kind} {depth}");
        }
    }
}

#[test]
fn a_rotation_says_of_an_edited_key_what_opening_says() {
    let desk = sealed_desk();
    let holders = with(&["doctor", "payer"]);
    for (document, keys, mark) in
        [("sealed.csv", "sealed.csv.ukeys", "\"dk\":\""), ("sealed.xml", "sealed.xml", " dk=\"")]
    {
        let text = desk.read(keys);
        let at = text.find(mark).expect("a key") + mark.len() + 20;
        let other = if &text[at..=at] == "A" { "B" } else { "A" };
        desk.write(keys, format!("{}{other}{}", &text[..at], &text[at + 1..]));
        let words = &["record \"5\"", "does not open", "edited"];
        let open = assert_refused(&desk, &format!("ucrypt open p.upolicy {document} -o out{holders}"), 5, words);
        for depth in ["--headers", "--full"] {
            let rotate = format!("ucrypt rotate p.upolicy {document} {depth}{holders}");
            assert_eq!(assert_refused(&desk, &rotate, 5, words), open, "{document} {depth}");
        }
    }
}

#[cfg(unix)]
#[test]
fn the_keys_of_a_linked_document_stand_beside_the_document() {
    let desk = desk();
    std::fs::create_dir(desk.path("store")).expect("a directory");
    std::fs::rename(desk.path("plain.csv"), desk.path("store/table.csv")).expect("a file");
    desk.write("plain.csv", csv());
    std::os::unix::fs::symlink("store/table.csv", desk.path("sealed.csv")).expect("a link");
    desk.done("ucrypt seal p.upolicy sealed.csv --in-place --record 5");
    desk.done("ucrypt seal p.upolicy store/table.csv --in-place --record 6");
    assert!(desk.path("store/table.csv.ukeys").exists());
    assert!(!desk.path("sealed.csv.ukeys").exists());
    for depth in ["--full", "--headers"] {
        desk.done(&format!("ucrypt rotate p.upolicy sealed.csv {depth}{}", with(&["doctor", "payer"])));
        for name in ["sealed.csv", "store/table.csv"] {
            assert_opens(&desk, "p.upolicy", name, &["doctor", "payer"]);
        }
    }
    assert!(desk.path("sealed.csv").is_symlink());
}

/// Two policies and two runs of the first, one for each record.
fn run_by_run(desk: &crate::program::Desk, kind: &str) {
    desk.done(&format!("ucrypt seal p.upolicy plain.{kind} -o runs.{kind} --record 5"));
    desk.done(&format!("ucrypt seal p.upolicy runs.{kind} --in-place --record 6 --record 7"));
}

#[test]
fn a_data_key_goes_with_the_last_cell_that_needs_it() {
    let desk = desk();
    let by = with(&["doctor", "payer"]);
    for kind in KINDS {
        run_by_run(&desk, kind);
        let document = format!("runs.{kind}");
        let keys = |document: &str| {
            let inspected = desk.json(&format!("ucrypt inspect {document}"), 0);
            assert_eq!(inspected["notes"], serde_json::json!([]), "{inspected}");
            inspected["data_keys"].as_array().expect("a list").len()
        };
        assert_eq!(keys(&document), 2, "{kind}");
        // One record has its own key, two have one together, and a field of all has both.
        for (what, left) in [("--record 5", 1), ("--record 6", 2), ("--record 6 --record 7", 1), ("--field Miasto", 2)]
        {
            // Beside a CSV file that is replaced, keys stay for its copies.
            let _ = std::fs::remove_file(desk.path("some.csv.ukeys"));
            let opened = desk.json(&format!("ucrypt open p.upolicy {document} -o some.{kind} {what}{by}"), 0);
            assert_eq!(opened["notes"], serde_json::json!([]), "{kind} {what}");
            assert_eq!(keys(&format!("some.{kind}")), left, "{kind} {what}");
            desk.done(&format!("ucrypt open p.upolicy some.{kind} -o opened.{kind}{by}"));
            assert_plain(&desk, &document);
        }
        let _ = std::fs::remove_file(desk.path("some.csv.ukeys"));
        desk.done(&format!("ucrypt open p.upolicy {document} -o some.{kind} --record 5 --record 6 --record 7{by}"));
        if kind != "db" {
            assert_eq!(desk.read(&format!("some.{kind}")), desk.read(&format!("plain.{kind}")), "{kind}");
        }
    }
    assert!(!desk.path("some.csv.ukeys").exists());
}

/// A cell that is not recognised needs its key, however little is opened.
#[test]
fn a_data_key_that_something_else_names_stays_where_a_record_is_opened() {
    let desk = desk();
    run_by_run(&desk, "xml");
    let sealed = desk.read("runs.xml");
    let start = sealed.find("kid=\"").expect("a key") + 5;
    let kid = &sealed[start..start + 8];
    desk.write("odd.xml", format!("{sealed}<!-- {kid} -->"));
    let open = format!("ucrypt open p.upolicy odd.xml -o some.xml --record 5{}", with(&["doctor", "payer"]));
    let opened = desk.json(&open, 0);
    assert!(opened["notes"].to_string().contains(kid), "{opened}");
    assert_eq!(desk.read("some.xml").matches("<?ucrypt-key").count(), 2);
}

#[test]
fn a_record_that_is_not_there_is_told_from_one_that_is_not_sealed() {
    let desk = sealed_desk();
    let by = with(&["doctor", "payer"]);
    for kind in KINDS {
        let open = format!("ucrypt open p.upolicy sealed.{kind} -o out.{kind}{by}");
        assert_refused(&desk, &format!("{open} --record 55"), 2, &["no record \"55\""]);
        let said = assert_refused(&desk, &format!("{open} --record 6"), 2, &["asked for"]);
        assert!(!said.contains("no record"), "{said}");
        let opened = desk.json(&format!("{open} --record 5 --record 6 --record 55"), 0);
        let notes = serde_json::json!([
            "nothing that was asked for is sealed under the policy in record \"6\"",
            "there is no record \"55\" with a field of the policy"
        ]);
        assert_eq!(opened["notes"], notes, "{kind}");
        std::fs::remove_file(desk.path(&format!("out.{kind}"))).expect("it was written");
    }
    desk.done("ucrypt keygen reader");
    let grant =
        format!("ucrypt open p.upolicy sealed.csv -o g --grant Choroba --to reader.upub --record 5 --record 6{by}");
    let notes = desk.json(&format!("{grant} --record 55"), 0)["notes"].to_string();
    assert!(notes.contains("in record \\\"6\\\"") && notes.contains("no record \\\"55\\\""), "{notes}");
}

#[test]
fn a_document_that_was_left_out_of_a_rotation_is_told_the_policy_that_opens_it() {
    let desk = sealed_desk();
    let by = with(&["doctor", "payer"]);
    desk.done(&format!("ucrypt rotate p.upolicy sealed.csv --full{by}"));
    let words = ["does not open with this policy file", "p.e1.upolicy"];
    let said = assert_refused(&desk, &format!("ucrypt open p.upolicy sealed.xml -o out.xml{by}"), 5, &words);
    assert!(!said.contains("there is no data key"), "{said}");
    assert_eq!(said.matches("data key").count(), 1, "{said}");
}

#[test]
fn whoever_seals_again_is_told_under_which_policy_fields_are_sealed() {
    let desk = desk();
    desk.write("q.toml", FIELDS);
    new_policy(&desk, "q.upolicy", "q.toml --id other");
    for kind in KINDS {
        desk.done(&format!("ucrypt seal q.upolicy plain.{kind} -o sealed.{kind} --record 5"));
        let again = desk.json(&format!("ucrypt seal p.upolicy sealed.{kind} -o again.{kind} --record 5"), 0);
        let notes = again["notes"].to_string();
        assert!(notes.contains("everything chosen was sealed before"), "{notes}");
        let said =
            "4 chosen fields were sealed before under policy other, which the holders of this policy do not open";
        assert!(notes.contains(said), "{notes}");
        let more = desk.json(&format!("ucrypt seal p.upolicy sealed.{kind} -o more.{kind} --record 5 --record 6"), 0);
        assert!(more["notes"].to_string().contains(said), "{more}");
        // Of its own cells there is nothing to say, nor of records that were not chosen.
        for (policy, which) in [("q", "--record 5"), ("p", "--record 6")] {
            let own = desk.json(&format!("ucrypt seal {policy}.upolicy sealed.{kind} -o own.{kind} {which}"), 0);
            assert!(!own["notes"].to_string().contains("chosen field"), "{own}");
        }
    }
    std::fs::remove_file(desk.path("sealed.csv.ukeys")).expect("it was written");
    let keyless = desk.json("ucrypt seal q.upolicy sealed.csv -o keyless.csv --record 5", 0);
    assert!(keyless["notes"].to_string().contains("a data key that the document does not have"), "{keyless}");
    desk.done(&format!("ucrypt rotate q.upolicy sealed.xml --full{}", with(&["doctor", "payer"])));
    let left = desk.json("ucrypt seal q.upolicy sealed.sql -o left.sql --record 5", 0);
    let notes = left["notes"].to_string();
    assert!(notes.contains("in epoch 1 of this policy") && notes.contains("q.e1.upolicy"), "{notes}");
}
