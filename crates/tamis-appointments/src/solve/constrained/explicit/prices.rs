//! Sharing the cost of cells between rows and columns so that the bound is as high as it can be.

use super::columns::Columns;
use super::costs::{Costs, DEAREST, IMPOSSIBLE, Target, UNIT};
use super::model::Model;
use super::rows::Rows;
use crate::solve::Patience;

/// Shared costs and the bound they prove.
pub(super) struct Priced {
    pub(super) costs: Costs,
    /// No schedule of the target's prefix costs less.
    pub(super) bound: i64,
}

const ROUNDS: usize = 400;
const PATIENT_ROUNDS: usize = 12;
const SMALLEST_STEP: f64 = 0.02;

/// Moves cost where row and column disagree about a cell, until the bound exceeds what the target allows (then no schedule
/// meets it) or rises no more.
///
/// This is a subgradient ascent on the Lagrangian dual of "the people a row sends to a cell are those the column takes", with
/// the proved components as equalities of free sign. Its best value is that of the linear program over all paths of all rows and
/// all fillings of all columns, which is far above that of a linear program over cells.
pub(super) fn tune(model: &Model, rows: &Rows, columns: &Columns, target: &Target, patience: &Patience) -> Priced {
    let mut costs = Costs::new(model, target);
    let mut best: Option<Priced> = None;
    let (mut step, mut rounds_without) = (1.0, 0);
    for _ in 0..ROUNDS {
        let tables = rows.cheapest(&costs);
        let row_bound: i64 = tables.iter().zip(&rows.rows).map(|(table, row)| table[row.start]).sum();
        let (column_bound, filling) = columns.cheapest(&costs, model.rows);
        let bound = (row_bound + column_bound).min(IMPOSSIBLE);
        let limit = costs.limit(target);
        let gain = |best: &Priced| (bound - limit) - (best.bound - best.costs.limit(target));
        match &best {
            Some(best) if gain(best) <= 0 => rounds_without += 1,
            _ => {
                best = Some(Priced { costs: costs.clone(), bound });
                rounds_without = 0;
            }
        }
        if bound > limit || target.most.is_none() || patience.is_over() {
            break;
        }
        if rounds_without >= PATIENT_ROUNDS {
            step /= 2.0;
            rounds_without = 0;
        }
        if step < SMALLEST_STEP {
            break;
        }
        let paths: Vec<Vec<u32>> =
            (0..model.rows).map(|row| rows.rows[row].path(&tables[row], |slot| costs.of_row(slot, row))).collect();
        if !settle_differences(model, target, &mut costs, &paths, &filling, step * (limit + UNIT - bound) as f64) {
            break;
        }
    }
    best.unwrap_or(Priced { costs, bound: -IMPOSSIBLE })
}

/// One step; false if rows and columns agree everywhere.
fn settle_differences(
    model: &Model,
    target: &Target,
    costs: &mut Costs,
    paths: &[Vec<u32>],
    filling: &[Vec<u32>],
    rise: f64,
) -> bool {
    let mut surplus: Vec<i64> = target.proved.iter().map(|&cells| -i64::from(cells)).collect();
    let mut differences = Vec::new();
    for (slot, filling) in filling.iter().enumerate() {
        for row in 0..model.rows {
            let (by_row, by_column) = (paths[row][slot], filling[row]);
            if by_row != by_column {
                differences.push((slot, row, by_row, by_column));
            }
            let size = costs.size(slot, row, by_column);
            if (1..=surplus.len()).contains(&size) {
                surplus[size - 1] += 1;
            }
        }
    }
    let norm = 2 * differences.len() as i64 + surplus.iter().map(|surplus| surplus * surplus).sum::<i64>();
    if norm == 0 {
        return false;
    }
    let step = ((rise / norm as f64) as i64).clamp(1, DEAREST);
    for (slot, row, by_row, by_column) in differences {
        costs.shift(slot, row, by_row, step);
        costs.shift(slot, row, by_column, -step);
    }
    for (size, surplus) in (1..).zip(surplus).filter(|&(_, surplus)| surplus != 0) {
        if costs.weight(size) < IMPOSSIBLE {
            costs.weigh(size, surplus * step);
        }
    }
    true
}
