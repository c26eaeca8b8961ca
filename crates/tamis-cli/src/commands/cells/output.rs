//! The files that a protected table goes to.

use super::attacked::Attacked;
use super::file_format::FileFormat;
use super::subject::{Subject, with_status};
use super::words::number;
use crate::answer::{CommandError, sentence};
use crate::commands::{ensure_outputs, write_private_text, write_text};
use clap::Args;
use serde_json::{Value, json};
use std::path::{Path, PathBuf};
use tamis_cells::audit::Interval;
use tamis_cells::format::{jj, json as json_format};
use tamis_cells::{Pattern, Protected, Status};
use tamis_source::{AtomicFile, Compression, OutputColumn, WriteOptions, is_tsv, write_table};
use tamis_totals::page::{PageFacts, Reader, SearchFacts, cells_page};
use tamis_totals::{Letters, ReleaseOptions, write_released};

#[derive(Debug, Args)]
pub(super) struct OutputArgs {
    /// Write the table: .csv and .tsv are what may be published, .json and .jj keep the true values for other programs
    #[arg(long, short, value_name = "FILE")]
    output: Option<PathBuf>,
    /// The format of --output, if its extension does not say
    #[arg(long, value_enum)]
    format: Option<FileFormat>,
    /// What stands in place of a hidden value
    #[arg(long, value_name = "TEXT", default_value = "x", allow_hyphen_values = true)]
    mark: String,
    /// Give hidden cells of a CSV the letters of other programs, u primary and m secondary, instead of x for both; tells
    /// readers which cells are confidential
    #[arg(long)]
    letters: bool,
    /// Write a page that shows the table, what is hidden and what can be computed; for yourself, as it shows true values
    #[arg(long, value_name = "FILE.html")]
    page: Option<PathBuf>,
    /// Write a page with the table as it may be published
    #[arg(long, value_name = "FILE.html")]
    public_page: Option<PathBuf>,
}

/// Where to write what.
pub(super) struct Outputs<'a> {
    args: &'a OutputArgs,
    format: Option<FileFormat>,
}

impl<'a> Outputs<'a> {
    /// Checks before long work that everything can be written.
    pub(super) fn new(args: &'a OutputArgs, inputs: &'a [PathBuf]) -> Result<Self, CommandError> {
        let outputs = [&args.output, &args.page, &args.public_page].into_iter().flatten().map(PathBuf::as_path);
        ensure_outputs(outputs, inputs.iter().map(PathBuf::as_path))?;
        if args.format.is_some() && args.output.is_none() {
            return Err(sentence("--format says how to write a file; say which with --output"));
        }
        // A reader would take a number for the value.
        if args.mark.trim().parse::<f64>().is_ok() {
            return Err(sentence(format!(
                "--mark {}: a number in place of a hidden value would be taken for the value; choose another text",
                args.mark
            )));
        }
        let format = match (&args.output, args.format) {
            (None, _) => None,
            (Some(_), Some(format)) => Some(format),
            (Some(path), None) => Some(FileFormat::of_output("--output", path)?),
        };
        if args.letters && format != Some(FileFormat::Csv) {
            return Err(sentence(
                "--letters is about the status column of a CSV; give --output FILE.csv, or leave it out",
            ));
        }
        Ok(Self { args, format })
    }

    /// Whether a file shows intervals in any case.
    pub(super) fn wants_intervals(&self) -> bool {
        self.args.page.is_some() || self.args.public_page.is_some()
    }

    pub(super) fn paths(&self) -> impl Iterator<Item = &Path> {
        [&self.args.output, &self.args.page, &self.args.public_page].into_iter().flatten().map(PathBuf::as_path)
    }

    /// What was written, for the JSON document.
    pub(super) fn document(&self) -> Option<Value> {
        let shown = |path: &Option<PathBuf>| path.as_ref().map(|path| path.display().to_string());
        let (output, page, public) = (shown(&self.args.output), shown(&self.args.page), shown(&self.args.public_page));
        self.paths().next()?;
        Some(json!({ "path": output, "page": page, "public_page": public }))
    }

    /// Writes everything that was asked for; what to know about it.
    pub(super) fn write(
        &self,
        subject: &Subject,
        protected: &Protected,
        attacked: Option<&Attacked>,
        with_intervals: bool,
        remarks: &[String],
    ) -> Result<Vec<String>, CommandError> {
        let mut notes = Vec::new();
        if let Some((path, format)) = self.args.output.as_ref().zip(self.format) {
            notes.extend(self.write_table(path, format, subject, protected, attacked.filter(|_| with_intervals))?);
        }
        let Some(attacked) = attacked else { return Ok(notes) };
        let Protected { bound, gap, optimal, .. } = *protected;
        let search = SearchFacts { bound, gap, optimal };
        if let Some(path) = &self.args.page {
            write_page(path, subject, &protected.pattern, attacked, Some(search), remarks)?;
        }
        if let Some(path) = &self.args.public_page {
            let facts = page_facts(subject, &protected.pattern, attacked, Reader::Public);
            write_text(path, &cells_page(&PageFacts { mark: &self.args.mark, ..facts }, env!("CARGO_PKG_VERSION")))?;
        }
        Ok(notes)
    }

