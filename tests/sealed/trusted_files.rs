//! Files that others can copy, move, edit or plant beside a policy or document: what they may cost, and what is told of them.

use crate::holders::*;
use crate::program::Desk;
use tamis_ucrypt::audit::{Action, Event, Log};

const BOTH: [&str; 2] = ["doctor", "payer"];

fn copy(desk: &Desk, from: &str, to: &str) {
    std::fs::copy(desk.path(from), desk.path(to)).expect("a copy");
}

fn fingerprint(desk: &Desk, policy: &str) -> String {
    desk.json(&format!("ucrypt policy show {policy}"), 0)["fingerprint"].as_str().expect("a text").to_owned()
}

/// The policy with the public key of another one, all else as it is.
fn with_other_key(desk: &Desk) -> String {
    std::fs::create_dir_all(desk.path("elsewhere")).expect("a directory");
    new_policy(desk, "elsewhere/forged.upolicy", "fields.toml --owner patient");
    let public = |policy: &str| {
        let text = desk.read(policy);
        text.lines().find(|line| line.starts_with("pk = ")).expect("a key").to_owned()
    };
    let (old, new) = (public("p.upolicy"), public("elsewhere/forged.upolicy"));
    std::fs::remove_dir_all(desk.path("elsewhere")).expect("a directory");
    desk.read("p.upolicy").replace(&old, &new)
}

mod data_keys {
    use super::*;

    /// Whether a copy that was made without its keys opens once the keys of the document that it was copied from stand beside it.
    fn assert_copy_opens(desk: &Desk, policy: &str, keys: &str) {
        copy(desk, keys, "copy.csv.ukeys");
        assert_opens(desk, policy, "copy.csv", &BOTH);
        std::fs::remove_file(desk.path("copy.csv.ukeys")).expect("keys");
    }

    #[test]
    fn those_of_a_copy_stay_whatever_takes_the_place_of_the_document() {
        let by = with(&BOTH);
        for (command, policy) in [
            ("seal p.upolicy plain.csv -o sealed.csv --record 6".to_owned(), "p.upolicy"),
            (format!("open p.upolicy other.csv -o sealed.csv{by}"), "p.upolicy"),
            (format!("open p.upolicy other.csv -o sealed.csv --field Miasto{by}"), "p.upolicy"),
            ("filter other.csv --drop -o sealed.csv".to_owned(), "p.upolicy"),
            ("filter other.csv --only -o sealed.csv".to_owned(), "p.upolicy"),
            (format!("rotate p.upolicy sealed.csv --headers{by}"), "p.upolicy"),
            (format!("rotate p.upolicy sealed.csv --full{by}"), "p.e1.upolicy"),
            (format!("remove-holder p.upolicy patient sealed.csv{by}"), "p.e1.upolicy"),
        ] {
            let desk = sealed_desk();
            desk.done("ucrypt seal p.upolicy plain.csv -o other.csv --record 7");
            copy(&desk, "sealed.csv", "copy.csv");
            desk.done(&format!("ucrypt {command}"));
            assert_copy_opens(&desk, policy, "sealed.csv.ukeys");
        }
    }

    #[test]
    fn those_of_a_document_that_was_moved_stay_after_two_others_had_its_name() {
        let desk = sealed_desk();
        std::fs::rename(desk.path("sealed.csv"), desk.path("copy.csv")).expect("a file");
        for record in [6, 7] {
            desk.done(&format!("ucrypt seal p.upolicy plain.csv -o sealed.csv --record {record}"));
            assert_opens(&desk, "p.upolicy", "sealed.csv", &BOTH);
        }
        assert_copy_opens(&desk, "p.upolicy", "sealed.csv.ukeys");
    }

    #[test]
    fn a_copy_in_every_kind_of_document_opens_after_its_original_was_replaced() {
        for kind in ["xml", "sql", "db"] {
            let desk = sealed_desk();
            copy(&desk, &format!("sealed.{kind}"), &format!("copy.{kind}"));
            desk.done(&format!("ucrypt seal p.upolicy plain.{kind} -o sealed.{kind} --record 6"));
            assert_opens(&desk, "p.upolicy", &format!("copy.{kind}"), &BOTH);
        }
    }

    #[test]
    fn a_copy_without_keys_is_told_which_file_has_them() {
        let desk = sealed_desk();
        copy(&desk, "sealed.csv", "copy.csv");
        let open = format!("ucrypt open p.upolicy copy.csv -o out.csv{}", with(&BOTH));
        assert_refused(&desk, &open, 5, &["copy.csv.ukeys, is missing", "sealed.csv.ukeys has that key"]);
    }

    #[test]
    fn those_that_are_wrapped_otherwise_are_put_aside_and_those_that_cannot_be_read_stay() {
        let desk = sealed_desk();
        for name in ["backup.csv", "backup.csv.ukeys"] {
            copy(&desk, &name.replace("backup", "sealed"), name);
        }
        desk.done(&format!("ucrypt rotate p.upolicy sealed.csv --headers{}", with(&BOTH)));
        // The key of the backup is that of the document, wrapped for the key before.
        copy(&desk, "sealed.csv", "copy.csv");
        let wrapped = desk.read("sealed.csv.ukeys");
        for record in [6, 7] {
            desk.done(&format!("ucrypt seal p.upolicy backup.csv -o sealed.csv --record {record}"));
            assert_eq!(desk.read("sealed.csv.old1.ukeys"), wrapped);
        }
        assert!(!desk.path("sealed.csv.old2.ukeys").exists());
        assert_copy_opens(&desk, "p.upolicy", "sealed.csv.old1.ukeys");
        let keys = desk.read("sealed.csv.ukeys");
        desk.write("sealed.csv.ukeys", format!("{keys}what is this?\n"));
        let seal = "ucrypt seal p.upolicy plain.csv -o sealed.csv --record 6";
        assert_refused(&desk, seal, 2, &["sealed.csv.ukeys", &format!("line {}", keys.lines().count() + 1)]);
    }
}

mod fingerprints {
    use super::*;

