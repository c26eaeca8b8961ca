//! (alpha, beta)-distributional privacy of a release mechanism (Blum, Ligett and Roth 2008).
//!
//! Two databases of n rows each are drawn from one table, without replacement. The mechanism keeps the promise if, except with probability
//! beta over the draw, no answer to any query is more than e^alpha times as likely from the first as from the second: whoever sees the
//! answers of one hospital can hardly tell it from another one in the region.
//!
//! The queries are the counts of the combinations of values of some columns. What is audited is the probability of a failing pair:
//! exactly, by going through all pairs, where they are few; else from random pairs, with the exact confidence bound of Clopper and
//! Pearson.

use super::upper_confidence_bound;
use crate::discrete::Draw;
use crate::{Dice, MechanismError, Ratio};
use serde::Serialize;
use std::collections::HashMap;
use tamis_table::Table;

/// A release mechanism for counts.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Mechanism {
    /// The true count.
    Exact,
    /// The count with geometric noise.
    Geometric {
        /// The price of one answer.
        epsilon: Ratio,
    },
    /// The true count from k on, else nothing.
    Threshold {
        /// The least count that is told.
        k: u64,
    },
    /// The count in a sample from k on, else nothing.
    Sample {
        /// The probability of a row to be in the sample.
        beta: Ratio,
        /// The least count that is told.
        k: u64,
    },
}

impl Mechanism {
    /// Whether no answer is more than e^alpha times as likely where the true count is `left` as where it is `right`.
    ///
    /// For the geometric mechanism the largest ratio over all answers is e^(epsilon |left - right|), reached by every answer beyond the
    /// nearer count, so that no answer has to be looked at and the comparison is exact.
    pub fn is_close(&self, left: u64, right: u64, alpha: Ratio) -> bool {
        match *self {
            Self::Exact => left == right,
            Self::Geometric { epsilon } => {
                left == right || epsilon.checked_mul(left.abs_diff(right)).is_some_and(|ratio| ratio <= alpha)
            }
            Self::Threshold { k } => {
                let told = |count: u64| if count >= k { count } else { 0 };
                told(left) == told(right)
            }
            Self::Sample { beta, k } => {
                left == right || is_sample_close((left, right), beta.to_f64(), k, alpha.to_f64())
            }
        }
    }

    pub(super) fn check(&self) -> Result<(), MechanismError> {
        match *self {
            Self::Geometric { epsilon } if epsilon.is_zero() => {
                Err(MechanismError::parameter("the mechanism's epsilon", epsilon, "a number above 0"))
            }
            Self::Sample { beta, .. } if beta.is_zero() || beta >= Ratio::ONE => {
                Err(MechanismError::parameter("the mechanism's beta", beta, "a probability above 0 and below 1"))
            }
            _ => Ok(()),
        }
    }
}

/// What is told of `n` rows: nothing, then every size from k on.
fn sample_answers(n: u64, beta: f64, k: u64) -> Vec<f64> {
    let odds = beta / (1.0 - beta);
    let mut logarithm = n as f64 * (-beta).ln_1p();
    let mut answers = vec![0.0];
    for j in 0..=n {
        let probability = logarithm.exp();
        if j >= k {
            answers.push(probability);
        } else {
            answers[0] += probability;
        }
        logarithm += ((n - j) as f64).ln() - ((j + 1) as f64).ln() + odds.ln();
    }
    answers
}

fn is_sample_close((left, right): (u64, u64), beta: f64, k: u64, alpha: f64) -> bool {
    let (left, right) = (sample_answers(left, beta, k), sample_answers(right, beta, k));
    // The sums of doubles differ in their last digits; a ratio that close to the bound is let pass.
    let bound = alpha.exp() * (1.0 + 1e-9);
    left.iter().enumerate().all(|(answer, &p)| p <= bound * right.get(answer).copied().unwrap_or(0.0))
}

/// How the second database is drawn.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Pairing {
    /// Without regard to the first: they may share rows.
    #[default]
    Independent,
    /// From the rows that the first has left, as two hospitals have different patients.
    Disjoint,
}

/// The promise to audit.
#[derive(Debug, Clone, Copy)]
pub struct Audit<'a> {
    /// The columns whose combinations of values are counted.
    pub by: &'a [String],
    /// Rows of each database.
    pub rows: usize,
    /// The logarithm of the largest ratio.
    pub alpha: Ratio,
    /// The largest probability of a failing pair.
    pub beta: Ratio,
    /// What tells the counts.
    pub mechanism: Mechanism,
    /// How pairs are drawn.
    pub pairing: Pairing,
    /// How many pairs are drawn where they are too many to go through; at most as many pairs are gone through.
    pub pairs: u64,
    /// The confidence of the bound.
    pub confidence: f64,
}

