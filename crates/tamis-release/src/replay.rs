//! Replays a manifest: to verify a release, or to recode new rows the same way.

use crate::manifest::{Manifest, sha256_of};
use crate::{Outcome, Policy, Prepared, ReleaseError, Secret, Sources, Written, figures_of, write_release};
use serde::{Serialize, Serializer};
use std::path::{Path, PathBuf};
use tamis_engine::Recoding;
use tamis_privacy::ModelError;

/// One thing that was checked.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Verified {
    /// What.
    pub check: String,
    /// Whether it is as the manifest says.
    pub holds: bool,
    /// What was found.
    pub detail: String,
}

/// Checks a release against its manifest: the files' hashes, the figures and models on the input, and the release itself, which is
/// made anew and compared byte for byte.
pub fn verify(path: &Path) -> Result<Vec<Verified>, ReleaseError> {
    let manifest = Manifest::read(path)?;
    let sources = manifest.sources(path)?;
    let directory = path.parent().unwrap_or(Path::new(""));
    let mut checks = Vec::new();
    let input = sources.resolve(&manifest.input.path.to_string_lossy());
    let is_same_input = check_hash(&mut checks, "the input", &input, &manifest.input.sha256);
    for output in manifest.output.iter().chain(&manifest.other_outputs) {
        check_hash(&mut checks, "the release", &directory.join(&output.path), &output.sha256);
    }
    if !is_same_input {
        return Ok(checks);
    }
    let policy = manifest.stored_policy()?;
    let secret = manifest.recoding.secret.clone().map_or_else(Secret::random, Ok)?;
    let prepared = Prepared::read(&policy, &sources, &secret)?;
    let recoding = Recoding::of(&prepared.problem, &levels(&manifest, &prepared)?);
    let figures = figures_of(&policy, &prepared, &recoding);
    let is_same = without_search(&figures) == without_search(&manifest.outcome);
    checks.push(Verified {
        check: "the figures".to_owned(),
        holds: is_same,
        detail: format!(
            "{} classes, {} rows released, loss {}",
            figures.classes.count, figures.rows.kept, figures.quality.loss
        ),
    });
    checks.push(Verified {
        check: "the models".to_owned(),
        holds: recoding.tally.suppressed <= prepared.problem.limit && !recoding.tally.is_blocked,
        detail: format!(
            "{}; {} of at most {} rows are in classes that fail",
            figures.models.join(", "),
            recoding.tally.suppressed,
            prepared.problem.limit
        ),
    });
    if let Some(output) = &manifest.output {
        let again = tempfile::tempdir().map_err(|reason| temporary(&reason))?;
        let stem = manifest.other_outputs.is_empty().then(|| output.path.file_name()).flatten();
        // Only the extension matters for how the file is written; the tables of several are told apart by what is before it.
        let name = stem.map_or_else(|| table_file_name(&output.path), |name| name.to_string_lossy().into_owned());
        let seed = manifest.recoding.seed.unwrap_or(0);
        let written = write_release(&again.path().join(name), &policy, &sources, &prepared, &recoding, seed)?;
        let hashes = written.files.iter().map(|(path, _)| sha256_of(path)).collect::<Result<Vec<_>, _>>()?;
        let outputs = manifest.output.iter().chain(&manifest.other_outputs);
        checks.push(Verified {
            check: "the release made anew".to_owned(),
            holds: outputs.map(|output| &output.sha256).eq(&hashes),
            detail: "same rows, same order, same bytes".to_owned(),
        });
    }
    Ok(checks)
}

/// A name with the extensions of `path`.
fn table_file_name(path: &Path) -> String {
    let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    let extensions: Vec<&str> =
        name.split('.').rev().take_while(|part| ["csv", "tsv", "gz", "zst"].contains(part)).collect();
    std::iter::once("release").chain(extensions.into_iter().rev()).collect::<Vec<_>>().join(".")
}

fn temporary(reason: &std::io::Error) -> ReleaseError {
    ReleaseError::Setting(format!("cannot make a temporary file: {reason}"))
}

/// The figures that follow from the table and the recoding. How the search went, and that nothing better exists, would take another
/// search to tell.
fn without_search(outcome: &Outcome) -> Outcome {
    let mut outcome = outcome.clone();
    (outcome.search.checked, outcome.search.seconds) = (0, 0.0);
    outcome.search.lattice = serde_json::Value::Null;
    (outcome.solution.optimal, outcome.solution.lower_bound) = (false, 0.0);
    outcome.notes.clear();
    outcome
}

