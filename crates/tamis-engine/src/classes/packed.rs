//! Classes with their keys packed into machine words, rolled up from finer classes.

use tamis_table::FrequencySet;

/// A machine word that holds one code per attribute.
pub(crate) trait Key: Copy + Eq + Send + Sync {
    /// Nothing set.
    const ZERO: Self;
    /// The code in `field`.
    fn get(self, field: Field) -> u32;
    /// The same word with another code in `field`.
    fn with(self, field: Field, code: u32) -> Self;
    /// Spreads the word over 64 bits, the upper ones best.
    fn mix(self) -> u64;
}

/// Where an attribute's code lies in a key.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Field {
    shift: u32,
    mask: u32,
}

/// An odd number with well-spread bits: 2^64 divided by the golden ratio.
const SPREAD: u64 = 0x9E37_79B9_7F4A_7C15;

impl Key for u64 {
    const ZERO: Self = 0;

    #[inline]
    fn get(self, field: Field) -> u32 {
        (self >> field.shift) as u32 & field.mask
    }

    #[inline]
    fn with(self, field: Field, code: u32) -> Self {
        self & !(Self::from(field.mask) << field.shift) | Self::from(code) << field.shift
    }

    #[inline]
    fn mix(self) -> u64 {
        // Multiplying moves low bits up only; the rotation brings high fields to where they take part.
        (self ^ self.rotate_right(29)).wrapping_mul(SPREAD)
    }
}

impl Key for u128 {
    const ZERO: Self = 0;

    #[inline]
    fn get(self, field: Field) -> u32 {
        (self >> field.shift) as u32 & field.mask
    }

    #[inline]
    fn with(self, field: Field, code: u32) -> Self {
        self & !(Self::from(field.mask) << field.shift) | Self::from(code) << field.shift
    }

    #[inline]
    fn mix(self) -> u64 {
        (((self >> 64) as u64).mix().rotate_left(31) ^ self as u64).mix()
    }
}

/// The field of every attribute, wide enough for its level-0 codes.
#[derive(Debug, Clone)]
pub(crate) struct Layout {
    pub(crate) fields: Vec<Field>,
    pub(crate) bits: u32,
}

impl Layout {
    pub(crate) fn of(frequency: &FrequencySet) -> Self {
        let mut bits = 0;
        let mut fields = Vec::new();
        for attribute in &frequency.attributes {
            let most = attribute.recoder.labels_of_codes(0).len().saturating_sub(1) as u32;
            let width = u32::BITS - most.leading_zeros();
            // A field of no bits may lie anywhere, but not past the end of a full key.
            let shift = if width == 0 { 0 } else { bits.min(127) };
            fields.push(Field { shift, mask: if width == 32 { u32::MAX } else { (1 << width) - 1 } });
            bits += width;
        }
        Self { fields, bits }
    }
}

/// Classes with their row counts, population counts and sensitive histograms.
///
/// One array per kind of figure; class i's histogram lies at `counts[i * stride..][..width]`. The stride is the width rounded up to
/// a multiple of four, so that adding two histograms is whole vector instructions and, for up to 16 values, one cache line.
#[derive(Debug, Clone)]
pub(crate) struct ClassSet<K> {
    pub(crate) keys: Vec<K>,
    pub(crate) rows: Vec<u32>,
    /// Empty if the table holds no population.
    pub(crate) population: Vec<u32>,
    counts: Vec<u32>,
    width: usize,
    stride: usize,
}

impl<K: Key> ClassSet<K> {
    /// The distinct tuples as classes of the untouched table.
    pub(crate) fn of(frequency: &FrequencySet, layout: &Layout) -> Self {
        let mut keys = vec![K::ZERO; frequency.tuples()];
        for (codes, &field) in frequency.codes.iter().zip(&layout.fields) {
            for (key, &code) in keys.iter_mut().zip(codes) {
                *key = key.with(field, code);
            }
        }
        let width: usize = frequency.sensitive.iter().map(|sensitive| sensitive.totals.len()).sum();
        let stride = width.next_multiple_of(4);
        let mut counts = vec![0; stride * keys.len()];
        let mut offset = 0;
        for sensitive in &frequency.sensitive {
            for (tuple, histogram) in counts.chunks_exact_mut(stride).enumerate() {
                let range = sensitive.starts[tuple] as usize..sensitive.starts[tuple + 1] as usize;
                for (&code, &count) in sensitive.codes[range.clone()].iter().zip(&sensitive.counts[range]) {
                    histogram[offset + code as usize] = count;
                }
            }
            offset += sensitive.totals.len();
        }
        let population = frequency.population.clone().unwrap_or_default();
        Self { keys, rows: frequency.counts.clone(), population, counts, width, stride }
    }

