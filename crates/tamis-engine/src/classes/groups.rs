//! The classes of one transformation, each with its tuples.

use tamis_privacy::{Classes, Histograms};
use tamis_table::{FrequencySet, Members, Sensitive, TupleColumn, number_tuples};

/// The classes of one transformation, each with its tuples.
pub(super) struct Groups {
    pub(super) class_of_tuple: Vec<u32>,
    members: Members,
}

impl Groups {
    pub(super) fn of(frequency: &FrequencySet, levels: &[usize]) -> Self {
        let recoders = frequency.attributes.iter().map(|attribute| &attribute.recoder);
        let columns: Vec<(&[u32], &[u32])> = frequency
            .codes
            .iter()
            .zip(recoders.clone())
            .zip(levels)
            .map(|((codes, recoder), &level)| (codes.as_slice(), recoder.labels_of_codes(level)))
            .collect();
        let views: Vec<&dyn TupleColumn> = columns.iter().map(|column| column as &dyn TupleColumn).collect();
        let domains: Vec<u32> =
            recoders.zip(levels).map(|(recoder, &level)| recoder.labels(level).len() as u32).collect();
        let (class_of_tuple, firsts) = number_tuples(frequency.tuples(), &views, &domains);
        let members = Members::of(&class_of_tuple, firsts.len());
        Self { class_of_tuple, members }
    }

    pub(super) fn len(&self) -> usize {
        self.members.len()
    }

    pub(super) fn tuples(&self, class: usize) -> &[u32] {
        self.members.group(class)
    }

    /// All classes at once, as models of the whole table see them. Linear in the tuples and their values.
    pub(super) fn view(&self, frequency: &FrequencySet, levels: &[usize]) -> Classes {
        let label = |class: usize, j: usize| {
            let code = frequency.codes[j][self.tuples(class)[0] as usize];
            frequency.attributes[j].recoder.labels_of_codes(levels[j])[code as usize]
        };
        let sum = |counts: &[u32]| -> Vec<u64> {
            let of_class = |class| self.tuples(class).iter().map(|&tuple| u64::from(counts[tuple as usize])).sum();
            (0..self.len()).map(of_class).collect()
        };
        Classes {
            levels: levels.to_vec(),
            labels: (0..levels.len()).map(|j| (0..self.len()).map(|class| label(class, j)).collect()).collect(),
            rows: sum(&frequency.counts),
            population: sum(frequency.population.as_ref().unwrap_or(&frequency.counts)),
            sensitive: frequency.sensitive.iter().map(|sensitive| self.histograms(sensitive)).collect(),
            joint: frequency.joint.iter().map(|joint| self.histograms(&joint.counted)).collect(),
        }
    }

    fn histograms(&self, counted: &Sensitive) -> Histograms {
        let mut sums = vec![0u32; counted.totals.len()];
        let mut present: Vec<u32> = Vec::new();
        Histograms::from_classes((0..self.len()).map(|class| {
            for &tuple in self.tuples(class) {
                let range = counted.starts[tuple as usize] as usize..counted.starts[tuple as usize + 1] as usize;
                for (&code, &count) in counted.codes[range.clone()].iter().zip(&counted.counts[range]) {
                    if sums[code as usize] == 0 {
                        present.push(code);
                    }
                    sums[code as usize] += count;
                }
            }
            present.sort_unstable();
            present.drain(..).map(|code| (code, std::mem::take(&mut sums[code as usize]))).collect()
        }))
    }
}

/// The classes of a transformation, as models of the whole table see them.
///
/// Grouping costs time linear in the distinct tuples.
pub fn view_classes(frequency: &FrequencySet, levels: &[usize]) -> Classes {
    Groups::of(frequency, levels).view(frequency, levels)
}
