//! What a table is broken down by: labels and how they add up.

mod hrc;
mod levels;
mod order;
mod read;

use std::collections::HashMap;

pub use hrc::{HrcLine, parse_hrc};
pub use read::HierarchyFile;
pub(crate) use read::read_dimension;

/// What rows of microdata without a label are counted under; the last of the labels that no hierarchy orders.
pub const MISSING: &str = "(missing)";

/// Labels that add up to another one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Group {
    /// The total.
    pub parent: u32,
    /// Its parts.
    pub children: Vec<u32>,
}

/// One way in which a table is broken down, with its total and subtotals.
///
/// Labels are numbered in the order in which they are met; 0 is the total. A label may be part of more than one total where
/// several hierarchies describe the same parts.
///
/// ```
/// use tamis_totals::Dimension;
/// let mut region = Dimension::new("Region", "Total");
/// let north = region.part("North", 0)?;
/// region.part("Oslo", north)?;
/// assert_eq!(region.label(2), "Oslo");
/// assert_eq!(region.ancestors(2), [2, 1, 0]);
/// assert_eq!((region.depth(2), region.is_leaf(1)), (2, false));
/// # Ok::<(), String>(())
/// ```
#[derive(Debug, Clone)]
pub struct Dimension {
    name: String,
    labels: Vec<String>,
    index: HashMap<String, u32>,
    /// What the total is called, in small letters.
    totals: Vec<String>,
    groups: Vec<Group>,
    /// The group of a total in a hierarchy.
    group_at: HashMap<(u32, usize), u32>,
    /// The groups of each label in which it is the total.
    groups_of: Vec<Vec<u32>>,
    /// The groups of each label in which it is a part.
    part_of: Vec<Vec<u32>>,
    /// Each label and all above it, itself first.
    ancestors: Vec<Vec<u32>>,
    /// Whether a file says how labels are ordered.
    has_hierarchy: bool,
}

impl Dimension {
    /// The label 0 is the total of all.
    pub const TOTAL: u32 = 0;

    /// A dimension of nothing but its total.
    pub fn new(name: impl Into<String>, total: impl Into<String>) -> Self {
        let total = total.into();
        Self {
            name: name.into(),
            index: HashMap::from([(total.clone(), 0)]),
            totals: vec![total.to_lowercase()],
            labels: vec![total],
            groups: Vec::new(),
            group_at: HashMap::new(),
            groups_of: vec![Vec::new()],
            part_of: vec![Vec::new()],
            ancestors: vec![vec![0]],
            has_hierarchy: false,
        }
    }

    /// Its name, that of a column.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// All labels, the total first.
    pub fn labels(&self) -> &[String] {
        &self.labels
    }

    /// How a label is written. Panics past the end.
    pub fn label(&self, number: u32) -> &str {
        &self.labels[number as usize]
    }

    /// The number of a label; the total is also found by the name that totals have in general, in small letters or capitals.
    pub fn find(&self, label: &str) -> Option<u32> {
        let is_total = || self.totals.contains(&label.to_lowercase());
        self.index.get(label).copied().or_else(|| is_total().then_some(Self::TOTAL))
    }

    /// Spells the total as a file does that has other capitals.
    pub(crate) fn spell_total(&mut self, label: &str) {
        if !self.index.contains_key(label) && self.find(label) == Some(Self::TOTAL) {
            if self.labels[0].to_lowercase() == label.to_lowercase() {
                label.clone_into(&mut self.labels[0]);
            }
            self.index.insert(label.to_owned(), Self::TOTAL);
        }
    }

    /// All sums there are.
    pub fn groups(&self) -> &[Group] {
        &self.groups
    }

    /// Whether a label has no parts.
    pub fn is_leaf(&self, number: u32) -> bool {
        self.groups_of[number as usize].is_empty()
    }

    /// A label and all totals above it, itself first.
    pub fn ancestors(&self, number: u32) -> &[u32] {
        &self.ancestors[number as usize]
    }

    /// The total directly above a label, in the first hierarchy that has it.
    pub fn parent(&self, number: u32) -> Option<u32> {
        self.part_of[number as usize].first().map(|&group| self.groups[group as usize].parent)
    }

    /// How many totals are above a label, in the first hierarchy that has it.
    pub fn depth(&self, number: u32) -> usize {
        std::iter::successors(Some(number), |&label| self.parent(label)).count() - 1
    }

    /// The labels from the total down, parts below their total: the order for people. A hierarchy has its own order; labels
    /// without one are sorted, numbers in them by their value.
    ///
    /// ```
    /// use tamis_totals::Dimension;
    /// let mut size = Dimension::new("Size", "Total");
    /// for label in ["10-19", "20+", "5-9"] {
    ///     size.part(label, 0)?;
    /// }
    /// let order: Vec<&str> = size.in_order().into_iter().map(|label| size.label(label)).collect();
    /// assert_eq!(order, ["Total", "5-9", "10-19", "20+"]);
    /// # Ok::<(), String>(())
    /// ```
    pub fn in_order(&self) -> Vec<u32> {
        let mut order = Vec::with_capacity(self.labels.len());
        let mut seen = vec![false; self.labels.len()];
        let mut open = vec![Self::TOTAL];
        while let Some(label) = open.pop() {
            if !std::mem::replace(&mut seen[label as usize], true) {
                order.push(label);
                let below = self.groups_of[label as usize].iter();
                let mut below: Vec<u32> =
                    below.flat_map(|&group| self.groups[group as usize].children.iter().copied()).collect();
                if !self.has_hierarchy {
                    // What is missing stands last.
                    below.sort_by_key(|&label| self.label(label) == MISSING);
                    let known = below.partition_point(|&label| self.label(label) != MISSING);
                    order::sort(&mut below[..known], |&label| self.label(label));
                }
                open.extend(below.into_iter().rev());
            }
        }
        order
    }