    #[test]
    fn a_policy_with_another_public_key_is_told_by_the_log_and_not_sealed_for() {
        let desk = sealed_desk();
        let good = desk.read("p.upolicy");
        desk.write("p.upolicy", with_other_key(&desk));
        let checked = desk.json("ucrypt audit check p.upolicy", 1);
        assert!(checked["problem"].as_str().is_some_and(|said| said.contains("edited")), "{checked}");
        let checked = desk.json("ucrypt policy check p.upolicy", 1);
        assert!(checked["warnings"].to_string().contains("edited"), "{checked}");
        let seal = "ucrypt seal p.upolicy plain.csv -o out.csv --record 5";
        assert_refused(&desk, seal, 2, &["p.upolicy", "edited", "p.uaudit"]);
        desk.write("p.upolicy", &good);
        desk.json("ucrypt audit check p.upolicy", 0);
        desk.done(seal);
    }

    #[test]
    fn an_edited_policy_is_told_after_changes_and_whatever_was_edited() {
        let desk = sealed_desk();
        desk.done(&format!("ucrypt refresh p.upolicy{}", with(&BOTH)));
        desk.done(&format!("ucrypt rotate p.upolicy sealed.csv --full{}", with(&BOTH)));
        let good = desk.read("p.upolicy");
        for (from, to) in [
            ("\np = 2\n", "\np = 1\n"),
            ("A256GCM", "XC20P"),
            ("\"doctor\"", "\"docteur\""),
            ("name = \"Miasto\"", "name = \"Kraj\""),
            ("\npad = 32\n", "\npad = 64\n"),
            ("\nepoch = 2\n", "\nepoch = 1\n"),
        ] {
            let edited = good.replacen(from, to, 1);
            assert_ne!(edited, good, "{from}");
            desk.write("p.upolicy", edited);
            let checked = desk.json("ucrypt audit check p.upolicy", 1);
            assert!(checked["problem"].as_str().is_some_and(|said| said.contains("edited")), "{from}: {checked}");
        }
        // A comment changes nothing.
        desk.write("p.upolicy", format!("# by hand\n{good}"));
        desk.json("ucrypt audit check p.upolicy", 0);
        assert_opens(&desk, "p.upolicy", "sealed.csv", &BOTH);
    }

    #[test]
    fn another_public_key_is_not_sealed_for_in_a_file_that_says_to_be_later_than_its_log() {
        let desk = sealed_desk();
        let (good, forged) = (desk.read("p.upolicy"), with_other_key(&desk));
        let seal = "ucrypt seal p.upolicy plain.csv -o out.csv --record 5";
        for (from, to) in [("\nepoch = 1\n", "\nepoch = 5\n"), ("\ngen = 1\n", "\ngen = 5\n")] {
            let edited = forged.replacen(from, to, 1);
            assert_ne!(edited, forged, "{from}");
            desk.write("p.upolicy", &edited);
            assert_refused(&desk, seal, 2, &["p.upolicy", "p.uaudit", "--policy-fingerprint"]);
            for check in ["audit check", "policy check"] {
                assert_eq!(desk.tamis(&format!("ucrypt {check} p.upolicy")).code, 1, "{check} {to}");
            }
        }
        // Whoever gets a later policy without its log takes the fingerprint from the holders.
        desk.write("p.upolicy", &good);
        let log = desk.read("p.uaudit");
        desk.done(&format!("ucrypt refresh p.upolicy{}", with(&BOTH)));
        desk.write("p.uaudit", log);
        assert_refused(&desk, seal, 2, &["generation 2", "lines of the log are missing"]);
        desk.done(&format!("{seal} --policy-fingerprint {}", fingerprint(&desk, "p.upolicy")));
    }

    #[test]
    fn a_policy_whose_log_was_edited_is_not_sealed_for_without_its_fingerprint() {
        let desk = sealed_desk();
        let (good, log) = (desk.read("p.upolicy"), desk.read("p.uaudit"));
        let seal = "ucrypt seal p.upolicy plain.csv -o out.csv --record 5";
        let first = log.lines().next().expect("a line");
        let edits =
            [format!("\u{feff}{log}"), format!("{log}{first}\n"), format!("{log}\n"), log.replacen("seal", "open", 1)];
        for edited in edits.into_iter().chain([String::new()]) {
            desk.write("p.upolicy", with_other_key(&desk)).write("p.uaudit", &edited);
            assert_refused(&desk, seal, 2, &["p.upolicy", "log was edited", "--policy-fingerprint"]);
            desk.write("p.upolicy", &good);
            desk.done(&format!("{seal} --policy-fingerprint {}", fingerprint(&desk, "p.upolicy")));
        }
    }

    #[test]
    fn a_policy_in_which_anything_was_edited_is_told_however_long_its_log_is() {
        let desk = sealed_desk();
        let good = desk.read("p.upolicy");
        let log = Log::at(desk.path("p.uaudit"));
        let line: serde_json::Value =
            serde_json::from_str(desk.read("p.uaudit").lines().next().expect("a line")).expect("JSON");
        let event = Event {
            action: Action::Seal,
            policy: line["policy"].as_str().expect("an id").to_owned(),
            epoch: 1,
            generation: 1,
            holders: vec![],
            note: "x".repeat(1 << 19),
            code: None,
            fingerprint: None,
        };
        for _ in 0..5 {
            log.append(jiff::Timestamp::now(), event.clone()).expect("a line");
        }
        let seal = "ucrypt seal p.upolicy plain.csv -o out.csv --record 5";
        desk.done(seal);
        // Its code as well, as whoever has another policy can write it.
        let edited = with_other_key(&desk).replace("code = \"", "code = \"AAAA");
        let at = edited.find("code = \"").expect("a code") + "code = \"".len();
        let edited = format!("{}{}", &edited[..at + 40], &edited[at + 44..]);
        assert_eq!(edited.len(), good.len());
        desk.write("p.upolicy", edited);
        assert_refused(&desk, seal, 2, &["p.upolicy", "edited"]);
    }

    /// A line that somebody who edited the policy appends to its log, with everything in it as they like.
    fn appended(desk: &Desk, edit: impl FnOnce(&mut Event)) {
        let first = desk.read("p.uaudit");
        let line: serde_json::Value = serde_json::from_str(first.lines().next().expect("a line")).expect("JSON");
        let mut event = Event {
            action: Action::Refresh,
            policy: line["policy"].as_str().expect("an id").to_owned(),
            epoch: 1,
            generation: 1,
            holders: vec!["doctor".to_owned()],
            note: String::new(),
            code: line["code"].as_str().map(str::to_owned),
            fingerprint: Some(fingerprint(desk, "p.upolicy")),
        };
        edit(&mut event);
        Log::at(desk.path("p.uaudit")).append(jiff::Timestamp::now(), event).expect("a line");
    }

