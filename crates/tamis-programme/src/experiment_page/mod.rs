//! The page of an experiment: what was found beside what was printed, with plots.

mod charts;
mod look;
mod made;
mod panel;
mod places;

use charts::{About, Series, boxes, means};
use look::Look;
use made::how_it_was_made;
use maud::{Markup, html};
use places::Places;
use tamis_appointments::laboratory::experiment::{Arm, Outcome, Row, Summary};
use tamis_page::document::{figure, notes, section, styled_document};
use tamis_page::numbers::{count, fixed, percent_fixed};

const STYLE: &str = include_str!("style.css");

const IMPROVEMENT: &str = "Everybody's appointment joins what is known about them, and crowds fall apart into cells. All vectors of cell \
    sizes have a place in one order, from everybody alone to everybody together. The improvement of one schedule over another is how many \
    places it is ahead, as a share of the place before there were any appointments.";

const DISTRIBUTION: &str = "Populations differ: each box holds the middle half of the runs, the line in it is the median, and the whiskers \
    reach from the fifth to the ninety-fifth percentile. The settings stand at equal distances.";

const FIGURES: &str = "Means in percent ± their standard errors in percentage points, which a single run does not have; printed figures as the \
    sources give them.";

const SMALLEST: &str = "k is the size of the smallest cell: with k = 1 somebody stands alone and can be found by appointment and \
    quasi-identifier together. Proved is the share of schedules of which the method itself showed that nothing is better; others may be \
    optimal all the same.";

/// Renders the outcome of an experiment as a self-contained HTML document: no script, nothing fetched, every text escaped.
pub fn experiment_page(outcome: &Outcome, version: &str) -> String {
    let labels: Vec<String> = outcome.rows.iter().map(|row| row.label.clone()).collect();
    let improvements = improvements(outcome);
    let smallest = smallest_cells(outcome);
    let runs: u64 = outcome.rows.iter().map(|row| row.runs).sum();
    let places = Places::of(&outcome.rows);
    let axis = if places.is_logarithmic() { "; logarithmic axis of sizes" } else { "" };
    let percent = (100.0, "%");
    let mean = About { title: "Mean improvement by setting", vertical: "improvement", unit: percent };
    let single = About { title: "Distribution of the improvement by setting", vertical: "improvement", unit: percent };
    let k = About { title: "Mean k by setting", vertical: "k", unit: (1.0, "") };
    let body = html! {
        header {
            p class="kind" { "Experiment with appointments" }
            h1 { (outcome.title) }
            p class="verdict" { (count(runs)) " problems in " (outcome.rows.len()) " settings, scheduled by " (arms(outcome)) "; seed " (outcome.seed) "." }
        }
        (notes(&outcome.notes))
        @if !improvements.is_empty() {
            (section("improvement", "Improvement", IMPROVEMENT, &html! {
                (legend(&improvements, true))
                (figure(&format!("Mean improvement with bars of two standard errors{axis}"), &scrolling("Chart of improvements", &means(&mean, places.clone(), &labels, &improvements))))
            }))
            (section("figures", "Figures", FIGURES, &improvement_table(outcome)))
            (section("distribution", "Distribution over the runs", DISTRIBUTION, &html! {
                (legend(&improvements, false))
                (figure("Improvement of single runs", &scrolling("Chart of distributions", &boxes(&single, Places::equal(&outcome.rows), &labels, &improvements))))
            }))
        }
        (section("k", "The smallest cell", SMALLEST, &html! {
            (legend(&smallest, true))
            (figure(&format!("Mean k with bars of two standard errors{axis}"), &scrolling("Chart of smallest cells", &means(&k, places, &labels, &smallest))))
            (arm_table(outcome))
        }))
        (how_it_was_made(outcome))
    };
    styled_document(&outcome.title, version, STYLE, &body)
}

/// What may be wider than the window: it scrolls by itself, and says so where that happens.
fn scrolling(about: &str, content: &Markup) -> Markup {
    html! {
        p class="aside" { "Scroll sideways to see all of it." }
        div class="scroll" tabindex="0" role="region" aria-label=(about) { (content) }
    }
}

fn arms(outcome: &Outcome) -> String {
    let names =
        outcome.rows.first().map_or_else(Vec::new, |row| row.arms.iter().map(|arm| described(arm.arm)).collect());
    tamis_page::document::listed(&names)
}

