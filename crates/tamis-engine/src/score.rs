//! How bad a transformation is; smaller is better.

use std::cmp::Ordering;

/// The value of a quality measure: a number, or for the rank aggregate a sequence compared position by position.
#[derive(Debug, Clone, PartialEq)]
pub struct Score {
    first: f64,
    rest: Vec<f64>,
}

impl Score {
    /// A single number.
    pub fn number(value: f64) -> Self {
        Self { first: value, rest: Vec::new() }
    }

    /// A sequence, most important part first.
    pub fn sequence(mut parts: Vec<f64>) -> Self {
        if parts.is_empty() {
            return Self::number(0.0);
        }
        let rest = parts.split_off(1);
        Self { first: parts[0], rest }
    }

    /// The number, or the first of the sequence.
    pub fn value(&self) -> f64 {
        self.first
    }

    /// All parts.
    pub fn parts(&self) -> impl Iterator<Item = f64> {
        std::iter::once(self.first).chain(self.rest.iter().copied())
    }
}

impl Eq for Score {}

impl PartialOrd for Score {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Score {
    fn cmp(&self, other: &Self) -> Ordering {
        self.first.total_cmp(&other.first).then_with(|| {
            self.rest
                .iter()
                .zip(&other.rest)
                .map(|(left, right)| left.total_cmp(right))
                .find(|order| order.is_ne())
                .unwrap_or(Ordering::Equal)
        })
    }
}
