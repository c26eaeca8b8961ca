//! Triggers that leave values readable: those that put values into a table of the policy which stand in their definition, and those that copy
//! the values of a sealed column into another table that has rows, such as an index of words or a log.

use std::collections::{BTreeMap, HashMap};

use rusqlite::Connection;

use super::indexes::{may_be_all, sealed_columns, statements, views_of};
use super::table::quoted;
use super::words::{Word, words};
use crate::document::rows::Columns;
use crate::document::sql::{Dialect, filled_by};
use crate::shown::shown;

/// What the triggers of a database would leave readable, in words for the user.
pub(super) fn telling_triggers(database: &Connection, selectors: &[Columns]) -> rusqlite::Result<Vec<String>> {
    let sources = sources(database, selectors)?;
    let query =
        "SELECT name, tbl_name, sql FROM sqlite_schema WHERE type = 'trigger' AND sql IS NOT NULL ORDER BY name";
    let mut prepared = database.prepare(query)?;
    let mut rows = prepared.query([])?;
    let mut told = Vec::new();
    while let Some(row) = rows.next()? {
        let (trigger, table, statement): (String, String, String) = (row.get(0)?, row.get(1)?, row.get(2)?);
        if let Some(filled) = filled_by(&statement, Dialect::Sqlite, selectors) {
            told.push(format!("the trigger {} may put values into {}", shown(&trigger), shown(&filled.source)));
        }
        let words: Vec<Word<'_>> = words(&statement).collect();
        let watched = sources.get(&table.to_ascii_lowercase()).map_or(&[][..], Vec::as_slice);
        let copied = copied(&words, watched, &sources, selectors);
        if let Some(Copied { column, into }) = copied.into_iter().find(|copied| has_rows(database, copied.into)) {
            let (trigger, column, into) = (shown(&trigger), shown(column), shown(into));
            told.push(format!("the trigger {trigger} puts values of the column {column} into {into}"));
        }
    }
    Ok(told)
}

/// The sealed columns of tables, and of views through which these can be read, by their names in small letters.
type Sources = HashMap<String, Vec<String>>;

fn sources(database: &Connection, selectors: &[Columns]) -> rusqlite::Result<Sources> {
    let mut sources = Sources::new();
    for (table, _) in statements(database, "table")? {
        let sealed: Vec<String> = sealed_columns(&table, selectors).map(str::to_owned).collect();
        if sealed.is_empty() {
            continue;
        }
        for name in views_of(database, &table, selectors)?.into_iter().chain([table]) {
            sources.entry(name.to_ascii_lowercase()).or_default().extend_from_slice(&sealed);
        }
    }
    Ok(sources)
}

/// What a trigger copies, and where.
#[derive(Debug, PartialEq, Eq)]
struct Copied<'a> {
    column: &'a str,
    into: &'a str,
}

/// Whether a table has rows. An empty one will get sealed values, at most.
fn has_rows(database: &Connection, table: &str) -> bool {
    database
        .query_row(&format!("SELECT EXISTS (SELECT 1 FROM {})", quoted(table)), [], |row| row.get(0))
        .unwrap_or(true)
}

/// The sealed columns that the statements of a trigger copy; `watched` are those of its own table.
fn copied<'a>(
    trigger: &'a [Word<'a>],
    watched: &'a [String],
    sources: &'a Sources,
    selectors: &'a [Columns],
) -> Vec<Copied<'a>> {
    let begins = |pair: &[Word<'_>]| pair[0].is("begin") && pair[1].is_one(&VERBS);
    let Some(begin) = trigger.windows(2).position(begins) else { return Vec::new() };
    let statements = trigger[begin + 1..].split(|word| *word == Word::Sign(';'));
    statements.filter_map(|statement| Written::of(statement, selectors)?.copied(watched, sources)).collect()
}

/// With what a statement of a trigger begins.
const VERBS: [&str; 5] = ["insert", "replace", "update", "delete", "select"];

/// A statement of a trigger that writes into a table.
struct Written<'a> {
    into: &'a str,
    /// Columns whose values are sealed there.
    sealed: Vec<&'a str>,
    is_update: bool,
    /// What stands behind the name of the table.
    rest: &'a [Word<'a>],
}

