//! `tamis ucrypt open`: read what p holders agree to read.

use super::document_args::{DocumentArgs, ensure_file};
use super::holder_args::HolderArgs;
use super::notes::{Notes, left_json};
use super::policy::read_public;
use super::settings::fingerprint;
use super::small_files::{policy_in, small_file};
use crate::answer::{CommandResult, sentence};
use crate::clock::now;
use crate::commands::spelled;
use crate::commands::{ensure_outputs, write_private_text};
use crate::shell::Shell;
use clap::Args;
use serde_json::{Value, json};
use std::path::{Path, PathBuf};
use tamis_ucrypt::counted;
use tamis_ucrypt::operation::{Grants, Handed, Left, Open, OperationError, PolicyFile, Reader, Unmet};

#[derive(Debug, Args)]
pub(crate) struct OpenArgs {
    /// The policy
    policy: PathBuf,
    /// The document
    document: PathBuf,
    /// Where to write the opened document, or the grant; new files are readable by their owner alone
    #[arg(long, short, value_name = "FILE")]
    output: PathBuf,
    #[command(flatten)]
    holders: HolderArgs,
    /// Only this field; repeat for each
    #[arg(long = "field", value_name = "NAME", conflicts_with = "grant")]
    fields: Vec<String>,
    /// Only the record with this key; repeat for each
    #[arg(long = "record", value_name = "KEY")]
    records: Vec<String>,
    /// Open nothing: write the keys of the cells of this field alone, for the reader of --to; repeat for each
    #[arg(long, value_name = "FIELD", requires = "to")]
    grant: Vec<String>,
    /// Who shall read what is granted
    #[arg(long, value_name = "READER.upub", requires = "grant")]
    to: Option<PathBuf>,
    /// Open with a grant and the reader's key (--with READER.ukey) instead of with holders
    #[arg(long, value_name = "FILE", conflicts_with_all = ["grant", "fields", "records"])]
    granted: Option<PathBuf>,
    /// Leave cells of other tools, and cells whose data key is not in the document, as they are instead of refusing them
    #[arg(long)]
    leave_foreign: bool,
    /// Refuse another policy than the one with this fingerprint, which `policy show` prints: whoever reads by a grant takes it from the holders
    #[arg(long, value_name = "HEX", value_parser = fingerprint)]
    policy_fingerprint: Option<String>,
    #[command(flatten)]
    form: DocumentArgs,
}

