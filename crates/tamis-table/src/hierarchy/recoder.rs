//! A hierarchy bound to a column: arrays from codes to labels, so that generalizing is one lookup.

use super::{Hierarchy, SUPPRESSED};
use crate::{Column, Dictionary, HierarchyError, HierarchyRow, Interner, SEALED};
use std::collections::HashMap;

/// For each level, the label of every code of one column and what share of the hierarchy each label covers.
///
/// On level 0 a code is its own label. Labels of higher levels are numbered by first appearance in the column's dictionary,
/// so only labels that occur in the data take a number.
#[derive(Debug, Clone)]
pub struct Recoder {
    levels: Vec<RecoderLevel>,
    lines: u64,
    has_hierarchy: bool,
    /// The line of each code, where the lines were written by somebody, who may have chosen their order or not.
    listed: Option<Vec<u32>>,
    /// The rank of each code, where an order was stated.
    stated: Option<Vec<u32>>,
}

#[derive(Debug, Clone)]
struct RecoderLevel {
    /// Label of each level-0 code.
    of_code: Vec<u32>,
    /// Label one level up of each label; empty on the top level.
    parent: Vec<u32>,
    labels: Dictionary,
    /// Lines of the hierarchy under each label.
    lines: Vec<u64>,
}

impl Recoder {
    /// Binds a hierarchy to the column it was written for; every value of the column must be listed.
    ///
    /// A missing value that the hierarchy does not list becomes a line of its own, and so do sealed fields: it stays what it is on every level but
    /// the last, where it joins the others if they all share one label. Its text must not be a label of other values then.
    pub fn bind(hierarchy: &Hierarchy, column: &Column) -> Result<Self, HierarchyError> {
        let dictionary = column.dictionary();
        let mut value_of_code: Vec<Option<u32>> = Vec::with_capacity(dictionary.len());
        let mut absent: Vec<&str> = Vec::new();
        for (code, text) in dictionary.iter().enumerate() {
            let value = hierarchy.values.find(text);
            let is_missing = column.missing().is_some_and(|missing| missing.0 as usize == code);
            if value.is_none() && !is_missing && text != SEALED {
                absent.push(text);
            }
            value_of_code.push(value);
        }
        if let Some(first) = absent.first() {
            return Err(HierarchyError::MissingValue { value: (*first).to_owned(), others: absent.len() - 1 });
        }
        let own_lines = value_of_code.iter().filter(|value| value.is_none()).count() as u64;
        let top = hierarchy.levels.len() - 1;
        for (_, text) in value_of_code.iter().zip(dictionary.iter()).filter(|(value, _)| value.is_none()) {
            // On the top level it joins a single label anyway.
            let own_levels = if hierarchy.labels_on(top) == 1 { 1..top } else { 1..top + 1 };
            if let Some(level) =
                own_levels.into_iter().find(|&level| hierarchy.levels[level].labels.iter().any(|label| label == text))
            {
                return Err(HierarchyError::Builder(format!(
                    "`{text}` stands for a missing value and is also a label on level {level}; rename the label, or add a line for `{text}`"
                )));
            }
        }
        let mut levels = Vec::with_capacity(hierarchy.levels.len());
        for (number, level) in hierarchy.levels.iter().enumerate() {
            // Level 0 is the values themselves, be it the last level too.
            let joined = number == top && number > 0 && level.labels.len() == 1;
            let mut labels = Interner::default();
            let mut of_code = Vec::with_capacity(dictionary.len());
            let mut lines = Vec::new();
            for (code, value) in value_of_code.iter().enumerate() {
                let (text, count) = match value {
                    Some(value) => {
                        let label = level.of_value[*value as usize];
                        (level.labels.text(label), level.lines[label as usize])
                    }
                    None if joined => (level.labels.text(0), level.lines[0]),
                    None => (dictionary.text(code as u32), 1),
                };
                let label = labels.intern(text).ok_or_else(super::too_large)?;
                of_code.push(label);
                if label as usize == lines.len() {
                    lines.push(if joined { count + own_lines } else { count });
                }
            }
            levels.push(RecoderLevel { of_code, parent: Vec::new(), labels: labels.finish(), lines });
        }
        Ok(Self { levels, lines: hierarchy.lines + own_lines, has_hierarchy: true, listed: None, stated: None }
            .with_parents())
    }

