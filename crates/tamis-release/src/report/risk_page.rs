//! The internal page of a table's risk: everything, down to the riskiest records. For the steward alone.

use maud::{Markup, html};

use super::document::{document, figure, listed, notes, section};
use super::numbers::{count, counted, percent, percent_fixed, significant};
use super::svg::{self, Bar, Scale, bars};
use crate::risk::{Estimates, RecordRisk, RiskBound, RiskReport};

const ATTACKERS: &str = "A prosecutor knows that a person is in the table and all their quasi-identifiers. A journalist knows only that \
    they are in the population around it. A marketer matches every row and counts how many matches are right.";

const COLUMNS: &str = "Without the column, so many fewer rows would be unique. The contribution is fair to columns that say the same \
    thing: the share of rows that become unique by it, averaged over all orders in which columns could be added. The SUDA share is \
    that of all scores from minimal uniques with the column; shares overlap.";

const UNIQUES: &str = "A minimal sample unique is a smallest set of columns in which nobody else has a person's values. The fewer \
    columns it takes, the more special the person, and the higher the SUDA score.";

const HIPAA: &str = "Columns that look like one of the eighteen identifiers of the HIPAA safe harbour rule, 45 CFR 164.514(b)(2), by \
    name or content. A flag is a reason to look; no flag is no proof.";

/// How many minimal uniques of a record are listed.
const SETS_SHOWN: usize = 4;

/// Renders everything about the risk of a table as a self-contained HTML document.
pub fn risk_page(report: &RiskReport, bounds: &[(RiskBound, bool)], title: &str, version: &str) -> String {
    let body = html! {
        header {
            p class="kind" { "Re-identification risk, internal" }
            h1 { (title) }
            p class="verdict" { (verdict(report)) }
        }
        p class="explain" {
            strong { "For the data steward only. " }
            "This page shows values of single people. Publish the external page instead."
        }
        (notes(&report.notes))
        @if !bounds.is_empty() { (section("requirements", "Requirements", "", &requirements(report, bounds))) }
        (section("attackers", "Three attackers", ATTACKERS, &attackers(report)))
        (section("classes", "Classes", "Rows that agree in all quasi-identifiers form a class; a class of one is a unique person.", &classes(report)))
        @if report.estimates.is_some() || report.population.is_some() { (section("population", "The population", "", &population(report))) }
        (section("columns", "What each column contributes", COLUMNS, &columns(report)))
        (section("uniques", "Minimal sample uniques", UNIQUES, &uniques(report)))
        (section("records", "The riskiest records", "", &records(report)))
        (section("hipaa", "Safe harbour", HIPAA, &hipaa(report)))
    };
    document(title, version, &body)
}

fn verdict(report: &RiskReport) -> String {
    format!(
        "{} of {} ({}) are unique in {}. A prosecutor is right with {} on average.",
        count(report.uniques.rows),
        counted(report.rows, "row", "rows"),
        percent(report.uniques.share),
        listed(&report.quasi),
        percent(report.prosecutor.average)
    )
}

fn requirements(report: &RiskReport, bounds: &[(RiskBound, bool)]) -> Markup {
    html! {
        table {
            thead { tr { th scope="col" { "Requirement" } th scope="col" class="num" { "At most" } th scope="col" class="num" { "Found" } th scope="col" { "" } } }
            tbody { @for (bound, holds) in bounds { tr {
                th scope="row" { (bound.meaning()) }
                td class="num" { (percent(bound.most)) }
                td class="num" { (bound.found(report).map_or_else(|_| "–".to_owned(), percent)) }
                td class=(if *holds { "good" } else { "bad" }) { (if *holds { "✓ met" } else { "✗ not met" }) }
            } } }
        }
    }
}

fn attackers(report: &RiskReport) -> Markup {
    let prosecutor = &report.prosecutor;
    html! {
        table {
            thead { tr {
                th scope="col" { "Attacker" } th scope="col" class="num" { "Average" } th scope="col" class="num" { "Highest" }
                th scope="col" class="num" { "Rows above " (percent(prosecutor.threshold)) } th scope="col" { "From" }
            } }
            tbody {
                tr { th scope="row" { "Prosecutor" } td class="num" { (percent(prosecutor.average)) } td class="num" { (percent(prosecutor.max)) } td class="num" { (percent(prosecutor.at_risk)) } td { "the table" } }
                @if let Some(journalist) = &report.journalist {
                    tr { th scope="row" { "Journalist" } td class="num" { (percent(journalist.risk.average)) } td class="num" { (percent(journalist.risk.max)) } td class="num" { (percent(journalist.risk.at_risk)) } td { "the " (journalist.basis) } }
                }
                tr { th scope="row" { "Marketer" } td class="num" { (percent(report.marketer.share)) } td class="num" { "–" } td class="num" { "–" } td { "the " (if report.marketer.basis == "sample" { "table" } else { report.marketer.basis }) } }
            }
        }
    }
}

fn classes(report: &RiskReport) -> Markup {
    let sizes = &report.classes;
    html! {
        p { (counted(sizes.count, "class", "classes")) " of " (count(sizes.min)) " to " (count(sizes.max)) ", " (significant(sizes.average)) " on average." }
        (figure("How many classes have which size", &svg::histogram(&sizes.sizes, None, "people")))
    }
}

