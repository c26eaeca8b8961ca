//! The attacker's problem with costs instead of bounds: which table that differs enough in one cell needs the cheapest
//! further cells hidden?
//!
//! Deviations are split into what they add and what they take away, each with a cost of its own, so that one linear program
//! finds the cheapest deviation that moves a primary by its level (Kelly, Golden and Assad; Robertson). It stays in the
//! solver: from demand to demand only the bounds of the target and a few costs change, and all bounds where the size of the
//! level does.

use tamis_solver::{Basis, LiveColumn, LiveProgram, LiveRow, LiveSolver, LiveStatus, Simplex};

use super::{NoAnswer, Room, balanced, framed, scale_of};
use crate::demand::{Demand, Side};
use crate::table::{CellTable, Unit};

/// Deviations below this share of the level count as none.
const NOTHING: f64 = 1e-9;

/// A deviation that an attacker holds possible: cells and how far each moves, in true units. A width has two.
pub(crate) type Deviation = Vec<(usize, f64)>;

/// Some cells, ascending, and the equations that tie them.
pub(crate) struct Part {
    pub(crate) cells: Vec<usize>,
    pub(crate) equations: Vec<usize>,
}

/// One live program over some cells. Attackers differ in few bounds, so that one program does for all of them.
pub(crate) struct Router {
    program: Box<dyn LiveProgram>,
    /// The cells that have columns, ascending.
    cells: Vec<usize>,
    /// Where a cell stands among them.
    place: Vec<Option<usize>>,
    /// The room of each of them, downwards and upwards, as the attacker of the last run knew it.
    room: Vec<(f64, f64)>,
    /// What that attacker knows beyond the public: place and public room.
    beyond: Vec<(usize, (f64, f64))>,
    attacker: usize,
    /// Costs now in the program, downwards and upwards.
    costs: Vec<(f64, f64)>,
    /// Cells that are closed for now, by place.
    closed: Vec<bool>,
    /// Two deviations at once, for widths.
    joint: bool,
    /// The primaries whose width has a row, in the order of their slack columns.
    widths: Vec<usize>,
    /// Deviations in the program are true ones divided by this: see [`scale_of`].
    scale: f64,
    unit: Unit,
    /// Bounds to be changed before the next run, by column.
    pending: Vec<(usize, f64, f64)>,
    /// The target of the last run, whose bounds must be put back.
    last: Option<(usize, Side)>,
    /// Where nothing deviates. Every run starts from there: costs are never negative, so that dual simplex has only to move
    /// the target, whereas the last basis is far from optimal for the next target (measured: 26 steps instead of 80 at
    /// 100 x 100 cells, hundreds instead of thousands in three dimensions).
    rest: Option<Basis>,
}

