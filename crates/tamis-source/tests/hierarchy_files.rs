//! Hierarchy files, read and written.

use proptest::prelude::*;
use tamis_source::{hierarchy_to_string, parse_hierarchy, read_hierarchy, write_hierarchy};
use tamis_table::{Hierarchy, HierarchyRow};

fn row(line: u64, labels: &[&str]) -> HierarchyRow {
    HierarchyRow { line, labels: labels.iter().map(|&label| label.to_owned()).collect() }
}

#[test]
fn rows_keep_the_lines_of_the_file() {
    for line_end in ["\n", "\r\n", "\r"] {
        let text = ["a;x;*", "", "\"b", "c\";x;*", "d;y;*"].join(line_end);
        let rows = parse_hierarchy(text.as_bytes(), "h.csv").unwrap();
        assert_eq!(rows.iter().map(|row| row.line).collect::<Vec<_>>(), [1, 3, 5], "{line_end:?}");
    }
}

#[test]
fn labels_with_commas_are_not_cut() {
    let rows = parse_hierarchy("39;[20, 40[;*\n50;[40, 60[;*\n".as_bytes(), "h.csv").unwrap();
    assert_eq!(rows, [row(1, &["39", "[20, 40[", "*"]), row(2, &["50", "[40, 60[", "*"])]);
}

#[test]
fn other_delimiters_are_detected() {
    for delimiter in [",", "\t", "|"] {
        let rows = parse_hierarchy(format!("a{delimiter}*\nb{delimiter}*\n").as_bytes(), "h.csv").unwrap();
        assert_eq!(rows, [row(1, &["a", "*"]), row(2, &["b", "*"])]);
    }
}

#[test]
fn uneven_rows_are_kept_for_the_hierarchy_to_judge() {
    let rows = parse_hierarchy(b"a;x;*\nb;*\nc;y;*\n", "h.csv").unwrap();
    assert_eq!(rows, [row(1, &["a", "x", "*"]), row(2, &["b", "*"]), row(3, &["c", "y", "*"])]);
    assert!(Hierarchy::from_rows(&rows).is_err_and(|error| error.to_string().starts_with("line 2 has 2 columns")));
}

#[test]
fn an_empty_file_has_no_rows() {
    assert_eq!(parse_hierarchy(b"", "h.csv").unwrap(), []);
}

#[test]
fn a_missing_hierarchy_file_is_named() {
    assert_eq!(
        read_hierarchy("no/such/age.csv").unwrap_err().to_string(),
        "cannot open `no/such/age.csv`: No such file or directory (os error 2); \
         check that the file exists and may be read"
    );
}

#[test]
fn bytes_that_are_not_utf8_are_named_by_level() {
    assert_eq!(
        parse_hierarchy(b"a;x;*\nb;\xE9;*\n", "h.csv").unwrap_err().to_string(),
        "`h.csv`, line 2, column 2 (level 1), byte 1: found the byte 0xE9, which is not UTF-8; save the file as UTF-8"
    );
    assert_eq!(
        parse_hierarchy(b"\xE9;x;*\n", "h.csv").unwrap_err().to_string(),
        "`h.csv`, line 1, column 1 (the value), byte 1: found the byte 0xE9, which is not UTF-8; save the file as UTF-8"
    );
}

#[test]
fn a_quote_never_closed_is_named() {
    assert_eq!(
        parse_hierarchy(b"a;x;*\nb;\"x;*\n", "h.csv").unwrap_err().to_string(),
        "`h.csv`, line 2, column 2: a quote (\") is opened and never closed; \
         close it, or quote the value and double the quote if it belongs to the value"
    );
}

#[test]
fn a_written_hierarchy_is_read_back_compressed_or_not() {
    let directory = tempfile::tempdir().unwrap();
    let rows = [row(1, &["39", "[20, 40[", "*"]), row(2, &["a;\"b\"", "", "*"])];
    for name in ["age.csv", "age.csv.gz", "age.csv.zst"] {
        let path = directory.path().join(name);
        write_hierarchy(&path, &rows).unwrap();
        assert_eq!(read_hierarchy(&path).unwrap(), rows);
    }
    assert_eq!(
        std::fs::read_to_string(directory.path().join("age.csv")).unwrap(),
        "39;[20, 40[;*\n\"a;\"\"b\"\"\";;*\n"
    );
}

/// Texts made of the characters that matter, so that clashes are frequent.
fn label() -> impl Strategy<Value = String> {
    proptest::collection::vec(prop::sample::select(vec!['a', ';', ',', '|', '\t', '"', '\'', '\n', '\r', 'é']), 0..4)
        .prop_map(|characters| characters.into_iter().collect())
}

proptest! {
    #[test]
    fn any_even_hierarchy_survives_writing_and_reading(
        rows in (2_usize..4).prop_flat_map(|width| {
            proptest::collection::vec(proptest::collection::vec(label(), width), 1..6)
        }),
    ) {
        let rows: Vec<HierarchyRow> = rows.into_iter().zip(1..).map(|(labels, line)| HierarchyRow { line, labels }).collect();
        let read = parse_hierarchy(hierarchy_to_string(&rows).as_bytes(), "h.csv").unwrap();
        let labels = |rows: &[HierarchyRow]| rows.iter().map(|row| row.labels.clone()).collect::<Vec<_>>();
        prop_assert_eq!(labels(&read), labels(&rows));
    }

    #[test]
    fn arbitrary_bytes_never_panic(bytes in proptest::collection::vec(any::<u8>(), 0..200)) {
        let _ = parse_hierarchy(&bytes, "h.csv");
    }
}
