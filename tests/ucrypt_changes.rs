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
        // In XML a cell without a field has no name that it could open under, and in tables that of its column.
        let open = format!("ucrypt open p.upolicy sealed.xml -o opened.xml{}", with(&["doctor", "payer"]));
        assert_refused(&desk, &open, 5, &["record \"5\"", "Miasto", "the policy names no field", "policy amend"]);
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
        assert_refused(&desk, &open, 5, &["moved here from another record or field"]);
        for kind in KINDS {
            assert_opens(&desk, "p.upolicy", &format!("sealed.{kind}"), &["patient", "doctor"]);
            assert_opens(&desk, "p.upolicy", &format!("fewer.{kind}"), &["patient", "doctor"]);
        }
    }
}
