//! What is wrong with a table is said in one sentence with its place and the remedy.

use tamis_source::{ColumnFilter, Encoding, ReadOptions, SourceError, read_table, read_table_from};
use tamis_table::TableError;

fn sentence(text: impl AsRef<[u8]>) -> String {
    sentence_with(text, &ReadOptions::default())
}

fn sentence_with(text: impl AsRef<[u8]>, options: &ReadOptions) -> String {
    match read_table_from(text.as_ref(), "people.csv", options) {
        Ok(table) => format!("no error but {} rows", table.rows()),
        Err(error) => error.to_string(),
    }
}

fn strings(names: &[&str]) -> Vec<String> {
    names.iter().map(|&name| name.to_owned()).collect()
}

#[test]
fn a_file_that_is_not_there_is_named_with_the_reason() {
    let error = read_table("no/such/people.csv", &ReadOptions::default()).map_err(|error| error.to_string());
    assert_eq!(
        error,
        Err("cannot open `no/such/people.csv`: No such file or directory (os error 2); \
             check that the file exists and may be read"
            .to_owned())
    );
}

#[test]
fn a_directory_is_not_read_as_a_table() {
    let directory = tempfile::tempdir().unwrap();
    let name = directory.path().display().to_string();
    let error = read_table(directory.path(), &ReadOptions::default()).unwrap_err().to_string();
    assert_eq!(
        error,
        format!(
            "cannot read `{name}`: Is a directory (os error 21); check that it is a file and that its disk is well"
        )
    );
}

#[test]
fn an_empty_file_has_no_header() {
    let expected = "`people.csv` is empty; expected a header line and at least one row";
    for text in ["", "\n", "\r\n\r\n", "\u{FEFF}", "\u{FEFF}\n"] {
        assert_eq!(sentence(text), expected, "{text:?}");
    }
}

#[test]
fn a_header_alone_is_no_table() {
    for text in ["age", "age\n", "sex;age", "sex;age\n", "sex;age\r\n\r\n"] {
        let expected = "`people.csv` ends after its header in line 1; expected at least one row below it";
        assert_eq!(sentence(text), expected, "{text:?}");
    }
    assert_eq!(
        sentence("\n\nsex;age\n"),
        "`people.csv` ends after its header in line 3; expected at least one row below it"
    );
}

#[test]
fn a_duplicate_header_is_named_with_both_positions() {
    assert_eq!(
        sentence("age,sex,age\n1,2,3\n"),
        "`people.csv`, line 1: columns 1 and 3 are both called `age`; rename one of them"
    );
}

#[test]
fn a_column_without_a_name_is_named_by_its_position() {
    for text in ["age,,sex\n1,2,3\n", "age,\"\",sex\n1,2,3\n", "age,  ,sex\n1,2,3\n"] {
        assert_eq!(sentence(text), "`people.csv`, line 1: column 2 has no name; give it one in the header");
    }
}

#[test]
fn a_ragged_line_is_named_with_its_line_number() {
    for line_end in ["\n", "\r\n", "\r"] {
        let text = ["age;sex", "39;Male", "", "50;\"Fe", "male\"", "28", "31;Male"].join(line_end);
        assert_eq!(
            sentence(text),
            "`people.csv`, line 6: found 1 field where the header has 2; \
             mend the line, quote values that contain `;`, or name another delimiter",
            "{line_end:?}"
        );
    }
    assert_eq!(
        sentence("age\tsex\n39\tMale\n50\tMale\t?\n"),
        "`people.csv`, line 3: found 3 fields where the header has 2; \
         mend the line, quote values that contain `tab`, or name another delimiter"
    );
}

#[test]
fn a_ragged_line_far_down_is_still_counted_exactly() {
    for line_end in ["\n", "\r\n"] {
        let text = format!("age;sex{line_end}{}1;2;3", format!("39;Male{line_end}").repeat(50_000));
        assert!(sentence(&text).starts_with("`people.csv`, line 50002: found 3 fields"), "{line_end:?}");
    }
}

#[test]
fn a_ragged_line_that_spans_lines_is_named_by_its_first_one() {
    let found = sentence("age;sex\n39;\"Ma\nle\";x\n50;Male\n");
    assert!(found.starts_with("`people.csv`, line 2: found 3 fields"), "{found}");
}

#[test]
fn bytes_that_are_not_utf8_are_named_with_line_field_and_remedy() {
    assert_eq!(
        sentence(b"age;name\n39;\"A\nda\"\n50;Zo\xEB\n"),
        "`people.csv`, line 4, column 2 (`name`), byte 3: found the byte 0xEB, which is not UTF-8; \
         save the file as UTF-8, or say `encoding = \"latin-1\"` or `--encoding latin-1` if it is Latin-1"
    );
    assert_eq!(
        sentence(b"age;pr\xE9nom\n39;Ada\n"),
        "`people.csv`, line 1, column 2 (the header), byte 3: found the byte 0xE9, which is not UTF-8; \
         save the file as UTF-8, or say `encoding = \"latin-1\"` or `--encoding latin-1` if it is Latin-1"
    );
}

#[test]
fn a_field_that_starts_below_its_record_is_named_with_its_own_line() {
    let found = sentence(b"age;name\n\"3\n9\";Zo\xEB\n");
    assert!(found.starts_with("`people.csv`, line 3, column 2 (`name`), byte 3: found the byte 0xEB"), "{found}");
}

