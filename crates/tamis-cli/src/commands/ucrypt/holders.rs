//! `tamis ucrypt add-holder`, `remove-holder`, `replace-key` and `refresh`: other shares of the same key, or of a new one.

use super::holder_args::HolderArgs;
use super::notes::Notes;
use super::per_document::PerDocumentArgs;
use super::policy::{bare_member, document, fingerprint, read_public, summary, tell_shares, warnings, with_shares};
use super::rotate;
use super::share_args::ShareArgs;
use crate::answer::{Answer, CommandError, CommandResult, sentence};
use crate::clock::now;
use crate::commands::named_file;
use crate::shell::Shell;
use clap::Args;
use serde_json::json;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use tamis_ucrypt::audit::Action;
use tamis_ucrypt::key::NotAfter;
use tamis_ucrypt::operation::{Depth, PolicyFile, change_shares};
use tamis_ucrypt::policy::{Member, Policy};

/// What new shares of an old key do not do.
const OLD_SHARES: &str = "the key and the documents stay as they are: holders who kept enough old shares, and whoever read or copied something, \
    are not stopped; rotate --full is what stops them from reading what is sealed from now on";

#[derive(Debug, Args)]
pub(crate) struct AddHolderArgs {
    /// The policy
    policy: PathBuf,
    /// The new holder's public key (NAME.upub): this, or --bare
    #[arg(conflicts_with = "bare")]
    holder: Option<PathBuf>,
    /// The new holder keeps the share outside the policy, in a file named after holder and generation, such as NAME.g4.ushare
    #[arg(long, value_name = "NAME[:NOT_AFTER]")]
    bare: Option<String>,
    #[command(flatten)]
    shares: ShareArgs,
    #[command(flatten)]
    holders: HolderArgs,
}

#[derive(Debug, Args)]
pub(crate) struct RemoveHolderArgs {
    /// The policy
    policy: PathBuf,
    /// The name of the holder who goes
    name: String,
    /// Every document that is sealed under the policy: they are sealed anew, in their places; not allowed with --soft
    #[arg(conflicts_with = "soft")]
    documents: Vec<PathBuf>,
    /// Only share the key anew among the others, and leave the documents as they are
    #[arg(long)]
    soft: bool,
    #[command(flatten)]
    shares: ShareArgs,
    #[command(flatten)]
    holders: HolderArgs,
    #[command(flatten)]
    forms: PerDocumentArgs,
}

#[derive(Debug, Args)]
pub(crate) struct ReplaceKeyArgs {
    /// The policy
    policy: PathBuf,
    /// The name of the holder whose key is replaced
    name: String,
    /// The new public key (NAME.upub): this, or --bare. The time of the holder stays unless this one's ends earlier, and
    /// `rotate --full --replace` lengthens it
    #[arg(conflicts_with = "bare")]
    key: Option<PathBuf>,
    /// The holder keeps the new share outside the policy, such as in the place of a paper that was lost, in a file named after
    /// holder and generation, such as NAME.g4.ushare
    #[arg(long)]
    bare: bool,
    #[command(flatten)]
    shares: ShareArgs,
    #[command(flatten)]
    holders: HolderArgs,
}

#[derive(Debug, Args)]
pub(crate) struct RefreshArgs {
    /// The policy
    policy: PathBuf,
    #[command(flatten)]
    shares: ShareArgs,
    #[command(flatten)]
    holders: HolderArgs,
}

pub(crate) fn add(args: &AddHolderArgs, shell: &Shell) -> CommandResult {
    let member = match (&args.holder, &args.bare) {
        (Some(path), _) => read_public(path)?,
        (None, Some(text)) => bare_member(text)?,
        (None, None) => {
            return Err(sentence(
                "give the public key of the new holder (NAME.upub), or --bare NAME for a share that is kept outside the policy",
            ));
        }
    };
    let mut notes = Notes::new(shell);
    let file = args.shares.lock(&args.policy, &mut notes)?;
    let members = file.policy.members_with(member)?;
    let why = Why { action: Action::AddHolder, replaced: None, limit: None };
    reshare(&file, &members, &why, &args.shares, &args.holders, notes, shell)
}

