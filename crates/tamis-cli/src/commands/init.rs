//! `tamis init`

use crate::answer::{Answer, CommandError, CommandResult, sentence};
use crate::args::InitArgs;
use crate::commands::spelled;
use crate::commands::{ensure_outputs, read_options, write_text};
use crate::progress::reading;
use crate::shell::Shell;
use crate::text_table::TextTable;
use serde_json::json;
use std::path::Path;
use tamis_release::Input;
use tamis_release::init::{guess, policy_text, role_name};
use tamis_source::{ReadOptions, read_table};

pub(crate) fn run(args: &InitArgs, shell: &Shell) -> CommandResult {
    if let Some(path) = args.output.as_ref().filter(|path| path.exists() && !args.force) {
        return Err(sentence(format!("{} exists already; choose another --output or add --force", path.display())));
    }
    ensure_outputs(args.output.as_deref(), [args.data.as_path()])?;
    let directory = args.output.as_deref().and_then(Path::parent).unwrap_or(Path::new(""));
    let path = data_path(&args.data, directory)?;
    let options = ReadOptions { progress: reading(shell, &args.data), ..read_options(&args.input)? };
    let table = read_table(&args.data, &options)?;
    let guesses = guess(&table);
    let input = Input {
        path,
        delimiter: args.input.delimiter.clone(),
        quote: None,
        encoding: args.input.encoding.clone(),
        missing: (!args.input.missing.is_empty()).then(|| options.missing.clone()),
    };
    let text = policy_text(&table, &guesses, &input)?;
    if let Some(output) = &args.output {
        write_text(output, &text)?;
    }
    let columns: Vec<_> = guesses
        .iter()
        .map(|guess| {
            json!({ "name": guess.column, "role": role_name(guess.role), "reason": guess.reason, "levels": guess.levels })
        })
        .collect();
    shell.json(&json!({ "columns": columns, "policy": text, "output": args.output.as_ref().map(spelled) }))?;
    match &args.output {
        None => shell.say(text.trim_end()),
        Some(output) => {
            let mut summary = TextTable::new(&["column", "role", "because", "levels"]);
            for guess in &guesses {
                let levels = if guess.levels == 0 { String::new() } else { guess.levels.to_string() };
                summary.row(vec![guess.column.clone(), role_name(guess.role).to_owned(), guess.reason.clone(), levels]);
            }
            shell.say(&summary.render());
            let next =
                format!("Read {0}, correct it, then run: tamis anonymize {0} --output released.csv", output.display());
            shell.say(&format!("\n{next}"));
        }
    }
    Ok(Answer::Yes)
}

/// The data as seen from the policy's directory; absolute if they lie apart.
fn data_path(data: &Path, directory: &Path) -> Result<String, CommandError> {
    let path = match (std::path::absolute(data), std::path::absolute(directory)) {
        (Ok(data), Ok(directory)) if !directory.as_os_str().is_empty() => {
            data.strip_prefix(&directory).map(Path::to_path_buf).unwrap_or(data)
        }
        _ => data.to_path_buf(),
    };
    path.into_os_string().into_string().map_err(|path| {
        sentence(format!(
            "{}: this path is not UTF-8 text, and a policy could not name it; rename the file, or make a link to it",
            path.display()
        ))
    })
}
