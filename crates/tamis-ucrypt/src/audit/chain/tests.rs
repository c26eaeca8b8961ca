use std::fs;
use std::io::Write as _;

use super::*;
use crate::audit::{Action, Event, Log};

fn event(note: &str) -> Event {
    Event {
        action: Action::Open,
        policy: "p7Q2".into(),
        epoch: 1,
        generation: 2,
        holders: vec!["doctor".into(), "payer".into()],
        note: note.into(),
        code: None,
        fingerprint: None,
    }
}

fn time(text: &str) -> Timestamp {
    text.parse().unwrap()
}

/// A log of four entries in a directory that lives as long as the first value.
fn log_of_four() -> (tempfile::TempDir, Log) {
    let directory = tempfile::tempdir().unwrap();
    let log = Log::beside(&directory.path().join("patients.upolicy"));
    for day in 1..=4 {
        let clock = time(&format!("2026-01-0{day}T12:00:00Z"));
        let entry = log.append(clock, event(&format!("day {day}"))).unwrap();
        assert_eq!(entry.n, day);
    }
    (directory, log)
}

#[test]
fn a_log_stands_beside_its_policy_and_checks() {
    let (directory, log) = log_of_four();
    assert_eq!(log.path(), directory.path().join("patients.uaudit"));
    let summary = log.check().unwrap();
    assert_eq!(summary.entries, 4);
    assert_eq!(summary.last, log.last().unwrap().map(|entry| entry.hash));
    assert_eq!(summary.latest, Some(time("2026-01-04T12:00:00Z")));
    let notes: Vec<String> = log.entries().unwrap().unwrap().map(|entry| entry.unwrap().note).collect();
    assert_eq!(notes, ["day 1", "day 2", "day 3", "day 4"]);
}

#[test]
fn a_log_that_does_not_exist_is_empty() {
    let directory = tempfile::tempdir().unwrap();
    let log = Log::at(directory.path().join("none.uaudit"));
    assert_eq!(log.check().unwrap(), Summary { entries: 0, last: None, latest: None, torn: false });
    assert!(log.last().unwrap().is_none() && log.entries().unwrap().is_none());
}

#[test]
fn every_edited_value_is_found() {
    let (_directory, log) = log_of_four();
    let text = fs::read_to_string(log.path()).unwrap();
    for (from, to) in [
        ("day 2", "day 9"),
        ("2026-01-02T12", "2026-01-02T13"),
        ("payer", "buyer"),
        ("\"open\"", "\"seal\""),
        ("p7Q2", "p7Q3"),
        ("\"epoch\":1", "\"epoch\":2"),
        ("\"gen\":2", "\"gen\":3"),
        ("[\"doctor\",\"payer\"]", "[\"doctorpayer\"]"),
    ] {
        let second = text.lines().nth(1).unwrap();
        let edited = text.replace(second, &second.replacen(from, to, 1));
        assert_ne!(edited, text, "{from}");
        assert!(matches!(check(edited.as_bytes()), Err(AuditError::Hash { line: 2 })), "{from}");
    }
}

#[test]
fn removed_exchanged_and_repeated_lines_are_found() {
    let (_directory, log) = log_of_four();
    let text = fs::read_to_string(log.path()).unwrap();
    let lines: Vec<&str> = text.lines().collect();
    for (order, broken) in [(vec![1, 2, 3], 1), (vec![0, 2, 3], 2), (vec![0, 2, 1, 3], 2), (vec![0, 0, 1], 2)] {
        let chosen: Vec<&str> = order.iter().map(|line: &usize| lines[*line]).collect();
        let edited = chosen.join(
            "
",
        ) + "
";
        assert!(matches!(check(edited.as_bytes()), Err(AuditError::Chain { line }) if line == broken), "{order:?}");
    }
}

/// The lines of a log, the second of which somebody wrote anew with a hash that fits it.
fn with_forged_second(log: &Log, forge: impl FnOnce(&mut Entry)) -> Vec<Entry> {
    let mut entries: Vec<Entry> = log.entries().unwrap().unwrap().map(Result::unwrap).collect();
    forge(&mut entries[1]);
    entries[1].hash = entries[1].computed_hash();
    entries
}

fn checked(entries: &[Entry]) -> Result<Summary, AuditError> {
    let mut text = String::new();
    for entry in entries {
        text += &serde_json::to_string(entry).unwrap();
        text.push('\n');
    }
    check(text.as_bytes())
}

#[test]
fn a_line_written_anew_does_not_fit_the_next_one() {
    let (_directory, log) = log_of_four();
    let forged = with_forged_second(&log, |entry| entry.note = "nothing".into());
    assert!(matches!(checked(&forged), Err(AuditError::Chain { line: 3 })));
    assert_eq!(checked(&forged[..2]).unwrap().entries, 2);
}

