//! The population around a table: how many people there share each tuple.

use super::people::People;
use super::{PopulationFigures, PresenceFigures, RiskOptions};
use crate::ReleaseError;
use tamis_risk::Records;
use tamis_table::{Codes, Column, Interner, Table, TupleColumn, number_tuples};

/// The people of a population by the tuples of a table.
pub(super) struct Around {
    /// People of the population with each tuple; at least as many as the table has.
    pub(super) of_tuple: Vec<u64>,
    /// People of the table whose tuple the population has too rarely.
    pub(super) not_covered: u64,
    /// People of the table divided by those of the population.
    pub(super) fraction: f64,
    people: u64,
    uniques: u64,
}

impl Around {
    /// Counts the people of a population; one hash look-up a row.
    pub(super) fn count(
        table: &Table,
        population: &Table,
        people: &People,
        options: &RiskOptions,
    ) -> Result<Self, ReleaseError> {
        let records = &people.records;
        let tuples = records.tuples();
        let mut columns = Vec::new();
        let mut domains = Vec::new();
        for (position, name) in options.quasi.iter().enumerate() {
            let theirs = population.column(name).map_err(|error| {
                ReleaseError::Setting(format!("the population needs the quasi-identifiers of the table: {error}"))
            })?;
            let (codes, domain) = common_codes(table.column(name)?, theirs);
            let ours = (0..tuples).map(|tuple| records.code(tuple, position));
            columns.push(Codes::Wide(
                ours.chain((0..population.rows()).map(|row| codes[theirs.codes().get(row) as usize])).collect(),
            ));
            domains.push(domain);
        }
        let views: Vec<&dyn TupleColumn> = columns.iter().map(|codes| codes as &dyn TupleColumn).collect();
        // The table's tuples come first, so they keep their numbers.
        let (numbers, firsts) = number_tuples(tuples + population.rows(), &views, &domains);
        let numbers = &numbers[tuples..];
        let mut counts = vec![0u64; firsts.len()];
        match options.entity.as_ref().and_then(|name| population.column(name).ok()) {
            None => numbers.iter().for_each(|&number| counts[number as usize] += 1),
            Some(person) => {
                let mut pairs: Vec<(u32, u32)> =
                    numbers.iter().enumerate().map(|(row, &number)| (number, person.codes().get(row))).collect();
                pairs.sort_unstable();
                pairs.dedup();
                for (number, _) in pairs {
                    counts[number as usize] += 1;
                }
            }
        }
        if tuples > 0 && counts[..tuples].iter().all(|&count| count == 0) {
            return Err(ReleaseError::Setting(
                "the population has none of the table's combinations of quasi-identifiers; expected a population that contains the table, its values spelled and generalized in the same way".to_owned(),
            ));
        }
        let is_short = |tuple: usize| counts[tuple] < records.size(tuple);
        let total: u64 = counts.iter().sum();
        let sample: u64 = (0..tuples).map(|tuple| records.size(tuple)).sum();
        if sample > total {
            return Err(ReleaseError::Setting(format!(
                "the population has {total} people and the table {sample}; expected a population that contains the table"
            )));
        }
        Ok(Self {
            of_tuple: (0..tuples).map(|tuple| counts[tuple].max(records.size(tuple))).collect(),
            not_covered: (0..tuples).filter(|&tuple| is_short(tuple)).map(|tuple| records.rows(tuple)).sum(),
            fraction: if total == 0 { 1.0 } else { sample as f64 / total as f64 },
            people: total,
            uniques: counts.iter().filter(|&&count| count == 1).count() as u64,
        })
    }

    pub(super) fn figures(&self, records: &Records) -> PopulationFigures {
        let is_unique = |tuple: &usize| self.of_tuple[*tuple] == 1;
        PopulationFigures {
            people: self.people,
            fraction: self.fraction,
            uniques: self.uniques,
            uniques_in_table: (0..records.tuples()).filter(is_unique).map(|tuple| records.rows(tuple)).sum(),
            rows_not_covered: self.not_covered,
        }
    }

    /// How much of its class in the population each class of the table is: what delta-presence bounds.
    pub(super) fn presence(&self, records: &Records) -> PresenceFigures {
        let shares = || (0..records.tuples()).map(|tuple| records.size(tuple) as f64 / self.of_tuple[tuple] as f64);
        PresenceFigures {
            min: shares().min_by(f64::total_cmp).unwrap_or(0.0),
            max: shares().max_by(f64::total_cmp).unwrap_or(0.0),
        }
    }
}

/// For every code of `theirs` that of the same value in `ours`, or a new one; and a bound of them all. Missing is missing, however it
/// is spelled.
fn common_codes(ours: &Column, theirs: &Column) -> (Vec<u32>, u32) {
    let mut interner = Interner::default();
    for text in ours.dictionary().iter() {
        interner.intern(text);
    }
    let mut next = ours.dictionary().len() as u32;
    let codes = theirs
        .dictionary()
        .iter()
        .zip(0..)
        .map(|(text, code)| {
            let is_missing = theirs.missing().is_some_and(|missing| missing.0 == code);
            let known = match ours.missing() {
                Some(missing) if is_missing => Some(missing.0),
                _ => interner.find(text),
            };
            known.unwrap_or_else(|| {
                next += 1;
                next - 1
            })
        })
        .collect();
    (codes, next)
}
