//! The external page of a table's risk: what anybody may know, and nothing about anybody.
//!
//! A figure about a group of people tells about each of them once the group is small, and an exact figure tells about one person once
//! it is compared with another (a page of last month's table, or the same table without them). So this page says only
//! * how many rows there are, rounded down to one significant digit, and nothing below a hundred;
//! * which columns were taken for quasi-identifiers: they are printed above the released table anyway;
//! * into which of a few wide bands the average risk, the marketer's risk and the shares of rows above the threshold and unique fall;
//! * for requirements on these figures and on the largest risk that were set beforehand whether they are met.
//!
//! It says no largest risk, no smallest class, no histogram, no count of people or classes, no values, no rows, no minimal uniques, no
//! contribution of a column, and of flagged columns only whether there are any. Of the population it says nothing, not even whether a
//! requirement on it is met: one person's presence can decide that. Below a hundred rows even a band, or a requirement that is met, would be a
//! statement about a handful of people, so there are none.

use maud::{Markup, html};

use super::document::{document, listed, section};
use super::numbers::count;
use crate::risk::{RiskBound, RiskReport};

/// Below so many rows neither figures nor requirements are told.
const FEWEST_ROWS: u64 = 100;

/// The upper ends of the bands.
const BANDS: [(f64, &str); 5] =
    [(0.01, "at most 1%"), (0.05, "1% to 5%"), (0.1, "5% to 10%"), (0.2, "10% to 20%"), (0.5, "20% to 50%")];

const LARGEST_BAND: &str = "more than 50%";

const EXPLANATION: &str = "The risk is the chance that somebody who knows the quasi-identifying columns of a person picks the right \
    row. Figures are given as wide bands and the number of rows is rounded, so that this page tells about the table and about no one in it.";

/// Renders what anybody may know about the risk of a table as a self-contained HTML document.
///
/// The title is the caller's; it should name the release, not a file.
pub fn external_risk_page(report: &RiskReport, bounds: &[(RiskBound, bool)], title: &str, version: &str) -> String {
    let is_told = |bound: &RiskBound| report.rows >= FEWEST_ROWS && !bound.is_about_the_population();
    let told: Vec<(RiskBound, bool)> = bounds.iter().copied().filter(|(bound, _)| is_told(bound)).collect();
    let bounds = told.as_slice();
    let body = html! {
        header {
            p class="kind" { "Re-identification risk" }
            h1 { (title) }
            p class="verdict" { (verdict(bounds)) }
        }
        (section("figures", "Figures", EXPLANATION, &figures(report)))
        @if !bounds.is_empty() { (section("requirements", "Requirements set beforehand", "", &requirements(bounds))) }
        (section("identifiers", "Direct identifiers", "", &identifiers(report)))
    };
    document(title, version, &body)
}

fn verdict(bounds: &[(RiskBound, bool)]) -> &'static str {
    match (bounds.is_empty(), bounds.iter().all(|&(_, holds)| holds)) {
        (true, _) => "The risk of this table was measured.",
        (false, true) => "The risk of this table was measured, and every requirement below is met.",
        (false, false) => "The risk of this table was measured, and not every requirement below is met.",
    }
}

fn figures(report: &RiskReport) -> Markup {
    let bands = [
        ("Average risk".to_owned(), report.prosecutor.average),
        ("Expected share of rows matched to the right person".to_owned(), report.marketer.share),
        ("Rows that are unique".to_owned(), report.uniques.share),
        (format!("Rows with a risk above {}", report.prosecutor.threshold), report.prosecutor.at_risk),
    ];
    html! {
        table { tbody {
            tr { th scope="row" { "Rows" } td { (about(report.rows)) } }
            tr { th scope="row" { "Quasi-identifying columns" } td class="text" { (listed(&report.quasi)) } }
            @if report.rows >= FEWEST_ROWS {
                @for (name, value) in bands { tr { th scope="row" { (name) } td { (band(value)) } } }
            }
        } }
        @if report.rows < FEWEST_ROWS { p { "The table is too small for any figure to be told." } }
    }
}

/// One significant digit, rounded down.
fn about(rows: u64) -> String {
    if rows < FEWEST_ROWS {
        return format!("fewer than {FEWEST_ROWS}");
    }
    let power = 10u64.pow(rows.ilog10());
    format!("at least {}", count(rows / power * power))
}

fn band(value: f64) -> &'static str {
    BANDS.iter().find(|&&(end, _)| value <= end).map_or(LARGEST_BAND, |&(_, name)| name)
}

fn requirements(bounds: &[(RiskBound, bool)]) -> Markup {
    html! {
        table {
            thead { tr { th scope="col" { "Requirement" } th scope="col" class="num" { "At most" } th scope="col" { "" } } }
            tbody { @for (bound, holds) in bounds { tr {
                th scope="row" { (bound.meaning()) }
                td class="num" { (bound.most) }
                td class=(if *holds { "good" } else { "bad" }) { (if *holds { "✓ met" } else { "✗ not met" }) }
            } } }
        }
    }
}

fn identifiers(report: &RiskReport) -> Markup {
    html! {
        @if report.hipaa.is_empty() { p { "No column looks like a direct identifier of the safe harbour rule." } }
        @else { p { "Some columns look like direct identifiers of the safe harbour rule and are to be reviewed." } }
    }
}

#[cfg(test)]
mod tests {
    use super::{about, band};

    #[test]
    fn rows_are_rounded_down_and_small_tables_say_nothing() {
        assert_eq!(about(7), "fewer than 100");
        assert_eq!(about(99), "fewer than 100");
        assert_eq!(about(30_162), "at least 30,000");
        assert_eq!(about(u64::MAX), "at least 10,000,000,000,000,000,000");
    }

    #[test]
    fn bands_are_closed_above() {
        assert_eq!(
            [0.0, 0.01, 0.011, 0.1, 0.5, 1.0].map(band),
            ["at most 1%", "at most 1%", "1% to 5%", "5% to 10%", "20% to 50%", "more than 50%"]
        );
    }
}
