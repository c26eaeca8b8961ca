//! Means with their errors, and distributions.

use super::look::Look;
use super::panel::Panel;
use super::places::Places;
use maud::{Markup, html};
use tamis_appointments::laboratory::experiment::Summary;
use tamis_page::numbers::significant;
use tamis_page::svg::px;

/// A figure over the rows of an experiment; rows without it are left out.
pub(super) struct Series {
    pub(super) name: String,
    pub(super) look: Look,
    pub(super) points: Vec<Option<(Summary, Option<f64>)>>,
}

/// What a chart is about.
pub(super) struct About<'a> {
    /// For those who do not see it.
    pub(super) title: &'a str,
    /// What the vertical axis measures.
    pub(super) vertical: &'a str,
    /// How a value is written: multiplied by this, with this after it.
    pub(super) unit: (f64, &'static str),
}

impl About<'_> {
    fn written(&self, value: f64) -> String {
        format!("{}{}", significant(value * self.unit.0), self.unit.1)
    }
}

/// How far the error bars reach, in standard errors.
const ERRORS: f64 = 2.0;

/// Means over the rows, joined where these are sizes, with bars of two standard errors and rings where something was printed.
pub(super) fn means(about: &About<'_>, places: Places, labels: &[String], series: &[Series]) -> Markup {
    let shown = || series.iter().flat_map(|series| series.points.iter().flatten());
    let reach = |summary: &Summary| ERRORS * summary.standard_error.unwrap_or(0.0);
    let values = shown().flat_map(|(summary, published)| {
        [summary.mean - reach(summary), summary.mean + reach(summary)].into_iter().chain(*published)
    });
    let panel = Panel::new(places, values, about.unit);
    // Categories have room for marks side by side; on an axis a mark stands at its size.
    let apart = (panel.pitch() / (series.len() as f64 + 2.0)).min(16.0);
    let across =
        |row: usize, number: usize| panel.across(row) + apart * (number as f64 - (series.len() as f64 - 1.0) / 2.0);
    let title = |series: &Series, row: usize, summary: &Summary| {
        let error = summary.standard_error.map_or_else(String::new, |error| format!(" ± {}", about.written(error)));
        format!("{}, {}: {}{error}", series.name, labels[row], about.written(summary.mean))
    };
    let marks = html! {
        @for (number, series) in series.iter().enumerate() {
            @let point = |row: usize| series.points[row].as_ref().map(|point| (row, point));
            @let path: Vec<String> = panel.joined().iter().filter_map(|&row| point(row)).map(|(row, (summary, _))| format!("{},{}", px(across(row, number)), px(panel.up(summary.mean)))).collect();
            g class=(series.look.class()) {
                @if path.len() > 1 { polyline class="line" points=(path.join(" ")) {} }
                @for (row, (summary, published)) in (0..series.points.len()).filter_map(point) {
                    @let x = across(row, number);
                    line class="whisker" x1=(px(x)) y1=(px(panel.up(summary.mean - reach(summary)))) x2=(px(x)) y2=(px(panel.up(summary.mean + reach(summary)))) {}
                    @if let Some(published) = published {
                        circle class="published" cx=(px(x)) cy=(px(panel.up(*published))) r="8" { title { (series.name) ", " (labels[row]) ": printed " (about.written(*published)) } }
                    }
                    (series.look.mark(x, panel.up(summary.mean), &title(series, row, summary)))
                }
            }
        }
    };
    panel.draw(about.title, about.vertical, &marks)
}

/// A box from the first to the third quartile of the runs, a line at the median and whiskers from 5% to 95%, for every row.
pub(super) fn boxes(about: &About<'_>, places: Places, labels: &[String], series: &[Series]) -> Markup {
    let shown = || series.iter().flat_map(|series| series.points.iter().flatten());
    let quantiles = shown().flat_map(|(summary, _)| summary.quantiles);
    let panel = Panel::new(places, quantiles, about.unit);
    let room = panel.pitch() * 0.86 / series.len().max(1) as f64;
    let thick = (room * 0.8).min(26.0);
    let middle = (series.len() as f64 - 1.0) / 2.0;
    let marks = html! {
        @for (number, series) in series.iter().enumerate() {
            g class=(series.look.class()) {
                @for (row, point) in series.points.iter().enumerate() {
                    @if let Some((summary, _)) = point {
                        @let x = panel.across(row) + room * (number as f64 - middle);
                        @let [low, first, median, third, high] = summary.quantiles;
                        g {
                            title { (series.name) ", " (labels[row]) ": half of the runs from " (about.written(first)) " to " (about.written(third)) ", median " (about.written(median)) }
                            line class="whisker" x1=(px(x)) y1=(px(panel.up(low))) x2=(px(x)) y2=(px(panel.up(high))) {}
                            rect class="box" x=(px(x - thick / 2.0)) y=(px(panel.up(third))) width=(px(thick)) height=(px(panel.up(first) - panel.up(third))) {}
                            line class="median" x1=(px(x - thick / 2.0)) y1=(px(panel.up(median))) x2=(px(x + thick / 2.0)) y2=(px(panel.up(median))) {}
                        }
                    }
                }
            }
        }
    };
    panel.draw(about.title, about.vertical, &marks)
}
