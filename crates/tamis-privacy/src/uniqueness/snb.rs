//! The slide negative binomial estimator (Chen and Keller-McNulty 1998).
//!
//! The size of a population class is 1 plus a negative binomial number:
//!
//! P(F = j) = Gamma(a + j - 1) / (Gamma(a) Gamma(j)) b^(j-1) (1 - b)^a, with a > 0 and 0 < b < 1.
//!
//! If everybody is drawn with probability p and q = 1 - p, the numbers of sample classes of size 1 and 2 are on average, with
//! g = (1 - b) / (1 - bq),
//!
//! E(s1) = K p g^a (1 + a b q / (1 - bq)) and E(s2) = K p^2/2 g^a (a b / (1 - bq)) (2 + q (a + 1) b / (1 - bq)).
//!
//! K, the number of population classes, is estimated by the third estimator of Haas and Stokes (1998) after Shlosser (1981), then a
//! and b are solved for; the population's uniques are K (1 - b)^a. Where several pairs solve the equations, the one is taken whose
//! mean class size is nearest to the population divided by K. There may be none, and then there is no estimate.

use super::Sizes;

const STEPS: usize = 80;
const STARTS: [f64; 6] = [-4.0, -2.0, -0.7, 0.7, 2.0, 4.0];

/// Expected number of population uniques; none if the equations have no solution.
pub fn population_uniques(sizes: &Sizes<'_>, fraction: f64) -> Option<f64> {
    let classes = population_classes(sizes, fraction)?;
    let (one, two) = (sizes.uniques() as f64, sizes.of_size(2) as f64);
    if one == 0.0 || two == 0.0 {
        return None;
    }
    let wanted = [one / classes, two / classes];
    let mean = sizes.rows() as f64 / fraction / classes;
    let distance = |model: &Model| (model.mean().ln() - mean.ln()).abs();
    STARTS
        .into_iter()
        .flat_map(|x| STARTS.into_iter().map(move |y| [x, y]))
        .filter_map(|start| solve(start, wanted, fraction))
        .min_by(|left, right| distance(left).total_cmp(&distance(right)))
        .map(|model| classes * model.uniques())
}

/// The number of population classes: with d classes in the sample and sums over sizes i,
/// d + s1 (sum of i p^2 (1-p^2)^(i-1) s_i / sum of (1-p)^i ((1+p)^i - 1) s_i) (sum of (1-p)^i s_i / sum of i p (1-p)^(i-1) s_i)^2.
pub fn population_classes(sizes: &Sizes<'_>, fraction: f64) -> Option<f64> {
    let (p, q) = (fraction, 1.0 - fraction);
    let square = p * p;
    let sum =
        |f: &dyn Fn(f64) -> f64| sizes.of.iter().map(|&(size, classes)| classes as f64 * f(size as f64)).sum::<f64>();
    let drawn_once = sum(&|i| i * square * (1.0 - square).powf(i - 1.0));
    let drawn_twice = sum(&|i| (1.0 - square).powf(i) - q.powf(i));
    let missed = sum(&|i| q.powf(i));
    let single = sum(&|i| i * p * q.powf(i - 1.0));
    let more = sizes.uniques() as f64 * drawn_once / drawn_twice * (missed / single).powi(2);
    (more.is_finite() && more >= 0.0).then(|| sizes.classes() as f64 + more)
}

/// A slide negative binomial distribution of population class sizes.
#[derive(Debug, Clone, Copy)]
struct Model {
    a: f64,
    b: f64,
}

impl Model {
    /// From numbers without bounds, so that Newton's method cannot leave the ranges.
    fn at([x, y]: [f64; 2]) -> Self {
        Self { a: x.exp(), b: 1.0 / (1.0 + (-y).exp()) }
    }

    fn mean(self) -> f64 {
        1.0 + self.a * self.b / (1.0 - self.b)
    }

    /// The share of population classes of size 1.
    fn uniques(self) -> f64 {
        (1.0 - self.b).powf(self.a)
    }

    /// The shares of population classes that show 1 and 2 people in the sample.
    fn drawn(self, p: f64) -> [f64; 2] {
        let (Self { a, b }, q) = (self, 1.0 - p);
        let empty = ((1.0 - b) / (1.0 - b * q)).powf(a);
        let ratio = b / (1.0 - b * q);
        [p * empty * (1.0 + a * ratio * q), p * p / 2.0 * empty * a * ratio * (2.0 + q * (a + 1.0) * ratio)]
    }
}

/// Newton's method on the logarithms of both equations, steps halved until they help.
fn solve(start: [f64; 2], wanted: [f64; 2], p: f64) -> Option<Model> {
    let residual = |at: [f64; 2]| {
        let drawn = Model::at(at).drawn(p);
        [(drawn[0] / wanted[0]).ln(), (drawn[1] / wanted[1]).ln()]
    };
    let norm = |r: [f64; 2]| r[0].hypot(r[1]);
    let mut at = start;
    let mut now = residual(at);
    for _ in 0..STEPS {
        if norm(now) < 1e-10 {
            return Some(Model::at(at));
        }
        let h = 1e-6;
        let (dx, dy) = (residual([at[0] + h, at[1]]), residual([at[0], at[1] + h]));
        let j = [[(dx[0] - now[0]) / h, (dy[0] - now[0]) / h], [(dx[1] - now[1]) / h, (dy[1] - now[1]) / h]];
        let determinant = j[0][0] * j[1][1] - j[0][1] * j[1][0];
        let step =
            [(j[1][1] * now[0] - j[0][1] * now[1]) / determinant, (j[0][0] * now[1] - j[1][0] * now[0]) / determinant];
        let mut length = 1.0;
        let better = loop {
            let next = [at[0] - length * step[0], at[1] - length * step[1]];
            let then = residual(next);
            if norm(then) < norm(now) {
                break Some((next, then));
            }
            length /= 2.0;
            // NaN compares as no improvement and ends here too.
            if length < 1e-6 {
                break None;
            }
        };
        (at, now) = better?;
    }
    None
}

#[cfg(test)]
mod tests {
    use super::{Model, STARTS, solve};

    #[test]
    fn the_equations_give_the_distribution_back() {
        for (a, b, p) in [(1.0, 0.5, 0.3), (2.5, 0.2, 0.15), (0.4, 0.9, 0.6)] {
            let wanted = Model { a, b }.drawn(p);
            let is_found = |model: Model| (model.a / a - 1.0).abs() < 1e-6 && (model.b / b - 1.0).abs() < 1e-6;
            let mut starts = STARTS.into_iter().flat_map(|x| STARTS.into_iter().map(move |y| [x, y]));
            assert!(starts.any(|start| solve(start, wanted, p).is_some_and(is_found)), "{a} {b} {p}");
        }
    }

    #[test]
    fn the_shares_drawn_are_sums_over_the_distribution() {
        let (model, p) = (Model { a: 1.7, b: 0.6 }, 0.3);
        let (mut probability, mut once, mut twice) = (model.uniques(), 0.0, 0.0);
        for j in 1..400 {
            let j = f64::from(j);
            once += probability * j * p * (1.0 - p).powf(j - 1.0);
            twice += probability * j * (j - 1.0) / 2.0 * p * p * (1.0 - p).powf(j - 2.0);
            probability *= (model.a + j - 1.0) / j * model.b;
        }
        let drawn = model.drawn(p);
        assert!((drawn[0] - once).abs() < 1e-12 && (drawn[1] - twice).abs() < 1e-12, "{drawn:?} {once} {twice}");
    }
}
