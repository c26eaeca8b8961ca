//! Waiting for a file that another process holds.

use std::fs::{File, TryLockError};
use std::io::{self, ErrorKind};
use std::path::Path;
use std::sync::OnceLock;
use std::thread::sleep;
use std::time::{Duration, Instant};

/// What a command does to a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Access {
    Read,
    Replace,
}

/// How long a file is waited for before that is told.
const QUIET: Duration = Duration::from_secs(1);

static TELL: OnceLock<fn(&Path)> = OnceLock::new();

/// Has `tell` called, once in a process for each file, when another process keeps this one waiting for it for more than a second. Only the first
/// call counts.
pub fn on_waiting(tell: fn(&Path)) {
    // Whoever came first is told.
    let _ = TELL.set(tell);
}

/// Waits until a file is ours. Where locks bind those who do not ask for them, they would keep out our own readers too.
pub(crate) fn wait(file: &File, access: Access, path: &Path) -> io::Result<()> {
    if cfg!(not(unix)) {
        return Ok(());
    }
    let begun = Instant::now();
    let mut pause = Duration::from_millis(1);
    while begun.elapsed() < QUIET {
        let tried = match access {
            Access::Read => file.try_lock_shared(),
            Access::Replace => file.try_lock(),
        };
        match tried {
            Ok(()) => return Ok(()),
            Err(TryLockError::WouldBlock) => {
                sleep(pause);
                pause = (2 * pause).min(Duration::from_millis(50));
            }
            Err(TryLockError::Error(error)) if error.kind() == ErrorKind::Interrupted => {}
            Err(TryLockError::Error(error)) => return unless_unsupported(error),
        }
    }
    if let Some(tell) = TELL.get() {
        tell(path);
    }
    loop {
        let locked = match access {
            Access::Read => file.lock_shared(),
            Access::Replace => file.lock(),
        };
        match locked {
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            Err(error) => return unless_unsupported(error),
            Ok(()) => return Ok(()),
        }
    }
}

/// Some file systems have no locks.
fn unless_unsupported(error: io::Error) -> io::Result<()> {
    if error.kind() == ErrorKind::Unsupported { Ok(()) } else { Err(error) }
}
