//! The filter of sealed records as a condition for a query.

use super::Dialect;

/// Which records a filter keeps.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kept {
    /// Those without a sealed value.
    Unsealed,
    /// Those with one.
    Sealed,
}

/// A condition for WHERE that holds for the records that a filter keeps.
///
/// A value is taken for sealed if it begins, behind spaces, with the start tag of an element of one of these names, which is all that a
/// query can tell in every database: not whether the element ends, nor that a tab or a line feed is white space, too. NULL is not sealed:
/// without `IS NULL`, a query would lose records that nobody has sealed anything in.
///
/// ```
/// use tamis_ucrypt::document::sql::{Dialect, Kept, where_clause};
/// assert_eq!(
///     where_clause(&["Choroba"], &["UCRYPT"], Kept::Unsealed, Dialect::Standard),
///     r#"("Choroba" IS NULL OR (LTRIM("Choroba") NOT LIKE '<UCRYPT %' AND LTRIM("Choroba") NOT LIKE '<UCRYPT>%' AND LTRIM("Choroba") NOT LIKE '<UCRYPT/%'))"#
/// );
/// assert_eq!(
///     where_clause(&["Choroba"], &["UCRYPT"], Kept::Sealed, Dialect::MySql),
///     "(LTRIM(`Choroba`) LIKE '<UCRYPT %' OR LTRIM(`Choroba`) LIKE '<UCRYPT>%' OR LTRIM(`Choroba`) LIKE '<UCRYPT/%')"
/// );
/// ```
pub fn where_clause<S: AsRef<str>, E: AsRef<str>>(
    columns: &[S],
    elements: &[E],
    kept: Kept,
    dialect: Dialect,
) -> String {
    let mut conditions = Vec::new();
    for column in columns {
        let column = dialect.quoted_name(column.as_ref());
        // PostgreSQL trims nothing but text; numbers and dates hold no cells, and must not stop the query.
        let trimmed = match dialect {
            Dialect::PostgreSql => format!("LTRIM(CAST({column} AS text))"),
            Dialect::Standard | Dialect::MySql | Dialect::Sqlite => format!("LTRIM({column})"),
        };
        let patterns = elements.iter().flat_map(|element| patterns(element.as_ref()));
        match kept {
            Kept::Sealed => conditions.extend(patterns.map(|pattern| format!("{trimmed} LIKE {pattern}"))),
            Kept::Unsealed => {
                let tests: Vec<String> = patterns.map(|pattern| format!("{trimmed} NOT LIKE {pattern}")).collect();
                let tests = tests.join(" AND ");
                conditions.extend((!tests.is_empty()).then(|| format!("({column} IS NULL OR ({tests}))")));
            }
        }
    }
    match (kept, conditions.is_empty()) {
        (Kept::Unsealed, true) => "1 = 1".into(),
        (Kept::Sealed, true) => "1 = 0".into(),
        (Kept::Unsealed, false) => conditions.join(" AND "),
        // More conditions may be added with AND.
        (Kept::Sealed, false) => format!("({})", conditions.join(" OR ")),
    }
}

/// What the start of an element looks like for LIKE: its name ends there. An underline in its name must not stand for any character.
fn patterns(element: &str) -> [String; 3] {
    let escaped = element.replace('!', "!!").replace('_', "!_").replace('%', "!%").replace('\'', "''");
    let escape = if escaped == element { "" } else { " ESCAPE '!'" };
    [" ", ">", "/"].map(|end| format!("'<{escaped}{end}%'{escape}"))
}

#[cfg(test)]
mod tests {
    use super::{Dialect, Kept, where_clause};
    use crate::cell::MarkerReader;
    use rusqlite::Connection;

    /// The records that a database keeps, as the numbers of their rows.
    fn kept(columns: &[&str], elements: &[&str], kept: Kept) -> Vec<i64> {
        let database = Connection::open_in_memory().unwrap();
        database
            .execute_batch(
                r#"CREATE TABLE t (id INTEGER, "a ""b" TEXT, c TEXT);
                INSERT INTO t VALUES (1, 'x', 'y'), (2, '<UCRYPT>A</UCRYPT>', 'y'), (3, NULL, NULL), (4, NULL, '<MY_SEAL v="1">A</MY_SEAL>'),
                (5, '<MYXSEAL>', '');"#,
            )
            .unwrap();
        let condition = where_clause(columns, elements, kept, Dialect::Sqlite);
        let mut statement = database.prepare(&format!("SELECT id FROM t WHERE {condition} ORDER BY id")).unwrap();
        statement.query_map([], |row| row.get(0)).unwrap().map(Result::unwrap).collect()
    }

    #[test]
    fn a_query_takes_for_sealed_what_the_filter_of_files_does() {
        let database = Connection::open_in_memory().unwrap();
        let condition = where_clause(&["c"], &["MY_SEAL"], Kept::Sealed, Dialect::Sqlite);
        let query = format!("SELECT {condition} FROM (SELECT ?1 AS c)");
        for text in [
            "<MY_SEAL v='1' pol='p'>AAEC</MY_SEAL>",
            "  <MY_SEAL v='1'>AAEC</MY_SEAL>",
            "<MY_SEAL>AAEC</MY_SEAL>",
            "<MY_SEAL/>",
            "<MY_SEALED>AAEC</MY_SEALED>",
            "<MY_SEAL2 v='1'>AAEC</MY_SEAL2>",
            "<MYXSEAL v='1'>AAEC</MYXSEAL>",
            "x <MY_SEAL/>",
            "<MY_SEAL",
            "flu",
            "",
        ] {
            let in_query: bool = database.query_row(&query, [text], |row| row.get(0)).unwrap();
            let in_file = MarkerReader::new("MY_SEAL").read(text).is_ok();
            assert_eq!(in_query, in_file, "{text}");
        }
    }

    #[test]
    fn a_database_keeps_what_the_condition_says() {
        let columns = ["a \"b", "c"];
        assert_eq!(kept(&columns, &["UCRYPT"], Kept::Unsealed), [1, 3, 4, 5]);
        assert_eq!(kept(&columns, &["UCRYPT"], Kept::Sealed), [2]);
        assert_eq!(kept(&columns, &["UCRYPT", "MY_SEAL"], Kept::Unsealed), [1, 3, 5]);
        assert_eq!(kept(&columns, &["UCRYPT", "MY_SEAL"], Kept::Sealed), [2, 4]);
        assert_eq!(kept(&[], &["UCRYPT"], Kept::Unsealed), [1, 2, 3, 4, 5]);
        assert_eq!(kept(&[], &["UCRYPT"], Kept::Sealed), [0_i64; 0]);
    }
}
