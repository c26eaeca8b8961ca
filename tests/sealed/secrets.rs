//! How `tamis ucrypt` takes lists, passphrases and keys: to the end, once, and without leaving traces.

use crate::holders::*;
use std::io::Write as _;
use std::process::Stdio;

#[test]
fn a_long_list_of_records_is_read_to_its_end() {
    let desk = desk();
    desk.write("list", format!("1\n{}5\n", "\n".repeat(16 << 20)));
    let sealed = desk.json("ucrypt seal p.upolicy plain.csv -o out.csv --records-from list", 0);
    assert_eq!(sealed["sealed"], 8);
}

#[test]
fn a_file_that_is_too_long_is_refused_and_not_cut() {
    let desk = desk();
    desk.write("long.upub", format!("{}{}", desk.read("patient.upub"), "\n".repeat(16 << 20)));
    let new = "ucrypt policy new x.upolicy -p 1 --holder long.upub --fields fields.toml";
    assert_refused(&desk, new, 2, &["long.upub", "longer than 16 MiB"]);
}

#[test]
fn keys_and_shares_that_are_none_are_refused_and_named_by_their_holder_or_file() {
    let desk = sealed_desk();
    desk.done(
        "ucrypt policy new n.upolicy -p 2 --holder patient.upub --holder doctor.upub --bare notary --paper --fields fields.toml",
    );
    desk.done("ucrypt seal n.upolicy plain.csv -o n.csv --record 5");
    let open = "ucrypt open n.upolicy n.csv -o out.csv --with patient.ukey";
    let broken = b"words = \"\xff\xfe\"\n";
    let long = vec![b'\n'; (16 << 20) + 1];
    for (content, why) in [(broken.as_slice(), "it is not text"), (&long, "longer than 16 MiB"), (b"", "corrupted")] {
        for (name, called) in [
            ("doctor.ukey", "\"doctor\""),
            ("moved.ukey", "\"moved.ukey\""),
            ("notary.ushare", "\"notary\""),
            ("notary.g7.ushare", "\"notary\""),
            ("moved.g7.ushare", "\"moved.g7.ushare\""),
        ] {
            std::fs::create_dir_all(desk.path("brought")).expect("a directory");
            desk.write(&format!("brought/{name}"), content);
            assert_refused(&desk, &format!("{open} --with brought/{name}"), 4, &[called, why]);
        }
        desk.write("words.txt", content);
        assert_refused(&desk, &format!("{open} --words-file notary=words.txt"), 4, &["\"notary\"", "corrupted"]);
    }
}

/// A key under a passphrase that asks for 2 to the power of 30 steps: a terabyte of memory, and an hour.
const DEAR: &str = "-----BEGIN AGE ENCRYPTED FILE-----
YWdlLWVuY3J5cHRpb24ub3JnL3YxCi0+IHNjcnlwdCBMWEVXUXJjbXNFUUJZbnlw
KzZ3eTlRIDMwCkxYRVdRcmNtc0VRQllueXArNnd5OWNoVEQ3R1FQTVRiQWlXSEY1
SWFTSUUKLS0tIExYRVdRcmNtc0VRQllueXArNnd5OWNoVEQ3R1FQTVRiQWlXSEY1
SWFTSUUKLXEWQrcmsEQBYnyp+6wy9S1xFkK3JrBEAWJ8qfusMvXIUw+xkDzE2wIl
hxeSGkiB
-----END AGE ENCRYPTED FILE-----
";

#[test]
fn hostile_files_under_a_passphrase_are_refused_in_no_time() {
    let desk = desk();
    desk.write("pass", "correct horse\n").write("wrong", "wrong horse\n");
    desk.done("ucrypt keygen careful --passphrase-file pass");
    desk.done(
        "ucrypt policy new c.upolicy -p 1 --holder careful.upub --bare notary --share-passphrase-file pass --fields fields.toml",
    );
    let verify = |file: &str, passphrase: &str, words: &[&str]| {
        let command = format!("ucrypt refresh c.upolicy --paper --with {file} --passphrase-file {passphrase}");
        assert_refused(&desk, &command, 4, words);
    };
    let (key, share) = (desk.read("careful.ukey"), desk.read("notary.ushare"));
    verify("careful.ukey", "wrong", &["\"careful\"", "passphrase does not open"]);
    let of_share = |armoured: &str| {
        let (start, end) = (share.find("-----BEGIN").expect("armour"), share.rfind("\"\"\"").expect("an end"));
        format!("{}{armoured}{}", &share[..start], &share[end..])
    };
    let long = DEAR.replace("hxeSGkiB\n", &format!("{}\nhxeSGkiB\n", "A".repeat(15 << 20)));
    // Too dear, too long, and cut in the head, in the body, before its end and after its first line.
    for (text, words) in [
        (DEAR.to_owned(), "more work than is reasonable"),
        (long, "corrupted"),
        (format!("{}\n", &key[..100]), "corrupted"),
        (key[..key.len() - 120].to_owned(), "corrupted"),
        (key[..key.len() - 20].to_owned(), "corrupted"),
        (format!("{}\n", key.lines().next().expect("a line")), "corrupted"),
    ] {
        desk.write("careful.ukey", &text);
        verify("careful.ukey", "pass", &["\"careful\"", words]);
        desk.write("notary.ushare", of_share(&text));
        verify("notary.ushare", "pass", &["\"notary\""]);
    }
    let hundred = vec![b'x'; 100 << 20];
    desk.write("careful.ukey", hundred);
    verify("careful.ukey", "pass", &["\"careful\"", "longer than 16 MiB"]);
}

