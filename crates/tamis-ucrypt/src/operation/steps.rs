//! What remains to be done once everything is written: giving names, one after the other.

use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use super::OperationError;
use super::of_file::OfFile as _;
use super::place::{Draft, Readers, sync_directory, target};

/// One change of a directory: done or not done, whatever happens meanwhile.
enum Step {
    Name { file: Draft, target: PathBuf },
    Rename { from: PathBuf, target: PathBuf },
    Create { file: Draft, target: PathBuf },
    Remove(PathBuf),
}

/// Changes of directories in the order in which they are safe.
#[derive(Default)]
pub(super) struct Steps(Vec<Step>);

impl Steps {
    /// A file that is finished takes its name.
    pub(super) fn name(&mut self, file: Draft, path: &Path) {
        self.0.push(Step::Name { file, target: target(path) });
    }

    /// A file of this content takes its name.
    pub(super) fn write(&mut self, path: &Path, readers: Readers, content: &[u8]) -> Result<(), OperationError> {
        // Through a link that somebody put there, a secret would end elsewhere.
        let target = if readers == Readers::Owner { path.to_owned() } else { target(path) };
        let file = Draft::written(&target, readers, content)?;
        self.0.push(Step::Name { file, target });
        Ok(())
    }

    /// A file that stands under another name by then takes its own.
    pub(super) fn rename(&mut self, from: &Path, path: &Path) {
        self.0.push(Step::Rename { from: from.to_owned(), target: path.to_owned() });
    }

    /// A file of this content takes a name that nothing has, even at that moment.
    pub(super) fn create(&mut self, path: &Path, readers: Readers, content: &[u8]) -> Result<(), OperationError> {
        let file = Draft::written(path, readers, content)?;
        self.0.push(Step::Create { file, target: path.to_owned() });
        Ok(())
    }

    /// A file goes, if it is there.
    pub(super) fn remove(&mut self, path: &Path) {
        self.0.push(Step::Remove(path.to_owned()));
    }

    /// Those of another list after these.
    pub(super) fn append(&mut self, mut others: Self) {
        self.0.append(&mut others.0);
    }

    /// How many there are.
    #[cfg(test)]
    pub(super) fn len(&self) -> usize {
        self.0.len()
    }

    /// Does all of them.
    pub(super) fn run(self) -> Result<(), OperationError> {
        self.run_first(usize::MAX)
    }

    /// Does the first so many, as a crash would.
    pub(super) fn run_first(self, count: usize) -> Result<(), OperationError> {
        for step in self.0.into_iter().take(count) {
            match step {
                Step::Name { file, target } => file.name(&target)?,
                Step::Rename { from, target } => {
                    fs::rename(&from, &target).of(&target)?;
                    sync_directory(&target);
                }
                Step::Create { file, target } => file.name_new(&target)?,
                Step::Remove(path) => {
                    match fs::remove_file(&path) {
                        Err(error) if error.kind() == ErrorKind::NotFound => {}
                        done => done.of(&path)?,
                    }
                    sync_directory(&path);
                }
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_appears_meanwhile_is_not_replaced() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("p.upolicy");
        let mut steps = Steps::default();
        steps.create(&path, Readers::Usual, b"late").unwrap();
        fs::write(&path, "early").unwrap();
        assert!(matches!(steps.run(), Err(OperationError::Exists(there)) if there == path));
        assert_eq!(fs::read_to_string(&path).unwrap(), "early");
        assert_eq!(fs::read_dir(directory.path()).unwrap().count(), 1);
    }
}
