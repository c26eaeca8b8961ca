//! The statements, in standard SQL as far as it goes.

use super::{ColumnType, Identifier, NewColumn};

/// Where kinds of databases differ in spelling.
pub(super) struct Dialect {
    /// What encloses names; doubled where it occurs within one.
    pub(super) quote: char,
    /// How the n-th bound value (from 1) is written.
    pub(super) placeholder: fn(usize) -> String,
    /// How a type is called.
    pub(super) type_name: fn(ColumnType) -> &'static str,
}

impl Dialect {
    pub(super) fn quote(&self, name: &Identifier) -> String {
        let quote = self.quote;
        let doubled = name.as_str().replace(quote, &format!("{quote}{quote}"));
        format!("{quote}{doubled}{quote}")
    }

    /// Names separated by commas, each of the table that a statement calls `p`: an unqualified name could be taken for an alias.
    fn of_p(&self, columns: &[Identifier]) -> String {
        columns.iter().map(|column| format!("p.{}", self.quote(column))).collect::<Vec<_>>().join(", ")
    }

    fn names(&self, columns: &[Identifier]) -> String {
        columns.iter().map(|column| self.quote(column)).collect::<Vec<_>>().join(", ")
    }

    pub(super) fn group_sizes(&self, table: &Identifier, columns: &[Identifier]) -> String {
        format!(
            "SELECT g.people, COUNT(*) FROM (SELECT COUNT(*) AS people FROM {} AS p GROUP BY {}) AS g \
             GROUP BY g.people ORDER BY g.people",
            self.quote(table),
            self.of_p(columns)
        )
    }

    pub(super) fn count_rows(&self, table: &Identifier) -> String {
        format!("SELECT COUNT(*) FROM {}", self.quote(table))
    }

    pub(super) fn rows_with_nulls(&self, table: &Identifier, columns: &[Identifier]) -> String {
        let is_null: Vec<String> = columns.iter().map(|column| format!("p.{} IS NULL", self.quote(column))).collect();
        format!("SELECT COUNT(*) FROM {} AS p WHERE {}", self.quote(table), is_null.join(" OR "))
    }

    pub(super) fn repeated(&self, table: &Identifier, column: &Identifier) -> String {
        let (table, column) = (self.quote(table), self.quote(column));
        format!(
            "SELECT p.{column}, COUNT(*) FROM {table} AS p GROUP BY p.{column} HAVING COUNT(*) > 1 \
             ORDER BY p.{column} LIMIT 1"
        )
    }

    pub(super) fn rows(&self, table: &Identifier, columns: &[Identifier]) -> String {
        format!("SELECT {} FROM {} AS p ORDER BY 1", self.of_p(columns), self.quote(table))
    }

    pub(super) fn grouped_rows(&self, table: &Identifier, group_by: &[Identifier], columns: &[Identifier]) -> String {
        format!(
            "SELECT DENSE_RANK() OVER (ORDER BY {}), {} FROM {} AS p ORDER BY 1, 2",
            self.of_p(group_by),
            self.of_p(columns),
            self.quote(table)
        )
    }

    pub(super) fn create_table(&self, table: &Identifier, columns: &[NewColumn]) -> String {
        let columns: Vec<String> = columns.iter().map(|column| self.column(column)).collect();
        format!("CREATE TABLE {} ({})", self.quote(table), columns.join(", "))
    }

    pub(super) fn drop_table(&self, table: &Identifier) -> String {
        format!("DROP TABLE {}", self.quote(table))
    }

    pub(super) fn add_column(&self, table: &Identifier, column: &NewColumn) -> String {
        format!("ALTER TABLE {} ADD COLUMN {}", self.quote(table), self.column(column))
    }

    pub(super) fn insert(&self, table: &Identifier, columns: &[Identifier]) -> String {
        let values: Vec<String> = (1..=columns.len()).map(self.placeholder).collect();
        format!("INSERT INTO {} ({}) VALUES ({})", self.quote(table), self.names(columns), values.join(", "))
    }

    /// An empty table of the session with some columns of another.
    pub(super) fn create_like(&self, copy: &Identifier, table: &Identifier, columns: &[Identifier]) -> String {
        format!(
            "CREATE TEMPORARY TABLE {} AS SELECT {} FROM {} AS p WHERE 1 = 0",
            self.quote(copy),
            self.of_p(columns),
            self.quote(table)
        )
    }

    /// Copies columns from rows of another table with the same key. The new values stand left in the comparison of keys: where
    /// the collations of the two differ, the left one counts.
    pub(super) fn update_from(
        &self,
        table: &Identifier,
        key: &Identifier,
        columns: &[Identifier],
        from: &Identifier,
    ) -> String {
        let (table, key, from) = (self.quote(table), self.quote(key), self.quote(from));
        let set: Vec<String> =
            columns.iter().map(|column| self.quote(column)).map(|c| format!("{c} = n.{c}")).collect();
        format!("UPDATE {table} SET {} FROM {from} AS n WHERE n.{key} = {table}.{key}", set.join(", "))
    }

    fn column(&self, column: &NewColumn) -> String {
        format!("{} {}", self.quote(&column.name), (self.type_name)(column.kind))
    }
}
