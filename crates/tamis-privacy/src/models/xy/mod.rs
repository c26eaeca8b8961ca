//! What the values of one set of columns, X, tell about those of another, Y (Wang and Fung 2006).
//!
//! Any column may be in X or Y. Quasi-identifiers count as they are released, that is by their labels; all others by their values,
//! whether they are released or not.

pub mod anonymity;
pub mod linkability;
pub mod privacy;

use crate::grouping::{Grouping, Labels};
use crate::{Classes, ModelError, ParameterKind, Parameters, TableFacts, Value};
use foldhash::fast::FixedState;
use hashbrown::HashMap;

/// Shared by the three kinds.
const X: ParameterKind =
    ParameterKind { name: "x", meaning: "the columns an attacker knows; all quasi-identifiers if left out" };
const Y: ParameterKind = ParameterKind { name: "y", meaning: "the columns they must not learn" };

/// The two sets of columns, bound to a table.
#[derive(Debug, Clone)]
struct Sides {
    x: Side,
    y: Side,
    /// Where the columns are counted together.
    joint: usize,
}

/// One of the sets.
#[derive(Debug, Clone)]
struct Side {
    columns: Vec<String>,
    /// The quasi-identifiers among them, by position.
    quasi: Vec<usize>,
    /// For each combination that is counted, a number for its values in the other columns.
    part: Vec<u32>,
    /// Whether there are other columns.
    has_others: bool,
}

/// How many rows of a class have the same values on both sides.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Link {
    x: (u32, u32),
    y: (u32, u32),
    class: u32,
    rows: u32,
}

/// The columns that must be counted together: all that are named.
fn joint(parameters: &Parameters) -> Vec<Vec<String>> {
    let named = |parameter: &str| match parameters.get(parameter) {
        Some(Value::Text(name)) => vec![name.clone()],
        Some(Value::List(names)) => names.iter().filter_map(text).collect(),
        _ => Vec::new(),
    };
    let columns = [named("x"), named("y")].concat();
    if columns.is_empty() { Vec::new() } else { vec![columns] }
}

fn text(value: &Value) -> Option<String> {
    if let Value::Text(text) = value { Some(text.clone()) } else { None }
}

impl Sides {
    fn bind(kind: &'static str, parameters: &Parameters, facts: &TableFacts) -> Result<Self, ModelError> {
        let x = names(kind, "x", parameters)?;
        let y = names(kind, "y", parameters)?.ok_or(ModelError::MissingParameter {
            kind,
            parameter: "y",
            meaning: Y.meaning,
        })?;
        if facts.has_entity {
            return Err(ModelError::RowsAreNotPeople { kind });
        }
        let counted = [x.clone().unwrap_or_default(), y.clone()].concat();
        let x = x.unwrap_or_else(|| facts.quasi.iter().map(|quasi| quasi.name.clone()).collect());
        if let Some(column) = y.iter().find(|column| x.contains(column)) {
            let problem = if parameters.get("x").is_some() {
                "x names too; a column either is known or must not be learnt".to_owned()
            } else {
                "is a quasi-identifier, and x is all of them if left out; name the columns of x".to_owned()
            };
            return Err(ModelError::UnusableColumn { kind, parameter: "y", column: column.clone(), problem });
        }
        let joint = facts.joint(&counted).ok_or_else(|| ModelError::UnusableColumn {
            kind,
            parameter: "y",
            column: counted.join(" + "),
            problem: "is not counted in this table".to_owned(),
        })?;
        Ok(Self { x: Side::of(x, facts, joint), y: Side::of(y, facts, joint), joint })
    }

    /// Whether generalizing can only merge groups of X, and does nothing to the values of Y.
    fn only_x_generalizes(&self) -> bool {
        !self.x.has_others && self.y.quasi.is_empty()
    }

    /// All links between values of X and Y in the kept classes, in order. Takes the time of sorting them.
    fn links(&self, classes: &Classes, kept: &[bool]) -> Vec<Link> {
        let labels = Labels::of(classes, kept);
        let groups = |side: &Side| {
            let mut grouping = Grouping::default();
            grouping.group(&labels, &side.quasi);
            grouping.group_of
        };
        let (x, y) = (groups(&self.x), groups(&self.y));
        let mut links = Vec::new();
        for (position, &class) in labels.members.iter().enumerate() {
            links.extend(classes.joint[self.joint].of(class as usize).iter().map(|&(code, rows)| Link {
                x: (x[position], self.x.part[code as usize]),
                y: (y[position], self.y.part[code as usize]),
                class,
                rows,
            }));
        }
        links.sort_unstable();
        links
    }
}

impl Side {
    fn of(columns: Vec<String>, facts: &TableFacts, joint: usize) -> Self {
        let joint = &facts.joint[joint];
        let quasi: Vec<usize> = columns.iter().filter_map(|column| facts.quasi(column)).collect();
        let others: Vec<&[u32]> = columns
            .iter()
            .filter(|column| facts.quasi(column).is_none())
            .filter_map(|column| joint.columns.iter().position(|counted| counted == column))
            .map(|position| joint.parts[position].of_code.as_slice())
            .collect();
        let codes = joint.parts.first().map_or(0, |part| part.of_code.len());
        let mut numbers: HashMap<Vec<u32>, u32, FixedState> = HashMap::default();
        let mut number = |code: usize| {
            let next = numbers.len() as u32;
            *numbers.entry(others.iter().map(|part| part[code]).collect()).or_insert(next)
        };
        Self { part: (0..codes).map(&mut number).collect(), has_others: !others.is_empty(), quasi, columns }
    }

    fn describe(&self) -> String {
        self.columns.join(" + ")
    }
}

/// The columns a parameter names; none if it was left out.
fn names(
    kind: &'static str,
    parameter: &'static str,
    parameters: &Parameters,
) -> Result<Option<Vec<String>>, ModelError> {
    let Some(value) = parameters.get(parameter) else { return Ok(None) };
    let names: Option<Vec<String>> = match value {
        Value::Text(name) => Some(vec![name.clone()]),
        Value::List(names) => names.iter().map(text).collect(),
        _ => None,
    };
    let names = names.filter(|names| !names.is_empty()).ok_or_else(|| ModelError::BadParameter {
        kind,
        parameter,
        found: value.to_string(),
        expected: "the name of a column or a list of them".to_owned(),
    })?;
    match names.iter().enumerate().find(|&(position, name)| names[..position].contains(name)) {
        None => Ok(Some(names)),
        Some((_, twice)) => {
            let problem = "is named twice".to_owned();
            Err(ModelError::UnusableColumn { kind, parameter, column: twice.clone(), problem })
        }
    }
}

/// The classes of all groups of X that fail; each once, in order.
fn failing_classes(links: &[Link], fails: impl Fn(&[Link]) -> bool) -> Vec<u32> {
    let groups = links.chunk_by(|left, right| left.x == right.x).filter(|group| fails(group));
    let mut classes: Vec<u32> = groups.flatten().map(|link| link.class).collect();
    classes.sort_unstable();
    classes.dedup();
    classes
}