#[cfg(target_os = "linux")]
#[test]
fn a_pipe_that_nobody_writes_to_keeps_nobody_waiting() {
    let desk = sealed_desk();
    let elsewhere = tempfile::tempdir().expect("a directory");
    let pipe = |name: &str| {
        let path = elsewhere.path().join(name).to_string_lossy().into_owned();
        assert!(std::process::Command::new("mkfifo").arg(&path).status().expect("mkfifo").success());
        path
    };
    let (policy, key, share) = (pipe("p.upolicy"), pipe("doctor.ukey"), pipe("doctor.ushare"));
    let open = "open p.upolicy sealed.csv -o out.csv --with patient.ukey --with";
    for command in [
        format!("policy show {policy}"),
        format!("seal {policy} plain.csv -o out.csv --record 5"),
        format!("refresh {policy} --with patient.ukey --with doctor.ukey"),
        format!("{open} {key}"),
        format!("{open} {share}"),
        format!("open p.upolicy sealed.csv -o out.csv --with patient.ukey --words-file doctor={share}"),
        format!("{open} /dev/zero"),
    ] {
        assert_refused(&desk, &format!("ucrypt {command}"), 2, &["no regular file"]);
    }
    // The policy of before would be kept under this name, which a rotation must not take from anything else.
    let kept = desk.path("p.e1.upolicy");
    assert!(std::process::Command::new("mkfifo").arg(&kept).status().expect("mkfifo").success());
    let rotate = "ucrypt rotate p.upolicy sealed.csv --full --with patient.ukey --with doctor.ukey";
    assert_refused(&desk, rotate, 2, &["p.e1.upolicy", "exists already"]);
    std::fs::remove_file(kept).expect("the pipe goes");
    // What the shell hands over has a writer.
    let open = format!("ucrypt {open} /dev/fd/0");
    let mut child = desk.command(open.split(' ')).stdin(Stdio::piped()).spawn().expect("the program runs");
    child.stdin.take().expect("a pipe").write_all(&desk.bytes("doctor.ukey")).expect("it reads");
    assert!(child.wait().expect("it ends").success());
    assert_eq!(desk.read("out.csv"), csv());
}

#[test]
fn one_passphrase_from_a_pipe_opens_two_keys() {
    let desk = desk();
    desk.write("pass", "correct horse\n");
    for holder in ["careful", "wary"] {
        desk.done(&format!("ucrypt keygen {holder} --passphrase-file pass"));
    }
    desk.done("ucrypt policy new c.upolicy -p 2 --holder careful.upub --holder wary.upub --fields fields.toml");
    desk.done("ucrypt seal c.upolicy plain.csv -o sealed.csv --record 5");
    let open = "ucrypt open c.upolicy sealed.csv -o out.csv --passphrase-file /dev/fd/0";
    let open = format!("{open}{}", with(&["careful", "wary"]));
    let mut child = desk.command(open.split(' ')).stdin(Stdio::piped()).spawn().expect("the program runs");
    child.stdin.take().expect("a pipe").write_all(b"correct horse\n").expect("it reads");
    assert!(child.wait().expect("it ends").success());
    assert_eq!(desk.read("out.csv"), csv());
}

