//! Changes of a policy that its holders agree to: who holds a share and how, and which fields are meant.

mod holders;
mod program;

use holders::*;

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
        assert_refused(&desk, &format!("ucrypt replace-key n.upolicy notary{holders}"), 2, &["KEY"]);
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
        // What was sealed before is bound to the old names, and opens once the policy says them again.
        let back =
            desk.done(&format!("ucrypt policy amend p.upolicy --fields fields.toml{}", with(&["patient", "payer"])));
        assert!(!back.err.contains("table pacjenci"), "{back:?}");
        for kind in KINDS {
            assert_opens(&desk, "p.upolicy", &format!("sealed.{kind}"), &["patient", "doctor"]);
            assert_opens(&desk, "p.upolicy", &format!("fewer.{kind}"), &["patient", "doctor"]);
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
