//! Attacks on two releases of one table.

use super::{AttackArgs, HierarchyArgs, conclude, names, refused};
use crate::answer::{CommandError, CommandResult};
use crate::commands::ensure_outputs;
use crate::shell::Shell;
use clap::Args;
use std::path::{Path, PathBuf};
use tamis_risk::attacks::{complementary as linking, unsorted as matching};
use tamis_source::{OutputColumn, WriteOptions, write_private_table};
use tamis_table::{Column, Table};

#[derive(Debug, Args)]
pub(crate) struct UnsortedArgs {
    /// A release
    first: PathBuf,
    /// Another release of the same table
    second: PathBuf,
    /// The quasi-identifiers; all columns that both have if left out
    #[arg(long, value_delimiter = ',', value_name = "A,B,...")]
    quasi: Vec<String>,
    /// The private table in the same order, to count the rows that come out exactly
    #[arg(long, value_name = "FILE")]
    original: Option<PathBuf>,
    /// Rows among fewer than this many are at risk; the smaller k of the two releases if left out
    #[arg(long, value_name = "K", value_parser = clap::value_parser!(u64).range(1..))]
    k: Option<u64>,
    /// Where to write the table that comes out
    #[arg(long, short, value_name = "FILE")]
    output: Option<PathBuf>,
    #[command(flatten)]
    hierarchies: HierarchyArgs,
    #[command(flatten)]
    common: AttackArgs,
}

#[derive(Debug, Args)]
pub(crate) struct ComplementaryArgs {
    /// A release
    first: PathBuf,
    /// Another release of the same table
    second: PathBuf,
    /// The columns to join on, which both releases left as they are
    #[arg(long, value_delimiter = ',', value_name = "A,B,...", required = true)]
    on: Vec<String>,
    /// The quasi-identifiers; the other columns that both have if left out
    #[arg(long, value_delimiter = ',', value_name = "A,B,...")]
    quasi: Vec<String>,
    /// Rows among fewer than this many are at risk; the smaller k of the two releases if left out
    #[arg(long, value_name = "K", value_parser = clap::value_parser!(u64).range(1..))]
    k: Option<u64>,
    /// Where to write the linking table
    #[arg(long, short, value_name = "FILE")]
    output: Option<PathBuf>,
    #[command(flatten)]
    hierarchies: HierarchyArgs,
    #[command(flatten)]
    common: AttackArgs,
}

pub(crate) fn unsorted(args: &UnsortedArgs, shell: &Shell) -> CommandResult {
    args.common.check()?;
    ensure_outputs(
        args.output.as_deref(),
        [&args.first, &args.second]
            .into_iter()
            .chain(&args.original)
            .map(PathBuf::as_path)
            .chain(args.hierarchies.files()),
    )?;
    let first = args.common.read(&args.first, &args.quasi, shell)?;
    let second = args.common.read(&args.second, &args.quasi, shell)?;
    let original = args.original.as_ref().map(|path| args.common.read(path, [], shell)).transpose()?;
    let options = matching::Options {
        labels: args.hierarchies.read(&columns(&first), &args.common.input)?,
        quasi: names(&args.quasi),
        original: original.as_ref(),
        k: args.k,
        limit: args.common.limit(shell),
    };
    let (table, report) = matching::attack(&first, &second, &options).map_err(|error| refused(&error))?;
    write(args.output.as_deref(), &table, shell)?;
    conclude(&report, &args.common, args.output.as_ref(), shell)
}

pub(crate) fn complementary(args: &ComplementaryArgs, shell: &Shell) -> CommandResult {
    args.common.check()?;
    let inputs = [args.first.as_path(), args.second.as_path()].into_iter().chain(args.hierarchies.files());
    ensure_outputs(args.output.as_deref(), inputs)?;
    let first = args.common.read(&args.first, args.on.iter().chain(&args.quasi), shell)?;
    let second = args.common.read(&args.second, args.on.iter().chain(&args.quasi), shell)?;
    let options = linking::Options {
        on: names(&args.on),
        quasi: names(&args.quasi),
        labels: args.hierarchies.read(&columns(&first), &args.common.input)?,
        k: args.k,
        limit: args.common.limit(shell),
    };
    let (table, report) = linking::attack(&first, &second, &options).map_err(|error| refused(&error))?;
    write(args.output.as_deref(), &table, shell)?;
    conclude(&report, &args.common, args.output.as_ref(), shell)
}

fn columns(table: &Table) -> Vec<&str> {
    table.columns().iter().map(Column::name).collect()
}

/// Writes the table that an attack reconstructs, where it was asked for.
fn write(output: Option<&Path>, table: &Table, shell: &Shell) -> Result<(), CommandError> {
    let Some(path) = output else { return Ok(()) };
    let columns: Vec<OutputColumn<'_>> = table.columns().iter().map(OutputColumn::of).collect();
    // It may say more about people than either release does.
    write_private_table(path, &WriteOptions::default(), &columns, 0..table.rows())?;
    shell.say(&format!("{} rows written to {}", table.rows(), path.display()));
    Ok(())
}
