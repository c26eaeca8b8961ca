//! `tamis risk`

use crate::answer::{Answer, CommandError, CommandResult, sentence};
use crate::args::RiskArgs;
use crate::commands::{ensure_outputs, read_options, write_private_text, write_text};
use crate::progress::reading;
use crate::shell::Shell;
use crate::text_table::{TextTable, percent, printable};
use serde::Serialize;
use tamis_release::report::{external_risk_page, risk_page};
use tamis_release::risk::{Estimates, RecordRisk, RiskBound, RiskOptions, RiskReport, UniquesEstimate, risk};
use tamis_source::{ReadOptions, read_table};

const EXTERNAL_TITLE: &str = "Risk of re-identification";
/// How many minimal uniques of a record fit into a line.
const SETS_SHOWN: usize = 3;

#[derive(Serialize)]
struct Document<'a> {
    #[serde(flatten)]
    report: &'a RiskReport,
    #[serde(skip_serializing_if = "Option::is_none")]
    holds: Option<bool>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    violations: Vec<String>,
}

pub(crate) fn run(args: &RiskArgs, shell: &Shell) -> CommandResult {
    let bounds = args.require.as_deref().map(RiskBound::parse_list).transpose()?.unwrap_or_default();
    let outputs = args.report.iter().chain(&args.external).map(std::path::PathBuf::as_path);
    let inputs = std::iter::once(&args.data).chain(&args.population).map(std::path::PathBuf::as_path);
    ensure_outputs(outputs, inputs)?;
    let report = measure(args, shell)?;
    let mut violations = Vec::new();
    let mut verdicts = Vec::new();
    for bound in bounds {
        let violation = bound.violation(&report)?;
        verdicts.push((bound, violation.is_none()));
        violations.extend(violation);
    }
    write_pages(args, &report, &verdicts)?;
    shell.notes(&report.notes);
    shell.say(&describe(&report));
    if args.require.is_some() {
        shell.say("");
    }
    if args.require.is_some() && violations.is_empty() {
        shell.say("every requirement holds");
    }
    for violation in &violations {
        shell.say(&format!("does not hold: {violation}"));
    }
    for (path, whom) in [(&args.report, "for you alone"), (&args.external, "for everyone")] {
        if let Some(path) = path {
            shell.say(&format!("\npage {whom}: {}", path.display()));
        }
    }
    let holds = violations.is_empty();
    shell.json(&Document { report: &report, holds: args.require.is_some().then_some(holds), violations })?;
    Ok(Answer::from_bool(holds))
}

fn measure(args: &RiskArgs, shell: &Shell) -> Result<RiskReport, CommandError> {
    if args.entity.as_ref().is_some_and(|entity| args.quasi.contains(entity)) {
        return Err(sentence(
            "--entity names a quasi-identifier; a column that names people is known to nobody outside, so leave it out of --quasi",
        ));
    }
    let options = read_options(&args.input)?;
    let table = read_table(&args.data, &ReadOptions { progress: reading(shell, &args.data), ..options.clone() })?;
    let population = args
        .population
        .as_ref()
        .map(|path| {
            // A population that does not name people still counts them, a row each.
            let all = read_table(path, &ReadOptions { progress: reading(shell, path), ..options.clone() })?;
            let is_wanted = |name: &str| args.quasi.iter().chain(&args.entity).any(|wanted| wanted == name);
            let kept = all.columns().iter().filter(|column| is_wanted(column.name())).cloned().collect();
            if let Some(absent) = args.quasi.iter().find(|name| all.column(name).is_err()) {
                return Err(sentence(format!(
                    "the population {} has no column `{absent}`; it needs every quasi-identifier of the table",
                    path.display()
                )));
            }
            Ok(tamis_table::Table::new(kept)?)
        })
        .transpose()?;
    let options = RiskOptions {
        quasi: args.quasi.clone(),
        entity: args.entity.clone(),
        fraction: args.fraction,
        threshold: args.threshold,
        top: args.top,
        msu: args.msu,
        row: args.row,
    };
    Ok(risk(&table, population.as_ref(), &options)?)
}

