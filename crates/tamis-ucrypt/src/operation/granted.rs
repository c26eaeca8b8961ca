//! Opening what was granted.

use std::collections::BTreeMap;
use std::path::Path;

use jiff::Timestamp;

use super::headers;
use super::held::Held;
use super::opening::written;
use super::place::Readers;
use super::rewrite::{Fields, Rewrite};
use super::{Grant, Grants, Open, Opened, OperationError};
use crate::audit::Action;
use crate::cell::{CellError, Refusal};
use crate::counted;
use crate::document::{Content, Outcome, Place, Treatment};

impl Open<'_> {
    /// Opens the cells that a grant holds the keys of. Needs no holder; every other cell stays as it is. A log that is there gets a line; a
    /// reader need not have it.
    pub fn run_granted(
        &self,
        grants: &Grants,
        input: &Path,
        output: &Path,
        clock: Timestamp,
    ) -> Result<Opened, OperationError> {
        let opened = self.open_granted(grants, input, output, clock);
        if let Err(error) = &opened {
            self.log_refused_grant(&format!("{}: {error}", input.display()), grants.reader.as_deref(), clock);
        }
        opened
    }

    /// Writes into a log that is there that a grant opened nothing, and why.
    pub fn log_refused_grant(&self, why: &str, reader: Option<&str>, clock: Timestamp) {
        if self.file.log.path().exists() {
            let note = format!("nothing of {why};{}", by_grant(reader));
            // Where the log cannot be written, the refusal is still what must be said.
            let _ = self.file.append(&self.file.policy, clock, Action::Refuse, &[], note);
        }
    }

    fn open_granted(
        &self,
        grants: &Grants,
        input: &Path,
        output: &Path,
        clock: Timestamp,
    ) -> Result<Opened, OperationError> {
        let mut held = Held::to_write(input, self.form, output)?;
        let policy = &self.file.again()?.policy;
        let found = headers::read(input, self.form, &policy.element)?;
        let keys: BTreeMap<_, &Grant> = grants.iter().map(|grant| (grant.place(), grant)).collect();
        let treatment = Granted { keys };
        let rewrite = Rewrite { headers: Some(&found), ..Rewrite::new(self.form, Fields::Of(policy), &treatment) };
        let staged = rewrite.stage(input, output, Readers::Owner).map_err(|error| match error {
            OperationError::Cell { path, cell } if cell.refusal == Refusal::NotAuthentic => {
                OperationError::Regranted { path, cell }
            }
            error => error,
        })?;
        if staged.counts.changed == 0 {
            return Err(OperationError::GrantFitsNothing(input.to_owned()));
        }
        held.confirm()?;
        let cells = counted(staged.counts.changed, "cell", "cells");
        let note = format!("{cells} of {}{}", input.display(), by_grant(grants.reader.as_deref()));
        let has_log = self.file.log.path().exists();
        let logged = has_log.then(|| self.file.append(policy, clock, Action::Open, &[], note));
        staged.steps.run()?;
        let log = logged.and_then(Result::err).map(|error| error.to_string());
        let (epoch, counts) = (policy.epoch, staged.counts);
        Ok(Opened { counts, others: 0, holders: Vec::new(), epoch, kept: Vec::new(), unmet: Vec::new(), log })
    }
}

fn by_grant(reader: Option<&str>) -> String {
    reader.map_or_else(|| " by a grant".to_owned(), |reader| format!(" by a grant, for {reader}"))
}

struct Granted<'a> {
    keys: BTreeMap<(&'a str, &'a str, &'a str), &'a Grant>,
}

impl Treatment for Granted<'_> {
    type Refusal = CellError;

    fn field(&self, place: Place<'_>, content: &Content<'_>) -> Result<Outcome, CellError> {
        let Content::Sealed(marker) = content else { return Ok(Outcome::Keep) };
        match self.keys.get(&(place.table, place.record, place.field)) {
            Some(grant) => Ok(written(grant.key.open(place, marker)?)),
            None => Ok(Outcome::Keep),
        }
    }
}
