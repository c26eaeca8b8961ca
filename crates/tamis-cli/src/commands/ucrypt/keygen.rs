//! `tamis ucrypt keygen`: the key of a holder.

use super::holder_args::exposed;
use super::passphrases::new_passphrase;
use crate::answer::{Answer, CommandResult, sentence};
use crate::commands::spelled;
use crate::shell::Shell;
use clap::Args;
use serde_json::json;
use std::path::PathBuf;
use tamis_ucrypt::key::{HolderSecret, NotAfter};
use tamis_ucrypt::operation::write_new_holder;

#[derive(Debug, Args)]
pub(crate) struct KeygenArgs {
    /// The name of the holder, and of the two files. A key is never replaced: for a second one, use another name or --directory
    name: String,
    /// Until when the holder takes part: a date, to its end in UTC, or a time like 2030-12-31T18:00:00Z
    #[arg(long, value_name = "TIME")]
    not_after: Option<NotAfter>,
    /// Where to write the two files: a directory that exists
    #[arg(long, value_name = "DIRECTORY", default_value = ".")]
    directory: PathBuf,
    /// Protect the secret key with a passphrase, asked for at the terminal
    #[arg(long)]
    passphrase: bool,
    /// The same with the first line of this file, /dev/fd/N for one that is handed over
    #[arg(long, value_name = "FILE")]
    passphrase_file: Option<PathBuf>,
}

pub(crate) fn run(args: &KeygenArgs, shell: &Shell) -> CommandResult {
    let is_file = |ending: &&str| args.name.to_ascii_lowercase().ends_with(*ending);
    if let Some(ending) = [".ukey", ".upub"].into_iter().find(is_file) {
        let name = &args.name[..args.name.len() - ending.len()];
        return Err(sentence(format!("{:?} is the name of a file: give that of the holder, {name:?}", args.name)));
    }
    let key = HolderSecret::generate(&args.name)?;
    let secret = args.directory.join(format!("{}.ukey", args.name));
    let public = args.directory.join(format!("{}.upub", args.name));
    for path in [&secret, &public] {
        if path.exists() {
            return Err(sentence(format!("{} exists already; a key is never replaced", path.display())));
        }
    }
    let is_protected = args.passphrase || args.passphrase_file.is_some();
    let passphrase = is_protected
        .then(|| new_passphrase(args.passphrase_file.as_deref(), "--passphrase-file", &secret.display().to_string()))
        .transpose()?;
    write_new_holder(
        (&secret, &key.to_file(passphrase.as_ref())?),
        (&public, &key.public(args.not_after.clone()).to_file()),
    )?;
    let warning = format!(
        "{} is not protected by a passphrase: whoever has it takes part; --passphrase asks for one",
        secret.display()
    );
    let passphrase_note = args.passphrase_file.as_deref().and_then(exposed);
    let notes: Vec<String> = (!is_protected).then_some(warning).into_iter().chain(passphrase_note).collect();
    shell.notes(&notes);
    shell.say(&format!("{}: keep it secret\n{}: for the owners of policies", secret.display(), public.display()));
    shell.json(&json!({
        "holder": args.name,
        "secret": spelled(secret),
        "public": spelled(public),
        "recipient": key.recipient(),
        "not_after": args.not_after,
        "protected": is_protected,
        "notes": notes,
    }))?;
    Ok(Answer::Yes)
}
