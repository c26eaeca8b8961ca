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

/// More counters than this are not worth their memory: then only the values that occur in a group are counted.
const MOST_COUNTERS: usize = 1 << 22;

/// The counts of every group of one combination.
#[derive(Default)]
struct Counted {
    /// Where each group's counts start; one more than there are groups.
    starts: Vec<usize>,
    /// How often the values occur in each group; some may be 0.
    counts: Vec<u32>,
}

/// The values of the members, in their order.
struct Entries {
    starts: Vec<usize>,
    entries: Vec<(u32, u32)>,
}

impl Counted {
    /// A counter for every group and value.
    fn count_densely(&mut self, grouping: &Grouping, values: &Entries, width: usize) {
        self.counts.clear();
        self.counts.resize(grouping.groups * width, 0);
        self.starts.clear();
        self.starts.extend((0..=grouping.groups).map(|group| group * width));
        for (&group, range) in grouping.group_of.iter().zip(values.starts.windows(2)) {
            let of_group = &mut self.counts[group as usize * width..][..width];
            for &(code, count) in &values.entries[range[0]..range[1]] {
                of_group[code as usize] += count;
            }
        }
    }

    /// A counter for every value that occurs in a group, by sorting.
    fn count_sparsely(&mut self, grouping: &Grouping, values: &Entries) {
        let ranges = grouping.group_of.iter().zip(values.starts.windows(2));
        let mut all: Vec<(u32, u32, u32)> = ranges
            .flat_map(|(&group, range)| values.entries[range[0]..range[1]].iter().map(move |&(c, n)| (group, c, n)))
            .collect();
        all.sort_unstable();
        self.counts.clear();
        self.starts.clear();
        for same in all.chunk_by(|left, right| (left.0, left.1) == (right.0, right.1)) {
            // Groups are numbered without gaps and all have rows.
            if same[0].0 as usize == self.starts.len() {
                self.starts.push(self.counts.len());
            }
            self.counts.push(same.iter().map(|&(_, _, count)| count).sum());
        }
        self.starts.push(self.counts.len());
    }

    fn groups(&self) -> impl Iterator<Item = &[u32]> {
        self.starts.windows(2).map(|range| &self.counts[range[0]..range[1]])
    }
}

impl GroupConfidence {
    /// Shows the group of each member, and the counted groups, of every combination.
    fn for_each_combination(&self, classes: &Classes, labels: &Labels, mut show: impl FnMut(&[u32], &Counted)) {
        let histograms = &classes.sensitive[self.position];
        // Laid out as the members are, so that each combination reads them in order.
        let mut values = Entries { starts: vec![0], entries: Vec::new() };
        for &class in &labels.members {
            values.entries.extend_from_slice(histograms.of(class as usize));
            values.starts.push(values.entries.len());
        }
        let mut grouping = Grouping::default();
        let mut counted = Counted::default();
        for combination in combinations_of(labels, self.l) {
            grouping.group(labels, &combination);
            grouping.close_up();
            if grouping.groups * self.values <= MOST_COUNTERS {
                counted.count_densely(&grouping, &values, self.values);
            } else {
                counted.count_sparsely(&grouping, &values);
            }
            show(&grouping.group_of, &counted);
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
        self.for_each_combination(classes, &labels, |group_of, counted| {
            let holds: Vec<bool> = counted.groups().map(|counts| self.holds(counts)).collect();
            if holds.iter().all(|&holds| holds) {
                return;
            }
            for (stays, &group) in stays.iter_mut().zip(group_of) {
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
        self.for_each_combination(classes, &labels, |_, counted| {
            let of_group = |counts: &[u32]| {
                let left = if self.holds(counts) { rows_of(counts) } else { most_within(counts, 0, self.c) };
                if left < self.k { 0 } else { left }
            };
            most = u64::min(most, counted.groups().map(of_group).sum());
        });
        most
    }
}

#[cfg(test)]
mod tests {
    use super::{Counted, Entries, GroupConfidence};
    use crate::grouping::Grouping;
    use crate::{Classes, Histograms, TableModel};

    #[test]
    fn many_values_are_counted_like_few() {
        let mut grouping = Grouping::default();
        (grouping.group_of, grouping.groups) = (vec![0, 1, 0, 2, 1], 3);
        let entries = vec![(0, 2), (3, 1), (1, 1), (0, 1), (2, 5), (1, 4), (3, 3)];
        let values = Entries { starts: vec![0, 2, 3, 4, 5, 7], entries };
        let (mut dense, mut sparse) = (Counted::default(), Counted::default());
        dense.count_densely(&grouping, &values, 4);
        sparse.count_sparsely(&grouping, &values);
        let occurring = |counts: &[u32]| counts.iter().copied().filter(|&count| count > 0).collect::<Vec<u32>>();
        let left: Vec<Vec<u32>> = dense.groups().map(occurring).collect();
        let right: Vec<Vec<u32>> = sparse.groups().map(occurring).collect();
        assert_eq!(left, right);
        assert_eq!(left, [vec![3, 1], vec![5, 3], vec![5]]);
    }

    /// A counter for each of a hundred thousand classes and values would take 40 GB.
    #[test]
    fn a_value_of_its_own_for_everyone_fits_into_memory() {
        let number = 100_000u32;
        let model =
            GroupConfidence { l: 1, k: 1, c: 0.5, attribute: "name".to_owned(), position: 0, values: number as usize };
        let classes = Classes {
            levels: vec![0],
            labels: vec![(0..number).map(|class| class / 2).collect()],
            rows: vec![1; number as usize],
            sensitive: vec![Histograms::from_classes((0..number).map(|class| vec![(class.max(1), 1)]))],
            ..Classes::default()
        };
        // The first two share a value.
        let kept = vec![true; number as usize];
        assert_eq!(model.failing(&classes, &kept), [0, 1]);
        assert_eq!(model.most_kept(&classes, &kept), u64::from(number) - 2);
    }
}
