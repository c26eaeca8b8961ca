//! What a command says beside its answer.

use crate::answer::{Answer, CommandError};
use crate::clock::now;
use crate::shell::Shell;
use serde::{Serialize, Serializer};
use serde_json::{Value, json};
use tamis_ucrypt::operation::{Damage, Left, PolicyFile};

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

    /// Says which sealed values were left as they are, whether they were asked for or not, and answers whether there are any.
    pub(super) fn say_left(&mut self, left: &Left) -> Answer {
        self.say(left.sentences());
        if left.is_any() { Answer::CellsLeft } else { Answer::Yes }
    }

    /// Says that the clock was set back or runs ahead, as it seems, and what there is to know about the policy file.
    pub(super) fn say_state(&mut self, file: &PolicyFile) -> Result<(), CommandError> {
        let clock = now()?;
        // A log that cannot be read is refused before anything is done.
        file.now(clock)?;
        self.say(file.remarks().into_iter().chain(file.clock_remark(clock)));
        Ok(())
    }
}

impl Serialize for Notes<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.said.serialize(serializer)
    }
}

/// What was left as it is, for the JSON document: how many values, and where the first of them are.
pub(super) fn left_json(left: &Left) -> Value {
    let one = |damage: &Damage| {
        json!({
            "table": damage.cell.table,
            "record": damage.cell.record,
            "field": damage.cell.field,
            "place": damage.at.to_string(),
            "chosen": damage.is_chosen,
            "why": damage.cell.refusal.to_string(),
        })
    };
    left.first.iter().map(one).collect()
}
