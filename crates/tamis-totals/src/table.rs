//! Tables of totals from files with one row a cell.

use std::collections::HashMap;
use std::path::Path;

use tamis_cells::{Status, plain};
use tamis_table::{Column, number_in};

use crate::dimension::{Dimension, MISSING, read_dimension};
use crate::draft::{Draft, DraftCell, id_in, is_mark, status_in};
use crate::error::{TotalsError, invalid};
use crate::marked;
use crate::options::{Cost, TableOptions};
use crate::sheet::{Input, Sheet};
use crate::totals::Totals;

/// Reads one table of totals, or several linked ones, with one row for each cell.
///
/// Totals that have a row are checked, those without are computed. Cells of linked tables are the same if their labels are,
/// a dimension that a table lacks being at its total; or if they have the same id where a column of ids is named. Cells stand
/// in the order of the rows; the computed totals of a table stand behind its rows, ordered by their labels. Takes as many steps
/// as there are cells times totals above each.
///
/// ```
/// use tamis_totals::{TableOptions, read_totals};
/// # let directory = tempfile::tempdir()?;
/// # let path = directory.path().join("turnover.csv");
/// std::fs::write(&path, "Region,Trade,value\nNorth,A,5\nNorth,B,7\nSouth,A,1\n")?;
/// let totals = read_totals(&[&path], &TableOptions::default())?;
/// assert_eq!(totals.dimensions().len(), 2);
/// assert_eq!(totals.labels(3), ["Total", "Total"]);
/// assert_eq!(totals.value_text(3), "13");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn read_totals(paths: &[impl AsRef<Path>], options: &TableOptions) -> Result<Totals, TotalsError> {
    read_totals_from(opened(paths)?, options)
}

/// Reads tables as [`read_totals`] does from files that somebody opened before.
pub fn read_totals_from(inputs: Vec<Input>, options: &TableOptions) -> Result<Totals, TotalsError> {
    read_draft(inputs, options)?.finish(options)
}

pub(crate) fn opened(paths: &[impl AsRef<Path>]) -> Result<Vec<Input>, TotalsError> {
    paths.iter().map(|path| Input::open(path.as_ref())).collect()
}

/// Reads tables as far as the files go, before rules and defaults.
pub(crate) fn read_draft(inputs: Vec<Input>, options: &TableOptions) -> Result<Draft, TotalsError> {
    let names: Vec<String> = inputs.iter().map(|input| input.path().display().to_string()).collect();
    let sheets: Vec<Sheet> =
        inputs.into_iter().map(|input| Sheet::of(input, &options.reading)).collect::<Result<_, _>>()?;
    let dimensions = match (options.dimensions.as_slice(), sheets.as_slice()) {
        ([], [sheet]) => Meaning::of(sheet, options)?.rest(sheet),
        ([], _) => return Err(invalid("several tables are given; name their dimensions with --dimensions")),
        (given, _) => given.to_vec(),
    };
    let mut draft = Draft { dimensions: open_dimensions(&dimensions, options)?, ..Draft::default() };
    for (name, sheet) in names.into_iter().zip(sheets) {
        read_sheet(&mut draft, name, sheet, options)?;
    }
    if let Some(unused) =
        (0..dimensions.len()).find(|at| draft.tables.iter().all(|table| !table.dimensions.contains(at)))
    {
        // The first file says which columns there are.
        draft.sheets[0].column(&dimensions[unused])?;
    }
    for index in 0..draft.tables.len() {
        draft.ensure_no_unnamed_total(index, options)?;
        draft.roll_up(index, options.missing_cells)?;
        draft.add_up(index)?;
    }
    marked::mark(&mut draft, options)?;
    Ok(draft)
}

/// The dimensions with what their hierarchies say about them.
pub(crate) fn open_dimensions(names: &[String], options: &TableOptions) -> Result<Vec<Dimension>, TotalsError> {
    if let Some((_, twice)) = names.iter().enumerate().find(|&(at, name)| names[..at].contains(name)) {
        return Err(invalid(format!("the dimension `{twice}` is named twice; name it once")));
    }
    if names.is_empty() {
        return Err(invalid("the table has no dimension; name the columns that break it down with --dimensions"));
    }
    let strangers = options.hierarchies.iter().map(|file| &file.dimension);
    let strangers = strangers.chain(options.totals.iter().map(|(dimension, _)| dimension));
    if let Some(stranger) = strangers.into_iter().find(|name| !names.contains(name)) {
        return Err(invalid(format!("there is no dimension `{stranger}`; the dimensions are {}", list(names))));
    }
    let encoding = options.reading.encoding.unwrap_or_default();
    let open = |name: &String| {
        let own = options.totals.iter().rev().find(|(dimension, _)| dimension == name);
        let total = own.map_or(&options.total, |(_, total)| total);
        read_dimension(name, total, &options.hierarchies, options.hierarchy_lead.as_deref(), encoding)
    };
    names.iter().map(open).collect()
}

pub(crate) fn list(names: &[String]) -> String {
    names.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ")
}

