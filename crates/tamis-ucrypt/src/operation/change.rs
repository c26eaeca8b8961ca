//! Changes of who holds shares that leave the key, and so every document, as they are.

use std::path::{Path, PathBuf};

use jiff::Timestamp;

use super::place::Readers;
use super::policy_file::{policies_beside, waiting_name};
use super::steps::Steps;
use super::{OperationError, PolicyFile, selectors};
use crate::audit::{Action, Log};
use crate::key::{BareShare, Protection};
use crate::policy::{Change, Holder, Keeping, Member, Offer, Policy};

/// Where shares go that are kept outside the policy, and how they are protected.
#[derive(Clone, Copy)]
pub struct Outlet<'a> {
    /// The directory of their files.
    pub directory: &'a Path,
    /// How they are protected there.
    pub protection: Protection<'a>,
}

/// A policy that was written or changed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Changed {
    /// The policy.
    pub policy: Policy,
    /// The files of shares, to be handed to their holders.
    pub shares: Vec<PathBuf>,
}

/// Writes a new policy to a file that does not exist yet.
pub fn write_new_policy(
    path: &Path,
    change: Change,
    outlet: Outlet<'_>,
    clock: Timestamp,
) -> Result<Changed, OperationError> {
    // A log that is there is that of another policy, of which the file is gone.
    let log = Log::beside(path);
    if let Some(there) = [path, log.path()].into_iter().find(|path| path.symlink_metadata().is_ok()) {
        return Err(OperationError::Exists(there.to_owned()));
    }
    // Cells and headers name their policy by its id.
    if let Some((there, _)) = policies_beside(path).find(|(_, other)| other.id == change.policy.id) {
        return Err(OperationError::SameId { path: there, id: change.policy.id });
    }
    selectors::check(&change.policy)?;
    // The shares, the policy and its log appear together or not at all: on a full disk, one of them may be written and another not.
    let mut steps = Steps::default();
    let shares = outlet.write(&change.bare, &mut steps)?;
    steps.create(path, Readers::Usual, change.policy.to_file().as_bytes())?;
    let event = PolicyFile::event(&change.policy, Action::Create, &[], said(&change.policy));
    steps.create(log.path(), Readers::Usual, &Log::first_line(clock, event)?)?;
    steps.run_or_undo()?;
    Ok(Changed { policy: change.policy, shares })
}

/// Gives the shares of a change that stopped before they had their names these names. Whoever goes on needs them.
pub fn name_waiting_shares(file: &PolicyFile, directory: &Path) -> Result<Vec<PathBuf>, OperationError> {
    let mut steps = Steps::default();
    let outlet = Outlet { directory, protection: Protection::Paper };
    let shares = outlet.name_waiting(&file.policy, &mut steps)?;
    steps.run()?;
    Ok(shares)
}

