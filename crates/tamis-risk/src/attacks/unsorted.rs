//! Unsorted matching: two releases of one table in the same row order, put together row by row.
//!
//! *Definition.* If row i of both releases is about the same person, the person has for each column the more specific of two values.
//! Which one that is the hierarchies say; without them, the release whose column has more different values. The attack takes the order
//! to be the same if no row contradicts it: with a hierarchy, one value must cover the other; without, equal texts must meet if both
//! releases use the same texts, and otherwise each fine value must always meet the same coarse one.
//!
//! Rows that are suppressed in both releases are about nobody and are not counted.
//!
//! *Source.* Sweeney (2002), section "unsorted matching attack".
//!
//! *What a success proves.* Two releases that are k-anonymous each are together a finer table. Shuffling every release (as
//! `tamis anonymize` does) prevents it.
//!
//! *Cost.* Linear in the rows times the columns.

use super::classes::Classes;
use super::combine::{Pick, Relation, combined, shared_columns};
use super::error::setting;
use super::report::{Found, are, counted, people};
use super::{AttackError, Fields, Finding, LabelsByColumn, Report};
use std::collections::HashMap;
use tamis_table::{Column, Table};

/// How the attack is tried.
#[derive(Debug, Clone, Default)]
pub struct Options<'a> {
    /// The hierarchies of the columns that are generalized differently.
    pub labels: LabelsByColumn,
    /// The quasi-identifiers; all shared columns if empty.
    pub quasi: Vec<&'a str>,
    /// The private table in the same order, to count the rows that come out exactly.
    pub original: Option<&'a Table>,
    /// A row is at risk if fewer than this many share its values; the smaller k of the two releases if absent.
    pub k: Option<u64>,
    /// How many findings to describe.
    pub limit: usize,
}

/// Puts two releases together row by row; the combined table and what it exposes.
pub fn attack(first: &Table, second: &Table, options: &Options<'_>) -> Result<(Table, Report), AttackError> {
    if first.rows() != second.rows() {
        return Err(setting(format!(
            "the releases have {} and {} rows; releases in the same order have the same number",
            first.rows(),
            second.rows()
        )));
    }
    let shared = shared_columns(first, second);
    if shared.is_empty() {
        return Err(setting("the releases have no column in common; give two releases of one table"));
    }
    let quasi = if options.quasi.is_empty() { shared.clone() } else { options.quasi.clone() };
    let mut relations = HashMap::new();
    let mut is_contradicted = vec![false; first.rows()];
    let mut telling = 0;
    for name in &shared {
        let (ours, theirs) = (first.column(name)?, second.column(name)?);
        let mut relation = Relation::of(ours, theirs, options.labels.get(*name));
        contradictions(&mut relation, ours, theirs, &mut is_contradicted);
        telling += usize::from(ours.dictionary().len() > 1 && theirs.dictionary().len() > 1);
        relations.insert(*name, relation);
    }
    let pairs: Vec<(usize, usize)> = (0..first.rows()).map(|row| (row, row)).collect();
    let table = combined(first, second, &mut relations, &pairs)?;
    let contradicted = is_contradicted.iter().filter(|is| **is).count() as u64;
    let before = Classes::of(first, &quasi)?.k().min(Classes::of(second, &quasi)?.k());
    let k = options.k.unwrap_or(before);
    let (found, at_risk, recovered, rows) = {
        let classes = Classes::of(&table, &quasi)?;
        let recovered = options.original.map(|original| recovered_rows(&table, original)).transpose()?;
        let is_exposed = |row: usize| match &recovered {
            Some(recovered) => recovered[row],
            None => contradicted == 0 && classes.size(classes.class_of_row[row] as usize) < k,
        };
        let is_told = |row: usize| !classes.is_suppressed(classes.class_of_row[row] as usize);
        let mut found = Found::new(options.limit);
        let mut at_risk = 0;
        for row in (0..table.rows()).filter(|&row| is_told(row) && is_exposed(row)) {
            at_risk += 1;
            found.add(|| describe(&table, &classes, row, recovered.is_some()));
        }
        (found, at_risk, recovered, classes.rows())
    };
    let order = match (contradicted, telling) {
        (0, 0) => "nothing tells whether the releases are in the same order",
        (0, _) => "the releases are in the same order as far as can be told",
        _ => "the releases are not in the same order",
    };
    let outcome = match &recovered {
        Some(_) => format!(
            "{at_risk} of {} of the private table {} out exactly",
            counted(rows, "row", "rows"),
            if at_risk == 1 { "comes" } else { "come" }
        ),
        None => format!(
            "{at_risk} of {} {} among fewer than {k} once the rows are put together",
            people(rows),
            are(at_risk)
        ),
    };
    let mut report = Report::new("unsorted", rows, at_risk, found)
        .summary(format!("{outcome}; {order}."))
        .figure("same_order", contradicted == 0)
        .figure("contradicting_rows", contradicted)
        .figure("telling_columns", telling)
        .figure("k_of_releases", before)
        .figure("k_combined", Classes::of(&table, &quasi)?.k());
    if recovered.is_some() {
        report = report.figure("rows_recovered", at_risk);
    }
    Ok((table, report))
}

