//! `tamis generate`

use crate::answer::{Answer, AtPlace, CommandResult, sentence};
use crate::args::{Generate, GenerateArgs};
use crate::commands::spelled;
use crate::shell::Shell;
use serde_json::json;
use std::io;
use tamis_release::exact_number;
use tamis_source::{AtomicFile, Compression};

pub(crate) fn run(args: &GenerateArgs, shell: &Shell) -> CommandResult {
    let Generate::Adult { rows, output, noise } = &args.kind;
    let seed = shell.seed.unwrap_or(0);
    // Bad parameters are no failure to write.
    tamis_adult::generate(0, seed, *noise, &mut io::sink()).at("--noise")?;
    let Some(path) = output else {
        if shell.is_json {
            return Err(sentence("--json and the data cannot both go to standard output; give --output FILE"));
        }
        return match tamis_adult::generate(*rows, seed, *noise, &mut io::stdout().lock()) {
            // A reader that closes the pipe has all the rows it wants.
            Err(tamis_adult::GenerateError::Write(reason)) if reason.kind() == io::ErrorKind::BrokenPipe => {
                Ok(Answer::Yes)
            }
            generated => generated.at("standard output").map(|()| Answer::Yes),
        };
    };
    let compression = Compression::of_path(path);
    AtomicFile::write_compressed(path, compression, |mut file| {
        tamis_adult::generate(*rows, seed, *noise, &mut file).map_err(|error| match error {
            tamis_adult::GenerateError::Write(reason) => reason,
            other => io::Error::other(other.to_string()),
        })
    })?;
    shell.json(&json!({ "rows": rows, "seed": exact_number(seed), "noise": noise, "output": spelled(path) }))?;
    shell.say(&format!("{rows} rows written to {}", path.display()));
    Ok(Answer::Yes)
}
