//! `tamis ucrypt filter`: records with sealed fields, or without.

use super::document_args::{DocumentArgs, ensure_file};
use super::notes::{Notes, left_json};
use super::small_files::policy_in;
use crate::answer::{Answer, CommandResult, sentence};
use crate::commands::ensure_outputs;
use crate::commands::spelled;
use crate::shell::Shell;
use clap::Args;
use serde_json::{Value, json};
use std::path::PathBuf;
use tamis_ucrypt::counted;
use tamis_ucrypt::document::sql::Kept;
use tamis_ucrypt::operation::{Filter, Kind, OperationError, PolicyFile, filter, no_table, where_clauses};
use tamis_ucrypt::policy::Policy;

#[derive(Debug, Args)]
#[group(id = "what", required = true, multiple = false, args = ["drop", "only"])]
pub(crate) struct FilterArgs {
    /// The document; not allowed with --sql
    #[arg(required_unless_present = "sql")]
    document: Option<PathBuf>,
    /// Leave out the records with a sealed field
    #[arg(long)]
    drop: bool,
    /// Keep only the records with a sealed field
    #[arg(long)]
    only: bool,
    /// Print a condition for a query instead, for the system of --dialect: one for each table of --policy
    #[arg(long, requires = "policy", conflicts_with_all = ["document", "output"])]
    sql: bool,
    /// Where to write the records that stay
    #[arg(long, short, value_name = "FILE", required_unless_present = "sql")]
    output: Option<PathBuf>,
    /// A policy that says which records and tables are meant; XML needs it or --record-path. Records that were sealed under other policies
    /// count as sealed too
    #[arg(long, value_name = "FILE")]
    policy: Option<PathBuf>,
    /// XML: the path of the records, such as /patients/patient; it knows no namespaces, so use --policy where elements are in one
    #[arg(long, value_name = "PATH")]
    record_path: Option<String>,
    /// The name of the element around sealed values, if no policy says it
    #[arg(long, default_value = "UCRYPT")]
    element: String,
    #[command(flatten)]
    form: DocumentArgs,
}

pub(crate) fn run(args: &FilterArgs, shell: &Shell) -> CommandResult {
    let file = args.policy.as_ref().map(|path| policy_in(path, PolicyFile::read)).transpose()?;
    let policy = file.as_ref().map(|file| &file.policy);
    let notes: Vec<String> = file.as_ref().map(PolicyFile::remarks).unwrap_or_default();
    if policy.is_none() && args.form.table().is_some() {
        return Err(sentence("--table names a table of a policy: say which with --policy"));
    }
    let kept = if args.drop { Kept::Unsealed } else { Kept::Sealed };
    if args.sql {
        let policy = policy.ok_or_else(|| sentence("--sql needs --policy"))?;
        return conditions(policy, kept, &args.form, &notes, shell);
    }
    let (Some(document), Some(output)) = (&args.document, &args.output) else {
        return Err(sentence("a document and an output are needed"));
    };
    ensure_file(output)?;
    ensure_outputs([output.as_path()], [document].into_iter().chain(&args.policy).map(PathBuf::as_path))?;
    let form = args.form.form(document, shell)?;
    args.form.ensure_kind(output, &form)?;
    let element = policy.map_or(args.element.as_str(), |policy| &policy.element);
    let wanted = Filter { form: &form, kept, policy, records: args.record_path.as_deref(), element };
    let (counts, left) = filter(&wanted, document, output)?;
    let mut said = Notes::new(shell);
    said.say(notes);
    let answer = said.say_left(&left);
    let stay = counts.records.saturating_sub(counts.dropped);
    shell.say(&format!(
        "{}: {} of {}",
        output.display(),
        counted(stay, "record stays", "records stay"),
        counts.records
    ));
    shell.json(&json!({
        "output": spelled(output),
        "records": counts.records,
        "kept": stay,
        "dropped": counts.dropped,
        "damaged": left.count,
        "left": left_json(&left),
        "notes": said,
    }))?;
    Ok(answer)
}

fn conditions(given: &Policy, kept: Kept, form: &DocumentArgs, notes: &[String], shell: &Shell) -> CommandResult {
    let mut policy = given.clone();
    if let Some(table) = form.table() {
        policy.selections.retain(|selection| selection.name == table && selection.key.is_some());
        if policy.selections.is_empty() {
            return Err(no_table(given, table, Kind::Sql).into());
        }
    }
    let dialect = form.dialect();
    let clauses = where_clauses(&policy, kept, dialect.dialect());
    if clauses.is_empty() {
        return Err(OperationError::NoQuery(policy.id).into());
    }
    for (table, condition) in &clauses {
        shell.say(&format!("-- {table}, for {} (--dialect chooses another)\nWHERE {condition}", dialect.said()));
    }
    shell.notes(notes);
    let clauses = clauses.iter().map(|(table, condition)| json!({ "table": table, "where": condition }));
    shell.json(&json!({ "dialect": dialect.said(), "conditions": clauses.collect::<Value>(), "notes": notes }))?;
    Ok(Answer::Yes)
}
