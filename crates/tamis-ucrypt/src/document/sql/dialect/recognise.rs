//! Whose dump it is, by what stands before its first row; and whether that matters where nothing tells.

use super::Dialect;
use crate::document::sql::lex::{Text, Token};

/// The system that the beginning of a dump is for.
pub(super) fn dialect(start: &[u8]) -> Option<Dialect> {
    let text = Text { bytes: start, ended: true, dialect: Dialect::Standard };
    let mut named = Vec::new();
    let (mut at, mut begins) = (0, true);
    // A string that is not closed is the end of what can be told.
    while let Ok(Some((token, mut end))) = text.token(at) {
        let written = start[at..end].to_ascii_lowercase();
        let line = || &start[at..text.line_end(at).unwrap_or(start.len())];
        match token {
            Token::Gap if written.starts_with(b"/*!") || written.starts_with(b"/*m!") => return Some(Dialect::MySql),
            Token::Gap => {
                if let Some(tool) = tool(&written) {
                    return Some(tool);
                }
                named.extend(system(&written));
            }
            // Only MySQL has such comments.
            Token::Byte(b'#') if begins => {
                let comment = line().to_ascii_lowercase();
                named.extend(tool(&comment).or_else(|| system(&comment)));
                end = at + comment.len();
            }
            // A command of SQLite's shell.
            Token::Byte(b'.') if begins => {
                named.push(Dialect::Sqlite);
                end = at + line().len();
            }
            Token::Byte(b'\\') if begins => {
                let command = line().to_ascii_lowercase();
                let is_psql =
                    [&b"\\copy "[..], b"\\connect ", b"\\restrict "].iter().any(|one| command.starts_with(one));
                if is_psql {
                    return Some(Dialect::PostgreSql);
                }
                end = at + command.len();
            }
            Token::Word if begins && matches!(&written[..], b"insert" | b"replace" | b"values") => break,
            Token::Word if begins && written == b"copy" => {
                let is_stdin = memchr::memmem::find(&line().to_ascii_lowercase(), b" from stdin").is_some();
                return is_stdin.then_some(Dialect::PostgreSql).or_else(|| only(&named));
            }
            Token::Word if begins && written == b"delimiter" => return Some(Dialect::MySql),
            Token::Word if begins && written == b"pragma" => return Some(Dialect::Sqlite),
            Token::Word if written == b"engine" && start.get(end) == Some(&b'=') => named.push(Dialect::MySql),
            _ => {}
        }
        begins = matches!(token, Token::Byte(b';')) || (begins && matches!(token, Token::Gap | Token::Byte(_)));
        at = end;
    }
    only(&named)
}

/// The one system that is named.
fn only(named: &[Dialect]) -> Option<Dialect> {
    named.first().copied().filter(|first| named.iter().all(|other| other == first))
}

/// The system whose own tool begins its dumps with this comment.
fn tool(comment: &[u8]) -> Option<Dialect> {
    let says = |words: &[&str]| words.iter().any(|word| memchr::memmem::find(comment, word.as_bytes()).is_some());
    if says(&["postgresql database dump", "postgresql database cluster dump"]) {
        Some(Dialect::PostgreSql)
    } else if says(&["-- mysql dump", "-- mariadb dump", "phpmyadmin sql dump"]) {
        Some(Dialect::MySql)
    } else {
        None
    }
}

/// The one system that a comment names.
fn system(comment: &[u8]) -> Option<Dialect> {
    let says = |word: &str| memchr::memmem::find(comment, word.as_bytes()).is_some();
    let systems = [
        (Dialect::MySql, says("mysql") || says("mariadb")),
        (Dialect::PostgreSql, says("postgres")),
        (Dialect::Sqlite, says("sqlite")),
    ];
    let named: Vec<Dialect> = systems.iter().filter(|(_, is_named)| *is_named).map(|(dialect, _)| *dialect).collect();
    only(&named).filter(|_| named.len() == 1)
}

