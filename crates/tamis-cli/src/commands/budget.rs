//! `tamis budget`, and the ledger as a file that two processes cannot spend from at once.

use super::mechanism::spoken;
use super::write_text;
use crate::answer::{Answer, CommandError, CommandResult, sentence};
use crate::shell::Shell;
use crate::text_table::TextTable;
use clap::{Args, Subcommand};
use serde_json::{Value, json};
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use tamis_mechanism::{Ledger, MechanismError, Ratio, Spending};

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
    let ledger = read(path)?;
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

fn read(path: &Path) -> Result<Ledger, CommandError> {
    let text = fs::read_to_string(path)
        .map_err(|reason| sentence(format!("cannot read the budget `{}`: {reason}", path.display())))?;
    Ledger::parse(&text).map_err(|error| sentence(format!("`{}`: {error}", path.display())))
}

/// Where a budget is kept, and what it is created with if it is not there yet.
#[derive(Debug)]
pub(crate) struct LedgerFile<'a> {
    pub(crate) path: &'a Path,
    /// The data set whose budget it must be.
    pub(crate) data: &'a str,
    /// Total epsilon and delta, if they were given.
    pub(crate) total: Option<(Ratio, Ratio)>,
}

impl LedgerFile<'_> {
    /// The budget as it stands, or a new one. Nothing is written.
    pub(crate) fn open(&self) -> Result<Ledger, CommandError> {
        let name = self.path.display();
        if !self.path.exists() {
            let Some((epsilon, delta)) = self.total else {
                return Err(sentence(format!(
                    "there is no budget `{name}`; give --total-epsilon to create it, or correct the path"
                )));
            };
            return Ledger::new(self.data, epsilon, delta).map_err(|error| spoken(&error));
        }
        let ledger = read(self.path)?;
        if ledger.data() != self.data {
            return Err(sentence(format!(
                "`{name}` is the budget of `{}`, not of `{}`; every data set has a budget of its own",
                ledger.data(),
                self.data
            )));
        }
        match self.total {
            Some(total) if total != ledger.total() => {
                let (epsilon, delta) = ledger.total();
                Err(sentence(format!(
                    "`{name}` has a total of {epsilon} epsilon and {delta} delta, which cannot be changed; leave --total-epsilon and --total-delta out"
                )))
            }
            _ => Ok(ledger),
        }
    }

    /// Spends, and has it on disk before it returns. A refusal is the inner error and leaves the budget as it was.
    ///
    /// The ledger is replaced as a whole, so that the lock is held on a file beside it that stays. Whoever comes second waits, and then
    /// reads what the first has left.
    pub(crate) fn spend(&self, spending: Spending) -> Result<Result<Ledger, MechanismError>, CommandError> {
        let real = fs::canonicalize(self.path).unwrap_or_else(|_| self.path.to_owned());
        let mut lock_name = real.file_name().unwrap_or_default().to_owned();
        lock_name.push(".lock");
        let lock_path = real.with_file_name(lock_name);
        let lock_error = |reason: std::io::Error| {
            sentence(format!("cannot lock the budget with `{}`: {reason}; nothing is spent", lock_path.display()))
        };
        let lock = File::options().create(true).truncate(false).write(true).open(&lock_path).map_err(lock_error)?;
        lock.lock().map_err(lock_error)?;
        let mut ledger = self.open()?;
        if let Err(refusal) = ledger.spend(spending) {
            return Ok(Err(refusal));
        }
        write_text(self.path, &ledger.to_text())?;
        lock.unlock().map_err(lock_error)?;
        Ok(Ok(ledger))
    }
}