    #[test]
    fn a_line_after_the_others_does_not_make_an_edited_policy_good() {
        type Edit = fn(&mut Event);
        let edits: [(&str, Edit); 5] = [
            ("of another policy", |event| event.policy = "P2".into()),
            ("of an epoch that is not that of the file", |event| event.epoch = 99),
            ("of a generation that is not that of the file", |event| event.generation = 7),
            ("without the code", |event| event.code = None),
            ("without the fingerprint", |event| (event.code, event.fingerprint) = (None, None)),
        ];
        for (what, edit) in edits {
            let desk = sealed_desk();
            let good = desk.read("p.upolicy");
            desk.write("p.upolicy", with_other_key(&desk));
            appended(&desk, edit);
            let seal = "ucrypt seal p.upolicy plain.csv -o out.csv --record 5";
            let said = assert_refused(&desk, seal, 2, &["p.upolicy", "p.uaudit", "--policy-fingerprint"]);
            assert!(said.contains("error:"), "{what}: {said}");
            for check in ["audit check", "policy check"] {
                assert_eq!(desk.tamis(&format!("ucrypt {check} p.upolicy")).code, 1, "{check}: a line {what}");
            }
            // The line is told of, also where the policy is what it was.
            desk.write("p.upolicy", &good);
            for check in ["audit check", "policy check"] {
                assert_eq!(desk.tamis(&format!("ucrypt {check} p.upolicy")).code, 1, "{check}: a line {what}");
            }
        }
    }

    #[cfg(unix)]
    #[test]
    fn both_checks_end_with_1_where_the_log_is_no_log() {
        type Put = fn(&std::path::Path);
        let places: [(&str, Put); 4] = [
            ("a link", |log| std::os::unix::fs::symlink("elsewhere", log).expect("a link")),
            ("a directory", |log| std::fs::create_dir(log).expect("a directory")),
            ("a pipe", |log| {
                assert!(std::process::Command::new("mkfifo").arg(log).status().expect("a program").success());
            }),
            ("damaged", |log| std::fs::write(log, "{}\n").expect("a file")),
        ];
        for (what, put) in places {
            let desk = desk();
            std::fs::remove_file(desk.path("p.uaudit")).expect("a log");
            put(&desk.path("p.uaudit"));
            for check in ["audit check", "policy check"] {
                let ran = desk.tamis(&format!("ucrypt {check} p.upolicy"));
                assert_eq!(ran.code, 1, "{check}, {what}: {ran:?}");
                assert!(ran.out.contains("log") || ran.out.contains("p.uaudit"), "{check}, {what}: {ran:?}");
            }
        }
    }

    #[test]
    fn a_line_of_another_form_is_told_of_in_plain_words() {
        let desk = desk();
        let log = desk.read("p.uaudit");
        let at = log.find("\"at\":\"").expect("a time") + 6;
        desk.write("p.uaudit", format!("{}9999-99-99{}", &log[..at], &log[at + 10..]));
        let checked = desk.json("ucrypt audit check p.upolicy", 1);
        let problem = checked["problem"].as_str().expect("words");
        assert!(problem.contains("line 1") && !problem.contains("datetime"), "{problem}");
    }

    #[test]
    fn what_was_done_with_an_edited_policy_is_told_when_the_good_one_is_back() {
        let desk = sealed_desk();
        let (good, log) = (desk.read("p.upolicy"), desk.read("p.uaudit"));
        desk.write("p.upolicy", with_other_key(&desk));
        // Without its log beside it, nobody can tell, which is said then and later.
        std::fs::remove_file(desk.path("p.uaudit")).expect("a log");
        let checked = desk.json("ucrypt policy check p.upolicy", 1);
        assert!(checked["warnings"].to_string().contains("no log beside the policy"), "{checked}");
        let print = fingerprint(&desk, "p.upolicy");
        for _ in 0..2 {
            let ran = desk.done("ucrypt seal p.upolicy plain.csv -o out.csv --record 5");
            assert!(
                ran.err.contains("no log tells whether the holders made p.upolicy") && ran.err.contains(&print),
                "{ran:?}"
            );
            let checked = desk.json("ucrypt policy check p.upolicy", 1);
            assert!(checked["warnings"].to_string().contains("the log does not tell of the writing"), "{checked}");
        }
        let log_of_forger = desk.read("p.uaudit");
        desk.write("p.uaudit", log_of_forger.lines().next().expect("a line"));
        let line: serde_json::Value = serde_json::from_str(&desk.read("p.uaudit")).expect("a line");
        assert_ne!(line["fingerprint"], serde_json::Value::Null);
        desk.write("p.upolicy", &good).write("p.uaudit", log);
        let event = Event {
            action: Action::Seal,
            policy: line["policy"].as_str().expect("an id").to_owned(),
            epoch: 1,
            generation: 1,
            holders: vec![],
            note: String::new(),
            code: line["code"].as_str().map(str::to_owned),
            fingerprint: line["fingerprint"].as_str().map(str::to_owned),
        };
        Log::at(desk.path("p.uaudit")).append(jiff::Timestamp::now(), event).expect("a line");
        let checked = desk.json("ucrypt audit check p.upolicy", 0);
        assert!(checked["notes"].to_string().contains("another file of the policy"), "{checked}");
    }