/// Shares the key of a policy anew among these holders, one of whom may get another key. No document changes.
pub fn change_shares(
    file: &PolicyFile,
    offers: &[Offer<'_>],
    members: &[Member],
    action: Action,
    replaced: Option<&str>,
    outlet: Outlet<'_>,
    clock: Timestamp,
) -> Result<Changed, OperationError> {
    let unlocked = file.unlock(offers, clock)?;
    file.refuse_waiting(&unlocked)?;
    let change = unlocked.reshare(file.policy.threshold, members)?;
    let mut steps = Steps::default();
    // Those of a change that stopped before its shares had their names.
    outlet.name_waiting(&file.policy, &mut steps)?;
    outlet.write_waiting(&change.bare, &mut steps)?;
    steps.write(&file.path, Readers::Usual, change.policy.to_file().as_bytes())?;
    let shares = outlet.name_written(&change.bare, &mut steps)?;
    let mut told = exchanged(&file.policy, &change.policy);
    // A share that is kept outside the policy leaves no trace in it.
    if told.is_empty() {
        told.extend(replaced.map(|name| format!("another share for {name}")));
    }
    let note = [vec![said(&change.policy)], told, vec!["same policy key".to_owned()]];
    file.append(&change.policy, clock, action, unlocked.holders(), note.concat().join("; "))?;
    steps.run()?;
    Ok(Changed { policy: change.policy, shares })
}

/// Gives a policy other rules than who holds it, as `edit` says: see [`crate::policy::Unlocked::amend`]. No share and no document changes.
pub fn amend(
    file: &PolicyFile,
    offers: &[Offer<'_>],
    edit: impl FnOnce(&mut Policy),
    clock: Timestamp,
) -> Result<Policy, OperationError> {
    let unlocked = file.unlock(offers, clock)?;
    file.refuse_waiting(&unlocked)?;
    let policy = unlocked.amend(edit)?;
    selectors::check(&policy)?;
    let mut steps = Steps::default();
    steps.write(&file.path, Readers::Usual, policy.to_file().as_bytes())?;
    let names = policy.selections.iter().map(|table| {
        let fields: Vec<&str> = table.fields.iter().map(|field| field.name.as_str()).collect();
        format!("{}: {}", table.name, fields.join(", "))
    });
    let note = names.chain(other_rules(&file.policy, &policy)).collect::<Vec<_>>().join("; ");
    file.append(&policy, clock, Action::Amend, unlocked.holders(), note)?;
    steps.run()?;
    Ok(policy)
}

/// The rules of sealing that are others now, for the log: a weaker one should not pass unseen.
fn other_rules(old: &Policy, new: &Policy) -> Vec<String> {
    let rules = |policy: &Policy| {
        [
            ("owner", policy.owner.clone()),
            ("element", policy.element.clone()),
            ("cipher", policy.cipher.to_string()),
            ("bound to", policy.binding.to_string()),
            ("padded to", policy.pad.to_string()),
        ]
    };
    let pairs = rules(old).into_iter().zip(rules(new)).filter(|(before, after)| before != after);
    pairs.map(|((rule, before), (_, after))| format!("{rule} {after} instead of {before}")).collect()
}

/// How many of whom, and until when, for the log.
pub(super) fn said(policy: &Policy) -> String {
    let name = |holder: &Holder| match &holder.not_after {
        Some(end) => format!("{} until {end}", holder.name),
        None => holder.name.clone(),
    };
    let names: Vec<String> = policy.holders.iter().map(name).collect();
    format!("{} of {}: {}", policy.threshold, names.len(), names.join(", "))
}

/// Who came in whose place, who left and who has another key, for the log.
pub(super) fn exchanged(old: &Policy, new: &Policy) -> Vec<String> {
    let find = |policy: &'_ Policy, name: &str| policy.members().into_iter().find(|member| member.name == name);
    let mut told = Vec::new();
    for (place, before) in old.members().into_iter().enumerate() {
        let name = &before.name;
        match (find(new, name), new.holders.get(place)) {
            (Some(after), _) if after.recipient != before.recipient => told.push(format!("another key for {name}")),
            (Some(_), _) => {}
            (None, Some(after)) if find(old, &after.name).is_none() => {
                told.push(format!("{} in the place of {name}", after.name));
            }
            (None, _) => told.push(format!("without {name}")),
        }
    }
    told
}

impl Outlet<'_> {
    /// Files of shares, none of which may replace another: `HOLDER.ushare`, and later ones by their generation, `HOLDER.g2.ushare`.
    pub(super) fn write(&self, bare: &[BareShare], steps: &mut Steps) -> Result<Vec<PathBuf>, OperationError> {
        let mut paths = Vec::new();
        for share in bare {
            let path = self.free_path(&share.holder, share.generation)?;
            steps.create(&path, Readers::Owner, share.to_file(self.protection)?.as_bytes())?;
            paths.push(path);
        }
        Ok(paths)
    }

    /// Files of shares that belong to nothing yet, under names that say so: `HOLDER.g2.POLICY.ushare.next`. Whatever has such a name while
    /// the policy is still the old one comes from a change that stopped, and is replaced.
    pub(super) fn write_waiting(&self, bare: &[BareShare], steps: &mut Steps) -> Result<(), OperationError> {
        for share in bare {
            let waiting = self.waiting_path(&share.holder, share.generation, &share.policy);
            steps.write(&waiting, Readers::Owner, share.to_file(self.protection)?.as_bytes())?;
        }
        Ok(())
    }

    /// Gives those files their names: to be done once the policy they belong to has one.
    pub(super) fn name_written(&self, bare: &[BareShare], steps: &mut Steps) -> Result<Vec<PathBuf>, OperationError> {
        let mut paths = Vec::new();
        for share in bare {
            let path = self.free_path(&share.holder, share.generation)?;
            steps.rename(&self.waiting_path(&share.holder, share.generation, &share.policy), &path);
            paths.push(path);
        }
        Ok(paths)
    }

    /// Gives the files of shares of a policy that still wait here their names.
    pub(super) fn name_waiting(&self, policy: &Policy, steps: &mut Steps) -> Result<Vec<PathBuf>, OperationError> {
        let mut paths = Vec::new();
        for holder in policy.holders.iter().filter(|holder| holder.keeping == Keeping::Bare) {
            let waiting = self.waiting_path(&holder.name, policy.generation, &policy.id);
            if waiting.exists() {
                let path = self.free_path(&holder.name, policy.generation)?;
                steps.rename(&waiting, &path);
                paths.push(path);
            }
        }
        Ok(paths)
    }

    fn free_path(&self, holder: &str, generation: u32) -> Result<PathBuf, OperationError> {
        let name = match generation {
            1 => format!("{holder}.ushare"),
            later => format!("{holder}.g{later}.ushare"),
        };
        let path = self.directory.join(name);
        if path.exists() { Err(OperationError::Exists(path)) } else { Ok(path) }
    }

    fn waiting_path(&self, holder: &str, generation: u32, policy: &str) -> PathBuf {
        self.directory.join(waiting_name(holder, generation, policy))
    }
}
