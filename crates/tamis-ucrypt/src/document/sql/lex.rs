//! Telling where words, strings and comments end, so that nothing inside them is taken for something else.
//!
//! Every function here looks at bytes from a position on and either finds an end, or asks for more bytes and is called again.

use super::Dialect;

/// What has no end, as a rule because another system escapes quotation marks otherwise.
const STRING: &str = "a string or quoted name (if not standard SQL: --dialect says whose dump it is)";

/// What begins at a position.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Token {
    /// White space or a comment.
    Gap,
    /// A word: a keyword or a name without quotes; also digits.
    Word,
    /// Something in quotes, by the byte that opens it; `$` is a string between dollar tags.
    Quoted(u8),
    /// Any other byte.
    Byte(u8),
}

/// Why no end was found.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Open {
    /// More bytes are needed to know.
    More,
    /// There are no more bytes, and this is still open.
    Unclosed(&'static str),
    /// A closing parenthesis without an opening one, or the like.
    Misplaced,
}

/// Bytes of a dump, and whether there will be more.
#[derive(Debug, Clone, Copy)]
pub(super) struct Text<'a> {
    pub(super) bytes: &'a [u8],
    pub(super) ended: bool,
    pub(super) dialect: Dialect,
}

impl Text<'_> {
    fn open<T>(self, what: &'static str) -> Result<T, Open> {
        Err(if self.ended { Open::Unclosed(what) } else { Open::More })
    }

    /// The byte at a position, `None` behind the last one.
    fn byte(self, at: usize) -> Result<Option<u8>, Open> {
        match self.bytes.get(at) {
            Some(byte) => Ok(Some(*byte)),
            None if self.ended => Ok(None),
            None => Err(Open::More),
        }
    }

    /// The token at a position and where it ends; `None` at the end of the dump.
    pub(super) fn token(self, at: usize) -> Result<Option<(Token, usize)>, Open> {
        let Some(first) = self.byte(at)? else { return Ok(None) };
        if first.is_ascii_whitespace() {
            let length = self.bytes[at..].iter().position(|byte| !byte.is_ascii_whitespace());
            return Ok(Some((Token::Gap, length.map_or(self.bytes.len(), |length| at + length))));
        }
        if let Some(end) = self.comment(at)? {
            return Ok(Some((Token::Gap, end)));
        }
        if first == b'*'
            && self.dialect.executes_comments()
            && self.byte(at + 1)? == Some(b'/')
            && self.byte(at + 2)? != Some(b'*')
        {
            // The end of a comment whose inside is executed.
            return Ok(Some((Token::Gap, at + 2)));
        }
        if first == b'$'
            && self.dialect == Dialect::PostgreSql
            && let Some(end) = self.dollar(at)?
        {
            return Ok(Some((Token::Quoted(b'$'), end)));
        }
        if let Some(closing) = self.dialect.closing(first) {
            return Ok(Some((Token::Quoted(first), self.quoted(at + 1, closing, self.escapes(first))?)));
        }
        if !is_word(first) {
            return Ok(Some((Token::Byte(first), at + 1)));
        }
        let length = self.bytes[at..].iter().position(|byte| !is_word(*byte));
        let Some(length) = length else {
            return if self.ended { Ok(Some((Token::Word, self.bytes.len()))) } else { Err(Open::More) };
        };
        let end = at + length;
        if self.is_escape_string(end) && length == 1 {
            return Ok(Some((Token::Quoted(b'\''), self.quoted(end + 1, b'\'', true)?)));
        }
        Ok(Some((Token::Word, end)))
    }

    /// Skips gaps. Gives the position of what follows them.
    pub(super) fn behind_gaps(self, mut at: usize) -> Result<usize, Open> {
        while let Some((Token::Gap, end)) = self.token(at)? {
            at = end;
        }
        Ok(at)
    }

    fn escapes(self, quote: u8) -> bool {
        self.dialect.backslashes() && quote != b'`'
    }

    /// Whether the apostrophe at a position belongs to `E'...'`.
    fn is_escape_string(self, at: usize) -> bool {
        self.dialect == Dialect::PostgreSql
            && self.bytes.get(at) == Some(&b'\'')
            && at > 0
            && matches!(self.bytes[at - 1], b'e' | b'E')
            && (at < 2 || !is_word(self.bytes[at - 2]))
    }

    /// The end of something in quotes whose first byte behind the opening quote is at a position.
    fn quoted(self, mut at: usize, closing: u8, escapes: bool) -> Result<usize, Open> {
        loop {
            let rest = self.bytes.get(at..).unwrap_or_default();
            let hit = if escapes { memchr::memchr2(closing, b'\\', rest) } else { memchr::memchr(closing, rest) };
            let Some(hit) = hit else { return self.open(STRING) };
            at += hit + 1;
            let closes = self.bytes[at - 1] == closing;
            let doubled = closes && closing != b']' && self.byte(at)? == Some(closing);
            if closes && !doubled {
                return Ok(at);
            }
            at += 1;
        }
    }

    fn comment(self, at: usize) -> Result<Option<usize>, Open> {
        match self.bytes[at] {
            b'#' if self.dialect == Dialect::MySql => Ok(Some(self.line_end(at)?)),
            b'-' if self.byte(at + 1)? == Some(b'-') => {
                // For MySQL, `--` without white space behind it is twice a minus.
                let spaced =
                    self.byte(at + 2)?.is_none_or(|byte| byte.is_ascii_whitespace() || byte.is_ascii_control());
                if self.dialect == Dialect::MySql && !spaced {
                    return Ok(None);
                }
                Ok(Some(self.line_end(at)?))
            }
            b'/' if self.byte(at + 1)? == Some(b'*') => match self.executed(at + 2)? {
                Some(inside) => Ok(Some(inside)),
                None => self.block_comment(at + 2).map(Some),
            },
            _ => Ok(None),
        }
    }

    /// Where the inside of a comment begins that MySQL (`/*!50001 ...`) or MariaDB (`/*M!100100 ...`) executes. To them it is a part of the dump as
    /// any other, so it is here.
    fn executed(self, at: usize) -> Result<Option<usize>, Open> {
        if !self.dialect.executes_comments() {
            return Ok(None);
        }
        let mut end = if self.byte(at)? == Some(b'M') { at + 1 } else { at };
        if self.byte(end)? != Some(b'!') {
            return Ok(None);
        }
        end += 1;
        // The version of the server that it is for.
        while end - at < 8 && self.byte(end)?.is_some_and(|byte| byte.is_ascii_digit()) {
            end += 1;
        }
        Ok(Some(end))
    }

    fn block_comment(self, mut at: usize) -> Result<usize, Open> {
        let mut depth = 1_u32;
        loop {
            let rest = self.bytes.get(at..).unwrap_or_default();
            let Some(hit) = memchr::memchr2(b'*', b'/', rest) else { return self.open("a comment") };
            at += hit + 1;
            match (self.bytes[at - 1], self.byte(at)?) {
                (b'*', Some(b'/')) => {
                    at += 1;
                    depth -= 1;
                }
                (b'/', Some(b'*')) if self.dialect == Dialect::PostgreSql => {
                    at += 1;
                    depth += 1;
                }
                _ => {}
            }
            if depth == 0 {
                return Ok(at);
            }
        }
    }

    /// The position behind the line break.
    pub(super) fn line_end(self, at: usize) -> Result<usize, Open> {
        match memchr::memchr(b'\n', &self.bytes[at..]) {
            Some(length) => Ok(at + length + 1),
            None if self.ended => Ok(self.bytes.len()),
            None => Err(Open::More),
        }
    }

    /// The end of a string between dollar tags, if one begins here.
    fn dollar(self, at: usize) -> Result<Option<usize>, Open> {
        let mut end = at + 1;
        while self.byte(end)?.is_some_and(|byte| is_word(byte) && byte != b'$') {
            end += 1;
        }
        if self.byte(end)? != Some(b'$') || self.bytes[at + 1].is_ascii_digit() {
            return Ok(None);
        }
        let tag = &self.bytes[at..=end];
        match memchr::memmem::find(&self.bytes[end + 1..], tag) {
            Some(hit) => Ok(Some(end + 1 + hit + tag.len())),
            None => self.open("a string between dollar signs"),
        }
    }

    /// Finds the end of the parenthesis that opens at a position, and tells where each value between its commas is, without the white
    /// space around it.
    pub(super) fn tuple(self, at: usize, mut value: impl FnMut(usize, usize)) -> Result<usize, Open> {
        let mut start = at + 1;
        let mut at = at + 1;
        let mut depth = 1_u32;
        loop {
            let rest = self.bytes.get(at..).unwrap_or_default();
            let Some(hit) = rest.iter().position(|byte| SPECIAL[usize::from(*byte)]) else {
                return self.open("a parenthesis");
            };
            at += hit;
            match self.bytes[at] {
                b'\'' => at = self.quoted(at + 1, b'\'', self.dialect.backslashes() || self.is_escape_string(at))?,
                b'(' | b'[' | b'{' => {
                    depth += 1;
                    at += 1;
                }
                b')' | b']' | b'}' if depth > 1 => {
                    depth -= 1;
                    at += 1;
                }
                b')' => {
                    let (from, to) = trimmed(self.bytes, start, at);
                    value(from, to);
                    return Ok(at + 1);
                }
                b']' | b'}' | b';' => return Err(Open::Misplaced),
                b',' => {
                    if depth == 1 {
                        let (from, to) = trimmed(self.bytes, start, at);
                        value(from, to);
                        start = at + 1;
                    }
                    at += 1;
                }
                // A dollar sign inside a name is part of it.
                b'$' if is_word(self.bytes[at - 1]) => at += 1,
                _ => match self.token(at)? {
                    Some((_, end)) => at = end,
                    None => return self.open("a parenthesis"),
                },
            }
        }
    }
}

