//! Distinct quasi-identifier tuples with counts: all that models, measures and search need to know of a table.

mod grouping;

pub use grouping::{Members, TupleColumn, number_tuples};

use crate::{Codes, Recoder, Table, TableError};
use std::collections::BTreeMap;

/// Which tuple of the frequency set each row of the table belongs to.
pub type TupleOfRow = Vec<u32>;

/// How a missing quasi-identifier value is read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum MissingPolicy {
    /// "Missing" is a value like any other.
    #[default]
    OwnCategory,
    /// A missing value may stand for any value, so its row hides in every class it could belong to.
    MatchesAnything,
}

/// A quasi-identifier: a column and how it generalizes.
#[derive(Debug, Clone)]
pub struct Attribute {
    /// The column's name.
    pub name: String,
    /// Its levels.
    pub recoder: Recoder,
    /// The level-0 code that matches anything, if the policy says that missing values do and the column has some.
    pub wildcard: Option<u32>,
}

/// The values of one sensitive attribute, counted per tuple.
#[derive(Debug, Clone)]
pub struct Sensitive {
    /// The column's name.
    pub name: String,
    /// How often each code occurs in the whole table.
    pub totals: Vec<u64>,
    /// Where each tuple's entries start in `codes` and `counts`; one more than there are tuples.
    pub starts: Vec<u32>,
    /// Codes that occur with a tuple, ascending within the tuple.
    pub codes: Vec<u32>,
    /// How often.
    pub counts: Vec<u32>,
}

/// Several columns counted together, per tuple: each combination of their values that occurs is one code.
#[derive(Debug, Clone)]
pub struct Joint {
    /// The columns' names.
    pub columns: Vec<String>,
    /// For each column the code that every combination holds there.
    pub of_code: Vec<Vec<u32>>,
    /// How often each combination occurs with each tuple.
    pub counted: Sensitive,
}

/// The distinct quasi-identifier tuples of a table with their counts and sensitive values.
#[derive(Debug, Clone)]
pub struct FrequencySet {
    /// The quasi-identifiers in column order.
    pub attributes: Vec<Attribute>,
    /// For each attribute the level-0 code of every tuple.
    pub codes: Vec<Vec<u32>>,
    /// Rows of each tuple; rows outside the research subset are not counted.
    pub counts: Vec<u32>,
    /// Rows of each tuple in the population, if the table holds one around the research subset.
    pub population: Option<Vec<u32>>,
    /// The sensitive attributes.
    pub sensitive: Vec<Sensitive>,
    /// The sets of columns that are counted together.
    pub joint: Vec<Joint>,
    /// The people behind each tuple's rows, if rows are not people.
    pub entities: Option<Entities>,
    /// Rows in all.
    pub rows: u64,
}

/// Which people have rows in each tuple; each person once per tuple, ascending.
#[derive(Debug, Clone)]
pub struct Entities {
    /// Number of people in all.
    pub people: u32,
    /// Where each tuple's people start in `ids`; one more than there are tuples.
    pub starts: Vec<u32>,
    /// The people.
    pub ids: Vec<u32>,
    /// For each sensitive attribute and each tuple's row the pair (person, code), so that a person counts once per value.
    pub values: Vec<Vec<(u32, u32)>>,
    /// Where each tuple's pairs start in `values`, per sensitive attribute.
    pub value_starts: Vec<Vec<u32>>,
}

/// What to count: column names and how rows are read.
#[derive(Debug, Clone, Default)]
pub struct FrequencySpec<'a> {
    /// Quasi-identifiers.
    pub quasi: Vec<(&'a str, Recoder, MissingPolicy)>,
    /// Sensitive attributes.
    pub sensitive: Vec<&'a str>,
    /// Sets of columns to count together.
    pub joint: Vec<Vec<String>>,
    /// The column that names the person, if a person may have several rows.
    pub entity: Option<&'a str>,
    /// Whether each row is in the research subset; all are if absent.
    pub subset: Option<&'a [bool]>,
}

