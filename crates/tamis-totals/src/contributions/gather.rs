//! Rows of microdata by the cells they fall into.

use std::collections::HashMap;

use tamis_cells::plain;
use tamis_table::number_in;

use super::{
    ContributionColumns, Draft, DraftCell, MissingLabels, Rules, Sheet, TableOptions, column, decimals, is_request,
    leaf_labels,
};
use crate::dimension::Dimension;
use crate::draft::{Contributors, exact_sum, for_each_above, in_order};
use crate::error::{TotalsError, invalid};
use crate::options::{Cost, MissingCells};
use crate::rules::{Contribution, Facts};

/// A row of microdata.
#[derive(Debug, Clone, Copy)]
struct Row {
    value: f64,
    weight: f64,
    cost: f64,
    /// Who counts as one.
    contributor: u32,
    respondent: u32,
    request: bool,
}

/// Rows by innermost cell.
pub(super) struct Gathered {
    /// The innermost cells by their labels, in their order.
    cells: Vec<Box<[u32]>>,
    /// The rows of each innermost cell.
    rows: Vec<Vec<Row>>,
    contributors: usize,
    respondents: usize,
    has_cost: bool,
    is_weighted: bool,
}

impl Gathered {
    pub(super) fn read(
        sheet: &Sheet,
        value: &str,
        columns: &ContributionColumns,
        options: &TableOptions,
        draft: &mut Draft,
    ) -> Result<Self, TotalsError> {
        let missing: MissingLabels = columns.missing;
        let labels: Vec<Vec<u32>> = (draft.dimensions.iter_mut())
            .map(|dimension| {
                let is_flat = !options.hierarchies.iter().any(|file| file.dimension == dimension.name());
                leaf_labels(sheet, dimension, is_flat, missing)
            })
            .collect::<Result<_, _>>()?;
        let value_column = sheet.column(value)?;
        let values = sheet.numbers(value_column, false)?;
        let written = |text: &str| number_in(text).map_or(0, |number| decimals(&plain(number).to_string()));
        draft.decimals = value_column.dictionary().iter().map(written).max().unwrap_or(0);
        let weights = column(sheet, columns.sampling_weight.as_ref())?;
        let is_weighted = weights.is_some();
        let weights = weights.map(|column| sheet.numbers(column, false)).transpose()?;
        if is_weighted {
            draft.decimals = usize::MAX;
        }
        let cost_name = match &options.cost {
            Some(Cost::Column(name)) => Some(name),
            _ => None,
        };
        let costs = column(sheet, cost_name)?.map(|column| sheet.numbers(column, false)).transpose()?;
        let requests = column(sheet, columns.request.as_ref())?;
        let (respondents, respondent_count) = numbers_of(sheet, columns.respondent.as_ref(), None)?;
        let (contributors, contributor_count) = match &columns.holding {
            Some(_) => numbers_of(sheet, columns.holding.as_ref(), Some((&respondents, respondent_count)))?,
            None => (respondents.clone(), respondent_count),
        };
        let mut at: HashMap<Box<[u32]>, usize> = HashMap::new();
        let mut gathered = Self {
            cells: Vec::new(),
            rows: Vec::new(),
            contributors: contributor_count,
            respondents: respondent_count,
            has_cost: costs.is_some(),
            is_weighted,
        };
        let mut key = vec![0; labels.len()];
        for row in 0..sheet.rows() {
            for (slot, labels) in key.iter_mut().zip(&labels) {
                *slot = labels[row];
            }
            let Some(value) = values[row] else {
                let (place, name) = (sheet.place(row), value_column.name());
                return Err(invalid(format!(
                    "{place}, column `{name}`: found no value; write one, 0 if there is nothing"
                )));
            };
            let weight = weights.as_ref().map_or(Some(1.0), |weights| weights[row]);
            let Some(weight) = weight.filter(|&weight| weight >= 0.0) else {
                return Err(invalid(format!("{}: a sampling weight is a number from 0 on; mend it", sheet.place(row))));
            };
            let cell = if let Some(&cell) = at.get(key.as_slice()) {
                cell
            } else {
                at.insert(key.clone().into(), gathered.cells.len());
                gathered.cells.push(key.clone().into());
                gathered.rows.push(Vec::new());
                gathered.cells.len() - 1
            };
            gathered.rows[cell].push(Row {
                value,
                weight,
                cost: costs.as_ref().and_then(|costs| costs[row]).unwrap_or(0.0),
                contributor: contributors[row],
                respondent: respondents[row],
                request: requests.is_some_and(|column| is_request(column.text(row))),
            });
        }
        let ranks: Vec<Vec<u32>> = draft.dimensions.iter().map(Dimension::ranks).collect();
        let (cells, rows) = (std::mem::take(&mut gathered.cells), std::mem::take(&mut gathered.rows));
        let mut sorted: Vec<_> = cells.into_iter().zip(rows).collect();
        sorted.sort_by_cached_key(|(labels, _)| in_order(&ranks, labels));
        (gathered.cells, gathered.rows) = sorted.into_iter().unzip();
        Ok(gathered)
    }

    /// The cells of the draft: the innermost ones, then their totals.
    pub(super) fn cells(&self, draft: &mut Draft, name: &str) -> Result<(), TotalsError> {
        let cells = self.cells.iter().zip(&self.rows).map(|(labels, rows)| {
            // Sampling weights are no decimals.
            let text = if self.is_weighted {
                String::new()
            } else {
                exact_sum(rows.iter().map(|row| row.value), draft.decimals)
            };
            let sum = || draft.rounded(rows.iter().map(|row| row.weight * row.value).sum());
            let value = text.parse().map_or_else(|_| sum(), plain);
            let weight = self.has_cost.then(|| rows.iter().map(|row| row.weight * row.cost).sum());
            (labels.clone(), DraftCell { value, text, weight, ..DraftCell::default() })
        });
        let cells = cells.collect();
        let dimensions = (0..draft.dimensions.len()).collect();
        draft.insert(name.to_owned(), dimensions, cells)?;
        draft.roll_up(0, MissingCells::Zero)
    }

