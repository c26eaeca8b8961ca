//! `tamis ucrypt verify`: are the shares what was given out?

use super::holder_args::HolderArgs;
use super::notes::Notes;
use super::small_files::policy_in;
use crate::answer::{Answer, CommandResult, sentence};
use crate::clock::now;
use crate::shell::Shell;
use crate::text_table::TextTable;
use clap::Args;
use serde_json::{Value, json};
use std::path::PathBuf;
use tamis_ucrypt::counted;
use tamis_ucrypt::operation::{PolicyFile, Verdict, verify};

#[derive(Debug, Args)]
pub(crate) struct VerifyArgs {
    /// The policy
    policy: PathBuf,
    #[command(flatten)]
    holders: HolderArgs,
}

pub(crate) fn run(args: &VerifyArgs, shell: &Shell) -> CommandResult {
    if args.holders.is_empty() {
        return Err(sentence("nobody's share is here to be checked: give --with or --words-file"));
    }
    let file = policy_in(&args.policy, PolicyFile::read)?;
    let mut notes = Notes::new(shell);
    notes.say_state(&file)?;
    notes.say(args.holders.exposed());
    let mut brought = args.holders.read_all(&file.policy)?;
    let unread = std::mem::take(&mut brought.unread);
    let verified = verify(&file, &brought.offers(), unread, now()?)?;
    let mut table = TextTable::new(&["holder", "share"]);
    let verdict = |verdict: &Verdict| match verdict {
        Verdict::Good => "good".to_owned(),
        Verdict::Refused(refusal) => format!("refused: {refusal}"),
        Verdict::Absent => "not here".to_owned(),
    };
    for (holder, found) in &verified.holders {
        table.row(vec![holder.clone(), verdict(found)]);
    }
    let policy = match &verified.policy {
        None => {
            let shares = counted(file.policy.threshold as u64, "good share", "good shares");
            format!("the policy itself was not checked: that takes {shares}")
        }
        Some(Ok(())) => "the policy is what its holders agreed to".to_owned(),
        Some(Err(error)) => error.to_string(),
    };
    shell.say(&format!("{}\n\n{policy}", table.render()));
    let holders = verified.holders.iter().map(|(holder, found)| {
        let state = match found {
            Verdict::Good => "good",
            Verdict::Refused(_) => "refused",
            Verdict::Absent => "absent",
        };
        json!({ "name": holder, "share": state, "detail": verdict(found) })
    });
    shell.json(&json!({
        "good": verified.is_good(),
        "policy": file.policy.id,
        "epoch": file.policy.epoch,
        "holders": holders.collect::<Value>(),
        "policy_good": verified.policy.as_ref().map(Result::is_ok),
        "notes": notes,
    }))?;
    let is_refused = verified.holders.iter().any(|(_, found)| matches!(found, Verdict::Refused(_)));
    Ok(if is_refused { Answer::ShareRefused } else { Answer::from_bool(verified.is_good()) })
}
