//! The many ways in which a table may be written, and read.

use std::io::Write;
use tamis_source::{
    ColumnFilter, Compression, Encoding, Format, ReadOptions, detect, detect_from, line_of_row_in, read_table,
    read_table_from,
};
use tamis_table::Table;

fn read(text: impl AsRef<[u8]>) -> Vec<Vec<String>> {
    read_with(text, &ReadOptions::default())
}

fn read_with(text: impl AsRef<[u8]>, options: &ReadOptions) -> Vec<Vec<String>> {
    rows(&read_table_from(text.as_ref(), "people.csv", options).unwrap())
}

/// The header and the rows.
fn rows(table: &Table) -> Vec<Vec<String>> {
    let header = table.columns().iter().map(|column| column.name().to_owned()).collect();
    let row = |row| table.columns().iter().map(|column| column.text(row).to_owned()).collect();
    std::iter::once(header).chain((0..table.rows()).map(row)).collect()
}

fn gzip(text: &str) -> Vec<u8> {
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
    encoder.write_all(text.as_bytes()).unwrap();
    encoder.finish().unwrap()
}

#[test]
fn every_line_ending_gives_the_same_table() {
    for line_end in ["\n", "\r\n", "\r"] {
        for last in ["", line_end] {
            let text = format!("age;sex{line_end}39;Male{line_end}50;Female{last}");
            assert_eq!(read(&text), [["age", "sex"], ["39", "Male"], ["50", "Female"]], "{text:?}");
        }
    }
}

#[test]
fn quotes_hide_delimiters_line_breaks_and_quotes() {
    let text = "a,b\n\"x,y\",\"two\nlines\"\n\"say \"\"hi\"\"\",\"\"\n\"\r\n\",5\" pipe\n";
    assert_eq!(read(text), [["a", "b"], ["x,y", "two\nlines"], ["say \"hi\"", ""], ["\r\n", "5\" pipe"]]);
}

#[test]
fn a_byte_order_mark_is_not_part_of_the_first_header() {
    assert_eq!(read("\u{FEFF}age;sex\n39;Male\n"), [["age", "sex"], ["39", "Male"]]);
    assert_eq!(read("\u{FEFF}\"age\";sex\n39;Male\n"), [["age", "sex"], ["39", "Male"]]);
}

#[test]
fn nul_bytes_are_text() {
    assert_eq!(read("a;b\n\0;x\0y\n"), [["a", "b"], ["\0", "x\0y"]]);
}

#[test]
fn blank_lines_are_skipped_in_a_table_of_several_columns() {
    assert_eq!(read("\n\na;b\n\n1;2\r\n\r\n3;4\n\n"), [["a", "b"], ["1", "2"], ["3", "4"]]);
}

#[test]
fn a_blank_line_in_a_file_of_one_column_is_a_missing_value() {
    for line_end in ["\n", "\r\n", "\r"] {
        let text = ["", "age", "", "39", "", "", "\"\"", "\"5", "0\"", "", ""].join(line_end);
        let with_break = format!("5{line_end}0");
        let expected = ["age", "", "39", "", "", "", with_break.as_str(), ""];
        assert_eq!(read(&text), expected.map(|cell| vec![cell]), "{line_end:?}");
    }
    let table = read_table_from("age\n39\n\n".as_bytes(), "ages.csv", &ReadOptions::default()).unwrap();
    assert_eq!(table.rows(), 2);
    assert!(table.columns()[0].missing().is_some());
}

#[test]
fn every_usual_delimiter_is_detected() {
    for delimiter in [",", ";", "\t", "|"] {
        let text = ["age?sex?zip", "39?Male?\"a?b\"", "50?Female?"].join("\n").replace('?', delimiter);
        let hidden = format!("a{delimiter}b");
        assert_eq!(read(&text), [["age", "sex", "zip"], ["39", "Male", &hidden], ["50", "Female", ""]]);
        assert_eq!(detect_from(text.as_bytes()).unwrap().delimiter, delimiter.as_bytes()[0]);
    }
}

