//! What a model needs to know of the whole table before it can judge a class.

/// Facts about the whole table.
#[derive(Debug, Clone, Default)]
pub struct TableFacts {
    /// Rows, or people where the policy names an entity.
    pub rows: u64,
    /// Whether the table holds a population around the rows to release.
    pub has_population: bool,
    /// The sensitive attributes, in the order of [`crate::Class::counts`].
    pub sensitive: Vec<SensitiveFacts>,
}

/// Facts about one sensitive attribute.
#[derive(Debug, Clone)]
pub struct SensitiveFacts {
    /// Its column.
    pub name: String,
    /// Where its counts start in [`crate::Class::counts`].
    pub offset: usize,
    /// How often each code occurs in the whole table.
    pub totals: Vec<u64>,
    /// The codes in the order of their type (numbers by size, dates by time, text alphabetically).
    pub order: Vec<u32>,
    /// For each level of its hierarchy the label of every code, level 0 first; none without hierarchy.
    pub tree: Option<Vec<Vec<u32>>>,
}

impl TableFacts {
    /// A table without sensitive attributes.
    pub fn of_rows(rows: u64) -> Self {
        Self { rows, ..Self::default() }
    }

    /// A table with one sensitive attribute whose codes occur this often and are ordered as they are numbered.
    pub fn of_histogram(name: &str, totals: &[u64]) -> Self {
        let sensitive = SensitiveFacts {
            name: name.to_owned(),
            offset: 0,
            totals: totals.to_vec(),
            order: (0..totals.len() as u32).collect(),
            tree: None,
        };
        Self { rows: totals.iter().sum(), has_population: false, sensitive: vec![sensitive] }
    }
}

impl SensitiveFacts {
    /// The part of a class's counts that belongs to this attribute.
    pub fn counts<'a>(&self, counts: &'a [u32]) -> &'a [u32] {
        &counts[self.offset..self.offset + self.totals.len()]
    }
}
