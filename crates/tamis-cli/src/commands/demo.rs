//! `tamis demo`

use crate::answer::{Answer, CommandResult};
use crate::args::DemoArgs;
use crate::commands::compare::{attribute_names, table_of};
use crate::commands::spelled;
use crate::commands::write_text;
use crate::shell::Shell;
use serde_json::json;
use tamis_adult::PUBLISHED;
use tamis_release::{
    ADULT_POLICY, Bundled, CompareSettings, Compared, Policy, Secret, SolveOptions, compare, compare_report, report,
};
use tamis_source::ensure_writable;

pub(crate) fn run(args: &DemoArgs, shell: &Shell) -> CommandResult {
    ensure_writable(&args.output)?;
    let policy = Policy::parse(ADULT_POLICY, "of the Adult study")?;
    let settings = CompareSettings {
        k: vec![2, 5, 8, 12, 15, 17, 20, 25],
        l: vec![2, 4, 6, 8, 10, 12],
        c: vec![4.0],
        t: (1..=10).map(|tenth| f64::from(tenth) / 10.0).collect(),
        distance: None,
        models: Vec::new(),
    };
    shell.say(
        "The Adult census: 30,162 people, eight quasi-identifiers, occupation sensitive; 4,320 transformations.\n",
    );
    let options = SolveOptions { threads: shell.threads, stop: None, seed: 0 };
    let rows = compare(&policy, (&Bundled, &Secret::of_seed(0)), &settings, &options, &mut |_| {})?;
    let agreeing = rows.iter().filter(|row| agrees(row)).count();
    let title = "What privacy costs: the Adult census study";
    let page = compare_report(title, attribute_names(&rows), &rows, &PUBLISHED);
    write_text(&args.output, &report::compare_page(&page))?;
    shell.json(
        &json!({ "rows": rows, "published": PUBLISHED.len(), "agreeing": agreeing, "report": spelled(&args.output) }),
    )?;
    shell.say(&table_of(&rows).render());
    shell.say(&format!(
        "\n{agreeing} of the {} published results agree in levels, loss, classes, rows and risk; each is proven optimal.",
        PUBLISHED.len()
    ));
    shell.say(&format!("Report: {}", args.output.display()));
    Ok(Answer::from_bool(agreeing == PUBLISHED.len()))
}

/// Whether a row is the published one, proven.
fn agrees(row: &Compared) -> bool {
    let (Some(outcome), Some(published)) =
        (&row.outcome, PUBLISHED.iter().find(|published| published.name == row.name))
    else {
        return false;
    };
    let levels = outcome.solution.level_vector();
    outcome.solution.optimal
        && levels.iter().zip(&published.levels).all(|(&ours, &theirs)| ours == usize::from(theirs))
        && (outcome.quality.loss - published.loss.full).abs() <= 1e-15
        && (outcome.classes.count, outcome.rows.kept, outcome.rows.suppressed)
            == (published.classes.count, published.rows.kept, published.rows.suppressed)
        && (outcome.risk.average - published.risk.average).abs() <= 1e-15
        && (outcome.risk.max - published.risk.max).abs() <= 1e-15
        && (outcome.risk.at_risk - published.risk.at_risk).abs() <= 1e-15
}
