//! What is left of a table for an attacker: the hidden cells, in parts that have nothing to do with one another.
//!
//! Published cells do not deviate, so only hidden ones are columns. An equation with one hidden cell pins it to its value,
//! and so do bounds that meet; pinned cells count as published, which may pin more. Cells that share an equation belong to
//! one part. Time and memory: linear in the terms of the equations.

use super::certificate::Sign;
use crate::pattern::Pattern;
use crate::table::CellTable;
use crate::table::decimal::{Decimal, power_of_ten, whole};

/// Positions of cells and their coefficients in an equation.
type Row = Vec<(usize, f64)>;

/// Hidden cells that are linked by equations, as one attacker knows them. Deviations are counted in units of a power of ten
/// such that all of them are whole numbers where possible.
#[derive(Debug)]
pub(super) struct Part {
    pub(super) attacker: usize,
    /// The cells of the table, ascending.
    pub(super) cells: Vec<usize>,
    /// The equations of the table that tie them, one for each row.
    pub(super) equations: Vec<usize>,
    /// What all terms of an equation with hidden cells add up to is zero: position in `cells`, coefficient.
    pub(super) rows: Vec<Row>,
    /// How far each cell may deviate downwards, in units.
    pub(super) down: Vec<f64>,
    /// How far each cell may deviate upwards, in units.
    pub(super) up: Vec<f64>,
    /// The true values in units.
    pub(super) values: Vec<f64>,
    /// A unit is ten to this power.
    pub(super) exponent: i32,
    /// The same in whole numbers; `None` if the numbers of the part have no common unit of a reasonable size.
    pub(super) whole: Option<Whole>,
}

/// A part in whole numbers.
#[derive(Debug)]
pub(super) struct Whole {
    /// Infinite if `None`.
    pub(super) down: Vec<Option<i128>>,
    /// Infinite if `None`.
    pub(super) up: Vec<Option<i128>>,
    /// In the order of the rows and terms of the part.
    pub(super) rows: Vec<Vec<(usize, i128)>>,
}

/// The bounds of every cell as one attacker knows them.
struct Bounds {
    lower: Vec<f64>,
    upper: Vec<f64>,
}

impl Bounds {
    fn of(table: &CellTable, attacker: usize) -> Self {
        let mut bounds = Self {
            lower: table.cells().iter().map(|cell| cell.lower).collect(),
            upper: table.cells().iter().map(|cell| cell.upper).collect(),
        };
        if let Some(known) = attacker.checked_sub(1) {
            for &(cell, lower, upper) in &table.attackers()[known].bounds {
                bounds.lower[cell] = f64::max(bounds.lower[cell], lower);
                bounds.upper[cell] = f64::min(bounds.upper[cell], upper);
            }
        }
        bounds
    }
}

impl Part {
    /// The parts of a pattern for one attacker, by their first cells. Hidden cells in none of them are pinned.
    pub(super) fn all(table: &CellTable, pattern: &Pattern, attacker: usize) -> Vec<Self> {
        let bounds = Bounds::of(table, attacker);
        let loose = loose_cells(table, pattern, &bounds);
        let mut linked = Linked::new(table.cells().len());
        for equation in table.equations() {
            let mut hidden = equation.terms.iter().filter(|(cell, _)| loose[*cell]);
            if let Some((first, _)) = hidden.next() {
                hidden.for_each(|(cell, _)| linked.join(*first, *cell));
            }
        }
        let mut part_of = vec![usize::MAX; table.cells().len()];
        let mut position = vec![0; table.cells().len()];
        let mut cells: Vec<Vec<usize>> = Vec::new();
        for cell in (0..table.cells().len()).filter(|cell| loose[*cell]) {
            let root = linked.root(cell);
            if part_of[root] == usize::MAX {
                part_of[root] = cells.len();
                cells.push(Vec::new());
            }
            part_of[cell] = part_of[root];
            position[cell] = cells[part_of[cell]].len();
            cells[part_of[cell]].push(cell);
        }
        let mut rows: Vec<Vec<(usize, Row)>> = vec![Vec::new(); cells.len()];
        for (number, equation) in table.equations().iter().enumerate() {
            let terms: Row = equation.terms.iter().filter(|(cell, _)| loose[*cell]).copied().collect();
            if let Some(&(first, _)) = terms.first() {
                let row = terms.into_iter().map(|(cell, factor)| (position[cell], factor)).collect();
                rows[part_of[first]].push((number, row));
            }
        }
        let new = |(cells, rows)| Self::new(table, &bounds, attacker, cells, rows);
        cells.into_iter().zip(rows).map(new).collect()
    }

