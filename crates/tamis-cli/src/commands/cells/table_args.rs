//! Flags that say how files become a table of totals, for every verb that reads one.

use std::ffi::{OsStr, OsString};
use std::path::PathBuf;

use clap::Args;
use tamis_cells::Status;
use tamis_totals::{Bounds, Columns, Cost, HierarchyFile, MissingCells, Singletons, TableOptions};

use super::super::{named_file, read_options};
use crate::answer::{CommandError, sentence};
use crate::args::InputArgs;
use crate::progress::reading;
use crate::shell::Shell;

/// How the tables are to be understood.
#[derive(Debug, Args)]
#[command(next_help_heading = "Tables of totals")]
pub(crate) struct TableArgs {
    /// The columns that break the totals down; all that mean nothing else if left out
    #[arg(long, value_delimiter = ',', value_name = "A,B,...")]
    pub(crate) dimensions: Vec<String>,
    /// The column of values; `value` if left out
    #[arg(long, value_name = "COLUMN")]
    pub(crate) value: Option<String>,
    /// A hierarchy of a dimension: level columns like those of microdata, or indented lines in a file called .hrc; may be repeated
    #[arg(long = "hierarchy", value_name = "DIMENSION=FILE")]
    pub(crate) hierarchies: Vec<OsString>,
    /// What a level adds in front of a line of an .hrc file; `@` or the indentation found if left out
    #[arg(long, value_name = "TEXT")]
    pub(crate) hierarchy_lead: Option<String>,
    /// What totals are called, of all dimensions or of one
    #[arg(long = "total", value_name = "[DIMENSION=]LABEL")]
    pub(crate) totals: Vec<String>,
    /// What a combination of labels without a row is: zero (and published), free (zero, may be hidden) or error
    #[arg(long, value_name = "KIND", default_value = "zero")]
    pub(crate) missing_cells: String,
    /// What hiding a cell costs: value, unit, frequency, log or a column; the column `weight` or `cost` if there is one, else value
    #[arg(long, value_name = "KIND")]
    pub(crate) cost: Option<String>,
    /// What everybody knows about a cell: a range like 0.. or a share of the value like 50%; 0.. if nothing is negative
    #[arg(long, value_name = "BOUNDS", allow_hyphen_values = true)]
    pub(crate) bounds: Option<String>,
    /// How far from its value a primary without levels is protected, in percent
    #[arg(allow_negative_numbers = true, long, value_name = "PERCENT", default_value_t = 20.0)]
    pub(crate) safety: f64,
    /// How far above zero a primary of value zero without levels is protected
    #[arg(allow_negative_numbers = true, long, value_name = "LEVEL")]
    pub(crate) zero_range: Option<f64>,
    /// The column of contributors per cell; `frequency` or `freq` if left out
    #[arg(long, value_name = "COLUMN")]
    pub(crate) frequency: Option<String>,
    /// The column of statuses: s free, u primary, z published, h hidden; `status` if left out
    #[arg(long, value_name = "COLUMN")]
    pub(crate) status: Option<String>,
    /// The columns of what is known and asked: lb, ub, lpl, upl, spl under other names, as lb=LOW,ub=HIGH
    #[arg(long, value_delimiter = ',', value_name = "NAME=COLUMN,...")]
    pub(crate) columns: Vec<String>,
    /// The column that names cells, by which linked tables share them; their labels if left out
    #[arg(long, value_name = "COLUMN")]
    pub(crate) id: Option<String>,
    /// Further equations: lines like `a + b - 2 [c d] = 10`, or JSON; may be repeated
    #[arg(long = "equations", value_name = "FILE")]
    pub(crate) equations: Vec<PathBuf>,
    /// Cells that are confidential: a table of their labels
    #[arg(long = "primary", value_name = "FILE")]
    pub(crate) primary: Vec<PathBuf>,
    /// Cells that must be published: a table of their labels
    #[arg(long = "fixed", value_name = "FILE")]
    pub(crate) fixed: Vec<PathBuf>,
    /// Cells that must be hidden whatever is learned about them: a table of their labels
    #[arg(long = "hidden", value_name = "FILE")]
    pub(crate) hidden: Vec<PathBuf>,
    /// Attackers who know more: a table with the columns attacker, the labels of a cell, lb and ub
    #[arg(long, value_name = "FILE")]
    pub(crate) attackers: Option<PathBuf>,
    /// Whether whoever stands alone in a primary cell attacks other primaries: off, neighbours (those in the same sums) or all; --singletons alone means neighbours
    #[arg(long, value_name = "KIND", default_value = "off", num_args = 0..=1, require_equals = true, default_missing_value = "neighbours")]
    pub(crate) singletons: String,
    #[command(flatten)]
    pub(crate) input: InputArgs,
}

