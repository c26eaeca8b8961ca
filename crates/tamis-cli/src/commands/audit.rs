//! `tamis audit`

use super::mechanism::{dice, exact, spoken};
use super::read_columns;
use crate::answer::{Answer, CommandError, CommandResult, sentence};
use crate::args::InputArgs;
use crate::shell::Shell;
use crate::text_table::printable;
use clap::{Args, Subcommand};
use serde::Serialize;
use std::path::PathBuf;
use tamis_mechanism::audit::differential;
use tamis_mechanism::audit::distributional::{Audit, Mechanism, Pairing, Verdict};

#[derive(Debug, Args)]
pub(crate) struct AuditArgs {
    #[command(subcommand)]
    kind: Kind,
}

#[derive(Debug, Subcommand)]
enum Kind {
    /// Whether the answers from two databases drawn from the table can be told apart; exit code 1 if they can
    Distributional(DistributionalArgs),
    /// Whether answers drawn from a mechanism refute the epsilon it claims; exit code 1 if they do
    Differential(DifferentialArgs),
}

#[derive(Debug, Args)]
struct DifferentialArgs {
    /// What tells the count: exact, geometric:epsilon=E, threshold:k=K or sample:beta=B,k=K
    #[arg(long, value_name = "MECHANISM")]
    mechanism: String,
    /// The epsilon claimed
    #[arg(allow_negative_numbers = true, long, value_name = "NUMBER")]
    epsilon: String,
    /// The delta claimed
    #[arg(allow_negative_numbers = true, long, value_name = "NUMBER", default_value = "0")]
    delta: String,
    /// The true count with the person; without, it is one less
    #[arg(allow_negative_numbers = true, long, value_name = "N", default_value_t = 10)]
    count: u64,
    /// How many answers to draw with the person, and as many without
    #[arg(allow_negative_numbers = true, long, value_name = "N", default_value_t = 100_000)]
    draws: u64,
    /// How likely a claim that is true is not refuted
    #[arg(allow_negative_numbers = true, long, value_name = "SHARE", default_value_t = 0.99)]
    confidence: f64,
}

#[derive(Debug, Args)]
struct DistributionalArgs {
    /// The table that databases are drawn from
    data: PathBuf,
    /// Rows of each database
    #[arg(allow_negative_numbers = true, long, value_name = "N")]
    rows: usize,
    /// No answer may be more than e^alpha times as likely from one database as from the other
    #[arg(allow_negative_numbers = true, long, value_name = "NUMBER")]
    alpha: String,
    /// How likely a pair of databases may break that
    #[arg(allow_negative_numbers = true, long, value_name = "NUMBER")]
    beta: String,
    /// What tells the counts: exact, geometric:epsilon=E, threshold:k=K or sample:beta=B,k=K
    #[arg(long, value_name = "MECHANISM")]
    mechanism: String,
    /// The columns whose combinations of values are counted
    #[arg(long, value_delimiter = ',', value_name = "A,B,...", required = true)]
    by: Vec<String>,
    /// Draw the second database from the rows that the first has left
    #[arg(long)]
    disjoint: bool,
    /// How many pairs to draw; all of them are gone through if they are no more
    #[arg(allow_negative_numbers = true, long, value_name = "N", default_value_t = 10_000, value_parser = clap::value_parser!(u64).range(1..))]
    pairs: u64,
    /// The confidence of the bound on how likely a pair fails
    #[arg(allow_negative_numbers = true, long, value_name = "SHARE", default_value_t = 0.95)]
    confidence: f64,
    #[command(flatten)]
    input: InputArgs,
}

#[derive(Serialize)]
struct Document<'a> {
    #[serde(flatten)]
    verdict: &'a Verdict,
    alpha: f64,
    beta: f64,
    mechanism: &'a str,
}

pub(crate) fn run(args: &AuditArgs, shell: &Shell) -> CommandResult {
    match &args.kind {
        Kind::Distributional(args) => distributional(args, shell),
        Kind::Differential(args) => differential(args, shell),
    }
}

