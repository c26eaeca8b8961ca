//! A table of totals: cells tied by linear equations.

mod attacker;
mod cell;
mod check;
pub(crate) mod decimal;
mod pinned;
mod sum;

pub use attacker::Attacker;
pub use cell::{Cell, CellId, Levels, Status};
pub use check::TableError;
pub(crate) use decimal::Unit;
pub use decimal::plain;
pub use pinned::Pinned;
pub(crate) use sum::Sum;

/// A linear equation that the true values fulfil: the sum of coefficient times value is `rhs`.
#[derive(Debug, Clone, PartialEq)]
pub struct Equation {
    /// The right-hand side.
    pub rhs: f64,
    /// Index of a cell and its coefficient; every cell at most once.
    pub terms: Vec<(usize, f64)>,
}

/// A table of totals as an attacker sees it: cells, the equations between them, and who attacks.
///
/// Dimensions, hierarchies and linked tables are gone here: all of them are equations. [`CellTable::new`] checks what
/// everything behind it trusts.
#[derive(Debug, Clone, PartialEq)]
pub struct CellTable {
    cells: Vec<Cell>,
    equations: Vec<Equation>,
    attackers: Vec<Attacker>,
    unit: Unit,
}

impl CellTable {
    /// A table whose equations hold, whose values lie within their bounds and whose ids differ.
    ///
    /// An equation may be given twice, and may have a single term; see [`CellTable::pinned`] for what that means. Numbers are
    /// [`plain`] from here on. Time: O(cells and terms).
    pub fn new(
        mut cells: Vec<Cell>,
        equations: Vec<Equation>,
        mut attackers: Vec<Attacker>,
    ) -> Result<Self, TableError> {
        cells.iter_mut().for_each(Cell::make_plain);
        attackers.iter_mut().for_each(Attacker::make_plain);
        check::cells(&cells)?;
        check::equations(&cells, &equations)?;
        check::attackers(&cells, &attackers)?;
        let unit = Unit::of(&cells);
        Ok(Self { cells, equations, attackers, unit })
    }

    /// The cells, in the order of the input.
    pub fn cells(&self) -> &[Cell] {
        &self.cells
    }

    /// The equations between them.
    pub fn equations(&self) -> &[Equation] {
        &self.equations
    }

    /// For every cell the equations that it stands in. Time: that of reading the equations.
    pub(crate) fn equations_of_cells(&self) -> Vec<Vec<usize>> {
        let mut of_cells = vec![Vec::new(); self.cells.len()];
        for (number, equation) in self.equations.iter().enumerate() {
            for (cell, _) in &equation.terms {
                of_cells[*cell].push(number);
            }
        }
        of_cells
    }

    /// The unit of its values and bounds.
    pub(crate) fn unit(&self) -> Unit {
        self.unit
    }

    /// Attackers beyond the public.
    pub fn attackers(&self) -> &[Attacker] {
        &self.attackers
    }
}
