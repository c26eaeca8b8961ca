//! What statements say of tables: which one is created, and whose rows are rows of another one.

use super::lex::Token;
use super::words::{Name, Words};

/// What a CREATE TABLE statement says, apart from the columns that it lists.
pub(super) struct Definition<'a> {
    pub(super) name: Name,
    /// What stands behind the name.
    pub(super) behind: Words<'a>,
    /// Where its list of columns ends, if it has one.
    pub(super) list_end: Option<usize>,
    /// Where its columns come from.
    pub(super) columns: Columns,
    /// The tables that its rows belong to.
    pub(super) wholes: Vec<Name>,
    /// The names in what says which row belongs to which of its parts.
    pub(super) divided_by: Vec<String>,
    /// Whether a query fills it.
    pub(super) is_filled: bool,
    /// Whether it is a view of other tables that an extension keeps, as a full-text index is.
    pub(super) is_virtual: bool,
}

/// Where the columns of a table come from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Columns {
    /// From its list.
    Listed,
    /// From the table that it is a partition of.
    OfWhole,
    /// From the tables that it inherits from, and then from its list.
    Inherited,
    /// From elsewhere too.
    Elsewhere,
}

/// Rows of one table that are rows of another one.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Relation {
    pub(super) part: Name,
    pub(super) whole: Name,
}

