//! Names in messages.

/// Most characters of a name that are shown.
const MOST: usize = 100;

/// The beginning of a text that somebody else wrote, and that may be of any length.
pub(crate) fn beginning(text: &str) -> String {
    const LONGEST: usize = 80;
    text.chars().take(LONGEST).collect()
}

/// The beginning of such a text without its control characters, for messages that put it into quotation marks of their own.
pub(crate) fn plain(text: &str) -> String {
    const LONGEST: usize = 60;
    text.chars().take(LONGEST).filter(|character| !character.is_control()).collect()
}

/// A text that somebody else wrote on one line of a terminal: its line breaks and escape sequences are spelled out.
pub(crate) fn one_line(text: &str) -> String {
    let mut line = String::with_capacity(text.len());
    for character in text.chars() {
        // Some characters that control nothing by themselves end a line, or turn round what follows them.
        let is_turning = matches!(character, '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
        if character.is_control() || is_turning {
            line.extend(character.escape_default());
        } else {
            line.push(character);
        }
    }
    line
}

/// A name in quotation marks, or its beginning: a document can hold names of megabytes.
pub(crate) fn shown(name: &str) -> String {
    match name.char_indices().nth(MOST) {
        Some((end, _)) => format!("{:?}...", &name[..end]),
        None => format!("{name:?}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_of_others_stays_on_its_line() {
        assert_eq!(one_line("żółć\n  2  \u{1b}[2J\u{202e}"), "żółć\\n  2  \\u{1b}[2J\\u{202e}");
    }

    #[test]
    fn a_long_name_is_shortened_between_characters() {
        assert_eq!(shown("ż\n"), "\"ż\\n\"");
        assert_eq!(shown(&"ż".repeat(MOST)), format!("\"{}\"", "ż".repeat(MOST)));
        assert_eq!(shown(&"ż".repeat(1 << 20)), format!("\"{}\"...", "ż".repeat(MOST)));
    }
}
