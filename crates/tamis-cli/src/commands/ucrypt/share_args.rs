//! Where shares outside the policy go, and what protects them there.

use super::holder_args::exposed;
use super::notes::Notes;
use super::passphrases::new_passphrase;
use super::small_files::policy_in;
use crate::answer::{CommandError, sentence};
use clap::Args;
use std::path::{Path, PathBuf};
use tamis_ucrypt::key::{Passphrase, Protection};
use tamis_ucrypt::operation::{Outlet, PolicyFile, name_waiting_shares};
use tamis_ucrypt::policy::Member;
use tamis_ucrypt::{directory_of, first_few};

/// Most holders that a message names.
const MOST_NAMED: usize = 10;

#[derive(Debug, Args)]
pub(super) struct ShareArgs {
    /// Where to write the files of shares that are kept outside the policy; beside the policy if left out
    #[arg(long, value_name = "DIRECTORY")]
    shares_to: Option<PathBuf>,
    /// Write those shares as 24 words for a paper instead of under a passphrase
    #[arg(long, conflicts_with_all = ["share_passphrase_file", "paper_for"])]
    paper: bool,
    /// Write the share of this holder as 24 words for a paper, those of others under a passphrase; repeat for each
    #[arg(long, value_name = "NAME")]
    paper_for: Vec<String>,
    /// A file whose first line is the passphrase for those shares, /dev/fd/N for one that is handed over; without it, the terminal
    /// is asked
    #[arg(long, value_name = "FILE")]
    share_passphrase_file: Option<PathBuf>,
}

/// What of it is asked for only if there are such shares.
pub(super) struct ShareOutlet<'a> {
    directory: PathBuf,
    paper: &'a [String],
    passphrase: Option<Passphrase>,
}

impl ShareArgs {
    /// Says that more people than its owner can get at the passphrase of the shares.
    pub(super) fn exposed(&self) -> Option<String> {
        self.share_passphrase_file.as_deref().and_then(exposed)
    }

    /// Where the shares go.
    fn directory(&self, policy: &Path) -> PathBuf {
        self.shares_to.clone().unwrap_or_else(|| directory_of(policy).to_owned())
    }

    /// Locks a policy that is going to be changed, and names the shares of a change that stopped before.
    pub(super) fn lock(&self, policy: &Path, notes: &mut Notes<'_>) -> Result<PolicyFile, CommandError> {
        let file = policy_in(policy, PolicyFile::lock)?;
        let named = name_waiting_shares(&file, &self.directory(&file.path))?;
        let note =
            |path: &PathBuf| format!("{} is from a change that was interrupted: hand it to its holder", path.display());
        notes.say(named.iter().map(note));
        Ok(file)
    }

    pub(super) fn outlet(&self, policy: &Path, members: &[Member]) -> Result<ShareOutlet<'_>, CommandError> {
        let outside: Vec<&str> =
            members.iter().filter(|member| member.recipient.is_none()).map(|member| member.name.as_str()).collect();
        if let Some(name) = self.paper_for.iter().find(|name| !outside.contains(&name.as_str())) {
            let there = if outside.is_empty() {
                "nobody does".to_owned()
            } else {
                format!("{} do", first_few(&outside, MOST_NAMED))
            };
            return Err(sentence(format!(
                "--paper-for {name:?}: no such holder keeps a share outside the policy; {there}"
            )));
        }
        let is_on_paper = |name: &&str| self.paper_for.iter().any(|paper| paper == name);
        let asked: Vec<&str> = outside.into_iter().filter(|name| !is_on_paper(name)).collect();
        let is_asked = !self.paper && !asked.is_empty();
        Ok(ShareOutlet {
            directory: self.directory(policy),
            paper: &self.paper_for,
            passphrase: is_asked
                .then(|| {
                    let options = "--share-passphrase-file, or --paper (of one holder: --paper-for NAME) for words";
                    let what = format!("the shares of {} outside the policy", first_few(&asked, MOST_NAMED));
                    new_passphrase(self.share_passphrase_file.as_deref(), options, &what)
                })
                .transpose()?,
        })
    }
}

impl ShareOutlet<'_> {
    pub(super) fn outlet(&self) -> Outlet<'_> {
        let protection = match &self.passphrase {
            None => Protection::Paper,
            Some(passphrase) => Protection::Mixed { paper: self.paper, passphrase },
        };
        Outlet { directory: &self.directory, protection }
    }
}
