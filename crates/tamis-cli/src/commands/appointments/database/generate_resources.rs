//! `tamis appointments database generate-resources`

use super::PlaceArgs;
use crate::answer::{Answer, CommandResult};
use crate::shell::Shell;
use clap::Args;
use serde_json::json;
use tamis_programme::register::{GeneratedResources, ResourceOptions, generate_resources};
use tamis_release::exact_number;
use tamis_source::database::Access;

#[derive(Debug, Args)]
pub(super) struct GenerateResourcesArgs {
    #[command(flatten)]
    place: PlaceArgs,
    /// How many slots at least; more are made until there is room for everybody
    #[arg(allow_negative_numbers = true, long, value_name = "N", default_value_t = 5)]
    resources: u64,
    /// The smallest capacity of a slot
    #[arg(allow_negative_numbers = true, long, value_name = "PEOPLE", default_value_t = 10)]
    min_capacity: u64,
    /// The largest capacity of a slot
    #[arg(allow_negative_numbers = true, long, value_name = "PEOPLE", default_value_t = 25)]
    max_capacity: u64,
    /// How many people need a place; as many as the table has if left out
    #[arg(allow_negative_numbers = true, long, value_name = "N")]
    people: Option<u64>,
    /// Lose tables of slots of these names, if there are any
    #[arg(long)]
    replace: bool,
}

pub(super) fn run(args: &GenerateResourcesArgs, shell: &Shell) -> CommandResult {
    let seed = shell.seed_or_random(None)?;
    let mut database = args.place.open(Access::Write)?;
    let options = ResourceOptions {
        number: args.resources,
        minimum: args.min_capacity,
        maximum: args.max_capacity,
        people: args.people,
        may_replace: args.replace,
        seed,
    };
    let made = generate_resources(&mut *database, &args.place.tables(), &options)?;
    let document = |table: &GeneratedResources| json!({ "table": table.table, "resources": table.resources, "places": table.places, "people": table.people });
    let tables: Vec<_> = made.iter().map(document).collect();
    shell.json(&json!({ "tables": tables, "seed": exact_number(seed) }))?;
    for table in &made {
        shell.say(&format!(
            "{} slots with {} places for {} people in `{}`",
            table.resources, table.places, table.people, table.table
        ));
    }
    Ok(Answer::Yes)
}
