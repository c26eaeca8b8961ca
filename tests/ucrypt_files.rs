//! What `tamis ucrypt` does to files while other programs work on them, or while it is stopped.

mod holders;
mod program;

use holders::*;
use program::Desk;
use std::process::{Child, Stdio};

fn start(desk: &Desk, command: &str) -> Child {
    let words: Vec<&str> = command.split_whitespace().collect();
    desk.command(words).stdout(Stdio::null()).stderr(Stdio::piped()).spawn().expect("it runs")
}

fn finish(child: Child) {
    let output = child.wait_with_output().expect("it ends");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}

/// Many commands at once.
#[cfg(unix)]
mod at_once {
    use super::*;

    const RECORDS: usize = 20;

    #[test]
    fn twenty_commands_seal_twenty_records_of_one_document() {
        let desk = desk();
        let row = |id: usize| format!("{id},name{id},b,c,d\n");
        let rows: String = (1..=RECORDS).map(row).collect();
        desk.write("plain.csv", format!("{}\n{rows}", COLUMNS.join(",")));
        let record = |id: usize| {
            format!(
                "<pacjent><Id>{id}</Id><Nazwisko>name{id}</Nazwisko><Zawód>b</Zawód><Miasto>c</Miasto><Choroba>d</Choroba></pacjent>\n"
            )
        };
        let records: String = (1..=RECORDS).map(record).collect();
        desk.write("plain.xml", format!("<pacjenci>\n{records}</pacjenci>\n"));
        for kind in ["csv", "xml"] {
            std::fs::copy(desk.path(&format!("plain.{kind}")), desk.path(&format!("sealed.{kind}"))).expect("a copy");
        }
        let seal = |kind: &str, id: usize| {
            start(&desk, &format!("ucrypt seal p.upolicy sealed.{kind} --in-place --record {id}"))
        };
        let all: Vec<Child> = (1..=RECORDS).flat_map(|id| [seal("csv", id), seal("xml", id)]).collect();
        all.into_iter().for_each(finish);
        for kind in ["csv", "xml"] {
            let inspected = desk.json(&format!("ucrypt inspect sealed.{kind}"), 0);
            assert_eq!(inspected["sealed"], RECORDS * 4, "{kind}");
            assert_opens(&desk, "p.upolicy", &format!("sealed.{kind}"), &["doctor", "payer"]);
        }
    }

    #[test]
    fn nine_commands_seal_the_nine_records_of_a_dump_and_of_a_database() {
        let desk = desk();
        for kind in ["sql", "db"] {
            std::fs::copy(desk.path(&format!("plain.{kind}")), desk.path(&format!("sealed.{kind}"))).expect("a copy");
        }
        let seal = |kind: &str, id: &str| {
            start(&desk, &format!("ucrypt seal p.upolicy sealed.{kind} --in-place --record {id}"))
        };
        let all: Vec<Child> = ROWS.iter().flat_map(|row| [seal("sql", row[0]), seal("db", row[0])]).collect();
        all.into_iter().for_each(finish);
        for kind in ["sql", "db"] {
            assert_eq!(desk.json(&format!("ucrypt inspect sealed.{kind}"), 0)["sealed"], ROWS.len() * 4, "{kind}");
            assert_opens(&desk, "p.upolicy", &format!("sealed.{kind}"), &["doctor", "payer"]);
        }
    }

    #[test]
    fn what_is_sealed_while_the_key_changes_is_sealed_for_the_new_key() {
        let desk = sealed_desk();
        let rotate = format!("ucrypt rotate p.upolicy sealed.csv sealed.xml --full{}", with(&["doctor", "payer"]));
        let reversed = rotate.replace("sealed.csv sealed.xml", "sealed.xml sealed.csv");
        let mut all = vec![start(&desk, &rotate), start(&desk, &reversed)];
        for id in [1, 2, 3] {
            for kind in ["csv", "xml"] {
                all.push(start(&desk, &format!("ucrypt seal p.upolicy sealed.{kind} --in-place --record {id}")));
            }
        }
        all.into_iter().for_each(finish);
        for kind in ["csv", "xml"] {
            assert_opens(&desk, "p.upolicy", &format!("sealed.{kind}"), &["doctor", "payer"]);
        }
    }
}

/// Data keys that are missing or elsewhere.
mod keys {
    use super::*;

