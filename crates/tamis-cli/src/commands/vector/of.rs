//! `tamis vector of`: the vector of a table.

use super::figures::{Lines, PlaceJson};
use super::given::RankingArgs;
use super::measures::BelowArgs;
use crate::answer::{Answer, CommandResult, sentence};
use crate::args::InputArgs;
use crate::commands::read_columns;
use crate::shell::Shell;
use clap::Args;
use serde::Serialize;
use std::path::PathBuf;
use tamis_appointments::vector::{Measures, SuppressedRows, vector_of_table};

#[derive(Debug, Args)]
pub(crate) struct OfArgs {
    /// The table
    data: PathBuf,
    /// The quasi-identifiers; appointments are among them once they are known
    #[arg(long, value_delimiter = ',', value_name = "A,B,...", required = true)]
    quasi: Vec<String>,
    /// The column that names the person, where a person may have several rows
    #[arg(long, value_name = "COLUMN")]
    entity: Option<String>,
    /// Count rows of nothing but `*` as a cell instead of leaving them out
    #[arg(long)]
    count_suppressed: bool,
    #[command(flatten)]
    below: BelowArgs,
    #[command(flatten)]
    ranking: RankingArgs,
    #[command(flatten)]
    input: InputArgs,
}

#[derive(Serialize)]
struct Document {
    #[serde(flatten)]
    place: PlaceJson,
    measures: Measures,
}

pub(crate) fn run(args: &OfArgs, shell: &Shell) -> CommandResult {
    let table = read_columns(&args.data, args.quasi.iter().chain(&args.entity), &args.input, shell)?;
    let suppressed = if args.count_suppressed { SuppressedRows::Counted } else { SuppressedRows::LeftOut };
    let vector = vector_of_table(&table, &args.quasi, args.entity.as_deref(), suppressed)?;
    if vector.cells() == 0 {
        return Err(sentence(format!(
            "every row of {} is nothing but `*`, so nobody is left to count; --count-suppressed counts such rows as a cell",
            args.data.display()
        )));
    }
    let measures = Measures::of(&vector, args.below.below)?;
    for position in args.ranking.positions(&[&vector])? {
        let mut lines = Lines::default();
        lines.vector(&vector);
        lines.position(&vector, &position);
        lines.measures(&measures);
        shell.say(&lines.text());
        shell.json(&Document { place: PlaceJson::new(&vector, &position), measures: measures.clone() })?;
    }
    Ok(Answer::Yes)
}
