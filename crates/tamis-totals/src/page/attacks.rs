//! What attackers compute for each primary, and which secondaries are of no use.

use maud::{Markup, html};
use tamis_cells::Side;
use tamis_page::document::section;
use tamis_page::numbers::counted;

use super::bar;
use super::facts::{PageFacts, exact, range};

/// More primaries than this nobody reads; exposed ones come first.
const MOST_PRIMARIES: usize = 500;

const ATTACKS: &str = "The light bar is the interval that anybody computes from the published cells, the totals and the known bounds; \
    the bracket is what must lie within it, the dark tick the true value. A bar that runs to the edge has no end on that side.";

/// The primaries with their intervals, exposed ones first.
pub(super) fn primaries(facts: &PageFacts<'_>) -> Markup {
    let mut cells: Vec<(bool, usize)> = facts.primaries().map(|cell| (!facts.is_exposed(cell), cell)).collect();
    if cells.is_empty() {
        return html! {};
    }
    cells.sort_unstable();
    let all = cells.len();
    cells.truncate(MOST_PRIMARIES);
    section(
        "attacks",
        "What can be computed about the primaries",
        ATTACKS,
        &html! {
            div class="scroll" tabindex="0" role="region" aria-label="Primaries" {
                table class="attacks" {
                    thead { tr {
                        th scope="col" { "Primary" } th scope="col" class="num" { "Value" } th scope="col" { "Computed" }
                        th scope="col" { "" } th scope="col" { "Asked" } th scope="col" { "Verdict" }
                    } }
                    tbody { @for &(is_protected, cell) in &cells { tr {
                        th scope="row" { (facts.table.cells()[cell].id) }
                        td class="num" { (facts.value(cell)) }
                        td { @match facts.interval(cell) {
                            Some(interval) if interval.lower == interval.upper => "exactly this",
                            Some(interval) => (range(interval.lower, interval.upper)),
                            None => "published",
                        } }
                        td { (bar::large(facts, cell)) }
                        td { (asked(facts, cell)) }
                        td { @if is_protected { span class="good" { "protected" } } @else { span class="bad" { "exposed" } (short(facts, cell)) } }
                    } } }
                }
            }
            @if all > cells.len() { p class="explain" { (counted((all - cells.len()) as u64, "primary is", "primaries are")) " left out." } }
        },
    )
}

/// What is asked of a primary, in words.
fn asked(facts: &PageFacts<'_>, cell: usize) -> String {
    let own = &facts.table.cells()[cell];
    let mut parts = Vec::new();
    if own.levels.lower > 0.0 || own.levels.upper > 0.0 {
        parts.push(range(own.value - own.levels.lower, own.value + own.levels.upper));
    }
    if own.levels.sliding > 0.0 {
        parts.push(format!("width {}", exact(own.levels.sliding)));
    }
    if parts.is_empty() { "nothing".to_owned() } else { parts.join(", ") }
}

/// Against whom a primary is exposed, and by how much.
fn short(facts: &PageFacts<'_>, cell: usize) -> Markup {
    let own = facts.audit.exposed.iter().filter(|exposed| exposed.demand.cell == cell);
    html! {
        @for exposed in own.take(3) {
            br;
            small {
                (exact(exposed.demand.level - exposed.reach)) (side(exposed.demand.side))
                @if let Some(attacker) = exposed.demand.attacker.checked_sub(1) { " against " (facts.table.attackers()[attacker].name) }
            }
        }
    }
}

fn side(side: Side) -> &'static str {
    match side {
        Side::Lower => " short below",
        Side::Upper => " short above",
        Side::Width => " too narrow",
    }
}

/// Secondaries that could each be published.
pub(super) fn unnecessary(facts: &PageFacts<'_>) -> Markup {
    let cells = &facts.audit.unnecessary;
    if cells.is_empty() {
        return html! {};
    }
    let exposed = "To publish one of these would expose nothing further. But something is exposed: publish nothing more before it is \
        protected, as what protects it may need these cells.";
    let protected = "Each of these could be published and all levels that hold would still hold, as long as the others stay hidden. \
        Publish one, then audit again: two together may be needed.";
    section(
        "unnecessary",
        "Unnecessary secondaries",
        if facts.audit.is_protected() { protected } else { exposed },
        &html! {
            ul { @for &cell in cells.iter().take(MOST_PRIMARIES) { li { (facts.table.cells()[cell].id) " (" (facts.value(cell)) ")" } } }
            @if cells.len() > MOST_PRIMARIES { p class="explain" { "The first of " (cells.len()) "." } }
        },
    )
}
