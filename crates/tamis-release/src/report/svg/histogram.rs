//! Class sizes on a logarithmic axis, each bin twice as wide as the one before.

use maud::{Markup, html};

use super::{Scale, px};
use crate::report::numbers::{count, counted, fixed};

/// Sizes `from..=to`, the classes of such a size and the rows in them.
#[derive(Debug, PartialEq, Eq)]
struct Bin {
    from: u64,
    to: u64,
    classes: u64,
    rows: u64,
}

/// Bins start at `k`, so that what k-anonymity forbids is a bin of its own, left of the line.
fn bins(sizes: &[(u64, u64)], k: Option<u64>) -> Vec<Bin> {
    let sizes = || sizes.iter().copied().filter(|&(size, classes)| size > 0 && classes > 0);
    let Some(largest) = sizes().map(|(size, _)| size).max() else { return Vec::new() };
    let start = k.unwrap_or(1).max(1);
    let mut edges = Vec::new();
    if sizes().any(|(size, _)| size < start) {
        edges.push(1);
    }
    let mut edge = start;
    while edge <= largest {
        edges.push(edge);
        let Some(next) = edge.checked_mul(2) else { break };
        edge = next;
    }
    let mut bins: Vec<Bin> = edges
        .iter()
        .enumerate()
        .map(|(i, &from)| {
            let next =
                edges.get(i + 1).copied().or_else(|| if from < start { Some(start) } else { from.checked_mul(2) });
            Bin { from, to: next.map_or(u64::MAX, |next| next - 1), classes: 0, rows: 0 }
        })
        .collect();
    for (size, classes) in sizes() {
        let at = bins.partition_point(|bin| bin.to < size);
        if let Some(bin) = bins.get_mut(at) {
            bin.classes = bin.classes.saturating_add(classes);
            bin.rows = bin.rows.saturating_add(size.saturating_mul(classes));
        }
    }
    bins
}

const WIDTH: f64 = 760.0;
const HEIGHT: f64 = 290.0;
const LEFT: f64 = 62.0;
const TOP: f64 = 46.0;
const BOTTOM: f64 = 46.0;

/// Draws the number of classes by size, with a line at `k`; nothing if there are no classes.
pub(in crate::report) fn histogram(sizes: &[(u64, u64)], k: Option<u64>, unit: &str) -> Markup {
    let bins = bins(sizes, k);
    if bins.is_empty() {
        return html! {};
    }
    let scale = Scale::from_zero(bins.iter().map(|bin| bin.classes as f64), 5);
    let column = ((WIDTH - LEFT - 10.0) / bins.len() as f64).min(110.0);
    let right = LEFT + column * bins.len() as f64;
    let floor = HEIGHT - BOTTOM;
    let up = |value: f64| floor - scale.place(value, floor - TOP);
    let line = k.and_then(|k| bins.iter().position(|bin| bin.from >= k).map(|i| (k, LEFT + column * i as f64)));
    let size = |from, to| if from == to { count(from) } else { format!("{}–{}", count(from), count(to)) };
    // Nineteen-digit sizes do not fit under a column; their bin's start says enough.
    let tick = |bin: &Bin| Some(size(bin.from, bin.to)).filter(|text| text.len() as f64 * 6.0 < column + 8.0);
    html! {
        svg class="chart" role="img" aria-label="Number of classes by class size" viewBox={ "0 0 " (px(WIDTH)) " " (px(HEIGHT)) } width=(px(WIDTH)) height=(px(HEIGHT)) {
            @for tick in scale.ticks() {
                line class="grid" x1=(px(LEFT)) y1=(px(up(tick))) x2=(px(right)) y2=(px(up(tick))) {}
                text class="soft small" x=(px(LEFT - 6.0)) y=(px(up(tick) + 4.0)) text-anchor="end" { (fixed(tick, scale.decimals(1.0))) }
            }
            @for (i, bin) in bins.iter().enumerate() {
                @let x = LEFT + column * i as f64;
                @let top = up(bin.classes as f64);
                rect class=(if k.is_some_and(|k| bin.to < k) { "warn" } else { "after" }) x=(px(x + 2.0)) y=(px(top)) width=(px(column - 4.0)) height=(px(floor - top)) {
                    title { "Size " (size(bin.from, bin.to)) ": " (counted(bin.classes, "class", "classes")) ", " (count(bin.rows)) " " (unit) }
                }
                @if bin.classes > 0 {
                    text class="ink small" x=(px(x + column / 2.0)) y=(px(top - 5.0)) text-anchor="middle" { (count(bin.classes)) }
                }
                @if let Some(text) = tick(bin) {
                    text class="soft small" x=(px(x + column / 2.0)) y=(px(floor + 16.0)) text-anchor="middle" { (text) }
                }
            }
            line class="axis" x1=(px(LEFT)) y1=(px(floor)) x2=(px(right)) y2=(px(floor)) {}
            @if let Some((k, x)) = line {
                line class="mark" x1=(px(x)) y1="8" x2=(px(x)) y2=(px(floor + 6.0)) {}
                text class="marktext" x=(px(x + 6.0)) y="17" { "k = " (count(k)) }
            }
            text class="soft" x=(px(f64::midpoint(LEFT, right))) y=(px(HEIGHT - 8.0)) text-anchor="middle" { (unit) " in the class (each bin is twice as wide as the one before)" }
            text class="soft" x="14" y=(px(f64::midpoint(TOP, floor))) text-anchor="middle" transform={ "rotate(-90 14 " (px(f64::midpoint(TOP, floor))) ")" } { "classes" }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bins_start_at_k_and_double() {
        let found = bins(&[(5, 72), (9, 1), (10, 3), (41, 1)], Some(5));
        assert_eq!(
            found.iter().map(|b| (b.from, b.to, b.classes)).collect::<Vec<_>>(),
            [(5, 9, 73), (10, 19, 3), (20, 39, 0), (40, 79, 1)]
        );
        assert_eq!(found[0].rows, 369);
    }

    #[test]
    fn classes_below_k_are_a_bin_of_their_own() {
        let found = bins(&[(1, 4), (2, 1), (6, 1)], Some(5));
        assert_eq!(found.iter().map(|b| (b.from, b.to, b.classes)).collect::<Vec<_>>(), [(1, 4, 5), (5, 9, 1)]);
        let below = bins(&[(1, 4)], Some(5));
        assert_eq!(below, [Bin { from: 1, to: 4, classes: 4, rows: 4 }]);
    }

    #[test]
    fn extremes() {
        assert!(bins(&[], Some(5)).is_empty());
        assert!(bins(&[(0, 3), (3, 0)], None).is_empty());
        let huge = bins(&[(u64::MAX, u64::MAX), (1, 1)], None);
        assert_eq!(huge.len(), 64);
        assert_eq!(huge[63].classes, u64::MAX);
    }
}
