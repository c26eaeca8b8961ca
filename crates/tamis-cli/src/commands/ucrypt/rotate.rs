//! `tamis ucrypt rotate`: a new key.

use super::document_args::Links;
use super::holder_args::HolderArgs;
use super::holders::{replacement, tell, times};
use super::notes::Notes;
use super::per_document::PerDocumentArgs;
use super::policy::{document, warnings, with_shares};
use super::settings::whole_number;
use super::share_args::ShareArgs;
use crate::answer::{Answer, CommandError, CommandResult, sentence};
use crate::clock::now;
use crate::commands::spelled;
use crate::shell::Shell;
use crate::text_table::printable;
use clap::Args;
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::ffi::OsString;
use std::path::PathBuf;
use tamis_ucrypt::audit::Action;
use tamis_ucrypt::operation::{Depth, Form, OperationError, PolicyFile, Rotation, inspect};
use tamis_ucrypt::policy::Member;
use tamis_ucrypt::{counted, first_few};

#[derive(Debug, Args)]
#[group(id = "depth", required = true, multiple = false, args = ["headers", "full"])]
pub(crate) struct RotateArgs {
    /// The policy
    policy: PathBuf,
    /// Every document that is sealed under the policy; they are rewritten in their places
    #[arg(required = true)]
    documents: Vec<PathBuf>,
    /// Wrap the data keys for the new key and leave the cells as they are: fast, but whoever had a data key still has it
    #[arg(long)]
    headers: bool,
    /// Seal every cell anew
    #[arg(long)]
    full: bool,
    /// Put somebody else in the place of a holder, such as the executor in that of the patient; repeat for each
    #[arg(long, value_name = "NAME=NEW.upub")]
    replace: Vec<OsString>,
    /// How many holders are needed from now on; as many as before if left out
    #[arg(long, short = 'p', value_name = "P", value_parser = whole_number)]
    threshold: Option<usize>,
    #[command(flatten)]
    shares: ShareArgs,
    #[command(flatten)]
    holders: HolderArgs,
    #[command(flatten)]
    forms: PerDocumentArgs,
}

pub(crate) fn run(args: &RotateArgs, shell: &Shell) -> CommandResult {
    let mut notes = Notes::new(shell);
    let file = args.shares.lock(&args.policy, &mut notes)?;
    let mut members = file.policy.members();
    let mut gone = Vec::new();
    for text in &args.replace {
        let (name, member) = replacement(text)?;
        if gone.contains(&name) {
            return Err(sentence(format!("--replace puts two others in the place of {name:?}; say which of them")));
        }
        gone.push(name);
        let replaced = file.policy.members_replacing(name, member)?;
        for (member, replaced) in members.iter_mut().zip(replaced) {
            if member.name == name {
                *member = replaced;
            }
        }
    }
    let change = Change {
        file: &file,
        members,
        threshold: args.threshold.unwrap_or(file.policy.threshold),
        depth: if args.full { Depth::Full } else { Depth::Headers },
        action: Action::Rotate,
        documents: &args.documents,
        forms: &args.forms,
        shares: &args.shares,
        holders: &args.holders,
    };
    change.run(notes, shell)
}

/// Of which policies the cells of documents are.
fn of_others(documents: &[(PathBuf, Form)], file: &PolicyFile) -> String {
    const MOST: usize = 5;
    let mut policies = BTreeSet::new();
    for (path, form) in documents {
        // What cannot be read again is left out of the sentence.
        let Ok(found) = inspect(path, form, None, &file.policy.element) else { continue };
        policies.extend(found.headers.iter().map(|header| header.pol().to_owned()));
    }
    let named = first_few(policies.iter().map(|policy| printable(policy)), MOST);
    match policies.len() {
        0 => String::new(),
        1 => format!("; their cells are of policy {named}"),
        _ => format!("; their cells are of the policies {named}"),
    }
}

/// A change of key, for the verbs that make one.
pub(super) struct Change<'a> {
    pub(super) file: &'a PolicyFile,
    pub(super) members: Vec<Member>,
    pub(super) threshold: usize,
    pub(super) depth: Depth,
    pub(super) action: Action,
    pub(super) documents: &'a [PathBuf],
    pub(super) forms: &'a PerDocumentArgs,
    pub(super) shares: &'a ShareArgs,
    pub(super) holders: &'a HolderArgs,
}

impl Change<'_> {
    pub(super) fn run(&self, mut notes: Notes<'_>, shell: &Shell) -> CommandResult {
        let file = self.file;
        notes.say_state(file)?;
        notes.say(self.holders.exposed().into_iter().chain(self.shares.exposed()));
        let brought = self.holders.read(file)?;
        let forms = self.forms.of(self.documents)?;
        let documents =
            self.documents.iter().zip(forms).map(|(path, form)| Ok((path.clone(), form.form(path, shell)?)));
        let documents = documents.collect::<Result<Vec<_>, CommandError>>()?;
        let outlet = self.shares.outlet(&file.path, &self.members)?;
        let rotation = Rotation {
            file,
            members: &self.members,
            threshold: self.threshold,
            depth: self.depth,
            action: self.action,
            outlet: outlet.outlet(),
        };
        let links = self.documents.iter().filter_map(|path| Links::of(path, "is what it was before"));
        let links: Vec<Links> = links.collect();
        let rotated = rotation.run(&brought.offers(), &documents, now()?).map_err(|error| match error {
            OperationError::NothingToRotate => sentence(format!("{error}{}", of_others(&documents, file))),
            error => error.into(),
        })?;
        notes.say([format!(
            "documents that were not named open only with {}, by the holders of that time",
            rotated.kept.display()
        )]);
        if rotated.policy.threshold != file.policy.threshold {
            let (before, now) = (file.policy.threshold, rotated.policy.threshold);
            let now = counted(now as u64, "holder is", "holders are");
            notes.say([format!("from now on {now} needed instead of {before}")]);
        }
        notes.say(times(&file.policy, &rotated.policy));
        if rotated.is_resumed {
            notes.say(["this finished a change that was interrupted".to_owned()]);
        }
        let untouched = rotated.untouched.iter();
        notes.say(untouched.map(|path| format!("{}: nothing in it is sealed under this policy", path.display())));
        notes.say(links.into_iter().filter_map(Links::told));
        if self.depth == Depth::Headers {
            notes
                .say(["the cells stay as they are: whoever had a data key, or a copy of a document, still opens them"
                    .to_owned()]);
        }
        notes.say(warnings(&rotated.policy)?);
        for (path, counts) in &rotated.documents {
            let what = match self.depth {
                Depth::Full => format!("{} sealed anew", counted(counts.changed, "field", "fields")),
                Depth::Headers => "its data keys are wrapped for the new key".to_owned(),
            };
            shell.say(&format!("{}: {what}", path.display()));
        }
        tell(&file.path, &rotated.policy, &rotated.shares, shell);
        let mut told = with_shares(document(&rotated.policy), &rotated.shares);
        let done = rotated
            .documents
            .iter()
            .map(|(path, counts)| json!({ "document": spelled(path), "resealed": counts.changed }));
        told["documents"] = done.collect::<Value>();
        told["old_policy"] = json!(spelled(&rotated.kept));
        told["resumed"] = json!(rotated.is_resumed);
        told["notes"] = json!(notes);
        shell.json(&told)?;
        Ok(Answer::Yes)
    }
}
