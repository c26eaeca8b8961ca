//! Database servers of a test's own: started in a temporary directory, reached by a socket in it, gone with the value.
//!
//! They are the programs that people use. `crates/prepare servers` installs them.

#![allow(dead_code, reason = "each test file uses its part")]

use std::io::Write as _;
use std::os::unix::process::CommandExt as _;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant};
use tempfile::TempDir;

/// A program, where Debian puts it or on the path.
fn program(name: &str) -> PathBuf {
    let mut versions: Vec<PathBuf> = std::fs::read_dir("/usr/lib/postgresql")
        .map(|entries| entries.flatten().map(|entry| entry.path().join("bin").join(name)).collect())
        .unwrap_or_default();
    versions.sort();
    let path = std::env::var_os("PATH").unwrap_or_default();
    let directories = std::env::split_paths(&path).chain([PathBuf::from("/usr/sbin")]);
    let found =
        versions.into_iter().rev().chain(directories.map(|directory| directory.join(name))).find(|path| path.is_file());
    found.unwrap_or_else(|| panic!("{name} is not installed: `crates/prepare servers` installs it"))
}

fn checked(output: Output, what: &str) -> String {
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(output.status.success(), "{what}: {said}");
    String::from_utf8(output.stdout).unwrap_or_else(|error| panic!("{what}: {error}"))
}

/// Runs a program that reads a text.
fn fed(command: &mut Command, text: &str, what: &str) -> String {
    let pipes = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = pipes.spawn().unwrap_or_else(|error| panic!("{what}: {error}"));
    let mut input = child.stdin.take().expect("a pipe");
    let text = text.to_owned();
    let writer = std::thread::spawn(move || {
        // A program that stops at an error does not read the rest.
        let _ = input.write_all(text.as_bytes());
    });
    let output = child.wait_with_output().expect("it ends");
    writer.join().expect("a thread");
    checked(output, what)
}

/// Waits until a server answers.
fn wait_for(child: &mut Child, log: &Path, mut answers: impl FnMut() -> bool) {
    let started = Instant::now();
    while !answers() {
        let is_over =
            child.try_wait().expect("it was started").is_some() || started.elapsed() > Duration::from_secs(60);
        assert!(!is_over, "the server does not answer: {}", std::fs::read_to_string(log).unwrap_or_default());
        std::thread::sleep(Duration::from_millis(50));
    }
}

/// A PostgreSQL server.
pub(crate) struct Postgres {
    directory: TempDir,
    server: Child,
}

impl Postgres {
    pub(crate) fn start() -> Self {
        let directory = tempfile::tempdir().expect("a directory");
        let data = directory.path().join("data");
        // It does not run as root.
        let owner = is_root().then(|| id("postgres"));
        let run = |name: &str| {
            let mut command = Command::new(program(name));
            command.current_dir(directory.path()).stdin(Stdio::null());
            if let Some((user, group)) = owner {
                command.uid(user).gid(group);
            }
            command
        };
        if let Some((user, group)) = owner {
            std::os::unix::fs::chown(directory.path(), Some(user), Some(group)).expect("another owner");
        }
        let cluster = run("initdb")
            .args(["-U", "postgres", "-A", "trust", "-E", "UTF8", "--locale=C", "--no-sync", "-D"])
            .arg(&data)
            .output();
        checked(cluster.expect("initdb"), "initdb");
        let log = directory.path().join("log");
        let mut server = run("postgres")
            .args(["-c", "listen_addresses=", "-c", "fsync=off", "-k"])
            .arg(directory.path())
            .arg("-D")
            .arg(&data)
            .stdout(Stdio::null())
            .stderr(std::fs::File::create(&log).expect("a log"))
            .spawn()
            .expect("postgres");
        wait_for(&mut server, &log, || {
            let asked =
                Command::new(program("pg_isready")).args(["-q", "-U", "postgres", "-h"]).arg(directory.path()).status();
            asked.is_ok_and(|status| status.success())
        });
        Self { directory, server }
    }

    fn client(&self, name: &str) -> Command {
        let mut command = Command::new(program(name));
        command.args(["-U", "postgres", "-h"]).arg(self.directory.path()).env_remove("PGOPTIONS");
        command
    }

    /// Makes a database of a script, as psql reads it.
    pub(crate) fn load(&self, database: &str, script: &str) {
        checked(self.client("createdb").arg(database).output().expect("createdb"), "createdb");
        let mut psql = self.client("psql");
        fed(psql.args(["-q", "-X", "-v", "ON_ERROR_STOP=1", "-d", database]), script, "psql");
    }

