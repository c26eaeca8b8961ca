//! `tamis transform`

mod args;
mod new_key;
mod opened;
mod outputs;

pub(crate) use args::TransformArgs;

use crate::answer::{Answer, CommandError, CommandResult, sentence};
use crate::commands::{ensure_outputs, read_options, spelled, write_private_text};
use crate::progress::reading;
use crate::shell::Shell;
use crate::text_table::TextTable;
use args::{FileArgs, Job, Kind};
use opened::Opened;
use outputs::Destinations;
use rand::rngs::SysRng;
use rand_chacha::ChaCha20Rng;
use rand_chacha::rand_core::SeedableRng;
use serde::Serialize;
use std::path::PathBuf;
use tamis_source::{ReadOptions, detect_encoded, read_table};
use tamis_table::Table;
use tamis_transform::figures::{FigureChanges, compare};
use tamis_transform::{Input, Output, Step};

#[derive(Serialize)]
struct Document<'a> {
    kind: &'a str,
    rows: usize,
    tables: Vec<TableDocument<'a>>,
    figures: &'a FigureChanges,
    notes: &'a [String],
}

#[derive(Serialize)]
struct TableDocument<'a> {
    name: &'a str,
    path: String,
    rows: usize,
    columns: Vec<&'a str>,
    secret: bool,
}

pub(crate) fn run(args: &TransformArgs, shell: &Shell) -> CommandResult {
    match &args.kind {
        Kind::Step(job) => transform(job, shell),
        Kind::NewKey { file } => new_key::run(file, shell),
    }
}

fn transform(Job { step, files }: &Job, shell: &Shell) -> CommandResult {
    let destinations = Destinations::of(step, files)?;
    let others: Vec<PathBuf> = step.files().into_iter().map(PathBuf::from).collect();
    ensure_outputs(
        destinations.paths().chain(files.figures.as_deref()),
        others.iter().map(PathBuf::as_path).chain([files.data.as_path()]),
    )?;
    if std::fs::metadata(&files.data).is_ok_and(|facts| !facts.is_file()) {
        return Err(sentence(format!(
            "{} is not a regular file; save the data to one, as it is read more than once",
            files.data.display()
        )));
    }
    let options = read_options(&files.input)?;
    let reading = ReadOptions { progress: reading(shell, &files.data), ..options.clone() };
    let table = read_table(&files.data, &reading)?;
    let opened = Opened::new(&options);
    let mut dice = dice(shell)?;
    let output = match step.apply(Input { table: &table, groups: None, dice: &mut dice, files: &opened }) {
        Ok(output) => output,
        Err(error) if error.is_refusal() => {
            shell.error(&sentence(error.to_string()));
            return Ok(Answer::No);
        }
        Err(error) => return Err(sentence(error.to_string())),
    };
    let delimiter = match options.delimiter {
        Some(delimiter) => delimiter,
        None => detect_encoded(&files.data, options.encoding.unwrap_or_default())?.delimiter,
    };
    let figures = figures(&table, &output);
    destinations.write(&output, delimiter, || write_figures(files, &figures))?;
    let mut notes = output.notes.clone();
    notes.extend(seed_note(shell, step));
    notes.extend(opened.into_notes());
    shell.json(&document(step, &table, &output, &destinations, &figures, &notes))?;
    shell.notes(&notes);
    shell.say(&describe(step, &table, &output, &destinations));
    shell.say(&format!("\n{}", figures.to_text()));
    Ok(Answer::Yes)
}

/// Randomness from the seed, or all of it from the operating system.
fn dice(shell: &Shell) -> Result<ChaCha20Rng, CommandError> {
    match shell.seed {
        Some(seed) => Ok(ChaCha20Rng::seed_from_u64(seed)),
        None => ChaCha20Rng::try_from_rng(&mut SysRng)
            .map_err(|error| sentence(format!("the system gives no random numbers ({error}); choose a --seed"))),
    }
}

/// The figures of the released table, or of the first where there are several, which holds the quasi-identifiers.
fn figures(before: &Table, output: &Output) -> FigureChanges {
    compare(before, output.tables.first().map_or(before, |first| &first.table))
}

/// The figures tell about the original table: the file is its steward's alone.
fn write_figures(files: &FileArgs, figures: &FigureChanges) -> Result<(), CommandError> {
    let Some(path) = &files.figures else { return Ok(()) };
    let text = serde_json::to_string_pretty(figures)
        .map_err(|error| sentence(format!("the figures cannot be written as JSON: {error}")))?;
    write_private_text(path, &(text + "\n"))
}

/// A seed that others know undoes what is random.
fn seed_note(shell: &Shell, step: &Step) -> Option<String> {
    let is_random = !matches!(
        step,
        Step::Code(_)
            | Step::Join(_)
            | Step::Microaggregate(_)
            | Step::Pseudonymize(_)
            | Step::RotateSynonyms(_)
            | Step::SuppressCells(_)
    );
    (shell.seed.is_some() && is_random).then(|| {
        "whoever knows the seed and the program can undo what is random here: keep the seed secret, or leave it out"
            .to_owned()
    })
}

fn document<'a>(
    step: &Step,
    table: &Table,
    output: &'a Output,
    destinations: &'a Destinations,
    figures: &'a FigureChanges,
    notes: &'a [String],
) -> Document<'a> {
    let tables = output.tables.iter().zip(destinations.paths()).map(|(made, path)| TableDocument {
        name: made.name,
        path: spelled(path),
        rows: made.table.rows(),
        columns: made.table.columns().iter().map(tamis_table::Column::name).collect(),
        secret: made.is_secret,
    });
    Document { kind: step.kind(), rows: table.rows(), tables: tables.collect(), figures, notes }
}

fn describe(step: &Step, table: &Table, output: &Output, destinations: &Destinations) -> String {
    let mut lines = vec![format!("{} of {} rows", step.kind(), table.rows()), String::new()];
    let mut written = TextTable::new(&["table", "rows", "columns", "written to"]);
    for (made, path) in output.tables.iter().zip(destinations.paths()) {
        let name = match (made.name, made.is_secret) {
            ("", _) => "result".to_owned(),
            (name, true) => format!("{name} (secret)"),
            (name, false) => name.to_owned(),
        };
        let (rows, columns) = (made.table.rows().to_string(), made.table.columns().len().to_string());
        written.row(vec![name, rows, columns, path.display().to_string()]);
    }
    lines.push(written.render());
    lines.join("\n")
}
