//! Lists of whole numbers, on the command line or in a file.

use crate::answer::{CommandError, sentence};

/// Reads numbers separated by commas, blanks or line breaks: the text itself, or the file that `@FILE` names. `flag` names the place.
pub(super) fn numbers(flag: &str, text: &str) -> Result<Vec<u64>, CommandError> {
    let Some(path) = text.strip_prefix('@') else { return parse(flag, text) };
    let content = std::fs::read_to_string(path)
        .map_err(|reason| sentence(format!("{flag}: cannot read `{path}`: {reason}; check that it is a text file")))?;
    parse(&format!("{flag}, file `{path}`"), &content)
}

fn parse(place: &str, text: &str) -> Result<Vec<u64>, CommandError> {
    // One comma or any number of blanks separate two numbers; a final line break separates nothing.
    let pieces = text.trim().split(',').flat_map(|piece| {
        let words: Vec<&str> = piece.split_whitespace().collect();
        if words.is_empty() { vec![""] } else { words }
    });
    let number = |(position, piece): (usize, &str)| {
        piece.parse().map_err(|_| {
            let found = if piece.is_empty() { "nothing".to_owned() } else { format!("`{piece}`") };
            sentence(format!("{place}, position {}: found {found}, expected a whole number above 0", position + 1))
        })
    };
    pieces.enumerate().map(number).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_are_read_or_the_wrong_position_is_named() {
        assert!(matches!(parse("--x", "4, 2\n3\t1\n"), Ok(read) if read == [4, 2, 3, 1]));
        for (text, position) in [("4,-2", 2), ("", 1), ("4,,2", 2), ("1,2,", 3), ("1.5", 1), ("1 2 x", 3)] {
            let error = parse("--x", text).expect_err(text).to_string();
            assert!(error.starts_with(&format!("--x, position {position}: found")), "{text}: {error}");
        }
        assert!(parse("--x", "99999999999999999999").is_err());
    }
}