/// What was found.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Verdict {
    /// Whether the promise holds: the upper bound is at most beta.
    pub holds: bool,
    /// The share of pairs that fail.
    pub failure_probability: f64,
    /// What it is at most, with the confidence asked for; itself if all pairs were gone through.
    pub upper_bound: f64,
    /// Pairs looked at.
    pub pairs: u64,
    /// Those of them that fail.
    pub failures: u64,
    /// Whether all pairs were gone through.
    pub exact: bool,
    /// Queries asked: combinations of values that the table has.
    pub queries: usize,
    /// The query that fails most often, and in how many pairs.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub worst: Option<WorstQuery>,
}

/// A query that fails.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct WorstQuery {
    /// The values counted, column by column.
    pub values: Vec<String>,
    /// In how many of the pairs it fails.
    pub failures: u64,
}

impl Audit<'_> {
    /// Looks at pairs of databases. O(pairs * (rows + queries)).
    pub fn run(&self, table: &Table, dice: &mut Dice) -> Result<Verdict, MechanismError> {
        self.check(table)?;
        let (cell_of_row, values) = cells(table, self.by)?;
        let mut tally =
            Tally { audit: self, failures: vec![0; values.len()], failed: 0, pairs: 0, known: HashMap::new() };
        let exact = self.number_of_pairs(table.rows()).is_some_and(|pairs| pairs <= self.pairs.into());
        if exact {
            self.go_through(&cell_of_row, values.len(), &mut tally);
        } else {
            self.draw(cell_of_row, values.len(), &mut tally, dice);
        }
        let upper_bound = if exact {
            tally.failed as f64 / tally.pairs as f64
        } else {
            upper_confidence_bound(tally.failed, tally.pairs, self.confidence)
        };
        // Of all pairs the share is known exactly and compared exactly.
        let holds = if exact {
            Ratio::new(tally.failed, tally.pairs).is_some_and(|share| share <= self.beta)
        } else {
            upper_bound <= self.beta.to_f64()
        };
        let worst = tally.failures.iter().zip(values).max_by_key(|&(failures, _)| *failures);
        Ok(Verdict {
            holds,
            failure_probability: tally.failed as f64 / tally.pairs as f64,
            upper_bound,
            pairs: tally.pairs,
            failures: tally.failed,
            exact,
            queries: tally.failures.len(),
            worst: worst
                .filter(|&(&failures, _)| failures > 0)
                .map(|(&failures, values)| WorstQuery { values, failures }),
        })
    }

    fn check(&self, table: &Table) -> Result<(), MechanismError> {
        self.mechanism.check()?;
        let most = match self.pairing {
            Pairing::Independent => table.rows(),
            Pairing::Disjoint => table.rows() / 2,
        };
        if self.rows == 0 || self.rows > most {
            let expected = format!("a whole number between 1 and {most}, for the table has {} rows", table.rows());
            return Err(MechanismError::parameter("the number of rows of a database", self.rows, expected));
        }
        if self.pairs == 0 {
            return Err(MechanismError::parameter("the number of pairs", self.pairs, "a whole number of at least 1"));
        }
        if self.beta > Ratio::ONE {
            return Err(MechanismError::parameter("beta", self.beta, "a probability between 0 and 1"));
        }
        if !(self.confidence > 0.0 && self.confidence < 1.0) {
            return Err(MechanismError::parameter("the confidence", self.confidence, "a number above 0 and below 1"));
        }
        Ok(())
    }

    fn number_of_pairs(&self, rows: usize) -> Option<u128> {
        let first = choose(rows as u128, self.rows as u128)?;
        let second = match self.pairing {
            Pairing::Independent => first,
            Pairing::Disjoint => choose((rows - self.rows) as u128, self.rows as u128)?,
        };
        first.checked_mul(second)
    }

    fn draw(&self, mut cell_of_row: Vec<u32>, queries: usize, tally: &mut Tally<'_>, dice: &mut Dice) {
        let (mut left, mut right) = (vec![0_u64; queries], vec![0_u64; queries]);
        let count = |counts: &mut [u64], cells: &[u32]| {
            counts.fill(0);
            for &cell in cells {
                counts[cell as usize] += 1;
            }
        };
        for _ in 0..self.pairs {
            dice.choose(&mut cell_of_row, self.rows);
            count(&mut left, &cell_of_row[..self.rows]);
            match self.pairing {
                Pairing::Independent => {
                    dice.choose(&mut cell_of_row, self.rows);
                    count(&mut right, &cell_of_row[..self.rows]);
                }
                Pairing::Disjoint => {
                    let rest = &mut cell_of_row[self.rows..];
                    dice.choose(rest, self.rows);
                    count(&mut right, &rest[..self.rows]);
                }
            }
            tally.add(&left, &right);
        }
    }

    fn go_through(&self, cell_of_row: &[u32], queries: usize, tally: &mut Tally<'_>) {
        let count = |cells: &mut dyn Iterator<Item = u32>| {
            let mut counts = vec![0_u64; queries];
            cells.for_each(|cell| counts[cell as usize] += 1);
            counts
        };
        let databases = |cells: &[u32]| -> Vec<(Vec<usize>, Vec<u64>)> {
            let choices = choices(cells.len(), self.rows);
            choices.into_iter().map(|rows| (rows.clone(), count(&mut rows.iter().map(|&row| cells[row])))).collect()
        };
        let all = databases(cell_of_row);
        for (rows, left) in &all {
            match self.pairing {
                Pairing::Independent => {
                    for (_, right) in &all {
                        tally.add(left, right);
                    }
                }
                Pairing::Disjoint => {
                    let others = (0..cell_of_row.len()).filter(|row| rows.binary_search(row).is_err());
                    let others: Vec<u32> = others.map(|row| cell_of_row[row]).collect();
                    for (_, right) in databases(&others) {
                        tally.add(left, &right);
                    }
                }
            }
        }
    }
}