impl Router {
    /// A program over a part of the table; all other cells are published for good. `widths` are the primaries whose width
    /// will be asked for: if there are any, the program holds two deviations.
    pub(crate) fn new(
        table: &CellTable,
        solver: &dyn LiveSolver,
        public: &Room,
        part: Part,
        widths: Vec<usize>,
    ) -> Self {
        let cells = part.cells;
        let mut place = vec![None; table.cells().len()];
        for (position, cell) in cells.iter().enumerate() {
            place[*cell] = Some(position);
        }
        let room: Vec<_> = cells.iter().map(|cell| (public.down[*cell], public.up[*cell])).collect();
        let joint = !widths.is_empty();
        let mut columns = Vec::with_capacity(cells.len() * 4);
        for _ in 0..=usize::from(joint) {
            for &(down, up) in &room {
                let column = |room| LiveColumn { cost: 0.0, lower: 0.0, upper: framed(room, 1.0) };
                columns.extend([up, down].map(column));
            }
        }
        let free = LiveColumn { cost: 0.0, lower: f64::NEG_INFINITY, upper: f64::INFINITY };
        columns.extend(vec![free; widths.len()]);
        let mut rows = Vec::new();
        for copy in 0..=usize::from(joint) {
            let offset = copy * 2 * cells.len();
            let equations = part.equations.iter().map(|number| &table.equations()[*number]);
            for equation in equations.filter(|equation| !equation.terms.is_empty()) {
                let terms: Vec<_> = balanced(equation)
                    .terms
                    .into_iter()
                    .filter_map(|(cell, coefficient)| place[cell].map(|place| (offset + 2 * place, coefficient)))
                    .flat_map(|(column, coefficient)| [(column, coefficient), (column + 1, -coefficient)])
                    .collect();
                if !terms.is_empty() {
                    rows.push(LiveRow { lower: 0.0, upper: 0.0, terms });
                }
            }
        }
        let offset = 2 * cells.len();
        for (number, cell) in widths.iter().enumerate() {
            if let Some(place) = place[*cell] {
                let (above, below) = (2 * place, offset + 2 * place);
                let terms =
                    vec![(above, 1.0), (above + 1, -1.0), (below, -1.0), (below + 1, 1.0), (2 * offset + number, -1.0)];
                rows.push(LiveRow { lower: 0.0, upper: 0.0, terms });
            }
        }
        let mut program = solver.program();
        program.add_columns(&columns);
        program.add_rows(&rows);
        let (costs, closed) = (vec![(0.0, 0.0); cells.len()], vec![false; cells.len()]);
        let (pending, last) = (Vec::new(), None);
        let (beyond, attacker) = (Vec::new(), 0);
        Self {
            program,
            cells,
            place,
            room,
            beyond,
            attacker,
            costs,
            closed,
            joint,
            widths,
            scale: 1.0,
            unit: table.unit(),
            pending,
            last,
            rest: None,
        }
    }

    /// Publishes a cell for the next runs, or lets it deviate again.
    pub(crate) fn close(&mut self, cell: usize, closed: bool) {
        if let Some(place) = self.place[cell].filter(|place| self.closed[*place] != closed) {
            self.closed[place] = closed;
            self.put_back(place);
        }
    }

    fn put_back(&mut self, place: usize) {
        let (down, up) = if self.closed[place] { (0.0, 0.0) } else { self.room[place] };
        let (down, up) = (framed(down, self.scale), framed(up, self.scale));
        for copy in 0..=usize::from(self.joint) {
            let column = 2 * (copy * self.cells.len() + place);
            self.pending.extend([(column, 0.0, up), (column + 1, 0.0, down)]);
        }
    }

    /// Sees the table with the eyes of another attacker.
    fn switch(&mut self, table: &CellTable, attacker: usize) {
        if self.attacker == attacker {
            return;
        }
        self.attacker = attacker;
        for (place, public) in std::mem::take(&mut self.beyond).into_iter().rev() {
            self.room[place] = public;
            self.put_back(place);
        }
        let Some(known) = attacker.checked_sub(1) else { return };
        for &(cell, lower, upper) in &table.attackers()[known].bounds {
            let Some(place) = self.place[cell] else { continue };
            let (value, (down, up)) = (table.cells()[cell].value, self.room[place]);
            self.beyond.push((place, (down, up)));
            let own = (f64::min(down, value - lower), f64::min(up, upper - value));
            self.room[place] = own;
            self.put_back(place);
        }
    }

    /// Prices every cell: what its whole use is worth, by cell. A cell that offers less than the level is dearer by unit,
    /// as others must be hidden beside it.
    fn price(&mut self, level: f64, worth: &dyn Fn(usize) -> f64) {
        let mut changes = Vec::new();
        for (place, cell) in self.cells.iter().enumerate() {
            let worth = worth(*cell);
            let of = |room: f64| if room >= level || room == 0.0 { worth } else { worth * (level / room) };
            let wanted = (of(self.room[place].0), of(self.room[place].1));
            if self.costs[place] != wanted {
                self.costs[place] = wanted;
                changes.extend([(2 * place, wanted.1), (2 * place + 1, wanted.0)]);
            }
        }
        if self.joint {
            let offset = 2 * self.cells.len();
            changes.extend_from_within(..);
            let half = changes.len() / 2;
            changes[half..].iter_mut().for_each(|(column, _)| *column += offset);
        }
        if !changes.is_empty() {
            self.program.set_costs(&changes);
        }
    }

