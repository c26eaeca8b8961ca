//! Triggers that leave values readable: those that put values into a table of the policy which stand in their definition, and those that may
//! copy the values of a sealed column into rows of something else, such as an index of words or a log.
//!
//! Statements are not followed. A trigger may copy what is sealed wherever one of its statements writes, can read a table that is sealed, and
//! says the name of a sealed column or one that stands for it, in whatever part: only what is certainly harmless is passed.

use std::collections::HashMap;

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
        let copied = Body { words: body(&words), table: &table, sources: &sources }.copied(database);
        if let Some(Copied { column, into }) = copied {
            let (trigger, column, into) = (shown(&trigger), shown(column), shown(into));
            told.push(format!("the trigger {trigger} may put values of the column {column} into {into}"));
        }
    }
    Ok(told)
}

/// A table with sealed columns, or a view through which these can be read, under whatever names.
#[derive(Debug, Default)]
struct Source {
    columns: Vec<String>,
    is_view: bool,
}

/// The sources of a database, by their names in small letters.
type Sources = HashMap<String, Source>;

fn sources(database: &Connection, selectors: &[Columns]) -> rusqlite::Result<Sources> {
    let mut sources = Sources::new();
    for (table, _) in statements(database, "table")? {
        let sealed: Vec<String> = sealed_columns(&table, selectors).map(str::to_owned).collect();
        if sealed.is_empty() {
            continue;
        }
        let views = views_of(database, &table, selectors)?.into_iter().map(|view| (view, true));
        for (name, is_view) in views.chain([(table, false)]) {
            let source = sources.entry(name.to_ascii_lowercase()).or_default();
            source.columns.extend_from_slice(&sealed);
            source.is_view |= is_view;
        }
    }
    Ok(sources)
}

/// What a trigger may copy, and where.
#[derive(Debug, PartialEq, Eq)]
struct Copied<'a> {
    column: &'a str,
    into: &'a str,
}

/// Whether nothing that a trigger put into a table is there any more. Full-text indexes keep words of deleted rows, and views and tables with
/// triggers of their own hand on what they get.
fn is_empty(database: &Connection, table: &str) -> bool {
    let plain = "SELECT count(*) FROM pragma_table_list WHERE schema = 'main' AND type = 'table' AND name = ?1 COLLATE NOCASE \
                 AND NOT EXISTS (SELECT 1 FROM sqlite_schema WHERE type = 'trigger' AND tbl_name = ?1 COLLATE NOCASE)";
    let is_plain = database.query_row(plain, [table], |row| row.get::<_, i64>(0)).is_ok_and(|count| count == 1);
    let rows = format!("SELECT EXISTS (SELECT 1 FROM main.{} NOT INDEXED)", quoted(table));
    is_plain && database.query_row(&rows, [], |row| row.get::<_, bool>(0)).is_ok_and(|has_rows| !has_rows)
}

/// What a trigger does, behind its conditions. The first BEGIN counts, as what is called so stands there, too.
fn body<'a>(trigger: &'a [Word<'a>]) -> &'a [Word<'a>] {
    let begin = trigger.iter().position(|word| word.is("begin"));
    begin.map_or(trigger, |begin| &trigger[begin + 1..])
}

/// What a trigger on a table does.
struct Body<'a> {
    words: &'a [Word<'a>],
    table: &'a str,
    sources: &'a Sources,
}