    #[test]
    fn a_rotation_of_cells_whose_data_key_is_missing_fails_as_opening_them_does() {
        let desk = sealed_desk();
        std::fs::remove_file(desk.path("sealed.csv.ukeys")).expect("it was written");
        let without = |name: &str, from: &str, to: &str| {
            let text = desk.read(name);
            let start = text.find(from).unwrap_or_else(|| panic!("{name} has no {from}"));
            let end = start + text[start..].find(to).expect("an end") + to.len();
            desk.write(name, format!("{}{}", &text[..start], &text[end..]));
        };
        without("sealed.xml", "<?ucrypt-key", "?>");
        without("sealed.sql", "INSERT INTO ucrypt_keys", ";\n");
        rusqlite::Connection::open(desk.path("sealed.db"))
            .and_then(|database| database.execute_batch("DELETE FROM ucrypt_keys"))
            .expect("a database");
        let holders = with(&["doctor", "payer"]);
        for kind in KINDS {
            let words: &[&str] = match kind {
                "csv" => &["record \"5\"", "sealed.csv.ukeys", "missing"],
                _ => &["record \"5\"", "no data key"],
            };
            let open = assert_refused(&desk, &format!("ucrypt open p.upolicy sealed.{kind} -o out{holders}"), 5, words);
            for depth in ["--headers", "--full"] {
                let rotate = format!("ucrypt rotate p.upolicy sealed.{kind} {depth}{holders}");
                assert_eq!(assert_refused(&desk, &rotate, 5, words), open, "{kind} {depth}");
            }
        }
    }

    #[test]
    fn a_rotation_says_of_an_edited_key_what_opening_says() {
        let desk = sealed_desk();
        let holders = with(&["doctor", "payer"]);
        for (document, keys, mark) in
            [("sealed.csv", "sealed.csv.ukeys", "\"dk\":\""), ("sealed.xml", "sealed.xml", " dk=\"")]
        {
            let text = desk.read(keys);
            let at = text.find(mark).expect("a key") + mark.len() + 20;
            let other = if &text[at..=at] == "A" { "B" } else { "A" };
            desk.write(keys, format!("{}{other}{}", &text[..at], &text[at + 1..]));
            let words = &["record \"5\"", "does not open", "edited"];
            let open = assert_refused(&desk, &format!("ucrypt open p.upolicy {document} -o out{holders}"), 5, words);
            for depth in ["--headers", "--full"] {
                let rotate = format!("ucrypt rotate p.upolicy {document} {depth}{holders}");
                assert_eq!(assert_refused(&desk, &rotate, 5, words), open, "{document} {depth}");
            }
        }
    }

    #[cfg(unix)]
    #[test]
    fn the_keys_of_a_linked_document_stand_beside_the_document() {
        let desk = desk();
        std::fs::create_dir(desk.path("store")).expect("a directory");
        std::fs::rename(desk.path("plain.csv"), desk.path("store/table.csv")).expect("a file");
        desk.write("plain.csv", csv());
        std::os::unix::fs::symlink("store/table.csv", desk.path("sealed.csv")).expect("a link");
        desk.done("ucrypt seal p.upolicy sealed.csv --in-place --record 5");
        desk.done("ucrypt seal p.upolicy store/table.csv --in-place --record 6");
        assert!(desk.path("store/table.csv.ukeys").exists());
        assert!(!desk.path("sealed.csv.ukeys").exists());
        for depth in ["--full", "--headers"] {
            desk.done(&format!("ucrypt rotate p.upolicy sealed.csv {depth}{}", with(&["doctor", "payer"])));
            for name in ["sealed.csv", "store/table.csv"] {
                assert_opens(&desk, "p.upolicy", name, &["doctor", "payer"]);
            }
        }
        assert!(desk.path("sealed.csv").is_symlink());
    }
}

/// Programs that are stopped.
#[cfg(target_os = "linux")]
mod stopped {
    use super::*;
    use std::time::{Duration, Instant};

