//! Statements that create, alter or rename tables.

use hashbrown::HashSet;
use sqlparser::ast::{ColumnDef, ColumnOption, ColumnOptionDef, Statement};

use super::sealed::altered;
use super::{KeyTable, TABLE_MEMORY, Tables, is_keys};
use crate::document::Readable;
use crate::document::rows::{Columns, RowsError, Spot};
use crate::document::sql::Dialect;
use crate::document::sql::batch::Unsealable;
use crate::document::sql::created::{Known, Listed};
use crate::document::sql::lex::Token;
use crate::document::sql::relations::{self, Definition, Relation, definition, relations};
use crate::document::sql::statements::Kind;
use crate::document::sql::words::{Name, Words};
use crate::document::sql::writes::written_in;

impl Tables<'_> {
    /// Takes note of what an ALTER or RENAME statement says of whose rows are whose, and forgets the columns of tables that it names and may give
    /// others, or another order.
    pub(super) fn alter(&mut self, statement: &[u8], spot: &Spot) -> Result<Vec<Unsealable>, RowsError> {
        let mut late = self.told_by_alter(statement, spot);
        late.extend(self.show_altered(statement, spot)?);
        match relations(self.words(statement)) {
            Some(relations) => {
                for relation in relations {
                    late.extend(self.relate(relation, spot)?);
                }
            }
            None => late.extend(self.may_fill_any("this statement, of which not all can be read,", spot)),
        }
        if gives_other_columns(self.words(statement), self.dialect) {
            let mut words = self.words(statement);
            while let Some((token, word)) = words.next() {
                if matches!(token, Token::Word | Token::Quoted(_)) {
                    self.created.forget(word);
                }
            }
            let mut words = self.words(statement);
            for part in altered(&mut words).map(|name| self.descent.parts(&name)).unwrap_or_default() {
                self.created.forget(part.as_bytes());
            }
        }
        Ok(late)
    }

    /// What ALTER VIEW ... AS makes of a view.
    fn show_altered(&mut self, statement: &[u8], spot: &Spot) -> Result<Vec<Unsealable>, RowsError> {
        let mut words = self.words(statement);
        let is_there = |words: &mut Words<'_>, word: &str| {
            while !words.accept(word) {
                if words.next().is_none() {
                    return false;
                }
            }
            true
        };
        let mut ahead = words;
        ahead.accept("alter");
        let is_other = ahead.accept("table") || ahead.accept("function") || ahead.accept("procedure");
        if is_other || !is_there(&mut words, "view") || !is_there(&mut words, "as") {
            return Ok(Vec::new());
        }
        self.show(statement, spot)
    }

    /// Takes note that rows of one table are rows of another one. Those that stand before cannot be sealed any more.
    pub(super) fn relate(&mut self, relation: Relation, spot: &Spot) -> Result<Option<Unsealable>, RowsError> {
        let Relation { part, whole } = relation;
        self.take([&part, &whole].into_iter().flatten().map(|name| name.len() + 64).sum::<usize>() + 128, spot)?;
        let mut descent = std::mem::take(&mut self.descent);
        let is_new = descent.add(&part, &whole, |name| self.named_by(name));
        self.descent = descent;
        if !is_new {
            return Ok(None);
        }
        if let Some(told) = self.told_by_parts(spot) {
            return Ok(Some(told));
        }
        // What becomes part of a selected table may have parts itself, or be known under several names.
        let mut rows = self.all.iter().filter(|table| table.selector.is_none() && table.records > 0);
        let late = rows.find_map(|table| Some((table.name.clone(), *self.selectors_of(&table.name).first()?)));
        Ok(late.or_else(|| self.filled_part()).map(|(part, selector)| {
            let (part, whole) = (part.join("."), self.source(selector));
            let what = format!("{part} becomes part of {whole} only here, behind its rows");
            Unsealable { spot: spot.clone(), kind: Readable::Statements, what }
        }))
    }

    /// Takes note of a CREATE TABLE statement. Columns that cannot be read are not noted; a statement that needs them will say so.
    pub(super) fn create(
        &mut self,
        statement: &[u8],
        spot: &Spot,
    ) -> Result<(Option<KeyTable>, Vec<Unsealable>), RowsError> {
        let Some(definition) = definition(self.words(statement)) else { return Ok((None, Vec::new())) };
        let mut unsealable = Vec::new();
        let Definition { name, behind, list_end, columns, mut wholes, divided_by, is_filled, is_virtual } = definition;
        if is_virtual && let Some(selector) = self.shown_by(statement, &name) {
            // An index of texts holds what it is made of.
            wholes.push(self.source(selector).split('.').map(str::to_owned).collect());
        }
        for whole in &wholes {
            unsealable.extend(self.relate(Relation { part: name.clone(), whole: whole.clone() }, spot)?);
        }
        unsealable.extend(self.told_by_definition(behind, divided_by, &name, spot)?);
        unsealable.extend(self.told_by_references(behind, &name, spot));
        if is_filled && !self.selectors_of(&name).is_empty() {
            let what = format!("table {} is filled by a query, so its values cannot be sealed", name.join("."));
            unsealable.push(Unsealable { spot: spot.clone(), kind: Readable::Statements, what });
        } else if is_filled && !self.selectors.is_empty() {
            let moves_nothing = self.moves_nothing(Kind::Fills, statement, spot)?;
            unsealable.extend((!moves_nothing).then(|| self.may_fill_any("this statement", spot)).flatten());
        }
        let is_sure = !self.words(&statement[..behind.at()]).any("exists");
        let otherwise = list_end.and_then(|end| self.parse_unexecuted(&statement[..end]));
        let parsed = list_end.and_then(|end| self.parse(&statement[..end]));
        let listed = match parsed {
            Some(Statement::CreateTable(table)) if is_keys(&name) => {
                return Ok((Some(KeyTable(table.name.to_string())), unsealable));
            }
            // SQLite leaves computed columns out of the rows of a dump; others write DEFAULT for them, or name the columns.
            parsed => self.columns_of(parsed),
        };
        // What not every server executes must not change which columns there are.
        let otherwise = self.columns_of(otherwise);
        let listed = listed.filter(|listed| otherwise.is_none_or(|other| other == *listed));
        let known = match columns {
            relations::Columns::Listed => listed.map(Listed::InOrder),
            relations::Columns::OfWhole => wholes.first().and_then(|whole| self.columns_here(whole)),
            relations::Columns::Inherited => listed.and_then(|listed| self.inherited(&wholes, listed)),
            relations::Columns::Elsewhere => None,
        };
        if let Some(columns) = known.filter(|_| !is_virtual) {
            let names = if let Listed::InOrder(columns) = &columns { &columns[..] } else { &[] };
            self.take(names.iter().map(|column| column.len() + 64).sum::<usize>() + TABLE_MEMORY, spot)?;
            self.created.insert(name, columns, is_sure);
        }
        Ok((None, unsealable))
    }

    /// The columns that a row without their names has. SQLite leaves computed columns out of the rows of a dump; others write DEFAULT for them, or
    /// name the columns.
    fn columns_of(&self, statement: Option<Statement>) -> Option<Vec<String>> {
        let Some(Statement::CreateTable(table)) = statement else { return None };
        let leaves_out = matches!(self.dialect, Dialect::Standard | Dialect::Sqlite);
        let is_computed = |option: &ColumnOptionDef| matches!(option.option, ColumnOption::Generated { .. });
        let is_there = |column: &ColumnDef| !(leaves_out && column.options.iter().any(is_computed));
        Some(table.columns.into_iter().filter(is_there).map(|column| column.name.value).collect())
    }

    fn columns_here(&self, name: &[String]) -> Option<Listed> {
        let Known::Columns(listed) = self.created.columns(name) else { return None };
        Some(listed.clone())
    }

    /// The columns of a table that inherits. A dump has the values of a row in the order in which the columns came to be: those that a parent got
    /// later stand behind its own, wherever the definition puts them. So the order is known only if there is but one.
    fn inherited(&self, wholes: &[Name], own: Vec<String>) -> Option<Listed> {
        let mut columns = Vec::new();
        for whole in wholes {
            match self.columns_here(whole)? {
                Listed::InOrder(inherited) => columns.extend(inherited),
                Listed::Inherited => return Some(Listed::Inherited),
            }
        }
        let is_alike = wholes.len() == 1 && own.is_empty();
        let own_first = own.clone();
        let merged = merged([columns, own].concat());
        Some(if is_alike || merged == own_first { Listed::InOrder(merged) } else { Listed::Inherited })
    }

    /// The selector of a table that the definition of another one names, as a word or in a string.
    pub(super) fn shown_by(&self, statement: &[u8], name: &[String]) -> Option<usize> {
        let mut words = self.words(statement);
        while let Some((token, written)) = words.next() {
            let selector = match token {
                Token::Word => self.selector_of(&[], written),
                Token::Quoted(_) => {
                    self.selector_of_text(written).or_else(|| self.selector_of_text(trimmed_quotes(written)))
                }
                _ => None,
            };
            if let Some(selector) = selector.filter(|selector| !self.named_by(name).contains(selector)) {
                return Some(selector);
            }
        }
        None
    }

    /// The selector of a table that a row of the schema of an SQLite database defines or names: its values stand in tables of other names.
    pub(in crate::document::sql) fn selector_in_schema(&self, row: &[u8]) -> Option<usize> {
        let mut words = self.words(row);
        while let Some((token, written)) = words.next() {
            if let Token::Quoted(b'\'') = token {
                let text = trimmed_quotes(written);
                let found = self
                    .selector_of_text(text)
                    .or_else(|| self.shown_by(text, &[]))
                    .or_else(|| written_in(text, self, true));
                if found.is_some() {
                    return found;
                }
            }
        }
        None
    }

    /// What shows only once the whole dump is read: columns that look like sealed ones, and tables that look like parts of one that is not there.
    pub(in crate::document::sql) fn unsealable(&self) -> Vec<Unsealable> {
        self.unsealable.iter().cloned().chain(self.lookalikes()).collect()
    }

    /// Tables that no selector names and that may be parts of one of the policy, which a dump without definitions does not say: they have its
    /// columns, and nothing in the dump tells that they are tables of their own. Where the table itself is there, only PostgreSQL has parts that
    /// are called otherwise.
    fn lookalikes(&self) -> Vec<Unsealable> {
        let unfound: Vec<&Columns> = self.unfound().collect();
        let others: Vec<&Columns> = self.selectors.iter().filter(|one| !unfound.contains(one)).collect();
        let has_parts = self.dialect == Dialect::PostgreSql;
        // A table may be filled by statements that list its columns in several ways.
        let mut seen = HashSet::new();
        let mut all = Vec::new();
        for table in self.all.iter().filter(|table| table.selector.is_none() && !table.keys && table.records > 0) {
            let has = |wanted: &str| table.plan.columns.iter().any(|column| column.eq_ignore_ascii_case(wanted));
            let is_like = |one: &&&Columns| has(&one.key) && one.columns.iter().all(|column| has(&column.column));
            // Of rows without the names of their columns nothing is known.
            let absent = unfound.iter().filter(|one| !table.is_described || is_like(one));
            let there = others.iter().filter(|one| has_parts && is_like(one));
            let absent = absent.max_by_key(|one| one.columns.len());
            let Some(whole) = absent.or_else(|| there.max_by_key(|one| one.columns.len())) else { continue };
            if self.is_of_its_own(&table.name) || !seen.insert((&table.name, table.is_described, &whole.source)) {
                continue;
            }
            let (name, source) = (table.name.join("."), &whole.source);
            let what = match (absent.is_some(), table.is_described) {
                (true, false) => format!("{name} may have the columns of {source}, which is not there"),
                (true, true) => format!("{name} has the columns of {source}, which is not there"),
                (false, _) => {
                    format!("{name} has the columns of {source}, and the dump does not say that it is no part of it")
                }
            };
            all.push(Unsealable { spot: table.first.clone(), kind: Readable::Tables, what });
        }
        all
    }

    /// Whether the dump defines a table, and all that it is a part of.
    fn is_of_its_own(&self, name: &[String]) -> bool {
        let is_created = |name: &[String]| self.created.has(name);
        is_created(name) && self.descent.wholes(name).into_iter().all(is_created)
    }
}