    fn write_table(
        &self,
        path: &Path,
        format: FileFormat,
        subject: &Subject,
        protected: &Protected,
        attacked: Option<&Attacked>,
    ) -> Result<Vec<String>, CommandError> {
        let mut notes = Vec::new();
        let table = &subject.table;
        match format {
            FileFormat::Csv => self.release(path, subject, protected, attacked)?,
            FileFormat::Json => {
                let marked = with_status(table, |cell, status| match status {
                    Status::Free if protected.pattern.hides(cell) => Status::Hidden,
                    _ => status,
                })?;
                AtomicFile::write_private_compressed(path, Compression::of_path(path), |mut file| {
                    json_format::write(&marked, &mut file)
                })?;
            }
            FileFormat::Jj => {
                AtomicFile::write_private_compressed(path, Compression::of_path(path), |mut file| {
                    jj::write(table, Some(&protected.pattern), &mut file)
                })?;
                if !table.attackers().is_empty() {
                    notes.push(format!("{} has no place for attackers; they are left out", path.display()));
                }
            }
        }
        if format != FileFormat::Csv {
            notes.push(format!("{} holds the true values of hidden cells; it is not for publication", path.display()));
        }
        if self.args.letters {
            notes.push(format!("{} tells which hidden cells are confidential (u)", path.display()));
        }
        Ok(notes)
    }

    /// Writes what may be published.
    fn release(
        &self,
        path: &Path,
        subject: &Subject,
        protected: &Protected,
        attacked: Option<&Attacked>,
    ) -> Result<(), CommandError> {
        let letters = if self.args.letters { Letters::Peers } else { Letters::Public };
        let options = ReleaseOptions { mark: self.args.mark.clone(), letters };
        let Some(totals) = subject.totals() else { return released(path, subject, protected, attacked, &options) };
        let public: Option<Vec<Interval>> = attacked.map(|attacked| attacked.public().copied().collect());
        Ok(write_released(path, totals, &protected.pattern, public.as_deref(), &options)?)
    }
}

/// The page of a table, for whoever makes it.
pub(super) fn write_page(
    path: &Path,
    subject: &Subject,
    pattern: &Pattern,
    attacked: &Attacked,
    search: Option<SearchFacts>,
    notes: &[String],
) -> Result<(), CommandError> {
    let facts = page_facts(subject, pattern, attacked, Reader::Steward);
    write_private_text(path, &cells_page(&PageFacts { search, notes, ..facts }, env!("CARGO_PKG_VERSION")))
}

fn page_facts<'a>(subject: &'a Subject, pattern: &'a Pattern, attacked: &'a Attacked, reader: Reader) -> PageFacts<'a> {
    PageFacts {
        title: &subject.name,
        reader,
        table: &subject.table,
        totals: subject.totals(),
        pattern,
        audit: &attacked.audit,
        search: None,
        mark: "",
        notes: &[],
    }
}

/// What may be published: every cell with its value, or with the mark where it is hidden.
fn released(
    path: &Path,
    subject: &Subject,
    protected: &Protected,
    attacked: Option<&Attacked>,
    release: &ReleaseOptions,
) -> Result<(), CommandError> {
    let cells = subject.table.cells();
    let hides = |cell: usize| protected.pattern.hides(cell);
    let column =
        |name, text: &dyn Fn(usize) -> String| OutputColumn::of_rows(name, (0..cells.len()).map(text).collect());
    let mut columns = vec![
        column("id", &|cell| cells[cell].id.to_string()),
        // The shortest digits that read back as the same number: what is published is what was read.
        column("value", &|cell| if hides(cell) { release.mark.clone() } else { cells[cell].value.to_string() }),
        column("status", &|cell| release.letters.of(&cells[cell], hides(cell)).to_owned()),
    ];
    if let Some(attacked) = attacked {
        let bound = |of: fn(&tamis_cells::audit::Interval) -> f64| {
            move |cell: usize| attacked.of(cell).map_or_else(String::new, |interval| number(of(interval)))
        };
        columns.push(column("lower", &bound(|interval| interval.lower)));
        columns.push(column("upper", &bound(|interval| interval.upper)));
    }
    let delimiter = if is_tsv(path) { b'\t' } else { b',' };
    let options = WriteOptions { delimiter, ..WriteOptions::default() };
    Ok(write_table(path, &options, &columns, 0..cells.len())?)
}
