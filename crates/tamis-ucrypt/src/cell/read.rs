//! Recognising a marker in the text of a field.

use std::sync::Arc;

use memchr::{memchr, memchr_iter};

use super::{Attributes, Marker};
use crate::xml_text::{continues_name, referenced, starts_name};

/// Longest start tag of a marker, in bytes: ours take about eighty.
const LONGEST_HEAD: usize = 4096;

/// Shortest body of a cell: nonce, one block of padding and tag in base64.
const SHORTEST_BODY: usize = (12 + 16 + 16) / 3 * 4;

/// Why a text that begins like a marker is none.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum MarkerError {
    /// The text does not begin with the element.
    #[error("the text does not begin with the element of sealed values")]
    NotAMarker,
    /// The start tag is cut off, or an attribute is not `name="value"`.
    #[error("the start tag of the sealed value is not well formed")]
    StartTag,
    /// One attribute stands there twice.
    #[error("the sealed value has an attribute twice")]
    DoubledAttribute,
    /// The end tag is missing or belongs to another element.
    #[error("the sealed value does not end with the end tag of its element")]
    EndTag,
    /// There is more in the field than one sealed value: something before or behind it, or another one.
    #[error("there is more beside the sealed value, so the field was edited")]
    Beside,
    /// There is an element, a comment or the like between the tags.
    #[error("there is more than text inside the sealed value")]
    NotText,
    /// A reference to an entity that XML does not predefine, or to no character.
    #[error("the sealed value holds a reference that XML does not define")]
    Reference,
    /// Its element has a prefix.
    #[error("the element of the sealed value has got a prefix")]
    Prefixed,
    /// Its angle brackets are still references where the text was read.
    #[error("the sealed value was escaped once more than its document needs")]
    Escaped,
    /// It is part of something that is computed, or of bytes that are no text.
    #[error("it is part of an expression, or of bytes that are no text, in which it cannot be read")]
    Hidden,
    /// Its record cannot be told from others.
    #[error("its record has no key that can be read, so that nobody can tell whose it is")]
    NoRecord,
}

/// Whether a text begins with the start tag of this element, white space aside: the quick test before reading.
///
/// ```
/// use tamis_ucrypt::cell::starts_marker;
/// assert!(starts_marker(" <UCRYPT cipher='szyfr1'>MBJKLO</UCRYPT>", "UCRYPT"));
/// assert!(!starts_marker("<UCRYPTED>", "UCRYPT"));
/// assert!(!starts_marker("Nowotwór", "UCRYPT"));
/// ```
pub fn starts_marker(text: &str, element: &str) -> bool {
    after_name(text, element).is_some()
}

fn after_name<'t>(text: &'t str, element: &str) -> Option<&'t str> {
    let rest = text.trim_ascii_start().strip_prefix('<')?.strip_prefix(element)?;
    rest.starts_with(|c: char| c.is_ascii_whitespace() || c == '>' || c == '/').then_some(rest)
}

/// Reads markers from texts, and remembers the attributes of the last one: neighbours mostly have the same ones.
#[derive(Debug, Clone)]
pub struct MarkerReader {
    element: String,
    last_head: String,
    last: Arc<Attributes>,
}

impl MarkerReader {
    /// A reader of markers of this element.
    pub fn new(element: &str) -> Self {
        Self { element: element.to_owned(), last_head: String::new(), last: Arc::default() }
    }

    /// The name of the element.
    pub fn element(&self) -> &str {
        &self.element
    }

    /// Reads a text that is a marker and nothing else, white space around it and around its body aside.
    ///
    /// ```
    /// use tamis_ucrypt::cell::MarkerReader;
    /// let mut reader = MarkerReader::new("UCRYPT");
    /// let marker = reader.read("<UCRYPT cipher='szyfr1'>\n MBJKLO\n</UCRYPT>").unwrap();
    /// assert_eq!((marker.attributes.cipher.as_str(), marker.body.as_str()), ("szyfr1", "MBJKLO"));
    /// assert!(reader.read("<CRYPT cipher='szyfr1'>MBJKLO</UCRYPT>").is_err());
    /// ```
    pub fn read(&mut self, text: &str) -> Result<Marker, MarkerError> {
        let rest = after_name(text, &self.element).ok_or(MarkerError::NotAMarker)?;
        if let Some(rest) = self.after_last_head(rest) {
            return Ok(Marker { attributes: Arc::clone(&self.last), body: self.body(rest)? });
        }
        let (head, rest) = split_head(rest)?;
        let body = if let Some(empty) = head.strip_suffix('/') {
            if !rest.trim_ascii().is_empty() {
                return Err(MarkerError::Beside);
            }
            return Ok(Marker { attributes: self.attributes(empty)?, body: String::new() });
        } else {
            self.body(rest)?
        };
        Ok(Marker { attributes: self.attributes(head)?, body })
    }

