//! How the texts of a column relate: which of two says more, and whether both can be true of one person.

use std::collections::{HashMap, HashSet};
use tamis_table::hierarchy::SUPPRESSED;
use tamis_table::{Hierarchy, HierarchyError, HierarchyRow};

/// A hierarchy as an attacker reads it: every text, value or label of any level, stands for the values below it.
///
/// `*` stands for everything, whether the hierarchy has it or not. A text that the hierarchy does not list stands for itself.
///
/// ```
/// use tamis_risk::attacks::Labels;
/// use tamis_table::HierarchyRow;
/// let rows: Vec<HierarchyRow> = ["05345;05340;05300", "05346;05340;05300", "05351;05350;05300"]
///     .iter()
///     .zip(1..)
///     .map(|(text, line)| HierarchyRow { line, labels: text.split(';').map(str::to_owned).collect() })
///     .collect();
/// let zip = Labels::from_rows(&rows)?;
/// assert!(zip.covers("05340", "05346") && zip.covers("*", "05300"));
/// assert!(!zip.covers("05350", "05346"));
/// # Ok::<(), tamis_table::HierarchyError>(())
/// ```
#[derive(Debug, Clone, Default)]
pub struct Labels {
    /// The labels of every value, finest first.
    chains: Vec<Vec<String>>,
    /// For each text the values below it, ascending.
    extents: HashMap<String, Vec<u32>>,
}

impl Labels {
    /// Checks the lines of a hierarchy and indexes them; linear in their cells.
    pub fn from_rows(rows: &[HierarchyRow]) -> Result<Self, HierarchyError> {
        Hierarchy::from_rows(rows)?;
        let mut labels = Self::default();
        let mut listed: HashSet<&str> = HashSet::new();
        for row in rows {
            let Some(value) = row.labels.first() else { continue };
            if !listed.insert(value) {
                continue;
            }
            let number = labels.chains.len() as u32;
            for label in &row.labels {
                let extent = labels.extents.entry(label.clone()).or_default();
                if extent.last() != Some(&number) {
                    extent.push(number);
                }
            }
            labels.chains.push(row.labels.clone());
        }
        Ok(labels)
    }

    /// Number of levels, level 0 included; 1 without a hierarchy.
    pub fn levels(&self) -> usize {
        self.chains.first().map_or(1, Vec::len)
    }

    /// Whether all values have one label on this level, which says nothing about any.
    pub fn is_root(&self, level: usize) -> bool {
        let label = |chain: &Vec<String>| chain.get(level).cloned();
        self.chains.windows(2).all(|pair| label(&pair[0]) == label(&pair[1]))
    }

    /// Whether the hierarchy has this text on some level.
    pub fn lists(&self, text: &str) -> bool {
        self.extents.contains_key(text)
    }

    /// What a value of level 0 becomes level by level, itself included; only itself if it is not listed.
    pub fn chain<'a>(&'a self, value: &'a str) -> Vec<&'a str> {
        let own = |&number: &&u32| self.chains[*number as usize].first().is_some_and(|first| first == value);
        match self.extents.get(value).and_then(|extent| extent.iter().find(own)) {
            Some(&number) => self.chains[number as usize].iter().map(String::as_str).collect(),
            None => vec![value],
        }
    }

    /// The values of level 0 below a text; only itself if it is not listed.
    pub fn values_under<'a>(&'a self, text: &'a str) -> Vec<&'a str> {
        let first = |chain: &'a Vec<String>| chain.first().map_or("", String::as_str);
        match self.extents.get(text) {
            Some(extent) => extent.iter().map(|&number| first(&self.chains[number as usize])).collect(),
            None if text == SUPPRESSED && !self.chains.is_empty() => self.chains.iter().map(first).collect(),
            None => vec![text],
        }
    }

    /// The levels on which a text is the label of some value, ascending; none if it is not listed.
    pub fn levels_of(&self, text: &str) -> Vec<usize> {
        let chains = self.extents.get(text).into_iter().flatten().map(|&number| &self.chains[number as usize]);
        let mut levels: Vec<usize> =
            chains.flat_map(|chain| (0..chain.len()).filter(|&level| chain[level] == text)).collect();
        levels.sort_unstable();
        levels.dedup();
        levels
    }

    /// Whether everything that `specific` stands for is also under `general`.
    pub fn covers(&self, general: &str, specific: &str) -> bool {
        if general == SUPPRESSED || general == specific {
            return true;
        }
        match (self.extents.get(general), self.extents.get(specific)) {
            (Some(general), Some(specific)) => specific.iter().all(|value| general.binary_search(value).is_ok()),
            _ => false,
        }
    }
}
