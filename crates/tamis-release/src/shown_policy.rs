//! A policy as pages may show it.

use tamis_source::shown;
use toml::{Table, Value};

/// What stands in the place of a secret.
const NOT_SHOWN: &str = "not shown";

/// Keys whose values are secrets wherever they stand: a seed undoes the shuffle, the others open something.
const SECRETS: [&str; 8] = ["seed", "secret", "password", "passwd", "pwd", "passphrase", "token", "salt"];

/// The policy written anew without secrets. Comments are left out, since nothing says what they hold.
///
/// Secrets are found in what the policy means, not in how it is written: `output.seed = 1`, `output = { seed = 1 }` and
/// `"seed" = 1` under `[output]` are the same.
pub(crate) fn shown_policy(policy: &str) -> String {
    let Ok(mut table) = policy.parse::<Table>() else { return String::new() };
    hide_in(&mut table);
    toml::to_string_pretty(&table).unwrap_or_default()
}

fn hide_in(table: &mut Table) {
    for (key, value) in table.iter_mut() {
        // A column may be called `seed`; then its entry is a table.
        let is_secret = SECRETS.contains(&key.to_lowercase().as_str()) && !value.is_table();
        if is_secret { *value = Value::from(NOT_SHOWN) } else { hide(value) }
    }
}

fn hide(value: &mut Value) {
    match value {
        Value::Table(table) => hide_in(table),
        Value::Array(values) => values.iter_mut().for_each(hide),
        Value::String(text) => *text = shown(&*text),
        Value::Integer(_) | Value::Float(_) | Value::Boolean(_) | Value::Datetime(_) => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_seed_is_not_shown_however_it_is_written() {
        for text in [
            "[output]\nseed = 4711",
            "output.seed = 4711",
            "output = { order = \"shuffled\", seed = 4711 }",
            "[output]\n\"seed\" = 4_711",
            "\"output\".'seed' = 0x1267",
            "[output] # seed = 4711\nseed=4711 # 4711",
        ] {
            let shown = shown_policy(text);
            assert!(shown.contains("seed = \"not shown\""), "{shown}");
            assert!(!["4711", "4_711", "1267"].iter().any(|secret| shown.contains(secret)), "{shown}");
        }
    }

    #[test]
    fn columns_stay_and_passwords_go() {
        let shown = shown_policy(
            "[input]\npath = \"mysql://ana:hunter2@host/db\"\n[attributes.seed]\nrole = \"sensitive\"\n[[steps]]\nfiles = [\"a:hunter2\"]\n",
        );
        assert!(shown.contains("[attributes.seed]") && shown.contains("mysql://ana:***@host/db"), "{shown}");
    }
}
