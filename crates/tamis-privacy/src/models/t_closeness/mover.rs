//! The earth mover's distance of a class to its table, exact in integers.
//!
//! All ground distances are shortest paths in a tree whose leaves are the values: a star (equal), a path (ordered, listed) or the
//! hierarchy itself. On a tree the distance is a sum over edges of the mass that must cross each: |p(S) - q(S)| for the leaves S on
//! one side, times the edge's length (nothing between two spellings of one value). With class size c, table size n and counts f, F the mass across an edge is
//! |f(S) n - F(S) c| / (c n): the numerators are integers and are summed as such, so no rounding happens before one final division.

use crate::SensitiveFacts;

/// How far apart two sensitive values are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Distance {
    /// All values are equally far apart.
    Equal,
    /// Values in type order, neighbours equally far apart.
    Ordered,
    /// Values in the order in which the lines of their hierarchy list them, neighbours equally far apart.
    Listed,
    /// As far as the level of the hierarchy on which they meet.
    Hierarchical,
}

impl Distance {
    /// The distance of this name.
    pub fn named(name: &str) -> Option<Self> {
        [Self::Equal, Self::Ordered, Self::Listed, Self::Hierarchical]
            .into_iter()
            .find(|distance| distance.name() == name)
    }

    /// Its name in policies.
    pub fn name(self) -> &'static str {
        match self {
            Self::Equal => "equal",
            Self::Ordered => "ordered",
            Self::Listed => "listed",
            Self::Hierarchical => "hierarchical",
        }
    }

    /// Whether the values lie on a path.
    fn is_path(self) -> bool {
        matches!(self, Self::Ordered | Self::Listed)
    }
}

/// Hierarchies up to this many inner groups and levels need no allocation.
const FEW_GROUPS: usize = 64;
const FEW_LEVELS: usize = 16;

/// Computes distances of classes to one table.
#[derive(Debug)]
pub struct Mover {
    kind: Distance,
    totals: Vec<u64>,
    rows: u64,
    /// Values in path order; for `Ordered` and `Listed`.
    order: Vec<u32>,
    /// For each place of the path whether the next one has the same value, so that nothing is between them.
    is_same_as_next: Vec<bool>,
    /// Inner levels between the values and the root; for `Hierarchical`.
    inner_levels: usize,
    /// The groups of value 0 on every inner level, then those of value 1, and so on; the levels' groups are numbered through.
    groups: Vec<u32>,
    /// How many groups there are on all inner levels.
    group_count: usize,
    /// Whether sums over all edges of products of two counts fit 64 bits.
    is_narrow: bool,
    /// The sum over edges is divided by this and by c n.
    scale: f64,
}

impl Mover {
    /// Prepares the distance; none if it is hierarchical and the attribute has no hierarchy that ends in one label, or if it is listed
    /// and nothing lists the values.
    pub fn new(kind: Distance, sensitive: &SensitiveFacts) -> Option<Self> {
        let totals = sensitive.totals.clone();
        let (mut inner_levels, mut groups, mut group_count) = (0, Vec::new(), 0);
        let order = if kind == Distance::Listed { sensitive.listed.clone()? } else { sensitive.order.clone() };
        let is_respelled = |place: usize| sensitive.respelled.get(place).copied().unwrap_or(false);
        let is_same_as_next: Vec<bool> =
            (1..=order.len()).map(|next| kind == Distance::Ordered && is_respelled(next)).collect();
        let scale = match kind {
            Distance::Equal => 2.0,
            // A single value is at distance 0 from itself; any scale will do.
            Distance::Ordered | Distance::Listed => {
                (is_same_as_next.iter().filter(|&&is_same| !is_same).count().max(2) - 1) as f64
            }
            Distance::Hierarchical => {
                let tree = sensitive.tree.as_ref()?;
                let (root, below) = tree.split_last()?;
                if root.iter().any(|&label| label != root[0]) {
                    return None;
                }
                let inner = below.get(1..).unwrap_or_default();
                inner_levels = inner.len();
                groups = vec![0; totals.len() * inner_levels];
                for (level, labels) in inner.iter().enumerate() {
                    for (value, &label) in labels.iter().enumerate() {
                        groups[value * inner_levels + level] = group_count as u32 + label;
                    }
                    group_count += labels.iter().max().map_or(0, |&most| most as usize + 1);
                }
                // A hierarchy of one column has height 0 and no way to move anything; its single value needs none.
                2.0 * below.len().max(1) as f64
            }
        };
        let rows: u64 = totals.iter().sum();
        // No edge carries more than all rows of a class times all rows of the table.
        let edges = (totals.len() + group_count) as u128;
        let is_narrow = u128::from(rows) * u128::from(rows) * edges <= i64::MAX as u128;
        Some(Self { kind, totals, rows, order, is_same_as_next, inner_levels, groups, group_count, is_narrow, scale })
    }

