//! Proofs of how far an attacker gets, checked by own arithmetic: nothing here believes a solver.
//!
//! *At least so far* is shown by a witness: deviations z with M z = 0 within the rooms are a table that the attacker holds
//! possible. *At most so far* is shown by prices g, one an equation: as M z = 0, the deviation e z equals d z with
//! d = e - g M for whatever g, and d z is at most the sum of d+ times the room upwards and d- times the room downwards.
//!
//! Both are first tried in whole numbers: corners of tables are whole multiples of a small fraction of the unit of the data, and
//! their prices are small fractions. So the solver's numbers are rounded to such multiples and put to the test without any
//! rounding; a test that is passed is a proof whatever the solver did. Where there is no such fraction (odd coefficients,
//! data of 17 digits) the test is in floating point, with the small tolerances named here. Time: linear in the terms.

use super::part::{Part, Whole};

/// Denominators that corners are tried with.
const DENOMINATORS: [i128; 13] = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 12, 60, 2520];
/// How much of the size of its terms an equation may be off in floating point.
const RESIDUAL: f64 = 1e-12;
/// Deviations and differences of prices below this share of the terms they came from are rounding.
const NOISE: f64 = 1e-14;

/// A way to push a cell: +1 or -1.
pub(super) type Sign = i8;

/// What the attacker asks: how far a cell goes in a direction, one more cell being published perhaps.
#[derive(Debug, Clone, Copy)]
pub(super) struct Question {
    pub(super) target: usize,
    pub(super) sign: Sign,
    pub(super) closed: Option<usize>,
}

/// A table that the attacker holds possible.
#[derive(Debug, Clone)]
pub(super) struct Witness {
    /// How far the target deviates in it, in units.
    pub(super) reach: f64,
    /// The cells that deviate in it, ascending.
    pub(super) support: Vec<usize>,
}

/// The rooms to stay within: those of the part or, for rays, one where there is no bound and none elsewhere.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    Deviations,
    Ray,
}

/// What deviations (in units) prove. `None` if they are no table, or the target does not move.
pub(super) fn witness(part: &Part, question: Question, kind: Kind, deviations: &[f64]) -> Option<Witness> {
    let whole = part.whole.as_ref().and_then(|whole| {
        DENOMINATORS.iter().find_map(|denominator| whole_witness(whole, question, kind, deviations, *denominator))
    });
    whole.or_else(|| float_witness(part, question, kind, deviations)).filter(|witness| witness.reach > 0.0)
}

fn whole_witness(
    whole: &Whole,
    question: Question,
    kind: Kind,
    deviations: &[f64],
    denominator: i128,
) -> Option<Witness> {
    let room = |room: Option<i128>| match (kind, room) {
        (Kind::Deviations, Some(room)) => room.checked_mul(denominator),
        (Kind::Deviations, None) => Some(i128::MAX),
        (Kind::Ray, room) => Some(if room.is_some() { 0 } else { denominator }),
    };
    let mut rounded = Vec::with_capacity(deviations.len());
    for (at, deviation) in deviations.iter().enumerate() {
        let number = (deviation * denominator as f64).round() as i128;
        let closed = question.closed == Some(at) && number != 0;
        if closed || number > room(whole.up[at])? || number < -room(whole.down[at])? {
            return None;
        }
        rounded.push(number);
    }
    for row in &whole.rows {
        let mut sum = 0_i128;
        for &(at, factor) in row {
            sum = sum.checked_add(rounded[at].checked_mul(factor)?)?;
        }
        if sum != 0 {
            return None;
        }
    }
    let reach = rounded[question.target] * i128::from(question.sign);
    let support = (0..rounded.len()).filter(|at| rounded[*at] != 0).collect();
    Some(Witness { reach: reach as f64 / denominator as f64, support })
}

fn float_witness(part: &Part, question: Question, kind: Kind, deviations: &[f64]) -> Option<Witness> {
    let largest = deviations.iter().fold(0.0, |largest, deviation| f64::max(largest, deviation.abs()));
    let mut kept: Vec<f64> =
        deviations.iter().map(|deviation| if deviation.abs() <= NOISE * largest { 0.0 } else { *deviation }).collect();
    if let Some(closed) = question.closed {
        kept[closed] = 0.0;
    }
    // No deviation is a table too, hence so is everything between: a slight excess is drawn back into the rooms.
    let mut share: f64 = 1.0;
    for (at, deviation) in kept.iter_mut().enumerate() {
        let room = if *deviation > 0.0 { part.up[at] } else { part.down[at] };
        let room = if kind == Kind::Ray { f64::from(u8::from(room == f64::INFINITY)) } else { room };
        if room == 0.0 {
            *deviation = 0.0;
        } else if deviation.abs() > room {
            share = f64::min(share, room / deviation.abs());
        }
    }
    for row in &part.rows {
        let (mut sum, mut size, mut factors) = (0.0, 0.0, 0.0);
        for &(at, factor) in row {
            sum += factor * kept[at];
            size += (factor * kept[at]).abs();
            factors += factor.abs();
        }
        if sum.is_nan() || sum.abs() > RESIDUAL * size + NOISE * largest * factors {
            return None;
        }
    }
    let reach = kept[question.target] * f64::from(question.sign) * share;
    let support = (0..kept.len()).filter(|at| kept[*at] != 0.0).collect();
    Some(Witness { reach, support })
}

/// How far the target gets at most, in units, by prices of the rows of the part. Infinite if they prove nothing.
pub(super) fn bound(part: &Part, question: Question, prices: &[f64]) -> f64 {
    let whole = part.whole.as_ref().and_then(|whole| {
        DENOMINATORS.iter().find_map(|denominator| whole_bound(whole, question, prices, *denominator))
    });
    whole.unwrap_or_else(|| float_bound(part, question, prices))
}

fn whole_bound(whole: &Whole, question: Question, prices: &[f64], denominator: i128) -> Option<f64> {
    const NEAR: f64 = 1e-6;
    let mut left = vec![0_i128; whole.up.len()];
    left[question.target] = i128::from(question.sign) * denominator;
    for (row, price) in whole.rows.iter().zip(prices) {
        let scaled = price * denominator as f64;
        let rounded = scaled.round();
        if !scaled.is_finite() || (scaled - rounded).abs() > NEAR {
            return None;
        }
        for &(at, factor) in row {
            left[at] = left[at].checked_sub((rounded as i128).checked_mul(factor)?)?;
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

fn float_bound(part: &Part, question: Question, prices: &[f64]) -> f64 {
    let mut left = vec![0.0; part.cells.len()];
    let mut size = vec![0.0; part.cells.len()];
    left[question.target] = f64::from(question.sign);
    size[question.target] = 1.0;
    for (row, price) in part.rows.iter().zip(prices) {
        for &(at, factor) in row {
            left[at] -= price * factor;
            size[at] += (price * factor).abs();
        }
    }
    let mut sum = 0.0;
    for (at, left) in left.into_iter().enumerate().filter(|(at, _)| question.closed != Some(*at)) {
        let room = if left > 0.0 { part.up[at] } else { part.down[at] };
        // Without a bound on the cell, a difference that is only rounding would prove nothing at all.
        let rounding = room == f64::INFINITY && left.abs() <= NOISE * size[at];
        if !rounding && left != 0.0 && room > 0.0 {
            sum += left.abs() * room;
        }
    }
    if sum.is_nan() { f64::INFINITY } else { sum }
}
