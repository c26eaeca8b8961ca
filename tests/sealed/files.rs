//! What `tamis ucrypt` does to files while other programs work on them, or while it is stopped.

use crate::holders::*;
use crate::program::Desk;
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

/// Programs that are stopped.
#[cfg(target_os = "linux")]
mod stopped {
    use super::*;
    use std::time::Instant;

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
                    let is_begun = desk.wait_until_locked(&sealed, &mut child);
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

#[cfg(unix)]
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
    let rotate =
        format!("ucrypt rotate p.upolicy {} --full --table pacjenci{}", names.join(" "), with(&["doctor", "payer"]));
    let program = env!("CARGO_BIN_EXE_tamis");
    let output = std::process::Command::new("sh")
        .args(["-c", &format!("ulimit -S -n 50 && exec '{program}' {rotate}")])
        .current_dir(desk.path("."))
        .output()
        .expect("a shell");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    for name in ["sealed0.csv", "sealed39.csv"] {
        let open = format!("ucrypt open p.upolicy {name} -o opened.csv --table pacjenci{}", with(&["doctor", "payer"]));
        desk.done(&open);
        assert_eq!(desk.bytes("opened.csv"), desk.bytes("plain.csv"), "{name}");
    }
}
