//! CSV files: what is not treated keeps its bytes, what is hidden comes back as it stood, and bad files are refused with their line.

use crate::disguise;

use std::fmt::Write as _;
use std::io;

use disguise::readers::{Endless, Trickle};
use disguise::{Filter, Hide, Refusal, Show, Watch, columns};
use proptest::prelude::*;
use tamis_ucrypt::document::Treatment;
use tamis_ucrypt::document::csv::{Options, rewrite};
use tamis_ucrypt::document::rows::{Charset, Columns, Keys, RewriteError, Summary};

fn run<T: Treatment<Refusal = Refusal>>(
    bytes: &[u8],
    options: &Options,
    selectors: &[Columns],
    treatment: &T,
) -> Result<(Vec<u8>, Summary), RewriteError<Refusal>> {
    let mut out = Vec::new();
    let summary = rewrite(bytes, &mut out, options, selectors, treatment)?;
    Ok((out, summary))
}

fn error(text: &[u8], options: &Options, selectors: &[Columns]) -> String {
    run(text, options, selectors, &Hide).unwrap_err().to_string()
}

fn semicolons() -> Options {
    Options { delimiter: b';', ..Options::default() }
}

const PAPER: &str = "Id,Nazwisko,Zawód,Miasto,Choroba\r\n1,Kowalski,Inżynier,Kraków,AIDS\r\n2,Nowak,Malarz,Opole,Nowotwór\r\n\
    5,\"Nowicka\",Lekarz,Opole,\"Gry\"\"pa\"\r\n6,Wielgosz,Inżynier,Kraków,Grypa\r\n";

#[test]
fn a_cell_that_a_database_exported_as_bytes_is_a_cell() {
    let selectors = [columns("", "id", &["a"])];
    let with = |a: &str, b: &str| format!("id,a,b\n7,{a},{b}\n").into_bytes();
    let digits = |text: &str| format!("\\x{}", base16ct::lower::encode_string(text.as_bytes()));
    let (hidden, _) = run(&with("x", ""), &Options::default(), &selectors, &Hide).unwrap();
    let hidden = String::from_utf8(hidden).unwrap().replace("\"\"", "\"");
    let (from, to) = (hidden.find('<').unwrap(), hidden.rfind('>').unwrap() + 1);
    let blob = digits(&hidden[from..to]);
    for field in [blob.clone(), format!("\"{blob}\"")] {
        let (again, summary) = run(&with(&field, ""), &Options::default(), &selectors, &Hide).unwrap();
        assert_eq!((again, summary.sealed), (with(&field, ""), 1));
        assert_eq!(run(&with(&field, ""), &Options::default(), &selectors, &Show).unwrap().0, with("x", ""));
        assert_eq!(run(&with("", &field), &Options::default(), &[], &Watch::default()).unwrap().1.sealed, 1);
    }
    let cell = digits("<UCRYPT v='1' pol='p'>AA</UCRYPT>");
    let escaped = digits("&lt;UCRYPT v='1' pol='p'&gt;");
    for field in [digits("foo<UCRYPT v='1' pol='p'>"), cell[..cell.len() - 1].to_owned(), escaped] {
        for text in [with(&field, ""), with("", &field)] {
            let refused = run(&text, &Options::default(), &selectors, &Show).unwrap_err().to_string();
            assert!(refused.contains("is a damaged sealed value"), "{field}: {refused}");
        }
    }
    let plain = with(&digits("<a>"), "\\x3c");
    let (hidden, _) = run(&plain, &Options::default(), &selectors, &Hide).unwrap();
    assert_eq!(run(&hidden, &Options::default(), &selectors, &Show).unwrap().0, plain);
}

