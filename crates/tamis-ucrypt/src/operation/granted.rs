//! Opening what was granted.

use std::collections::BTreeMap;
use std::path::Path;

use jiff::Timestamp;

use super::damage::Damages;
use super::grant::NOT_GIVEN;
use super::headers;
use super::held::Held;
use super::open::refused;
use super::opening::{stays, written};
use super::place::Readers;
use super::rewrite::{Fields, Rewrite};
use super::{Grant, Grants, Kind, Open, Opened, OperationError};
use crate::audit::Action;
use crate::cell::{CellError, MarkerError, Opener, Refusal};
use crate::counted;
use crate::document::{At, Content, Outcome, Place, Treatment};
use crate::policy::Policy;

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
        self.file.refuse_own([(input, self.form), (output, self.form)])?;
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
        let file = self.file.again()?;
        // Holders who open check the policy by its code. A reader has nothing but its public key to tell whose grant this is.
        file.refuse_unmeant(self.fingerprint)?;
        let policy = &file.policy;
        let found = headers::read_sound(input, self.form, &policy.element)?;
        let keys: BTreeMap<_, &Grant> = grants.iter().map(|grant| (grant.place(), grant)).collect();
        let (is_vouched, opener) = (grants.is_vouched, Opener::default());
        let treatment = Granted { policy, keys, is_vouched, opener: &opener, damages: Damages::default() };
        let headers = Some(&found).filter(|found| found.damaged.is_empty() || self.form.kind == Kind::Csv);
        let rewrite = Rewrite { headers, ..Rewrite::new(self.form, Fields::Of(policy), &treatment) };
        let staged = rewrite.stage(input, output, Readers::Owner)?;
        // Where a cell comes from shows to whoever has its data key.
        let mut left = treatment.damages.left(&opener, |_| ());
        left.note_headers(&found.damaged);
        if !grants.is_vouched && left.chosen == 0 {
            return Err(NOT_GIVEN);
        }
        if staged.counts.changed == 0 {
            return Err(match refused(input, left) {
                Some(OperationError::Damaged { path, damage, .. }) if damage.cell.refusal == Refusal::NotAuthentic => {
                    OperationError::Regranted { path, cell: damage.cell }
                }
                Some(error) => error,
                None => OperationError::GrantFitsNothing(input.to_owned()),
            });
        }
        held.confirm()?;
        let cells = counted(staged.counts.changed, "cell", "cells");
        let note = format!("{cells} of {}{}", input.display(), by_grant(grants.reader.as_deref()));
        let has_log = self.file.log.path().exists();
        let logged = has_log.then(|| self.file.append(policy, clock, Action::Open, &[], note));
        staged.steps.run()?;
        let log = logged.and_then(Result::err).map(|error| error.to_string());
        let (epoch, counts) = (policy.epoch, staged.counts);
        Ok(Opened { counts, others: 0, holders: Vec::new(), epoch, kept: Vec::new(), unmet: Vec::new(), left, log })
    }
}

fn by_grant(reader: Option<&str>) -> String {
    reader.map_or_else(|| " by a grant".to_owned(), |reader| format!(" by a grant, for {reader}"))
}

struct Granted<'a> {
    policy: &'a Policy,
    keys: BTreeMap<(&'a str, &'a str, &'a str), &'a Grant>,
    /// Whether the holders gave them. What somebody else wrote is not opened, and a grant of before a rotation is told apart all the same.
    is_vouched: bool,
    /// No data key.
    opener: &'a Opener,
    /// What does not open.
    damages: Damages,
}

impl Granted<'_> {
    fn has(&self, place: Place<'_>) -> bool {
        self.keys.contains_key(&(place.table, place.record, place.field))
    }
}

impl Treatment for Granted<'_> {
    type Refusal = CellError;

    fn passes_statements(&self) -> bool {
        true
    }

    fn needs_keys(&self) -> bool {
        false
    }

    fn field(&self, place: Place<'_>, content: &Content<'_>) -> Result<Outcome, CellError> {
        let Content::Sealed(marker) = content else { return Ok(Outcome::Keep) };
        match self.keys.get(&(place.table, place.record, place.field)) {
            Some(grant) if !self.is_vouched => grant.check(place, marker).map(|()| Outcome::Keep),
            Some(grant) => Ok(written(grant.open(place, marker)?)),
            None => stays(self.policy, self.opener, place, marker),
        }
    }

    fn leaves_damaged(&self, at: At, place: Place<'_>, damage: MarkerError) -> bool {
        self.damages.note_broken(at, place, damage, self.has(place));
        true
    }

    fn leaves_refused(
        &self,
        at: At,
        place: Place<'_>,
        content: &Content<'_>,
        refusal: CellError,
    ) -> Result<(), CellError> {
        self.damages.note_refused(at, content, refusal, self.has(place));
        Ok(())
    }
}
