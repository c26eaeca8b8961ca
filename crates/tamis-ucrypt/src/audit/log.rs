//! The file of a log.

use std::fs::{File, OpenOptions};
use std::io::{self, BufReader, Read as _, Seek as _, SeekFrom, Write as _};
use std::path::{Path, PathBuf};

use jiff::Timestamp;

use super::chain::LONGEST_LINE;
use super::{AuditError, Checked, Entry, Event, Summary, check};
use crate::directory::followed;

/// How much is read to find the last line: room for one whole line and one that is cut off.
const WINDOW: u64 = 2 * LONGEST_LINE;

/// A log in its file, which need not exist yet.
#[derive(Debug, Clone)]
pub struct Log {
    path: PathBuf,
}

impl Log {
    /// The log in this file.
    pub fn at(path: impl Into<PathBuf>) -> Self {
        Self { path: path.into() }
    }

    /// The log beside a policy: `NAME.uaudit` beside `NAME.upolicy`, also for a link to that.
    pub fn beside(policy: &Path) -> Self {
        Self::at(followed(policy).with_extension("uaudit"))
    }

    /// The file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The last entry, checked in itself; [`Self::check`] checks all.
    pub fn last(&self) -> Result<Option<Entry>, AuditError> {
        match self.open()? {
            None => Ok(None),
            Some(mut file) => self.tail(&mut file).map(|(last, _)| last),
        }
    }

    /// The time to judge expiry by: see [`trusted_now`].
    pub fn trusted_now(&self, clock: Timestamp) -> Result<TrustedNow, AuditError> {
        let last = self.last()?;
        Ok(trusted_now(clock, last.map(|entry| entry.at)))
    }

    /// Appends what happened. Two programs may do so at once; a line that a crash cut off is taken away first.
    pub fn append(&self, clock: Timestamp, event: Event) -> Result<Entry, AuditError> {
        self.refuse_device()?;
        let mut file = OpenOptions::new()
            .read(true)
            .write(true)
            .create(true)
            .truncate(false)
            .open(&self.path)
            .map_err(|error| self.failed(error))?;
        file.lock().map_err(|error| self.failed(error))?;
        let (last, end) = self.tail(&mut file)?;
        let at = trusted_now(clock, last.as_ref().map(|last| last.at)).now;
        let entry = Entry::after(last.as_ref(), at, event);
        let mut line = serde_json::to_vec(&entry).map_err(|error| self.failed(error.into()))?;
        line.push(b'\n');
        let mut write = || {
            file.set_len(end)?;
            file.seek(SeekFrom::Start(end))?;
            file.write_all(&line)?;
            file.sync_all()
        };
        write().map_err(|error| self.failed(error))?;
        Ok(entry)
    }

    /// All entries, each checked against the one before.
    pub fn entries(&self) -> Result<Option<Checked<BufReader<File>>>, AuditError> {
        Ok(self.open()?.map(|file| Checked::new(BufReader::new(file))))
    }

    /// The entries of the last so many bytes of the log, or of all of it if it has no more, each checked against the one before.
    pub fn recent(&self, bytes: u64) -> Result<Option<Checked<BufReader<File>>>, AuditError> {
        let Some(mut file) = self.open()? else { return Ok(None) };
        let length = file.metadata().map_err(|error| self.failed(error))?.len();
        if length <= bytes {
            return Ok(Some(Checked::new(BufReader::new(file))));
        }
        file.seek(SeekFrom::Start(length - bytes)).map_err(|error| self.failed(error))?;
        Checked::rest(BufReader::new(file)).map(Some)
    }

    /// Checks the whole log. One that does not exist is empty.
    pub fn check(&self) -> Result<Summary, AuditError> {
        match self.open()? {
            None => check(io::empty()),
            Some(file) => check(BufReader::new(file)),
        }
    }

    fn open(&self) -> Result<Option<File>, AuditError> {
        self.refuse_device()?;
        match File::open(&self.path) {
            Ok(file) => Ok(Some(file)),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(self.failed(error)),
        }
    }

    /// Refuses what is no file: a pipe could keep the program waiting for ever, and a device could fill its memory.
    fn refuse_device(&self) -> Result<(), AuditError> {
        match std::fs::metadata(&self.path) {
            Ok(there) if !there.is_file() => Err(self.failed(io::Error::other("it is no regular file"))),
            _ => Ok(()),
        }
    }

    /// The last whole line, and where it ends.
    fn tail(&self, file: &mut File) -> Result<(Option<Entry>, u64), AuditError> {
        let length = file.metadata().map_err(|error| self.failed(error))?.len();
        let start = length.saturating_sub(WINDOW);
        let mut bytes = Vec::new();
        file.seek(SeekFrom::Start(start))
            .and_then(|_| file.read_to_end(&mut bytes))
            .map_err(|error| self.failed(error))?;
        let broken = |why: &str| AuditError::Last { path: self.path.clone(), why: why.to_owned() };
        let Some(end) = bytes.iter().rposition(|byte| *byte == b'\n') else {
            return match start {
                0 => Ok((None, 0)),
                _ => Err(broken("it is too long")),
            };
        };
        let begin = bytes[..end].iter().rposition(|byte| *byte == b'\n').map_or(0, |newline| newline + 1);
        let entry: Entry = serde_json::from_slice(&bytes[begin..end]).map_err(|error| broken(&error.to_string()))?;
        if entry.hash != entry.computed_hash() {
            return Err(broken("its hash does not fit it"));
        }
        Ok((Some(entry), start + end as u64 + 1))
    }

    fn failed(&self, source: io::Error) -> AuditError {
        AuditError::File { path: self.path.clone(), source }
    }
}

/// A time, and whether the clock was believed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TrustedNow {
    /// The time to judge by.
    pub now: Timestamp,
    /// Whether the clock stood before the last entry of the log: somebody set it back.
    pub set_back: bool,
}

/// The later of the clock and the last entry of the log: a clock that was set back does not bring an expired share back.
///
/// ```
/// use tamis_ucrypt::audit::trusted_now;
/// let logged = "2031-01-01T00:00:00Z".parse().unwrap();
/// let clock = "2030-06-01T00:00:00Z".parse().unwrap();
/// let trusted = trusted_now(clock, Some(logged));
/// assert_eq!((trusted.now, trusted.set_back), (logged, true));
/// ```
pub fn trusted_now(clock: Timestamp, latest: Option<Timestamp>) -> TrustedNow {
    match latest {
        Some(latest) if latest > clock => TrustedNow { now: latest, set_back: true },
        _ => TrustedNow { now: clock, set_back: false },
    }
}
