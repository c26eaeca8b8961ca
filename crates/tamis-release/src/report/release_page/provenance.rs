//! The policy without its secrets, and what identifies the files.

use maud::{Markup, html};

use crate::report::ReleaseReport;
use crate::report::document::section as framed;

const EXPLANATION: &str = "The policy says what was asked for. It is written anew here, without its comments and without secrets such as \
    the seed of the shuffle; the manifest, which the steward keeps, has it word for word. With the manifest, the input and the same \
    version of Tamis the steward can make this release again; the hashes tell whether a file is the one described here.";

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
