//! Risk, classes and quality: the figures of the release.

use maud::{Markup, html};

use crate::report::document::{figure, section as framed};
use crate::report::numbers::{count, exact, percent, significant};
use crate::report::{ReleaseReport, svg};

const EXPLANATION: &str = "Rows that look the same in every quasi-identifying attribute form a class. Somebody who \
    knows these attributes of a person finds the class, but cannot tell which of its rows is the person's: in a class \
    of 5 rows a guess is right once in five times, a risk of 20%. Suppressed rows belong to no class.";

pub(super) fn section(report: &ReleaseReport) -> Markup {
    let (risk, classes) = (report.risk, report.classes);
    let drawing = svg::histogram(&report.class_sizes, report.k, report.unit());
    framed(
        "protection",
        "Protection",
        EXPLANATION,
        &html! {
            div class="pair" {
                table {
                    caption { "Re-identification risk" }
                    tbody {
                        tr { th scope="row" { "Average over the released rows" } td class="num" { (percent(risk.average)) } }
                        tr { th scope="row" { "Highest, in the smallest class" } td class="num" { (percent(risk.max)) } }
                        tr { th scope="row" { "Released rows with a risk above " (percent(risk.threshold)) } td class="num" { (percent(risk.at_risk)) } }
                    }
                }
                table {
                    caption { "Classes" }
                    tbody {
                        tr { th scope="row" { "Number" } td class="num" { (count(classes.count)) } }
                        tr { th scope="row" { "Smallest" } td class="num" { (count(classes.min)) } }
                        tr { th scope="row" { "Average" } td class="num" { (significant(classes.average)) } }
                        tr { th scope="row" { "Largest" } td class="num" { (count(classes.max)) } }
                    }
                }
            }
            @if drawing.0.is_empty() {
                p { "No row was released, so there are no classes to show." }
            } @else {
                (figure("How many classes have which size", &drawing))
            }
            (quality(report))
        },
    )
}

fn quality(report: &ReleaseReport) -> Markup {
    html! {
        @if !report.quality.is_empty() {
            table {
                caption { "Quality" }
                thead { tr { th scope="col" { "Measure" } th scope="col" class="num" { "Value" } th scope="col" { "All digits" } } }
                tbody {
                    @for (name, value) in &report.quality {
                        tr { th scope="row" { (name) } td class="num" { (significant(*value)) } td class="exact" { (exact(*value)) } }
                    }
                }
            }
            p class="explain" { "Each measure says how much the table changed; lower is closer to the original. Loss runs from 0 (untouched) to 1 (everything suppressed)." }
        }
    }
}
