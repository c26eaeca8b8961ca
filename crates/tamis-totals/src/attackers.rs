//! Attackers who know more than everybody: whoever stands alone in a cell, and those of a file.

use std::collections::{BTreeMap, BTreeSet};

use tamis_cells::{Attacker, Cell, Equation, Levels, Status};

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

/// One attacker for whoever is the single contributor of a primary cell, who knows all cells it has for itself exactly.
///
/// Microdata say who that is; in tables that are added up already nobody is named, and cells belong to one attacker where equations
/// prove it ([`same_contributors`]). Two such cells in a row protect nobody from each other. Where only neighbours are attacked, nothing is asked for the other
/// primaries. Nor is anything asked for cells whose largest contributor the attacker is: rules protect that one from the others,
/// and no level keeps it from what it knows. Linear in the terms of the equations, and in attackers times primaries.
fn singletons(draft: &Draft, cells: &[Cell], asked: Singletons) -> Vec<Attacker> {
    if asked == Singletons::Off {
        return Vec::new();
    }
    let primaries: Vec<usize> = (0..cells.len()).filter(|&cell| cells[cell].status == Status::Primary).collect();
    // Whoever stands alone, in the order of their first primary, and what else they have for themselves.
    let same = same_contributors(draft);
    let mut alike: Vec<Vec<usize>> = vec![Vec::new(); same.len()];
    for (cell, &first) in same.iter().enumerate() {
        alike[first].push(cell);
    }
    let sole_of = |cell: usize| match draft.cells[cell].contributors {
        Some(known) => known.sole.map(Who::Named),
        None => Some(Who::Of(same[cell])),
    };
    let mut own: Vec<Vec<usize>> = Vec::new();
    let mut who: BTreeMap<Who, usize> = BTreeMap::new();
    for &cell in primaries.iter().filter(|&&cell| draft.cells[cell].frequency == Some(1.0)) {
        let at = sole_of(cell).map_or(own.len(), |sole| *who.entry(sole).or_insert(own.len()));
        if at == own.len() {
            own.push(Vec::new());
        }
        own[at].push(cell);
    }
    for (number, cell) in draft.cells.iter().enumerate() {
        let known = sole_of(number).filter(|_| cell.frequency == Some(1.0) && cells[number].status != Status::Primary);
        if let Some(&at) = known.and_then(|sole| who.get(&sole)) {
            own[at].push(number);
        }
    }
    let mut owner: BTreeMap<usize, usize> = BTreeMap::new();
    for (at, known) in own.iter().enumerate() {
        owner.extend(known.iter().map(|&cell| (cell, at)));
    }
    let mut neighbours: Vec<BTreeSet<usize>> = vec![BTreeSet::new(); own.len()];
    for equation in &draft.equations {
        let members = || equation.terms.iter().map(|&(cell, _)| cell);
        let among: Vec<usize> = members().filter(|&cell| cells[cell].status == Status::Primary).collect();
        for &at in members().filter_map(|cell| owner.get(&cell)) {
            neighbours[at].extend(&among);
        }
    }
    let attacker = |(at, known): (usize, &Vec<usize>)| {
        let is_asked = |other: &usize| {
            owner.get(other) != Some(&at)
                && !known.iter().any(|&own| alike[same[*other]].iter().any(|&alike| is_largest(draft, own, alike)))
                && (asked == Singletons::All || neighbours[at].contains(other))
        };
        let levels = primaries.iter().filter(|other| !is_asked(other)).map(|&other| (other, Levels::default()));
        let first = &cells[known[0]].id;
        let name = match known.len() {
            1 => format!("the contributor of {first}"),
            2 => format!("the contributor of {first} and {}", cells[known[1]].id),
            several => format!("the contributor of {first} and {} more cells", several - 1),
        };
        let bounds = known.iter().map(|&cell| (cell, cells[cell].value, cells[cell].value)).collect();
        Attacker { name, bounds, levels: levels.collect() }
    };
    own.iter().enumerate().map(attacker).collect()
}

/// A contributor: by its number in the microdata, or as the one of a cell.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Who {
    Named(u32),
    Of(usize),
}

