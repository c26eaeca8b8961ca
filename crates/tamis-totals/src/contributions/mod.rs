//! Totals from microdata: one row a contribution.

mod gather;

use std::path::Path;

use tamis_cells::Status;
use tamis_source::{ColumnFilter, ReadOptions};
use tamis_table::Column;

use crate::dimension::{Dimension, MISSING};
use crate::draft::{Draft, DraftCell};
use crate::error::{TotalsError, invalid};
use crate::marked;
use crate::options::{Cost, TableOptions};
use crate::rules::{Rules, facts_of};
use crate::sheet::Sheet;
use crate::table::{decimals, numbered, open_dimensions, opened, read_draft};
use crate::totals::Totals;
use gather::Gathered;

/// What the columns of microdata mean, beside the dimensions and the value that [`TableOptions`] name.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ContributionColumns {
    /// Who answered; each row is another respondent if not said.
    pub respondent: Option<String>,
    /// Whom the respondent belongs to; the contributions of one holding count as one. Empty for those without one.
    pub holding: Option<String>,
    /// How many units like it a row stands for.
    pub sampling_weight: Option<String>,
    /// Whether the contributor asked for protection: anything but empty, `0`, `no` and `false`.
    pub request: Option<String>,
    /// What a row without a label in some dimension is.
    pub missing: MissingLabels,
}

/// What a row of microdata without a label is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum MissingLabels {
    /// An error.
    #[default]
    Error,
    /// A label of its own, [`MISSING`].
    Label,
    /// A label of its own whose cells no rule hits.
    Safe,
}

/// Adds up microdata and makes cells primary that the rules hit, totals included.
///
/// Cells stand in the order of their labels ([`Dimension::in_order`]), whatever that of the rows, behind them the totals. Takes as many steps as there are rows times totals above each.
pub fn read_contributions(
    path: impl AsRef<Path>,
    columns: &ContributionColumns,
    rules: &Rules,
    options: &TableOptions,
) -> Result<Totals, TotalsError> {
    let path = path.as_ref();
    let mut named = options.dimensions.clone();
    let value = options.columns.value.clone().unwrap_or_else(|| "value".to_owned());
    named.push(value.clone());
    named.extend(
        [&columns.respondent, &columns.holding, &columns.sampling_weight, &columns.request]
            .into_iter()
            .flatten()
            .cloned(),
    );
    if let Some(Cost::Column(cost)) = &options.cost {
        named.push(cost.clone());
    }
    let reading = ReadOptions { columns: ColumnFilter::Only(named), ..options.reading.clone() };
    let sheet = Sheet::read(path, &reading)?;
    let mut draft = Draft {
        dimensions: open_dimensions(&options.dimensions, options)?,
        value_name: value.clone(),
        ..Draft::default()
    };
    let gathered = Gathered::read(&sheet, &value, columns, options, &mut draft)?;
    gathered.cells(&mut draft, &path.display().to_string())?;
    draft.add_up(0)?;
    marked::mark(&mut draft, options)?;
    let (mut facts, known): (Vec<_>, Vec<_>) = gathered.facts(&draft, rules).into_iter().unzip();
    for ((cell, facts), known) in draft.cells.iter_mut().zip(&facts).zip(known) {
        (cell.frequency, cell.contributors) = (facts.frequency, Some(known));
    }
    if columns.missing == MissingLabels::Safe {
        let missing: Vec<Option<u32>> = draft.dimensions.iter().map(|dimension| dimension.find(MISSING)).collect();
        for (facts, cell) in facts.iter_mut().zip(&draft.cells) {
            if cell.coordinates.iter().zip(&missing).any(|(label, missing)| Some(*label) == *missing) {
                // Without contributors there is nothing for a rule to hit.
                *facts = crate::rules::Facts { value: facts.value, ..Default::default() };
            }
        }
    }
    rules.apply(&mut draft, &facts, options)?;
    draft.note_no_primary(rules);
    draft.finish(options)
}

