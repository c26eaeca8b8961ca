//! The page of a protected or audited table: what is hidden, and what can be computed about it.

mod attacks;
mod bar;
mod facts;
mod grid;
mod list;

use maud::{Markup, html};
use tamis_cells::Status;
use tamis_page::document::{notes, section, styled_document};
use tamis_page::numbers::{count, counted, percent, significant};

pub use facts::{PageFacts, Reader, SearchFacts};

const STYLE: &str = include_str!("style.css");

const OWN: &str =
    "This page is for whoever makes the table: it shows the true values of hidden cells. Do not publish it.";

const TABLE: &str = "Point at a hidden cell to see what anybody computes for it. The bar is the computed interval, the dark tick the true value.";

const PUBLIC: &str = "Hidden cells are marked; every number that is shown is true, and totals include what is hidden. Cells are hidden so that no \
    confidential number can be computed closely from what is published.";

/// Renders a table with its hidden cells as a self-contained HTML document: no script, nothing fetched, every text escaped.
///
/// Time and size are linear in the cells shown, which are at most some ten thousands; what is left out is said on the page.
pub fn cells_page(facts: &PageFacts<'_>, version: &str) -> String {
    let is_own = facts.reader == Reader::Steward;
    let body = html! {
        header {
            p class="kind" { @if is_own { "Cell suppression · not for publication" } @else { "Table with hidden cells" } }
            h1 { (facts.title) }
            p class="verdict" { (verdict(facts)) }
        }
        @if is_own { p class="secret" { strong { "Not for publication. " } (OWN) } }
        (notes(facts.notes))
        @if is_own { (cards(facts)) }
        (section("table", "The table", if is_own { TABLE } else { PUBLIC }, &html! {
            (legend(is_own))
            @match facts.totals {
                Some(totals) => (grid::grids(facts, totals)),
                None => (list::list(facts)),
            }
        }))
        @if is_own {
            (attacks::primaries(facts))
            (attacks::unnecessary(facts))
        }
    };
    styled_document(facts.title, version, STYLE, &body)
}

/// What holds, in a sentence.
fn verdict(facts: &PageFacts<'_>) -> String {
    let hidden = facts.pattern.cells().count() as u64;
    let of = count(facts.table.cells().len() as u64);
    if facts.reader == Reader::Public {
        return format!("{} of {of} are hidden.", counted(hidden, "cell", "cells"));
    }
    let primaries = facts.primaries().count() as u64;
    if primaries == 0 {
        return format!(
            "No cell is primary: nothing is protected. {} of {of} are hidden.",
            counted(hidden, "cell", "cells")
        );
    }
    let primaries = counted(primaries, "primary cell", "primary cells");
    let exposed = facts.primaries().filter(|cell| facts.is_exposed(*cell)).count() as u64;
    if facts.audit.is_protected() {
        format!("{} of {of} are hidden, and every level of {primaries} holds.", counted(hidden, "cell", "cells"))
    } else {
        format!(
            "Exposed: {} of {primaries} can be computed too closely; {} of {of} are hidden.",
            count(exposed),
            counted(hidden, "cell", "cells")
        )
    }
}

fn cards(facts: &PageFacts<'_>) -> Markup {
    let primaries = facts.primaries().count();
    let hidden = facts.pattern.cells().count();
    let hidden_primaries = facts.primaries().filter(|cell| facts.pattern.hides(*cell)).count();
    let card = |name: &str, value: &str, more: &str| html! { div { dt { (name) } dd { (value) @if !more.is_empty() { small { (more) } } } } };
    let cost = facts.pattern.cost(facts.table);
    html! {
        dl class="cards" {
            (card("Cells", &count(facts.table.cells().len() as u64), &counted(facts.table.equations().len() as u64, "equation", "equations")))
            (card("Primaries", &count(primaries as u64), ""))
            (card("Secondaries", &count((hidden - hidden_primaries) as u64), ""))
            (card("Cost", &significant(cost), "weight of all hidden cells"))
            @if let Some(search) = &facts.search {
                @if search.optimal { (card("Proved", "optimal", "nothing that protects costs less")) }
                @else { (card("Bound", &significant(search.bound), &format!("gap {}", percent(search.gap)))) }
            }
            (card("Attackers", &count(facts.table.attackers().len() as u64 + 1), if facts.table.attackers().is_empty() { "the public" } else { "the public and those who know more" }))
        }
    }
}

/// What the colours mean.
fn legend(is_own: bool) -> Markup {
    if !is_own {
        return tamis_page::document::legend(&[("masked", "hidden")]);
    }
    tamis_page::document::legend(&[
        ("primary", "primary: confidential"),
        ("exposed", "primary that can be computed too closely"),
        ("secondary", "secondary: hidden to protect the primaries"),
        ("fixed", "must be published"),
    ])
}

/// The class of a cell in tables.
fn class(facts: &PageFacts<'_>, cell: usize) -> &'static str {
    let status = facts.table.cells()[cell].status;
    match (facts.reader, facts.pattern.hides(cell), status) {
        (Reader::Public, true, _) => "num masked",
        (Reader::Steward, _, Status::Primary) if facts.is_exposed(cell) => "num exposed",
        (Reader::Steward, true, Status::Primary) => "num primary",
        (Reader::Steward, true, _) => "num secondary",
        (Reader::Steward, false, Status::Fixed) => "num fixed",
        _ => "num",
    }
}

/// A cell of a table: its value, and for hidden ones what can be computed.
fn shown(facts: &PageFacts<'_>, cell: usize) -> Markup {
    if !facts.pattern.hides(cell) {
        return html! { td class=(class(facts, cell)) { (facts.value(cell)) } };
    }
    match facts.reader {
        Reader::Public => html! { td class=(class(facts, cell)) { (facts.mark) } },
        Reader::Steward => html! {
            td class=(class(facts, cell)) title=(facts.sentence(cell)) { (facts.value(cell)) (bar::small(facts, cell)) }
        },
    }
}
