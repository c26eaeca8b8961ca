//! Horizontal bars: one row per label, one bar per series.

use maud::{Markup, html};

use super::{Scale, label::fit, px};

/// One row of a bar chart.
pub struct Bar {
    /// Text at the left.
    pub label: String,
    /// One bar per series: its length and the text at its end; `None` leaves the place empty.
    pub values: Vec<Option<(f64, String)>>,
}

const LABELS: f64 = 150.0;
const VALUES: f64 = 118.0;
const THICK: f64 = 13.0;
const GAP: f64 = 9.0;

/// Draws bars on a common scale. `series` gives each one's colour class and its name for the reader of a tooltip.
pub fn bars(about: &str, rows: &[Bar], series: &[(&str, &str)], scale: &Scale, width: f64) -> Markup {
    let pitch = THICK * series.len().max(1) as f64 + GAP;
    let height = pitch * rows.len() as f64 + 4.0;
    // A bar without a partner stands in the middle of its row.
    let middle = (series.len() as f64 - 1.0) / 2.0;
    let room = width - LABELS - VALUES;
    html! {
        svg class="chart" role="img" aria-label=(about) viewBox={ "0 0 " (px(width)) " " (px(height)) } width=(px(width)) height=(px(height)) {
            @for (i, row) in rows.iter().enumerate() {
                @let top = pitch * i as f64 + GAP / 2.0;
                text class="ink" x=(px(LABELS - 8.0)) y=(px(top + (pitch - GAP) / 2.0 + 4.0)) text-anchor="end" {
                    title { (row.label) }
                    (fit(&row.label, LABELS - 10.0))
                }
                @for (j, (value, (class, name))) in row.values.iter().zip(series).enumerate() {
                    @if let Some((value, text)) = value {
                        @let y = top + THICK * if row.values.iter().flatten().count() == 1 { middle } else { j as f64 };
                        @let length = scale.place(*value, room);
                        rect class=(class) x=(px(LABELS)) y=(px(y + 0.5)) width=(px(length)) height=(px(THICK - 1.0)) {
                            title { (row.label) ": " (text) @if !name.is_empty() { " (" (name) ")" } }
                        }
                        text class="soft small" x=(px(LABELS + length + 5.0)) y=(px(y + THICK - 3.0)) { (text) }
                    }
                }
            }
            line class="axis" x1=(px(LABELS)) y1="0" x2=(px(LABELS)) y2=(px(height)) {}
        }
    }
}