fn population(report: &RiskReport) -> Markup {
    html! {
        @if let (Some(population), Some(presence)) = (&report.population, &report.presence) {
            p { "The table is " (percent(population.fraction)) " of the population." }
            p { "Counted: " (count(population.uniques)) " of " (counted(population.people, "person", "people")) " in the population "
                (if population.uniques == 1 { "is" } else { "are" }) " unique there; so " (if population.uniques_in_table == 1 { "is " } else { "are " }) (counted(population.uniques_in_table, "row", "rows")) " of the table. "
                "Between " (percent(presence.min)) " and " (percent(presence.max)) " of the people of a class are in the table." }
        }
        @if let Some(found) = &report.estimates { (estimates(found)) }
    }
}

fn estimates(estimates: &Estimates) -> Markup {
    let models = [
        ("Pitman", &estimates.pitman),
        ("Zayatz", &estimates.zayatz),
        ("SNB", &estimates.snb),
        ("Rule of Dankar et al.", &estimates.dankar),
    ];
    html! {
        p { "The table is " (percent(estimates.fraction)) " of the population." }
        table {
            caption { "Unique people in the population, by estimate" }
            thead { tr { th scope="col" { "Estimator" } th scope="col" class="num" { "People" } th scope="col" class="num" { "Of the population" } th scope="col" class="num" { "Of the table's uniques" } } }
            tbody { @for (name, estimate) in models { tr {
                th scope="row" { (name) @if let Some(estimate) = estimate { @if name.starts_with("Rule") { " (" (estimate.estimator) ")" } } }
                @match estimate {
                    Some(estimate) => {
                        td class="num" { (significant(estimate.population_uniques)) }
                        td class="num" { (percent(estimate.share_of_population)) }
                        td class="num" { (percent(estimate.share_of_sample_uniques)) }
                    }
                    None => td colspan="3" { "not defined for these classes" }
                }
            } } }
        }
    }
}

fn columns(report: &RiskReport) -> Markup {
    let rows: Vec<Bar> = report
        .attributes
        .iter()
        .filter_map(|attribute| {
            let value = attribute.contribution?;
            Some(Bar { label: attribute.column.clone(), values: vec![Some((value, percent(value)))] })
        })
        .collect();
    let scale = Scale::from_zero(report.attributes.iter().filter_map(|attribute| attribute.contribution), 5);
    html! {
        table {
            thead { tr { th scope="col" { "Column" } th scope="col" class="num" { "Fewer uniques" } th scope="col" class="num" { "Average risk without" } th scope="col" class="num" { "Contribution" } th scope="col" class="num" { "SUDA share" } } }
            tbody { @for attribute in &report.attributes { tr {
                th scope="row" { (attribute.column) }
                td class="num" { (count(attribute.uniques_fewer)) }
                td class="num" { (percent_fixed(attribute.average_without, 2)) }
                td class="num" { (attribute.contribution.map_or_else(|| "–".to_owned(), |value| percent_fixed(value, 2))) }
                td class="num" { (percent_fixed(attribute.suda_share, 2)) }
            } } }
        }
        @if !rows.is_empty() {
            (figure("Share of rows that become unique by each column, on average", &bars("Contribution of each column", &rows, &[("after", "")], &scale, 760.0)))
        }
    }
}

fn uniques(report: &RiskReport) -> Markup {
    html! {
        table {
            thead { tr { th scope="col" class="num" { "Columns" } th scope="col" class="num" { "Minimal uniques" } } }
            tbody { @for (size, found) in (1u64..).zip(&report.msu.by_size) { tr { td class="num" { (count(size)) } td class="num" { (count(*found)) } } } }
        }
        p { (counted(report.msu.rows, "row has", "rows have")) " at least one; the highest SUDA score is " (significant(report.msu.highest_score)) "." }
    }
}

fn records(report: &RiskReport) -> Markup {
    html! {
        div class="scroll" tabindex="0" role="region" aria-label="Riskiest records" { table class="wide" {
            thead { tr {
                th scope="col" class="num" { "Row" }
                @for name in &report.quasi { th scope="col" { (name) } }
                th scope="col" class="num" { "Class" } th scope="col" class="num" { "Risk" } th scope="col" class="num" { "SUDA" } th scope="col" class="num" { "DIS" } th scope="col" { "Unique by" }
            } }
            tbody { @for record in report.row.iter().chain(&report.records) { tr {
                td class="num" { (record.row) }
                @for name in &report.quasi { td { (record.values.get(name).map_or("", String::as_str)) } }
                td class="num" { (count(record.class_size)) }
                td class="num" { (percent(record.risk)) }
                td class="num" { (significant(record.suda_score)) }
                td class="num" { (significant(record.dis)) }
                td class="text" { (sets(record)) }
            } } }
        } }
    }
}

fn sets(record: &RecordRisk) -> String {
    let shown: Vec<String> = record.minimal_uniques.iter().take(SETS_SHOWN).map(|set| set.join(" + ")).collect();
    let more = record.minimal_uniques.len().saturating_sub(SETS_SHOWN);
    if more > 0 { format!("{}; and {more} more", shown.join("; ")) } else { shown.join("; ") }
}

fn hipaa(report: &RiskReport) -> Markup {
    html! {
        @if report.hipaa.is_empty() { p { "No column was flagged." } } @else {
            table {
                thead { tr { th scope="col" { "Column" } th scope="col" { "Looks like" } th scope="col" { "Because" } th scope="col" class="num" { "Share" } th scope="col" { "Remedy" } } }
                tbody { @for flag in &report.hipaa { tr {
                    th scope="row" { (flag.column) }
                    td { (flag.identifier) " (" (flag.letter) ")" }
                    td class="text" { (flag.reason) }
                    td class="num" { (flag.share.map_or_else(|| "–".to_owned(), percent)) }
                    td class="text" { (flag.remedy) }
                } } }
            }
        }
    }
}
