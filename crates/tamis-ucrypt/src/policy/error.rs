//! What can be wrong with a policy, with those who come to open it, and with changes to it.

use crate::exit::Exit;
use crate::key::{KeyError, ShareError};
use crate::{counted, first_few};

/// Why a policy cannot be read, opened or changed.
#[derive(Debug, thiserror::Error)]
pub enum PolicyError {
    /// The file is not TOML, or not that of a policy.
    #[error("this is no policy file: {0}")]
    File(String),
    /// A version of the format that is not known.
    #[error("the policy has version {0} of the format; this program knows version 1")]
    Version(u32),
    /// A value that cannot be.
    #[error("the policy says {key} = {value:?}: {why}")]
    Value {
        /// The key in the file.
        key: &'static str,
        /// What it says.
        value: String,
        /// What is expected.
        why: &'static str,
    },
    /// The number of holders is not the number of holders.
    #[error("the policy says n = {said}, but lists {}", counted(*.listed as u64, "holder", "holders"))]
    Count {
        /// What it says.
        said: usize,
        /// How many it lists.
        listed: usize,
    },
    /// Two of something that must be one.
    #[error("the policy has the {what} {value:?} twice")]
    Doubled {
        /// Of what.
        what: &'static str,
        /// Which one.
        value: String,
    },
    /// A holder's entry is wrong.
    #[error("holder {holder:?} of the policy: {why}")]
    Holder {
        /// The holder.
        holder: String,
        /// What is wrong.
        why: String,
    },
    /// A table's entry is wrong.
    #[error("table {table:?} of the policy: {why}")]
    Table {
        /// The table.
        table: String,
        /// What is wrong.
        why: &'static str,
    },
    /// A holder that is not there.
    #[error("the policy has no holder {name:?}; it has {}", first_few(.known, 10))]
    NoSuchHolder {
        /// Who was meant.
        name: String,
        /// Those that it has.
        known: Vec<String>,
    },
    /// A holder that is there already.
    #[error("the policy has a holder {0:?} already")]
    HolderExists(String),
    /// Too few would be left.
    #[error(
        "without {holder:?} the policy would have {}, fewer than the {threshold} that are needed; set a smaller threshold first, with rotate -p",
        counted(*.left as u64, "holder", "holders")
    )]
    TooFewLeft {
        /// Who would leave.
        holder: String,
        /// How many would stay.
        left: usize,
        /// How many are needed.
        threshold: usize,
    },
    /// A key, a file of one, or a number of holders.
    #[error(transparent)]
    Key(#[from] KeyError),
    /// Too few came.
    #[error(
        "{have} of the {} took part; {}{}",
        counted(*.need as u64, "holder that is needed", "holders that are needed"),
        could_help(.others),
        if *.have == 0 { ": give their keys or shares with --with, or words with --words-file" } else { "" }
    )]
    TooFew {
        /// How many came.
        have: usize,
        /// How many are needed.
        need: usize,
        /// Who could come.
        others: Vec<String>,
    },
    /// One who came has no good share.
    #[error(transparent)]
    Share(#[from] ShareError),
    /// All shares are right, and the policy is not what they were given out for.
    #[error("the policy was edited: {0}; take the file that the holders agreed to")]
    Edited(&'static str),
    /// Counted too far.
    #[error("the policy has been changed more often than can be counted")]
    TooManyChanges,
}

impl PolicyError {
    /// What this failure means to the caller of the program.
    pub fn exit(&self) -> Exit {
        match self {
            Self::TooFew { .. } => Exit::TooFewHolders,
            Self::Share(error) => error.exit(),
            _ => Exit::Input,
        }
    }
}

fn could_help(others: &[String]) -> String {
    const NAMED: usize = 10;
    let quoted: Vec<String> = others.iter().take(NAMED).map(|name| format!("{name:?}")).collect();
    match (quoted.as_slice(), others.len().saturating_sub(NAMED)) {
        ([], _) => "nobody else could help: the shares of all others have expired".to_owned(),
        ([one], _) => format!("{one} could help"),
        ([first @ .., last], 0) => format!("{} or {last} could help", first.join(", ")),
        (all, more) => format!("{} or {more} more could help", all.join(", ")),
    }
}
