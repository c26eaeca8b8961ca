//! `tamis ucrypt audit`: who did what under a policy.

use super::holder_args::HolderArgs;
use super::notes::Notes;
use super::small_files::policy_in;
use crate::answer::{Answer, CommandError, CommandResult, sentence};
use crate::shell::Shell;
use clap::{Args, Subcommand};
use serde_json::json;
use std::path::PathBuf;
use tamis_ucrypt::audit::{Disagreement, Entry, Log, clocks, compare, outdated};
use tamis_ucrypt::counted;
use tamis_ucrypt::operation::PolicyFile;

#[derive(Debug, Args)]
pub(crate) struct AuditArgs {
    #[command(subcommand)]
    kind: AuditKind,
}

#[derive(Debug, Subcommand)]
enum AuditKind {
    /// Show the log of a policy, as far as nobody edited it; exit code 1 if somebody did, or if the log is missing
    Show(LogArgs),
    /// Check that nothing in the log was edited, removed or put in, and that it tells of the policy as it is; exit code 1 if not, or
    /// if the log is missing
    Check(CheckArgs),
    /// Put right, with enough holders, the time that expiry is judged by, after a clock ran ahead; the log keeps what was done
    SetClock(SetClockArgs),
}

#[derive(Debug, Args)]
struct SetClockArgs {
    /// The policy
    policy: PathBuf,
    #[command(flatten)]
    holders: HolderArgs,
}

#[derive(Debug, Args)]
struct LogArgs {
    /// The policy, or its log NAME.uaudit
    policy: PathBuf,
}

#[derive(Debug, Args)]
struct CheckArgs {
    #[command(flatten)]
    log: LogArgs,
    /// The hash of a line that was kept elsewhere; it must still be there
    #[arg(long, value_name = "HASH")]
    contains: Option<String>,
}

pub(crate) fn run(args: &AuditArgs, shell: &Shell) -> CommandResult {
    match &args.kind {
        AuditKind::Show(args) => show(args, shell),
        AuditKind::Check(args) => check(args, shell),
        AuditKind::SetClock(args) => set_clock(args, shell),
    }
}

impl LogArgs {
    /// The log, and what to say if it is missing beside its policy.
    fn log(&self) -> Result<(Log, Option<String>), CommandError> {
        // Both names lead to the same log.
        let log = Log::beside(&self.policy);
        std::fs::metadata(&self.policy).map_err(|error| sentence(format!("{}: {error}", self.policy.display())))?;
        // What a link in its place leads to is not the log, whether it is there or not.
        let missing = log.path().symlink_metadata().is_err();
        let is_log = log.path() == self.policy;
        let is_named = self.policy.extension().is_some_and(|extension| extension == "upolicy");
        // Of a policy that is damaged, the log may still be good.
        if !is_log && (missing || !is_named) {
            policy_in(&self.policy, PolicyFile::read)?;
        }
        let said = missing.then(|| format!("{}: the log is missing", log.path().display()));
        Ok((log, said))
    }
}

fn show(args: &LogArgs, shell: &Shell) -> CommandResult {
    let (log, missing) = args.log()?;
    if let Some(missing) = missing {
        shell.say(&missing);
        shell.json(&json!({ "entries": [], "problem": missing, "notes": [] }))?;
        return Ok(Answer::No);
    }
    let mut entries: Vec<Entry> = Vec::new();
    let mut problem = None;
    for entry in log.entries()?.into_iter().flatten() {
        match entry {
            Ok(entry) => {
                shell.say(&entry.to_string());
                entries.push(entry);
            }
            Err(error) => problem = Some(error.to_string()),
        }
    }
    match &problem {
        Some(problem) => shell.say(&format!("{problem}; what follows is not shown")),
        None if entries.is_empty() => shell.say("nothing was logged yet"),
        None => {}
    }
    shell.json(&json!({ "entries": entries, "problem": problem, "notes": [] }))?;
    Ok(Answer::from_bool(problem.is_none()))
}

