//! `tamis vector measures`: single figures of a vector.

use super::figures::Lines;
use super::given;
use crate::answer::{Answer, CommandResult};
use crate::shell::Shell;
use clap::Args;
use serde::Serialize;
use tamis_appointments::vector::{Measures, VectorJson};

#[derive(Debug, Args)]
pub(crate) struct MeasuresArgs {
    /// Cells of size 1, 2, ..., such as 2,3,2,4; or SIZE:CELLS pairs, such as 1:2,900:4
    #[arg(long, value_name = "CELLS,...", allow_hyphen_values = true)]
    vector: String,
    #[command(flatten)]
    below: BelowArgs,
}

#[derive(Debug, Args)]
pub(super) struct BelowArgs {
    /// Count the people in cells of fewer than K
    #[arg(allow_negative_numbers = true, long, value_name = "K", default_value_t = 5, value_parser = clap::value_parser!(u64).range(1..))]
    pub(super) below: u64,
}

#[derive(Serialize)]
struct Document {
    #[serde(flatten)]
    vector: VectorJson,
    measures: Measures,
}

pub(crate) fn run(args: &MeasuresArgs, shell: &Shell) -> CommandResult {
    let vector = given::vector("--vector", &args.vector)?;
    let measures = Measures::of(&vector, args.below.below)?;
    let mut lines = Lines::default();
    lines.vector(&vector);
    lines.measures(&measures);
    shell.say(&lines.text());
    shell.json(&Document { vector: (&vector).into(), measures })?;
    Ok(Answer::Yes)
}
