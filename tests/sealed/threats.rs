//! What the page "Who, holding what, learns what" says, tried: also what it says that somebody can do.

use crate::holders::*;
use crate::program::Desk;

fn copy(desk: &Desk, from: &str, to: &str) {
    std::fs::copy(desk.path(from), desk.path(to)).expect("a copy");
}

/// A copy of a CSV document with its data keys.
fn copy_csv(desk: &Desk, from: &str, to: &str) {
    copy(desk, from, to);
    copy(desk, &format!("{from}.ukeys"), &format!("{to}.ukeys"));
}

fn line<'a>(text: &'a str, start: &str) -> &'a str {
    text.lines().find(|line| line.starts_with(start)).expect("the line")
}

/// The cell of a field of a sealed XML document.
fn cell(text: &str, field: &str) -> String {
    let (_, rest) = text.split_once(&format!("<{field}><UCRYPT ")).expect("a cell");
    format!("<UCRYPT {}</UCRYPT>", rest.split_once("</UCRYPT>").expect("its end").0)
}

#[test]
fn who_was_removed_softly_opens_with_others_and_the_old_policy_until_the_next_rotation() {
    let desk = sealed_desk();
    copy(&desk, "p.upolicy", "old.upolicy");
    desk.done(&format!("ucrypt remove-holder p.upolicy doctor --soft{}", with(&["patient", "payer"])));
    desk.done("ucrypt seal p.upolicy plain.xml -o later.xml --record 5");
    for document in ["sealed.csv", "later.xml"] {
        assert_opens(&desk, "old.upolicy", document, &["doctor", "payer"]);
        let kind = document.rsplit('.').next().expect("a kind");
        let alone = format!("ucrypt open old.upolicy {document} -o out.{kind} --with doctor.ukey");
        assert_refused(&desk, &alone, 3, &["1 of the 2"]);
        let mixed = format!("ucrypt open p.upolicy {document} -o out.{kind}{}", with(&["doctor", "payer"]));
        assert_refused(&desk, &mixed, 4, &["\"doctor\""]);
    }
    desk.done(&format!("ucrypt rotate p.upolicy sealed.csv later.xml --full{}", with(&["patient", "payer"])));
    for document in ["sealed.csv", "later.xml"] {
        let kind = document.rsplit('.').next().expect("a kind");
        let open = format!("ucrypt open old.upolicy {document} -o out.{kind}{}", with(&["doctor", "payer"]));
        assert_refused(&desk, &open, 5, &["record \"5\""]);
    }
}

#[test]
fn a_rotation_does_not_reach_copies_and_new_headers_end_the_old_policy() {
    for depth in ["--full", "--headers"] {
        let desk = sealed_desk();
        copy(&desk, "p.upolicy", "old.upolicy");
        copy_csv(&desk, "sealed.csv", "copy.csv");
        desk.done(&format!("ucrypt rotate p.upolicy sealed.csv {depth}{}", with(&["patient", "payer"])));
        assert_opens(&desk, "old.upolicy", "copy.csv", &["doctor", "payer"]);
        let open =
            |document: &str| format!("ucrypt open old.upolicy {document} -o out.csv{}", with(&["doctor", "payer"]));
        assert_refused(&desk, &open("sealed.csv"), 5, &["record \"5\""]);
        // The cells of `--headers` are the old ones, so the data key of the copy opens them; those of `--full` are not.
        copy(&desk, "copy.csv.ukeys", "sealed.csv.ukeys");
        if depth == "--headers" {
            assert_opens(&desk, "old.upolicy", "sealed.csv", &["doctor", "payer"]);
        } else {
            assert_refused(&desk, &open("sealed.csv"), 5, &["record \"5\""]);
        }
    }
}

#[test]
fn a_grant_opens_its_cell_until_the_cell_is_sealed_anew() {
    let desk = sealed_desk();
    desk.done("ucrypt keygen reader");
    let both = with(&["patient", "payer"]);
    desk.done(&format!("ucrypt open p.upolicy sealed.csv --grant Choroba --to reader.upub -o g.ugrant{both}"));
    let read = "ucrypt open p.upolicy sealed.csv --granted g.ugrant --with reader.ukey -o read.csv";
    desk.done(&format!("ucrypt rotate p.upolicy sealed.csv --headers{both}"));
    desk.done(read);
    let text = desk.read("read.csv");
    assert!(text.contains("Podagra") && text.matches("</UCRYPT>").count() == 3, "{text}");
    std::fs::remove_file(desk.path("read.csv")).expect("it was written");
    desk.done(&format!("ucrypt rotate p.upolicy sealed.csv --full{both}"));
    assert_refused(&desk, read, 5, &["record \"5\"", "sealed anew since", "another grant"]);
}

