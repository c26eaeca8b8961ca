//! What a command says beside its answer.

use crate::answer::CommandError;
use crate::shell::Shell;
use jiff::Timestamp;
use serde::{Serialize, Serializer};
use tamis_ucrypt::operation::PolicyFile;

/// Remarks that stand on standard error and, all of them, in the JSON document of the command.
pub(super) struct Notes<'a> {
    shell: &'a Shell,
    said: Vec<String>,
}

impl<'a> Notes<'a> {
    pub(super) fn new(shell: &'a Shell) -> Self {
        Self { shell, said: Vec::new() }
    }

    /// Prints remarks, and keeps them for the document.
    pub(super) fn say(&mut self, notes: impl IntoIterator<Item = String>) {
        let from = self.said.len();
        self.said.extend(notes);
        self.shell.notes(&self.said[from..]);
    }

    /// Says that the clock was set back, if it was, and what there is to know about the policy file.
    pub(super) fn say_state(&mut self, file: &PolicyFile) -> Result<(), CommandError> {
        let trusted = file.now(Timestamp::now())?;
        let said =
            || format!("the clock stands before the last entry of the log; expiry is judged by {:.0}", trusted.now);
        self.say(file.remarks().into_iter().chain(trusted.set_back.then(said)));
        Ok(())
    }
}

impl Serialize for Notes<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.said.serialize(serializer)
    }
}