/// Reads a CREATE TABLE statement.
pub(super) fn definition(mut words: Words<'_>) -> Option<Definition<'_>> {
    const MOST_WORDS: usize = 6;
    let mut is_virtual = false;
    let is_table = (0..MOST_WORDS).any(|_| {
        is_virtual |= words.accept("virtual");
        let is_table = words.accept("table");
        if !is_table {
            words.next();
        }
        is_table
    });
    if !is_table {
        return None;
    }
    words.accept_all(&["if", "not", "exists"]);
    let name = words.name()?;
    let (wholes, divided_by) = (Vec::new(), Vec::new());
    let columns = Columns::Listed;
    let behind = words;
    let mut found =
        Definition { name, behind, list_end: None, columns, wholes, divided_by, is_filled: false, is_virtual };
    let mut before: &[u8] = b"";
    loop {
        let mut ahead = words;
        if words.accept_parenthesis() {
            if found.list_end.is_none() {
                ahead.accept_sign(b'(');
                found.is_filled |= ["select", "with", "values", "table"].iter().any(|word| ahead.accept(word));
                found.list_end = Some(words.at());
            }
            continue;
        }
        if words.accept_all(&["partition", "by"]) {
            found.divided_by.extend(names_in_parenthesis(&mut words));
            continue;
        }
        if words.accept_all(&["partition", "of"]) {
            found.wholes.extend(words.name());
            found.columns = Columns::OfWhole;
            continue;
        }
        if words.accept("inherits") {
            found.wholes.extend(list_of_names(&mut words));
            found.columns = Columns::Inherited;
            continue;
        }
        if words.accept("union") {
            // MySQL's MERGE tables: their rows are rows of the tables that they join.
            words.accept_sign(b'=');
            found.wholes.extend(list_of_names(&mut words));
            continue;
        }
        let Some((token, word)) = words.next() else { return Some(found) };
        if token == Token::Byte(b'(') {
            // A parenthesis that does not end: nothing behind it can be told.
            return None;
        }
        if token == Token::Word {
            let is = |known: &str| word.eq_ignore_ascii_case(known.as_bytes());
            // The bounds of a partition stand behind FOR VALUES.
            found.is_filled |= ["as", "select", "table", "execute"].iter().any(|known| is(known))
                || (is("values") && !before.eq_ignore_ascii_case(b"for"));
            if is("like") || is("of") {
                found.columns = Columns::Elsewhere;
            }
            before = word;
        }
    }
}

/// The names of tables in the parenthesis that opens here.
fn list_of_names(words: &mut Words<'_>) -> Vec<Name> {
    let mut names = Vec::new();
    if words.accept_sign(b'(') {
        names.extend(words.name());
        while words.accept_sign(b',') {
            names.extend(words.name());
        }
        words.accept_sign(b')');
    }
    names
}

/// The names in the next parenthesis, a few words ahead.
pub(super) fn names_in_parenthesis(words: &mut Words<'_>) -> Vec<String> {
    const MOST_WORDS: usize = 3;
    for _ in 0..MOST_WORDS {
        let mut inside = *words;
        if words.accept_parenthesis() {
            let mut names = Vec::new();
            while inside.at() < words.at() {
                match inside.name() {
                    Some(name) => names.extend(name),
                    None => drop(inside.next()),
                }
            }
            return names;
        }
        words.next();
    }
    Vec::new()
}

/// What a statement that begins with ALTER or RENAME says of whose rows are whose. A table that gets another name is both. Nothing, if it may
/// say more than can be read.
pub(super) fn relations(mut words: Words<'_>) -> Option<Vec<Relation>> {
    let mut found = Vec::new();
    if words.accept("rename") {
        // MySQL has one statement for several tables.
        if !words.accept("table") && !words.accept("tables") {
            return words.accept("user").then_some(found);
        }
        words.accept_all(&["if", "exists"]);
        loop {
            let old = words.name()?;
            waits(&mut words);
            let new = words.accept("to").then(|| words.name())??;
            both(&mut found, &old, &new);
            if !words.accept_sign(b',') {
                return is_over(words).then_some(found);
            }
        }
    }
    words.accept("alter");
    if words.accept("schema") {
        // Tables of the policy may have other schemas behind it.
        return (!std::iter::from_fn(|| words.next()).any(|(_, word)| word.eq_ignore_ascii_case(b"rename")))
            .then_some(found);
    }
    while ["online", "offline", "ignore", "foreign", "materialized"].iter().any(|word| words.accept(word)) {}
    if !words.accept("table") && !words.accept("view") {
        return Some(found);
    }
    words.accept_all(&["if", "exists"]);
    words.accept("only");
    if words.accept_all(&["all", "in", "tablespace"]) {
        return Some(found);
    }
    let table = words.name()?;
    waits(&mut words);
    // Several changes may follow, divided by commas.
    loop {
        words.accept("no");
        if words.accept("attach") {
            if !words.accept("partition") {
                return None;
            }
            words.accept_all(&["if", "not", "exists"]);
            found.push(Relation { part: words.name()?, whole: table.clone() });
        } else if words.accept("inherit") {
            found.push(Relation { part: table.clone(), whole: words.name()? });
        } else if words.accept("exchange") {
            // MySQL: EXCHANGE PARTITION p WITH TABLE t moves the rows of both.
            words.accept("partition").then(|| words.name())??;
            both(&mut found, &table, &words.accept_all(&["with", "table"]).then(|| words.name())??);
        } else if words.accept("convert") {
            // MariaDB: CONVERT TABLE t TO PARTITION p, and back.
            if words.accept("table") {
                both(&mut found, &table, &words.name()?);
            } else if words.accept("partition") {
                words.name()?;
                both(&mut found, &table, &words.accept_all(&["to", "table"]).then(|| words.name())??);
            } else if !words.accept("to") {
                return None;
            }
        } else if words.accept_all(&["set", "schema"]) {
            let mut schema = words.name()?;
            schema.extend(table.last().cloned());
            both(&mut found, &table, &schema);
        } else if words.accept("rename")
            && let Some(new) = renamed(&mut words)?
        {
            // A name without its schema stays in that of the table.
            let schema = if new.len() == 1 { &table[..table.len() - 1] } else { &[] };
            both(&mut found, &table, &[schema, &new].concat());
        }
        // On to the next one.
        while !words.accept_sign(b',') {
            if !words.accept_parenthesis() && words.next().is_none() {
                return Some(found);
            }
        }
    }
}

/// What stands behind RENAME in ALTER TABLE: the new name of the table, or nothing if something else gets another name.
#[expect(clippy::option_option, reason = "neither a table nor anything else that is known is a third case")]
fn renamed(words: &mut Words<'_>) -> Option<Option<Name>> {
    if ["column", "index", "key", "constraint", "attribute", "value"].iter().any(|word| words.accept(word)) {
        return Some(None);
    }
    if words.accept("to") || words.accept("as") || words.accept_sign(b'=') {
        return words.name().map(Some);
    }
    let name = words.name()?;
    // A column: RENAME a TO b. MySQL takes a name alone for that of the table.
    if words.accept("to") {
        return words.name().map(|_| None);
    }
    let is_last = is_over(*words) || { *words }.accept_sign(b',');
    is_last.then_some(Some(name))
}

/// Takes how long MariaDB waits for a table.
fn waits(words: &mut Words<'_>) {
    if words.accept("wait") {
        words.next();
    } else {
        words.accept("nowait");
    }
}

/// Whether nothing follows.
fn is_over(mut words: Words<'_>) -> bool {
    matches!(words.next(), None | Some((Token::Byte(b';'), _)))
}

/// Takes note that two names mean one table.
fn both(found: &mut Vec<Relation>, one: &[String], other: &[String]) {
    for (part, whole) in [(one, other), (other, one)] {
        found.push(Relation { part: part.to_vec(), whole: whole.to_vec() });
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::document::rows::Charset;
    use crate::document::sql::Dialect;

    fn words(statement: &str) -> Words<'_> {
        Words::new(statement.as_bytes(), Dialect::PostgreSql, Charset::default())
    }

    fn defined(statement: &str) -> (String, Columns, String, bool) {
        let found = definition(words(statement)).unwrap();
        let wholes: Vec<String> = found.wholes.iter().map(|whole| whole.join(".")).collect();
        (found.name.join("."), found.columns, wholes.join(" "), found.is_filled)
    }

    #[test]
    fn parts_of_tables_name_the_tables_that_they_are_parts_of() {
        use Columns::{Elsewhere, Inherited, Listed, OfWhole};
        for (statement, name, columns, wholes, is_filled) in [
            ("CREATE TABLE t (id int DEFAULT (1), a text);", "t", Listed, "", false),
            (
                "CREATE UNLOGGED TABLE IF NOT EXISTS s.\"T\" (a int) INHERITS (s.a, \"b c\");",
                "s.T",
                Inherited,
                "s.a b c",
                false,
            ),
            ("CREATE TABLE p PARTITION OF s.w FOR VALUES FROM ('a') TO ('b');", "p", OfWhole, "s.w", false),
            (
                "CREATE TABLE p PARTITION OF w (PRIMARY KEY (id)) DEFAULT PARTITION BY RANGE (id);",
                "p",
                OfWhole,
                "w",
                false,
            ),
            ("CREATE TABLE t (LIKE u) WITH (fillfactor = 70);", "t", Listed, "", false),
            ("CREATE TABLE t (a int) ENGINE=MERGE UNION=(s.u, v) INSERT_METHOD=LAST;", "t", Listed, "s.u v", false),
            ("CREATE TABLE t LIKE u;", "t", Elsewhere, "", false),
            ("CREATE TEMP TABLE t AS SELECT 5 AS id, 'x' AS a;", "t", Listed, "", true),
            ("CREATE TABLE t (id, a) AS VALUES (5, 'x');", "t", Listed, "", true),
            ("CREATE TABLE t (SELECT 5 AS id, 'x' AS a);", "t", Listed, "", true),
            ("CREATE TABLE t (id int) ENGINE=InnoDB SELECT 5 AS id;", "t", Listed, "", true),
            ("CREATE TABLE t AS TABLE u;", "t", Listed, "", true),
        ] {
            assert_eq!(defined(statement), (name.into(), columns, wholes.into(), is_filled), "{statement}");
        }
        assert!(definition(words("CREATE INDEX i ON t (a);")).is_none());
        assert!(definition(words("CREATE TABLE t (a int")).is_none());
        assert!(definition(words("CREATE VIRTUAL TABLE t USING fts5(a)")).unwrap().is_virtual);
        let divided = "CREATE TABLE t (a int, b text) PARTITION BY LIST (lower(\"b\"), a) WITH (x = y)";
        assert_eq!(definition(words(divided)).unwrap().divided_by, ["lower", "b", "a"]);
    }

    #[test]
    fn tables_become_parts_of_others_or_get_other_names() {
        let told = |statement| {
            let told = |found: &Relation| format!("{}<{}", found.part.join("."), found.whole.join("."));
            match relations(words(statement)) {
                Some(found) => found.iter().map(told).collect::<Vec<_>>().join(" "),
                None => "?".to_owned(),
            }
        };
        for (statement, expected) in [
            ("ALTER TABLE ONLY s.w ATTACH PARTITION s.p FOR VALUES FROM (1) TO (2);", "s.p<s.w"),
            ("ALTER TABLE IF EXISTS c ADD COLUMN x int, INHERIT p;", "c<p"),
            ("ALTER TABLE c NO INHERIT p;", "c<p"),
            ("ALTER TABLE s.a RENAME TO b;", "s.a<s.b s.b<s.a"),
            ("ALTER TABLE a RENAME b;", "a<b b<a"),
            ("ALTER TABLE a RENAME x TO y;", ""),
            ("ALTER TABLE a RENAME COLUMN x TO y;", ""),
            ("ALTER TABLE old.a SET SCHEMA new;", "old.a<new.a new.a<old.a"),
            ("ALTER TABLE w EXCHANGE PARTITION p WITH TABLE x;", "w<x x<w"),
            ("ALTER TABLE a RENAME = b;", "a<b b<a"),
            ("ALTER ONLINE IGNORE TABLE a WAIT 5 RENAME TO b", "a<b b<a"),
            ("RENAME TABLE a WAIT 5 TO b, c NOWAIT TO d;", "a<b b<a c<d d<c"),
            ("ALTER TABLE a CONVERT TABLE b TO PARTITION p VALUES LESS THAN (5);", "a<b b<a"),
            ("ALTER TABLE a CONVERT PARTITION p TO TABLE b;", "a<b b<a"),
            ("ALTER TABLE a CONVERT TO CHARACTER SET utf8mb4;", ""),
            ("ALTER MATERIALIZED VIEW a RENAME TO b;", "a<b b<a"),
            ("ALTER SCHEMA a OWNER TO b;", ""),
            ("RENAME USER a TO b;", ""),
            // What cannot be read.
            ("RENAME TABLE a AS b;", "?"),
            ("RENAME a TO b;", "?"),
            ("ALTER TABLE a RENAME := b;", "?"),
            ("ALTER TABLE a EXCHANGE p WITH b;", "?"),
            ("ALTER TABLE a CONVERT b;", "?"),
            ("ALTER TABLE a ATTACH b;", "?"),
            ("ALTER SCHEMA a RENAME TO b;", "?"),
            ("RENAME TABLE a TO b, s.c TO s.d;", "a<b b<a s.c<s.d s.d<s.c"),
            ("ALTER TABLE a ADD CONSTRAINT k PRIMARY KEY (id);", ""),
            ("ALTER INDEX i ATTACH PARTITION j;", ""),
        ] {
            assert_eq!(told(statement), expected, "{statement}");
        }
    }
}
