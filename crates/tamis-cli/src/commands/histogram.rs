//! `tamis histogram`

use super::budget::{document, refuse};
use super::mechanism::{DomainFlag, dice, exact, spoken, total};
use super::{ensure_outputs, read_columns};
use crate::answer::{Answer, CommandError, CommandResult, sentence};
use crate::args::InputArgs;
use crate::clock::now;
use crate::commands::spelled;
use crate::shell::Shell;
use crate::text_table::{TextTable, percent};
use clap::Args;
use serde_json::json;
use std::path::{Path, PathBuf};
use tamis_mechanism::{
    ColumnDomain, Contribution, Domain, Histogram, HistogramQuery, Ledger, PostProcessing, Ratio, Spending,
};
use tamis_release::LedgerFile;
use tamis_source::{OutputColumn, WriteOptions, write_table};
use tamis_table::Table;

#[derive(Debug, Args)]
pub(crate) struct HistogramArgs {
    /// The table
    data: PathBuf,
    /// The columns whose combinations of values are counted
    #[arg(long, value_delimiter = ',', value_name = "A,B,...", required = true)]
    by: Vec<String>,
    /// The price of the answer, a decimal number; the noise is the larger the smaller it is
    #[arg(allow_negative_numbers = true, long, value_name = "NUMBER")]
    epsilon: String,
    /// How likely a value that only one person has may be told; needed where the values of a column are taken from the data
    #[arg(allow_negative_numbers = true, long, value_name = "NUMBER")]
    delta: Option<String>,
    /// The ledger of the data set's budget
    #[arg(long, value_name = "FILE.json")]
    budget: PathBuf,
    /// Create the ledger with this total if it is not there yet
    #[arg(allow_negative_numbers = true, long, value_name = "NUMBER")]
    total_epsilon: Option<String>,
    /// The total of delta of a ledger that is created
    #[arg(allow_negative_numbers = true, long, value_name = "NUMBER", requires = "total_epsilon")]
    total_delta: Option<String>,
    /// The values a column could have: the first labels of a hierarchy file, or a list; may be repeated
    #[arg(long = "domain", value_name = "COLUMN=FILE|COLUMN=A|B")]
    domains: Vec<String>,
    /// The column that names the person, where a person may have several rows
    #[arg(long, value_name = "COLUMN", requires = "max_rows")]
    entity: Option<String>,
    /// How many rows of a person count at most; the noise grows with it
    #[arg(allow_negative_numbers = true, long, value_name = "N", requires = "entity", value_parser = clap::value_parser!(u32).range(1..))]
    max_rows: Option<u32>,
    /// Tell 0 for counts below 0
    #[arg(long, conflicts_with = "keep_total")]
    clamp: bool,
    /// Tell no count below 0 and keep the total of the noisy counts
    #[arg(long)]
    keep_total: bool,
    /// How likely an interval holds the true count
    #[arg(allow_negative_numbers = true, long, value_name = "SHARE", default_value_t = 0.95)]
    level: f64,
    /// Where to write the counts; .gz and .zst compress
    #[arg(long, short, value_name = "FILE")]
    output: Option<PathBuf>,
    #[command(flatten)]
    input: InputArgs,
}

/// What a query costs.
struct Price {
    epsilon: Ratio,
    delta: Option<Ratio>,
    total: Option<(Ratio, Ratio)>,
}

/// The columns of the output beside those counted by.
const COUNTED: [&str; 3] = ["noisy_count", "low", "high"];

