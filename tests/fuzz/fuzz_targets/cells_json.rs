//! Any text is a table of cells in JSON or a clear error, and a table that was read is written as it was read; any text is a
//! pattern for a table or a clear error.
#![no_main]

use libfuzzer_sys::fuzz_target;
use tamis_cells::format::{json, read_pattern};
use tamis_cells::{CellTable, Demand, Pattern};

const TABLE: &str = r#"{ "cells": [ { "id": 0, "value": 1 }, { "id": "a", "value": 1 }, { "id": 3, "value": 2 } ], "equations": [] }"#;

fn table(bytes: &[u8]) -> Option<CellTable> {
    json::read(bytes).ok()
}

fuzz_target!(|bytes: &[u8]| {
    let known = table(TABLE.as_bytes()).expect("a true table");
    if let Ok(pattern) = read_pattern(bytes, &known) {
        assert_eq!(pattern.flags().len(), 3);
    }
    let Some(read) = table(bytes) else { return };
    let mut written = Vec::new();
    json::write(&read, &mut written).expect("memory can be written");
    assert_eq!(table(&written).as_ref(), Some(&read));
    for pinned in read.pinned() {
        assert!(!pinned.sentence(&read).is_empty());
    }
    assert!(Demand::of(&read).iter().all(|demand| demand.level > 0.0));
    assert!(Pattern::least(&read).cost(&read) <= Pattern::new(vec![true; read.cells().len()]).cost(&read));
});
