//! Looks at a table and writes a first policy: roles guessed from names and values, hierarchies built, a starting model.

use crate::{Input, ReleaseError, Role};
use std::fmt::Write as _;
use tamis_risk::hipaa::{Flag, names, recognise};
use tamis_table::hierarchy::builders::{Builder, Mask};
use tamis_table::{Column, Hierarchy, Table};

/// What was guessed about a column, and why.
#[derive(Debug, Clone, PartialEq)]
pub struct Guess {
    /// The column.
    pub column: String,
    /// Its likely role.
    pub role: Role,
    /// Why, in a few words.
    pub reason: String,
    /// How it could generalize, for quasi-identifiers.
    pub builder: Option<Builder>,
    /// Levels of that hierarchy.
    pub levels: usize,
    /// Whether its values point at single people or may say anything, so that none of them is released whatever its role.
    pub is_withheld: bool,
}

/// Parts of names that number people, as opposed to calling them by name.
const PERSON: &str = "id patient person paciente pacjent mrn ssn run rut dni nif pesel passport uuid guid";

/// Up to so many values a column is kept or hidden whole.
const FEW_VALUES: usize = 3;
/// The largest lattice for which the optimal search is suggested.
const LARGE_LATTICE: f64 = 1e7;

/// Guesses the role of every column.
///
/// A table needs a quasi-identifier. Where no column looks like one, those that say what nobody should learn are taken for it, and
/// where there are none of these either, those that say who someone is: generalizing them is the safe reading.
pub fn guess(table: &Table) -> Vec<Guess> {
    let mut guesses: Vec<Guess> = table.columns().iter().map(|column| guess_column(column, table.rows())).collect();
    let has = |guesses: &[Guess], role| guesses.iter().any(|guess| guess.role == role);
    if !has(&guesses, Role::QuasiIdentifying) {
        let instead = if has(&guesses, Role::Sensitive) { Role::Sensitive } else { Role::Identifying };
        for (guess, column) in guesses.iter_mut().zip(table.columns()).filter(|(guess, _)| guess.role == instead) {
            guess.role = Role::QuasiIdentifying;
            guess.reason = format!("{}, but no other column could point at a person", guess.reason);
            (guess.builder, guess.levels) = if guess.is_withheld { withheld() } else { suggest(column) };
        }
    }
    guesses
}

fn guess_column(column: &Column, rows: usize) -> Guess {
    let distinct = column.dictionary().len();
    let left_out = recognise(column).into_iter().find(Flag::is_left_out);
    let (role, reason) = if let Some(flag) = &left_out {
        (Role::Identifying, why(flag, distinct, rows))
    } else if names::is_sensitive(column.name()) {
        (Role::Sensitive, "its name says what nobody should learn".to_owned())
    } else {
        let values = if distinct == 1 { "one value" } else { &format!("{distinct} different values") };
        (Role::QuasiIdentifying, format!("{}, {values}", column.data_type().name()))
    };
    let (builder, levels) = if role == Role::QuasiIdentifying { suggest(column) } else { (None, 0) };
    let is_by_content = |flag: Flag| flag.share.is_some() && !flag.is_by_uniqueness();
    let is_withheld = left_out.is_some_and(is_by_content);
    Guess { column: column.name().to_owned(), role, reason, builder, levels, is_withheld }
}

/// Why a column is left out.
fn why(flag: &Flag, distinct: usize, rows: usize) -> String {
    match flag.share {
        _ if flag.is_free_text() => "free text, which may hold names; release it only after reading it".to_owned(),
        Some(_) if flag.is_by_uniqueness() && names::matches(&flag.column).is_empty() => {
            format!("{distinct} different values in {rows} rows")
        }
        Some(share) if !flag.is_by_uniqueness() => {
            format!("{:.0}% of its {}", (share * 100.0).floor().max(1.0), flag.reason)
        }
        _ => "its name says who it is".to_owned(),
    }
}

/// A hierarchy with nothing between a value and `*`.
fn withheld() -> (Option<Builder>, usize) {
    (Some(Builder::Mask(Mask { levels: Some(0), ..Mask::default() })), 2)
}

fn suggest(column: &Column) -> (Option<Builder>, usize) {
    let values = column.counted_values();
    // So few values have nothing between themselves and `*`.
    let builder = if values.len() <= FEW_VALUES {
        Builder::Mask(Mask { levels: Some(0), ..Mask::default() })
    } else {
        Builder::suggest(column.data_type(), &values)
    };
    let levels =
        builder.build_with_counts(&values).and_then(|rows| Hierarchy::from_rows(&rows)).map(|built| built.levels());
    match levels {
        Ok(levels) => (Some(builder), levels),
        // Without values there is nothing to build from; keeping or suppressing it whole always works.
        Err(_) => (None, 2),
    }
}

