//! `tamis check`

use crate::answer::{Answer, AtPlace, CommandError, CommandResult, sentence};
use crate::args::CheckArgs;
use crate::commands::{named_file, read_options, spelled};
use crate::progress::reading;
use crate::shell::Shell;
use crate::text_table::{percent, printable};
use anstyle::{AnsiColor, Style};
use serde::Serialize;
use std::collections::BTreeMap;
use std::path::Path;
use tamis_privacy::models::t_closeness::Distance;
use tamis_release::assess::{AssessOptions, Assessment, Bound, ModelVerdict, assess, count_values};
use tamis_release::{Files, Input, ModelPolicy, ReleaseError, joint_columns, subset_of};
use tamis_source::{ColumnFilter, ReadOptions, read_hierarchy_in, read_table};
use tamis_table::hierarchy::SUPPRESSED;
use tamis_table::{Column, ColumnBuilder, Hierarchy, HierarchyRow, Recoder, Table, brief_number};

#[derive(Serialize)]
struct Document<'a> {
    #[serde(flatten)]
    assessment: &'a Assessment,
    #[serde(skip_serializing_if = "Option::is_none")]
    holds: Option<bool>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    violations: Vec<String>,
}

pub(crate) fn run(args: &CheckArgs, shell: &Shell) -> CommandResult {
    let bounds = args.require.as_deref().map(Bound::parse_list).transpose()?.unwrap_or_default();
    if !(0.0..=1.0).contains(&args.threshold) {
        return Err(sentence(format!(
            "--threshold is {}; expected a number between 0 and 1",
            brief_number(args.threshold)
        )));
    }
    let models = args.models.iter().map(|text| text.parse()).collect::<Result<Vec<ModelPolicy>, _>>()?;
    let options = ReadOptions {
        columns: columns(args, &models)?,
        progress: reading(shell, &args.data),
        ..read_options(&args.input)?
    };
    let table = read_table(&args.data, &options)?;
    let subset = subset(args, &table, &models)?;
    let mut assessment = match &args.reference {
        None => {
            let has_population = subset.is_some();
            let options = assess_options(args, &table, &bounds)?;
            assess(&table, &AssessOptions { models, rows: subset, has_population, ..options })?
        }
        Some(_) if subset.is_some() => {
            return Err(sentence(
                "--reference and a model with a `subset` cannot be combined: the table is the population already",
            ));
        }
        Some(path) => {
            let (joined, reference) = with_reference(args, &table, path)?;
            let rows = (0..joined.rows()).map(|row| row < table.rows()).collect();
            let options =
                AssessOptions { reference, rows: Some(rows), models, ..assess_options(args, &joined, &bounds)? };
            assess(&joined, &options)?
        }
    };
    let mut violations = Vec::new();
    for bound in &bounds {
        violations.extend(bound.violation(&assessment)?);
    }
    violations.extend(assessment.models.iter().filter(|verdict| !verdict.holds).map(|verdict| {
        let ModelVerdict { model, failing_classes, failing_rows, .. } = verdict;
        let (row, class) = (plural(*failing_rows, "row", "rows"), plural(*failing_classes, "class", "classes"));
        format!("{model}: {row} in {class}")
    }));
    if assessment.suppressed > 0 && !assessment.sensitive.is_empty() && args.reference.is_none() {
        assessment.notes.push("t, beta and delta are measured against the rows that are not suppressed; --reference FILE measures against another table, such as the input".to_owned());
    }
    shell.notes(&assessment.notes);
    let holds = violations.is_empty();
    let is_gate = args.require.is_some() || !args.models.is_empty();
    if args.show {
        show(shell, args, &table, &assessment);
    }
    shell.say(&describe(&assessment));
    if is_gate && holds {
        shell.say("every requirement holds");
    }
    for violation in &violations {
        shell.say(&format!("does not hold: {violation}"));
    }
    shell.json(&Document { assessment: &assessment, holds: is_gate.then_some(holds), violations })?;
    Ok(Answer::from_bool(holds))
}

/// Only the columns asked about, unless the whole table is shown.
fn columns(args: &CheckArgs, models: &[ModelPolicy]) -> Result<ColumnFilter, CommandError> {
    let requirements: Vec<_> = models.iter().map(|model| (model.kind.as_str(), &model.parameters)).collect();
    let joint = joint_columns(&requirements).map_err(ReleaseError::from)?;
    if args.show || models.iter().any(|model| model.parameters.get("subset").is_some()) {
        return Ok(ColumnFilter::All);
    }
    let mut names: Vec<String> = args.quasi.iter().chain(&args.sensitive).chain(&args.entity).cloned().collect();
    names.extend(joint.into_iter().flatten());
    names.sort();
    names.dedup();
    Ok(ColumnFilter::Only(names))
}

