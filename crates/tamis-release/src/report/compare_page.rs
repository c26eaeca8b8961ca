//! The page that sets many settings side by side.

use maud::{Markup, html};

use super::document::{document, legend, notes, section};
use super::numbers::{count, exact, fixed, percent, percent_fixed, significant};
use super::svg::{Axis, LineChart, Point, Scale, line_chart};
use super::{CompareReport, CompareRow, Figure};

const CHARTS: &str = "Stronger protection costs more detail. Each dot is one setting with its best transformation. Loss runs from 0% \
    (untouched) to 100% (everything suppressed); average risk is the chance of picking the right row for a released person, \
    averaged over the released rows. Charts of the same figure share one vertical scale. Larger k and l protect more, larger t protects less.";

const TABLE: &str = "One line per setting. A class is a group of rows that look the same in the quasi-identifying attributes; \
    the highest risk is that of the smallest class.";

/// Renders a comparison as a self-contained HTML document.
pub fn compare_page(report: &CompareReport) -> String {
    let title = if report.title.is_empty() { "Comparison" } else { &report.title };
    let body = html! {
        header {
            p class="kind" { "Comparison of privacy settings" }
            h1 { (title) }
            p class="verdict" { (opening(report)) }
        }
        (notes(&report.notes))
        @if !report.rows.is_empty() {
            (section("charts", "What protection costs", CHARTS, &charts(report)))
            (section("settings", "All settings", TABLE, &table(report)))
        }
    };
    document(title, &report.version, &body)
}

fn opening(report: &CompareReport) -> String {
    let settings = match report.rows.len() {
        0 => return "No setting was compared.".to_owned(),
        1 => "1 setting".to_owned(),
        n => format!("{n} settings"),
    };
    let (mut published, mut agree) = (0, 0);
    for value in report.rows.iter().flat_map(|row| &row.published) {
        published += 1;
        agree += u64::from(value.agrees);
    }
    let finite = || report.rows.iter().map(|row| row.loss).filter(|loss| loss.is_finite());
    let range = match (finite().min_by(f64::total_cmp), finite().max_by(f64::total_cmp)) {
        (Some(least), Some(most)) => {
            format!("{settings}, with a loss between {} and {}.", percent(least), percent(most))
        }
        _ => format!("{settings}."),
    };
    match published {
        0 => range,
        _ if agree == published => format!("{range} All {} published reference values agree.", count(published)),
        _ => format!("{range} {} of {} published reference values agree.", count(agree), count(published)),
    }
}

/// The families in order of appearance, each with its rows.
fn families(rows: &[CompareRow]) -> Vec<(&str, Vec<&CompareRow>)> {
    let mut families: Vec<(&str, Vec<&CompareRow>)> = Vec::new();
    for row in rows {
        match families.iter_mut().find(|(name, _)| *name == row.family) {
            Some((_, members)) => members.push(row),
            None => families.push((&row.family, vec![row])),
        }
    }
    families
}

fn published(row: &CompareRow, figure: Figure) -> Option<f64> {
    row.published.iter().find(|p| p.figure == figure).map(|p| p.value)
}

