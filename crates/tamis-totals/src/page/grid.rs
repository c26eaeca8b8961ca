//! Tables by their dimensions: rows, columns, and slices by what is left.

use std::collections::{BTreeMap, HashMap, HashSet};

use maud::{Markup, html};
use tamis_page::numbers::counted;

use super::facts::PageFacts;
use super::shown;
use crate::dimension::Dimension;
use crate::totals::{Totals, TotalsTable};

/// A browser shows so many cells without trouble.
const MOST_CELLS: usize = 20_000;
/// Slices that are open from the start.
const OPEN_SLICES: usize = 12;

/// Every table as a grid, or as slices of it.
pub(super) fn grids(facts: &PageFacts<'_>, totals: &Totals) -> Markup {
    let mut left = MOST_CELLS;
    html! {
        @for table in totals.tables() {
            @if totals.tables().len() > 1 { h3 { (table.name) } }
            (grid(facts, totals, table, &mut left))
        }
    }
}

/// The cells of one slice by row and column.
type Slice = HashMap<(u32, u32), usize>;

fn grid(facts: &PageFacts<'_>, totals: &Totals, table: &TotalsTable, left: &mut usize) -> Markup {
    let dimensions: Vec<&Dimension> = table.dimensions.iter().map(|&at| &totals.dimensions()[at]).collect();
    let mut slices: BTreeMap<Vec<u32>, Slice> = BTreeMap::new();
    for (cell, labels) in &table.cells {
        let place = |at: usize| labels.get(at).copied().unwrap_or(Dimension::TOTAL);
        let key = labels.iter().skip(2).copied().collect();
        slices.entry(key).or_default().insert((place(0), place(1)), *cell);
    }
    let further = dimensions.get(2..).unwrap_or_default();
    // As people read: parts below their totals, the last of the further dimensions fastest.
    let ranks: Vec<HashMap<u32, usize>> =
        further.iter().map(|dimension| dimension.in_order().into_iter().zip(0..).collect()).collect();
    let rank = |key: &[u32]| -> Vec<usize> { key.iter().zip(&ranks).map(|(label, ranks)| ranks[label]).collect() };
    let mut ordered: Vec<(Vec<u32>, Slice)> = slices.into_iter().collect();
    ordered.sort_by_cached_key(|(key, _)| rank(key));
    let total = ordered.len();
    let fitting = ordered.iter().take_while(|(_, slice)| {
        let fits = *left >= slice.len();
        *left = left.saturating_sub(slice.len());
        fits
    });
    let shown: Vec<&(Vec<u32>, Slice)> = fitting.collect();
    html! {
        div class="slices" { @for (number, (key, slice)) in shown.iter().enumerate() {
            @if key.is_empty() { (sheet(facts, &dimensions, slice)) }
            @else {
                details open[number < OPEN_SLICES] {
                    summary { (name(further, key)) " " small { (hidden_in(facts, slice)) } }
                    (sheet(facts, &dimensions, slice))
                }
            }
        } }
        @if shown.iter().any(|(_, slice)| has_gap(slice)) { p class="explain" { "· stands where the table has no cell: nobody is there, and it counts as 0." } }
        @if shown.len() < total {
            p class="explain" {
                @if total == 1 { "The table is too large for a page: its hidden cells are listed here, a CSV file holds all cells." }
                @else { (counted((total - shown.len()) as u64, "further slice is", "further slices are")) " left out; a CSV file holds all of them." }
            }
            @if total == 1 { (super::list::list(facts)) }
        }
    }
}

fn name(further: &[&Dimension], key: &[u32]) -> String {
    let named =
        further.iter().zip(key).map(|(dimension, &label)| format!("{}: {}", dimension.name(), dimension.label(label)));
    named.collect::<Vec<_>>().join(", ")
}

/// Whether a row and a column of a slice meet where there is no cell.
fn has_gap(slice: &Slice) -> bool {
    let rows: HashSet<u32> = slice.keys().map(|(row, _)| *row).collect();
    let columns: HashSet<u32> = slice.keys().map(|(_, column)| *column).collect();
    slice.len() < rows.len() * columns.len()
}

fn hidden_in(facts: &PageFacts<'_>, slice: &Slice) -> String {
    match slice.values().filter(|&&cell| facts.pattern.hides(cell)).count() {
        0 => "nothing hidden".to_owned(),
        hidden => counted(hidden as u64, "cell hidden", "cells hidden"),
    }
}

/// One grid. Totals come first, as their labels do; labels below a total are indented.
fn sheet(facts: &PageFacts<'_>, dimensions: &[&Dimension], slice: &Slice) -> Markup {
    let present = |dimension: Option<&&Dimension>, used: &dyn Fn(u32) -> bool| -> Vec<u32> {
        dimension
            .map_or_else(|| vec![Dimension::TOTAL], |dimension| dimension.in_order())
            .into_iter()
            .filter(|label| used(*label))
            .collect()
    };
    let rows = present(dimensions.first(), &|label| slice.keys().any(|(row, _)| *row == label));
    let columns = present(dimensions.get(1), &|label| slice.keys().any(|(_, column)| *column == label));
    let across = dimensions.get(1).map_or_else(|| "value".to_owned(), |dimension| dimension.name().to_owned());
    let down = dimensions.first().map_or("", |dimension| dimension.name());
    html! {
        div class="scroll" tabindex="0" role="region" aria-label={ (down) " by " (across) } {
            table class="cells" {
                thead { tr {
                    th scope="col" class="corner" { (down) @if dimensions.len() > 1 { " \\ " (across) } }
                    @for &column in &columns {
                        @match dimensions.get(1) {
                            Some(dimension) => th scope="col" class={ "num" @if !dimension.is_leaf(column) { " total" } } { (dimension.label(column)) },
                            None => th scope="col" class="num" { (across) },
                        }
                    }
                } }
                tbody { @for &row in &rows { tr {
                    @if let Some(dimension) = dimensions.first() {
                        th scope="row" class=[(!dimension.is_leaf(row)).then_some("total")] style=[indent(dimension.depth(row))] { (dimension.label(row)) }
                    }
                    @for &column in &columns {
                        @match slice.get(&(row, column)) { Some(&cell) => (shown(facts, cell)), None => td class="num none" { "·" } }
                    }
                } } }
            }
        }
    }
}

fn indent(depth: usize) -> Option<String> {
    (depth > 1).then(|| format!("padding-left:{}em", 0.3 + 1.1 * (depth.min(12) - 1) as f64))
}
