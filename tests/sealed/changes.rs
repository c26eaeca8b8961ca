//! Changes of a policy that its holders agree to: who holds a share and how, and which fields are meant.

use crate::holders::*;
use crate::program::Desk;

mod replace_key {
    use super::*;

    #[test]
    fn a_lost_paper_is_replaced_by_another_paper_or_by_a_file() {
        let desk = desk();
        desk.write("pass", "correct horse\n");
        desk.done(
            "ucrypt policy new n.upolicy -p 2 --holder patient.upub --holder doctor.upub --bare notary:2199-12-31 --paper --fields fields.toml",
        );
        desk.done("ucrypt seal n.upolicy plain.csv -o sealed.csv --record 5");
        let sealed = desk.read("sealed.csv");
        let holders = with(&["patient", "doctor"]);
        desk.done(&format!("ucrypt replace-key n.upolicy notary --bare --paper{holders}"));
        let open = "ucrypt open n.upolicy sealed.csv -o opened.csv --with patient.ukey";
        assert_refused(&desk, &format!("{open} --with notary.ushare"), 4, &["\"notary\"", "generation 1"]);
        desk.done(&format!("{open} --with notary.g2.ushare"));
        assert_plain(&desk, "sealed.csv");
        // A key can become a paper too, and a paper a file under a passphrase.
        desk.done(
            "ucrypt replace-key n.upolicy doctor --bare --share-passphrase-file pass --with patient.ukey --with notary.g2.ushare",
        );
        desk.done(&format!("{open} --with doctor.g3.ushare --passphrase-file pass"));
        assert_plain(&desk, "sealed.csv");
        assert_eq!(desk.read("sealed.csv"), sealed);
        assert!(desk.read("n.upolicy").contains("2199-12-31"), "another paper does not lengthen a holder's time");
        let both = format!("ucrypt replace-key n.upolicy notary payer.upub --bare --paper{holders}");
        assert_refused(&desk, &both, 2, &["--bare"]);
        assert_refused(&desk, &format!("ucrypt replace-key n.upolicy notary{holders}"), 2, &[".upub", "--bare"]);
    }
}

mod times {
    use super::*;

    /// Who leaves softly and comes back with more time gets it: p holders may agree to that, and see it.
    #[test]
    fn another_time_is_told_and_logged() {
        let desk = sealed_desk();
        let both = with(&["doctor", "payer"]);
        for (directory, until) in
            [("first", " --not-after 2090-01-01"), ("second", " --not-after 2095-01-01"), ("third", "")]
        {
            std::fs::create_dir(desk.path(directory)).expect("a directory");
            desk.done(&format!("ucrypt keygen locum{until} --directory {directory}"));
        }
        let told = |command: &str, words: &str| {
            let said = desk.json(&format!("ucrypt {command}{both}"), 0);
            assert!(said["notes"].to_string().contains(words), "{command}: {said}");
        };
        told("add-holder p.upolicy first/locum.upub", "\\\"locum\\\" takes part until 2090-01-01");
        desk.done(&format!("ucrypt remove-holder p.upolicy locum --soft{both}"));
        told("add-holder p.upolicy second/locum.upub", "\\\"locum\\\" takes part until 2095-01-01");
        let log = desk.done("ucrypt audit show p.upolicy").out;
        let [first, second] = ["2090-01-01", "2095-01-01"].map(|end| log.find(&format!("payer, locum until {end}")));
        assert!(first.is_some() && first < second, "{log}");
        let rotate = "rotate p.upolicy sealed.csv --full --replace locum=third/locum.upub";
        told(rotate, "\\\"locum\\\" takes part without end, not until 2095-01-01 any more");
        let refreshed = desk.json(&format!("ucrypt refresh p.upolicy{both}"), 0);
        assert!(!refreshed["notes"].to_string().contains("takes part"), "{refreshed}");
    }
}

mod amend {
    use super::*;