/// What a row of charts draws: its name, the published figure beside it, and where a row holds it.
type Drawn = (&'static str, Figure, fn(&CompareRow) -> f64);

fn charts(report: &CompareReport) -> Markup {
    let mut families = families(&report.rows);
    // Models of different kinds have no parameter in common to draw them along.
    families.retain(|(family, _)| *family != "model");
    let figures: [Drawn; 2] =
        [("Loss", Figure::Loss, |row| row.loss), ("Average risk", Figure::RiskAverage, |row| row.risk_average)];
    let any = report.rows.iter().any(|row| figures.iter().any(|(_, figure, _)| published(row, *figure).is_some()));
    html! {
        @if any { (legend(&[("dot", "this comparison"), ("ring", "published value")])) }
        @for (name, which, value) in figures {
            @let scale = Scale::from_zero(report.rows.iter().flat_map(|row| [value(row)].into_iter().chain(published(row, which))), 5);
            figure aria-label=(name) {
                div class="triple" {
                    @for (family, rows) in &families {
                        (line_chart(&LineChart {
                            title: format!("{name} against {family}"),
                            x: Axis { name: family, scale: Scale::around(rows.iter().map(|row| row.parameter), 6) },
                            y: Axis { name, scale: scale.clone() },
                            points: rows.iter().map(|row| Point {
                                x: row.parameter,
                                y: value(row),
                                published: published(row, which),
                                title: format!("{}: {} {}", row.setting, name.to_lowercase(), percent(value(row))),
                            }).collect(),
                        }))
                    }
                }
            }
        }
    }
}

fn table(report: &CompareReport) -> Markup {
    let any = report.rows.iter().any(|row| !row.published.is_empty());
    html! {
        div class="scroll" tabindex="0" role="region" aria-label="Table of all settings" { table class="wide" {
            caption { "Figures of every setting" }
            thead { tr {
                th scope="col" { "Setting" }
                @for name in ["Loss", "Average risk", "Highest risk", "At risk", "Classes", "Average size", "Kept", "Suppressed"] {
                    th scope="col" class="num" { (name) }
                }
                th scope="col" { "Levels" }
                th scope="col" class="num" { "Seconds" }
                @if any { th scope="col" { "Published" } }
            } }
            @for (_, rows) in families(&report.rows) {
                tbody class="family" { @for row in rows { (line(row, any)) } }
            }
        } }
        @if !report.attributes.is_empty() {
            p class="explain" { "Levels are given in the order " (report.attributes.join(", ")) "; 0 leaves an attribute as it is." }
        }
        @if !report.reference.is_empty() { p class="explain" { "Published values: " (report.reference) } }
    }
}

fn line(row: &CompareRow, with_published: bool) -> Markup {
    html! {
        tr {
            th scope="row" { (row.setting) }
            td class="num" title=(exact(row.loss)) { (percent_fixed(row.loss, 2)) }
            td class="num" title=(exact(row.risk_average)) { (percent_fixed(row.risk_average, 3)) }
            td class="num" title=(exact(row.risk_max)) { (percent_fixed(row.risk_max, 2)) }
            td class="num" title=(exact(row.at_risk)) { (percent_fixed(row.at_risk, 2)) }
            td class="num" { (count(row.classes)) }
            td class="num" title=(exact(row.average)) { (fixed(row.average, 2)) }
            td class="num" { (count(row.kept)) }
            td class="num" { (count(row.suppressed)) }
            td class="levels" { (row.levels) }
            td class="num" { (fixed(row.seconds, 3)) }
            @if with_published { td { (agreement(row)) } }
        }
    }
}

fn agreement(row: &CompareRow) -> Markup {
    let different: Vec<String> = row
        .published
        .iter()
        .filter(|p| !p.agrees)
        .map(|p| format!("{} {}", name(p.figure), shown(p.figure, p.value)))
        .collect();
    html! {
        @if row.published.is_empty() { "–" }
        @else if different.is_empty() { span class="good" { "✓ agrees" } }
        @else { span class="bad" { "✗ published: " (different.join(", ")) } }
    }
}

fn name(figure: Figure) -> &'static str {
    match figure {
        Figure::Loss => "loss",
        Figure::RiskAverage => "average risk",
        Figure::RiskMax => "highest risk",
        Figure::AtRisk => "at risk",
        Figure::Classes => "classes",
        Figure::Average => "average size",
        Figure::Kept => "kept",
        Figure::Suppressed => "suppressed",
    }
}

fn shown(figure: Figure, value: f64) -> String {
    match figure {
        Figure::Loss | Figure::RiskAverage | Figure::RiskMax | Figure::AtRisk => percent(value),
        Figure::Average => significant(value),
        Figure::Classes | Figure::Kept | Figure::Suppressed => fixed(value, 0),
    }
}
