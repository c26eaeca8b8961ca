//! Recognising sealed fields (see the crate tamis-ucrypt).

/// What stands in a table for every sealed field. The ciphertexts differ from row to row: kept, they would make every row that holds one
/// unique, and name it.
pub const SEALED: &str = "<UCRYPT/>";

/// Whether a text is a sealed field: begins with the element `UCRYPT`, or is one element of another name, which a policy may choose, whose
/// attributes are those of a sealed field: `v`, `pol` and `kid`. White space around it does not count.
pub(crate) fn is_sealed(text: &str) -> bool {
    let Some(rest) = text.trim_ascii().strip_prefix('<') else { return false };
    let ends = |c: char| c.is_ascii_whitespace() || c == '>' || c == '/';
    let Some((name, rest)) = rest.find(ends).map(|end| rest.split_at(end)) else { return false };
    name == "UCRYPT" || (!name.is_empty() && is_element_with_key(name, rest).unwrap_or(false))
}

/// Whether what follows the name of an element names a key, and the text ends with the element. None if it is no element.
fn is_element_with_key(name: &str, mut rest: &str) -> Option<bool> {
    let mut found = [false; 3];
    let content = loop {
        let next = rest.trim_ascii_start();
        if let Some(content) = next.strip_prefix('>') {
            break Some(content);
        }
        if next == "/>" {
            break None;
        }
        let (attribute, value) = next.split_once('=')?;
        let value = value.trim_ascii_start();
        let quote = value.chars().next().filter(|c| matches!(c, '"' | '\''))?;
        let (_, after) = value[1..].split_once(quote)?;
        for (found, wanted) in found.iter_mut().zip(["v", "pol", "kid"]) {
            *found |= attribute.trim_ascii_end() == wanted;
        }
        rest = after;
    };
    let is_whole = content.is_none_or(|content| {
        let end = content.split_once('<').and_then(|(_, end)| end.strip_prefix('/')?.strip_prefix(name));
        end.is_some_and(|end| end.trim_ascii_start() == ">")
    });
    Some(is_whole && found == [true; 3])
}

#[cfg(test)]
mod tests {
    use super::is_sealed;

    #[test]
    fn a_policy_may_name_the_element_otherwise() {
        for text in [
            r#"<SEAL cipher="A256GCM" v="1" pol="p7Q2" ep="1" kid="kZ3bQ9xA" bind="rf">AAEC</SEAL>"#,
            " <pieczęć\tkid='kZ3bQ9xA'\n pol = \"p7Q2\" v='1' >\n AAEC\n</pieczęć >\n",
            "<x:SEAL v='1' pol='p' kid='k'/>",
            "<SEAL v='1' note='a>b' pol='p' kid='k'></SEAL>",
            "<UCRYPT>AA</UCRYPT>",
            "<UCRYPT/>",
        ] {
            assert!(is_sealed(text), "{text}");
        }
    }

    #[test]
    fn other_texts_are_ordinary_values() {
        for text in [
            "<SEAL v='1' pol='p'>AAEC</SEAL>",
            "<SEAL v='1' pol='p' kid='k'>AAEC</SEAL> and more",
            "<SEAL v='1' pol='p' kid='k'>AAEC</OTHER>",
            "<SEAL v='1' pol='p' kid='k'>A<b/>C</SEAL>",
            "<SEAL v='1' pol='p' kid='k'>AAEC",
            "<SEAL v=1 pol=p kid=k>AAEC</SEAL>",
            "<SEAL text=\"v='1' pol='p' kid='k'\">AAEC</SEAL>",
            "< v='1' pol='p' kid='k'/>",
            "<UCRYPTED>",
            "<UCRYPT",
            "<",
            "<18",
            "",
        ] {
            assert!(!is_sealed(text), "{text}");
        }
    }
}