    #[test]
    fn other_fields_are_sealed_once_enough_holders_agree() {
        let desk = sealed_desk();
        let sealed = desk.bytes("sealed.csv");
        let fewer = FIELDS.replace("[[table.field]]\nname = \"Miasto\"\n", "");
        desk.write("fewer.toml", &fewer);
        let amend = "ucrypt policy amend p.upolicy --fields fewer.toml --pad 64";
        assert_refused(&desk, &format!("{amend}{}", with(&["doctor"])), 3, &["1 of the 2"]);
        assert_refused(
            &desk,
            &format!("ucrypt policy amend p.upolicy{}", with(&["doctor", "payer"])),
            2,
            &["--fields"],
        );
        let ran = desk.done(&format!("{amend}{}", with(&["doctor", "payer"])));
        assert!(ran.err.contains("table pacjenci"), "{ran:?}");
        desk.done("ucrypt audit check p.upolicy");
        assert!(desk.done("ucrypt audit show p.upolicy").out.contains("amend"));
        desk.done(&format!("ucrypt verify p.upolicy{}", with(&["patient", "doctor", "payer"])));
        assert_eq!(desk.bytes("sealed.csv"), sealed);
        for kind in KINDS {
            desk.done(&format!("ucrypt seal p.upolicy plain.{kind} -o fewer.{kind} --record 5"));
            assert_eq!(desk.json(&format!("ucrypt inspect fewer.{kind}"), 0)["sealed"], 3, "{kind}");
            assert_opens(&desk, "p.upolicy", &format!("fewer.{kind}"), &["patient", "payer"]);
        }
        // In XML a cell without a field has no name that it could open under, and in tables that of its column.
        let open = format!("ucrypt open p.upolicy sealed.xml -o opened.xml{}", with(&["doctor", "payer"]));
        let words = ["record \"5\"", "Miasto", "the policy names no field", "policy amend"];
        assert_left(&desk, &open, "opened.xml", &words);
        assert_opens(&desk, "p.upolicy", "sealed.csv", &["patient", "doctor"]);
        // What was sealed before is bound to the old names, and opens once the policy says them again.
        let back =
            desk.done(&format!("ucrypt policy amend p.upolicy --fields fields.toml{}", with(&["patient", "payer"])));
        assert!(!back.err.contains("table pacjenci"), "{back:?}");
        // A cell that was moved to another field of the policy is told as before.
        let moved =
            desk.read("sealed.xml").replace("<Miasto><UCRYPT", "<M><UCRYPT").replace("<Choroba><UCRYPT", "<C><UCRYPT");
        let moved =
            moved.replace("</UCRYPT></Miasto>", "</UCRYPT></M>").replace("</UCRYPT></Choroba>", "</UCRYPT></C>");
        let moved = moved.replace("<M>", "<Choroba>").replace("</M>", "</Choroba>");
        desk.write("moved.xml", moved.replace("<C>", "<Miasto>").replace("</C>", "</Miasto>"));
        let open = format!("ucrypt open p.upolicy moved.xml -o opened.xml{}", with(&["doctor", "payer"]));
        assert_left(&desk, &open, "opened.xml", &["belongs to record \"5\", field \"Miasto\"", "moved or copied"]);
        for kind in KINDS {
            assert_opens(&desk, "p.upolicy", &format!("sealed.{kind}"), &["patient", "doctor"]);
            assert_opens(&desk, "p.upolicy", &format!("fewer.{kind}"), &["patient", "doctor"]);
        }
    }
}

mod rotate {
    use super::*;

