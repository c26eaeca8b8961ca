//! Tables of hidden cells: which column says what.

use super::{Names, split};

/// What a row says about whether its cell is hidden.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mark<'a> {
    /// A letter or a word for what happened to the cell.
    Status(&'a str),
    /// Yes or no, as a column `suppressed` has it.
    Flag(&'a str),
}

/// Whether a row of a released table hides its cell, whose true value is `truth`.
///
/// The mark decides. Without one a number is published, and what has no digit (nothing, `x`, `..`) is hidden. A published number
/// must be the true one, or the pattern is about another table; a sentence says what is wrong.
///
/// ```
/// use tamis_cells::format::pattern::{Mark, is_hidden};
/// assert_eq!(is_hidden(None, Some("x"), 5.0), Ok(true));
/// assert_eq!(is_hidden(Some(Mark::Status("s")), Some("5.0"), 5.0), Ok(false));
/// assert!(is_hidden(Some(Mark::Status("s")), Some("6"), 5.0).is_err());
/// assert!(is_hidden(Some(Mark::Status("q")), None, 5.0).is_err());
/// ```
pub fn is_hidden(mark: Option<Mark<'_>>, value: Option<&str>, truth: f64) -> Result<bool, String> {
    let marked = match mark {
        None => None,
        Some(Mark::Status(text)) => match text.trim().to_ascii_lowercase().as_str() {
            "u" | "m" | "x" | "h" | "p" | "primary" | "secondary" | "hidden" | "unsafe" | "suppressed" => Some(true),
            "s" | "z" | "v" | "free" | "safe" | "fixed" | "protected" | "published" => Some(false),
            "" => value.is_none().then_some(false),
            _ => {
                return Err(format!(
                    "found the status `{}`, expected u (primary), m, x or h (hidden), s or z (published)",
                    text.trim()
                ));
            }
        },
        Some(Mark::Flag(text)) => match text.trim().to_ascii_lowercase().as_str() {
            "1" | "true" | "t" | "yes" | "y" => Some(true),
            "0" | "false" | "f" | "no" | "n" | "" => Some(false),
            other => return Err(format!("found `{other}`, expected 1 for a hidden cell and 0 for a published one")),
        },
    };
    let Some(value) = value.map(str::trim).filter(|_| marked != Some(true)) else {
        return Ok(marked.unwrap_or(true));
    };
    match value.parse::<f64>() {
        Ok(number) if number.is_finite() => {
            let largest = f64::max(1.0, f64::max(number.abs(), truth.abs()));
            if (number - truth).abs() > 1e-9 * largest {
                return Err(format!(
                    "the cell is published as {value}, but its true value is {truth}; audit the release with the table it was made from"
                ));
            }
            Ok(false)
        }
        _ if value.contains(|c: char| c.is_ascii_digit()) => Err(format!(
            "found `{value}`, expected a number with a decimal point, or a mark such as x for a hidden value"
        )),
        _ if marked.is_some() => {
            Err(format!("the cell is marked as published, but its value is `{value}`; mend one of them"))
        }
        _ => Ok(true),
    }
}

/// Columns that are no labels.
const OTHERS: [&str; 12] =
    ["lower", "upper", "lb", "ub", "lpl", "upl", "spl", "weight", "cost", "frequency", "freq", "attacker"];

/// What may stand between the labels that make an id.
const BETWEEN: [&str; 6] = ["/", "|", ";", " / ", " | ", "\t"];

/// Where the columns of a table of hidden cells are.
pub(super) struct Columns {
    pub(super) delimiter: char,
    /// The column of ids, or several whose labels are joined.
    id: Vec<usize>,
    between: &'static str,
    status: Option<usize>,
    flag: Option<usize>,
    value: Option<usize>,
}

impl Columns {
    /// The columns that a header names, none if it is the first of a list of ids. `first` is the line below it.
    pub(super) fn of(header: &str, first: &str, names: &Names) -> Result<Option<Self>, String> {
        let delimiter = [',', ';', '\t'].into_iter().find(|delimiter| header.contains(*delimiter)).unwrap_or(',');
        let found: Vec<String> = split(header, delimiter).iter().map(|name| name.trim().to_ascii_lowercase()).collect();
        let find = |usual: &[&str]| usual.iter().find_map(|usual| found.iter().position(|name| name == usual));
        let mut columns = Self {
            delimiter,
            id: find(&["id"]).into_iter().collect(),
            between: "/",
            status: find(&["status", "sdcstatus"]),
            flag: find(&["suppressed", "hidden"]),
            value: find(&["value"]),
        };
        let says = columns.status.or(columns.flag).or(columns.value).is_some();
        if !columns.id.is_empty() {
            if !says && found.len() > 1 {
                return Err(format!(
                    "no column says which cells are hidden: found {}; give a column status or value, or nothing but ids",
                    found.join(", ")
                ));
            }
            // A cell may be called so itself.
            return Ok((says || names.find(header.trim()).is_none()).then_some(columns));
        }
        if found.len() < 2 && !says || names.find(header.trim()).is_some() {
            return Ok(None);
        }
        let known = [columns.status, columns.flag, columns.value];
        let is_label = |at: &usize| !known.contains(&Some(*at)) && !OTHERS.contains(&found[*at].as_str());
        let labels: Vec<usize> = (0..found.len()).filter(is_label).collect();
        let fields = split(first, delimiter);
        // The last may be the values under another name.
        for count in [labels.len(), labels.len().saturating_sub(1)] {
            if count < labels.len() && columns.value.is_some() {
                continue;
            }
            for between in BETWEEN {
                (columns.id, columns.between) = (labels[..count].to_vec(), between);
                if columns.id(&fields).is_ok_and(|id| names.find(&id).is_some()) {
                    if count < labels.len() {
                        columns.value = Some(labels[count]);
                    }
                    let says = columns.status.or(columns.flag).or(columns.value).is_some();
                    if says || count == found.len() {
                        return Ok(Some(columns));
                    }
                }
            }
        }
        (columns.id, columns.between) = (labels, "/");
        let id = columns.id(&fields).unwrap_or_default();
        Err(format!(
            "there is no cell {} in the table, and as a header it names no column id; labels joined by / name no cell either (`{id}`): cells are called like {}",
            header.trim(),
            names.example()
        ))
    }

    /// The id of a row.
    pub(super) fn id(&self, fields: &[String]) -> Result<String, String> {
        let labels = self.id.iter().map(|&at| field(fields, at)).collect::<Result<Vec<_>, _>>()?;
        Ok(labels.join(self.between))
    }

    /// Whether the cell of a row, whose true value is `truth`, is hidden.
    pub(super) fn is_hidden(&self, fields: &[String], truth: f64) -> Result<bool, String> {
        let text = |column: Option<usize>| column.map(|at| field(fields, at)).transpose();
        let (status, flag) = (text(self.status)?.map(Mark::Status), text(self.flag)?.map(Mark::Flag));
        is_hidden(status.or(flag), text(self.value)?, truth)
    }
}

fn field(fields: &[String], at: usize) -> Result<&str, String> {
    let lacks = || format!("it has {} fields, expected one in column {}", fields.len(), at + 1);
    fields.get(at).map(|field| field.trim()).ok_or_else(lacks)
}
