//! Documents, keys, policies and logs that are one file under several names: nothing is lost, and no command waits for itself.

#![cfg(unix)]

use crate::holders::*;
use crate::program::{Desk, Ran};
use std::os::unix::fs::symlink;

const BOTH: [&str; 2] = ["doctor", "payer"];

fn link(desk: &Desk, to: &str, name: &str) {
    let _ = std::fs::remove_file(desk.path(name));
    symlink(to, desk.path(name)).expect("a link");
}

fn further_name(desk: &Desk, of: &str, name: &str) {
    let _ = std::fs::remove_file(desk.path(name));
    std::fs::hard_link(desk.path(of), desk.path(name)).expect("a link");
}

/// Runs a command that has so many seconds: 124 is the code of one that is not done by then.
fn in_time(desk: &Desk, seconds: u32, arguments: &str) -> Ran {
    let mut process = std::process::Command::new("timeout");
    process.arg(seconds.to_string()).arg(env!("CARGO_BIN_EXE_tamis")).args(arguments.split_whitespace());
    process.current_dir(desk.path("")).env("NO_COLOR", "1").stdin(std::process::Stdio::null());
    let output = process.output().expect("a program");
    let text = |bytes| String::from_utf8(bytes).expect("UTF-8");
    Ran { code: output.status.code().unwrap_or(-1), out: text(output.stdout), err: text(output.stderr) }
}

fn assert_not_done(desk: &Desk, arguments: &str, words: &[&str]) {
    let before = desk.listing();
    let ran = in_time(desk, 20, arguments);
    assert_eq!(ran.code, 2, "{arguments}: {ran:?}");
    assert!(words.iter().all(|word| ran.err.contains(word)), "{arguments}: {ran:?}");
    assert!(before == desk.listing(), "{arguments} changes something");
}

/// Two documents, the keys of the second of which are a link to those of the first.
fn desk_of_shared_keys() -> Desk {
    let desk = sealed_desk();
    std::fs::copy(desk.path("sealed.csv"), desk.path("twin.csv")).expect("a copy");
    link(&desk, "sealed.csv.ukeys", "twin.csv.ukeys");
    desk
}

#[test]
fn two_documents_with_one_key_file_are_not_rotated_together() {
    let desk = desk_of_shared_keys();
    let by = with(&BOTH);
    for command in [
        format!("ucrypt rotate p.upolicy sealed.csv twin.csv --full{by}"),
        format!("ucrypt rotate p.upolicy twin.csv sealed.csv --headers{by}"),
        format!("ucrypt remove-holder p.upolicy patient sealed.csv twin.csv{by}"),
    ] {
        assert_not_done(&desk, &command, &["sealed.csv", "twin.csv", "sealed.csv.ukeys", "put a copy"]);
    }
    // As the message says.
    std::fs::remove_file(desk.path("twin.csv.ukeys")).expect("a link");
    std::fs::copy(desk.path("sealed.csv.ukeys"), desk.path("twin.csv.ukeys")).expect("a copy");
    desk.done(&format!("ucrypt rotate p.upolicy sealed.csv twin.csv --full{by}"));
    for document in ["sealed.csv", "twin.csv"] {
        assert_opens(&desk, "p.upolicy", document, &BOTH);
    }
}

#[test]
fn documents_with_one_key_file_that_are_sealed_at_the_same_time_both_open() {
    let desk = desk_of_shared_keys();
    for round in 1..=4 {
        let children: Vec<std::process::Child> = ["sealed.csv", "twin.csv"]
            .map(|document| {
                let record = (round + 5).to_string();
                let seal = ["ucrypt", "seal", "p.upolicy", document, "--in-place", "--record", &record];
                desk.command(seal).stderr(std::process::Stdio::null()).spawn().expect("the program runs")
            })
            .into();
        for mut child in children {
            assert_eq!(child.wait().expect("it ends").code(), Some(0));
        }
    }
    for document in ["sealed.csv", "twin.csv"] {
        assert_opens(&desk, "p.upolicy", document, &BOTH);
    }
}

