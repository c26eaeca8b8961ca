//! How far a long reading has come.

use std::fmt;
use std::io::{self, Read};
use std::sync::Arc;

/// Is told how many bytes of a document were read so far. A document that is read twice begins again at 0.
#[derive(Clone)]
pub struct Progress(Arc<dyn Fn(u64) + Send + Sync>);

impl Progress {
    /// Calls `tell` after every read.
    pub fn new(tell: impl Fn(u64) + Send + Sync + 'static) -> Self {
        Self(Arc::new(tell))
    }

    /// A reader that tells about itself, if anybody wants to know.
    pub(super) fn watch<R>(progress: Option<&Self>, inner: R) -> Watched<R> {
        Watched { inner, progress: progress.cloned(), read: 0 }
    }
}

impl fmt::Debug for Progress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Progress")
    }
}

/// Passes bytes through and tells their number.
pub(super) struct Watched<R> {
    inner: R,
    progress: Option<Progress>,
    read: u64,
}

impl<R: Read> Read for Watched<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.inner.read(buffer)?;
        if let Some(Progress(tell)) = &self.progress {
            self.read += count as u64;
            tell(self.read);
        }
        Ok(count)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Mutex;

    #[test]
    fn every_byte_is_told_once() {
        let told = Arc::new(Mutex::new(Vec::new()));
        let heard = Arc::clone(&told);
        let progress = Progress::new(move |bytes| heard.lock().unwrap().push(bytes));
        let mut reader = Progress::watch(Some(&progress), [7; 10].as_slice());
        let mut buffer = [0; 4];
        while reader.read(&mut buffer).unwrap() > 0 {}
        assert_eq!(*told.lock().unwrap(), [4, 8, 10, 10]);
    }
}
