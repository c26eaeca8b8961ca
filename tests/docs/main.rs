//! Runs the documentation: every command that the README, the guide, the models, the reference and the pages about sealed fields show must work and print what they say
//! it prints, every link between pages must lead somewhere, and every model and measure must be explained.
//!
//! A page is read from top to bottom in a fresh copy of `docs/guide/examples`:
//! * a fenced block whose first line is like ` ```toml file=policy.toml ` is written to that file;
//! * in a ` ```console ` block, lines `$ tamis ...` are run, `$ cat FILE` and `$ head -N FILE` are looked up, other commands are left
//!   to the reader. The lines below a command must occur in what it prints, in that order; `...` stands for lines left out, and
//!   `exit code N` says how the command ends if not with 0. Times, and how much of a lattice had to be evaluated, may differ.
//!
//! Built without the feature `cells`, a page is run up to the first `tamis cells`.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

type Failure = Box<dyn std::error::Error>;

/// One fenced block.
struct Block {
    line: usize,
    info: String,
    lines: Vec<String>,
}

/// One command of a console block and what is said about it.
#[derive(Default)]
struct Shown {
    command: String,
    output: Vec<String>,
    exit_code: i32,
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn markdown_files(directory: &Path, found: &mut Vec<PathBuf>) -> Result<(), Failure> {
    for entry in fs::read_dir(directory)? {
        let path = entry?.path();
        if path.is_dir() {
            markdown_files(&path, found)?;
        } else if path.extension().is_some_and(|extension| extension == "md") {
            found.push(path);
        }
    }
    found.sort();
    Ok(())
}

fn blocks(text: &str) -> Vec<Block> {
    let mut blocks = Vec::new();
    let mut open: Option<Block> = None;
    for (number, line) in text.lines().enumerate() {
        match (line.strip_prefix("```"), open.take()) {
            (Some(_), Some(block)) => blocks.push(block),
            (Some(info), None) => {
                open = Some(Block { line: number + 1, info: info.trim().to_owned(), lines: Vec::new() });
            }
            (None, Some(mut block)) => {
                block.lines.push(line.to_owned());
                open = Some(block);
            }
            (None, None) => {}
        }
    }
    blocks
}

fn commands(block: &Block) -> Vec<Shown> {
    let mut all: Vec<Shown> = Vec::new();
    let mut continues = false;
    for line in &block.lines {
        if continues {
            if let Some(last) = all.last_mut() {
                last.command.push_str(line.trim().trim_end_matches('\\'));
            }
        } else if let Some(command) = line.strip_prefix("$ ") {
            let command = command.trim_end_matches('\\').to_owned();
            all.push(Shown { command, ..Shown::default() });
        } else if let Some(last) = all.last_mut() {
            match line.strip_prefix("exit code ").map(str::parse) {
                Some(Ok(code)) => last.exit_code = code,
                _ => last.output.push(line.clone()),
            }
            continue;
        }
        continues = line.ends_with('\\');
    }
    all
}

/// The words of a command; quotes hold words together.
fn words(command: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    let mut quote = None;
    for character in command.chars() {
        match quote {
            Some(open) if open == character => quote = None,
            None if character == '\'' || character == '"' => quote = Some(character),
            None if character == ' ' => words.push(String::new()),
            _ => {
                if let Some(word) = words.last_mut() {
                    word.push(character);
                }
            }
        }
    }
    words.retain(|word| !word.is_empty());
    words
}

/// A line without what differs from run to run.
fn settled(line: &str) -> String {
    let line = line.trim_end();
    if line.contains("transformations evaluated in") || line.contains("\"seconds\":") || line.contains("\"checked\":") {
        return line.split_whitespace().next().unwrap_or_default().to_owned();
    }
    line.to_owned()
}

fn is_left_out(line: &str) -> bool {
    matches!(line.trim(), "" | "...")
}

/// The first shown line that the output does not have after the ones before it.
fn absent_line<'a>(shown: &'a [String], output: &str) -> Option<&'a str> {
    let mut printed = output.lines().map(settled);
    shown
        .iter()
        .filter(|line| !is_left_out(line))
        .find(|line| !printed.any(|found| found == settled(line)))
        .map(String::as_str)
}

