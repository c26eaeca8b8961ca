//! How bad a transformation is; smaller is better.

use std::cmp::Ordering;

/// The value of a quality measure: a number, or for the rank aggregate a sequence compared position by position.
#[derive(Debug, Clone, PartialEq)]
pub struct Score {
    first: f64,
    rest: Vec<f64>,
    /// What decides between equal scores.
    tie: f64,
}

impl Score {
    /// A single number.
    pub fn number(value: f64) -> Self {
        Self { first: value, rest: Vec::new(), tie: 0.0 }
    }

    /// The same score, which among equal ones is the better the smaller this is.
    #[must_use]
    pub fn tied_by(self, tie: f64) -> Self {
        Self { tie, ..self }
    }

    /// A sequence, most important part first.
    pub fn sequence(mut parts: Vec<f64>) -> Self {
        if parts.is_empty() {
            return Self::number(0.0);
        }
        let rest = parts.split_off(1);
        Self { first: parts[0], rest, tie: 0.0 }
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
        let rest = || {
            let mut orders = self.rest.iter().zip(&other.rest).map(|(left, right)| left.total_cmp(right));
            orders.find(|order| order.is_ne()).unwrap_or(Ordering::Equal)
        };
        self.first.total_cmp(&other.first).then_with(rest).then_with(|| self.tie.total_cmp(&other.tie))
    }
}
