//! Paths and sentences as they may be shown: without the password that a path may hold if it is an address.
//!
//! What is an address is decided generously: rather a word too many is hidden than a password shown. A text that is known to be one
//! path ([`shown`]) is masked up to its end; in a sentence ([`without_passwords`]) an address ends with its quotes, or else where the
//! sentence does or a blank. [`passwords_in`] gives the passwords themselves, for a caller who knows which texts a sentence may repeat.

use std::ops::Range;
use std::path::Path;

/// What stands in the place of a password.
const MASK: &str = "***";

/// Settings are secrets if their names, without hyphens and underscores, end with one of these.
const SECRET_KEYS: [&str; 17] = [
    "password",
    "passwort",
    "kennwort",
    "contraseña",
    "contrasena",
    "hasło",
    "motdepasse",
    "passwd",
    "pwd",
    "passphrase",
    "secret",
    "token",
    "apikey",
    "accesskey",
    "accountkey",
    "secretkey",
    "credential",
];

/// Settings that are secrets in the query of an address; elsewhere they may mean anything.
const SECRET_KEYS_OF_QUERIES: [&str; 11] =
    ["key", "sig", "signature", "auth", "pass", "pw", "jwt", "session", "credentials", "clave", "haslo"];

/// Kinds of databases whose addresses need no slashes.
const SCHEMES: [&str; 9] =
    ["mysql", "mariadb", "postgres", "postgresql", "sqlserver", "mssql", "oracle", "mongodb", "redis"];

/// Kinds of addresses of databases whose rest is no password.
const OPEN_SCHEMES: [&str; 3] = ["sqlite", "jdbc", "odbc"];

const QUOTES: [char; 3] = ['`', '\'', '"'];

/// A path as messages, reports and manifests may show it.
///
/// ```
/// use tamis_source::shown;
/// assert_eq!(shown("mysql://ana:p@ss word@host/clinic"), "mysql://ana:***@host/clinic");
/// assert_eq!(shown("postgres://ana:pass word"), "postgres://ana:***");
/// assert_eq!(shown("data/people@home.csv"), "data/people@home.csv");
/// ```
pub fn shown(path: impl AsRef<Path>) -> String {
    mask(&path.as_ref().display().to_string())
}

/// What makes a path the address of a database and not of a file: its scheme, or a setting that is a password. It tells no secret.
pub(crate) fn address_of_database(path: &Path) -> Option<String> {
    let path = path.to_string_lossy();
    let mut parts = path.split(['/', '\\']);
    let scheme =
        parts.find_map(|part| part.split_once(':').map(|(scheme, _)| scheme).filter(|scheme| is_scheme(scheme)));
    let setting = secret_settings(&path).first().map(|_| "password=".to_owned());
    scheme.map(|scheme| format!("{scheme}:")).or(setting)
}

fn is_scheme(text: &str) -> bool {
    SCHEMES.iter().chain(&OPEN_SCHEMES).any(|scheme| text.eq_ignore_ascii_case(scheme))
}

/// A sentence with every address in it as it may be shown.
///
/// ```
/// use tamis_source::without_passwords;
/// let sentence = "cannot open `x/postgres:/ana:my secret@host/db?sslmode=on`: no such file";
/// assert_eq!(without_passwords(sentence), "cannot open `x/postgres:/ana:***@host/db?sslmode=on`: no such file");
/// assert_eq!(without_passwords("host=h password='my secret' port=1"), "host=h password='***' port=1");
/// assert_eq!(without_passwords("at 10:30 write to ana@example.org"), "at 10:30 write to ana@example.org");
/// ```
pub fn without_passwords(sentence: &str) -> String {
    let mut shown = String::with_capacity(sentence.len());
    let mut rest = sentence;
    let mut is_named = false;
    while let Some(quoted) = quoted_piece(rest) {
        // All quotes are one byte.
        let (before, quote) = rest[..quoted.start].split_at(quoted.start - 1);
        // In JSON the name is the piece before.
        let is_value = is_named && before.trim() == ":"
            || before.trim_end().strip_suffix('=').is_some_and(is_secret)
            || before.strip_suffix(':').is_some_and(is_secret_name);
        is_named = is_secret_name(&rest[quoted.clone()]);
        let inside = if is_value { MASK.to_owned() } else { mask(&rest[quoted.clone()]) };
        shown.extend([&*mask_loose(before), quote, &*inside, quote]);
        rest = &rest[quoted.end + quote.len()..];
    }
    shown.push_str(&mask_loose(rest));
    shown
}

