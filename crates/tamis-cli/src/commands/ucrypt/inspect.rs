//! `tamis ucrypt inspect`: what is sealed here, and who could open it?

use super::document_args::DocumentArgs;
use super::small_files::policy_in;
use crate::answer::{Answer, CommandError, CommandResult, sentence};
use crate::clock::now;
use crate::shell::Shell;
use crate::text_table::{TextTable, printable};
use clap::Args;
use serde_json::{Value, json};
use std::path::PathBuf;
use tamis_ucrypt::counted;
use tamis_ucrypt::document::header::KeyHeader;
use tamis_ucrypt::operation::{Form, Group, Inspection, Kind, OperationError, PolicyFile, element_names, inspect};

#[derive(Debug, Args)]
pub(crate) struct InspectArgs {
    /// The document
    document: PathBuf,
    /// A policy, whose holders are named where it guards cells; repeat for each. The first one of an element's name names the fields and records
    #[arg(long = "policy", value_name = "FILE")]
    policies: Vec<PathBuf>,
    /// The name of an element around sealed values that no policy of these says; repeat for each. UCRYPT if nothing says any; others are
    /// looked for where the document has data keys without cells
    #[arg(long = "element", value_name = "NAME")]
    elements: Vec<String>,
    #[command(flatten)]
    form: DocumentArgs,
}

/// What was found under all names of elements.
#[derive(Default)]
struct Found {
    /// The names that were looked for.
    elements: Vec<String>,
    /// The cells, with the name of their element and who opens them.
    groups: Vec<(String, Group, String)>,
    headers: Vec<KeyHeader>,
    sealed: u64,
    damaged: u64,
    records: u64,
}

