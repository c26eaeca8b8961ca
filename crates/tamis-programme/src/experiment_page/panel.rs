//! The frame of a chart over the rows of an experiment: a place for every row, a scale for the figure.

use super::places::Places;
use maud::{Markup, html};
use tamis_page::numbers::fixed;
use tamis_page::svg::{Scale, px};

const WIDTH: f64 = 960.0;
const HEIGHT: f64 = 380.0;
const LEFT: f64 = 66.0;
const RIGHT: f64 = 12.0;
const TOP: f64 = 12.0;
/// A line of labels under the axis.
const LINE: f64 = 16.0;
/// A letter of a label, about.
const LETTER: f64 = 7.2;

/// Where rows and values lie.
pub(super) struct Panel {
    places: Places,
    scale: Scale,
    low: f64,
    high: f64,
    /// How a tick is written: multiplied by this, with this after it.
    unit: (f64, &'static str),
    /// The labels of each row, with the line it begins on so that neighbours do not overlap.
    labels: Vec<(usize, Vec<String>)>,
}

impl Panel {
    /// A panel for rows at these places that shows all these values and zero, and little beyond.
    pub(super) fn new(places: Places, values: impl IntoIterator<Item = f64>, unit: (f64, &'static str)) -> Self {
        let values: Vec<f64> = values.into_iter().filter(|value| value.is_finite()).chain([0.0]).collect();
        let (low, high) =
            values.iter().fold((0.0_f64, 0.0_f64), |(low, high), &value| (low.min(value), high.max(value)));
        let span = if high > low { high - low } else { 1.0 };
        let scale = Scale::around(values, 6);
        // Zero is the floor of a chart unless something lies below it.
        let low = if low < 0.0 { low - span * 0.03 } else { 0.0 };
        let high = if high > low { high + span * 0.03 } else { 1.0 };
        let labels = staggered(&places);
        Self { places, scale, low, high, unit, labels }
    }

    /// The width of a row's place if rows have equal places.
    pub(super) fn pitch(&self) -> f64 {
        (WIDTH - LEFT - RIGHT) * self.places.pitch
    }

    /// The middle of a row's place.
    pub(super) fn across(&self, row: usize) -> f64 {
        LEFT + (WIDTH - LEFT - RIGHT) * self.places.middles[row]
    }

    /// The rows a line joins.
    pub(super) fn joined(&self) -> &[usize] {
        &self.places.joined
    }

    /// The height of a value.
    pub(super) fn up(&self, value: f64) -> f64 {
        let part = ((value - self.low) / (self.high - self.low)).clamp(0.0, 1.0);
        let floor = self.floor();
        floor - if part.is_finite() { part } else { 0.0 } * (floor - TOP)
    }

    fn floor(&self) -> f64 {
        let lines = self.labels.iter().map(|(first, lines)| first + lines.len()).max().unwrap_or(0);
        HEIGHT - 10.0 - LINE * lines as f64
    }

    /// Axes, ticks and row labels around the marks.
    pub(super) fn draw(&self, about: &str, vertical: &str, marks: &Markup) -> Markup {
        let floor = self.floor();
        let right = WIDTH - RIGHT;
        let (factor, unit) = self.unit;
        let middle = f64::midpoint(TOP, floor);
        let ticks: Vec<f64> = self.scale.ticks().filter(|&tick| tick >= self.low && tick <= self.high).collect();
        html! {
            svg class="chart" role="img" aria-label=(about) viewBox={ "0 0 " (px(WIDTH)) " " (px(HEIGHT)) } width=(px(WIDTH)) height=(px(HEIGHT)) {
                @for tick in ticks {
                    line class=(if tick == 0.0 { "zero" } else { "grid" }) x1=(px(LEFT)) y1=(px(self.up(tick))) x2=(px(right)) y2=(px(self.up(tick))) {}
                    text class="soft" x=(px(LEFT - 8.0)) y=(px(self.up(tick) + 4.0)) text-anchor="end" { (fixed(tick * factor, self.scale.decimals(factor))) (unit) }
                }
                @for (row, (first, lines)) in self.labels.iter().enumerate() {
                    line class="axis" x1=(px(self.across(row))) y1=(px(floor)) x2=(px(self.across(row))) y2=(px(floor + 4.0 + LINE * *first as f64)) {}
                    @for (line, text) in lines.iter().enumerate() {
                        text class="soft" x=(px(self.across(row))) y=(px(floor + LINE * (*first + line + 1) as f64)) text-anchor="middle" { (text) }
                    }
                }
                line class="axis" x1=(px(LEFT)) y1=(px(floor)) x2=(px(right)) y2=(px(floor)) {}
                text class="soft" x="14" y=(px(middle)) text-anchor="middle" transform={ "rotate(-90 14 " (px(middle)) ")" } { (vertical) }
                (marks)
            }
        }
    }
}

/// Labels in lines; one that would run into its neighbour to the left begins a line lower.
fn staggered(places: &Places) -> Vec<(usize, Vec<String>)> {
    let labels = &places.labels;
    let mut order: Vec<usize> = (0..labels.len()).collect();
    order.sort_by(|&one, &other| places.middles[one].total_cmp(&places.middles[other]));
    let mut ends = [f64::NEG_INFINITY; 3];
    let mut staggered = vec![(0, Vec::new()); labels.len()];
    for row in order {
        let lines: Vec<String> = labels[row].split(", ").map(str::to_owned).collect();
        let longest = lines.iter().map(|line| line.chars().count()).max().unwrap_or(0);
        let half = longest as f64 * LETTER / 2.0 + 1.5;
        let middle = (WIDTH - LEFT - RIGHT) * places.middles[row];
        let first = ends.iter().position(|&end| end <= middle - half).unwrap_or(0);
        let last = (first + lines.len()).min(ends.len());
        ends[first..last].fill(middle + half);
        staggered[row] = (first, lines);
    }
    staggered
}