fn run(shown: &Shown, directory: &Path) -> Result<Option<(String, i32)>, Failure> {
    let words = words(&shown.command);
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    Ok(match words.as_slice() {
        ["tamis", arguments @ ..] => {
            let result = Command::new(env!("CARGO_BIN_EXE_tamis")).args(arguments).current_dir(directory).output()?;
            let mut text = String::from_utf8(result.stderr)?;
            text.push_str(&String::from_utf8(result.stdout)?);
            Some((text, result.status.code().unwrap_or(-1)))
        }
        ["cat", file] => Some((fs::read_to_string(directory.join(file))?, 0)),
        ["head", count, file] => {
            let count: usize = count.trim_start_matches('-').parse()?;
            let text = fs::read_to_string(directory.join(file))?;
            Some((text.lines().take(count).flat_map(|line| [line, "\n"]).collect(), 0))
        }
        _ => None,
    })
}

fn copy(from: &Path, to: &Path) -> Result<(), Failure> {
    fs::create_dir_all(to)?;
    for entry in fs::read_dir(from)? {
        let path = entry?.path();
        let target = to.join(path.file_name().ok_or("a file without a name")?);
        if path.is_dir() {
            copy(&path, &target)?;
        } else {
            fs::copy(&path, &target)?;
        }
    }
    Ok(())
}

/// Runs a page in a copy of the examples; everything that is not as shown.
fn faults_of(page: &Path) -> Result<Vec<String>, Failure> {
    let name = page.file_name().ok_or("a page without a name")?.to_string_lossy().into_owned();
    let copied = Path::new(env!("CARGO_TARGET_TMPDIR")).join("docs").join(&name);
    if copied.exists() {
        fs::remove_dir_all(&copied)?;
    }
    // Policies of the examples name the Adult data and hierarchies where the repository has them.
    for directory in ["docs/guide/examples", "hierarchies", "crates/tamis-adult/data"] {
        copy(&root().join(directory), &copied.join(directory))?;
    }
    let directory = copied.join("docs/guide/examples");
    let mut faults = Vec::new();
    for block in blocks(&fs::read_to_string(page)?) {
        let place = format!("{name}, line {}", block.line);
        if let Some(file) = block.info.split_whitespace().find_map(|word| word.strip_prefix("file=")) {
            fs::write(directory.join(file), block.lines.join("\n") + "\n")?;
        }
        if block.info != "console" {
            continue;
        }
        for shown in commands(&block) {
            if !cfg!(feature = "cells") && shown.command.starts_with("tamis cells ") {
                eprintln!("{place}: the rest is left out, as this is built without the feature `cells`");
                return Ok(faults);
            }
            let Some((output, code)) = run(&shown, &directory)? else { continue };
            if code != shown.exit_code {
                faults.push(format!(
                    "{place}: `{}` ends with exit code {code}, not {}:\n{output}",
                    shown.command, shown.exit_code
                ));
            } else if let Some(line) = absent_line(&shown.output, &output) {
                faults.push(format!("{place}: `{}` does not print `{line}`:\n{output}", shown.command));
            }
        }
    }
    Ok(faults)
}

#[test]
fn every_command_shown_works_and_prints_what_is_shown() -> Result<(), Failure> {
    let mut pages = vec![root().join("README.md")];
    pages.push(root().join("docs/appointments.md"));
    pages.push(root().join("docs/cells.md"));
    for directory in ["docs/guide", "docs/models", "docs/reference", "docs/ucrypt"] {
        markdown_files(&root().join(directory), &mut pages)?;
    }
    let mut faults = Vec::new();
    for page in &pages {
        faults.extend(faults_of(page)?);
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
    Ok(())
}

/// The part of a page below the heading `## name`.
fn section<'a>(page: &'a str, name: &str) -> Option<&'a str> {
    let rest = page.split_once(&format!("\n## {name}\n"))?.1;
    Some(rest.split("\n## ").next().unwrap_or(rest))
}

/// What the page of every model says, in this order.
const ON_A_MODEL: [&str; 7] = [
    "What it promises",
    "What it does not",
    "When to use it",
    "The attack that breaks it",
    "Parameters",
    "Definition",
    "Example",
];

