//! Any text is a condition on appointments or a clear error, and a rule that was read is written as it was read.
#![no_main]

use libfuzzer_sys::fuzz_target;
use tamis_programme::{ColumnPair, Location, MixingText};

fuzz_target!(|text: &str| {
    if let Ok(pair) = text.parse::<ColumnPair>() {
        assert_eq!(pair.to_string().parse(), Ok(pair));
    }
    let _ = text.parse::<Location>();
    for (flag, read) in [("--max-share ", MixingText::share as fn(&str) -> _), ("--min-distinct ", MixingText::distinct)] {
        let Ok(rule) = read(text) else { continue };
        let written = rule.to_string();
        let behind = written.strip_prefix(flag).expect("a rule is written behind its flag");
        assert_eq!(read(behind), Ok(rule));
    }
});
