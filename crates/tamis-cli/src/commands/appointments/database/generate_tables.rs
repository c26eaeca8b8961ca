//! `tamis appointments database generate-tables`

use super::PlaceArgs;
use crate::answer::{Answer, CommandResult};
use crate::shell::Shell;
use clap::{Args, ValueEnum};
use serde_json::json;
use tamis_appointments::laboratory::generators::{Ages, Population, Sex};
use tamis_programme::register::{PeopleOptions, generate_tables};
use tamis_release::exact_number;
use tamis_source::database::Access;

#[derive(Debug, Args)]
pub(super) struct GenerateTablesArgs {
    #[command(flatten)]
    place: PlaceArgs,
    /// How many people each table has
    #[arg(allow_negative_numbers = true, long, value_name = "N", default_value_t = 100)]
    population: u64,
    /// How ages are spread
    #[arg(long, value_enum, default_value = "uniform")]
    ages: Ages,
    /// Whom to make up
    #[arg(long, value_enum, default_value_t = SexName::Both)]
    sex: SexName,
    /// Nobody is younger
    #[arg(allow_negative_numbers = true, long, value_name = "YEARS", default_value_t = 0)]
    min_age: u32,
    /// Nobody is older
    #[arg(allow_negative_numbers = true, long, value_name = "YEARS", default_value_t = 100)]
    max_age: u32,
    /// How many postcodes there are, from 28000 on
    #[arg(allow_negative_numbers = true, long, value_name = "N", default_value_t = 3)]
    postcodes: u32,
    /// Lose tables of these names, if there are any
    #[arg(long)]
    replace: bool,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
enum SexName {
    Man,
    Woman,
    Both,
}

pub(super) fn run(args: &GenerateTablesArgs, shell: &Shell) -> CommandResult {
    let seed = shell.seed_or_random(None)?;
    let population = Population {
        people: args.population,
        ages: args.ages,
        sex: match args.sex {
            SexName::Man => Some(Sex::Man),
            SexName::Woman => Some(Sex::Woman),
            SexName::Both => None,
        },
        minimum_age: args.min_age,
        maximum_age: args.max_age,
        postcodes: args.postcodes,
    };
    let mut database = args.place.open(Access::Create)?;
    let options = PeopleOptions { population, may_replace: args.replace, seed };
    let made = generate_tables(&mut *database, &args.place.tables(), &options)?;
    let tables: Vec<_> = made.iter().map(|table| json!({ "table": table.table, "people": table.people })).collect();
    shell.json(&json!({ "tables": tables, "seed": exact_number(seed) }))?;
    for table in &made {
        shell.say(&format!("{} people in `{}`", table.people, table.table));
    }
    Ok(Answer::Yes)
}
