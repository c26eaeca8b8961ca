//! Cells without dimensions: a list.

use maud::{Markup, html};
use tamis_page::numbers::counted;

use super::facts::PageFacts;
use super::shown;

/// Longer lists nobody scrolls through.
const MOST_ROWS: usize = 5_000;

/// Every cell, or the hidden ones and as many others as there is room for.
pub(super) fn list(facts: &PageFacts<'_>) -> Markup {
    let all = facts.table.cells().len();
    let mut room = MOST_ROWS.saturating_sub(facts.pattern.cells().count());
    let cells: Vec<usize> = (0..all)
        .filter(|&cell| {
            if facts.pattern.hides(cell) {
                return true;
            }
            let fits = room > 0;
            room = room.saturating_sub(1);
            fits
        })
        .take(MOST_ROWS)
        .collect();
    html! {
        div class="scroll" tabindex="0" role="region" aria-label="Cells" {
            table class="cells" {
                thead { tr { th scope="col" { "Cell" } th scope="col" class="num" { "Value" } } }
                tbody { @for &cell in &cells { tr {
                    th scope="row" { (facts.table.cells()[cell].id) }
                    (shown(facts, cell))
                } } }
            }
        }
        @if cells.len() < all {
            p class="explain" { (counted((all - cells.len()) as u64, "cell is", "cells are")) " left out of the list." }
        }
    }
}