#[test]
fn only_selected_values_change_and_come_back_as_they_stood() {
    let selector = columns("", "Id", &["Nazwisko", "Choroba"]);
    let (hidden, summary) = run(PAPER.as_bytes(), &Options::default(), std::slice::from_ref(&selector), &Hide).unwrap();
    assert_eq!((summary.records, summary.changed, summary.sealed), (4, 8, 0));
    let hidden_text = String::from_utf8(hidden.clone()).unwrap();
    assert!(!hidden_text.contains("AIDS") && hidden_text.contains(",Inżynier,Kraków,"));
    let again = run(&hidden, &Options::default(), std::slice::from_ref(&selector), &Hide).unwrap().0;
    assert_eq!(again, hidden, "hiding twice changes nothing");
    let shown = run(&hidden, &Options::default(), &[selector], &Show).unwrap().0;
    assert_eq!(String::from_utf8(shown).unwrap(), PAPER);
}

#[test]
fn another_reader_sees_whole_markers() {
    let selector = columns("", "Id", &["Nazwisko", "Choroba"]);
    for delimiter in [b',', b';', b' ', b'\t', b'=', b'\'', b'<', b'a'] {
        let text = "Id,Nazwisko,Choroba\n1,x,\"y\"\n".replace(',', &char::from(delimiter).to_string());
        if delimiter == b'a' {
            continue; // the header itself would fall apart
        }
        let options = Options { delimiter, ..Options::default() };
        let hidden = run(text.as_bytes(), &options, std::slice::from_ref(&selector), &Hide).unwrap().0;
        let mut reader = ::csv::ReaderBuilder::new().delimiter(delimiter).from_reader(hidden.as_slice());
        let record = reader.records().next().unwrap().unwrap();
        for field in [1, 2] {
            assert!(
                record[field].starts_with("<UCRYPT ") && record[field].ends_with("</UCRYPT>"),
                "{delimiter} {record:?}"
            );
        }
        let shown = run(&hidden, &options, std::slice::from_ref(&selector), &Show).unwrap().0;
        assert_eq!(String::from_utf8(shown).unwrap(), text);
    }
}

#[test]
fn values_that_nobody_selected_are_seen_only_if_sealed() {
    let text = "Id,A,B\n1,plain,<UCRYPT>AAFGHA</UCRYPT>\n2,\"<UCRYPT>\",<b>\n";
    let watch = Watch::default();
    let summary = run(text.as_bytes(), &Options::default(), &[columns("", "Id", &["A"])], &watch).unwrap().1;
    let seen = |record: &str, field: &str, what: &str| ("T".into(), record.into(), field.into(), what.into());
    let expected = [seen("1", "A", "text plain"), seen("1", "B", "sealed AAFGHA"), seen("2", "A", "text <UCRYPT>")];
    assert_eq!(*watch.0.lock().unwrap(), expected);
    assert_eq!(summary.sealed, 1);
    let watch = Watch::default();
    run(text.as_bytes(), &Options::default(), &[], &watch).unwrap();
    assert_eq!(*watch.0.lock().unwrap(), [("the file".into(), "1".into(), "B".into(), "sealed AAFGHA".into())]);
}

#[test]
fn filters_need_no_selector_and_leave_the_other_records_alone() {
    let text = "Id,A\r\n1,x\r\n\r\n2,<UCRYPT>AA</UCRYPT>\r\n3,\" y\"";
    let filtered = |only_sealed| {
        let (out, summary) = run(text.as_bytes(), &Options::default(), &[], &Filter { only_sealed }).unwrap();
        (String::from_utf8(out).unwrap(), summary.dropped)
    };
    assert_eq!(filtered(false), ("Id,A\r\n1,x\r\n\r\n3,\" y\"".into(), 1));
    assert_eq!(filtered(true), ("Id,A\r\n\r\n2,<UCRYPT>AA</UCRYPT>\r\n".into(), 2));
}