#[test]
fn every_model_has_a_page() -> Result<(), Failure> {
    let listed = Command::new(env!("CARGO_BIN_EXE_tamis")).args(["models", "--json"]).output()?;
    let listed: serde_json::Value = serde_json::from_slice(&listed.stdout)?;
    let text =
        |page: &str| fs::read_to_string(root().join("docs").join(page)).map_err(|error| format!("{page}: {error}"));
    let (index, reference, policy) =
        (text("models/README.md")?, text("reference/models.md")?, text("reference/policy.md")?);
    for model in listed["models"].as_array().ok_or("no models")? {
        let kind = model["kind"].as_str().ok_or("a model without a kind")?;
        let page = text(&format!("models/{kind}.md"))?;
        let headings: Vec<&str> = page.lines().filter_map(|line| line.strip_prefix("## ")).collect();
        assert_eq!(headings, ON_A_MODEL, "{kind}.md");
        let parameters = section(&page, "Parameters").ok_or("no parameters")?;
        for parameter in model["parameters"].as_array().ok_or("no parameters")? {
            let name = parameter["name"].as_str().ok_or("a parameter without a name")?;
            assert!(parameters.contains(&format!("| `{name}` |")), "{kind}.md does not explain {name}");
        }
        let runs = blocks(&page).iter().any(|block| block.info == "console" && !commands(block).is_empty());
        assert!(runs, "{kind}.md shows nothing to run");
        assert!(index.contains(&format!("| [{kind}]({kind}.md) |")), "models/README.md does not list {kind}");
        assert!(reference.contains(&format!("(../models/{kind}.md)")), "reference/models.md does not link to {kind}");
        assert!(policy.contains(&format!("| `{kind}` |")), "policy.md does not list {kind}");
    }
    Ok(())
}

#[test]
fn every_measure_is_explained() -> Result<(), Failure> {
    let listed = Command::new(env!("CARGO_BIN_EXE_tamis")).args(["models", "--json"]).output()?;
    let listed: serde_json::Value = serde_json::from_slice(&listed.stdout)?;
    let reference = |page: &str| fs::read_to_string(root().join("docs/reference").join(page));
    let (measures, policy) = (reference("measures.md")?, reference("policy.md")?);
    for measure in listed["measures"].as_array().ok_or("no measures")? {
        let name = measure["measure"].as_str().ok_or("a measure without a name")?;
        assert!(section(&measures, name).is_some(), "measures.md has no section {name}");
        assert!(policy.contains(&format!("\"{name}\"")), "policy.md does not list {name}");
    }
    Ok(())
}

/// The targets of `[text](target)`, code left out.
fn links(text: &str) -> Vec<String> {
    let mut in_code = false;
    let mut links = Vec::new();
    for line in text.lines() {
        if line.starts_with("```") {
            in_code = !in_code;
        }
        if in_code || line.starts_with("    ") {
            continue;
        }
        // Every second piece between back quotes is code.
        let prose: String = line.split('`').step_by(2).collect();
        let targets = prose.split("](").skip(1).filter_map(|rest| rest.split(')').next().map(str::to_owned));
        links.extend(targets);
    }
    links
}

/// The names under which a page's headings can be linked to.
fn anchors(text: &str) -> BTreeSet<String> {
    let mut in_code = false;
    let mut anchors = BTreeSet::new();
    for line in text.lines() {
        in_code ^= line.starts_with("```");
        if !in_code && line.starts_with('#') {
            let heading = line.trim_start_matches('#').trim().to_lowercase();
            let kept = heading.chars().filter(|c| c.is_alphanumeric() || matches!(c, ' ' | '-' | '_'));
            anchors.insert(kept.map(|c| if c == ' ' { '-' } else { c }).collect());
        }
    }
    anchors
}

#[test]
fn every_link_between_pages_leads_somewhere() -> Result<(), Failure> {
    let mut pages = vec![root().join("README.md"), root().join("CHANGELOG.md")];
    for directory in ["docs", "hierarchies", "crates"] {
        markdown_files(&root().join(directory), &mut pages)?;
    }
    let mut broken = Vec::new();
    for page in &pages {
        let text = fs::read_to_string(page)?;
        for link in links(&text).into_iter().filter(|link| !link.contains("://") && !link.starts_with("mailto:")) {
            let (file, anchor) = link.split_once('#').unwrap_or((link.as_str(), ""));
            let target = match file {
                "" => page.clone(),
                _ => page.parent().unwrap_or(Path::new("")).join(file),
            };
            let is_there = target.exists()
                && (anchor.is_empty() || fs::read_to_string(&target).is_ok_and(|text| anchors(&text).contains(anchor)));
            if !is_there {
                broken.push(format!("{}: {link}", page.display()));
            }
        }
    }
    assert!(broken.is_empty(), "links that lead nowhere:\n{}", broken.join("\n"));
    Ok(())
}