    /// What is behind a start tag that is the last one again: comparing is faster than looking for its end. It has no `>` but in quotes,
    /// and its quotes are closed, so that its end is there.
    fn after_last_head<'t>(&self, rest: &'t str) -> Option<&'t str> {
        rest.strip_prefix(self.last_head.as_str()).filter(|_| !self.last_head.is_empty())?.strip_prefix('>')
    }

    fn body(&self, rest: &str) -> Result<String, MarkerError> {
        let body = self.before_end_tag(rest)?;
        // Nothing is escaped in base64.
        if memchr(b'&', body.as_bytes()).is_none() {
            return Ok(body.trim_ascii().to_owned());
        }
        Ok(unescaped(body)?.trim_ascii().to_owned())
    }

    /// Reads the attributes of a start tag: what stands between the name of the element and its `>`.
    fn attributes(&mut self, head: &str) -> Result<Arc<Attributes>, MarkerError> {
        if head != self.last_head {
            let attributes = parse_attributes(head)?;
            self.last_head.clear();
            self.last_head.push_str(head);
            self.last = Arc::new(attributes);
        }
        Ok(Arc::clone(&self.last))
    }

    /// What is wrong with a text that claims to be a sealed value and is none, such as a cell cut off in the middle.
    ///
    /// A text claims to be sealed if it begins with the element and an attribute, or if the element is anywhere in it with a version and a
    /// policy, also with `&lt;` for its `<`, or if it ends like a cell and lacks the start tag. The mere text `<UCRYPT>` is nothing but a text, and so is a cell of another tool with a text
    /// beside it.
    pub fn broken(&mut self, text: &str) -> Option<MarkerError> {
        let is_escaped = |reader: &Self| reader.holds_escaped(text).then_some(MarkerError::Escaped);
        match self.read(text) {
            Ok(_) => None,
            Err(error) => self.claims(text, error).or_else(|| is_escaped(self)),
        }
    }

    /// The same for a piece of XML, in which a `&lt;` is no damage.
    pub(crate) fn broken_xml(&mut self, xml: &str) -> Option<MarkerError> {
        let error = self.read(xml).err()?;
        self.claims(xml, error)
    }

    /// What this error makes of a text, if it claims to be sealed.
    fn claims(&self, text: &str, error: MarkerError) -> Option<MarkerError> {
        let claims =
            after_name(text, &self.element).is_some_and(|rest| rest.trim_ascii_start().starts_with(starts_attribute));
        match error {
            MarkerError::NotAMarker if self.is_prefixed(text) => Some(MarkerError::Prefixed),
            MarkerError::NotAMarker if self.is_headless(text) => Some(MarkerError::StartTag),
            MarkerError::Beside | MarkerError::NotAMarker => self.holds_versioned(text).then_some(MarkerError::Beside),
            _ if claims => Some(error),
            _ => self.holds_versioned(text).then_some(error),
        }
    }

    /// Whether a start tag of the element with a version and a policy is anywhere in a text, white space before it aside.
    fn holds_versioned(&self, text: &str) -> bool {
        let mut rest = text;
        while let Some(at) = memchr(b'<', rest.as_bytes()) {
            rest = &rest[at + 1..];
            let Some(tag) = rest.strip_prefix(self.element.as_str()) else { continue };
            if !tag.starts_with(|c: char| c.is_ascii_whitespace()) {
                continue;
            }
            let head = match split_head(tag) {
                Ok((head, _)) => head,
                Err(_) => tag.split('<').next().unwrap_or_default(),
            };
            if ["v", "pol"].iter().all(|name| names(head, name)) {
                return true;
            }
        }
        false
    }

    /// Whether a text begins with such a start tag that has a prefix, as some programs write names that have a namespace.
    fn is_prefixed(&self, text: &str) -> bool {
        let name = text.trim_ascii_start().strip_prefix('<').and_then(|tag| tag.split_once(':'));
        let Some((prefix, local)) = name else { return false };
        if prefix.contains(|c: char| !continues_name(c)) {
            return false;
        }
        let head =
            local.strip_prefix(self.element.as_str()).filter(|tag| tag.starts_with(|c: char| c.is_ascii_whitespace()));
        let head = head.and_then(|tag| split_head(tag).ok()).map_or("", |(head, _)| head);
        ["v", "pol"].iter().all(|name| names(head, name))
    }

    /// Whether a text ends like a cell of which the start tag was cut off, or edited beyond recognition.
    fn is_headless(&self, text: &str) -> bool {
        let before = text.trim_ascii_end().strip_suffix('>').map(str::trim_ascii_end);
        let before =
            before.and_then(|tag| tag.strip_suffix(self.element.as_str())).and_then(|tag| tag.strip_suffix("</"));
        let Some(before) = before else { return false };
        let body = before.rsplit('>').next().unwrap_or_default().trim_ascii();
        // A name that grew, or a blank that became another sign, is edited beyond recognition as well.
        let ends = |behind: &str| behind.starts_with(|c: char| c.is_ascii_whitespace() || matches!(c, '>' | '/'));
        let is_start = |at: usize| before[..at].ends_with('<') && ends(&before[at + self.element.len()..]);
        let has_start = || before.match_indices(&self.element).any(|(at, _)| is_start(at));
        body.len() >= SHORTEST_BODY
            && body.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"+/=".contains(&byte))
            && !has_start()
    }

    /// Whether such a start tag is anywhere in a text with a reference for its `<`, however often that was escaped.
    fn holds_escaped(&self, text: &str) -> bool {
        let mut rest = text;
        while let Some(at) = memchr(b'&', rest.as_bytes()) {
            rest = &rest[at + 1..];
            let tag = bracket(rest).and_then(|tag| tag.strip_prefix(self.element.as_str()));
            let Some(tag) = tag.filter(|tag| tag.starts_with(|c: char| c.is_ascii_whitespace())) else { continue };
            // The next bracket ends it, so that the time is linear in the length of the text.
            let end = memchr_iter(b'&', tag.as_bytes()).find(|at| bracket(&tag[at + 1..]).is_some());
            let head = tag[..end.unwrap_or(tag.len())].split(['<', '>']).next().unwrap_or_default();
            if ["v", "pol"].iter().all(|name| names(head, name)) {
                return true;
            }
        }
        false
    }

    fn before_end_tag<'t>(&self, rest: &'t str) -> Result<&'t str, MarkerError> {
        let less = memchr(b'<', rest.as_bytes()).ok_or(MarkerError::EndTag)?;
        let (body, tail) = rest.split_at(less);
        let Some(name) = tail.strip_prefix("</") else {
            return Err(MarkerError::NotText);
        };
        let behind =
            name.strip_prefix(self.element.as_str()).and_then(|after| after.trim_ascii_start().strip_prefix('>'));
        match behind {
            Some(behind) if behind.trim_ascii().is_empty() => Ok(body),
            Some(_) => Err(MarkerError::Beside),
            None => Err(MarkerError::EndTag),
        }
    }
}