/// Bytes that mean something inside a parenthesis.
const SPECIAL: [bool; 256] = {
    let mut special = [false; 256];
    let bytes = b"'\"`()[]{},;-/#$";
    let mut at = 0;
    while at < bytes.len() {
        special[bytes[at] as usize] = true;
        at += 1;
    }
    special
};

fn trimmed(bytes: &[u8], mut start: usize, mut end: usize) -> (usize, usize) {
    while start < end && bytes[start].is_ascii_whitespace() {
        start += 1;
    }
    while start < end && bytes[end - 1].is_ascii_whitespace() {
        end -= 1;
    }
    (start, end)
}

/// Letters, digits and whatever is not ASCII.
pub(super) fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'$') || !byte.is_ascii()
}

#[cfg(test)]
mod tests {
    use super::{Dialect, Open, STRING, Text, Token};

    fn tokens(text: &str, dialect: Dialect) -> Vec<(Token, &str)> {
        let lexed = Text { bytes: text.as_bytes(), ended: true, dialect };
        let (mut at, mut all) = (0, Vec::new());
        while let Some((token, end)) = lexed.token(at).unwrap() {
            if token != Token::Gap {
                all.push((token, &text[at..end]));
            }
            at = end;
        }
        all
    }

    fn texts(text: &str, dialect: Dialect) -> Vec<&str> {
        tokens(text, dialect).into_iter().map(|(_, text)| text).collect()
    }

