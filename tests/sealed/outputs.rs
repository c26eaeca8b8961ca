//! Where `tamis ucrypt` writes: over nothing that would be missed, and nothing that only seems to be what was asked for.

use crate::holders::*;

#[test]
fn no_document_is_written_over_keys_policies_or_logs() {
    let desk = sealed_desk();
    let pair = with(&["doctor", "payer"]);
    for taken in ["ukeys", "uaudit", "upolicy", "next", "ukey", "upub", "ushare", "UKEY"] {
        for output in [format!("new.{taken}"), format!("p.{taken}")] {
            let words = [output.as_str(), "another name"];
            assert_refused(&desk, &format!("ucrypt seal p.upolicy plain.csv -o {output} --record 5"), 2, &words);
            assert_refused(&desk, &format!("ucrypt open p.upolicy sealed.csv -o {output}{pair}"), 2, &words);
            let filter = format!("ucrypt filter sealed.csv --drop --policy p.upolicy -o {output}");
            assert_refused(&desk, &filter, 2, &words);
        }
    }
    assert_refused(&desk, "ucrypt seal p.upolicy plain.csv -o sealed.csv.ukeys --record 5", 2, &["another name"]);
    desk.done("ucrypt seal p.upolicy plain.csv -o ukeys --record 5");
}

#[test]
fn a_filter_whose_records_hold_none_of_the_sealed_fields_writes_nothing() {
    let desk = sealed_desk();
    let words = ["sealed.xml: 4 sealed fields", "none in a record", "nothing was written"];
    for path in ["/pacjenci/pacjenci", "/pacjent", "/pacjenci/pacjent/Id"] {
        for what in ["--drop", "--only"] {
            let filter = format!("ucrypt filter sealed.xml {what} --record-path {path} -o out.xml");
            assert_refused(&desk, &filter, 2, &words);
        }
    }
    desk.write("other.toml", FIELDS.replace("\"pacjenci\"", "\"inni\"").replace("/pacjenci/", "/inni/"));
    desk.done("ucrypt policy new o.upolicy -p 2 --holder doctor.upub --holder payer.upub --fields other.toml");
    for kind in ["xml", "sql", "db"] {
        let filter = format!("ucrypt filter sealed.{kind} --drop --policy o.upolicy -o out.{kind}");
        assert_refused(&desk, &filter, 2, &["nothing was written"]);
    }
    desk.done("ucrypt filter sealed.xml --drop --record-path /pacjenci/pacjent -o out.xml");
    assert_eq!(desk.read("out.xml").matches("<pacjent>").count(), 8);
}

#[test]
fn a_filter_knows_cells_of_another_name_only_when_told_and_writes_nothing_before() {
    let desk = desk();
    let new = "ucrypt policy new s.upolicy -p 2 --holder doctor.upub --holder payer.upub --fields fields.toml";
    desk.done(&format!("{new} --element SEJF"));
    desk.done(&new.replace("s.upolicy", "o.upolicy"));
    for kind in KINDS {
        let path = if kind == "xml" { " --record-path /pacjenci/pacjent" } else { "" };
        desk.done(&format!("ucrypt seal s.upolicy plain.{kind} -o s.{kind} --record 5"));
        for what in ["--drop", "--only"] {
            for how in [path, " --policy o.upolicy"] {
                let filter = format!("ucrypt filter s.{kind} {what}{how} -o out.{kind}");
                assert_refused(
                    &desk,
                    &filter,
                    2,
                    &["not called <UCRYPT>", "<SEJF>", "--element", "nothing was written"],
                );
            }
        }
        for how in [format!("{path} --element SEJF"), " --policy s.upolicy".to_owned()] {
            let kept = desk.json(&format!("ucrypt filter s.{kind} --drop{how} -o rest.{kind}"), 0);
            assert_eq!((&kept["kept"], &kept["dropped"]), (&8.into(), &1.into()), "{kind}{how}");
        }
        // What is left has no cell of any name, whether or not data keys stayed behind.
        desk.done(&format!("ucrypt filter rest.{kind} --drop{path} -o again.{kind}"));
        desk.done(&format!("ucrypt filter plain.{kind} --drop{path} -o plain-again.{kind}"));
    }
}

#[test]
fn a_query_for_a_policy_without_columns_is_refused() {
    let desk = desk();
    let xml = FIELDS.lines().filter(|line| !line.starts_with("key =")).collect::<Vec<_>>().join("\n");
    desk.write("xml.toml", xml);
    desk.done("ucrypt policy new x.upolicy -p 1 --holder doctor.upub --fields xml.toml");
    assert_refused(&desk, "ucrypt filter --sql --drop --policy x.upolicy", 2, &["no column of a table"]);
}

#[cfg(unix)]
mod of_a_system {
    use super::*;
    use std::os::unix::fs::{FileTypeExt as _, PermissionsExt as _};
    use std::process::Command;

