//! Data keys of documents that are missing, edited or elsewhere.

mod holders;
mod program;

use holders::*;

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
            _ => &["record \"5\"", "no data key"],
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