pub(crate) fn run(args: &OpenArgs, shell: &Shell) -> CommandResult {
    let inputs = [&args.policy, &args.document].into_iter().chain(&args.to).chain(&args.granted).map(PathBuf::as_path);
    ensure_file(&args.output)?;
    ensure_outputs([args.output.as_path()], inputs.chain(args.holders.files()))?;
    let file = policy_in(&args.policy, PolicyFile::read)?;
    let form = args.form.form(&args.document, shell)?;
    if args.grant.is_empty() {
        args.form.ensure_kind(&args.output, &form)?;
    }
    let fields = if args.grant.is_empty() { &args.fields } else { &args.grant };
    let open = Open {
        fields,
        records: &args.records,
        leave_foreign: args.leave_foreign,
        fingerprint: args.policy_fingerprint.as_deref(),
        ..Open::new(&file, &form)
    };
    let mut notes = Notes::new(shell);
    notes.say_state(&file)?;
    notes.say(args.holders.exposed());
    if let Some(path) = &args.granted {
        return with_grant(args, &open, path, notes, shell);
    }
    let brought = args.holders.read(&file)?;
    if let Some(reader) = &args.to {
        let reader = read_public(reader)?;
        let recipient = reader.recipient.ok_or_else(|| sentence("the reader has no public key"))?;
        let to = Reader { name: &reader.name, recipient: &recipient };
        let Handed { grants, file: text, unmet, left, epoch } =
            open.grant(&brought.offers(), &args.document, to, now()?)?;
        write_private_text(&args.output, &text)?;
        notes.say(unopened(&unmet));
        let answer = notes.say_left(&left);
        let cells = counted(grants.len() as u64, "cell", "cells");
        shell.say(&format!("{}: the keys of {cells}, for {} alone", args.output.display(), reader.name));
        shell.json(&json!({
            "output": spelled(&args.output),
            "policy": file.policy.id,
            "epoch": epoch,
            "granted": grants.len(),
            "reader": reader.name,
            "damaged": left.count,
            "left": left_json(&left),
            "notes": notes,
        }))?;
        return Ok(answer);
    }
    let opened = open.run(&brought.offers(), &args.document, &args.output, now()?)?;
    notes.say(unopened(&opened.unmet));
    let answer = notes.say_left(&opened.left);
    if opened.others > 0 {
        let others = counted(opened.others, "cell stays", "cells stay");
        notes.say([format!("{others} sealed: not of this policy")]);
    }
    if !opened.kept.is_empty() {
        notes.say([format!(
            "the opened document still names the data key {}, which stays in it: a sealed value was inside another one, or is not \
             recognised as one; open it again, or look for it",
            opened.kept.join(", ")
        )]);
    }
    let cells = counted(opened.counts.changed, "field", "fields");
    let (output, holders) = (args.output.display(), opened.holders.join(", "));
    shell.say(&format!("{output}: {cells} opened by {holders}{}", unopened_cells(&opened.left)));
    shell.json(&json!({
        "output": spelled(&args.output),
        "policy": file.policy.id,
        "epoch": opened.epoch,
        "opened": opened.counts.changed,
        "left_sealed": opened.counts.sealed.saturating_sub(opened.counts.changed),
        "records": opened.counts.records,
        "damaged": opened.left.count,
        "left": left_json(&opened.left),
        "holders": opened.holders.iter().map(|name| json!({ "name": name })).collect::<Value>(),
        "notes": notes,
    }))?;
    Ok(answer)
}

/// The records of which nothing was opened or granted.
fn unopened(records: &[Unmet]) -> impl Iterator<Item = String> {
    records.iter().map(|Unmet { record, is_there }| {
        if *is_there {
            format!("nothing that was asked for is sealed under the policy in record {record:?}")
        } else {
            format!("there is no record {record:?} with a field of the policy")
        }
    })
}

/// What is said of sealed values that were asked for and left as they are: because of them the command does not end with 0.
fn unopened_cells(left: &Left) -> String {
    match left.chosen {
        0 => String::new(),
        count => format!("; {}", counted(count, "sealed value did not open", "sealed values did not open")),
    }
}

fn with_grant(args: &OpenArgs, open: &Open<'_>, path: &Path, mut notes: Notes<'_>, shell: &Shell) -> CommandResult {
    let reader = args.holders.only_key()?;
    let clock = now()?;
    let grants = Grants::from_file(&small_file(path)?, &reader, &open.file.policy).map_err(|error| {
        let why = format!("{}: {error}", path.display());
        open.log_refused_grant(&format!("{}: {why}", args.document.display()), reader.known_name(), clock);
        sentence(why)
    })?;
    notes.say(open.file.unvouched(open.fingerprint));
    let opened = open.run_granted(&grants, &args.document, &args.output, clock).map_err(|error| match error {
        OperationError::Grant(_) => sentence(format!("{}: {error}", path.display())),
        error => error.into(),
    })?;
    notes.say(opened.log.iter().map(|reason| format!("the log was not written: {reason}")));
    let answer = notes.say_left(&opened.left);
    let counts = &opened.counts;
    let cells = counted(counts.changed, "field", "fields");
    shell.say(&format!("{}: {cells} opened by a grant{}", args.output.display(), unopened_cells(&opened.left)));
    shell.json(&json!({
        "output": spelled(&args.output),
        "policy": open.file.policy.id,
        "epoch": opened.epoch,
        "opened": counts.changed,
        "left_sealed": counts.sealed.saturating_sub(counts.changed),
        "records": counts.records,
        "damaged": opened.left.count,
        "left": left_json(&opened.left),
        "holders": [],
        "notes": notes,
    }))?;
    Ok(answer)
}
