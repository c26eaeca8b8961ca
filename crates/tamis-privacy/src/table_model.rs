//! Requirements that one class alone cannot answer for: on groups by some of the columns, on pairs of columns, on the whole table.

use std::fmt::Debug;

/// All classes of one transformation, as a [`TableModel`] sees them.
#[derive(Debug, Clone, Default)]
pub struct Classes {
    /// The level of each quasi-identifier.
    pub levels: Vec<usize>,
    /// For each quasi-identifier the label of every class.
    pub labels: Vec<Vec<u32>>,
    /// Rows of each class.
    pub rows: Vec<u64>,
    /// Rows of the population that share the class's values; equal to the rows where there is no population.
    pub population: Vec<u64>,
    /// The values of each sensitive attribute in every class.
    pub sensitive: Vec<Histograms>,
    /// The combinations of each set of columns that are counted together, in every class.
    pub joint: Vec<Histograms>,
}

/// How often the values that occur in each class occur there.
#[derive(Debug, Clone, Default)]
pub struct Histograms {
    /// Where each class's entries start; one more than there are classes.
    pub starts: Vec<u32>,
    /// Code and count, codes ascending within a class.
    pub entries: Vec<(u32, u32)>,
}

impl Classes {
    /// Number of classes.
    pub fn len(&self) -> usize {
        self.rows.len()
    }

    /// Whether there is no class.
    pub fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }
}

impl Histograms {
    /// The values of a class. Panics if there is no such class.
    pub fn of(&self, class: usize) -> &[(u32, u32)] {
        &self.entries[self.starts[class] as usize..self.starts[class + 1] as usize]
    }

    /// From the values of each class.
    ///
    /// ```
    /// use tamis_privacy::Histograms;
    /// let histograms = Histograms::from_classes([vec![(0, 2)], vec![(0, 1), (3, 1)]]);
    /// assert_eq!(histograms.of(1), [(0, 1), (3, 1)]);
    /// ```
    pub fn from_classes(classes: impl IntoIterator<Item = Vec<(u32, u32)>>) -> Self {
        let mut histograms = Self { starts: vec![0], entries: Vec::new() };
        for entries in classes {
            histograms.entries.extend(entries);
            histograms.starts.push(histograms.entries.len() as u32);
        }
        histograms
    }
}

/// A privacy requirement on a released table, bound to one table.
///
/// Where a class stands is a matter of the others too: suppressing some may leave others in too small company. So it is asked again,
/// with what is left, until nothing more falls; what is left then meets the requirement.
pub trait TableModel: Debug + Send + Sync {
    /// The requirement in words, such as `LKC-privacy (L 3, K 5, C 0.5)`.
    fn describe(&self) -> String;

    /// The kept classes that must not be released as long as exactly the kept ones are; none if the kept ones meet the requirement.
    ///
    /// Classes that would fall in the next round because of these may be among them, if no order of falling would have spared them.
    fn failing(&self, classes: &Classes, kept: &[bool]) -> Vec<u32>;

    /// Whether what falls when nothing else is suppressed also falls in every less general transformation, whatever else is suppressed
    /// there. So it is where a group is only asked to be large enough.
    fn is_hereditary(&self) -> bool {
        false
    }

    /// At most how many rows of the kept classes can be released together, here or in any less general transformation, however much
    /// else is suppressed there.
    ///
    /// An upper bound; all of their rows says nothing and is always right.
    fn most_kept(&self, classes: &Classes, kept: &[bool]) -> u64 {
        classes.rows.iter().zip(kept).filter(|&(_, &kept)| kept).map(|(&rows, _)| rows).sum()
    }
}

/// Which of the `kept` classes are left when every model has taken away what fails, again and again until nothing does.
///
/// ```
/// use tamis_privacy::{Classes, TableModel, settle};
/// #[derive(Debug)]
/// struct AtLeastFiveRows;
/// impl TableModel for AtLeastFiveRows {
///     fn describe(&self) -> String {
///         "at least five rows".to_owned()
///     }
///     fn failing(&self, classes: &Classes, kept: &[bool]) -> Vec<u32> {
///         (0..classes.len()).filter(|&class| kept[class] && classes.rows[class] < 5).map(|class| class as u32).collect()
///     }
/// }
/// let classes = Classes { rows: vec![7, 2], ..Classes::default() };
/// assert_eq!(settle(&[&AtLeastFiveRows], &classes, vec![true, true]), [true, false]);
/// ```
pub fn settle(models: &[&dyn TableModel], classes: &Classes, mut kept: Vec<bool>) -> Vec<bool> {
    loop {
        let mut is_settled = true;
        for model in models {
            for class in model.failing(classes, &kept) {
                is_settled &= !std::mem::replace(&mut kept[class as usize], false);
            }
        }
        if is_settled {
            return kept;
        }
    }
}
