//! A small lattice as its Hasse diagram: the untouched table at the bottom, an edge per single step up.

use std::collections::HashMap;

use maud::{Markup, html};

use super::px;
use crate::report::{LatticeNode, LatticeReport, NodeStatus, numbers::significant};

/// Lattices with more transformations than this are summarized by height instead.
const DRAWABLE: usize = 200;

const WIDTH: f64 = 940.0;
const ROW: f64 = 62.0;

/// All level vectors by height, lexicographic within a height; `None` if there are more than can be drawn.
fn rows(maximum: &[usize]) -> Option<Vec<Vec<Vec<usize>>>> {
    let total = maximum.iter().try_fold(1_usize, |product, &m| product.checked_mul(m.checked_add(1)?))?;
    if total > DRAWABLE {
        return None;
    }
    let mut rows = vec![Vec::new(); maximum.iter().sum::<usize>() + 1];
    for index in 0..total {
        let mut rest = index;
        let mut levels = vec![0; maximum.len()];
        for (level, &m) in levels.iter_mut().zip(maximum).rev() {
            *level = rest % (m + 1);
            rest /= m + 1;
        }
        rows[levels.iter().sum::<usize>()].push(levels);
    }
    Some(rows)
}

fn written(levels: &[usize]) -> String {
    levels.iter().map(ToString::to_string).collect::<Vec<_>>().join(",")
}

fn class(node: Option<&LatticeNode>, solution: bool) -> &'static str {
    match node.map(|node| (node.status, node.holds)) {
        _ if solution => "node solution",
        Some((NodeStatus::Solution, _)) => "node solution",
        Some((NodeStatus::Evaluated, Some(true))) => "node holds",
        Some((NodeStatus::Evaluated, Some(false))) => "node fails",
        Some((NodeStatus::Evaluated, None)) => "node",
        Some((NodeStatus::Pruned, _)) | None => "node pruned",
    }
}

fn described(node: Option<&LatticeNode>, solution: bool) -> String {
    let status = match node.map(|node| node.status) {
        _ if solution => "solution",
        Some(NodeStatus::Solution) => "solution",
        Some(NodeStatus::Evaluated) => "evaluated",
        Some(NodeStatus::Pruned) | None => "pruned",
    };
    let Some(node) = node else { return status.to_owned() };
    let models = match node.holds {
        Some(true) => ", models hold",
        Some(false) => ", models do not hold",
        None => "",
    };
    match node.score {
        Some(score) => format!("{status}{models}, score {}", significant(score)),
        None => format!("{status}{models}, score at least {}", significant(node.lower_bound)),
    }
}

/// Draws the diagram, or returns `None` if the lattice has more than [`DRAWABLE`] transformations.
pub(in crate::report) fn hasse(lattice: &LatticeReport) -> Option<Markup> {
    let rows = rows(&lattice.maximum)?;
    let seen: HashMap<&[usize], &LatticeNode> = lattice.nodes.iter().map(|n| (n.levels.as_slice(), n)).collect();
    let broadest = rows.iter().map(Vec::len).max().unwrap_or(1).max(1);
    let pitch = ((WIDTH - 20.0) / broadest as f64).min(110.0);
    let label = written(&lattice.maximum).len() as f64 * 7.0 + 14.0;
    let spelled = label + 8.0 <= pitch;
    let dot = (pitch / 2.0 - 1.5).clamp(2.0, 7.0);
    let (half, tall) = if spelled { (label / 2.0, 12.0) } else { (dot, dot) };
    let height = ROW * rows.len() as f64;
    let mut places: HashMap<&[usize], (f64, f64)> = HashMap::new();
    for (h, row) in rows.iter().enumerate() {
        for (i, levels) in row.iter().enumerate() {
            let x = WIDTH / 2.0 + (i as f64 - (row.len() as f64 - 1.0) / 2.0) * pitch;
            places.insert(levels, (x, height - ROW * (h as f64 + 0.5)));
        }
    }
    let above = |levels: &[usize], j: usize| {
        let mut up = levels.to_vec();
        up[j] += 1;
        places.get(up.as_slice()).copied()
    };
    Some(html! {
        svg class="chart lattice" role="img" aria-label="Hasse diagram of the transformations" viewBox={ "0 0 " (px(WIDTH)) " " (px(height)) } width=(px(WIDTH)) height=(px(height)) {
            @for levels in rows.iter().flatten() {
                @let (x, y) = places[levels.as_slice()];
                @for j in 0..levels.len() {
                    @if let Some((to_x, to_y)) = above(levels, j) {
                        line class="edge" x1=(px(x)) y1=(px(y)) x2=(px(to_x)) y2=(px(to_y)) {}
                    }
                }
            }
            @for levels in rows.iter().flatten() {
                @let (x, y) = places[levels.as_slice()];
                @let node = seen.get(levels.as_slice()).copied();
                @let solution = *levels == lattice.solution;
                g class=(class(node, solution)) {
                    title { "[" (written(levels)) "]: " (described(node, solution)) }
                    rect x=(px(x - half)) y=(px(y - tall)) width=(px(half * 2.0)) height=(px(tall * 2.0)) rx="6" {}
                    @if spelled { text x=(px(x)) y=(px(y + 4.0)) text-anchor="middle" { (written(levels)) } }
                }
            }
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_are_the_heights_of_the_lattice() {
        let found = rows(&[1, 2]).unwrap();
        assert_eq!(
            found,
            [vec![vec![0, 0]], vec![vec![0, 1], vec![1, 0]], vec![vec![0, 2], vec![1, 1]], vec![vec![1, 2]]]
        );
        assert_eq!(rows(&[]).unwrap(), [vec![Vec::<usize>::new()]]);
        assert!(rows(&[usize::MAX, 3]).is_none());
        assert!(rows(&[200]).is_none());
    }
}
