//! Attackers who know more than everybody: whoever stands alone in a cell, and those of a file.

use std::collections::{BTreeMap, BTreeSet};

use tamis_cells::{Attacker, Cell, Levels, Status};

use crate::draft::Draft;
use crate::error::{TotalsError, invalid};
use crate::marked::named_cells;
use crate::options::{Singletons, TableOptions};

/// The attackers that the options ask for: those of the file first, then singletons in the order of their cells.
pub(crate) fn all(draft: &Draft, cells: &[Cell], options: &TableOptions) -> Result<Vec<Attacker>, TotalsError> {
    let mut attackers = from_file(draft, cells, options)?;
    attackers.extend(singletons(draft, cells, options.singletons));
    Ok(attackers)
}

/// One attacker for every primary cell with a single contributor, who knows the cell exactly.
///
/// Two such cells in a row protect nobody from each other. Where only neighbours are attacked, nothing is asked for the other
/// primaries.
fn singletons(draft: &Draft, cells: &[Cell], asked: Singletons) -> Vec<Attacker> {
    if asked == Singletons::Off {
        return Vec::new();
    }
    let primaries: Vec<usize> = (0..cells.len()).filter(|&cell| cells[cell].status == Status::Primary).collect();
    let alone: Vec<usize> =
        primaries.iter().copied().filter(|&cell| draft.cells[cell].frequency == Some(1.0)).collect();
    let mut neighbours: BTreeMap<usize, BTreeSet<usize>> = alone.iter().map(|&cell| (cell, BTreeSet::new())).collect();
    for equation in &draft.equations {
        let among: Vec<usize> = equation
            .terms
            .iter()
            .map(|&(cell, _)| cell)
            .filter(|&cell| cells[cell].status == Status::Primary)
            .collect();
        for cell in &among {
            if let Some(known) = neighbours.get_mut(cell) {
                known.extend(&among);
            }
        }
    }
    let attacker = |&cell: &usize| {
        let value = cells[cell].value;
        let is_asked =
            |other: &usize| *other != cell && (asked == Singletons::All || neighbours[&cell].contains(other));
        let levels = primaries.iter().filter(|other| !is_asked(other)).map(|&other| (other, Levels::default()));
        Attacker {
            name: format!("the contributor of {}", cells[cell].id),
            bounds: vec![(cell, value, value)],
            levels: levels.collect(),
        }
    };
    alone.iter().map(attacker).collect()
}

/// The attackers of a CSV file: a row for each thing an attacker knows, with the columns `attacker`, those of a cell, `lb` and
/// `ub`, and `lpl`, `upl`, `spl` where other levels are asked against the attacker. A cell known exactly is not protected.
fn from_file(draft: &Draft, cells: &[Cell], options: &TableOptions) -> Result<Vec<Attacker>, TotalsError> {
    let Some(path) = &options.attackers else { return Ok(Vec::new()) };
    let (sheet, known) = named_cells(draft, path, options)?;
    let names = sheet.column("attacker")?;
    let numbers = |name| match sheet.find(name) {
        Some(column) => sheet.numbers(column, true),
        None => Ok(vec![None; sheet.rows()]),
    };
    let (lower, upper) = (numbers("lb")?, numbers("ub")?);
    let (lower_level, upper_level, sliding) = (numbers("lpl")?, numbers("upl")?, numbers("spl")?);
    let mut attackers: Vec<Attacker> = Vec::new();
    let mut at: BTreeMap<&str, usize> = BTreeMap::new();
    for (row, &cell) in known.iter().enumerate() {
        let name = names.text(row).trim();
        let position = *at.entry(name).or_insert(attackers.len());
        if position == attackers.len() {
            attackers.push(Attacker { name: name.to_owned(), ..Attacker::default() });
        }
        let attacker = &mut attackers[position];
        let facts = &cells[cell];
        let (lower, upper) = (lower[row].unwrap_or(facts.lower), upper[row].unwrap_or(facts.upper));
        if !(lower <= facts.value && facts.value <= upper) {
            return Err(invalid(format!(
                "{}: {name} knows that {} is between {lower} and {upper}, but it is {}; mend the bounds",
                sheet.place(row),
                draft.shown(cell),
                draft.value_text(cell)
            )));
        }
        attacker.bounds.push((cell, lower, upper));
        let given = [lower_level[row], upper_level[row], sliding[row]];
        if given.iter().any(Option::is_some) || lower == upper {
            let [lower, upper, sliding] = given.map(Option::unwrap_or_default);
            attacker.levels.push((cell, Levels { lower, upper, sliding }));
        }
    }
    Ok(attackers)
}