pub(crate) fn run(args: &HistogramArgs, shell: &Shell) -> CommandResult {
    let price = price(args)?;
    let flags = DomainFlag::parse(&args.domains, &args.by)?;
    let contribution = match (&args.entity, args.max_rows) {
        (Some(entity), Some(rows)) => Contribution::AtMost { entity, rows },
        _ => Contribution::OneRow,
    };
    // A question that makes no sense is none for the budget to answer.
    HistogramQuery::check_parameters(price.epsilon, price.delta, contribution, args.level)
        .map_err(|error| spoken(&error))?;
    ensure_delta_fits(args, &flags, &price)?;
    let files: Vec<PathBuf> = flags.iter().filter_map(DomainFlag::file).chain([args.data.clone()]).collect();
    ensure_outputs(
        [Some(args.budget.as_path()), args.output.as_deref()].into_iter().flatten(),
        files.iter().map(PathBuf::as_path),
    )?;
    if let Some(taken) = args.by.iter().find(|name| COUNTED.contains(&name.as_str())) {
        return Err(sentence(format!(
            "a column of the result is called `{taken}` already; rename the column of the table"
        )));
    }
    let data = args.data.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let ledger = LedgerFile { path: &args.budget, data: &data, total: price.total };
    let spending = Spending {
        time: now()?.strftime("%Y-%m-%dT%H:%M:%SZ").to_string(),
        query: describe_query(args, &flags, &data),
        epsilon: price.epsilon,
        delta: price.delta.unwrap_or(Ratio::ZERO),
    };
    // Whoever cannot pay need not wait for the data to be read.
    if let Err(refusal) = ledger.open()?.spend(spending.clone()) {
        return refuse(&refusal, shell);
    }

    let table = read_columns(&args.data, args.by.iter().chain(&args.entity), &args.input, shell)?;
    let domain = domain(args, &flags, &table)?;
    let query = HistogramQuery {
        domain: &domain,
        delta: price.delta,
        epsilon: price.epsilon,
        contribution,
        post_processing: match (args.clamp, args.keep_total) {
            (true, _) => PostProcessing::Clamp,
            (_, true) => PostProcessing::KeepTotal,
            _ => PostProcessing::None,
        },
        level: args.level,
    };
    query.mechanism().map_err(|error| spoken(&error))?;
    let mut notes = notes(args, &flags);
    let mut dice = dice(shell, &format!("{}, epsilon {}", spending.query, price.epsilon), &mut notes)?;
    let counts = query.count(&table, &mut dice).map_err(|error| spoken(&error))?;

    // Whatever can fail has not; from here on the answer is paid for.
    let ledger = match ledger.spend(spending)? {
        Ok(ledger) => ledger,
        Err(refusal) => return refuse(&refusal, shell),
    };
    let told = query.tell(&counts, &mut dice).map_err(|error| spoken(&error))?;
    if let Some(path) = &args.output {
        write_cells(path, &told)?;
    }
    shell.json(&json!({
        "histogram": &told,
        "epsilon": price.epsilon.to_f64(),
        "delta": price.delta.map_or(0.0, Ratio::to_f64),
        "budget": document(&ledger),
        "output": args.output.as_ref().map(spelled),
        "notes": &notes,
    }))?;
    shell.notes(&notes);
    shell.say(&describe(args, &told, &ledger, &price));
    Ok(Answer::Yes)
}

fn price(args: &HistogramArgs) -> Result<Price, CommandError> {
    let total = total(args.total_epsilon.as_deref(), args.total_delta.as_deref())?;
    let delta = args.delta.as_deref().map(|text| exact("--delta", text)).transpose()?;
    Ok(Price { epsilon: exact("--epsilon", &args.epsilon)?, delta, total })
}

