//! The rows that say anything, and the tuple of each.

use super::RiskOptions;
use crate::ReleaseError;
use tamis_risk::Records;
use tamis_table::hierarchy::SUPPRESSED;
use tamis_table::{Column, FrequencySet, FrequencySpec, MissingPolicy, Recoder, Table};

/// The distinct tuples of a table and which of them each row has.
pub(super) struct People {
    pub(super) records: Records,
    /// The tuple of every row; none for rows of nothing but `*`.
    pub(super) tuple_of_row: Vec<Option<u32>>,
}

impl People {
    pub(super) fn of(table: &Table, options: &RiskOptions) -> Result<Self, ReleaseError> {
        let columns = options.quasi.iter().map(|name| table.column(name)).collect::<Result<Vec<&Column>, _>>()?;
        let is_told = told_rows(&columns, table.rows());
        let spec = FrequencySpec {
            quasi: columns
                .iter()
                .map(|column| (column.name(), Recoder::keep_or_suppress(column), MissingPolicy::OwnCategory))
                .collect(),
            sensitive: Vec::new(),
            joint: Vec::new(),
            entity: options.entity.as_deref(),
            subset: Some(&is_told),
        };
        let (frequency, numbers) = FrequencySet::count(table, spec)?;
        let (records, kept) = Records::of(&frequency);
        let mut new_number = vec![None; frequency.tuples()];
        for (new, &old) in kept.iter().enumerate() {
            new_number[old as usize] = Some(new as u32);
        }
        let tuple_of_row =
            numbers.iter().zip(&is_told).map(|(&number, &told)| new_number[number as usize].filter(|_| told)).collect();
        Ok(Self { records, tuple_of_row })
    }
}

/// Whether each row has a quasi-identifier that is more than `*`.
fn told_rows(columns: &[&Column], rows: usize) -> Vec<bool> {
    let stars: Vec<Option<u32>> = columns
        .iter()
        .map(|column| column.dictionary().iter().position(|text| text == SUPPRESSED).map(|code| code as u32))
        .collect();
    let is_star = |row: usize| columns.iter().zip(&stars).all(|(column, &star)| Some(column.codes().get(row)) == star);
    (0..rows).map(|row| !is_star(row)).collect()
}
