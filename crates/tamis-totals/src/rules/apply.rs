//! Rules on all cells of a table.

use tamis_cells::Status;

use super::{Contribution, Facts, Hit, Rules, Zeros};
use crate::draft::{Draft, DraftCell};
use crate::error::{TotalsError, invalid};
use crate::options::TableOptions;

impl Rules {
    /// Makes cells primary that the rules hit, totals included, with the largest level any rule asks for.
    ///
    /// Cells that files say must be published stay so, with a note; levels that files give a cell count too.
    pub(crate) fn apply(&self, draft: &mut Draft, facts: &[Facts], options: &TableOptions) -> Result<(), TotalsError> {
        let mut overruled = 0;
        for (index, facts) in facts.iter().enumerate() {
            let is_zero = facts.value == 0.0 && facts.frequency.is_some_and(|count| count > 0.0);
            let cell = &mut draft.cells[index];
            let by_hand = cell.status == Some(Status::Primary);
            if is_zero && self.zeros == Zeros::Fixed && !by_hand {
                cell.status = Some(Status::Fixed);
            }
            let mut rules =
                if is_zero && matches!(self.zeros, Zeros::Safe | Zeros::Fixed) { Vec::new() } else { self.hits(facts) };
            let has_levels = cell.lower_level.or(cell.upper_level).or(cell.sliding_level).is_some();
            if by_hand && has_levels {
                let (lower, upper) = (cell.lower_level.unwrap_or(0.0), cell.upper_level.unwrap_or(0.0));
                draft.hits.push(Hit { cell: index, rule: "given".to_owned(), lower, upper });
            } else if by_hand {
                rules.insert(0, ("by hand".to_owned(), None));
            }
            match cell.status {
                _ if rules.is_empty() => continue,
                Some(Status::Fixed) => {
                    overruled += 1;
                    continue;
                }
                _ => cell.status = Some(Status::Primary),
            }
            draft.cells[index].has_derived_levels = true;
            for (rule, level) in rules {
                let (lower, upper) = match level {
                    _ if facts.value == 0.0 && level.is_none() => {
                        (0.0, options.zero_range.ok_or_else(|| draft.zero_without_range(index))?)
                    }
                    Some(level) => (level, level),
                    None => (facts.value.abs() * options.safety / 100.0, facts.value.abs() * options.safety / 100.0),
                };
                let cell = &mut draft.cells[index];
                cell.lower_level = Some(cell.lower_level.unwrap_or(0.0).max(lower));
                cell.upper_level = Some(cell.upper_level.unwrap_or(0.0).max(upper));
                draft.hits.push(Hit { cell: index, rule, lower, upper });
            }
        }
        if overruled > 0 {
            draft.notes.push(format!(
                "{overruled} cells that rules hit are published because a file says so; an attacker learns them"
            ));
        }
        Ok(())
    }
}

/// What the columns of a table tell rules: frequencies and the largest contributions.
pub(crate) fn facts_of(draft: &Draft) -> Result<Vec<Facts>, TotalsError> {
    let facts = |(index, cell): (usize, &DraftCell)| {
        let sum: f64 = cell.top.iter().map(|size| size.abs()).sum();
        let is_sorted = cell.top.windows(2).all(|pair| pair[0].abs() >= pair[1].abs());
        if !is_sorted
            || sum > cell.value.abs() * (1.0 + 1e-9) && cell.value >= 0.0 && cell.top.iter().all(|&x| x >= 0.0)
        {
            let problem = if is_sorted { "are more than its value" } else { "are not given largest first" };
            return Err(invalid(format!("{}: the largest contributions {problem}; mend them", draft.placed(index))));
        }
        Ok(Facts {
            value: cell.value,
            size: cell.value.abs().max(sum),
            frequency: cell.frequency,
            respondents: cell.frequency,
            top: cell.top.iter().map(|size| Contribution { size: size.abs(), weight: 1.0 }).collect(),
            requested: None,
        })
    };
    draft.cells.iter().enumerate().map(facts).collect()
}
