//! Sensitive attributes: what somebody who finds a person's class learns.

use maud::{Markup, html};

use super::distribution::{Tally, fold};
use crate::report::document::{figure, section as framed};
use crate::report::numbers::{count, percent_fixed, share, significant};
use crate::report::svg::{Bar, Scale, bars};
use crate::report::{ReleaseReport, SensitiveReport};

const EXPLANATION: &str = "A class can hide a person and still give a secret away, if all its rows share the same \
    sensitive value. These are the figures of the class that protects each attribute worst: how many different values \
    it holds, how many it holds in effect (rare values count less), and how far its mix of values is from the whole \
    table's, where 0 is the same mix.";

pub(super) fn section(report: &ReleaseReport) -> Option<Markup> {
    if report.sensitive.is_empty() {
        return None;
    }
    let content = html! {
        div class="scroll" { table {
            caption { "The worst class for each sensitive attribute" }
            thead { tr {
                th scope="col" { "Attribute" }
                th scope="col" class="num" { "Different values (l)" }
                th scope="col" class="num" { "Values in effect (entropy l)" }
                th scope="col" class="num" { "Distance from the table (t)" }
                th scope="col" { "Kind of distance" }
            } }
            tbody {
                @for attribute in &report.sensitive {
                    tr {
                        th scope="row" { (attribute.name) }
                        td class="num" { (count(attribute.distinct_l)) }
                        td class="num" { (significant(attribute.entropy_l)) }
                        td class="num" { (attribute.t.map_or_else(|| "–".to_owned(), significant)) }
                        td { @if attribute.distance.is_empty() { "–" } @else { (attribute.distance) } }
                    }
                }
            }
        } }
        @for attribute in report.sensitive.iter().filter(|attribute| !attribute.distribution.is_empty()) {
            (figure(&format!("{} in the whole input table", attribute.name), &overall(attribute, report.smallest_count)))
        }
    };
    Some(framed("sensitive", "Sensitive attributes", EXPLANATION, &content))
}

fn overall(attribute: &SensitiveReport, smallest: u64) -> Markup {
    let total = attribute.distribution.iter().fold(0_u64, |sum, (_, n)| sum.saturating_add(*n));
    let tallies = attribute.distribution.iter().map(|(label, n)| Tally::new(label, *n, 0)).collect();
    let rows: Vec<Bar> = fold(tallies, attribute.ordered, smallest)
        .into_iter()
        .map(|tally| {
            let part = share(tally.before, total);
            Bar {
                label: tally.label,
                values: vec![Some((part, format!("{} ({})", count(tally.before), percent_fixed(part, 2))))],
            }
        })
        .collect();
    let scale = Scale::from_zero(rows.iter().filter_map(|row| row.values[0].as_ref().map(|(part, _)| *part)), 5);
    bars(&format!("Distribution of {}", attribute.name), &rows, &[("before", "")], &scale, 620.0)
}
