//! `tamis budget`

use crate::answer::{Answer, CommandResult};
use crate::shell::Shell;
use crate::text_table::TextTable;
use clap::{Args, Subcommand};
use serde_json::{Value, json};
use std::path::PathBuf;
use tamis_mechanism::{Ledger, MechanismError, Ratio, Spending};
use tamis_release::read_ledger;

#[derive(Debug, Args)]
pub(crate) struct BudgetArgs {
    #[command(subcommand)]
    kind: Kind,
}

#[derive(Debug, Subcommand)]
enum Kind {
    /// Show the total, what is left, and every spending
    Show {
        /// The ledger
        ledger: PathBuf,
    },
}

pub(crate) fn run(args: &BudgetArgs, shell: &Shell) -> CommandResult {
    let Kind::Show { ledger: path } = &args.kind;
    let ledger = read_ledger(path)?;
    shell.json(&document(&ledger))?;
    let ((total_epsilon, total_delta), (epsilon, delta)) = (ledger.total(), ledger.left());
    shell.say(&format!(
        "The budget of {}: {epsilon} of {total_epsilon} epsilon left, {delta} of {total_delta} delta left.",
        ledger.data()
    ));
    if !ledger.spendings().is_empty() {
        let mut table = TextTable::new(&["time", "epsilon", "delta", "query"]);
        for Spending { time, query, epsilon, delta } in ledger.spendings() {
            table.row(vec![time.clone(), epsilon.to_string(), delta.to_string(), query.clone()]);
        }
        shell.say(&format!("\n{}", table.render()));
    }
    Ok(Answer::Yes)
}

/// Says that the budget does not pay for something.
pub(crate) fn refuse(refusal: &MechanismError, shell: &Shell) -> CommandResult {
    shell.json(&json!({ "error": refusal.to_string() }))?;
    shell.say(&format!("Refused: {refusal}."));
    Ok(Answer::No)
}

/// A budget as JSON.
pub(crate) fn document(ledger: &Ledger) -> Value {
    let pair = |(epsilon, delta): (Ratio, Ratio)| json!({ "epsilon": epsilon.to_f64(), "delta": delta.to_f64() });
    let spendings = ledger.spendings().iter().map(|spending| {
        let Spending { time, query, epsilon, delta } = spending;
        json!({ "time": time, "query": query, "epsilon": epsilon.to_f64(), "delta": delta.to_f64() })
    });
    json!({
        "data": ledger.data(),
        "total": pair(ledger.total()),
        "spent": pair(ledger.spent()),
        "left": pair(ledger.left()),
        "spendings": spendings.collect::<Vec<_>>(),
    })
}
