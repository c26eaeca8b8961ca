//! The frame of a chart over the rows of an experiment: a place for every row, a scale for the figure.

use maud::{Markup, html};
use tamis_page::numbers::fixed;
use tamis_page::svg::{Scale, px};

const WIDTH: f64 = 960.0;
const HEIGHT: f64 = 340.0;
const LEFT: f64 = 60.0;
const RIGHT: f64 = 10.0;
const TOP: f64 = 14.0;
const BOTTOM: f64 = 58.0;

/// Where rows and values lie.
pub(super) struct Panel {
    scale: Scale,
    rows: usize,
    /// How a tick is written: multiplied by this, with this after it.
    unit: (f64, &'static str),
}

impl Panel {
    /// A panel for so many rows that shows all these values and zero.
    pub(super) fn new(rows: usize, values: impl IntoIterator<Item = f64>, unit: (f64, &'static str)) -> Self {
        let scale = Scale::around(values.into_iter().chain([0.0]), 6);
        Self { scale, rows, unit }
    }

    /// The width of a row's place.
    pub(super) fn pitch(&self) -> f64 {
        (WIDTH - LEFT - RIGHT) / self.rows.max(1) as f64
    }

    /// The middle of a row's place.
    pub(super) fn across(&self, row: usize) -> f64 {
        LEFT + self.pitch() * (row as f64 + 0.5)
    }

    /// The height of a value.
    pub(super) fn up(&self, value: f64) -> f64 {
        let floor = HEIGHT - BOTTOM;
        floor - self.scale.place(value, floor - TOP)
    }

    /// Axes, ticks and row labels around the marks.
    pub(super) fn draw(&self, about: &str, labels: &[String], vertical: &str, marks: &Markup) -> Markup {
        let floor = HEIGHT - BOTTOM;
        let right = WIDTH - RIGHT;
        let (factor, unit) = self.unit;
        let middle = f64::midpoint(TOP, floor);
        html! {
            svg class="chart" role="img" aria-label=(about) viewBox={ "0 0 " (px(WIDTH)) " " (px(HEIGHT)) } width=(px(WIDTH)) height=(px(HEIGHT)) {
                @for tick in self.scale.ticks() {
                    line class=(if tick == 0.0 { "zero" } else { "grid" }) x1=(px(LEFT)) y1=(px(self.up(tick))) x2=(px(right)) y2=(px(self.up(tick))) {}
                    text class="soft small" x=(px(LEFT - 6.0)) y=(px(self.up(tick) + 4.0)) text-anchor="end" { (fixed(tick * factor, self.scale.decimals(factor))) (unit) }
                }
                @for (row, label) in labels.iter().enumerate() {
                    @for (line, text) in label.split(", ").enumerate() {
                        text class="soft small" x=(px(self.across(row))) y=(px(floor + 17.0 + 14.0 * line as f64)) text-anchor="middle" { (text) }
                    }
                }
                line class="axis" x1=(px(LEFT)) y1=(px(floor)) x2=(px(right)) y2=(px(floor)) {}
                text class="soft" x="14" y=(px(middle)) text-anchor="middle" transform={ "rotate(-90 14 " (px(middle)) ")" } { (vertical) }
                (marks)
            }
        }
    }
}