/// Columns in the order in which they are first named: a table that inherits one may name it again.
fn merged(columns: Vec<String>) -> Vec<String> {
    let mut met = HashSet::new();
    columns.into_iter().filter(|column| met.insert(column.clone())).collect()
}

/// What stands between the quotes of a string.
fn trimmed_quotes(written: &[u8]) -> &[u8] {
    written.get(1..written.len().saturating_sub(1)).unwrap_or_default()
}

/// Whether a statement of these words may give a table other columns, or another order of them: whether it is not known to give none.
fn gives_other_columns(mut words: Words<'_>, dialect: Dialect) -> bool {
    const NONE: [&str; 27] = [
        "alter",
        "attach",
        "auto_increment",
        "character",
        "charset",
        "cluster",
        "collate",
        "comment",
        "default",
        "detach",
        "disable",
        "enable",
        "engine",
        "force",
        "inherit",
        "no",
        "order",
        "owner",
        "replica",
        "reset",
        "row_format",
        "set",
        "validate",
        "discard",
        "import",
        "options",
        "partition",
    ];
    // Behind ADD or DROP, these are no columns; the others are names that a column may have elsewhere.
    const OTHERS: [&str; 5] = ["constraint", "primary", "unique", "foreign", "check"];
    const OTHERS_OF_MYSQL: [&str; 5] = ["key", "index", "partition", "fulltext", "spatial"];
    let is_among = |words: &mut Words<'_>, of: &[&str]| of.iter().any(|known| words.accept(known));
    if altered(&mut words).is_none() {
        return false;
    }
    loop {
        let adds = words.accept("add") || words.accept("drop");
        let keeps = if adds {
            is_among(&mut words, &OTHERS) || (dialect == Dialect::MySql && is_among(&mut words, &OTHERS_OF_MYSQL))
        } else if words.accept("rename") {
            // The table itself, or something that is no column.
            let mut ahead = words;
            ["to", "as", "index", "key", "constraint"].iter().any(|word| ahead.accept(word))
        } else {
            words.accept_all(&["convert", "to"]) || is_among(&mut words, &NONE)
        };
        if !keeps {
            return true;
        }
        while !words.accept_sign(b',') {
            if !words.accept_parenthesis() && words.next().is_none() {
                return false;
            }
        }
    }
}
