//! What the program tells about its work: the only way out for errors and notes, and where passwords are taken out of them.
//!
//! A message may repeat an argument, whole or in parts, and an argument may be an address with a password. The arguments are known, so
//! their passwords are known to the letter, blanks and quotes included; addresses from elsewhere are found by their look.

use crate::text_table::printable;
use serde_json::Value;
use std::io::Write;
use tamis_source::{passwords_in, without_passwords};

const MASK: &str = "***";

/// Shorter passwords are part of many words; they are hidden only behind what stands before a password.
const LONG_ENOUGH: usize = 4;

/// Prints a line on standard error; what would steer the terminal is spelled out.
pub(crate) fn tell(style: anstyle::Style, kind: &str, text: &str) {
    let calm: Vec<String> = hidden(text).split('\n').map(printable).collect();
    let _ = writeln!(anstream::stderr(), "{style}{kind}:{style:#} {}", calm.join("\n"));
}

/// A text without the passwords of addresses.
pub(crate) fn hidden(text: &str) -> String {
    let arguments = std::env::args_os().skip(1);
    let passwords = arguments.flat_map(|argument| passwords_in(&argument.to_string_lossy()));
    without_passwords(&without(text, passwords))
}

/// A document whose texts are without the passwords of addresses.
pub(crate) fn hidden_in(document: Value) -> Value {
    match document {
        Value::String(text) => Value::String(hidden(&text)),
        Value::Array(values) => values.into_iter().map(hidden_in).collect(),
        Value::Object(fields) => fields.into_iter().map(|(name, value)| (hidden(&name), hidden_in(value))).collect(),
        other => other,
    }
}

/// A text without these passwords, however it spells them.
fn without(text: &str, passwords: impl Iterator<Item = String>) -> String {
    let mut spellings: Vec<String> = passwords.flat_map(|password| spellings(&password)).collect();
    spellings.sort_by_key(|spelling| std::cmp::Reverse(spelling.len()));
    spellings.dedup();
    let mut text = text.to_owned();
    for spelling in spellings.iter().filter(|spelling| !MASK.contains(spelling.as_str())) {
        if spelling.chars().count() >= LONG_ENOUGH {
            text = text.replace(spelling, MASK);
        } else {
            for before in [":", "=", "='", "=\""] {
                text = text.replace(&format!("{before}{spelling}"), &format!("{before}{MASK}"));
            }
        }
    }
    text
}

/// How a message may spell a password: as it is, escaped, as part of a path put in order, and the parts that a list, a path or a
/// setting would be taken apart into.
fn spellings(password: &str) -> Vec<String> {
    let ordered: Vec<&str> = password.split('/').filter(|part| !part.is_empty() && *part != ".").collect();
    let quoted = Value::from(password).to_string();
    let mut spellings = vec![
        password.to_owned(),
        password.trim().to_owned(),
        password.escape_debug().to_string(),
        password.escape_default().to_string(),
        quoted[1..quoted.len() - 1].to_owned(),
        printable(password),
        ordered.join("/"),
    ];
    let parts = password.split(|c: char| c.is_control() || "/,;=:&?#".contains(c));
    spellings.extend(parts.filter(|part| part.chars().count() >= LONG_ENOUGH).map(str::to_owned));
    spellings.retain(|spelling| !spelling.is_empty());
    spellings
}

#[cfg(test)]
mod tests {
    use super::*;

    fn masked(text: &str, password: &str) -> String {
        without(text, std::iter::once(password.to_owned()))
    }

    #[test]
    fn a_password_is_hidden_however_it_is_spelled() {
        assert_eq!(masked("cannot open a:b `c\nd: why", "b `c\nd"), "cannot open a:***: why");
        assert_eq!(masked("\"a:b \\\"c\\nd\"", "b \"c\nd"), "\"a:***\"");
        assert_eq!(masked("no file a:left/right", "left//./right"), "no file a:***");
        assert_eq!(masked("no column right@host", "left,right"), "no column ***@host");
    }

    #[test]
    fn a_short_password_is_hidden_only_where_a_password_stands() {
        assert_eq!(masked("a bad address: x:a@b, x?key=a", "a"), "a bad address: x:***@b, x?key=***");
    }
}
