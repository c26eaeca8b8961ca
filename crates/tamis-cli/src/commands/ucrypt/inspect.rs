//! `tamis ucrypt inspect`: what is sealed here, and who could open it?

use super::document_args::DocumentArgs;
use super::words::counted;
use crate::answer::{Answer, CommandResult};
use crate::shell::Shell;
use crate::text_table::{TextTable, printable};
use clap::Args;
use jiff::Timestamp;
use serde_json::{Value, json};
use std::path::PathBuf;
use tamis_ucrypt::operation::{Group, Inspection, PolicyFile, inspect};

#[derive(Debug, Args)]
pub(crate) struct InspectArgs {
    /// The document
    document: PathBuf,
    /// A policy, whose holders are named where it guards cells; repeat for each. The first one names the fields and records
    #[arg(long = "policy", value_name = "FILE")]
    policies: Vec<PathBuf>,
    /// The name of the element around sealed values, if no policy says it
    #[arg(long, default_value = "UCRYPT")]
    element: String,
    #[command(flatten)]
    form: DocumentArgs,
}

pub(crate) fn run(args: &InspectArgs, shell: &Shell) -> CommandResult {
    let form = args.form.form(&args.document, shell)?;
    let files = args.policies.iter().map(|path| PolicyFile::read(path)).collect::<Result<Vec<_>, _>>()?;
    let first = files.first().map(|file| &file.policy);
    let element = first.map_or(args.element.as_str(), |policy| &policy.element);
    let found = inspect(&args.document, &form, first, element)?;
    let mut openers = Vec::with_capacity(found.groups.len());
    for group in &found.groups {
        openers.push(opener(group, &files)?);
    }
    let mut table = TextTable::new(&["policy", "epoch", "data key", "cipher", "bound", "cells", "fields", "opened by"]);
    for (group, opener) in found.groups.iter().zip(&openers) {
        let fields: Vec<String> = group.fields.iter().map(|field| printable(field)).collect();
        let shown = |text: &str| if text.is_empty() { "-".to_owned() } else { printable(text) };
        table.row(vec![
            shown(&group.policy),
            shown(&group.epoch),
            shown(&group.kid),
            shown(&group.cipher),
            shown(&group.binding),
            group.cells.to_string(),
            fields.join(" "),
            opener.clone(),
        ]);
    }
    let notes = notes(&found);
    shell.notes(&notes);
    if !found.groups.is_empty() {
        shell.say(&format!("{}\n", table.render()));
    }
    shell.say(&format!(
        "{}, {}, {}",
        counted(found.counts.sealed, "sealed field", "sealed fields"),
        counted(
            found.groups.iter().filter(|group| group.has_key).count() as u64,
            "data key in use",
            "data keys in use"
        ),
        counted(found.counts.records, "record", "records"),
    ));
    let groups = found.groups.iter().zip(&openers).map(|(group, opener)| group_document(group, opener));
    shell.json(&json!({
        "sealed": found.counts.sealed,
        "damaged": found.counts.damaged,
        "records": found.counts.records,
        "groups": groups.collect::<Value>(),
        "data_keys": found.headers.iter().map(|header| {
            json!({ "policy": header.pol(), "epoch": header.ep(), "kid": header.kid().as_str(), "born": header.born() })
        }).collect::<Value>(),
        "notes": notes,
    }))?;
    Ok(Answer::Yes)
}

fn group_document(group: &Group, opener: &str) -> Value {
    json!({
        "policy": group.policy,
        "epoch": group.epoch,
        "kid": group.kid,
        "cipher": group.cipher,
        "bind": group.binding,
        "cells": group.cells,
        "fields": group.fields,
        "foreign": group.is_foreign,
        "weak": group.is_weak(),
        "has_key": group.has_key,
        "opened_by": opener,
    })
}

/// Who opens the cells of a group.
fn opener(group: &Group, files: &[PolicyFile]) -> Result<String, crate::answer::CommandError> {
    if group.is_foreign {
        return Ok("another tool".to_owned());
    }
    if !group.has_key {
        return Ok("nobody: no data key".to_owned());
    }
    let Some(file) = files.iter().find(|file| file.policy.id == group.policy) else {
        return Ok("the holders of its policy".to_owned());
    };
    let now = file.now(Timestamp::now())?.now;
    let name = |holder: &tamis_ucrypt::policy::Holder| {
        let is_over = holder.not_after.as_ref().is_some_and(|end| end.is_over(now));
        if is_over { format!("{} (expired)", holder.name) } else { holder.name.clone() }
    };
    let names: Vec<String> = file.policy.holders.iter().map(name).collect();
    Ok(format!("{} of {}", file.policy.threshold, names.join(", ")))
}

fn notes(found: &Inspection) -> Vec<String> {
    let cells = |is: fn(&Group) -> bool| -> u64 {
        found.groups.iter().filter(|group| is(group)).map(|group| group.cells).sum()
    };
    let mut notes = Vec::new();
    let mut say = |count: u64, one: &str, many: &str| {
        if count > 0 {
            notes.push(counted(count, one, many));
        }
    };
    say(
        cells(Group::is_weak),
        "cell is weakly bound: it can be moved unnoticed",
        "cells are weakly bound: they can be moved unnoticed",
    );
    say(
        cells(|group| group.is_foreign),
        "cell is of another tool, and cannot be opened here",
        "cells are of another tool, and cannot be opened here",
    );
    say(
        cells(|group| !group.is_foreign && !group.has_key),
        "cell names a data key that the document does not have",
        "cells name data keys that the document does not have",
    );
    say(
        found.counts.damaged,
        "sealed field is damaged: it was cut off or edited, and stops whoever opens the document",
        "sealed fields are damaged: they were cut off or edited, and stop whoever opens the document",
    );
    notes
}