fn check_hash(checks: &mut Vec<Verified>, what: &str, path: &Path, expected: &str) -> bool {
    let (holds, detail) = match sha256_of(path) {
        Ok(found) if found == expected => (true, format!("{} is unchanged", path.display())),
        Ok(found) => (false, format!("{} has SHA-256 {found}, the manifest says {expected}", path.display())),
        Err(error) => (false, error.to_string()),
    };
    checks.push(Verified { check: what.to_owned(), holds, detail });
    holds
}

fn levels(manifest: &Manifest, prepared: &Prepared) -> Result<Vec<usize>, ReleaseError> {
    prepared
        .problem
        .frequency
        .attributes
        .iter()
        .map(|attribute| {
            manifest.recoding.levels.get(&attribute.name).copied().ok_or_else(|| {
                ReleaseError::Setting(format!(
                    "the manifest has no level for the quasi-identifier `{}`",
                    attribute.name
                ))
            })
        })
        .collect()
}

/// What replaying did to new rows.
#[derive(Debug, Clone, Serialize)]
pub struct Replayed {
    /// The figures of the new release.
    #[serde(flatten)]
    pub outcome: Outcome,
    /// Why the new rows were refused, if they were.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub refusal: Option<String>,
    /// Rows written.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub written: Option<u64>,
    /// The files written.
    #[serde(skip_serializing_if = "Vec::is_empty", serialize_with = "spelled")]
    pub files: Vec<PathBuf>,
}

/// Paths as text: what is none in them is spelled as well as can be.
fn spelled<S: Serializer>(paths: &[PathBuf], serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_seq(paths.iter().map(|path| path.display().to_string()))
}

/// How to replay.
#[derive(Debug, Clone, Copy)]
pub struct ReplayOptions {
    /// Suppress rows whose class fails, within the policy's limit, instead of refusing.
    pub suppress: bool,
    /// The seed of the shuffle, if it was given; the policy's counts next.
    pub seed: Option<u64>,
    /// The seed if neither was given.
    pub random_seed: u64,
}

/// Recodes new rows as the manifest says and writes them, unless the models do not hold for them.
pub fn apply(
    path: &Path,
    data: &Path,
    output: Option<&Path>,
    options: ReplayOptions,
) -> Result<Replayed, ReleaseError> {
    let manifest = Manifest::read(path)?;
    let mut policy: Policy = manifest.stored_policy()?;
    if policy.is_mechanism() {
        return Err(ReleaseError::Setting(
            "the release of this manifest was drawn at random, and drawing again promises less: the epsilons of releases add up; make a new release with `tamis anonymize`".to_owned(),
        ));
    }
    let mut sources = manifest.sources(path)?;
    // The new file is named from where the command runs, not from where the policy lies.
    let data = std::path::absolute(data).unwrap_or_else(|_| data.to_path_buf());
    policy.input.path = data.display().to_string();
    sources.files.input = Some(data);
    let seed = options.seed.or(policy.output.seed).unwrap_or(options.random_seed);
    let prepared =
        match Prepared::read(&policy, &sources, &Secret::of_seed_or_random(options.seed.or(policy.output.seed))?) {
            Err(ReleaseError::Model(ModelError::KExceedsRows { k, rows })) => {
                return Err(ReleaseError::TooFewRows { k, rows });
            }
            prepared => prepared?,
        };
    let recoding = Recoding::of(&prepared.problem, &levels(&manifest, &prepared)?);
    let outcome = figures_of(&policy, &prepared, &recoding);
    let failing = recoding.tally.suppressed;
    let limit = if options.suppress { prepared.problem.limit } else { 0 };
    if failing > limit || recoding.tally.is_blocked {
        let remedy = if options.suppress {
            format!("the policy allows {limit} to be suppressed; make a new release with `tamis anonymize`")
        } else {
            "suppress them with --suppress, or make a new release with `tamis anonymize`".to_owned()
        };
        let refusal = format!(
            "the models no longer hold: {failing} of {} new rows are in classes that fail ({}); {remedy}",
            outcome.rows.input,
            outcome.models.join(", ")
        );
        return Ok(Replayed { outcome, refusal: Some(refusal), written: None, files: Vec::new() });
    }
    let written: Option<Written> =
        output.map(|output| write_release(output, &policy, &sources, &prepared, &recoding, seed)).transpose()?;
    let files = written.iter().flat_map(|written| &written.files).map(|(path, _)| path.clone()).collect();
    Ok(Replayed { outcome, refusal: None, written: written.map(|written| written.rows), files })
}
