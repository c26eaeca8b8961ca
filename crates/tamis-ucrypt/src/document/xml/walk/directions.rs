//! Attributes that tell programs how to read an element, and nothing of what it holds.

use super::name;

/// Whether an attribute only tells how its element is to be read: in which language or type, whether it is empty, where its schema is. One
/// that says something else than it should is not believed, as it may say anything.
pub(super) fn tells_how_to_read(namespace: &str, local: &str, value: &str) -> bool {
    match (namespace, local) {
        (name::XML, "lang") => is_language(value),
        (name::XML, "space") => matches!(value, "default" | "preserve"),
        (name::XSI, "nil") => matches!(value.trim(), "true" | "false" | "1" | "0"),
        (name::XSI, "type") => value.trim().bytes().all(|byte| byte.is_ascii_alphanumeric() || b"._-:".contains(&byte)),
        (name::XSI, "schemaLocation" | "noNamespaceSchemaLocation") => value.split_whitespace().all(is_address),
        _ => false,
    }
}

/// A language as in BCP 47, such as `pl` or `zh-Hant-TW`. Those for private use could be any word.
fn is_language(value: &str) -> bool {
    let mut parts = value.split('-');
    let first = parts.next().unwrap_or_default();
    let is_part = |part: &str| (2..=8).contains(&part.len()) && part.bytes().all(|byte| byte.is_ascii_alphanumeric());
    value.is_empty()
        || (2..=3).contains(&first.len()) && first.bytes().all(|byte| byte.is_ascii_alphabetic()) && parts.all(is_part)
}

/// A reference to a file or a name of a namespace.
fn is_address(word: &str) -> bool {
    word.contains([':', '/', '.'])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_says_something_else_than_it_should_is_not_believed() {
        for (namespace, local, value) in [
            (name::XML, "lang", "pl"),
            (name::XML, "lang", "zh-Hant-TW"),
            (name::XML, "lang", ""),
            (name::XML, "space", "preserve"),
            (name::XSI, "nil", "true"),
            (name::XSI, "type", "xs:string"),
            (name::XSI, "schemaLocation", "urn:hl7-org:v3 CDA.xsd"),
        ] {
            assert!(tells_how_to_read(namespace, local, value), "{local} {value}");
        }
        for (namespace, local, value) in [
            (name::XML, "lang", "AIDS"),
            (name::XML, "lang", "x-AIDS"),
            (name::XML, "lang", "pl AIDS"),
            (name::XML, "lang", "&lt;UCRYPT v=&quot;1&quot;"),
            (name::XML, "space", "AIDS"),
            (name::XML, "id", "AIDS"),
            (name::XSI, "nil", "AIDS"),
            (name::XSI, "type", "AIDS, advanced"),
            (name::XSI, "schemaLocation", "AIDS"),
            ("urn:x", "lang", "pl"),
        ] {
            assert!(!tells_how_to_read(namespace, local, value), "{local} {value}");
        }
    }
}
