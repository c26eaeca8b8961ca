//! ln r(m, s) for numbers of people whose partitions nobody can write down: the saddle-point approximation.
//!
//! The generating function of the partitions into parts of at least s is `F(e^-x) = product over i >= s of 1/(1 - e^(-ix))`.
//! With `K(x) = ln F(e^-x)` and x chosen such that `-K'(x) = m`,
//!
//! ```text
//! r(m, s) ~ exp(K(x) + m x) / sqrt(2 pi K''(x)) * (1 + K''''/(8 K''^2) - 5 K'''^2/(24 K''^3))
//! ```
//!
//! K and its derivatives are sums over i of functions of `b = 1/(e^(ix) - 1)`; where x is small, and the sums therefore long, they
//! are integrals with the corrections of Euler and Maclaurin, so that the cost does not grow with the number of people.

use super::few_parts::{FEW, log_of_few_parts};
use super::partitions::{log_count, log_of_few_people};
use std::f64::consts::PI;

/// ln of the number of partitions of `people` into parts of at least `smallest`; minus infinity if there is none.
///
/// O(1) for small and for huge numbers, a few thousand steps between.
pub(super) fn log_partitions(people: u64, smallest: u64) -> f64 {
    let smallest = smallest.max(1);
    if let Some(log) = log_of_few_people(people, smallest) {
        return log;
    }
    match people / smallest {
        0 => f64::NEG_INFINITY,
        _ if smallest == 1 => log_count(people),
        1..=FEW => log_of_few_parts(people, smallest),
        _ => saddle_point(people as f64, smallest),
    }
}

fn saddle_point(people: f64, smallest: u64) -> f64 {
    // Newton's method in ln x, in which the number of people that x stands for is nearly a straight line.
    // It starts where all sizes are allowed, unless hardly anybody would be in the smallest cells there.
    let mut x = (PI / (6.0 * people).sqrt()).min(20.0 / smallest as f64);
    for _ in 0..100 {
        let sums = Cumulants::at(x, smallest);
        let step = (sums.mean.ln() - people.ln()) * sums.mean / (x * sums.variance);
        x *= step.clamp(-1.0, 1.0).exp();
        if step.abs() < 1e-9 {
            break;
        }
    }
    let Cumulants { log_sum, variance, third, fourth, .. } = Cumulants::at(x, smallest);
    let correction = fourth / (8.0 * variance.powi(2)) - 5.0 * third.powi(2) / (24.0 * variance.powi(3));
    log_sum + people * x - 0.5 * (2.0 * PI * variance).ln() + correction.max(-0.9).ln_1p()
}

/// K and its derivatives: the cumulants of the number of people when every size i >= s occurs by itself a geometric number of times.
#[derive(Debug, Default)]
struct Cumulants {
    log_sum: f64,
    mean: f64,
    variance: f64,
    third: f64,
    fourth: f64,
}

/// From here on the sums are integrals if x is below `SHORT`.
const FIRST_OF_INTEGRAL: u64 = 30;
const SHORT: f64 = 0.01;
/// e^-45 is nothing beside 1.
const NOTHING: f64 = 45.0;

impl Cumulants {
    fn at(x: f64, smallest: u64) -> Self {
        let mut sums = Self::default();
        // No size far beyond the smallest occurs where x is large, but the smallest itself does.
        let last = (smallest as f64 + (NOTHING / x).ceil()).min(u64::MAX as f64) as u64;
        if x >= SHORT {
            for size in smallest..=last {
                sums.add_size(size as f64, x);
            }
            return sums;
        }
        for size in smallest..FIRST_OF_INTEGRAL {
            sums.add_size(size as f64, x);
        }
        sums.add_integral(smallest.max(FIRST_OF_INTEGRAL) as f64, x);
        sums
    }

    fn add_size(&mut self, size: f64, x: f64) {
        let derivatives = derivatives(size * x);
        self.log_sum += derivatives[0];
        self.mean += size * derivatives[1];
        self.variance += size.powi(2) * derivatives[2];
        self.third += size.powi(3) * derivatives[3];
        self.fourth += size.powi(4) * derivatives[4];
    }