#[test]
fn the_policy_and_its_log_are_no_documents_and_nobody_waits_for_himself() {
    let desk = sealed_desk();
    let by = with(&BOTH);
    desk.done("ucrypt keygen reader");
    desk.done(&format!("ucrypt open p.upolicy sealed.csv --grant Choroba --to reader.upub -o g.ugrant{by}"));
    link(&desk, "p.uaudit", "log.csv");
    link(&desk, "p.upolicy", "policy.csv");
    further_name(&desk, "p.uaudit", "log2.csv");
    further_name(&desk, "p.upolicy", "policy2.csv");
    std::fs::copy(desk.path("sealed.csv"), desk.path("odd.csv")).expect("a copy");
    further_name(&desk, "p.uaudit", "odd.csv.ukeys");
    for name in ["p.uaudit", "log.csv", "log2.csv", "p.upolicy", "policy.csv", "policy2.csv", "odd.csv"] {
        let what = if name.contains("policy") { "policy" } else { "log" };
        let commands = [
            format!("ucrypt open p.upolicy {name} --kind csv -o z.csv{by}"),
            format!("ucrypt rotate p.upolicy sealed.csv {name} --kind csv --full{by}"),
            format!("ucrypt seal p.upolicy {name} --kind csv --all -o z.csv"),
            format!("ucrypt open p.upolicy {name} --kind csv --grant Choroba --to reader.upub -o z.ugrant{by}"),
        ];
        for command in commands {
            // Some names say already that they are no document.
            assert_not_done(&desk, &command, &[what]);
        }
        if name.contains(".csv") {
            for command in [
                format!("ucrypt open p.upolicy sealed.csv -o {name}{by}"),
                format!("ucrypt open p.upolicy sealed.csv --granted g.ugrant --with reader.ukey -o {name}"),
                format!("ucrypt seal p.upolicy plain.csv --all -o {name}"),
                format!("ucrypt seal p.upolicy {name} --all --in-place"),
            ] {
                assert_not_done(&desk, &command, &[what]);
            }
        }
    }
}

#[test]
fn a_log_that_is_the_policy_under_another_name_is_not_waited_for() {
    let desk = sealed_desk();
    further_name(&desk, "p.upolicy", "p.uaudit");
    let fingerprint = desk.json("ucrypt policy show p.upolicy", 0)["fingerprint"].as_str().expect("a text").to_owned();
    let seal = format!("ucrypt seal p.upolicy plain.csv --all -o z.csv --policy-fingerprint {fingerprint}");
    let ran = in_time(&desk, 20, &seal);
    assert!(ran.code == 0 && ran.err.contains("the log was not written"), "{ran:?}");
    assert_ne!(in_time(&desk, 20, &format!("ucrypt refresh p.upolicy{}", with(&BOTH))).code, 124);
}

#[test]
fn whoever_waits_for_another_command_says_for_what() {
    let desk = sealed_desk();
    let held = std::fs::File::open(desk.path("plain.csv")).expect("a document");
    held.lock().expect("a lock");
    let seal = "ucrypt seal p.upolicy plain.csv --all -o z.csv";
    let ran = in_time(&desk, 3, seal);
    assert!(ran.code == 124 && ran.err.contains("waiting for") && ran.err.contains("plain.csv"), "{ran:?}");
    held.unlock().expect("it was locked");
    assert!(!desk.done(seal).err.contains("waiting"));
}

#[test]
fn an_output_that_is_a_link_to_a_key_policy_log_or_data_keys_writes_over_none_of_them() {
    let desk = sealed_desk();
    let by = with(&BOTH);
    desk.done("ucrypt keygen reader");
    desk.done("ucrypt policy new other.upolicy -p 1 --holder reader.upub --bare lost --paper --fields fields.toml");
    for taken in ["reader.ukey", "reader.upub", "lost.ushare", "other.upolicy", "other.uaudit", "sealed.csv.ukeys"] {
        for kind in KINDS {
            let out = format!("out.{kind}");
            link(&desk, taken, &out);
            for command in [
                format!("ucrypt seal p.upolicy plain.{kind} --all -o {out}"),
                format!("ucrypt open p.upolicy sealed.{kind} -o {out}{by}"),
                format!("ucrypt open p.upolicy sealed.{kind} --grant Choroba --to reader.upub -o {out}{by}"),
                format!("ucrypt filter sealed.{kind} --drop --policy p.upolicy -o {out}"),
                format!("ucrypt seal p.upolicy {out} --all --in-place"),
            ] {
                assert_not_done(&desk, &command, &[&out, taken, "another name"]);
            }
        }
        // A further name of a file is not the file: what takes it leaves the others.
        let before = desk.bytes(taken);
        further_name(&desk, taken, "out.csv");
        desk.done("ucrypt seal p.upolicy plain.csv --all -o out.csv");
        assert_eq!(desk.bytes(taken), before, "{taken}");
    }
}

#[test]
fn a_link_in_the_place_of_data_keys_that_leads_nowhere_is_not_replaced() {
    let desk = sealed_desk();
    link(&desk, "gone.ukeys", "sealed.csv.ukeys");
    link(&desk, "gone.ukeys", "out.csv.ukeys");
    for command in [
        "ucrypt seal p.upolicy sealed.csv --record 6 --in-place",
        "ucrypt seal p.upolicy plain.csv --record 6 -o out.csv",
    ] {
        assert_not_done(&desk, command, &[".csv.ukeys", "leads to no file"]);
    }
}
