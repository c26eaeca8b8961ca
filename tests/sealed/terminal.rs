//! `tamis ucrypt` at a terminal: passphrases are asked for and not shown, Ctrl-C leaves nothing, long readings show how far they are.
//!
//! The terminal is a pseudo-terminal, which Python makes: `tests/terminal/talk.py`.

#![cfg(unix)]

use crate::holders::*;
use crate::program::{Desk, repository};
use serde_json::{Value, json};
use std::process::Command;

const SECRET: &str = "correct horse battery";

/// Runs a command at a terminal and answers its questions; what talk.py says about it.
fn talk(desk: &Desk, command: &str, dialogue: &Value) -> Value {
    let ran = Command::new("python3")
        .arg(repository().canonicalize().expect("the repository").join("tests/terminal/talk.py"))
        .arg(dialogue.to_string())
        .arg(env!("CARGO_BIN_EXE_tamis"))
        .args(command.split(' '))
        .current_dir(desk.path(""))
        .env("TERM", "xterm")
        .output()
        .expect("python3 is needed for this test");
    let said: Value = serde_json::from_slice(&ran.stdout).unwrap_or_else(|error| panic!("{error}: {ran:?}"));
    assert_eq!(said["unanswered"], 0, "a question was not asked: {said}");
    assert_eq!(said["shows_typing"], true, "the terminal is left without echo: {said}");
    let shown = said["shown"].as_str().expect("text");
    assert!(!shown.contains("horse"), "a passphrase was shown: {shown}");
    said
}

fn has_key(desk: &Desk) -> bool {
    desk.path("careful.ukey").exists() || desk.path("careful.upub").exists()
}

#[test]
fn a_new_passphrase_is_asked_for_twice_and_not_shown() {
    let desk = desk();
    let typed = format!("{SECRET}\n");
    let made = talk(
        &desk,
        "ucrypt keygen careful --passphrase",
        &json!([["New passphrase for ./careful.ukey: ", typed], ["The same again: ", typed]]),
    );
    assert_eq!(made["code"], 0, "{made}");
    desk.done("ucrypt policy new c.upolicy -p 1 --holder careful.upub --fields fields.toml");
    let verify = "ucrypt verify c.upolicy --with careful.ukey";
    let good = talk(&desk, verify, &json!([["Passphrase of careful.ukey: ", typed]]));
    assert_eq!(good["code"], 0, "{good}");
    let wrong = talk(&desk, verify, &json!([["Passphrase of careful.ukey: ", "wrong horse\n"]]));
    assert_eq!(wrong["code"], 4, "{wrong}");
}

#[test]
fn two_passphrases_that_differ_and_an_empty_one_are_refused() {
    let desk = Desk::new();
    for (first, second, why) in [("a horse\n", "b horse\n", "differ"), ("\n", "\n", "empty passphrase")] {
        let dialogue = json!([["New passphrase", first], ["The same again", second]]);
        let refused = talk(&desk, "ucrypt keygen careful --passphrase", &dialogue);
        assert_eq!(refused["code"], 2, "{refused}");
        assert!(refused["shown"].as_str().is_some_and(|shown| shown.contains(why)), "{refused}");
        assert!(!has_key(&desk));
    }
}

#[test]
fn ctrl_c_at_a_question_leaves_nothing() {
    let desk = Desk::new();
    for dialogue in [
        json!([["New passphrase", "\u{3}"]]),
        json!([["New passphrase", "a horse\n"], ["The same again", "a ho\u{3}"]]),
    ] {
        let ended = talk(&desk, "ucrypt keygen careful --passphrase", &dialogue);
        assert_eq!(ended["signal"], 2, "{ended}");
        assert!(desk.listing().is_empty(), "{:?}", desk.listing().keys());
    }
}

#[test]
fn the_passphrase_of_new_shares_is_asked_for_and_the_right_option_named_where_nobody_can_be_asked() {
    let desk = desk();
    let new = "ucrypt policy new b.upolicy -p 2 --holder patient.upub --bare notary --fields fields.toml";
    assert_refused(&desk, new, 2, &["--share-passphrase-file", "--paper"]);
    assert_refused(&desk, "ucrypt keygen careful --passphrase", 2, &["give --passphrase-file"]);
    let typed = format!("{SECRET}\n");
    let dialogue =
        json!([["New passphrase for the shares of notary outside the policy: ", typed], ["The same again: ", typed]]);
    let made = talk(&desk, new, &dialogue);
    assert_eq!(made["code"], 0, "{made}");
    let verify = "ucrypt verify b.upolicy --with notary.ushare";
    assert_refused(&desk, verify, 2, &["notary.ushare", "--passphrase-file"]);
    let good = talk(&desk, verify, &json!([["Passphrase of notary.ushare: ", typed]]));
    assert_eq!(good["code"], 0, "{good}");
}

#[test]
fn long_readings_show_how_far_they_are_at_a_terminal_only() {
    let desk = desk();
    let line = "Kowalski,Inżynier,Kraków,AIDS\n";
    let long: String = (1..=700_000).map(|id| format!("{id},{line}")).collect::<Vec<_>>().concat();
    desk.write("pacjenci.csv", format!("{}\n{long}", COLUMNS.join(",")));
    let seal = "ucrypt seal p.upolicy pacjenci.csv -o long.csv --record 5";
    let shown = talk(&desk, seal, &json!([]));
    assert_eq!(shown["code"], 0, "{shown}");
    let is_bar =
        |said: &Value| said["shown"].as_str().is_some_and(|shown| shown.contains("reading ") && shown.contains("iB/"));
    assert!(is_bar(&shown), "{shown}");
    let quiet = talk(&desk, &format!("{seal} --quiet"), &json!([]));
    assert!(!is_bar(&quiet), "{quiet}");
    let ran = desk.done(seal);
    assert!(!ran.err.contains("reading"), "{ran:?}");
}

#[test]
fn a_seed_is_neither_offered_nor_taken() {
    let desk = desk();
    for verb in ["keygen", "seal", "open", "rotate", "inspect", "policy new"] {
        let help = desk.done(&format!("ucrypt {verb} --help")).out;
        assert!(!help.contains("--seed") && help.contains("--json"), "{help}");
    }
    for command in ["ucrypt keygen x --seed 1", "ucrypt --seed 1 keygen x", "--seed 1 ucrypt keygen x"] {
        assert_refused(&desk, command, 2, &["--seed is refused here"]);
    }
}
