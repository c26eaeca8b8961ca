//! What the log of a policy tells: everybody who came, and files that were put back.

use crate::holders::*;
use crate::program::Desk;

fn log(desk: &Desk) -> String {
    desk.done("ucrypt audit show p.upolicy").out
}

fn last_line(desk: &Desk) -> String {
    log(desk).lines().last().expect("a line").to_owned()
}

/// Words of a list that is no share of anybody, with a good checksum.
const OTHER_WORDS: &str = "abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon \
    abandon abandon abandon abandon abandon abandon abandon abandon abandon art";

#[test]
fn rules_that_are_put_back_are_told_though_epoch_and_generation_are_the_same() {
    let desk = sealed_desk();
    let both = with(&["doctor", "payer"]);
    let old = desk.read("p.upolicy");
    desk.done(&format!("ucrypt policy amend p.upolicy --pad 256{both}"));
    let new = desk.read("p.upolicy");
    desk.json("ucrypt audit check p.upolicy", 0);
    desk.write("p.upolicy", &old);
    for command in [
        "seal p.upolicy plain.csv -o late.csv --record 4",
        "inspect sealed.csv --policy p.upolicy",
        "filter sealed.csv --policy p.upolicy --drop -o rest.csv",
    ] {
        let ran = desk.done(&format!("ucrypt {command}"));
        assert!(ran.err.contains("an older file was put back"), "{command}: {ran:?}");
    }
    let problem = desk.json("ucrypt audit check p.upolicy", 1)["problem"].to_string();
    assert!(problem.contains("other rules"), "{problem}");
    desk.write("p.upolicy", new);
    desk.json("ucrypt audit check p.upolicy", 0);
}

#[test]
fn what_was_done_with_an_older_file_is_told_also_when_the_newer_one_is_there_again() {
    let desk = sealed_desk();
    let both = with(&["doctor", "payer"]);
    let old = desk.read("p.upolicy");
    desk.done(&format!("ucrypt refresh p.upolicy{both}"));
    let new = desk.read("p.upolicy");
    assert_eq!(desk.json("ucrypt audit check p.upolicy", 0)["notes"], serde_json::json!([]));
    desk.write("p.upolicy", old);
    assert_opens(&desk, "p.upolicy", "sealed.csv", &["doctor", "payer"]);
    desk.write("p.upolicy", new);
    let notes = desk.json("ucrypt audit check p.upolicy", 0)["notes"].to_string();
    assert!(notes.contains("(open) was done with another file of the policy, epoch 1, generation 1"), "{notes}");
    // Rules of before, used and taken back.
    let old = desk.read("p.upolicy");
    desk.done(&format!("ucrypt policy amend p.upolicy --pad 256{both}"));
    let new = desk.read("p.upolicy");
    desk.write("p.upolicy", old);
    desk.done("ucrypt seal p.upolicy plain.csv -o other.csv --record 4");
    desk.write("p.upolicy", new);
    let notes = desk.json("ucrypt audit check p.upolicy", 0)["notes"].to_string();
    assert!(notes.contains("(seal) was done with another file of the policy, epoch 1, generation 2"), "{notes}");
    // A file that somebody edited is no later one: what follows is not blamed.
    let good = desk.read("p.upolicy");
    desk.write("p.upolicy", good.replace("\nepoch = 1\n", "\nepoch = 9\n"));
    let edited = desk.json("ucrypt policy show p.upolicy", 0)["fingerprint"].as_str().expect("a text").to_owned();
    desk.done(&format!("ucrypt seal p.upolicy plain.csv -o other.csv --record 4 --policy-fingerprint {edited}"));
    desk.write("p.upolicy", good);
    assert_opens(&desk, "p.upolicy", "sealed.csv", &["doctor", "payer"]);
    let notes = desk.json("ucrypt audit check p.upolicy", 0)["notes"].clone();
    assert_eq!(notes.as_array().map(Vec::len), Some(3), "{notes}");
}

