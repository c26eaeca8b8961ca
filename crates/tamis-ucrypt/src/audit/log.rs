//! The file of a log.

use std::fs::{File, OpenOptions};
use std::io::{self, BufRead as _, BufReader, Read as _, Seek as _, SeekFrom, Write as _};
use std::path::{Path, PathBuf};

use jiff::{SignedDuration, Timestamp};

use super::chain::{LONGEST_LINE, is_cut_off};
use super::{AuditError, Checked, Entry, Event, Summary, check};
use crate::directory::followed;
use crate::lock::{Access, wait};
use crate::shown::beginning;

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
            Some(mut file) => self.tail(&mut file).map(|tail| tail.last),
        }
    }

    /// The time to judge expiry by: see [`trusted_now`].
    pub fn trusted_now(&self, clock: Timestamp) -> Result<TrustedNow, AuditError> {
        let last = self.last()?;
        let ahead_of = last.as_ref().map(|entry| entry.at).filter(|at| clock.duration_since(*at) > LONG);
        Ok(TrustedNow { ahead_of, ..trusted_now(clock, last.map(|entry| entry.known_time())) })
    }

    /// Refuses the log of another policy, by its first line: somebody may have given it a second name.
    pub fn refuse_other(&self, policy: &str) -> Result<(), AuditError> {
        let Some(file) = self.open()? else { return Ok(()) };
        let mut line = Vec::new();
        let read = BufReader::new(file).take(LONGEST_LINE).read_until(b'\n', &mut line);
        read.map_err(|error| self.failed(error))?;
        match serde_json::from_slice::<Entry>(&line) {
            Ok(first) if first.policy != policy => {
                let (path, found) = (self.path.clone(), beginning(&first.policy));
                Err(AuditError::OtherPolicy { path, found, policy: policy.to_owned() })
            }
            // Whether it is an entry at all, a check of the log tells.
            _ => Ok(()),
        }
    }

    /// The first line of a log that is written with its policy.
    pub fn first_line(clock: Timestamp, event: Event) -> Result<Vec<u8>, AuditError> {
        let counts = event.action.tells_time() && !event.holders.is_empty();
        Entry::after(None, clock, event, counts).to_line()
    }

    /// Appends what happened. Two programs may do so at once; a line that a crash cut off is taken away first.
    pub fn append(&self, clock: Timestamp, event: Event) -> Result<Entry, AuditError> {
        let counts = event.action.tells_time();
        self.append_entry(clock, event, counts)
    }

    /// The same for what anybody may have done, by whatever clock: its time does not count for expiry.
    pub fn append_aside(&self, clock: Timestamp, event: Event) -> Result<Entry, AuditError> {
        self.append_entry(clock, event, false)
    }

    fn append_entry(&self, clock: Timestamp, mut event: Event, counts: bool) -> Result<Entry, AuditError> {
        self.refuse_device()?;
        let mut options = OpenOptions::new();
        options.read(true).write(true).create(true).truncate(false);
        let mut file = self.itself(&mut options).map_err(|error| self.failed(error))?;
        wait(&file, Access::Replace, &self.path).map_err(|error| self.failed(error))?;
        let Tail { last, end, is_open } = self.tail(&mut file)?;
        // Another name of an empty file leads to that as a link would.
        if last.is_none() && has_other_names(&file) {
            return Err(self.failed(io::Error::other(
                "it is empty and has a further name (hard link), under which it may be somebody's: take it away",
            )));
        }
        if file.metadata().map_err(|error| self.failed(error))?.len() > end {
            event.note.push_str(" (a line before this one was cut off, and its rest taken away)");
        }
        let entry = Entry::after(last.as_ref(), clock, event, counts);
        let line = [if is_open { b"\n".as_slice() } else { b"" }, &entry.to_line()?].concat();
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

    /// Refuses a log that is there and has nothing in it.
    pub fn refuse_empty(&self) -> Result<(), AuditError> {
        let Some(file) = self.open()? else { return Ok(()) };
        let length = file.metadata().map_err(|error| self.failed(error))?.len();
        if length == 0 { Err(AuditError::Empty) } else { Ok(()) }
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
        match self.itself(OpenOptions::new().read(true)) {
            Ok(file) => Ok(Some(file)),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(self.failed(error)),
        }
    }

    /// Opens the file, and not what a link in its place leads to.
    fn itself(&self, options: &mut OpenOptions) -> io::Result<File> {
        #[cfg(target_os = "linux")]
        {
            use std::os::unix::fs::OpenOptionsExt as _;
            options.custom_flags(rustix::fs::OFlags::NOFOLLOW.bits().cast_signed());
        }
        options.open(&self.path)
    }

    /// Refuses what is no file: a pipe could keep the program waiting for ever, a device could fill its memory, and through a link that
    /// somebody put there another file would be written.
    fn refuse_device(&self) -> Result<(), AuditError> {
        match std::fs::symlink_metadata(&self.path) {
            Ok(there) if there.is_symlink() => Err(self.failed(io::Error::other(
                "it is a symbolic link, which a log is never read or written through: put the log itself there, or take the link away",
            ))),
            Ok(there) if !there.is_file() => Err(self.failed(io::Error::other("it is no regular file"))),
            _ => Ok(()),
        }
    }

    /// The last whole line, and where it ends.
    fn tail(&self, file: &mut File) -> Result<Tail, AuditError> {
        let length = file.metadata().map_err(|error| self.failed(error))?.len();
        let start = length.saturating_sub(WINDOW);
        let mut bytes = Vec::new();
        file.seek(SeekFrom::Start(start))
            .and_then(|_| file.read_to_end(&mut bytes))
            .map_err(|error| self.failed(error))?;
        let broken = |why: &str| AuditError::Last { path: self.path.clone(), why: why.to_owned() };
        let mut whole = bytes.iter().rposition(|byte| *byte == b'\n').map_or(0, |newline| newline + 1);
        if whole == 0 && start > 0 {
            return Err(broken("it is too long"));
        }
        // A whole entry is not thrown away because its end was lost.
        let is_open = whole < bytes.len() && !is_cut_off(&bytes[whole..]);
        if is_open {
            whole = bytes.len();
        }
        let lines = bytes[..whole].strip_suffix(b"\n").unwrap_or(&bytes[..whole]);
        if whole == 0 {
            return Ok(Tail { last: None, end: 0, is_open });
        }
        let begin = lines.iter().rposition(|byte| *byte == b'\n').map_or(0, |newline| newline + 1);
        let entry: Entry = Entry::from_line(&lines[begin..]).map_err(broken)?;
        if entry.hash != entry.computed_hash() {
            return Err(broken("its hash does not fit it"));
        }
        Ok(Tail { last: Some(entry), end: start + whole as u64, is_open })
    }

    fn failed(&self, source: io::Error) -> AuditError {
        AuditError::File { path: self.path.clone(), source }
    }
}

