//! Checking that a log is what was written.

use std::io::{BufRead, Read as _};

use jiff::Timestamp;

use super::AuditError;
use super::entry::{Action, Entry, no_hash};

/// Longest line: a hostile log must not fill the memory.
pub(super) const LONGEST_LINE: u64 = 1 << 20;

/// What a good log amounts to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Summary {
    /// How many entries.
    pub entries: u64,
    /// The hash of the last one, to be kept elsewhere.
    pub last: Option<String>,
    /// The time of the last one.
    pub latest: Option<Timestamp>,
    /// Whether the last line was cut off while it was written; it does not count.
    pub torn: bool,
}

/// Reads a log entry by entry, each checked against the one before.
pub struct Checked<R> {
    lines: R,
    line: u64,
    last: Option<Entry>,
    torn: bool,
    over: bool,
}

impl<R: BufRead> Checked<R> {
    /// Reads this log.
    pub fn new(lines: R) -> Self {
        Self { lines, line: 0, last: None, torn: false, over: false }
    }

    /// Reads the rest of a log from somewhere within it: its first whole line is believed, and not among the entries.
    pub(super) fn rest(mut lines: R) -> Result<Self, AuditError> {
        let mut line = Vec::new();
        // The end of a line, and the next one.
        for _ in 0..2 {
            line.clear();
            let read = lines.by_ref().take(LONGEST_LINE).read_until(b'\n', &mut line);
            read.map_err(|error| AuditError::Recent(error.to_string()))?;
        }
        let last = Entry::from_line(&line).map_err(|why| AuditError::Recent(why.to_owned()))?;
        Ok(Self { lines, line: last.n, last: Some(last), torn: false, over: false })
    }

    fn step(&mut self) -> Result<Option<Entry>, AuditError> {
        let mut bytes = Vec::new();
        let line = self.line.saturating_add(1);
        let broken = |why: &str| AuditError::Line { line, why: why.to_owned() };
        let read = self.lines.by_ref().take(LONGEST_LINE).read_until(b'\n', &mut bytes);
        read.map_err(|error| broken(&error.to_string()))?;
        if bytes.is_empty() {
            return Ok(None);
        }
        if bytes.last() != Some(&b'\n') {
            if bytes.len() as u64 == LONGEST_LINE {
                return Err(broken("it is too long"));
            }
            if is_cut_off(&bytes) {
                self.torn = true;
                return Ok(None);
            }
        }
        let entry = Entry::from_line(&bytes).map_err(broken)?;
        follows(self.last.as_ref(), &entry, line)?;
        self.line = line;
        self.last = Some(entry.clone());
        Ok(Some(entry))
    }
}

impl<R: BufRead> Iterator for Checked<R> {
    type Item = Result<Entry, AuditError>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.over {
            return None;
        }
        let step = self.step().transpose();
        self.over = !matches!(step, Some(Ok(_)));
        step
    }
}

/// Whether a last line without its end is one that a crash cut off. A whole entry that merely lost its end, as some editors leave it, is an entry.
pub(super) fn is_cut_off(line: &[u8]) -> bool {
    const BEGINNING: &[u8] = b"{\"n\":";
    let written = line.trim_ascii_end();
    // After a power failure, what was not written yet may be zeros.
    let zeros = written.iter().rev().take_while(|byte| **byte == 0).count();
    let written = &written[..written.len() - zeros];
    (written.starts_with(BEGINNING) || BEGINNING.starts_with(written))
        && serde_json::from_slice::<serde::de::IgnoredAny>(written).is_err()
}

fn follows(last: Option<&Entry>, entry: &Entry, line: u64) -> Result<(), AuditError> {
    if entry.hash != entry.computed_hash() {
        return Err(AuditError::Hash { line });
    }
    let prev = last.map_or_else(no_hash, |last| last.hash.clone());
    if entry.prev != prev || entry.n != line {
        return Err(AuditError::Chain { line });
    }
    if last.is_some_and(|last| entry.at < last.known_time()) && entry.action != Action::SetClock {
        return Err(AuditError::Time { line });
    }
    Ok(())
}

/// Checks a whole log, in time linear in its length and memory for one line.
pub fn check(lines: impl BufRead) -> Result<Summary, AuditError> {
    let mut checked = Checked::new(lines);
    for entry in &mut checked {
        entry?;
    }
    let last = checked.last.as_ref();
    Ok(Summary {
        entries: checked.line,
        last: last.map(|entry| entry.hash.clone()),
        latest: last.map(|entry| entry.at),
        torn: checked.torn,
    })
}

#[cfg(test)]
mod tests;
