//! Any text is a table in the JJ format or a clear error that names a line, and a table that was read is written as it was read.
#![no_main]

use libfuzzer_sys::fuzz_target;
use tamis_cells::format::{FormatError, jj};

fuzz_target!(|bytes: &[u8]| {
    match jj::read(bytes) {
        Ok(table) => {
            let mut written = Vec::new();
            jj::write(&table, None, &mut written).expect("memory can be written");
            assert_eq!(jj::read(&written), Ok(table));
        }
        Err(FormatError::Line { line, problem }) => {
            let lines = bytes.split(|byte| *byte == b'\n').count();
            assert!((1..=lines).contains(&line) && !problem.is_empty());
        }
        Err(other) => panic!("no line: {other}"),
    }
});
