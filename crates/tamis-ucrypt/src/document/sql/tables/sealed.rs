//! Definitions that would tell what sealed columns hold: foreign keys to them, partitions by them, values that they are computed from.

use super::Tables;
use crate::document::Readable;
use crate::document::rows::{RowsError, Spot};
use crate::document::sql::batch::Unsealable;
use crate::document::sql::lex::Token;
use crate::document::sql::relations::names_in_parenthesis;
use crate::document::sql::words::{Name, Words, unquoted};
use crate::document::sql::writes::is_value;

impl Tables<'_> {
    /// What an ALTER TABLE statement tells of sealed columns of the table that it changes, and of columns that refer to sealed ones.
    pub(super) fn told_by_alter(&self, statement: &[u8], spot: &Spot) -> Vec<Unsealable> {
        let mut words = self.words(statement);
        let Some(name) = altered(&mut words) else { return Vec::new() };
        let mut all = self.told_by_references(words, &name, spot);
        let Some(selector) = self.selectors_of(&name).first().copied() else { return all };
        all.extend(self.told_by_check(&self.checked(words), &name, spot));
        let mut changed = false;
        while let Some((token, word)) = words.next() {
            let is = |known: &str| token == Token::Word && word.eq_ignore_ascii_case(known.as_bytes());
            if is("alter") {
                words.accept("column");
                let column = words.name().and_then(|mut column| column.pop());
                changed = column.is_some_and(|column| self.names_column(selector, column.as_bytes()));
            } else if is("using") && changed && self.has_value(words) {
                all.push(self.may_fill(selector, "this statement", spot.clone()));
                changed = false;
            } else if is("partition") && words.accept("by") {
                all.extend(self.told_by_division(&names_in_parenthesis(&mut words), &name, spot));
            } else if (is("rename") && !{ words }.accept("to")) || is("change") {
                // Rows before and behind it have other values under one name.
                let mut ahead = words;
                let is_sealed = std::iter::from_fn(|| ahead.next()).any(|(_, word)| self.names_column(selector, word));
                all.extend(is_sealed.then(|| {
                    let table = self.source(selector);
                    let what = format!(
                        "a column of {table} that is to be sealed gets another name, or gives it to another column"
                    );
                    Unsealable { spot: spot.clone(), kind: Readable::Statements, what }
                }));
            }
        }
        all
    }

    /// Whether an expression, up to its end, holds a value that a column could get.
    fn has_value(&self, mut words: Words<'_>) -> bool {
        let mut chooses = false;
        while let Some((token, word)) = words.next() {
            chooses |= token == Token::Word && word.eq_ignore_ascii_case(b"case");
            // A number alone is rather the length of a type.
            let counts = chooses || matches!(token, Token::Quoted(_));
            if token == Token::Byte(b';') {
                return false;
            }
            if counts && is_value(token, word, self.dialect) {
                return true;
            }
        }
        false
    }

    /// How a table is divided, and conditions for all of its rows that have values in them: what they tell of sealed columns now. If nothing, they may
    /// tell something as soon as the table is a part of another one, and are noted.
    pub(super) fn told_by_definition(
        &mut self,
        behind: Words<'_>,
        divided_by: Vec<String>,
        name: &Name,
        spot: &Spot,
    ) -> Result<Vec<Unsealable>, RowsError> {
        let mut all = Vec::new();
        for (columns, is_division) in [(divided_by, true), (self.checked(behind), false)] {
            let one = Telling { name: name.clone(), columns, is_division };
            if one.columns.is_empty() || self.selectors.is_empty() {
                continue;
            }
            if let Some(told) = self.told_by(&one, spot) {
                all.push(told);
            } else {
                self.take(one.columns.iter().map(|column| column.len() + 32).sum::<usize>() + 256, spot)?;
                self.telling.push(one);
            }
        }
        Ok(all)
    }

    fn told_by(&self, one: &Telling, spot: &Spot) -> Option<Unsealable> {
        let Telling { name, columns, is_division } = one;
        if *is_division { self.told_by_division(columns, name, spot) } else { self.told_by_check(columns, name, spot) }
    }

    /// The names in conditions for all rows of a table that have values in them.
    pub(super) fn checked(&self, mut words: Words<'_>) -> Vec<String> {
        let mut names = Vec::new();
        while let Some((token, word)) = words.next() {
            if token != Token::Word || !word.eq_ignore_ascii_case(b"check") {
                continue;
            }
            let mut inside = words;
            if !words.accept_parenthesis() {
                continue;
            }
            let (mut found, mut has_value) = (Vec::new(), false);
            while let (true, Some((token, word))) = (inside.at() < words.at(), inside.next()) {
                has_value |= is_value(token, word, self.dialect);
                if matches!(token, Token::Word | Token::Quoted(b'"' | b'`' | b'[')) {
                    found.push(unquoted(&String::from_utf8_lossy(word)));
                }
            }
            names.extend(found.into_iter().filter(|_| has_value));
        }
        names
    }

    /// What tells of sealed columns now that there are more parts of selected tables. Each is told of once.
    pub(super) fn told_by_parts(&mut self, spot: &Spot) -> Option<Unsealable> {
        let known = self.telling.iter().enumerate().filter(|(_, one)| self.descent.has(&one.name));
        let (at, told) = known.into_iter().find_map(|(at, one)| Some((at, self.told_by(one, spot)?)))?;
        self.telling.swap_remove(at);
        Some(told)
    }

    /// A condition for the rows of a part of a selected table that tells what its sealed column holds. One for the table itself tells of no record.
    pub(super) fn told_by_check(&self, columns: &[String], name: &[String], spot: &Spot) -> Option<Unsealable> {
        if !self.named_by(name).is_empty() {
            return None;
        }
        let selectors = self.selectors_of(name);
        let is_sealed =
            |column: &&String| selectors.iter().any(|selector| self.names_column(*selector, column.as_bytes()));
        let column = columns.iter().find(is_sealed)?;
        let what = format!(
            "{} has a condition (CHECK) on its column {column}, which tells of each of its rows",
            name.join(".")
        );
        Some(Unsealable { spot: spot.clone(), kind: Readable::Statements, what })
    }

    /// A table whose parts tell what a sealed column holds.
    pub(super) fn told_by_division(&self, divided_by: &[String], name: &[String], spot: &Spot) -> Option<Unsealable> {
        let selectors = self.selectors_of(name);
        let is_sealed =
            |column: &&String| selectors.iter().any(|selector| self.names_column(*selector, column.as_bytes()));
        let column = divided_by.iter().find(is_sealed)?;
        let what =
            format!("table {} is divided by its column {column}, so its parts tell what is sealed", name.join("."));
        Some(Unsealable { spot: spot.clone(), kind: Readable::Statements, what })
    }

    /// Columns of a table that refer to sealed ones of others and are not sealed themselves. The words stand behind the name of the table.
    pub(super) fn told_by_references(&self, mut words: Words<'_>, name: &[String], spot: &Spot) -> Vec<Unsealable> {
        if self.selectors.is_empty() {
            return Vec::new();
        }
        let own = self.selectors_of(name);
        let is_sealed = |selectors: &[usize], column: &str| {
            selectors.iter().any(|selector| self.names_column(*selector, column.as_bytes()))
        };
        let mut all = Vec::new();
        let (mut depth, mut begins, mut columns) = (0_u32, true, Vec::new());
        loop {
            if words.accept_all(&["foreign", "key"]) {
                columns = names_in_parenthesis(&mut words);
            } else if words.accept("references") {
                let Some(other) = words.name() else { continue };
                let mut ahead = words;
                let (targets, selectors) = (names_in_parenthesis(&mut ahead), self.selectors_of(&other));
                let pairs = columns.iter().zip(&targets);
                for (column, sealed) in
                    pairs.filter(|(column, sealed)| is_sealed(&selectors, sealed) && !is_sealed(&own, column))
                {
                    let what = format!(
                        "column {column} of table {} refers to {sealed} of {}, which is to be sealed, by a foreign key, and would keep its values readable",
                        name.join("."),
                        other.join(".")
                    );
                    all.push(Unsealable { spot: spot.clone(), kind: Readable::Statements, what });
                }
            } else if begins && (words.accept("add") || words.accept("column")) {
                // ALTER TABLE ... ADD COLUMN
                words.accept_all(&["if", "not", "exists"]);
            } else {
                let mut ahead = words;
                match words.next() {
                    None => return all,
                    Some((Token::Byte(b'('), _)) => (depth, begins) = (depth + 1, depth == 0),
                    Some((Token::Byte(b')'), _)) => depth = depth.saturating_sub(1),
                    Some((Token::Byte(b','), _)) => begins |= depth <= 1,
                    Some(_) if begins => (columns, begins) = (ahead.name().unwrap_or_default(), false),
                    Some(_) => {}
                }
            }
        }
    }
}

/// What would tell which values the rows of a table have, if that is a part of a selected one.
pub(super) struct Telling {
    name: Name,
    /// The names in it.
    columns: Vec<String>,
    /// Whether it says which row belongs to which part.
    is_division: bool,
}

/// The table that a statement changes; the words stand behind it then.
pub(super) fn altered(words: &mut Words<'_>) -> Option<Name> {
    if !words.accept("alter") {
        return None;
    }
    while ["online", "offline", "ignore", "foreign"].iter().any(|word| words.accept(word)) {}
    if !words.accept("table") {
        return None;
    }
    words.accept_all(&["if", "exists"]);
    words.accept("only");
    words.name()
}
