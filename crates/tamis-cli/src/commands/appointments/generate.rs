//! `tamis appointments generate`: made-up people and slots.

use super::generator::{GeneratorArgs, GeneratorName, GivenFlag, NorwayArgs, refuse_misplaced};
use crate::answer::{Answer, CommandError, CommandResult, sentence};
use crate::commands::ensure_outputs;
use crate::shell::Shell;
use clap::Args;
use std::path::PathBuf;
use tamis_appointments::Plain;
use tamis_appointments::laboratory::generators::{Programme, Screening};
use tamis_source::{OutputColumn, WriteOptions, write_table};

#[derive(Debug, Args)]
pub(crate) struct GenerateArgs {
    /// What to make up
    kind: GeneratorName,
    /// How many people; `norway` has its own number, see --scale
    #[arg(long, value_name = "N")]
    people: Option<u64>,
    #[command(flatten)]
    norway: NorwayArgs,
    #[command(flatten)]
    generator: GeneratorArgs,
    /// Write the people here, one row each
    #[arg(long, value_name = "P.csv")]
    output_people: Option<PathBuf>,
    /// Write the slots here, with their capacities
    #[arg(long, value_name = "S.csv")]
    output_slots: Option<PathBuf>,
}

/// The tables of people and of slots: header and columns of cells.
struct Tables {
    people: Vec<(&'static str, Vec<String>)>,
    slots: Vec<(&'static str, Vec<String>)>,
}

pub(crate) fn run(args: &GenerateArgs, shell: &Shell) -> CommandResult {
    ensure_outputs([&args.output_people, &args.output_slots].into_iter().flatten().map(PathBuf::as_path), [])?;
    refuse_misplaced(&args.kind, &flags(args))?;
    let seed = shell.seed_or_random(None)?;
    if args.kind == GeneratorName::Norway {
        return norway(args, shell, seed);
    }
    let people = args.people.ok_or_else(|| sentence("how many people? Give --people N"))?;
    if args.kind == GeneratorName::SpanishPyramid {
        return spanish_pyramid(args, shell, seed, people);
    }
    let Some(generator) = args.generator.generator(args.kind, people) else { return norway(args, shell, seed) };
    let problem = generator.generate(seed)?;
    let values = (1..).zip(&problem.frequencies);
    let of_people = values.flat_map(|(value, &people)| std::iter::repeat_n(format!("q{value}"), people as usize));
    let tables = Tables {
        people: vec![
            ("id", (1..=problem.people()).map(|id| id.to_string()).collect()),
            ("quasi_id", of_people.collect()),
        ],
        slots: slots_of(&problem.capacities, "slot", "capacity", 1),
    };
    finish(args, shell, seed, &problem, tables)
}

fn flags(args: &GenerateArgs) -> Vec<GivenFlag<GeneratorName>> {
    use GeneratorName as Name;
    const SIZED: &[GeneratorName] = &[Name::Paper, Name::PaperText, Name::Thesis, Name::SpanishPyramid];
    const NORWAY: &[GeneratorName] = &[Name::Norway];
    let mut flags = args.generator.flags();
    flags.push(GivenFlag { flag: "--people", value: args.people.map(|people| people.to_string()), kinds: SIZED });
    flags.extend(args.norway.flags(NORWAY));
    flags
}

fn spanish_pyramid(args: &GenerateArgs, shell: &Shell, seed: u64, people: u64) -> CommandResult {
    let screening = args.generator.screening(people);
    let (people, capacities) = screening.tables(seed)?;
    let cells = |cell: &dyn Fn(usize) -> String| (0..people.len()).map(cell).collect::<Vec<_>>();
    let tables = Tables {
        people: vec![
            ("ID", cells(&|id| id.to_string())),
            ("AGE", cells(&|id| people[id].age.to_string())),
            ("CP", cells(&|id| people[id].postcode.to_string())),
            ("SEX", cells(&|id| people[id].sex.to_string())),
        ],
        slots: slots_of(&capacities, "RESOURCE", "CAPACITY", 0),
    };
    finish(args, shell, seed, &Screening::problem(&people, capacities), tables)
}

fn slots_of(
    capacities: &[u64],
    number: &'static str,
    capacity: &'static str,
    first: usize,
) -> Vec<(&'static str, Vec<String>)> {
    vec![
        (number, (first..first + capacities.len()).map(|slot| slot.to_string()).collect()),
        (capacity, capacities.iter().map(u64::to_string).collect()),
    ]
}

/// Writes what was asked for and shows the numbers.
fn finish(args: &GenerateArgs, shell: &Shell, seed: u64, problem: &Plain, tables: Tables) -> CommandResult {
    write(args, tables)?;
    shell.json(&serde_json::json!({
        "seed": seed,
        "people": problem.people(),
        "frequencies": problem.frequencies,
        "capacities": problem.capacities,
    }))?;
    let listed = |numbers: &[u64]| numbers.iter().map(u64::to_string).collect::<Vec<_>>().join(",");
    if args.output_people.is_none() && args.output_slots.is_none() {
        shell.say(&format!("--frequencies {}", listed(&problem.frequencies)));
        shell.say(&format!("--capacities {}", listed(&problem.capacities)));
    } else {
        shell.say(&format!(
            "{} people with {} quasi-identifier values, {} slots with {} places, seed {seed}",
            problem.people(),
            problem.frequencies.len(),
            problem.capacities.len(),
            problem.capacities.iter().sum::<u64>()
        ));
    }
    Ok(Answer::Yes)
}

fn norway(args: &GenerateArgs, shell: &Shell, seed: u64) -> CommandResult {
    let programmes = args.norway.norway().programmes(seed)?;
    let mut tables = Tables {
        people: ["id", "region", "date", "birth_year"].map(|name| (name, Vec::new())).to_vec(),
        slots: ["region", "date", "centre", "capacity"].map(|name| (name, Vec::new())).to_vec(),
    };
    if args.output_people.is_some() || args.output_slots.is_some() {
        for programme in &programmes {
            append(programme, &mut tables);
        }
    }
    write(args, tables)?;
    let invited: u64 = programmes.iter().map(Programme::people).sum();
    shell.json(&serde_json::json!({
        "seed": seed,
        "people": invited,
        "programmes": programmes.iter().map(|programme| {
            let problem = programme.problem();
            serde_json::json!({
                "region": programme.region,
                "date": date(programme),
                "frequencies": problem.frequencies,
                "capacities": problem.capacities,
            })
        }).collect::<Vec<_>>(),
    }))?;
    shell.say(&format!("{invited} invitations in {} programmes, seed {seed}", programmes.len()));
    if shell.is_heard() && args.output_people.is_none() && args.output_slots.is_none() {
        shell.notes(&[
            "nothing is kept: give --output-people P.csv for a row per invitation and --output-slots S.csv for \
            the places of each centre and date, or --json for the frequencies and capacities of every programme"
                .to_owned(),
        ]);
    }
    Ok(Answer::Yes)
}

fn date(programme: &Programme) -> String {
    let (year, month) = programme.date();
    format!("{year}-{month:02}")
}

/// The rows of a programme.
fn append(programme: &Programme, tables: &mut Tables) {
    let (region, date) = (programme.region.to_string(), date(programme));
    for (year, people) in programme.birth_years() {
        for _ in 0..people {
            let id = (tables.people[0].1.len() + 1).to_string();
            let cells = [id, region.clone(), date.clone(), year.to_string()];
            tables.people.iter_mut().zip(cells).for_each(|((_, column), cell)| column.push(cell));
        }
    }
    for (centre, capacity) in programme.centres() {
        let cells = [region.clone(), date.clone(), centre.to_string(), capacity.to_string()];
        tables.slots.iter_mut().zip(cells).for_each(|((_, column), cell)| column.push(cell));
    }
}

fn write(args: &GenerateArgs, tables: Tables) -> Result<(), CommandError> {
    for (path, table) in [(&args.output_people, tables.people), (&args.output_slots, tables.slots)] {
        let Some(path) = path else { continue };
        let rows = table.first().map_or(0, |(_, cells)| cells.len());
        let columns: Vec<OutputColumn<'_>> =
            table.into_iter().map(|(name, cells)| OutputColumn::of_rows(name, cells)).collect();
        write_table(path, &WriteOptions::default(), &columns, 0..rows)?;
    }
    Ok(())
}
