//! Assign Appointment: everybody gets a slot by lot and one by Tamis.

use super::deal::deal;
use super::get_k::{find_attributes, k_of_table};
use super::layout::is_not_yet;
use super::tables::resource_table;
use super::{Layout, Tables};
use crate::ProgrammeError;
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::SeedableRng;
use tamis_appointments::{AnonymityVector, AppointmentError, Instance, Method, Schedule, SolveOptions, solve};
use tamis_source::database::{ColumnType, Database, Identifier, NewColumn, Transaction, Value};

/// How to assign.
pub struct AssignOptions {
    /// The quasi-identifier.
    pub attributes: Vec<String>,
    /// What the columns are called.
    pub layout: Layout,
    /// Whether columns for the appointments are added where they are missing.
    pub may_add_columns: bool,
    /// Whether appointments that people have already may be lost.
    pub may_replace: bool,
    /// How people are scheduled.
    pub method: Method,
    /// What the method may use.
    pub solve: SolveOptions,
}

/// The appointments of one table.
#[derive(Debug, Clone, PartialEq)]
pub struct Assigned {
    /// The table of people.
    pub table: String,
    /// How many slots there are.
    pub resources: u64,
    /// How many people they take.
    pub places: u64,
    /// The vector without appointments.
    pub before: AnonymityVector,
    /// The vector with appointments by lot.
    pub random: AnonymityVector,
    /// The vector with appointments by Tamis.
    pub intelligent: AnonymityVector,
    /// No schedule has a smaller vector than this.
    pub lower_bound: AnonymityVector,
    /// How Tamis made them.
    pub method: Method,
    /// Whether it is proved that no schedule is more anonymous.
    pub is_optimal: bool,
    /// People without a value in some attribute.
    pub with_nulls: u64,
}

/// Writes two appointments into the row of everybody in the tables: one by lot, one by Tamis.
pub fn assign(
    database: &mut dyn Database,
    tables: &Tables,
    options: &AssignOptions,
) -> Result<Vec<Assigned>, ProgrammeError> {
    let transaction = database.begin()?;
    let assign_one = |(name, seed): (String, u64)| Register::find(&*transaction, &name, options)?.assign(options, seed);
    let assigned = tables.with_seeds(options.solve.seed).map(assign_one).collect::<Result<_, _>>()?;
    transaction.commit()?;
    Ok(assigned)
}

/// A table of people beside its table of slots.
struct Register<'a> {
    transaction: &'a dyn Transaction,
    people: Identifier,
    attributes: Vec<Identifier>,
    key: Identifier,
    /// By lot, by Tamis.
    appointments: [Identifier; 2],
    slots: Slots,
}

/// The slots of a table.
struct Slots {
    names: Vec<Value>,
    capacities: Vec<u64>,
}

impl<'a> Register<'a> {
    fn find(transaction: &'a dyn Transaction, name: &str, options: &AssignOptions) -> Result<Self, ProgrammeError> {
        let layout = &options.layout;
        let people = transaction.find_table(name)?;
        let attributes = find_attributes(transaction, &people, &options.attributes)?;
        let key = transaction.find_column(&people, &layout.key)?;
        ensure_tells_apart(transaction, &people, &key, "name a column that tells people apart with --key")?;
        let slots = Slots::find(transaction, &resource_table(people.as_str()), layout)?;
        let kind = slots.kind();
        let result = |name: &str| result_column(transaction, &people, name, kind, options.may_add_columns);
        let appointments = [result(&layout.random)?, result(&layout.intelligent)?];
        ensure_distinct(&people, &key, &attributes, &appointments)?;
        Ok(Self { transaction, people, attributes, key, appointments, slots })
    }

    fn assign(&self, options: &AssignOptions, seed: u64) -> Result<Assigned, ProgrammeError> {
        let before = k_of_table(self.transaction, &self.people, &self.attributes)?;
        let keys = self.keys_by_group(options.may_replace)?;
        let frequencies: Vec<u64> = keys.iter().map(|group| group.len() as u64).collect();
        let at_table = |error: AppointmentError| ProgrammeError::at(&self.people, error);
        let instance = Instance::plain(&frequencies, &self.slots.capacities).map_err(at_table)?;
        let solve_options = SolveOptions { seed, ..options.solve.clone() };
        let random = solve(&instance, Method::Random, &solve_options).map_err(at_table)?;
        let intelligent = solve(&instance, options.method, &solve_options).map_err(at_table)?;
        self.write(keys, [&random.schedule, &intelligent.schedule], seed)?;
        Ok(Assigned {
            table: self.people.to_string(),
            resources: self.slots.capacities.len() as u64,
            places: self.slots.capacities.iter().sum(),
            before: before.vector,
            random: random.vector,
            is_optimal: intelligent.is_optimal(),
            method: options.method.answering(&intelligent, solve_options.level),
            lower_bound: intelligent.lower_bound,
            intelligent: intelligent.vector,
            with_nulls: before.with_nulls,
        })
    }

