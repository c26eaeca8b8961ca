//! Telling sealed values from texts, and writing them.

use std::sync::Arc;

use super::hidden::Hidden;
use crate::cell::{Attributes, Marker, MarkerError, MarkerReader};

/// Beyond this size memory is given back: one long value must not hold it for the rest of the document.
const KEPT: usize = 64 << 10;

/// Readers and a writer of the elements that sealed values have in a document.
#[derive(Debug, Clone)]
pub(crate) struct Marks {
    readers: Vec<MarkerReader>,
    hidden: Vec<Hidden>,
    /// The tags of the last marker that was written: those of its neighbours are mostly the same.
    tags: Option<Tags>,
    text: String,
}

/// The start tag and the end tag around a body.
#[derive(Debug, Clone)]
struct Tags {
    attributes: Arc<Attributes>,
    element: String,
    both: String,
    end: usize,
}

impl Tags {
    fn new(attributes: &Arc<Attributes>, element: &str) -> Self {
        let empty = Marker { attributes: Arc::clone(attributes), body: String::new() };
        let both = empty.to_text(element);
        let end = both.len() - element.len() - 3;
        Self { attributes: Arc::clone(attributes), element: element.to_owned(), both, end }
    }

    fn are_of(&self, attributes: &Arc<Attributes>, element: &str) -> bool {
        Arc::ptr_eq(&self.attributes, attributes) && self.element == element
    }
}

/// What a text turned out to be.
pub(crate) enum Found {
    /// A text.
    Text,
    /// A sealed value: its marker, and the position of its element among those asked for.
    Sealed(Marker, usize),
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
        let hidden = readers.iter().map(|reader| Hidden::new(reader.element())).collect();
        Self { readers, hidden, tags: None, text: String::new() }
    }

    /// Whether a sealed value is somewhere in bytes that are not read as one value.
    pub(crate) fn hide_in(&self, raw: &[u8]) -> bool {
        self.hidden.iter().any(|hidden| hidden.is_in(raw))
    }

    /// Whether bytes that are no text begin like a sealed value.
    pub(crate) fn begin(&self, raw: &[u8]) -> bool {
        self.hidden.iter().any(|hidden| hidden.begins(raw))
    }

    pub(crate) fn read(&mut self, text: &str) -> Found {
        if memchr::memchr2(b'<', b'&', text.as_bytes()).is_none() {
            return Found::Text;
        }
        for (position, reader) in self.readers.iter_mut().enumerate() {
            match reader.read(text) {
                Ok(marker) => return Found::Sealed(marker, position),
                Err(_) => {
                    if let Some(error) = reader.broken(text) {
                        return Found::Broken(error);
                    }
                }
            }
        }
        Found::Text
    }

    /// Gives the memory of a long marker back that was written.
    pub(crate) fn forget(&mut self) {
        if self.text.capacity() > KEPT {
            self.text = String::new();
        }
    }

    /// The text of a marker. An element that was found keeps its name, a new one gets `element`.
    pub(crate) fn write(&mut self, marker: Marker, found: Option<usize>, element: &str) -> &str {
        let element = found.map_or(element, |position| self.readers[position].element());
        let tags = match self.tags.take().filter(|tags| tags.are_of(&marker.attributes, element)) {
            Some(tags) => tags,
            None => Tags::new(&marker.attributes, element),
        };
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

#[cfg(test)]
mod tests {
    use super::{Attributes, Found, Marker, Marks};

    fn read(text: &str) -> Found {
        Marks::new(["UCRYPT", "SEALED"]).read(text)
    }

    #[test]
    fn a_marker_is_written_as_it_writes_itself() {
        let mut marks = Marks::new(["UCRYPT"]);
        for (cipher, body) in [("c", "AA=="), ("c", ""), ("it's", "AA"), ("a \"b\" <c>", "x"), ("c", "a & <b>")] {
            let attributes = Attributes { cipher: cipher.into(), v: Some("1".into()), ..Attributes::default() };
            let marker = Marker { attributes: attributes.into(), body: body.into() };
            for element in ["UCRYPT", "S"] {
                assert_eq!(marks.write(marker.clone(), None, element), marker.to_text(element));
            }
        }
    }

    #[test]
    fn an_element_without_attributes_is_sealed_by_another_tool_and_a_lone_tag_is_text() {
        assert!(matches!(read("<UCRYPT>\nAAFGHA\n</UCRYPT>"), Found::Sealed(_, 0)));
        assert!(matches!(read("<UCRYPT>"), Found::Text));
        assert!(matches!(read("<UCRYPTED v='1'>A</UCRYPTED>"), Found::Text));
    }

    #[test]
    fn a_cell_cut_off_in_the_middle_is_broken() {
        assert!(matches!(read("<UCRYPT cipher='c'>AAB"), Found::Broken(_)));
    }

    #[test]
    fn a_cell_with_a_text_beside_it_is_broken_whichever_its_element_is() {
        for element in ["UCRYPT", "SEALED"] {
            let cell = format!("<{element} v='1' pol='p'>AA</{element}>");
            for text in [format!("foo{cell}"), format!("{cell}bar"), format!("{cell}{cell}"), format!("\n{cell} \nx")] {
                assert!(matches!(read(&text), Found::Broken(_)), "{text}");
            }
            assert!(matches!(read(&format!("\n {cell}\n")), Found::Sealed(..)));
            assert!(matches!(read(&format!("foo<{element}>")), Found::Text));
        }
    }
}
