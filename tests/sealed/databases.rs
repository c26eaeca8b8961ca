//! SQLite databases that others use, that are stopped at, or that were made to hurt.

use crate::holders::*;
use crate::program::Desk;
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
                // A name that was given to nothing yet, or that only tried whether one can write there.
                let is_nothing =
                    [".ucrypt-", ".tamis-"].iter().any(|start| name.starts_with(start)) && content.is_empty();
                assert!(name == "out.db" || name == "p.uaudit" || is_nothing, "{journal}, {signal}: {name}");
                std::fs::remove_file(path).expect("it was left behind");
            }
        }
        assert!(stopped > 3, "no program was stopped while it worked");
    }
}

/// A small generator, so that a failure can be repeated.
struct Random(u64);

impl Random {
    fn below(&mut self, end: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(self.0 >> 33).expect("31 bits") % end
    }
}

/// Runs a command on a damaged database: it ends by itself, and has written everything or nothing.
fn assert_whole_or_nothing(desk: &Desk, command: &str, what: &str) -> bool {
    let document = desk.bytes("hurt.db");
    let ran = desk.tamis(&format!("ucrypt {command}"));
    assert!([0, 2, 5].contains(&ran.code), "{what}, {command}: {ran:?}");
    assert!(desk.bytes("hurt.db") == document, "{what}, {command}");
    // A cell that was hurt is left as it is, and the rest opens.
    let is_written = desk.path("out.db").exists();
    assert!(is_written == (ran.code == 0) || is_written && ran.code == 5, "{what}, {command}: {ran:?}");
    let is_left = |path: &std::path::Path| path.to_string_lossy().contains(".ucrypt-");
    assert!(!desk.listing().keys().any(|path| is_left(path)), "{what}, {command}");
    if is_written {
        std::fs::remove_file(desk.path("out.db")).expect("it was written");
    }
    ran.code == 0
}

#[test]
fn one_whose_bytes_were_cut_or_changed_anywhere_is_read_whole_or_not_at_all() {
    let desk = sealed_desk();
    let good = desk.bytes("sealed.db");
    let open = format!("open p.upolicy hurt.db -o out.db{}", with(&["doctor", "payer"]));
    let seal = "seal p.upolicy hurt.db -o out.db --record 6";
    let mut refused = 0;
    for length in [0, 1, 17, 99, 100, 101, 512, 4095, 4096, 4097, good.len() / 2, good.len() - 1] {
        desk.write("hurt.db", &good[..length]);
        for command in [open.as_str(), seal] {
            refused += u32::from(!assert_whole_or_nothing(&desk, command, &format!("{length} bytes")));
        }
    }
    assert!(refused >= 20, "{refused}");
    let mut random = Random(20_261_116);
    let mut refused = 0;
    for round in 0..40 {
        let mut bytes = good.clone();
        // The head and the pages are small: most changes would hit what nobody reads.
        let end = if round % 2 == 0 { 200 } else { bytes.len() };
        for _ in 0..5 {
            let at = random.below(end);
            bytes[at] ^= u8::try_from(1 + random.below(255)).expect("a byte");
        }
        desk.write("hurt.db", bytes);
        let command = if round % 4 < 2 { open.as_str() } else { seal };
        refused += u32::from(!assert_whole_or_nothing(&desk, command, &format!("round {round}")));
    }
    assert!(refused > 5, "{refused}");
}

