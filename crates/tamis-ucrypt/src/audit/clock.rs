//! Clocks that ran ahead, as a log shows them.

use super::entry::Action;
use super::{AuditError, Entry};

/// The first few lines whose time cannot be right, in words: later than that of a line behind them, or taken back by the holders.
pub fn clocks(entries: impl IntoIterator<Item = Result<Entry, AuditError>>) -> Result<Vec<String>, AuditError> {
    const MOST: usize = 10;
    let mut latest: Option<Entry> = None;
    let mut said = Vec::new();
    for entry in entries {
        let entry = entry?;
        if let Some(before) = latest.as_ref().filter(|before| before.at > entry.at) {
            said.push(match entry.action {
                Action::SetClock => format!(
                    "line {} of the log ({}) put the time back from {:.0}, of line {}, to {:.0}",
                    entry.n, entry.action, before.at, before.n, entry.at
                ),
                _ => format!(
                    "line {} of the log ({}) says {:.0}, later than line {} behind it, {:.0}: its clock ran ahead",
                    before.n, before.action, before.at, entry.n, entry.at
                ),
            });
            latest = None;
        }
        if said.len() == MOST {
            break;
        }
        if latest.as_ref().is_none_or(|before| before.at <= entry.at) {
            latest = Some(entry);
        }
    }
    Ok(said)
}
