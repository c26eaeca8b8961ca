//! Axes with round ticks (1, 2 or 5 times a power of ten).

/// A linear axis from one round number to another.
#[derive(Debug, Clone, PartialEq)]
pub struct Scale {
    low: f64,
    high: f64,
    step: f64,
}

impl Scale {
    /// An axis that shows every finite value given, starting at 0, with about `wanted` steps.
    pub fn from_zero(values: impl IntoIterator<Item = f64>, wanted: u32) -> Self {
        let largest = values.into_iter().filter(|v| v.is_finite()).fold(0.0, f64::max);
        Self::between(0.0, if largest > 0.0 { largest } else { 1.0 }, wanted)
    }

    /// An axis that shows every finite value given, with about `wanted` steps.
    pub fn around(values: impl IntoIterator<Item = f64>, wanted: u32) -> Self {
        let (low, high) = values
            .into_iter()
            .filter(|v| v.is_finite())
            .fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), v| (low.min(v), high.max(v)));
        if low > high {
            Self::between(0.0, 1.0, wanted)
        } else if low == high {
            let margin = if low == 0.0 { 1.0 } else { low.abs() / 2.0 };
            Self::between(low - margin, high + margin, wanted)
        } else {
            Self::between(low, high, wanted)
        }
    }

    fn between(low: f64, high: f64, wanted: u32) -> Self {
        // Halving first keeps the span finite for the largest doubles; below the smallest normal a step is nothing.
        let span = (high / 2.0 - low / 2.0) * 2.0;
        let rough = (span.min(f64::MAX) / f64::from(wanted.max(1))).max(1e-300);
        let power = 10_f64.powf(rough.log10().floor());
        let times = rough / power;
        // A hair of tolerance, so that five steps of exactly 0.2 do not become three of 0.5.
        let step = power * [1.0, 2.0, 5.0].into_iter().find(|&nice| times <= nice * 1.000_001).unwrap_or(10.0);
        Self { low: (low / step + 1e-9).floor() * step, high: (high / step - 1e-9).ceil() * step, step }
    }

    /// Where a value lies along an axis of this length; 0 for what is not a number.
    pub fn place(&self, value: f64, length: f64) -> f64 {
        let part = (value - self.low) / (self.high - self.low);
        if part.is_finite() { part.clamp(0.0, 1.0) * length } else { 0.0 }
    }

    /// The ticks, both ends included.
    pub fn ticks(&self) -> impl Iterator<Item = f64> + '_ {
        let steps = ((self.high - self.low) / self.step).round().clamp(0.0, 50.0) as u32;
        (0..=steps).map(|i| self.low + f64::from(i) * self.step)
    }

    /// Decimals that tell two ticks apart once they are multiplied by `factor`.
    pub fn decimals(&self, factor: f64) -> usize {
        (-(self.step * factor * 1.000_001).log10().floor()).clamp(0.0, 12.0) as usize
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ticks_are_round_and_cover_the_values() {
        let scale = Scale::from_zero([0.049], 5);
        assert_eq!(
            scale.ticks().map(|t| format!("{t:.2}")).collect::<Vec<_>>().join(" "),
            "0.00 0.01 0.02 0.03 0.04 0.05"
        );
        assert_eq!(scale.decimals(100.0), 0);
        assert_eq!(Scale::around([2.0, 25.0], 5).ticks().collect::<Vec<_>>(), [0.0, 5.0, 10.0, 15.0, 20.0, 25.0]);
        assert_eq!(Scale::from_zero([1.0], 5).ticks().count(), 6);
    }

    #[test]
    fn nothing_to_show_is_still_an_axis() {
        assert_eq!(Scale::from_zero([f64::NAN], 5).place(f64::NAN, 100.0), 0.0);
        assert_eq!(Scale::around([], 5).place(0.5, 100.0), 50.0);
        assert!(Scale::around([3.0], 4).place(3.0, 100.0) > 0.0);
    }

    #[test]
    fn extreme_values_do_not_run_away() {
        for values in [[-f64::MAX, f64::MAX], [0.0, f64::MIN_POSITIVE], [1e300, 1.000_000_1e300]] {
            let scale = Scale::around(values, 5);
            assert!(scale.ticks().count() <= 51);
            assert!(scale.place(values[1], 10.0).is_finite());
        }
    }
}
