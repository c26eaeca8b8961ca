//! What can be wrong with keys and shares.

use crate::exit::Exit;

/// A key, or a file with one, that cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum KeyError {
    /// A name that cannot be that of a holder.
    #[error(
        "{0:?} cannot be the name of a holder: 1 to 64 letters, digits, spaces or . - _ are expected, no space at either end"
    )]
    HolderName(String),
    /// A text that is no point in time.
    #[error("{0:?} is no date like 2030-12-31 and no time like 2030-12-31T18:00:00Z")]
    NotAfter(String),
    /// A text that is no public key of a holder.
    #[error("{0:?} is no public key of a holder: age1... is expected")]
    Recipient(String),
    /// A file that is no secret key.
    #[error("this is no secret key file of a holder: {0}")]
    SecretFile(&'static str),
    /// A file of something else in the place of a secret key.
    #[error("{0}")]
    OtherFile(&'static str),
    /// A file that is no public key.
    #[error("this is no public key file of a holder: {0}")]
    PublicFile(String),
    /// A secret key file that needs a passphrase.
    #[error("the secret key file is protected by a passphrase, and none was given")]
    PassphraseNeeded,
    /// A passphrase that does not fit.
    #[error("the passphrase does not open the secret key file")]
    Passphrase,
    /// Too little memory for a passphrase.
    #[error("a passphrase takes 256 MB of memory or what its file asks for, and this process may not have as much")]
    Memory,
    /// A text that is no public key of a policy.
    #[error("this is no public key of a policy: 32 bytes in base64 are expected")]
    PolicyPublic,
    /// A wrapped data key that the secret of the policy does not open.
    #[error(
        "data key {kid:?} of policy {policy:?}, epoch {epoch} does not open: it was wrapped for another key of the policy, or its header was edited"
    )]
    DataKey {
        /// The policy.
        policy: String,
        /// The epoch in which the key was born.
        epoch: u32,
        /// The data key.
        kid: String,
    },
    /// A threshold of none.
    #[error("no secret is shared so that 0 holders open it: the threshold must be at least 1")]
    ThresholdZero,
    /// More needed than there are.
    #[error("{threshold} of {holders} can never come together: the threshold is larger than the number of holders")]
    ThresholdAboveHolders {
        /// How many are needed.
        threshold: usize,
        /// How many there are.
        holders: usize,
    },
    /// Nobody.
    #[error("there are no holders")]
    NoHolders,
    /// Too many.
    #[error("{0} holders are too many: a secret is shared among at most 255")]
    TooManyHolders(usize),
    /// A position that two holders have, or that no holder can have.
    #[error("share number {0} is given out twice or is 0")]
    Position(u8),
    /// Something that was encrypted for a holder could not be written.
    #[error("cannot encrypt for a holder: {0}")]
    Encrypt(String),
}

impl KeyError {
    /// What this failure means to the caller of the program.
    pub fn exit(&self) -> Exit {
        Exit::Input
    }
}

/// A share that is refused, and whose it is. Exit code 4.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("the share of {holder:?} is refused: {refusal}")]
pub struct ShareError {
    /// The holder, by the name in the policy if there is one, else by the name on the share or key.
    pub holder: String,
    /// What is wrong.
    pub refusal: ShareRefusal,
}

impl ShareError {
    /// What this failure means to the caller of the program.
    pub fn exit(&self) -> Exit {
        if self.refusal == ShareRefusal::Memory { Exit::Input } else { Exit::ShareRefused }
    }
}

/// What is wrong with a share.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ShareRefusal {
    /// It is not the share that was given out.
    #[error(
        "it is not the share that was given out (it does not fit its commitment); paper words of an earlier generation do not fit any more"
    )]
    Wrong,
    /// It cannot be read.
    #[error("it is corrupted ({0})")]
    Corrupted(&'static str),
    /// What was offered is something else.
    #[error("{0}")]
    OtherFile(&'static str),
    /// It has too few words, or too many.
    #[error("it is corrupted (24 words are expected, and there are {0}; a .ushare file is given with --with)")]
    Words(usize),
    /// One of its words, counted from one, is none.
    #[error("it is corrupted (word {0} is not in the list of BIP-39)")]
    UnknownWord(usize),
    /// It was offered before.
    #[error("it was offered twice")]
    Duplicated,
    /// It belongs to another policy.
    #[error("it belongs to policy {0:?}")]
    Foreign(String),
    /// It was given out before the last change of the shares.
    #[error(
        "it is of generation {share}, and the policy is at generation {policy}; old shares do not open it any more"
    )]
    OldGeneration {
        /// The generation of the share.
        share: u32,
        /// The generation of the policy.
        policy: u32,
    },
    /// It was given out after this policy file was written.
    #[error(
        "it is of generation {share}, but the policy file is only at generation {policy}; take the newer policy file"
    )]
    LaterGeneration {
        /// The generation of the share.
        share: u32,
        /// The generation of the policy.
        policy: u32,
    },
    /// Its time is over.
    #[error("it expired at {0}")]
    Expired(String),
    /// Nobody of that name or key is a holder.
    #[error("the policy has no such holder")]
    NotAHolder,
    /// Somebody of that name is a holder, with another key.
    #[error("a holder of that name has another key in this policy; it may have been replaced, or be a namesake's")]
    OtherKey,
    /// The holder's share is not inside the policy.
    #[error("the policy does not hold it; offer the holder's .ushare file or paper words")]
    KeptBare,
    /// The passphrase does not open it.
    #[error("the passphrase does not open it")]
    Passphrase,
    /// It needs a passphrase.
    #[error("it is protected by a passphrase, and none was given")]
    PassphraseNeeded,
    /// Too little memory for its passphrase; nothing is wrong with the share.
    #[error("its passphrase takes 256 MB of memory or what its file asks for, and this process may not have as much")]
    Memory,
}

impl ShareRefusal {
    pub(crate) fn of(self, holder: &str) -> ShareError {
        ShareError { holder: holder.to_owned(), refusal: self }
    }
}
