//! What is said about a table beside its files.

use std::path::PathBuf;
use std::str::FromStr;

use tamis_cells::Status;
use tamis_source::ReadOptions;

pub use crate::dimension::HierarchyFile;

/// How files become a table of totals.
///
/// Only the columns of the dimensions must be named, and those only if the file has columns that mean something else.
#[derive(Debug, Clone)]
pub struct TableOptions {
    /// The columns that break the totals down. Of several linked tables, each has those of them that it has; a table
    /// without one of them is about its total. Empty: all columns of the only table that mean nothing else.
    pub dimensions: Vec<String>,
    /// The columns that mean something else.
    pub columns: Columns,
    /// Hierarchies of dimensions; several of one dimension describe the same labels.
    pub hierarchies: Vec<HierarchyFile>,
    /// What a level adds to a line of an `.hrc` file; `@` or the indentation found if not said.
    pub hierarchy_lead: Option<String>,
    /// What the total of a dimension is called.
    pub total: String,
    /// What the totals of some dimensions are called instead: dimension, label.
    pub totals: Vec<(String, String)>,
    /// What a combination of labels without a row is.
    pub missing_cells: MissingCells,
    /// What hiding a cell costs; if not said, what the column of weights says, and its value where there is none.
    pub cost: Option<Cost>,
    /// What everybody knows about a cell; if not said, what the columns of bounds say.
    pub bounds: Option<Bounds>,
    /// The protection levels of a primary that has none, in percent of its value.
    pub safety: f64,
    /// The upper level of a primary of value zero that has none.
    pub zero_range: Option<f64>,
    /// Files of further equations, as text or JSON.
    pub equations: Vec<PathBuf>,
    /// Files of cells with a status that they must have.
    pub marked: Vec<(Status, PathBuf)>,
    /// A file of attackers who know more than everybody.
    pub attackers: Option<PathBuf>,
    /// Whether whoever stands alone in a cell attacks the others.
    pub singletons: Singletons,
    /// How the files are written.
    pub reading: ReadOptions,
}

impl Default for TableOptions {
    fn default() -> Self {
        Self {
            dimensions: Vec::new(),
            columns: Columns::default(),
            hierarchies: Vec::new(),
            hierarchy_lead: None,
            total: "Total".to_owned(),
            totals: Vec::new(),
            missing_cells: MissingCells::Zero,
            cost: None,
            bounds: None,
            safety: 20.0,
            zero_range: None,
            equations: Vec::new(),
            marked: Vec::new(),
            attackers: None,
            singletons: Singletons::Off,
            reading: ReadOptions::default(),
        }
    }
}

/// The columns of a table by what they mean. What is not named is looked for under the names in brackets.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Columns {
    /// The value of the cell (`value`).
    pub value: Option<String>,
    /// What hiding it costs (`weight`, `cost`).
    pub weight: Option<String>,
    /// How many contributors it has (`frequency`, `freq`).
    pub frequency: Option<String>,
    /// What may and must happen to it (`status`).
    pub status: Option<String>,
    /// The lower bound everybody knows (`lb`).
    pub lower: Option<String>,
    /// The upper bound everybody knows (`ub`).
    pub upper: Option<String>,
    /// The lower protection level (`lpl`).
    pub lower_level: Option<String>,
    /// The upper protection level (`upl`).
    pub upper_level: Option<String>,
    /// The sliding protection level (`spl`).
    pub sliding_level: Option<String>,
    /// What the cell is called, in linked tables too (no name is looked for).
    pub id: Option<String>,
    /// The largest contributions, largest first (no names are looked for).
    pub top: Vec<String>,
}

/// What a combination of labels without a row is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum MissingCells {
    /// Zero and published: everybody knows that nobody is there.
    #[default]
    Zero,
    /// Zero, and may be hidden like any other cell.
    Free,
    /// An error.
    Error,
}

/// What hiding a cell costs.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum Cost {
    /// Its value, without sign.
    #[default]
    Value,
    /// 1 each.
    Unit,
    /// How many contributors it has.
    Frequency,
    /// The natural logarithm of 1 and its value without sign.
    Log,
    /// The sum of a column.
    Column(String),
}

impl FromStr for Cost {
    type Err = std::convert::Infallible;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        Ok(match text {
            "value" => Self::Value,
            "unit" => Self::Unit,
            "frequency" => Self::Frequency,
            "log" => Self::Log,
            column => Self::Column(column.to_owned()),
        })
    }
}

/// What everybody knows about a cell beforehand.
///
/// ```
/// use tamis_totals::Bounds;
/// assert_eq!("0..".parse(), Ok(Bounds::Range(0.0, f64::INFINITY)));
/// assert_eq!("-5..5".parse(), Ok(Bounds::Range(-5.0, 5.0)));
/// assert_eq!("50%".parse(), Ok(Bounds::Share(50.0)));
/// assert!("half".parse::<Bounds>().is_err());
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Bounds {
    /// From a number to a number.
    Range(f64, f64),
    /// The value less and more so many percent of it.
    Share(f64),
}

impl FromStr for Bounds {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let wrong = || {
            format!(
                "found the bounds `{text}`, expected a range like `0..`, `..` or `-100..100`, or a share like `50%`"
            )
        };
        let number = |part: &str, open: f64| match part.trim() {
            "" => Ok(open),
            part => tamis_table::number_in(part).ok_or_else(wrong),
        };
        if let Some(share) = text.trim().strip_suffix('%') {
            return match tamis_table::number_in(share) {
                Some(share) if share >= 0.0 => Ok(Self::Share(share)),
                _ => Err(wrong()),
            };
        }
        let (lower, upper) = text.split_once("..").ok_or_else(wrong)?;
        let (lower, upper) = (number(lower, f64::NEG_INFINITY)?, number(upper, f64::INFINITY)?);
        if lower <= upper { Ok(Self::Range(lower, upper)) } else { Err(wrong()) }
    }
}

/// Whether whoever stands alone in a cell attacks the others: they know their own cell.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Singletons {
    /// They do not.
    #[default]
    Off,
    /// They attack the primaries that share an equation with their cell.
    Neighbours,
    /// They attack every primary.
    All,
}
