//! Single records: how risky each is and which columns make it so.

use super::people::People;
use crate::ReleaseError;
use serde::Serialize;
use std::collections::BTreeMap;
use tamis_risk::{ColumnSet, MinimalUniques, suda};
use tamis_table::Table;

/// What is known of one row.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct RecordRisk {
    /// The row, from 1.
    pub row: u64,
    /// Its quasi-identifiers.
    pub values: BTreeMap<String, String>,
    /// People of the table who share them, the row's own included.
    pub class_size: u64,
    /// The prosecutor's risk.
    pub risk: f64,
    /// The journalist's, where there is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub journalist: Option<f64>,
    /// The SUDA score.
    pub suda_score: f64,
    /// The probability that a match with it is right, shared out by score.
    pub dis: f64,
    /// The smallest sets of columns that single it out, smallest first.
    pub minimal_uniques: Vec<Vec<String>>,
    /// What each column does for it; only for a row that was asked about.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub columns: Vec<ColumnInRecord>,
}

/// What a column does for one row.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ColumnInRecord {
    /// The column.
    pub column: String,
    /// How many people would share the row's other quasi-identifiers if the column were not there.
    pub class_size_without: u64,
    /// The share of the row's SUDA score from sets with this column.
    pub suda_share: f64,
}

/// Everything needed to tell of a row.
pub(super) struct Riskiest<'a> {
    pub(super) table: &'a Table,
    pub(super) people: &'a People,
    pub(super) minimal: &'a MinimalUniques,
    pub(super) scores: &'a suda::Scores,
    pub(super) dis: &'a [f64],
    pub(super) journalist: Option<&'a [f64]>,
}

impl Riskiest<'_> {
    /// The riskiest rows: smallest classes first, among them the highest scores, then in the order of the table.
    pub(super) fn list(&self, top: usize, quasi: &[String]) -> Vec<RecordRisk> {
        let key = |tuple: u32| {
            let tuple = tuple as usize;
            (1.0 / self.people.records.size(tuple) as f64, self.scores.of_tuple[tuple])
        };
        let mut rows: Vec<(usize, u32)> =
            self.people.tuple_of_row.iter().enumerate().filter_map(|(row, tuple)| Some((row, (*tuple)?))).collect();
        rows.sort_by(|&(left_row, left), &(right_row, right)| {
            let ((left_risk, left_score), (right_risk, right_score)) = (key(left), key(right));
            right_risk.total_cmp(&left_risk).then(right_score.total_cmp(&left_score)).then(left_row.cmp(&right_row))
        });
        rows.into_iter().take(top).map(|(row, tuple)| self.record(row, tuple, quasi)).collect()
    }

    /// One row, from 1, in detail.
    pub(super) fn explain(&self, row: usize, quasi: &[String]) -> Result<RecordRisk, ReleaseError> {
        let tuple = self.people.tuple_of_row.get(row - 1).copied().flatten().ok_or_else(|| {
            ReleaseError::Setting(format!("--row is {row}, which is suppressed: all its quasi-identifiers are `*`"))
        })?;
        let mut record = self.record(row - 1, tuple, quasi);
        record.columns = (0..quasi.len())
            .map(|column| ColumnInRecord {
                column: quasi[column].clone(),
                class_size_without: self.size_without(tuple as usize, column),
                suda_share: self.share_of(tuple, column),
            })
            .collect();
        Ok(record)
    }

    fn record(&self, row: usize, tuple: u32, quasi: &[String]) -> RecordRisk {
        let at = tuple as usize;
        let text =
            |name: &String| self.table.column(name).map(|column| column.text(row).to_owned()).unwrap_or_default();
        let named = |set: ColumnSet| set.columns().into_iter().map(|column| quasi[column].clone()).collect();
        let class_size = self.people.records.size(at);
        RecordRisk {
            row: row as u64 + 1,
            values: quasi.iter().map(|name| (name.clone(), text(name))).collect(),
            class_size,
            risk: 1.0 / class_size as f64,
            journalist: self.journalist.map(|risks| risks[at]),
            suda_score: self.scores.of_tuple[at],
            dis: self.dis[at],
            minimal_uniques: self.minimal.of_tuple(tuple).map(named).collect(),
            columns: Vec::new(),
        }
    }

    fn size_without(&self, tuple: usize, column: usize) -> u64 {
        let records = &self.people.records;
        let others: Vec<usize> = (0..records.width()).filter(|&other| other != column).collect();
        let agrees = |other: &usize| others.iter().all(|&c| records.code(*other, c) == records.code(tuple, c));
        records.people_in((0..records.tuples()).filter(agrees))
    }

    fn share_of(&self, tuple: u32, column: usize) -> f64 {
        let width = self.people.records.width();
        let score = |set: ColumnSet| suda::score(set.size(), width, self.minimal.size);
        let total: f64 = self.minimal.of_tuple(tuple).map(score).sum();
        let shared: f64 = self.minimal.of_tuple(tuple).filter(|set| set.has(column)).map(score).sum();
        if total > 0.0 { (shared / total).max(0.0) } else { 0.0 }
    }
}