#[test]
fn who_writes_the_policy_reads_what_is_sealed_with_it_and_lets_nobody_open_more() {
    let desk = desk();
    desk.done("ucrypt keygen forger");
    let policy = desk.read("p.upolicy");
    let id = line(&policy, "id = ").trim_start_matches("id = ").trim_matches('"').to_owned();
    std::fs::create_dir(desk.path("elsewhere")).expect("a directory");
    let new = "ucrypt policy new elsewhere/forged.upolicy -p 1 --holder forger.upub --fields fields.toml";
    desk.done(&format!("{new} --id {id}"));
    let forged = desk.read("elsewhere/forged.upolicy");
    desk.write("p.upolicy", policy.replace(line(&policy, "pk = "), line(&forged, "pk = ")));
    let seal = "ucrypt seal p.upolicy plain.csv -o sealed.csv --record 5";
    assert_refused(&desk, seal, 2, &["edited since line 1 of the log"]);
    // Without its log, nothing tells of it.
    std::fs::remove_file(desk.path("p.uaudit")).expect("a log");
    desk.done(seal);
    assert_opens(&desk, "elsewhere/forged.upolicy", "sealed.csv", &["forger"]);
    let open = format!("ucrypt open p.upolicy sealed.csv -o out.csv{}", with(&["patient", "payer"]));
    assert_refused(&desk, &open, 2, &["was edited"]);
    // Fewer holders, and more time for one of them, are found out too.
    desk.write("p.upolicy", &policy);
    desk.done("ucrypt seal p.upolicy plain.csv -o good.csv --record 5");
    for (from, to, by) in [
        ("\np = 2\n", "\np = 1\n", ["patient"].as_slice()),
        ("name = \"payer\"\n", "name = \"payer\"\nnot_after = \"2199-12-31\"\n", &["patient", "doctor"]),
        ("name = \"Choroba\"\n", "name = \"Chorobą\"\n", &["patient", "doctor"]),
    ] {
        assert!(policy.contains(from), "{from}: {policy}");
        desk.write("p.upolicy", policy.replace(from, to));
        assert_refused(&desk, &format!("ucrypt open p.upolicy good.csv -o out.csv{}", with(by)), 2, &["was edited"]);
    }
}

#[test]
fn who_writes_the_document_can_put_an_earlier_value_back_until_a_rotation() {
    let desk = sealed_desk();
    let old = desk.read("sealed.xml");
    desk.write("changed.xml", xml().replace("Podagra", "Cholera"));
    desk.done("ucrypt seal p.upolicy changed.xml -o now.xml --record 5");
    // The old cell, and the data key that belongs to it.
    let forged = |now: &str| {
        let key = line(&old, "<?ucrypt-key ");
        now.replacen("<?ucrypt-key ", &format!("{key}\n<?ucrypt-key "), 1)
            .replace(&cell(now, "Choroba"), &cell(&old, "Choroba"))
    };
    desk.write("put-back.xml", forged(&desk.read("now.xml")));
    assert_opens(&desk, "p.upolicy", "put-back.xml", &["doctor", "payer"]);
    desk.done(&format!("ucrypt rotate p.upolicy now.xml --full{}", with(&["patient", "payer"])));
    desk.write("put-back.xml", forged(&desk.read("now.xml")));
    let open = format!("ucrypt open p.upolicy put-back.xml -o out.xml{}", with(&["doctor", "payer"]));
    assert_left(&desk, &open, "out.xml", &["record \"5\"", "field \"Choroba\""]);
}

