//! Exact fractions of 128-bit integers. Small tables stay far below their limits; beyond them everything stops loudly.

use std::cmp::Ordering;
use std::ops::{Add, Div, Mul, Neg, Sub};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Ratio {
    numerator: i128,
    /// Above zero, without a factor in common with the numerator.
    denominator: i128,
}

const ROOM: &str = "the numbers of a small table fit 128 bits";

impl Ratio {
    pub const ZERO: Self = Self { numerator: 0, denominator: 1 };
    pub const ONE: Self = Self { numerator: 1, denominator: 1 };

    pub fn new(numerator: i128, denominator: i128) -> Self {
        assert!(denominator != 0);
        let divisor = gcd(numerator.abs(), denominator.abs()) * denominator.signum();
        Self { numerator: numerator / divisor, denominator: denominator / divisor }
    }

    /// The decimal that a number prints as; `None` for infinities.
    pub fn of(number: f64) -> Option<Self> {
        if !number.is_finite() {
            return None;
        }
        let text = format!("{number}");
        let fraction = text.split_once('.').map_or(0, |(_, fraction)| fraction.len());
        Some(Self::new(text.replace('.', "").parse().expect(ROOM), 10_i128.pow(fraction as u32)))
    }

    pub fn to_f64(self) -> f64 {
        self.numerator as f64 / self.denominator as f64
    }

    pub fn signum(self) -> i128 {
        self.numerator.signum()
    }
}

fn gcd(mut a: i128, mut b: i128) -> i128 {
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a
}

impl Neg for Ratio {
    type Output = Self;
    fn neg(self) -> Self {
        Self { numerator: -self.numerator, ..self }
    }
}

impl Add for Ratio {
    type Output = Self;
    fn add(self, other: Self) -> Self {
        let common = gcd(self.denominator, other.denominator);
        let left = self.numerator.checked_mul(other.denominator / common).expect(ROOM);
        let right = other.numerator.checked_mul(self.denominator / common).expect(ROOM);
        let denominator = (self.denominator / common).checked_mul(other.denominator).expect(ROOM);
        Self::new(left.checked_add(right).expect(ROOM), denominator)
    }
}

impl Sub for Ratio {
    type Output = Self;
    fn sub(self, other: Self) -> Self {
        self + -other
    }
}

impl Mul for Ratio {
    type Output = Self;
    fn mul(self, other: Self) -> Self {
        let (left, right) =
            (Self::new(self.numerator, other.denominator), Self::new(other.numerator, self.denominator));
        let numerator = left.numerator.checked_mul(right.numerator).expect(ROOM);
        Self { numerator, denominator: left.denominator.checked_mul(right.denominator).expect(ROOM) }
    }
}

impl Div for Ratio {
    type Output = Self;
    fn div(self, other: Self) -> Self {
        let inverse = Self::new(other.denominator, other.numerator);
        self.mul(inverse)
    }
}

impl PartialOrd for Ratio {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Ratio {
    fn cmp(&self, other: &Self) -> Ordering {
        (*self - *other).numerator.cmp(&0)
    }
}
