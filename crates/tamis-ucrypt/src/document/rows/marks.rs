//! Telling sealed values from texts, and writing them.

use crate::cell::{Marker, MarkerError, MarkerReader};

/// Whether a value stood in quotes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stood {
    /// In quotes: a quoted CSV field, an SQL string.
    Quoted,
    /// Without: any other CSV field, an SQL number.
    Bare,
}

/// Readers of the elements that sealed values have in a document.
#[derive(Debug, Clone)]
pub(crate) struct Marks {
    readers: Vec<MarkerReader>,
    text: String,
}

/// What a text turned out to be.
pub(crate) enum Found {
    /// A text.
    Text,
    /// A sealed value: its marker, the position of its element among those asked for, and how the value stood.
    Sealed(Marker, usize, Stood),
    /// A sealed value that was cut off or edited.
    Broken(MarkerError),
}

impl Marks {
    pub(crate) fn new<'a>(elements: impl IntoIterator<Item = &'a str>) -> Self {
        let mut readers: Vec<MarkerReader> = Vec::new();
        for element in elements {
            if readers.iter().all(|reader| reader.element() != element) {
                readers.push(MarkerReader::new(element));
            }
        }
        Self { readers, text: String::new() }
    }

    pub(crate) fn read(&mut self, text: &str) -> Found {
        if !text.trim_ascii_start().starts_with('<') {
            return Found::Text;
        }
        for (position, reader) in self.readers.iter_mut().enumerate() {
            match reader.read(text) {
                Ok(marker) => return Found::Sealed(marker, position, spelled(text)),
                Err(MarkerError::NotAMarker) => {}
                Err(_) => {
                    if let Some(error) = reader.broken(text) {
                        return Found::Broken(error);
                    }
                }
            }
        }
        Found::Text
    }

    /// The text of a marker whose value stood like this. An element that was found keeps its name, a new one gets `element`.
    pub(crate) fn write(&mut self, marker: &Marker, found: Option<usize>, element: &str, stood: Stood) -> &str {
        self.text.clear();
        let element = found.map_or(element, |position| self.readers[position].element());
        marker.write(element, &mut self.text);
        // An apostrophe inside an attribute can only come from another tool; its cell keeps the usual spelling.
        if stood == Stood::Bare && !self.text.contains('\'') {
            self.text = self.text.replace('"', "'");
        }
        &self.text
    }
}

fn spelled(text: &str) -> Stood {
    let quote = text.bytes().find(|byte| matches!(byte, b'"' | b'\'' | b'>'));
    if quote == Some(b'\'') { Stood::Bare } else { Stood::Quoted }
}

#[cfg(test)]
mod tests {
    use super::{Found, Marks, Stood};

    fn read(text: &str) -> Found {
        Marks::new(["UCRYPT", "SEALED"]).read(text)
    }

    #[test]
    fn quotes_of_attributes_say_how_the_value_stood() {
        let Found::Sealed(marker, 0, Stood::Quoted) = read(r#"<UCRYPT cipher="c">AA</UCRYPT>"#) else { panic!() };
        let mut marks = Marks::new(["UCRYPT"]);
        let bare = marks.write(&marker, None, "SEALED", Stood::Bare).to_owned();
        assert_eq!(bare, "<SEALED cipher='c'>AA</SEALED>");
        assert!(matches!(read(&bare), Found::Sealed(again, 1, Stood::Bare) if again == marker));
    }

    #[test]
    fn an_element_without_attributes_is_sealed_by_another_tool_and_a_lone_tag_is_text() {
        assert!(matches!(read("<UCRYPT>\nAAFGHA\n</UCRYPT>"), Found::Sealed(_, 0, Stood::Quoted)));
        assert!(matches!(read("<UCRYPT>"), Found::Text));
        assert!(matches!(read("<UCRYPTED v='1'>A</UCRYPTED>"), Found::Text));
    }

    #[test]
    fn a_cell_cut_off_in_the_middle_is_broken() {
        assert!(matches!(read("<UCRYPT cipher='c'>AAB"), Found::Broken(_)));
    }
}