#[test]
fn rotations_that_fail_are_told_with_their_holders() {
    let desk = sealed_desk();
    let text = desk.read("sealed.csv");
    let at = text.find("</UCRYPT>").expect("a cell") - 9;
    let other = if &text[at..=at] == "A" { "B" } else { "A" };
    desk.write("sealed.csv", format!("{}{other}{}", &text[..at], &text[at + 1..]));
    for change in ["rotate p.upolicy sealed.csv --full", "remove-holder p.upolicy doctor sealed.csv"] {
        assert_refused(&desk, &format!("ucrypt {change}{}", with(&["patient", "payer"])), 5, &["record \"5\""]);
        let line = last_line(&desk);
        assert!(line.contains("refuse") && line.contains("by patient, payer") && line.contains("sealed.csv"), "{line}");
    }
}

/// `--words-file` with its two sides exchanged must not bring the words into the log.
#[test]
fn what_is_no_name_of_a_holder_is_not_repeated() {
    let desk = sealed_desk();
    desk.write("pw", "x");
    let words = format!("--words-file={OTHER_WORDS}=pw");
    let ran = desk.tamis_with(&["ucrypt", "open", "p.upolicy", "sealed.csv", "-o", "out.csv", &words]);
    assert!(ran.code == 2 && !ran.err.contains("abandon") && !desk.read("p.uaudit").contains("abandon"), "{ran:?}");
}

#[test]
fn whoever_brings_what_cannot_be_read_is_named() {
    let desk = sealed_desk();
    desk.write("right", "correct horse\n").write("wrong", "battery staple\n").write("words", OTHER_WORDS);
    desk.done("ucrypt keygen guarded --passphrase-file right");
    for (came, name, why) in [
        ("--with guarded.ukey --passphrase-file wrong", "guarded", "passphrase"),
        ("--words-file doctor=words", "doctor", "not the share"),
        ("--words-file stranger=words", "stranger", "holder"),
    ] {
        let open = format!("ucrypt open p.upolicy sealed.csv -o out.csv --with patient.ukey {came}");
        assert_refused(&desk, &open, 4, &[name]);
        let line = last_line(&desk);
        assert!(line.contains("refuse") && line.contains(name) && line.contains(why), "{line}");
    }
}

#[test]
fn what_a_grant_opens_and_whose_share_is_replaced_is_told() {
    let desk = sealed_desk();
    desk.done("ucrypt keygen reader");
    let both = with(&["patient", "payer"]);
    desk.done(&format!("ucrypt open p.upolicy sealed.csv --grant Choroba --to reader.upub -o g.ugrant{both}"));
    desk.done("ucrypt open p.upolicy sealed.csv --granted g.ugrant --with reader.ukey -o read.csv");
    assert!(last_line(&desk).contains("1 cell of sealed.csv by a grant"), "{}", log(&desk));
    // A reader who has a copy of the policy gets no log of it.
    desk.write("copy.upolicy", desk.read("p.upolicy"));
    desk.done("ucrypt open copy.upolicy sealed.csv --granted g.ugrant --with reader.ukey -o again.csv");
    assert!(!desk.path("copy.uaudit").exists());

    desk.done(&format!("ucrypt replace-key p.upolicy doctor --bare --paper{both}"));
    desk.done(&format!("ucrypt replace-key p.upolicy doctor --bare --paper{both}"));
    assert!(last_line(&desk).contains("another share for doctor"), "{}", log(&desk));
}

#[test]
fn an_edited_log_is_shown_as_far_as_it_is_good() {
    let desk = sealed_desk();
    let text = desk.read("p.uaudit").replacen("sealed.sql", "sealed.txt", 1);
    desk.write("p.uaudit", text);
    let ran = desk.tamis("ucrypt audit show p.upolicy");
    assert!(ran.code == 1 && ran.out.contains("sealed.csv") && !ran.out.contains("sealed.db"), "{ran:?}");
    let shown = desk.json("ucrypt audit show p.upolicy", 1);
    assert_eq!(shown["entries"].as_array().map(Vec::len), Some(3), "{shown}");
    assert!(shown["problem"].to_string().contains("line 4"), "{shown}");
}