    #[test]
    fn a_forgotten_document_is_told_where_its_policy_is() {
        let desk = sealed_desk();
        let both = with(&["doctor", "payer"]);
        desk.write("rotated.csv", desk.read("sealed.csv")).write("rotated.csv.ukeys", desk.read("sealed.csv.ukeys"));
        desk.done(&format!("ucrypt rotate p.upolicy rotated.csv --headers{both}"));
        let open = |policy: &str, document: &str| format!("ucrypt open {policy} {document} -o out{both}");
        for kind in KINDS {
            let document = format!("sealed.{kind}");
            let words = ["record \"5\"", "left out of a rotation", "open it with p.e1.upolicy"];
            assert_refused(&desk, &open("p.upolicy", &document), 5, &words);
            let rotate = format!("ucrypt rotate p.upolicy {document} --full{both}");
            assert_refused(&desk, &rotate, 5, &words);
            assert_opens(&desk, "p.e1.upolicy", &document, &["doctor", "payer"]);
        }
        // Left out of the second rotation only: either policy may be the one.
        desk.done("ucrypt seal p.upolicy plain.csv -o another.csv --record 5");
        desk.done(&format!("ucrypt rotate p.upolicy another.csv --full{both}"));
        let said = assert_refused(&desk, &open("p.upolicy", "rotated.csv"), 5, &["p.e2.upolicy or p.e1.upolicy"]);
        assert!(!said.contains("p.e3.upolicy"), "{said}");
        std::fs::remove_file(desk.path("p.e1.upolicy")).expect("it was kept");
        std::fs::remove_file(desk.path("p.e2.upolicy")).expect("it was kept");
        let said =
            assert_refused(&desk, &open("p.upolicy", "rotated.csv"), 5, &["the policy of epoch 1", "not beside"]);
        assert!(!said.contains("p.e1.upolicy"), "{said}");
        // The other way round.
        desk.write("old.upolicy", desk.read("p.upolicy"));
        desk.done(&format!("ucrypt rotate p.upolicy another.csv --full{both}"));
        assert_refused(&desk, &open("old.upolicy", "another.csv"), 5, &["at epoch 3", "epoch 4 or later"]);
    }

    #[test]
    fn documents_of_which_none_is_sealed_under_the_policy_change_nothing() {
        let desk = sealed_desk();
        let both = with(&["doctor", "payer"]);
        for change in ["rotate p.upolicy plain.csv plain.xml --full", "rotate p.upolicy plain.db --headers"] {
            assert_refused(&desk, &format!("ucrypt {change}{both}"), 2, &["nothing in these documents", "old key"]);
        }
        let remove = format!("ucrypt remove-holder p.upolicy patient plain.csv{both}");
        assert_refused(&desk, &remove, 2, &["nothing in these documents"]);
        // One that is, among others, is enough; the log names all of them.
        let ran = desk.done(&format!("ucrypt remove-holder p.upolicy patient plain.csv sealed.csv{both}"));
        assert!(ran.err.contains("plain.csv: nothing in it is sealed under this policy"), "{ran:?}");
        let log = desk.done("ucrypt audit show p.upolicy").out;
        assert!(log.contains("2 of 2: doctor, payer; without patient; plain.csv, sealed.csv"), "{log}");
    }
}

/// What verbs say of `p.upolicy.next` that leave it as it is.
mod waiting {
    use super::*;

