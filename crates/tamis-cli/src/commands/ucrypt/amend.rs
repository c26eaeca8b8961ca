//! `tamis ucrypt policy amend`: other rules for the same holders.

use super::holder_args::HolderArgs;
use super::notes::Notes;
use super::policy::{document, fingerprint, read_fields, summary, warnings};
use super::settings::{binding, whole_number};
use super::small_files::policy_in;
use crate::answer::{Answer, CommandResult};
use crate::clock::now;
use crate::shell::Shell;
use clap::Args;
use serde_json::json;
use std::path::PathBuf;
use tamis_ucrypt::cell::{Binding, Cipher};
use tamis_ucrypt::operation::{PolicyFile, amend};
use tamis_ucrypt::policy::{Policy, Selection};

#[derive(Debug, Args)]
#[group(id = "rules", required = true, multiple = true, args = ["fields", "owner", "cipher", "bind", "pad"])]
pub(crate) struct AmendArgs {
    /// The policy
    policy: PathBuf,
    /// A TOML file with the fields to seal from now on, all of them
    #[arg(long, value_name = "FIELDS.toml")]
    fields: Option<PathBuf>,
    /// Who sets the rules: a name for people
    #[arg(long)]
    owner: Option<String>,
    /// The cipher of new cells: A256GCM, A256GCM-SIV or XC20P
    #[arg(long)]
    cipher: Option<Cipher>,
    /// What new cells are bound to: rf (record and field), f (field) or n (nothing)
    #[arg(long, value_parser = binding)]
    bind: Option<Binding>,
    /// New values are padded to a multiple of this many bytes
    #[arg(long, value_name = "BYTES", value_parser = whole_number)]
    pad: Option<usize>,
    #[command(flatten)]
    holders: HolderArgs,
}

pub(crate) fn run(args: &AmendArgs, shell: &Shell) -> CommandResult {
    let file = policy_in(&args.policy, PolicyFile::lock)?;
    let mut notes = Notes::new(shell);
    notes.say_state(&file)?;
    notes.say(args.holders.exposed());
    let fields = args.fields.as_ref().map(|path| read_fields(path)).transpose()?;
    let brought = args.holders.read(&file)?;
    let edit = |policy: &mut Policy| {
        if let Some(fields) = fields {
            policy.namespaces = fields.namespaces;
            policy.selections = fields.table;
        }
        if let Some(owner) = &args.owner {
            policy.owner.clone_from(owner);
        }
        policy.cipher = args.cipher.unwrap_or(policy.cipher);
        policy.binding = args.bind.unwrap_or(policy.binding);
        policy.pad = args.pad.unwrap_or(policy.pad);
    };
    let amended = amend(&file, &brought.offers(), edit, now()?)?;
    notes.say(unbound(&file.policy, &amended));
    notes.say(warnings(&amended)?);
    shell.say(&format!("{}: {}", file.path.display(), summary(&amended)));
    shell.say(&fingerprint(&amended));
    let mut told = document(&amended);
    told["notes"] = json!(notes);
    shell.json(&told)?;
    Ok(Answer::Yes)
}

/// What cells that are sealed already are bound to and the policy does not say any more.
fn unbound(before: &Policy, after: &Policy) -> Vec<String> {
    let names = |table: &Selection| {
        (table.key.clone(), table.record.clone(), table.record_key.clone(), table.source().to_owned())
    };
    let is_gone = |table: &&Selection| {
        let now = after.selections.iter().find(|now| now.name == table.name);
        now.is_none_or(|now| {
            let has = |name: &str| now.fields.iter().any(|field| field.name == name);
            names(now) != names(table) || !table.fields.iter().all(|field| has(&field.name))
        })
    };
    let said = |table: &Selection| {
        let now = after.selections.iter().find(|now| now.name == table.name);
        let stays = |name: &str| now.is_some_and(|now| now.fields.iter().any(|field| field.name == name));
        let gone: Vec<&str> =
            table.fields.iter().map(|field| field.name.as_str()).filter(|name| !stays(name)).collect();
        let without = if gone.is_empty() { String::new() } else { format!(", now without {}", gone.join(", ")) };
        format!(
            "table {}{without}: cells that are sealed already are bound to its name, its record key and the names of its fields; where these changed, \
             they open only under the rules of before, so amend the policy back to open them",
            table.name
        )
    };
    before.selections.iter().filter(is_gone).map(said).collect()
}
