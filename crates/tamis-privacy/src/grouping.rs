//! Numbers groups of classes that agree on some of their labels.

use crate::Classes;
use foldhash::fast::FixedState;
use hashbrown::HashMap;

const EMPTY: u32 = u32::MAX;

/// Up to so many slots per class, groups are found by position in an array instead of by hashing.
const SLOTS_PER_CLASS: u64 = 16;

/// Arrays up to this size cost nothing whatever the number of classes.
const SMALL_ARRAY: u64 = 1 << 12;

/// The labels of some classes, column by column.
#[derive(Debug, Clone, Default)]
pub(crate) struct Labels {
    /// The classes, ascending.
    pub(crate) members: Vec<u32>,
    /// For each quasi-identifier the label of every member.
    pub(crate) columns: Vec<Vec<u32>>,
    /// For each quasi-identifier one more than its largest label.
    pub(crate) domains: Vec<u64>,
}

impl Labels {
    /// Of the kept classes that have rows.
    pub(crate) fn of(classes: &Classes, kept: &[bool]) -> Self {
        let is_member = |&class: &u32| kept[class as usize] && classes.rows[class as usize] > 0;
        let members: Vec<u32> = (0..classes.len() as u32).filter(is_member).collect();
        let column = |labels: &Vec<u32>| members.iter().map(|&class| labels[class as usize]).collect();
        let columns: Vec<Vec<u32>> = classes.labels.iter().map(column).collect();
        let domain = |column: &Vec<u32>| column.iter().max().map_or(1, |&most| u64::from(most) + 1);
        Self { domains: columns.iter().map(domain).collect(), members, columns }
    }

    /// Number of classes.
    pub(crate) fn len(&self) -> usize {
        self.members.len()
    }

    /// Leaves only the classes for which `stays` says so, by their position.
    pub(crate) fn retain(&mut self, stays: &[bool]) {
        let narrow = |column: &mut Vec<u32>| {
            let mut stays = stays.iter();
            column.retain(|_| stays.next().is_some_and(|&stays| stays));
        };
        self.columns.iter_mut().for_each(narrow);
        narrow(&mut self.members);
    }
}

/// Groups classes by some columns; keeps its memory from one set of columns to the next.
#[derive(Debug, Default)]
pub(crate) struct Grouping {
    /// The group of each class, by its position among the members.
    pub(crate) group_of: Vec<u32>,
    /// All groups are below this.
    pub(crate) groups: usize,
    keys: Vec<u64>,
    slots: Vec<u32>,
    numbers: HashMap<u64, u32, FixedState>,
}

impl Grouping {
    /// Groups by the labels of some columns. Where the labels' combinations are few, a group's number is its place among all of
    /// them, so that some numbers may be of no group; [`Grouping::close_up`] removes those. Linear in classes times columns.
    pub(crate) fn group(&mut self, labels: &Labels, columns: &[usize]) {
        let most = (labels.len() as u64 * SLOTS_PER_CLASS).max(SMALL_ARRAY);
        let product = columns.iter().try_fold(1u64, |product, &j| product.checked_mul(labels.domains[j]));
        if let Some(product) = product.filter(|&product| product <= most) {
            self.group_of.clear();
            self.group_of.resize(labels.len(), 0);
            for &j in columns {
                let domain = labels.domains[j] as u32;
                for (group, &label) in self.group_of.iter_mut().zip(&labels.columns[j]) {
                    *group = *group * domain + label;
                }
            }
            self.groups = product as usize;
            return;
        }
        self.keys.clear();
        self.keys.resize(labels.len(), 0);
        let mut product = 1u64;
        for &j in columns {
            let domain = labels.domains[j];
            product = product.checked_mul(domain).unwrap_or_else(|| {
                // Too many combinations for a machine word, but never more groups than classes.
                self.number_keys();
                self.keys.clear();
                self.keys.extend(self.group_of.iter().map(|&group| u64::from(group)));
                self.groups as u64 * domain
            });
            for (key, &label) in self.keys.iter_mut().zip(&labels.columns[j]) {
                *key = *key * domain + u64::from(label);
            }
        }
        self.number_keys();
    }

    fn number_keys(&mut self) {
        self.numbers.clear();
        self.group_of.clear();
        for &key in &self.keys {
            let next = self.numbers.len() as u32;
            self.group_of.push(*self.numbers.entry(key).or_insert(next));
        }
        self.groups = self.numbers.len();
    }

    /// Numbers the groups that have a class from 0, in the order of their first class.
    pub(crate) fn close_up(&mut self) {
        self.slots.clear();
        self.slots.resize(self.groups, EMPTY);
        let mut next = 0;
        for group in &mut self.group_of {
            let slot = &mut self.slots[*group as usize];
            if *slot == EMPTY {
                *slot = next;
                next += 1;
            }
            *group = *slot;
        }
        self.groups = next as usize;
    }
}

#[cfg(test)]
mod tests {
    use super::{Grouping, Labels};
    use crate::Classes;

    fn classes(labels: Vec<Vec<u32>>) -> Classes {
        Classes { rows: vec![1; labels[0].len()], labels, ..Classes::default() }
    }

    /// Which classes are together must not depend on how they are found.
    #[test]
    fn classes_are_together_iff_they_agree_however_many_labels_there_are() {
        for spread in [1, 1_000, 300_000_000] {
            let column = |step: u32| (0..40).map(|class: u32| class / step % 3 * spread).collect::<Vec<u32>>();
            let classes = classes(vec![column(1), column(2), column(5), column(9)]);
            let labels = Labels::of(&classes, &[true; 40]);
            let mut grouping = Grouping::default();
            for closes_up in [false, true] {
                grouping.group(&labels, &[0, 2, 3]);
                if closes_up {
                    grouping.close_up();
                }
                for left in 0..40 {
                    for right in 0..40 {
                        let agree =
                            [0, 2, 3].iter().all(|&j: &usize| labels.columns[j][left] == labels.columns[j][right]);
                        assert_eq!(grouping.group_of[left] == grouping.group_of[right], agree);
                    }
                    assert!((grouping.group_of[left] as usize) < grouping.groups);
                }
            }
        }
    }

    #[test]
    fn classes_that_are_not_kept_or_have_no_rows_are_no_members() {
        let mut classes = classes(vec![vec![0, 1, 2, 3]]);
        classes.rows[1] = 0;
        let mut labels = Labels::of(&classes, &[true, true, false, true]);
        assert_eq!(labels.members, [0, 3]);
        labels.retain(&[false, true]);
        assert_eq!((labels.members, labels.columns), (vec![3], vec![vec![3]]));
    }
}
