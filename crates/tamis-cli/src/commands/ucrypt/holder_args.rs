//! The holders who take part: keys, share files, words from paper.

use super::passphrases::{PassphraseArgs, Passphrases};
use super::small_files::{is_handed_over, small_text};
use crate::answer::{CommandError, sentence};
use crate::clock::now;
use crate::commands::named_file;
use clap::Args;
use std::borrow::Cow;
use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};
use tamis_ucrypt::key::{BareShare, HolderSecret, KeyError, ShareError, ShareLabel, ShareRefusal, check_holder_name};
use tamis_ucrypt::operation::PolicyFile;
use tamis_ucrypt::policy::{Offer, Policy};

#[derive(Debug, Args)]
pub(super) struct HolderArgs {
    /// A holder who takes part: the key (.ukey) or the share (.ushare); repeat for each
    #[arg(long = "with", value_name = "HOLDER.ukey|HOLDER.ushare")]
    with: Vec<PathBuf>,
    /// A holder who takes part with the 24 words of a paper, in a file; repeat for each
    #[arg(long = "words-file", value_name = "HOLDER=FILE")]
    words: Vec<OsString>,
    #[command(flatten)]
    passphrases: PassphraseArgs,
}

/// What the holders bring.
#[derive(Default)]
pub(super) struct Brought {
    keys: Vec<HolderSecret>,
    shares: Vec<BareShare>,
    /// Keys and shares that could not be read.
    pub(super) unread: Vec<ShareError>,
}

impl HolderArgs {
    /// The files of keys, shares, words and passphrases, which no output may replace.
    pub(super) fn files(&self) -> impl Iterator<Item = &Path> {
        let words = self.words.iter().filter_map(|words| named_file(words)).map(|(_, path)| path);
        self.with.iter().map(PathBuf::as_path).chain(words).chain(self.passphrases.files())
    }

    /// Says which of these files more people than their owner can get at, as far as the system tells.
    pub(super) fn exposed(&self) -> Vec<String> {
        self.files().filter_map(exposed).collect()
    }

    /// Whether nobody takes part.
    pub(super) fn is_empty(&self) -> bool {
        self.with.is_empty() && self.words.is_empty()
    }

    /// Reads what the holders bring; a share that cannot be read is refused, and the log says so.
    pub(super) fn read(&self, file: &PolicyFile) -> Result<Brought, CommandError> {
        let mut brought = self.read_all(&file.policy)?;
        if brought.unread.is_empty() {
            return Ok(brought);
        }
        let refused = brought.unread.swap_remove(0);
        file.log_refused(&refused, now()?);
        Err(refused.into())
    }

    /// Reads what the holders bring, and remembers what cannot be read.
    pub(super) fn read_all(&self, policy: &Policy) -> Result<Brought, CommandError> {
        let mut brought = Brought::default();
        let passphrases = self.passphrases.read()?;
        for path in &self.with {
            if path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("ushare")) {
                match share(path, policy, &passphrases)? {
                    Ok(share) => brought.shares.push(share),
                    Err(error) => brought.unread.push(error),
                }
            } else {
                match key(path, Some(policy), &passphrases)? {
                    Ok(key) => brought.keys.push(key),
                    Err(error) => brought.unread.push(error),
                }
            }
        }
        for words in &self.words {
            match words_of(words, policy)? {
                Ok(share) => brought.shares.push(share),
                Err(error) => brought.unread.push(error),
            }
        }
        // Says nothing about the share.
        match brought.unread.iter().find(|error| error.refusal == ShareRefusal::Memory) {
            Some(error) => Err(error.clone().into()),
            None => Ok(brought),
        }
    }

    /// The only key among what was brought, for what a single reader does.
    pub(super) fn only_key(&self) -> Result<HolderSecret, CommandError> {
        match (self.with.as_slice(), self.words.is_empty()) {
            ([path], true) => Ok(key(path, None, &self.passphrases.read()?)??),
            _ => Err(sentence("one key is needed here: --with READER.ukey")),
        }
    }
}

/// Says that a secret is not its owner's alone. A file that is handed over through a descriptor has no permissions that mean anything.
#[cfg(unix)]
pub(super) fn exposed(path: &Path) -> Option<String> {
    use std::os::unix::fs::PermissionsExt as _;
    let there = std::fs::metadata(path).ok().filter(std::fs::Metadata::is_file)?;
    let mode = there.permissions().mode() & 0o777;
    (mode & 0o077 != 0).then(|| {
        let path = path.display();
        format!("{path} is secret, and others than its owner can get at it (mode {mode:o}): chmod 600 {path}, and replace it if somebody may have read it")
    })
}

#[cfg(not(unix))]
pub(super) fn exposed(_: &Path) -> Option<String> {
    None
}

