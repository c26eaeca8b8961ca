//! Means with their errors, and distributions.

use super::panel::Panel;
use maud::{Markup, html};
use tamis_appointments::laboratory::experiment::Summary;
use tamis_page::numbers::significant;
use tamis_page::svg::px;

/// A figure over the rows of an experiment; rows without it are left out.
pub(super) struct Series {
    pub(super) name: String,
    pub(super) points: Vec<Option<(Summary, Option<f64>)>>,
}

/// How far the error bars reach, in standard errors.
const ERRORS: f64 = 2.0;

/// The colour class of a series.
pub(super) fn colour(series: usize) -> String {
    format!("s{}", series % 6)
}

/// Means as lines over the rows, with bars of two standard errors and rings where something was printed.
pub(super) fn means(
    about: &str,
    labels: &[String],
    vertical: &str,
    unit: (f64, &'static str),
    series: &[Series],
) -> Markup {
    let shown = || series.iter().flat_map(|series| series.points.iter().flatten());
    let values = shown().flat_map(|(summary, published)| {
        let reach = ERRORS * summary.standard_error;
        [summary.mean - reach, summary.mean + reach].into_iter().chain(*published)
    });
    let panel = Panel::new(labels.len(), values, unit);
    // Series are set a little apart so that their error bars do not hide each other.
    let apart = (panel.pitch() / (series.len() as f64 + 2.0)).min(7.0);
    let across =
        |row: usize, number: usize| panel.across(row) + apart * (number as f64 - (series.len() as f64 - 1.0) / 2.0);
    let written = |value: f64| format!("{}{}", significant(value * unit.0), unit.1);
    let marks = html! {
        @for (number, series) in series.iter().enumerate() {
            @let points: Vec<_> = series.points.iter().enumerate().filter_map(|(row, point)| point.as_ref().map(|point| (row, point))).collect();
            // A row that differs in more than its size is no point of the line.
            @let path: Vec<String> = points.iter().filter(|(row, _)| !labels[*row].contains(", ")).map(|(row, (summary, _))| format!("{},{}", px(across(*row, number)), px(panel.up(summary.mean)))).collect();
            g class=(colour(number)) {
                polyline class="line" points=(path.join(" ")) {}
                @for (row, (summary, published)) in points {
                    @let x = across(row, number);
                    @let reach = ERRORS * summary.standard_error;
                    line class="whisker" x1=(px(x)) y1=(px(panel.up(summary.mean - reach))) x2=(px(x)) y2=(px(panel.up(summary.mean + reach))) {}
                    @if let Some(published) = published {
                        circle class="published" cx=(px(x)) cy=(px(panel.up(*published))) r="6" { title { (series.name) ", " (labels[row]) ": printed " (written(*published)) } }
                    }
                    circle class="point" cx=(px(x)) cy=(px(panel.up(summary.mean))) r="3" {
                        title { (series.name) ", " (labels[row]) ": " (written(summary.mean)) " ± " (written(summary.standard_error)) }
                    }
                }
            }
        }
    };
    panel.draw(about, labels, vertical, &marks)
}

/// A box from the first to the third quartile of the runs, a line at the median and whiskers from 5% to 95%, for every row.
pub(super) fn boxes(
    about: &str,
    labels: &[String],
    vertical: &str,
    unit: (f64, &'static str),
    series: &[Series],
) -> Markup {
    let shown = || series.iter().flat_map(|series| series.points.iter().flatten());
    let panel = Panel::new(labels.len(), shown().flat_map(|(summary, _)| summary.quantiles), unit);
    let room = panel.pitch() * 0.86 / series.len().max(1) as f64;
    let thick = (room * 0.8).min(26.0);
    let middle = (series.len() as f64 - 1.0) / 2.0;
    let written = |value: f64| format!("{}{}", significant(value * unit.0), unit.1);
    let marks = html! {
        @for (number, series) in series.iter().enumerate() {
            g class=(colour(number)) {
                @for (row, point) in series.points.iter().enumerate() {
                    @if let Some((summary, _)) = point {
                        @let x = panel.across(row) + room * (number as f64 - middle);
                        @let [low, first, median, third, high] = summary.quantiles;
                        g {
                            title { (series.name) ", " (labels[row]) ": half of the runs from " (written(first)) " to " (written(third)) ", median " (written(median)) }
                            line class="whisker" x1=(px(x)) y1=(px(panel.up(low))) x2=(px(x)) y2=(px(panel.up(high))) {}
                            rect class="box" x=(px(x - thick / 2.0)) y=(px(panel.up(third))) width=(px(thick)) height=(px(panel.up(first) - panel.up(third))) {}
                            line class="median" x1=(px(x - thick / 2.0)) y1=(px(panel.up(median))) x2=(px(x + thick / 2.0)) y2=(px(panel.up(median))) {}
                        }
                    }
                }
            }
        }
    };
    panel.draw(about, labels, vertical, &marks)
}
