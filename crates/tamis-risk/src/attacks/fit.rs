//! Which released rows could be about which people of another table.

use super::classes::Classes;
use super::{AttackError, Labels, LabelsByColumn};
use std::collections::{BTreeSet, HashMap};
use tamis_table::hierarchy::SUPPRESSED;
use tamis_table::{Column, Table};

/// No released row has this label.
const NONE: u32 = u32::MAX;

/// A released table and one of people, both grouped by the columns they share, and which groups fit.
///
/// A released text fits a person's value if it is the value, a label of the value on some level, or `*`. Rows with `*` in every column
/// fit everybody and say nothing; they are left out.
///
/// A person's value has exactly one level on which it first becomes a given label. So the released groups are sorted by the levels
/// their labels are on, and for each combination of levels that occurs, the labels of a group of people are looked up in a hash table.
/// A table that was recoded by whole columns has one combination, and the join is linear; one recoded row by row has at most as many as
/// the product of the levels.
pub(crate) struct Fit<'a> {
    pub(crate) released: Classes<'a>,
    pub(crate) people: Classes<'a>,
    /// Where each group of people starts in `items`.
    starts: Vec<usize>,
    items: Vec<u32>,
    /// Values that the hierarchies do not know.
    pub(crate) notes: Vec<String>,
}

impl<'a> Fit<'a> {
    pub(crate) fn of(
        released: &'a Table,
        people: &'a Table,
        on: &[&str],
        labels: &LabelsByColumn,
    ) -> Result<Self, AttackError> {
        let (released, people) = (Classes::of(released, on)?, Classes::of(people, on)?);
        let none = Labels::default();
        let mut notes = Vec::new();
        let mut steps = Vec::new();
        for (ours, theirs) in released.columns.iter().zip(&people.columns) {
            let known = labels.get(theirs.name());
            notes.extend([ours, theirs].into_iter().find_map(|column| unlisted(column, known?)));
            steps.push(steps_of(ours, theirs, known.unwrap_or(&none)));
        }
        let group_of_codes: HashMap<Vec<u32>, u32> = released
            .kept()
            .map(|group| ((0..on.len()).map(|column| released.code(column, group)).collect(), group as u32))
            .collect();
        let combinations = combinations(&released, &steps);
        let (mut starts, mut items) = (vec![0], Vec::new());
        let mut key = vec![0; on.len()];
        for group in 0..people.first_rows.len() {
            for levels in &combinations {
                for (column, (slot, &level)) in key.iter_mut().zip(levels).enumerate() {
                    *slot = steps[column][level][people.code(column, group) as usize];
                }
                items.extend(group_of_codes.get(&key[..]));
            }
            starts.push(items.len());
        }
        Ok(Self { released, people, starts, items, notes })
    }

    /// The released groups that fit a group of people.
    pub(crate) fn released_for(&self, group: usize) -> &[u32] {
        &self.items[self.starts[group]..self.starts[group + 1]]
    }

    /// Released rows that fit each person of a group.
    pub(crate) fn candidates(&self, group: usize) -> u64 {
        self.released_for(group).iter().map(|&released| self.released.size(released as usize)).sum()
    }

    /// How many people fit each released group.
    pub(crate) fn people_per_released(&self) -> Vec<u64> {
        let mut counts = vec![0; self.released.first_rows.len()];
        for group in 0..self.people.first_rows.len() {
            for &released in self.released_for(group) {
                counts[released as usize] += self.people.size(group);
            }
        }
        counts
    }
}

/// For each level and code of the people's column the code of the label in the released column, where the value has it for the first
/// time; the last level is `*`.
fn steps_of(released: &Column, people: &Column, labels: &Labels) -> Vec<Vec<u32>> {
    let code_of: HashMap<&str, u32> =
        released.dictionary().iter().enumerate().map(|(code, text)| (text, code as u32)).collect();
    let mut steps = vec![vec![NONE; people.dictionary().len()]; labels.levels() + 1];
    for (code, value) in people.dictionary().iter().enumerate() {
        let mut chain = labels.chain(value);
        chain.resize(labels.levels(), value);
        chain.push(SUPPRESSED);
        for (level, label) in chain.iter().enumerate() {
            if !chain[..level].contains(label) {
                steps[level][code] = code_of.get(label).copied().unwrap_or(NONE);
            }
        }
    }
    steps
}

/// The combinations of levels on which the labels of released groups are.
fn combinations(released: &Classes<'_>, steps: &[Vec<Vec<u32>>]) -> Vec<Vec<usize>> {
    let mut levels_of_code: Vec<Vec<Vec<usize>>> =
        released.columns.iter().map(|column| vec![Vec::new(); column.dictionary().len()]).collect();
    for (levels_of_code, steps) in levels_of_code.iter_mut().zip(steps) {
        for (level, codes) in steps.iter().enumerate() {
            for &code in codes.iter().filter(|&&code| code != NONE) {
                let levels = &mut levels_of_code[code as usize];
                if levels.last() != Some(&level) {
                    levels.push(level);
                }
            }
        }
    }
    let mut level_sets: BTreeSet<Vec<&[usize]>> = BTreeSet::new();
    for group in released.kept() {
        let code = |column: usize| released.code(column, group) as usize;
        level_sets.insert((0..steps.len()).map(|column| levels_of_code[column][code(column)].as_slice()).collect());
    }
    let mut combinations: BTreeSet<Vec<usize>> = BTreeSet::new();
    for sets in level_sets {
        let mut partial: Vec<Vec<usize>> = vec![Vec::new()];
        for levels in sets {
            partial = partial
                .iter()
                .flat_map(|start| levels.iter().map(|&level| [start.as_slice(), &[level]].concat()))
                .collect();
        }
        combinations.extend(partial);
    }
    combinations.into_iter().collect()
}

/// A note about values that the hierarchy does not know, if there are some.
fn unlisted(column: &Column, labels: &Labels) -> Option<String> {
    let mut unknown = column.dictionary().iter().filter(|text| *text != SUPPRESSED && !labels.lists(text));
    let first = unknown.next()?;
    let others = match unknown.count() {
        0 => String::new(),
        count => format!(" and {count} more"),
    };
    let name = column.name();
    Some(format!("the hierarchy of `{name}` does not list `{first}`{others}; such a value fits only itself and `*`"))
}
