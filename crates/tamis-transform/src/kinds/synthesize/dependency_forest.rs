//! Which columns depend on each other most, without circles.
//!
//! A tree of columns whose edges have the largest sum of mutual information is the tree that makes the data most likely (Chow and Liu
//! 1968). A table of many values would explain any data, as an identifier does; so every edge pays for its parameters by the
//! description length (Suzuki 1993): its gain is I(A;B) - (|A| - 1)(|B| - 1) ln(n) / 2n, and an edge without gain is left out. The
//! tree becomes a forest.
//!
//! O(d² n) for d columns of n rows where the tables of two columns are small, O(d² n log n) otherwise.

/// A table of at most this many cells is counted cell by cell.
const MOST_CELLS: usize = 1 << 20;

/// A column of the forest and the column it depends on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Node {
    /// Its position among the columns.
    pub column: usize,
    /// The position of the column it depends on, which comes earlier in the order.
    pub parent: Option<usize>,
}

/// The forest of the largest gain over columns of equal length, whose values are numbered from 0. Parents come before children.
///
/// ```
/// use tamis_transform::kinds::synthesize::{Node, dependency_forest};
/// let coin: Vec<u32> = (0..64).map(|row| row % 2).collect();
/// let other: Vec<u32> = (0..64).map(|row| row / 2 % 2).collect();
/// let forest = dependency_forest(&[coin.clone(), other, coin]);
/// assert_eq!(forest[1], Node { column: 2, parent: Some(0) });
/// assert_eq!(forest[2], Node { column: 1, parent: None });
/// ```
pub fn dependency_forest(columns: &[Vec<u32>]) -> Vec<Node> {
    let mut edges = Vec::new();
    for (second, right) in columns.iter().enumerate() {
        for (first, left) in columns.iter().enumerate().take(second) {
            edges.push((gain(left, right), first, second));
        }
    }
    edges.retain(|&(gain, ..)| gain > 0.0);
    // Kruskal 1956: the best edges first, unless they close a circle.
    edges.sort_by(|left, right| right.0.total_cmp(&left.0).then_with(|| (left.1, left.2).cmp(&(right.1, right.2))));
    let mut tree_of: Vec<usize> = (0..columns.len()).collect();
    let mut neighbours: Vec<Vec<usize>> = vec![Vec::new(); columns.len()];
    for (_, first, second) in edges {
        let (kept, merged) = (tree_of[first], tree_of[second]);
        if kept != merged {
            tree_of.iter_mut().filter(|tree| **tree == merged).for_each(|tree| *tree = kept);
            neighbours[first].push(second);
            neighbours[second].push(first);
        }
    }
    rooted(&neighbours)
}

/// Orders each tree from its first column outwards.
fn rooted(neighbours: &[Vec<usize>]) -> Vec<Node> {
    let mut nodes: Vec<Node> = Vec::with_capacity(neighbours.len());
    let mut is_placed = vec![false; neighbours.len()];
    for root in 0..neighbours.len() {
        if is_placed[root] {
            continue;
        }
        is_placed[root] = true;
        let mut next = nodes.len();
        nodes.push(Node { column: root, parent: None });
        while let Some(&Node { column, .. }) = nodes.get(next) {
            for &child in &neighbours[column] {
                if !is_placed[child] {
                    is_placed[child] = true;
                    nodes.push(Node { column: child, parent: Some(column) });
                }
            }
            next += 1;
        }
    }
    nodes
}

/// What an edge between two columns gains, in nats a row: their mutual information less the price of its parameters.
pub fn gain(first: &[u32], second: &[u32]) -> f64 {
    let n = first.len().min(second.len());
    if n == 0 {
        return 0.0;
    }
    let (of_first, of_second) = (counts(first), counts(second));
    let rows = n as f64;
    let mut information = 0.0;
    for ((a, b), count) in counted_pairs(first, second, of_first.len(), of_second.len()) {
        let expected = of_first[a] as f64 * of_second[b] as f64;
        information += count as f64 / rows * (count as f64 * rows / expected).ln();
    }
    let held = |counts: &[u64]| counts.iter().filter(|&&count| count > 0).count() as f64;
    let parameters = (held(&of_first) - 1.0) * (held(&of_second) - 1.0);
    information - parameters * rows.ln() / (2.0 * rows)
}

fn counts(values: &[u32]) -> Vec<u64> {
    let mut counts = vec![0; values.iter().max().map_or(0, |&value| value as usize + 1)];
    for &value in values {
        counts[value as usize] += 1;
    }
    counts
}

/// The pairs of values that rows hold, in their order, and how many rows hold them.
fn counted_pairs(first: &[u32], second: &[u32], height: usize, width: usize) -> Vec<((usize, usize), u64)> {
    let pairs = first.iter().zip(second);
    if height.saturating_mul(width) <= MOST_CELLS {
        let mut cells = vec![0u64; height * width];
        for (&a, &b) in pairs {
            cells[a as usize * width + b as usize] += 1;
        }
        let held = cells.into_iter().enumerate().filter(|&(_, count)| count > 0);
        return held.map(|(cell, count)| ((cell / width, cell % width), count)).collect();
    }
    let mut keys: Vec<(u32, u32)> = pairs.map(|(&a, &b)| (a, b)).collect();
    keys.sort_unstable();
    keys.chunk_by(|left, right| left == right)
        .map(|run| ((run[0].0 as usize, run[0].1 as usize), run.len() as u64))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pairs_are_counted_alike_in_cells_and_by_sorting() {
        let first: Vec<u32> = (0..500).map(|row| row * row % 11).collect();
        let second: Vec<u32> = (0..500).map(|row| row * 7 % 13).collect();
        let by_cells = counted_pairs(&first, &second, 11, 13);
        assert_eq!(by_cells, counted_pairs(&first, &second, MOST_CELLS, 2));
        assert_eq!(by_cells.iter().map(|(_, count)| count).sum::<u64>(), 500);
    }
}
