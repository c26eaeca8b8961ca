//! What `tamis ucrypt` promises: the story of the paper from the command line, in every kind of document.

mod program;

use program::{Desk, Ran};
use rusqlite::Connection;
use serde_json::Value;

/// The table of Figure 9. The paper shows record 5 only sealed; what is inside is made up.
const ROWS: [[&str; 5]; 9] = [
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

const COLUMNS: [&str; 5] = ["Id", "Nazwisko", "Zawód", "Miasto", "Choroba"];

const FIELDS: &str = r#"
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

const KINDS: [&str; 4] = ["xml", "csv", "sql", "db"];
const PAIRS: [[&str; 2]; 3] = [["patient", "doctor"], ["patient", "payer"], ["doctor", "payer"]];

fn csv() -> String {
    let line = |row: &[&str; 5]| row.join(",") + "\n";
    [line(&COLUMNS)].into_iter().chain(ROWS.iter().map(line)).collect()
}

fn xml() -> String {
    let record = |row: &[&str; 5]| {
        let cells: String = COLUMNS.iter().zip(row).map(|(name, text)| format!("<{name}>{text}</{name}>")).collect();
        format!("  <pacjent>{cells}</pacjent>\n")
    };
    let records: String = ROWS.iter().map(record).collect();
    format!("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<!-- Rysunek 9 -->\n<pacjenci>\n{records}</pacjenci>\n")
}

fn sql() -> String {
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
fn rows(desk: &Desk, name: &str) -> Vec<Vec<String>> {
    let database = Connection::open(desk.path(name)).expect("a database");
    let mut statement = database.prepare("SELECT * FROM pacjenci ORDER BY Id").expect("a table");
    let row = |row: &rusqlite::Row<'_>| (0..5).map(|column| row.get_ref(column).map(text)).collect();
    statement.query_map([], row).expect("rows").collect::<Result<_, _>>().expect("rows")
}

fn text(value: rusqlite::types::ValueRef<'_>) -> String {
    match value {
        rusqlite::types::ValueRef::Integer(number) => number.to_string(),
        value => value.as_str().expect("text").to_owned(),
    }
}

/// Keys of patient, doctor and payer, a policy that any two of them open, and the table in every kind of document.
fn desk() -> Desk {
    let desk = Desk::new();
    for holder in ["patient", "doctor", "payer"] {
        desk.done(&format!("ucrypt keygen {holder}"));
    }
    desk.write("fields.toml", FIELDS);
    desk.done(
        "ucrypt policy new p.upolicy -p 2 --owner patient --holder patient.upub --holder doctor.upub --holder payer.upub --fields fields.toml",
    );
    desk.write("plain.csv", csv()).write("plain.xml", xml()).write("plain.sql", sql());
    Connection::open(desk.path("plain.db")).expect("a database").execute_batch(&sql()).expect("rows");
    desk
}

/// The same with record 5 sealed, in every kind of document.
fn sealed_desk() -> Desk {
    let desk = desk();
    for kind in KINDS {
        desk.done(&format!("ucrypt seal p.upolicy plain.{kind} -o sealed.{kind} --record 5"));
    }
    desk
}

fn with(holders: &[&str]) -> String {
    holders.iter().map(|holder| format!(" --with {holder}.ukey")).collect()
}

fn open(desk: &Desk, policy: &str, document: &str, holders: &[&str]) -> Ran {
    let extension = document.rsplit('.').next().expect("an extension");
    desk.tamis(&format!("ucrypt open {policy} {document} -o opened.{extension}{}", with(holders)))
}

fn assert_opens(desk: &Desk, policy: &str, document: &str, holders: &[&str]) {
    let ran = open(desk, policy, document, holders);
    assert_eq!(ran.code, 0, "{document} by {holders:?}: {ran:?}");
    assert_plain(desk, document);
}

/// Whether what was opened is what was sealed.
fn assert_plain(desk: &Desk, document: &str) {
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
fn assert_refused(desk: &Desk, command: &str, code: i32, words: &[&str]) -> String {
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

/// No message may hold what is sealed, nor a key or share.
fn assert_no_secret(desk: &Desk, message: &str) {
    for value in &ROWS[4][1..] {
        assert!(!message.contains(value), "{message}");
    }
    assert!(!message.contains("AGE-SECRET-KEY-1"), "{message}");
    for (path, content) in desk.listing() {
        let Ok(text) = String::from_utf8(content) else { continue };
        if path.extension().is_some_and(|extension| extension == "ushare") {
            let words = text.lines().find_map(|line| line.strip_prefix("words = ")).unwrap_or("no words");
            assert!(!message.contains(words.trim_matches('"')), "{message}");
        }
    }
}

mod the_story {
    use super::*;

    #[test]
    fn record_5_is_sealed_in_four_fields_and_nothing_else_changes_by_a_byte() {
        let desk = sealed_desk();
        for kind in ["csv", "sql", "xml"] {
            let (plain, sealed) = (desk.read(&format!("plain.{kind}")), desk.read(&format!("sealed.{kind}")));
            assert_eq!(sealed.matches("<UCRYPT ").count(), 4, "{sealed}");
            assert_eq!(sealed.matches("</UCRYPT>").count(), 4);
            for value in &ROWS[4][1..] {
                assert!(!sealed.contains(value));
            }
            // Every other line is where it was; the lines with data keys are the only new ones.
            let mut rest: Vec<&str> = sealed
                .lines()
                .filter(|line| !line.starts_with("<?ucrypt-key ") && !line.contains("ucrypt_keys"))
                .collect();
            let at = rest.iter().position(|line| line.contains("<UCRYPT ")).expect("a sealed record");
            let before: Vec<&str> = plain.lines().collect();
            let record = before[at];
            assert!(record.contains("Podagra"));
            rest[at] = record;
            assert_eq!(rest, before, "{kind}");
        }
        let database = rows(&desk, "sealed.db");
        for (row, plain) in database.iter().zip(ROWS) {
            if plain[0] == "5" {
                assert!(row[1..].iter().all(|text| text.starts_with("<UCRYPT ")));
            } else {
                assert_eq!(*row, plain.map(str::to_owned));
            }
        }
    }

    #[test]
    fn each_pair_opens_and_no_single_holder_does() {
        let desk = sealed_desk();
        for kind in KINDS {
            for pair in PAIRS {
                assert_opens(&desk, "p.upolicy", &format!("sealed.{kind}"), &pair);
            }
            for (holder, others) in [("patient", ["doctor", "payer"]), ("doctor", ["patient", "payer"])] {
                assert_refused(
                    &desk,
                    &format!("ucrypt open p.upolicy sealed.{kind} -o out.{kind} --with {holder}.ukey"),
                    3,
                    &["1 of the 2 holders", others[0], others[1]],
                );
            }
        }
    }

    #[test]
    fn sealing_twice_changes_nothing_and_every_cell_can_be_moved_between_kinds() {
        let desk = sealed_desk();
        for kind in ["csv", "xml", "sql"] {
            desk.done(&format!("ucrypt seal p.upolicy sealed.{kind} -o again.{kind} --record 5"));
            assert_eq!(desk.read(&format!("sealed.{kind}")), desk.read(&format!("again.{kind}")));
        }
        // The cells of the XML file, copied into a CSV file with its keys, open there.
        let xml = desk.read("sealed.xml");
        let cells: Vec<&str> =
            xml.split("<UCRYPT ").skip(1).map(|cell| cell.split("</UCRYPT>").next().expect("an end")).collect();
        let quoted: Vec<String> =
            cells.iter().map(|cell| format!("\"<UCRYPT {}</UCRYPT>\"", cell.replace('"', "\"\""))).collect();
        desk.write("moved.csv", csv().replace("Zagłoba,Szlachcic,Zbaraż,Podagra", &quoted.join(",")));
        let key =
            xml.lines().find_map(|line| line.strip_prefix("<?ucrypt-key ")).expect("a key").trim_end_matches("?>");
        let part = |name: &str| {
            let start = key.find(&format!("{name}=\"")).expect("a part") + name.len() + 2;
            key[start..].split('"').next().expect("a value")
        };
        let header = serde_json::json!({
            "v": "1", "pol": part("pol"), "ep": 1, "kid": part("kid"), "born": part("born"), "dk": part("dk"),
        });
        desk.write("moved.csv.ukeys", format!("{header}\n"));
        let ran = open(&desk, "p.upolicy", "moved.csv", &["patient", "payer"]);
        assert_eq!(ran.code, 0, "{ran:?}");
        assert_eq!(desk.read("opened.csv").replace('"', ""), csv());
    }

    #[test]
    fn nothing_is_sealed_that_was_not_chosen() {
        let desk = desk();
        assert_refused(&desk, "ucrypt seal p.upolicy plain.csv -o out.csv", 2, &["--record", "--all"]);
        assert_refused(&desk, "ucrypt seal p.upolicy plain.csv -o out.csv --record 5 --record 77", 2, &["\"77\""]);
        assert_refused(&desk, "ucrypt seal p.upolicy plain.csv -o out.csv --record 5 --field Wiek", 2, &["Wiek"]);
        let sealed = |choice: &str| {
            for kind in ["csv", "xml"] {
                desk.done(&format!("ucrypt seal p.upolicy plain.{kind} -o out.{kind} {choice}"));
            }
            let [csv, xml] = ["out.csv", "out.xml"].map(|name| desk.read(name).matches("</UCRYPT>").count());
            assert_eq!(csv, xml, "{choice}");
            csv
        };
        assert_eq!(sealed("--record 5 --field Choroba"), 1);
        assert_eq!(sealed("--where Choroba=AIDS"), 16);
        assert_eq!(sealed("--where Id=5"), 4);
        assert_eq!(sealed("--all"), 36);
        desk.write("chosen.txt", "2\n5\n");
        assert_eq!(sealed("--records-from chosen.txt"), 8);
    }

    #[test]
    fn a_filter_drops_or_keeps_sealed_records_without_any_key() {
        let desk = sealed_desk();
        for kind in ["csv", "sql", "xml", "db"] {
            desk.done(&format!("ucrypt filter sealed.{kind} --drop -o dropped.{kind} --policy p.upolicy"));
            desk.done(&format!("ucrypt filter sealed.{kind} --only -o only.{kind} --policy p.upolicy"));
        }
        let without: String =
            csv().lines().filter(|line| !line.starts_with("5,")).map(|line| format!("{line}\n")).collect();
        assert_eq!(desk.read("dropped.csv"), without);
        assert_eq!(desk.read("only.csv").lines().count(), 2);
        assert!(
            !desk.read("dropped.xml").contains("UCRYPT ") && desk.read("dropped.xml").matches("<pacjent>").count() == 8
        );
        assert_eq!(desk.read("only.xml").matches("<pacjent>").count(), 1);
        assert_eq!((rows(&desk, "dropped.db").len(), rows(&desk, "only.db").len()), (8, 1));
        let shown = desk.done("ucrypt filter --drop --sql --policy p.upolicy --dialect sqlite").out;
        let condition = shown.lines().find_map(|line| line.strip_prefix("WHERE ")).expect("a condition");
        assert!(condition.contains("IS NULL OR"));
        let database = Connection::open(desk.path("sealed.db")).expect("a database");
        database.execute_batch("INSERT INTO pacjenci VALUES (10, NULL, NULL, NULL, NULL)").expect("a row");
        let query = format!("SELECT group_concat(Id) FROM pacjenci WHERE {condition}");
        let kept: String = database.query_row(&query, [], |row| row.get(0)).expect("rows");
        assert_eq!(kept, "1,2,3,4,6,7,8,9,10");
    }

    #[test]
    fn sealed_cells_are_a_missing_category_of_their_own_for_anonymization() {
        let desk = sealed_desk();
        desk.done("ucrypt seal p.upolicy sealed.csv --in-place --record 2");
        let policy = "[input]\npath = \"sealed.csv\"\n[attributes.Id]\nrole = \"identifying\"\n[attributes.Nazwisko]\nrole = \"identifying\"\n\
            [attributes.\"Zawód\"]\nrole = \"quasi-identifying\"\n[attributes.Miasto]\nrole = \"quasi-identifying\"\n\
            [attributes.Choroba]\nrole = \"sensitive\"\n[search]\nsuppression_limit = 0.0\n[[models]]\nkind = \"k-anonymity\"\nk = 2\n";
        desk.write("release.toml", policy);
        desk.done("anonymize release.toml --output release.csv");
        let release = desk.read("release.csv");
        assert!(!release.contains("</UCRYPT>"), "a ciphertext is as good as a name: {release}");
        assert_eq!(release.matches("<UCRYPT/>").count() % 2, 0, "{release}");
    }
}

mod changes {
    use super::*;

    const DOCUMENTS: &str = "sealed.xml sealed.csv sealed.sql sealed.db";

    #[test]
    fn a_change_of_doctor() {
        let desk = sealed_desk();
        std::fs::copy(desk.path("p.upolicy"), desk.path("old.upolicy")).expect("a copy");
        let ran =
            desk.done(&format!("ucrypt remove-holder p.upolicy doctor {DOCUMENTS}{}", with(&["patient", "payer"])));
        assert!(ran.err.contains("p = n = 2"), "{}", ran.err);
        desk.done("ucrypt keygen surgeon");
        let before = KINDS.map(|kind| desk.bytes(&format!("sealed.{kind}")));
        desk.done(&format!("ucrypt add-holder p.upolicy surgeon.upub{}", with(&["patient", "payer"])));
        assert!(
            before == KINDS.map(|kind| desk.bytes(&format!("sealed.{kind}"))),
            "adding a holder touches no document"
        );
        for kind in KINDS {
            let document = format!("sealed.{kind}");
            for pair in [["patient", "surgeon"], ["patient", "payer"], ["surgeon", "payer"]] {
                assert_opens(&desk, "p.upolicy", &document, &pair);
            }
            let command =
                |policy: &str| format!("ucrypt open {policy} {document} -o out.{kind}{}", with(&["doctor", "payer"]));
            assert_refused(&desk, &command("p.upolicy"), 4, &["\"doctor\"", "no such holder"]);
            // Not even with the policy of that time.
            assert_refused(&desk, &command("old.upolicy"), 5, &["record \"5\"", "does not open"]);
        }
    }

    #[test]
    fn soft_removal_and_refresh_leave_documents_alone_and_say_what_that_means() {
        let desk = sealed_desk();
        let before = KINDS.map(|kind| desk.bytes(&format!("sealed.{kind}")));
        let refreshed = desk.done(&format!("ucrypt refresh p.upolicy{}", with(&["doctor", "payer"])));
        assert!(refreshed.err.contains("are not stopped"), "{}", refreshed.err);
        let removed =
            desk.done(&format!("ucrypt remove-holder p.upolicy doctor --soft{}", with(&["patient", "payer"])));
        assert!(removed.err.contains("rotate --full"), "{}", removed.err);
        assert!(before == KINDS.map(|kind| desk.bytes(&format!("sealed.{kind}"))));
        assert_opens(&desk, "p.upolicy", "sealed.xml", &["patient", "payer"]);
        assert_refused(
            &desk,
            &format!("ucrypt open p.upolicy sealed.xml -o out.xml{}", with(&["doctor", "payer"])),
            4,
            &["\"doctor\""],
        );
        assert_refused(
            &desk,
            &format!("ucrypt remove-holder p.upolicy payer{}", with(&["patient", "payer"])),
            2,
            &["DOCUMENTS"],
        );
    }

    #[test]
    fn after_the_death_of_the_patient_doctor_and_payer_rotate_to_an_executor() {
        let desk = sealed_desk();
        desk.done("ucrypt keygen executor");
        desk.done(&format!(
            "ucrypt rotate p.upolicy {DOCUMENTS} --full --replace patient=executor.upub{}",
            with(&["doctor", "payer"])
        ));
        for kind in KINDS {
            let document = format!("sealed.{kind}");
            for pair in [["executor", "doctor"], ["executor", "payer"], ["doctor", "payer"]] {
                assert_opens(&desk, "p.upolicy", &document, &pair);
            }
            let command = format!("ucrypt open p.upolicy {document} -o out.{kind}{}", with(&["patient", "payer"]));
            assert_refused(&desk, &command, 4, &["\"patient\""]);
        }
    }

    #[test]
    fn wrapping_the_data_keys_anew_leaves_the_cells_as_they_are() {
        let desk = sealed_desk();
        let cells = |text: &str| {
            text.split('<').filter(|part| part.starts_with("UCRYPT ")).map(str::to_owned).collect::<Vec<_>>()
        };
        let before = cells(&desk.read("sealed.xml"));
        let ran = desk.done(&format!("ucrypt rotate p.upolicy {DOCUMENTS} --headers{}", with(&["doctor", "payer"])));
        assert!(ran.err.contains("still opens them"), "{}", ran.err);
        assert_eq!(before, cells(&desk.read("sealed.xml")));
        for kind in KINDS {
            for pair in PAIRS {
                assert_opens(&desk, "p.upolicy", &format!("sealed.{kind}"), &pair);
            }
        }
    }

    #[test]
    fn a_lost_key_is_replaced_by_two_others() {
        let desk = sealed_desk();
        std::fs::create_dir(desk.path("new")).expect("a directory");
        desk.done("ucrypt keygen doctor --directory new");
        desk.done(&format!("ucrypt replace-key p.upolicy doctor new/doctor.upub{}", with(&["patient", "payer"])));
        assert_opens(&desk, "p.upolicy", "sealed.csv", &["new/doctor", "payer"]);
        let lost = format!("ucrypt open p.upolicy sealed.csv -o out.csv{}", with(&["doctor", "payer"]));
        assert_refused(&desk, &lost, 4, &["\"doctor\"", "no such holder"]);
    }

    #[test]
    fn a_rotation_that_fails_changes_nothing() {
        let desk = sealed_desk();
        let swapped = desk.read("sealed.xml").replacen("bind=\"rf\">", "bind=\"rf\">AAAA", 1);
        desk.write("sealed.xml", swapped);
        assert_refused(
            &desk,
            &format!("ucrypt rotate p.upolicy {DOCUMENTS} --full{}", with(&["doctor", "payer"])),
            5,
            &["record \"5\"", "field \"Nazwisko\""],
        );
    }
}

mod expiry {
    use super::*;
    use tamis_ucrypt::audit::{Action, Event, Log};

    fn expiring(desk: &Desk, not_after: &str) {
        desk.done(&format!("ucrypt keygen nurse --not-after {not_after}"));
        desk.done("ucrypt policy new n.upolicy -p 2 --holder patient.upub --holder nurse.upub --holder payer.upub --fields fields.toml");
        desk.done("ucrypt seal n.upolicy plain.csv -o expiring.csv --record 5");
    }

    #[test]
    fn a_share_whose_time_is_over_is_refused() {
        let desk = desk();
        expiring(&desk, "2020-12-31");
        let command = format!("ucrypt open n.upolicy expiring.csv -o out.csv{}", with(&["nurse", "payer"]));
        assert_refused(&desk, &command, 4, &["\"nurse\"", "expired at 2020-12-31"]);
        assert_opens(&desk, "n.upolicy", "expiring.csv", &["patient", "payer"]);
        let checked = desk.tamis("ucrypt policy check n.upolicy");
        assert_eq!(checked.code, 1);
        assert!(checked.out.contains("\"nurse\" is over"), "{}", checked.out);
    }

    #[test]
    fn a_clock_that_was_set_back_does_not_bring_it_back() {
        let desk = desk();
        expiring(&desk, "2199-12-31");
        assert_opens(&desk, "n.upolicy", "expiring.csv", &["nurse", "payer"]);
        // The log knows that it has been 2200: now the clock of this machine is behind.
        let event = Event {
            action: Action::Open,
            policy: "x".into(),
            epoch: 1,
            generation: 1,
            holders: vec![],
            note: String::new(),
        };
        Log::at(desk.path("n.uaudit")).append("2200-01-01T00:00:00Z".parse().expect("a time"), event).expect("a line");
        let command = format!("ucrypt open n.upolicy expiring.csv -o out.csv{}", with(&["nurse", "payer"]));
        assert_refused(
            &desk,
            &command,
            4,
            &["\"nurse\"", "expired at 2199-12-31", "the clock stands before the last entry"],
        );
        desk.done("ucrypt audit check n.upolicy");
        let log = desk.read("n.uaudit").replacen("2200", "2020", 1);
        desk.write("n.uaudit", log);
        assert_eq!(desk.tamis("ucrypt audit check n.upolicy").code, 1);
    }
}

mod grants {
    use super::*;

    #[test]
    fn a_grant_discloses_one_field_to_one_reader() {
        let desk = sealed_desk();
        desk.done("ucrypt keygen researcher");
        desk.done("ucrypt keygen stranger");
        for kind in ["csv", "xml"] {
            let sealed = format!("sealed.{kind}");
            desk.done(&format!(
                "ucrypt open p.upolicy {sealed} --grant Choroba --to researcher.upub -o {kind}.ugrant{}",
                with(&["patient", "doctor"])
            ));
            desk.done(&format!(
                "ucrypt open p.upolicy {sealed} --granted {kind}.ugrant --with researcher.ukey -o read.{kind}"
            ));
            let read = desk.read(&format!("read.{kind}"));
            assert!(read.contains("Podagra"));
            assert_eq!(read.matches("</UCRYPT>").count(), 3);
            let other =
                format!("ucrypt open p.upolicy {sealed} --granted {kind}.ugrant --with stranger.ukey -o out.{kind}");
            assert_refused(&desk, &other, 2, &["another key"]);
        }
        let log = desk.done("ucrypt audit show p.upolicy").out;
        assert!(log.contains("grant") && log.contains("to researcher"), "{log}");
    }
}

mod refusals {
    use super::*;

    #[test]
    fn cells_that_were_swapped_edited_or_cut_do_not_open() {
        let desk = sealed_desk();
        desk.done("ucrypt seal p.upolicy plain.csv -o two.csv --record 5 --record 6");
        let csv = desk.read("two.csv");
        let cells: Vec<&str> =
            csv.lines().filter(|line| line.contains("<UCRYPT")).flat_map(|line| line.split(',').skip(1)).collect();
        let edits = [
            ("exchanged fields", csv.replace(cells[0], "#").replace(cells[1], cells[0]).replace('#', cells[1])),
            ("exchanged records", csv.replace(cells[0], "#").replace(cells[4], cells[0]).replace('#', cells[4])),
            ("copied", csv.replace("Pyc", cells[0])),
            ("another cipher", csv.replacen("A256GCM", "XC20P", 1)),
            ("another binding", csv.replacen("bind='rf'", "bind='n'", 1)),
            ("another epoch", csv.replacen("ep='1'", "ep='2'", 1)),
            ("another key", csv.replacen("kid='", "kid='x", 1)),
            ("another policy", csv.replacen("pol='", "pol='x", 1)),
            ("without version", csv.replacen(" v='1'", "", 1)),
            ("an attribute more", csv.replacen(" v='1'", " v='1' w='2'", 1)),
            ("shortened", csv.replacen(cells[0], &cells[0].replace("</UCRYPT>", "").replace("=", "")[..100], 1)),
            ("cut in the body", csv.replacen(cells[0], &format!("{}</UCRYPT>", &cells[0][..120]), 1)),
        ];
        let keys = desk.read("two.csv.ukeys");
        for (what, edited) in edits {
            assert_ne!(edited, csv, "{what}");
            desk.write("edited.csv", edited).write("edited.csv.ukeys", &keys);
            let ran =
                desk.tamis(&format!("ucrypt open p.upolicy edited.csv -o out.csv{}", with(&["patient", "payer"])));
            assert_eq!(ran.code, 5, "{what}: {ran:?}");
            assert!(!desk.path("out.csv").exists(), "{what}");
            assert_no_secret(&desk, &ran.err);
        }
    }

    #[test]
    fn wrong_shares_are_refused_by_name() {
        let desk = desk();
        desk.done("ucrypt keygen stranger");
        desk.write("pass", "correct horse\n").write("wrong", "wrong horse\n");
        desk.done(
            "ucrypt policy new mixed.upolicy -p 2 --holder patient.upub --bare notary --bare bank --paper --fields fields.toml",
        );
        desk.done("ucrypt seal mixed.upolicy plain.csv -o mixed.csv --record 5");
        let open = "ucrypt open mixed.upolicy mixed.csv -o out.csv";
        assert_eq!(desk.tamis(&format!("{open} --with notary.ushare --with patient.ukey")).code, 0);
        std::fs::remove_file(desk.path("out.csv")).expect("it was written");
        let share = desk.read("notary.ushare");
        let words = share.lines().find_map(|line| line.strip_prefix("words = ")).expect("words").trim_matches('"');
        desk.write("words.txt", words.to_uppercase());
        assert_eq!(desk.tamis(&format!("{open} --words-file notary=words.txt --with bank.ushare")).code, 0);
        std::fs::remove_file(desk.path("out.csv")).expect("it was written");

        let refuse = |rest: &str, names: &[&str]| assert_refused(&desk, &format!("{open} {rest}"), 4, names);
        refuse("--with notary.ushare --with notary.ushare", &["\"notary\"", "twice"]);
        refuse("--with stranger.ukey --with patient.ukey", &["\"stranger\"", "no such holder"]);
        refuse("--words-file bank=words.txt --with patient.ukey", &["\"bank\"", "not the share that was given out"]);
        let other: Vec<&str> = words.split(' ').rev().collect();
        desk.write("reversed.txt", other.join(" ")).write("short.txt", "abandon ability");
        refuse("--words-file notary=short.txt --with patient.ukey", &["\"notary\"", "24 words"]);
        refuse("--words-file notary=reversed.txt --with patient.ukey", &["\"notary\""]);
        desk.write("cut.ushare", &share[..share.len() / 2]);
        refuse("--with cut.ushare --with patient.ukey", &["\"cut\"", "corrupted"]);
        desk.done("ucrypt policy new other.upolicy -p 1 --bare friend --bare other --paper --fields fields.toml");
        refuse("--with friend.ushare --with patient.ukey", &["\"friend\"", "belongs to policy"]);
        desk.done("ucrypt refresh mixed.upolicy --paper --with notary.ushare --with bank.ushare");
        refuse("--with notary.ushare --with patient.ukey", &["\"notary\"", "generation 1", "generation 2"]);
        assert_eq!(desk.tamis(&format!("{open} --with notary.g2.ushare --with patient.ukey")).code, 0);
    }

    #[test]
    fn passphrases_come_from_files_and_protect_keys_and_shares() {
        let desk = desk();
        desk.write("pass", "correct horse\n").write("wrong", "wrong horse\n");
        desk.done("ucrypt keygen careful --passphrase-file pass");
        assert!(!desk.read("careful.ukey").contains("AGE-SECRET-KEY"));
        desk.done(
            "ucrypt policy new c.upolicy -p 2 --holder careful.upub --bare notary --share-passphrase-file pass --fields fields.toml",
        );
        desk.done("ucrypt seal c.upolicy plain.csv -o careful.csv --record 5");
        let open = "ucrypt open c.upolicy careful.csv -o out.csv --with careful.ukey --with notary.ushare";
        assert_refused(&desk, open, 2, &["careful.ukey", "passphrase"]);
        assert_refused(
            &desk,
            &format!("{open} --passphrase-file wrong"),
            2,
            &["careful.ukey", "passphrase does not open"],
        );
        desk.done(&format!("{open} --passphrase-file wrong --passphrase-file pass"));
        assert_eq!(desk.read("out.csv"), csv());
    }

    #[test]
    fn policies_that_cannot_be_are_refused_and_edited_ones_found_out() {
        let desk = sealed_desk();
        let new = "ucrypt policy new x.upolicy --fields fields.toml";
        assert_refused(&desk, &format!("{new} -p 2"), 2, &["no holders"]);
        assert_refused(&desk, &format!("{new} -p 2 --holder patient.upub"), 2, &["threshold"]);
        assert_refused(&desk, &format!("{new} -p 0 --holder patient.upub"), 2, &["threshold"]);
        let all: String = (0..256).map(|number| format!(" --bare h{number}")).collect();
        assert_refused(&desk, &format!("{new} -p 2 --paper{all}"), 2, &["256 holders"]);
        let lowered = desk.read("p.upolicy").replace("\np = 2\n", "\np = 1\n");
        desk.write("p.upolicy", lowered);
        let command = format!("ucrypt open p.upolicy sealed.csv -o out.csv{}", with(&["doctor"]));
        assert_refused(&desk, &command, 2, &["was edited"]);
    }

    #[test]
    fn malformed_documents_are_refused() {
        let desk = sealed_desk();
        let documents = [
            ("bomb.xml", "<!DOCTYPE a [<!ENTITY b \"bbb\">]><pacjenci>&b;</pacjenci>"),
            ("two.xml", "<pacjenci/><pacjenci/>"),
            ("unclosed.xml", "<pacjenci><pacjent>"),
            ("entity.xml", "<pacjenci><pacjent><Id>5</Id><Choroba>&x;</Choroba></pacjent></pacjenci>"),
            ("quote.csv", "Id,Nazwisko,Zawód,Miasto,Choroba\n5,\"a,b,c,d\n"),
            ("ragged.csv", "Id,Nazwisko,Zawód,Miasto,Choroba\n5,a\n"),
            ("column.csv", "Id,Choroba\n5,a\n"),
            ("note.txt", "5"),
            (
                "no.db",
                "a text that is longer than the head of a database, which has a hundred bytes, and says something else altogether",
            ),
        ];
        for (name, text) in documents {
            desk.write(name, text);
            assert_refused(&desk, &format!("ucrypt seal p.upolicy {name} -o out.xml --record 5"), 2, &[name]);
        }
        assert_refused(&desk, "ucrypt seal p.upolicy absent.csv -o out.csv --record 5", 2, &["absent.csv"]);
    }
}

mod several_policies {
    use super::*;

    #[test]
    fn in_one_document_leave_each_other_alone() {
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
            let ran =
                desk.done(&format!("ucrypt open p.upolicy {document} -o half.{kind}{}", with(&["patient", "payer"])));
            assert!(ran.err.contains("1 cell stays sealed"), "{}", ran.err);
            assert_opens(&desk, "q.upolicy", &format!("half.{kind}"), &["alice", "bob", "dave"]);
            let three = format!("ucrypt open q.upolicy {document} -o out.{kind}{}", with(&["alice", "bob"]));
            assert_refused(&desk, &three, 3, &["2 of the 3 holders", "carol", "dave"]);
            desk.done(&format!("ucrypt rotate p.upolicy {document} --full{}", with(&["patient", "payer"])));
            desk.done(&format!("ucrypt open q.upolicy {document} -o half.{kind}{}", with(&["bob", "carol", "dave"])));
            assert_opens(&desk, "p.upolicy", &format!("half.{kind}"), &["doctor", "payer"]);
        }
    }

    #[test]
    fn up_to_255_holders() {
        let desk = desk();
        let all: String = (0..255).map(|number| format!(" --bare h{number}")).collect();
        desk.done(&format!("ucrypt policy new many.upolicy -p 100 --paper --fields fields.toml{all}"));
        desk.done("ucrypt seal many.upolicy plain.xml -o many.xml --record 5");
        let enough: String = (100..200).map(|number| format!(" --with h{number}.ushare")).collect();
        desk.done(&format!("ucrypt open many.upolicy many.xml -o opened.xml{enough}"));
        assert_plain(&desk, "many.xml");
        let few: String = (0..99).map(|number| format!(" --with h{number}.ushare")).collect();
        assert_refused(&desk, &format!("ucrypt open many.upolicy many.xml -o out.xml{few}"), 3, &["99 of the 100"]);
    }
}

mod looking {
    use super::*;

    #[test]
    fn inspect_tells_who_could_open_what_and_what_is_weak_or_foreign() {
        let desk = sealed_desk();
        desk.done("ucrypt seal p.upolicy sealed.csv --in-place --record 2 --bind n --cipher XC20P");
        let mixed = desk.read("sealed.csv").replace("Pyc", "<UCRYPT>AAFGHA</UCRYPT>");
        desk.write("sealed.csv", mixed);
        let found = desk.json("ucrypt inspect sealed.csv --policy p.upolicy", 0);
        assert_eq!(found["sealed"], 9);
        let groups = found["groups"].as_array().expect("groups");
        let group = |is: &dyn Fn(&Value) -> bool| groups.iter().find(|group| is(group)).expect("a group").clone();
        let own = group(&|group| group["cipher"] == "A256GCM");
        assert_eq!((&own["cells"], &own["weak"]), (&4.into(), &false.into()));
        assert_eq!(own["opened_by"], "2 of patient, doctor, payer");
        assert_eq!(group(&|group| group["cipher"] == "XC20P")["weak"], true);
        assert_eq!(group(&|group| group["foreign"] == true)["cells"], 1);
        // Opening refuses the foreign cell, unless it is told to leave it.
        let open = format!("ucrypt open p.upolicy sealed.csv -o out.csv{}", with(&["patient", "payer"]));
        assert_refused(&desk, &open, 5, &["record \"4\"", "not sealed by this format"]);
        desk.done(&format!("{open} --leave-foreign"));
        assert_eq!(desk.read("out.csv"), csv().replace("Pyc", "<UCRYPT>AAFGHA</UCRYPT>"));
        for kind in ["xml", "sql", "db"] {
            assert_eq!(desk.json(&format!("ucrypt inspect sealed.{kind}"), 0)["sealed"], 4, "{kind}");
        }
    }

    #[test]
    fn verify_checks_every_share_and_opens_nothing() {
        let desk = sealed_desk();
        let all = desk.json(&format!("ucrypt verify p.upolicy{}", with(&["patient", "doctor", "payer"])), 0);
        assert_eq!((&all["good"], &all["policy"]), (&true.into(), &true.into()));
        let one = desk.json(&format!("ucrypt verify p.upolicy{}", with(&["doctor"])), 0);
        assert_eq!(one["policy"], Value::Null);
        assert_eq!(one["holders"][0]["share"], "absent");
        desk.done("ucrypt keygen stranger");
        let wrong = desk.tamis(&format!("ucrypt verify p.upolicy{}", with(&["stranger", "doctor"])));
        assert_eq!(wrong.code, 1);
        assert!(wrong.out.contains("stranger") && wrong.out.contains("no such holder"), "{}", wrong.out);
    }

    #[test]
    fn the_log_tells_everything_and_shows_what_was_edited() {
        let desk = sealed_desk();
        open(&desk, "p.upolicy", "sealed.csv", &["patient", "payer"]);
        open(&desk, "p.upolicy", "sealed.csv", &["patient"]);
        let log = desk.done("ucrypt audit show p.upolicy").out;
        for word in ["create", "seal", "open", "by patient, payer", "refuse"] {
            assert!(log.contains(word), "{word}: {log}");
        }
        assert_no_secret(&desk, &log);
        let checked = desk.json("ucrypt audit check p.upolicy", 0);
        let last = checked["last"].as_str().expect("a hash").to_owned();
        desk.json(&format!("ucrypt audit check p.upolicy --contains {last}"), 0);
        let text = desk.read("p.uaudit");
        let shorter: String = text.lines().take(text.lines().count() - 1).map(|line| format!("{line}\n")).collect();
        desk.write("p.uaudit", shorter);
        desk.json("ucrypt audit check p.upolicy", 0);
        desk.json(&format!("ucrypt audit check p.upolicy --contains {last}"), 1);
        desk.write(
            "p.uaudit",
            text.replacen("patient, payer", "doctor, payer", 1).replacen("\"payer\"", "\"doctor\"", 1),
        );
        assert_eq!(desk.tamis("ucrypt audit check p.upolicy").code, 1);
    }
}

mod killed {
    use super::*;
    use std::process::Stdio;

    /// Whatever was done when the program was killed, all documents open with the holders that they had or got.
    #[test]
    fn at_any_moment_of_a_rotation_nothing_is_lost() {
        let desk = sealed_desk();
        let long: String = (10..4000).map(|id| format!("{id},a,b,c,d\n")).collect();
        desk.write("plain.csv", csv() + &long);
        desk.done("ucrypt seal p.upolicy plain.csv -o sealed.csv --all");
        let started = std::time::Instant::now();
        let rotate = |desk: &Desk| {
            let command = format!(
                "ucrypt rotate p.upolicy sealed.csv sealed.xml sealed.sql --full{}",
                with(&["doctor", "payer"])
            );
            let words: Vec<String> = command.split_whitespace().map(str::to_owned).collect();
            desk.command(words.iter().map(String::as_str))
                .stdout(Stdio::null())
                .stderr(Stdio::null())
                .spawn()
                .expect("it runs")
        };
        assert!(rotate(&desk).wait().expect("it ends").success());
        let whole = started.elapsed();
        let mut killed = 0;
        for step in 0..24_u32 {
            let mut child = rotate(&desk);
            std::thread::sleep(whole * step / 20);
            let _ = child.kill();
            killed += u32::from(!child.wait().expect("it ends").success());
            for document in ["sealed.csv", "sealed.xml", "sealed.sql"] {
                assert_opens(&desk, "p.upolicy", document, &["patient", "payer"]);
            }
        }
        assert!(killed > 0, "the program was never stopped in time");
        // The same command again finishes what was begun.
        assert!(rotate(&desk).wait().expect("it ends").success());
        assert!(!desk.path("p.upolicy.next").exists());
    }
}

#[test]
fn secrets_are_readable_by_their_owner_alone() {
    let desk = sealed_desk();
    open(&desk, "p.upolicy", "sealed.csv", &["patient", "payer"]);
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        for name in ["patient.ukey", "opened.csv"] {
            let mode = std::fs::metadata(desk.path(name)).expect("a file").permissions().mode();
            assert_eq!(mode & 0o077, 0, "{name}");
        }
    }
}