    #[test]
    fn sealing_keeps_to_the_fingerprint_that_it_is_given() {
        let desk = desk();
        let shown = desk.done("ucrypt policy show p.upolicy").out;
        let right = fingerprint(&desk, "p.upolicy");
        assert!(shown.contains(&right), "{shown}");
        let seal = "ucrypt seal p.upolicy plain.csv -o out.csv --record 5 --policy-fingerprint";
        let sealed = desk.json(&format!("{seal} {}", right.to_uppercase()), 0);
        assert_eq!(sealed["fingerprint"], right.as_str());
        let wrong = right.replace(|digit: char| digit.is_ascii_digit(), "a").replacen('a', "b", 1);
        assert_refused(&desk, &format!("{seal} {wrong}"), 2, &["p.upolicy", &right, &wrong]);
        for no_fingerprint in ["", "12", &right[1..], &format!("{right}0"), &right.replace(&right[..1], "x")] {
            let ran = desk.tamis_with(&[
                "ucrypt",
                "seal",
                "p.upolicy",
                "plain.csv",
                "-o",
                "new.csv",
                "--record",
                "5",
                "--policy-fingerprint",
                no_fingerprint,
            ]);
            assert!(ran.code == 2 && !desk.path("new.csv").exists(), "{no_fingerprint}: {ran:?}");
        }
        // Without a log, this is what there is.
        std::fs::remove_file(desk.path("p.uaudit")).expect("a log");
        desk.write("p.upolicy", with_other_key(&desk));
        assert_refused(&desk, &format!("{seal} {right}"), 2, &["p.upolicy", "fingerprint"]);
    }

    #[test]
    fn a_new_policy_and_every_change_print_theirs() {
        let desk = desk();
        let by = with(&BOTH);
        let new = "ucrypt policy new q.upolicy -p 2 --holder doctor.upub --holder payer.upub --fields fields.toml";
        let ran = desk.done(new);
        assert!(ran.out.contains(&fingerprint(&desk, "q.upolicy")), "{ran:?}");
        let mut seen = vec![fingerprint(&desk, "p.upolicy")];
        for change in
            ["refresh p.upolicy", "policy amend p.upolicy --cipher XC20P", "remove-holder p.upolicy patient --soft"]
        {
            let ran = desk.done(&format!("ucrypt {change}{by}"));
            let now = fingerprint(&desk, "p.upolicy");
            assert!(ran.out.contains(&now) && !seen.contains(&now), "{change}: {ran:?}");
            seen.push(now);
        }
    }
}

mod planted_policies {
    use super::*;

    /// A policy that says to be epoch 9 of this one, as anybody can write it who has its public files.
    fn later(desk: &Desk) -> String {
        let id = desk.json("ucrypt policy show p.upolicy", 0)["policy"].as_str().expect("an id").to_owned();
        std::fs::create_dir_all(desk.path("elsewhere")).expect("a directory");
        new_policy(desk, "elsewhere/forged.upolicy", &format!("fields.toml --owner patient --id {id}"));
        let forged = desk.read("elsewhere/forged.upolicy").replace("\nepoch = 1\n", "\nepoch = 9\n");
        std::fs::remove_dir_all(desk.path("elsewhere")).expect("a directory");
        forged
    }

    #[test]
    fn a_later_one_is_named_and_not_recommended() {
        for name in ["p.e9.upolicy", "other.upolicy"] {
            let desk = sealed_desk();
            desk.write(name, later(&desk));
            let seal = "ucrypt seal p.upolicy plain.csv -o out.csv --record 5";
            let said = assert_refused(&desk, seal, 2, &[name, "no log here vouches for it", "ask the holders"]);
            assert!(!said.contains("use that"), "{said}");
            // A cell that claims to be later leads to the holders, not to the file.
            let cell = desk.read("sealed.csv").replace("ep=\"1\"", "ep=\"9\"");
            desk.write("claims.csv", cell);
            desk.write("claims.csv.ukeys", desk.read("sealed.csv.ukeys").replace("\"ep\":1", "\"ep\":9"));
            let open = format!("ucrypt open p.upolicy claims.csv -o out.csv{}", with(&BOTH));
            let said = assert_refused(&desk, &open, 5, &["epoch 9 or later from the holders"]);
            assert!(!said.contains(name), "{said}");
            assert_opens(&desk, "p.upolicy", "sealed.csv", &BOTH);
        }
    }

    #[test]
    fn one_that_waits_is_not_said_to_be_a_change_that_was_interrupted() {
        let desk = sealed_desk();
        desk.write("p.upolicy.next", later(&desk));
        let ran = desk.done("ucrypt seal p.upolicy plain.csv -o out.csv --record 5");
        for word in ["p.upolicy.next", "the log does not tell of it", "ask the holders"] {
            assert!(ran.err.contains(word), "{ran:?}");
        }
        assert!(!ran.err.contains("the same command again finishes it"), "{ran:?}");
    }

    #[test]
    fn a_later_one_that_the_log_tells_of_is_recommended() {
        let desk = sealed_desk();
        desk.done(&format!("ucrypt rotate p.upolicy sealed.csv --full{}", with(&BOTH)));
        let seal = "ucrypt seal p.e1.upolicy plain.csv -o out.csv --record 5";
        assert_refused(&desk, seal, 2, &["p.upolicy is epoch 2", "use that"]);
    }

    #[test]
    fn an_earlier_one_of_another_policy_is_not_named() {
        let desk = sealed_desk();
        copy(&desk, "sealed.csv", "left.csv");
        copy(&desk, "sealed.csv.ukeys", "left.csv.ukeys");
        desk.done(&format!("ucrypt rotate p.upolicy sealed.csv --full{}", with(&BOTH)));
        new_policy(&desk, "q.upolicy", "fields.toml");
        std::fs::rename(desk.path("q.upolicy"), desk.path("p.e1.upolicy")).expect("a file");
        let open = format!("ucrypt open p.upolicy left.csv -o out.csv{}", with(&BOTH));
        let said = assert_refused(&desk, &open, 5, &["not beside this one"]);
        assert!(!said.contains("p.e1.upolicy"), "{said}");
    }

    #[test]
    fn the_one_that_opens_is_named_whichever_other_one_was_tried_and_whatever_it_is_called() {
        let desk = sealed_desk();
        let by = with(&BOTH);
        for epoch in 2..=5 {
            desk.done(&format!("ucrypt rotate p.upolicy sealed.xml --headers{by}"));
            if epoch == 4 {
                copy(&desk, "sealed.xml", "left.xml");
            }
        }
        for name in ["p.e4.upolicy", "old.upolicy"] {
            for tried in ["p.e1.upolicy", "p.e2.upolicy", "p.e3.upolicy", "p.upolicy"] {
                let open = format!("ucrypt open {tried} left.xml -o out.xml{by}");
                assert_refused(&desk, &open, 5, &[&format!("open it with {name}")]);
            }
            assert_opens(&desk, name, "left.xml", &BOTH);
            if name != "old.upolicy" {
                std::fs::rename(desk.path(name), desk.path("old.upolicy")).expect("a policy");
            }
        }
    }

