//! Generate Resources: made-up slots for the people of tables.

use super::layout::identifiers;
use super::tables::{make_table, resource_table};
use super::{Layout, Tables};
use crate::ProgrammeError;
use tamis_appointments::laboratory::generators::Resources;
use tamis_source::database::{ColumnType, Database, NewColumn, Value};

/// Which slots to make up.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ResourceOptions {
    /// How many slots at least; more are made until there is room for everybody.
    pub number: u64,
    /// The smallest capacity.
    pub minimum: u64,
    /// The largest capacity.
    pub maximum: u64,
    /// How many people need a place; as many as the table has if none.
    pub people: Option<u64>,
    /// Whether tables of these names may be lost.
    pub may_replace: bool,
    /// Drives everything random.
    pub seed: u64,
}

/// A table that was made.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GeneratedResources {
    /// Its name.
    pub table: String,
    /// How many slots it has.
    pub resources: u64,
    /// How many people they take.
    pub places: u64,
    /// How many people they are for.
    pub people: u64,
}

/// Makes a table `NAME_resource(RESOURCE, CAPACITY)` for each table of people, slots numbered from 0.
pub fn generate_resources(
    database: &mut dyn Database,
    tables: &Tables,
    options: &ResourceOptions,
) -> Result<Vec<GeneratedResources>, ProgrammeError> {
    let layout = Layout::default();
    let names = identifiers([&layout.resource, &layout.capacity])?;
    let columns: Vec<NewColumn> = names
        .iter()
        .cloned()
        .zip([ColumnType::Key, ColumnType::Integer])
        .map(|(name, kind)| NewColumn::new(name, kind))
        .collect();
    let transaction = database.begin()?;
    let mut made = Vec::new();
    for (name, seed) in tables.with_seeds(options.seed) {
        let people_table = transaction.find_table(&name)?;
        let people = match options.people {
            Some(people) => people,
            None => transaction.count_rows(&people_table)?,
        };
        let resources =
            Resources { number: options.number, minimum: options.minimum, maximum: options.maximum, people };
        let capacities = resources.generate(seed).map_err(|error| ProgrammeError::at(&name, error))?;
        let table = make_table(&*transaction, &resource_table(people_table.as_str()), &columns, options.may_replace)?;
        // Capacities are bounded by their generator, far below the largest whole number of a database.
        let row =
            |(number, &capacity): (i64, &u64)| vec![Value::Integer(number), Value::Integer(capacity.cast_signed())];
        transaction.insert(&table, &names, &mut (0..).zip(&capacities).map(row))?;
        made.push(GeneratedResources {
            table: table.to_string(),
            resources: capacities.len() as u64,
            places: capacities.iter().sum(),
            people,
        });
    }
    transaction.commit()?;
    Ok(made)
}