    #[test]
    fn at_any_moment_of_opening_nothing_readable_stays_behind() {
        const SECRET: &str = "plaintext-that-nobody-may-find";
        let desk = desk();
        let rows: String = (1..6000).map(|id| format!("{id},{SECRET},b,c,d\n")).collect::<Vec<_>>().concat();
        desk.write("plain.csv", format!("{}\n{rows}", COLUMNS.join(",")));
        let database = rusqlite::Connection::open(desk.path("long.db")).expect("a database");
        database.execute_batch(&sql()).expect("rows");
        let many = format!(
            "WITH RECURSIVE more(id) AS (SELECT 10 UNION ALL SELECT id + 1 FROM more WHERE id < 3000) \
             INSERT INTO pacjenci SELECT id, '{SECRET}', 'b', 'c', 'd' FROM more"
        );
        database.execute_batch(&many).expect("rows");
        drop(database);
        desk.done("ucrypt seal p.upolicy plain.csv -o sealed.csv --all");
        desk.done("ucrypt seal p.upolicy long.db -o sealed.db --all");
        for plain in ["plain.csv", "plain.db", "plain.sql", "plain.xml", "long.db"] {
            std::fs::remove_file(desk.path(plain)).expect("a file");
        }
        for kind in ["csv", "db"] {
            let sealed = format!("sealed.{kind}");
            let open = || start(&desk, &format!("ucrypt open p.upolicy {sealed} -o out{}", with(&["doctor", "payer"])));
            let started = Instant::now();
            finish(open());
            let whole = started.elapsed();
            let opened = desk.bytes("out");
            for earlier in [None, Some("what was there before")] {
                let mut stopped = 0;
                for step in 0..20_u32 {
                    let _ = std::fs::remove_file(desk.path("out"));
                    if let Some(text) = earlier {
                        desk.write("out", text);
                    }
                    let before = desk.listing();
                    let mut child = open();
                    let is_begun = wait_until_locked(&desk, &sealed, &mut child);
                    std::thread::sleep(whole * step / 20);
                    let _ = child.kill();
                    let is_killed = !child.wait().expect("it ends").success();
                    let there = std::fs::read(desk.path("out")).ok();
                    // It may have been stopped after everything was done.
                    let is_finished =
                        there.as_deref().is_some_and(|there| earlier.is_none_or(|text| there != text.as_bytes()));
                    if is_finished && kind == "csv" {
                        assert!(there.as_ref() == Some(&opened), "what is there is whole");
                    }
                    assert!(is_finished || there.as_deref() == earlier.map(str::as_bytes), "what was there stays");
                    stopped += u32::from(is_begun && is_killed && !is_finished);
                    let listing = desk.listing().into_iter();
                    for (path, content) in
                        listing.filter(|(path, _)| !before.contains_key(path) && !path.ends_with("out"))
                    {
                        let is_found = content.windows(SECRET.len()).any(|piece| piece == SECRET.as_bytes());
                        assert!(!is_found || (earlier.is_some() && is_finished_draft(&path)), "{}", path.display());
                        std::fs::remove_file(path).expect("it was left behind");
                    }
                }
                assert!(stopped > 0, "the program was never stopped while it worked: {kind}, {earlier:?}");
            }
        }
    }

    /// Waits until a command holds a document, which it does from before it reads it until the result has its name; or until it ends.
    fn wait_until_locked(desk: &Desk, document: &str, child: &mut Child) -> bool {
        let file = std::fs::File::open(desk.path(document)).expect("a document");
        loop {
            if file.try_lock().is_err() {
                return true;
            }
            file.unlock().expect("it was locked");
            if child.try_wait().expect("it was started").is_some() {
                return false;
            }
            std::thread::sleep(Duration::from_micros(200));
        }
    }

    /// Whether a file is what may stay behind for the moment in which a name passes from one file to another.
    fn is_finished_draft(path: &std::path::Path) -> bool {
        use std::os::unix::fs::PermissionsExt as _;
        let is_owners = std::fs::metadata(path).expect("a file").permissions().mode().trailing_zeros() >= 6;
        is_owners && path.file_name().is_some_and(|name| name.to_string_lossy().starts_with(".ucrypt-"))
    }

    #[test]
    fn what_is_opened_over_a_file_that_all_could_read_is_readable_by_its_owner_alone() {
        use std::os::unix::fs::PermissionsExt as _;
        let desk = sealed_desk();
        for kind in KINDS {
            let mode = |name: &str| std::fs::metadata(desk.path(name)).expect("a file").permissions().mode() & 0o777;
            let name = format!("opened.{kind}");
            desk.write(&name, "");
            std::fs::set_permissions(desk.path(&name), std::fs::Permissions::from_mode(0o644)).expect("it is ours");
            assert_eq!(open(&desk, "p.upolicy", &format!("sealed.{kind}"), &["doctor", "payer"]).code, 0);
            assert_eq!(mode(&name), 0o600, "{kind}");
            let sealed = format!("sealed.{kind}");
            std::fs::set_permissions(desk.path(&sealed), std::fs::Permissions::from_mode(0o640)).expect("it is ours");
            desk.done(&format!("ucrypt seal p.upolicy {sealed} --in-place --record 6"));
            assert_eq!(mode(&sealed), 0o640, "{kind}");
        }
    }
}

