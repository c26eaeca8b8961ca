//! One figure against one parameter: a line with a dot per setting.

use maud::{Markup, html};

use super::{Scale, px};
use crate::numbers::{fixed, percent_fixed};

/// One dot.
pub struct Point {
    /// The parameter.
    pub x: f64,
    /// The figure.
    pub y: f64,
    /// A value published for the same setting, drawn as a ring.
    pub published: Option<f64>,
    /// The tooltip.
    pub title: String,
}

/// An axis: what it measures and its scale.
pub struct Axis<'a> {
    /// Text beside the axis.
    pub name: &'a str,
    /// Its ticks.
    pub scale: Scale,
}

/// A small chart; the vertical axis is a share, written in percent.
pub struct LineChart<'a> {
    /// Heading above the drawing.
    pub title: String,
    /// The parameter.
    pub x: Axis<'a>,
    /// The figure.
    pub y: Axis<'a>,
    /// The settings in any order.
    pub points: Vec<Point>,
}

const WIDTH: f64 = 340.0;
const HEIGHT: f64 = 240.0;
const LEFT: f64 = 48.0;
/// Keeps a dot at the lowest parameter off the vertical axis and its numbers.
const INSET: f64 = 12.0;
const RIGHT: f64 = 8.0;
const TOP: f64 = 34.0;
const BOTTOM: f64 = 42.0;

/// Draws the chart; points that are not numbers are left out.
pub fn line_chart(chart: &LineChart<'_>) -> Markup {
    let floor = HEIGHT - BOTTOM;
    let right = WIDTH - RIGHT;
    let across = |value: f64| LEFT + INSET + chart.x.scale.place(value, right - LEFT - 2.0 * INSET);
    let up = |value: f64| floor - chart.y.scale.place(value, floor - TOP);
    let mut points: Vec<&Point> = chart.points.iter().filter(|p| p.x.is_finite() && p.y.is_finite()).collect();
    points.sort_by(|a, b| a.x.total_cmp(&b.x));
    let path: Vec<String> = points.iter().map(|p| format!("{},{}", px(across(p.x)), px(up(p.y)))).collect();
    html! {
        svg class="chart" role="img" aria-label=(chart.title) viewBox={ "0 0 " (px(WIDTH)) " " (px(HEIGHT)) } width=(px(WIDTH)) height=(px(HEIGHT)) {
            text class="ink strong" x="4" y="16" { (chart.title) }
            @for tick in chart.y.scale.ticks() {
                line class="grid" x1=(px(LEFT)) y1=(px(up(tick))) x2=(px(right)) y2=(px(up(tick))) {}
                text class="soft small" x=(px(LEFT - 6.0)) y=(px(up(tick) + 4.0)) text-anchor="end" { (percent_fixed(tick, chart.y.scale.decimals(100.0))) }
            }
            @for tick in chart.x.scale.ticks() {
                line class="axis" x1=(px(across(tick))) y1=(px(floor)) x2=(px(across(tick))) y2=(px(floor + 4.0)) {}
                text class="soft small" x=(px(across(tick))) y=(px(floor + 16.0)) text-anchor="middle" { (fixed(tick, chart.x.scale.decimals(1.0))) }
            }
            line class="axis" x1=(px(LEFT)) y1=(px(floor)) x2=(px(right)) y2=(px(floor)) {}
            text class="soft" x=(px(f64::midpoint(LEFT, right))) y=(px(HEIGHT - 8.0)) text-anchor="middle" { (chart.x.name) }
            polyline class="trend" points=(path.join(" ")) {}
            @for point in points {
                @if let Some(published) = point.published.filter(|p| p.is_finite()) {
                    circle class="ring" cx=(px(across(point.x))) cy=(px(up(published))) r="6" {}
                }
                circle class="dot" cx=(px(across(point.x))) cy=(px(up(point.y))) r="3.2" { title { (point.title) } }
            }
        }
    }
}
