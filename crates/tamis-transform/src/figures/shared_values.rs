//! The values of a column in both tables under one numbering.

use std::collections::HashMap;
use tamis_table::{Column, compare_values};

/// One column before and after; every value has the same number in both.
pub(super) struct SharedValues<'a> {
    pub(super) name: &'a str,
    /// In the order of their type, the missing value (none) last.
    pub(super) values: Vec<Option<&'a str>>,
    before: (&'a Column, Vec<u32>),
    after: (&'a Column, Vec<u32>),
}

impl<'a> SharedValues<'a> {
    pub(super) fn of(before: &'a Column, after: &'a Column) -> Self {
        let (texts_before, texts_after) = (texts(before), texts(after));
        let mut values: Vec<Option<&str>> = texts_before.iter().chain(&texts_after).copied().collect();
        values.sort_by(|left, right| match (left, right) {
            (Some(left), Some(right)) => compare_values(before.data_type(), left, right),
            _ => left.is_none().cmp(&right.is_none()),
        });
        values.dedup();
        let number_of: HashMap<Option<&str>, u32> = values.iter().copied().zip(0..).collect();
        let numbers = |texts: Vec<Option<&'a str>>| texts.iter().map(|text| number_of[text]).collect();
        let (before, after) = ((before, numbers(texts_before)), (after, numbers(texts_after)));
        Self { name: before.0.name(), values, before, after }
    }

    /// The number of each row's value before.
    pub(super) fn rows_before(&self) -> Vec<u32> {
        rows(&self.before)
    }

    /// The number of each row's value after.
    pub(super) fn rows_after(&self) -> Vec<u32> {
        rows(&self.after)
    }

    /// How many rows hold each value before and after.
    pub(super) fn counts(&self) -> (Vec<u64>, Vec<u64>) {
        (self.counts_of(&self.before), self.counts_of(&self.after))
    }

    fn counts_of(&self, (column, numbers): &(&Column, Vec<u32>)) -> Vec<u64> {
        let mut counts = vec![0; self.values.len()];
        for (&number, count) in numbers.iter().zip(column.frequencies()) {
            counts[number as usize] += count;
        }
        counts
    }
}

fn texts(column: &Column) -> Vec<Option<&str>> {
    let missing = column.missing().map(|code| code.0 as usize);
    column.dictionary().iter().enumerate().map(|(code, text)| (missing != Some(code)).then_some(text)).collect()
}

fn rows((column, numbers): &(&Column, Vec<u32>)) -> Vec<u32> {
    let mut rows = Vec::with_capacity(column.codes().len());
    column.codes().for_each(|_, code| rows.push(numbers[code as usize]));
    rows
}
