//! What a solver answers.

/// How a solve ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Status {
    /// The values are the best there are.
    Optimal,
    /// The values meet every row; a limit came before the proof that they are the best.
    Feasible,
    /// No values meet every row.
    Infeasible,
    /// The costs can fall for ever.
    Unbounded,
    /// A limit came before any values were found.
    TimedOut,
    /// The program is malformed or the arithmetic failed; why.
    Failed(String),
}

/// A status, and the values and the bound that go with it.
#[derive(Debug, Clone, PartialEq)]
pub struct Outcome {
    /// How it ended.
    pub status: Status,
    /// A value for each variable if the status is optimal or feasible, otherwise empty.
    pub values: Vec<f64>,
    /// The costs of the values.
    pub objective: Option<f64>,
    /// No values cost less than this, as far as the solver knows.
    pub bound: Option<f64>,
}

/// Taken off a bound before it is rounded up, and as many times the bound itself.
///
/// Solvers hold rows to an absolute 1e-7, and computed costs carry a rounding error that grows with them, so the bound of
/// a program whose true bound is an integer may come out a little above it, and plain rounding up would claim one more.
/// These tolerances are a thousand times those errors, and well below the fractions that such bounds have otherwise, which
/// are quotients with small denominators. Where a true bound does lie within the tolerance above an integer, rounding gives
/// that integer, which claims less than it could but nothing false.
const TOLERANCE: f64 = 1e-4;
const RELATIVE_TOLERANCE: f64 = 1e-9;

impl Outcome {
    /// An outcome without values.
    pub(crate) fn without_values(status: Status) -> Self {
        Self { status, values: Vec::new(), objective: None, bound: None }
    }

    /// The bound rounded up, for programs whose costs are whole numbers at whole values. None without a bound.
    pub fn whole_bound(&self) -> Option<i64> {
        let bound = self.bound.filter(|bound| bound.abs() < 1e15)?;
        Some((bound - TOLERANCE - RELATIVE_TOLERANCE * bound.abs()).ceil() as i64)
    }

    /// The values rounded to integers; none if there are no values or one is not close to an integer. Whether the
    /// rounded values meet the rows is for the caller to check, in integers.
    pub fn integers(&self) -> Option<Vec<i64>> {
        const CLOSE: f64 = 1e-3;
        let is_whole = |value: &f64| (value - value.round()).abs() < CLOSE && value.abs() < 1e15;
        (!self.values.is_empty() && self.values.iter().all(is_whole))
            .then(|| self.values.iter().map(|value| value.round() as i64).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bounded(bound: f64) -> Outcome {
        Outcome { bound: Some(bound), ..Outcome::without_values(Status::TimedOut) }
    }

    #[test]
    fn a_bound_is_rounded_up_unless_it_is_an_integer_with_a_rounding_error() {
        assert_eq!(bounded(2.3).whole_bound(), Some(3));
        assert_eq!(bounded(2.000_000_3).whole_bound(), Some(2));
        assert_eq!(bounded(1.999_999_9).whole_bound(), Some(2));
        assert_eq!(bounded(-0.5).whole_bound(), Some(0));
        assert_eq!(bounded(100_000.000_002).whole_bound(), Some(100_000));
        assert_eq!(bounded(100_000.01).whole_bound(), Some(100_001));
        assert_eq!(bounded(f64::NAN).whole_bound(), None);
    }

    #[test]
    fn values_far_from_integers_are_not_rounded() {
        let with = |values: Vec<f64>| Outcome { values, ..Outcome::without_values(Status::Feasible) };
        assert_eq!(with(vec![0.999_999_9, 2.0]).integers(), Some(vec![1, 2]));
        assert_eq!(with(vec![0.5]).integers(), None);
        assert_eq!(with(Vec::new()).integers(), None);
    }
}
