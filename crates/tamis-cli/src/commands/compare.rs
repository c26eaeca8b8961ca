//! `tamis compare`

use crate::answer::{Answer, CommandError, CommandResult};
use crate::args::CompareArgs;
use crate::commands::{ensure_outputs, write_private_text};
use crate::interrupt::stop_flag;
use crate::progress::reading;
use crate::shell::Shell;
use crate::text_table::{TextTable, percent};
use serde::Serialize;
use std::path::{Path, PathBuf};
use tamis_release::{
    CompareSettings, Compared, Files, Policy, ReleaseError, Secret, SolveOptions, Sources, compare, compare_report,
    report,
};
use tamis_source::{OutputColumn, WriteOptions, write_table};

#[derive(Serialize)]
struct Document<'a> {
    rows: &'a [Compared],
}

pub(crate) fn run(args: &CompareArgs, shell: &Shell) -> CommandResult {
    let (policy, _) = Policy::read(&args.policy)?;
    let mut files = Files::beside(&args.policy);
    let inputs: Vec<PathBuf> = policy.files().map(|path| files.resolve(path)).collect();
    ensure_outputs(
        [&args.csv, &args.html].into_iter().flatten().map(PathBuf::as_path),
        inputs.iter().map(PathBuf::as_path).chain([args.policy.as_path()]),
    )?;
    files.progress = reading(shell, &files.resolve(&policy.input.path));
    let settings = CompareSettings {
        k: args.k.clone(),
        l: args.l.clone(),
        c: args.c.clone(),
        t: args.t.clone(),
        distance: args.distance.clone(),
        models: args
            .models
            .iter()
            .map(|text| Ok((text.clone(), text.parse()?)))
            .collect::<Result<_, ReleaseError>>()?,
    };
    let options = SolveOptions { threads: shell.threads, stop: Some(stop_flag()), seed: shell.seed.unwrap_or(0) };
    let secret = Secret::of_seed_or_random(shell.seed.or(policy.output.seed))?;
    let rows = compare(&policy, (&files, &secret), &settings, &options, &mut |_| {})?;
    if let Some(path) = &args.csv {
        write_csv(path, &rows)?;
    }
    if let Some(path) = &args.html {
        let title = format!("What privacy costs: {}", policy.input.path);
        let page = compare_report(&title, attribute_names(&rows), &rows, &[]);
        write_private_text(path, &report::compare_page(&page))?;
    }
    shell.json(&Document { rows: &rows })?;
    let notes = rows.iter().find_map(|row| row.outcome.as_ref()).map_or(&[][..], |outcome| &outcome.notes);
    shell.notes(notes);
    shell.say(&table_of(&rows).render());
    Ok(Answer::from_bool(rows.iter().all(|row| row.outcome.is_some())))
}

pub(crate) fn attribute_names(rows: &[Compared]) -> Vec<String> {
    let outcome = rows.iter().find_map(|row| row.outcome.as_ref());
    outcome.map_or_else(Vec::new, |outcome| outcome.solution.levels.iter().map(|(name, _)| name.clone()).collect())
}

const HEADER: [&str; 11] =
    ["setting", "loss", "levels", "classes", "min", "max", "average", "kept", "suppressed", "risk", "at risk"];

pub(crate) fn table_of(rows: &[Compared]) -> TextTable {
    let mut table = TextTable::new(&HEADER);
    for row in rows {
        let Some(outcome) = &row.outcome else {
            table.row(vec![row.name.clone(), row.refusal.clone().unwrap_or_default()]);
            continue;
        };
        let levels: Vec<String> = outcome.solution.level_vector().iter().map(ToString::to_string).collect();
        table.row(vec![
            row.name.clone(),
            format!("{:.6}", outcome.quality.loss),
            levels.join(" "),
            outcome.classes.count.to_string(),
            outcome.classes.min.to_string(),
            outcome.classes.max.to_string(),
            format!("{:.2}", outcome.classes.average),
            outcome.rows.kept.to_string(),
            outcome.rows.suppressed.to_string(),
            percent(outcome.risk.average),
            percent(outcome.risk.at_risk),
        ]);
    }
    table
}

fn write_csv(path: &Path, rows: &[Compared]) -> Result<(), CommandError> {
    type Cell = fn(&Compared) -> Option<String>;
    let columns: [(&str, Cell); 17] = [
        ("setting", |row| Some(row.name.clone())),
        ("k", |row| Some(row.setting.k?.to_string())),
        ("c", |row| Some(row.setting.c?.to_string())),
        ("l", |row| Some(row.setting.l?.to_string())),
        ("t", |row| Some(row.setting.t?.to_string())),
        ("loss", |row| Some(row.outcome.as_ref()?.quality.loss.to_string())),
        ("levels", |row| {
            let levels = row.outcome.as_ref()?.solution.level_vector();
            Some(levels.iter().map(ToString::to_string).collect::<Vec<_>>().join(" "))
        }),
        ("classes", |row| Some(row.outcome.as_ref()?.classes.count.to_string())),
        ("class_min", |row| Some(row.outcome.as_ref()?.classes.min.to_string())),
        ("class_max", |row| Some(row.outcome.as_ref()?.classes.max.to_string())),
        ("class_average", |row| Some(row.outcome.as_ref()?.classes.average.to_string())),
        ("rows_kept", |row| Some(row.outcome.as_ref()?.rows.kept.to_string())),
        ("rows_suppressed", |row| Some(row.outcome.as_ref()?.rows.suppressed.to_string())),
        ("risk_average", |row| Some(row.outcome.as_ref()?.risk.average.to_string())),
        ("risk_max", |row| Some(row.outcome.as_ref()?.risk.max.to_string())),
        ("at_risk", |row| Some(row.outcome.as_ref()?.risk.at_risk.to_string())),
        ("seconds", |row| Some(row.outcome.as_ref()?.search.seconds.to_string())),
    ];
    let columns: Vec<OutputColumn<'_>> = columns
        .iter()
        .map(|(name, cell)| OutputColumn::of_rows(name, rows.iter().map(|row| cell(row).unwrap_or_default()).collect()))
        .collect();
    write_table(path, &WriteOptions::default(), &columns, 0..rows.len())?;
    Ok(())
}
