//! Upper bounds on the shares of the sensitive values of a class, which several models come down to.
//!
//! A union's share of a value is a mean of its parts' shares, weighted by their sizes, so it is at most the largest of them: every model
//! of this form is monotone. Rounding does not change that, for rounding never turns a smaller quotient into a larger one.

/// For every code the largest share it may have in a class; 1 where it is not bounded.
#[derive(Debug, Clone)]
pub(super) struct ShareBounds(Vec<f64>);

/// More than rounding can take from a product of a share and a number of rows.
const SLACK: f64 = 1e-12;

/// Rounds of [`ShareBounds::most_kept`]; each gives a right bound, and later ones gain little.
const ROUNDS: usize = 16;

/// Sizes that [`ShareBounds::least_size`] tries.
const TRIED: u64 = 1000;

impl ShareBounds {
    pub(super) fn new(of_code: Vec<f64>) -> Self {
        Self(of_code)
    }

    /// Whether no value has more than its share of a class of this size. O(values).
    pub(super) fn hold(&self, counts: &[u32], size: u64) -> bool {
        // Division rounds 3/10 to the same double as the literal 0.3, so a share exactly on its bound holds.
        counts.iter().zip(&self.0).all(|(&count, &bound)| f64::from(count) / size as f64 <= bound)
    }

    /// At most how many rows with these counts can be in parts that hold. O(values).
    ///
    /// By monotonicity the kept rows together hold. If there are at most m of them, a value with bound b keeps at most b m of its rows,
    /// so at most the sum of min(count, floor(b m)) are kept in all; that sum takes the place of m, again and again.
    pub(super) fn most_kept(&self, counts: &[u32]) -> u64 {
        let mut most: u64 = counts.iter().map(|&count| u64::from(count)).sum();
        for _ in 0..ROUNDS {
            let capped = counts.iter().zip(&self.0).map(|(&count, &bound)| u64::from(count).min(cap(bound, most)));
            let fewer = capped.sum();
            if fewer == most {
                break;
            }
            most = fewer;
        }
        most
    }

    /// The smallest size of a class that can hold, if every row has one value: n rows need the sum of floor(b n) to be at least n.
    /// O(values) for each of at most 1000 sizes.
    pub(super) fn least_size(&self) -> u64 {
        let fits = |size: u64| self.0.iter().map(|&bound| cap(bound, size)).sum::<u64>() >= size;
        (1..=TRIED).find(|&size| fits(size)).unwrap_or(TRIED + 1)
    }
}

/// How many of `rows` rows are at most the share `bound` of them; never too few.
fn cap(bound: f64, rows: u64) -> u64 {
    ((bound * rows as f64 * (1.0 + SLACK)) as u64).min(rows)
}

#[cfg(test)]
mod tests {
    use super::ShareBounds;

    #[test]
    fn two_values_of_half_each_keep_twice_the_rarer_one() {
        assert_eq!(ShareBounds::new(vec![0.5, 0.5]).most_kept(&[1000, 10]), 20);
    }

    #[test]
    fn four_equal_shares_of_three_tenths_need_four_rows() {
        assert_eq!(ShareBounds::new(vec![0.3; 4]).least_size(), 4);
        assert_eq!(ShareBounds::new(vec![0.3; 3]).least_size(), 1001, "three values never fill a class");
        assert_eq!(ShareBounds::new(vec![0.3, 1.0]).least_size(), 1);
    }
}
