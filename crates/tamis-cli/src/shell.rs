//! Standard output and standard error, as the flags want them.

use crate::answer::{CommandError, sentence};
use crate::args::Common;
use crate::message;
use anstyle::{AnsiColor, Style};
use rand::TryRng;
use serde::Serialize;
use std::io::{self, ErrorKind, Write};
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};

/// How the program speaks.
pub(crate) struct Shell {
    pub(crate) is_json: bool,
    pub(crate) is_quiet: bool,
    pub(crate) threads: usize,
    pub(crate) seed: Option<u64>,
}

impl Shell {
    pub(crate) fn new(common: &Common) -> Self {
        let available = std::thread::available_parallelism().map_or(1, usize::from);
        Self {
            is_json: common.json,
            is_quiet: common.quiet,
            threads: common.threads.map_or(available, usize::from),
            seed: common.seed,
        }
    }

    /// Prints text for people on standard output; nothing if JSON was asked for.
    pub(crate) fn say(&self, text: &str) {
        if !self.is_json {
            finish(writeln!(anstream::stdout(), "{text}"));
        }
    }

    /// Whether text for people can still be seen by someone.
    pub(crate) fn is_heard(&self) -> bool {
        !self.is_json && !IS_CLOSED.load(Ordering::Relaxed)
    }

    /// Prints the one JSON document, if it was asked for.
    pub(crate) fn json(&self, document: &impl Serialize) -> Result<(), CommandError> {
        if self.is_json {
            let text = serde_json::to_string_pretty(document)
                .map_err(|error| sentence(format!("the result cannot be written as JSON: {error}")))?;
            finish(writeln!(io::stdout(), "{text}"));
        }
        Ok(())
    }

    /// Prints remarks on standard error.
    pub(crate) fn notes(&self, notes: &[String]) {
        if !self.is_quiet {
            let style = Style::new().fg_color(Some(AnsiColor::Yellow.into()));
            for note in notes {
                message::tell(style, "note", note);
            }
        }
    }

    /// Says what keeps the program waiting, to those who want no notes too: it may be for ever.
    pub(crate) fn waits(path: &Path) {
        let style = Style::new().fg_color(Some(AnsiColor::Yellow.into()));
        message::tell(style, "note", &format!("waiting for {}, which another command holds", path.display()));
    }

    /// Prints what went wrong: a sentence on standard error, and the JSON document if one was asked for.
    pub(crate) fn error(&self, error: &CommandError) {
        let style = Style::new().bold().fg_color(Some(AnsiColor::Red.into()));
        message::tell(style, "error", &error.to_string());
        if self.is_json {
            let _ = writeln!(io::stdout(), "{}", message::hidden_in(error.document()));
        }
    }

    /// The seed given, or a random one.
    pub(crate) fn seed_or_random(&self, given: Option<u64>) -> Result<u64, CommandError> {
        match self.seed.or(given) {
            Some(seed) => Ok(seed),
            None => rand::rngs::SysRng
                .try_next_u64()
                // 53 bits are a number that every JSON reader keeps.
                .map(|random| random >> 11)
                .map(|random| random & LARGEST_EXACT)
                .map_err(|error| sentence(format!("the system gives no random numbers ({error}); choose a --seed"))),
        }
    }
}

/// Every JSON reader holds whole numbers up to here exactly; a seed read from a result and given back must be the same seed.
const LARGEST_EXACT: u64 = (1 << 53) - 1;

/// Whether whoever read standard output has gone away.
static IS_CLOSED: AtomicBool = AtomicBool::new(false);

/// A reader that closes the pipe early has what it wants. The work goes on all the same, for its exit code is an answer too; any other
/// failure is worth stopping for.
fn finish(written: io::Result<()>) {
    match written {
        Ok(()) => {}
        Err(error) if error.kind() == ErrorKind::BrokenPipe => IS_CLOSED.store(true, Ordering::Relaxed),
        Err(error) => {
            message::tell(Style::new(), "error", &format!("cannot write to standard output: {error}"));
            std::process::exit(2);
        }
    }
}