    /// A good successor, as an interrupted rotation leaves it, one that is damaged, one of another policy and one that is too old.
    fn successors(desk: &Desk) -> [(&'static str, String); 4] {
        let (policy, both) = (desk.read("p.upolicy"), with(&["doctor", "payer"]));
        desk.write("r.upolicy", &policy).write("copy.csv", desk.read("sealed.csv"));
        desk.write("copy.csv.ukeys", desk.read("sealed.csv.ukeys"));
        desk.done(&format!("ucrypt rotate r.upolicy copy.csv --headers{both}"));
        desk.done("ucrypt policy new q.upolicy --id other -p 1 --holder doctor.upub --fields fields.toml");
        let successors = [
            ("interrupted", desk.read("r.upolicy")),
            ("no policy file", "v = 1\n".to_owned()),
            ("policy other", desk.read("q.upolicy")),
            ("epoch 1 of a policy that is at epoch 1", policy.replace("pad = 32", "pad = 16")),
        ];
        for name in ["r.upolicy", "r.e1.upolicy", "q.upolicy"] {
            std::fs::remove_file(desk.path(name)).expect("it was written");
        }
        successors
    }

    #[test]
    fn every_verb_that_uses_the_policy_says_so() {
        let desk = sealed_desk();
        let both = with(&["doctor", "payer"]);
        let verbs = [
            ("policy show p.upolicy".to_owned(), 0),
            ("audit check p.upolicy".to_owned(), 0),
            ("inspect sealed.csv --policy p.upolicy".to_owned(), 0),
            ("filter sealed.csv --drop --policy p.upolicy -o filtered.csv".to_owned(), 0),
            ("filter --sql --drop --policy p.upolicy".to_owned(), 0),
            ("seal p.upolicy plain.csv -o other.csv --record 5".to_owned(), 0),
            (format!("open p.upolicy sealed.csv -o opened.csv{both}"), 0),
            (format!("verify p.upolicy{both}"), 0),
        ];
        for (words, successor) in successors(&desk) {
            desk.write("p.upolicy.next", successor);
            for (verb, code) in &verbs {
                let said = desk.json(&format!("ucrypt {verb}"), *code);
                let notes = said["notes"].to_string();
                assert!(notes.contains("p.upolicy.next") && notes.contains(words), "{verb}: {notes}");
            }
            let found = desk.json("ucrypt policy check p.upolicy", 1)["warnings"].to_string();
            assert!(found.contains("p.upolicy.next") && found.contains(words), "{found}");
            // A change would put its own file in that place.
            let before = desk.read("p.upolicy.next");
            for change in ["refresh p.upolicy", "rotate p.upolicy sealed.csv -p 1 --full"] {
                let refused = assert_refused(&desk, &format!("ucrypt {change}{both}"), 2, &["p.upolicy.next"]);
                assert!(refused.contains(words), "{refused}");
            }
            assert_eq!(desk.read("p.upolicy.next"), before);
        }
        std::fs::remove_file(desk.path("p.upolicy.next")).expect("it was written");
        for (verb, code) in &verbs {
            let notes = desk.json(&format!("ucrypt {verb}"), *code)["notes"].to_string();
            assert!(!notes.contains("p.upolicy.next"), "{verb}: {notes}");
        }
    }
}

mod of_holders {
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
            &["every document", "--soft"],
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
        assert_refused(&desk, &lost, 4, &["\"doctor\"", "another key in this policy"]);
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

/// The note of the last line of the log.
fn last_note(desk: &Desk) -> String {
    let log = desk.json("ucrypt audit show p.upolicy", 0);
    let entries = log["entries"].as_array().expect("entries");
    entries.last().expect("a line")["note"].as_str().expect("a text").to_owned()
}

#[test]
fn the_log_says_what_was_changed() {
    let desk = sealed_desk();
    let both = with(&["patient", "payer"]);
    desk.done("ucrypt keygen surgeon");
    let after = |command: &str| {
        desk.done(&format!("ucrypt {command}{both}"));
        last_note(&desk)
    };
    assert_eq!(
        after("replace-key p.upolicy doctor surgeon.upub"),
        "2 of 3: patient, doctor, payer; another key for doctor; same policy key"
    );
    assert_eq!(
        after("remove-holder p.upolicy doctor --soft"),
        "2 of 2: patient, payer; without doctor; same policy key"
    );
    assert_eq!(after("refresh p.upolicy"), "2 of 2: patient, payer; same policy key");
    let note = after("policy amend p.upolicy --cipher XC20P --pad 64 --bind f");
    for rule in ["cipher XC20P instead of A256GCM", "bound to f instead of rf", "padded to 64 instead of 32"] {
        assert!(note.contains(rule), "{note}");
    }
    assert!(!note.contains("element"), "{note}");
    assert_eq!(desk.tamis(&format!("ucrypt verify p.upolicy{both} --with doctor.ukey")).code, 4);
    assert_eq!(last_note(&desk), "refused: doctor");
}

#[test]
fn a_grant_of_cells_that_are_not_there_writes_nothing() {
    let desk = sealed_desk();
    desk.done("ucrypt keygen reader");
    let both = with(&["patient", "payer"]);
    desk.done(&format!("ucrypt open p.upolicy sealed.csv -o g.ugrant --grant Choroba --to reader.upub{both}"));
    desk.done("ucrypt seal p.upolicy plain.csv -o other.csv --record 6");
    let read = "ucrypt open p.upolicy other.csv -o read.csv --granted g.ugrant --with reader.ukey";
    assert_refused(&desk, read, 2, &["other.csv", "none of the cells that were granted"]);
}
