//! The geometric mechanism: counts with two-sided geometric noise.

use crate::discrete::DiscreteLaplace;
use crate::{Dice, MechanismError, Ratio};

/// Adds the noise x with probability proportional to e^-(epsilon |x| / sensitivity) to counts (Ghosh, Roughgarden and Sundararajan
/// 2009).
///
/// Counts of which one person changes at most `sensitivity` in all, told with this noise each, are epsilon-differentially private:
/// what is told is at most e^epsilon times as likely with the person as without.
///
/// ```
/// use tamis_mechanism::{Dice, GeometricMechanism};
/// let mechanism = GeometricMechanism::new("1".parse()?, 1)?;
/// assert_eq!(mechanism.half_width(0.95), 3);
/// assert_eq!((mechanism.standard_error() * 1000.0).round(), 1357.0);
/// # Ok::<(), tamis_mechanism::MechanismError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct GeometricMechanism {
    epsilon: Ratio,
    sensitivity: u32,
    noise: DiscreteLaplace,
}

impl GeometricMechanism {
    /// The mechanism for counts of which one person changes at most `sensitivity`.
    pub fn new(epsilon: Ratio, sensitivity: u32) -> Result<Self, MechanismError> {
        let bad = |expected: &str| MechanismError::parameter("epsilon", epsilon, expected);
        if epsilon > Ratio::new(1000, 1).unwrap_or(Ratio::ONE) {
            return Err(bad("a number above 0 and at most 1000"));
        }
        if sensitivity == 0 {
            return Err(MechanismError::parameter("the number of rows of a person", 0, "a whole number of at least 1"));
        }
        let denominator = u128::from(epsilon.denominator()) * u128::from(sensitivity);
        let noise = DiscreteLaplace::new(epsilon.numerator().into(), denominator);
        noise.map(|noise| Self { epsilon, sensitivity, noise }).ok_or_else(|| bad("a number above 0"))
    }

    /// A count with noise. What has no room in the result is cut off, which tells nothing more.
    pub fn noisy(&self, count: u64, dice: &mut Dice) -> i64 {
        let noisy = self.noise.draw(dice).saturating_add(i128::from(count));
        noisy.clamp(i64::MIN.into(), i64::MAX.into()) as i64
    }

    /// The standard deviation of the noise: sqrt(2 a) / (1 - a), where a = e^-(epsilon / sensitivity).
    pub fn standard_error(&self) -> f64 {
        let step = self.step();
        (2.0 * (-step).exp()).sqrt() / -(-step).exp_m1()
    }

    /// The smallest c such that the noise is within -c..=c with probability `level` at least.
    ///
    /// P(|x| > c) = 2 a^(c + 1) / (1 + a), the exact tail of the distribution.
    pub fn half_width(&self, level: f64) -> u64 {
        let step = self.step();
        let outside = |c: f64| 2.0 * (-(c + 1.0) * step).exp() / (1.0 + (-step).exp());
        let miss = 1.0 - level;
        let guess = (-((miss * (1.0 + (-step).exp()) / 2.0).ln()) / step - 1.0).ceil().max(0.0);
        // The guess may be off by its rounding; the tail itself decides.
        let smaller = (guess - 1.0).max(0.0);
        if outside(smaller) <= miss { smaller as u64 } else { guess as u64 }
    }

    /// The least noisy count that may be told where the cells themselves come from the data: a cell that is there because of one person
    /// only must stay hidden except with probability delta.
    ///
    /// A person with up to s rows can be alone in one cell with count s, in s cells with count 1, or in between; a cell with true count
    /// c is told with probability P(x >= T - c) = a^(T - c) / (1 + a). As this is convex in c, the worst is one of the two ends, and T is
    /// the smallest whole number above s with max(a^(T - s), s a^(T - 1)) / (1 + a) <= delta. The other cells are told as by the
    /// geometric mechanism, so that the whole is (epsilon, delta)-differentially private (Korolova, Kenthapadi, Mishra and Ntoulas 2009;
    /// Vadhan 2017).
    pub fn threshold(&self, delta: Ratio) -> Result<i64, MechanismError> {
        if delta.is_zero() || delta >= Ratio::ONE {
            return Err(MechanismError::parameter("delta", delta, "a number above 0 and below 1, such as 0.000001"));
        }
        let (step, rows) = (self.step(), f64::from(self.sensitivity));
        // Rounding may only raise the threshold.
        let exponent = -(delta.to_f64() * (1.0 + (-step).exp())).ln() / step;
        let one_cell = rows + exponent;
        let many_cells = 1.0 + exponent + rows.ln() / step;
        let threshold = (one_cell.max(many_cells) * (1.0 + 1e-12) + 1e-9).ceil().max(rows + 1.0);
        if threshold < 9e18 {
            Ok(threshold as i64)
        } else {
            Err(MechanismError::parameter("epsilon", self.epsilon, "a number large enough for some count to be told"))
        }
    }

    /// epsilon / sensitivity, for what is reported.
    fn step(&self) -> f64 {
        self.epsilon.to_f64() / f64::from(self.sensitivity)
    }
}
