//! From what files and rules say to the table that is protected.

use tamis_cells::{Cell, CellTable, Levels, Status};

use super::{Draft, DraftCell};
use crate::attackers;
use crate::error::{TotalsError, invalid};
use crate::options::{Bounds, Cost, TableOptions};
use crate::totals::{Totals, TotalsTable};

impl Draft {
    /// Adds defaults for all that nothing was said about, and checks the whole.
    pub(crate) fn finish(mut self, options: &TableOptions) -> Result<Totals, TotalsError> {
        let ids = self.ids();
        let bounds = options.bounds.unwrap_or_else(|| {
            let is_negative = self.cells.iter().any(|cell| cell.value < 0.0);
            Bounds::Range(if is_negative { f64::NEG_INFINITY } else { 0.0 }, f64::INFINITY)
        });
        let mut cells = Vec::with_capacity(self.cells.len());
        for (index, (draft, id)) in self.cells.iter().zip(&ids).enumerate() {
            // Nobody is in an empty cell, so nothing is learned from it.
            let is_empty = draft.frequency == Some(0.0) && draft.value == 0.0;
            let status = draft.status.unwrap_or(if is_empty { Status::Fixed } else { Status::Free });
            let levels = if status == Status::Primary { self.levels(index, options)? } else { Levels::default() };
            let (lower, upper) = self.bounds(index, bounds, options.bounds.is_some(), levels)?;
            let weight = self.weight(index, options)?;
            cells.push(Cell { id: id.clone(), value: draft.value, weight, lower, upper, levels, status });
        }
        self.further_equations(&ids, &options.equations)?;
        let attackers = attackers::all(&self, &cells, options)?;
        let table = CellTable::new(cells, self.equations, attackers)?;
        let tables = self.tables.into_iter();
        let tables =
            tables.map(|table| TotalsTable { name: table.name, dimensions: table.dimensions, cells: table.rows });
        let (mut coordinates, mut texts, mut frequencies) = (Vec::new(), Vec::new(), Vec::new());
        let mut marks = Vec::with_capacity(self.cells.len());
        for cell in self.cells {
            coordinates.push(cell.coordinates);
            texts.push(cell.text);
            frequencies.push(cell.frequency);
            marks.push(cell.is_marked);
        }
        Ok(Totals {
            dimensions: self.dimensions,
            tables: tables.collect(),
            coordinates,
            texts,
            frequencies,
            marks,
            value_name: self.value_name,
            decimals: self.decimals,
            hits: self.hits,
            notes: self.notes,
            table,
        })
    }

    /// The levels of a primary cell: those given, or the safety share of its value.
    fn levels(&self, index: usize, options: &TableOptions) -> Result<Levels, TotalsError> {
        let cell = &self.cells[index];
        let given = [cell.lower_level, cell.upper_level, cell.sliding_level];
        if given.iter().any(Option::is_some) {
            let [lower, upper, sliding] = given.map(Option::unwrap_or_default);
            return Ok(Levels { lower, upper, sliding });
        }
        let level = cell.value.abs() * options.safety / 100.0;
        if cell.value != 0.0 {
            return Ok(Levels { lower: level, upper: level, sliding: 0.0 });
        }
        let upper = options.zero_range.ok_or_else(|| self.zero_without_range(index))?;
        Ok(Levels { lower: 0.0, upper, sliding: 0.0 })
    }

    pub(crate) fn zero_without_range(&self, index: usize) -> TotalsError {
        invalid(format!(
            "{} is 0 and primary, and a share of 0 protects nothing; say with --zero-range how far an attacker's interval must reach",
            self.placed(index)
        ))
    }

    /// The bounds of a cell, widened until they admit its levels unless the file gives them itself. Bounds that the options ask
    /// for come before those of the file.
    fn bounds(&self, index: usize, bounds: Bounds, is_asked: bool, levels: Levels) -> Result<(f64, f64), TotalsError> {
        let cell = &self.cells[index];
        let (lower, upper) = match bounds {
            Bounds::Range(lower, upper) => (lower, upper),
            Bounds::Share(share) => {
                let width = cell.value.abs() * share / 100.0;
                (cell.value - width, cell.value + width)
            }
        };
        let (own_lower, own_upper) = if is_asked { (None, None) } else { (cell.lower, cell.upper) };
        let is_given =
            |bound: Option<f64>, level: Option<f64>| bound.is_some() && level.is_some() && !cell.has_derived_levels;
        let (mut lower, mut upper) = (own_lower.unwrap_or(lower), own_upper.unwrap_or(upper));
        if !(lower <= cell.value && cell.value <= upper) {
            return Err(invalid(format!(
                "{} is {}, outside its bounds {lower} to {upper}; mend the value, the columns of bounds or --bounds",
                self.placed(index),
                self.value_text(index)
            )));
        }
        if !is_given(own_lower, cell.lower_level) {
            lower = lower.min(cell.value - levels.lower);
        }
        if !is_given(own_upper, cell.upper_level) {
            upper = upper.max(cell.value + levels.upper);
            if upper - lower < levels.sliding {
                upper = lower + levels.sliding;
            }
        }
        Ok((lower, upper))
    }

    fn weight(&self, index: usize, options: &TableOptions) -> Result<f64, TotalsError> {
        let cell = &self.cells[index];
        let by_value = || cell.value.abs();
        match (&options.cost, cell.weight) {
            (None | Some(Cost::Column(_)), Some(weight)) if weight >= 0.0 => Ok(weight),
            (None | Some(Cost::Column(_)), Some(weight)) => {
                Err(invalid(format!("{} costs {weight}; a cost is a number from 0 on", self.placed(index))))
            }
            (Some(Cost::Column(_)), None) => Ok(0.0),
            (None | Some(Cost::Value), _) => Ok(by_value()),
            (Some(Cost::Unit), _) => Ok(1.0),
            (Some(Cost::Log), _) => Ok(by_value().ln_1p()),
            (Some(Cost::Frequency), _) => cell.frequency.ok_or_else(|| no_frequency(self, index, cell)),
        }
    }
}

fn no_frequency(draft: &Draft, index: usize, cell: &DraftCell) -> TotalsError {
    let value = cell.value;
    invalid(format!(
        "{} (value {value}) has no frequency that it could cost; name the column with --frequency or choose another --cost",
        draft.placed(index)
    ))
}