#[test]
fn lengths_show_in_steps_of_the_padding_only() {
    let desk = desk();
    let body = |value: &str| {
        desk.write("length.xml", xml().replace("Podagra", value));
        desk.done("ucrypt seal p.upolicy length.xml -o length-sealed.xml --record 5");
        cell(&desk.read("length-sealed.xml"), "Choroba").len()
    };
    let lengths = [2, 30, 31, 62].map(|length| body(&"x".repeat(length)));
    assert_eq!(lengths[0], lengths[1]);
    assert!(lengths[1] < lengths[2]);
    assert_eq!(lengths[2], lengths[3]);
}

/// The line of a holder that begins so.
fn of_holder<'a>(policy: &'a str, holder: &str, start: &str) -> &'a str {
    let at = policy.find(&format!("name = \"{holder}\"\n")).expect("the holder");
    line(&policy[at..], start)
}

/// Exchanges two texts.
fn exchanged(text: &str, one: &str, other: &str) -> String {
    assert!(text.contains(one) && text.contains(other));
    text.replace(one, "\0").replace(other, one).replace('\0', other)
}

#[test]
fn a_policy_that_was_edited_opens_nothing_whoever_comes() {
    let desk = sealed_desk();
    desk.done("ucrypt keygen forger");
    desk.done("ucrypt policy new q.upolicy -p 2 --holder patient.upub --holder doctor.upub --holder payer.upub --fields fields.toml");
    desk.done(&format!("ucrypt refresh p.upolicy{}", with(&["doctor", "payer"])));
    let (policy, other) = (desk.read("p.upolicy"), desk.read("q.upolicy"));
    let of = |holder: &str, start: &str| of_holder(&policy, holder, start).to_owned();
    let swapped = |start: &str| exchanged(&policy, &of("patient", start), &of("doctor", start));
    let replaced = |from: &str, to: &str| {
        assert!(policy.contains(from), "{from}");
        policy.replacen(from, to, 1)
    };
    let forger = line(&desk.read("forger.upub"), "recipient = ").to_owned();
    let (pair, all) = (["patient", "doctor"].as_slice(), ["patient", "doctor", "payer"].as_slice());
    let [edited, refused] = ["was edited", "is refused"];
    for (what, text, by, code, words) in [
        ("shares exchanged", swapped("share = "), pair, 4, refused),
        ("commitments exchanged", swapped("commitment = "), pair, 4, refused),
        ("public keys exchanged", swapped("recipient = "), pair, 4, refused),
        ("numbers exchanged", swapped("x = "), pair, 4, refused),
        ("names exchanged", exchanged(&policy, "name = \"patient\"", "name = \"doctor\""), pair, 2, edited),
        (
            "another share",
            replaced(&of("patient", "share = "), of_holder(&other, "patient", "share = ")),
            pair,
            4,
            refused,
        ),
        (
            "another commitment",
            replaced(&of("doctor", "commitment = "), of_holder(&other, "doctor", "commitment = ")),
            pair,
            4,
            refused,
        ),
        ("no commitment", replaced(&format!("{}\n", of("payer", "commitment = ")), ""), pair, 2, "commitment"),
        ("another's public key", replaced(&of("payer", "recipient = "), &forger), pair, 2, edited),
        (
            "another's public key, used",
            replaced(&of("payer", "recipient = "), &forger),
            &["patient", "forger"],
            4,
            refused,
        ),
        ("fewer are needed", replaced("\np = 2\n", "\np = 1\n"), &["patient"], 2, edited),
        ("fewer are needed, enough came", replaced("\np = 2\n", "\np = 1\n"), pair, 2, edited),
        ("more are needed", replaced("\np = 2\n", "\np = 3\n"), pair, 2, edited),
        ("more are needed, one came", replaced("\np = 2\n", "\np = 3\n"), &["payer"], 3, "1 of the 3"),
        ("more are needed, enough came", replaced("\np = 2\n", "\np = 3\n"), all, 2, edited),
        (
            "one holder less",
            {
                let (start, end) =
                    (policy.rfind("[[holder]]").expect("holders"), policy.find("# The fields").expect("fields"));
                format!("{}{}", &policy[..start], &policy[end..]).replace("\nn = 3\n", "\nn = 2\n")
            },
            pair,
            2,
            edited,
        ),
        ("the code of another policy", replaced(line(&policy, "code = "), line(&other, "code = ")), pair, 2, edited),
        ("an earlier generation", replaced("\ngen = 2\n", "\ngen = 1\n"), pair, 4, refused),
        ("a later generation", replaced("\ngen = 2\n", "\ngen = 3\n"), pair, 4, refused),
        ("another epoch", replaced("\nepoch = 1\n", "\nepoch = 2\n"), pair, 2, edited),
        ("another id", replaced(line(&policy, "id = "), line(&other, "id = ")), pair, 4, refused),
        ("the other policy", other.clone(), pair, 2, "its cells are of policy"),
    ] {
        assert_ne!(text, policy, "{what}");
        desk.write("p.upolicy", text);
        let open = format!("ucrypt open p.upolicy sealed.csv -o out.csv{}", with(by));
        let ran = desk.tamis(&open);
        assert!(ran.code == code && ran.err.contains(words), "{what}: {ran:?}");
        assert!(!desk.path("out.csv").exists(), "{what}");
        // No change goes on from there either.
        let before = desk.bytes("p.upolicy");
        if what != "the other policy" {
            let refreshed = desk.tamis(&format!("ucrypt refresh p.upolicy{}", with(by)));
            assert_eq!(refreshed.code, code, "{what}: {refreshed:?}");
        }
        assert_eq!(desk.bytes("p.upolicy"), before, "{what}");
    }
    desk.write("p.upolicy", policy);
    assert_opens(&desk, "p.upolicy", "sealed.csv", pair);
}