    #[test]
    fn strings_end_where_their_system_says() {
        assert_eq!(texts(r"'a\' b", Dialect::Standard), [r"'a\'", "b"]);
        assert_eq!(texts(r"'a\' b' c", Dialect::MySql), [r"'a\' b'", "c"]);
        assert_eq!(texts(r#""a\" b" c"#, Dialect::MySql), [r#""a\" b""#, "c"]);
        assert_eq!(texts(r"E'a\' b' 'c\' d", Dialect::PostgreSql), [r"E'a\' b'", r"'c\'", "d"]);
        assert_eq!(texts("'it''s' x", Dialect::Standard), ["'it''s'", "x"]);
        assert_eq!(texts("$$a;'$$ $f$ $$ $f$ $1", Dialect::PostgreSql), ["$$a;'$$", "$f$ $$ $f$", "$1"]);
        assert_eq!(texts("[a'b] `c'd`", Dialect::Sqlite), ["[a'b]", "`c'd`"]);
    }

    #[test]
    fn comments_are_gaps() {
        assert_eq!(texts("a -- it's\nb", Dialect::Standard), ["a", "b"]);
        assert_eq!(texts("a --1 # x\n b", Dialect::MySql), ["a", "-", "-", "1", "b"]);
        assert_eq!(texts("a # b", Dialect::PostgreSql), ["a", "#", "b"]);
        assert_eq!(texts("a /* ' /* */ b", Dialect::MySql), ["a", "b"]);
        assert_eq!(texts("a /* ' /* */ b */ c", Dialect::PostgreSql), ["a", "c"]);
    }

    #[test]
    fn comments_that_are_executed_are_no_comments() {
        for dialect in [Dialect::MySql, Dialect::Standard] {
            assert_eq!(
                texts("/*!50001 a 'x*/' */; /*M!100100 b*/ /*! c /* d */ */", dialect),
                ["a", "'x*/'", ";", "b", "c"]
            );
            assert_eq!(texts("2*/* x */3", dialect), ["2", "*", "3"]);
        }
        assert_eq!(texts("/*!50001 a */ b", Dialect::PostgreSql), ["b"]);
    }

    #[test]
    fn what_never_ends_is_said_and_what_may_go_on_is_asked_for() {
        for (text, what) in [("'abc", STRING), ("/* ", "a comment"), ("$a$ $b$", "a string between dollar signs")] {
            let text = Text { bytes: text.as_bytes(), ended: true, dialect: Dialect::PostgreSql };
            assert_eq!(text.token(0), Err(Open::Unclosed(what)));
            assert_eq!(Text { ended: false, ..text }.token(0), Err(Open::More));
        }
        for text in ["'abc'", "-", "-- a", "word", "/", "$a"] {
            let text = Text { bytes: text.as_bytes(), ended: false, dialect: Dialect::PostgreSql };
            assert_eq!(text.token(0), Err(Open::More));
        }
    }

    #[test]
    fn values_are_told_apart_at_commas_of_their_own_parenthesis() {
        let text = "( 1 , 'a,)(' ,f(1,2), ARRAY[1,2] -- c,\n, NULL);";
        let mut values = Vec::new();
        let lexed = Text { bytes: text.as_bytes(), ended: true, dialect: Dialect::PostgreSql };
        let end = lexed.tuple(0, |from, to| values.push(&text[from..to])).unwrap();
        assert_eq!(values, ["1", "'a,)('", "f(1,2)", "ARRAY[1,2] -- c,", "NULL"]);
        assert_eq!(&text[end..], ";");
    }
}
