//! The words of a statement that a database keeps of a view, a trigger or a virtual table.

use std::borrow::Cow;

/// A word or a sign.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Word<'a> {
    /// A keyword, a name without quotes or a number.
    Bare(&'a str),
    /// What stands in quotes of any kind but single ones.
    Quoted(Cow<'a, str>),
    /// What stands in single quotes: a text, but SQLite takes it for a name where only a name can stand.
    Text(Cow<'a, str>),
    Sign(char),
}

impl Word<'_> {
    /// Whether it is this keyword.
    pub(super) fn is(&self, keyword: &str) -> bool {
        matches!(self, Self::Bare(word) if word.eq_ignore_ascii_case(keyword))
    }

    /// Whether it is one of these keywords.
    pub(super) fn is_one(&self, keywords: &[&str]) -> bool {
        keywords.iter().any(|keyword| self.is(keyword))
    }

    /// The name that it may be.
    pub(super) fn name(&self) -> Option<&str> {
        match self {
            Self::Bare(name) => Some(name),
            Self::Quoted(name) | Self::Text(name) => Some(name),
            Self::Sign(_) => None,
        }
    }

    /// Whether it may be this name, without regard to case as in SQLite.
    pub(super) fn names(&self, name: &str) -> bool {
        self.name().is_some_and(|word| word.eq_ignore_ascii_case(name))
    }
}

/// The words and signs of a statement, without white space and comments. What has no end goes to the end of the statement.
pub(super) fn words(statement: &str) -> impl Iterator<Item = Word<'_>> {
    tokens(statement).filter_map(Result::ok)
}

/// The comments of a statement.
pub(super) fn comments(statement: &str) -> impl Iterator<Item = &str> {
    tokens(statement).filter_map(Result::err)
}

/// The words of a statement and, as what is none, its comments.
fn tokens(statement: &str) -> impl Iterator<Item = Result<Word<'_>, &str>> {
    let mut rest = statement;
    std::iter::from_fn(move || {
        rest = rest.trim_start();
        let comment = match rest.get(..2) {
            Some("--") => Some(rest[2..].split_once('\n').unwrap_or((&rest[2..], ""))),
            Some("/*") => Some(rest[2..].split_once("*/").unwrap_or((&rest[2..], ""))),
            _ => None,
        };
        if let Some((comment, behind)) = comment {
            rest = behind;
            return Some(Err(comment));
        }
        let first = rest.chars().next()?;
        let (word, length) = match first {
            '\'' => {
                let (text, length) = quoted(rest, first);
                (Word::Text(text), length)
            }
            '"' | '`' => {
                let (name, length) = quoted(rest, first);
                (Word::Quoted(name), length)
            }
            '[' => {
                let inner = &rest[1..];
                let end = inner.find(']').unwrap_or(inner.len());
                (Word::Quoted(Cow::Borrowed(&inner[..end])), end + 2)
            }
            _ if is_of_name(first) => {
                let end = rest.find(|character| !is_of_name(character)).unwrap_or(rest.len());
                (Word::Bare(&rest[..end]), end)
            }
            _ => (Word::Sign(first), first.len_utf8()),
        };
        rest = rest.get(length..).unwrap_or_default();
        Some(Ok(word))
    })
}

fn is_of_name(character: char) -> bool {
    character.is_ascii_alphanumeric() || matches!(character, '_' | '$') || !character.is_ascii()
}

/// What stands between two quotes, in which one is written twice, and how long it is with them.
fn quoted(text: &str, quote: char) -> (Cow<'_, str>, usize) {
    let mut end = 1;
    let mut has_quotes = false;
    let inner = loop {
        let Some(found) = text[end..].find(quote) else {
            end = text.len();
            break &text[1..];
        };
        end += found + 1;
        if !text[end..].starts_with(quote) {
            break &text[1..end - 1];
        }
        has_quotes = true;
        end += 1;
    };
    let inner = if has_quotes {
        Cow::Owned(inner.replace(&format!("{quote}{quote}"), &quote.to_string()))
    } else {
        Cow::Borrowed(inner)
    };
    (inner, end)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_names_and_signs_are_told_apart() {
        let found: Vec<Word<'_>> = words("SELECT a_1.\"b\"\"c\", [d e]/* x */ -- y\n,`f` 'g''' łóżko*2 ''").collect();
        let quoted = |name: &'static str| Word::Quoted(name.into());
        let expected = [
            Word::Bare("SELECT"),
            Word::Bare("a_1"),
            Word::Sign('.'),
            quoted("b\"c"),
            Word::Sign(','),
            quoted("d e"),
            Word::Sign(','),
            quoted("f"),
            Word::Text("g'".into()),
            Word::Bare("łóżko"),
            Word::Sign('*'),
            Word::Bare("2"),
            Word::Text("".into()),
        ];
        assert_eq!(found, expected);
        for open in ["'a", "'a''", "[a", "a /* b", "a -- b", "'", "\""] {
            assert_eq!(words(open).count(), 1, "{open}");
        }
        assert_eq!(comments("a/* b */'-- c'-- d\n/* e").collect::<Vec<_>>(), [" b ", " d", " e"]);
    }
}
