//! `tamis ucrypt`: fields that stay in their document and that only p of n holders open.

mod amend;
mod audit;
mod document_args;
mod filter;
mod holder_args;
mod holders;
mod inspect;
mod keygen;
mod notes;
mod open;
mod passphrases;
mod per_document;
mod policy;
mod rotate;
mod seal;
mod settings;
mod share_args;
mod small_files;
mod verify;

use crate::answer::{CommandResult, sentence};
use crate::shell::Shell;
use clap::{Args, Subcommand};

#[derive(Debug, Args)]
pub(crate) struct UcryptArgs {
    #[command(subcommand)]
    kind: UcryptKind,
    /// Takes the place of the flag of all other commands: what must not be repeatable has no seed to offer
    #[arg(id = "seed", long = "seed", global = true, hide = true, value_name = "N")]
    seed: Option<u64>,
}

#[derive(Debug, Subcommand)]
enum UcryptKind {
    /// Make the key of a holder: NAME.ukey, which is secret, and NAME.upub for the owners of policies
    Keygen(keygen::KeygenArgs),
    /// Write, amend, show or check a policy: how many of which holders open which fields
    Policy(policy::PolicyArgs),
    /// Seal fields of chosen records; needs nobody's secret
    Seal(Box<seal::SealArgs>),
    /// Open sealed fields with enough holders, or hand the keys of single cells to somebody else
    Open(Box<open::OpenArgs>),
    /// Tell what is sealed in a document and who could open it, without any key
    Inspect(Box<inspect::InspectArgs>),
    /// Leave out the records with sealed fields, or all others, without any key
    Filter(Box<filter::FilterArgs>),
    /// Check the shares of holders without opening anything
    Verify(verify::VerifyArgs),
    /// Give one more holder a share; documents stay as they are
    AddHolder(Box<holders::AddHolderArgs>),
    /// Take a holder out of a policy and seal its documents anew
    RemoveHolder(Box<holders::RemoveHolderArgs>),
    /// Give a holder another key, such as for one that was lost; documents stay as they are
    ReplaceKey(Box<holders::ReplaceKeyArgs>),
    /// Share the key of a policy anew among the same holders; documents stay as they are
    Refresh(Box<holders::RefreshArgs>),
    /// Give a policy a new key, and its documents with it
    Rotate(Box<rotate::RotateArgs>),
    /// Show or check the log of a policy
    Audit(audit::AuditArgs),
}

/// Keeps keys and opened values out of what a crash writes to disk, and from other programs of the same user. Where the system refuses,
/// the command goes on: the secrets are as safe as in any other program.
fn leave_no_core() {
    #[cfg(unix)]
    let _ = nix::sys::resource::setrlimit(nix::sys::resource::Resource::RLIMIT_CORE, 0, 0);
    // A limit does not bind cores that go to another program through a pipe.
    #[cfg(target_os = "linux")]
    let _ = nix::sys::prctl::set_dumpable(false);
}

/// Lets a rotation keep as many files open as the system allows: usually a thousand unless a program asks for more. Where the system
/// refuses, fewer documents are rotated at once.
fn open_many_files() {
    #[cfg(unix)]
    {
        use nix::sys::resource::{Resource, getrlimit, setrlimit};
        if let Ok((_, most)) = getrlimit(Resource::RLIMIT_NOFILE) {
            let _ = setrlimit(Resource::RLIMIT_NOFILE, most, most);
        }
    }
}

pub(crate) fn run(args: &UcryptArgs, shell: &Shell) -> CommandResult {
    if args.seed.is_some() || shell.seed.is_some() {
        return Err(sentence("--seed is refused here: keys and nonces that can be repeated protect nothing"));
    }
    leave_no_core();
    open_many_files();
    match &args.kind {
        UcryptKind::Keygen(args) => keygen::run(args, shell),
        UcryptKind::Policy(args) => policy::run(args, shell),
        UcryptKind::Seal(args) => seal::run(args, shell),
        UcryptKind::Open(args) => open::run(args, shell),
        UcryptKind::Inspect(args) => inspect::run(args, shell),
        UcryptKind::Filter(args) => filter::run(args, shell),
        UcryptKind::Verify(args) => verify::run(args, shell),
        UcryptKind::AddHolder(args) => holders::add(args, shell),
        UcryptKind::RemoveHolder(args) => holders::remove(args, shell),
        UcryptKind::ReplaceKey(args) => holders::replace(args, shell),
        UcryptKind::Refresh(args) => holders::refresh(args, shell),
        UcryptKind::Rotate(args) => rotate::run(args, shell),
        UcryptKind::Audit(args) => audit::run(args, shell),
    }
}
