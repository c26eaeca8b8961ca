//! All transformations: one level per attribute, between the bounds of a policy.

/// The lattice of level vectors.
///
/// ```
/// use tamis_engine::Lattice;
/// // Ethnicity with levels 0 and 1, zip code with 0 to 2: Figure 5 of the thesis.
/// let lattice = Lattice::new(vec![0, 0], vec![1, 2]);
/// assert_eq!(lattice.size(), Some(6));
/// assert_eq!(lattice.iter().next(), Some(vec![0, 0]));
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Lattice {
    lower: Vec<usize>,
    upper: Vec<usize>,
}

impl Lattice {
    /// The lattice between two level vectors of equal length, the second nowhere below the first.
    pub fn new(lower: Vec<usize>, upper: Vec<usize>) -> Self {
        debug_assert!(lower.len() == upper.len() && lower.iter().zip(&upper).all(|(l, u)| l <= u));
        Self { lower, upper }
    }

    /// The least general transformation.
    pub fn lower(&self) -> &[usize] {
        &self.lower
    }

    /// The most general transformation.
    pub fn upper(&self) -> &[usize] {
        &self.upper
    }

    /// Number of transformations; none if 64 bits cannot count them.
    pub fn size(&self) -> Option<u64> {
        self.widths().try_fold(1, u64::checked_mul)
    }

    /// Number of transformations as a floating-point number, for messages about lattices beyond counting.
    pub fn approximate_size(&self) -> f64 {
        self.widths().map(|width| width as f64).product()
    }

    /// All transformations in lexicographic order.
    pub fn iter(&self) -> impl Iterator<Item = Vec<usize>> + '_ {
        let mut next = Some(self.lower.clone());
        std::iter::from_fn(move || {
            let current = next.clone()?;
            next = self.successor(&current);
            Some(current)
        })
    }

    /// Position of `levels` in lexicographic order; wraps in lattices that 64 bits cannot count.
    pub(crate) fn index(&self, levels: &[usize]) -> u64 {
        self.widths().zip(levels.iter().zip(&self.lower)).fold(0u64, |index, (width, (&level, &lower))| {
            index.wrapping_mul(width).wrapping_add((level - lower) as u64)
        })
    }

    fn successor(&self, levels: &[usize]) -> Option<Vec<usize>> {
        let position = (0..levels.len()).rev().find(|&j| levels[j] < self.upper[j])?;
        let mut next = levels.to_vec();
        next[position] += 1;
        next[position + 1..].copy_from_slice(&self.lower[position + 1..]);
        Some(next)
    }

    fn widths(&self) -> impl Iterator<Item = u64> {
        self.lower.iter().zip(&self.upper).map(|(&lower, &upper)| (upper - lower + 1) as u64)
    }
}
