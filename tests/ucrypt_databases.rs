//! SQLite databases that others use, that are stopped at, or that were made to hurt.

mod holders;
mod program;

use holders::*;
use program::Desk;
use rusqlite::Connection;

/// A database of some megabytes, kept with this journal.
fn long_database(desk: &Desk, name: &str, journal: &str) {
    let database = Connection::open(desk.path(name)).expect("a database");
    database.execute_batch(&sql()).expect("rows");
    let many = "WITH RECURSIVE n(x) AS (VALUES (10) UNION ALL SELECT x + 1 FROM n WHERE x < 40000)
        INSERT INTO pacjenci SELECT x, 'a', 'b', 'c', printf('%.100c', 'd') FROM n";
    database.execute_batch(many).expect("rows");
    let set: String =
        database.query_row(&format!("PRAGMA journal_mode = {journal}"), [], |row| row.get(0)).expect("set");
    assert_eq!(set, journal);
}

fn journal_mode(desk: &Desk, name: &str) -> String {
    let database = Connection::open(desk.path(name)).expect("a database");
    database.query_row("PRAGMA journal_mode", [], |row| row.get(0)).expect("a mode")
}

#[test]
fn one_that_is_in_use_is_copied_with_its_log_and_not_replaced() {
    let desk = desk();
    let user = Connection::open(desk.path("plain.db")).expect("a database");
    user.execute_batch("PRAGMA journal_mode = WAL; INSERT INTO pacjenci VALUES (10, 'a', 'b', 'c', 'd')")
        .expect("a row");
    let ran = desk.tamis("ucrypt seal p.upolicy plain.db --in-place --record 10");
    assert!(ran.code == 2 && ran.err.contains("in use"), "{ran:?}");
    desk.done("ucrypt seal p.upolicy plain.db -o out.db --record 10");
    assert_eq!(rows(&desk, "out.db").len(), 10);
    assert_eq!(journal_mode(&desk, "out.db"), "wal");
    drop(user);
    desk.done("ucrypt seal p.upolicy plain.db --in-place --record 10");
    assert_eq!(journal_mode(&desk, "plain.db"), "wal");
    desk.done(&format!("ucrypt open p.upolicy plain.db -o opened.db{}", with(&["doctor", "payer"])));
    assert_eq!(rows(&desk, "opened.db")[9], ["10", "a", "b", "c", "d"]);
}

#[cfg(unix)]
#[test]
fn whatever_stops_a_command_no_copy_stays_behind() {
    use nix::sys::signal::{Signal, kill};
    use nix::unistd::Pid;
    use std::process::Stdio;
    use std::time::Instant;
    let desk = desk();
    for journal in ["delete", "wal"] {
        let name = format!("{journal}.db");
        long_database(&desk, &name, journal);
        let seal = format!("ucrypt seal p.upolicy {name} -o out.db --record 5");
        let started = Instant::now();
        desk.done(&seal);
        let whole = started.elapsed();
        std::fs::remove_file(desk.path("out.db")).expect("it was written");
        let before: Vec<_> = desk.listing().into_keys().collect();
        let mut stopped = 0;
        for step in 0..30 {
            let words: Vec<&str> = seal.split_whitespace().collect();
            let mut child =
                desk.command(words).stdout(Stdio::null()).stderr(Stdio::null()).spawn().expect("the program runs");
            std::thread::sleep(whole * step / 30);
            let signal = [Signal::SIGTERM, Signal::SIGINT, Signal::SIGKILL][step as usize % 3];
            let process = Pid::from_raw(i32::try_from(child.id()).expect("a number"));
            let _ = kill(process, signal);
            stopped += u32::from(!child.wait().expect("it ends").success());
            for (path, content) in desk.listing().into_iter().filter(|(path, _)| !before.contains(path)) {
                let name = path.file_name().expect("a name").to_string_lossy().into_owned();
                // A name that was given to nothing yet.
                let is_nothing = name.starts_with(".ucrypt-") && content.is_empty();
                assert!(name == "out.db" || name == "p.uaudit" || is_nothing, "{journal}, {signal}: {name}");
                std::fs::remove_file(path).expect("it was left behind");
            }
        }
        assert!(stopped > 10, "the program was stopped while it worked: {stopped}");
    }
}
