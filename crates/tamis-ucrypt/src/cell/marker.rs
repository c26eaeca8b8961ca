//! The element around a sealed value, and its text form.

use std::sync::Arc;

/// What a marker says about its cell, as written: nothing is checked against a policy here.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Attributes {
    /// The name of the cipher; empty if absent.
    pub cipher: String,
    /// The version; `None` in cells of other tools.
    pub v: Option<String>,
    /// The policy.
    pub pol: String,
    /// The epoch in which the data key was born.
    pub ep: String,
    /// The data key.
    pub kid: String,
    /// What the cell is bound to: `rf`, `f` or `n`.
    pub bind: String,
    /// Attributes that this version does not know, in their order.
    pub others: Vec<(String, String)>,
}

impl Attributes {
    /// Takes over one attribute.
    pub fn set(&mut self, name: &str, value: String) {
        match name {
            "cipher" => self.cipher = value,
            "v" => self.v = Some(value),
            "pol" => self.pol = value,
            "ep" => self.ep = value,
            "kid" => self.kid = value,
            "bind" => self.bind = value,
            _ => self.others.push((name.to_owned(), value)),
        }
    }

    /// Whether they are those of a cell of this format, which is of no use to anybody once it is edited.
    pub(crate) fn claims(&self) -> bool {
        self.v.is_some() && !self.pol.is_empty()
    }

    /// The attributes that are there, by name, in the order in which they are written.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &str)> {
        let known = [
            ("cipher", self.cipher.as_str()),
            ("v", self.v.as_deref().unwrap_or_default()),
            ("pol", &self.pol),
            ("ep", &self.ep),
            ("kid", &self.kid),
            ("bind", &self.bind),
        ];
        let others = self.others.iter().map(|(name, value)| (name.as_str(), value.as_str()));
        known.into_iter().filter(|(_, value)| !value.is_empty()).chain(others)
    }
}

/// A sealed value as found in a document.
///
/// The attributes are shared because every cell of one sealing run has the same ones.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Marker {
    /// What its attributes say.
    pub attributes: Arc<Attributes>,
    /// What stands between the tags, without white space around it.
    pub body: String,
}

impl Marker {
    /// Appends the marker as an element of this name.
    ///
    /// ```
    /// use tamis_ucrypt::cell::{Attributes, Marker};
    /// let attributes = Attributes { cipher: "szyfr1".into(), ..Attributes::default() };
    /// let marker = Marker { attributes: attributes.into(), body: "MBJKLO".into() };
    /// let mut text = String::new();
    /// marker.write("UCRYPT", &mut text);
    /// assert_eq!(text, r#"<UCRYPT cipher="szyfr1">MBJKLO</UCRYPT>"#);
    /// ```
    pub fn write(&self, element: &str, text: &mut String) {
        text.reserve(self.body.len() + 2 * element.len() + 96);
        text.push('<');
        text.push_str(element);
        for (name, value) in self.attributes.iter() {
            text.push(' ');
            text.push_str(name);
            text.push_str("=\"");
            push_escaped(value, text);
            text.push('"');
        }
        text.push('>');
        push_escaped(&self.body, text);
        text.push_str("</");
        text.push_str(element);
        text.push('>');
    }

    /// The marker as an element of this name.
    pub fn to_text(&self, element: &str) -> String {
        let mut text = String::new();
        self.write(element, &mut text);
        text
    }
}

fn push_escaped(value: &str, text: &mut String) {
    // No cell of this version holds anything to escape; cells of other tools may. Looking at every byte takes less time than stopping early.
    let special = |byte| matches!(byte, b'&' | b'<' | b'>' | b'"' | b'\n' | b'\r' | b'\t');
    if !value.bytes().fold(false, |found, byte| found | special(byte)) {
        text.push_str(value);
        return;
    }
    for character in value.chars() {
        match character {
            '&' => text.push_str("&amp;"),
            '<' => text.push_str("&lt;"),
            '>' => text.push_str("&gt;"),
            '"' => text.push_str("&quot;"),
            // A parser turns these into spaces inside attribute values unless they are written as references.
            '\n' => text.push_str("&#10;"),
            '\r' => text.push_str("&#13;"),
            '\t' => text.push_str("&#9;"),
            other => text.push(other),
        }
    }
}
