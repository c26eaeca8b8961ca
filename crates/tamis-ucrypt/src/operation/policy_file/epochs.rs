//! The files of earlier and later epochs of a policy, beside its own.

use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};

use super::{OperationError, PolicyFile, policy_at};
use crate::directory::directory_of;
use crate::policy::Policy;

impl PolicyFile {
    /// Where the policy of an earlier epoch is kept, for documents that nobody rewrote: `NAME.e1.upolicy`.
    pub(in crate::operation) fn epoch_path(path: &Path, epoch: u32) -> PathBuf {
        let mut name: OsString = path.file_stem().unwrap_or_default().to_owned();
        name.push(format!(".e{epoch}.upolicy"));
        path.with_file_name(name)
    }

    /// Whether it is a file that a rotation kept.
    pub fn is_of_earlier_epoch(&self) -> bool {
        let end = format!(".e{}.upolicy", self.policy.epoch);
        self.path.file_name().is_some_and(|name| name.to_string_lossy().ends_with(&end))
    }

    /// Which file may open a data key that was born in an epoch and that this policy does not open: one of those of this policy beside it, whatever
    /// they are called. Those that do open it, as far as `opens` can tell, come first, and none is left out; of the others, only those that were in
    /// force between the epoch and this one.
    pub fn way_out(&self, born: u32, opens: impl Fn(&Policy) -> bool) -> Option<String> {
        const NAMED: usize = 10;
        let now = self.policy.epoch;
        let mut there: Vec<(PathBuf, Policy)> = policies_beside(&self.path)
            .filter(|(_, other)| other.id == self.policy.id && *other != self.policy && other.epoch >= born)
            .collect();
        // The latest first. A copy of one under another name opens as much as that.
        there.sort_by(|(left, one), (right, other)| other.epoch.cmp(&one.epoch).then_with(|| left.cmp(right)));
        let (open, others): (Vec<_>, Vec<_>) = there.iter().partition(|(_, policy)| opens(policy));
        if born > now && open.is_empty() {
            return Some(format!(
                "this policy file is at epoch {now}: take that of epoch {born} or later from the holders, if they have one"
            ));
        }
        // Spelled as the policy is.
        let shown =
            |path: &PathBuf| self.path.with_file_name(path.file_name().unwrap_or_default()).display().to_string();
        // What nobody here can try, such as a later policy that somebody put there, is not recommended.
        let others = others.into_iter().filter(|(_, policy)| policy.epoch < now);
        let mut names: Vec<String> = open.into_iter().chain(others).map(|(path, _)| shown(path)).collect();
        if names.len() > NAMED {
            // The oldest is what a document needs that no rotation named.
            let (last, more) = (names.pop().unwrap_or_default(), names.len() - (NAMED - 1));
            names.truncate(NAMED - 1);
            names.push(format!("one of the {more} of epochs between, or {last}"));
        }
        let files = names.join(" or ");
        match (born < now, names.is_empty()) {
            (false, true) => None,
            (_, false) if born > now => {
                Some(format!("this policy file is at epoch {now}: take that of epoch {born} or later, {files}"))
            }
            (_, false) => Some(format!(
                "if the document was left out of a rotation, open it with {files} and the holders of that time"
            )),
            (true, true) => Some(format!(
                "if the document was left out of a rotation, the policy of epoch {born} opens it, which is not beside this one"
            )),
        }
    }

    /// Refuses a policy beside which a file holds a later epoch of it: what is sealed for the old key, holders who left can read. Whether it is
    /// the holders' own, only a log can tell.
    pub(in crate::operation) fn refuse_superseded(&self) -> Result<(), OperationError> {
        let later = policies_beside(&self.path).filter(|(_, other)| self.policy.may_become(other));
        let later = later.map(|(path, other)| (self.is_logged(&other) == Some(true), other.epoch, path));
        match later.max() {
            Some((true, epoch, path)) => Err(OperationError::Superseded { path, epoch }),
            Some((false, epoch, path)) => Err(OperationError::MaySupersede { path, epoch, this: self.path.clone() }),
            None => Ok(()),
        }
    }
}

/// The policies in the directory of a file. One that cannot be listed has none; neither has a file that is no policy.
pub(in crate::operation) fn policies_beside(path: &Path) -> impl Iterator<Item = (PathBuf, Policy)> {
    let entries = fs::read_dir(directory_of(path)).into_iter().flatten().flatten().map(|entry| entry.path());
    let named =
        entries.filter(|path| path.extension().is_some_and(|extension| extension == "upolicy") && path.is_file());
    named.filter_map(|path| policy_at(&path).map(|policy| (path, policy)))
}
