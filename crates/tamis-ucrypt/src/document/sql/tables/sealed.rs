//! Definitions that would tell what sealed columns hold: foreign keys to them, partitions by them, values that they are computed from.

use super::Tables;
use crate::document::Readable;
use crate::document::rows::Spot;
use crate::document::sql::batch::Unsealable;
use crate::document::sql::lex::Token;
use crate::document::sql::relations::names_in_parenthesis;
use crate::document::sql::words::{Name, Words};
use crate::document::sql::writes::is_value;

impl Tables<'_> {
    /// What an ALTER TABLE statement tells of sealed columns of the table that it changes, and of columns that refer to sealed ones.
    pub(super) fn told_by_alter(&self, statement: &[u8], spot: &Spot) -> Vec<Unsealable> {
        let mut words = self.words(statement);
        let Some(name) = altered(&mut words) else { return Vec::new() };
        let mut all = self.told_by_references(words, &name, spot);
        let Some(selector) = self.selectors_of(&name).first().copied() else { return all };
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

/// The table that a statement changes; the words stand behind it then.
fn altered(words: &mut Words<'_>) -> Option<Name> {
    if !words.accept("alter") {
        return None;
    }
    let _ = words.accept("ignore") || words.accept("online") || words.accept("foreign");
    if !words.accept("table") {
        return None;
    }
    words.accept_all(&["if", "exists"]);
    words.accept("only");
    words.name()
}
