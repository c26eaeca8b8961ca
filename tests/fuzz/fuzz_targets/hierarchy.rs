//! Any bytes are a hierarchy or a clear error, and the full check agrees with the first error.
#![no_main]

use libfuzzer_sys::fuzz_target;
use tamis_source::parse_hierarchy;
use tamis_table::Hierarchy;
use tamis_table::hierarchy::{Severity, check};

fuzz_target!(|bytes: &[u8]| {
    let Ok(rows) = parse_hierarchy(bytes, "fuzz") else { return };
    let is_clean = check(&rows).iter().all(|finding| finding.severity != Severity::Error);
    assert_eq!(is_clean, Hierarchy::from_rows(&rows).is_ok());
});
