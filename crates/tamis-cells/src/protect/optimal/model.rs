//! What the search works on: the table without all that is settled beforehand.

use crate::attack::Room;
use crate::audit::tolerance::slack;
use crate::demand::Demand;
use crate::table::decimal::whole;
use crate::table::{CellTable, Status, Sum};

/// What is settled about a cell before the search.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Fate {
    /// Hidden in every pattern looked at: primaries, cells that must be hidden, and cells that cost nothing. The last may
    /// be hidden without loss because hiding more never exposes anything: the attacker's feasible set only grows.
    Hidden,
    /// Published in every pattern looked at: cells that must be, and cells that no attacker could ever move.
    Published,
    /// To be decided.
    Open,
}

/// The table as the search sees it.
pub(crate) struct Model<'a> {
    pub(crate) table: &'a CellTable,
    /// Equations over the cells that can deviate at all, without right-hand sides and repetitions.
    pub(crate) rows: Vec<Vec<(usize, f64)>>,
    /// Whether all coefficients of all rows are whole.
    pub(crate) whole: bool,
    /// For every cell its rows and coefficients there.
    pub(crate) rows_of: Vec<Vec<(usize, f64)>>,
    /// One for every attacker; zero for cells that cannot deviate.
    pub(crate) rooms: Vec<Room>,
    pub(crate) demands: Vec<Demand>,
    /// For every demand the share of its level from which on it counts as met: what an audit allows.
    pub(crate) need: Vec<f64>,
    pub(crate) fate: Vec<Fate>,
    /// The cells that can deviate, ascending.
    pub(crate) movable: Vec<usize>,
    /// Every weight is a multiple of this; zero if nothing is known.
    pub(crate) grain: f64,
    /// The least weight of an open cell.
    pub(crate) lightest: f64,
    /// The cost of what is hidden in every pattern.
    pub(crate) base: f64,
}

impl<'a> Model<'a> {
    pub(crate) fn new(table: &'a CellTable) -> Self {
        let cells = table.cells();
        let mut rooms: Vec<Room> = (0..=table.attackers().len()).map(|attacker| Room::of(table, attacker)).collect();
        let mut moves: Vec<bool> = (0..cells.len())
            .map(|cell| {
                cells[cell].status != Status::Fixed
                    && rooms.iter().any(|room| room.down[cell] > 0.0 || room.up[cell] > 0.0)
            })
            .collect();
        // A cell that is alone among published ones in an equation follows from them, however many others are hidden.
        loop {
            let alone: Vec<usize> = table
                .equations()
                .iter()
                .filter_map(|equation| {
                    let mut free = equation.terms.iter().filter(|(cell, _)| moves[*cell]);
                    match (free.next(), free.next()) {
                        (Some(&(cell, _)), None) => Some(cell),
                        _ => None,
                    }
                })
                .collect();
            if alone.is_empty() {
                break;
            }
            for cell in alone {
                moves[cell] = false;
            }
        }
        for room in &mut rooms {
            for cell in (0..cells.len()).filter(|cell| !moves[*cell]) {
                (room.down[cell], room.up[cell]) = (0.0, 0.0);
            }
        }
        let mut fate = Vec::with_capacity(cells.len());
        for (cell, facts) in cells.iter().enumerate() {
            fate.push(match facts.status {
                Status::Primary | Status::Hidden => Fate::Hidden,
                Status::Fixed => Fate::Published,
                Status::Free if !moves[cell] => Fate::Published,
                Status::Free if facts.weight == 0.0 => Fate::Hidden,
                Status::Free => Fate::Open,
            });
        }
        let rows = reduced_rows(table, &moves);
        let mut rows_of = vec![Vec::new(); cells.len()];
        for (row, terms) in rows.iter().enumerate() {
            for &(cell, coefficient) in terms {
                rows_of[cell].push((row, coefficient));
            }
        }
        let base = (0..cells.len()).filter(|cell| fate[*cell] == Fate::Hidden).map(|cell| cells[cell].weight).sum();
        let demands = Demand::of(table);
        let need = |demand: &Demand| 1.0 - slack(demand.level, cells[demand.cell].value) / demand.level;
        Self {
            table,
            whole: rows.iter().flatten().all(|(_, c)| c.fract() == 0.0),
            rows,
            rows_of,
            rooms,
            need: demands.iter().map(need).collect(),
            demands,
            movable: (0..cells.len()).filter(|cell| moves[*cell]).collect(),
            grain: grain(&(0..cells.len()).filter(|cell| fate[*cell] == Fate::Open).map(|cell| cells[cell].weight)),
            lightest: (0..cells.len())
                .filter(|cell| fate[*cell] == Fate::Open)
                .map(|cell| cells[cell].weight)
                .fold(f64::INFINITY, f64::min),
            fate,
            base,
        }
    }

