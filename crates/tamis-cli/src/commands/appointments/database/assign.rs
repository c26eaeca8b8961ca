//! `tamis appointments database assign`

use super::{PlaceArgs, null_notes};
use crate::answer::{Answer, CommandError, CommandResult, sentence};
use crate::commands::appointments::account::{brief, dense, improved, meaning, placed_document, places};
use crate::commands::appointments::method::MethodArgs;
use crate::shell::Shell;
use crate::text_table::{TextTable, percent};
use clap::Args;
use serde_json::{Value, json};
use tamis_appointments::AnonymityVector;
use tamis_appointments::vector::{Position, improvement};
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
        method: args.method.method,
        solve,
    };
    let mut database = args.place.open(Access::Write)?;
    let assigned = assign(&mut *database, &args.place.tables(), &options)?;
    let told = assigned.iter().map(Told::about).collect::<Result<Vec<_>, _>>()?;
    let mean = told.iter().map(|told| told.improvement).sum::<f64>() / told.len() as f64;
    shell.json(&json!({
        "attributes": args.attributes,
        "tables": told.iter().map(Told::document).collect::<Vec<_>>(),
        "mean_improvement": mean,
        "seed": exact_number(seed),
    }))?;
    shell.say(&describe(&told, mean));
    shell.notes(&null_notes(assigned.iter().map(|table| (table.table.as_str(), table.with_nulls))));
    Ok(Answer::Yes)
}

/// What there is to say about one table.
struct Told<'a> {
    table: &'a Assigned,
    /// The vectors without appointments, by lot and by Tamis, and their places.
    vectors: [(&'static str, &'a AnonymityVector, Position); 3],
    /// Of Tamis over the lot.
    improvement: f64,
}

impl<'a> Told<'a> {
    fn about(table: &'a Assigned) -> Result<Self, CommandError> {
        let vectors = [&table.before, &table.random, &table.intelligent];
        let Ok([before, random, intelligent]) = <[Position; 3]>::try_from(places(&vectors)?) else {
            return Err(sentence(format!("`{}`: a vector has no place", table.table)));
        };
        let improvement = improvement(&intelligent, &random, &before);
        let vectors = [
            ("none", &table.before, before),
            ("by lot", &table.random, random),
            ("by Tamis", &table.intelligent, intelligent),
        ];
        Ok(Self { table, vectors, improvement })
    }

    fn document(&self) -> Value {
        let Self { table, vectors, improvement } = self;
        let [before, random, intelligent] = vectors.each_ref().map(|(_, vector, place)| placed_document(vector, place));
        json!({
            "table": table.table,
            "people": table.before.people(),
            "resources": table.resources,
            "places": table.places,
            "before": before,
            "random": random,
            "intelligent": intelligent,
            "improvement": improvement,
            "ranking": vectors[0].2.ranking(),
            "method": table.method.name(),
            "optimal": table.is_optimal,
            "lower_bound": dense(&table.lower_bound),
            "lower_bound_sizes": table.lower_bound.counts(),
            "with_nulls": table.with_nulls,
        })
    }

    fn verdict(&self) -> String {
        let Assigned { table, intelligent, random, method, is_optimal, .. } = self.table;
        let proof = if *is_optimal { "no schedule is more anonymous" } else { "not proved optimal" };
        let improvement = improved(self.improvement, intelligent, random);
        format!("`{table}`: {}; {proof} ({}); {improvement}", meaning(intelligent), method.name())
    }
}

fn describe(told: &[Told<'_>], mean: f64) -> String {
    let mut lines = TextTable::new(&["table", "appointments", "k", "vector"]);
    for told in told {
        for (kind, vector, _) in &told.vectors {
            let k = vector.k().unwrap_or(0);
            lines.row(vec![told.table.table.clone(), (*kind).to_owned(), k.to_string(), brief(vector)]);
        }
    }
    let mut all = vec![lines.render(), String::new()];
    all.extend(told.iter().map(Told::verdict));
    if told.len() > 1 {
        all.push(format!("improvement on average: {}", percent(mean)));
    }
    all.join("\n")
}