pub(crate) fn run(args: &InspectArgs, shell: &Shell) -> CommandResult {
    let form = args.form.form(&args.document, shell)?;
    let files = args.policies.iter().map(|path| policy_in(path, PolicyFile::read)).collect::<Result<Vec<_>, _>>()?;
    let found = look(args, &form, &files)?;
    let mut table =
        TextTable::new(&["element", "policy", "epoch", "data key", "cipher", "bound", "cells", "fields", "opened by"]);
    for (element, group, opener) in &found.groups {
        let fields: Vec<String> = group.fields.iter().map(|field| printable(field)).collect();
        let shown = |text: &str| if text.is_empty() { "-".to_owned() } else { printable(text) };
        table.row(vec![
            printable(element),
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
    let mut notes = notes(&found);
    notes.extend(files.iter().flat_map(|file| file.remarks().into_iter().chain(older_cells(&found, file))));
    shell.notes(&notes);
    if !found.groups.is_empty() {
        shell.say(&format!("{}\n", table.render()));
    }
    let in_use = found.groups.iter().filter(|(_, group, _)| group.has_key).count() as u64;
    // Elements of XML do not say which of them are records.
    let knows_records = form.kind != Kind::Xml || !files.is_empty();
    let records = knows_records.then(|| counted(found.records, "record", "records"));
    let sealed = counted(found.sealed, "sealed field", "sealed fields");
    let keys = counted(in_use, "data key in use", "data keys in use");
    shell.say(&[Some(sealed), Some(keys), records].into_iter().flatten().collect::<Vec<_>>().join(", "));
    let groups = found.groups.iter().map(|(element, group, opener)| group_document(element, group, opener));
    let is_there = |element: &&String| found.groups.iter().any(|(name, ..)| name == *element);
    shell.json(&json!({
        "elements": found.elements.iter().filter(is_there).collect::<Vec<_>>(),
        "sealed": found.sealed,
        "damaged": found.damaged,
        "records": knows_records.then_some(found.records),
        "groups": groups.collect::<Value>(),
        "data_keys": found.headers.iter().map(|header| {
            json!({ "policy": header.pol(), "epoch": header.ep(), "kid": header.kid().as_str(), "born": header.born() })
        }).collect::<Value>(),
        "notes": notes,
    }))?;
    Ok(Answer::Yes)
}

/// Which file may open cells whose data keys are older than the policy: a rotation may have left the document out.
fn older_cells(found: &Found, file: &PolicyFile) -> Option<String> {
    let own = found.groups.iter().filter(|(_, group, _)| group.policy == file.policy.id);
    let oldest = own.filter_map(|(_, group, _)| group.epoch.parse::<u32>().ok()).min()?;
    let way_out = file.way_out(oldest, |_| false)?;
    Some(format!("cells of policy {} are of epoch {oldest}; {way_out}", file.policy.id))
}

/// Looks at the document once for each name that its sealed values have or may have.
fn look(args: &InspectArgs, form: &Form, files: &[PolicyFile]) -> Result<Found, CommandError> {
    let mut found = Found::default();
    for name in files.iter().map(|file| &file.policy.element).chain(&args.elements) {
        if !found.elements.contains(name) {
            found.elements.push(name.clone());
        }
    }
    if found.elements.is_empty() {
        found.elements.push("UCRYPT".to_owned());
    }
    for element in found.elements.clone() {
        let inspection = under(&element, args, form, files)?;
        found.add(&element, inspection, files)?;
    }
    // Data keys without cells: a policy that was not named may call its cells otherwise.
    let idle: Vec<String> = found.idle().map(|header| header.kid().as_str().to_owned()).collect();
    if !idle.is_empty() {
        let kids: Vec<&str> = idle.iter().map(String::as_str).collect();
        let names = element_names(&args.document, &kids)
            .map_err(|error| sentence(format!("{}: {error}", args.document.display())))?;
        for element in names {
            // A guess that the document cannot be read with was a wrong one, and so is an element without any cell of these keys.
            let is_idle = |group: &Group| group.has_key && idle.contains(&group.kid);
            if !found.elements.contains(&element)
                && let Ok(inspection) = under(&element, args, form, files)
                && inspection.groups.iter().any(is_idle)
            {
                found.add(&element, inspection, files)?;
                found.elements.push(element);
            }
        }
    }
    Ok(found)
}

/// Looks for the cells of one name.
fn under(element: &str, args: &InspectArgs, form: &Form, files: &[PolicyFile]) -> Result<Inspection, OperationError> {
    let policy = files.iter().map(|file| &file.policy).find(|policy| policy.element == element);
    inspect(&args.document, form, policy, element)
}

impl Found {
    /// Adds the cells of one name.
    fn add(&mut self, element: &str, inspection: Inspection, files: &[PolicyFile]) -> Result<(), CommandError> {
        self.sealed += inspection.counts.sealed;
        self.damaged += inspection.counts.damaged;
        // Which elements are records, only a policy says.
        self.records = self.records.max(inspection.counts.records);
        self.headers = inspection.headers;
        for group in inspection.groups {
            let opener = opener(&group, files)?;
            self.groups.push((element.to_owned(), group, opener));
        }
        Ok(())
    }

    /// The data keys of which no cell was found.
    fn idle(&self) -> impl Iterator<Item = &KeyHeader> {
        self.headers.iter().filter(|header| {
            let is_of = |group: &Group| group.policy == header.pol() && group.kid == header.kid().as_str();
            !self.groups.iter().any(|(_, group, _)| is_of(group))
        })
    }
}

fn group_document(element: &str, group: &Group, opener: &str) -> Value {
    // Cells of other tools do not say everything.
    let known = |text: &str| (!text.is_empty()).then(|| text.to_owned());
    json!({
        "element": element,
        "policy": known(&group.policy),
        // Cells of other tools may say anything there.
        "epoch": group.epoch.parse::<u32>().ok(),
        "kid": known(&group.kid),
        "cipher": known(&group.cipher),
        "bind": known(&group.binding),
        "cells": group.cells,
        "fields": group.fields,
        "foreign": group.is_foreign,
        "weak": group.is_weak(),
        "has_key": group.has_key,
        "opened_by": opener,
    })
}

/// Who opens the cells of a group.
fn opener(group: &Group, files: &[PolicyFile]) -> Result<String, CommandError> {
    if group.is_foreign {
        return Ok("another tool".to_owned());
    }
    if !group.has_key {
        return Ok("nobody: no data key".to_owned());
    }
    let Some(file) = files.iter().find(|file| file.policy.id == group.policy) else {
        return Ok("the holders of its policy".to_owned());
    };
    let born = group.epoch.parse::<u32>().unwrap_or(file.policy.epoch);
    if born > file.policy.epoch {
        return Ok("the holders of a later policy".to_owned());
    }
    let now = file.now(now()?)?.now;
    let name = |holder: &tamis_ucrypt::policy::Holder| {
        if holder.is_over(now) { format!("{} (expired)", holder.name) } else { holder.name.clone() }
    };
    let names: Vec<String> = file.policy.holders.iter().map(name).collect();
    let today = format!("{} of {}", file.policy.threshold, names.join(", "));
    // Whom a data key is wrapped for, it does not say. One of an earlier epoch was either wrapped anew since, or left out.
    Ok(if born < file.policy.epoch {
        format!("{today}, if its data key was wrapped anew; else the holders of epoch {born}")
    } else {
        today
    })
}

fn notes(found: &Found) -> Vec<String> {
    let cells = |is: fn(&Group) -> bool| -> u64 {
        found.groups.iter().map(|(_, group, _)| group).filter(|group| is(group)).map(|group| group.cells).sum()
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
        found.damaged,
        "sealed field is damaged: it was cut off or edited, and does not open",
        "sealed fields are damaged: they were cut off or edited, and do not open",
    );
    let names: Vec<String> = found.elements.iter().map(|name| format!("<{name}>")).collect();
    let names = names.join(" or ");
    let idle = found.idle().count() as u64;
    if idle > 0 {
        let keys = counted(idle, "data key of the document is", "data keys of the document are");
        notes.push(format!(
            "{keys} of no cell that was found: a policy can call its cells otherwise than {names}; --policy or --element says how"
        ));
    } else if found.sealed == 0 {
        notes.push(format!(
            "nothing is sealed as {names}; what another policy sealed may have another name (--policy, --element)"
        ));
    }
    notes
}
