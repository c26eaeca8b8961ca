//! What is written is read back the same, and nothing that can be read makes the reader panic.

use proptest::prelude::*;
use tamis_source::{
    Compression, Encoding, OutputColumn, ReadOptions, WriteOptions, detect_from, read_table_from, write_table_to,
};

/// A table as texts: headers, then rows.
#[derive(Debug, Clone)]
struct Texts {
    header: Vec<String>,
    rows: Vec<Vec<String>>,
}

impl Texts {
    fn write(&self, options: WriteOptions) -> Vec<u8> {
        let columns: Vec<OutputColumn<'_>> = self
            .header
            .iter()
            .enumerate()
            .map(|(index, name)| OutputColumn {
                name,
                cells: self.rows.iter().map(|row| row[index].clone()).collect(),
                cell_of_row: Box::new(|row| row as u32),
            })
            .collect();
        let mut text = Vec::new();
        write_table_to(&mut text, "out.csv", &options, &columns, 0..self.rows.len()).unwrap();
        text
    }

    fn read(bytes: &[u8], options: &ReadOptions) -> Self {
        let table = read_table_from(bytes, "out.csv", options).unwrap();
        let columns = table.columns();
        Self {
            header: columns.iter().map(|column| column.name().to_owned()).collect(),
            rows: (0..table.rows())
                .map(|row| columns.iter().map(|column| column.text(row).to_owned()).collect())
                .collect(),
        }
    }
}

/// Texts made of the characters that matter, so that clashes are frequent.
fn cell() -> impl Strategy<Value = String> {
    let characters = vec!['a', ';', ',', '|', '\t', '"', '\'', '\n', '\r', ' ', '\0', 'é', '\u{FEFF}', '🦀'];
    proptest::collection::vec(prop::sample::select(characters), 0..5)
        .prop_map(|characters| characters.into_iter().collect())
}

/// Tables with `cells`; headers differ by their number.
fn texts(columns: std::ops::Range<usize>, cells: fn() -> BoxedStrategy<String>) -> impl Strategy<Value = Texts> {
    columns.prop_flat_map(move |width| {
        let header = proptest::collection::vec(cells(), width);
        let rows = proptest::collection::vec(proptest::collection::vec(cells(), width), 1..8);
        (header, rows).prop_map(|(header, rows)| Texts {
            header: header.into_iter().zip(0..).map(|(text, number)| format!("{text}{number}")).collect(),
            rows,
        })
    })
}

fn wild() -> BoxedStrategy<String> {
    cell().boxed()
}

fn tame() -> BoxedStrategy<String> {
    "[a-c0-9 ,'éß-]{0,6}".boxed()
}

proptest! {
    #[test]
    fn any_table_survives_writing_and_reading(
        texts in texts(1..5, wild),
        delimiter in prop::sample::select(b",;\t|: '".to_vec()),
        compression in prop::sample::select(vec![Compression::None, Compression::Gzip, Compression::Zstd]),
    ) {
        let written = texts.write(WriteOptions { delimiter, compression: Some(compression) });
        let options = ReadOptions { delimiter: Some(delimiter), quote: Some(b'"'), ..ReadOptions::default() };
        let read = Texts::read(&written, &options);
        prop_assert_eq!(read.header, texts.header);
        prop_assert_eq!(read.rows, texts.rows);
    }

    #[test]
    fn a_written_table_needs_no_hints_to_be_read(
        texts in texts(1..5, tame),
        delimiter in prop::sample::select(b",;\t|".to_vec()),
    ) {
        let written = texts.write(WriteOptions { delimiter, compression: None });
        let read = Texts::read(&written, &ReadOptions::default());
        prop_assert_eq!(read.header, texts.header);
        prop_assert_eq!(read.rows, texts.rows);
    }

    #[test]
    fn any_file_of_one_column_needs_no_hints_to_be_read(texts in texts(1..2, wild), delimiter in prop::sample::select(b",;\t|".to_vec())) {
        let written = texts.write(WriteOptions { delimiter, compression: None });
        let read = Texts::read(&written, &ReadOptions::default());
        prop_assert_eq!(read.header, texts.header);
        prop_assert_eq!(read.rows, texts.rows);
    }

    #[test]
    fn latin1_bytes_become_the_characters_with_their_numbers(bytes in proptest::collection::vec(128_u8.., 1..50)) {
        let text: String = bytes.iter().copied().map(char::from).collect();
        let file = [b"a,b\n", &*bytes, b",1\n"].concat();
        let options = ReadOptions { encoding: Some(Encoding::Latin1), ..ReadOptions::default() };
        prop_assert_eq!(&Texts::read(&file, &options).rows[0][0], &text);
    }

    #[test]
    fn arbitrary_bytes_never_panic(bytes in proptest::collection::vec(any::<u8>(), 0..300)) {
        let _ = read_table_from(&*bytes, "any", &ReadOptions::default());
        let _ = detect_from(&bytes);
        let latin1 = ReadOptions { encoding: Some(Encoding::Latin1), ..ReadOptions::default() };
        let _ = read_table_from(&*bytes, "any", &latin1);
    }

    #[test]
    fn arbitrary_text_never_panics(
        text in "[ab\"';,|\t\r\n\u{FEFF}é]{0,60}",
        delimiter in any::<Option<u8>>(),
        quote in any::<Option<u8>>(),
    ) {
        let _ = read_table_from(text.as_bytes(), "any", &ReadOptions::default());
        let _ = read_table_from(text.as_bytes(), "any", &ReadOptions { delimiter, quote, ..ReadOptions::default() });
        let _ = detect_from(text.as_bytes());
    }

    #[test]
    fn compressed_nonsense_never_panics(start in 0..2_usize, bytes in proptest::collection::vec(any::<u8>(), 0..100)) {
        let magic: [&[u8]; 2] = [b"\x1F\x8B\x08", b"\x28\xB5\x2F\xFD"];
        let file = [magic[start], &*bytes].concat();
        let _ = read_table_from(&*file, "any", &ReadOptions::default());
        let _ = detect_from(&file);
    }
}
