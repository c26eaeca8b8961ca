//! Tables that cannot be protected: which levels are out of reach, and what would bring them within. Tables of which that is not
//! known.

use super::words::{attacker_name, counted, finite, level_name, number};
use crate::answer::CommandError;
use serde_json::{Value, json};
use std::sync::Arc;
use std::time::Instant;
use tamis_cells::protect::{OutOfReach, widths};
use tamis_cells::remedy::{Remedy, remedies};
use tamis_cells::{CellTable, Demand, Side};
use tamis_solver::{Budget, Budgeted, LiveSolver};

/// More levels than this nobody reads in one sentence.
const MOST_TOLD: usize = 10;
/// A few cells are an example to begin with.
const MOST_CELLS: usize = 5;

/// The answer no, with every level out of reach. Advice is sought until the deadline.
pub(super) fn refusal(
    table: &CellTable,
    levels: &[OutOfReach],
    solver: &dyn LiveSolver,
    deadline: Option<Instant>,
) -> CommandError {
    let solver = Budgeted::new(solver, Arc::new(Budget::until(deadline)));
    let mut levels = [levels, &widths(table, levels, &solver, deadline)].concat();
    levels.sort_by_key(|level| (level.demand.attacker, level.demand.cell));
    let advised = levels.iter().enumerate().map(|(told, level)| {
        // Each piece of advice takes a few linear programs.
        let remedies = if told < 10 * MOST_TOLD { remedies(table, level, &solver) } else { Vec::new() };
        let advice: Vec<String> = remedies.iter().map(|remedy| advice(table, level, remedy)).collect();
        (level, advice)
    });
    let advised: Vec<(&OutOfReach, Vec<String>)> = advised.collect();
    let mut sentences = vec![match levels.len() {
        1 => "the table cannot be protected: one level is out of reach even with everything hidden".to_owned(),
        several => {
            format!("the table cannot be protected: {several} levels are out of reach even with everything hidden")
        }
    }];
    sentences.extend(advised.iter().take(MOST_TOLD).map(|(level, advice)| line(table, level, advice)));
    if levels.len() > MOST_TOLD {
        sentences.push(format!("  and {} more; --json tells all", levels.len() - MOST_TOLD));
    }
    let out_of_reach: Value = advised.iter().map(|(level, advice)| entry(table, level, advice)).collect();
    CommandError::No { sentence: sentences.join("\n"), fields: json!({ "out_of_reach": out_of_reach }) }
}

/// The answer that there is none, with the levels of which it is not known whether a pattern meets them.
pub(super) fn not_decided(table: &CellTable, levels: &[Demand]) -> CommandError {
    let shown: Vec<String> = levels
        .iter()
        .take(MOST_TOLD)
        .map(|demand| format!("{} of cell {}", level_name(demand.side), table.cells()[demand.cell].id))
        .collect();
    let more = if levels.len() > MOST_TOLD { ", ..." } else { "" };
    let sentence = format!(
        "it is not decided whether the table can be protected: of {} neither a pattern that meets it nor a proof that there is none was found \
         ({}{more}); numbers of very different sizes in one table are the usual reason, so give closer bounds or larger units",
        counted(levels.len() as u64, "level", "levels"),
        shown.join(", ")
    );
    let undecided = |demand: &Demand| {
        json!({
            "id": table.cells()[demand.cell].id,
            "level": level_name(demand.side),
            "attacker": attacker_name(table, demand.attacker),
            "needed": demand.level,
        })
    };
    let fields = json!({ "not_decided": levels.iter().map(undecided).collect::<Value>() });
    CommandError::No { sentence, fields }
}

fn line(table: &CellTable, level: &OutOfReach, advice: &[String]) -> String {
    let OutOfReach { demand, reach } = level;
    let cell = &table.cells()[demand.cell];
    let name = level_name(demand.side);
    let against = attacker_name(table, demand.attacker);
    let is = if demand.side == Side::Width { "an interval as wide as" } else { "a distance of" };
    format!(
        "  cell {} (value {}): {name} asks for {is} {}, against {against} only {} can be reached; {}",
        cell.id,
        number(cell.value),
        number(demand.level),
        number(*reach),
        if advice.is_empty() { "lower it".to_owned() } else { advice.join(", or ") }
    )
}

fn entry(table: &CellTable, level: &OutOfReach, advice: &[String]) -> Value {
    let OutOfReach { demand, reach } = level;
    json!({
        "id": table.cells()[demand.cell].id,
        "value": table.cells()[demand.cell].value,
        "level": level_name(demand.side),
        "attacker": attacker_name(table, demand.attacker),
        "needed": demand.level,
        "reached": finite(*reach),
        "short": finite(demand.level - reach),
        "advice": advice,
    })
}

/// A remedy in words.
fn advice(table: &CellTable, level: &OutOfReach, remedy: &Remedy) -> String {
    let named = |cells: &[usize]| {
        let shown: Vec<String> =
            cells.iter().take(MOST_CELLS).map(|cell| table.cells()[*cell].id.to_string()).collect();
        let more =
            if cells.len() > MOST_CELLS { format!(" and {} more", cells.len() - MOST_CELLS) } else { String::new() };
        format!("{} {}{more}", if cells.len() == 1 { "cell" } else { "cells" }, shown.join(", "))
    };
    match remedy {
        Remedy::OwnBounds { lower, upper } => {
            let bound = |name: &str, value: &Option<f64>| value.map(|value| format!("{name} {}", number(value)));
            let wanted: Vec<String> = [bound("lb", lower), bound("ub", upper)].into_iter().flatten().collect();
            format!("allow it bounds as far as {}", wanted.join(" and "))
        }
        Remedy::Bounds(cells) => format!("allow {} wider bounds", named(cells)),
        Remedy::Free(cells) => format!("let {} be hidden", named(cells)),
        Remedy::Lower => format!("lower its {} to {}", level_name(level.demand.side), number(level.reach)),
    }
}
