//! `tamis appointments database`: the tool of the thesis on a real database.

mod assign;
mod generate_resources;
mod generate_tables;
mod get_k;

use crate::answer::{CommandError, CommandResult, sentence};
use crate::commands::appointments::account::people;
use crate::shell::Shell;
use clap::{Args, Subcommand};
use std::time::Duration;
use tamis_programme::register::Tables;
use tamis_source::database::{Access, Database, OpenOptions, open};

#[derive(Debug, Args)]
pub(crate) struct DatabaseArgs {
    #[command(subcommand)]
    kind: DatabaseKind,
}

#[derive(Debug, Subcommand)]
enum DatabaseKind {
    /// Tell k and the anonymity vector of tables
    GetK(get_k::GetKArgs),
    /// Make up people
    GenerateTables(generate_tables::GenerateTablesArgs),
    /// Make up slots for the people of tables
    GenerateResources(generate_resources::GenerateResourcesArgs),
    /// Give everybody in a table a slot, by lot and by Tamis
    Assign(assign::AssignArgs),
}

pub(crate) fn run(args: &DatabaseArgs, shell: &Shell) -> CommandResult {
    match &args.kind {
        DatabaseKind::GetK(args) => get_k::run(args, shell),
        DatabaseKind::GenerateTables(args) => generate_tables::run(args, shell),
        DatabaseKind::GenerateResources(args) => generate_resources::run(args, shell),
        DatabaseKind::Assign(args) => assign::run(args, shell),
    }
}

/// Where the tables are.
#[derive(Debug, Args)]
struct PlaceArgs {
    /// The database, as sqlite:PATH
    #[arg(long, value_name = "URL")]
    database: String,
    /// The table of people, or what the names of several have in common
    #[arg(long, value_name = "NAME")]
    table: String,
    /// How many tables: from 2 on they are called NAME0, NAME1, ...
    #[arg(allow_negative_numbers = true, long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=100_000))]
    tables: u32,
    /// Seconds to wait while another program writes to the database
    #[arg(allow_negative_numbers = true, long, value_name = "SECONDS", default_value_t = 5.0)]
    wait: f64,
}

impl PlaceArgs {
    fn open(&self, access: Access) -> Result<Box<dyn Database>, CommandError> {
        let wait = Duration::try_from_secs_f64(self.wait)
            .map_err(|_| sentence(format!("--wait {}: give a number of seconds from 0 on", self.wait)))?;
        Ok(open(&self.database, &OpenOptions { access, wait })?)
    }

    fn tables(&self) -> Tables {
        Tables { name: self.table.clone(), number: self.tables }
    }
}

/// What to know about people who have no value in some attribute.
fn null_notes<'a>(tables: impl IntoIterator<Item = (&'a str, u64)>) -> Vec<String> {
    let with_some = tables.into_iter().filter(|&(_, people)| people > 0);
    let note = |(table, number)| {
        let people = people(number);
        format!(
            "{people} in `{table}` without a value (NULL) in some attribute; having none counts as a value of its own"
        )
    };
    with_some.map(note).collect()
}