#[test]
fn utf16_is_named_and_not_guessed_at() {
    let expected = "`people.csv` is written in UTF-16 (it starts with the bytes FF FE); save it as UTF-8";
    assert_eq!(sentence(b"\xFF\xFEa\0\n\0"), expected);
    let latin1 = ReadOptions { encoding: Some(Encoding::Latin1), ..ReadOptions::default() };
    assert_eq!(sentence_with(b"\xFF\xFEa\0\n\0", &latin1), expected);
    let expected = "`people.csv` is written in UTF-16 (it starts with the bytes FE FF); save it as UTF-8";
    assert_eq!(sentence(b"\xFE\xFF\0a\0\n"), expected);
}

#[test]
fn a_quote_never_closed_is_named_where_it_opens() {
    let expected = "`people.csv`, line 3, column 2: a quote (\") is opened and never closed; \
                    close it, or quote the value and double the quote if it belongs to the value";
    for text in [
        "age;name\n39;Ada\n50;\"Bob",
        "age;name\n39;Ada\n50;\"Bob\n",
        "age;name\n39;Ada\n50;\"Bob\"\"",
        "age;name\n39;Ada\n50;\"",
        "age;name\n39;Ada\n50;\"Bob\n31;Eve\n32;Dan\n",
        "age;name\r\n39;Ada\r\n50;\"Bob\r\n31;Eve\r\n",
    ] {
        assert_eq!(sentence(text), expected, "{text:?}");
    }
    assert!(sentence("\"age").starts_with("`people.csv`, line 1, column 1: a quote"));
    assert!(sentence("\"").starts_with("`people.csv`, line 1, column 1: a quote"));
}

#[test]
fn damaged_compressed_data_is_said_to_be_damaged() {
    let expected = "`people.csv` is damaged gzip data: ";
    let whole = gzip(&"age;sex\n39;Male\n".repeat(1000));
    let cut = sentence(&whole[..whole.len() / 2]);
    assert!(cut.starts_with(expected) && cut.ends_with("; fetch or compress the file again"), "{cut}");
    assert!(sentence(b"\x1F\x8Bnonsense").starts_with(expected));

    let whole = zstd::encode_all("age;sex\n39;Male\n".repeat(1000).as_bytes(), 0).unwrap();
    let cut = sentence(&whole[..whole.len() - 3]);
    assert!(cut.starts_with("`people.csv` is damaged zstd data: "), "{cut}");
    assert!(cut.ends_with("; fetch or compress the file again"), "{cut}");
    let nonsense = sentence(b"\x28\xB5\x2F\xFDnonsense");
    assert!(nonsense.starts_with("`people.csv` is damaged zstd data: "), "{nonsense}");
}

#[test]
fn a_failing_reader_is_not_called_damaged() {
    struct Failing;
    impl std::io::Read for Failing {
        fn read(&mut self, _: &mut [u8]) -> std::io::Result<usize> {
            Err(std::io::Error::from_raw_os_error(5))
        }
    }
    let late = std::io::Read::chain(&b"a;b\n1;2\n"[..], Failing);
    let error = read_table_from(late, "people.csv", &ReadOptions::default()).unwrap_err();
    assert!(matches!(error, SourceError::Read { .. }), "{error}");
}

#[test]
fn an_unknown_column_is_answered_with_the_known_ones() {
    for columns in [ColumnFilter::Only(strings(&["age", "zip"])), ColumnFilter::Except(strings(&["zip"]))] {
        let options = ReadOptions { columns, ..ReadOptions::default() };
        assert_eq!(
            sentence_with("age;sex\n39;Male\n", &options),
            "`people.csv` has no column `zip`; its columns are `age`, `sex`"
        );
    }
}

#[test]
fn a_selection_without_columns_is_refused() {
    for columns in [ColumnFilter::Only(Vec::new()), ColumnFilter::Except(strings(&["age", "sex"]))] {
        let options = ReadOptions { columns, ..ReadOptions::default() };
        assert_eq!(
            sentence_with("age;sex\n39;Male\n", &options),
            "the selection keeps no column of `people.csv`; keep at least one of `age`, `sex`"
        );
    }
}

#[test]
fn a_delimiter_must_not_be_the_quote_or_a_line_break() {
    for (delimiter, shown) in [(b'"', "\""), (b'\n', "0x0A"), (0xE9, "0xE9")] {
        let options = ReadOptions { delimiter: Some(delimiter), ..ReadOptions::default() };
        assert_eq!(
            sentence_with("age;sex\n39;Male\n", &options),
            format!(
                "the delimiter `{shown}` and the quote `\"` cannot be used together; \
                 choose two different ASCII characters that are not line breaks"
            )
        );
    }
}

#[test]
fn an_unknown_encoding_is_answered_with_the_known_ones() {
    let error = "ebcdic".parse::<Encoding>().unwrap_err().to_string();
    assert_eq!(error, "there is no encoding `ebcdic`; the encodings are `utf-8` and `latin-1`");
}

#[test]
fn a_table_too_large_is_named_with_its_column() {
    let reason = TableError::TooLarge { name: "note".to_owned(), what: "distinct values or their bytes" };
    let error = SourceError::Table { name: "people.csv".to_owned(), reason: Box::new(reason) };
    assert_eq!(
        error.to_string(),
        "`people.csv`: column `note` is too large: distinct values or their bytes exceed 4,294,967,295"
    );
}

fn gzip(text: &str) -> Vec<u8> {
    use std::io::Write;
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
    encoder.write_all(text.as_bytes()).unwrap();
    encoder.finish().unwrap()
}