/// The rows that models of a population look at, where a model names them.
fn subset(args: &CheckArgs, table: &Table, models: &[ModelPolicy]) -> Result<Option<Vec<bool>>, CommandError> {
    let requirements: Vec<_> = models.iter().map(|model| (model.kind.as_str(), &model.parameters)).collect();
    let input = Input {
        path: args.data.display().to_string(),
        delimiter: args.input.delimiter.clone(),
        encoding: args.input.encoding.clone(),
        ..Input::default()
    };
    Ok(subset_of(&requirements, table, (&input, args.entity.is_some()), &Files::default())?)
}

fn assess_options(args: &CheckArgs, table: &Table, bounds: &[Bound]) -> Result<AssessOptions, CommandError> {
    let mut hierarchies = BTreeMap::new();
    let encoding = read_options(&args.input)?.encoding.unwrap_or_default();
    for text in &args.hierarchies {
        let (name, path) = named_file(text)
            .ok_or_else(|| sentence(format!("--hierarchy is `{}`; expected ATTRIBUTE=FILE", text.display())))?;
        if !args.sensitive.iter().any(|sensitive| sensitive == name) {
            return Err(sentence(format!("--hierarchy names `{name}`, which is not among the --sensitive attributes")));
        }
        let rows = with_star(read_hierarchy_in(path, encoding)?, table.column(name)?);
        let hierarchy = Hierarchy::from_rows(&rows).at(&spelled(path))?;
        let column = table.column(name)?;
        hierarchies
            .insert(name.to_owned(), Recoder::bind(&hierarchy, column).at(&spelled(path))?.listing(&rows, column));
    }
    let distance = match args.distance.as_deref() {
        None => None,
        Some(name) => Some(
            Distance::named(name)
                .ok_or_else(|| sentence(format!("--distance is `{name}`; expected hierarchical, ordered or equal, or listed for the order of a hierarchy file's lines")))?,
        ),
    };
    // A required l is also the l for which c is told.
    let required_l = bounds.iter().find_map(|bound| match bound {
        Bound::L(l) => Some(*l),
        _ => None,
    });
    Ok(AssessOptions {
        quasi: args.quasi.clone(),
        sensitive: args.sensitive.clone(),
        hierarchies,
        distance,
        distance_of: None,
        reference: BTreeMap::new(),
        l: required_l.unwrap_or(args.l),
        entity: args.entity.clone(),
        rows: None,
        has_population: false,
        models: Vec::new(),
        count_suppressed: args.count_suppressed,
        threshold: args.threshold,
    })
}

/// The lines of a hierarchy, and one for the `*` of suppressed rows if the column has some and the hierarchy does not list it.
fn with_star(mut rows: Vec<HierarchyRow>, column: &Column) -> Vec<HierarchyRow> {
    let is_listed = rows.iter().any(|row| row.labels.first().is_some_and(|value| value == SUPPRESSED));
    let line = rows.last().map(|row| {
        let mut labels = vec![SUPPRESSED.to_owned(); row.labels.len()];
        if let (Some(mine), Some(top)) = (labels.last_mut(), row.labels.last()) {
            mine.clone_from(top);
        }
        HierarchyRow { line: row.line + 1, labels }
    });
    if !is_listed && column.dictionary().iter().any(|text| text == SUPPRESSED) {
        rows.extend(line);
    }
    rows
}

/// The table with the rows of the reference table below its own, which are not assessed but whose values are known; and how often
/// each value occurs there.
fn with_reference(args: &CheckArgs, table: &Table, path: &Path) -> Result<(Table, ReferenceCounts), CommandError> {
    let options = read_options(&args.input)?;
    let columns = ColumnFilter::Only(args.sensitive.iter().chain(&args.entity).cloned().collect());
    let reference = read_table(path, &ReadOptions { columns, ..options.clone() })?;
    let mut joined = Vec::new();
    for column in table.columns() {
        let mut builder = ColumnBuilder::new(column.name()).missing(&options.missing);
        for row in 0..table.rows() {
            builder.push(column.text(row))?;
        }
        let theirs = reference.column(column.name()).ok();
        for row in 0..reference.rows() {
            builder.push(theirs.map_or(SUPPRESSED, |theirs| theirs.text(row)))?;
        }
        joined.push(builder.finish());
    }
    let joined = Table::new(joined)?;
    let entity = args.entity.as_ref().map(|name| joined.column(name)).transpose()?;
    let mut counts = BTreeMap::new();
    for name in &args.sensitive {
        counts.insert(name.clone(), count_values(joined.column(name)?, entity, table.rows()..joined.rows()));
    }
    Ok((joined, counts))
}