/// What a command may ask of the system, and what it leaves there.
#[cfg(unix)]
mod system {
    use super::*;
    use std::os::unix::fs::PermissionsExt as _;
    use std::process::Command;

    #[test]
    fn a_rotation_keeps_more_files_open_than_programs_usually_may() {
        const DOCUMENTS: usize = 40;
        let desk = desk();
        let names: Vec<String> = (0..DOCUMENTS).map(|number| format!("sealed{number}.csv")).collect();
        desk.done("ucrypt seal p.upolicy plain.csv -o sealed.csv --record 5");
        for name in &names {
            std::fs::copy(desk.path("sealed.csv"), desk.path(name)).expect("a copy");
            std::fs::copy(desk.path("sealed.csv.ukeys"), desk.path(&format!("{name}.ukeys"))).expect("a copy");
        }
        let rotate = format!(
            "ucrypt rotate p.upolicy {} --full --table pacjenci{}",
            names.join(" "),
            with(&["doctor", "payer"])
        );
        let program = env!("CARGO_BIN_EXE_tamis");
        let output = Command::new("sh")
            .args(["-c", &format!("ulimit -S -n 50 && exec '{program}' {rotate}")])
            .current_dir(desk.path("."))
            .output()
            .expect("a shell");
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        for name in ["sealed0.csv", "sealed39.csv"] {
            let open =
                format!("ucrypt open p.upolicy {name} -o opened.csv --table pacjenci{}", with(&["doctor", "payer"]));
            desk.done(&open);
            assert_eq!(desk.bytes("opened.csv"), desk.bytes("plain.csv"), "{name}");
        }
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
}

/// `p.upolicy.next`, which an interrupted change leaves behind.
mod successors {
    use super::*;

    #[test]
    fn one_that_is_damaged_is_named_and_does_not_keep_from_opening() {
        let desk = sealed_desk();
        desk.write("p.upolicy.next", "v = 1\n");
        let holders = with(&["doctor", "payer"]);
        let open = desk.tamis(&format!("ucrypt open p.upolicy sealed.csv -o opened.csv{holders}"));
        let seal = desk.tamis("ucrypt seal p.upolicy plain.csv -o other.csv --record 5");
        for ran in [open, seal] {
            assert_eq!(ran.code, 0, "{ran:?}");
            assert!(ran.err.contains("p.upolicy.next") && ran.err.contains("delete"), "{ran:?}");
        }
        for change in ["refresh p.upolicy", "rotate p.upolicy sealed.csv --full"] {
            assert_refused(&desk, &format!("ucrypt {change}{holders}"), 2, &["p.upolicy.next", "delete"]);
        }
    }

    #[test]
    fn one_that_the_holders_did_not_agree_to_is_recognised_and_named() {
        let desk = sealed_desk();
        let policy = desk.read("p.upolicy");
        let id = policy.lines().find_map(|line| line.strip_prefix("id = ")).expect("an id").trim_matches('"');
        desk.done(&format!(
            "ucrypt policy new forged.upolicy --id {id} -p 2 --owner patient --holder patient.upub --holder doctor.upub --holder payer.upub --fields fields.toml"
        ));
        let forged = desk.read("forged.upolicy").replace("\nepoch = 1\n", "\nepoch = 2\n");
        std::fs::remove_file(desk.path("forged.upolicy")).expect("it was written");
        desk.write("p.upolicy.next", forged);
        let holders = with(&["doctor", "payer"]);
        for change in
            ["refresh p.upolicy", "rotate p.upolicy sealed.csv --full", "rotate p.upolicy sealed.csv --headers"]
        {
            assert_refused(
                &desk,
                &format!("ucrypt {change}{holders}"),
                2,
                &["p.upolicy.next", "did not agree", "delete"],
            );
        }
        assert_opens(&desk, "p.upolicy", "sealed.csv", &["doctor", "payer"]);
    }
}

/// The log beside the policy.
mod log {
    use super::*;

