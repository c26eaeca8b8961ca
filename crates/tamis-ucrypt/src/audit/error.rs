//! What can be wrong with a log.

use std::path::PathBuf;

use crate::exit::Exit;

/// A log that cannot be read, written or trusted.
#[derive(Debug, thiserror::Error)]
pub enum AuditError {
    /// The file cannot be read or written.
    #[error("{}: {source}", path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// What the system said.
        source: std::io::Error,
    },
    /// A line is no entry.
    #[error("line {line} of the log is no entry: {why}")]
    Line {
        /// The line, from 1.
        line: u64,
        /// What is wrong.
        why: String,
    },
    /// The last line, which tells how late it is at least, cannot be believed.
    #[error(
        "{}: the last line of the log is no entry ({why}): a power failure cut it off, or somebody edited it; keep a copy of the file for the other holders, and take the line out to go on",
        path.display()
    )]
    Last {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        why: String,
    },
    /// The log is that of another policy.
    #[error(
        "{}: its first line is about policy {found:?}, not about {policy:?}: it is the log of another policy, in which nothing is written; put the log of \
         this one there, or take that away",
        path.display()
    )]
    OtherPolicy {
        /// The file.
        path: PathBuf,
        /// The policy of its first line.
        found: String,
        /// The policy that something was done with.
        policy: String,
    },
    /// The log has no line, although whoever makes a policy writes the first.
    #[error("the log is empty")]
    Empty,
    /// A line near the end is no entry.
    #[error("a line near the end of the log is no entry: {0}")]
    Recent(String),
    /// A line is not what was written.
    #[error("line {line} of the log was edited: its hash does not fit it")]
    Hash {
        /// The line.
        line: u64,
    },
    /// A line does not follow the one before.
    #[error("line {line} of the log does not follow the line before: lines were removed, put in or exchanged")]
    Chain {
        /// The line.
        line: u64,
    },
    /// A line is older than the one before.
    #[error("line {line} of the log is older than the line before")]
    Time {
        /// The line.
        line: u64,
    },
}

impl AuditError {
    /// What this failure means to the caller of the program.
    pub fn exit(&self) -> Exit {
        Exit::Input
    }
}
