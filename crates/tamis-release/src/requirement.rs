//! A requirement written in one line, as on the command line: `lkc-privacy:l=3,k=5,c=0.5`.

use crate::{ModelPolicy, ReleaseError};
use std::str::FromStr;
use tamis_privacy::{Parameters, Value};

impl FromStr for ModelPolicy {
    type Err = ReleaseError;

    /// `KIND` or `KIND:NAME=VALUE,...`. Values are written as in a policy; quotes around a text may be left out where it holds no comma, in lists too.
    ///
    /// ```
    /// use tamis_privacy::Value;
    /// use tamis_release::ModelPolicy;
    /// let model: ModelPolicy = r#"xy-anonymity:x=zip,y=["name", "birth"],k=3"#.parse()?;
    /// assert_eq!(model.kind, "xy-anonymity");
    /// assert_eq!(model.parameters.get("k"), Some(&Value::Integer(3)));
    /// assert_eq!(model.parameters.get("x"), Some(&Value::from("zip")));
    /// # Ok::<(), tamis_release::ReleaseError>(())
    /// ```
    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let (kind, rest) = text.split_once(':').unwrap_or((text, ""));
        let mut parameters = Parameters::default();
        for part in split_outside(rest).into_iter().map(str::trim).filter(|part| !part.is_empty()) {
            let (name, value) = part.split_once('=').ok_or_else(|| {
                ReleaseError::Setting(format!(
                    "`{part}` in the requirement `{text}` is no parameter; expected KIND:NAME=VALUE,NAME=VALUE"
                ))
            })?;
            let name = name.trim().to_owned();
            if parameters.0.insert(name.clone(), parse_value(value.trim())).is_some() {
                return Err(ReleaseError::Setting(format!("the requirement `{text}` gives `{name}` twice")));
            }
        }
        Ok(Self { kind: kind.trim().to_owned(), parameters })
    }
}

/// The value as a policy would read it, or the text itself.
fn parse_value(text: &str) -> Value {
    #[derive(serde::Deserialize)]
    struct Line {
        value: Value,
    }
    if let Ok(line) = toml::from_str::<Line>(&format!("value = {text}")) {
        return line.value;
    }
    match text.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')) {
        Some(list) => Value::List(split_outside(list).into_iter().map(|part| parse_value(part.trim())).collect()),
        None => Value::from(text),
    }
}

/// The parts between commas that are in no quotes, brackets or braces.
fn split_outside(text: &str) -> Vec<&str> {
    let (mut depth, mut is_quoted, mut start) = (0i64, false, 0);
    let mut parts = Vec::new();
    for (position, character) in text.char_indices() {
        match character {
            '"' => is_quoted = !is_quoted,
            '[' | '{' if !is_quoted => depth += 1,
            ']' | '}' if !is_quoted => depth -= 1,
            ',' if !is_quoted && depth == 0 => {
                parts.push(&text[start..position]);
                start = position + 1;
            }
            _ => {}
        }
    }
    parts.push(&text[start..]);
    parts
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commas_in_lists_and_tables_separate_nothing() -> Result<(), ReleaseError> {
        let model: ModelPolicy =
            r#"confidence-bounding:bounds={ flu = 0.5, "a,b" = 0.25 },attribute=disease"#.parse()?;
        let bounds = Value::from([("flu", 0.5.into()), ("a,b", 0.25.into())]);
        assert_eq!(model.parameters, Parameters::from([("bounds", bounds), ("attribute", "disease".into())]));
        Ok(())
    }

    #[test]
    fn quotes_may_be_left_out_in_lists_too() -> Result<(), ReleaseError> {
        let model: ModelPolicy = "xy-anonymity:x=[zip, birth date],k=3".parse()?;
        assert_eq!(model.parameters.get("x"), Some(&Value::from(vec!["zip".into(), "birth date".into()])));
        Ok(())
    }

    #[test]
    fn what_is_no_parameter_is_said() {
        let error = "k-anonymity:5".parse::<ModelPolicy>().map(|_| ()).map_err(|error| error.to_string());
        assert_eq!(
            error,
            Err("`5` in the requirement `k-anonymity:5` is no parameter; expected KIND:NAME=VALUE,NAME=VALUE"
                .to_owned())
        );
    }
}
