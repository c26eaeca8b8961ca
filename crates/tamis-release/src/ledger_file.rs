//! A privacy budget as a file that two processes cannot spend from at once.

use crate::ReleaseError;
use std::fs::{self, File};
use std::io::Write;
use std::path::Path;
use tamis_mechanism::{Ledger, MechanismError, Ratio, Spending};
use tamis_source::AtomicFile;

/// Reads a ledger.
pub fn read_ledger(path: &Path) -> Result<Ledger, ReleaseError> {
    let text = fs::read_to_string(path)
        .map_err(|reason| ReleaseError::Setting(format!("cannot read the budget `{}`: {reason}", path.display())))?;
    Ledger::parse(&text).map_err(|error| ReleaseError::Setting(format!("`{}`: {error}", path.display())))
}

/// Where a budget is kept, and what it is created with if it is not there yet.
#[derive(Debug)]
pub struct LedgerFile<'a> {
    /// The file.
    pub path: &'a Path,
    /// The data set whose budget it must be.
    pub data: &'a str,
    /// Total epsilon and delta, if they were given.
    pub total: Option<(Ratio, Ratio)>,
}

impl LedgerFile<'_> {
    /// The budget as it stands, or a new one. Nothing is written.
    pub fn open(&self) -> Result<Ledger, ReleaseError> {
        let name = self.path.display();
        if !self.path.exists() {
            let Some((epsilon, delta)) = self.total else {
                return Err(ReleaseError::Setting(format!(
                    "there is no budget `{name}`; give --total-epsilon to create it, or correct the path"
                )));
            };
            return Ledger::new(self.data, epsilon, delta).map_err(ReleaseError::from);
        }
        let ledger = read_ledger(self.path)?;
        if ledger.data() != self.data {
            return Err(ReleaseError::Setting(format!(
                "`{name}` is the budget of `{}`, not of `{}`; every data set has a budget of its own",
                ledger.data(),
                self.data
            )));
        }
        match self.total {
            Some(total) if total != ledger.total() => {
                let (epsilon, delta) = ledger.total();
                Err(ReleaseError::Setting(format!(
                    "`{name}` has a total of {epsilon} epsilon and {delta} delta, which cannot be changed; leave --total-epsilon and --total-delta out"
                )))
            }
            _ => Ok(ledger),
        }
    }

    /// Spends, and has it on disk before it returns. A refusal is the inner error and leaves the budget as it was.
    ///
    /// The ledger is replaced as a whole, so that the lock is held on a file beside it that stays. Whoever comes second waits, and then
    /// reads what the first has left.
    pub fn spend(&self, spending: Spending) -> Result<Result<Ledger, MechanismError>, ReleaseError> {
        let real = fs::canonicalize(self.path).unwrap_or_else(|_| self.path.to_owned());
        let mut lock_name = real.file_name().unwrap_or_default().to_owned();
        lock_name.push(".lock");
        let lock_path = real.with_file_name(lock_name);
        let lock_error = |reason: std::io::Error| {
            ReleaseError::Setting(format!(
                "cannot lock the budget with `{}`: {reason}; nothing is spent",
                lock_path.display()
            ))
        };
        let lock = File::options().create(true).truncate(false).write(true).open(&lock_path).map_err(lock_error)?;
        lock.lock().map_err(lock_error)?;
        let mut ledger = self.open()?;
        if let Err(refusal) = ledger.spend(spending) {
            return Ok(Err(refusal));
        }
        let mut file = AtomicFile::create(self.path)?;
        file.write_all(ledger.to_text().as_bytes()).map_err(|reason| {
            ReleaseError::Setting(format!("cannot write {}: {reason}; nothing is spent", self.path.display()))
        })?;
        file.commit()?;
        lock.unlock().map_err(lock_error)?;
        Ok(Ok(ledger))
    }
}