/// What of a dump that does not say whose it is ends elsewhere for another system: where it begins, and what it is.
pub(in crate::document::sql) fn doubtful(bytes: &[u8]) -> Option<(usize, &'static str)> {
    // Mostly there is nothing of the kind.
    memchr::memchr3(b'\\', b'$', b'#', bytes).or_else(|| memchr::memmem::find(bytes, b"/*"))?;
    let text = Text { bytes, ended: true, dialect: Dialect::Standard };
    let mut at = 0;
    while at < bytes.len() {
        let unclosed = if matches!(bytes[at], b'\'' | b'"') { bytes.len() } else { at + 1 };
        let token = text.token(at).ok().flatten();
        let (token, end) = token.unwrap_or((Token::Quoted(bytes[at]), unclosed));
        let written = &bytes[at..end];
        let what = match token {
            Token::Quoted(quote @ (b'\'' | b'"')) if has_escaped(written, quote) => Some(
                "a backslash before a quotation mark, which is a part of the string for MySQL and in E'...' of PostgreSQL",
            ),
            Token::Word if is_dollar_tag(written) => Some("dollar signs, between which PostgreSQL has a string"),
            Token::Byte(b'#') => {
                let line = &bytes[at..text.line_end(at).unwrap_or(bytes.len())];
                let has_quote = memchr::memchr3(b'\'', b'"', b'`', line).is_some();
                has_quote.then_some("a number sign before a quotation mark, which begins a comment for MySQL")
            }
            Token::Gap if written.starts_with(b"/*") && memchr::memmem::find(&written[2..], b"/*").is_some() => {
                Some("a comment inside a comment, which PostgreSQL closes by itself")
            }
            _ => None,
        };
        if let Some(what) = what {
            return Some((at, what));
        }
        at = end;
    }
    None
}

/// Whether an odd number of backslashes stands before a quotation mark behind the first.
fn has_escaped(written: &[u8], quote: u8) -> bool {
    let mut is_escaped = false;
    written[1..].iter().any(|byte| {
        let found = *byte == quote && is_escaped;
        is_escaped = *byte == b'\\' && !is_escaped;
        found
    })
}

/// Whether a word begins with `$tag$`.
fn is_dollar_tag(word: &[u8]) -> bool {
    let tag = word.strip_prefix(b"$").and_then(|rest| rest.split(|byte| *byte == b'$').next());
    tag.is_some_and(|tag| tag.len() + 1 < word.len() && !tag.first().is_some_and(u8::is_ascii_digit))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_stands_before_the_first_row_tells_whose_dump_it_is() {
        use Dialect::{MySql, PostgreSql, Sqlite};
        let long = format!("{}\n/*!40101 SET NAMES utf8 */;", "-- a line that tells nothing\n".repeat(500));
        for (start, expected) in [
            ("-- Adminer 4.8.1 MySQL 8.0.36 dump\nSET NAMES utf8;", Some(MySql)),
            ("-- Adminer 4.8.1 PostgreSQL 15.3 dump\n", Some(PostgreSql)),
            ("# phpMyAdmin SQL Dump\n# Patient's table\nCREATE TABLE t (a int);", Some(MySql)),
            ("CREATE TABLE t (a int) ENGINE=InnoDB;", Some(MySql)),
            ("BEGIN;\ndelimiter ;;\n", Some(MySql)),
            ("\\connect x\nCREATE TABLE t (a int);", Some(PostgreSql)),
            ("COPY t (a) FROM stdin;\n1\n\\.\n", Some(PostgreSql)),
            ("PRAGMA foreign_keys=OFF;\nBEGIN TRANSACTION;\nINSERT INTO t VALUES('/*!40101 SET');", Some(Sqlite)),
            (long.as_str(), Some(MySql)),
            (".mode list\n.headers on\nCREATE TABLE t (a int);", Some(Sqlite)),
            ("-- from MySQL to SQLite\nCREATE TABLE t (a int);", None),
            ("CREATE TABLE t (a text DEFAULT '/*!40101 SET -- MySQL dump');", None),
            ("INSERT INTO t VALUES ('\n/*!40101 SET');\n-- MySQL dump", None),
            ("INSERT INTO t VALUES ('PRAGMA foreign_keys=OFF; BEGIN TRANSACTION;');", None),
        ] {
            assert_eq!(dialect(start.as_bytes()), expected, "{start:.60}");
        }
    }

    #[test]
    fn what_ends_elsewhere_for_another_system_is_found() {
        for text in [
            r"INSERT INTO x VALUES ('5\'');",
            r"VALUES ('C:\'), (');-- ')",
            r"VALUES (E'5\'')",
            r#"VALUES ("a\"b")"#,
            "VALUES ($$it's$$)",
            "VALUES ($a$it's$a$)",
            "# Patient's table\nSELECT 1",
            "/* a /* b */ INSERT",
        ] {
            assert!(doubtful(text.as_bytes()).is_some(), "{text}");
        }
        for text in
            [r#"VALUES ('C:\\', 'a\nb', '{\"a\": 1}', '$5', '#1', a$b$c)"#, "/* a */ -- it's #1 $$", "# none", "$1 $2"]
        {
            assert_eq!(doubtful(text.as_bytes()), None, "{text}");
        }
    }
}
