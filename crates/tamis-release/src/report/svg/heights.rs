//! A large lattice by height: how many transformations, how many evaluated, where the solution lies.

use maud::{Markup, html};

use super::{Scale, px};
use crate::report::{LatticeReport, NodeStatus, numbers::significant};

const WIDTH: f64 = 940.0;
const HEIGHT: f64 = 250.0;
const LEFT: f64 = 74.0;
const TOP: f64 = 34.0;
const BOTTOM: f64 = 44.0;
/// More heights than this are not drawn; a lattice has the sum of its attributes' levels, a few dozen.
const MOST: usize = 400;

/// Number of level vectors of each height: the product of the polynomials `1 + x + ... + x^m`.
fn by_height(maximum: &[usize]) -> Option<Vec<f64>> {
    let top = maximum.iter().try_fold(0_usize, |sum, &m| sum.checked_add(m)).filter(|&top| top < MOST)?;
    let mut counts = vec![0.0; top + 1];
    counts[0] = 1.0;
    for &m in maximum {
        let before = counts.clone();
        for (h, count) in counts.iter_mut().enumerate() {
            *count = before[h.saturating_sub(m)..=h].iter().sum();
        }
    }
    Some(counts)
}

/// Draws the strip, or returns `None` if the lattice is too tall to draw.
pub(in crate::report) fn heights(lattice: &LatticeReport) -> Option<Markup> {
    let counts = by_height(&lattice.maximum)?;
    let mut evaluated = vec![0.0; counts.len()];
    for node in lattice.nodes.iter().filter(|node| node.status != NodeStatus::Pruned) {
        if let Some(slot) = height(&node.levels).and_then(|h| evaluated.get_mut(h)) {
            *slot += 1.0;
        }
    }
    let scale = Scale::from_zero(counts.iter().copied(), 5);
    let column = ((WIDTH - LEFT - 10.0) / counts.len() as f64).min(60.0);
    let right = LEFT + column * counts.len() as f64;
    let floor = HEIGHT - BOTTOM;
    let up = |value: f64| floor - scale.place(value, floor - TOP);
    let every = (30.0 / column).ceil().max(1.0) as usize;
    let chosen = height(&lattice.solution).filter(|&h| h < counts.len());
    let inset = if column > 8.0 { 1.5 } else { 0.0 };
    Some(html! {
        svg class="chart" role="img" aria-label="Transformations by height, those evaluated, and the height of the solution" viewBox={ "0 0 " (px(WIDTH)) " " (px(HEIGHT)) } width=(px(WIDTH)) height=(px(HEIGHT)) {
            @for tick in scale.ticks() {
                line class="grid" x1=(px(LEFT)) y1=(px(up(tick))) x2=(px(right)) y2=(px(up(tick))) {}
                text class="soft small" x=(px(LEFT - 6.0)) y=(px(up(tick) + 4.0)) text-anchor="end" { (significant(tick)) }
            }
            @for (h, (&all, &seen)) in counts.iter().zip(&evaluated).enumerate() {
                @let x = LEFT + column * h as f64;
                @let text = format!("Height {h}: {} transformations, {} evaluated", significant(all), significant(seen));
                rect class="before" x=(px(x + inset)) y=(px(up(all))) width=(px(column - 2.0 * inset)) height=(px(floor - up(all))) { title { (text) } }
                @if seen > 0.0 {
                    // A few among thousands would be thinner than a pixel.
                    @let top = up(seen).min(floor - 2.0);
                    rect class="after" x=(px(x + inset)) y=(px(top)) width=(px(column - 2.0 * inset)) height=(px(floor - top)) { title { (text) } }
                }
                @if h % every == 0 {
                    text class="soft small" x=(px(x + column / 2.0)) y=(px(floor + 16.0)) text-anchor="middle" { (h) }
                }
            }
            line class="axis" x1=(px(LEFT)) y1=(px(floor)) x2=(px(right)) y2=(px(floor)) {}
            @if let Some(h) = chosen {
                @let x = LEFT + column * (h as f64 + 0.5);
                line class="mark" x1=(px(x)) y1="22" x2=(px(x)) y2=(px(floor)) {}
                text class="marktext" x=(px(x.clamp(90.0, WIDTH - 90.0))) y="16" text-anchor="middle" { "solution at height " (h) }
            }
            text class="soft" x=(px(f64::midpoint(LEFT, right))) y=(px(HEIGHT - 8.0)) text-anchor="middle" { "height (sum of the levels)" }
            text class="soft" x="14" y=(px(f64::midpoint(TOP, floor))) text-anchor="middle" transform={ "rotate(-90 14 " (px(f64::midpoint(TOP, floor))) ")" } { "transformations" }
        }
    })
}

fn height(levels: &[usize]) -> Option<usize> {
    levels.iter().try_fold(0_usize, |sum, &level| sum.checked_add(level))
}

#[cfg(test)]
mod tests {
    use super::by_height;

    #[test]
    fn heights_of_the_adult_lattice() {
        let counts = by_height(&[1, 4, 1, 2, 3, 2, 2, 1]).unwrap();
        assert_eq!(counts.len(), 17);
        assert_eq!(counts.iter().sum::<f64>(), 4320.0);
        assert_eq!((counts[0], counts[1], counts[16]), (1.0, 8.0, 1.0));
    }

    #[test]
    fn extremes() {
        assert_eq!(by_height(&[]).unwrap(), [1.0]);
        assert!(by_height(&[usize::MAX, 1]).is_none());
        assert!(by_height(&[5; 60]).unwrap().iter().all(|count| count.is_finite()));
    }
}
