//! `tamis vector count`: how many vectors there are.

use super::figures::{Lines, brief_integer, computed};
use super::given::{self, RankingArgs};
use crate::answer::{Answer, CommandResult};
use crate::shell::Shell;
use crate::text_table::percent;
use clap::Args;
use serde_json::json;
use tamis_appointments::vector::{
    LARGEST_EXACT, Ranking, VectorOrder, hardy_ramanujan_error, log_count, log_hardy_ramanujan,
};

#[derive(Debug, Args)]
pub(crate) struct CountArgs {
    /// How many people the vectors stand for
    #[arg(allow_negative_numbers = true, long, value_name = "PEOPLE")]
    n: u64,
    #[command(flatten)]
    ranking: RankingArgs,
}

pub(crate) fn run(args: &CountArgs, shell: &Shell) -> CommandResult {
    let n = given::people(args.n)?;
    let method = args.ranking.ranking().unwrap_or_else(|| Ranking::for_people(n));
    let approximation = log_hardy_ramanujan(n);
    let (count, error) = match method {
        Ranking::Exact => {
            let order = VectorOrder::of_people(n).map_err(given::with_flag)?;
            (Some(order.count().to_string()), hardy_ramanujan_error(&order))
        }
        Ranking::Logarithmic => (None, (approximation - log_count(n)).exp_m1()),
    };
    let mut lines = Lines::default();
    lines.line("people", n.to_string());
    lines.line("vectors", count.as_deref().map_or_else(left_out, brief_integer));
    lines.line("ln vectors", format!("{:.4}", log_count(n)));
    lines.line("approximation", format!("{approximation:.4}, Hardy and Ramanujan, {} too large", percent(error)));
    lines.line("computed", computed(method));
    shell.say(&lines.text());
    shell.json(&json!({
        "n": n,
        "count": count,
        "log_count": log_count(n),
        "hardy_ramanujan": { "log_count": approximation, "relative_error": error },
        "method": method,
    }))?;
    Ok(Answer::Yes)
}

fn left_out() -> String {
    format!("the number is left out; it is computed up to {LARGEST_EXACT} people, by --method exact")
}
