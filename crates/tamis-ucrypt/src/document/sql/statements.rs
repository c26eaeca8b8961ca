//! Which statements of a dump may stand beside its rows.
//!
//! A dump of a real tool holds definitions, settings and rows. What it does not hold moves rows in ways that nobody can follow by reading: a block, a
//! call, a string that is executed. So this says what is known to move none, and everything else counts as if it filled any table.

use super::lex::Token;
use super::words::Words;

/// What a statement does when the dump is loaded.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    /// It defines or sets something, or takes rows away.
    Harmless,
    /// The same, as long as it calls nothing: expressions stand in it.
    Sets,
    /// It defines a table, and may fill it.
    Table,
    /// It defines a view.
    View,
    /// It defines a routine or a trigger.
    Routine,
    /// It changes or renames something.
    Alters,
    /// It drops something.
    Drops,
    /// It reads: rows move only if it calls something.
    Reads,
    /// It puts rows into the tables that it names.
    Fills,
    /// Whatever it does cannot be told from what stands in it.
    Unknown,
}

/// Words with which statements begin that put no values into a table, whatever follows.
const HARMLESS: &str = "\
    abort analyse change check checkpoint checksum cluster comment commit deallocate \
    detach discard end flush grant install listen lock notify optimize pragma purge reassign refresh \
    reindex release repair reset revoke rollback savepoint security start stop truncate uninstall \
    unlisten unlock xa";

/// What CREATE may make beside tables, views, routines and schemas.
const MADE: &str = "\
    access aggregate cast collation conversion database domain extension foreign group index language operator \
    policy publication role rule sequence server statistics subscription tablespace text transform type user";

/// Most words and signs between CREATE and what is created: MySQL names owners and algorithms there.
const MOST_WORDS: usize = 24;

/// Functions of the systems that put no rows anywhere, and words that stand before a parenthesis without being called.
const CALLED: &str = "\
    abs all and any array as avg between bigint binary bit bool_and bool_or by case cast ceil char character \
    coalesce concat convert count curdate current_date current_setting current_timestamp currval database date \
    date_format datetime decimal distinct else except exists filter floor from from_base64 gen_random_uuid \
    group_concat having hex if ifnull in int integer intersect interval is json_array json_object \
    last_insert_id least left length like limit lo_close lo_creat lo_create lo_from_bytea lo_open lo_unlink \
    lower lowrite make_date materialized max min mod nextval not now nullif numeric on or over pg_get_serial_sequence pg_restore_attribute_stats \
    pg_restore_relation_stats point printf quote replace return returning right round row row_number select \
    set set_config setval sign st_geomfromtext st_geomfromwkb strftime substr substring sum then time \
    timestamp to_date to_timestamp trim unhex union unistr upper user using utc_timestamp uuid value values \
    varbinary varchar version when where with zeroblob";

/// Whether a name before a parenthesis calls nothing that moves rows.
pub(super) fn is_called_freely(name: &str) -> bool {
    is_among(name.as_bytes(), CALLED)
}

/// Whether a word is one of a list, in which blanks divide them.
fn is_among(word: &[u8], list: &str) -> bool {
    list.split_ascii_whitespace().any(|known| word.eq_ignore_ascii_case(known.as_bytes()))
}

/// What a statement does, by its first words.
pub(super) fn kind(mut words: Words<'_>) -> Kind {
    let start = words;
    let Some((token, first)) = words.next() else { return Kind::Harmless };
    let is = |known: &[&str]| known.iter().any(|known| first.eq_ignore_ascii_case(known.as_bytes()));
    match token {
        Token::Byte(b'(') => reads_or_fills(start),
        Token::Word if is(&["create"]) => created(words),
        Token::Word if is(&["alter", "rename"]) => Kind::Alters,
        Token::Word if is(&["drop"]) => Kind::Drops,
        // SET STATEMENT ... FOR, and anonymous blocks of MariaDB.
        Token::Word if is(&["set"]) && words.accept("statement") => Kind::Unknown,
        Token::Word if is(&["attach", "delete", "set", "show", "vacuum"]) => Kind::Sets,
        Token::Word if is(&["begin"]) => {
            if words.accept("not") {
                Kind::Unknown
            } else {
                Kind::Harmless
            }
        }
        Token::Word if is(&["select", "with", "values", "table", "explain", "analyze", "desc", "describe"]) => {
            reads_or_fills(start)
        }
        // MariaDB dumps a sequence so.
        Token::Word if is(&["do"]) && { words }.accept("setval") => Kind::Reads,
        Token::Word if is(&["insert", "replace", "update", "merge", "load", "copy"]) => Kind::Fills,
        Token::Word if is_among(first, HARMLESS) => Kind::Harmless,
        _ => Kind::Unknown,
    }
}

