//! Proofs of how far an attacker gets, checked by own arithmetic: nothing here believes a solver.
//!
//! *At least so far* is shown by a witness: deviations z with M z = 0 within the rooms are a table that the attacker holds
//! possible. *At most so far* is shown by prices g, one an equation: as M z = 0, the deviation e z equals d z with
//! d = e - g M for whatever g, and d z is at most the sum of d+ times the room upwards and d- times the room downwards.
//!
//! Both are in whole numbers. Corners of tables are whole multiples of a small fraction of the unit of the data, and their prices
//! are small fractions, so the solver's numbers are rounded to such multiples and put to the test without any rounding; a
//! test that is passed is a proof whatever the solver did. Prices that are no small fractions are rounded to fine ones, which
//! prove almost as much. Deviations that are none (odd coefficients, data of 17 digits) are tested in floating point, with the
//! small tolerances named here; what an attacker cannot reach is never shown in floating point. Time: linear in the terms.

use super::part::{Part, Whole};
use super::witness::Witness;
use crate::attack::fractions::common_denominator;

/// Denominators that corners are tried with.
const DENOMINATORS: [i128; 13] = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 12, 60, 2520];
/// The denominator of prices that are no small fractions.
const FINE: i128 = 1 << 40;
/// How much of the size of its terms an equation may be off in floating point.
const RESIDUAL: f64 = 1e-12;
/// Deviations below this share of the largest are rounding.
const NOISE: f64 = 1e-14;
/// How many times what an equation is off in floating point a cell may be off in the table that is meant.
const ERRORS: f64 = 16.0;

/// A way to push a cell: +1 or -1.
pub(super) type Sign = i8;

/// What the attacker asks: how far a cell goes in a direction, one more cell being published perhaps.
#[derive(Debug, Clone, Copy)]
pub(super) struct Question {
    pub(super) target: usize,
    pub(super) sign: Sign,
    pub(super) closed: Option<usize>,
}

/// What deviations prove, in units, one a cell of the part. `None` if they are no table.
pub(super) fn witness(part: &Part, deviations: &[f64]) -> Option<Witness> {
    let whole = part
        .whole
        .as_ref()
        .and_then(|whole| DENOMINATORS.iter().find_map(|denominator| whole_moves(whole, deviations, *denominator)));
    // Where units are finer than the last place of the numbers, rounding may push a cell out of its room.
    match whole.and_then(|moves| Witness::new(part, moves, 0.0)) {
        Some(witness) if witness.fits() => Some(witness),
        other => float_witness(part, deviations).or(other),
    }
}

fn whole_moves(whole: &Whole, deviations: &[f64], denominator: i128) -> Option<Vec<(usize, f64)>> {
    let rounded: Vec<i128> =
        deviations.iter().map(|deviation| (deviation * denominator as f64).round() as i128).collect();
    for row in &whole.rows {
        let mut sum = 0_i128;
        for &(at, factor) in row {
            sum = sum.checked_add(rounded[at].checked_mul(factor)?)?;
        }
        if sum != 0 {
            return None;
        }
    }
    let moved = rounded.into_iter().enumerate().filter(|(_, number)| *number != 0);
    Some(moved.map(|(at, number)| (at, number as f64 / denominator as f64)).collect())
}

fn float_witness(part: &Part, deviations: &[f64]) -> Option<Witness> {
    let largest = deviations.iter().fold(0.0, |largest, deviation| f64::max(largest, deviation.abs()));
    let kept = |(at, deviation): (usize, &f64)| {
        let room = part.room(at, if *deviation > 0.0 { 1 } else { -1 });
        let excess = deviation.abs() - room;
        match *deviation {
            _ if room == 0.0 || deviation.abs() <= NOISE * largest => 0.0,
            _ if excess > 0.0 && excess <= RESIDUAL * largest => room.copysign(*deviation),
            deviation => deviation,
        }
    };
    let kept: Vec<f64> = deviations.iter().enumerate().map(kept).collect();
    let mut residual = 0.0;
    for row in &part.rows {
        let (mut sum, mut size, mut least) = (0.0, 0.0, f64::INFINITY);
        for &(at, factor) in row {
            sum += factor * kept[at];
            size += (factor * kept[at]).abs();
            least = f64::min(least, factor.abs());
        }
        if sum.is_nan() || sum.abs() > RESIDUAL * (size + least * largest) {
            return None;
        }
        residual = f64::max(residual, sum.abs() / least);
    }
    let moves = kept.into_iter().enumerate().filter(|(_, by)| *by != 0.0).collect();
    Witness::new(part, moves, ERRORS * (residual + f64::EPSILON * largest))
}

/// How far the target gets at most, in units, by prices of the rows of the part; `None` if they prove nothing.
pub(super) fn bound(part: &Part, question: Question, prices: &[f64]) -> Option<f64> {
    let whole = part.whole.as_ref()?;
    if prices.iter().any(|price| !price.is_finite() || price.abs() > 1e9) {
        return None;
    }
    let simple = common_denominator(prices.iter().copied());
    let by = |denominator| whole_bound(whole, question, prices, denominator);
    simple.and_then(by).or_else(|| by(FINE))
}

fn whole_bound(whole: &Whole, question: Question, prices: &[f64], denominator: i128) -> Option<f64> {
    let mut left = vec![0_i128; whole.up.len()];
    left[question.target] = i128::from(question.sign) * denominator;
    for (row, price) in whole.rows.iter().zip(prices) {
        let rounded = (price * denominator as f64).round() as i128;
        for &(at, factor) in row.iter().filter(|_| rounded != 0) {
            left[at] = left[at].checked_sub(rounded.checked_mul(factor)?)?;
        }
    }
    let mut sum = 0_i128;
    for (at, left) in left.into_iter().enumerate().filter(|(at, _)| question.closed != Some(*at)) {
        let room = if left > 0 { whole.up[at] } else { whole.down[at] };
        match room {
            _ if left == 0 => {}
            Some(room) => sum = sum.checked_add(left.abs().checked_mul(room)?)?,
            None => return None,
        }
    }
    Some(sum as f64 / denominator as f64)
}
