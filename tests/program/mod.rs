//! Runs the program as a user would, in a directory of its own.

#![allow(dead_code, reason = "each test file uses its part")]

use serde_json::Value;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use tempfile::TempDir;

/// A directory with the user's files. Commands run in it; it is gone with the value.
pub(crate) struct Desk {
    directory: TempDir,
}

/// What a command left behind.
#[derive(Debug)]
pub(crate) struct Ran {
    pub(crate) code: i32,
    pub(crate) out: String,
    pub(crate) err: String,
}

impl Desk {
    pub(crate) fn new() -> Self {
        Self { directory: tempfile::tempdir().expect("a temporary directory") }
    }

    /// A desk with the Adult data, its hierarchies and the policy of the study.
    pub(crate) fn with_adult() -> Self {
        let desk = Self::new();
        desk.write("adult.csv", tamis_adult::csv());
        std::fs::create_dir_all(desk.path("hierarchies/adult")).expect("a directory");
        let hierarchies = repository().join("hierarchies/adult");
        for column in tamis_adult::COLUMNS {
            let file = format!("{column}.csv");
            std::fs::copy(hierarchies.join(&file), desk.path(&format!("hierarchies/adult/{file}"))).expect("a copy");
        }
        desk.write("adult.toml", adult_policy("[[models]]\nkind = \"k-anonymity\"\nk = 5\n"));
        desk
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.directory.path().join(name)
    }

    pub(crate) fn write(&self, name: &str, content: impl AsRef<[u8]>) -> &Self {
        std::fs::write(self.path(name), content).expect("a written file");
        self
    }

    pub(crate) fn read(&self, name: &str) -> String {
        String::from_utf8(self.bytes(name)).expect("UTF-8")
    }

    pub(crate) fn bytes(&self, name: &str) -> Vec<u8> {
        std::fs::read(self.path(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
    }

    /// A file of `tests/data`, put on the desk under its own name.
    pub(crate) fn take(&self, name: &str) -> &Self {
        let content = std::fs::read(repository().join("tests/data").join(name)).unwrap_or_else(|_| panic!("{name}"));
        self.write(name, content)
    }

    /// Every file with its content, subdirectories included.
    pub(crate) fn listing(&self) -> BTreeMap<PathBuf, Vec<u8>> {
        let mut files = BTreeMap::new();
        let mut open = vec![self.directory.path().to_owned()];
        while let Some(directory) = open.pop() {
            for entry in std::fs::read_dir(directory).expect("a directory") {
                let path = entry.expect("an entry").path();
                if path.is_dir() {
                    files.insert(path.clone(), Vec::new());
                    open.push(path);
                } else if path.is_file() {
                    files.insert(path.clone(), std::fs::read(&path).expect("a file"));
                } else {
                    // A pipe would wait for somebody who writes to it.
                    files.insert(path.clone(), Vec::new());
                }
            }
        }
        files
    }

    pub(crate) fn command<'a>(&self, arguments: impl IntoIterator<Item = &'a str>) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_tamis"));
        command.current_dir(self.directory.path()).args(arguments).stdin(Stdio::null()).env("NO_COLOR", "1");
        command
    }

    /// Runs `tamis` with arguments separated by blanks.
    pub(crate) fn tamis(&self, arguments: &str) -> Ran {
        self.tamis_with(&arguments.split_whitespace().collect::<Vec<_>>())
    }

    /// Runs `tamis` with these arguments.
    pub(crate) fn tamis_with(&self, arguments: &[&str]) -> Ran {
        let output = self.command(arguments.iter().copied()).output().expect("the program runs");
        let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("the program speaks UTF-8");
        let ran = Ran {
            code: output.status.code().expect("the program ends by itself"),
            out: text(output.stdout),
            err: text(output.stderr),
        };
        for sign in ["panicked", "RUST_BACKTRACE", "stack backtrace"] {
            assert!(!ran.err.contains(sign), "{arguments:?} panics: {}", ran.err);
        }
        ran
    }

    /// Runs `tamis` where it may take 64 MB of addresses.
    pub(crate) fn tamis_small(&self, arguments: &str) -> Ran {
        self.tamis_within(64, arguments)
    }

    /// Runs `tamis`, by a shell, where it may take so many MB of addresses and ten seconds of a processor. -1 is the code of a program that did
    /// not end by itself.
    pub(crate) fn tamis_within(&self, megabytes: u32, arguments: &str) -> Ran {
        let shell =
            format!("ulimit -v {}; ulimit -t 10; exec '{}' {arguments}", megabytes << 10, env!("CARGO_BIN_EXE_tamis"));
        let mut process = Command::new("sh");
        process.arg("-c").arg(shell).current_dir(self.path("")).stdin(Stdio::null()).env("NO_COLOR", "1");
        let output = process.output().expect("a shell");
        let text = |bytes| String::from_utf8(bytes).expect("UTF-8");
        Ran { code: output.status.code().unwrap_or(-1), out: text(output.stdout), err: text(output.stderr) }
    }

    /// Runs a command that must succeed.
    pub(crate) fn done(&self, arguments: &str) -> Ran {
        let ran = self.tamis(arguments);
        assert_eq!(ran.code, 0, "tamis {arguments}: {ran:?}");
        ran
    }

    /// Runs a command with `--json` that must end with this code; the document it prints.
    pub(crate) fn json(&self, arguments: &str, code: i32) -> Value {
        let ran = self.tamis(&format!("{arguments} --json"));
        assert_eq!(ran.code, code, "tamis {arguments}: {ran:?}");
        ran.document()
    }

    /// Waits until a command holds a document, which it does from before it reads it until the result has its name; or until it ends.
    pub(crate) fn wait_until_locked(&self, document: &str, child: &mut Child) -> bool {
        let file = std::fs::File::open(self.path(document)).expect("a document");
        loop {
            if file.try_lock().is_err() {
                return true;
            }
            file.unlock().expect("it was locked");
            if child.try_wait().expect("it was started").is_some() {
                return false;
            }
            std::thread::sleep(std::time::Duration::from_micros(200));
        }
    }
}

impl Ran {
    /// The one JSON document on standard output.
    pub(crate) fn document(&self) -> Value {
        serde_json::from_str(&self.out).unwrap_or_else(|error| panic!("{error}: {}", self.out))
    }
}

/// The top of the repository.
pub(crate) fn repository() -> &'static Path {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."))
}

/// The policy of the Adult study with these models and further sections.
pub(crate) fn adult_policy(rest: &str) -> String {
    let attributes = tamis_adult::COLUMNS.iter().map(|column| {
        let role = if *column == tamis_adult::SENSITIVE { "sensitive" } else { "quasi-identifying" };
        format!("[attributes.{column}]\nrole = \"{role}\"\nhierarchy = \"hierarchies/adult/{column}.csv\"\n")
    });
    let mut policy: String = ["[input]\npath = \"adult.csv\"\n".to_owned()].into_iter().chain(attributes).collect();
    if !rest.contains("[search]") {
        policy += "[search]\nsuppression_limit = 1.0\n";
    }
    policy + rest
}

/// The rows of a plain CSV text below its header, sorted.
pub(crate) fn sorted_rows(text: &str) -> Vec<&str> {
    let mut rows: Vec<&str> = text.lines().skip(1).collect();
    rows.sort_unstable();
    rows
}
