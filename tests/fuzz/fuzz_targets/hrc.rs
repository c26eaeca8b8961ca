//! Any text is indented lines or a clear error; what is read is a forest in order, and any line of it an equation or an error.
#![no_main]

use libfuzzer_sys::fuzz_target;
use tamis_totals::{parse_equation, parse_hrc};

fuzz_target!(|text: &str| {
    for lead in [None, Some("@"), Some("  ")] {
        let Ok(lines) = parse_hrc(text, lead) else { continue };
        assert!(lines.iter().enumerate().all(|(at, line)| line.parent.is_none_or(|parent| parent < at)));
        assert!(lines.iter().all(|line| !line.label.is_empty()));
    }
    for line in text.lines() {
        let _ = parse_equation(line);
    }
});
