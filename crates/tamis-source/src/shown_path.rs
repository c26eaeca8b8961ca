//! Paths and sentences as they may be shown: without the password that a path may hold if it is the address of a database.

use std::path::Path;

/// What stands in the place of a password.
const MASK: &str = "***";

/// Keys whose values are secrets where an address has settings behind `?` or `;`.
const SECRET_KEYS: [&str; 7] = ["password", "passwd", "pwd", "passphrase", "secret", "token", "sslpassword"];

/// Kinds of databases whose addresses need no slashes.
const SCHEMES: [&str; 9] =
    ["mysql", "mariadb", "postgres", "postgresql", "sqlserver", "mssql", "oracle", "mongodb", "redis"];

/// A path as messages, reports and manifests may show it.
///
/// ```
/// use tamis_source::shown;
/// assert_eq!(shown("mysql://ana:p@ss word@host/clinic"), "mysql://ana:***@host/clinic");
/// assert_eq!(shown("data/people@home.csv"), "data/people@home.csv");
/// ```
pub fn shown(path: impl AsRef<Path>) -> String {
    mask_settings(&mask_user(&path.as_ref().display().to_string()))
}

/// A sentence with every address in it as it may be shown; an address ends at a blank or a quote.
///
/// ```
/// use tamis_source::without_passwords;
/// let sentence = "cannot open `x/postgres:/ana:secret@host/db?sslmode=on`: no such file";
/// assert_eq!(without_passwords(sentence), "cannot open `x/postgres:/ana:***@host/db?sslmode=on`: no such file");
/// assert_eq!(without_passwords("host=h password=secret;x"), "host=h password=***;x");
/// assert_eq!(without_passwords("at 10:30 write to ana@example.org"), "at 10:30 write to ana@example.org");
/// ```
pub fn without_passwords(sentence: &str) -> String {
    let is_end = |character: char| character.is_whitespace() || "`'\"<>".contains(character);
    let pieces = sentence.split_inclusive(is_end);
    pieces.map(|piece| mask_settings(&mask_user(piece))).collect()
}

/// Masks what stands between the user's name and the host, if the text holds an address with both.
fn mask_user(text: &str) -> String {
    let masked = || {
        let lower = text.to_ascii_lowercase();
        let authority = lower.match_indices(':').find_map(|(colon, _)| {
            let is_outside = |c: char| !c.is_ascii_alphanumeric() && !"+.-".contains(c);
            let scheme = lower[..colon].rsplit(is_outside).next().unwrap_or_default();
            let slashes = lower[colon + 1..].bytes().take_while(|&byte| byte == b'/').count();
            let is_address = scheme.len() > 1 && slashes > 0 || SCHEMES.contains(&scheme);
            is_address.then_some(colon + 1 + slashes)
        })?;
        let host = text.rfind('@').filter(|&at| at > authority)?;
        let password = text[authority..host].find(':').map(|colon| authority + colon + 1)?;
        Some(format!("{}{MASK}{}", &text[..password], &text[host..]))
    };
    masked().unwrap_or_else(|| text.to_owned())
}

/// Masks the values of settings that are secrets.
fn mask_settings(text: &str) -> String {
    let is_separator = |character: char| "?&;,".contains(character);
    let mut shown = String::with_capacity(text.len());
    for piece in text.split_inclusive(is_separator) {
        match piece.split_once('=') {
            Some((key, value)) if is_secret(key) && !value.is_empty() => {
                let end = value.find(|c: char| is_separator(c) || c.is_whitespace() || "`'\"".contains(c));
                shown.extend([key, "=", MASK, end.map_or("", |end| &value[end..])]);
            }
            _ => shown.push_str(piece),
        }
    }
    shown
}

/// Whether a setting of this name, or one that ends with it, is a secret.
fn is_secret(key: &str) -> bool {
    let name: String = key.to_ascii_lowercase();
    let name = name.rsplit(|c: char| !c.is_ascii_alphanumeric()).next().unwrap_or_default();
    SECRET_KEYS.contains(&name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_password_is_never_shown_however_the_address_is_written() {
        for address in [
            "mysql://user:hunter2@host/db",
            "MySQL:user:hunter2@host/db",
            "postgres:/user:hunter2@host/db",
            "dir/postgresql://user:hunter2@host:5432/db",
            "jdbc:mysql://user:hunter2@host/db",
            "postgres://user:hun/hunter2@er@host/db",
            "postgres://:hunter2@host/db",
            "mysql://host/db?user=u&password=hunter2",
            "jdbc:sqlserver://host;user=u;Password=hunter2;x=1",
        ] {
            assert!(!shown(address).contains("hunter2"), "{}", shown(address));
            let sentence = without_passwords(&format!("cannot open `{address}`: why"));
            assert!(!sentence.contains("hunter2") && sentence.ends_with("`: why"), "{sentence}");
        }
    }

    #[test]
    fn other_texts_stay_as_they_are() {
        for text in [
            "C:\\a@b.csv",
            "line 3: ana@example.org",
            "sqlite:people.db",
            "a.csv?x=1",
            "12:30 a@b:c@d",
            "é: a@b",
            "\u{fffd}:/",
        ] {
            assert_eq!((shown(text), without_passwords(text)), (text.to_owned(), text.to_owned()));
        }
    }
}