    /// The keys of the people of each group.
    fn keys_by_group(&self, may_replace: bool) -> Result<Vec<Vec<Value>>, ProgrammeError> {
        let [random, intelligent] = &self.appointments;
        let columns = [self.key.clone(), random.clone(), intelligent.clone()];
        let mut keys: Vec<Vec<Value>> = Vec::new();
        let mut appointed = 0_u64;
        self.transaction.each_grouped_row(&self.people, &self.attributes, &columns, &mut |group, values| {
            let mut values = values.into_iter();
            keys.resize_with(keys.len().max(group + 1), Vec::new);
            keys[group].extend(values.next());
            appointed += u64::from(values.any(|value| !is_not_yet(&value)));
        })?;
        if appointed > 0 && !may_replace {
            return Err(ProgrammeError::Invalid(format!(
                "`{}`: {} an appointment in `{random}` or `{intelligent}` already; \
                 add --replace to give everybody a new one",
                self.people,
                rows_have(appointed)
            )));
        }
        Ok(keys)
    }

    fn write(&self, keys: Vec<Vec<Value>>, schedules: [&Schedule; 2], seed: u64) -> Result<(), ProgrammeError> {
        let mut dice = ChaCha8Rng::seed_from_u64(seed);
        let [random, intelligent] = schedules.map(|schedule| deal(schedule, &mut dice).into_iter().flatten());
        let slot = |slot: usize| self.slots.names[slot].clone();
        let appointed = keys.into_iter().flatten().zip(random.zip(intelligent));
        let mut rows = appointed.map(|(key, (random, intelligent))| vec![key, slot(random), slot(intelligent)]);
        Ok(self.transaction.update(&self.people, &self.key, &self.appointments, &mut rows)?)
    }
}

impl Slots {
    fn find(transaction: &dyn Transaction, name: &str, layout: &Layout) -> Result<Self, ProgrammeError> {
        let table = transaction.find_table(name)?;
        let resource = transaction.find_column(&table, &layout.resource)?;
        let capacity = transaction.find_column(&table, &layout.capacity)?;
        ensure_tells_apart(transaction, &table, &resource, "give every slot one row and a name of its own")?;
        let (mut names, mut capacities, mut bad) = (Vec::new(), Vec::new(), None);
        transaction.each_row(&table, &[resource, capacity.clone()], &mut |values| {
            let Ok([name, places]) = <[Value; 2]>::try_from(values) else { return };
            match places {
                Value::Integer(places) if places > 0 => capacities.push(places.unsigned_abs()),
                other => bad = bad.take().or(Some((name.clone(), other))),
            }
            names.push(name);
        })?;
        match bad {
            Some((slot, found)) => Err(ProgrammeError::Invalid(format!(
                "`{table}`: `{capacity}` of slot {slot} is {found}; expected a whole number of at least 1"
            ))),
            None => Ok(Self { names, capacities }),
        }
    }

    /// What a column that names these slots holds.
    fn kind(&self) -> ColumnType {
        let is_integer = |name: &Value| matches!(name, Value::Integer(_));
        if self.names.iter().all(is_integer) { ColumnType::Integer } else { ColumnType::Text }
    }
}

fn rows_have(number: u64) -> String {
    if number == 1 { "1 row has".to_owned() } else { format!("{number} rows have") }
}

/// Refuses a column that has missing or repeated values.
fn ensure_tells_apart(
    transaction: &dyn Transaction,
    table: &Identifier,
    column: &Identifier,
    remedy: &str,
) -> Result<(), ProgrammeError> {
    let nulls = transaction.rows_with_nulls(table, std::slice::from_ref(column))?;
    let found = if nulls > 0 {
        format!("{} no value", rows_have(nulls))
    } else if let Some((value, rows)) = transaction.repeated(table, column)? {
        format!("{} {value}", rows_have(rows))
    } else {
        return Ok(());
    };
    Err(ProgrammeError::Invalid(format!("`{table}`: {found} in `{column}`; {remedy}")))
}

/// The column that takes appointments, made if it is missing and that was asked for.
fn result_column(
    transaction: &dyn Transaction,
    table: &Identifier,
    name: &str,
    kind: ColumnType,
    may_add: bool,
) -> Result<Identifier, ProgrammeError> {
    match transaction.find_column(table, name) {
        Err(_) if may_add => {
            let column = Identifier::new(name)?;
            transaction.add_column(table, &NewColumn::new(column.clone(), kind))?;
            Ok(column)
        }
        Err(error) => Err(ProgrammeError::Invalid(format!("{error}; add --add-columns to have it made"))),
        Ok(column) => Ok(column),
    }
}

/// Refuses to write appointments over the key, the quasi-identifier or each other.
fn ensure_distinct(
    table: &Identifier,
    key: &Identifier,
    attributes: &[Identifier],
    appointments: &[Identifier; 2],
) -> Result<(), ProgrammeError> {
    let [random, intelligent] = appointments;
    let is_read = |column: &&Identifier| *column == key || attributes.contains(column);
    let taken = appointments.iter().find(is_read).or((random == intelligent).then_some(random));
    match taken {
        Some(column) => Err(ProgrammeError::Invalid(format!(
            "`{column}` of `{table}` is to take appointments and has another task too; \
             name a column of its own for the key, each attribute and each kind of appointment"
        ))),
        None => Ok(()),
    }
}
