//! The K of LKC-privacy: groups by any L quasi-identifiers are large enough.

use super::combinations_of;
use crate::grouping::{Grouping, Labels};
use crate::{Classes, TableModel};

/// Every group by at most `l` quasi-identifiers has at least `k` rows.
#[derive(Debug)]
pub(super) struct GroupSize {
    pub(super) l: usize,
    pub(super) k: u64,
}

impl TableModel for GroupSize {
    fn describe(&self) -> String {
        format!("LKC-privacy (L {}, K {})", self.l, self.k)
    }

    /// All that must fall, also because of what falls before it: the order makes no difference, since a group that is too small
    /// stays so when others fall.
    ///
    /// Combination after combination; after a loss the others are looked at again, with what is left.
    fn failing(&self, classes: &Classes, kept: &[bool]) -> Vec<u32> {
        let mut labels = Labels::of(classes, kept);
        let combinations = combinations_of(&labels, self.l);
        let mut rows: Vec<u64> = labels.members.iter().map(|&class| classes.rows[class as usize]).collect();
        let mut grouping = Grouping::default();
        let mut sums: Vec<u64> = Vec::new();
        let mut fallen = Vec::new();
        let mut in_order = 0;
        for combination in combinations.iter().cycle() {
            if in_order == combinations.len() || labels.len() == 0 {
                break;
            }
            in_order += 1;
            grouping.group(&labels, combination);
            sums.clear();
            sums.resize(grouping.groups, 0);
            for (&group, &rows) in grouping.group_of.iter().zip(&rows) {
                sums[group as usize] += rows;
            }
            if grouping.group_of.iter().all(|&group| sums[group as usize] >= self.k) {
                continue;
            }
            let stays: Vec<bool> = grouping.group_of.iter().map(|&group| sums[group as usize] >= self.k).collect();
            fallen.extend(labels.members.iter().zip(&stays).filter(|&(_, &stays)| !stays).map(|(&class, _)| class));
            labels.retain(&stays);
            let mut stays = stays.into_iter();
            rows.retain(|_| stays.next().unwrap_or(false));
            // This combination itself has lost whole groups only.
            in_order = 1;
        }
        fallen
    }

    /// Let T be rows that meet the bound in a less general transformation, and put the whole classes of this transformation around
    /// them. Every group of the result holds a row of T and with it that row's whole group below, so at least k rows. Hence the
    /// classes around T meet the bound, and as unions of sets that meet it do too, they are among what is left here when all that
    /// must has fallen. What has fallen here is therefore in no such T.
    fn is_hereditary(&self) -> bool {
        true
    }
}
