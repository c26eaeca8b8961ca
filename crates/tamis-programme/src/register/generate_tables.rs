//! Generate Tables: made-up people.

use super::layout::{NOT_YET, identifiers};
use super::tables::make_table;
use super::{Layout, Tables};
use crate::ProgrammeError;
use tamis_appointments::laboratory::generators::{Person, Population};
use tamis_source::database::{ColumnType, Database, NewColumn, Value};

/// Which people to make up.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PeopleOptions {
    /// The people of each table.
    pub population: Population,
    /// Whether tables of these names may be lost.
    pub may_replace: bool,
    /// Drives everything random.
    pub seed: u64,
}

/// A table that was made.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GeneratedPeople {
    /// Its name.
    pub table: String,
    /// How many people it has.
    pub people: u64,
}

/// Makes tables `(ID, AGE, CP, SEX, REC_RAND, REC_INTELLIGENT)` of made-up people without appointments.
pub fn generate_tables(
    database: &mut dyn Database,
    tables: &Tables,
    options: &PeopleOptions,
) -> Result<Vec<GeneratedPeople>, ProgrammeError> {
    // What cannot be generated is found before the database is touched.
    Population { people: options.population.people.min(1), ..options.population.clone() }.generate(options.seed)?;
    let layout = Layout::default();
    let names = identifiers([&layout.key, "AGE", "CP", "SEX", &layout.random, &layout.intelligent])?;
    let types = [
        ColumnType::Key,
        ColumnType::Integer,
        ColumnType::Integer,
        ColumnType::Text,
        ColumnType::Integer,
        ColumnType::Integer,
    ];
    let columns: Vec<NewColumn> =
        names.iter().cloned().zip(types).map(|(name, kind)| NewColumn::new(name, kind)).collect();
    let transaction = database.begin()?;
    let mut made = Vec::new();
    for (name, seed) in tables.with_seeds(options.seed) {
        let people = options.population.generate(seed)?;
        let table = make_table(&*transaction, &name, &columns, options.may_replace)?;
        transaction.insert(&table, &names, &mut (0..).zip(&people).map(|(id, person)| row(id, person)))?;
        made.push(GeneratedPeople { table: name, people: people.len() as u64 });
    }
    transaction.commit()?;
    Ok(made)
}

fn row(id: i64, person: &Person) -> Vec<Value> {
    vec![
        Value::Integer(id),
        Value::Integer(person.age.into()),
        Value::Integer(person.postcode.into()),
        Value::Text(person.sex.to_string()),
        Value::Integer(NOT_YET),
        Value::Integer(NOT_YET),
    ]
}