/// What an arm is, for somebody who does not know the names.
fn described(arm: Arm) -> String {
    use tamis_appointments::Method;
    let text = match arm {
        Arm::Drawn => "random appointments as the authors' program draws them (drawn)",
        Arm::Method(Method::Random) => "people who draw places (random)",
        Arm::Method(Method::Best) => "the optimum, or the best found in seconds (best)",
        Arm::Method(Method::Exact) => "the proven optimum (exact)",
        Arm::Method(Method::Heuristic) => "Tamis' own (heuristic)",
        Arm::Method(Method::Greatest) => "the largest capacity left (greatest)",
        Arm::Method(Method::Half) => "Algorithm 2 as printed (half)",
        Arm::Method(Method::Authors) => "the authors' rule (authors)",
    };
    text.to_owned()
}

/// One series per comparison that any row has.
fn improvements(outcome: &Outcome) -> Vec<Series> {
    let Some(fullest) = outcome.rows.iter().max_by_key(|row| row.comparisons.len()) else { return Vec::new() };
    let series = fullest.comparisons.iter().map(|figures| {
        let comparison = figures.comparison;
        let point = |row: &Row| {
            row.comparison(comparison.of, comparison.over).map(|figures| (figures.improvement, figures.published))
        };
        Series {
            name: comparison.to_string(),
            look: Look::of_comparison(comparison),
            points: outcome.rows.iter().map(point).collect(),
        }
    });
    series.collect()
}

fn smallest_cells(outcome: &Outcome) -> Vec<Series> {
    let arms = outcome.rows.first().map_or_else(Vec::new, |row| row.arms.iter().map(|figures| figures.arm).collect());
    let series = arms.into_iter().map(|arm| {
        let point = |row: &Row| row.arm(arm).map(|figures| (figures.k, figures.published_k));
        Series { name: arm.to_string(), look: Look::Of(arm), points: outcome.rows.iter().map(point).collect() }
    });
    series.collect()
}

/// What the colours mean, and the rings if they are drawn.
fn legend(series: &[Series], with_printed: bool) -> Markup {
    let is_printed =
        series.iter().flat_map(|series| series.points.iter().flatten()).any(|(_, printed)| printed.is_some());
    html! {
        ul class="legend" {
            @for series in series { li { (series.look.sample()) (series.name) } }
            @if with_printed && is_printed { li { span class="swatch hollow" aria-hidden="true" {} "printed in the source" } }
        }
    }
}

fn improvement_table(outcome: &Outcome) -> Markup {
    let series = improvements(outcome);
    html! {
        (scrolling("Table of improvements", &html! { table class="wide" {
            caption { "Mean improvement, smallest and largest of a run" }
            thead { tr {
                th scope="col" { "Setting" }
                th scope="col" class="num" { "Runs" }
                @for series in &series { th scope="col" class="num" { (series.name) } }
            } }
            tbody { @for (at, row) in outcome.rows.iter().enumerate() { tr {
                th scope="row" { (row.label) }
                td class="num" { (count(row.runs)) }
                @for series in &series { td class="num" {
                    @if let Some((summary, printed)) = &series.points[at] { (mean_in_percent(summary, *printed)) } @else { "–" }
                } }
            } } }
        } }))
    }
}

fn mean_in_percent(summary: &Summary, printed: Option<f64>) -> Markup {
    html! {
        (percent_fixed(summary.mean, 1)) small { " ± " (error_of(summary, 100.0)) }
        @if let Some(printed) = printed { br; small { "printed " (percent_fixed(printed, 1)) } }
        br; small { (fixed(summary.minimum * 100.0, 1)) " to " (percent_fixed(summary.maximum, 1)) }
    }
}

/// The standard error, multiplied; a dash for a single run.
fn error_of(summary: &Summary, factor: f64) -> String {
    summary.standard_error.map_or_else(|| "–".to_owned(), |error| fixed(error * factor, 2))
}

fn arm_table(outcome: &Outcome) -> Markup {
    let arms: Vec<Arm> =
        outcome.rows.first().map_or_else(Vec::new, |row| row.arms.iter().map(|figures| figures.arm).collect());
    html! {
        (scrolling("Table of smallest cells", &html! { table class="wide" {
            caption { "Mean k, share of people who stand alone, and of schedules proved optimal" }
            thead { tr {
                th scope="col" { "Setting" }
                @for arm in &arms { th scope="col" class="num" { (arm) } }
            } }
            tbody { @for row in &outcome.rows { tr {
                th scope="row" { (row.label) }
                @for &arm in &arms { td class="num" {
                    @if let Some(figures) = row.arm(arm) {
                        (fixed(figures.k.mean, 2)) small { " ± " (error_of(&figures.k, 1.0)) }
                        @if let Some(printed) = figures.published_k { br; small { "printed " (fixed(printed, 2)) } }
                        br; small { (percent_fixed(figures.alone.mean, 1)) " alone" }
                        @if figures.proved > 0.0 { br; small { (percent_fixed(figures.proved, 0)) " proved" } }
                    }
                } }
            } } }
        } }))
    }
}
