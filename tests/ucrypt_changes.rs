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