#[test]
fn decimal_commas_do_not_mislead_the_detection() {
    assert_eq!(detect_from(b"x;y\n1,5;2,5\n3,5;4,5\n").unwrap().delimiter, b';');
    assert_eq!(detect_from(b"a,x;b,y\n1;2\n3;4\n").unwrap().delimiter, b';');
    assert_eq!(detect_from(b"a;\"b,c\"\n1;\"x,y\"\n").unwrap().delimiter, b';');
}

#[test]
fn a_sample_cut_in_the_middle_of_a_line_does_not_mislead_the_detection() {
    let text = format!("a|b|c\n{}", "some text, more|2|3\n".repeat(10_000));
    assert_eq!(detect_from(text.as_bytes()).unwrap().delimiter, b'|');
    let long_field = format!("a|b\n\"{}\"|1\n", "x,y\n".repeat(50_000));
    assert_eq!(read(&long_field)[1][1], "1");
}

#[test]
fn a_file_of_one_column_counts_as_separated_by_commas() {
    assert_eq!(detect_from(b"age\n39\n50\n").unwrap().delimiter, b',');
    assert_eq!(detect_from(b"").unwrap().delimiter, b',');
}

#[test]
fn apostrophes_are_quotes_only_where_the_whole_header_is_enclosed_in_them() {
    assert_eq!(read("'a','b'\n'x,y','it''s'\n"), [["a", "b"], ["x,y", "it's"]]);
    assert_eq!(read("a,b\n'x',O'Brien\n"), [["a", "b"], ["'x'", "O'Brien"]]);
}

#[test]
fn a_forced_delimiter_and_quote_win() {
    let options = ReadOptions { delimiter: Some(b':'), quote: Some(b'$'), ..ReadOptions::default() };
    assert_eq!(read_with("a:b\n$x:y$:\"1\n", &options), [["a", "b"], ["x:y", "\"1"]]);
}

#[test]
fn latin1_is_read_when_asked_for() {
    let options = ReadOptions { encoding: Some(Encoding::Latin1), ..ReadOptions::default() };
    assert_eq!(read_with(b"pr\xE9nom;\xE2ge\nZo\xEB;\xBD\n", &options), [["prénom", "âge"], ["Zoë", "½"]]);
}

#[test]
fn latin1_lines_are_counted_over_many_chunks() {
    let options = ReadOptions { encoding: Some(Encoding::Latin1), ..ReadOptions::default() };
    let mut text = b"a;b\n".to_vec();
    text.extend(b"\xE9\xE9\xE9\xE9;\xE9\n".repeat(100_000));
    text.extend(b"1\n");
    let error = read_table_from(&*text, "people.csv", &options).unwrap_err().to_string();
    assert!(error.starts_with("`people.csv`, line 100002: found 1 field"), "{error}");
}

#[test]
fn compressed_files_are_recognised_by_their_bytes() {
    let text = "age;sex\n39;Male\n";
    let zstd = zstd::encode_all(text.as_bytes(), 0).unwrap();
    for (bytes, compression) in [(gzip(text), Compression::Gzip), (zstd, Compression::Zstd)] {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("people.csv");
        std::fs::write(&path, &bytes).unwrap();
        let table = read_table(&path, &ReadOptions::default()).unwrap();
        assert_eq!(rows(&table), [["age", "sex"], ["39", "Male"]]);
        let expected = Format { delimiter: b';', quote: b'"', encoding: Encoding::Utf8, compression };
        assert_eq!(detect(&path).unwrap(), expected);
    }
}

#[test]
fn gzip_members_and_zstd_frames_follow_one_another() {
    let (first, second) = ("age;sex\n39;Ma", "le\n50;Female\n");
    let expected = [["age", "sex"], ["39", "Male"], ["50", "Female"]];
    assert_eq!(read([gzip(first), gzip(second)].concat()), expected);
    let frame = |text: &str| zstd::encode_all(text.as_bytes(), 0).unwrap();
    assert_eq!(read([frame(first), frame(second)].concat()), expected);
}