/// The passwords of an argument of a command or a setting: all that may be one, if it cannot be told where a password ends.
///
/// ```
/// use tamis_source::passwords_in;
/// assert_eq!(passwords_in("postgres://bob:my secret@host/db"), ["my secret"]);
/// assert_eq!(passwords_in("bob:a@b@host:/file"), ["a", "a@b"]);
/// assert_eq!(passwords_in("https://host/file?sig=abc"), ["abc"]);
/// assert!(passwords_in("C:\\people@home.csv").is_empty() && passwords_in("12:30").is_empty());
/// ```
pub fn passwords_in(text: &str) -> Vec<String> {
    let mut found = Vec::new();
    let mut rest = text;
    // A list may hold several addresses.
    while let Some(password) = password_of_user(rest) {
        let ends = rest.match_indices('@').map(|(at, _)| at).filter(|at| password.contains(at));
        found.extend(ends.chain([password.end]).map(|end| rest[password.start..end].to_owned()));
        rest = &rest[password.start..];
    }
    for start in secret_settings(text) {
        let value = &text[start..];
        let inner = value.strip_prefix(QUOTES).unwrap_or(value);
        let ends = [value.find(['&', ';']), value.find(char::is_whitespace), Some(value.len())];
        found.extend(ends.into_iter().flatten().map(|end| value[..end].to_owned()));
        let inner_ends = inner.match_indices(QUOTES).map(|(at, _)| at);
        found.extend(inner_ends.map(|end| inner[..end].to_owned()));
    }
    found.retain(|password| !password.is_empty());
    found.sort();
    found.dedup();
    found
}

/// Where the content of the next quoted piece stands: behind a quote that begins a word, up to the same one that ends a word.
fn quoted_piece(text: &str) -> Option<Range<usize>> {
    let is_before = |c: char| c.is_whitespace() || "([{=:,<".contains(c) || QUOTES.contains(&c);
    let is_behind = |c: char| c.is_whitespace() || ".,;:)]}>!?".contains(c) || QUOTES.contains(&c);
    text.match_indices(QUOTES).find_map(|(at, quote)| {
        let start = at + quote.len();
        text[..at].chars().next_back().is_none_or(is_before).then_some(())?;
        let is_end = |end: &usize| text[start + end + quote.len()..].chars().next().is_none_or(is_behind);
        let end = text[start..].match_indices(quote).map(|(end, _)| end).find(is_end)?;
        Some(start..start + end)
    })
}

/// Masks the passwords of a text that is one path.
fn mask(text: &str) -> String {
    let mut text = text.to_owned();
    if let Some(password) = password_of_user(&text)
        && !text[password.start..].starts_with("***@")
    {
        text.replace_range(password, MASK);
    }
    if let Some(&start) = secret_settings(&text).first() {
        let quote = text[start..].chars().next().filter(|c| QUOTES.contains(c));
        let is_closed = quote.is_some_and(|quote| text.ends_with(quote) && text.len() > start + 1);
        let ending = quote.filter(|_| is_closed).map(String::from).unwrap_or_default();
        text.truncate(start);
        text.extend([&*ending, MASK, &*ending]);
    }
    text
}

/// Masks the passwords of a piece of a sentence that no quotes surround.
fn mask_loose(text: &str) -> String {
    // A password may have blanks, a user's name has none: the password ends at the last `@`, or with the piece where there is none.
    let password = authority(text).and_then(|authority| {
        let password = password_behind(text, authority).filter(|password| !password.is_empty())?;
        let word = text[authority..].find(char::is_whitespace).map_or(text.len(), |blank| authority + blank);
        let is_one_word = password.start < word;
        (is_one_word && !text[password.start..].starts_with(MASK)).then_some(password)
    });
    match password {
        Some(Range { start, end }) => {
            format!("{}{MASK}{}", mask_loose_words(&text[..start]), mask_loose_words(&text[end..]))
        }
        None => mask_loose_words(text),
    }
}

fn mask_loose_words(text: &str) -> String {
    text.split_inclusive(char::is_whitespace)
        .flat_map(|word| {
            // What ends a part of the sentence is no part of the path.
            let end = word.trim_end().trim_end_matches([':', ',', ';', '.']).len();
            [mask(&word[..end]), word[end..].to_owned()]
        })
        .collect()
}

