//! Characters, names and references of XML 1.0. A sealed value is an element wherever it stands, in a CSV file too.

/// Whether XML 1.0 has this character (production 2 of the recommendation).
pub(crate) fn is_character(character: char) -> bool {
    matches!(character, '\t' | '\n' | '\r' | ' '..='\u{D7FF}' | '\u{E000}'..='\u{FFFD}' | '\u{10000}'..)
}

// Productions 4 and 4a of XML 1.0, without the colon.

/// Whether a name may begin with this character.
pub(crate) fn starts_name(character: char) -> bool {
    matches!(character, 'A'..='Z' | 'a'..='z' | '_' | '\u{C0}'..='\u{D6}' | '\u{D8}'..='\u{F6}' | '\u{F8}'..='\u{2FF}'
        | '\u{370}'..='\u{37D}' | '\u{37F}'..='\u{1FFF}' | '\u{200C}' | '\u{200D}' | '\u{2070}'..='\u{218F}'
        | '\u{2C00}'..='\u{2FEF}' | '\u{3001}'..='\u{D7FF}' | '\u{F900}'..='\u{FDCF}' | '\u{FDF0}'..='\u{FFFD}'
        | '\u{10000}'..='\u{EFFFF}')
}

/// Whether this character may stand in a name.
pub(crate) fn continues_name(character: char) -> bool {
    starts_name(character)
        || matches!(character, '0'..='9' | '-' | '.' | '\u{B7}' | '\u{300}'..='\u{36F}' | '\u{203F}' | '\u{2040}')
}

/// Whether this is a name without a colon.
pub(crate) fn is_simple_name(name: &str) -> bool {
    let Some(first) = name.chars().next() else { return false };
    starts_name(first)
        && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'.') || byte >= 0x80)
        && (name.is_ascii() || name.chars().all(continues_name))
}

/// Why `&name;` stands for nothing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum NoReference {
    /// No entity of this name is predefined.
    Unknown,
    /// It is not spelled like a reference.
    Spelling,
    /// XML does not have the character of this number.
    Character(u32),
}

/// The character that `&name;` stands for.
pub(crate) fn referenced(name: &str) -> Result<char, NoReference> {
    let Some(code) = name.strip_prefix('#') else {
        return match name {
            "amp" => Ok('&'),
            "lt" => Ok('<'),
            "gt" => Ok('>'),
            "quot" => Ok('"'),
            "apos" => Ok('\''),
            "" => Err(NoReference::Spelling),
            _ => Err(NoReference::Unknown),
        };
    };
    let (digits, radix) = match code.strip_prefix('x') {
        Some(digits) => (digits, 16),
        None => (code, 10),
    };
    // The standard library would take a sign as well.
    if !digits.bytes().all(|byte| byte.is_ascii_alphanumeric()) {
        return Err(NoReference::Spelling);
    }
    let number = u32::from_str_radix(digits, radix).map_err(|_| NoReference::Spelling)?;
    char::from_u32(number).filter(|character| is_character(*character)).ok_or(NoReference::Character(number))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_predefined_entities_and_characters_of_xml_can_be_referenced() {
        for (name, character) in
            [("amp", '&'), ("lt", '<'), ("gt", '>'), ("quot", '"'), ("apos", '\''), ("#65", 'A'), ("#x142", 'ł')]
        {
            assert_eq!(referenced(name), Ok(character));
        }
        assert_eq!(referenced("nbsp"), Err(NoReference::Unknown));
        for name in ["", "#", "#x", "#+65", "#6 5", "#X41", "#4294967296"] {
            assert_eq!(referenced(name), Err(NoReference::Spelling), "{name}");
        }
        for (name, number) in [("#0", 0), ("#8", 8), ("#xD800", 0xD800), ("#xFFFE", 0xFFFE), ("#x110000", 0x11_0000)] {
            assert_eq!(referenced(name), Err(NoReference::Character(number)));
        }
    }
}