    /// The cheapest deviations that meet a demand, or `None` if none do. `worth` prices the whole use of a cell.
    pub(crate) fn route(
        &mut self,
        table: &CellTable,
        demand: &Demand,
        worth: &dyn Fn(usize) -> f64,
    ) -> Result<Option<Vec<Deviation>>, NoAnswer> {
        let Some(place) = self.place[demand.cell] else { return Ok(None) };
        self.switch(table, demand.attacker);
        let (down, up) = self.room[place];
        let most = match demand.side {
            Side::Upper => up,
            Side::Lower => down,
            Side::Width => up + down,
        };
        if demand.level > most * (1.0 + NOTHING) {
            return Ok(None);
        }
        // Corners are whole multiples of the unit, or of a small fraction of it, if what is asked for is one too.
        let whole = f64::min(self.unit.up(demand.level), most);
        let found = self.aimed(place, demand, whole, worth)?;
        match found {
            None if whole > demand.level * (1.0 + NOTHING) => {
                self.aimed(place, demand, f64::min(demand.level, most), worth)
            }
            found => Ok(found),
        }
    }

    /// The cheapest deviations that reach just so far.
    fn aimed(
        &mut self,
        place: usize,
        demand: &Demand,
        level: f64,
        worth: &dyn Fn(usize) -> f64,
    ) -> Result<Option<Vec<Deviation>>, NoAnswer> {
        let scale = scale_of(level);
        if scale != self.scale {
            self.scale = scale;
            (0..self.cells.len()).for_each(|place| self.put_back(place));
        }
        self.price(if demand.side == Side::Width { level / 2.0 } else { level }, worth);
        if self.rest.is_none() {
            self.program.solve(Simplex::Dual);
            self.rest = Some(self.program.basis());
        }
        self.aim(place, demand, level / self.scale);
        if let Some(rest) = &self.rest {
            self.program.restore(rest);
        }
        match self.program.solve(Simplex::Dual) {
            LiveStatus::Optimal => Ok(Some(self.read(level))),
            LiveStatus::Infeasible => Ok(None),
            _ => Err(NoAnswer),
        }
    }

    /// Fixes the deviation of the target, in units of the program, and lets the last one go.
    fn aim(&mut self, place: usize, demand: &Demand, level: f64) {
        let slack = |router: &Self, cell| {
            let number = router.widths.iter().position(|of| *of == cell).unwrap_or(0);
            4 * router.cells.len() + number
        };
        match self.last.take() {
            Some((cell, Side::Width)) => {
                self.pending.push((slack(self, cell), f64::NEG_INFINITY, f64::INFINITY));
            }
            Some((cell, _)) => self.put_back(self.place[cell].unwrap_or(0)),
            None => {}
        }
        let column = 2 * place;
        match demand.side {
            Side::Upper => self.pending.extend([(column, level, level), (column + 1, 0.0, 0.0)]),
            Side::Lower => self.pending.extend([(column, 0.0, 0.0), (column + 1, level, level)]),
            Side::Width => self.pending.push((slack(self, demand.cell), level, f64::INFINITY)),
        }
        self.last = Some((demand.cell, demand.side));
        // The last word on a column counts.
        self.pending.reverse();
        self.pending.sort_by_key(|(column, ..)| *column);
        self.pending.dedup_by_key(|(column, ..)| *column);
        self.program.set_bounds(&self.pending);
        self.pending.clear();
    }

    fn read(&self, level: f64) -> Vec<Deviation> {
        let values = self.program.values();
        let mut deviations = Vec::with_capacity(2);
        for copy in 0..=usize::from(self.joint) {
            let offset = 2 * copy * self.cells.len();
            let moved = self.cells.iter().enumerate().filter_map(|(place, cell)| {
                let by = values[offset + 2 * place] - values[offset + 2 * place + 1];
                (by.abs() * self.scale > NOTHING * level).then_some((*cell, by * self.scale))
            });
            deviations.push(moved.collect());
        }
        deviations
    }
}
