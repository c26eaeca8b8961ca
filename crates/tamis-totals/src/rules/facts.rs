//! What rules know about a cell: who contributes how much.

/// A contribution and how many units like it the cell stands for.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Contribution {
    /// Its size, without sign.
    pub size: f64,
    /// Its sampling weight; 1 where everybody was asked.
    pub weight: f64,
}

/// The contributions of a cell as rules see them.
///
/// Negative contributions count by their size: a large loss is as telling as a large gain. So the total that rules compare
/// with is the sum of all sizes, which is the value of the cell where nothing is negative.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Facts {
    /// The value of the cell.
    pub value: f64,
    /// The weighted sum of the sizes of all contributions.
    pub size: f64,
    /// How many contributors there are, weighted if they are; none if nobody said.
    pub frequency: Option<f64>,
    /// How many respondents there are, weighted if they are, where several may be one contributor.
    pub respondents: Option<f64>,
    /// The largest contributions, largest first, as far as rules need them.
    pub top: Vec<Contribution>,
    /// The largest share of the cell that somebody holds who asked for protection.
    pub requested: Option<f64>,
}

impl Facts {
    /// The sum of the `count` largest contributions. One with weight w stands for w units like it, so it counts up to w
    /// times; a part of a unit counts in part.
    ///
    /// ```
    /// use tamis_totals::{Contribution, Facts};
    /// let top = vec![Contribution { size: 10.0, weight: 1.5 }, Contribution { size: 4.0, weight: 3.0 }];
    /// let facts = Facts { top, ..Facts::default() };
    /// assert_eq!(facts.largest(1), 10.0);
    /// assert_eq!(facts.largest(2), 1.5 * 10.0 + 0.5 * 4.0);
    /// ```
    pub fn largest(&self, count: u32) -> f64 {
        let mut left = f64::from(count);
        let mut sum = 0.0;
        for contribution in &self.top {
            let units = contribution.weight.min(left);
            sum += units * contribution.size;
            left -= units;
            if left <= 0.0 {
                break;
            }
        }
        sum
    }
}