/// Marks the rows that speak against the same order in one column.
fn contradictions(relation: &mut Relation<'_>, ours: &Column, theirs: &Column, is_contradicted: &mut [bool]) {
    let is_guessed = relation.is_guessed();
    let finer = relation.finer();
    // Without a hierarchy, what each fine value becomes is learned from the rows: the first meeting counts.
    let mut coarse_of_fine: HashMap<u32, u32> = HashMap::new();
    for (row, is_contradicted) in is_contradicted.iter_mut().enumerate() {
        let (first, second) = (ours.codes().get(row), theirs.codes().get(row));
        if relation.pick(first, second).is_none() {
            *is_contradicted = true;
        } else if is_guessed {
            let (fine, coarse) = if finer == Pick::First { (first, second) } else { (second, first) };
            *is_contradicted |= *coarse_of_fine.entry(fine).or_insert(coarse) != coarse;
        }
    }
}

/// Whether each row is as in the private table, in the columns that both have.
fn recovered_rows(table: &Table, original: &Table) -> Result<Vec<bool>, AttackError> {
    if table.rows() != original.rows() {
        return Err(setting(format!(
            "the private table has {} rows where the releases have {}; give the table they were made from, in the same order",
            original.rows(),
            table.rows()
        )));
    }
    let shared = shared_columns(table, original);
    if shared.is_empty() {
        return Err(setting("the private table has no column in common with the releases"));
    }
    let mut is_same = vec![true; table.rows()];
    for name in shared {
        let (ours, theirs) = (table.column(name)?, original.column(name)?);
        for (row, is_same) in is_same.iter_mut().enumerate() {
            *is_same &= ours.text(row) == theirs.text(row);
        }
    }
    Ok(is_same)
}

fn describe(table: &Table, classes: &Classes<'_>, row: usize, is_verified: bool) -> Finding {
    let class = classes.class_of_row[row] as usize;
    let size = classes.size(class);
    let who = Fields(vec![("row".to_owned(), (row + 1).to_string())]);
    let field = |column: &Column| (column.name().to_owned(), column.text(row).to_owned());
    let learned = Fields(table.columns().iter().map(field).collect());
    let among = if size == 1 { "nobody else has".to_owned() } else { format!("only {} have", people(size)) };
    let proof = if is_verified { ", exactly as in the private table" } else { "" };
    let sentence = format!(
        "Row {} of both releases together says {}{proof}; {among} {}.",
        row + 1,
        learned.phrase(),
        classes.fields(class).phrase()
    );
    Finding { people: 1, probability: 1.0 / size as f64, who, learned, sentence }
}
