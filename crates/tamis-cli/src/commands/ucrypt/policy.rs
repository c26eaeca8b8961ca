//! `tamis ucrypt policy`: who opens what.

use super::settings::{binding, whole_number};
use super::share_args::ShareArgs;
use super::small_files::{policy_in, small_file};
use crate::answer::{Answer, CommandError, CommandResult, sentence};
use crate::clock::now;
use crate::commands::spelled;
use crate::shell::Shell;
use crate::text_table::TextTable;
use clap::{Args, Subcommand};
use serde::Deserialize;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use tamis_ucrypt::cell::{Binding, Cipher};
use tamis_ucrypt::key::{HolderPublic, NotAfter, check_holder_name};
use tamis_ucrypt::operation::{PolicyFile, write_new_policy};
use tamis_ucrypt::policy::{Keeping, Member, Plan, Policy, Selection};

#[derive(Debug, Args)]
pub(crate) struct PolicyArgs {
    #[command(subcommand)]
    kind: PolicyKind,
}

#[derive(Debug, Subcommand)]
enum PolicyKind {
    /// Write a new policy and give its holders their shares
    New(Box<NewArgs>),
    /// Name other fields to seal, or other rules for new cells; the holders, their shares and the documents stay as they are
    Amend(Box<super::amend::AmendArgs>),
    /// Show a policy
    Show(FileArgs),
    /// Tell what the owner of a policy should know; exit code 1 if there is something
    Check(FileArgs),
}

#[derive(Debug, Args)]
struct FileArgs {
    /// The policy
    policy: PathBuf,
}

