//! Figures about released classes; suppressed rows are left out.

/// How many classes there are and how large.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct ClassStatistics {
    /// Released classes.
    pub count: u64,
    /// Size of the smallest; 0 if there is none.
    pub min: u64,
    /// Size of the largest; 0 if there is none.
    pub max: u64,
    /// Mean size; 0 if there is none.
    pub average: f64,
    /// Released rows.
    pub rows: u64,
}

impl ClassStatistics {
    /// From the rows and sizes of the released classes.
    ///
    /// ```
    /// use tamis_engine::ClassStatistics;
    /// let figures = ClassStatistics::of([(3, 3), (6, 6)].into_iter());
    /// assert_eq!((figures.count, figures.min, figures.max, figures.average), (2, 3, 6, 4.5));
    /// ```
    pub fn of(classes: impl Iterator<Item = (u64, u64)>) -> Self {
        let mut figures = Self::default();
        let mut sizes = 0;
        for (rows, size) in classes {
            figures.count += 1;
            figures.rows += rows;
            sizes += size;
            figures.min = if figures.count == 1 { size } else { figures.min.min(size) };
            figures.max = figures.max.max(size);
        }
        if figures.count > 0 {
            figures.average = sizes as f64 / figures.count as f64;
        }
        figures
    }
}
