//! `tamis appointments solve`: from plain frequencies and capacities.

use super::method::MethodArgs;
use crate::answer::{Answer, CommandResult};
use crate::shell::Shell;
use clap::Args;
use tamis_appointments::{Instance, solve};

#[derive(Debug, Args)]
pub(crate) struct SolveArgs {
    /// How many people each quasi-identifier value has
    #[arg(long, value_delimiter = ',', required = true, value_name = "N,N,...")]
    frequencies: Vec<u64>,
    /// How many people each slot takes
    #[arg(long, value_delimiter = ',', required = true, value_name = "N,N,...")]
    capacities: Vec<u64>,
    #[command(flatten)]
    method: MethodArgs,
}

pub(crate) fn run(args: &SolveArgs, shell: &Shell) -> CommandResult {
    let instance = Instance::plain(&args.frequencies, &args.capacities)?;
    let solution = solve(&instance, args.method.method(instance.people()), &args.method.options(shell)?)?;
    shell.json(&serde_json::json!({
        "vector": solution.vector.to_dense(),
        "matrix": solution.schedule.matrix(&instance),
        "optimal": solution.is_optimal(),
        "lower_bound": solution.lower_bound.to_dense(),
    }))?;
    shell.say(&format!("vector {}", solution.vector));
    Ok(Answer::Yes)
}