    /// An empty set to roll up into.
    pub(crate) fn like(other: &Self) -> Self {
        let &Self { width, stride, .. } = other;
        Self { keys: Vec::new(), rows: Vec::new(), population: Vec::new(), counts: Vec::new(), width, stride }
    }

    /// The sensitive histogram of a class.
    #[inline]
    pub(crate) fn histogram(&self, class: usize) -> &[u32] {
        &self.counts[class * self.stride..][..self.width]
    }

    /// Makes this the classes of `finer` with the codes in some fields replaced through maps. Linear in the classes of `finer`.
    ///
    /// First all classes get their number, then the figures are added up: neither loop has a branch that depends on whether a
    /// class is new, which no processor could predict.
    pub(crate) fn roll_up(&mut self, finer: &Self, changes: &[(Field, &[u32])], index: &mut KeyIndex) {
        let keys = finer.keys.iter();
        let replaced = |key: K, &(field, map): &(Field, &[u32])| key.with(field, map[key.get(field) as usize]);
        let numbers = match changes {
            [change] => index.number(keys.map(|&key| replaced(key, change)), &mut self.keys),
            _ => index.number(keys.map(|&key| changes.iter().fold(key, replaced)), &mut self.keys),
        };
        let classes = self.keys.len();
        add_up(&mut self.rows, classes, 1, &finer.rows, numbers);
        add_up(&mut self.counts, classes, self.stride, &finer.counts, numbers);
        if !finer.population.is_empty() {
            add_up(&mut self.population, classes, 1, &finer.population, numbers);
        }
    }
}

/// Adds the groups of `stride` figures of `parts` that have the same number.
fn add_up(sums: &mut Vec<u32>, classes: usize, stride: usize, parts: &[u32], numbers: &[u32]) {
    sums.clear();
    if sums.capacity() < classes * stride {
        // Growing by doubling would cost up to twice the memory, in every step of every thread's chain.
        *sums = Vec::new();
        sums.reserve_exact(classes * stride);
    }
    sums.resize(classes * stride, 0);
    match stride {
        0 => {}
        1 => {
            for (&part, &number) in parts.iter().zip(numbers) {
                sums[number as usize] += part;
            }
        }
        // The usual widths as constants, for the sake of vector instructions.
        16 => add_up_wide::<16>(sums, parts, numbers),
        8 => add_up_wide::<8>(sums, parts, numbers),
        _ => {
            for (part, &number) in parts.chunks_exact(stride).zip(numbers) {
                for (sum, &figure) in sums[number as usize * stride..][..stride].iter_mut().zip(part) {
                    *sum += figure;
                }
            }
        }
    }
}

fn add_up_wide<const STRIDE: usize>(sums: &mut [u32], parts: &[u32], numbers: &[u32]) {
    let (sums, _) = sums.as_chunks_mut::<STRIDE>();
    let (parts, _) = parts.as_chunks::<STRIDE>();
    for (part, &number) in parts.iter().zip(numbers) {
        let sum = &mut sums[number as usize];
        for lane in 0..STRIDE {
            sum[lane] += part[lane];
        }
    }
}

/// Numbers keys in order of first appearance: open addressing over numbers, the keys themselves lie in the class set.
///
/// General-purpose hash tables were measured at twice the time of the whole roll-up; this one never deletes or grows, is emptied
/// by one fill and is a quarter full, so that nearly always the first slot decides.
#[derive(Debug, Default)]
pub(crate) struct KeyIndex {
    slots: Vec<u32>,
    numbers: Vec<u32>,
}

const EMPTY: u32 = u32::MAX;

impl KeyIndex {
    /// The number of each key; `distinct` receives the keys in the order of their numbers.
    fn number<K: Key>(&mut self, keys: impl ExactSizeIterator<Item = K>, distinct: &mut Vec<K>) -> &[u32] {
        let bits = (keys.len().max(4) * 4).next_power_of_two().trailing_zeros();
        let (shift, mask) = (u64::BITS - bits, (1usize << bits) - 1);
        self.slots.clear();
        self.slots.resize(1 << bits, EMPTY);
        self.numbers.clear();
        distinct.clear();
        distinct.resize(keys.len(), K::ZERO);
        let mut next = 0u32;
        for key in keys {
            let mut slot = (key.mix() >> shift) as usize;
            let number = loop {
                let found = self.slots[slot];
                let is_new = found == EMPTY;
                let number = if is_new { next } else { found };
                // Writing the key where it already is does no harm and spares a branch.
                if !is_new && distinct[number as usize] != key {
                    slot = (slot + 1) & mask;
                    continue;
                }
                self.slots[slot] = number;
                distinct[number as usize] = key;
                next += u32::from(is_new);
                break number;
            };
            self.numbers.push(number);
        }
        distinct.truncate(next as usize);
        &self.numbers
    }
}
