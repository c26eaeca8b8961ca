//! `tamis perturb`

use super::mechanism::{DomainFlag, dice, exact, spoken};
use super::{ensure_outputs, read_columns};
use crate::answer::{Answer, CommandResult};
use crate::args::InputArgs;
use crate::commands::spelled;
use crate::shell::Shell;
use crate::text_table::TextTable;
use clap::Args;
use serde_json::json;
use std::path::PathBuf;
use tamis_mechanism::retain_insert::{Perturbed, RetainInsert};
use tamis_mechanism::{ColumnDomain, Domain};
use tamis_source::{OutputColumn, WriteOptions, write_table};

#[derive(Debug, Args)]
pub(crate) struct PerturbArgs {
    /// The table
    data: PathBuf,
    /// The columns to release
    #[arg(long, value_delimiter = ',', value_name = "A,B,...", required = true)]
    columns: Vec<String>,
    /// How likely an attacker holds any tuple to be in the table beforehand, at most
    #[arg(allow_negative_numbers = true, long, value_name = "NUMBER")]
    d: String,
    /// How likely they may hold it afterwards, at most
    #[arg(allow_negative_numbers = true, long, value_name = "NUMBER")]
    gamma: String,
    /// The values a column could have: the first labels of a hierarchy file, or a list; those of the data if left out
    #[arg(long = "domain", value_name = "COLUMN=FILE|COLUMN=A|B")]
    domains: Vec<String>,
    /// Where to write the released tuples; .gz and .zst compress
    #[arg(long, short, value_name = "FILE")]
    output: PathBuf,
    #[command(flatten)]
    input: InputArgs,
}

pub(crate) fn run(args: &PerturbArgs, shell: &Shell) -> CommandResult {
    let (d, gamma) = (exact("--d", &args.d)?, exact("--gamma", &args.gamma)?);
    let chosen = RetainInsert::private(d, gamma).map_err(|error| spoken(&error))?;
    let flags = DomainFlag::parse(&args.domains, &args.columns)?;
    let files: Vec<PathBuf> = flags.iter().filter_map(DomainFlag::file).chain([args.data.clone()]).collect();
    ensure_outputs([args.output.as_path()], files.iter().map(PathBuf::as_path))?;
    let table = read_columns(&args.data, &args.columns, &args.input, shell)?;
    let mut columns = Vec::with_capacity(args.columns.len());
    let mut notes = Vec::new();
    for name in &args.columns {
        let column = table.column(name)?;
        if let Some(flag) = flags.iter().find(|flag| flag.column == name) {
            columns.push(flag.domain(&args.input)?);
        } else {
            notes.push(format!("the values of `{name}` are those of the data, so that the release tells which occur; list them with --domain {name}=FILE if that is a secret"));
            columns.push(ColumnDomain::of_data(column).map_err(|error| spoken(&error))?);
        }
    }
    let domain = Domain::new(columns).map_err(|error| spoken(&error))?;
    let mut dice = dice(shell, &format!("perturb by {}, d {d}, gamma {gamma}", args.columns.join(",")), &mut notes)?;
    let perturbed = chosen.perturb(&table, &domain, &mut dice).map_err(|error| spoken(&error))?;
    // Always, for whether there are any is a secret.
    notes.push(
        "if rows have the same tuple they count once; add a column that tells rows apart to count each".to_owned(),
    );
    let released: Vec<OutputColumn<'_>> = perturbed.table.columns().iter().map(OutputColumn::of).collect();
    write_table(&args.output, &WriteOptions::default(), &released, 0..perturbed.table.rows())?;
    // Only what the release tells anyway: how many tuples were retained is a secret.
    let whole = chosen.estimate(perturbed.table.rows() as u64, domain.size());
    shell.json(&json!({
        "alpha": chosen.alpha.to_f64(),
        "beta": chosen.beta.to_f64(),
        "exact": { "alpha": chosen.alpha.to_string(), "beta": chosen.beta.to_string() },
        "domain": domain.size().to_string(),
        "rows": perturbed.table.rows(),
        "estimated_rows": whole,
        "estimates": &perturbed.estimates,
        "output": spelled(&args.output),
        "notes": &notes,
    }))?;
    shell.notes(&notes);
    shell.say(&describe(&chosen, &perturbed, &domain));
    shell.say(&format!("written to      {}", args.output.display()));
    Ok(Answer::Yes)
}

/// More lines than this nobody reads on a terminal.
const MOST_LINES: usize = 60;

fn describe(chosen: &RetainInsert, perturbed: &Perturbed, domain: &Domain) -> String {
    let mut table = TextTable::new(&["column", "value", "released", "estimate", "standard error"]);
    for value in perturbed.estimates.iter().take(MOST_LINES) {
        table.row(vec![
            value.column.clone(),
            value.value.clone(),
            value.in_view.to_string(),
            format!("{:.1}", value.estimate.count),
            format!("{:.1}", value.estimate.standard_error),
        ]);
    }
    let mut lines = vec![table.render()];
    if perturbed.estimates.len() > MOST_LINES {
        lines.push(format!("... {} more values; --json tells them all", perturbed.estimates.len() - MOST_LINES));
    }
    lines.push(String::new());
    let mut figure = |name: &str, value: String| lines.push(format!("{name:<16}{value}"));
    figure("retained", format!("every tuple of the table with probability {}", chosen.retain));
    figure("inserted", format!("every other of {} tuples with probability {}", domain.size(), chosen.beta));
    figure("released", format!("{} tuples", perturbed.table.rows()));
    figure(
        "true count",
        format!(
            "(released - {} * possible) / ({}), where possible tuples of the domain would meet it",
            chosen.beta, chosen.alpha
        ),
    );
    lines.join("\n")
}
