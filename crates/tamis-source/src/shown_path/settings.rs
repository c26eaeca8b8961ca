//! Settings that are given a value, `name=value`, and which of them are secrets.

use super::authority;

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

/// Settings that are secrets where a value is given to them with `=`, if their names end so; behind a colon they may be part of a sentence.
const SECRET_KEYS_OF_SETTINGS: [&str; 9] =
    ["pass", "passcode", "credentials", "signature", "clave", "haslo", "senha", "wachtwoord", "passw"];

/// The same, if they are called so and no longer.
const SHORT_SECRET_KEYS: [&str; 6] = ["pw", "pin", "sas", "mdp", "jwt", "sig"];

/// Settings that are secrets in the query of something that does not look like an address.
const SECRET_KEYS_OF_QUERIES: [&str; 3] = ["key", "auth", "session"];

/// Settings that make a connection of a text.
const HOSTS: [&str; 7] = ["host", "hostaddr", "server", "datasource", "dsn", "accountname", "endpoint"];

/// Settings of queries and connections that are no secrets.
const OPEN_KEYS: [&str; 19] = [
    "port",
    "dbname",
    "database",
    "initialcatalog",
    "user",
    "username",
    "uid",
    "userid",
    "driver",
    "schema",
    "table",
    "sslmode",
    "charset",
    "encoding",
    "timezone",
    "encrypt",
    "connecttimeout",
    "timeout",
    "applicationname",
];

/// Where the values of settings that are secrets begin.
pub(super) fn secret_settings(text: &str) -> Vec<usize> {
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
    let mut values: Vec<usize> = values.chain(values_of_query(text)).chain(values_of_connection(text)).collect();
    values.retain(|&start| start < text.len());
    values.sort_unstable();
    values.dedup();
    values
}

/// Where the values in the query of an address begin, but for those that are known to be no secrets.
fn values_of_query(text: &str) -> Vec<usize> {
    let query = authority(text).and_then(|authority| Some(authority + text[authority..].find(['?', '#'])?));
    let Some(query) = query else { return Vec::new() };
    let mut start = query + 1;
    let mut values = Vec::new();
    for setting in text[start..].split(['&', ';', '#']) {
        match setting.split_once('=') {
            Some((name, _)) if is_open(name) => {}
            Some((name, _)) => values.push(start + name.len() + 1),
            // What follows `#` alone is a place in a document.
            None if text[..start].ends_with('#') => {}
            None => values.push(start),
        }
        start += setting.len() + 1;
    }
    values
}

/// Where the values begin in the settings of a connection, `host=h user=u pass=p`, which is known by its host; again but for
/// those that are known to be no secrets.
pub(super) fn values_of_connection(text: &str) -> Vec<usize> {
    let is_host = |at: usize| HOSTS.contains(&&*last_name(text[..at].trim_end()).1);
    let settings = || text.match_indices('=').map(|(at, _)| at);
    if !settings().any(is_host) {
        return Vec::new();
    }
    let is_shown = |at: usize| is_host(at) || is_open(&text[..at]) || text[..at].trim_end().ends_with('=');
    settings().filter(|&at| !is_shown(at)).map(|at| text.len() - text[at + 1..].trim_start().len()).collect()
}

/// Whether a text ends with the name of a setting that is known to be no secret.
fn is_open(text: &str) -> bool {
    OPEN_KEYS.contains(&&*last_name(text.trim_end()).1)
}

/// Whether a text ends with the name of a setting that is a secret.
pub(super) fn is_secret(text: &str) -> bool {
    let text = text.trim_end();
    let (before, name) = last_name(text);
    let is_in_query = before.ends_with(['?', '&', ';', '#']);
    let ends = |secrets: &[&str]| secrets.iter().any(|secret| name.ends_with(secret));
    is_secret_name(text)
        || ends(&SECRET_KEYS_OF_SETTINGS)
        || SHORT_SECRET_KEYS.contains(&&*name)
        || is_in_query && ends(&SECRET_KEYS_OF_QUERIES)
}

/// The same for a name that means a secret wherever it stands.
pub(super) fn is_secret_name(text: &str) -> bool {
    let (_, name) = last_name(text);
    SECRET_KEYS.iter().any(|secret| name.ends_with(secret))
}

/// The name that ends a text, in small letters without hyphens, underscores and a number, and what is before it.
fn last_name(text: &str) -> (&str, String) {
    let key = text.rsplit(|c: char| !c.is_alphanumeric() && !"-_.".contains(c)).next().unwrap_or_default();
    let name: String = key.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect();
    let name = name.trim_end_matches(|c: char| c.is_ascii_digit()).to_owned();
    (&text[..text.len() - key.len()], name)
}