/// Where an address with a scheme begins to say who and where.
fn authority(text: &str) -> Option<usize> {
    if text.starts_with("//") {
        return Some(text.bytes().take_while(|&byte| byte == b'/').count());
    }
    text.match_indices(':').find_map(|(colon, _)| {
        let is_outside = |c: char| !c.is_ascii_alphanumeric() && !"+.-".contains(c);
        let scheme = text[..colon].rsplit(is_outside).next().unwrap_or_default().to_ascii_lowercase();
        let slashes = text[colon + 1..].bytes().take_while(|&byte| byte == b'/').count();
        let is_address = scheme.len() > 1 && slashes > 0 || SCHEMES.contains(&&*scheme);
        is_address.then_some(colon + 1 + slashes)
    })
}

/// Where the password between a user's name and a host stands, if the text holds an address with a user.
fn password_of_user(text: &str) -> Option<Range<usize>> {
    let password = authority(text).and_then(|authority| password_behind(text, authority));
    password.or_else(|| password_without_scheme(text)).filter(|password| !password.is_empty())
}

/// Of an address with a scheme: up to the last `@`; without one whatever follows the colon, which may also be a port.
fn password_behind(text: &str, authority: usize) -> Option<Range<usize>> {
    let is_drive = |user: &str, rest: &str| user.len() == 1 && rest.starts_with(['/', '\\']);
    let colon_before = |end: usize| {
        let colon = authority + text[authority..end].find(':')?;
        (!is_drive(&text[authority..colon], &text[colon + 1..])).then_some(colon + 1)
    };
    if let Some(at) = text.rfind('@').filter(|&at| at > authority)
        && let Some(start) = colon_before(at)
    {
        return Some(start..at);
    }
    let path = text[authority..].find(['/', '?', '#']).map_or(text.len(), |path| authority + path);
    let start = colon_before(path)?;
    let is_port = !text[start..path].is_empty() && text[start..path].bytes().all(|byte| byte.is_ascii_digit());
    Some(start..if is_port { path } else { text.len() })
}

/// Of `bob:password@host:/file`, as programs that copy files write addresses.
fn password_without_scheme(text: &str) -> Option<Range<usize>> {
    text.match_indices(':').find_map(|(colon, _)| {
        let is_outside = |c: char| c.is_whitespace() || QUOTES.contains(&c) || "/\\@:,;=()[]{}<>".contains(c);
        let user = text[..colon].rsplit(is_outside).next().unwrap_or_default();
        let rest = &text[colon + 1..];
        let is_number = user.bytes().all(|byte| byte.is_ascii_digit());
        let is_drive = user.len() == 1 && rest.starts_with(['/', '\\']);
        if is_number || is_drive || user.eq_ignore_ascii_case("mailto") {
            return None;
        }
        let host_is_named = |at: &usize| rest[at + 1..].starts_with(|c: char| c.is_alphanumeric() || c == '[');
        let last = rest.rfind('@').filter(host_is_named)?;
        let host = &rest[last + 1..];
        let is_copied_from =
            host.trim_start_matches(|c: char| c.is_alphanumeric() || ".-_[]".contains(c)).starts_with(':');
        // A folder `run:3` above a file `ana@home.csv` is none.
        let is_first = text[..colon].trim_start() == user;
        let at = if is_copied_from || (is_first && !rest.starts_with(char::is_whitespace)) {
            last
        } else {
            let component = &rest[..rest.find(['/', '\\']).unwrap_or(rest.len())];
            component.rfind('@').filter(|_| !rest.starts_with(char::is_whitespace))?
        };
        (at > 0).then_some(colon + 1..colon + 1 + at)
    })
}

/// Where the values of settings that are secrets begin.
fn secret_settings(text: &str) -> Vec<usize> {
    let found = text.match_indices(['=', ':']).filter(|&(at, sign)| {
        let (name, value) = (&text[..at], &text[at + 1..]);
        match name.trim_end().strip_suffix(['"', '\'']) {
            // As in JSON.
            Some(name) => is_secret(name),
            None if sign == "=" => is_secret(name),
            // A colon with a blank behind it goes on with the sentence.
            None => !value.starts_with(char::is_whitespace) && is_secret_name(name),
        }
    });
    let values = found.map(|(at, _)| text.len() - text[at + 1..].trim_start().len());
    values.filter(|&start| start < text.len()).collect()
}