/// For every cell the first one that is known to have the same contributors, itself if there is none before: a part of a total that has
/// as many contributors as the total has the same, and what they contribute is the same where the values are. Whoever stands alone
/// in both is the same in any case. Linear in the terms of the equations, nearly.
fn same_contributors(draft: &Draft) -> Vec<usize> {
    fn root(first: &[usize], mut cell: usize) -> usize {
        while first[cell] != cell {
            cell = first[cell];
        }
        cell
    }
    let mut first: Vec<usize> = (0..draft.cells.len()).collect();
    let is_same = |total: usize, part: usize| {
        let (total, part) = (&draft.cells[total], &draft.cells[part]);
        let are_as_many = total.frequency.is_some_and(|count| count > 0.0) && total.frequency == part.frequency;
        are_as_many && (total.frequency == Some(1.0) || total.value == part.value)
    };
    let is_sum = |equation: &&Equation| equation.rhs == 0.0 && equation.terms.iter().all(|(_, by)| by.abs() == 1.0);
    for equation in draft.equations.iter().filter(is_sum) {
        let (above, below): (Vec<_>, Vec<_>) = equation.terms.iter().partition(|(_, factor)| *factor > 0.0);
        for (totals, parts) in [(&above, &below), (&below, &above)] {
            let [(total, _)] = totals[..] else { continue };
            for &(part, _) in parts.iter().filter(|(part, _)| is_same(total, *part)) {
                let (a, b) = (root(&first, total), root(&first, part));
                first[usize::max(a, b)] = usize::min(a, b);
            }
        }
    }
    (0..first.len()).map(|cell| root(&first, cell)).collect()
}

/// Whether whoever stands alone in one cell is the largest contributor of another. In tables that are added up already it is known
/// to be so only of a total above the first cell: if that is most of it, or as large as its largest contribution.
fn is_largest(draft: &Draft, alone: usize, other: usize) -> bool {
    let (own, total) = (&draft.cells[alone], &draft.cells[other]);
    if let (Some(own), Some(total)) = (own.contributors, total.contributors) {
        return own.sole.is_some() && own.sole == total.largest;
    }
    let mut labels = own.coordinates.iter().zip(&total.coordinates).zip(&draft.dimensions);
    let is_above = labels.all(|((own, total), dimension)| dimension.is_above(*total, *own));
    let (value, size) = (own.value.abs(), total.value.abs());
    is_above && (value > size / 2.0 || total.top.first().is_some_and(|largest| value >= largest.abs()))
}

/// The attackers of a CSV file: a row for each thing an attacker knows, with the columns `attacker`, those of a cell, `lb` and
/// `ub`, and `lpl`, `upl`, `spl` where other levels are asked against the attacker. A cell known exactly is not protected.
fn from_file(draft: &Draft, cells: &[Cell], options: &TableOptions) -> Result<Vec<Attacker>, TotalsError> {
    let Some(path) = &options.attackers else { return Ok(Vec::new()) };
    let (sheet, known) = named_cells(draft, path, options)?;
    let names = sheet.column("attacker")?;
    if sheet.find_usual(&["lb", "ub"]).is_none() {
        return Err(invalid(format!(
            "{} does not say what attackers know; expected a column `lb`, `ub` or both with the bounds they know of a cell",
            sheet.name()
        )));
    }
    let numbers = |name| match sheet.find_usual(&[name]) {
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
        let given = [lower_level[row], upper_level[row], sliding[row]];
        if lower[row].is_none() && upper[row].is_none() && given.iter().all(Option::is_none) {
            return Err(invalid(format!(
                "{}: {name} knows nothing about {}: `lb` and `ub` are empty; write the bounds or leave the row out",
                sheet.place(row),
                draft.shown(cell)
            )));
        }
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
        if given.iter().any(Option::is_some) || lower == upper {
            let [lower, upper, sliding] = given.map(Option::unwrap_or_default);
            attacker.levels.push((cell, Levels { lower, upper, sliding }));
        }
    }
    Ok(attackers)
}
