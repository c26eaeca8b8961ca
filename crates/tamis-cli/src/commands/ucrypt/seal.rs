//! `tamis ucrypt seal`: make fields of chosen records unreadable for all but p holders together.

use super::document_args::{DocumentArgs, Links, OutputArgs};
use super::settings::{binding, fingerprint};
use super::small_files::{policy_in, small_file, without_mark};
use crate::answer::{Answer, CommandError, CommandResult, sentence};
use crate::clock::now;
use crate::commands::ensure_outputs;
use crate::commands::spelled;
use crate::shell::Shell;
use clap::Args;
use serde_json::json;
use std::io::{BufRead as _, Read as _, stdin};
use std::path::PathBuf;
use tamis_ucrypt::cell::{Binding, Cipher};
use tamis_ucrypt::counted;
use tamis_ucrypt::document::{Compared, Readable};
use tamis_ucrypt::operation::{Chosen, Condition, PolicyFile, Seal};
use zeroize::Zeroizing;

#[derive(Debug, Args)]
pub(crate) struct SealArgs {
    /// The policy; nobody's secret is needed
    policy: PathBuf,
    /// The document: XML, CSV, an SQL dump or an SQLite database
    document: PathBuf,
    #[command(flatten)]
    output: OutputArgs,
    /// Seal the record with this key; repeat for each
    #[arg(long = "record", value_name = "KEY")]
    records: Vec<String>,
    /// Seal the records whose keys are the lines of this file, half a million at most
    #[arg(long, value_name = "FILE")]
    records_from: Option<PathBuf>,
    /// Seal the records in which this column (XML: what stands at this path of the record, if it has no child elements) has this value; other
    /// users of the machine can see the value while the command runs, so prefer --where-file for what is secret
    #[arg(long = "where", value_name = "COLUMN=VALUE")]
    condition: Option<String>,
    /// The same with COLUMN=VALUE as the first line of this file, - for standard input
    #[arg(long, value_name = "FILE", conflicts_with = "condition")]
    where_file: Option<PathBuf>,
    /// Seal every record
    #[arg(long, conflicts_with_all = ["records", "records_from", "condition", "where_file"])]
    all: bool,
    /// Only this field of those that the policy names; repeat for each
    #[arg(long = "field", value_name = "NAME")]
    fields: Vec<String>,
    /// Another cipher than that of the policy: A256GCM, A256GCM-SIV or XC20P
    #[arg(long)]
    cipher: Option<Cipher>,
    /// Another binding than that of the policy: rf, f or n
    #[arg(long, value_parser = binding)]
    bind: Option<Binding>,
    /// Refuse another policy than the one with this fingerprint, which `policy show` prints: take it from the holders, not from the file
    #[arg(long, value_name = "HEX", value_parser = fingerprint)]
    policy_fingerprint: Option<String>,
    /// Seal although what is sealed stays readable in places of this kind, because of which the document is refused otherwise: attributes
    /// (XML: attributes of an element that a field names stay; otherwise they are sealed with it), namesakes (columns, elements and
    /// attributes that look like a sealed one but for case, blanks and the like), statements (SQL: those that may fill a table of the policy
    /// and are no rows), comments (that hold such a statement, rows, records or fields), tables (SQL: those that look like parts of a table
    /// that is not there), foreign (fields that hold a cell of another tool); repeat for each, or separate them by commas
    #[arg(long, value_name = "WHAT", value_delimiter = ',')]
    allow_readable: Vec<Readable>,
    #[command(flatten)]
    form: DocumentArgs,
}

