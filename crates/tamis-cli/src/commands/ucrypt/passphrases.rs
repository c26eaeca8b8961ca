//! Passphrases: from files or descriptors, or asked for at the terminal; never from arguments or the environment, which others can see.

use super::small_files::awaited_file;
use crate::answer::{CommandError, sentence};
use clap::Args;
use std::io::IsTerminal;
use std::path::{Path, PathBuf};
use tamis_ucrypt::key::Passphrase;
use zeroize::Zeroizing;

#[derive(Debug, Args)]
pub(super) struct PassphraseArgs {
    /// A file whose first line is a passphrase, /dev/fd/N for one that is handed over; may be repeated, and the one that fits
    /// is taken. Without it, the terminal is asked
    #[arg(long, value_name = "FILE")]
    passphrase_file: Vec<PathBuf>,
}

/// The passphrases that were handed over.
pub(super) struct Passphrases(Vec<Passphrase>);

impl PassphraseArgs {
    /// Reads the passphrases, once for the whole command: what comes through a pipe is gone afterwards.
    pub(super) fn read(&self) -> Result<Passphrases, CommandError> {
        self.passphrase_file.iter().map(|file| first_line(file)).collect::<Result<_, _>>().map(Passphrases)
    }

    /// The files, which no output may replace.
    pub(super) fn files(&self) -> impl Iterator<Item = &Path> {
        self.passphrase_file.iter().map(PathBuf::as_path)
    }
}

impl Passphrases {
    /// Opens something with a passphrase: tries those of the files, or asks. `open` says `None` where a passphrase does not fit, and
    /// so does this where none does.
    pub(super) fn try_each<T>(
        &self,
        what: &str,
        mut open: impl FnMut(&Passphrase) -> Option<T>,
    ) -> Result<Option<T>, CommandError> {
        if self.0.is_empty() && std::io::stdin().is_terminal() {
            return Ok(open(&passphrase(ask(&format!("Passphrase of {what}: "))?)?));
        }
        Ok(self.0.iter().find_map(open))
    }
}

/// A passphrase for something new: the first line of a file, which `option` would name, or asked for twice.
pub(super) fn new_passphrase(file: Option<&Path>, option: &str, what: &str) -> Result<Passphrase, CommandError> {
    if let Some(file) = file {
        return first_line(file);
    }
    if !std::io::stdin().is_terminal() {
        return Err(sentence(format!(
            "a passphrase for {what} is needed: give {option}, or run the command at a terminal"
        )));
    }
    let first = ask(&format!("New passphrase for {what}: "))?;
    if first != ask("The same again: ")? {
        return Err(sentence("the two passphrases differ"));
    }
    passphrase(first)
}

fn ask(question: &str) -> Result<Zeroizing<String>, CommandError> {
    let asked = holding_interrupts(|| rpassword::prompt_password(question).map(Zeroizing::new));
    asked.map_err(|error| sentence(format!("the terminal gives no passphrase: {error}")))
}

/// Ctrl-C at the question ends the program only when the terminal shows again what is typed.
#[cfg(unix)]
fn holding_interrupts<T>(ask: impl FnOnce() -> T) -> T {
    use nix::sys::signal::{SigSet, SigmaskHow, Signal};
    let mut interrupts = SigSet::empty();
    interrupts.add(Signal::SIGINT);
    let before = interrupts.thread_swap_mask(SigmaskHow::SIG_BLOCK);
    let answer = ask();
    if let Ok(before) = before {
        let _ = before.thread_set_mask();
    }
    answer
}

#[cfg(not(unix))]
fn holding_interrupts<T>(ask: impl FnOnce() -> T) -> T {
    ask()
}

fn first_line(file: &Path) -> Result<Passphrase, CommandError> {
    let text = awaited_file(file)?;
    passphrase(Zeroizing::new(text.lines().next().unwrap_or_default().to_owned()))
}

fn passphrase(mut text: Zeroizing<String>) -> Result<Passphrase, CommandError> {
    if text.is_empty() {
        return Err(sentence("an empty passphrase protects nothing"));
    }
    Ok(Passphrase::new(std::mem::take(&mut *text)))
}