    /// Which distance this is.
    pub fn kind(&self) -> Distance {
        self.kind
    }

    /// The distance between the distribution of `counts` and the table's: 0 if equal, at most 1; 0 for an empty class.
    ///
    /// Linear in the number of values times the height of the hierarchy.
    pub fn distance(&self, counts: &[u32]) -> f64 {
        self.with_crossings(counts, |crossings| crossings.distance)
    }

    /// Whether the distance is at most `t`; if not, at most how many of the counted rows can be in a part for which it is.
    ///
    /// The distance is the maximum of sum f (p - q) over potentials f that no edge stretches; the one that attains it here bounds
    /// every part from below. A part x within t therefore has sum x (f - q(f) - t) <= 0: values with a negative term may all
    /// stay and pay for those with a positive one, cheapest first. The potential of a value is the sum of signs of what crosses the edges
    /// between it and the root, so values fall into few heights and need no sorting; and q(f) is p(f) less the distance.
    #[inline]
    pub fn judge(&self, counts: &[u32], t: f64) -> Result<(), u64> {
        self.with_crossings(counts, |crossings| {
            if crossings.distance <= t { Ok(()) } else { Err(self.most_within(counts, t, &crossings)) }
        })
    }

    #[inline]
    fn most_within(&self, counts: &[u32], t: f64, crossings: &Crossings<'_>) -> u64 {
        let edges = if self.kind.is_path() { self.order.len() } else { self.inner_levels + 1 };
        let mut few = [0u64; 2 * FEW_LEVELS + 1];
        let mut many = Vec::new();
        let mass_at: &mut [u64] = if edges <= FEW_LEVELS {
            &mut few[..=2 * edges]
        } else {
            many.resize(2 * edges + 1, 0);
            &mut many
        };
        // Heights are shifted by the number of edges to be counted from 0.
        let mut add = |value: usize, height: isize| {
            mass_at[height.wrapping_add_unsigned(edges).cast_unsigned()] += u64::from(counts[value]);
        };
        if self.kind.is_path() {
            // The edge after a value is crossed by the excess of all values up to it; the root is the last value.
            let mut height = 0;
            for (&value, &sign) in self.order.iter().zip(crossings.values).rev() {
                height += isize::from(sign);
                add(value as usize, height);
            }
        } else if self.inner_levels == 0 {
            for (value, &sign) in crossings.values.iter().enumerate() {
                add(value, isize::from(sign));
            }
        } else {
            for (value, (path, &sign)) in self.groups.chunks_exact(self.inner_levels).zip(crossings.values).enumerate()
            {
                let above: isize = path.iter().map(|&group| isize::from(crossings.groups[group as usize])).sum();
                add(value, isize::from(sign) + above);
            }
        }
        let size = crossings.size as f64;
        let height = |i: usize| (i as f64 - edges as f64) / self.scale;
        let mean = mass_at.iter().enumerate().map(|(i, &mass)| height(i) * mass as f64).sum::<f64>() / size;
        let (mut kept, mut credit) = (0.0, 0.0);
        for (i, &mass) in mass_at.iter().enumerate().filter(|&(_, &mass)| mass > 0) {
            let (price, mass) = (height(i) - (mean - crossings.distance) - t, mass as f64);
            if credit < price * mass {
                kept += credit / price;
                break;
            }
            credit -= price * mass;
            kept += mass;
        }
        // Rounding may not make the bound too small.
        ((kept * (1.0 + 1e-9) + 1e-6) as u64).min(crossings.size)
    }

