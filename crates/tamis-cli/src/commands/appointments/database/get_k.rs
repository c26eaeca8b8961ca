//! `tamis appointments database get-k`

use super::{PlaceArgs, null_notes};
use crate::answer::{Answer, CommandResult};
use crate::commands::appointments::account::{brief, dense};
use crate::shell::Shell;
use crate::text_table::TextTable;
use clap::Args;
use serde_json::json;
use tamis_programme::register::{KOfTable, get_k};
use tamis_source::database::Access;

#[derive(Debug, Args)]
pub(super) struct GetKArgs {
    #[command(flatten)]
    place: PlaceArgs,
    /// The columns of the quasi-identifier
    #[arg(long, value_delimiter = ',', required = true, value_name = "COLUMN,...")]
    attributes: Vec<String>,
}

pub(super) fn run(args: &GetKArgs, shell: &Shell) -> CommandResult {
    let mut database = args.place.open(Access::Read)?;
    let found = get_k(&mut *database, &args.place.tables(), &args.attributes)?;
    let table_document = |table: &KOfTable| {
        json!({
            "table": table.table,
            "people": table.vector.people(),
            "classes": table.vector.cells(),
            "k": table.k,
            "vector": dense(&table.vector),
            "sizes": table.vector.counts(),
            "with_nulls": table.with_nulls,
        })
    };
    shell.json(&json!({
        "attributes": args.attributes,
        "tables": found.tables.iter().map(table_document).collect::<Vec<_>>(),
        "mean": found.mean(),
        "min": found.min(),
        "max": found.max(),
    }))?;
    let mut table = TextTable::new(&["table", "people", "classes", "k", "vector"]);
    for found in &found.tables {
        let vector = &found.vector;
        let numbers = [vector.people(), vector.cells(), found.k].map(|number| number.to_string());
        table.row([vec![found.table.clone()], numbers.to_vec(), vec![brief(vector)]].concat());
    }
    shell.say(&table.render());
    if found.tables.len() > 1 {
        shell.say(&format!("\nk is {:.2} on average, {} at least, {} at most", found.mean(), found.min(), found.max()));
    }
    shell.notes(&null_notes(found.tables.iter().map(|table| (table.table.as_str(), table.with_nulls))));
    Ok(Answer::Yes)
}