    /// What rules need to know about each cell, and who contributes to it.
    pub(super) fn facts(&self, draft: &Draft, rules: &Rules) -> Vec<(Facts, Contributors)> {
        let dimensions: Vec<&Dimension> = draft.dimensions.iter().collect();
        // Which innermost cells each cell is made of.
        let mut parts: Vec<Vec<u32>> = vec![Vec::new(); draft.cells.len()];
        for (number, labels) in self.cells.iter().enumerate() {
            for_each_above(&dimensions, labels, |above| {
                if let Some(&cell) = draft.by_coordinates.get(above) {
                    parts[cell].push(number as u32);
                }
            });
        }
        let mut desk = Desk::new(self.contributors, self.respondents);
        let cells = draft.cells.iter().zip(&parts);
        cells
            .map(|(cell, parts)| {
                let rows = parts.iter().flat_map(|&part| &self.rows[part as usize]);
                desk.facts(rows, cell.value, rules, self.is_weighted)
            })
            .collect()
    }
}

/// A number for each distinct text of a column; rows without one, or without the column, are one each or as told.
fn numbers_of(
    sheet: &Sheet,
    name: Option<&String>,
    otherwise: Option<(&[u32], usize)>,
) -> Result<(Vec<u32>, usize), TotalsError> {
    let Some(column) = column(sheet, name)? else {
        return Ok(((0..sheet.rows() as u32).collect(), sheet.rows()));
    };
    let texts = column.dictionary().len();
    let missing = column.missing().map(|code| code.0);
    let number = |row: usize| match column.codes().get(row) {
        code if Some(code) != missing => code,
        _ => texts as u32 + otherwise.map_or(row as u32, |(numbers, _)| numbers[row]),
    };
    let count = texts + otherwise.map_or(sheet.rows(), |(_, count)| count);
    Ok(((0..sheet.rows()).map(number).collect(), count))
}

/// What somebody contributes to the cell at hand.
#[derive(Debug, Clone, Copy, Default)]
struct Share {
    value: f64,
    weighted: f64,
    size: f64,
    weights: f64,
    rows: u32,
    request: bool,
}

/// Room for one cell at a time: shares by contributor, and who has one. Nothing is sorted but the shares themselves.
struct Desk {
    shares: Vec<Share>,
    met: Vec<u32>,
    weight_of_respondent: Vec<f64>,
    respondents_met: Vec<u32>,
}

impl Desk {
    fn new(contributors: usize, respondents: usize) -> Self {
        Self {
            shares: vec![Share::default(); contributors],
            met: Vec::new(),
            weight_of_respondent: vec![-1.0; respondents],
            respondents_met: Vec::new(),
        }
    }

    fn facts<'a>(
        &mut self,
        rows: impl Iterator<Item = &'a Row>,
        value: f64,
        rules: &Rules,
        weighted: bool,
    ) -> (Facts, Contributors) {
        for row in rows {
            let share = &mut self.shares[row.contributor as usize];
            if share.rows == 0 {
                self.met.push(row.contributor);
            }
            share.value += row.value;
            share.weighted += row.weight * row.value;
            share.size += row.value.abs();
            share.weights += row.weight;
            share.rows += 1;
            share.request |= row.request;
            let heaviest = &mut self.weight_of_respondent[row.respondent as usize];
            if *heaviest < 0.0 {
                self.respondents_met.push(row.respondent);
            }
            *heaviest = heaviest.max(row.weight);
        }
        let (mut size, mut frequency) = (0.0, 0.0);
        let mut requested: Option<f64> = None;
        let mut top = Vec::with_capacity(self.met.len());
        let mut largest: Option<(f64, u32)> = None;
        for &contributor in &self.met {
            let share = std::mem::take(&mut self.shares[contributor as usize]);
            // Somebody with several rows counts with the weight that keeps their part of the cell, if there is one.
            let mean = share.weights / f64::from(share.rows);
            let weight = match share.weighted / share.value {
                weight if share.rows > 1 && weight.is_finite() && weight >= 0.0 => weight,
                _ => mean,
            };
            let contribution = Contribution { size: share.value.abs(), weight };
            if largest.is_none_or(|(size, _)| contribution.size > size) {
                largest = Some((contribution.size, contributor));
            }
            size += contribution.size * weight;
            frequency += weight;
            if share.request {
                requested = Some(requested.unwrap_or(0.0).max(contribution.size));
            }
            top.push(contribution);
        }
        let sole = if let [sole] = self.met[..] { Some(sole) } else { None };
        self.met.clear();
        let respondents = self.respondents_met.drain(..);
        let respondents: f64 =
            respondents.map(|number| std::mem::replace(&mut self.weight_of_respondent[number as usize], -1.0)).sum();
        let depth = rules.depth() as usize;
        let larger = |left: &Contribution, right: &Contribution| right.size.total_cmp(&left.size);
        // A weight below 1 takes more contributions to fill as many units; all are kept then.
        if !weighted && top.len() > depth {
            top.select_nth_unstable_by(depth - 1, larger);
            top.truncate(depth);
        }
        top.sort_unstable_by(larger);
        let requested = requested.map(|largest| if size > 0.0 { 100.0 * largest / size } else { 100.0 });
        let contributors = Contributors { sole, largest: largest.map(|(_, contributor)| contributor) };
        (
            Facts { value, size, frequency: Some(frequency), respondents: Some(respondents), top, requested },
            contributors,
        )
    }
}
