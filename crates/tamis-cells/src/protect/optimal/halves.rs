//! Inequalities from halves of sums: where an odd number of things must be paired, one half is left over.
//!
//! The sum of some inequalities with whole coefficients, every odd coefficient made even by adding x_j >= 0 or -x_j >= -1, is
//! twice a whole number on the left. If its right-hand side is odd, half of it may be rounded up. At a point where the summed
//! inequalities are tight, and x_j is next to 0 or 1 wherever something was added, the point breaks the result by nearly a
//! half. Which sums to take is linear algebra over parities: fractional columns are eliminated one by one.

use std::collections::HashMap;

use super::cut::Cut;

/// A combination of rows: which fractional columns are odd in it, which rows it sums, both as bits.
#[derive(Clone)]
struct Sum {
    odd: Vec<u64>,
    rows: Vec<u64>,
}

/// Inequalities that `x` breaks, from sums of `rows` that are tight at `x`. Time: cubic in the rows, 64 columns at once.
pub(crate) fn halves(rows: &[&Cut], x: &[f64]) -> Vec<Cut> {
    let whole = |number: f64| (number - number.round()).abs() < 1e-9 && number.abs() < 1e3;
    let rows: Vec<&Cut> = rows
        .iter()
        .copied()
        .filter(|cut| cut.violation(x) > -1e-6 && whole(cut.rhs) && cut.terms.iter().all(|(_, c)| whole(*c)))
        .take(400)
        .collect();
    // Columns in the middle first: rounding them costs most.
    let middle = |cell: usize| f64::min(x[cell], 1.0 - x[cell]);
    let mut columns: Vec<usize> = rows.iter().flat_map(|cut| cut.terms.iter().map(|(cell, _)| *cell)).collect();
    columns.retain(|cell| middle(*cell) > 1e-6);
    columns.sort_unstable();
    columns.dedup();
    columns.sort_by(|a, b| middle(*b).total_cmp(&middle(*a)));
    let place: HashMap<usize, usize> = columns.iter().enumerate().map(|(place, cell)| (*cell, place)).collect();
    let mut sums: Vec<Sum> = rows
        .iter()
        .enumerate()
        .map(|(row, cut)| {
            let mut sum = Sum { odd: vec![0; columns.len().div_ceil(64)], rows: vec![0; rows.len().div_ceil(64)] };
            sum.rows[row / 64] |= 1 << (row % 64);
            for (cell, _) in cut.terms.iter().filter(|(_, c)| c.round() as i64 % 2 != 0) {
                if let Some(place) = place.get(cell) {
                    sum.odd[place / 64] |= 1 << (place % 64);
                }
            }
            sum
        })
        .collect();
    let mut found: Vec<Cut> = Vec::new();
    for column in 0..columns.len() {
        let is_odd = |sum: &Sum| sum.odd[column / 64] >> (column % 64) & 1 == 1;
        let Some(pivot) = sums.iter().position(is_odd) else { continue };
        let pivot = sums.swap_remove(pivot);
        for sum in sums.iter_mut().filter(|sum| is_odd(sum)) {
            sum.odd.iter_mut().zip(&pivot.odd).for_each(|(a, b)| *a ^= b);
            sum.rows.iter_mut().zip(&pivot.rows).for_each(|(a, b)| *a ^= b);
        }
        found.extend(half(&pivot, &rows, x));
    }
    found.extend(sums.iter().filter_map(|sum| half(sum, &rows, x)));
    found.sort_by(|a, b| b.depth(x).total_cmp(&a.depth(x)));
    found.truncate(30);
    found
}

/// Half of a sum, rounded up, if `x` breaks it.
fn half(sum: &Sum, rows: &[&Cut], x: &[f64]) -> Option<Cut> {
    let mut terms: HashMap<usize, i64> = HashMap::new();
    let mut rhs = 0;
    for (_, cut) in rows.iter().enumerate().filter(|(row, _)| sum.rows[row / 64] >> (row % 64) & 1 == 1) {
        rhs += cut.rhs.round() as i64;
        for &(cell, c) in &cut.terms {
            *terms.entry(cell).or_insert(0) += c.round() as i64;
        }
    }
    for (cell, c) in terms.iter_mut().filter(|(_, c)| **c % 2 != 0) {
        if x[*cell] > 0.5 {
            *c -= 1;
            rhs -= 1;
        } else {
            *c += 1;
        }
    }
    if rhs % 2 == 0 {
        return None;
    }
    let mut terms: Vec<(usize, f64)> =
        terms.into_iter().filter(|(_, c)| *c != 0).map(|(cell, c)| (cell, (c / 2) as f64)).collect();
    terms.sort_unstable_by_key(|(cell, _)| *cell);
    let cut = Cut { terms, rhs: ((rhs + 1) / 2) as f64 };
    (cut.violation(x) > 0.02).then_some(cut)
}
