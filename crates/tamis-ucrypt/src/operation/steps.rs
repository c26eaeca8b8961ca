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

    /// Does all of them or, if one fails, takes away again the new files that those before it made.
    pub(super) fn run_or_undo(self) -> Result<(), OperationError> {
        let mut made = Vec::new();
        for step in self.0 {
            let target = if let Step::Create { target, .. } = &step { Some(target.clone()) } else { None };
            if let Err(error) = step.run() {
                for path in made.iter().rev() {
                    let _ = fs::remove_file(path);
                }
                return Err(error);
            }
            made.extend(target);
        }
        Ok(())
    }

    /// Does the first so many, as a crash would.
    pub(super) fn run_first(self, count: usize) -> Result<(), OperationError> {
        self.0.into_iter().take(count).try_for_each(Step::run)
    }
}

impl Step {
    fn run(self) -> Result<(), OperationError> {
        match self {
            Self::Name { file, target } => file.name(&target),
            Self::Rename { from, target } => {
                fs::rename(&from, &target).of(&target)?;
                sync_directory(&target);
                Ok(())
            }
            Self::Create { file, target } => file.name_new(&target),
            Self::Remove(path) => {
                match fs::remove_file(&path) {
                    Err(error) if error.kind() == ErrorKind::NotFound => {}
                    done => done.of(&path)?,
                }
                sync_directory(&path);
                Ok(())
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_new_files_that_belong_together_none_stays_if_one_cannot_be_made() {
        let directory = tempfile::tempdir().unwrap();
        let [first, last] = ["p.upolicy", "p.uaudit"].map(|name| directory.path().join(name));
        let mut steps = Steps::default();
        steps.create(&first, Readers::Usual, b"policy").unwrap();
        steps.create(&last, Readers::Usual, b"log").unwrap();
        fs::write(&last, "of somebody else").unwrap();
        assert!(steps.run_or_undo().is_err());
        assert!(!first.exists());
        assert_eq!(fs::read_to_string(&last).unwrap(), "of somebody else");
    }

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