#[test]
fn one_that_is_built_unlike_others_is_sealed_whole_or_refused() {
    const VALUES: &str = "INSERT INTO pacjenci VALUES (5, 'Zagłoba', 'Szlachcic', 'Zbaraż', 'Podagra')";
    const TABLE: &str = "CREATE TABLE pacjenci (Id INTEGER PRIMARY KEY, Nazwisko, \"Zawód\", Miasto, Choroba)";
    let desk = desk();
    for (what, statements, refusal) in [
        (
            "without row numbers",
            format!(
                "CREATE TABLE pacjenci (Id TEXT PRIMARY KEY, Nazwisko, \"Zawód\", Miasto, Choroba) WITHOUT ROWID; {VALUES}"
            ),
            None,
        ),
        (
            "without row numbers and with what is sealed in its key",
            "CREATE TABLE pacjenci (Id, Nazwisko PRIMARY KEY, \"Zawód\", Miasto, Choroba) WITHOUT ROWID".to_owned(),
            Some("primary key"),
        ),
        (
            "with a computed column beside",
            format!(
                "CREATE TABLE pacjenci (Id INTEGER PRIMARY KEY, Nazwisko, \"Zawód\", Miasto, Choroba, x AS (length(Choroba))); \
                 CREATE INDEX i ON pacjenci (x); {}",
                VALUES.replace("pacjenci VALUES", "pacjenci (Id, Nazwisko, \"Zawód\", Miasto, Choroba) VALUES")
            ),
            None,
        ),
        (
            "with a computed column to seal",
            "CREATE TABLE pacjenci (Id, Nazwisko, \"Zawód\", Miasto, Choroba AS (Miasto || 'x') STORED)".to_owned(),
            Some("computed"),
        ),
        (
            "with triggers that write elsewhere",
            format!(
                "{TABLE}; {VALUES}; CREATE TABLE dziennik (x); \
                 CREATE TRIGGER t AFTER UPDATE ON pacjenci BEGIN INSERT INTO dziennik VALUES (OLD.Choroba); END; \
                 CREATE TRIGGER u BEFORE UPDATE ON pacjenci BEGIN SELECT raise(ABORT, 'no'); END"
            ),
            None,
        ),
        (
            "with a view of the name of the table",
            format!("{}; CREATE VIEW pacjenci AS SELECT * FROM t", TABLE.replace("pacjenci", "t")),
            Some("view"),
        ),
        (
            "with a view of the name of the data keys",
            format!(
                "{TABLE}; {VALUES}; CREATE VIEW ucrypt_keys AS SELECT 1 AS kid, 2 AS pol, 3 AS ep, 4 AS born, 5 AS dk"
            ),
            Some("ucrypt_keys"),
        ),
        (
            "with data keys of other columns",
            format!("{TABLE}; {VALUES}; CREATE TABLE ucrypt_keys (a, b); INSERT INTO ucrypt_keys VALUES (1, 2)"),
            Some("database refuses"),
        ),
        (
            "with data keys without row numbers",
            format!("{TABLE}; {VALUES}; CREATE TABLE ucrypt_keys (kid PRIMARY KEY, pol, ep, born, dk) WITHOUT ROWID"),
            Some("database refuses"),
        ),
        (
            "with a rule that no sealed value keeps",
            format!("{}; {VALUES}", TABLE.replace("Choroba)", "Choroba CHECK (length(Choroba) < 20))")),
            Some("database refuses"),
        ),
        (
            "with an index of expressions",
            format!("{TABLE}; {VALUES}; CREATE UNIQUE INDEX i ON pacjenci (substr(Choroba, 1, 3)) WHERE Choroba > ''"),
            None,
        ),
    ] {
        let _ = std::fs::remove_file(desk.path("hurt.db"));
        Connection::open(desk.path("hurt.db")).expect("a database").execute_batch(&statements).expect(what);
        let seal = "ucrypt seal p.upolicy hurt.db -o out.db --record 5";
        if let Some(words) = refusal {
            assert_refused(&desk, seal, 2, &[words]);
            continue;
        }
        let before = desk.bytes("hurt.db");
        let ran = desk.tamis(seal);
        assert_eq!(ran.code, 0, "{what}: {ran:?}");
        assert!(desk.bytes("hurt.db") == before, "{what}");
        let sealed = desk.bytes("out.db");
        assert!(!sealed.windows(7).any(|piece| piece == b"Podagra"), "{what}");
        desk.done(&format!("ucrypt open p.upolicy out.db -o opened.db{}", with(&["doctor", "payer"])));
        let opened = Connection::open(desk.path("opened.db")).expect("a database");
        let record: String = opened
            .query_row("SELECT Id || Nazwisko || \"Zawód\" || Miasto || Choroba FROM pacjenci", [], |row| row.get(0))
            .expect(what);
        assert_eq!(record, "5ZagłobaSzlachcicZbarażPodagra", "{what}");
        let written: Result<u32, _> = opened.query_row("SELECT count(*) FROM dziennik", [], |row| row.get(0));
        assert_eq!(written.unwrap_or(0), 0, "{what}");
    }
}

#[test]
fn a_log_that_a_trigger_filled_with_what_is_sealed_is_told() {
    let desk = desk();
    let user = Connection::open(desk.path("plain.db")).expect("a database");
    let statements = "CREATE TABLE dziennik (x); \
        CREATE TRIGGER t AFTER INSERT ON pacjenci BEGIN INSERT INTO dziennik VALUES (new.Choroba); END;";
    user.execute_batch(statements).expect("a log");
    let seal = "ucrypt seal p.upolicy plain.db --all -o out.db";
    desk.done(seal);
    std::fs::remove_file(desk.path("out.db")).expect("it was sealed");
    user.execute_batch("INSERT INTO pacjenci VALUES (20, 'a', 'b', 'c', 'd')").expect("a row");
    drop(user);
    assert_refused(&desk, seal, 2, &["may put values of the column \"Choroba\" into \"dziennik\""]);
}

#[cfg(unix)]
#[test]
fn looking_at_one_copies_nothing_of_it() {
    let desk = desk();
    long_database(&desk, "long.db", "delete");
    desk.done("ucrypt seal p.upolicy long.db -o sealed.db --record 5");
    desk.done("ucrypt keygen reader");
    let grant = format!(
        "ucrypt open p.upolicy sealed.db -o g.ugrant --grant Choroba --to reader.upub{}",
        with(&["doctor", "payer"])
    );
    let before = desk.bytes("sealed.db");
    // No file may grow to more than 64 blocks, wherever a copy would go and whatever its name is.
    let limited = |command: &str| {
        let program = desk.command(command.split_whitespace());
        let mut shell = std::process::Command::new("sh");
        shell.args(["-c", "ulimit -f 64; exec \"$0\" \"$@\""]).arg(program.get_program()).args(program.get_args());
        shell.current_dir(program.get_current_dir().expect("a directory")).output().expect("the program runs")
    };
    for command in ["ucrypt inspect sealed.db", grant.as_str()] {
        let output = limited(command);
        assert!(output.status.success(), "{command}: {}", String::from_utf8_lossy(&output.stderr));
    }
    assert!(!limited("ucrypt seal p.upolicy sealed.db -o more.db --record 4").status.success(), "a copy is too long");
    desk.done("ucrypt seal p.upolicy sealed.db -o more.db --where Choroba=Grypa");
    assert_eq!(desk.bytes("sealed.db"), before);
    assert!(!desk.listing().keys().any(|path| path.to_string_lossy().contains("sealed.db-")));
}
