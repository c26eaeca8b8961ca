//! `tamis anonymize`

use crate::answer::{Answer, CommandError, CommandResult, sentence};
use crate::args::AnonymizeArgs;
use crate::commands::payment::Payment;
use crate::commands::{budget, ensure_outputs, spelled, write_private_text};
use crate::interrupt::stop_flag;
use crate::progress::{SearchBar, reading};
use crate::shell::Shell;
use crate::text_table::{TextTable, percent};
use serde::Serialize;
use serde_json::Value;
use std::path::{Path, PathBuf};
use tamis_engine::SearchError;
use tamis_release::manifest::{Manifest, sha256_of};
use tamis_release::{
    Diagnosis, Files, Outcome, Policy, Prepared, ReleaseError, Secret, SolveOptions, Solved, Sources, StepFigures,
    Written, diagnose, exact_number, release_report, report, solve, write_release,
};

#[derive(Serialize)]
struct Document<'a> {
    #[serde(flatten)]
    outcome: &'a Outcome,
    #[serde(skip_serializing_if = "Option::is_none")]
    output: Option<OutputDocument>,
    /// What each step of the policy did to the figures.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    steps: Vec<StepFigures>,
}

#[derive(Serialize)]
struct OutputDocument {
    path: String,
    /// All files, where the last step makes several tables.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    files: Vec<String>,
    rows: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    seed: Option<Value>,
}

#[derive(Serialize)]
struct Refused<'a> {
    error: String,
    #[serde(flatten)]
    diagnosis: &'a Diagnosis,
}

pub(crate) fn run(args: &AnonymizeArgs, shell: &Shell) -> CommandResult {
    let (mut policy, policy_text) = Policy::read(&args.policy)?;
    if let Some(limit) = args.suppression_limit {
        policy.search.limit_suppression(limit);
    }
    policy.search.time_limit = args.time_limit.or(policy.search.time_limit);
    let mut files = Files::beside(&args.policy);
    let input = files.resolve(&policy.input.path);
    files.progress = reading(shell, &input);
    let output = args.output.clone().or_else(|| policy.output.path.as_ref().map(|path| files.resolve(path)));
    let inputs: Vec<PathBuf> = policy.files().map(|path| files.resolve(path)).collect();
    let tables = output.as_deref().map_or_else(Vec::new, |path| policy.output_files(path));
    let outputs: Vec<&Path> = tables.iter().chain(&args.report).chain(&args.manifest).map(PathBuf::as_path).collect();
    ensure_outputs(
        outputs.iter().copied().chain(args.budget.as_deref()),
        inputs.iter().map(PathBuf::as_path).chain([args.policy.as_path()]),
    )?;
    if let Some(manifest) = &args.manifest {
        Manifest::ensure_named(manifest, tables.iter().map(PathBuf::as_path).chain([files.base.as_path()]))?;
    }
    if std::fs::metadata(&input).is_ok_and(|facts| !facts.is_file()) {
        return Err(sentence(format!(
            "{} is not a regular file; save the data to one, as it is read more than once",
            input.display()
        )));
    }
    let seed = shell.seed_or_random(policy.output.seed)?;
    let payment = Payment::of(args, &policy)?;
    // Whoever cannot pay need not wait for the data to be read.
    if let Some(Err(refusal)) = payment.as_ref().map(Payment::can_be_made).transpose()? {
        return budget::refuse(&refusal, shell);
    }

    let secret = Secret::of_seed_or_random(shell.seed.or(policy.output.seed))?;
    let mut prepared = Prepared::read(&policy, &files, &secret)?;
    let options = SolveOptions { threads: shell.threads, stop: Some(stop_flag()), seed };
    let mut bar = SearchBar::new(shell);
    let solved = solve(&policy, &prepared, &options, &mut bar);
    drop(bar);
    let solved = match solved {
        Ok(solved) => solved,
        Err(ReleaseError::Search(error @ SearchError::NoSolution { .. })) => {
            return refuse(shell, &policy, &mut prepared, &error);
        }
        Err(error) => return Err(error.into()),
    };
    let job =
        Job { args, policy: &policy, policy_text: &policy_text, files: &files, prepared: &prepared, solved: &solved };
    // Whatever can fail in the search has not; from here on the release is paid for.
    if let Some(Err(refusal)) = payment.as_ref().map(Payment::make).transpose()? {
        return budget::refuse(&refusal, shell);
    }
    // Files that were there before stay replaced; new ones appear together or not at all.
    let new: Vec<&Path> = outputs.into_iter().filter(|path| !path.exists()).collect();
    let written = job.write(output.as_deref(), seed).inspect_err(|_| {
        for path in &new {
            let _ = std::fs::remove_file(path);
        }
    })?;
    let steps: Vec<StepFigures> =
        prepared.steps.iter().chain(written.iter().flat_map(|written| &written.steps)).cloned().collect();
    let document = Document {
        outcome: &solved.outcome,
        output: output.as_deref().zip(written).map(|(path, written)| OutputDocument {
            path: spelled(path),
            rows: written.rows,
            seed: written.seed.map(exact_number),
            files: if tables == [path] { Vec::new() } else { tables.iter().map(spelled).collect() },
        }),
        steps,
    };
    shell.json(&document)?;
    shell.notes(&solved.outcome.notes);
    shell.notes(&notes_on_randomness(shell, &policy, args));
    shell.say(&describe(&solved.outcome, &tables, args));
    for StepFigures { step, kind, figures, notes } in &document.steps {
        shell.say(&format!("\nstep {step}, {kind}"));
        for note in notes {
            shell.say(&format!("  {note}"));
        }
        shell.say(&figures.to_text());
    }
    Ok(Answer::Yes)
}

