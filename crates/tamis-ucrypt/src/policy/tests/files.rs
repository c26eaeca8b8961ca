//! The file of a policy: read, written, edited and damaged.

use proptest::prelude::*;

use super::*;

fn changed() -> (Policy, Vec<HolderSecret>) {
    let keys = keys(&NAMES);
    let mut members = members(&keys);
    members[0].not_after = Some("2030-12-31".parse().unwrap());
    members[1].not_after = Some("2030-12-31T18:00:00+01:00".parse().unwrap());
    members[2].recipient = None;
    let change = Policy::create(plan(2, members)).unwrap();
    let policy = change.policy;
    let unlocked = policy.unlock(&offers(&keys[..2]), now()).unwrap();
    let new = unlocked.rekey(2, &policy.members()).unwrap().policy;
    (new, keys)
}

#[test]
fn a_file_reads_back_to_the_same_policy_and_the_same_text() {
    for policy in [paper().0, changed().0] {
        let text = policy.to_file();
        let again = Policy::from_file(&text).unwrap();
        assert_eq!(again, policy);
        assert_eq!(again.to_file(), text);
    }
}

#[test]
fn layout_and_comments_are_free() {
    let (policy, keys) = changed();
    let text = policy.to_file();
    let mut lines: Vec<String> = text.lines().map(|line| format!("  {line}   # ")).collect();
    lines.insert(0, "# mine".into());
    let loose = Policy::from_file(&lines.join("\r\n")).unwrap();
    assert_eq!(loose, policy);
    assert!(loose.unlock(&offers(&keys[..2]), now()).is_ok());
}

#[test]
fn every_edit_is_found_when_the_holders_come_together() {
    let (policy, keys) = changed();
    let text = policy.to_file();
    for (from, to) in [
        ("owner = \"Jan Kowalski\"", "owner = \"Jan Nowak\""),
        ("element = \"UCRYPT\"", "element = \"CRYPT\""),
        ("cipher = \"A256GCM\"", "cipher = \"XC20P\""),
        ("bind = \"rf\"", "bind = \"f\""),
        ("pad = 32", "pad = 1"),
        ("name = \"payer\"", "name = \"buyer\""),
        ("x = 3", "x = 4"),
        ("not_after = \"2030-12-31\"", "not_after = \"2040-12-31\""),
        ("m = \"urn:example:medicine\"", "m = \"urn:example:other\""),
        ("column = \"zawod\"", "column = \"imie\""),
        ("path = \"m:praca/@zawód\"", ""),
        ("record_key = \"@id\"", "record_key = \"@nr\""),
        ("epoch = 2", "epoch = 3"),
        ("[proof]\nepoch = 1", "[proof]\nepoch = 2"),
    ] {
        assert!(text.contains(from), "{from}");
        let edited = Policy::from_file(&text.replacen(from, to, 1)).unwrap_or_else(|error| panic!("{to}: {error}"));
        let error = error(&edited, &offers(&keys[..2]));
        assert!(matches!(error, PolicyError::Edited(_)), "{to}: {error}");
        assert_eq!(error.exit(), Exit::Input);
    }
}

#[test]
fn a_smaller_threshold_written_by_hand_opens_nothing() {
    let (policy, keys) = paper();
    let edited = Policy::from_file(&policy.to_file().replacen("p = 2", "p = 1", 1)).unwrap();
    assert!(matches!(error(&edited, &offers(&keys[..1])), PolicyError::Edited(_)));
}

#[test]
fn another_public_key_is_found() {
    let (policy, keys) = paper();
    let (other, _) = paper();
    let edited = Policy { public: other.public, ..policy };
    assert!(matches!(error(&edited, &offers(&keys)), PolicyError::Edited(why) if why.contains("public key")));
}

#[test]
fn damaged_files_are_refused_with_a_sentence() {
    let text = paper().0.to_file();
    let message = |from: &str, to: &str| {
        assert!(text.contains(from), "{from}");
        let error = Policy::from_file(&text.replacen(from, to, 1)).unwrap_err();
        assert_eq!(error.exit(), Exit::Input);
        error.to_string()
    };
    assert_eq!(message("v = 1", "v = 2"), "the policy has version 2 of the format; this program knows version 1");
    assert_eq!(message("n = 3", "n = 4"), "the policy says n = 4, but lists 3 holders");
    assert_eq!(
        message("p = 2", "p = 4"),
        "4 of 3 can never come together: the threshold is larger than the number of holders"
    );
    assert_eq!(message("gen = 1", "gen = 0"), "the policy says epoch or gen = \"0\": both count from 1");
    assert_eq!(
        message("\"UCRYPT\"", "\"U CRYPT\""),
        "the policy says element = \"U CRYPT\": a name of an XML element without a prefix is expected"
    );
    assert_eq!(message("\"payer\"", "\"doctor\""), "the policy has the holder \"doctor\" twice");
    assert_eq!(message("x = 3", "x = 2"), "the policy has the share number \"2\" twice");
    assert_eq!(
        message("\"payer\"", "\"../payer\"").split(':').next(),
        Some("\"../payer\" cannot be the name of a holder")
    );
    assert_eq!(message("\"rf\"", "\"r\""), "the policy says bind = \"r\": rf, f or n is expected");
    assert_eq!(
        message("key = \"Id\"\nrecord = \"/m:pacjenci/m:pacjent\"\nrecord_key = \"@id\"", ""),
        "table \"patients\" of the policy: it needs a key column (CSV, SQL) or the path of its records (XML)"
    );
    assert!(message("x = 1", "x = 0").starts_with("this is no policy file: line "));
    assert!(message("owner", "winner").contains("unknown field"));
    assert!(Policy::from_file("").unwrap_err().to_string().starts_with("this is no policy file"));
    assert!(matches!(Policy::from_file(&" ".repeat(5 << 20)), Err(PolicyError::File(_))));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]
    #[test]
    fn no_damage_makes_the_reader_panic(cut in any::<prop::sample::Index>(), put in "[\"=\\[\\]a0\n#]{0,6}") {
        let text = paper().0.to_file();
        let mut place = cut.index(text.len());
        while !text.is_char_boundary(place) {
            place -= 1;
        }
        let edited = format!("{}{put}{}", &text[..place], &text[place..]);
        if let Ok(policy) = Policy::from_file(&edited) {
            prop_assert_eq!(Policy::from_file(&policy.to_file()).unwrap(), policy);
        }
    }
}
