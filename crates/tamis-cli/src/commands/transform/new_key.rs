//! `tamis transform new-key`

use crate::answer::{Answer, CommandResult, sentence};
use crate::commands::spelled;
use crate::shell::Shell;
use rand::TryRng;
use rand::rngs::SysRng;
use serde_json::json;
use std::fs::{self, OpenOptions};
use std::io::{ErrorKind, Write};
use std::path::Path;
use tamis_source::ensure_no_database;
use zeroize::Zeroizing;

/// 256 bits, as long as the hash.
const KEY_BYTES: usize = 32;

/// Writes a key in hexadecimal to a new file that only its owner may read. It never depends on a seed.
pub(super) fn run(path: &Path, shell: &Shell) -> CommandResult {
    ensure_no_database(path)?;
    let mut key = Zeroizing::new([0u8; KEY_BYTES]);
    SysRng
        .try_fill_bytes(&mut *key)
        .map_err(|error| sentence(format!("the system gives no random numbers ({error})")))?;
    // With room for the line break: a text that grows leaves a copy of the key behind.
    let mut text = Zeroizing::new(vec![b'\n'; 2 * KEY_BYTES + 1]);
    base16ct::lower::encode(&*key, &mut text)
        .map_err(|error| sentence(format!("the key cannot be written in hexadecimal ({error})")))?;
    let mut options = OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    {
        use std::os::unix::fs::OpenOptionsExt;
        options.mode(0o600);
    }
    let mut file = options.open(path).map_err(|reason| {
        sentence(match reason.kind() {
            ErrorKind::AlreadyExists => format!(
                "{} is already there and is not overwritten: pseudonyms under a lost key cannot be made again; choose another path",
                path.display()
            ),
            _ => format!("cannot write {}: {reason}", path.display()),
        })
    })?;
    if let Err(reason) = file.write_all(&text).and_then(|()| file.sync_all()) {
        let _ = fs::remove_file(path);
        return Err(sentence(format!("cannot write {}: {reason}", path.display())));
    }
    shell.json(&json!({ "key_file": spelled(path), "bits": 8 * KEY_BYTES }))?;
    shell.say(&format!(
        "a new key of {} bits written to {}; keep it secret, and keep it as long as pseudonyms are to stay the same",
        8 * KEY_BYTES,
        path.display()
    ));
    Ok(Answer::Yes)
}
