//! Full-text indexes that hold the words of a table, directly or through views.

use std::collections::HashMap;

use rusqlite::Connection;

use super::table::means;
use super::words::{Word, words};
use crate::document::rows::Columns;

/// The modules that keep an index of words.
const MODULES: [&str; 3] = ["fts3", "fts4", "fts5"];

/// What the full-text indexes of a database are made of, as far as that is outside of them: tables and views.
pub(super) fn contents(database: &Connection) -> rusqlite::Result<Vec<String>> {
    let all = statements(database, "table")?;
    Ok(all.iter().filter_map(|(_, statement)| content(statement)).collect())
}

/// The names and the statements of all tables, views or triggers of a database.
pub(super) fn statements(database: &Connection, kind: &str) -> rusqlite::Result<Vec<(String, String)>> {
    let query = "SELECT name, sql FROM sqlite_schema WHERE type = ?1 AND sql IS NOT NULL ORDER BY name";
    let mut statement = database.prepare(query)?;
    statement.query_map([kind], |row| Ok((row.get(0)?, row.get(1)?)))?.collect()
}

/// What `content=` says in the statement that makes a full-text index.
fn content(statement: &str) -> Option<String> {
    let mut words = words(statement);
    if !["create", "virtual", "table"].iter().all(|keyword| words.next().is_some_and(|word| word.is(keyword))) {
        return None;
    }
    words.find(|word| word.is("using"))?;
    words.next().filter(|module| MODULES.iter().any(|known| module.names(known)))?;
    let mut depth = 0_usize;
    // The words of one argument.
    let mut argument: Vec<Word<'_>> = Vec::new();
    for word in words {
        match word {
            Word::Sign('(') => depth += 1,
            Word::Sign(')') => depth = depth.saturating_sub(1),
            _ => {}
        }
        match word {
            Word::Sign('(') if depth == 1 => {}
            Word::Sign(',') if depth == 1 => argument.clear(),
            _ => argument.push(word),
        }
        // FTS5 knows its options by their beginnings.
        if let [Word::Bare(option), Word::Sign('='), value] = argument.as_slice()
            && "content".get(..option.len()).is_some_and(|known| option.eq_ignore_ascii_case(known))
            && let Some(name) = value.name()
        {
            return Some(name.to_owned());
        }
    }
    None
}

/// Views through which the sealed columns of a table can be read, by their names: those that name the table and one of its sealed columns or
/// all columns, and views of such views.
pub(super) fn views_of(database: &Connection, table: &str, selectors: &[Columns]) -> rusqlite::Result<Vec<String>> {
    let sealed: Vec<&str> = sealed_columns(table, selectors).collect();
    let mut views = statements(database, "view")?;
    let numbers: HashMap<String, usize> =
        views.iter().enumerate().map(|(number, (name, _))| (name.to_ascii_lowercase(), number)).collect();
    // The views that name each.
    let mut outer: Vec<Vec<usize>> = vec![Vec::new(); views.len()];
    let mut found = Vec::new();
    let mut is_found = vec![false; views.len()];
    for (number, (_, statement)) in views.iter().enumerate() {
        let words: Vec<Word<'_>> = words(statement).collect();
        let names = |name: &str| words.iter().any(|word| word.names(name));
        let has_all = words.windows(2).any(|pair| pair[1] == Word::Sign('*') && may_be_all(&pair[0]));
        if names(table) && (has_all || sealed.iter().any(|column| names(column))) {
            is_found[number] = true;
            found.push(number);
        }
        for name in words.iter().filter_map(Word::name) {
            if let Some(inner) = numbers.get(&name.to_ascii_lowercase()) {
                outer[*inner].push(number);
            }
        }
    }
    let mut at = 0;
    while let Some(inner) = found.get(at) {
        at += 1;
        for view in std::mem::take(&mut outer[*inner]) {
            if !std::mem::replace(&mut is_found[view], true) {
                found.push(view);
            }
        }
    }
    Ok(found.into_iter().map(|view| std::mem::take(&mut views[view].0)).collect())
}

/// Whether a star behind this word means all columns, and no product or count.
pub(super) fn may_be_all(before: &Word<'_>) -> bool {
    before.is_one(&["select", "distinct", "all"]) || matches!(before, Word::Sign(',' | '.'))
}

/// The columns of a table that are to be sealed.
pub(super) fn sealed_columns<'a>(table: &'a str, selectors: &'a [Columns]) -> impl Iterator<Item = &'a str> {
    let meant = selectors.iter().filter(move |selector| means(selector, table));
    meant.flat_map(|selector| &selector.columns).filter(|column| column.required).map(|column| column.column.as_str())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::document::rows::Column;

    #[test]
    fn what_an_index_is_made_of_is_read_from_its_options() {
        for (arguments, expected) in [
            ("fts5(a, content='t')", Some("t")),
            ("fts5(content, content=\"t t\", a)", Some("t t")),
            ("FTS5(a, Content = [t] , content_rowid='id')", Some("t")),
            ("fts5(a, cont=t)", Some("t")),
            ("fts4(/* x */ content=\"t\", a)", Some("t")),
            ("fts4(tokenize=unicode61 \"remove_diacritics=2\", content=`t`)", Some("t")),
            ("fts5(a, content='')", Some("")),
            ("fts5(body)", None),
            ("fts5(t, a)", None),
            ("fts5(a, content_rowid='t')", None),
            ("rtree(id, a, content='t')", None),
            ("fts5vocab('t', 'row')", None),
        ] {
            let statement = format!("CREATE VIRTUAL TABLE \"using\" USING {arguments}");
            assert_eq!(content(&statement).as_deref(), expected, "{arguments}");
        }
        assert_eq!(content("CREATE TABLE t (a, content = 't')"), None);
    }

    #[test]
    fn views_of_a_sealed_column_are_found_through_other_views() {
        let database = Connection::open_in_memory().unwrap();
        database
            .execute_batch(
                "CREATE TABLE t (id, dis, note); CREATE TABLE tt (dis);\
                 CREATE VIEW named AS SELECT id, \"DIS\" AS d FROM main.t;\
                 CREATE VIEW whole AS SELECT DISTINCT * FROM t;\
                 CREATE VIEW outer_1 AS SELECT d FROM named; CREATE VIEW outer_2 AS SELECT * FROM outer_1;\
                 CREATE VIEW other AS SELECT dis FROM tt; CREATE VIEW notes AS SELECT id, note FROM t;\
                 CREATE VIEW counted AS SELECT count(*), 2 * id FROM t; CREATE VIEW above AS SELECT * FROM counted;",
            )
            .unwrap();
        let columns =
            ["dis", "note"].map(|name| Column { column: name.into(), field: name.into(), required: name == "dis" });
        let (source, table, key, element) = ("t".into(), "t".into(), "id".into(), "UCRYPT".into());
        let selectors = [Columns { source, table, key, columns: columns.into(), element }];
        let mut found = views_of(&database, "t", &selectors).unwrap();
        found.sort();
        assert_eq!(found, ["named", "outer_1", "outer_2", "whole"]);
    }
}