fn write_pages(args: &RiskArgs, report: &RiskReport, verdicts: &[(RiskBound, bool)]) -> Result<(), CommandError> {
    let version = env!("CARGO_PKG_VERSION");
    if let Some(path) = &args.report {
        let title = args.data.file_stem().map(|stem| stem.to_string_lossy().into_owned()).unwrap_or_default();
        // It names rows and their values: it is the steward's alone.
        write_private_text(path, &risk_page(report, verdicts, &title, version))?;
    }
    if let Some(path) = &args.external {
        write_text(path, &external_risk_page(report, verdicts, EXTERNAL_TITLE, version))?;
    }
    Ok(())
}

fn describe(report: &RiskReport) -> String {
    let mut parts = vec![figures(report), attackers(report)];
    parts.extend(report.estimates.as_ref().map(estimates));
    parts.push(columns(report));
    parts.push(minimal_uniques(report));
    if !report.records.is_empty() {
        parts.push(records(report));
    }
    parts.push(hipaa(report));
    parts.extend(report.row.as_ref().map(|row| explain(row, report)));
    parts.join("\n\n")
}

fn figures(report: &RiskReport) -> String {
    let mut lines = Vec::new();
    let mut figure = |name: &str, value: String| lines.push(format!("{name:<14}{value}"));
    figure("rows", format!("{} measured, {} left out as suppressed", report.rows, report.suppressed));
    let classes = &report.classes;
    figure(
        "classes",
        format!("{} of {} to {}, {:.2} on average", classes.count, classes.min, classes.max, classes.average),
    );
    figure("unique rows", format!("{} ({})", report.uniques.rows, percent(report.uniques.share)));
    if let Some(population) = &report.population {
        figure(
            "population",
            format!(
                "{} people, {} of them in the table; unique there: {}, of whom in the table: {}",
                population.people,
                percent(population.fraction),
                population.uniques,
                population.uniques_in_table
            ),
        );
    }
    if let Some(presence) = &report.presence {
        figure(
            "presence",
            format!(
                "{} to {} of a class of the population are in the table",
                percent(presence.min),
                percent(presence.max)
            ),
        );
    }
    lines.join("\n")
}

fn attackers(report: &RiskReport) -> String {
    let above = format!("rows above {}", report.prosecutor.threshold);
    let mut table = TextTable::new(&["attacker", "average", "highest", &above, "from"]);
    let line = |name: &str, risk: &tamis_release::RiskFigures, basis: &str| {
        vec![name.to_owned(), percent(risk.average), percent(risk.max), percent(risk.at_risk), basis.to_owned()]
    };
    table.row(line("prosecutor", &report.prosecutor, "table"));
    if let Some(journalist) = &report.journalist {
        table.row(line("journalist", &journalist.risk, journalist.basis));
    }
    let marketer = &report.marketer;
    let basis = if marketer.basis == "sample" { "table" } else { marketer.basis };
    table.row(vec!["marketer".to_owned(), percent(marketer.share), String::new(), String::new(), basis.to_owned()]);
    table.render()
}

fn estimates(estimates: &Estimates) -> String {
    let mut table = TextTable::new(&["population uniques", "people", "of the population", "of the table's uniques"]);
    let mut line = |name: String, estimate: &Option<UniquesEstimate>| {
        let mut cells = vec![name];
        match estimate {
            Some(estimate) => cells.extend([
                format!("{:.1}", estimate.population_uniques),
                percent(estimate.share_of_population),
                percent(estimate.share_of_sample_uniques),
            ]),
            None => cells.push("-".to_owned()),
        }
        table.row(cells);
    };
    line("Pitman".to_owned(), &estimates.pitman);
    line("Zayatz".to_owned(), &estimates.zayatz);
    line("SNB".to_owned(), &estimates.snb);
    let chosen = estimates.dankar.as_ref().map_or("", |estimate| estimate.estimator);
    line(format!("Dankar: {chosen}"), &estimates.dankar);
    table.render()
}

