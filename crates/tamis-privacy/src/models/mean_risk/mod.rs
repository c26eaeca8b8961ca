//! Bounds on the mean risk of the released rows: what each risks is one over a number of people it hides among.
//!
//! The classes with the fewest such people are suppressed first, all of one number at once so that none is preferred, until the mean
//! of the others is within the bound. That is as few numbers as possible: leaving out the riskiest rows always lowers the mean most.

pub mod average;
pub mod marketer;

use crate::{Classes, ParameterKind, TableModel};

/// Shared by both kinds.
const MAX: ParameterKind = ParameterKind { name: "max", meaning: "largest mean risk, above 0 and at most 1" };

/// Rounding errors of a sum may not fail a table that meets the bound exactly.
const RELATIVE_SLACK: f64 = 1e-12;

/// Among whom a row hides.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Crowd {
    /// The released rows of its class.
    Released,
    /// The people of the population with its values.
    Population,
}

#[derive(Debug)]
struct MeanRisk {
    max: f64,
    crowd: Crowd,
}

/// Rows whose crowd has the same size.
#[derive(Debug, Clone, Copy)]
struct Band {
    crowd: u64,
    rows: u64,
}

impl MeanRisk {
    fn crowd<'c>(&self, classes: &'c Classes) -> &'c [u64] {
        match self.crowd {
            Crowd::Released => &classes.rows,
            Crowd::Population => &classes.population,
        }
    }

    /// The rows of the kept classes by the size of their crowd, the largest first. Takes the time of sorting the classes.
    fn bands(&self, classes: &Classes, kept: &[bool]) -> Vec<Band> {
        let of_class = |class: usize| Band { crowd: self.crowd(classes)[class], rows: classes.rows[class] };
        let is_released = |&class: &usize| kept[class] && classes.rows[class] > 0;
        let mut all: Vec<Band> = (0..classes.len()).filter(is_released).map(of_class).collect();
        all.sort_unstable_by_key(|band| std::cmp::Reverse(band.crowd));
        let same = all.chunk_by(|left, right| left.crowd == right.crowd);
        same.map(|same| Band { crowd: same[0].crowd, rows: same.iter().map(|band| band.rows).sum() }).collect()
    }

    /// The bands that can be released together, the rows in them and the sum of their risks.
    fn released(&self, bands: &[Band]) -> (usize, u64, f64) {
        let (mut rows, mut risk) = (0, 0.0);
        for (number, band) in bands.iter().enumerate() {
            let (more_rows, more_risk) = (rows + band.rows, risk + band.rows as f64 / band.crowd as f64);
            if more_risk > self.max * more_rows as f64 * (1.0 + RELATIVE_SLACK) {
                return (number, rows, risk);
            }
            (rows, risk) = (more_rows, more_risk);
        }
        (bands.len(), rows, risk)
    }
}

impl TableModel for MeanRisk {
    fn describe(&self) -> String {
        match self.crowd {
            Crowd::Released => format!("average risk of at most {}", self.max),
            Crowd::Population => format!("marketer risk of at most {}", self.max),
        }
    }

    fn failing(&self, classes: &Classes, kept: &[bool]) -> Vec<u32> {
        let bands = self.bands(classes, kept);
        let (released, ..) = self.released(&bands);
        let Some(first_fallen) = bands.get(released) else { return Vec::new() };
        let crowd = self.crowd(classes);
        let fails = |&class: &usize| kept[class] && classes.rows[class] > 0 && crowd[class] <= first_fallen.crowd;
        (0..classes.len()).filter(fails).map(|class| class as u32).collect()
    }

    /// In a less general transformation every row's crowd is part of its crowd here, so it risks at least as much. No set of rows
    /// within the bound there is therefore larger than the largest here: the rows of least risk, down to part of a band.
    fn most_kept(&self, classes: &Classes, kept: &[bool]) -> u64 {
        let bands = self.bands(classes, kept);
        let (released, rows, risk) = self.released(&bands);
        let Some(next) = bands.get(released) else { return rows };
        let spare = self.max * rows as f64 * (1.0 + RELATIVE_SLACK) - risk;
        let excess = 1.0 / next.crowd as f64 - self.max;
        // A row more than rounding may have lost.
        rows + next.rows.min((spare / excess).max(0.0) as u64 + 1)
    }
}