impl<'a> Written<'a> {
    fn of(statement: &'a [Word<'a>], selectors: &'a [Columns]) -> Option<Self> {
        let is_update = statement.first()?.is("update");
        let table = if is_update {
            // UPDATE OR IGNORE t
            if statement.get(1)?.is("or") { 3 } else { 1 }
        } else if statement[0].is_one(&["insert", "replace"]) {
            statement.iter().position(|word| word.is("into"))? + 1
        } else {
            return None;
        };
        // In a trigger, it has no schema.
        let into = statement.get(table)?.name()?;
        let sealed = sealed_columns(into, selectors).collect();
        Some(Self { into, sealed, is_update, rest: &statement[table + 1..] })
    }

    /// The first sealed column whose values are written where they are not sealed.
    fn copied(&self, watched: &'a [String], sources: &'a Sources) -> Option<Copied<'a>> {
        if !self.is_update && !self.sealed.is_empty() {
            return None;
        }
        let of = |sealed: &'a [String], word: &Word<'_>| sealed.iter().find(|column| word.names(column));
        let mut values = Values::default();
        // What is read outside of conditions, and of which tables and views.
        let (mut read, mut from) = (Vec::new(), BTreeMap::new());
        for at in 0..self.rest.len() {
            let [before, word, next] = [at.wrapping_sub(1), at, at + 1].map(|at| self.rest.get(at));
            let Some(word) = word else { break };
            if !values.take(before, word, next, self) {
                continue;
            }
            let is_of_row = |dot: usize| {
                self.rest.get(dot) == Some(&Word::Sign('.'))
                    && dot.checked_sub(1).is_some_and(|row| self.rest[row].names("new") || self.rest[row].names("old"))
            };
            // Whether there is a value at all tells nothing of it.
            let is_test = next.is_some_and(|next| next.is_one(&["is", "isnull", "notnull", "not"]));
            if at > 0 && is_of_row(at - 1) {
                match of(watched, word) {
                    Some(column) if !is_test => return Some(Copied { column, into: self.into }),
                    _ => continue,
                }
            }
            if values.is_query && !is_test {
                read.push((before, word));
            }
            if let Some(name) = word.name()
                && before.is_some_and(|one| one.is_one(&["from", "join"]) || matches!(one, Word::Sign(',' | '.')))
                && let Some((name, sealed)) = sources.get_key_value(&name.to_ascii_lowercase())
            {
                from.insert(name, sealed);
            }
        }
        let first = || from.values().find_map(|sealed| sealed.first());
        let column = read.into_iter().find_map(|(before, word)| match word {
            Word::Sign('*') if before.is_some_and(may_be_all) => first(),
            _ => from.values().find_map(|sealed| of(sealed, word)),
        });
        column.map(|column| Copied { column, into: self.into })
    }
}

/// Where a statement has values that it writes, and where conditions.
#[derive(Default)]
struct Values<'a> {
    depth: usize,
    /// In how many parentheses a condition began.
    condition: Option<usize>,
    /// The same of one between WHEN and THEN.
    case: Option<usize>,
    /// The column that SET gives a value.
    assigned: Option<&'a str>,
    /// Whether columns of tables may be read here.
    is_query: bool,
}

