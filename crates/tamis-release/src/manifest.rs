//! The manifest: what was done to which file, so that it can be verified and replayed.

use crate::sources::Files;
use crate::{HierarchySource, Input, Outcome, Policy, Prepared, ReleaseError, Role, Secret, Solved, Sources, Written};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, Read, Write as _};
use std::path::{Path, PathBuf};
use tamis_source::{AtomicFile, ColumnFilter, Encoding, SourceError};
use tamis_table::{Builder, HierarchyRow, Table};

/// A manifest file. It holds the seed of the shuffle and belongs to the steward, not to the release.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Manifest {
    /// The version of Tamis that made the release.
    pub tamis: String,
    /// The policy, verbatim.
    pub policy: String,
    /// The share of rows that could be suppressed, where the command line set another than the policy.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub suppression_limit: Option<f64>,
    /// The directory that the policy's paths are relative to, as seen from the manifest.
    pub base: PathBuf,
    /// The file that was released.
    pub input: FileFacts,
    /// The release; its first table where steps make several.
    pub output: Option<FileFacts>,
    /// The other tables of the release.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub other_outputs: Vec<FileFacts>,
    /// What was done.
    pub recoding: RecodingFacts,
    /// The figures.
    pub outcome: Outcome,
}

/// A file at the time of the release.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct FileFacts {
    /// Where it was: as in the policy for the input, as seen from the manifest for the output.
    pub path: PathBuf,
    /// Its SHA-256.
    pub sha256: String,
    /// Its rows.
    pub rows: u64,
}

/// How the table was recoded.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct RecodingFacts {
    /// The level of each quasi-identifier.
    pub levels: BTreeMap<String, usize>,
    /// The seed of the shuffle, if the rows were shuffled.
    pub seed: Option<u64>,
    /// Where everything else that is random came from, if anything was.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub secret: Option<Secret>,
    /// The hierarchies as they were, with what builders built from the data.
    pub hierarchies: BTreeMap<String, Vec<Vec<String>>>,
}

impl Manifest {
    /// Takes down a release.
    pub fn of(
        path: &Path,
        (policy, policy_text): (&Policy, &str),
        files: &Files,
        (prepared, solved): (&Prepared, &Solved),
        output: Option<&Written>,
    ) -> Result<Self, ReleaseError> {
        let directory = path.parent().unwrap_or(Path::new(""));
        let input = files.resolve(&policy.input.path);
        let mut outcome = solved.outcome.clone();
        // The time it took is no property of the release; without it the same release gives the same manifest.
        outcome.search.seconds = 0.0;
        let facts = |(path, rows): &(PathBuf, u64)| {
            Ok::<_, ReleaseError>(FileFacts { path: relative(directory, path), sha256: sha256_of(path)?, rows: *rows })
        };
        let mut outputs =
            output.iter().flat_map(|written| &written.files).map(facts).collect::<Result<Vec<_>, _>>()?.into_iter();
        Ok(Self {
            tamis: env!("CARGO_PKG_VERSION").to_owned(),
            policy: policy_text.to_owned(),
            suppression_limit: None,
            base: relative(directory, &files.base),
            input: FileFacts {
                sha256: sha256_of(&input)?,
                path: PathBuf::from(&policy.input.path),
                rows: prepared.input_rows,
            },
            output: outputs.next(),
            other_outputs: outputs.collect(),
            recoding: RecodingFacts {
                levels: outcome.solution.levels.iter().cloned().collect(),
                seed: None,
                secret: policy.is_random().then(|| prepared.secret.clone()),
                hierarchies: stored_hierarchies(policy, prepared),
            },
            outcome,
        })
    }

    /// The manifest with the seed of the shuffle.
    #[must_use]
    pub fn with_seed(mut self, seed: Option<u64>) -> Self {
        self.recoding.seed = seed;
        self
    }

    /// The manifest with the suppression limit that the command line set.
    #[must_use]
    pub fn with_suppression_limit(mut self, limit: Option<f64>) -> Self {
        self.suppression_limit = limit;
        self
    }