#[test]
fn chosen_columns_keep_the_order_of_the_file() {
    let text = "a,b,c\n1,2,3\n4,5,6\n";
    let strings = |names: &[&str]| names.iter().map(|&name| name.to_owned()).collect();
    let only = ReadOptions { columns: ColumnFilter::Only(strings(&["c", "a"])), ..ReadOptions::default() };
    assert_eq!(read_with(text, &only), [["a", "c"], ["1", "3"], ["4", "6"]]);
    let except = ReadOptions { columns: ColumnFilter::Except(strings(&["a"])), ..ReadOptions::default() };
    assert_eq!(read_with(text, &except), [["b", "c"], ["2", "3"], ["5", "6"]]);
}

#[test]
fn columns_that_are_not_kept_may_hold_any_bytes() {
    let only = ReadOptions { columns: ColumnFilter::Only(vec!["a".to_owned()]), ..ReadOptions::default() };
    assert_eq!(read_with(b"a,photo\n1,\xFF\xD8\n", &only), [["a"], ["1"]]);
}

#[test]
fn every_text_that_means_missing_is_one_value() {
    let missing = vec![String::new(), "NA".to_owned(), "?".to_owned()];
    let options = ReadOptions { missing, ..ReadOptions::default() };
    let table = read_table_from("a,b\nNA,1\n,2\n7,3\n?,4\nNA,5\n?,6\n".as_bytes(), "people.csv", &options).unwrap();
    let column = table.column("a").unwrap();
    let missing = column.missing().unwrap();
    assert_eq!(column.frequencies()[missing.0 as usize], 5);
}

#[test]
fn detection_names_the_place_of_bytes_that_are_not_utf8() {
    let error = detect_from(b"age;name\n39;Ada\n50;Zo\xEB\n").unwrap_err().to_string();
    let place = "`the input`, line 3, column 2 (`name`), byte 3: found the byte 0xEB, which is not UTF-8";
    assert!(error.starts_with(place), "{error}");
    let error = detect_from(b"age;pr\xE9nom\n39;Ada\n").unwrap_err().to_string();
    let place = "`the input`, line 1, column 2 (the header), byte 3: found the byte 0xE9";
    assert!(error.starts_with(place), "{error}");
    let error = detect_from(b"age;name\n\xE9;Ada\n").unwrap_err().to_string();
    let place = "`the input`, line 2, column 1 (`age`), byte 1: found the byte 0xE9";
    assert!(error.starts_with(place), "{error}");
}

#[test]
fn a_character_cut_by_the_end_of_the_sample_is_not_an_error() {
    for padding in 0..3 {
        let text = format!("{}\n{}", "x".repeat(padding + 1), "é€\n".repeat(40_000));
        assert!(detect_from(text.as_bytes()).is_ok());
    }
}

#[test]
fn the_line_of_a_row_is_where_its_value_stands() {
    // Values that are the number of their own line, with blank lines and quoted line breaks in between.
    for text in [
        "line,note\n2,a\n3,b\n",
        "line,note\r\n\r\n3,a\r\n4,\"b\r\nc\"\r\n\r\n7,d",
        "line;note\n2;\"\n\n\"\n5;x\n",
        "line\n2\n\n\"4\"\n\n",
    ] {
        let options = ReadOptions::default();
        let table = read_table_from(text.as_bytes(), "lines", &options).expect("a table");
        for row in 0..table.rows() {
            let line = line_of_row_in(text.as_bytes(), "lines", &options, row).expect("a line").expect("a row");
            let value = table.columns()[0].text(row);
            let expected = if value.is_empty() { row as u64 + 2 } else { value.parse().expect("a number") };
            assert_eq!(line, expected, "row {row} of {text:?}");
        }
        let behind = line_of_row_in(text.as_bytes(), "lines", &options, table.rows()).expect("read");
        assert_eq!(behind, None, "{text:?}");
    }
}