impl FrequencySet {
    /// Counts a table.
    ///
    /// One pass over the rows with a hash table of the distinct tuples; memory beyond the result is 8 bytes a row.
    pub fn count(table: &Table, spec: FrequencySpec<'_>) -> Result<(Self, TupleOfRow), TableError> {
        let columns = spec.quasi.iter().map(|(name, ..)| table.column(name)).collect::<Result<Vec<_>, _>>()?;
        let views: Vec<&dyn TupleColumn> = columns.iter().map(|column| column.codes() as &dyn TupleColumn).collect();
        let domains: Vec<u32> = columns.iter().map(|column| column.dictionary().len() as u32).collect();
        let (tuple_of_row, first_rows) = number_tuples(table.rows(), &views, &domains);
        let codes: Vec<Vec<u32>> = columns
            .iter()
            .map(|column| first_rows.iter().map(|&row| column.codes().get(row as usize)).collect())
            .collect();
        let in_subset = |row: usize| spec.subset.is_none_or(|subset| subset[row]);
        let order = Members::of(&tuple_of_row, first_rows.len());
        let counts: Vec<u32> = (0..first_rows.len())
            .map(|tuple| rows_of(&order, tuple).filter(|&row| in_subset(row)).count() as u32)
            .collect();
        let population =
            spec.subset.map(|_| (0..first_rows.len()).map(|tuple| order.group(tuple).len() as u32).collect());
        let entity = spec.entity.map(|name| table.column(name)).transpose()?;
        let sensitive_columns = spec.sensitive.iter().map(|name| table.column(name)).collect::<Result<Vec<_>, _>>()?;
        let sensitive = sensitive_columns
            .iter()
            .map(|column| count_sensitive(column.name(), column.codes(), column.dictionary().len(), &order, in_subset))
            .collect();
        let joint = spec
            .joint
            .into_iter()
            .map(|names| count_joint(table, names, &order, in_subset))
            .collect::<Result<_, _>>()?;
        let entities = entity.map(|column| {
            let sensitive: Vec<&Codes> = sensitive_columns.iter().map(|column| column.codes()).collect();
            count_entities(column.codes(), column.dictionary().len() as u32, &sensitive, &order, in_subset)
        });
        let rows = counts.iter().map(|&count| u64::from(count)).sum();
        let attributes = spec
            .quasi
            .into_iter()
            .zip(&columns)
            .map(|((name, recoder, missing), column)| Attribute {
                name: name.to_owned(),
                recoder,
                wildcard: column.missing().filter(|_| missing == MissingPolicy::MatchesAnything).map(|code| code.0),
            })
            .collect();
        Ok((Self { attributes, codes, counts, population, sensitive, joint, entities, rows }, tuple_of_row))
    }

    /// How many rows hold each level-0 code of attribute `j`.
    pub fn rows_of_codes(&self, j: usize) -> Vec<u64> {
        let mut rows = vec![0; self.attributes[j].recoder.labels_of_codes(0).len()];
        for (&code, &count) in self.codes[j].iter().zip(&self.counts) {
            rows[code as usize] += u64::from(count);
        }
        rows
    }

    /// How often each value of a sensitive attribute occurs in the whole table; once per person where rows are not people.
    pub fn sensitive_totals(&self, position: usize) -> Vec<u64> {
        let totals = &self.sensitive[position].totals;
        let Some(entities) = &self.entities else { return totals.clone() };
        let mut pairs = entities.values[position].clone();
        pairs.sort_unstable();
        pairs.dedup();
        let mut counts = vec![0; totals.len()];
        for (_, code) in pairs {
            counts[code as usize] += 1;
        }
        counts
    }

    /// What k counts in a tuple: its rows, or its people where rows are not people.
    pub fn size(&self, tuple: usize) -> u64 {
        u64::from(match &self.entities {
            None => self.counts[tuple],
            Some(entities) => entities.starts[tuple + 1] - entities.starts[tuple],
        })
    }