#[test]
fn a_sealed_null_of_a_database_is_an_empty_field() {
    let selector = columns("", "Id", &["A"]);
    let null = disguise::marker(tamis_ucrypt::document::Place { table: "T", record: "1", field: "A" }, 'n', "");
    let text = format!("Id,A\n1,\"{}\"\n", null.to_text("UCRYPT").replace('"', "\"\""));
    let shown = run(text.as_bytes(), &Options::default(), &[selector], &Show).unwrap().0;
    assert_eq!(String::from_utf8(shown).unwrap(), "Id,A\n1,\n");
}

#[test]
fn polish_character_sets_are_kept() {
    let selector = columns("", "Id", &["Zawód"]);
    for name in ["ISO-8859-2", "windows-1250"] {
        let text =
            encoding_rs::Encoding::for_label(name.as_bytes()).unwrap().encode("Id;Zawód\n1;Inżynier\n2;Ślusarz\n").0;
        let options = Options { charset: Charset::named(name).unwrap(), ..semicolons() };
        let hidden = run(&text, &options, std::slice::from_ref(&selector), &Hide).unwrap().0;
        assert!(hidden.is_ascii() || hidden.starts_with(b"Id;Zaw\xf3d"));
        assert_eq!(run(&hidden, &options, std::slice::from_ref(&selector), &Show).unwrap().0, text.as_ref());
        let wrong = error(&text, &semicolons(), std::slice::from_ref(&selector));
        assert_eq!(
            wrong,
            "line 1: the value of column 2 of the header is not text in UTF-8; if it is in another encoding, name that with --encoding"
        );
    }
}

#[test]
fn bad_files_are_refused_with_their_line() {
    let selector = [columns("", "Id", &["A"])];
    let plain = Options::default();
    let unique = Options { keys: Keys::Unique, ..Options::default() };
    for (text, options, sentence) in [
        ("", &plain, "the file is empty; its first line must name the columns"),
        ("\n\n", &plain, "the file is empty; its first line must name the columns"),
        ("\u{feff}", &plain, "the file is empty; its first line must name the columns"),
        ("Id,A\n1,2,3\n", &plain, "line 2: the record has 3 values, and the table has 2 columns"),
        ("Id,A\n\n1,\"a\nb\"\n1\n", &plain, "line 5: the record has 1 value, and the table has 2 columns"),
        ("Id,A\r1,\"a\rb\"\r1\r", &plain, "line 4: the record has 1 value, and the table has 2 columns"),
        ("Id,A\n1,\"a\n\n\n", &plain, "line 2: a quoted field begins here and never ends"),
        ("Id,A\n1,\"a\"b\n", &plain, "line 2: there is text behind the closing quotation mark of field 2"),
        (
            "I\0d,A\n",
            &plain,
            "line 1: there are zero bytes; binary files are not read, nor UTF-16 but in XML documents and CSV files with a byte order mark: save the file as UTF-8",
        ),
        (
            "Nr,A\n1,2\n",
            &plain,
            "there is no column Id, which tells the records apart, in the file, which has \"Nr\", \"A\"",
        ),
        (
            "Id,B\n1,2\n",
            &plain,
            "there is no column A in the file, which has \"Id\", \"B\"; if it is not meant here, name the fields that are (--field)",
        ),
        ("Id,A,A\n1,2,3\n", &plain, "there is more than one column A in the file"),
        ("Id,A\n1,2\n,3\n", &plain, "line 3: the record key Id is empty"),
        (
            "Id,A\n1,2\n2,3\n1,4\n",
            &unique,
            "line 4, record \"1\": another record has the same key in column Id; a sealed value would open in both",
        ),
        (
            "Id,A\n1,<UCRYPT cipher='x'>AAA\n",
            &plain,
            "line 2: the field \"A\" of record \"1\" is a damaged sealed value: the sealed value does not end with the end tag of its element",
        ),
    ] {
        assert_eq!(error(text.as_bytes(), options, &selector), sentence, "{text:?}");
    }
    assert!(run(b"Id,A\n1,2\n1,3\n", &plain, &selector, &Hide).is_ok());
    assert_eq!(
        error(b"Id,A\n1,\xff\n", &plain, &selector),
        "line 2: the value of column A is not text in UTF-8; if it is in another encoding, name that with --encoding"
    );
    assert!(run(b"Id,A,B\n1,x,\xff\n", &plain, &selector, &Hide).is_ok(), "what is only copied may be anything");
    let delimiter = Options { delimiter: b'"', ..Options::default() };
    assert!(error(b"Id,A\n", &delimiter, &selector).starts_with("the delimiter must not be"));
    let utf16: Vec<u8> = "Id,A\n".encode_utf16().flat_map(u16::to_le_bytes).collect();
    assert!(error(&utf16, &plain, &selector).contains("UTF-16"), "without a byte order mark");
}