fn check(args: &CheckArgs, shell: &Shell) -> CommandResult {
    let is_hash = |text: &String| text.len() == 64 && text.bytes().all(|digit| digit.is_ascii_hexdigit());
    if args.contains.as_ref().is_some_and(|text| !is_hash(text)) {
        return Err(sentence(
            "--contains needs the hash of a line: 64 hexadecimal digits, as `last` of an earlier check",
        ));
    }
    let (log, missing) = args.log.log()?;
    let found = log.check();
    let mut problem = missing.or_else(|| found.as_ref().err().map(ToString::to_string));
    let is_log = log.path() == args.log.policy;
    let policy = if is_log { args.log.policy.with_extension("upolicy") } else { args.log.policy.clone() };
    let mut notes = Vec::new();
    if !policy.exists() {
        notes.push(format!("{} is not there to be compared with", policy.display()));
    } else if problem.is_none() {
        let file = policy_in(&policy, PolicyFile::read)?;
        let entries = log.entries()?.into_iter().flatten();
        match compare(entries, &file.policy)? {
            // The log of an earlier epoch begins when somebody uses its policy, which was written under another name.
            Some(Disagreement::NoBeginning) if file.is_of_earlier_epoch() => {
                notes.push("this log was begun when the policy of an earlier epoch was used".to_owned());
            }
            Some(_) if file.is_being_changed() => {
                notes
                    .push("the policy is being changed by another command: check again when that has ended".to_owned());
            }
            found => problem = found.map(|disagreement| disagreement.to_string()),
        }
        let older = outdated(log.entries()?.into_iter().flatten())?;
        notes.extend(older.iter().map(ToString::to_string).chain(file.waiting()));
    }
    if problem.is_none() {
        notes.extend(clocks(log.entries()?.into_iter().flatten())?);
    }
    if let (None, Some(hash)) = (&problem, &args.contains) {
        let mut entries = log.entries()?.into_iter().flatten().flatten();
        if !entries.any(|entry| entry.hash.eq_ignore_ascii_case(hash)) {
            problem = Some("the log does not hold the line with that hash: it was cut off or written anew".to_owned());
        }
    }
    shell.notes(&notes);
    let (entries, last, torn) =
        found.map_or((None, None, false), |summary| (Some(summary.entries), summary.last, summary.torn));
    match &problem {
        Some(problem) => shell.say(problem),
        None => shell.say(&format!(
            "{} edited{}\nlast: {}",
            counted(entries.unwrap_or_default(), "entry, not", "entries, none of them"),
            if torn { "; a last line was cut off while it was written" } else { "" },
            last.as_deref().unwrap_or("-")
        )),
    }
    shell.json(&json!({
        "good": problem.is_none(),
        "problem": problem,
        "count": entries,
        "last": last,
        "torn": torn,
        "notes": notes,
    }))?;
    Ok(Answer::from_bool(problem.is_none()))
}

fn set_clock(args: &SetClockArgs, shell: &Shell) -> CommandResult {
    let file = policy_in(&args.policy, PolicyFile::read)?;
    let mut notes = Notes::new(shell);
    notes.say(file.remarks());
    notes.say(args.holders.exposed());
    let brought = args.holders.read(&file)?;
    let now = crate::clock::now()?;
    let before = file.set_clock(&brought.offers(), now)?;
    match before {
        Some(before) => shell.say(&format!(
            "{}: expiry is judged by the clock again, {now:.0}, instead of by {before:.0}",
            file.log.path().display()
        )),
        None => shell
            .say(&format!("{}: its time is not ahead of the clock; nothing was changed", file.log.path().display())),
    }
    shell.json(&json!({
        "policy": file.policy.id,
        "epoch": file.policy.epoch,
        "before": before,
        "now": before.map(|_| now),
        "notes": notes,
    }))?;
    Ok(Answer::Yes)
}