/// What the columns of a file mean.
struct Meaning<'a> {
    value: &'a Column,
    weight: Option<&'a Column>,
    frequency: Option<&'a Column>,
    status: Option<&'a Column>,
    lower: Option<&'a Column>,
    upper: Option<&'a Column>,
    lower_level: Option<&'a Column>,
    upper_level: Option<&'a Column>,
    sliding_level: Option<&'a Column>,
    id: Option<&'a Column>,
    top: Vec<&'a Column>,
}

impl<'a> Meaning<'a> {
    fn of(sheet: &'a Sheet, options: &TableOptions) -> Result<Self, TotalsError> {
        let columns = &options.columns;
        let find = |named: &Option<String>, usual: &[&str]| match named {
            Some(name) => sheet.column(name).map(Some),
            None => Ok(sheet
                .find_usual(usual)
                .filter(|column| !options.dimensions.iter().any(|dimension| dimension == column.name()))),
        };
        let named = match &options.cost {
            Some(Cost::Column(name)) => Some(name.clone()),
            _ => columns.weight.clone(),
        };
        let Some(value) = find(&columns.value, &["value"])? else {
            let known: Vec<String> = sheet.columns().iter().map(|column| column.name().to_owned()).collect();
            let known = list(&known);
            let is_number = |column: &&Column| column.dictionary().iter().any(|text| number_in(text).is_some());
            let crosstab = if sheet.columns().iter().filter(is_number).count() > 1 {
                "; if it is a crosstab, with a column for each label, write it with one row for each cell first"
            } else {
                ""
            };
            return Err(invalid(format!(
                "{} has no column `value`; name the column of values with --value: its columns are {known}{crosstab}",
                sheet.name()
            )));
        };
        Ok(Self {
            value,
            weight: find(&named, &["weight", "cost"])?,
            frequency: find(&columns.frequency, &["frequency", "freq"])?,
            status: find(&columns.status, &["status", "sdcStatus"])?,
            lower: find(&columns.lower, &["lb"])?,
            upper: find(&columns.upper, &["ub"])?,
            lower_level: find(&columns.lower_level, &["lpl"])?,
            upper_level: find(&columns.upper_level, &["upl"])?,
            sliding_level: find(&columns.sliding_level, &["spl"])?,
            id: columns.id.as_deref().map(|name| sheet.column(name)).transpose()?,
            top: columns.top.iter().map(|name| sheet.column(name)).collect::<Result<_, _>>()?,
        })
    }

    /// The columns that mean nothing else: the dimensions if nobody names them.
    fn rest(&self, sheet: &Sheet) -> Vec<String> {
        let others = [self.weight, self.frequency, self.status, self.lower, self.upper, self.lower_level];
        let others = others.into_iter().chain([self.upper_level, self.sliding_level, self.id]).flatten();
        let taken: Vec<&str> = others.chain(self.top.iter().copied()).chain([self.value]).map(Column::name).collect();
        let names = sheet.columns().iter().map(Column::name);
        names.filter(|name| !taken.contains(name)).map(str::to_owned).collect()
    }
}

fn read_sheet(draft: &mut Draft, name: String, sheet: Sheet, options: &TableOptions) -> Result<(), TotalsError> {
    let own: Vec<usize> =
        (0..draft.dimensions.len()).filter(|&at| sheet.find(draft.dimensions[at].name()).is_some()).collect();
    let meaning = Meaning::of(&sheet, options)?;
    let labels: Vec<Vec<u32>> = own
        .iter()
        .map(|&at| {
            let is_flat = !options.hierarchies.iter().any(|file| file.dimension == draft.dimensions[at].name());
            numbered(&sheet, &mut draft.dimensions[at], is_flat, None)
        })
        .collect::<Result<_, _>>()?;
    let numbers = |column: Option<&Column>, infinite| match column {
        Some(column) => sheet.numbers(column, infinite),
        None => Ok(vec![None; sheet.rows()]),
    };
    let value = sheet.numbers(meaning.value, false)?;
    let (weight, frequency) = (numbers(meaning.weight, false)?, numbers(meaning.frequency, false)?);
    let (lower, upper) = (numbers(meaning.lower, true)?, numbers(meaning.upper, true)?);
    let (lower_level, upper_level) = (numbers(meaning.lower_level, false)?, numbers(meaning.upper_level, false)?);
    let sliding_level = numbers(meaning.sliding_level, false)?;
    let top: Vec<Vec<Option<f64>>> =
        meaning.top.iter().map(|column| sheet.numbers(column, false)).collect::<Result<_, _>>()?;
    let status = statuses(&sheet, meaning.status)?;
    let mut rows = Vec::with_capacity(sheet.rows());
    // Values that the program which wrote them added up in binary.
    let mut noisy = Vec::new();
    for row in 0..sheet.rows() {
        let Some(value) = value[row] else {
            let (place, name) = (sheet.place(row), meaning.value.name());
            let remedy = "every cell needs its value to be protected; leave the row out if nobody is there";
            return Err(invalid(format!("{place}, column `{name}`: found no value; {remedy}")));
        };
        let mut text = meaning.value.text(row).trim().to_owned();
        if number_in(&text) != Some(value) {
            noisy.push(std::mem::replace(&mut text, value.to_string()));
        }
        draft.decimals = draft.decimals.max(decimals(&text));
        let cell = DraftCell {
            id: meaning.id.map(|column| column.text(row).trim()).filter(|id| !id.is_empty()).map(id_in),
            value,
            text,
            weight: weight[row],
            frequency: frequency[row],
            status: status[row],
            is_marked: meaning.status.is_some_and(|column| is_mark(column.text(row))),
            lower: lower[row],
            upper: upper[row],
            lower_level: lower_level[row],
            upper_level: upper_level[row],
            sliding_level: sliding_level[row],
            top: top.iter().filter_map(|column| column[row]).collect(),
            place: Some((draft.sheets.len(), row)),
            ..DraftCell::default()
        };
        rows.push((labels.iter().map(|labels| labels[row]).collect(), cell));
    }
    if let Some(first) = noisy.first() {
        let (count, meant) = (noisy.len(), number_in(first).map_or(0.0, plain));
        let (values, are) =
            if count == 1 { ("one value has".to_owned(), "is") } else { (format!("{count} values have"), "are") };
        draft.notes.push(format!(
            "{}: {values} the rounding of the program that wrote the file, {first} where {meant} is meant, and {are} read without it",
            sheet.name()
        ));
    }
    if draft.value_name.is_empty() {
        meaning.value.name().clone_into(&mut draft.value_name);
    }
    draft.sheets.push(sheet);
    draft.insert(name, own, rows)
}

