//! Paths and sentences as they may be shown: without the password that a path may hold if it is an address.
//!
//! What is an address is decided generously: rather a word too many is hidden than a password shown. A text that is known to be one
//! path ([`shown`]) is masked up to its end; in a sentence ([`without_passwords`]) an address ends with its quotes, or else where the
//! sentence does or a blank. In the query of an address, and beside the host of a connection, only what is known to be no secret is shown;
//! what is percent-encoded is decoded before it is looked at. [`passwords_in`] gives the passwords themselves, for a caller who knows which texts a sentence may repeat.

mod settings;

use settings::{is_secret, is_secret_name, secret_settings, values_of_connection};
use std::ops::Range;
use std::path::Path;

/// What stands in the place of a password.
const MASK: &str = "***";

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
    let mut found = written_passwords_in(text);
    for password in decoded(text).iter().flat_map(|plain| written_passwords_in(plain)) {
        // Of a password that is itself encoded, the spelling is not known; then nothing of the text may be repeated.
        if !text.contains(&password) {
            found.push(text.to_owned());
        }
        found.push(password);
    }
    found.sort();
    found.dedup();
    found
}

fn written_passwords_in(text: &str) -> Vec<String> {
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
    let masked = mask_as_written(text);
    let decoded_mask =
        decoded(&masked).and_then(|plain| Some(mask_as_written(&plain)).filter(|masked| *masked != plain));
    decoded_mask.unwrap_or(masked)
}

/// The text whose bytes are written as `%41`, also where they are written so twice; none if it is another one.
fn decoded(text: &str) -> Option<String> {
    const MOST_TIMES: usize = 3;
    let mut plain = text.as_bytes().to_vec();
    for _ in 0..MOST_TIMES {
        let mut rest = plain.as_slice();
        let mut once = Vec::with_capacity(rest.len());
        while let Some((&byte, behind)) = rest.split_first() {
            let digit = |at: usize| behind.get(at).and_then(|&digit| char::from(digit).to_digit(16));
            if let (b'%', Some((high, low))) = (byte, digit(0).zip(digit(1))) {
                once.push((high * 16 + low) as u8);
                rest = &behind[2..];
            } else {
                once.push(byte);
                rest = behind;
            }
        }
        plain = once;
    }
    let plain = String::from_utf8_lossy(&plain).into_owned();
    (plain != text).then_some(plain)
}

fn mask_as_written(text: &str) -> String {
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
    // What makes a connection of the words may stand in another one.
    let values = values_of_connection(text);
    let mut from = 0;
    let mut masked = String::with_capacity(text.len());
    for word in text.split_inclusive(char::is_whitespace) {
        // What ends a part of the sentence is no part of the path.
        let end = word.trim_end().trim_end_matches([':', ',', ';', '.']).len();
        match values.iter().find(|&&value| (from..from + end).contains(&value)) {
            Some(value) => masked.extend([&word[..value - from], MASK]),
            None => masked.push_str(&mask(&word[..end])),
        }
        masked.push_str(&word[end..]);
        from += word.len();
    }
    masked
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
    let password = password.or_else(|| password_without_scheme(text)).or_else(|| password_behind_slash(text));
    password.filter(|password| !password.is_empty())
}

/// Of `bob/password@host:1521/x` or `bob/password@alias`. A file in a folder may be called so too, but has a dot in its name.
fn password_behind_slash(text: &str) -> Option<Range<usize>> {
    let (user, rest) = text.split_once('/')?;
    let is_user = |c: char| c.is_alphanumeric() || "_$#.-".contains(c);
    let at = rest.rfind('@').filter(|&at| at > 0)?;
    let host = rest[at + 1..].trim_start_matches('/');
    let end = host.find(|c: char| !c.is_alphanumeric() && !".-_[]".contains(c)).unwrap_or(host.len());
    let is_host = match host[end..].chars().next() {
        None => !host.contains('.'),
        Some(next) => [':', '/'].contains(&next),
    };
    let is_named = user.chars().all(is_user) && user.contains(char::is_alphanumeric) && end > 0;
    let start = user.len() + 1;
    (is_named && is_host).then_some(start..start + at)
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
    // A user of the web without a password is a token.
    let scheme = text[..authority].to_ascii_lowercase();
    if scheme.ends_with("http://") || scheme.ends_with("https://") {
        let token = text[authority..path].rfind('@').map(|at| authority..authority + at);
        if token.is_some() {
            return token;
        }
    }
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

#[cfg(test)]
mod tests;