    #[test]
    fn the_one_that_opens_a_forgotten_document_is_named_first_after_many_rotations() {
        let desk = sealed_desk();
        for name in ["left.csv", "later.csv"] {
            copy(&desk, "sealed.csv", name);
            copy(&desk, "sealed.csv.ukeys", &format!("{name}.ukeys"));
        }
        let by = with(&BOTH);
        desk.done(&format!("ucrypt rotate p.upolicy sealed.csv later.csv --headers{by}"));
        for _ in 0..3 {
            desk.done(&format!("ucrypt rotate p.upolicy sealed.csv --headers{by}"));
        }
        let all = ["p.e1.upolicy", "p.e2.upolicy", "p.e3.upolicy", "p.e4.upolicy"];
        for (document, first) in [("left.csv", "p.e1.upolicy"), ("later.csv", "p.e2.upolicy")] {
            let open = format!("ucrypt open p.upolicy {document} -o out.csv{by}");
            let said = assert_refused(&desk, &open, 5, &[&format!("open it with {first}")]);
            assert!(all.iter().all(|name| said.contains(name)), "{said}");
            assert_opens(&desk, first, document, &BOTH);
            let inspected = desk.tamis(&format!("ucrypt inspect {document} --policy p.upolicy"));
            assert!(all.iter().all(|name| inspected.err.contains(name)), "{inspected:?}");
        }
        for _ in 0..10 {
            desk.done(&format!("ucrypt rotate p.upolicy sealed.csv --headers{by}"));
        }
        let open = format!("ucrypt open p.upolicy left.csv -o out.csv{by}");
        assert_refused(&desk, &open, 5, &["open it with p.e1.upolicy"]);
        let inspected = desk.tamis("ucrypt inspect left.csv --policy p.upolicy");
        assert!(inspected.err.contains("p.e1.upolicy") && inspected.err.contains("p.e14.upolicy"), "{inspected:?}");
        // However many there were.
        let policy = desk.read("p.upolicy");
        desk.write("p.upolicy", policy.replace("\nepoch = 15\n", "\nepoch = 4000\n"));
        let inspected = desk.tamis("ucrypt inspect left.csv --policy p.upolicy");
        assert!(inspected.err.contains("p.e1.upolicy"), "{inspected:?}");
    }
}

mod logs {
    use super::*;

    #[test]
    fn a_last_line_without_its_end_is_an_entry() {
        let desk = sealed_desk();
        let log = desk.read("p.uaudit");
        let lines = log.lines().count();
        desk.write("p.uaudit", log.trim_end());
        let checked = desk.json("ucrypt audit check p.upolicy", 0);
        assert_eq!((&checked["count"], &checked["torn"]), (&serde_json::json!(lines), &serde_json::json!(false)));
        let shown = desk.json("ucrypt audit show p.upolicy", 0);
        assert_eq!(shown["entries"].as_array().map(Vec::len), Some(lines));
        desk.done(&format!("ucrypt verify p.upolicy{}", with(&BOTH)));
        let now = desk.read("p.uaudit");
        assert!(now.starts_with(&log) && now.lines().count() == lines + 1, "{now}");
        desk.json("ucrypt audit check p.upolicy", 0);
        // A single line is no exception.
        desk.write("p.uaudit", log.lines().next().expect("a line"));
        desk.done(&format!("ucrypt verify p.upolicy{}", with(&BOTH)));
        assert_eq!(desk.json("ucrypt audit check p.upolicy", 0)["count"], 2);
    }

    #[test]
    fn a_line_that_was_cut_off_is_taken_away_with_a_word() {
        let desk = sealed_desk();
        let log = desk.read("p.uaudit");
        desk.write("p.uaudit", &log[..log.len() - 20]);
        desk.done("ucrypt seal p.upolicy plain.csv -o out.csv --record 5");
        let shown = desk.json("ucrypt audit show p.upolicy", 0);
        let notes: Vec<bool> = shown["entries"]
            .as_array()
            .expect("entries")
            .iter()
            .map(|entry| entry["note"].to_string().contains("a line before this one was cut off"))
            .collect();
        assert_eq!(notes.iter().rposition(|told| *told), Some(notes.len() - 1));
        assert_eq!(notes.iter().filter(|told| **told).count(), 1);
        desk.json("ucrypt audit check p.upolicy", 0);
    }

    #[test]
    fn a_last_line_without_its_end_that_was_edited_is_told_and_kept() {
        let desk = sealed_desk();
        let log = desk.read("p.uaudit");
        let edited = log.trim_end().replace("sealed.db", "sealed.bd");
        assert_ne!(edited, log.trim_end());
        for text in [edited, format!("{log}no entry"), "a text of somebody".to_owned()] {
            desk.write("p.uaudit", &text);
            assert_eq!(desk.tamis("ucrypt audit check p.upolicy").code, 1, "{text}");
            assert_eq!(desk.tamis(&format!("ucrypt verify p.upolicy{}", with(&BOTH))).code, 2, "{text}");
            assert_eq!(desk.read("p.uaudit"), text);
        }
    }

