//! Re-identification risk of a released table, from the sizes of its classes.
//!
//! The attacker here is the *prosecutor*: they know that a person is in the table and all their quasi-identifiers. Within a class of
//! size c they are right with probability 1/c.
//!
//! ```
//! use tamis_risk::ProsecutorRisk;
//! let risk = ProsecutorRisk::of([(2, 2), (10, 10)].into_iter(), 0.1);
//! assert_eq!((risk.average, risk.max), (2.0 / 12.0, 0.5));
//! assert_eq!(risk.at_risk, 2.0 / 12.0);
//! ```

/// How likely a prosecutor is right.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct ProsecutorRisk {
    /// Mean over released rows: classes divided by rows.
    pub average: f64,
    /// Of the rows in the smallest class.
    pub max: f64,
    /// Share of released rows whose risk is above the threshold.
    pub at_risk: f64,
    /// That threshold.
    pub threshold: f64,
}

impl ProsecutorRisk {
    /// From the rows and sizes of the released classes; sizes count people where people may have several rows.
    ///
    /// Nothing released means no risk.
    pub fn of(classes: impl Iterator<Item = (u64, u64)>, threshold: f64) -> Self {
        let (mut count, mut sizes, mut rows, mut rows_at_risk, mut smallest) = (0u64, 0u64, 0u64, 0u64, u64::MAX);
        for (class_rows, size) in classes {
            count += 1;
            sizes += size;
            rows += class_rows;
            smallest = smallest.min(size);
            if 1.0 / size as f64 > threshold {
                rows_at_risk += class_rows;
            }
        }
        if count == 0 {
            return Self { threshold, ..Self::default() };
        }
        Self {
            average: count as f64 / sizes as f64,
            max: 1.0 / smallest as f64,
            at_risk: rows_at_risk as f64 / rows as f64,
            threshold,
        }
    }
}
