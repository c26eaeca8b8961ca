//! Which elements are records, which are fields, and what they are called in the policy.

use std::collections::BTreeMap;
use std::fmt;

use super::name::{self, ExpandedName};

/// Prefixes that paths use, and their namespaces. The empty prefix is that of element names without one.
pub type Namespaces = BTreeMap<String, String>;

/// An element, or an attribute of it, seen from another element or from the document.
///
/// ```
/// use tamis_ucrypt::document::xml::{Namespaces, Path};
/// let namespaces = Namespaces::from([("h".into(), "urn:hl7-org:v3".into())]);
/// let path = Path::relative("h:diagnosis/@code", &namespaces)?;
/// assert_eq!(path.elements[0].namespace, "urn:hl7-org:v3");
/// assert_eq!(path.attribute.unwrap().local, "code");
/// # Ok::<(), tamis_ucrypt::document::xml::SelectorError>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Path {
    /// The elements on the way; none means the element from which one looks.
    pub elements: Vec<ExpandedName>,
    /// The attribute of the last one.
    pub attribute: Option<ExpandedName>,
}

impl Path {
    /// Reads the path of an element from the document on: `/patients/h:patient`.
    pub fn absolute(text: &str, namespaces: &Namespaces) -> Result<Self, SelectorError> {
        let inner = text.strip_prefix('/').ok_or_else(|| SelectorError::NotAbsolute(text.to_owned()))?;
        let path = Self::relative(inner, namespaces)?;
        if path.elements.is_empty() || path.attribute.is_some() {
            return Err(SelectorError::NotAnElement(text.to_owned()));
        }
        Ok(path)
    }

    /// The path of what stands at another one, seen from here.
    pub(super) fn then(&self, inner: &Self) -> Self {
        let elements = self.elements.iter().chain(&inner.elements).cloned().collect();
        Self { elements, attribute: inner.attribute.clone() }
    }

    /// Reads a path from a record on: `name`, `visit/h:diagnosis`, `visit/@date`, `@id`, or `.` for the record itself.
    pub fn relative(text: &str, namespaces: &Namespaces) -> Result<Self, SelectorError> {
        let mut path = Self { elements: Vec::new(), attribute: None };
        if text == "." {
            return Ok(path);
        }
        for step in text.split('/') {
            if path.attribute.is_some() {
                return Err(SelectorError::Step { path: text.to_owned(), step: step.to_owned() });
            }
            let (is_attribute, written) = match step.strip_prefix('@') {
                Some(written) => (true, written),
                None => (false, step),
            };
            let wrong = || SelectorError::Step { path: text.to_owned(), step: step.to_owned() };
            let (prefix, local) = name::split(written).map_err(|_| wrong())?;
            let namespace = match prefix {
                "" if is_attribute => String::new(),
                "" => namespaces.get("").cloned().unwrap_or_default(),
                "xml" => name::XML.to_owned(),
                _ => namespaces
                    .get(prefix)
                    .cloned()
                    .ok_or_else(|| SelectorError::Prefix { path: text.to_owned(), prefix: prefix.to_owned() })?,
            };
            let name = ExpandedName { namespace, local: local.to_owned() };
            if is_attribute {
                path.attribute = Some(name);
            } else {
                path.elements.push(name);
            }
        }
        Ok(path)
    }
}

impl fmt::Display for Path {
    /// The path with namespaces in braces instead of prefixes.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.elements.is_empty() && self.attribute.is_none() {
            return f.write_str(".");
        }
        let attribute = self.attribute.iter().map(|name| ("@", name));
        for (at, (sign, name)) in self.elements.iter().map(|name| ("", name)).chain(attribute).enumerate() {
            if at > 0 {
                f.write_str("/")?;
            }
            f.write_str(sign)?;
            if !name.namespace.is_empty() {
                write!(f, "{{{}}}", name.namespace)?;
            }
            f.write_str(&name.local)?;
        }
        Ok(())
    }
}

/// A field of a record and what the policy calls it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Field {
    /// The logical name.
    pub name: String,
    /// Where it is, from the record on.
    pub path: Path,
}

/// The records of one kind.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Selector {
    /// What the policy calls the table.
    pub table: String,
    /// Where the records are, from the document on.
    pub record: Path,
    /// Where the key of a record is, from the record on. Without it, all records have the empty key.
    pub key: Option<Path>,
    /// The fields.
    pub fields: Vec<Field>,
}

/// A selector that cannot be used.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum SelectorError {
    /// The path of a record does not begin at the document.
    #[error("the path \"{0}\" of the records must begin with \"/\"")]
    NotAbsolute(String),
    /// The path of a record names no element.
    #[error("the path \"{0}\" of the records must name an element")]
    NotAnElement(String),
    /// A step that is no name, or a step behind an attribute.
    #[error("\"{step}\" in the path \"{path}\" is no name of an element or attribute")]
    Step {
        /// The path.
        path: String,
        /// The step.
        step: String,
    },
    /// A prefix without a namespace.
    #[error("the prefix \"{prefix}\" in the path \"{path}\" has no namespace")]
    Prefix {
        /// The path.
        path: String,
        /// The prefix.
        prefix: String,
    },
    /// A name of an element for sealed values that is none.
    #[error("\"{0}\" is no name for the element of sealed values")]
    Element(String),
    /// A field that holds the key of its record.
    #[error(
        "the field \"{field}\" of \"{table}\" holds the key of its record, without which it could not be opened again"
    )]
    KeyInside {
        /// The table.
        table: String,
        /// The field.
        field: String,
    },
    /// A field that holds the key of the records of another table.
    #[error(
        "the field \"{field}\" of \"{table}\" holds the key of the records of \"{other}\", which could not be read again without it: \
         name smaller fields (`policy amend` changes those of a policy)"
    )]
    KeyOfOther {
        /// The table.
        table: String,
        /// The field.
        field: String,
        /// The table whose key it holds.
        other: String,
    },
    /// The same field name twice in one table.
    #[error("the field \"{field}\" of \"{table}\" is selected twice")]
    Repeated {
        /// The table.
        table: String,
        /// The field.
        field: String,
    },
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_is_read_and_shown() {
        let namespaces = Namespaces::from([("p".into(), "urn:p".into()), (String::new(), "urn:d".into())]);
        for (text, shown) in
            [(".", "."), ("@id", "@id"), ("a/p:b", "{urn:d}a/{urn:p}b"), ("p:a/@p:b", "{urn:p}a/@{urn:p}b")]
        {
            assert_eq!(Path::relative(text, &namespaces).unwrap().to_string(), shown);
        }
        assert_eq!(Path::absolute("/a/b", &Namespaces::new()).unwrap().to_string(), "a/b");
    }

    #[test]
    fn a_path_that_cannot_be_is_refused() {
        let none = Namespaces::new();
        for text in ["", "a//b", "/a", "@a/b", "a b", "a[1]", "..", "*"] {
            assert!(matches!(Path::relative(text, &none), Err(SelectorError::Step { .. })), "{text}");
        }
        assert!(matches!(Path::relative("p:a", &none), Err(SelectorError::Prefix { .. })));
        assert!(matches!(Path::absolute("a", &none), Err(SelectorError::NotAbsolute(_))));
        for text in ["/.", "/a/@b"] {
            assert!(matches!(Path::absolute(text, &none), Err(SelectorError::NotAnElement(_))), "{text}");
        }
    }
}
