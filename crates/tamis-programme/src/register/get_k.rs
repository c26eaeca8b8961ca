//! GetK: how anonymous tables are.

use super::Tables;
use crate::ProgrammeError;
use tamis_appointments::AnonymityVector;
use tamis_source::database::{Database, Identifier, Transaction};

/// How anonymous one table is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KOfTable {
    /// Its name as the database spells it.
    pub table: String,
    /// k: how many people share their values with the fewest others, themselves included.
    pub k: u64,
    /// How many groups there are of each size.
    pub vector: AnonymityVector,
    /// People without a value in some attribute. Having none counts as a value.
    pub with_nulls: u64,
}

/// How anonymous several tables are.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KOfTables {
    /// Each of them.
    pub tables: Vec<KOfTable>,
}

impl KOfTables {
    /// The mean k.
    pub fn mean(&self) -> f64 {
        self.tables.iter().map(|table| table.k as f64).sum::<f64>() / self.tables.len() as f64
    }

    /// The lowest k.
    pub fn min(&self) -> u64 {
        self.tables.iter().map(|table| table.k).min().unwrap_or(0)
    }

    /// The highest k.
    pub fn max(&self) -> u64 {
        self.tables.iter().map(|table| table.k).max().unwrap_or(0)
    }
}

/// Tells k and the anonymity vector of tables over some attributes. The database groups and counts; the vector is all that
/// leaves it.
pub fn get_k(database: &mut dyn Database, tables: &Tables, attributes: &[String]) -> Result<KOfTables, ProgrammeError> {
    let transaction = database.begin()?;
    let measure = |name: String| {
        let table = transaction.find_table(&name)?;
        let attributes = find_attributes(&*transaction, &table, attributes)?;
        k_of_table(&*transaction, &table, &attributes)
    };
    Ok(KOfTables { tables: tables.names().map(measure).collect::<Result<_, _>>()? })
}

/// k and the vector of one table.
pub(super) fn k_of_table(
    transaction: &dyn Transaction,
    table: &Identifier,
    attributes: &[Identifier],
) -> Result<KOfTable, ProgrammeError> {
    let vector = AnonymityVector::of_counts(transaction.group_sizes(table, attributes)?);
    let Some(k) = vector.k() else {
        return Err(ProgrammeError::Invalid(format!("the table `{table}` has no rows; nobody is in it to be counted")));
    };
    let with_nulls = transaction.rows_with_nulls(table, attributes)?;
    Ok(KOfTable { table: table.to_string(), k, vector, with_nulls })
}

/// The attributes as the table spells them.
pub(super) fn find_attributes(
    transaction: &dyn Transaction,
    table: &Identifier,
    attributes: &[String],
) -> Result<Vec<Identifier>, ProgrammeError> {
    if attributes.is_empty() {
        return Err(ProgrammeError::Invalid("no attribute was named; name at least one column".to_owned()));
    }
    Ok(attributes.iter().map(|name| transaction.find_column(table, name)).collect::<Result<_, _>>()?)
}