    #[test]
    fn it_must_tell_of_the_policy_as_it_is() {
        let desk = sealed_desk();
        let holders = with(&["doctor", "payer"]);
        let old = (desk.read("p.upolicy"), desk.read("p.uaudit"));
        desk.json("ucrypt audit check p.upolicy", 0);
        desk.done(&format!("ucrypt refresh p.upolicy{holders}"));
        desk.done(&format!("ucrypt rotate p.upolicy sealed.csv --full{holders}"));
        let new = (desk.read("p.upolicy"), desk.read("p.uaudit"));
        desk.json("ucrypt audit check p.upolicy", 0);
        let wrong = |words: &[&str]| {
            let checked = desk.json("ucrypt audit check p.upolicy", 1);
            let problem = checked["problem"].as_str().expect("a sentence").to_owned();
            assert!(words.iter().all(|word| problem.contains(word)), "{problem}");
        };
        desk.write("p.upolicy", &old.0);
        wrong(&["epoch 2, generation 3", "epoch 1, generation 1", "older file was put back"]);
        desk.write("p.upolicy", &new.0).write("p.uaudit", &old.1);
        wrong(&["epoch 1, generation 1", "epoch 2, generation 3", "lines of the log are missing"]);
        std::fs::remove_file(desk.path("p.uaudit")).expect("a log");
        desk.done("ucrypt seal p.upolicy plain.csv -o other.csv --record 5");
        wrong(&["does not tell of the writing"]);
        desk.done("ucrypt policy new q.upolicy -p 2 --holder doctor.upub --holder payer.upub --fields fields.toml");
        desk.write("p.uaudit", desk.read("q.uaudit"));
        wrong(&["line 1 of the log is about policy"]);
        std::fs::remove_file(desk.path("p.upolicy")).expect("a policy");
        let alone = desk.tamis("ucrypt audit check p.uaudit");
        assert!(alone.code == 0 && alone.err.contains("p.upolicy"), "{alone:?}");
    }

    #[test]
    fn a_last_line_that_is_none_is_named_with_its_remedy_and_one_that_was_cut_off_is_no_obstacle() {
        let desk = sealed_desk();
        let log = desk.read("p.uaudit");
        let open = format!("ucrypt open p.upolicy sealed.csv -o opened.csv{}", with(&["doctor", "payer"]));
        desk.write("p.uaudit", format!("{log}\0\0\0\0\n"));
        let before = desk.read("p.uaudit");
        let ran = desk.tamis(&open);
        assert_eq!(ran.code, 2, "{ran:?}");
        for word in ["p.uaudit", "last line", "power failure", "take the line out"] {
            assert!(ran.err.contains(word), "{ran:?}");
        }
        assert_eq!(desk.read("p.uaudit"), before);
        desk.write("p.uaudit", format!("{log}{{\"n\":6,\"at\":\"20"));
        let checked = desk.json("ucrypt audit check p.upolicy", 0);
        assert_eq!(checked["torn"], true);
        desk.done(&open);
        assert_eq!(desk.json("ucrypt audit check p.upolicy", 0)["torn"], false);
    }
}

/// Databases that are only looked at.
mod looking {
    use super::*;

    #[test]
    fn at_a_database_copies_nothing_of_it() {
        let desk = sealed_desk();
        desk.done("ucrypt keygen reader");
        let grant = format!(
            "ucrypt open p.upolicy sealed.db -o g.ugrant --grant Choroba --to reader.upub{}",
            with(&["doctor", "payer"])
        );
        let seal = "ucrypt seal p.upolicy sealed.db -o more.db --where Choroba=Grypa";
        let commands = ["ucrypt inspect sealed.db", grant.as_str(), seal];
        for command in commands {
            let before = desk.bytes("sealed.db");
            // Where a copy would go.
            let mut program = desk.command(command.split_whitespace());
            let output = program.env("TMPDIR", desk.path("nowhere")).output().expect("the program runs");
            assert!(output.status.success(), "{command}: {}", String::from_utf8_lossy(&output.stderr));
            assert_eq!(desk.bytes("sealed.db"), before, "{command}");
        }
        assert!(!desk.listing().keys().any(|path| path.to_string_lossy().contains("sealed.db-")));
    }
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
