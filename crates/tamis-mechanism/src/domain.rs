//! The values that columns could have, whatever values they do have.

use crate::MechanismError;
use std::collections::{HashMap, HashSet};
use tamis_table::{Column, Table};

/// The values of one column, in the order in which they are told.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ColumnDomain {
    column: String,
    values: Vec<String>,
}

impl ColumnDomain {
    /// These values: at least one, each once.
    pub fn new(column: impl Into<String>, values: Vec<String>) -> Result<Self, MechanismError> {
        let column = column.into();
        if values.is_empty() {
            return Err(MechanismError::EmptyDomain { column });
        }
        let mut seen = HashSet::with_capacity(values.len());
        if let Some(value) = values.iter().find(|value| !seen.insert(value.as_str())) {
            return Err(MechanismError::RepeatedValue { column, value: value.clone() });
        }
        Ok(Self { column, values })
    }

    /// The values that the column has in the data, sorted. That they occur at all is told by using them.
    pub fn of_data(column: &Column) -> Result<Self, MechanismError> {
        let frequencies = column.frequencies();
        let present = column.dictionary().iter().zip(frequencies).filter(|&(_, count)| count > 0);
        let mut values: Vec<String> = present.map(|(value, _)| value.to_owned()).collect();
        values.sort_by(|left, right| tamis_table::compare_values(column.data_type(), left, right));
        Self::new(column.name(), values)
    }

    /// The column.
    pub fn column(&self) -> &str {
        &self.column
    }

    /// The values.
    pub fn values(&self) -> &[String] {
        &self.values
    }

    /// The position in the domain of every code of a column; none for a value outside.
    pub(crate) fn position_of_code(&self, column: &Column) -> Vec<Option<u32>> {
        let positions: HashMap<&str, u32> =
            self.values.iter().zip(0..).map(|(value, position)| (value.as_str(), position)).collect();
        column.dictionary().iter().map(|text| positions.get(text).copied()).collect()
    }
}

/// All combinations of the values of some columns, numbered with the last column fastest.
///
/// ```
/// use tamis_mechanism::{ColumnDomain, Domain};
/// let sex = ColumnDomain::new("sex", vec!["f".into(), "m".into()])?;
/// let group = ColumnDomain::new("group", vec!["A".into(), "B".into(), "0".into()])?;
/// let domain = Domain::new(vec![sex, group])?;
/// assert_eq!(domain.size(), 6);
/// assert_eq!(domain.values(4), ["m", "B"]);
/// # Ok::<(), tamis_mechanism::MechanismError>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Domain {
    columns: Vec<ColumnDomain>,
    size: u128,
}

impl Domain {
    /// The product of the columns' domains.
    pub fn new(columns: Vec<ColumnDomain>) -> Result<Self, MechanismError> {
        for (position, column) in columns.iter().enumerate() {
            if columns.iter().take(position).any(|other| other.column == column.column) {
                return Err(MechanismError::RepeatedColumn { column: column.column.clone() });
            }
        }
        let sizes = columns.iter().map(|column| column.values.len() as u128);
        let size = sizes.into_iter().try_fold(1_u128, u128::checked_mul).filter(|&size| size <= i128::MAX as u128);
        let size = size.ok_or_else(|| MechanismError::DomainTooLarge {
            size: "too many".to_owned(),
            things: "combinations",
            most: u64::MAX,
        })?;
        Ok(Self { columns, size })
    }

    /// How many combinations there are.
    pub fn size(&self) -> u128 {
        self.size
    }

    /// The columns.
    pub fn columns(&self) -> &[ColumnDomain] {
        &self.columns
    }

    /// The positions, column by column, that a combination has in the columns' domains.
    pub(crate) fn positions(&self, mut index: u128) -> Vec<usize> {
        let mut positions: Vec<usize> = self
            .columns
            .iter()
            .rev()
            .map(|column| {
                let radix = column.values.len() as u128;
                let position = index % radix;
                index /= radix;
                position as usize
            })
            .collect();
        positions.reverse();
        positions
    }

    /// The values of a combination.
    pub fn values(&self, index: u128) -> Vec<&str> {
        let positions = self.positions(index);
        self.columns.iter().zip(positions).map(|(column, position)| column.values[position].as_str()).collect()
    }

    /// The combination of every row; none if a value is outside the domain. One lookup a cell.
    pub(crate) fn index_rows(&self, table: &Table) -> Result<Vec<Option<u128>>, MechanismError> {
        let mut indices = vec![Some(0); table.rows()];
        for domain in &self.columns {
            let column = table.column(&domain.column)?;
            let positions = domain.position_of_code(column);
            let radix = domain.values.len() as u128;
            column.codes().for_each(|row, code| {
                indices[row] = indices[row].zip(positions[code as usize]).map(|(i, p)| i * radix + u128::from(p));
            });
        }
        Ok(indices)
    }
}
