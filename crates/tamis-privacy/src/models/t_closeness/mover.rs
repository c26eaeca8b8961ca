//! The earth mover's distance of a class to its table, exact in integers.
//!
//! All three ground distances are shortest paths in a tree whose leaves are the values: a star (equal), a path (ordered) or the
//! hierarchy itself. On a tree the distance is a sum over edges of the mass that must cross each: |p(S) - q(S)| for the leaves S on
//! one side, times the edge's length. With class size c, table size n and counts f, F the mass across an edge is
//! |f(S) n - F(S) c| / (c n): the numerators are integers and are summed as such, so no rounding happens before one final division.

use crate::SensitiveFacts;

/// How far apart two sensitive values are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Distance {
    /// All values are equally far apart.
    Equal,
    /// Values in type order, neighbours equally far apart.
    Ordered,
    /// As far as the level of the hierarchy on which they meet.
    Hierarchical,
}

impl Distance {
    /// The distance of this name.
    pub fn named(name: &str) -> Option<Self> {
        [Self::Equal, Self::Ordered, Self::Hierarchical].into_iter().find(|distance| distance.name() == name)
    }

    /// Its name in policies.
    pub fn name(self) -> &'static str {
        match self {
            Self::Equal => "equal",
            Self::Ordered => "ordered",
            Self::Hierarchical => "hierarchical",
        }
    }
}

/// Below this many rows, products of two counts and sums of them fit 64 bits with room to spare.
const NARROW_ROWS: u64 = 1 << 28;

/// Computes distances of classes to one table.
#[derive(Debug)]
pub struct Mover {
    kind: Distance,
    totals: Vec<u64>,
    rows: u64,
    /// Values in path order; for `Ordered`.
    order: Vec<u32>,
    /// For each inner level but the root's the group of every value, and the groups' totals; for `Hierarchical`.
    levels: Vec<(Vec<u32>, Vec<u64>)>,
    /// The sum over edges is divided by this and by c n.
    scale: f64,
}

impl Mover {
    /// Prepares the distance; none if it is hierarchical and the attribute has no hierarchy that ends in one label.
    pub fn new(kind: Distance, sensitive: &SensitiveFacts) -> Option<Self> {
        let totals = sensitive.totals.clone();
        let mut levels = Vec::new();
        let scale = match kind {
            Distance::Equal => 2.0,
            // A single value is at distance 0 from itself; any scale will do.
            Distance::Ordered => (totals.len().max(2) - 1) as f64,
            Distance::Hierarchical => {
                let tree = sensitive.tree.as_ref()?;
                let (root, inner) = tree.split_last()?;
                if root.iter().any(|&label| label != root[0]) {
                    return None;
                }
                for labels in inner.iter().skip(1) {
                    let groups = labels.iter().max().map_or(0, |&most| most as usize + 1);
                    let mut sums = vec![0; groups];
                    for (&label, &total) in labels.iter().zip(&totals) {
                        sums[label as usize] += total;
                    }
                    levels.push((labels.clone(), sums));
                }
                // A hierarchy of one column has height 0 and no way to move anything; its single value needs none.
                2.0 * inner.len().max(1) as f64
            }
        };
        Some(Self { kind, rows: totals.iter().sum(), order: sensitive.order.clone(), totals, levels, scale })
    }

    /// Which distance this is.
    pub fn kind(&self) -> Distance {
        self.kind
    }

    /// The distance between the distribution of `counts` and the table's: 0 if equal, at most 1; 0 for an empty class.
    ///
    /// Linear in the number of values times the height of the hierarchy.
    #[inline]
    pub fn distance(&self, counts: &[u32]) -> f64 {
        let size: u64 = counts.iter().map(|&count| u64::from(count)).sum();
        if size == 0 {
            return 0.0;
        }
        let moved = if self.rows < NARROW_ROWS {
            self.moved_narrow(counts, size.cast_signed()) as f64
        } else {
            self.moved_wide(counts, i128::from(size)) as f64
        };
        moved / (self.scale * size as f64 * self.rows as f64)
    }

    fn moved_narrow(&self, counts: &[u32], size: i64) -> i64 {
        let rows = self.rows.cast_signed();
        self.moved(counts, |count, total| count.cast_signed() * rows - total.cast_signed() * size, i64::abs)
    }

    fn moved_wide(&self, counts: &[u32], size: i128) -> i128 {
        let rows = i128::from(self.rows);
        self.moved(counts, |count, total| i128::from(count) * rows - i128::from(total) * size, i128::abs)
    }

