//! `tamis lattice`

use crate::answer::{Answer, CommandResult};
use crate::args::LatticeArgs;
use crate::shell::Shell;
use crate::text_table::TextTable;
use serde::ser::SerializeMap;
use serde::{Serialize, Serializer};
use serde_json::Value;
use std::collections::BTreeMap;
use tamis_engine::survey;
use tamis_release::{Files, Policy, Prepared, Secret, score_value};

#[derive(Serialize)]
struct Document<'a> {
    attributes: &'a [&'a str],
    size: Option<u64>,
    limit: u64,
    transformations: Vec<Transformation<'a>>,
}

#[derive(Serialize)]
struct Transformation<'a> {
    levels: Levels<'a>,
    suppressed: u64,
    classes: u64,
    #[serde(flatten)]
    score: BTreeMap<&'static str, Value>,
    holds: bool,
    minimal: bool,
}

/// Levels by attribute, in column order.
struct Levels<'a>(&'a [&'a str], &'a [usize]);

impl Serialize for Levels<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(self.0.len()))?;
        for (name, level) in self.0.iter().zip(self.1) {
            map.serialize_entry(name, level)?;
        }
        map.end()
    }
}

pub(crate) fn run(args: &LatticeArgs, shell: &Shell) -> CommandResult {
    let (policy, _) = Policy::read(&args.policy)?;
    let prepared = Prepared::read(
        &policy,
        &Files::beside(&args.policy),
        &Secret::of_seed_or_random(shell.seed.or(policy.output.seed))?,
    )?;
    let names: Vec<&str> = prepared.problem.frequency.attributes.iter().map(|a| a.name.as_str()).collect();
    let mut surveyed = survey(&prepared.problem)?;
    if args.minimal {
        surveyed.retain(|node| node.is_minimal);
    }
    let measure = prepared.problem.measure.name();
    let transformations: Vec<Transformation<'_>> = surveyed
        .iter()
        .map(|node| Transformation {
            levels: Levels(&names, &node.levels),
            suppressed: node.suppressed,
            classes: node.classes,
            score: BTreeMap::from([(measure, score_value(&policy, &node.score))]),
            holds: node.holds,
            minimal: node.is_minimal,
        })
        .collect();
    shell.json(&Document {
        attributes: &names,
        size: prepared.problem.lattice.size(),
        limit: prepared.problem.limit,
        transformations,
    })?;
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
