//! Clocks that ran ahead, as a log shows them.

use jiff::SignedDuration;

use super::entry::Action;
use super::{AuditError, Entry};

/// How much later than a line behind it the time of one may be. Commands take the time when they begin, and wait for one another before they
/// write.
const TOGETHER: SignedDuration = SignedDuration::from_mins(10);

/// The first few lines whose time cannot be right, in words: later, by more than commands
/// at the same time can make it, than that of a line behind them, or taken back by the holders.
pub fn clocks(entries: impl IntoIterator<Item = Result<Entry, AuditError>>) -> Result<Vec<String>, AuditError> {
    const MOST: usize = 10;
    let mut latest: Option<Entry> = None;
    let mut said = Vec::new();
    for entry in entries {
        let entry = entry?;
        let is_late = |before: &&Entry| match entry.action {
            Action::SetClock => before.at > entry.at,
            _ => before.at.duration_since(entry.at) > TOGETHER,
        };
        if let Some(before) = latest.as_ref().filter(is_late) {
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

#[cfg(test)]
mod tests {
    use jiff::Timestamp;

    use super::super::entry::Event;
    use super::*;

    fn said(seconds: [i64; 2]) -> usize {
        let mut last: Option<Entry> = None;
        let entries = seconds.map(|second| {
            let event = Event {
                action: Action::Seal,
                policy: "p".into(),
                epoch: 1,
                generation: 1,
                holders: Vec::new(),
                note: String::new(),
                code: None,
                fingerprint: None,
            };
            let entry = Entry::after(last.as_ref(), Timestamp::from_second(second).unwrap(), event, false);
            last = Some(entry.clone());
            Ok(entry)
        });
        clocks(entries).unwrap().len()
    }

    #[test]
    fn commands_that_ran_at_the_same_time_are_no_clock_that_ran_ahead() {
        assert_eq!(said([1_000_003, 1_000_000]), 0);
        assert_eq!(said([1_003_600, 1_000_000]), 1);
    }
}