#[test]
fn a_line_older_than_the_one_before_is_found() {
    let (_directory, log) = log_of_four();
    let forged = with_forged_second(&log, |entry| entry.at = time("2025-12-31T12:00:00Z"));
    assert!(matches!(checked(&forged), Err(AuditError::Time { line: 2 })));
}

#[test]
fn a_clock_set_back_does_not_set_the_log_back() {
    let (_directory, log) = log_of_four();
    let back = time("2020-01-01T00:00:00Z");
    let trusted = log.trusted_now(back).unwrap();
    assert_eq!((trusted.now, trusted.set_back), (time("2026-01-04T12:00:00Z"), true));
    assert_eq!(log.append(back, event("")).unwrap().at, time("2026-01-04T12:00:00Z"));
    assert_eq!(log.check().unwrap().entries, 5);
}

#[test]
fn a_line_that_a_crash_cut_off_is_reported_and_then_replaced() {
    let (_directory, log) = log_of_four();
    let whole = fs::read(log.path()).unwrap();
    for kept in [1, 40, 200] {
        let third_end = whole.iter().enumerate().filter(|(_, byte)| **byte == b'\n').nth(2).unwrap().0 + 1;
        fs::write(log.path(), &whole[..third_end + kept]).unwrap();
        let summary = log.check().unwrap();
        assert!(summary.torn && summary.entries == 3);
        log.append(time("2026-01-05T12:00:00Z"), event("again")).unwrap();
        let summary = log.check().unwrap();
        assert!(!summary.torn && summary.entries == 4);
    }
}

#[test]
fn a_broken_or_endless_last_line_is_refused_and_nothing_appended() {
    let (_directory, log) = log_of_four();
    let whole = fs::read(log.path()).unwrap();
    let mut file = fs::OpenOptions::new().append(true).open(log.path()).unwrap();
    file.write_all(b"{}\n").unwrap();
    assert!(matches!(log.append(time("2026-01-05T12:00:00Z"), event("")), Err(AuditError::Last { .. })));
    assert!(matches!(log.check(), Err(AuditError::Line { line: 5, .. })));
    let endless = vec![b'x'; 3 << 20];
    fs::write(log.path(), &endless).unwrap();
    assert!(log.append(time("2026-01-05T12:00:00Z"), event("")).is_err());
    assert!(matches!(log.check(), Err(AuditError::Line { line: 1, .. })));
    assert_eq!(fs::read(log.path()).unwrap().len(), endless.len());
    fs::write(log.path(), whole).unwrap();
    assert!(log.check().is_ok());
}

#[test]
fn several_threads_write_one_chain() {
    let directory = tempfile::tempdir().unwrap();
    let log = Log::at(directory.path().join("x.uaudit"));
    std::thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| (0..20).for_each(|_| drop(log.append(time("2026-01-05T12:00:00Z"), event("")).unwrap())));
        }
    });
    assert_eq!(log.check().unwrap().entries, 80);
}

#[test]
fn the_end_of_a_long_log_is_enough_to_see_the_last_lines() {
    let directory = tempfile::tempdir().unwrap();
    let log = Log::at(directory.path().join("long.uaudit"));
    let mut last: Option<Entry> = None;
    let mut lines = Vec::new();
    for _ in 0..8_000 {
        let entry = Entry::after(last.as_ref(), time("2026-01-01T12:00:00Z"), event(&"note ".repeat(40)), true);
        lines.push(serde_json::to_string(&entry).unwrap() + "\n");
        last = Some(entry);
    }
    fs::write(log.path(), lines.concat()).unwrap();
    let recent: Vec<Entry> = log.recent(2 << 20).unwrap().unwrap().map(Result::unwrap).collect();
    assert!((2_000..7_999).contains(&recent.len()), "{}", recent.len());
    assert_eq!(recent.last(), last.as_ref());
    // What was edited before is for `check` to find, what was edited there is seen.
    for (edited, is_seen) in [(3, false), (7_990, true)] {
        let mut lines = lines.clone();
        lines[edited] = lines[edited].replace("doctor", "baker");
        fs::write(log.path(), lines.concat()).unwrap();
        assert_eq!(log.recent(2 << 20).unwrap().unwrap().any(|entry| entry.is_err()), is_seen, "{edited}");
        assert!(log.check().is_err());
    }
    // Lines that are none are not skipped.
    let (good, rest) = lines.split_at(100);
    let junk = vec!["junk ".repeat(60) + "\n"; 8_000];
    fs::write(log.path(), [good, &junk, &rest[rest.len() - 3..]].concat().concat()).unwrap();
    assert!(log.recent(2 << 20).is_err());
}
