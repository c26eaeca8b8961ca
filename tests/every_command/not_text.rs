//! Names of files that are no UTF-8: they are names like others or, where only text can stand, refused with a word about them.

#![cfg(unix)]

use crate::program::Desk;
use std::ffi::OsString;
use std::os::unix::ffi::OsStringExt as _;
use std::path::PathBuf;

const POLICY: &str = "[input]\npath = \"people.csv\"\n[attributes.zip]\nrole = \"quasi-identifying\"\nhierarchy = { mask = {} }\n[[models]]\nkind = \"k-anonymity\"\nk = 2\n";

fn odd(name: &[u8]) -> OsString {
    OsString::from_vec(name.to_vec())
}

fn desk() -> Desk {
    let desk = Desk::new();
    desk.write("people.csv", "zip,s,n\n12,a,1\n12,b,2\n13,a,3\n13,b,4\n").write("policy.toml", POLICY);
    desk
}

fn at(desk: &Desk, name: &[u8]) -> PathBuf {
    desk.path("").join(odd(name))
}

/// The exit code, standard output and standard error of a command.
fn run(desk: &Desk, directory: &[u8], arguments: &[&[u8]]) -> (i32, String, String) {
    let arguments: Vec<OsString> = arguments.iter().map(|argument| odd(argument)).collect();
    let output = desk.command([]).current_dir(at(desk, directory)).args(&arguments).output().expect("the program runs");
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    let (out, err) = (text(&output.stdout), text(&output.stderr));
    assert!(!err.contains("panicked"), "{arguments:?}: {err}");
    (output.status.code().unwrap_or(-1), out, err)
}

fn done(desk: &Desk, arguments: &[&[u8]]) -> String {
    let (code, out, err) = run(desk, b"", arguments);
    assert_eq!(code, 0, "{arguments:?}: {err}");
    out
}

fn refused(desk: &Desk, arguments: &[&[u8]], words: &[&str]) {
    let before = desk.listing();
    let (code, _, err) = run(desk, b"", arguments);
    assert!(code == 2 && words.iter().all(|word| err.contains(word)), "{arguments:?}: {code}: {err}");
    assert!(before == desk.listing(), "{arguments:?} leaves something behind");
}

#[test]
fn results_in_json_spell_them_as_well_as_can_be() {
    let desk = desk();
    let lines: [(&[&[u8]], &[u8]); 4] = [
        (&[b"transform", b"new-key", b"k\xff"], b"k\xff"),
        (&[b"cells", b"generate", b"--sizes", b"2x2,3", b"--output", b"c\xff.csv"], b"c\xff.csv"),
        (&[b"transform", b"sample", b"people.csv", b"--rows", b"2", b"-o", b"s\xff.csv"], b"s\xff.csv"),
        (&[b"transform", b"synthesize", b"people.csv", b"-o", b"y\xff.csv"], b"y\xff.csv"),
    ];
    for (line, written) in lines {
        if line[0] == b"cells" && cfg!(not(feature = "cells")) {
            continue;
        }
        let out = done(&desk, &[line, &[b"--json".as_slice()]].concat());
        let document: serde_json::Value = serde_json::from_str(&out).expect("one JSON document");
        assert!(document.to_string().contains('\u{fffd}'), "{document}");
        assert!(at(&desk, written).exists(), "{line:?}");
    }
}

#[test]
fn tables_of_a_step_take_the_name_that_was_given() {
    let desk = desk();
    done(&desk, &[b"transform", b"link", b"people.csv", b"--sensitive", b"s", b"-o", b"l\xff.csv"]);
    let count = std::fs::read_dir(desk.path("")).expect("a directory").flatten();
    let made: Vec<OsString> = count.map(|entry| entry.file_name()).filter(|name| name.to_str().is_none()).collect();
    assert_eq!(made.len(), 3, "{made:?}");
    assert!(made.iter().all(|name| name.as_encoded_bytes().starts_with(b"l\xff.")), "{made:?}");
}

#[test]
fn a_manifest_is_applied_to_data_and_in_directories_with_such_names() {
    let desk = desk();
    done(&desk, &[b"anonymize", b"policy.toml", b"--output", b"out.csv", b"--manifest", b"m.json", b"--seed", b"1"]);
    std::fs::copy(desk.path("people.csv"), at(&desk, b"new\xff.csv")).expect("a copy");
    let out =
        done(&desk, &[b"apply", b"m.json", b"new\xff.csv", b"--output", b"r\xff.csv", b"--json", b"--seed", b"1"]);
    assert!(out.contains('\u{fffd}'), "{out}");
    assert_eq!(std::fs::read(at(&desk, b"r\xff.csv")).expect("a release"), desk.bytes("out.csv"));
    std::fs::create_dir(at(&desk, b"d\xff")).expect("a directory");
    for name in ["people.csv", "m.json", "policy.toml"] {
        std::fs::copy(desk.path(name), at(&desk, b"d\xff").join(name)).expect("a copy");
    }
    let (code, _, err) = run(&desk, b"d\xff", &[b"apply", b"m.json", b"people.csv", b"--output", b"r.csv"]);
    assert_eq!(code, 0, "{err}");
}

#[test]
fn what_would_have_to_be_named_in_text_is_refused_before_anything_is_written() {
    let desk = desk();
    std::fs::copy(desk.path("people.csv"), at(&desk, b"b\xff.csv")).expect("a copy");
    refused(&desk, &[b"init", b"b\xff.csv", b"-o", b"p.toml"], &["b\u{fffd}.csv", "not UTF-8"]);
    let line: &[&[u8]] = &[b"anonymize", b"policy.toml", b"-o", b"r\xff.csv", b"--manifest", b"m.json"];
    refused(&desk, line, &["r\u{fffd}.csv: ", "m.json", "not UTF-8"]);
    done(&desk, &[b"anonymize", b"policy.toml", b"-o", b"r\xff.csv"]);
}

#[test]
fn options_with_a_name_and_a_file_take_any_file_or_say_which_argument_is_no_text() {
    let desk = desk();
    std::fs::write(at(&desk, b"h\xff.csv"), "a;x\nb;x\n").expect("a file");
    let hierarchy = b"s=h\xff.csv".as_slice();
    done(&desk, &[b"check", b"people.csv", b"--quasi", b"zip", b"--sensitive", b"s", b"--hierarchy", hierarchy]);
    done(
        &desk,
        &[
            b"transform",
            b"link",
            b"people.csv",
            b"--sensitive",
            b"s",
            b"-o",
            b"l.csv",
            b"--table",
            b"sensitive=v\xff.csv",
        ],
    );
    assert!(at(&desk, b"v\xff.csv").exists());
    refused(&desk, &[b"check", b"people.csv", b"--quasi", b"z\xff"], &["--quasi", "z\u{fffd}", "UTF-8"]);
    refused(&desk, &[b"check", b"people.csv", b"--quasi=z\xff"], &["(--quasi)", "UTF-8"]);
}