impl<'a> Values<'a> {
    /// Takes a word; false if it is not part of a value that is written where it is not sealed.
    fn take(
        &mut self,
        before: Option<&Word<'_>>,
        word: &'a Word<'a>,
        next: Option<&Word<'_>>,
        of: &Written<'_>,
    ) -> bool {
        match word {
            Word::Sign('(') => self.depth += 1,
            Word::Sign(')') => {
                self.depth = self.depth.saturating_sub(1);
                for inside in [&mut self.condition, &mut self.case] {
                    *inside = inside.filter(|depth| *depth <= self.depth);
                }
            }
            _ if word.is_one(&["select", "set"]) => {
                self.is_query |= of.is_update || word.is("select");
                self.condition = self.condition.filter(|depth| *depth < self.depth);
            }
            _ if word.is_one(&["where", "on", "having"]) => self.condition = self.condition.or(Some(self.depth)),
            _ if word.is("when") => self.case = self.case.or(Some(self.depth)),
            _ if word.is("then") => self.case = self.case.filter(|depth| *depth < self.depth),
            _ => {}
        }
        let is_first = before.is_some_and(|before| before.is("set") || *before == Word::Sign(','));
        if of.is_update && self.depth == 0 && self.condition.is_none() && is_first {
            self.assigned = word.name().filter(|_| next == Some(&Word::Sign('=')));
            if self.assigned.is_some() {
                return false;
            }
        }
        let is_sealed = |name: &str| of.sealed.iter().any(|column| column.eq_ignore_ascii_case(name));
        self.condition.is_none() && self.case.is_none() && !self.assigned.is_some_and(is_sealed)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::document::rows::Column;

    fn selector(table: &str, column: &str) -> Columns {
        let column = Column { column: column.into(), field: column.into(), required: true };
        let (key, element) = ("id".into(), "UCRYPT".into());
        Columns { source: table.into(), table: table.into(), key, columns: vec![column], element }
    }

    fn told(trigger: &str) -> Vec<String> {
        let database = Connection::open_in_memory().unwrap();
        database
            .execute_batch(
                "CREATE TABLE t (id INTEGER PRIMARY KEY, dis, note, modified); CREATE TABLE sealed (id, of);\
                 CREATE TABLE log (id, dis, said); CREATE VIRTUAL TABLE ft USING fts5(dis);\
                 CREATE VIEW v AS SELECT id, dis FROM t; CREATE TABLE other (id, dis); CREATE TABLE empty (id, dis);\
                 INSERT INTO t VALUES (1, 2, 3, 4); INSERT INTO log VALUES (1, 2, 3); INSERT INTO ft VALUES (1)",
            )
            .unwrap();
        database.execute_batch(trigger).unwrap();
        telling_triggers(&database, &[selector("t", "dis"), selector("sealed", "of")]).unwrap()
    }

    #[test]
    fn a_trigger_that_copies_a_sealed_column_is_found() {
        for (trigger, into) in [
            ("AFTER INSERT ON t BEGIN INSERT INTO ft (rowid, dis) VALUES (new.id, new.dis); END", "ft"),
            (
                "AFTER UPDATE OF dis ON t BEGIN DELETE FROM ft; UPDATE ft SET dis = NEW.\"Dis\" WHERE rowid = new.id; END",
                "ft",
            ),
            (
                "AFTER DELETE ON t BEGIN REPLACE INTO log SELECT old.id, upper(old.dis), 'gone' WHERE old.id > 5; END",
                "log",
            ),
            ("AFTER UPDATE ON t BEGIN UPDATE OR IGNORE t SET note = new.note || new.dis WHERE id = new.id; END", "t"),
            (
                "AFTER INSERT ON t BEGIN INSERT OR REPLACE INTO ft (rowid, dis) SELECT id, dis FROM t WHERE id = new.id; END",
                "ft",
            ),
            ("AFTER INSERT ON other BEGIN INSERT INTO log SELECT t.*, 1 FROM t; END", "log"),
            (
                "AFTER INSERT ON t BEGIN INSERT INTO empty VALUES (1, new.dis); INSERT INTO log (dis) VALUES (new.dis); END",
                "log",
            ),
            (
                "AFTER INSERT ON other BEGIN UPDATE log SET dis = (SELECT x.dis FROM other o JOIN t x ON x.id = o.id); END",
                "log",
            ),
            ("AFTER INSERT ON other BEGIN UPDATE log SET dis = t.dis FROM t WHERE t.id = log.id; END", "log"),
            (
                "INSTEAD OF INSERT ON v BEGIN INSERT INTO t (id, dis) VALUES (new.id, new.dis); INSERT INTO log (dis) VALUES (new.dis); END",
                "log",
            ),
            (
                "AFTER INSERT ON t BEGIN INSERT INTO log (dis) VALUES (CASE WHEN new.id > 5 THEN new.dis END); END",
                "log",
            ),
            (
                "AFTER INSERT ON t WHEN new.id > 5 BEGIN INSERT INTO log (id) SELECT 1 WHERE 2 UNION SELECT new.dis; END",
                "log",
            ),
        ] {
            let place = told(&format!("CREATE TRIGGER a {trigger}"));
            assert_eq!(
                place,
                [format!("the trigger \"a\" puts values of the column \"dis\" into {into:?}")],
                "{trigger}"
            );
        }
    }

    #[test]
    fn a_trigger_that_writes_something_else_is_not() {
        for trigger in [
            "AFTER INSERT ON t BEGIN INSERT INTO log (id, said) VALUES (new.id, 'seen'); END",
            "AFTER INSERT ON t BEGIN INSERT INTO log (id, dis) VALUES (new.id, new.note); END",
            "AFTER UPDATE OF dis ON t BEGIN UPDATE t SET modified = datetime() WHERE id = new.id; END",
            "AFTER UPDATE ON t WHEN new.dis IS NOT old.dis BEGIN UPDATE log SET said = 1 WHERE dis = new.dis; END",
            "AFTER INSERT ON t BEGIN UPDATE t SET dis = trim(new.dis), modified = new.id WHERE id = new.id; END",
            "AFTER INSERT ON t BEGIN INSERT INTO sealed VALUES (new.id, new.dis); END",
            "AFTER INSERT ON t BEGIN INSERT INTO log (said) VALUES (CASE WHEN new.dis = 'x' THEN 1 ELSE 2 END); END",
            "AFTER INSERT ON t BEGIN INSERT INTO log (said) VALUES (new.dis IS NULL); END",
            "AFTER INSERT ON t BEGIN INSERT INTO log (id, dis) SELECT o.id, 'x' FROM other o JOIN t ON t.dis = o.dis; END",
            "AFTER INSERT ON t BEGIN INSERT INTO log (id) SELECT count(*) FROM t; END",
            "AFTER INSERT ON t BEGIN INSERT INTO empty VALUES (new.id, new.dis); END",
            "AFTER INSERT ON t BEGIN INSERT INTO log (id, said) VALUES (1, 'new.dis') ON CONFLICT DO NOTHING; END",
            "AFTER INSERT ON other BEGIN INSERT INTO log (dis) VALUES (new.dis); END",
            "AFTER DELETE ON t BEGIN DELETE FROM log WHERE dis = old.dis; SELECT old.dis; END",
            "AFTER INSERT ON t BEGIN INSERT INTO log (id) VALUES ((SELECT id FROM t WHERE dis = new.dis)); END",
        ] {
            assert_eq!(told(&format!("CREATE TRIGGER a {trigger}")), [""; 0], "{trigger}");
        }
    }
}