#[test]
fn an_older_policy_file_that_is_put_back_is_told_by_the_log() {
    let desk = sealed_desk();
    let both = with(&["doctor", "payer"]);
    let old = desk.read("p.upolicy");
    desk.done(&format!("ucrypt refresh p.upolicy{both}"));
    let refreshed = desk.read("p.upolicy");
    // After a refresh it opens: the key is the same.
    desk.write("p.upolicy", &old);
    // Told again and again, also once the log tells of what was opened by the older file.
    for _ in 0..2 {
        let ran = open(&desk, "p.upolicy", "sealed.csv", &["doctor", "payer"]);
        assert!(ran.code == 0 && ran.err.contains("an older file was put back"), "{ran:?}");
        assert_plain(&desk, "sealed.csv");
    }
    let problem = desk.json("ucrypt audit check p.upolicy", 1)["problem"].to_string();
    assert!(problem.contains("an older file was put back"), "{problem}");
    // After a rotation it opens nothing, but seals for the key that holders who left may have; the file that was kept shows nothing.
    desk.write("p.upolicy", &refreshed);
    desk.done(&format!("ucrypt rotate p.upolicy sealed.csv --full{both}"));
    desk.write("p.upolicy", &refreshed);
    assert_refused(&desk, &format!("ucrypt open p.upolicy sealed.csv -o out.csv{both}"), 5, &["epoch 2 or later"]);
    let ran = desk.done("ucrypt seal p.upolicy plain.csv -o late.csv --record 5");
    assert!(ran.err.contains("an older file was put back"), "{ran:?}");
    let notes = desk.json("ucrypt policy show p.upolicy", 0)["notes"].to_string();
    assert!(notes.contains("an older file was put back"), "{notes}");
    let problem = desk.json("ucrypt audit check p.upolicy", 1)["problem"].to_string();
    assert!(problem.contains("an older file was put back"), "{problem}");
}

#[test]
fn the_policies_of_two_documents_do_not_open_each_other() {
    let desk = desk();
    desk.done("ucrypt policy new q.upolicy -p 2 --holder patient.upub --holder doctor.upub --holder payer.upub --fields fields.toml");
    for kind in KINDS {
        for policy in ["p", "q"] {
            desk.done(&format!("ucrypt seal {policy}.upolicy plain.{kind} -o {policy}.{kind} --record 5"));
        }
        for (policy, document) in [("p", "q"), ("q", "p")] {
            let by = with(&["patient", "doctor"]);
            let open = format!("ucrypt open {policy}.upolicy {document}.{kind} -o out.{kind}{by}");
            assert_refused(&desk, &open, 2, &["its cells are of policy"]);
            let rotate = format!("ucrypt rotate {policy}.upolicy {document}.{kind} --full{by}");
            assert_refused(&desk, &rotate, 2, &["nothing in these documents"]);
        }
        assert_opens(&desk, "p.upolicy", &format!("p.{kind}"), &["patient", "doctor"]);
    }
}
