//! `tamis appointments database assign`

use super::{PlaceArgs, null_notes, on_a_line};
use crate::answer::{Answer, CommandResult};
use crate::commands::appointments::account::{name_of_method, vector_document};
use crate::commands::appointments::method::MethodArgs;
use crate::shell::Shell;
use crate::text_table::{TextTable, percent};
use clap::Args;
use serde_json::{Value, json};
use tamis_programme::register::{AssignOptions, Assigned, Layout, assign};
use tamis_release::exact_number;
use tamis_source::database::Access;

#[derive(Debug, Args)]
pub(super) struct AssignArgs {
    #[command(flatten)]
    place: PlaceArgs,
    /// The columns of the quasi-identifier
    #[arg(long, value_delimiter = ',', required = true, value_name = "COLUMN,...")]
    attributes: Vec<String>,
    #[command(flatten)]
    method: MethodArgs,
    /// The column that tells people apart
    #[arg(long, value_name = "COLUMN", default_value = "ID")]
    key: String,
    /// The column that takes the appointment by lot
    #[arg(long, value_name = "COLUMN", default_value = "REC_RAND")]
    random_column: String,
    /// The column that takes the appointment by Tamis
    #[arg(long, value_name = "COLUMN", default_value = "REC_INTELLIGENT")]
    intelligent_column: String,
    /// The column of NAME_resource that names a slot
    #[arg(long, value_name = "COLUMN", default_value = "RESOURCE")]
    resource_column: String,
    /// The column of NAME_resource with the number of people a slot takes
    #[arg(long, value_name = "COLUMN", default_value = "CAPACITY")]
    capacity_column: String,
    /// Make the columns for appointments where they are missing
    #[arg(long)]
    add_columns: bool,
    /// Lose the appointments that people have, if they have some
    #[arg(long)]
    replace: bool,
}

pub(super) fn run(args: &AssignArgs, shell: &Shell) -> CommandResult {
    let solve = args.method.options(shell)?;
    let seed = solve.seed;
    let options = AssignOptions {
        attributes: args.attributes.clone(),
        layout: Layout {
            key: args.key.clone(),
            random: args.random_column.clone(),
            intelligent: args.intelligent_column.clone(),
            resource: args.resource_column.clone(),
            capacity: args.capacity_column.clone(),
        },
        may_add_columns: args.add_columns,
        may_replace: args.replace,
        method: &|people| args.method.method(people),
        solve,
    };
    let mut database = args.place.open(Access::Write)?;
    let assigned = assign(&mut *database, &args.place.tables(), &options)?;
    shell.json(&json!({
        "attributes": args.attributes,
        "tables": assigned.iter().map(document).collect::<Vec<_>>(),
        "mean_improvement": mean(&assigned),
        "seed": exact_number(seed),
    }))?;
    shell.say(&describe(&assigned));
    shell.notes(&null_notes(assigned.iter().map(|table| (table.table.as_str(), table.with_nulls))));
    Ok(Answer::Yes)
}

fn document(table: &Assigned) -> Value {
    json!({
        "table": table.table,
        "people": table.before.people(),
        "resources": table.resources,
        "places": table.places,
        "before": vector_document(&table.before),
        "random": vector_document(&table.random),
        "intelligent": vector_document(&table.intelligent),
        "improvement": table.improvement,
        "ranking": table.ranking,
        "method": name_of_method(table.method),
        "optimal": table.is_optimal,
        "with_nulls": table.with_nulls,
    })
}

/// The mean improvement.
fn mean(assigned: &[Assigned]) -> f64 {
    assigned.iter().map(|table| table.improvement).sum::<f64>() / assigned.len() as f64
}

fn describe(assigned: &[Assigned]) -> String {
    let mut lines = TextTable::new(&["table", "appointments", "k", "vector"]);
    for table in assigned {
        let vectors = [("none", &table.before), ("by lot", &table.random), ("by Tamis", &table.intelligent)];
        for (kind, vector) in vectors {
            let k = vector.k().unwrap_or(0);
            lines.row(vec![table.table.clone(), kind.to_owned(), k.to_string(), on_a_line(vector)]);
        }
    }
    let mut told = vec![lines.render(), String::new()];
    told.extend(assigned.iter().map(verdict));
    if assigned.len() > 1 {
        told.push(format!("improvement on average: {}", percent(mean(assigned))));
    }
    told.join("\n")
}

fn verdict(table: &Assigned) -> String {
    let proof = if table.is_optimal { ", and no schedule is more anonymous" } else { "" };
    format!("`{}`: by Tamis is {} better than by lot{proof}", table.table, percent(table.improvement))
}