#[test]
fn a_new_policy_does_not_go_on_with_the_log_of_another() {
    let desk = sealed_desk();
    std::fs::remove_file(desk.path("p.upolicy")).expect("a policy");
    let new = "ucrypt policy new p.upolicy -p 2 --holder patient.upub --holder doctor.upub --fields fields.toml";
    assert_refused(&desk, new, 2, &["p.uaudit", "exists already"]);
}

/// The policy asks for three holders, and two of them show that it was edited.
#[test]
fn verify_does_not_believe_an_edited_policy_about_how_many_it_takes() {
    let desk = sealed_desk();
    let text = desk.read("p.upolicy");
    assert_eq!(text.matches("\np = 2\n").count(), 1);
    desk.write("p.upolicy", text.replace("\np = 2\n", "\np = 3\n"));
    let verified = desk.json(&format!("ucrypt verify p.upolicy{}", with(&["patient", "payer"])), 1);
    assert_eq!(verified["policy_good"], false, "{verified}");
    let alone = desk.json("ucrypt verify p.upolicy --with patient.ukey", 0);
    assert!(alone["policy_good"].is_null(), "{alone}");
}

/// A name of a file that looks like a line of the log is shown as a name.
#[test]
fn texts_of_others_stay_on_their_line() {
    let desk = desk();
    let name = "x\n   9  2026-01-01T00:00:00Z  open\u{1b}[2J.csv";
    let ran = desk.tamis_with(&["ucrypt", "seal", "p.upolicy", "plain.csv", "-o", name, "--record", "5"]);
    assert_eq!(ran.code, 0, "{ran:?}");
    let shown = log(&desk);
    assert_eq!(shown.lines().count(), 2, "{shown}");
    assert!(shown.contains("\\n   9") && shown.contains("\\u{1b}[2J"), "{shown}");
    let gone = desk.tamis_with(&["ucrypt", "inspect", "none\u{1b}[2J.csv"]);
    assert!(gone.code == 2 && !gone.err.contains('\u{1b}') && gone.err.contains("\\u{1b}"), "{gone:?}");
}

#[test]
fn a_hash_that_was_kept_is_found_in_capital_letters_too() {
    let desk = desk();
    let last = desk.json("ucrypt audit check p.upolicy", 0)["last"].as_str().expect("a hash").to_owned();
    for hash in [last.to_ascii_uppercase(), last] {
        desk.json(&format!("ucrypt audit check p.upolicy --contains {hash}"), 0);
    }
}

#[test]
fn who_read_by_a_grant_and_how_deep_a_rotation_went_is_told() {
    let desk = sealed_desk();
    for name in ["reader", "thief"] {
        desk.done(&format!("ucrypt keygen {name}"));
    }
    let both = with(&["patient", "payer"]);
    desk.done(&format!("ucrypt open p.upolicy sealed.csv --grant Choroba --to reader.upub -o g.ugrant{both}"));
    let read = "ucrypt open p.upolicy sealed.csv --granted g.ugrant -o read.csv --with";
    desk.done(&format!("{read} reader.ukey"));
    assert!(last_line(&desk).ends_with("1 cell of sealed.csv by a grant, for reader"), "{}", log(&desk));
    assert_refused(&desk, &format!("{read} thief.ukey"), 2, &["g.ugrant"]);
    let line = last_line(&desk);
    assert!(line.contains("refuse") && line.contains("by a grant, for thief") && line.contains("sealed.csv"), "{line}");
    desk.done(&format!("ucrypt rotate p.upolicy sealed.csv --headers{both}"));
    assert!(last_line(&desk).ends_with("sealed.csv; data keys only"), "{}", log(&desk));
    desk.done(&format!("ucrypt rotate p.upolicy sealed.csv --full{both}"));
    assert!(last_line(&desk).ends_with("sealed.csv; full"), "{}", log(&desk));
    assert_refused(&desk, &format!("{read} reader.ukey"), 5, &["another grant"]);
    let line = last_line(&desk);
    assert!(line.contains("refuse") && line.contains("by a grant, for reader"), "{line}");
}