/// Writes the guesses as a commented policy that runs as it is; `input` is the data as seen from the policy.
pub fn policy_text(table: &Table, guesses: &[Guess], input: &Input) -> Result<String, ReleaseError> {
    let mut text = String::new();
    let k = if table.rows() >= 50 { 5 } else { 2.min(table.rows()) };
    let transformations: f64 =
        guesses.iter().filter(|guess| guess.levels > 0).map(|guess| guess.levels as f64).product();
    let _ = writeln!(
        text,
        "# A first policy for {}: {} rows, {} columns.",
        one_line(&input.path),
        table.rows(),
        guesses.len()
    );
    text.push_str("# The roles below are guesses. Read them, correct them, then run `tamis anonymize` on this file.\n");
    text.push_str("# Roles: identifying (never released), quasi-identifying (generalized), sensitive (protected by the models),\n");
    text.push_str("# insensitive (released as it is). A column without a section is left out of the release.\n\n");
    match repeated_person(table, guesses) {
        Some((column, people)) => {
            let _ = writeln!(text, "# {people} people have {} rows: k, l, t and risk count people", table.rows());
            let _ = writeln!(text, "entity = {}\n", toml::Value::from(column));
        }
        None => text.push_str(
            "# entity = \"patient_id\"      # if a person may have several rows: the column that names the person\n\n",
        ),
    }
    text.push_str("[input]\n");
    let _ = writeln!(text, "path = {}                # relative to this file", quoted(&input.path));
    for (key, value) in [("delimiter", &input.delimiter), ("quote", &input.quote), ("encoding", &input.encoding)] {
        if let Some(value) = value {
            let _ = writeln!(text, "{key} = {}", quoted(value));
        }
    }
    if let Some(missing) = &input.missing {
        let texts: Vec<String> = missing.iter().map(|text| quoted(text)).collect();
        let _ = writeln!(text, "missing = [{}]               # these texts mean a missing value", texts.join(", "));
    }
    text.push('\n');
    for guess in guesses {
        let _ = writeln!(text, "# {}", guess.reason);
        let _ = writeln!(text, "[attributes.{}]", toml_key(&guess.column));
        let _ = writeln!(text, "role = \"{}\"", role_name(guess.role));
        if let Some(builder) = &guess.builder {
            let _ = writeln!(text, "hierarchy = {}", inline(builder)?);
            if guess.is_withheld {
                text.push_str("min_level = 1                # its values point at single people: none is released\n");
            }
        } else if guess.role == Role::Sensitive {
            text.push_str("# hierarchy = \"FILE.csv\"     # lets t-closeness know which values are alike\n");
        }
        text.push('\n');
    }
    let _ = writeln!(
        text,
        "[[models]]\nkind = \"k-anonymity\"          # everyone is like at least k - 1 others\nk = {k}\n"
    );
    let sensitive = guesses.iter().find(|guess| guess.role == Role::Sensitive);
    if let Some(guess) = sensitive {
        let name = quoted(&guess.column);
        let _ = writeln!(
            text,
            "# Against learning `{}` from a class that agrees on it, add one of these:",
            one_line(&guess.column)
        );
        let _ = writeln!(text, "# [[models]]\n# kind = \"distinct-l-diversity\"\n# attribute = {name}\n# l = 2\n");
        let _ = writeln!(
            text,
            "# [[models]]\n# kind = \"t-closeness\"\n# attribute = {name}\n# distance = \"equal\"\n# t = 0.3\n"
        );
    }
    text.push_str("[search]\nsuppression_limit = 0.05     # share of rows that may be suppressed\n");
    if transformations > LARGE_LATTICE {
        text.push_str("algorithm = \"heuristic\"      # too many transformations to try them all\ntime_limit = 20              # seconds\n");
    } else {
        text.push_str("algorithm = \"optimal\"        # optimal | heuristic\n");
    }
    text.push_str("\n[quality]\nmeasure = \"loss\"             # loss | discernibility | average-class-size | non-uniform-entropy | precision | height\n");
    text.push_str("\n[output]\norder = \"shuffled\"           # shuffled | input\nsuppressed = \"keep\"          # keep (as *) | drop\n");
    Ok(text)
}

/// The column that names a person in several rows, with the number of people: an identifying one whose values recur a few times.
fn repeated_person<'g>(table: &Table, guesses: &'g [Guess]) -> Option<(&'g str, usize)> {
    const MOST_ROWS_EACH: usize = 50;
    guesses
        .iter()
        .filter(|guess| guess.role == Role::Identifying)
        .filter(|guess| names::says(&guess.column, PERSON))
        .filter_map(|guess| Some((guess.column.as_str(), table.column(&guess.column).ok()?.dictionary().len())))
        .filter(|&(_, people)| people < table.rows() && people * MOST_ROWS_EACH >= table.rows() && people > 1)
        .max_by_key(|&(_, people)| people)
}

/// A role as policies spell it.
pub fn role_name(role: Role) -> &'static str {
    match role {
        Role::Identifying => "identifying",
        Role::QuasiIdentifying => "quasi-identifying",
        Role::Sensitive => "sensitive",
        Role::Insensitive => "insensitive",
    }
}

/// A key that TOML reads back as this text.
fn toml_key(name: &str) -> String {
    let is_bare = !name.is_empty() && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '-' || c == '_');
    if is_bare { name.to_owned() } else { quoted(name) }
}

/// A TOML string on one line; the only kind that may be a key.
fn quoted(text: &str) -> String {
    let mut quoted = String::from("\"");
    for character in text.chars() {
        match character {
            '"' | '\\' => quoted.extend(['\\', character]),
            _ if character.is_control() => {
                let _ = write!(quoted, "\\u{:04X}", u32::from(character));
            }
            _ => quoted.push(character),
        }
    }
    quoted.push('"');
    quoted
}

/// A text that stays within its comment.
fn one_line(text: &str) -> String {
    text.chars().map(|character| if character.is_control() { ' ' } else { character }).collect()
}

/// A builder on one line.
fn inline(builder: &Builder) -> Result<String, ReleaseError> {
    let bad =
        |reason: toml::ser::Error| ReleaseError::Setting(format!("a hierarchy cannot be written as TOML: {reason}"));
    Ok(toml::Value::try_from(builder).map_err(bad)?.to_string())
}