/// What failed so far.
struct Tally<'a> {
    audit: &'a Audit<'a>,
    failures: Vec<u64>,
    failed: u64,
    pairs: u64,
    /// The same two counts come again and again.
    known: HashMap<(u64, u64), bool>,
}

impl Tally<'_> {
    fn add(&mut self, left: &[u64], right: &[u64]) {
        let mut is_failure = false;
        for (query, (&left, &right)) in left.iter().zip(right).enumerate() {
            let Audit { mechanism, alpha, .. } = *self.audit;
            let is_close = match mechanism {
                Mechanism::Sample { .. } => {
                    *self.known.entry((left, right)).or_insert_with(|| mechanism.is_close(left, right, alpha))
                }
                _ => mechanism.is_close(left, right, alpha),
            };
            if !is_close {
                is_failure = true;
                self.failures[query] += 1;
            }
        }
        self.pairs += 1;
        self.failed += u64::from(is_failure);
    }
}

/// The combination of values of every row, numbered by first appearance, and the values of each.
fn cells(table: &Table, by: &[String]) -> Result<(Vec<u32>, Vec<Vec<String>>), MechanismError> {
    let mut columns = Vec::with_capacity(by.len());
    for (position, name) in by.iter().enumerate() {
        if by.iter().take(position).any(|other| other == name) {
            return Err(MechanismError::RepeatedColumn { column: name.clone() });
        }
        columns.push(table.column(name)?);
    }
    let mut numbers: HashMap<Vec<u32>, u32> = HashMap::new();
    let mut values = Vec::new();
    let mut cell_of_row = Vec::with_capacity(table.rows());
    for row in 0..table.rows() {
        let codes: Vec<u32> = columns.iter().map(|column| column.codes().get(row)).collect();
        let number = *numbers.entry(codes).or_insert_with(|| {
            values.push(columns.iter().map(|column| column.text(row).to_owned()).collect());
            values.len() as u32 - 1
        });
        cell_of_row.push(number);
    }
    Ok((cell_of_row, values))
}

/// The binomial coefficient; nothing if it has no room.
fn choose(n: u128, k: u128) -> Option<u128> {
    (0..k.min(n.checked_sub(k)?)).try_fold(1_u128, |product, i| Some(product.checked_mul(n - i)? / (i + 1)))
}

/// Every choice of `count` out of `items`, each in ascending order.
fn choices(items: usize, count: usize) -> Vec<Vec<usize>> {
    let mut all = Vec::new();
    let mut choice: Vec<usize> = (0..count).collect();
    loop {
        all.push(choice.clone());
        // The last position that can still move up; the ones behind it follow closely.
        let Some(position) = (0..count).rev().find(|&position| choice[position] < items - count + position) else {
            return all;
        };
        let next = choice[position] + 1;
        for (offset, place) in choice[position..].iter_mut().enumerate() {
            *place = next + offset;
        }
    }
}
