//! Intervals as bars.

use maud::{Markup, html};
use tamis_cells::{Levels, Status};
use tamis_page::svg::px;

use super::facts::PageFacts;

/// The bar of a hidden cell, small enough for a table; nothing where nothing is known.
pub(super) fn small(facts: &PageFacts<'_>, cell: usize) -> Markup {
    drawn(facts, cell, 56.0, 7.0)
}

/// The bar of a primary in the list of attacks.
pub(super) fn large(facts: &PageFacts<'_>, cell: usize) -> Markup {
    drawn(facts, cell, 300.0, 16.0)
}

/// The computed interval, what is asked, and the true value; an end that is open runs to the edge of the drawing.
fn drawn(facts: &PageFacts<'_>, cell: usize, width: f64, height: f64) -> Markup {
    let Some(interval) = facts.interval(cell) else { return html! {} };
    let own = &facts.table.cells()[cell];
    let Levels { lower: lpl, upper: upl, .. } =
        if own.status == Status::Primary { own.levels } else { Levels::default() };
    let asked = (own.value - lpl, own.value + upl);
    let known = [interval.lower, interval.upper, asked.0, asked.1, own.value];
    let finite = || known.iter().copied().filter(|end| end.is_finite());
    let (least, most) = (finite().fold(f64::INFINITY, f64::min), finite().fold(f64::NEG_INFINITY, f64::max));
    // An interval of one value still needs some width to be seen in.
    let spread = if most > least { most - least } else { f64::max(own.value.abs(), 1.0) };
    let margin = |is_open: bool| if is_open { 0.6 * spread } else { 0.06 * spread };
    let (left, right) = (least - margin(interval.lower.is_infinite()), most + margin(interval.upper.is_infinite()));
    let at = |value: f64| (value.clamp(left, right) - left) / (right - left) * width;
    let (from, to) = (at(interval.lower), at(interval.upper));
    let middle = height / 2.0;
    html! {
        svg class="interval" viewBox={ "0 0 " (px(width)) " " (px(height)) } width=(px(width)) height=(px(height)) aria-hidden="true" {
            line class="rail" x1="0" x2=(px(width)) y1=(px(middle)) y2=(px(middle)) {}
            rect class="reach" x=(px(from)) y=(px(height * 0.2)) width=(px(f64::max(to - from, 1.0))) height=(px(height * 0.6)) {}
            @if lpl > 0.0 || upl > 0.0 {
                line class="asked" x1=(px(at(asked.0))) x2=(px(at(asked.1))) y1=(px(middle)) y2=(px(middle)) {}
                @for end in [asked.0, asked.1] {
                    line class="asked" x1=(px(at(end))) x2=(px(at(end))) y1=(px(height * 0.1)) y2=(px(height * 0.9)) {}
                }
            }
            line class="truth" x1=(px(at(own.value))) x2=(px(at(own.value))) y1="0" y2=(px(height)) {}
        }
    }
}
