//! Strings as the systems spell them.

use std::borrow::Cow;
use std::str::Chars;

use super::Dialect;

/// The text of a string, or `None` for anything else. Whatever is accepted ends where the reader of rows sees it end.
pub(super) fn string(raw: &str, dialect: Dialect) -> Option<Cow<'_, str>> {
    match raw.as_bytes() {
        [b'\'', ..] => enclosed(raw, '\'', dialect.backslashes().then_some(mysql as Unescape)),
        [b'"', ..] if dialect == Dialect::MySql => enclosed(raw, '"', Some(mysql)),
        [b'E' | b'e', b'\'', ..] if dialect == Dialect::PostgreSql => enclosed(&raw[1..], '\'', Some(postgresql)),
        [b'N' | b'n', b'\'', ..] => string(&raw[1..], dialect),
        [b'$', ..] if dialect == Dialect::PostgreSql => between_dollars(raw).map(Cow::Borrowed),
        [b'_', ..] if dialect == Dialect::MySql => introduced(raw),
        [b'r' | b'R', ..] if dialect == Dialect::Sqlite => replaced(raw, 2).map(Cow::Owned),
        [b'u' | b'U', ..] if dialect == Dialect::Sqlite => numbered(raw).map(Cow::Owned),
        _ => None,
    }
}

/// What a backslash and what follows it stand for.
enum Escaped {
    One(char),
    /// The backslash stays, before this.
    Both(char),
}

/// Takes what follows a backslash.
type Unescape = fn(&mut Chars<'_>) -> Option<Escaped>;

fn mysql(rest: &mut Chars<'_>) -> Option<Escaped> {
    Some(Escaped::One(match rest.next()? {
        '0' => '\0',
        'b' => '\u{8}',
        'n' => '\n',
        'r' => '\r',
        't' => '\t',
        'Z' => '\u{1a}',
        kept @ ('%' | '_') => return Some(Escaped::Both(kept)),
        other => other,
    }))
}

fn postgresql(rest: &mut Chars<'_>) -> Option<Escaped> {
    let first = rest.next()?;
    let one = match first {
        'b' => '\u{8}',
        'f' => '\u{c}',
        'n' => '\n',
        'r' => '\r',
        't' => '\t',
        '0'..='7' => byte(number(rest, 2, 8, first.to_digit(8)?))?,
        'x' if rest.clone().next().is_some_and(|digit| digit.is_ascii_hexdigit()) => byte(number(rest, 2, 16, 0))?,
        'u' => code_point(rest, 4)?,
        'U' => code_point(rest, 8)?,
        other => other,
    };
    Some(Escaped::One(one))
}

/// A byte by its number. One outside ASCII is part of a character of whatever encoding the server has.
fn byte(number: u32) -> Option<char> {
    char::from_u32(number).filter(|character| character.is_ascii() && *character != '\0')
}

/// Takes up to so many digits more.
fn number(rest: &mut Chars<'_>, most: usize, base: u32, mut value: u32) -> u32 {
    for _ in 0..most {
        let Some(digit) = rest.clone().next().and_then(|digit| digit.to_digit(base)) else { break };
        value = value * base + digit;
        rest.next();
    }
    value
}

/// Takes exactly so many hexadecimal digits.
fn code_point(rest: &mut Chars<'_>, digits: usize) -> Option<char> {
    let mut value = 0_u32;
    for _ in 0..digits {
        value = value.checked_mul(16)? + rest.next()?.to_digit(16)?;
    }
    char::from_u32(value).filter(|character| *character != '\0')
}

/// The text between quotes, if one pair of them encloses everything.
fn enclosed(raw: &str, quote: char, unescape: Option<Unescape>) -> Option<Cow<'_, str>> {
    let inner = raw.strip_prefix(quote)?.strip_suffix(quote)?;
    let special = |character: char| character == quote || (unescape.is_some() && character == '\\');
    if raw.len() < 2 || !inner.contains(special) {
        return (raw.len() >= 2).then_some(Cow::Borrowed(inner));
    }
    let mut text = String::with_capacity(inner.len());
    let mut characters = inner.chars();
    while let Some(character) = characters.next() {
        match unescape {
            _ if !special(character) => text.push(character),
            Some(unescape) if character == '\\' => match unescape(&mut characters)? {
                Escaped::One(one) => text.push(one),
                Escaped::Both(kept) => text.extend(['\\', kept]),
            },
            // A quote is doubled, or there is more than one string.
            _ => {
                characters.next().filter(|next| *next == quote)?;
                text.push(quote);
            }
        }
    }
    Some(Cow::Owned(text))
}

/// The text of PostgreSQL's `$tag$...$tag$`.
fn between_dollars(raw: &str) -> Option<&str> {
    let name = raw[1..].find('$')?;
    let (tag, rest) = raw.split_at(name + 2);
    let is_word = |byte: u8| super::lex::is_word(byte) && byte != b'$';
    if raw.as_bytes()[1].is_ascii_digit() || !raw[1..=name].bytes().all(is_word) {
        return None;
    }
    // The first such tag ends the string.
    rest.find(tag).filter(|end| end + tag.len() == rest.len()).map(|end| &rest[..end])
}

/// The text of MySQL's `_utf8mb4'...'`, with or without a space; `_binary` is what its tool writes before bytes.
fn introduced(raw: &str) -> Option<Cow<'_, str>> {
    let end = raw.find(['\'', '"', ' '])?;
    let (name, rest) = raw.split_at(end);
    let is_known =
        ["_utf8mb4", "_utf8mb3", "_utf8", "_binary", "_ascii"].iter().any(|known| name.eq_ignore_ascii_case(known));
    let rest = rest.trim_ascii_start();
    if is_known && rest.starts_with(['\'', '"']) { string(rest, Dialect::MySql) } else { None }
}

/// The text that the shell of SQLite writes as `replace('a\nb','\n',char(10))`, once for line feeds and once for carriage returns.
fn replaced(raw: &str, most: usize) -> Option<String> {
    let most = most.checked_sub(1)?;
    let inner = raw.strip_prefix("replace(")?;
    let (inner, character) = match inner.strip_suffix(",char(10))") {
        Some(inner) => (inner, "\n"),
        None => (inner.strip_suffix(",char(13))")?, "\r"),
    };
    let (value, placeholder) = inner.strip_suffix('\'')?.rsplit_once(",'")?;
    if placeholder.is_empty() || placeholder.contains('\'') {
        return None;
    }
    let text = match enclosed(value, '\'', None) {
        Some(text) => text.into_owned(),
        None => replaced(value, most)?,
    };
    Some(text.replace(placeholder, character))
}

/// The text that newer shells of SQLite write as `unistr('a\u000ab')`.
fn numbered(raw: &str) -> Option<String> {
    let inner = raw.strip_prefix("unistr(")?.strip_suffix(')')?;
    let spelled = enclosed(inner, '\'', None)?;
    let mut text = String::with_capacity(spelled.len());
    let mut rest = spelled.chars();
    while let Some(character) = rest.next() {
        if character != '\\' {
            text.push(character);
            continue;
        }
        let mut behind = rest.clone();
        text.push(match behind.next()? {
            '\\' => {
                rest = behind;
                '\\'
            }
            'u' => {
                rest = behind;
                code_point(&mut rest, 4)?
            }
            'U' => {
                rest = behind;
                code_point(&mut rest, 8)?
            }
            '+' => {
                rest = behind;
                code_point(&mut rest, 6)?
            }
            _ => code_point(&mut rest, 4)?,
        });
    }
    Some(text)
}