    /// The superuser may replace anything.
    #[test]
    fn what_is_no_regular_file_is_not_replaced() {
        let desk = sealed_desk();
        let pipe = desk.path("pipe.csv");
        assert!(Command::new("mkfifo").arg(&pipe).status().expect("mkfifo").success());
        std::os::unix::fs::symlink("pipe.csv", desk.path("out.csv.ukeys")).expect("a link");
        let pair = with(&["doctor", "payer"]);
        for (command, words) in [
            ("seal p.upolicy plain.csv -o pipe.csv --record 5".to_owned(), "pipe"),
            (format!("open p.upolicy sealed.csv -o pipe.csv{pair}"), "pipe"),
            ("seal p.upolicy plain.csv -o out.csv --record 5".to_owned(), "out.csv.ukeys is no regular file"),
        ] {
            let ran = desk.tamis(&format!("ucrypt {command}"));
            assert!(ran.code == 2 && ran.err.contains(words), "{command}: {ran:?}");
            assert!(std::fs::metadata(&pipe).expect("it is there").file_type().is_fifo(), "{command}");
        }
        std::fs::remove_file(pipe).expect("it is there");
    }

    #[test]
    fn further_names_of_a_document_keep_what_it_was_and_that_is_told() {
        let desk = desk();
        for kind in KINDS {
            let name = format!("plain.{kind}");
            std::fs::hard_link(desk.path(&name), desk.path("other")).expect("a link");
            let told = desk.json(&format!("ucrypt seal p.upolicy {name} --in-place --record 5"), 0);
            let words = format!("{name} had 1 further name (hard link), under which it is not sealed");
            assert!(told["notes"].to_string().contains(&words), "{told}");
            std::fs::remove_file(desk.path("other")).expect("a link");
            let quiet = desk.tamis(&format!("ucrypt seal p.upolicy {name} --in-place --record 6"));
            assert!(quiet.code == 0 && !quiet.err.contains("hard link"), "{quiet:?}");
            std::fs::hard_link(desk.path(&name), desk.path("other")).expect("a link");
            let pair = with(&["doctor", "payer"]);
            let rotated = desk.tamis(&format!("ucrypt rotate p.upolicy {name} --full --table pacjenci{pair}"));
            assert!(rotated.err.contains("under which it is what it was before"), "{rotated:?}");
            std::fs::remove_file(desk.path("other")).expect("a link");
        }
    }

    #[test]
    fn nothing_is_told_of_further_names_of_a_document_that_is_not_replaced() {
        let desk = sealed_desk();
        for name in ["plain.csv", "sealed.csv", "sealed.xml"] {
            std::fs::hard_link(desk.path(name), desk.path(&format!("other-{name}"))).expect("a link");
        }
        let pair = with(&["doctor", "payer"]);
        let documents = "plain.csv sealed.csv sealed.xml";
        for (depth, replaced) in [("headers", vec!["sealed.xml"]), ("full", vec!["sealed.csv"])] {
            let told = desk.json(&format!("ucrypt rotate p.upolicy {documents} --{depth}{pair}"), 0);
            let notes = told["notes"].to_string();
            for name in documents.split(' ') {
                assert_eq!(
                    notes.contains(&format!("{name} had 1 further")),
                    replaced.contains(&name),
                    "{name}: {told}"
                );
            }
        }
        let told = desk.json("ucrypt seal p.upolicy sealed.csv --in-place --record 5", 0);
        assert!(!told["notes"].to_string().contains("hard link"), "{told}");
    }

    #[test]
    fn a_new_document_is_readable_by_nobody_who_could_not_read_the_one_it_comes_from() {
        let desk = desk();
        let mode = |name: &str| std::fs::metadata(desk.path(name)).expect("a file").permissions().mode() & 0o777;
        let set = |name: &str, mode: u32| {
            std::fs::set_permissions(desk.path(name), std::fs::Permissions::from_mode(mode)).expect("it is ours");
        };
        desk.write("probe", "");
        let usual = mode("probe");
        for kind in KINDS {
            for given in [0o600, 0o640, 0o666] {
                let [plain, sealed, again, kept] =
                    ["plain", "sealed", "again", "kept"].map(|name| format!("{name}{given:o}.{kind}"));
                std::fs::copy(desk.path(&format!("plain.{kind}")), desk.path(&plain)).expect("a copy");
                set(&plain, given);
                desk.done(&format!("ucrypt seal p.upolicy {plain} -o {sealed} --record 5 --table pacjenci"));
                assert_eq!(mode(&sealed), given & usual, "{kind}");
                // What is sealed already is copied.
                set(&sealed, given);
                desk.done(&format!("ucrypt seal p.upolicy {sealed} -o {again} --record 5 --table pacjenci"));
                assert_eq!(mode(&again), given & usual, "{kind}");
                desk.done(&format!("ucrypt filter {sealed} --only -o {kept} --policy p.upolicy --table pacjenci"));
                assert_eq!(mode(&kept), given & usual, "{kind}");
            }
        }
    }

