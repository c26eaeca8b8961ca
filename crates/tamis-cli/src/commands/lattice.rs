//! `tamis lattice`

use crate::answer::{Answer, CommandResult};
use crate::args::LatticeArgs;
use crate::shell::Shell;
use crate::text_table::TextTable;
use serde_json::{Map, Value, json};
use tamis_engine::survey;
use tamis_release::{Files, Policy, Prepared};

pub(crate) fn run(args: &LatticeArgs, shell: &Shell) -> CommandResult {
    let (policy, _) = Policy::read(&args.policy)?;
    let prepared = Prepared::read(&policy, &Files::beside(&args.policy))?;
    let names: Vec<&str> = prepared.problem.frequency.attributes.iter().map(|a| a.name.as_str()).collect();
    let mut surveyed = survey(&prepared.problem)?;
    if args.minimal {
        surveyed.retain(|node| node.is_minimal);
    }
    let measure = prepared.problem.measure.name();
    let transformations: Vec<Value> = surveyed
        .iter()
        .map(|node| {
            let levels: Map<String, Value> =
                names.iter().zip(&node.levels).map(|(name, level)| ((*name).to_owned(), json!(level))).collect();
            json!({
                "levels": levels,
                "suppressed": node.suppressed,
                "classes": node.classes,
                measure: node.score.value(),
                "holds": node.holds,
                "minimal": node.is_minimal,
            })
        })
        .collect();
    shell.json(&json!({
        "attributes": names,
        "size": prepared.problem.lattice.size(),
        "limit": prepared.problem.limit,
        "transformations": transformations,
    }))?;
    shell.notes(&prepared.notes);
    let mut table = TextTable::new(&["levels", "suppressed", "classes", measure, "holds", "minimal"]);
    for node in &surveyed {
        let levels: Vec<String> = node.levels.iter().map(ToString::to_string).collect();
        let yes = |is_yes: bool| if is_yes { "yes" } else { "" }.to_owned();
        table.row(vec![
            format!("[{}]", levels.join(", ")),
            node.suppressed.to_string(),
            node.classes.to_string(),
            format!("{:.6}", node.score.value()),
            yes(node.holds),
            yes(node.is_minimal),
        ]);
    }
    shell.say(&format!("attributes: {}", names.join(", ")));
    shell.say(&table.render());
    Ok(Answer::from_bool(surveyed.iter().any(|node| node.holds)))
}