    /// All sizes from this one on: with `G_k(y) = y^k h_k(y)`, the sum over i >= a of `i^k h_k(ix)` is `x^-k` times
    /// `1/x * integral from ax of G_k + G_k(ax)/2 - x/12 * G_k'(ax) + ...`, and the integrals I_k follow from that of
    /// h_0, a dilogarithm, in parts: `I_k = y^k h_(k-1)(y) + k I_(k-1)`.
    fn add_integral(&mut self, first: f64, x: f64) {
        let y = first * x;
        let h = derivatives(y);
        let mut integral = dilogarithm(y);
        // The logarithm is steep near zero, so its sum takes two corrections more.
        self.log_sum +=
            integral / x + h[0] / 2.0 + x * h[1] / 12.0 - x.powi(3) * h[3] / 720.0 + x.powi(5) * h[5] / 30240.0;
        let sums = [&mut self.mean, &mut self.variance, &mut self.third, &mut self.fourth];
        for (k, sum) in (1..).zip(sums) {
            let power = y.powi(k);
            let order = k as usize;
            integral = power * h[order - 1] + f64::from(k) * integral;
            let slope = f64::from(k) * y.powi(k - 1) * h[order] - power * h[order + 1];
            *sum += (integral / x + power * h[order] / 2.0 - x / 12.0 * slope) / x.powi(k);
        }
    }
}

/// h(y) = -ln(1 - e^-y) and its derivatives with alternating signs, h_k = (-1)^k d^k h/dy^k, as polynomials of b = 1/(e^y - 1).
fn derivatives(y: f64) -> [f64; 6] {
    // Whichever of the two logarithms keeps its digits.
    let value = if y > std::f64::consts::LN_2 { -(-(-y).exp()).ln_1p() } else { -(-(-y).exp_m1()).ln() };
    let first = y.exp_m1().recip();
    let second = first * (1.0 + first);
    let third = second * (1.0 + 2.0 * first);
    [value, first, second, third, second * (1.0 + 6.0 * second), third * (1.0 + 12.0 * second)]
}

/// The dilogarithm of e^-y, which is the integral of -ln(1 - e^-t) from y on.
fn dilogarithm(y: f64) -> f64 {
    let series = |z: f64| -> f64 {
        let mut power = 1.0;
        let terms = (1..=60).map(|k| {
            power *= z;
            power / f64::from(k * k)
        });
        terms.sum()
    };
    if y >= std::f64::consts::LN_2 {
        series((-y).exp())
    } else {
        // Euler's reflection, with which the series is short again.
        let complement = -(-y).exp_m1();
        PI * PI / 6.0 + if y > 0.0 { y * complement.ln() } else { 0.0 } - series(complement)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::vector::partitions::partition_table;
    use crate::vector::restricted::{Question, count_partitions};
    use crate::vector::rounding::natural_log;

    #[test]
    fn integrals_are_sums() {
        for smallest in [1, 7, 29, 30, 100, 5000] {
            let x = 0.0099;
            let near = Cumulants::at(x, smallest);
            let mut far = Cumulants::default();
            for size in smallest..smallest + 6000 {
                far.add_size(size as f64, x);
            }
            let close = |left: f64, right: f64, digits: f64| (left - right).abs() <= right.abs() * digits;
            assert!((near.log_sum - far.log_sum).abs() < 1e-11, "{smallest} {near:?} {far:?}");
            assert!(close(near.mean, far.mean, 1e-8) && close(near.variance, far.variance, 1e-6), "{smallest}");
            assert!(close(near.third, far.third, 1e-5) && close(near.fourth, far.fourth, 1e-4), "{smallest}");
        }
    }

    #[test]
    fn logarithms_are_as_close_to_those_of_exact_counts_as_the_documentation_says() {
        for (people, promised) in [(200, 5e-4), (1000, 3e-5), (5000, 1e-5), (20_000, 1e-5)] {
            let table = partition_table(people);
            let questions: Vec<Question> = (1..=people)
                .filter(|smallest| (smallest * 7919) % people <= people / (1 + smallest / 25))
                .map(|smallest| Question { smallest, people })
                .collect();
            for (question, exact) in questions.iter().zip(count_partitions(&table, &questions)) {
                let error = log_partitions(people as u64, question.smallest as u64) - natural_log(&exact);
                assert!(error.abs() < promised, "{people} in parts of {}: {error:e}", question.smallest);
            }
        }
    }

    #[test]
    fn the_two_ways_to_count_meet_for_any_number_of_people() {
        for people in [100_000_u64, 10_000_000, 1 << 40, 1 << 53] {
            let smallest = people / FEW;
            let (few, many) = (log_of_few_parts(people, smallest), saddle_point(people as f64, smallest));
            assert!((few / many - 1.0).abs() < 0.02, "{people}: {few} {many}");
        }
    }
}