fn plural(count: u64, one: &str, several: &str) -> String {
    format!("{count} {}", if count == 1 { one } else { several })
}

type ReferenceCounts = BTreeMap<String, Vec<u64>>;

fn describe(assessment: &Assessment) -> String {
    let mut lines = Vec::new();
    let mut figure = |name: &str, value: String| lines.push(format!("{name:<14}{value}"));
    figure("k", assessment.k.to_string());
    figure(
        "classes",
        format!("{}, the largest of {}, {:.2} on average", assessment.classes, assessment.largest, assessment.average),
    );
    figure("rows", format!("{} assessed, {} left out as suppressed", assessment.rows, assessment.suppressed));
    figure(
        "risk",
        format!(
            "{} on average, {} at most, {} of rows above {}",
            percent(assessment.risk.average),
            percent(assessment.risk.max),
            percent(assessment.risk.at_risk),
            assessment.risk.threshold
        ),
    );
    let small: Vec<String> = assessment.anonymity_vector.iter().take(10).map(ToString::to_string).collect();
    figure(
        "sizes 1-10",
        if small.is_empty() { "no class".to_owned() } else { format!("{} classes", small.join(", ")) },
    );
    for (name, diversity) in &assessment.sensitive {
        let c = diversity.recursive_c.map_or_else(|| "none".to_owned(), |c| format!("above {c:.4}"));
        figure(
            &printable(name),
            format!(
                "distinct l {}, entropy l {:.4}, c {c} for l = {}, t {:.4} ({})",
                diversity.distinct_l, diversity.entropy_l, diversity.l, diversity.t, diversity.distance
            ),
        );
        let told = |figure: Option<f64>| figure.map_or_else(|| "none".to_owned(), |figure| format!("{figure:.4}"));
        figure(
            "",
            format!(
                "alpha {:.4}, beta {:.4} (enhanced {}), delta {} ({:.4} for the values present)",
                diversity.alpha,
                diversity.beta,
                told(diversity.enhanced_beta),
                told(diversity.delta),
                diversity.delta_of_present
            ),
        );
    }
    lines.join("\n")
}

const COLOURS: [AnsiColor; 6] =
    [AnsiColor::Cyan, AnsiColor::Green, AnsiColor::Yellow, AnsiColor::Magenta, AnsiColor::Blue, AnsiColor::BrightRed];

/// Prints rows grouped by class, each class in the next colour; suppressed rows last and dim.
fn show(shell: &Shell, args: &CheckArgs, table: &Table, assessment: &Assessment) {
    let mut rows: Vec<usize> = (0..table.rows()).collect();
    rows.sort_by_key(|&row| assessment.class_of_row[row].map_or(u32::MAX, |class| class));
    rows.truncate(args.rows);
    let columns = table.columns();
    let width = |column: &tamis_table::Column| {
        let cells = rows.iter().map(|&row| printable(column.text(row)).chars().count());
        cells.chain([printable(column.name()).chars().count()]).max().unwrap_or(0)
    };
    let widths: Vec<usize> = columns.iter().map(width).collect();
    let line = |cells: Vec<&str>| {
        let padded: Vec<String> =
            cells.iter().zip(&widths).map(|(cell, &width)| format!("{:<width$}", printable(cell))).collect();
        padded.join("  ").trim_end().to_owned()
    };
    let bold = Style::new().bold();
    shell.say(&format!("{bold}{}{bold:#}", line(columns.iter().map(tamis_table::Column::name).collect())));
    let mut seen: Vec<u32> = Vec::new();
    for row in rows.iter().copied().take_while(|_| shell.is_heard()) {
        let style = match assessment.class_of_row[row] {
            None => Style::new().dimmed(),
            Some(class) => {
                if seen.last() != Some(&class) {
                    seen.push(class);
                }
                Style::new().fg_color(Some(COLOURS[(seen.len() - 1) % COLOURS.len()].into()))
            }
        };
        shell.say(&format!("{style}{}{style:#}", line(columns.iter().map(|column| column.text(row)).collect())));
    }
    if rows.len() < table.rows() {
        shell.say(&format!("... {} more rows; --rows N shows more", table.rows() - rows.len()));
    }
    shell.say("");
}