/// Whose key or share a file is, as far as its name says: `HOLDER.ukey`, `HOLDER.ushare`, `HOLDER.g2.ushare`. Where that is no holder, the
/// file is called by its own name.
fn holder_of<'a>(path: &'a Path, policy: Option<&Policy>) -> Cow<'a, str> {
    // The number of a descriptor names nobody.
    if is_handed_over(path) {
        return path.to_string_lossy();
    }
    let Some(stem) = path.file_stem().and_then(|stem| stem.to_str()) else { return path.to_string_lossy() };
    let Some(policy) = policy else { return stem.into() };
    let names = [Some(stem), stem.rsplit_once(".g").map(|(name, _)| name)];
    let known = names.into_iter().flatten().find(|name| policy.holders.iter().any(|holder| holder.name == **name));
    known.map_or_else(|| path.file_name().unwrap_or_default().to_string_lossy(), Cow::from)
}

/// The key in a file. One that is damaged, or that no passphrase opens, is refused in the name of its holder.
fn key(
    path: &Path,
    policy: Option<&Policy>,
    passphrases: &Passphrases,
) -> Result<Result<HolderSecret, ShareError>, CommandError> {
    let refused = |refusal| ShareError { holder: holder_of(path, policy).into_owned(), refusal };
    let text = match small_text(path)? {
        Ok(text) => text,
        Err(reason) => return Ok(Err(refused(ShareRefusal::Corrupted(reason)))),
    };
    let settled = |read: Result<HolderSecret, KeyError>| {
        read.map_err(|error| match error {
            KeyError::Memory => refused(ShareRefusal::Memory),
            KeyError::SecretFile(reason) => refused(ShareRefusal::Corrupted(reason)),
            KeyError::OtherFile(reason) => refused(ShareRefusal::OtherFile(reason)),
            _ => refused(ShareRefusal::Corrupted("its name is none of a holder")),
        })
    };
    if !HolderSecret::needs_passphrase(&text) {
        return Ok(settled(HolderSecret::from_file(&text, None)));
    }
    if HolderSecret::is_grant(&text) {
        return Err(sentence(format!("{}: this is a grant: give it with --granted", path.display())));
    }
    let mut is_tried = false;
    let opened = passphrases.try_each(&path.display().to_string(), |passphrase| {
        is_tried = true;
        match HolderSecret::from_file(&text, Some(passphrase)) {
            Err(KeyError::Passphrase) => None,
            read => Some(settled(read)),
        }
    })?;
    match opened {
        Some(key) => Ok(key),
        None if is_tried => Ok(Err(refused(ShareRefusal::Passphrase))),
        None => Err(passphrase_needed(path)),
    }
}

fn share(
    path: &Path,
    policy: &Policy,
    passphrases: &Passphrases,
) -> Result<Result<BareShare, ShareError>, CommandError> {
    let name = &holder_of(path, Some(policy));
    let text = match small_text(path)? {
        Ok(text) => text,
        Err(reason) => return Ok(Err(corrupted(name, reason))),
    };
    if !BareShare::needs_passphrase(&text) {
        return Ok(BareShare::from_file(name, &text, None));
    }
    let mut refused = None;
    let opened = passphrases.try_each(&path.display().to_string(), |passphrase| {
        match BareShare::from_file(name, &text, Some(passphrase)) {
            Err(error) if error.refusal == ShareRefusal::Passphrase => {
                refused = Some(error);
                None
            }
            read => Some(read),
        }
    })?;
    match (opened, refused) {
        (Some(share), _) => Ok(share),
        (None, Some(error)) => Ok(Err(error)),
        (None, None) => Err(passphrase_needed(path)),
    }
}

/// What is no share.
fn corrupted(holder: &str, reason: &'static str) -> ShareError {
    ShareError { holder: holder.to_owned(), refusal: ShareRefusal::Corrupted(reason) }
}

/// Nobody is there to be asked, which says nothing about the key or share.
fn passphrase_needed(path: &Path) -> CommandError {
    sentence(format!(
        "{}: it is protected by a passphrase, and none was given: give --passphrase-file, or run the command at a terminal",
        path.display()
    ))
}

/// The share of the words in a file, for a holder of the policy.
fn words_of(argument: &OsStr, policy: &Policy) -> Result<Result<BareShare, ShareError>, CommandError> {
    let (holder, path) =
        named_file(argument).ok_or_else(|| sentence("--words-file needs HOLDER=FILE, such as doctor=words.txt"))?;
    // It could be what belongs into the file, so it is not repeated.
    check_holder_name(holder)
        .map_err(|_| sentence("--words-file needs HOLDER=FILE, and what stands before = is no name of a holder"))?;
    let words = match small_text(path)? {
        Ok(words) => words,
        Err(reason) => return Ok(Err(corrupted(holder, reason))),
    };
    let known = policy.holders.iter().find(|known| known.name == holder);
    let Some(known) = known else {
        return Ok(Err(ShareError { holder: holder.to_owned(), refusal: ShareRefusal::NotAHolder }));
    };
    let label = ShareLabel { policy: &policy.id, generation: policy.generation };
    Ok(BareShare::from_words(holder, label, known.number, &words))
}

impl Brought {
    /// All of it, for the policy.
    pub(super) fn offers(&self) -> Vec<Offer<'_>> {
        self.keys.iter().map(Offer::Key).chain(self.shares.iter().map(Offer::Share)).collect()
    }
}