    #[cfg(unix)]
    #[test]
    fn nothing_is_written_through_a_link_in_the_place_of_the_log() {
        use std::os::unix::fs::symlink;
        let by = with(&BOTH);
        for target in ["absent", "empty", "notes", "old.uaudit"] {
            let desk = sealed_desk();
            std::fs::rename(desk.path("p.uaudit"), desk.path("old.uaudit")).expect("a log");
            desk.write("empty", "").write("notes", "mine");
            symlink(target, desk.path("p.uaudit")).expect("a link");
            let before = desk.listing();
            for verb in ["verify p.upolicy", "refresh p.upolicy", "open p.upolicy sealed.csv -o out.csv"] {
                let ran = desk.tamis(&format!("ucrypt {verb}{by}"));
                assert!(
                    ran.code == 2 && ran.err.contains("p.uaudit: it is a symbolic link"),
                    "{target} {verb}: {ran:?}"
                );
            }
            assert!(before == desk.listing(), "{target}");
            // Somebody may have hidden in this way what the log said of the policy.
            let seal = "ucrypt seal p.upolicy plain.csv -o out.csv --record 5";
            assert_refused(&desk, seal, 2, &["p.uaudit: it is a symbolic link", "--policy-fingerprint"]);
            let ran = desk.done(&format!("{seal} --policy-fingerprint {}", fingerprint(&desk, "p.upolicy")));
            assert!(ran.err.contains("the log was not written"), "{target}: {ran:?}");
            assert!(desk.path("p.uaudit").is_symlink() && !desk.path("absent").exists(), "{target}");
            assert!(desk.read("empty").is_empty() && desk.read("notes") == "mine", "{target}");
        }
        // Nor is anything else in its place believed.
        let desk = sealed_desk();
        desk.write("p.upolicy", with_other_key(&desk));
        std::fs::remove_file(desk.path("p.uaudit")).expect("a log");
        std::fs::create_dir(desk.path("p.uaudit")).expect("a directory");
        let seal = "ucrypt seal p.upolicy plain.csv -o out.csv --record 5";
        assert_refused(&desk, seal, 2, &["no regular file", "--policy-fingerprint"]);
        // A link that leads nowhere is no log that is missing.
        let desk = sealed_desk();
        std::fs::remove_file(desk.path("p.uaudit")).expect("a log");
        symlink("absent", desk.path("p.uaudit")).expect("a link");
        let checked = desk.json("ucrypt audit check p.upolicy", 1);
        assert!(checked["problem"].to_string().contains("symbolic link"), "{checked}");
        // A link to the policy leads to the policy's own log, as before.
        let desk = sealed_desk();
        std::fs::create_dir(desk.path("links")).expect("a directory");
        symlink("../p.upolicy", desk.path("links/p.upolicy")).expect("a link");
        let lines = desk.read("p.uaudit").lines().count();
        desk.done(&format!("ucrypt verify links/p.upolicy{by}"));
        assert_eq!(desk.read("p.uaudit").lines().count(), lines + 1);
        desk.done("ucrypt audit check links/p.upolicy");
    }
}

#[cfg(unix)]
mod logs_of_others {
    use super::*;

    #[test]
    fn nothing_is_written_into_the_log_of_another_policy_or_a_file_with_another_name() {
        let by = with(&BOTH);
        let desk = sealed_desk();
        new_policy(&desk, "q.upolicy", "fields.toml");
        let log = desk.read("q.uaudit");
        desk.write("empty", "");
        for (file, words) in [("q.uaudit", "the log of another policy"), ("empty", "hard link")] {
            std::fs::remove_file(desk.path("p.uaudit")).expect("a log");
            std::fs::hard_link(desk.path(file), desk.path("p.uaudit")).expect("a link");
            for verb in ["verify p.upolicy", "refresh p.upolicy", "open p.upolicy sealed.csv -o out.csv"] {
                let ran = desk.tamis(&format!("ucrypt {verb}{by}"));
                assert!(ran.code == 2 && ran.err.contains("p.uaudit") && ran.err.contains(words), "{verb}: {ran:?}");
                assert!(!desk.path("out.csv").exists());
            }
            assert_eq!((desk.read("q.uaudit"), desk.read("empty")), (log.clone(), String::new()));
        }
        desk.json("ucrypt audit check q.upolicy", 0);
        // A backup that shares its file with the log stops nobody.
        let desk = sealed_desk();
        std::fs::hard_link(desk.path("p.uaudit"), desk.path("backup")).expect("a link");
        desk.done(&format!("ucrypt verify p.upolicy{by}"));
        desk.json("ucrypt audit check p.upolicy", 0);
    }
}

mod grants {
    use super::*;

    /// A grant by holders of a policy, for the reader.
    fn grant(desk: &Desk, policy: &str, document: &str, name: &str) {
        let by = with(&BOTH);
        desk.done(&format!("ucrypt open {policy} {document} --grant Choroba --to reader.upub -o {name}{by}"));
    }

    #[test]
    fn one_that_nobody_gave_shows_nothing() {
        let desk = sealed_desk();
        desk.done("ucrypt keygen reader");
        let id = desk.json("ucrypt policy show p.upolicy", 0)["policy"].as_str().expect("an id").to_owned();
        // The forger has the public files, and a policy of the same id and holders whose secret is the forger's.
        std::fs::create_dir(desk.path("forger")).expect("a directory");
        new_policy(&desk, "forger/p.upolicy", &format!("fields.toml --owner patient --id {id}"));
        desk.write("forger/plain.csv", csv().replace("Podagra", "Cholera"));
        desk.done("ucrypt seal forger/p.upolicy forger/plain.csv -o forger/sealed.csv --record 5");
        grant(&desk, "forger/p.upolicy", "forger/sealed.csv", "forged.ugrant");
        let read = "ucrypt open p.upolicy forger/sealed.csv --granted forged.ugrant --with reader.ukey -o read.csv";
        let said = assert_refused(&desk, read, 2, &["forged.ugrant", "did not give it"]);
        assert!(!said.contains("Cholera"), "{said}");
        // What the holders gave opens as ever, also without a log and under the key before, and another id is another policy.
        grant(&desk, "p.upolicy", "sealed.csv", "given.ugrant");
        let read = "ucrypt open p.upolicy sealed.csv --granted given.ugrant --with reader.ukey -o read.csv";
        desk.done(read);
        assert!(desk.read("read.csv").contains("Podagra"));
        desk.done(&format!("ucrypt rotate p.upolicy sealed.csv --headers{}", with(&BOTH)));
        desk.done(read);
        std::fs::remove_file(desk.path("p.uaudit")).expect("a log");
        desk.done(read);
        new_policy(&desk, "q.upolicy", "fields.toml");
        let read = "ucrypt open q.upolicy sealed.csv --granted given.ugrant --with reader.ukey -o other.csv";
        assert_refused(&desk, read, 2, &["given.ugrant", "did not give it"]);
    }