pub(crate) fn run(args: &SealArgs, shell: &Shell) -> CommandResult {
    let output = args.output.path(&args.document)?;
    ensure_outputs(
        [output],
        [&args.policy].into_iter().chain(&args.records_from).chain(&args.where_file).map(PathBuf::as_path),
    )?;
    let file = policy_in(&args.policy, PolicyFile::read)?;
    let form = args.form.form(&args.document, shell)?;
    args.form.ensure_kind(output, &form)?;
    let mut seal = Seal {
        fields: &args.fields,
        cipher: args.cipher,
        binding: args.bind,
        allowed: &args.allow_readable,
        ..Seal::new(&file, &form)
    };
    seal.fingerprint = args.policy_fingerprint.as_deref();
    let chosen = chosen(args)?;
    seal.chosen = &chosen;
    let condition = condition(args)?;
    if let Some(condition) = &condition {
        let (column, value) = condition
            .split_once('=')
            .ok_or_else(|| sentence("a condition needs COLUMN=VALUE, such as Choroba=AIDS"))?;
        seal.condition = Some(Condition::new(column, value).beside(&chosen));
    }
    if chosen.is_nothing() && condition.is_none() {
        return Err(sentence(
            "nothing is sealed unless it is chosen: give --record, --records-from, --where or --where-file, or --all for every record",
        ));
    }
    let links = args.output.links(&args.document, "is not sealed");
    let now = now()?;
    // Before the log has a line of this run.
    let clock = file.clock_remark(now);
    let unvouched = file.unvouched(seal.fingerprint);
    let sealed = seal.run(&args.document, output, now)?;
    let mut notes: Vec<String> =
        sealed.counts.absent.iter().map(|table| format!("the document has no table {table}")).collect();
    notes.extend(sealed.without.iter().map(|field| format!("no chosen record has the field {field:?}")));
    notes.extend(sealed.readable.iter().map(|(kind, count)| {
        let places = counted(*count, "place", "places");
        format!("what was sealed stays readable in {places} of the document ({kind}), as --allow-readable says")
    }));
    notes.extend(links.and_then(Links::told));
    notes.extend(file.remarks().into_iter().chain(unvouched).chain(clock));
    notes.extend(sealed.log.iter().map(|reason| format!("the log was not written: {reason}")));
    if let Compared::First(count) = sealed.counts.compared {
        notes.push(format!(
            "only the first {count} keys were compared with all others: two later records with the same key would not be noticed, \
             and their cells could be exchanged"
        ));
    }
    if sealed.counts.foreign > 0 {
        notes.push(counted(
            sealed.counts.foreign,
            "chosen field holds a cell of another tool and was not sealed",
            "chosen fields hold cells of other tools and were not sealed",
        ));
    }
    if sealed.kid.is_none() && sealed.counts.sealed > 0 {
        notes.push("everything chosen was sealed before".to_owned());
    } else if sealed.counts.sealed > 0 {
        notes.push(counted(
            sealed.counts.sealed,
            "field of the document was sealed before, and stays as it was",
            "fields of the document were sealed before, and stay as they were",
        ));
    }
    notes.extend(sealed.before);
    notes.extend(sealed.left.sentences());
    shell.notes(&notes);
    let cells = counted(sealed.counts.changed, "field", "fields");
    shell.say(&format!(
        "{}: {cells} sealed in {}",
        output.display(),
        counted(sealed.counts.records, "record read", "records read")
    ));
    shell.json(&json!({
        "output": spelled(output),
        "policy": file.policy.id,
        "epoch": sealed.epoch,
        "fingerprint": sealed.fingerprint,
        "kid": sealed.kid,
        "sealed": sealed.counts.changed,
        "sealed_before": sealed.counts.sealed,
        "left_foreign": sealed.counts.foreign,
        "records": sealed.counts.records,
        "readable": sealed.readable.iter().map(|(kind, count)| (kind.to_string(), json!(count))).collect::<serde_json::Map<_, _>>(),
        "notes": notes,
    }))?;
    Ok(Answer::Yes)
}

fn chosen(args: &SealArgs) -> Result<Chosen, CommandError> {
    if args.all {
        return Ok(Chosen::all());
    }
    let chosen = Chosen::records(args.records.iter().cloned());
    Ok(match &args.records_from {
        Some(path) => chosen.and_lines_of(path)?,
        None => chosen,
    })
}

/// Longest condition that is read from standard input.
const LONGEST_CONDITION: u64 = 1 << 20;

/// The condition, which may hold what is to be sealed.
fn condition(args: &SealArgs) -> Result<Option<Zeroizing<String>>, CommandError> {
    let Some(path) = &args.where_file else { return Ok(args.condition.clone().map(Zeroizing::new)) };
    let mut line = Zeroizing::new(String::new());
    if path.as_os_str() == "-" {
        let read = stdin().lock().take(LONGEST_CONDITION + 1).read_line(&mut line);
        if read.map_err(|error| sentence(format!("standard input: {error}")))? as u64 > LONGEST_CONDITION {
            return Err(sentence("standard input: its first line is longer than 1 MiB, which no condition is"));
        }
    } else {
        line.push_str(small_file(path)?.lines().next().unwrap_or_default());
    }
    Ok(Some(Zeroizing::new(without_mark(line.trim_end_matches(['\r', '\n'])).to_owned())))
}