    /// Refuses files that a manifest here could not name, as it is text and their names are not.
    pub fn ensure_named<'p>(path: &Path, files: impl IntoIterator<Item = &'p Path>) -> Result<(), ReleaseError> {
        let directory = path.parent().unwrap_or(Path::new(""));
        match files.into_iter().find(|file| relative(directory, file).to_str().is_none()) {
            Some(file) => Err(ReleaseError::Setting(format!(
                "{}: its path is not UTF-8 text, so the manifest {} cannot name it; rename it, or write no manifest",
                file.display(),
                path.display()
            ))),
            None => Ok(()),
        }
    }

    /// Reads a manifest.
    pub fn read(path: &Path) -> Result<Self, ReleaseError> {
        let bad = |reason: String| ReleaseError::Manifest { name: path.display().to_string(), reason };
        let text = std::fs::read_to_string(path).map_err(|reason| bad(reason.to_string()))?;
        serde_json::from_str(&text)
            .map_err(|reason| bad(format!("{reason}; give a file written by `tamis anonymize --manifest`")))
    }

    /// Writes the manifest, whole or not at all.
    pub fn write(&self, path: &Path) -> Result<(), ReleaseError> {
        let text = serde_json::to_string_pretty(self).map_err(|reason| ReleaseError::Manifest {
            name: path.display().to_string(),
            reason: reason.to_string(),
        })?;
        // It holds the seed, the secret and original values.
        let mut file = AtomicFile::create_private(path)?;
        file.write_all(text.as_bytes()).and_then(|()| file.write_all(b"\n")).map_err(|reason| {
            ReleaseError::Manifest { name: path.display().to_string(), reason: reason.to_string() }
        })?;
        file.commit()?;
        Ok(())
    }

    /// The policy with its hierarchies replaced by the stored ones.
    pub fn stored_policy(&self) -> Result<Policy, ReleaseError> {
        let mut policy = Policy::parse(&self.policy, "of the manifest")?;
        if let Some(limit) = self.suppression_limit {
            policy.search.limit_suppression(limit);
        }
        for (name, attribute) in &mut policy.attributes {
            if self.recoding.hierarchies.contains_key(name) {
                attribute.hierarchy = Some(HierarchySource::File(name.clone()));
            }
            if let Some(&level) = self.recoding.levels.get(name) {
                attribute.min_level = Some(level);
                attribute.max_level = Some(level);
            }
        }
        Ok(policy)
    }

    /// Sources that read the hierarchies from the manifest and everything else from files.
    pub fn sources(&self, manifest: &Path) -> Result<StoredSources<'_>, ReleaseError> {
        let directory = manifest.parent().unwrap_or(Path::new(""));
        let base = directory.join(&self.base);
        let policy = Policy::parse(&self.policy, "of the manifest")?;
        let builders = policy.attributes.into_iter().filter_map(|(name, attribute)| match attribute.hierarchy? {
            HierarchySource::Builder(builder) => Some((name, *builder)),
            HierarchySource::File(_) => None,
        });
        Ok(StoredSources {
            files: Files { base, ..Files::default() },
            hierarchies: &self.recoding.hierarchies,
            builders: builders.collect(),
        })
    }
}

/// Files, but the hierarchies of a manifest.
#[derive(Debug)]
pub struct StoredSources<'m> {
    /// Where everything else comes from.
    pub files: Files,
    hierarchies: &'m BTreeMap<String, Vec<Vec<String>>>,
    builders: BTreeMap<String, Builder>,
}

