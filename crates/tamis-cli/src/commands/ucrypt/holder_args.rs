//! The holders who take part: keys, share files, words from paper.

use super::passphrases::{PassphraseArgs, Passphrases};
use super::words::small_file;
use crate::answer::{CommandError, sentence};
use clap::Args;
use std::path::{Path, PathBuf};
use tamis_ucrypt::key::{BareShare, HolderSecret, KeyError, ShareError, ShareLabel, ShareRefusal};
use tamis_ucrypt::policy::{Offer, Policy};

#[derive(Debug, Args)]
pub(super) struct HolderArgs {
    /// A holder who takes part: the key (.ukey) or the share (.ushare); repeat for each
    #[arg(long = "with", value_name = "HOLDER.ukey|HOLDER.ushare")]
    with: Vec<PathBuf>,
    /// A holder who takes part with the 24 words of a paper, in a file; repeat for each
    #[arg(long = "words-file", value_name = "HOLDER=FILE")]
    words: Vec<String>,
    #[command(flatten)]
    passphrases: PassphraseArgs,
}

/// What the holders bring.
#[derive(Default)]
pub(super) struct Brought {
    keys: Vec<HolderSecret>,
    shares: Vec<BareShare>,
    /// Shares that could not be read.
    pub(super) unread: Vec<ShareError>,
}

impl HolderArgs {
    /// The files of keys, shares, words and passphrases, which no output may replace.
    pub(super) fn files(&self) -> impl Iterator<Item = &Path> {
        let words = self.words.iter().filter_map(|words| words.split_once('=')).map(|(_, path)| Path::new(path));
        self.with.iter().map(PathBuf::as_path).chain(words).chain(self.passphrases.files())
    }

    /// Reads what the holders bring; a share that cannot be read is refused.
    pub(super) fn read(&self, policy: &Policy) -> Result<Brought, CommandError> {
        let mut brought = self.read_all(policy)?;
        if brought.unread.is_empty() { Ok(brought) } else { Err(brought.unread.swap_remove(0).into()) }
    }

    /// Reads what the holders bring, and remembers what cannot be read.
    pub(super) fn read_all(&self, policy: &Policy) -> Result<Brought, CommandError> {
        let mut brought = Brought::default();
        let passphrases = self.passphrases.read()?;
        for path in &self.with {
            if path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("ushare")) {
                match share(path, &passphrases)? {
                    Ok(share) => brought.shares.push(share),
                    Err(error) => brought.unread.push(error),
                }
            } else {
                brought.keys.push(key(path, &passphrases)?);
            }
        }
        for words in &self.words {
            match words_of(words, policy)? {
                Ok(share) => brought.shares.push(share),
                Err(error) => brought.unread.push(error),
            }
        }
        Ok(brought)
    }

    /// The only key among what was brought, for what a single reader does.
    pub(super) fn only_key(&self) -> Result<HolderSecret, CommandError> {
        match (self.with.as_slice(), self.words.is_empty()) {
            ([path], true) => key(path, &self.passphrases.read()?),
            _ => Err(sentence("one key is needed here: --with READER.ukey")),
        }
    }
}

fn key(path: &Path, passphrases: &Passphrases) -> Result<HolderSecret, CommandError> {
    let text = small_file(path)?;
    let place = |error: KeyError| sentence(format!("{}: {error}", path.display()));
    if !HolderSecret::needs_passphrase(&text) {
        return HolderSecret::from_file(&text, None).map_err(place);
    }
    let needed = if passphrases.is_empty() { KeyError::PassphraseNeeded } else { KeyError::Passphrase };
    passphrases.try_each(
        &path.display().to_string(),
        |passphrase| match HolderSecret::from_file(&text, Some(passphrase)) {
            Ok(key) => Ok(Some(key)),
            Err(KeyError::Passphrase) => Ok(None),
            Err(error) => Err(place(error)),
        },
        || place(needed),
    )
}

fn share(path: &Path, passphrases: &Passphrases) -> Result<Result<BareShare, ShareError>, CommandError> {
    let text = small_file(path)?;
    let stem = path.file_stem().and_then(|stem| stem.to_str()).unwrap_or("unnamed");
    let name = stem.rsplit_once(".g").map_or(stem, |(name, _)| name);
    if !BareShare::needs_passphrase(&text) {
        return Ok(BareShare::from_file(name, &text, None));
    }
    let mut refused = None;
    let opened = passphrases.try_each(
        &path.display().to_string(),
        |passphrase| match BareShare::from_file(name, &text, Some(passphrase)) {
            Err(error) if error.refusal == ShareRefusal::Passphrase => {
                refused = Some(error);
                Ok::<_, CommandError>(None)
            }
            other => Ok(Some(other)),
        },
        || sentence(""),
    );
    Ok(match (opened, refused) {
        (Ok(share), _) => share,
        (Err(_), Some(error)) => Err(error),
        (Err(_), None) => BareShare::from_file(name, &text, None),
    })
}

/// The share of the words in a file, for a holder of the policy.
fn words_of(argument: &str, policy: &Policy) -> Result<Result<BareShare, ShareError>, CommandError> {
    let (holder, path) =
        argument.split_once('=').ok_or_else(|| sentence("--words-file needs HOLDER=FILE, such as doctor=words.txt"))?;
    let words = small_file(Path::new(path))?;
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