fn created(mut words: Words<'_>) -> Kind {
    for _ in 0..MOST_WORDS {
        let Some((token, word)) = words.next() else { break };
        if token != Token::Word {
            continue;
        }
        let is = |known: &[&str]| known.iter().any(|known| word.eq_ignore_ascii_case(known.as_bytes()));
        // `DEFINER = user@host`, whatever these are called.
        if is(&["definer"]) && words.accept_sign(b'=') {
            words.next();
            if words.accept_sign(b'@') {
                words.next();
            }
            continue;
        }
        if is(&["table"]) {
            return Kind::Table;
        }
        if is(&["view"]) {
            return Kind::View;
        }
        if is(&["trigger", "function", "procedure", "event", "package"]) {
            return Kind::Routine;
        }
        if is(&["schema"]) {
            // The tables and views of PostgreSQL's CREATE SCHEMA stand in no statement of their own.
            return if words.any("create") { Kind::Unknown } else { Kind::Harmless };
        }
        // CREATE FOREIGN TABLE is one of a table.
        if is(&["foreign"]) && words.accept("table") {
            return Kind::Table;
        }
        if is_among(word, MADE) {
            return Kind::Harmless;
        }
    }
    Kind::Unknown
}

/// Whether a query only reads. `INTO @a` sets a variable.
fn reads_or_fills(mut words: Words<'_>) -> Kind {
    const FILL: [&str; 8] = ["insert", "update", "delete", "merge", "create", "execute", "into", "replace"];
    while let Some((token, word)) = words.next() {
        let is = |known: &str| token == Token::Word && word.eq_ignore_ascii_case(known.as_bytes());
        let is_call = is("replace") && { words }.accept_sign(b'(');
        let is_variable =
            is("into") && ({ words }.accept_sign(b'@') || { words }.accept("outfile") || { words }.accept("dumpfile"));
        if !is_call && !is_variable && FILL.iter().any(|known| is(known)) {
            return Kind::Fills;
        }
    }
    Kind::Reads
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::document::rows::Charset;
    use crate::document::sql::Dialect;

    #[test]
    fn what_is_not_known_to_move_no_rows_is_not_harmless() {
        use Kind::{Alters, Drops, Fills, Harmless, Reads, Routine, Sets, Table, Unknown, View};
        for (statement, expected) in [
            ("", Harmless),
            ("BEGIN TRANSACTION", Harmless),
            ("BEGIN NOT ATOMIC SELECT 1", Unknown),
            ("LOCK TABLES `t` WRITE", Harmless),
            ("COMMENT ON TABLE t IS 'CALL f()'", Harmless),
            ("CREATE UNIQUE INDEX i ON t (a)", Harmless),
            ("CREATE SCHEMA s", Harmless),
            ("CREATE SCHEMA s CREATE TABLE t (a int)", Unknown),
            ("CREATE OR REPLACE ALGORITHM=UNDEFINED DEFINER=`a`@`b` SQL SECURITY DEFINER VIEW v AS SELECT 1", View),
            ("CREATE DEFINER = user@localhost VIEW v AS SELECT 1", View),
            ("CREATE MATERIALIZED VIEW v AS SELECT 1", View),
            ("CREATE TEMP TABLE t (a int)", Table),
            ("CREATE FOREIGN TABLE t (a int) SERVER s", Table),
            ("CREATE FOREIGN DATA WRAPPER w", Harmless),
            ("CREATE CONSTRAINT TRIGGER t AFTER INSERT ON x", Routine),
            ("CREATE NOVELTY n", Unknown),
            ("ALTER TABLE t RENAME TO u", Alters),
            ("DROP TABLE t", Drops),
            ("SET @a = 5", Sets),
            ("DELETE FROM sqlite_sequence", Sets),
            ("SELECT pg_catalog.setval('s', 5)", Reads),
            ("(SELECT 1)", Reads),
            ("SELECT replace(a, 'x', 'y') INTO @a FROM t", Reads),
            ("SELECT 5 INTO t", Fills),
            ("WITH x AS (DELETE FROM u RETURNING *) SELECT 1", Fills),
            ("EXPLAIN ANALYZE UPDATE t SET a = 5", Fills),
            ("UPDATE t SET a = 5", Fills),
            ("DO $$ BEGIN END $$", Unknown),
            ("DO SETVAL(`s`, 5, 0)", Reads),
            ("CALL f()", Unknown),
            ("SET STATEMENT max_statement_time = 5 FOR UPDATE t SET a = 5", Unknown),
            ("ANALYZE FORMAT=JSON UPDATE t SET a = 5", Fills),
            ("ANALYZE TABLE t", Reads),
            ("PREPARE s FROM @a", Unknown),
            ("EXECUTE IMMEDIATE 'x'", Unknown),
            ("BINLOG 'AAAA'", Unknown),
            ("IF 1 THEN SELECT 1", Unknown),
            ("5", Unknown),
        ] {
            let words = Words::new(statement.as_bytes(), Dialect::MySql, Charset::default());
            assert_eq!(kind(words), expected, "{statement}");
        }
    }

    #[test]
    fn what_is_called_freely_is_known_by_its_name() {
        assert!(["COUNT", "setval", "varchar", "in"].iter().all(|name| is_called_freely(name)));
        assert!(!["f", "query_to_xml", "dblink", "load_extension"].iter().any(|name| is_called_freely(name)));
    }
}
