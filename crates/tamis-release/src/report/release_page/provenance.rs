//! The policy word for word, and what identifies the files.

use maud::{Markup, html};

use crate::report::ReleaseReport;
use crate::report::document::section as framed;

const EXPLANATION: &str = "The policy is what was asked for, word for word. With it, the input and the same version of Tamis \
    anybody who holds the input can make this release again; the hashes tell whether a file is the one described here.";

pub(super) fn section(report: &ReleaseReport) -> Option<Markup> {
    if report.policy.is_empty() && report.facts.is_empty() {
        return None;
    }
    let content = html! {
        @if !report.facts.is_empty() {
            table {
                caption { "Facts" }
                tbody { @for (name, value) in &report.facts { tr { th scope="row" { (name) } td class="text exact" { (value) } } } }
            }
        }
        @if !report.policy.is_empty() {
            h3 { "Policy" }
            pre tabindex="0" aria-label="Policy" { (report.policy) }
        }
    };
    Some(framed("policy", "Policy and provenance", EXPLANATION, &content))
}
