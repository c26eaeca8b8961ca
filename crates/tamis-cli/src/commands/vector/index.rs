//! `tamis vector index`: from a vector to its place.

use super::figures::tell_place;
use super::given::{self, RankingArgs};
use crate::answer::{Answer, CommandResult};
use crate::shell::Shell;
use clap::Args;

#[derive(Debug, Args)]
pub(crate) struct IndexArgs {
    /// Cells of size 1, 2, ..., such as 2,3,2,4; or SIZE:CELLS pairs, such as 1:2,900:4
    #[arg(long, value_name = "CELLS,...", allow_hyphen_values = true)]
    vector: String,
    /// How many people the vector must stand for
    #[arg(allow_negative_numbers = true, long, value_name = "PEOPLE")]
    n: Option<u64>,
    #[command(flatten)]
    ranking: RankingArgs,
}

pub(crate) fn run(args: &IndexArgs, shell: &Shell) -> CommandResult {
    let vector = given::vector("--vector", &args.vector)?;
    if let Some(n) = args.n {
        given::expect_people("--vector", &vector, given::people(n)?)?;
    }
    for position in args.ranking.positions(&[&vector])? {
        tell_place(shell, &vector, &position)?;
    }
    Ok(Answer::Yes)
}
