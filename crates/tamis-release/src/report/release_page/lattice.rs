//! The solution among all transformations.

use maud::{Markup, html};

use crate::report::document::{figure, legend, section as framed};
use crate::report::numbers::{count, digits};
use crate::report::svg::{hasse, heights};
use crate::report::{LatticeReport, NodeStatus, ReleaseReport};

const EXPLANATION: &str = "A transformation picks one level per attribute. Ordered from finer to coarser, all of them form \
    a lattice, from the untouched table (height 0) to the one in which every attribute is fully generalized. The search \
    evaluates a transformation only if nothing known so far rules it out; the others are pruned.";

pub(super) fn section(report: &ReleaseReport) -> Option<Markup> {
    let lattice = report.lattice.as_ref()?;
    let content = html! {
        p {
            "The lattice has " strong { (digits(&lattice.total)) } " transformations, of which "
            strong { (count(lattice.checked)) } " were evaluated."
            @if let Some(listed) = listed(lattice) { " The drawing shows " (count(listed)) " of those evaluated." }
        }
        @if let Some(drawing) = hasse(lattice) {
            @if !lattice.attributes.is_empty() {
                p class="explain" { "Each mark is one transformation; its levels are given in the order " (lattice.attributes.join(", ")) "; the untouched table is at the bottom, and a line leads one step up in one attribute." }
            }
            (legend(&[("solution", "solution"), ("holds", "evaluated, models hold"), ("fails", "evaluated, models do not hold"), ("pruned", "pruned")]))
            (figure("All transformations", &drawing))
        } @else if let Some(drawing) = heights(lattice) {
                (legend(&[("before", "transformations of that height"), ("after", "of these, evaluated")]))
                (figure("Transformations by height", &drawing))
        }
        (ladders(report, lattice))
    };
    Some(framed("lattice", "The solution among all transformations", EXPLANATION, &content))
}

/// How many evaluated transformations are listed, if that is not all of them.
fn listed(lattice: &LatticeReport) -> Option<u64> {
    let listed = lattice.nodes.iter().filter(|node| node.status != NodeStatus::Pruned).count() as u64;
    (listed < lattice.checked).then_some(listed)
}

/// One line per attribute: its levels, each with what an example value becomes, the chosen one marked.
fn ladders(report: &ReleaseReport, lattice: &LatticeReport) -> Markup {
    let labels = |name: &str| report.attributes.iter().find(|a| a.name == name).map_or(&[][..], |a| &a.labels);
    // A hierarchy of thousands of levels is possible, a line of thousands of steps is not readable.
    let most = 24;
    html! {
        @if !lattice.attributes.is_empty() {
            figure {
                figcaption { "The chosen level of each attribute, and an example value at every level" }
                dl class="ladders" {
                    @for ((name, &maximum), &chosen) in lattice.attributes.iter().zip(&lattice.maximum).zip(&lattice.solution) {
                        dt { (name) }
                        dd { ol class="ladder" aria-label={ "Level " (chosen) " of " (maximum) } {
                            @for level in (0..=maximum.min(most)).chain((chosen > most).then_some(chosen)) {
                                li aria-current=[(level == chosen).then_some("true")] { b { (level) } (labels(name).get(level).map_or("", String::as_str)) }
                            }
                            @if maximum > most { li { "… up to " (count(maximum as u64)) } }
                        } }
                    }
                }
            }
        }
    }
}
