//! Drawings as inline SVG: no script, colours from the page's style sheet by class, a `<title>` on every mark.

mod bars;
mod label;
mod lines;
mod scale;

pub use bars::{Bar, bars};
pub use lines::{Axis, LineChart, Point, line_chart};
pub use scale::Scale;

/// A coordinate: one decimal is a tenth of a pixel, and an attribute never holds `NaN`.
pub fn px(value: f64) -> String {
    if value.is_finite() { format!("{:.1}", value.clamp(-1e6, 1e6)) } else { "0".to_owned() }
}