/// How many digits are behind the decimal point; very many if there is an exponent.
pub(crate) fn decimals(text: &str) -> usize {
    if text.contains(['e', 'E']) {
        return usize::MAX;
    }
    text.split_once('.').map_or(0, |(_, digits)| digits.len())
}

fn statuses(sheet: &Sheet, column: Option<&Column>) -> Result<Vec<Option<Status>>, TotalsError> {
    let Some(column) = column else { return Ok(vec![None; sheet.rows()]) };
    let mut known: HashMap<u32, Option<Status>> = HashMap::new();
    let mut statuses = Vec::with_capacity(sheet.rows());
    for row in 0..sheet.rows() {
        let code = column.codes().get(row);
        let status = if let Some(&status) = known.get(&code) {
            status
        } else {
            let text = column.text(row);
            let status = status_in(text);
            if status.is_none() && column.missing().map(|code| code.0) != Some(code) {
                let (place, name) = (sheet.place(row), column.name());
                let letters = "`s` (free), `u` (primary), `z` (fixed), `h` (hidden), `m` or `x` (hidden by an earlier protection)";
                return Err(invalid(format!(
                    "{place}, column `{name}`: found the status `{text}`, expected {letters}"
                )));
            }
            known.insert(code, status);
            status
        };
        statuses.push(status);
    }
    Ok(statuses)
}

/// The number of each row's label; labels of a flat dimension become known as they are met.
pub(crate) fn numbered(
    sheet: &Sheet,
    dimension: &mut Dimension,
    is_flat: bool,
    missing: Option<&str>,
) -> Result<Vec<u32>, TotalsError> {
    let column = sheet.column(dimension.name())?;
    let mut known: Vec<Option<u32>> = vec![None; column.dictionary().len()];
    let mut numbers = Vec::with_capacity(sheet.rows());
    for row in 0..sheet.rows() {
        let code = column.codes().get(row) as usize;
        let number = if let Some(number) = known[code] {
            number
        } else {
            let is_missing = column.missing().is_some_and(|missing| missing.0 as usize == code);
            let label = missing.filter(|_| is_missing).unwrap_or_else(|| column.text(row).trim());
            let number = match dimension.find(label) {
                Some(number) => {
                    dimension.spell_total(label);
                    number
                }
                None if label.is_empty() || is_missing => {
                    let (place, name) = (sheet.place(row), column.name());
                    return Err(invalid(format!(
                        "{place}, column `{name}`: found no label; write one, or the label of the total"
                    )));
                }
                None if is_flat => dimension.part(label, Dimension::TOTAL).map_err(invalid)?,
                // What microdata lack a label for is a part of the total that no hierarchy names.
                None if label == MISSING => dimension.part_of_all(label).map_err(invalid)?,
                None => return Err(unknown(sheet, row, dimension, label)),
            };
            known[code] = Some(number);
            number
        };
        numbers.push(number);
    }
    Ok(numbers)
}

fn unknown(sheet: &Sheet, row: usize, dimension: &Dimension, label: &str) -> TotalsError {
    let (place, name) = (sheet.place(row), dimension.name());
    invalid(format!(
        "{place}, column `{name}`: the label `{label}` is not in the hierarchy; add it there or mend the row (the total is called `{}`)",
        dimension.label(Dimension::TOTAL)
    ))
}