#[derive(Debug, Args)]
struct NewArgs {
    /// The file to write: NAME.upolicy
    policy: PathBuf,
    /// How many holders open what is sealed
    #[arg(long, short = 'p', value_name = "P", value_parser = whole_number)]
    threshold: usize,
    /// A holder whose share is kept in the policy, wrapped to this public key; repeat for each
    #[arg(long = "holder", value_name = "NAME.upub")]
    holders: Vec<PathBuf>,
    /// A holder whose share is kept outside the policy, in a file NAME.ushare; repeat for each
    #[arg(long = "bare", value_name = "NAME[:NOT_AFTER]")]
    bare: Vec<String>,
    #[command(flatten)]
    shares: ShareArgs,
    /// A TOML file with the fields to seal: [[table]] with name, key (column) or record and record_key (XML paths), and [[table.field]]
    #[arg(long, value_name = "FIELDS.toml")]
    fields: PathBuf,
    /// Who sets the rules: a name for people
    #[arg(long, default_value = "")]
    owner: String,
    /// The id that stands in every cell; a random one if left out
    #[arg(long)]
    id: Option<String>,
    /// The name of the element around sealed values
    #[arg(long, default_value = "UCRYPT")]
    element: String,
    /// A256GCM, A256GCM-SIV or XC20P
    #[arg(long, default_value_t)]
    cipher: Cipher,
    /// What cells are bound to: rf (record and field), f (field) or n (nothing)
    #[arg(long, default_value_t, value_parser = binding)]
    bind: Binding,
    /// Values are padded to a multiple of this many bytes, so that their lengths tell less
    #[arg(long, value_name = "BYTES", default_value_t = 32, value_parser = whole_number)]
    pad: usize,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct FieldsFile {
    #[serde(default)]
    pub(super) namespaces: BTreeMap<String, String>,
    #[serde(default)]
    pub(super) table: Vec<Selection>,
}

/// The fields to seal from their file.
pub(super) fn read_fields(path: &Path) -> Result<FieldsFile, CommandError> {
    let text = small_file(path)?;
    let fields: FieldsFile = toml::from_str(&text).map_err(|error| {
        let before = error.span().and_then(|span| text.get(..span.start)).unwrap_or_default();
        let line = before.matches('\n').count() + 1;
        sentence(format!(
            "{}: line {line}: {} (docs/ucrypt/fields.md says what it may hold)",
            path.display(),
            error.message()
        ))
    })?;
    if fields.table.is_empty() {
        return Err(sentence(format!(
            "{} names no fields: it needs a [[table]] with a [[table.field]]",
            path.display()
        )));
    }
    Ok(fields)
}

pub(crate) fn run(args: &PolicyArgs, shell: &Shell) -> CommandResult {
    match &args.kind {
        PolicyKind::New(args) => new(args, shell),
        PolicyKind::Amend(args) => super::amend::run(args, shell),
        PolicyKind::Show(args) => show(&args.policy, shell),
        PolicyKind::Check(args) => check(&args.policy, shell),
    }
}

/// The public key of a holder from its file.
pub(super) fn read_public(path: &Path) -> Result<Member, CommandError> {
    let public = HolderPublic::from_file(&small_file(path)?)
        .map_err(|error| sentence(format!("{}: {error}", path.display())))?;
    Ok(public.into())
}

/// A holder whose share is kept outside the policy: `NAME` or `NAME:NOT_AFTER`.
pub(super) fn bare_member(text: &str) -> Result<Member, CommandError> {
    let (name, not_after) = match text.split_once(':') {
        Some((name, not_after)) => (name, Some(not_after.parse::<NotAfter>()?)),
        None => (text, None),
    };
    check_holder_name(name)?;
    Ok(Member { name: name.to_owned(), not_after, recipient: None })
}

fn new(args: &NewArgs, shell: &Shell) -> CommandResult {
    if args.policy.extension().is_none_or(|extension| extension != "upolicy") {
        return Err(sentence(format!(
            "{}: call the policy NAME.upolicy, as others look for it by that",
            args.policy.display()
        )));
    }
    let fields = read_fields(&args.fields)?;
    let wrapped = args.holders.iter().map(|path| read_public(path));
    let members: Vec<Member> =
        wrapped.chain(args.bare.iter().map(|text| bare_member(text))).collect::<Result<_, _>>()?;
    let outlet = args.shares.outlet(&args.policy, &members)?;
    let change = Policy::create(Plan {
        id: args.id.clone(),
        owner: args.owner.clone(),
        element: args.element.clone(),
        threshold: args.threshold,
        members,
        cipher: args.cipher,
        binding: args.bind,
        pad: args.pad,
        namespaces: fields.namespaces,
        selections: fields.table,
    })?;
    let changed = write_new_policy(&args.policy, change, outlet.outlet(), now()?)?;
    let notes: Vec<String> = args.shares.exposed().into_iter().chain(warnings(&changed.policy)?).collect();
    shell.notes(&notes);
    shell.say(&format!("{}: {}", args.policy.display(), summary(&changed.policy)));
    shell.say(&fingerprint(&changed.policy));
    tell_shares(&changed.shares, shell);
    let mut told = with_shares(document(&changed.policy), &changed.shares);
    told["notes"] = json!(notes);
    shell.json(&told)?;
    Ok(Answer::Yes)
}

pub(super) fn warnings(policy: &Policy) -> Result<Vec<String>, CommandError> {
    Ok(policy.warnings(now()?).iter().map(ToString::to_string).collect())
}

/// Says which files of shares are to be handed over.
pub(super) fn tell_shares(shares: &[PathBuf], shell: &Shell) {
    for share in shares {
        shell.say(&format!("{}: hand it to its holder, and keep no copy", share.display()));
    }
}

/// A document that also lists the files of shares.
pub(super) fn with_shares(mut document: Value, shares: &[PathBuf]) -> Value {
    document["shares"] = shares.iter().map(spelled).collect();
    document
}

/// One line about a policy.
pub(super) fn summary(policy: &Policy) -> String {
    let names: Vec<&str> = policy.holders.iter().map(|holder| holder.name.as_str()).collect();
    format!(
        "policy {}, epoch {}, generation {}: {} of {} open it ({})",
        policy.id,
        policy.epoch,
        policy.generation,
        policy.threshold,
        names.len(),
        names.join(", ")
    )
}

/// What people compare to know that they have the same policy.
pub(super) fn fingerprint(policy: &Policy) -> String {
    format!("fingerprint {}", policy.fingerprint())
}

/// A policy as JSON, without anything said about it.
pub(super) fn document(policy: &Policy) -> Value {
    let holder = |holder: &tamis_ucrypt::policy::Holder| {
        json!({
            "name": holder.name,
            "number": holder.number,
            "not_after": holder.not_after,
            "share": match holder.keeping { Keeping::Bare => "outside", Keeping::Wrapped { .. } => "wrapped" },
            "recipient": holder.recipient(),
        })
    };
    json!({
        "policy": policy.id,
        "owner": policy.owner,
        "element": policy.element,
        "threshold": policy.threshold,
        "holders": policy.holders.iter().map(holder).collect::<Value>(),
        "epoch": policy.epoch,
        "generation": policy.generation,
        "cipher": policy.cipher.as_str(),
        "bind": policy.binding.as_str(),
        "pad": policy.pad,
        "fingerprint": policy.fingerprint(),
        "tables": policy.selections,
        "notes": [],
    })
}

fn show(path: &Path, shell: &Shell) -> CommandResult {
    let file = policy_in(path, PolicyFile::read)?;
    let policy = &file.policy;
    let mut table = TextTable::new(&["holder", "share", "until"]);
    for holder in &policy.holders {
        let keeping = if holder.keeping == Keeping::Bare { "outside" } else { "in the policy" };
        let until = holder.not_after.as_ref().map_or_else(|| "-".to_owned(), ToString::to_string);
        table.row(vec![holder.name.clone(), keeping.to_owned(), until]);
    }
    let owner = if policy.owner.is_empty() { String::new() } else { format!(" of {}", policy.owner) };
    shell.say(&format!("{}{owner}\n\n{}\n", summary(policy), table.render()));
    for selection in &policy.selections {
        let fields: Vec<&str> = selection.fields.iter().map(|field| field.name.as_str()).collect();
        shell.say(&format!("table {}: {}", selection.name, fields.join(", ")));
    }
    shell.say(&format!(
        "sealed as <{}>, {}, bound to {}, padded to {}",
        policy.element, policy.cipher, policy.binding, policy.pad
    ));
    shell.say(&fingerprint(policy));
    let notes = file.remarks();
    shell.notes(&notes);
    let mut told = document(policy);
    told["notes"] = json!(notes);
    shell.json(&told)?;
    Ok(Answer::Yes)
}

fn check(path: &Path, shell: &Shell) -> CommandResult {
    let file = policy_in(path, PolicyFile::read)?;
    let clock = now()?;
    let trusted = file.now(clock);
    let by = trusted.as_ref().map_or(clock, |trusted| trusted.now);
    let mut found: Vec<String> = file.policy.warnings(by).iter().map(ToString::to_string).collect();
    found.extend(file.clock_remark(clock));
    found.extend(file.remarks());
    found.extend(file.missing_log());
    // A log that cannot be read, or is none, is what there is to say.
    if let Err(error) = trusted
        && !found.contains(&error.to_string())
    {
        found.push(error.to_string());
    }
    for warning in &found {
        shell.say(warning);
    }
    if found.is_empty() {
        shell.say(&format!(
            "{}\nnothing to say against it; `verify` checks the shares, and that the holders agreed to it, `inspect --policy` what it guards in a document",
            summary(&file.policy)
        ));
    }
    shell.json(&json!({ "policy": file.policy.id, "epoch": file.policy.epoch, "fingerprint": file.policy.fingerprint(), "warnings": found, "notes": [] }))?;
    Ok(Answer::from_bool(found.is_empty()))
}
