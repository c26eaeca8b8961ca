//! `tamis apply`

use crate::answer::{Answer, CommandResult};
use crate::args::ApplyArgs;
use crate::commands::ensure_outputs;
use crate::shell::Shell;
use tamis_release::replay::{ReplayOptions, apply};

pub(crate) fn run(args: &ApplyArgs, shell: &Shell) -> CommandResult {
    ensure_outputs(args.output.as_deref(), [args.data.as_path(), &args.manifest])?;
    let options = ReplayOptions { suppress: args.suppress, seed: shell.seed, random_seed: shell.seed_or_random(None)? };
    let replayed = apply(&args.manifest, &args.data, args.output.as_deref(), options)?;
    shell.json(&replayed)?;
    shell.notes(&replayed.outcome.notes);
    if let Some(refusal) = &replayed.refusal {
        shell.say(&format!("Refused: {refusal}."));
        return Ok(Answer::No);
    }
    let rows = &replayed.outcome.rows;
    shell.say(&format!(
        "{} new rows recoded, {} suppressed; the models hold: {}.",
        rows.kept,
        rows.suppressed,
        replayed.outcome.models.join(", ")
    ));
    for path in &replayed.files {
        shell.say(&format!("written to {}", path.display()));
    }
    if replayed.files.is_empty() {
        shell.say("nothing written; give --output FILE to write the recoded rows");
    }
    Ok(Answer::Yes)
}