impl Sources for StoredSources<'_> {
    fn table(&self, input: &Input, columns: ColumnFilter) -> Result<Table, ReleaseError> {
        self.files.table(input, columns)
    }

    fn hierarchy(&self, path: &str, encoding: Encoding) -> Result<Vec<HierarchyRow>, SourceError> {
        match self.hierarchies.get(path) {
            Some(rows) => {
                Ok(rows.iter().zip(1..).map(|(labels, line)| HierarchyRow { line, labels: labels.clone() }).collect())
            }
            None => self.files.hierarchy(path, encoding),
        }
    }

    /// New values fall into the intervals, masks or periods there are: the builder is asked again for all values, and believed if it
    /// gives those already released the same labels as before.
    fn complete(&self, column: &str, mut rows: Vec<HierarchyRow>, values: &[(&str, u64)]) -> Vec<HierarchyRow> {
        let Some(builder) = self.builders.get(column) else { return rows };
        let stored: BTreeMap<&str, &[String]> =
            rows.iter().filter_map(|row| Some((row.labels.first()?.as_str(), row.labels.as_slice()))).collect();
        let new: Vec<(&str, u64)> = values.iter().copied().filter(|(value, _)| !stored.contains_key(value)).collect();
        if new.is_empty() {
            return rows;
        }
        let all: Vec<(&str, u64)> = stored.keys().map(|&value| (value, 1)).chain(new).collect();
        let Ok(built) = builder.build_with_counts(&all) else { return rows };
        let is_same = |row: &HierarchyRow| {
            row.labels.first().and_then(|value| stored.get(value.as_str())).is_none_or(|labels| *labels == row.labels)
        };
        if built.iter().all(is_same) {
            let line = rows.len() as u64;
            let unlisted = built.into_iter().filter(|row| !stored.contains_key(row.labels[0].as_str()));
            let unlisted: Vec<HierarchyRow> =
                unlisted.zip(line + 1..).map(|(row, line)| HierarchyRow { line, ..row }).collect();
            rows.extend(unlisted);
        }
        rows
    }

    fn stated_order<'a>(&self, column: &str, rows: &'a [HierarchyRow]) -> Option<Vec<&'a str>> {
        self.builders.get(column)?.stated_order(rows)
    }

    fn resolve(&self, path: &str) -> PathBuf {
        self.files.resolve(path)
    }

    fn delimiter(&self, input: &Input) -> Result<u8, ReleaseError> {
        self.files.delimiter(input)
    }
}

/// The hierarchies of all attributes that have one, as the release used them.
fn stored_hierarchies(policy: &Policy, prepared: &Prepared) -> BTreeMap<String, Vec<Vec<String>>> {
    prepared
        .hierarchies
        .iter()
        .filter(|(name, _)| policy.attributes.get(*name).is_some_and(|attribute| attribute.role != Role::Identifying))
        .map(|(name, rows)| (name.clone(), rows.iter().map(|row| row.labels.clone()).collect()))
        .collect()
}

/// The SHA-256 of a file in hexadecimal, read in pieces.
pub fn sha256_of(path: &Path) -> Result<String, ReleaseError> {
    let bad = |reason: io::Error| ReleaseError::Setting(format!("cannot read {}: {reason}", path.display()));
    let mut file = File::open(path).map_err(bad)?;
    let mut hasher = Sha256::new();
    let mut buffer = vec![0; 1 << 16];
    loop {
        let read = file.read(&mut buffer).map_err(bad)?;
        if read == 0 {
            break;
        }
        hasher.update(&buffer[..read]);
    }
    Ok(base16ct::lower::encode_string(&hasher.finalize()))
}

/// `path` as seen from `directory`; absolute where that cannot be said.
fn relative(directory: &Path, path: &Path) -> PathBuf {
    let absolute = |path: &Path| std::path::absolute(if path.as_os_str().is_empty() { Path::new(".") } else { path });
    let (Ok(from), Ok(to)) = (absolute(directory), absolute(path)) else { return path.to_path_buf() };
    let (from, to): (Vec<_>, Vec<_>) = (from.components().collect(), to.components().collect());
    let shared = from.iter().zip(&to).take_while(|(left, right)| left == right).count();
    if shared == 0 {
        return to.iter().collect();
    }
    let up = from[shared..].iter().map(|_| std::path::Component::ParentDir);
    let relative: PathBuf = up.chain(to[shared..].iter().copied()).collect();
    if relative.as_os_str().is_empty() { PathBuf::from(".") } else { relative }
}
