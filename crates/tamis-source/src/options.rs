//! What a reader is told about a file beforehand.

use crate::Encoding;
use std::fmt;
use std::io::{self, Read};
use std::sync::Arc;

/// How to read a table; what is `None` is found out by looking at the file.
///
/// ```
/// use tamis_source::{ColumnFilter, ReadOptions, read_table_from};
///
/// let options = ReadOptions {
///     missing: vec![String::new(), "NA".to_owned()],
///     columns: ColumnFilter::Except(vec!["name".to_owned()]),
///     ..ReadOptions::default()
/// };
/// let table = read_table_from("name;age\nAda;36\nBob;NA\n".as_bytes(), "people.csv", &options)?;
/// assert_eq!(table.columns().len(), 1);
/// assert_eq!(table.column("age").map(|age| age.missing().is_some()), Ok(true));
/// # Ok::<(), tamis_source::SourceError>(())
/// ```
#[derive(Debug, Clone)]
pub struct ReadOptions {
    /// What separates fields: an ASCII character.
    pub delimiter: Option<u8>,
    /// What encloses fields that contain delimiters, quotes or line breaks: an ASCII character.
    pub quote: Option<u8>,
    /// How characters are written as bytes.
    pub encoding: Option<Encoding>,
    /// The texts that mean that a value is missing; by default the empty one.
    pub missing: Vec<String>,
    /// Which columns to keep.
    pub columns: ColumnFilter,
    /// Whom to tell how far reading has come.
    pub progress: Option<Progress>,
}

impl Default for ReadOptions {
    fn default() -> Self {
        Self {
            delimiter: None,
            quote: None,
            encoding: None,
            missing: vec![String::new()],
            columns: ColumnFilter::All,
            progress: None,
        }
    }
}

/// Which columns of a file become columns of the table, always in the order of the file.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum ColumnFilter {
    /// Every column.
    #[default]
    All,
    /// The columns with these names.
    Only(Vec<String>),
    /// All but the columns with these names.
    Except(Vec<String>),
}

impl ColumnFilter {
    /// The names mentioned, all of which must exist.
    pub(crate) fn names(&self) -> &[String] {
        match self {
            Self::All => &[],
            Self::Only(names) | Self::Except(names) => names,
        }
    }

    pub(crate) fn keeps(&self, column: &str) -> bool {
        match self {
            Self::All => true,
            Self::Only(names) => names.iter().any(|name| name == column),
            Self::Except(names) => !names.iter().any(|name| name == column),
        }
    }
}

/// A callback that is told the bytes of the file read so far, compressed ones if it is compressed.
///
/// ```
/// use std::sync::atomic::{AtomicU64, Ordering};
/// use std::sync::Arc;
/// use tamis_source::{Progress, ReadOptions, read_table_from};
///
/// let seen = Arc::new(AtomicU64::new(0));
/// let bar = Arc::clone(&seen);
/// let progress = Progress::new(move |bytes| bar.store(bytes, Ordering::Relaxed));
/// let options = ReadOptions { progress: Some(progress), ..ReadOptions::default() };
/// read_table_from("age\n36\n".as_bytes(), "ages.csv", &options)?;
/// assert_eq!(seen.load(Ordering::Relaxed), 7);
/// # Ok::<(), tamis_source::SourceError>(())
/// ```
#[derive(Clone)]
pub struct Progress(Arc<dyn Fn(u64) + Send + Sync>);

impl Progress {
    /// Calls `tell` after every few dozen kilobytes.
    pub fn new(tell: impl Fn(u64) + Send + Sync + 'static) -> Self {
        Self(Arc::new(tell))
    }
}

impl fmt::Debug for Progress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Progress")
    }
}

/// Passes bytes through and reports their number.
pub(crate) struct Watched<R> {
    pub(crate) inner: R,
    pub(crate) progress: Option<Progress>,
    pub(crate) read: u64,
}

impl<R: Read> Read for Watched<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.inner.read(buffer)?;
        self.read += count as u64;
        if let Some(Progress(tell)) = &self.progress {
            tell(self.read);
        }
        Ok(count)
    }
}
