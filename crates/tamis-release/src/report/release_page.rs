//! The page of one release: the verdict first, then what it rests on.

mod distribution;
mod lattice;
mod protection;
mod provenance;
mod recoding;
mod sensitive;

use maud::{Markup, html};

use super::document::{document, listed, notes};
use super::numbers::{count, counted, digits, percent, share, significant};
use super::{ReleaseReport, Verdict};

/// Renders the report of one release as a self-contained HTML document.
pub fn release_page(report: &ReleaseReport) -> String {
    let sections: Vec<(&str, &str, Markup)> = [
        ("protection", "Protection", Some(protection::section(report))),
        ("sensitive", "Sensitive attributes", sensitive::section(report)),
        ("recoding", "What was changed", recoding::section(report)),
        ("distributions", "Before and after", distribution::section(report)),
        ("lattice", "The solution among all transformations", lattice::section(report)),
        ("policy", "Policy and provenance", provenance::section(report)),
    ]
    .into_iter()
    .filter_map(|(id, name, content)| content.map(|content| (id, name, content)))
    .collect();
    let title = if report.title.is_empty() { "Release report" } else { &report.title };
    let body = html! {
        header {
            p class="kind" { "Anonymized release" }
            h1 { (title) }
            p class="verdict" { (verdict(report)) }
            nav aria-label="Sections" { ul { @for (id, name, _) in &sections { li { a href={ "#" (id) } { (name) } } } } }
        }
        p class="explain" {
            strong { "For the data steward. " }
            @if report.is_mechanism {
                "The promise covers the release and nothing else: what this page shows of the input, of who took part and of classes tells of people. Publish neither the page nor its figures."
            } @else {
                "This page shows the input's distributions, and what is missing from the release tells about suppressed people. Publish the figures, not the page."
            }
        }
        (notes(&report.notes))
        (cards(report))
        @for (_, _, content) in &sections { (content) }
    };
    document(title, &report.version, &body)
}

fn verdict(report: &ReleaseReport) -> String {
    let rows = report.rows;
    let held = match listed(&report.verdict.models) {
        models if models.is_empty() => "No privacy model was asked for.".to_owned(),
        models => format!("The released table satisfies {models}."),
    };
    let kept = format!(
        "It keeps {} of {} ({}).",
        count(rows.kept),
        counted(rows.input, "row", "rows"),
        percent(share(rows.kept, rows.input))
    );
    let total = report.lattice.as_ref().map(|lattice| digits(&lattice.total)).filter(|total| !total.is_empty());
    format!("{held} {kept} {}", best(&report.verdict, total.as_deref()))
}

/// How good the release is: the best, or how far from it at most.
fn best(verdict: &Verdict, total: Option<&str>) -> String {
    let measure = if verdict.measure.is_empty() { "loss" } else { &verdict.measure };
    let score = significant(verdict.score);
    if verdict.optimal {
        let among = total.map_or_else(String::new, |total| format!(" of the {total} transformations"));
        return format!(
            "Its {measure} is {score}, and none{among} that satisfies the policy has a lower one: this is proved."
        );
    }
    match verdict.bound.filter(|bound| bound.is_finite()) {
        Some(bound) => format!(
            "Its {measure} of {score} is the best found, not proved to be the best possible: it is proved that none is below {}.",
            significant(bound)
        ),
        None => format!("Its {measure} of {score} is the best found, not proved to be the best possible."),
    }
}

fn cards(report: &ReleaseReport) -> Markup {
    let (rows, risk, classes) = (report.rows, report.risk, report.classes);
    let measure = if report.verdict.measure.is_empty() { "loss" } else { &report.verdict.measure };
    let proof = if report.verdict.optimal { "the least possible" } else { "the best found" };
    let entries = [
        (
            "Rows released",
            count(rows.kept),
            format!("{} of {}", percent(share(rows.kept, rows.input)), count(rows.input)),
        ),
        ("Rows suppressed", count(rows.suppressed), percent(share(rows.suppressed, rows.input))),
        (measure, significant(report.verdict.score), proof.to_owned()),
        ("Classes", count(classes.count), format!("{} {} on average", significant(classes.average), report.unit())),
        ("Average risk", percent(risk.average), "per released row".to_owned()),
        ("Highest risk", percent(risk.max), format!("smallest class: {} {}", count(classes.min), report.unit())),
    ];
    html! {
        dl class="cards" aria-label="Key figures" {
            @for (name, value, remark) in &entries { div { dt { (capitalized(name)) } dd { (value) small { (remark) } } } }
        }
    }
}

fn capitalized(name: &str) -> String {
    let mut chars = name.chars();
    chars.next().map_or_else(String::new, |first| first.to_uppercase().chain(chars).collect())
}
