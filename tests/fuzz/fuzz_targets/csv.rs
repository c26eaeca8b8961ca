//! Any bytes are a table or a clear error; a table that was read is written and read back the same.
#![no_main]

use libfuzzer_sys::fuzz_target;
use tamis_source::{Encoding, OutputColumn, ReadOptions, WriteOptions, detect_from, read_table_from, write_table_to};

fuzz_target!(|bytes: &[u8]| {
    let _ = detect_from(bytes);
    let latin = ReadOptions { encoding: Some(Encoding::Latin1), ..ReadOptions::default() };
    let _ = read_table_from(bytes, "fuzz", &latin);
    let Ok(table) = read_table_from(bytes, "fuzz", &ReadOptions::default()) else { return };
    let columns: Vec<OutputColumn<'_>> = table.columns().iter().map(OutputColumn::of).collect();
    let mut text = Vec::new();
    write_table_to(&mut text, "fuzz", &WriteOptions::default(), &columns, 0..table.rows()).expect("memory is writable");
    let again =
        read_table_from(text.as_slice(), "fuzz", &ReadOptions { delimiter: Some(b','), ..ReadOptions::default() });
    assert_eq!(again.expect("what was written can be read"), table);
});