/// Values that are taken from the data need a delta, and only they do.
fn ensure_delta_fits(args: &HistogramArgs, flags: &[DomainFlag<'_>], price: &Price) -> Result<(), CommandError> {
    let from_data = args.by.iter().find(|name| flags.iter().all(|flag| flag.column != name.as_str()));
    match (from_data, price.delta) {
        (Some(name), None) => Err(sentence(format!(
            "the values of `{name}` are not given, and taking them from the data tells that somebody has them; \
             list them with --domain {name}=FILE, or allow a --delta"
        ))),
        (None, Some(_)) => Err(sentence("every column has a --domain, so that no --delta is needed; leave it out")),
        _ => Ok(()),
    }
}

/// The values of every column: given, or taken from the data.
fn domain(args: &HistogramArgs, flags: &[DomainFlag<'_>], table: &Table) -> Result<Domain, CommandError> {
    let mut columns = Vec::with_capacity(args.by.len());
    for name in &args.by {
        let column = table.column(name)?;
        columns.push(match flags.iter().find(|flag| flag.column == name) {
            Some(flag) => flag.domain(&args.input)?,
            None => ColumnDomain::of_data(column).map_err(|error| spoken(&error))?,
        });
    }
    Domain::new(columns).map_err(|error| spoken(&error))
}

fn describe_query(args: &HistogramArgs, flags: &[DomainFlag<'_>], data: &str) -> String {
    let bound = match (&args.entity, args.max_rows) {
        (Some(entity), Some(rows)) => format!("; at most {rows} rows for each {entity}"),
        _ => String::new(),
    };
    let source = if flags.len() < args.by.len() { "; values from the data" } else { "" };
    format!("histogram of {data} by {}{bound}{source}", args.by.join(", "))
}

/// What the user should know; none of it depends on the data.
fn notes(args: &HistogramArgs, flags: &[DomainFlag<'_>]) -> Vec<String> {
    let mut notes = Vec::new();
    if args.entity.is_none() {
        notes.push(
            "every row counts as a person of its own; give --entity and --max-rows if a person may have several"
                .to_owned(),
        );
    }
    if !flags.is_empty() {
        notes.push("rows with values that are not in a --domain are left out".to_owned());
    }
    notes
}

fn write_cells(path: &Path, told: &Histogram) -> Result<(), CommandError> {
    let mut columns: Vec<OutputColumn<'_>> = Vec::new();
    for (position, name) in told.columns.iter().enumerate() {
        columns
            .push(OutputColumn::of_rows(name, told.cells.iter().map(|cell| cell.values[position].clone()).collect()));
    }
    let numbers = [
        told.cells.iter().map(|cell| cell.count.to_string()).collect(),
        told.cells.iter().map(|cell| cell.low.to_string()).collect(),
        told.cells.iter().map(|cell| cell.high.to_string()).collect(),
    ];
    columns.extend(COUNTED.into_iter().zip(numbers).map(|(name, cells)| OutputColumn::of_rows(name, cells)));
    Ok(write_table(path, &WriteOptions::default(), &columns, 0..told.cells.len())?)
}

/// More lines than this nobody reads on a terminal.
const MOST_LINES: usize = 100;

fn describe(args: &HistogramArgs, told: &Histogram, ledger: &Ledger, price: &Price) -> String {
    let mut lines = Vec::new();
    if args.output.is_none() {
        let header: Vec<&str> = told.columns.iter().map(String::as_str).chain(COUNTED).collect();
        let mut table = TextTable::new(&header);
        for cell in told.cells.iter().take(MOST_LINES) {
            let numbers = [cell.count, cell.low, cell.high].map(|number| number.to_string());
            table.row(cell.values.iter().cloned().chain(numbers).collect());
        }
        lines.push(table.render());
        if told.cells.len() > MOST_LINES {
            lines.push(format!("... {} more cells; --output FILE writes them all", told.cells.len() - MOST_LINES));
        }
        lines.push(String::new());
    }
    let mut figure = |name: &str, value: String| lines.push(format!("{name:<16}{value}"));
    figure(
        "noise",
        format!(
            "standard error {:.2}; low to high holds the true count with {}",
            told.standard_error,
            percent(told.level)
        ),
    );
    if let Some(threshold) = told.threshold {
        figure("threshold", format!("counts below {threshold} are not told"));
    }
    figure("spent", format!("{} epsilon, {} delta", price.epsilon, price.delta.unwrap_or(Ratio::ZERO)));
    let (epsilon, delta) = ledger.left();
    figure("left", format!("{epsilon} epsilon, {delta} delta"));
    if let Some(path) = &args.output {
        figure("written to", path.display().to_string());
    }
    lines.join("\n")
}
