//! Which columns a policy names.

/// The columns of one table that one policy names, and what they are called wherever the table stands.
///
/// ```
/// use tamis_ucrypt::document::rows::{Column, Columns};
///
/// let patients = Columns {
///     source: "pacjenci".into(),
///     table: "patients".into(),
///     key: "Id".into(),
///     columns: vec![Column { column: "Choroba".into(), field: "disease".into() }],
///     element: "UCRYPT".into(),
/// };
/// assert_eq!(patients.field("Choroba"), Some("disease"));
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Columns {
    /// The table in a database or dump, with or without its schema. A CSV file is one table, and nobody asks for its name.
    pub source: String,
    /// What the table is called in every kind of document.
    pub table: String,
    /// The column that tells the records apart.
    pub key: String,
    /// The columns to seal.
    pub columns: Vec<Column>,
    /// The name of the element around a value that is sealed anew.
    pub element: String,
}

/// One column to seal.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Column {
    /// Its name in the document.
    pub column: String,
    /// What the field is called in every kind of document.
    pub field: String,
}

impl Columns {
    /// The field that a column is, if it is one of these.
    pub fn field(&self, column: &str) -> Option<&str> {
        self.columns.iter().find(|one| one.column == column).map(|one| one.field.as_str())
    }
}
