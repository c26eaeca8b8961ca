//! What was done to each attribute, and what it cost.

use maud::{Markup, html};

use crate::report::document::{figure, section as framed};
use crate::report::numbers::percent;
use crate::report::svg::{Bar, Scale, bars};
use crate::report::{AttributeReport, ReleaseReport};

const EXPLANATION: &str = "Generalizing replaces every value of an attribute by a coarser one, the same way in the whole \
    column. Level 0 leaves the attribute as it is; the highest level says nothing any more. The loss of an attribute \
    is the share of its detail that is gone, through generalization and suppressed rows together.";

pub(super) fn section(report: &ReleaseReport) -> Option<Markup> {
    if report.attributes.is_empty() {
        return None;
    }
    let content = html! {
        div class="scroll" { table {
            caption { "Recoding" }
            thead { tr {
                th scope="col" { "Attribute" } th scope="col" { "Role" } th scope="col" class="num" { "Level" }
                th scope="col" { "Example" } th scope="col" class="num" { "Loss" }
            } }
            tbody { @for attribute in &report.attributes { (row(attribute)) } }
        } }
        (losses(&report.attributes))
    };
    Some(framed("recoding", "What was changed", EXPLANATION, &content))
}

fn row(attribute: &AttributeReport) -> Markup {
    html! {
        tr {
            th scope="row" { (attribute.name) }
            td { (attribute.role) }
            td class="num" {
                @if attribute.levels == 0 { "–" } @else { (attribute.level) " of " (attribute.levels - 1) }
            }
            td class="text" {
                @match (attribute.labels.first(), attribute.labels.get(attribute.level)) {
                    (Some(value), Some(_)) if attribute.level == 0 => { (value) ", kept" }
                    (Some(value), Some(label)) => { (value) " → " (label) }
                    _ => { "–" }
                }
            }
            td class="num" { (attribute.loss.map_or_else(|| "–".to_owned(), percent)) }
        }
    }
}

fn losses(attributes: &[AttributeReport]) -> Markup {
    let rows: Vec<Bar> = attributes
        .iter()
        .filter_map(|attribute| attribute.loss.map(|loss| (attribute, loss)))
        .map(|(attribute, loss)| Bar { label: attribute.name.clone(), values: vec![Some((loss, percent(loss)))] })
        .collect();
    html! {
        @if !rows.is_empty() {
            (figure("Loss per attribute (a full bar is 100%)", &bars("Loss per attribute", &rows, &[("after", "")], &Scale::from_zero([1.0], 5), 620.0)))
        }
    }
}
