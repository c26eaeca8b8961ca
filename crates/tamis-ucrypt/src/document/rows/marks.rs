//! Telling sealed values from texts, and writing them.

use std::sync::Arc;

use crate::cell::{Attributes, Marker, MarkerError, MarkerReader};

/// Beyond this size memory is given back: one long value must not hold it for the rest of the document.
const KEPT: usize = 64 << 10;

/// Whether a value stood in quotes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stood {
    /// In quotes: a quoted CSV field, an SQL string.
    Quoted,
    /// Without: any other CSV field, an SQL number.
    Bare,
}

/// Readers and a writer of the elements that sealed values have in a document.
#[derive(Debug, Clone)]
pub(crate) struct Marks {
    readers: Vec<MarkerReader>,
    /// How values of this kind of document stand as a rule: those cells are spelled in quotation marks.
    usual: Stood,
    /// The tags of the last marker that was written: those of its neighbours are mostly the same.
    tags: Option<Tags>,
    text: String,
}

/// The start tag and the end tag around a body.
#[derive(Debug, Clone)]
struct Tags {
    attributes: Arc<Attributes>,
    element: String,
    stood: Stood,
    both: String,
    end: usize,
}

impl Tags {
    fn new(attributes: &Arc<Attributes>, element: &str, stood: Stood, usual: Stood) -> Self {
        let empty = Marker { attributes: Arc::clone(attributes), body: String::new() };
        let mut both = empty.to_text(element);
        // An apostrophe inside an attribute can only come from another tool; its cell keeps the usual spelling.
        if stood != usual && !both.contains('\'') {
            both = both.replace('"', "'");
        }
        let end = both.len() - element.len() - 3;
        Self { attributes: Arc::clone(attributes), element: element.to_owned(), stood, both, end }
    }

    fn are_of(&self, attributes: &Arc<Attributes>, element: &str, stood: Stood) -> bool {
        Arc::ptr_eq(&self.attributes, attributes) && self.stood == stood && self.element == element
    }
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
    pub(crate) fn new<'a>(elements: impl IntoIterator<Item = &'a str>, usual: Stood) -> Self {
        let mut readers: Vec<MarkerReader> = Vec::new();
        for element in elements {
            if readers.iter().all(|reader| reader.element() != element) {
                readers.push(MarkerReader::new(element));
            }
        }
        Self { readers, usual, tags: None, text: String::new() }
    }

    /// How values stand as a rule.
    pub(crate) fn usual(&self) -> Stood {
        self.usual
    }

    pub(crate) fn read(&mut self, text: &str) -> Found {
        if !text.trim_ascii_start().starts_with('<') {
            return Found::Text;
        }
        for (position, reader) in self.readers.iter_mut().enumerate() {
            match reader.read(text) {
                Ok(marker) => return Found::Sealed(marker, position, spelled(text, self.usual)),
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
    pub(crate) fn write(&mut self, marker: Marker, found: Option<usize>, element: &str, stood: Stood) -> &str {
        let element = found.map_or(element, |position| self.readers[position].element());
        let tags = match self.tags.take().filter(|tags| tags.are_of(&marker.attributes, element, stood)) {
            Some(tags) => tags,
            None => Tags::new(&marker.attributes, element, stood, self.usual),
        };
        if self.text.capacity() > KEPT {
            self.text = String::new();
        }
        self.text.clear();
        self.text.reserve_exact(tags.both.len() + marker.body.len());
        self.text.push_str(&tags.both[..tags.end]);
        // Base64 has nothing to escape; the bodies of other tools may.
        if memchr::memchr3(b'&', b'<', b'>', marker.body.as_bytes()).is_none() {
            self.text.push_str(&marker.body);
        } else {
            let escaped = marker.body.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;");
            self.text.push_str(&escaped);
        }
        // A long value is in memory often enough without its body.
        drop(marker);
        self.text.push_str(&tags.both[tags.end..]);
        self.tags = Some(tags);
        &self.text
    }
}

fn spelled(text: &str, usual: Stood) -> Stood {
    let quote = text.bytes().find(|byte| matches!(byte, b'"' | b'\'' | b'>'));
    match (quote == Some(b'\''), usual) {
        (false, usual) => usual,
        (true, Stood::Quoted) => Stood::Bare,
        (true, Stood::Bare) => Stood::Quoted,
    }
}

#[cfg(test)]
mod tests {
    use super::{Attributes, Found, Marker, Marks, Stood};

    fn read(text: &str) -> Found {
        Marks::new(["UCRYPT", "SEALED"], Stood::Quoted).read(text)
    }

    #[test]
    fn quotes_of_attributes_say_how_the_value_stood() {
        let Found::Sealed(marker, 0, Stood::Quoted) = read(r#"<UCRYPT cipher="c">AA</UCRYPT>"#) else { panic!() };
        let mut marks = Marks::new(["UCRYPT"], Stood::Quoted);
        let bare = marks.write(marker.clone(), None, "SEALED", Stood::Bare).to_owned();
        assert_eq!(bare, "<SEALED cipher='c'>AA</SEALED>");
        assert!(matches!(read(&bare), Found::Sealed(again, 1, Stood::Bare) if again == marker));
    }

    #[test]
    fn what_is_usual_in_a_kind_of_document_is_spelled_in_quotation_marks() {
        let mut marks = Marks::new(["UCRYPT"], Stood::Bare);
        let Found::Sealed(marker, 0, Stood::Bare) = marks.read(r#"<UCRYPT cipher="c">AA</UCRYPT>"#) else { panic!() };
        assert_eq!(marks.write(marker.clone(), None, "UCRYPT", Stood::Bare), r#"<UCRYPT cipher="c">AA</UCRYPT>"#);
        let quoted = marks.write(marker, None, "UCRYPT", Stood::Quoted).to_owned();
        assert!(matches!(marks.read(&quoted), Found::Sealed(_, 0, Stood::Quoted)), "{quoted}");
    }

    #[test]
    fn a_marker_is_written_as_it_writes_itself() {
        let mut marks = Marks::new(["UCRYPT"], Stood::Quoted);
        for (cipher, body) in [("c", "AA=="), ("c", ""), ("it's", "AA"), ("a \"b\" <c>", "x"), ("c", "a & <b>")] {
            let attributes = Attributes { cipher: cipher.into(), v: Some("1".into()), ..Attributes::default() };
            let marker = Marker { attributes: attributes.into(), body: body.into() };
            for element in ["UCRYPT", "S"] {
                assert_eq!(marks.write(marker.clone(), None, element, Stood::Quoted), marker.to_text(element));
                let bare = marks.write(marker.clone(), None, element, Stood::Bare).to_owned();
                assert!(
                    matches!(Marks::new([element], Stood::Quoted).read(&bare), Found::Sealed(again, 0, _) if again == marker),
                    "{bare}"
                );
            }
        }
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
