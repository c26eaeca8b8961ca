//! A cost below which no pattern protects, without a search.

use crate::demand::Demand;
use crate::pattern::Pattern;
use crate::table::{CellTable, Status};

/// The weight of all that must be hidden and of the cheapest company: an equation with one hidden cell gives that cell away,
/// so that where exactly one cell must be hidden and has a level, another is. Cells stand in several equations, so each
/// equation takes its least weight away from what its cells have left (dual ascent on that covering problem). Time: linear.
pub(crate) fn of_company(table: &CellTable) -> f64 {
    let cells = table.cells();
    let least = Pattern::least(table);
    let mut asked = vec![false; cells.len()];
    for demand in Demand::of(table) {
        asked[demand.cell] = true;
    }
    let mut left: Vec<f64> = cells.iter().map(|cell| cell.weight).collect();
    let mut bound = least.cost(table);
    for equation in table.equations() {
        let mut alone = equation.terms.iter().map(|(cell, _)| *cell).filter(|cell| least.hides(*cell));
        if let (Some(cell), None) = (alone.next(), alone.next())
            && asked[cell]
        {
            let free =
                || equation.terms.iter().map(|(cell, _)| *cell).filter(|cell| cells[*cell].status == Status::Free);
            let cheapest = free().map(|cell| left[cell]).fold(f64::INFINITY, f64::min);
            if cheapest.is_finite() {
                bound += cheapest;
                free().for_each(|cell| left[cell] -= cheapest);
            }
        }
    }
    bound
}
