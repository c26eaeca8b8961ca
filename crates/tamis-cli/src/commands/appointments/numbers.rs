//! Lists of whole numbers, on the command line or in a file.

use crate::answer::{CommandError, sentence};
use std::io::Read;

/// Reads numbers separated by commas, blanks or line breaks: the text itself, or the file that `@FILE` names. `flag` names the place.
pub(super) fn numbers(flag: &str, text: &str) -> Result<Vec<u64>, CommandError> {
    let Some(path) = text.strip_prefix('@') else { return parse(flag, text) };
    let unreadable = |reason: &dyn std::fmt::Display| {
        sentence(format!("{flag}: cannot read `{path}`: {reason}; check that it is a text file"))
    };
    let mut content = String::new();
    let file = std::fs::File::open(path).map_err(|reason| unreadable(&reason))?;
    let length = file.take(LONGEST_LIST + 1).read_to_string(&mut content).map_err(|reason| unreadable(&reason))?;
    if length as u64 > LONGEST_LIST {
        return Err(unreadable(&"it is larger than 1 GiB"));
    }
    parse(&format!("{flag}, file `{path}`"), &content)
}

/// Some hundred million numbers; a file without end is not read to the end.
const LONGEST_LIST: u64 = 1 << 30;

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