    #[test]
    fn one_of_a_policy_that_a_forger_put_in_the_place_of_the_holders_shows_nothing() {
        let desk = sealed_desk();
        desk.done("ucrypt keygen reader");
        let right = fingerprint(&desk, "p.upolicy");
        let id = desk.json("ucrypt policy show p.upolicy", 0)["policy"].as_str().expect("an id").to_owned();
        desk.done(&format!("ucrypt rotate p.upolicy sealed.csv --headers{}", with(&BOTH)));
        std::fs::create_dir(desk.path("forger")).expect("a directory");
        new_policy(&desk, "forger/p.upolicy", &format!("fields.toml --owner patient --id {id}"));
        desk.write("forger/plain.csv", csv().replace("Podagra", "Cholera"));
        desk.done("ucrypt seal forger/p.upolicy forger/plain.csv -o forger/sealed.csv --record 5");
        grant(&desk, "forger/p.upolicy", "forger/sealed.csv", "forged.ugrant");
        let good = desk.read("p.upolicy");
        // The policy itself, and one that a rotation kept.
        for name in ["p.upolicy", "p.e1.upolicy"] {
            desk.write(name, desk.read("forger/p.upolicy"));
            let read =
                format!("ucrypt open {name} forger/sealed.csv --granted forged.ugrant --with reader.ukey -o read.csv");
            let said = assert_refused(&desk, &read, 2, &[name, "none that the log tells of"]);
            assert!(!said.contains("Cholera"), "{said}");
        }
        desk.write("p.upolicy", good);
        // Without a log, the fingerprint of the holders is what there is.
        std::fs::create_dir(desk.path("away")).expect("a directory");
        desk.write("away/p.upolicy", desk.read("forger/p.upolicy"));
        let read =
            "ucrypt open away/p.upolicy forger/sealed.csv --granted forged.ugrant --with reader.ukey -o read.csv";
        assert_refused(&desk, &format!("{read} --policy-fingerprint {right}"), 2, &["away/p.upolicy", &right]);
        let holders = format!("ucrypt open p.upolicy sealed.csv -o out.csv{}", with(&BOTH));
        assert_refused(&desk, &format!("{holders} --policy-fingerprint {right}"), 2, &["p.upolicy", &right]);
        desk.done(&format!("{holders} --policy-fingerprint {}", fingerprint(&desk, "p.upolicy").to_uppercase()));
    }

    #[test]
    fn one_opens_the_cell_that_was_granted_and_no_other_in_its_place() {
        let desk = sealed_desk();
        desk.done("ucrypt keygen reader");
        grant(&desk, "p.upolicy", "sealed.csv", "given.ugrant");
        // Anybody can seal: another value for the same record and field, under the same policy.
        desk.write("lie.csv", csv().replace("Podagra", "Cholera"));
        desk.done("ucrypt seal p.upolicy lie.csv -o lied.csv --record 5");
        let read = "ucrypt open p.upolicy lied.csv --granted given.ugrant --with reader.ukey -o read.csv";
        assert_refused(&desk, read, 5, &["record \"5\""]);
    }
}

mod clocks {
    use super::*;

    #[test]
    fn a_holder_may_take_part_to_the_end_of_the_year_9999() {
        let desk = desk();
        desk.done("ucrypt keygen nurse --not-after 9999-12-31");
        desk.done("ucrypt policy new n.upolicy -p 2 --holder nurse.upub --holder payer.upub --bare notary:9999-12-31T23:59:59Z --paper --fields fields.toml");
        desk.done("ucrypt seal n.upolicy plain.csv -o n.csv --record 5");
        assert_opens(&desk, "n.upolicy", "n.csv", &["nurse", "payer"]);
        assert!(desk.done("ucrypt policy show n.upolicy").out.contains("9999-12-31"));
    }

    /// A policy with a nurse until the end of 2199.
    fn desk_of_nurse() -> Desk {
        let desk = desk();
        desk.done("ucrypt keygen nurse --not-after 2199-12-31");
        desk.done(
            "ucrypt policy new n.upolicy --id n -p 2 --holder nurse.upub --holder payer.upub --holder doctor.upub --fields fields.toml",
        );
        desk.done("ucrypt seal n.upolicy plain.csv -o n.csv --record 5");
        desk
    }

    /// A line by a clock that ran ahead.
    fn ahead(desk: &Desk, action: Action, holders: &[&str]) {
        let event = Event {
            action,
            policy: "n".into(),
            epoch: 1,
            generation: 1,
            holders: holders.iter().map(|name| (*name).to_owned()).collect(),
            note: String::new(),
            code: None,
            fingerprint: None,
        };
        let clock = "2200-06-01T00:00:00Z".parse().expect("a time");
        Log::at(desk.path("n.uaudit")).append(clock, event).expect("a line");
    }

    #[test]
    fn what_anybody_can_do_by_a_clock_that_runs_ahead_locks_nobody_out() {
        for action in [Action::Seal, Action::Refuse] {
            let desk = desk_of_nurse();
            ahead(&desk, action, &[]);
            assert_opens(&desk, "n.upolicy", "n.csv", &["nurse", "payer"]);
            let checked = desk.json("ucrypt audit check n.upolicy", 0);
            let notes = checked["notes"].to_string();
            assert!(notes.contains("its clock ran ahead") && notes.contains("2200"), "{checked}");
        }
    }

    #[test]
    fn the_time_of_a_reader_by_a_grant_does_not_count() {
        let desk = desk_of_nurse();
        desk.done("ucrypt keygen reader");
        let grant = format!("ucrypt open n.upolicy n.csv --grant Choroba --to reader.upub -o g.ugrant{}", with(&BOTH));
        desk.done(&grant);
        let line = |log: &str| -> serde_json::Value {
            serde_json::from_str(log.lines().last().expect("a line")).expect("JSON")
        };
        let known = line(&desk.read("n.uaudit"))["at"].clone();
        desk.done("ucrypt open n.upolicy n.csv --granted g.ugrant --with reader.ukey -o read.csv");
        let last = line(&desk.read("n.uaudit"));
        assert_eq!((&last["action"], &last["known"]), (&"open".into(), &known), "{last}");
        desk.json("ucrypt audit check n.upolicy", 0);
        assert_opens(&desk, "n.upolicy", "n.csv", &["nurse", "payer"]);
    }