    /// What a query finds, a line for each row.
    pub(crate) fn query(&self, database: &str, query: &str) -> Vec<String> {
        let mut psql = self.client("psql");
        let found = psql.args(["-q", "-X", "-A", "-t", "-d", database, "-c", query]).output().expect("psql");
        checked(found, query).lines().map(str::to_owned).collect()
    }

    /// The dump of a database.
    pub(crate) fn dump(&self, database: &str, options: &str) -> String {
        let mut dump = self.client("pg_dump");
        checked(dump.args(options.split_whitespace()).arg(database).output().expect("pg_dump"), "pg_dump")
    }
}

impl Drop for Postgres {
    fn drop(&mut self) {
        let _ = self.server.kill();
        let _ = self.server.wait();
    }
}

/// A MariaDB server.
pub(crate) struct MariaDb {
    directory: TempDir,
    server: Child,
}

impl MariaDb {
    pub(crate) fn start() -> Self {
        let directory = tempfile::tempdir().expect("a directory");
        let data = directory.path().join("data");
        let user = is_root().then_some("--user=root");
        let made = Command::new(program("mariadb-install-db"))
            .args(["--no-defaults", "--auth-root-authentication-method=normal", "--skip-test-db"])
            .args(user)
            .arg(format!("--datadir={}", data.display()))
            // Several of them would get in each other's way in the directory that all share.
            .arg(format!("--tmpdir={}", directory.path().display()))
            .output();
        checked(made.expect("mariadb-install-db"), "mariadb-install-db");
        let log = directory.path().join("log");
        let mut server = Command::new(program("mariadbd"))
            .args(["--no-defaults", "--skip-networking", "--innodb-flush-log-at-trx-commit=0", "--event-scheduler=OFF"])
            .args(user)
            .arg(format!("--datadir={}", data.display()))
            .arg(format!("--socket={}", directory.path().join("socket").display()))
            .arg(format!("--tmpdir={}", directory.path().display()))
            .arg(format!("--pid-file={}", directory.path().join("pid").display()))
            .stdout(Stdio::null())
            .stderr(std::fs::File::create(&log).expect("a log"))
            .spawn()
            .expect("mariadbd");
        let socket = directory.path().join("socket");
        wait_for(&mut server, &log, || {
            let asked = Command::new(program("mariadb-admin"))
                .args(["--no-defaults", "-u", "root", "--silent", "ping"])
                .arg(format!("--socket={}", socket.display()))
                .output();
            asked.is_ok_and(|output| output.status.success())
        });
        Self { directory, server }
    }

    fn client(&self, name: &str) -> Command {
        let mut command = Command::new(program(name));
        let socket = self.directory.path().join("socket");
        command.args(["--no-defaults", "-u", "root", "--default-character-set=utf8mb4"]);
        command.arg(format!("--socket={}", socket.display()));
        command
    }

    /// Makes a database of a script, as the client reads it.
    pub(crate) fn load(&self, database: &str, script: &str) {
        fed(self.client("mariadb").arg("mysql"), &format!("CREATE DATABASE `{database}`"), "CREATE DATABASE");
        fed(self.client("mariadb").arg(database), script, "mariadb");
    }

    /// What a query finds, a line for each row and a tab between values.
    pub(crate) fn query(&self, database: &str, query: &str) -> Vec<String> {
        let found = self.client("mariadb").args(["-N", "-B", "-r", "-e", query, database]).output().expect("mariadb");
        checked(found, query).lines().map(str::to_owned).collect()
    }

    /// The dump of a database.
    pub(crate) fn dump(&self, database: &str, options: &str) -> String {
        let mut dump = self.client("mariadb-dump");
        checked(dump.args(options.split_whitespace()).arg(database).output().expect("mariadb-dump"), "mariadb-dump")
    }
}

impl Drop for MariaDb {
    fn drop(&mut self) {
        let _ = self.server.kill();
        let _ = self.server.wait();
    }
}

/// SQLite's own shell, on a database file: what it answers to a script.
pub(crate) fn sqlite_shell(database: &Path, script: &str) -> String {
    fed(Command::new(program("sqlite3")).arg("-batch").arg("-bail").arg(database), script, "sqlite3")
}

fn is_root() -> bool {
    id_of("-u", None) == 0
}

fn id(user: &str) -> (u32, u32) {
    (id_of("-u", Some(user)), id_of("-g", Some(user)))
}

fn id_of(what: &str, user: Option<&str>) -> u32 {
    let said = Command::new("id").arg(what).args(user).output().expect("id");
    checked(said, "id").trim().parse().expect("a number")
}