    /// Sum over edges of c n times the mass that crosses; `excess` is c n (p - q).
    #[inline]
    fn moved<I>(&self, counts: &[u32], excess: impl Fn(u64, u64) -> I, abs: impl Fn(I) -> I) -> I
    where
        I: Copy + Default + std::ops::Add<Output = I>,
    {
        let mut sum = I::default();
        if self.kind == Distance::Ordered {
            let mut carried = I::default();
            for &value in &self.order {
                carried = carried + excess(u64::from(counts[value as usize]), self.totals[value as usize]);
                sum = sum + abs(carried);
            }
            return sum;
        }
        for (&count, &total) in counts.iter().zip(&self.totals) {
            sum = sum + abs(excess(u64::from(count), total));
        }
        let mut groups = [0u64; 64];
        let mut spill = Vec::new();
        for (group_of, totals) in &self.levels {
            let sums: &mut [u64] = if totals.len() <= groups.len() {
                &mut groups[..totals.len()]
            } else {
                spill.resize(totals.len(), 0);
                &mut spill[..totals.len()]
            };
            sums.fill(0);
            for (&group, &count) in group_of.iter().zip(counts) {
                sums[group as usize] += u64::from(count);
            }
            for (&count, &total) in sums.iter().zip(totals) {
                sum = sum + abs(excess(count, total));
            }
        }
        sum
    }

    /// At most how many of the counted rows can be in a part whose distance is at most `t`.
    ///
    /// The distance is the maximum of sum f (p - q) over potentials f that no edge stretches; the one that attains it here bounds
    /// every part from below. A part x within t therefore has sum x (f - q(f) - t) <= 0: values with a negative term may all
    /// stay and pay for those with a positive one, cheapest first.
    pub fn most_within(&self, counts: &[u32], t: f64) -> u64 {
        let size: u64 = counts.iter().map(|&count| u64::from(count)).sum();
        if size == 0 {
            return 0;
        }
        let potential = self.potential(counts, size);
        let mean: f64 =
            potential.iter().zip(&self.totals).map(|(f, &total)| f * total as f64).sum::<f64>() / self.rows as f64;
        let mut priced: Vec<(f64, u64)> = potential
            .iter()
            .zip(counts)
            .filter(|&(_, &count)| count > 0)
            .map(|(f, &count)| (f - mean - t, u64::from(count)))
            .collect();
        priced.sort_unstable_by(|left, right| left.0.total_cmp(&right.0));
        let (mut kept, mut credit) = (0.0, 0.0);
        for (price, count) in priced {
            let count = count as f64;
            if credit >= price * count {
                credit -= price * count;
                kept += count;
            } else {
                kept += credit / price;
                break;
            }
        }
        // Rounding may not make the bound too small.
        ((kept * (1.0 + 1e-9) + 1e-6) as u64).min(size)
    }

    /// For each value, the sum of signed edge lengths from it to the root: + where the class has more than its share.
    fn potential(&self, counts: &[u32], size: u64) -> Vec<f64> {
        let excess =
            |count: u64, total: u64| i128::from(count) * i128::from(self.rows) - i128::from(total) * i128::from(size);
        let sign = |excess: i128| excess.signum() as f64 / self.scale;
        if self.kind == Distance::Ordered {
            // The edge between two neighbours is crossed by what the values before it have in excess; walk from the end.
            let mut potential = vec![0.0; counts.len()];
            let mut carried: i128 = 0;
            let crossing: Vec<f64> = self
                .order
                .iter()
                .map(|&value| {
                    carried += excess(u64::from(counts[value as usize]), self.totals[value as usize]);
                    sign(carried)
                })
                .collect();
            let mut height = 0.0;
            for (&value, crossing) in self.order.iter().zip(crossing).rev() {
                height += crossing;
                potential[value as usize] = height;
            }
            return potential;
        }
        let mut potential: Vec<f64> =
            counts.iter().zip(&self.totals).map(|(&count, &total)| sign(excess(u64::from(count), total))).collect();
        for (group_of, totals) in &self.levels {
            let mut sums = vec![0u64; totals.len()];
            for (&group, &count) in group_of.iter().zip(counts) {
                sums[group as usize] += u64::from(count);
            }
            for (height, &group) in potential.iter_mut().zip(group_of) {
                *height += sign(excess(sums[group as usize], totals[group as usize]));
            }
        }
        potential
    }
}