impl<'a> Body<'a> {
    /// The first sealed column that may be copied, and where to.
    fn copied(&self, database: &Connection) -> Option<Copied<'a>> {
        let statements = self.words.split(|word| *word == Word::Sign(';'));
        let copied = statements.filter_map(|statement| {
            let (into, rest) = written(statement)?;
            // The row that is changed can be read without the name of its table.
            let is_change = statement[0].is("update") || rest.iter().any(|word| word.is("conflict"));
            let changed = if is_change { self.source(into) } else { None };
            let named = rest.iter().filter_map(|word| self.source(word.name()?));
            let read: Vec<&Source> = named.chain(self.source(self.table)).chain(changed).collect();
            let parts = self.parts(into, rest).into_iter();
            let column = parts.flat_map(|part| (0..part.len()).map(move |at| (part, at)));
            let column = column.into_iter().find_map(|(part, at)| self.said(part, at, &read))?;
            Some(Copied { column, into })
        });
        copied.into_iter().find(|copied| !is_empty(database, copied.into))
    }

    fn source(&self, name: &str) -> Option<&'a Source> {
        self.sources.get(&name.to_ascii_lowercase())
    }

    /// The sealed column that this word of a statement may stand for.
    fn said(&self, part: &'a [Word<'a>], at: usize, read: &[&'a Source]) -> Option<&'a str> {
        let word = &part[at];
        let before = at.checked_sub(1).map(|before| &part[before]);
        let first = |source: &'a Source| source.columns.first().map(String::as_str);
        if *word == Word::Sign('*') {
            return if before.is_none_or(may_be_all) { read.iter().copied().find_map(first) } else { None };
        }
        // A text in single quotes is a name only where nothing but a name can stand.
        if matches!(word, Word::Text(_)) && before != Some(&Word::Sign('.')) {
            return None;
        }
        // The columns of a view may be called anything.
        let view = word.name().and_then(|name| self.source(name)).filter(|source| source.is_view);
        let row = ["new", "old"].iter().any(|row| word.names(row)).then(|| self.source(self.table)).flatten();
        if let Some(source) = view.or(row.filter(|source| source.is_view)) {
            return first(source);
        }
        read.iter().flat_map(|source| &source.columns).find(|column| word.names(column)).map(String::as_str)
    }

    /// The parts of a statement, behind the name of the table that it fills, whose values may come to stand in readable columns: not the
    /// names of the columns, nor what a sealed column of the trigger's own table gets in an UPDATE of that.
    fn parts(&self, into: &str, rest: &'a [Word<'a>]) -> Vec<&'a [Word<'a>]> {
        match rest.first() {
            Some(Word::Sign('(')) => {
                let end = rest.iter().position(|word| *word == Word::Sign(')')).unwrap_or(0);
                vec![&rest[end..]]
            }
            Some(word) if word.is("set") => {
                let own = self.source(into).filter(|source| !source.is_view && into.eq_ignore_ascii_case(self.table));
                let is_sealed =
                    |word: &Word<'_>| own.is_some_and(|own| own.columns.iter().any(|column| word.names(column)));
                let (assignments, behind) = assignments(&rest[1..]);
                let readable = assignments.into_iter().filter_map(|assignment| match assignment {
                    [column, Word::Sign('='), ..] if is_sealed(column) => None,
                    [Word::Bare(_) | Word::Quoted(_), Word::Sign('='), value @ ..] => Some(value),
                    other => Some(other),
                });
                readable.chain([behind]).collect()
            }
            _ => vec![rest],
        }
    }
}

/// The table that a statement of a trigger writes into, and what stands behind its name.
fn written<'a>(statement: &'a [Word<'a>]) -> Option<(&'a str, &'a [Word<'a>])> {
    let table = if statement.first()?.is("update") {
        // UPDATE OR IGNORE t
        if statement.get(1)?.is("or") { 3 } else { 1 }
    } else if statement[0].is_one(&["insert", "replace"]) {
        statement.iter().position(|word| word.is("into"))? + 1
    } else {
        return None;
    };
    // In a trigger, it has no schema.
    Some((statement.get(table)?.name()?, &statement[table + 1..]))
}

