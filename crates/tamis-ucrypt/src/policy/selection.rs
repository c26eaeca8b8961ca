//! Which fields are sealed, in logical names and in the terms of each kind of document.

use serde::{Deserialize, Serialize};

use super::Policy;

/// The fields of one table. Table and field names are logical: a cell that is sealed in an XML file opens in a CSV file or a database.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Selection {
    /// The logical name of the table.
    pub name: String,
    /// What the table is called in databases and dumps, if otherwise.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub source: Option<String>,
    /// CSV and SQL: the column that tells the records apart.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub key: Option<String>,
    /// XML: the path of the element that is a record, such as `/patients/patient`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub record: Option<String>,
    /// XML: what tells the records apart, relative to the record: a path or `@attribute`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub record_key: Option<String>,
    /// The fields.
    #[serde(rename = "field", default)]
    pub fields: Vec<Field>,
}

/// One field.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Field {
    /// The logical name.
    pub name: String,
    /// CSV and SQL: the column, if it is called otherwise.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub column: Option<String>,
    /// XML: the path relative to the record, or `@attribute`, if it is called otherwise.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub path: Option<String>,
}

/// The name of a field without the number that a further one of the same record has: `visit` of `visit[2]`.
pub(crate) fn without_number(field: &str) -> &str {
    let number = field.strip_suffix(']').and_then(|open| open.rsplit_once('['));
    match number {
        Some((name, digits)) if !digits.is_empty() && digits.bytes().all(|digit| digit.is_ascii_digit()) => name,
        _ => field,
    }
}

impl Selection {
    /// What the table is called in databases and dumps.
    pub fn source(&self) -> &str {
        self.source.as_deref().unwrap_or(&self.name)
    }

    /// Whether this is the table that was asked for, if one was.
    pub(crate) fn is_asked(&self, table: Option<&str>) -> bool {
        table.is_none_or(|table| self.name == table)
    }
}

impl Policy {
    /// The tables that a document may hold: all of them, or the one that was asked for.
    pub(crate) fn tables(&self, asked: Option<&str>) -> impl Iterator<Item = &Selection> {
        self.selections.iter().filter(move |table| table.is_asked(asked))
    }
}

impl Field {
    /// The column in CSV files and SQL tables.
    pub fn column(&self) -> &str {
        self.column.as_deref().unwrap_or(&self.name)
    }

    /// The path in XML files, relative to the record.
    pub fn path(&self) -> &str {
        self.path.as_deref().unwrap_or(&self.name)
    }
}

#[cfg(test)]
mod tests {
    use super::without_number;

    #[test]
    fn only_a_number_is_taken_off() {
        for (field, name) in
            [("visit[2]", "visit"), ("a[1][10]", "a[1]"), ("result[HIV]", "result[HIV]"), ("a[]", "a[]"), ("[2", "[2")]
        {
            assert_eq!(without_number(field), name);
        }
    }
}