    /// The place of every label in [`Self::in_order`].
    pub(crate) fn ranks(&self) -> Vec<u32> {
        let mut ranks = vec![0; self.labels.len()];
        for (label, rank) in self.in_order().into_iter().zip(0..) {
            ranks[label as usize] = rank;
        }
        ranks
    }

    /// Adds a label under a total; the sentence says why it cannot be one.
    pub fn part(&mut self, label: &str, parent: u32) -> Result<u32, String> {
        self.part_in(label, parent, 0)
    }

    pub(crate) fn part_in(&mut self, label: &str, parent: u32, hierarchy: usize) -> Result<u32, String> {
        if let Some(known) = self.find(label) {
            return Err(format!("the label `{label}` occurs twice, the first time under `{}`", self.above(known)));
        }
        let number = self.labels.len() as u32;
        self.labels.push(label.to_owned());
        self.index.insert(label.to_owned(), number);
        self.groups_of.push(Vec::new());
        self.part_of.push(Vec::new());
        let above = self.ancestors[parent as usize].iter().copied();
        let above = std::iter::once(number).chain(above).collect();
        self.ancestors.push(above);
        self.attach(number, parent, hierarchy);
        Ok(number)
    }

    /// Adds a label that belongs to nothing but the total, in every hierarchy: each of them adds up to the same.
    pub(crate) fn part_of_all(&mut self, label: &str) -> Result<u32, String> {
        let number = self.part(label, Self::TOTAL)?;
        let mut others: Vec<usize> = self
            .group_at
            .keys()
            .filter(|(parent, _)| *parent == Self::TOTAL)
            .map(|(_, hierarchy)| *hierarchy)
            .collect();
        others.sort_unstable();
        for hierarchy in others.into_iter().filter(|hierarchy| *hierarchy != 0) {
            self.attach(number, Self::TOTAL, hierarchy);
        }
        self.close();
        Ok(number)
    }

    /// Makes a label a part of a total in the hierarchy numbered `hierarchy` from 0. What is above what is settled by
    /// [`Self::close`].
    pub(crate) fn attach(&mut self, label: u32, parent: u32, hierarchy: usize) {
        let group = *self.group_at.entry((parent, hierarchy)).or_insert_with(|| {
            let group = self.groups.len() as u32;
            self.groups.push(Group { parent, children: Vec::new() });
            self.groups_of[parent as usize].push(group);
            group
        });
        self.groups[group as usize].children.push(label);
        self.part_of[label as usize].push(group);
    }

    /// Works out what is above each label after labels were attached to more than one total.
    pub(crate) fn close(&mut self) {
        for label in 0..self.labels.len() {
            let mut above = vec![label as u32];
            let mut at = 0;
            while let Some(&number) = above.get(at) {
                at += 1;
                for &group in &self.part_of[number as usize] {
                    let parent = self.groups[group as usize].parent;
                    if !above.contains(&parent) {
                        above.push(parent);
                    }
                }
            }
            self.ancestors[label] = above;
        }
    }

    /// Whether `upper` is `lower` or above it, whatever [`Self::close`] knows.
    pub(crate) fn is_above(&self, upper: u32, lower: u32) -> bool {
        let parents =
            |number: u32| self.part_of[number as usize].iter().map(|&group| self.groups[group as usize].parent);
        let mut open = vec![lower];
        let mut seen = vec![lower];
        while let Some(number) = open.pop() {
            if number == upper {
                return true;
            }
            for parent in parents(number) {
                if !seen.contains(&parent) {
                    seen.push(parent);
                    open.push(parent);
                }
            }
        }
        false
    }

    /// The groups in which a label is a part.
    pub(crate) fn part_of(&self, number: u32) -> &[u32] {
        &self.part_of[number as usize]
    }

    /// The groups in which a label is the total.
    pub(crate) fn groups_of(&self, number: u32) -> &[u32] {
        &self.groups_of[number as usize]
    }

    /// Calls the total by the name that a hierarchy gives it; the name it had stays known.
    pub(crate) fn call_total(&mut self, label: &str, hierarchy: usize) {
        if hierarchy == 0 {
            label.clone_into(&mut self.labels[0]);
        }
        self.index.insert(label.to_owned(), Self::TOTAL);
        self.totals.push(label.to_lowercase());
    }

    fn above(&self, number: u32) -> &str {
        self.parent(number).map_or("nothing", |parent| self.label(parent))
    }
}
