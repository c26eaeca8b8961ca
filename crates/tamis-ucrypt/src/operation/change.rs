//! Changes of who holds shares that leave the key, and so every document, as they are.

use std::path::{Path, PathBuf};

use jiff::Timestamp;

use super::place::Readers;
use super::steps::Steps;
use super::{OperationError, PolicyFile};
use crate::audit::Action;
use crate::key::{BareShare, Protection};
use crate::policy::{Change, Member, Offer, Policy};

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
    if path.exists() {
        return Err(OperationError::Exists(path.to_owned()));
    }
    let mut steps = Steps::default();
    let shares = outlet.write(&change.bare, &mut steps)?;
    steps.create(path, Readers::Usual, change.policy.to_file().as_bytes())?;
    steps.run()?;
    let file = PolicyFile::read(path)?;
    file.append(&file.policy, clock, Action::Create, &[], said(&change.policy))?;
    Ok(Changed { policy: change.policy, shares })
}

/// Shares the key of a policy anew among these holders. No document changes.
pub fn change_shares(
    file: &PolicyFile,
    offers: &[Offer<'_>],
    members: &[Member],
    action: Action,
    outlet: Outlet<'_>,
    clock: Timestamp,
) -> Result<Changed, OperationError> {
    if file.next.is_some() {
        return Err(OperationError::Interrupted(PolicyFile::next_path(&file.path)));
    }
    let unlocked = file.unlock(offers, clock)?;
    let change = unlocked.reshare(file.policy.threshold, members)?;
    let mut steps = Steps::default();
    let shares = outlet.write(&change.bare, &mut steps)?;
    steps.write(&file.path, Readers::Usual, change.policy.to_file().as_bytes())?;
    file.append(&change.policy, clock, action, unlocked.holders(), said(&change.policy))?;
    steps.run()?;
    Ok(Changed { policy: change.policy, shares })
}

/// How many of whom, for the log.
pub(super) fn said(policy: &Policy) -> String {
    let names: Vec<&str> = policy.holders.iter().map(|holder| holder.name.as_str()).collect();
    format!("{} of {}: {}", policy.threshold, names.len(), names.join(", "))
}

impl Outlet<'_> {
    /// Files of shares, none of which may replace another: `HOLDER.ushare`, and later ones by their generation, `HOLDER.g2.ushare`.
    pub(super) fn write(&self, bare: &[BareShare], steps: &mut Steps) -> Result<Vec<PathBuf>, OperationError> {
        let mut paths = Vec::new();
        for share in bare {
            let name = match share.generation {
                1 => format!("{}.ushare", share.holder),
                later => format!("{}.g{later}.ushare", share.holder),
            };
            let path = self.directory.join(name);
            if path.exists() {
                return Err(OperationError::Exists(path));
            }
            steps.create(&path, Readers::Owner, share.to_file(self.protection)?.as_bytes())?;
            paths.push(path);
        }
        Ok(paths)
    }
}