    #[test]
    fn the_keys_of_a_table_are_readable_by_nobody_who_cannot_read_the_table() {
        let desk = desk();
        let mode = |name: &str| std::fs::metadata(desk.path(name)).expect("a file").permissions().mode() & 0o777;
        let set = |name: &str, mode: u32| {
            std::fs::set_permissions(desk.path(name), std::fs::Permissions::from_mode(mode)).expect("it is ours");
        };
        set("plain.csv", 0o600);
        desk.done("ucrypt seal p.upolicy plain.csv -o sealed.csv --record 5");
        assert_eq!((mode("sealed.csv"), mode("sealed.csv.ukeys")), (0o600, 0o600));
        // An output that is there keeps its permissions.
        set("plain.csv", 0o644);
        desk.write("there.csv", "");
        set("there.csv", 0o600);
        desk.done("ucrypt seal p.upolicy plain.csv -o there.csv --record 5 --table pacjenci");
        assert_eq!((mode("there.csv"), mode("there.csv.ukeys")), (0o600, 0o600));
    }
}

#[test]
fn keys_that_stand_at_the_name_of_a_new_output_are_kept() {
    let desk = sealed_desk();
    let old = desk.read("sealed.csv.ukeys");
    std::fs::rename(desk.path("sealed.csv"), desk.path("moved.csv")).expect("a file");
    desk.done("ucrypt seal p.upolicy plain.csv -o sealed.csv --record 6");
    let both = desk.read("sealed.csv.ukeys");
    assert!(both.lines().count() == 2 && both.starts_with(&old), "{both}");
    assert_opens(&desk, "p.upolicy", "sealed.csv", &["doctor", "payer"]);
    std::fs::rename(desk.path("moved.csv"), desk.path("sealed.csv")).expect("a file");
    assert_opens(&desk, "p.upolicy", "sealed.csv", &["doctor", "payer"]);
    // So are those of a document whose place another one takes: it may have been copied.
    desk.done("ucrypt seal p.upolicy plain.csv -o sealed.csv --record 7");
    assert!(desk.read("sealed.csv.ukeys").starts_with(&both) && desk.read("sealed.csv.ukeys").lines().count() == 3);
    std::fs::remove_file(desk.path("sealed.csv")).expect("a file");
    let keys = desk.read("sealed.csv.ukeys");
    desk.done("ucrypt filter plain.csv --drop -o sealed.csv");
    assert_eq!(desk.read("sealed.csv.ukeys"), keys);
    std::fs::remove_file(desk.path("sealed.csv")).expect("a file");
    desk.write("sealed.csv.ukeys", "what is this?\n");
    let seal = "ucrypt seal p.upolicy plain.csv -o sealed.csv --record 5";
    assert_refused(&desk, seal, 2, &["sealed.csv.ukeys", "line 1"]);
}

#[cfg(unix)]
#[test]
fn sealing_what_is_sealed_already_leaves_the_very_file() {
    use std::os::unix::fs::MetadataExt as _;
    let desk = sealed_desk();
    for kind in KINDS {
        let name = format!("sealed.{kind}");
        let inode = || std::fs::metadata(desk.path(&name)).expect("a file").ino();
        let before = inode();
        let ran = desk.done(&format!("ucrypt seal p.upolicy {name} --in-place --record 5"));
        assert!(ran.err.contains("sealed before"), "{ran:?}");
        assert_eq!(inode(), before, "{kind}");
        desk.done(&format!("ucrypt seal p.upolicy {name} -o again.{kind} --record 5"));
        assert_opens(&desk, "p.upolicy", &format!("again.{kind}"), &["doctor", "payer"]);
        if kind != "db" {
            assert_eq!(desk.bytes(&format!("again.{kind}")), desk.bytes(&name), "{kind}");
        }
    }
    assert_eq!(desk.read("again.csv.ukeys"), desk.read("sealed.csv.ukeys"));
}

/// The passphrase comes late, and so does a file of the name of the key.
#[test]
#[cfg(unix)]
fn a_key_replaces_nothing_that_appears_while_the_passphrase_is_waited_for() {
    use std::io::Write as _;
    let desk = desk();
    let made = std::process::Command::new("mkfifo").arg(desk.path("pipe")).status().expect("mkfifo");
    assert!(made.success());
    for (there, other) in [("late.ukey", "late.upub"), ("late.upub", "late.ukey")] {
        let command = desk.command("ucrypt keygen late --passphrase-file pipe".split(' ')).spawn().expect("it runs");
        // Opened only once the program reads, by when it has looked for both files.
        let mut pipe = std::fs::File::options().write(true).open(desk.path("pipe")).expect("a pipe");
        desk.write(there, "somebody else's");
        pipe.write_all(b"correct horse\n").expect("written");
        drop(pipe);
        let ran = command.wait_with_output().expect("it ends");
        assert_eq!(ran.status.code(), Some(2), "{there}");
        assert_eq!(desk.read(there), "somebody else's");
        assert!(!desk.path(other).exists(), "{other}");
        std::fs::remove_file(desk.path(there)).expect("it is there");
    }
}