/// Whether a file has several names, as far as the system tells.
fn has_other_names(file: &File) -> bool {
    #[cfg(unix)]
    {
        use std::os::unix::fs::MetadataExt as _;
        file.metadata().is_ok_and(|metadata| metadata.nlink() > 1)
    }
    #[cfg(not(unix))]
    {
        let _ = file;
        false
    }
}

/// How a log ends.
struct Tail {
    /// The last whole line.
    last: Option<Entry>,
    /// Where it ends; what follows was cut off.
    end: u64,
    /// Whether it lost its end of line.
    is_open: bool,
}

/// How far the clock may be ahead of the last line of a log before that is told: some logs are written rarely.
const LONG: SignedDuration = SignedDuration::from_hours(366 * 24);

/// A time, and whether the clock was believed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TrustedNow {
    /// The time to judge by.
    pub now: Timestamp,
    /// Whether the clock stood before the last entry of the log: somebody set it back.
    pub set_back: bool,
    /// The time of the last line, if the clock is more than a year ahead of it: somebody may have set it forward.
    pub ahead_of: Option<Timestamp>,
}

/// The later of the clock and the time that the log knows ([`Entry::known_time`] of its last line): a clock that was set back does not bring an expired share back.
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
        Some(latest) if latest > clock => TrustedNow { now: latest, set_back: true, ahead_of: None },
        _ => TrustedNow { now: clock, set_back: false, ahead_of: None },
    }
}