fn differential(args: &DifferentialArgs, shell: &Shell) -> CommandResult {
    let (epsilon, delta) = (exact("--epsilon", &args.epsilon)?, exact("--delta", &args.delta)?);
    let (count, draws, confidence) = (args.count, args.draws, args.confidence);
    let audit =
        differential::Audit { mechanism: mechanism(&args.mechanism)?, count, epsilon, delta, draws, confidence };
    let verdict = audit.run(&mut dice(shell, "audit", &mut Vec::new())?).map_err(|error| spoken(&error))?;
    shell.json(&verdict)?;
    let differential::Verdict { event, likelier, often, seldom, answers, .. } = &verdict;
    shell.say(&format!("event         {event}, likelier {likelier}"));
    shell.say(&format!("seen          {often} times of {answers} there, {seldom} times otherwise"));
    shell.say(&format!("epsilon       at least {:.4} with confidence {confidence}", verdict.least_epsilon));
    let claim = format!("({}, {})-differential privacy", args.epsilon, args.delta);
    shell.say(&if verdict.holds { format!("{claim} is not refuted") } else { format!("does not hold: {claim}") });
    Ok(Answer::from_bool(verdict.holds))
}

fn distributional(args: &DistributionalArgs, shell: &Shell) -> CommandResult {
    let (alpha, beta) = (exact("--alpha", &args.alpha)?, exact("--beta", &args.beta)?);
    let audit = Audit {
        by: &args.by,
        rows: args.rows,
        alpha,
        beta,
        mechanism: mechanism(&args.mechanism)?,
        pairing: if args.disjoint { Pairing::Disjoint } else { Pairing::Independent },
        pairs: args.pairs,
        confidence: args.confidence,
    };
    let table = read_columns(&args.data, &args.by, &args.input, shell)?;
    // Nothing is released here, so that a seed gives nothing away.
    let mut dice = dice(shell, "audit", &mut Vec::new())?;
    let verdict = audit.run(&table, &mut dice).map_err(|error| spoken(&error))?;
    shell.json(&Document {
        verdict: &verdict,
        alpha: alpha.to_f64(),
        beta: beta.to_f64(),
        mechanism: &args.mechanism,
    })?;
    shell.say(&describe(&verdict, args));
    Ok(Answer::from_bool(verdict.holds))
}

fn mechanism(text: &str) -> Result<Mechanism, CommandError> {
    let unknown = || {
        sentence(format!(
            "--mechanism is `{text}`; expected exact, geometric:epsilon=NUMBER, threshold:k=NUMBER or sample:beta=NUMBER,k=NUMBER"
        ))
    };
    let (name, parameters) = text.split_once(':').unwrap_or((text, ""));
    let parameters: Option<Vec<(&str, &str)>> =
        parameters.split(',').filter(|part| !part.is_empty()).map(|part| part.split_once('=')).collect();
    let whole = |text: &str| text.parse::<u64>().map_err(|_| unknown());
    match (name, parameters.ok_or_else(unknown)?.as_slice()) {
        ("exact", []) => Ok(Mechanism::Exact),
        ("geometric", [("epsilon", epsilon)]) => Ok(Mechanism::Geometric { epsilon: exact("--mechanism", epsilon)? }),
        ("threshold", [("k", k)]) => Ok(Mechanism::Threshold { k: whole(k)? }),
        ("sample", [("beta", beta), ("k", k)] | [("k", k), ("beta", beta)]) => {
            Ok(Mechanism::Sample { beta: exact("--mechanism", beta)?, k: whole(k)? })
        }
        _ => Err(unknown()),
    }
}

fn describe(verdict: &Verdict, args: &DistributionalArgs) -> String {
    let mut lines = Vec::new();
    let mut figure = |name: &str, value: String| lines.push(format!("{name:<14}{value}"));
    let pairs = if verdict.exact { "all" } else { "random" };
    figure("pairs", format!("{} of {} rows each, {pairs}", verdict.pairs, args.rows));
    figure("queries", format!("{} combinations of {}", verdict.queries, args.by.join(", ")));
    figure("failing", format!("{} pairs, a share of {:.6}", verdict.failures, verdict.failure_probability));
    if !verdict.exact {
        figure("at most", format!("{:.6} with confidence {}", verdict.upper_bound, args.confidence));
    }
    if let Some(worst) = &verdict.worst {
        let values: Vec<String> = worst.values.iter().map(|value| printable(value)).collect();
        figure("worst query", format!("the count of {}, which fails in {} pairs", values.join(", "), worst.failures));
    }
    let promise = format!("({}, {})-distributional privacy", args.alpha, args.beta);
    lines.push(if verdict.holds {
        format!("{promise} holds for these queries")
    } else {
        format!("does not hold: {promise}; a pair of databases can be told apart too often")
    });
    lines.join("\n")
}