impl TableArgs {
    /// The options that the flags give.
    pub(crate) fn options(&self, shell: &Shell, first: &std::path::Path) -> Result<TableOptions, CommandError> {
        let defaults = TableOptions::default();
        let marked =
            |status: Status, files: &[PathBuf]| files.iter().map(|file| (status, file.clone())).collect::<Vec<_>>();
        let mut total = defaults.total;
        let mut totals = Vec::new();
        for text in &self.totals {
            match text.split_once('=') {
                Some((dimension, label)) => totals.push((dimension.to_owned(), label.to_owned())),
                None => total.clone_from(text),
            }
        }
        if !(self.safety.is_finite() && self.safety >= 0.0) {
            return Err(sentence(format!("--safety {}: give a percentage from 0 on", self.safety)));
        }
        if let Some(range) = self.zero_range.filter(|range| !(range.is_finite() && *range > 0.0)) {
            return Err(sentence(format!("--zero-range {range}: give a number above 0")));
        }
        Ok(TableOptions {
            dimensions: self.dimensions.clone(),
            columns: self.meanings()?,
            hierarchies: self.hierarchies.iter().map(|text| hierarchy(text)).collect::<Result<_, _>>()?,
            hierarchy_lead: self.hierarchy_lead.clone(),
            total,
            totals,
            missing_cells: match self.missing_cells.as_str() {
                "zero" => MissingCells::Zero,
                "free" => MissingCells::Free,
                "error" => MissingCells::Error,
                other => return Err(sentence(format!("--missing-cells {other}: expected zero, free or error"))),
            },
            cost: self.cost.as_deref().map(|text| text.parse::<Cost>().unwrap_or_default()),
            bounds: self
                .bounds
                .as_deref()
                .map(str::parse::<Bounds>)
                .transpose()
                .map_err(|wrong| sentence(format!("--bounds: {wrong}")))?,
            safety: self.safety,
            zero_range: self.zero_range,
            equations: self.equations.clone(),
            marked: [
                marked(Status::Primary, &self.primary),
                marked(Status::Hidden, &self.hidden),
                marked(Status::Fixed, &self.fixed),
            ]
            .concat(),
            attackers: self.attackers.clone(),
            singletons: match self.singletons.as_str() {
                "off" => Singletons::Off,
                "neighbours" => Singletons::Neighbours,
                "all" => Singletons::All,
                other => return Err(sentence(format!("--singletons {other}: expected off, neighbours or all"))),
            },
            reading: tamis_source::ReadOptions { progress: reading(shell, first), ..read_options(&self.input)? },
        })
    }

    /// The files beside the tables that the flags name.
    pub(crate) fn files(&self) -> Vec<PathBuf> {
        let hierarchies = self.hierarchies.iter().filter_map(|text| named_file(text)).map(|(_, file)| file.into());
        let marked =
            self.equations.iter().chain(&self.primary).chain(&self.fixed).chain(&self.hidden).chain(&self.attackers);
        hierarchies.chain(marked.cloned()).collect()
    }

    fn meanings(&self) -> Result<Columns, CommandError> {
        let mut columns = Columns {
            value: self.value.clone(),
            frequency: self.frequency.clone(),
            status: self.status.clone(),
            id: self.id.clone(),
            ..Columns::default()
        };
        for text in &self.columns {
            let wrong = || {
                sentence(format!("--columns {text}: expected NAME=COLUMN with a name of weight, lb, ub, lpl, upl, spl"))
            };
            let (name, column) = text.split_once('=').ok_or_else(wrong)?;
            let slot = match name {
                "weight" => &mut columns.weight,
                "lb" => &mut columns.lower,
                "ub" => &mut columns.upper,
                "lpl" => &mut columns.lower_level,
                "upl" => &mut columns.upper_level,
                "spl" => &mut columns.sliding_level,
                _ => return Err(wrong()),
            };
            *slot = Some(column.to_owned());
        }
        Ok(columns)
    }
}

fn hierarchy(text: &OsStr) -> Result<HierarchyFile, CommandError> {
    let (dimension, path) = named_file(text).ok_or_else(|| {
        sentence(format!("--hierarchy {}: expected DIMENSION=FILE, such as Region=regions.hrc", text.display()))
    })?;
    Ok(HierarchyFile { dimension: dimension.to_owned(), path: path.into() })
}
