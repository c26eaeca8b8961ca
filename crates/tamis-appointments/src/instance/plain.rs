//! The problem of the sources: frequencies and capacities, nothing else.

/// People with quasi-identifier value `i` (there are `frequencies[i]`) go to slots `j` (which take `capacities[j]`).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Plain {
    /// How many people each quasi-identifier value has.
    pub frequencies: Vec<u64>,
    /// How many people each slot can take.
    pub capacities: Vec<u64>,
}

impl Plain {
    /// How many people there are.
    pub fn people(&self) -> u64 {
        self.frequencies.iter().sum()
    }

    /// How many places stay empty.
    pub fn slack(&self) -> u64 {
        self.capacities.iter().sum::<u64>() - self.people()
    }
}