/// The last part of a path, as a page shows it.
fn file_name(path: &Path) -> String {
    path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default()
}

/// What is written, and from what.
struct Job<'a> {
    args: &'a AnonymizeArgs,
    policy: &'a Policy,
    policy_text: &'a str,
    files: &'a Files,
    prepared: &'a Prepared,
    solved: &'a Solved,
}

impl Job<'_> {
    /// Writes the release, the report and the manifest, as far as they were asked for.
    fn write(&self, output: Option<&Path>, seed: u64) -> Result<Option<Written>, CommandError> {
        let &Job { args, policy, policy_text, files, prepared, solved } = self;
        let written = match output {
            Some(path) => Some(write_release(path, policy, files, prepared, &solved.recoding, seed)?),
            None => None,
        };
        if let Some(path) = &args.report {
            let files = written.iter().flat_map(|written| &written.files);
            let facts = files
                .map(|(path, _)| Ok((format!("SHA-256 of {}", file_name(path)), sha256_of(path)?)))
                .collect::<Result<_, ReleaseError>>()?;
            let data = release_report(policy, policy_text, prepared, solved, facts)?;
            write_private_text(path, &report::release_page(&data))?;
        }
        if let Some(path) = &args.manifest {
            let seed = written.as_ref().and_then(|written| written.seed);
            Manifest::of(path, (policy, policy_text), files, (prepared, solved), written.as_ref())?
                .with_seed(seed)
                .with_suppression_limit(args.suppression_limit)
                .write(path)?;
        }
        Ok(written)
    }
}

/// What a release that was drawn at random asks of whoever made it.
fn notes_on_randomness(shell: &Shell, policy: &Policy, args: &AnonymizeArgs) -> Vec<String> {
    let mut notes = Vec::new();
    if policy.is_random() && shell.seed.or(policy.output.seed).is_some() {
        notes.push("whoever knows the seed can draw the same random numbers and undo what is random here: keep it secret, or leave it out".to_owned());
    }
    if policy.is_mechanism() && args.budget.is_none() {
        notes.push("every release about the same people adds to what can be learnt of them; --budget LEDGER keeps count of differentially private ones".to_owned());
    }
    notes
}

fn refuse(shell: &Shell, policy: &Policy, prepared: &mut Prepared, error: &SearchError) -> CommandResult {
    let diagnosis = diagnose(policy, prepared, Some(stop_flag()))?;
    shell.json(&Refused { error: error.to_string(), diagnosis: &diagnosis })?;
    shell.say(&format!("No solution: {error}."));
    for advice in &diagnosis.advice {
        shell.say(&format!("  {advice}"));
    }
    Ok(Answer::No)
}

fn describe(outcome: &Outcome, tables: &[PathBuf], args: &AnonymizeArgs) -> String {
    let mut table = TextTable::new(&["attribute", "level"]);
    for (name, level) in &outcome.solution.levels {
        table.row(vec![name.clone(), level.to_string()]);
    }
    let mut lines = vec![table.render(), String::new()];
    let proof = if outcome.solution.optimal {
        "proven optimal".to_owned()
    } else {
        format!("not proven optimal; nothing is below {:.6}", outcome.solution.lower_bound)
    };
    let mut figure = |name: &str, value: String| lines.push(format!("{name:<18}{value}"));
    figure("models", outcome.models.join(", "));
    figure("loss", outcome.quality.loss.to_string());
    for (name, value) in &outcome.quality.chosen {
        figure(name, value.to_string());
    }
    figure("solution", proof);
    let classes = &outcome.classes;
    figure(
        "classes",
        format!(
            "{} of {} to {} {}, {:.2} on average",
            classes.count, classes.min, classes.max, classes.unit, classes.average
        ),
    );
    let rows = &outcome.rows;
    let share = if rows.input == 0 { 0.0 } else { rows.suppressed as f64 / rows.input as f64 };
    figure("rows", format!("{} kept, {} suppressed ({})", rows.kept, rows.suppressed, percent(share)));
    let risk = &outcome.risk;
    figure(
        "risk",
        format!(
            "{} on average, {} at most, {} of rows above {}",
            percent(risk.average),
            percent(risk.max),
            percent(risk.at_risk),
            risk.threshold
        ),
    );
    let search = &outcome.search;
    let size = search.lattice.as_str().map_or_else(|| search.lattice.to_string(), str::to_owned);
    figure("search", format!("{} of {size} transformations evaluated in {:.3} s", search.checked, search.seconds));
    let pages =
        args.report.iter().map(|path| ("report", path)).chain(args.manifest.iter().map(|path| ("manifest", path)));
    for (name, path) in tables.iter().map(|path| ("written to", path)).chain(pages) {
        figure(name, path.display().to_string());
    }
    if tables.is_empty() {
        lines.push("nothing written; give --output FILE to write the released table".to_owned());
    }
    lines.join("\n")
}