    /// Calls `then` with what crosses the edges: a class's excess below each edge, as the sum and the signs of c n (p - q).
    #[inline]
    fn with_crossings<T>(&self, counts: &[u32], then: impl FnOnce(Crossings<'_>) -> T) -> T {
        let size: u64 = counts.iter().map(|&count| u64::from(count)).sum();
        let (values, groups) = (counts.len(), self.group_count);
        let mut few = [0i8; FEW_GROUPS];
        let mut many = Vec::new();
        let signs = if values + groups <= FEW_GROUPS {
            &mut few[..values + groups]
        } else {
            many.resize(values + groups, 0);
            &mut many[..]
        };
        let moved = if self.is_narrow {
            let (rows, size) = (self.rows.cast_signed(), size.cast_signed());
            let excess = |value: usize| i64::from(counts[value]) * rows - self.totals[value].cast_signed() * size;
            self.cross(signs, values, excess, |excess| (excess.abs(), excess.signum() as i8)) as f64
        } else {
            let (rows, size) = (i128::from(self.rows), i128::from(size));
            let excess = |value: usize| i128::from(counts[value]) * rows - i128::from(self.totals[value]) * size;
            self.cross(signs, values, excess, |excess| (excess.abs(), excess.signum() as i8)) as f64
        };
        let distance = if size == 0 { 0.0 } else { moved / (self.scale * size as f64 * self.rows as f64) };
        let (values, groups) = signs.split_at(values);
        then(Crossings { size, distance, values, groups })
    }

    /// Sums what crosses all edges and writes its signs: the values' first (in path order on a path), then the groups'.
    #[inline]
    fn cross<I>(&self, signs: &mut [i8], values: usize, excess: impl Fn(usize) -> I, split: impl Fn(I) -> (I, i8)) -> I
    where
        I: Copy + Default + std::ops::AddAssign,
    {
        let mut sum = I::default();
        if self.kind.is_path() {
            let mut carried = I::default();
            for ((&value, sign), &is_same) in self.order.iter().zip(signs).zip(&self.is_same_as_next) {
                carried += excess(value as usize);
                if is_same {
                    continue;
                }
                let (amount, direction) = split(carried);
                sum += amount;
                *sign = direction;
            }
            return sum;
        }
        let mut few = [I::default(); FEW_GROUPS];
        let mut many = Vec::new();
        let groups = if self.group_count <= FEW_GROUPS {
            &mut few[..self.group_count]
        } else {
            many.resize(self.group_count, I::default());
            &mut many[..]
        };
        let (value_signs, group_signs) = signs.split_at_mut(values);
        for (value, sign) in value_signs.iter_mut().enumerate() {
            let excess = excess(value);
            let (amount, direction) = split(excess);
            sum += amount;
            *sign = direction;
            for &group in &self.groups[value * self.inner_levels..(value + 1) * self.inner_levels] {
                groups[group as usize] += excess;
            }
        }
        for (&excess, sign) in groups.iter().zip(group_signs) {
            let (amount, direction) = split(excess);
            sum += amount;
            *sign = direction;
        }
        sum
    }
}

/// What a class has in excess of its share, edge by edge.
struct Crossings<'a> {
    size: u64,
    distance: f64,
    values: &'a [i8],
    groups: &'a [i8],
}