    pub(crate) fn cells(&self) -> usize {
        self.fate.len()
    }

    pub(crate) fn weight(&self, cell: usize) -> f64 {
        self.table.cells()[cell].weight
    }

    /// Everything hidden that may be.
    pub(crate) fn most(&self) -> Vec<bool> {
        self.fate.iter().map(|fate| *fate != Fate::Published).collect()
    }

    /// Nothing hidden that need not be.
    pub(crate) fn least(&self) -> Vec<bool> {
        self.fate.iter().map(|fate| *fate == Fate::Hidden).collect()
    }

    /// The cost of a pattern.
    pub(crate) fn cost(&self, hidden: &[bool]) -> f64 {
        let open = |cell: &usize| hidden[*cell] && self.fate[*cell] == Fate::Open;
        let mut sum = Sum::of(self.base);
        for cell in (0..hidden.len()).filter(open) {
            sum.add(self.weight(cell));
        }
        sum.value()
    }
}

/// Rows over the movable cells. They are multiplied by what makes their coefficients whole, so that prices are simple
/// fractions, and otherwise divided by the largest. Rows that repeat another, up to a factor, are left out.
fn reduced_rows(table: &CellTable, moves: &[bool]) -> Vec<Vec<(usize, f64)>> {
    let mut seen = std::collections::HashSet::new();
    let mut rows = Vec::new();
    for equation in table.equations() {
        let mut terms: Vec<(usize, f64)> = equation.terms.iter().copied().filter(|(cell, _)| moves[*cell]).collect();
        terms.sort_unstable_by_key(|(cell, _)| *cell);
        let Some(&(_, first)) = terms.first() else { continue };
        let key: Vec<(usize, u64)> = terms.iter().map(|(cell, c)| (*cell, (c / first).to_bits())).collect();
        if !seen.insert(key) {
            continue;
        }
        let least = terms.iter().map(|(_, c)| c.abs()).fold(f64::INFINITY, f64::min);
        let is_whole = |c: f64| (c - c.round()).abs() < 1e-12 * c.abs() && c.abs() < 1e6;
        let factor =
            (1..=60).map(|times| f64::from(times) / least).find(|f| terms.iter().all(|(_, c)| is_whole(c * f)));
        let largest = terms.iter().map(|(_, c)| c.abs()).fold(0.0, f64::max);
        for (_, c) in &mut terms {
            *c = factor.map_or(*c / largest, |factor| (*c * factor).round());
        }
        rows.push(terms);
    }
    rows
}

/// The greatest number that all weights are whole multiples of; zero if there is none.
fn grain(weights: &(impl Iterator<Item = f64> + Clone)) -> f64 {
    let all: Vec<f64> = weights.clone().collect();
    let (Some(least), Some(units)) = (all.iter().copied().min_by(f64::total_cmp), whole(&all)) else { return 0.0 };
    // `whole` gives the smallest whole numbers in the same proportions.
    let parts = units.into_iter().min().unwrap_or(1).max(1);
    least / parts as f64
}