/// What is behind a reference to an angle bracket, whose `&` was taken off; it may have been escaped several times.
fn bracket(text: &str) -> Option<&str> {
    let name = text.trim_start_matches("amp;");
    ["lt;", "gt;", "#60;", "#62;", "#x3c;", "#x3C;", "#x3e;", "#x3E;"].iter().find_map(|one| name.strip_prefix(one))
}

/// Whether what follows the name of an element gives this attribute, however the tag is cut off or edited behind it.
fn names(head: &str, attribute: &str) -> bool {
    let mut rest = head;
    while let Some((name, value)) = rest.split_once('=') {
        if name.trim_ascii() == attribute {
            return true;
        }
        let value = value.trim_ascii_start();
        let behind = match value.chars().next() {
            Some(quote @ ('"' | '\'')) => value[1..].split_once(quote),
            _ => value.split_once(|c: char| c.is_ascii_whitespace()),
        };
        rest = behind.map_or("", |(_, behind)| behind);
    }
    false
}

/// Whether the name of an attribute, prefix included, may begin with this character.
fn starts_attribute(character: char) -> bool {
    starts_name(character) || character == ':'
}

/// Splits behind the `>` that ends the start tag; one inside quotes does not.
fn split_head(rest: &str) -> Result<(&str, &str), MarkerError> {
    let mut quote = None;
    for (index, byte) in rest.bytes().enumerate().take(LONGEST_HEAD) {
        match (quote, byte) {
            (None, b'>') => return Ok((&rest[..index], &rest[index + 1..])),
            (None, b'"' | b'\'') => quote = Some(byte),
            (Some(open), _) if open == byte => quote = None,
            (_, b'<') => return Err(MarkerError::StartTag),
            _ => {}
        }
    }
    Err(MarkerError::StartTag)
}

fn parse_attributes(head: &str) -> Result<Attributes, MarkerError> {
    let mut attributes = Attributes::default();
    let mut names = Vec::new();
    let mut rest = head;
    loop {
        let trimmed = rest.trim_ascii_start();
        if trimmed.is_empty() {
            return Ok(attributes);
        }
        if trimmed.len() == rest.len() {
            return Err(MarkerError::StartTag);
        }
        let (name, value) = trimmed.split_once('=').ok_or(MarkerError::StartTag)?;
        let name = name.trim_ascii_end();
        if !name.starts_with(starts_attribute) || name.contains(|c: char| !(continues_name(c) || c == ':')) {
            return Err(MarkerError::StartTag);
        }
        let value = value.trim_ascii_start();
        let quote = value.chars().next().filter(|c| matches!(c, '"' | '\''));
        let quote = quote.ok_or(MarkerError::StartTag)?;
        let (value, after) = value[1..].split_once(quote).ok_or(MarkerError::StartTag)?;
        if names.contains(&name) {
            return Err(MarkerError::DoubledAttribute);
        }
        names.push(name);
        attributes.set(name, unescaped(value)?);
        rest = after;
    }
}

fn unescaped(text: &str) -> Result<String, MarkerError> {
    let mut rest = text;
    let mut plain = String::with_capacity(text.len());
    while let Some((before, reference)) = rest.split_once('&') {
        plain.push_str(before);
        let (name, after) = reference.split_once(';').ok_or(MarkerError::Reference)?;
        plain.push(referenced(name).map_err(|_| MarkerError::Reference)?);
        rest = after;
    }
    plain.push_str(rest);
    Ok(plain)
}

#[cfg(test)]
mod tests;
