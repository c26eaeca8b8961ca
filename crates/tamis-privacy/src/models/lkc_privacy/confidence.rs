//! The C of LKC-privacy: no sensitive value is too frequent in a group by any L quasi-identifiers.

use super::combinations_of;
use crate::grouping::{Grouping, Labels};
use crate::share::{exceeds, most_within};
use crate::{Classes, TableModel};

/// No value has more than the share `c` of the rows of any group by at most `l` quasi-identifiers.
#[derive(Debug)]
pub(super) struct GroupConfidence {
    pub(super) l: usize,
    /// Groups below this size fall for another reason.
    pub(super) k: u64,
    pub(super) c: f64,
    pub(super) attribute: String,
    /// The position of the attribute among the sensitive ones.
    pub(super) position: usize,
    /// How many values it has.
    pub(super) values: usize,
}

/// The counts of every group of one combination.
struct Counted<'a> {
    /// The group of each member.
    group_of: &'a [u32],
    /// The values of each group, one after the other.
    counts: &'a [u32],
}

impl GroupConfidence {
    /// Shows the counted groups of every combination.
    fn for_each_combination(&self, classes: &Classes, labels: &Labels, mut show: impl FnMut(&Counted<'_>)) {
        let histograms = &classes.sensitive[self.position];
        // Laid out as the members are, so that each combination reads them in order.
        let mut starts = vec![0];
        let mut entries: Vec<(u32, u32)> = Vec::new();
        for &class in &labels.members {
            entries.extend_from_slice(histograms.of(class as usize));
            starts.push(entries.len());
        }
        let mut grouping = Grouping::default();
        let mut counts: Vec<u32> = Vec::new();
        for combination in combinations_of(labels, self.l) {
            grouping.group(labels, &combination);
            grouping.close_up();
            counts.clear();
            counts.resize(grouping.groups * self.values, 0);
            for (&group, range) in grouping.group_of.iter().zip(starts.windows(2)) {
                let of_group = &mut counts[group as usize * self.values..][..self.values];
                for &(code, count) in &entries[range[0]..range[1]] {
                    of_group[code as usize] += count;
                }
            }
            show(&Counted { group_of: &grouping.group_of, counts: &counts });
        }
    }

    fn holds(&self, counts: &[u32]) -> bool {
        let most = counts.iter().max().copied().unwrap_or(0);
        !exceeds(u64::from(most), rows_of(counts), self.c)
    }
}

fn rows_of(counts: &[u32]) -> u64 {
    counts.iter().map(|&count| u64::from(count)).sum()
}

impl TableModel for GroupConfidence {
    fn describe(&self) -> String {
        format!("LKC-privacy (L {}, C {} of {})", self.l, self.c, self.attribute)
    }

    /// The classes of all groups that fail with everything kept beside them.
    fn failing(&self, classes: &Classes, kept: &[bool]) -> Vec<u32> {
        let labels = Labels::of(classes, kept);
        let mut stays = vec![true; labels.len()];
        self.for_each_combination(classes, &labels, |counted| {
            let holds: Vec<bool> = counted.counts.chunks_exact(self.values).map(|counts| self.holds(counts)).collect();
            if holds.iter().all(|&holds| holds) {
                return;
            }
            for (stays, &group) in stays.iter_mut().zip(counted.group_of) {
                *stays &= holds[group as usize];
            }
        });
        labels.members.iter().zip(&stays).filter(|&(_, &stays)| !stays).map(|(&class, _)| class).collect()
    }

    /// What a less general transformation releases of a group here are whole groups there, in each of which no value has more than
    /// the share c. So no value has more of all of it, whose size is then bounded; and it is none or at least K. The groups of one
    /// combination part the rows, so the bounds add up; the best combination counts.
    fn most_kept(&self, classes: &Classes, kept: &[bool]) -> u64 {
        let labels = Labels::of(classes, kept);
        let mut most = labels.members.iter().map(|&class| classes.rows[class as usize]).sum();
        self.for_each_combination(classes, &labels, |counted| {
            let of_group = |counts: &[u32]| {
                let left = if self.holds(counts) { rows_of(counts) } else { most_within(counts, 0, self.c) };
                if left < self.k { 0 } else { left }
            };
            most = u64::min(most, counted.counts.chunks_exact(self.values).map(of_group).sum());
        });
        most
    }
}
