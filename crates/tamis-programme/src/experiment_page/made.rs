//! Everything somebody needs to run an experiment again.

use super::scrolling;
use maud::{Markup, html};
use tamis_appointments::laboratory::experiment::Outcome;
use tamis_page::document::section;
use tamis_page::numbers::count;

const EXPLANATION: &str =
    "The same seed gives the same figures with any number of threads, as long as no time limit cuts the work short.";

/// Command, seed, time limit, methods, and the populations and runs of every setting.
pub(super) fn how_it_was_made(outcome: &Outcome) -> Markup {
    let methods = outcome
        .rows
        .first()
        .map_or_else(Vec::new, |row| row.arms.iter().map(|figures| figures.arm.to_string()).collect());
    let limit =
        outcome.time_limit.map_or_else(|| "none".to_owned(), |seconds| format!("{seconds} s for a single problem"));
    section(
        "made",
        "How it was made",
        EXPLANATION,
        &html! {
            dl class="made" {
                @if let Some(command) = &outcome.command { dt { "Command" } dd { code { (command) } } }
                dt { "Methods" } dd { (methods.join(", ")) }
                dt { "Seed" } dd { (outcome.seed) }
                dt { "Time limit" } dd { (limit) }
            }
            (scrolling("Table of populations", &html! { table class="wide" {
                caption { "Populations by setting" }
                thead { tr { th scope="col" { "Setting" } th scope="col" class="num" { "Runs" } th scope="col" { "Populations" } } }
                tbody { @for row in &outcome.rows { tr {
                    th scope="row" { (row.label) }
                    td class="num" { (count(row.runs)) }
                    td class="text" { (row.populations) }
                } } }
            } }))
        },
    )
}