pub(crate) fn remove(args: &RemoveHolderArgs, shell: &Shell) -> CommandResult {
    if args.documents.is_empty() && !args.soft {
        return Err(sentence(
            "name every document that is sealed under the policy, to be sealed anew; or say --soft, which leaves them as they are",
        ));
    }
    let mut notes = Notes::new(shell);
    let file = args.shares.lock(&args.policy, &mut notes)?;
    let members = file.policy.members_without(&args.name)?;
    if args.soft {
        args.forms.of(&[])?;
        let why = Why { action: Action::RemoveHolder, replaced: None, limit: Some(OLD_SHARES) };
        return reshare(&file, &members, &why, &args.shares, &args.holders, notes, shell);
    }
    let change = rotate::Change {
        file: &file,
        members,
        threshold: file.policy.threshold,
        depth: Depth::Full,
        action: Action::RemoveHolder,
        documents: &args.documents,
        forms: &args.forms,
        shares: &args.shares,
        holders: &args.holders,
    };
    change.run(notes, shell)
}

pub(crate) fn replace(args: &ReplaceKeyArgs, shell: &Shell) -> CommandResult {
    if args.key.is_none() && !args.bare {
        return Err(sentence(format!(
            "give the new public key of {:?} (NAME.upub), or --bare for a share that is kept outside the policy",
            args.name
        )));
    }
    let mut notes = Notes::new(shell);
    let file = args.shares.lock(&args.policy, &mut notes)?;
    let (recipient, not_after) = match &args.key {
        Some(key) => read_public(key).map(|member| (member.recipient, member.not_after))?,
        None => (None, None),
    };
    let members = file.policy.members_with_key(&args.name, recipient, not_after)?;
    let limit = "the old key opens nothing from now on, unless its finder has the old policy file and enough other holders; if the key was stolen \
        rather than lost, rotate --full";
    let why = Why { action: Action::ReplaceKey, replaced: Some(&args.name), limit: Some(limit) };
    reshare(&file, &members, &why, &args.shares, &args.holders, notes, shell)
}

pub(crate) fn refresh(args: &RefreshArgs, shell: &Shell) -> CommandResult {
    let mut notes = Notes::new(shell);
    let file = args.shares.lock(&args.policy, &mut notes)?;
    let members = file.policy.members();
    let why = Why { action: Action::Refresh, replaced: None, limit: Some(OLD_SHARES) };
    reshare(&file, &members, &why, &args.shares, &args.holders, notes, shell)
}

/// Why a key is shared anew.
struct Why<'a> {
    action: Action,
    /// Whose key or share is replaced.
    replaced: Option<&'a str>,
    /// What the change does not guarantee.
    limit: Option<&'a str>,
}

fn reshare(
    file: &PolicyFile,
    members: &[Member],
    why: &Why<'_>,
    shares: &ShareArgs,
    holders: &HolderArgs,
    mut notes: Notes<'_>,
    shell: &Shell,
) -> CommandResult {
    notes.say_state(file)?;
    notes.say(holders.exposed().into_iter().chain(shares.exposed()));
    let brought = holders.read(file)?;
    let outlet = shares.outlet(&file.path, members)?;
    let offers = brought.offers();
    let changed = change_shares(file, &offers, members, why.action, why.replaced, outlet.outlet(), now()?)?;
    notes.say(why.limit.map(str::to_owned));
    notes.say(times(&file.policy, &changed.policy));
    notes.say(warnings(&changed.policy)?);
    tell(&file.path, &changed.policy, &changed.shares, shell);
    let mut told = with_shares(document(&changed.policy), &changed.shares);
    told["notes"] = json!(notes);
    shell.json(&told)?;
    Ok(Answer::Yes)
}

/// Until when holders take part who did not before, or whose time is another one: p holders may agree to any, and should see it.
pub(super) fn times(before: &Policy, after: &Policy) -> Vec<String> {
    let until = |end: Option<&NotAfter>| end.map_or_else(|| "without end".to_owned(), |end| format!("until {end}"));
    let mut said = Vec::new();
    for holder in &after.holders {
        let (name, now) = (&holder.name, until(holder.not_after.as_ref()));
        match before.holders.iter().find(|old| old.name == *name) {
            None => said.push(format!("{name:?} takes part {now}")),
            Some(old) if old.not_after != holder.not_after => {
                said.push(format!("{name:?} takes part {now}, not {} any more", until(old.not_after.as_ref())));
            }
            Some(_) => {}
        }
    }
    said
}

/// Says what a policy is now.
pub(super) fn tell(path: &Path, policy: &Policy, shares: &[PathBuf], shell: &Shell) {
    shell.say(&format!("{}: {}", path.display(), summary(policy)));
    shell.say(&fingerprint(policy));
    tell_shares(shares, shell);
}

/// A holder to put in another's place: `NAME=NEW.upub`.
pub(super) fn replacement(text: &OsStr) -> Result<(&str, Member), CommandError> {
    let (name, path) = named_file(text).ok_or_else(|| sentence("--replace needs NAME=NEW.upub"))?;
    Ok((name, read_public(path)?))
}