    /// For a quasi-identifier without hierarchy: level 0 keeps the values, level 1 replaces them all by `*`.
    pub fn keep_or_suppress(column: &Column) -> Self {
        let dictionary = column.dictionary();
        let size = dictionary.len();
        let mut top = Interner::default();
        let _ = top.intern(SUPPRESSED);
        let values = RecoderLevel {
            of_code: (0..size as u32).collect(),
            parent: Vec::new(),
            labels: dictionary.clone(),
            lines: vec![1; size],
        };
        let star =
            RecoderLevel { of_code: vec![0; size], parent: Vec::new(), labels: top.finish(), lines: vec![size as u64] };
        Self { levels: vec![values, star], lines: size as u64, has_hierarchy: false, listed: None, stated: None }
            .with_parents()
    }

    /// Keeps the lines in which a file lists the values, for whoever says that their order means something.
    #[must_use]
    pub fn listing(mut self, rows: &[HierarchyRow], column: &Column) -> Self {
        self.listed = Some(ranks(rows.iter().filter_map(|row| row.labels.first()).map(String::as_str), column));
        self
    }

    /// States the order of the values, first to last.
    #[must_use]
    pub fn ranking(mut self, order: &[&str], column: &Column) -> Self {
        let ranks = ranks(order.iter().copied(), column);
        self.listed = Some(ranks.clone());
        self.stated = Some(ranks);
        self
    }

    /// The line of each code in the file that lists the values, if there is one.
    pub fn listed_order(&self) -> Option<&[u32]> {
        self.listed.as_deref()
    }

    /// The rank of each code, if an order was stated.
    pub fn stated_order(&self) -> Option<&[u32]> {
        self.stated.as_deref()
    }

    /// Whether a hierarchy file or builder stands behind this recoder.
    pub fn has_hierarchy(&self) -> bool {
        self.has_hierarchy
    }

    /// Number of levels, level 0 included.
    pub fn levels(&self) -> usize {
        self.levels.len()
    }

    /// Number of lines of the hierarchy: the denominator of [`Recoder::label_lines`].
    pub fn lines(&self) -> u64 {
        self.lines
    }

    /// Label on `level` of every level-0 code. Panics if there is no such level, like the methods below.
    pub fn labels_of_codes(&self, level: usize) -> &[u32] {
        &self.levels[level].of_code
    }

    /// The labels of every code on all levels, finest first.
    pub fn tree(&self) -> Vec<Vec<u32>> {
        self.levels.iter().map(|level| level.of_code.clone()).collect()
    }

    /// Texts of the labels of `level`.
    pub fn labels(&self, level: usize) -> &Dictionary {
        &self.levels[level].labels
    }

    /// Lines of the hierarchy that carry each label of `level`.
    pub fn label_lines(&self, level: usize) -> &[u64] {
        &self.levels[level].lines
    }

    /// For each label of level `from`, its label on the coarser level `to`.
    pub fn label_map(&self, from: usize, to: usize) -> Vec<u32> {
        let mut map: Vec<u32> = (0..self.levels[from].labels.len() as u32).collect();
        for level in from..to {
            for label in &mut map {
                *label = self.levels[level].parent[*label as usize];
            }
        }
        map
    }

    fn with_parents(mut self) -> Self {
        for level in 1..self.levels.len() {
            let (below, above) = self.levels.split_at_mut(level);
            let (lower, upper) = (&mut below[level - 1], &above[0]);
            lower.parent = vec![0; lower.labels.len()];
            for (&label, &parent) in lower.of_code.iter().zip(&upper.of_code) {
                lower.parent[label as usize] = parent;
            }
        }
        self
    }
}

/// The place of each code's text in `order`; a missing value that is not listed comes last.
fn ranks<'a>(order: impl Iterator<Item = &'a str>, column: &Column) -> Vec<u32> {
    let mut place_of: HashMap<&str, u32> = HashMap::new();
    for (value, place) in order.zip(0..) {
        place_of.entry(value).or_insert(place);
    }
    column.dictionary().iter().map(|text| place_of.get(text).copied().unwrap_or(u32::MAX)).collect()
}