#[test]
fn no_output_replaces_words_or_passphrases() {
    let desk = sealed_desk();
    desk.write("words.txt", "abandon ability").write("pass", "correct horse\n");
    let open = "ucrypt open p.upolicy sealed.csv --words-file doctor=words.txt --passphrase-file pass";
    for secret in ["words.txt", "pass"] {
        assert_refused(&desk, &format!("{open} -o {secret}"), 2, &[secret, "would be overwritten"]);
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_passphrase_without_the_memory_for_it_is_refused_in_words() {
    let desk = desk();
    desk.write("pass", "correct horse\n");
    desk.done("ucrypt keygen careful --passphrase-file pass");
    desk.done("ucrypt policy new c.upolicy -p 1 --holder careful.upub --fields fields.toml");
    let verify = "ucrypt verify c.upolicy --with careful.ukey --passphrase-file pass";
    for command in [verify, "ucrypt keygen wary --passphrase-file pass"] {
        let limited = format!("ulimit -v 260000; exec {} {command}", env!("CARGO_BIN_EXE_tamis"));
        let mut shell = std::process::Command::new("sh");
        let ran = shell.arg("-c").arg(limited).current_dir(desk.path("")).output().expect("a shell");
        let said = String::from_utf8_lossy(&ran.stderr).into_owned();
        assert_eq!(ran.status.code(), Some(2), "{command}: {said}");
        assert!(said.contains("256 MB of memory"), "{command}: {said}");
    }
    assert!(!desk.path("wary.ukey").exists() && !desk.path("wary.upub").exists());
    desk.done(verify);
}

#[cfg(target_os = "linux")]
#[test]
fn a_crash_leaves_no_core() {
    let desk = desk();
    let pipe = desk.path("pipe");
    assert!(std::process::Command::new("mkfifo").arg(&pipe).status().expect("mkfifo").success());
    let verify = "ucrypt verify p.upolicy --with doctor.ukey --passphrase-file pipe";
    let mut child = desk.command(verify.split(' ')).stdout(Stdio::null()).spawn().expect("the program runs");
    // Opens when the program opens its end, and then the program waits for the passphrase.
    let mut end = std::fs::OpenOptions::new().write(true).open(&pipe).expect("a pipe");
    let limits = std::fs::read_to_string(format!("/proc/{}/limits", child.id())).expect("a process");
    end.write_all(b"correct horse\n").expect("it reads");
    drop(end);
    assert!(child.wait().expect("it ends").success());
    let core = limits.lines().find_map(|line| line.strip_prefix("Max core file size")).expect("a limit");
    assert_eq!(core.split_whitespace().take(2).collect::<Vec<_>>(), ["0", "0"]);
}

#[test]
fn a_condition_comes_from_a_file_or_standard_input_and_is_not_repeated() {
    let desk = desk();
    desk.write("condition", "Choroba=AIDS\r\nChoroba=Grypa\n")
        .write("none", "Choroba=Podagra2\n")
        .write("no", "Podagra\n");
    for kind in KINDS {
        let sealed = |output: &str| desk.json(&format!("ucrypt inspect {output}"), 0)["sealed"].clone();
        desk.done(&format!("ucrypt seal p.upolicy plain.{kind} -o file.{kind} --where-file condition --record 5"));
        assert_eq!(sealed(&format!("file.{kind}")), 20, "{kind}");
        let command = format!("ucrypt seal p.upolicy plain.{kind} -o stdin.{kind} --where-file -");
        let mut child = desk
            .command(command.split_whitespace())
            .stdin(Stdio::piped())
            .stdout(Stdio::null())
            .spawn()
            .expect("it runs");
        child.stdin.take().expect("a pipe").write_all(b"Choroba=AIDS\n").expect("it is read");
        assert!(child.wait().expect("it ends").success());
        assert_eq!(sealed(&format!("stdin.{kind}")), 16, "{kind}");
    }
    let seal = "ucrypt seal p.upolicy plain.csv -o out.csv";
    assert_refused(&desk, &format!("{seal} --where-file none"), 2, &["that value in \"Choroba\""]);
    assert_refused(&desk, &format!("{seal} --where-file no"), 2, &["COLUMN=VALUE"]);
    assert_refused(&desk, &format!("{seal} --where Id=77"), 2, &["that value in \"Id\""]);
    assert_refused(&desk, &format!("{seal} --where-file none --where Id=5"), 2, &["--where"]);
}

#[test]
fn a_condition_chooses_nothing_where_records_have_no_keys() {
    let desk = desk();
    desk.write("keyless.toml", FIELDS.replace("record_key = \"Id\"\n", ""));
    desk.done(
        "ucrypt policy new k.upolicy -p 2 --bind f --holder patient.upub --holder doctor.upub --fields keyless.toml",
    );
    let seal = "ucrypt seal k.upolicy plain.xml -o out.xml --where Choroba=AIDS";
    assert_refused(&desk, seal, 2, &["\"Choroba\"", "no key"]);
}
