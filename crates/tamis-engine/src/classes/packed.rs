//! Classes with their keys packed into machine words, rolled up from finer classes.

use tamis_table::FrequencySet;

/// A machine word that holds one code per attribute.
pub(crate) trait Key: Copy + Eq + Send + Sync {
    /// Bits of the word.
    const BITS: u32;
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
    const BITS: u32 = Self::BITS;
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
    const BITS: u32 = Self::BITS;
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
            fields.push(Field { shift: bits.min(127), mask: if width == 32 { u32::MAX } else { (1 << width) - 1 } });
            bits += width;
        }
        Self { fields, bits }
    }
}

/// Classes with their row counts, population counts and sensitive histograms.
///
/// One array per kind of figure; class i's histogram lies at `counts[i * width..][..width]`.
#[derive(Debug, Clone)]
pub(crate) struct ClassSet<K> {
    pub(crate) keys: Vec<K>,
    pub(crate) rows: Vec<u32>,
    pub(crate) population: Vec<u32>,
    pub(crate) counts: Vec<u32>,
    pub(crate) width: usize,
    has_population: bool,
}

impl<K: Key> ClassSet<K> {
    /// The distinct tuples as classes of the untouched table; histograms only if `with_counts`.
    pub(crate) fn of(frequency: &FrequencySet, layout: &Layout, with_counts: bool) -> Self {
        let mut keys = vec![K::ZERO; frequency.tuples()];
        for (codes, &field) in frequency.codes.iter().zip(&layout.fields) {
            for (key, &code) in keys.iter_mut().zip(codes) {
                *key = key.with(field, code);
            }
        }
        let width: usize = if with_counts { frequency.sensitive.iter().map(|s| s.totals.len()).sum() } else { 0 };
        let mut counts = vec![0; width * keys.len()];
        let mut offset = 0;
        for sensitive in frequency.sensitive.iter().filter(|_| with_counts) {
            for (tuple, histogram) in counts.chunks_exact_mut(width).enumerate() {
                let range = sensitive.starts[tuple] as usize..sensitive.starts[tuple + 1] as usize;
                for (&code, &count) in sensitive.codes[range.clone()].iter().zip(&sensitive.counts[range]) {
                    histogram[offset + code as usize] = count;
                }
            }
            offset += sensitive.totals.len();
        }
        let population = frequency.population.clone().unwrap_or_default();
        Self { keys, rows: frequency.counts.clone(), has_population: !population.is_empty(), population, counts, width }
    }

    /// An empty set to roll up into.
    pub(crate) fn like(other: &Self) -> Self {
        Self {
            keys: Vec::new(),
            rows: Vec::new(),
            population: Vec::new(),
            counts: Vec::new(),
            width: other.width,
            has_population: other.has_population,
        }
    }

    /// Number of classes.
    pub(crate) fn len(&self) -> usize {
        self.keys.len()
    }

    /// Makes this the classes of `finer` with the codes in `field` replaced through `map`. Linear in the classes of `finer`.
    pub(crate) fn roll_up(&mut self, finer: &Self, field: Field, map: &[u32], index: &mut KeyIndex) {
        self.keys.clear();
        self.rows.clear();
        self.population.clear();
        self.counts.clear();
        index.reset(finer.len());
        let width = self.width;
        for (i, &key) in finer.keys.iter().enumerate() {
            let key = key.with(field, map[key.get(field) as usize]);
            let class = index.find_or_insert(key, &mut self.keys);
            let histogram = &finer.counts[i * width..(i + 1) * width];
            if class == self.rows.len() {
                self.rows.push(finer.rows[i]);
                self.counts.extend_from_slice(histogram);
                if self.has_population {
                    self.population.push(finer.population[i]);
                }
            } else {
                self.rows[class] += finer.rows[i];
                for (sum, &count) in self.counts[class * width..(class + 1) * width].iter_mut().zip(histogram) {
                    *sum += count;
                }
                if self.has_population {
                    self.population[class] += finer.population[i];
                }
            }
        }
    }
}

/// Finds the class of a key: open addressing over class numbers, the keys themselves stay in the class set.
///
/// The general-purpose hash tables were measured at twice the time of the whole roll-up; this one never deletes or grows, and is
/// emptied by one fill.
#[derive(Debug, Default)]
pub(crate) struct KeyIndex {
    slots: Vec<u32>,
    shift: u32,
}

const EMPTY: u32 = u32::MAX;

impl KeyIndex {
    /// Empties the index and makes room for `keys` keys at half load.
    fn reset(&mut self, keys: usize) {
        let bits = (keys.max(8) * 2).next_power_of_two().trailing_zeros();
        self.shift = u64::BITS - bits;
        self.slots.clear();
        self.slots.resize(1 << bits, EMPTY);
    }

    #[inline]
    fn find_or_insert<K: Key>(&mut self, key: K, keys: &mut Vec<K>) -> usize {
        let mask = self.slots.len() - 1;
        let mut slot = (key.mix() >> self.shift) as usize;
        loop {
            match self.slots[slot] {
                EMPTY => {
                    self.slots[slot] = keys.len() as u32;
                    keys.push(key);
                    return keys.len() - 1;
                }
                class if keys[class as usize] == key => return class as usize,
                _ => slot = (slot + 1) & mask,
            }
        }
    }
}