/// What stands between SET and the next clause, divided at its commas, and the rest.
fn assignments<'a>(rest: &'a [Word<'a>]) -> (Vec<&'a [Word<'a>]>, &'a [Word<'a>]) {
    let (mut found, mut from, mut depth) = (Vec::new(), 0, 0_usize);
    for (at, word) in rest.iter().enumerate() {
        match word {
            Word::Sign('(') => depth += 1,
            Word::Sign(')') => depth = depth.saturating_sub(1),
            Word::Sign(',') if depth == 0 => {
                found.push(&rest[from..at]);
                from = at + 1;
            }
            // What is called so is taken for the clause, and then nothing of it is passed.
            _ if depth == 0 && word.is_one(&["from", "where", "returning", "order", "limit"]) => {
                found.push(&rest[from..at]);
                return (found, &rest[at..]);
            }
            _ => {}
        }
    }
    found.push(&rest[from..]);
    (found, &[])
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
                 CREATE VIEW v AS SELECT id, dis FROM t; CREATE VIEW renamed AS SELECT id, dis AS d FROM t;\
                 CREATE VIEW lv AS SELECT id, dis FROM log WHERE 0; CREATE VIRTUAL TABLE words USING fts5(dis);\
                 CREATE TABLE passed (a); CREATE TRIGGER p AFTER INSERT ON passed BEGIN INSERT INTO log (dis) VALUES (new.a); END;\
                 CREATE TABLE other (id, dis); CREATE TABLE empty (id, dis);\
                 INSERT INTO t VALUES (1, 2, 3, 4); INSERT INTO sealed VALUES (1, 2); INSERT INTO log VALUES (1, 2, 3); INSERT INTO ft VALUES (1)",
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
                "t",
            ),
            (
                "AFTER INSERT ON t BEGIN INSERT INTO log (dis) VALUES (CASE WHEN new.id > 5 THEN new.dis END); END",
                "log",
            ),
            (
                "AFTER INSERT ON t WHEN new.id > 5 BEGIN INSERT INTO log (id) SELECT 1 WHERE 2 UNION SELECT new.dis; END",
                "log",
            ),
            (
                "AFTER UPDATE ON t BEGIN INSERT INTO log SELECT 1, 2, 3 WHERE 0 UNION ALL VALUES (new.id, new.dis, 3); END",
                "log",
            ),
            (
                "AFTER UPDATE ON other BEGIN INSERT INTO log SELECT q.id, q.dis, 1 FROM other x JOIN other y ON x.id = y.id JOIN t q; END",
                "log",
            ),
            (
                "AFTER UPDATE ON other BEGIN INSERT INTO log SELECT 1, j.value, 2 FROM (t) JOIN json_each(t.'dis') j; END",
                "log",
            ),
            ("INSTEAD OF INSERT ON renamed BEGIN INSERT INTO log (dis) VALUES (new.d); END", "log"),
            ("AFTER UPDATE ON t BEGIN INSERT INTO log SELECT id, d, 1 FROM renamed; END", "log"),
            ("AFTER UPDATE ON t BEGIN INSERT INTO lv VALUES (new.id, new.dis); END", "lv"),
            ("AFTER UPDATE ON t BEGIN INSERT INTO passed VALUES (new.dis); END", "passed"),
            ("AFTER UPDATE ON t BEGIN INSERT INTO words (dis) VALUES (new.dis); END", "words"),
            ("AFTER UPDATE ON t BEGIN INSERT OR REPLACE INTO t (id, note) SELECT new.id + 100, new.dis; END", "t"),
            ("AFTER INSERT ON t BEGIN INSERT INTO sealed VALUES (new.id, new.dis); END", "sealed"),
            ("AFTER UPDATE ON t BEGIN UPDATE t SET dis = 'x', note = new.dis WHERE id = new.id; END", "t"),
            ("AFTER UPDATE ON other BEGIN UPDATE t SET note = dis; END", "t"),
            (
                "AFTER UPDATE ON other BEGIN INSERT INTO t (id) VALUES (1) ON CONFLICT (id) DO UPDATE SET note = dis; END",
                "t",
            ),
            // What a condition tells of a value may come to stand elsewhere as well.
            ("AFTER UPDATE ON t BEGIN UPDATE log SET said = 1 WHERE dis = new.dis; END", "log"),
            ("AFTER INSERT ON t BEGIN INSERT INTO log (said) VALUES (CASE WHEN new.dis = 'x' THEN 1 END); END", "log"),
        ] {
            let places = told(&format!("CREATE TRIGGER a {trigger}"));
            let place = format!("the trigger \"a\" may put values of the column \"dis\" into {into:?}");
            assert_eq!(places.last(), Some(&place), "{trigger}");
        }
    }

    #[test]
    fn a_trigger_that_writes_something_else_is_not() {
        for trigger in [
            "AFTER INSERT ON t BEGIN INSERT INTO log (id, said) VALUES (new.id, 'seen'); END",
            "AFTER INSERT ON t BEGIN INSERT INTO log (id, dis) VALUES (new.id, new.note); END",
            "AFTER UPDATE OF dis ON t BEGIN UPDATE t SET modified = datetime() WHERE id = new.id; END",
            "AFTER UPDATE ON t WHEN new.dis IS NOT old.dis BEGIN UPDATE log SET said = 1 WHERE id = new.id; END",
            "AFTER UPDATE ON t BEGIN INSERT INTO log (id, said) VALUES (new.id, 'dis'); UPDATE log SET dis = 'x'; END",
            "AFTER INSERT ON t BEGIN UPDATE t SET dis = trim(new.dis), modified = new.id WHERE id = new.id; END",
            "AFTER INSERT ON t BEGIN INSERT INTO log (id) SELECT count(*) FROM t; END",
            "AFTER INSERT ON t BEGIN INSERT INTO empty VALUES (new.id, new.dis); END",
            "AFTER INSERT ON t BEGIN INSERT INTO log (id, said) VALUES (1, 'new.dis') ON CONFLICT DO NOTHING; END",
            "AFTER INSERT ON other BEGIN INSERT INTO log (dis) VALUES (new.dis); END",
            "AFTER DELETE ON t BEGIN DELETE FROM log WHERE dis = old.dis; SELECT old.dis; END",
        ] {
            assert_eq!(told(&format!("CREATE TRIGGER a {trigger}")), [""; 0], "{trigger}");
        }
    }
}
