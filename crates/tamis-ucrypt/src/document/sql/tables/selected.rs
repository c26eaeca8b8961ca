//! Which selectors are meant for a table that a statement names.

use super::Tables;
use crate::document::Readable;
use crate::document::rows::Spot;
use crate::document::sql::batch::Unsealable;
use crate::document::sql::words::{Name, may_be_one, unquoted};

impl Tables<'_> {
    /// Positions of the selectors that are meant for the rows of a table: those that name it, and those of tables that it is a part of.
    pub(super) fn selectors_of(&self, name: &[String]) -> Vec<usize> {
        let mut all = self.named_by(name);
        let inherited = self.descent.selectors(name);
        all.extend(inherited.into_iter().filter(|selector| !self.named_by(name).contains(selector)));
        all
    }

    pub(super) fn named_by(&self, name: &[String]) -> Vec<usize> {
        let numbered = self.selectors.iter().enumerate();
        numbered.filter(|(_, selector)| means(&selector.source, name)).map(|(position, _)| position).collect()
    }

    /// The selector that is meant for a table which a statement names, behind these bytes of it.
    pub(in crate::document::sql) fn selector_of(&self, before: &[u8], written: &[u8]) -> Option<usize> {
        let parts = schema_before(before).into_iter().chain([written]);
        let name: Name = parts.map(|part| unquoted(&String::from_utf8_lossy(part))).collect();
        self.selectors_of(&name).first().copied()
    }

    /// The same of a table whose name is the whole of a string.
    pub(in crate::document::sql) fn selector_of_text(&self, text: &[u8]) -> Option<usize> {
        let mut words = self.words(text);
        let name = words.name()?;
        if words.next().is_some() {
            return None;
        }
        self.selectors_of(&name).first().copied()
    }

    /// Whether a written name is that of a column that a selector names and that is to be sealed.
    pub(in crate::document::sql) fn names_column(&self, selector: usize, written: &[u8]) -> bool {
        let name = unquoted(&String::from_utf8_lossy(written));
        let mut sealed = self.selectors[selector].columns.iter().filter(|column| column.required);
        sealed.any(|column| column.column.eq_ignore_ascii_case(&name))
    }

    /// The first selector that has a column of this name that is to be sealed.
    pub(in crate::document::sql) fn selector_with_column(&self, written: &[u8]) -> Option<usize> {
        (0..self.selectors.len()).find(|selector| self.names_column(*selector, written))
    }

    /// What a table is called that a selector names.
    pub(in crate::document::sql) fn source(&self, selector: usize) -> &str {
        &self.selectors[selector].source
    }

    /// Takes note of a routine, which may put into a selected table what it is called with.
    pub(in crate::document::sql) fn note_routine(&mut self, (name, filled): (Option<u64>, Option<usize>)) {
        // With more of them, every call may be one of theirs.
        const MOST: usize = 1 << 13;
        self.has_routine = true;
        let Some(name) = name else { return };
        if self.routines.len() < MOST {
            self.routines.insert(name);
        }
        if let Some(selector) = filled {
            if self.writers.len() < MOST {
                self.writers.entry(name).or_insert(selector);
            } else if !self.writers.contains_key(&name) {
                self.any_writes = Some(selector);
            }
        }
    }

    /// The selector of a table that the routine of this name fills.
    pub(in crate::document::sql) fn writer(&self, name: u64) -> Option<usize> {
        self.any_writes.or_else(|| self.writers.get(&name).copied())
    }

    /// Whether a row may call a routine that the dump defines.
    pub(in crate::document::sql) fn has_routine(&self) -> bool {
        self.has_routine || self.has_operator
    }

    /// The first selector.
    pub(in crate::document::sql) fn first(&self) -> Option<usize> {
        (!self.selectors.is_empty()).then_some(0)
    }

    /// Says that a statement may put values into the table of a selector.
    pub(in crate::document::sql) fn may_fill(&self, selector: usize, subject: &str, spot: Spot) -> Unsealable {
        let table = self.source(selector);
        let what =
            format!("{subject} may put values into {table}; only rows of INSERT ... VALUES and of COPY can be sealed");
        Unsealable { spot, kind: Readable::Statements, what }
    }
}

/// The name before the dot with which these bytes end.
fn schema_before(bytes: &[u8]) -> Option<&[u8]> {
    // No system has longer names; one that is not found is any.
    const LONGEST_NAME: usize = 300;
    let bytes = &bytes[bytes.len().saturating_sub(LONGEST_NAME)..];
    let bytes = bytes.strip_suffix(b".")?;
    let (quote, inner) = bytes.split_last()?;
    let start = match quote {
        b'"' | b'`' => inner.iter().rposition(|byte| byte == quote)?,
        b']' => inner.iter().rposition(|byte| *byte == b'[')?,
        _ => {
            let is_part = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'$' | 0x80..);
            bytes.iter().rposition(|byte| !is_part(byte)).map_or(0, |gap| gap + 1)
        }
    };
    // Behind a blank or a comment it is not looked for.
    Some(&bytes[start..]).filter(|name| !name.is_empty())
}

/// Whether a written name, with or without its schema, is that of a table. A system without schemas, or a dump that leaves the usual one out, has
/// the table all the same; one that says its database before the schema, too.
pub(super) fn means(written: &str, table: &[String]) -> bool {
    let parts: Name = written.split('.').map(str::to_owned).collect();
    table.join(".").eq_ignore_ascii_case(written) || may_be_one(&parts, table)
}
