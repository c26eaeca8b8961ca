//! `tamis models`

use crate::answer::{Answer, CommandResult};
use crate::shell::Shell;
use serde_json::json;
use tamis_engine::measures;

pub(crate) fn run(shell: &Shell) -> CommandResult {
    let models: Vec<_> = tamis_privacy::REGISTRY
        .iter()
        .map(|kind| {
            let parameters: Vec<_> =
                kind.parameters.iter().map(|p| json!({ "name": p.name, "meaning": p.meaning })).collect();
            json!({ "kind": kind.kind, "promise": kind.promise, "parameters": parameters })
        })
        .collect();
    let known: Vec<_> =
        measures::REGISTRY.iter().map(|kind| json!({ "measure": kind.name, "meaning": kind.meaning })).collect();
    shell.json(&json!({ "models": models, "measures": known }))?;
    shell.say("Privacy models ([[models]] in a policy):");
    for kind in tamis_privacy::REGISTRY {
        shell.say(&format!("\n  {}\n    {}", kind.kind, kind.promise));
        for parameter in kind.parameters {
            shell.say(&format!("    {:<10} {}", parameter.name, parameter.meaning));
        }
    }
    shell.say("\nQuality measures ([quality] in a policy):\n");
    for kind in measures::REGISTRY {
        shell.say(&format!("  {:<22} {}", kind.name, kind.meaning));
    }
    Ok(Answer::Yes)
}