#[test]
fn a_field_of_300_megabytes_is_refused_before_it_is_read() {
    let selector = [columns("", "Id", &["A"])];
    for (prefix, pattern, sentence) in [
        ("Id,A\n1,\"", b"x", "line 2: the record or statement is longer than 8 MiB, or would be"),
        ("Id,A\n1,", b"x", "line 2: the record or statement is longer than 8 MiB, or would be"),
        ("Id,A\n1", b",", "line 2: the record has 3 values, and the table has 2 columns"),
        ("Id,A", b",", "line 1: there are more than 65536 columns"),
    ] {
        let mut input = Endless { prefix: prefix.into(), pattern, left: 300 << 20, at: 0 };
        let refused = rewrite(&mut input, io::sink(), &Options::default(), &selector, &Hide).unwrap_err();
        assert_eq!(refused.to_string(), sentence);
        assert!(input.left > 280 << 20, "{} left", input.left);
    }
}

#[test]
fn what_could_not_be_opened_again_is_not_sealed() {
    let selector = [columns("", "Id", &["A", "B", "C"])];
    let long = "x".repeat(5 << 20);
    let sentence = error(format!("Id,A,B,C\n1,{long},,\n").as_bytes(), &Options::default(), &selector);
    assert_eq!(sentence, "line 2: the record or statement is longer than 8 MiB, or would be");
    let long = "x".repeat(3 << 19);
    let sentence = error(format!("Id,A,B,C\n1,{long},{long},{long}\n").as_bytes(), &Options::default(), &selector);
    assert_eq!(sentence, "line 2: the record or statement is longer than 8 MiB, or would be");
    let text = format!("Id,A,B,C\n1,{long},{long},\n2,\"{long}\",,\n");
    let hidden = run(text.as_bytes(), &Options::default(), &selector, &Hide).unwrap().0;
    assert!(run(&hidden, &Options::default(), &selector, &Show).unwrap().0 == text.as_bytes());
}

#[test]
fn threads_change_neither_the_result_nor_the_error() {
    let mut text = String::from("Id,A,B\n");
    for number in 0..60_000 {
        writeln!(text, "{number},value {number},\"{}\"", "text, ".repeat(number % 7)).unwrap();
    }
    let selector = [columns("", "Id", &["A"])];
    let with = |threads, text: &str| {
        let options = Options { threads, keys: Keys::Unique, ..Options::default() };
        run(text.as_bytes(), &options, &selector, &Hide).map_err(|error| error.to_string())
    };
    let one = with(1, &text).unwrap();
    assert_eq!(one.1.changed, 60_000);
    for threads in [2, 3] {
        assert!(with(threads, &text).unwrap() == one);
    }
    let doubled = text.replace("\n50000,", "\n7,");
    let damaged = doubled.replace("\n40000,", "\n,");
    for threads in [1, 2, 3] {
        assert!(
            with(threads, &doubled)
                .unwrap_err()
                .starts_with("line 50002, record \"7\": another record has the same key")
        );
        assert_eq!(with(threads, &damaged).unwrap_err(), "line 40002: the record key Id is empty");
    }
}

