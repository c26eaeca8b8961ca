//! Which columns a policy names.

/// The columns of one table that one policy names, and what they are called wherever the table stands.
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
    /// Whether a table without the column is refused: a slip in its name must not leave anything readable that is to be sealed.
    pub required: bool,
}
