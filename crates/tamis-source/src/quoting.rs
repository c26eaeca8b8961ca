//! Writes one cell so that reading gives the same text back.

/// Which cells are enclosed in quotes beyond those that must be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Care {
    /// Only cells that could not be read back otherwise.
    Needed,
    /// Also cells with a character that could be taken for the delimiter by whoever has to detect it.
    Detection,
}

/// Appends a cell, quoted if need be. A cell that is `alone` on its line is quoted when empty, as a blank line is no row.
pub(crate) fn append_cell(cell: &str, delimiter: u8, alone: bool, care: Care, line: &mut Vec<u8>) {
    let special = |byte: u8| {
        matches!(byte, b'"' | b'\n' | b'\r')
            || byte == delimiter
            || (care == Care::Detection && matches!(byte, b',' | b';' | b'\t' | b'|'))
    };
    // At the start of a file U+FEFF would be taken for a byte order mark and `'` for the quote.
    let quoted = (alone && cell.is_empty()) || cell.starts_with(['\u{FEFF}', '\'']) || cell.bytes().any(special);
    if !quoted {
        line.extend_from_slice(cell.as_bytes());
        return;
    }
    line.push(b'"');
    for byte in cell.bytes() {
        if byte == b'"' {
            line.push(byte);
        }
        line.push(byte);
    }
    line.push(b'"');
}

#[cfg(test)]
mod tests {
    use super::*;

    fn written(cell: &str, alone: bool, care: Care) -> String {
        let mut line = Vec::new();
        append_cell(cell, b';', alone, care, &mut line);
        String::from_utf8_lossy(&line).into_owned()
    }

    #[test]
    fn only_what_needs_quotes_gets_them() {
        for (cell, expected) in [
            ("Bachelors", "Bachelors"),
            ("[20, 40[", "[20, 40["),
            ("a;b", "\"a;b\""),
            ("5\" pipe", "\"5\"\" pipe\""),
            ("two\nlines", "\"two\nlines\""),
            ("=1+1", "=1+1"),
            ("", ""),
        ] {
            assert_eq!(written(cell, false, Care::Needed), expected);
        }
        assert_eq!(written("", true, Care::Needed), "\"\"");
        assert_eq!(written("a,b", false, Care::Detection), "\"a,b\"");
    }
}