    #[test]
    fn holders_put_right_what_they_did_by_a_clock_that_ran_ahead() {
        let desk = desk_of_nurse();
        ahead(&desk, Action::Open, &["doctor", "payer"]);
        let open = format!("ucrypt open n.upolicy n.csv -o out.csv{}", with(&["nurse", "payer"]));
        assert_refused(&desk, &open, 4, &["\"nurse\"", "the clock stands before", "audit set-clock"]);
        let alone = format!("ucrypt audit set-clock n.upolicy{}", with(&["nurse"]));
        assert_refused(&desk, &alone, 3, &["1 of the 2"]);
        let set = desk.json(&format!("ucrypt audit set-clock n.upolicy{}", with(&["nurse", "payer"])), 0);
        assert!(set["before"].as_str().is_some_and(|before| before.starts_with("2200-06-01")), "{set}");
        assert_opens(&desk, "n.upolicy", "n.csv", &["nurse", "payer"]);
        let checked = desk.json("ucrypt audit check n.upolicy", 0);
        assert!(checked["notes"].to_string().contains("put the time back"), "{checked}");
        let again = desk.json(&format!("ucrypt audit set-clock n.upolicy{}", with(&["nurse", "payer"])), 0);
        assert_eq!(again["before"], serde_json::Value::Null);
        // A holder whose time is over by the clock has no part in it.
        desk.done("ucrypt keygen locum --not-after 2020-01-31");
        desk.done("ucrypt policy new l.upolicy -p 2 --holder locum.upub --holder payer.upub --fields fields.toml");
        assert_refused(&desk, &format!("ucrypt audit set-clock l.upolicy{}", with(&["locum", "payer"])), 4, &["locum"]);
    }

    #[test]
    fn a_clock_far_ahead_of_the_log_is_told() {
        let desk = desk_of_nurse();
        let log = desk.path("n.uaudit");
        std::fs::remove_file(&log).expect("a log");
        let event = Event {
            action: Action::Create,
            policy: "n".into(),
            epoch: 1,
            generation: 1,
            holders: vec![],
            note: String::new(),
            code: None,
            fingerprint: None,
        };
        Log::at(&log).append("2020-01-01T00:00:00Z".parse().expect("a time"), event).expect("a line");
        let ran = desk.done("ucrypt seal n.upolicy plain.csv -o late.csv --record 5 --json");
        assert!(ran.err.contains("if the clock runs ahead") && ran.out.contains("if the clock runs ahead"), "{ran:?}");
        let ran = desk.done(&format!("ucrypt verify n.upolicy{}", with(&BOTH)));
        assert!(!ran.err.contains("runs ahead"), "{ran:?}");
    }
}

#[cfg(unix)]
mod permissions {
    use super::*;
    use std::os::unix::fs::PermissionsExt as _;

    fn set(desk: &Desk, name: &str, mode: u32) {
        std::fs::set_permissions(desk.path(name), std::fs::Permissions::from_mode(mode)).expect("permissions");
    }

    #[test]
    fn a_key_that_others_can_read_is_told_wherever_it_is_used() {
        let desk = sealed_desk();
        desk.done("ucrypt keygen reader");
        for name in ["doctor.ukey", "reader.ukey"] {
            assert_eq!(std::fs::metadata(desk.path(name)).expect("a key").permissions().mode() & 0o777, 0o600);
        }
        let by = with(&BOTH);
        desk.done(&format!("ucrypt open p.upolicy sealed.csv --grant Choroba --to reader.upub -o g.ugrant{by}"));
        set(&desk, "reader.ukey", 0o640);
        for mode in [0o644, 0o640, 0o604, 0o620] {
            set(&desk, "doctor.ukey", mode);
            for (verb, key) in [
                (format!("open p.upolicy sealed.csv -o out.csv{by}"), "doctor.ukey"),
                (format!("open p.upolicy sealed.csv --grant Choroba --to reader.upub -o g2.ugrant{by}"), "doctor.ukey"),
                ("open p.upolicy sealed.csv -o r.csv --granted g.ugrant --with reader.ukey".to_owned(), "reader.ukey"),
                (format!("verify p.upolicy{by}"), "doctor.ukey"),
                (format!("refresh p.upolicy{by}"), "doctor.ukey"),
                (format!("policy amend p.upolicy --pad {mode}{by}"), "doctor.ukey"),
                (format!("rotate p.upolicy sealed.xml --headers{by}"), "doctor.ukey"),
                (format!("audit set-clock p.upolicy{by}"), "doctor.ukey"),
            ] {
                if mode != 0o644 && !verb.starts_with("verify") {
                    continue;
                }
                let ran = desk.done(&format!("ucrypt {verb} --json"));
                let wanted = format!("note: {key} is secret, and others than its owner can get at it");
                assert!(ran.err.contains(&wanted) && ran.err.contains("chmod 600"), "{mode:o} {verb}: {ran:?}");
                assert!(ran.document()["notes"].to_string().contains(key), "{verb}: {ran:?}");
            }
        }
        set(&desk, "doctor.ukey", 0o600);
        let ran = desk.done(&format!("ucrypt verify p.upolicy{by}"));
        assert!(!ran.err.contains("is secret"), "{ran:?}");
    }

    #[test]
    fn a_passphrase_that_others_can_read_is_told_when_it_is_set() {
        let desk = desk();
        desk.write("secret", "a passphrase for one share\n");
        let by = with(&BOTH);
        for (mode, is_told) in [(0o644, true), (0o600, false)] {
            set(&desk, "secret", mode);
            let policy = format!("b{mode:o}.upolicy");
            let bare = format!(
                "-p 2 --holder doctor.upub --holder payer.upub --bare notary{mode:o} --share-passphrase-file secret"
            );
            for verb in [
                format!("keygen late{mode:o} --passphrase-file secret"),
                format!("policy new {policy} {bare} --fields fields.toml"),
                format!("refresh {policy} --share-passphrase-file secret{by}"),
            ] {
                let ran = desk.done(&format!("ucrypt {verb} --json"));
                let has_told = |text: &str| text.contains("secret is secret, and others than its owner can get at it");
                assert!(has_told(&ran.err) == is_told && has_told(&ran.out) == is_told, "{verb}: {ran:?}");
            }
        }
    }
}