fn field() -> impl Strategy<Value = String> {
    let text = prop_oneof![
        "[a-zó \"';,<>/=]{0,6}",
        "(<UCRYPT>|</UCRYPT>|<b>)",
        Just("a\nb".to_owned()),
        Just("\r\n".to_owned()),
        Just("\r".to_owned()),
    ];
    (text, any::<bool>()).prop_map(|(text, quoted)| {
        if quoted || text.starts_with('"') || text.contains([',', '\n', '\r']) {
            format!("\"{}\"", text.replace('"', "\"\""))
        } else {
            text
        }
    })
}

prop_compose! {
    fn file()(
        columns in 2..5_usize,
        mark in any::<bool>(),
        ending in prop_oneof![Just("\n"), Just("\r\n"), Just("\r")],
        blank in any::<bool>(),
        last in any::<bool>(),
    )(
        records in prop::collection::vec(prop::collection::vec(field(), columns), 0..6),
        columns in Just(columns), mark in Just(mark), ending in Just(ending), blank in Just(blank), last in Just(last),
    ) -> String {
        let mut text = String::from(if mark { "\u{feff}Id" } else { "Id" });
        for column in 0..columns {
            text.push_str([",A", ",\"B\"", ",C d", ",E"][column]);
        }
        for (number, record) in records.iter().enumerate() {
            text.push_str(ending);
            if blank {
                text.push_str(ending);
            }
            write!(text, "{number},{}", record.join(",")).unwrap();
        }
        if last {
            text.push_str(ending);
        }
        text
    }
}

/// The values of a file as the csv crate reads them.
fn as_csv(bytes: &[u8]) -> Vec<Vec<String>> {
    let mut reader = ::csv::ReaderBuilder::new().has_headers(false).from_reader(bytes);
    reader.records().map(|record| record.unwrap().iter().map(str::to_owned).collect()).collect()
}

proptest! {
    #[test]
    fn what_nobody_touches_keeps_its_bytes(text in file(), step in 1..9_usize) {
        let mut out = Vec::new();
        let watch = Watch::default();
        let selector = [columns("", "Id", &["B", "A"])];
        let summary = rewrite(Trickle(text.as_bytes(), step), &mut out, &Options::default(), &selector, &watch).unwrap();
        prop_assert_eq!(String::from_utf8(out).unwrap(), text.clone());
        let rows = as_csv(text.as_bytes());
        prop_assert_eq!(summary.records as usize, rows.len() - 1);
        let seen: Vec<String> = watch.0.into_inner().unwrap().into_iter().map(|(_, _, _, what)| what).collect();
        let expected: Vec<String> = rows[1..].iter().flat_map(|row| [format!("text {}", row[1]), format!("text {}", row[2])]).collect();
        prop_assert_eq!(seen, expected);
    }

    #[test]
    fn what_is_hidden_is_shown_byte_for_byte(text in file()) {
        let selector = [columns("", "Id", &["B", "A"])];
        let (hidden, _) = run(text.as_bytes(), &Options::default(), &selector, &Hide).unwrap();
        let (before, after) = (as_csv(text.as_bytes()), as_csv(&hidden));
        prop_assert_eq!(before.len(), after.len());
        for (before, after) in before.iter().zip(&after).skip(1) {
            prop_assert!(after[1].starts_with("<UCRYPT ") && after[2].starts_with("<UCRYPT "));
            prop_assert_eq!(&before[3..], &after[3..]);
        }
        let (shown, _) = run(&hidden, &Options::default(), &selector, &Show).unwrap();
        prop_assert_eq!(String::from_utf8(shown).unwrap(), text);
    }

    #[test]
    fn any_bytes_are_a_file_or_an_error(bytes in prop::collection::vec(prop_oneof![Just(b'"'), Just(b','), Just(b'\n'), Just(b'\r'), any::<u8>()], 0..60)) {
        let watch = Watch::default();
        if let Ok((out, _)) = run(&bytes, &Options::default(), &[], &watch) {
            prop_assert_eq!(out, bytes);
        }
    }
}
