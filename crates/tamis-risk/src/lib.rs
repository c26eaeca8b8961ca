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

pub mod attacks;

/// How likely a prosecutor is right.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct ProsecutorRisk {
    /// Mean over released people: classes divided by people, where no one is counted in two classes.
    pub average: f64,
    /// Of the rows in the smallest class.
    pub max: f64,
    /// Share of released rows whose risk is above the threshold.
    pub at_risk: f64,
    /// That threshold.
    pub threshold: f64,
}

impl ProsecutorRisk {
    /// From the rows and sizes of the released classes. A size may be smaller than the rows where people have several, and larger where
    /// missing values match other classes' rows too.
    ///
    /// Nothing released means no risk.
    pub fn of(classes: impl Iterator<Item = (u64, u64)>, threshold: f64) -> Self {
        let (mut count, mut people, mut rows, mut rows_at_risk, mut smallest) = (0u64, 0u64, 0u64, 0u64, u64::MAX);
        // Whole classes are counted as integers, so that a partition gives exactly classes divided by rows.
        let (mut whole, mut parts) = (0u64, 0.0);
        for (class_rows, size) in classes {
            count += 1;
            rows += class_rows;
            smallest = smallest.min(size);
            if class_rows >= size {
                whole += 1;
                people += size;
            } else {
                parts += class_rows as f64 / size as f64;
                people += class_rows;
            }
            if 1.0 / size as f64 > threshold {
                rows_at_risk += class_rows;
            }
        }
        if count == 0 {
            return Self { threshold, ..Self::default() };
        }
        Self {
            average: (whole as f64 + parts) / people as f64,
            max: 1.0 / smallest as f64,
            at_risk: rows_at_risk as f64 / rows as f64,
            threshold,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::ProsecutorRisk;

    #[test]
    fn rows_that_hide_among_others_risk_one_over_those_they_hide_among() {
        // Two rows of their own that could be any of eight, and a class of four.
        let risk = ProsecutorRisk::of([(2, 8), (4, 4)].into_iter(), 0.2);
        assert_eq!(risk.average, (2.0 / 8.0 + 1.0) / 6.0);
        assert_eq!((risk.max, risk.at_risk), (0.25, 4.0 / 6.0));
    }

    #[test]
    fn people_with_several_rows_count_once() {
        let risk = ProsecutorRisk::of([(7, 2), (5, 4)].into_iter(), 0.3);
        assert_eq!(risk.average, 2.0 / 6.0);
        assert_eq!(risk.at_risk, 7.0 / 12.0);
    }
}
