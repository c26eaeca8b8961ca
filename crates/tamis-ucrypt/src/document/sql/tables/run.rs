//! Statements that run when the dump is loaded: what they define, and whether they may put values into selected tables.

use super::{KeyTable, Tables};
use crate::document::Readable;
use crate::document::rows::{RowsError, Spot};
use crate::document::sql::batch::Unsealable;
use crate::document::sql::lex::Token;
use crate::document::sql::relations::Relation;
use crate::document::sql::statements::{Kind, is_called_freely, kind};
use crate::document::sql::words::{Name, may_be_one};
use crate::document::sql::writes::{hashed, names_a_thing, runs_in};

impl Tables<'_> {
    /// Takes note of a statement that is neither rows nor the definition of a routine. `is_certain` tells whether every server runs it.
    pub(in crate::document::sql) fn run(
        &mut self,
        statement: &[u8],
        is_certain: bool,
        spot: &Spot,
    ) -> Result<(Option<KeyTable>, Vec<Unsealable>), RowsError> {
        let kind = kind(self.words(statement));
        self.choose(statement);
        let mut words = self.words(statement);
        self.has_operator |= words.accept("create") && (words.accept("operator") || words.accept("cast"));
        let (keys, mut found) = match kind {
            Kind::Table => self.create(statement, spot)?,
            Kind::View => (None, self.show(statement, spot)?),
            Kind::Alters => (None, self.alter(statement, spot)?),
            Kind::Drops => {
                self.drop(statement);
                (None, Vec::new())
            }
            Kind::Harmless | Kind::Routine | Kind::Sets | Kind::Reads | Kind::Fills | Kind::Unknown => {
                (None, Vec::new())
            }
        };
        let is_doubtful = !is_certain && matches!(kind, Kind::Table | Kind::View | Kind::Alters | Kind::Drops);
        if found.is_empty() && (is_doubtful || !self.moves_nothing(kind, statement, spot)?) {
            let named = self.named_in(statement).or_else(|| runs_in(statement, self));
            found.extend(named.map(|selector| self.may_fill(selector, "this statement", spot.clone())));
            if found.is_empty() {
                found.extend(self.may_fill_any("this statement", spot));
            }
        } else if found.is_empty() {
            let told = runs_in(statement, self);
            found.extend(told.map(|selector| self.may_fill(selector, "this statement", spot.clone())));
        }
        Ok((keys, found))
    }

    /// Whether a statement puts no rows into a selected table, or into one that becomes a part of it behind.
    pub(super) fn moves_nothing(&mut self, kind: Kind, statement: &[u8], spot: &Spot) -> Result<bool, RowsError> {
        if self.selectors.is_empty() {
            return Ok(true);
        }
        match kind {
            Kind::Unknown => return Ok(false),
            Kind::Harmless | Kind::Routine | Kind::View | Kind::Alters | Kind::Drops | Kind::Table => return Ok(true),
            Kind::Sets | Kind::Reads | Kind::Fills => {}
        }
        if !self.calls_nothing(statement) {
            return Ok(false);
        }
        let mut words = self.words(statement);
        if kind == Kind::Reads {
            // Statistics of PostgreSQL hold samples of the values of a table that a string names.
            let has_samples = words.any("pg_restore_attribute_stats");
            let names_table = std::iter::from_fn(|| words.next()).any(|(token, written)| {
                token == Token::Quoted(b'\'') && self.selector_of_text(&written[1..written.len() - 1]).is_some()
            });
            return Ok(!(has_samples && names_table));
        }
        if kind == Kind::Fills {
            if self.named_in(statement).is_some() {
                return Ok(false);
            }
            self.fill(statement, spot)?;
        }
        Ok(true)
    }

    /// Takes note of all names in a statement: those of tables among them have rows that were not read.
    pub(super) fn fill(&mut self, statement: &[u8], spot: &Spot) -> Result<(), RowsError> {
        let mut words = self.words(statement);
        loop {
            if let Some(name) = words.name() {
                self.note_filled(name, spot)?;
            } else if words.next().is_none() {
                return Ok(());
            }
        }
    }

    /// Takes note of a table that has rows which were not read.
    pub(super) fn note_filled(&mut self, name: Name, spot: &Spot) -> Result<(), RowsError> {
        let last = name.last().map(|last| last.to_ascii_lowercase()).unwrap_or_default();
        if !self.filled.get(&last).is_some_and(|names| names.contains(&name)) {
            self.take(name.iter().map(|part| part.len() + 32).sum::<usize>() + 128, spot)?;
            self.filled.entry(last).or_default().push(name);
        }
        Ok(())
    }

    /// A table with rows that were not read which is a part of a selected one by now, and the selector of that.
    pub(super) fn filled_part(&self) -> Option<(Name, usize)> {
        if self.filled.is_empty() {
            return None;
        }
        self.descent.selected().find_map(|(name, selector)| {
            let last = name.last()?.to_ascii_lowercase();
            let is_filled = self.filled.get(&last)?.iter().any(|filled| may_be_one(filled, name));
            (is_filled && self.named_by(name).is_empty()).then(|| (name.to_vec(), selector))
        })
    }

    /// The first selector that is meant for a table which a statement names.
    fn named_in(&self, statement: &[u8]) -> Option<usize> {
        let mut words = self.words(statement);
        loop {
            if let Some(name) = words.name() {
                if let Some(selector) = self.selectors_of(&name).first() {
                    return Some(*selector);
                }
            } else {
                words.next()?;
            }
        }
    }

    /// Whether nothing in a stretch calls a routine, or stands for something that is read nowhere: a variable of psql, a name in other signs.
    pub(in crate::document::sql) fn calls_nothing(&self, stretch: &[u8]) -> bool {
        let mut words = self.words(stretch);
        let mut name: Option<&[u8]> = None;
        let (mut name_at, mut last) = (0, 0);
        while let Some((token, written)) = words.next() {
            let next = stretch.get(words.at()).copied().unwrap_or_default();
            let is_begun = next.is_ascii_alphabetic() || matches!(next, b'_' | b'"' | b'\'' | b'{');
            let before = std::mem::replace(&mut last, written[0]);
            match token {
                Token::Byte(b'(') => {
                    let is_called = name.is_some_and(|name| {
                        let is_known = str::from_utf8(name).is_ok_and(is_called_freely);
                        !names_a_thing(&stretch[..name_at]) && (!is_known || self.routines.contains(&hashed(name)))
                    });
                    if is_called {
                        return false;
                    }
                }
                Token::Byte(b':') if before != b':' && is_begun => return false,
                Token::Byte(b'&') if next == b'"' && before.eq_ignore_ascii_case(&b'u') => return false,
                Token::Byte(b'-' | b'+') if next.is_ascii_digit() => {}
                Token::Byte(sign) if self.has_operator && !b",().;[]".contains(&sign) => return false,
                _ => {}
            }
            let is_name = matches!(token, Token::Word | Token::Quoted(b'"' | b'`' | b'['));
            (name, name_at) = (is_name.then_some(written), words.at() - written.len());
        }
        true
    }

    /// Takes note that names may mean other tables from here on, if a statement says so.
    fn choose(&mut self, statement: &[u8]) {
        let mut words = self.words(statement);
        let first = words.next().map(|(_, word)| word.to_ascii_lowercase()).unwrap_or_default();
        let is_choice = match &first[..] {
            b"rollback" | b"abort" | b"attach" | b"detach" | b"use" => true,
            b"set" | b"select" | b"reset" | b"discard" => {
                let path = |(_, word): (Token, &[u8])| {
                    let says = |known: &[u8]| word.windows(known.len()).any(|part| part.eq_ignore_ascii_case(known));
                    says(b"search_path") || says(b"schema") || says(b"all")
                };
                std::iter::from_fn(|| words.next()).any(path)
            }
            _ => false,
        };
        if is_choice {
            self.created.leave();
        }
    }

    /// Takes note that another database is chosen.
    pub(in crate::document::sql) fn leave(&mut self) {
        self.created.leave();
    }

    fn drop(&mut self, statement: &[u8]) {
        let mut words = self.words(statement);
        loop {
            if let Some(name) = words.name() {
                self.created.drop(&name);
            } else if words.next().is_none() {
                return;
            }
        }
    }

    /// Takes note of a view, or of what an existing one is to show: rows that are put into it are rows of the tables that it names.
    pub(super) fn show(&mut self, statement: &[u8], spot: &Spot) -> Result<Vec<Unsealable>, RowsError> {
        let mut words = self.words(statement);
        let mut is_materialized = false;
        while !words.accept("view") {
            if words.accept("materialized") {
                is_materialized = true;
            } else if words.next().is_none() {
                return Ok(Vec::new());
            }
        }
        words.accept_all(&["if", "not", "exists"]);
        let Some(view) = words.name() else { return Ok(Vec::new()) };
        let mut found = Vec::new();
        if let Some(selector) = self.named_by(&view).first() {
            let what = format!("{} is a view, so its values stand in other tables", self.source(*selector));
            found.push(Unsealable { spot: spot.clone(), kind: Readable::Statements, what });
        }
        if is_materialized {
            self.note_filled(view.clone(), spot)?;
        }
        let mut ahead = words;
        let has_same_columns = ahead.accept_all(&["as", "select"]) && ahead.accept_sign(b'*') && ahead.accept("from");
        loop {
            let Some(name) = words.name() else {
                if words.next().is_none() {
                    break;
                }
                continue;
            };
            if !self.selectors_of(&name).is_empty() || self.created.has(&name) || self.descent.has(&name) {
                found.extend(self.relate(Relation { part: view.clone(), whole: name }, spot)?);
            }
        }
        if !has_same_columns {
            self.take(view.iter().map(|part| part.len() + 32).sum::<usize>() + 64, spot)?;
            self.renaming.insert(hashed(view.last().map(String::as_bytes).unwrap_or_default()));
        }
        Ok(found)
    }

    /// What is said of a statement that may do anything, and of which it shows nowhere with which table.
    pub(in crate::document::sql) fn may_fill_any(&self, subject: &str, spot: &Spot) -> Option<Unsealable> {
        let table = self.source(self.first()?);
        let what = format!(
            "{subject} runs when the dump is loaded, and nothing shows that it puts no values into {table} or another table of the policy; \
             only rows of INSERT ... VALUES and of COPY can be sealed"
        );
        Some(Unsealable { spot: spot.clone(), kind: Readable::Statements, what })
    }
}
