//! What several documents are: settings for all of them, and for one.

use super::document_args::DocumentArgs;
use crate::answer::{CommandError, sentence};
use clap::{Args, ValueEnum};
use std::ffi::OsString;
use std::path::PathBuf;

#[derive(Debug, Args)]
pub(super) struct PerDocumentArgs {
    /// What the documents are, if their names do not say: xml, csv, sql or sqlite; all of them, or repeated for each
    #[arg(long, value_name = "[DOCUMENT=]KIND")]
    kind: Vec<OsString>,
    /// CSV: what separates fields, if it should not be detected: one character, or `tab`; of all documents, or repeated for each
    #[arg(long, value_name = "[DOCUMENT=]CHAR")]
    delimiter: Vec<OsString>,
    /// CSV and SQL: the character set, such as ISO-8859-2 or windows-1250, of all documents, or repeated for each; UTF-8 if left out
    #[arg(long, value_name = "[DOCUMENT=]NAME")]
    encoding: Vec<OsString>,
    /// SQL: the system that the dumps are for, if they do not say: postgresql, mysql, sqlite, or standard, also if left out; all of them,
    /// or repeated for each
    #[arg(long, value_name = "[DOCUMENT=]SYSTEM")]
    dialect: Vec<OsString>,
    /// Only this table of the policy, of all documents, or repeated for each; a CSV file is one table, and its name or its columns may say which
    #[arg(long, value_name = "[DOCUMENT=]NAME")]
    table: Vec<OsString>,
}

impl PerDocumentArgs {
    /// What is said of each document, in their order.
    pub(super) fn of(&self, documents: &[PathBuf]) -> Result<Vec<DocumentArgs>, CommandError> {
        let kinds = assigned("--kind", &self.kind, documents)?;
        let delimiters = assigned("--delimiter", &self.delimiter, documents)?;
        let encodings = assigned("--encoding", &self.encoding, documents)?;
        let dialects = assigned("--dialect", &self.dialect, documents)?;
        let tables = assigned("--table", &self.table, documents)?;
        let settings = kinds.into_iter().zip(delimiters).zip(encodings).zip(dialects).zip(tables);
        let args = settings.map(|((((kind, delimiter), encoding), dialect), table)| {
            let (kind, dialect) = (named("--kind", kind)?, named("--dialect", dialect)?);
            Ok(DocumentArgs { kind, delimiter, encoding, dialect, table })
        });
        args.collect()
    }
}

/// One of the names that a setting knows.
fn named<T: ValueEnum>(flag: &str, text: Option<String>) -> Result<Option<T>, CommandError> {
    let Some(text) = text else { return Ok(None) };
    T::from_str(&text, false).map(Some).map_err(|_| {
        let known = T::value_variants().iter().filter_map(ValueEnum::to_possible_value);
        let known: Vec<String> = known.map(|value| value.get_name().to_owned()).collect();
        sentence(format!("{flag} {text}: it is none of {}", known.join(", ")))
    })
}

/// The value of a setting for each document: its own, or that of all.
fn assigned(flag: &str, settings: &[OsString], documents: &[PathBuf]) -> Result<Vec<Option<String>>, CommandError> {
    let twice = |what: &str| Err(sentence(format!("{flag} is said of {what} twice")));
    let mut of_all = None;
    let mut own: Vec<Option<&str>> = vec![None; documents.len()];
    for setting in settings {
        // Names of files may hold the sign too, so it is the documents that tell where a name ends. They need not be text.
        let named = |document: &PathBuf| {
            let name = document.as_os_str();
            let value = setting.as_encoded_bytes().strip_prefix(name.as_encoded_bytes())?.strip_prefix(b"=")?;
            Some((name.to_owned(), str::from_utf8(value).ok()?))
        };
        let longest = documents.iter().filter_map(named).max_by_key(|(name, _)| name.len());
        match longest {
            Some((name, value)) => {
                let same = |document: &PathBuf| document.as_os_str() == name;
                for (own, _) in own.iter_mut().zip(documents).filter(|(_, document)| same(document)) {
                    if own.replace(value).is_some() {
                        return twice(&name.to_string_lossy());
                    }
                }
            }
            // An equals sign alone is a delimiter.
            None if setting.to_str().is_none_or(|text| text.contains('=') && text != "=") => {
                return Err(sentence(format!(
                    "{flag} {}: no document of this command is called so; name it before the equals sign as among the documents",
                    setting.display()
                )));
            }
            None => {
                if of_all.replace(setting.to_str().unwrap_or_default()).is_some() {
                    return twice("all documents");
                }
            }
        }
    }
    Ok(own.into_iter().map(|own| own.or(of_all).map(str::to_owned)).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn assign(settings: &[&str], documents: &[&str]) -> Result<Vec<Option<String>>, String> {
        let settings: Vec<OsString> = settings.iter().map(OsString::from).collect();
        let documents: Vec<PathBuf> = documents.iter().map(PathBuf::from).collect();
        assigned("--table", &settings, &documents).map_err(|error| error.to_string())
    }

    #[test]
    fn a_document_has_its_own_setting_or_that_of_all() {
        let some = |text: &str| Some(text.to_owned());
        assert_eq!(assign(&[], &["a", "b"]), Ok(vec![None, None]));
        assert_eq!(assign(&["b=x"], &["a", "b"]), Ok(vec![None, some("x")]));
        assert_eq!(assign(&["b=x", "y"], &["a", "b", "c"]), Ok(vec![some("y"), some("x"), some("y")]));
        assert_eq!(assign(&["=", "b=="], &["a", "b"]), Ok(vec![some("="), some("=")]));
        assert_eq!(assign(&["a=b=x", "a=y"], &["a", "a=b"]), Ok(vec![some("y"), some("x")]));
        assert_eq!(assign(&["a=x"], &["a", "a"]), Ok(vec![some("x"), some("x")]));
    }

    #[test]
    fn what_is_said_twice_or_of_no_document_is_refused() {
        assert_eq!(assign(&["a=x", "a=y"], &["a"]), Err("--table is said of a twice".into()));
        assert_eq!(assign(&["x", "y"], &["a"]), Err("--table is said of all documents twice".into()));
        assert!(assign(&["c=x"], &["a", "b"]).unwrap_err().starts_with("--table c=x: no document"));
        assert!(assign(&["a=x"], &[]).unwrap_err().starts_with("--table a=x: no document"));
    }
}
