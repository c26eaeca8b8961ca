//! Where the rows of an experiment lie along a chart.

use tamis_appointments::laboratory::experiment::Row;

/// The share of the width that the first and the last size keep from the edges.
const MARGIN: f64 = 0.04;

/// A place for every row, as a share of the width.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Places {
    /// The middle of each row's place.
    pub(super) middles: Vec<f64>,
    /// The rows that a line may join, in the order of their sizes: none if the rows are categories.
    pub(super) joined: Vec<usize>,
    /// How much room each row has.
    pub(super) pitch: f64,
    /// What stands under each row: the number alone along an axis of sizes, after the first.
    pub(super) labels: Vec<String>,
}

impl Places {
    /// Sizes of populations lie on a logarithmic axis; rows of a size that is taken, which differ in something else, stand beside it.
    /// Everything else are categories at equal distances.
    pub(super) fn of(rows: &[Row]) -> Self {
        let mut sized: Vec<(u64, usize)> = Vec::new();
        for (at, row) in rows.iter().enumerate() {
            if let Some(size) = row.size.filter(|&size| size > 0 && sized.iter().all(|&(taken, _)| taken != size)) {
                sized.push((size, at));
            }
        }
        sized.sort_unstable();
        let (Some(&(least, _)), Some(&(most, _))) = (sized.first(), sized.last()) else {
            return Self::equal(rows);
        };
        let aside = rows.len() - sized.len();
        if least == most || aside > sized.len() {
            return Self::equal(rows);
        }
        let per_aside = 0.09_f64.min(0.5 / (aside.max(1) as f64));
        let axis = 1.0 - per_aside * aside as f64;
        let reach = (most as f64).ln() - (least as f64).ln();
        let along =
            |size: u64| (MARGIN + (1.0 - 2.0 * MARGIN) * ((size as f64).ln() - (least as f64).ln()) / reach) * axis;
        let joined: Vec<usize> = sized.iter().map(|&(_, at)| at).collect();
        let mut middles = vec![0.0; rows.len()];
        let mut labels: Vec<String> = rows.iter().map(|row| row.label.clone()).collect();
        for (number, &(size, at)) in sized.iter().enumerate() {
            middles[at] = along(size);
            if number > 0 {
                labels[at] = size.to_string();
            }
        }
        for (number, at) in (0..rows.len()).filter(|at| !joined.contains(at)).enumerate() {
            middles[at] = axis + per_aside * (number as f64 + 0.5);
        }
        Self { middles, joined, pitch: 0.0, labels }
    }

    /// Categories at equal distances.
    pub(super) fn equal(rows: &[Row]) -> Self {
        let pitch = 1.0 / rows.len().max(1) as f64;
        let middles = (0..rows.len()).map(|row| pitch * (row as f64 + 0.5)).collect();
        Self { middles, joined: Vec::new(), pitch, labels: rows.iter().map(|row| row.label.clone()).collect() }
    }

    /// Whether sizes are to scale.
    pub(super) fn is_logarithmic(&self) -> bool {
        !self.joined.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rows(sizes: &[Option<u64>]) -> Vec<Row> {
        let row = |&size: &Option<u64>| Row {
            label: size.map_or_else(|| "region".to_owned(), |size| format!("N = {size}")),
            populations: String::new(),
            people: 0.0,
            size,
            runs: 1,
            arms: Vec::new(),
            comparisons: Vec::new(),
        };
        sizes.iter().map(row).collect()
    }

    #[test]
    fn equal_ratios_of_sizes_are_equal_distances() {
        let places = Places::of(&rows(&[Some(1000), Some(10), Some(100), Some(1000)]));
        let [most, least, between, aside] = places.middles[..] else { panic!("four places") };
        assert!((between - least - (most - between)).abs() < 1e-12);
        assert!(most < aside && aside < 1.0, "a size that is taken stands beside the axis");
        assert_eq!(places.joined, [1, 2, 0]);
        assert_eq!(places.labels, ["1000", "N = 10", "100", "N = 1000"]);
    }

    #[test]
    fn what_has_no_size_stands_at_equal_distances() {
        for sizes in [&[None, None][..], &[Some(5)], &[Some(0), Some(0)], &[Some(7), Some(7)], &[]] {
            let places = Places::of(&rows(sizes));
            assert_eq!(places, Places::equal(&rows(sizes)));
            assert!(!places.is_logarithmic());
        }
    }
}