    /// The values of a sensitive attribute in a tuple and how often they occur there, ascending; once per person where rows are not
    /// people.
    pub fn values(&self, position: usize, tuple: usize) -> Vec<(u32, u32)> {
        let sensitive = &self.sensitive[position];
        let Some(entities) = &self.entities else {
            let range = sensitive.starts[tuple] as usize..sensitive.starts[tuple + 1] as usize;
            return sensitive.codes[range.clone()]
                .iter()
                .copied()
                .zip(sensitive.counts[range].iter().copied())
                .collect();
        };
        let starts = &entities.value_starts[position];
        let mut counts = BTreeMap::new();
        for &(_, code) in &entities.values[position][starts[tuple] as usize..starts[tuple + 1] as usize] {
            *counts.entry(code).or_insert(0) += 1;
        }
        counts.into_iter().collect()
    }

    /// Number of distinct tuples.
    pub fn tuples(&self) -> usize {
        self.counts.len()
    }
}

/// The rows of a tuple.
fn rows_of(order: &Members, tuple: usize) -> impl Iterator<Item = usize> {
    order.group(tuple).iter().map(|&row| row as usize)
}

fn count_sensitive(
    name: &str,
    column: &Codes,
    domain: usize,
    order: &Members,
    in_subset: impl Fn(usize) -> bool,
) -> Sensitive {
    let mut totals = vec![0u64; domain];
    let mut scratch = vec![0u32; domain];
    let mut present: Vec<u32> = Vec::new();
    let mut starts = Vec::with_capacity(order.len() + 1);
    let (mut codes, mut counts) = (Vec::new(), Vec::new());
    starts.push(0);
    for tuple in 0..order.len() {
        for row in rows_of(order, tuple).filter(|&row| in_subset(row)) {
            let code = column.get(row);
            if scratch[code as usize] == 0 {
                present.push(code);
            }
            scratch[code as usize] += 1;
        }
        present.sort_unstable();
        for code in present.drain(..) {
            let count = std::mem::take(&mut scratch[code as usize]);
            totals[code as usize] += u64::from(count);
            codes.push(code);
            counts.push(count);
        }
        starts.push(codes.len() as u32);
    }
    Sensitive { name: name.to_owned(), totals, starts, codes, counts }
}

fn count_joint(
    table: &Table,
    names: Vec<String>,
    order: &Members,
    in_subset: impl Fn(usize) -> bool,
) -> Result<Joint, TableError> {
    let columns = names.iter().map(|name| table.column(name)).collect::<Result<Vec<_>, _>>()?;
    let views: Vec<&dyn TupleColumn> = columns.iter().map(|column| column.codes() as &dyn TupleColumn).collect();
    let domains: Vec<u32> = columns.iter().map(|column| column.dictionary().len() as u32).collect();
    let (code_of_row, firsts) = number_tuples(table.rows(), &views, &domains);
    let of_code =
        columns.iter().map(|column| firsts.iter().map(|&row| column.codes().get(row as usize)).collect()).collect();
    let counted = count_sensitive(&names.join(" + "), &Codes::Wide(code_of_row), firsts.len(), order, in_subset);
    Ok(Joint { columns: names, of_code, counted })
}

fn count_entities(
    column: &Codes,
    people: u32,
    sensitive: &[&Codes],
    order: &Members,
    in_subset: impl Fn(usize) -> bool,
) -> Entities {
    let distinct_per_tuple = |value: &dyn Fn(usize) -> (u32, u32)| {
        let mut starts = vec![0];
        let mut pairs: Vec<(u32, u32)> = Vec::new();
        let mut of_tuple = Vec::new();
        for tuple in 0..order.len() {
            of_tuple.extend(rows_of(order, tuple).filter(|&row| in_subset(row)).map(value));
            of_tuple.sort_unstable();
            of_tuple.dedup();
            pairs.append(&mut of_tuple);
            starts.push(pairs.len() as u32);
        }
        (starts, pairs)
    };
    let (starts, ids) = distinct_per_tuple(&|row| (column.get(row), 0));
    let (value_starts, values) =
        sensitive.iter().map(|codes| distinct_per_tuple(&|row| (column.get(row), codes.get(row)))).unzip();
    Entities { people, starts, ids: ids.into_iter().map(|(person, _)| person).collect(), values, value_starts }
}