/// Whether a text ends with the name of a setting that is a secret.
fn is_secret(text: &str) -> bool {
    let text = text.trim_end();
    let (before, name) = last_name(text);
    let is_in_query = before.ends_with(['?', '&', ';', '#']);
    is_secret_name(text) || is_in_query && SECRET_KEYS_OF_QUERIES.iter().any(|secret| name.ends_with(secret))
}

/// The same for a name that means a secret wherever it stands.
fn is_secret_name(text: &str) -> bool {
    let (_, name) = last_name(text);
    SECRET_KEYS.iter().any(|secret| name.ends_with(secret))
}

/// The name that ends a text, in small letters without hyphens and underscores, and what is before it.
fn last_name(text: &str) -> (&str, String) {
    let key = text.rsplit(|c: char| !c.is_alphanumeric() && !"-_.".contains(c)).next().unwrap_or_default();
    let name = key.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect();
    (&text[..text.len() - key.len()], name)
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
            "postgres://bob:hunter2",
            "postgres://bob:a b hunter2@host/db",
            "postgres://bob:a\nhunter2@host/db",
            "host=h password='hunter2'",
            "host=h password=\"a hunter2\" port=5",
            "host=h password = 'hunter2'",
            "https://h/x?sig=hunter2",
            "https://h/x?a=1&key=hunter2",
            "https://h/x?token=hunter2&b=1",
            "https://h/x?X-Amz-Signature=hunter2",
            "AccountName=a;AccountKey=hunter2==",
            "//u:hunter2@h",
            "//u:hunter2@h/share",
            "bob:hunter2@h:/x",
            "bob:a/hunter2@h:/x",
            "https://h/x?passwort=hunter2",
            "host=h user=u password:hunter2",
            "host=h contraseña=hunter2",
            "mot_de_passe=hunter2",
            "{\"password\":\"hunter2\"}",
            "{\"user\": \"u\", \"password\": \"hunter2\"}",
            "dir/bob:hunter2@h:/x",
            "dir/bob:a/hunter2@h:/x",
        ] {
            assert!(!shown(address).contains("hunter2"), "{}", shown(address));
            for sentence in
                [format!("cannot open `{address}`: why"), format!("invalid value '{address}' for '--x': why")]
            {
                let masked = without_passwords(&sentence);
                assert!(!masked.contains("hunter2") && masked.ends_with(": why"), "{masked}");
            }
            assert!(passwords_in(address).iter().any(|password| password.contains("hunter2")), "{address}");
            let masked = without_passwords(&format!("the file {address}: why"));
            assert!(!masked.contains("hunter2"), "{masked}");
            assert_eq!(without_passwords(&masked), masked);
        }
    }

    #[test]
    fn an_address_of_a_database_is_known_by_its_scheme_or_its_password() {
        for (path, expected) in [
            ("mysql:u:hunter2@h", Some("mysql:")),
            ("out/PostgreSQL://u:hunter2@h/db", Some("PostgreSQL:")),
            ("sqlite:people.db", Some("sqlite:")),
            ("jdbc:mysql://u:hunter2@h", Some("jdbc:")),
            ("host=h password=hunter2", Some("password=")),
            ("C:\\out.csv", None),
            ("run:3.csv", None),
            ("mysql.csv", None),
            ("bob@home:out.csv", None),
        ] {
            assert_eq!(address_of_database(Path::new(path)).as_deref(), expected, "{path}");
        }
    }

    #[test]
    fn other_texts_stay_as_they_are() {
        for text in [
            "C:\\a@b.csv",
            "C:/a@b.csv",
            "line 3: ana@example.org",
            "column mail: ana@example.org",
            "mailto:ana@example.org",
            "sqlite:people.db",
            "a.csv?x=1",
            "12:30",
            "at 12:30@home",
            "a ratio of 3:1",
            "é: a@b",
            "\u{fffd}:/",
            "/data/run:3/ana@home.csv",
            "it can't be `a` or 'b': say k=5, key=x",
            "see https://example.org/a/b",
            "KIND:NAME=VALUE,NAME=VALUE",
            "the passphrase: it is too short",
            "a wrong password: give another",
        ] {
            assert_eq!((shown(text), without_passwords(text)), (text.to_owned(), text.to_owned()));
            assert!(passwords_in(text).is_empty(), "{text}");
        }
        for text in [
            "see https://example.org: it says more",
            "mysql: error: no table",
            "cannot read /data/run:3/ana@home.csv: no such file",
        ] {
            assert_eq!(without_passwords(text), text);
        }
    }
}