fn columns(report: &RiskReport) -> String {
    let mut table =
        TextTable::new(&["column", "uniques without", "fewer", "average risk without", "contribution", "SUDA share"]);
    for attribute in &report.attributes {
        table.row(vec![
            attribute.column.clone(),
            attribute.uniques_without.to_string(),
            attribute.uniques_fewer.to_string(),
            percent(attribute.average_without),
            attribute.contribution.map(percent).unwrap_or_default(),
            percent(attribute.suda_share),
        ]);
    }
    table.render()
}

fn minimal_uniques(report: &RiskReport) -> String {
    let found: Vec<String> = (1..).zip(&report.msu.by_size).map(|(size, found)| format!("{found} of {size}")).collect();
    format!(
        "minimal sample uniques by number of columns: {}; {} rows have one, the highest SUDA score is {}",
        found.join(", "),
        report.msu.rows,
        report.msu.highest_score
    )
}

fn sets(sets: &[Vec<String>], most: usize) -> String {
    let shown: Vec<String> = sets.iter().take(most).map(|set| format!("{{{}}}", set.join(", "))).collect();
    let more = sets.len().saturating_sub(most);
    if more > 0 { format!("{} and {more} more", shown.join(" ")) } else { shown.join(" ") }
}

fn records(report: &RiskReport) -> String {
    let mut table = TextTable::new(&["row", "class", "risk", "SUDA", "DIS", "unique by"]);
    for record in &report.records {
        table.row(vec![
            record.row.to_string(),
            record.class_size.to_string(),
            percent(record.risk),
            record.suda_score.to_string(),
            format!("{:.4}", record.dis),
            sets(&record.minimal_uniques, SETS_SHOWN),
        ]);
    }
    table.render()
}

fn hipaa(report: &RiskReport) -> String {
    if report.hipaa.is_empty() {
        return "no column looks like an identifier of the HIPAA safe harbour rule".to_owned();
    }
    let mut table = TextTable::new(&["column", "HIPAA", "looks like", "because", "remedy"]);
    for flag in &report.hipaa {
        let share = flag.share.map(|share| format!("{} of ", percent(share))).unwrap_or_default();
        table.row(vec![
            flag.column.clone(),
            flag.letter.to_string(),
            flag.identifier.to_owned(),
            format!("{share}{}", flag.reason),
            flag.remedy.to_owned(),
        ]);
    }
    table.render()
}

/// The row that was asked about, in sentences.
fn explain(row: &RecordRisk, report: &RiskReport) -> String {
    let named = |name: &String| format!("{name} {}", row.values.get(name).map_or("", String::as_str));
    let values: Vec<String> = report.quasi.iter().map(named).collect();
    let mut lines = vec![format!("row {} has {}.", row.row, printable(&values.join(", ")))];
    match row.minimal_uniques.first() {
        Some(smallest) => {
            lines.push(format!(
                "It is unique because of {}: nobody else in the table has these values.",
                sets(std::slice::from_ref(smallest), 1)
            ));
            lines.push(format!(
                "Its smallest unique combinations are {}.",
                sets(&row.minimal_uniques, row.minimal_uniques.len())
            ));
        }
        None if row.class_size == 1 => lines.push(format!(
            "It is unique, but no combination of up to {} columns makes it so; --msu {} looks further.",
            report.msu.size,
            report.quasi.len()
        )),
        None => lines.push(format!(
            "{} people of the table share them, so a guess is right with {}.",
            row.class_size,
            percent(row.risk)
        )),
    }
    let mut table = TextTable::new(&["column", "people who agree without it", "SUDA share"]);
    for column in &row.columns {
        table.row(vec![column.column.clone(), column.class_size_without.to_string(), percent(column.suda_share)]);
    }
    lines.push(table.render());
    lines.join("\n")
}
