//! Makes an inequality stronger by changing the price of one equation at a time.
//!
//! The multipliers d = s e_k + (prices) M of an attack may be changed by any multiple of any equation. A linear program finds
//! prices that are best where coefficients are not truncated, and does not care about cells that the relaxation publishes.
//! What counts is the truncated coefficient, with a little for every published cell: a function that is concave between the
//! multiples that make a multiplier of the equation zero, so that only those need be tried.
//!
//! Time: the terms of an equation squared for each equation tried, and there are few sweeps.

use super::model::{Fate, Model};
use crate::attack::Room;

/// Multipliers closer to zero than this are zero.
const ZERO: f64 = 1e-9;
/// A change must gain so much.
const GAIN: f64 = 1e-7;

/// Where an inequality is to be strong: what a coefficient of 1 costs, cell by cell, in units of the right-hand side.
pub(crate) struct Polish<'a, 'm> {
    pub(crate) model: &'a Model<'m>,
    pub(crate) room: &'a Room,
    pub(crate) level: f64,
    pub(crate) worth: &'a [f64],
}

impl Polish<'_, '_> {
    /// What a multiplier costs.
    fn cost(&self, cell: usize, d: f64) -> f64 {
        let room = if d > 0.0 { self.room.up[cell] } else { self.room.down[cell] };
        if d.abs() <= ZERO || room == 0.0 {
            return 0.0;
        }
        let coefficient = d.abs() * room / self.level;
        match self.model.fate[cell] {
            Fate::Open => f64::min(coefficient, 1.0) * self.worth[cell],
            // Nothing truncates what is on the right-hand side.
            _ => f64::min(coefficient, 1e3),
        }
    }

    /// Better prices for a push of `cell` in the direction of `sign`.
    pub(crate) fn prices(&self, cell: usize, sign: f64, prices: &[(usize, f64)]) -> Vec<(usize, f64)> {
        let (rows, rows_of) = (&self.model.rows, &self.model.rows_of);
        let mut d = vec![0.0; self.model.cells()];
        let mut of_row = vec![0.0; rows.len()];
        d[cell] = sign;
        for &(row, price) in prices {
            of_row[row] = price;
            for &(at, coefficient) in &rows[row] {
                d[at] += price * coefficient;
            }
        }
        for value in &mut d {
            if value.abs() <= ZERO {
                *value = 0.0;
            }
        }
        let mut waiting: Vec<usize> = (0..rows.len()).rev().collect();
        let mut waits = vec![true; rows.len()];
        let mut changes = 10 * rows.len();
        let mut tried: Vec<f64> = Vec::new();
        while let Some(row) = waiting.pop() {
            waits[row] = false;
            let terms = &rows[row];
            tried.clear();
            for &(at, coefficient) in terms.iter().filter(|(at, _)| d[*at] != 0.0) {
                let by = -d[at] / coefficient;
                if !tried.iter().any(|other| (other - by).abs() <= ZERO) {
                    tried.push(by);
                }
            }
            if tried.is_empty() {
                continue;
            }
            let now: f64 = terms.iter().map(|&(at, _)| self.cost(at, d[at])).sum();
            let mut best = (now - GAIN, 0.0);
            for &by in &tried {
                let mut then = 0.0;
                for &(at, coefficient) in terms {
                    then += self.cost(at, d[at] + by * coefficient);
                    if then >= best.0 {
                        break;
                    }
                }
                if then < best.0 {
                    best = (then, by);
                }
            }
            if best.1 == 0.0 {
                continue;
            }
            changes -= 1;
            if changes == 0 {
                break;
            }
            of_row[row] += best.1;
            for &(at, coefficient) in terms {
                d[at] += best.1 * coefficient;
                if d[at].abs() <= ZERO {
                    d[at] = 0.0;
                }
                for &(other, _) in &rows_of[at] {
                    if !waits[other] && other != row {
                        waits[other] = true;
                        waiting.push(other);
                    }
                }
            }
        }
        of_row.into_iter().enumerate().filter(|(_, price)| price.abs() > 1e-11).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::super::adversary::multipliers;
    use super::*;
    use crate::generate::{Dimension, Shape, generate};

    /// What the inequality of some prices costs.
    fn cost(polish: &Polish<'_, '_>, cell: usize, sign: f64, prices: &[(usize, f64)]) -> f64 {
        multipliers(polish.model, prices, cell, sign).0.iter().map(|&(at, d)| polish.cost(at, d)).sum()
    }

    #[test]
    fn no_price_of_a_single_equation_makes_polished_prices_better() {
        let dimensions = vec![Dimension::flat(3), Dimension::flat(4), Dimension::flat(3)];
        let table = generate(&Shape { dimensions, ..Shape::default() }, 5).expect("a table").table;
        let model = Model::new(&table);
        let worth: Vec<f64> = (0..model.cells()).map(|cell| (cell * 7 % 11) as f64 / 11.0).collect();
        let demand = model.demands[0];
        let polish = Polish { model: &model, room: &model.rooms[0], level: demand.level, worth: &worth };
        for row in 0..model.rows.len() {
            let start = vec![(row, 1.0), ((row * 5 + 3) % model.rows.len(), -1.0)];
            let prices = polish.prices(demand.cell, 1.0, &start);
            let reached = cost(&polish, demand.cell, 1.0, &prices);
            assert!(reached <= cost(&polish, demand.cell, 1.0, &start));
            for other in 0..model.rows.len() {
                for by in [-1.0, -0.5, 0.5, 1.0] {
                    let mut tried = prices.clone();
                    match tried.iter_mut().find(|(row, _)| *row == other) {
                        Some((_, price)) => *price += by,
                        None => tried.push((other, by)),
                    }
                    assert!(cost(&polish, demand.cell, 1.0, &tried) >= reached - 1e-6);
                }
            }
        }
    }
}
