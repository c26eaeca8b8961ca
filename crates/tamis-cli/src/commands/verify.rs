//! `tamis verify`

use crate::answer::{Answer, CommandResult};
use crate::args::VerifyArgs;
use crate::shell::Shell;
use serde_json::json;
use tamis_release::replay::verify;

pub(crate) fn run(args: &VerifyArgs, shell: &Shell) -> CommandResult {
    let checks = verify(&args.manifest)?;
    let holds = checks.iter().all(|check| check.holds);
    shell.json(&json!({ "holds": holds, "checks": checks }))?;
    for check in &checks {
        let mark = if check.holds { "ok    " } else { "FAILED" };
        shell.say(&format!("{mark}  {}: {}", check.check, check.detail));
    }
    Ok(Answer::from_bool(holds))
}