    fn new(table: &CellTable, bounds: &Bounds, attacker: usize, cells: Vec<usize>, rows: Vec<(usize, Row)>) -> Self {
        let (equations, rows): (Vec<usize>, Vec<Row>) = rows.into_iter().unzip();
        let decimals: Vec<[Option<Decimal>; 3]> = cells
            .iter()
            .map(|&cell| [bounds.lower[cell], table.cells()[cell].value, bounds.upper[cell]].map(Decimal::of))
            .collect();
        let exponent = decimals.iter().flatten().flatten().filter_map(|decimal| decimal.exponent()).min().unwrap_or(0);
        let whole = Whole::of(&decimals, exponent, &rows);
        let value = |cell: &usize| table.cells()[*cell].value;
        if let Some((whole, values)) = whole {
            let float = |room: &Option<i128>| room.map_or(f64::INFINITY, |room| room as f64);
            let (down, up) = (whole.down.iter().map(float).collect(), whole.up.iter().map(float).collect());
            let rows = whole.rows.iter().map(|row| row.iter().map(|&(at, factor)| (at, factor as f64)).collect());
            let rows = rows.collect();
            return Self { attacker, cells, equations, rows, down, up, values, exponent, whole: Some(whole) };
        }
        let down = cells.iter().map(|cell| value(cell) - bounds.lower[*cell]).collect();
        let up = cells.iter().map(|cell| bounds.upper[*cell] - value(cell)).collect();
        let values = cells.iter().map(value).collect();
        Self { attacker, cells, equations, rows, down, up, values, exponent: 0, whole: None }
    }

    /// A number of the table in units of this part.
    pub(super) fn in_units(&self, number: f64) -> f64 {
        if self.exponent <= 0 { number * power_of_ten(-self.exponent) } else { number / power_of_ten(self.exponent) }
    }

    /// A number of units as a number of the table.
    pub(super) fn in_full(&self, units: f64) -> f64 {
        if self.exponent <= 0 { units / power_of_ten(-self.exponent) } else { units * power_of_ten(self.exponent) }
    }

    /// How far a cell may deviate in a direction, in units.
    pub(super) fn room(&self, at: usize, sign: Sign) -> f64 {
        if sign > 0 { self.up[at] } else { self.down[at] }
    }

    /// Where a cell of the table stands in this part.
    pub(super) fn position(&self, cell: usize) -> Option<usize> {
        self.cells.binary_search(&cell).ok()
    }
}

impl Whole {
    fn of(decimals: &[[Option<Decimal>; 3]], exponent: i32, rows: &[Row]) -> Option<(Self, Vec<f64>)> {
        let (mut down, mut up, mut values) = (Vec::new(), Vec::new(), Vec::new());
        for [lower, value, upper] in decimals {
            let value = (*value)?.in_units(exponent)?;
            // No decimal is an infinite bound; one without whole units is the end of it.
            let units = |bound: &Option<Decimal>| match bound {
                Some(bound) => bound.in_units(exponent).map(Some),
                None => Some(None),
            };
            down.push(units(lower)?.map(|lower| value - lower));
            up.push(units(upper)?.map(|upper| upper - value));
            values.push(value as f64);
        }
        let rows = rows
            .iter()
            .map(|row| {
                let factors = whole(&row.iter().map(|(_, factor)| *factor).collect::<Vec<_>>())?;
                Some(row.iter().zip(factors).map(|((at, _), factor)| (*at, factor)).collect())
            })
            .collect::<Option<Vec<_>>>()?;
        Some((Self { down, up, rows }, values))
    }
}

/// Which cells are hidden and not pinned.
fn loose_cells(table: &CellTable, pattern: &Pattern, bounds: &Bounds) -> Vec<bool> {
    let mut loose: Vec<bool> =
        (0..table.cells().len()).map(|cell| pattern.hides(cell) && bounds.lower[cell] < bounds.upper[cell]).collect();
    let mut rows_of = vec![Vec::new(); table.cells().len()];
    let mut left = vec![0_usize; table.equations().len()];
    let mut waiting = Vec::new();
    for (row, equation) in table.equations().iter().enumerate() {
        for &(cell, _) in equation.terms.iter().filter(|(cell, _)| loose[*cell]) {
            rows_of[cell].push(row);
            left[row] += 1;
        }
        if left[row] == 1 {
            waiting.push(row);
        }
    }
    while let Some(row) = waiting.pop() {
        let Some(&(pinned, _)) = table.equations()[row].terms.iter().find(|(cell, _)| loose[*cell]) else { continue };
        loose[pinned] = false;
        for &row in &rows_of[pinned] {
            left[row] -= 1;
            if left[row] == 1 {
                waiting.push(row);
            }
        }
    }
    loose
}

/// Sets of cells that grow together (union and find, with path halving).
struct Linked(Vec<usize>);

impl Linked {
    fn new(cells: usize) -> Self {
        Self((0..cells).collect())
    }

    fn root(&mut self, mut cell: usize) -> usize {
        while self.0[cell] != cell {
            self.0[cell] = self.0[self.0[cell]];
            cell = self.0[cell];
        }
        cell
    }

    fn join(&mut self, a: usize, b: usize) {
        let (a, b) = (self.root(a), self.root(b));
        // The smaller root stays, so that roots do not depend on the order of equations.
        self.0[usize::max(a, b)] = usize::min(a, b);
    }
}
