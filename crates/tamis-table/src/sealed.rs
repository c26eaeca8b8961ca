//! Recognising sealed fields (see the crate tamis-ucrypt).

/// What stands in a table for every sealed field. The ciphertexts differ from row to row: kept, they would make every row that holds one
/// unique, and name it.
pub const SEALED: &str = "<UCRYPT/>";

/// Whether a text is a sealed field, or was one before somebody edited it. It is if it is one element `UCRYPT`, if it begins with that
/// element and an attribute and the element does not end, or if a start tag of it with `v` and `pol` is anywhere in it; so is a start tag of another name, which a policy
/// may choose, with `v`, `pol` and `kid`. White space around it does not count, and such a tag may be escaped. The mere text `<UCRYPT>` is
/// a value like any other.
pub(crate) fn is_sealed(text: &str) -> bool {
    holds_element(text) || holds_escaped(text)
}

/// Whether a start tag of a sealed field is anywhere in a text with a reference for its `<`.
fn holds_escaped(text: &str) -> bool {
    let mut rest = text;
    while let Some(at) = rest.find('&') {
        rest = &rest[at + 1..];
        let Some(tag) = bracket(rest) else { continue };
        let Some(end) = tag.find(|c: char| c.is_ascii_whitespace() || matches!(c, '&' | '<' | '>')) else { continue };
        let (name, behind) = tag.split_at(end);
        let end = behind.match_indices('&').find(|(at, _)| bracket(&behind[at + 1..]).is_some());
        let head = behind[..end.map_or(behind.len(), |(at, _)| at)].split(['<', '>']).next().unwrap_or_default();
        let is_sealed = match name {
            "UCRYPT" => has_all(head, &["v", "pol"]),
            "" => false,
            _ => has_all(head, &["v", "pol", "kid"]),
        };
        if is_sealed && head.starts_with(|c: char| c.is_ascii_whitespace()) {
            return true;
        }
    }
    false
}

/// What is behind a reference to an angle bracket, whose `&` was taken off; it may have been escaped several times.
fn bracket(text: &str) -> Option<&str> {
    let name = text.trim_start_matches("amp;");
    ["lt;", "gt;", "#60;", "#62;", "#x3c;", "#x3C;", "#x3e;", "#x3E;"].iter().find_map(|one| name.strip_prefix(one))
}

fn holds_element(text: &str) -> bool {
    let Some(start) = text.find('<') else { return false };
    let begins = text[..start].trim_ascii().is_empty();
    let mut tags = text[start..].split('<').skip(1).enumerate();
    tags.any(|(position, tag)| {
        let Some((name, rest)) = tag.find(ends_name).map(|end| tag.split_at(end)) else { return false };
        let head = head(rest);
        let is_first = begins && position == 0;
        match name {
            "UCRYPT" if is_first && is_one_element_or_cut_off(head, &text[start + "<UCRYPT".len() + head.len()..]) => {
                true
            }
            "UCRYPT" => has_all(head, &["v", "pol"]),
            "" => false,
            _ => has_all(head, &["v", "pol", "kid"]),
        }
    })
}

fn ends_name(c: char) -> bool {
    c.is_ascii_whitespace() || c == '>' || c == '/'
}

/// What follows the name of an element up to the end of its start tag, or of what is there of it.
fn head(rest: &str) -> &str {
    let mut quote = None;
    let end = rest.find(|c: char| {
        match quote {
            None if c == '>' => return true,
            None if matches!(c, '"' | '\'') => quote = Some(c),
            Some(open) if open == c => quote = None,
            _ => {}
        }
        false
    });
    &rest[..end.unwrap_or(rest.len())]
}

/// Whether an element with this in its start tag and this behind it is all of its text, or has attributes and does not end.
fn is_one_element_or_cut_off(head: &str, behind: &str) -> bool {
    let content = behind.strip_prefix('>');
    let rest = match (head.ends_with('/'), content.and_then(|content| content.split_once('<'))) {
        (true, _) => content,
        (false, Some((_, end))) => end.strip_prefix("/UCRYPT").and_then(|end| end.trim_ascii_start().strip_prefix('>')),
        (false, None) => None,
    };
    match rest {
        Some(rest) => rest.trim_ascii().is_empty(),
        None => head.trim_ascii_start().starts_with(|c: char| c.is_ascii_alphabetic()),
    }
}

/// Whether a start tag gives all these attributes, however it is cut off or edited behind them.
fn has_all(head: &str, wanted: &[&str]) -> bool {
    let mut found = vec![false; wanted.len()];
    let mut rest = head;
    while let Some((name, value)) = rest.split_once('=') {
        if let Some(position) = wanted.iter().position(|wanted| name.trim_ascii() == *wanted) {
            found[position] = true;
        }
        let value = value.trim_ascii_start();
        let behind = match value.chars().next() {
            Some(quote @ ('"' | '\'')) => value[1..].split_once(quote),
            _ => value.split_once(|c: char| c.is_ascii_whitespace()),
        };
        rest = behind.map_or("", |(_, behind)| behind);
    }
    !found.contains(&false)
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
    fn an_edited_sealed_field_still_names_its_row() {
        for text in [
            "<SEAL v='1' pol='p' kid='k'>AAEC</SEAL> and more",
            "before <SEAL v='1' pol='p' kid='k'>AAEC</SEAL>",
            "<SEAL v='1' pol='p' kid='k'>AAEC</OTHER>",
            "<SEAL v='1' pol='p' kid='k'>A<b/>C</SEAL>",
            "<SEAL v='1' pol='p' kid='k'>AAEC",
            "<UCRYPT cipher='A256GCM' v='1' po",
            "before <UCRYPT v=\"1\" pol=\"p\">AA",
            "<UCRYPT>AA</UCRYPT><UCRYPT v='1' pol='p'>AA</UCRYPT>",
            "&lt;UCRYPT cipher=&quot;c&quot; v=&quot;1&quot; pol=&quot;p&quot;&gt;AA&lt;/UCRYPT&gt;",
            "a &amp;lt;SEAL v='1' pol='p' kid='k'&amp;gt;",
        ] {
            assert!(is_sealed(text), "{text}");
        }
    }

    #[test]
    fn other_texts_are_ordinary_values() {
        for text in [
            "<SEAL v='1' pol='p'>AAEC</SEAL>",
            "<SEAL text=\"v='1' pol='p' kid='k'\">AAEC</SEAL>",
            "< v='1' pol='p' kid='k'/>",
            "<UCRYPTED>",
            "<UCRYPT>",
            "<UCRYPT> is a tag",
            "before <UCRYPT>AA</UCRYPT>",
            "<UCRYPT cipher='szyfr1'>AA</UCRYPT> behind",
            "<UCRYPT",
            "&lt;UCRYPT&gt;AA&lt;/UCRYPT&gt; v= pol=",
            "&lt;SEAL v='1' pol='p'&gt;",
            "<",
            "<18",
            "",
        ] {
            assert!(!is_sealed(text), "{text}");
        }
    }
}