/// Makes cells of tables primary that the rules hit, by their columns of frequencies and largest contributions.
pub fn read_flagged(paths: &[impl AsRef<Path>], rules: &Rules, options: &TableOptions) -> Result<Totals, TotalsError> {
    let mut draft = read_draft(opened(paths)?, options)?;
    let lacks = |what: &str, flag: &str| {
        Err(invalid(format!("a rule needs {what} of the cells; name the columns with {flag}, or give microdata")))
    };
    let needs_frequency = rules.min_frequency.or(rules.min_respondents).is_some();
    if needs_frequency && draft.cells.iter().all(|cell| cell.frequency.is_none()) {
        return lacks("the frequency", "--frequency");
    }
    let deep = (!rules.dominance.is_empty() || !rules.prior_posterior.is_empty()).then(|| rules.depth() as usize);
    if deep.is_some_and(|deep| options.columns.top.len() < deep) {
        return lacks(&format!("the {} largest contributions", rules.depth()), "--top");
    }
    if rules.request.is_some() {
        return lacks("who asked for protection", "--request");
    }
    let facts = facts_of(&draft)?;
    if deep.is_some() {
        draft.note_unjudged("largest contributions", "dominance, p% and p/q", |cell| cell.top.is_empty());
    }
    if needs_frequency {
        draft.note_unjudged("frequency", "minimum frequency", |cell| cell.frequency.is_none());
    }
    rules.apply(&mut draft, &facts, options)?;
    draft.note_no_primary(rules);
    draft.finish(options)
}

impl Draft {
    /// Says that nothing is confidential, which is seldom meant.
    fn note_no_primary(&mut self, rules: &Rules) {
        if !self.cells.iter().any(|cell| cell.status == Some(Status::Primary)) {
            let reason = if rules.is_empty() { "no rule was given" } else { "no rule hits a cell" };
            self.notes.push(format!("no cell is primary: {reason}, so nothing will be protected"));
        }
    }

    /// Says which cells no rule could judge because their columns are empty, totals that were computed first of all.
    fn note_unjudged(&mut self, lacking: &str, rules: &str, is_lacking: impl Fn(&DraftCell) -> bool) {
        const MOST: usize = 5;
        let cells: Vec<usize> =
            (0..self.cells.len()).filter(|&at| self.cells[at].value != 0.0 && is_lacking(&self.cells[at])).collect();
        if cells.is_empty() {
            return;
        }
        let mut named: Vec<String> = cells.iter().take(MOST).map(|&cell| self.shown(cell)).collect();
        if cells.len() > MOST {
            named.push("and so on".to_owned());
        }
        let (named, count, of) = (named.join(", "), cells.len(), self.cells.len());
        self.notes.push(format!(
            "{count} of {of} cells could not be judged by {rules}: they have no {lacking}: {named}; give them rows with it, or microdata"
        ));
    }
}

/// The numbers of the labels of a dimension, rows without one as the options say. Only innermost labels take contributions.
fn leaf_labels(
    sheet: &Sheet,
    dimension: &mut Dimension,
    is_flat: bool,
    missing: MissingLabels,
) -> Result<Vec<u32>, TotalsError> {
    let column = sheet.column(dimension.name())?;
    if missing != MissingLabels::Error && column.missing().is_some() && dimension.find(MISSING).is_none() {
        dimension.part_of_all(MISSING).map_err(invalid)?;
    }
    let absent = column.missing().map(|code| code.0).filter(|_| missing == MissingLabels::Error);
    if let Some(row) = absent.and_then(|code| (0..sheet.rows()).find(|&row| column.codes().get(row) == code)) {
        let (place, name) = (sheet.place(row), dimension.name());
        return Err(invalid(format!(
            "{place}, column `{name}`: found no label; write one, or count such rows under a label of their own with --missing-labels label"
        )));
    }
    let labels = numbered(sheet, dimension, is_flat, (missing != MissingLabels::Error).then_some(MISSING))?;
    let wrong = labels.iter().position(|&label| !dimension.is_leaf(label) || label == Dimension::TOTAL);
    if let Some(row) = wrong {
        let (place, name, label) = (sheet.place(row), dimension.name(), dimension.label(labels[row]));
        return Err(invalid(format!(
            "{place}, column `{name}`: `{label}` is a total; a contribution belongs to a label without parts, or name the total otherwise with --total"
        )));
    }
    Ok(labels)
}

fn is_request(text: &str) -> bool {
    !matches!(text.trim().to_ascii_lowercase().as_str(), "" | "0" | "no" | "n" | "false" | "f")
}

/// The texts of a column, one a row.
fn column<'a>(sheet: &'a Sheet, name: Option<&String>) -> Result<Option<&'a Column>, TotalsError> {
    name.map(|name| sheet.column(name)).transpose()
}
