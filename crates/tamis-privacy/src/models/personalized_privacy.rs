//! Personalized privacy: everyone says themselves what must not be learnt about them.
//!
//! Each record names a guard node in the hierarchy of the sensitive attribute. Its breach probability is the share of the rows of
//! its class whose sensitive value lies under that node, and must not exceed the record's bound (Xiao and Tao 2006, with the sensitive
//! attribute released as it is). `guard` is the column of the nodes, `bound` a share in \[0, 1\] for all, `bounds` a column with one for
//! each record; where both are given, `bound` holds for records without a number of their own. A missing guard is no wish. A value of
//! the attribute is a node by itself; a name that occurs on several levels means all that lies under any of them.
//!
//! Neither monotone nor hereditary: two patients with flu who have no wish may be released, and so may a third who does not want
//! it to be thought that they have flu, as long as they are apart from them. Together the third one's breach probability is 2/3. So
//! nothing follows from one transformation for another, and each is asked by itself.
//!
//! Each class is judged by itself, in time linear in its rows' different combinations times the different wishes among them.
//!
//! ```
//! use tamis_privacy::{Classes, Histograms, JointFacts, JointPart, Parameters, SensitiveFacts, TableFacts, bind};
//! let texts = |texts: &[&str]| texts.iter().map(|&text| text.to_owned()).collect::<Vec<String>>();
//! let disease = SensitiveFacts {
//!     tree: Some(vec![vec![0, 1, 2], vec![0, 0, 1]]),
//!     labels: vec![texts(&["flu", "pneumonia", "gastritis"]), texts(&["respiratory", "digestive"])].into(),
//!     ..TableFacts::of_values("disease", &["flu", "pneumonia", "gastritis"], &[1, 1, 1]).sensitive.remove(0)
//! };
//! // Flu and pneumonia without a wish; gastritis, whose patient guards everything respiratory.
//! let parts = vec![
//!     JointPart { values: disease.values.clone(), of_code: vec![0, 1, 2], missing: None },
//!     JointPart { values: texts(&["", "respiratory"]).into(), of_code: vec![0, 0, 1], missing: Some(0) },
//! ];
//! let facts = TableFacts {
//!     sensitive: vec![disease],
//!     joint: vec![JointFacts { columns: texts(&["disease", "guard"]), parts }],
//!     ..TableFacts::of_rows(3)
//! };
//! let parameters = Parameters::from([("attribute", "disease".into()), ("guard", "guard".into()), ("bound", 0.5.into())]);
//! let bound = bind("personalized-privacy", &parameters, &facts)?;
//! let classes = |parts: Vec<Vec<(u32, u32)>>| Classes {
//!     rows: parts.iter().map(|part| part.len() as u64).collect(),
//!     joint: vec![Histograms::from_classes(parts)],
//!     ..Classes::default()
//! };
//! assert!(bound.table[0].failing(&classes(vec![vec![(0, 1), (1, 1)], vec![(2, 1)]]), &[true, true]).is_empty());
//! assert_eq!(bound.table[0].failing(&classes(vec![vec![(0, 1), (1, 1), (2, 1)]]), &[true]), [0]);
//! # Ok::<(), tamis_privacy::ModelError>(())
//! ```

use crate::share::exceeds;
use crate::{
    Bind, Classes, JointFacts, JointPart, ModelError, ModelKind, ParameterKind, Parameters, SensitiveFacts, TableFacts,
    TableModel, Value,
};

/// Registry entry.
pub const KIND: ModelKind = ModelKind {
    kind: "personalized-privacy",
    promise: "no record's sensitive value is thought to lie under the node it guards with more than the probability it allows",
    parameters: &[
        ParameterKind { name: "attribute", meaning: "the sensitive attribute" },
        ParameterKind { name: "guard", meaning: "the column that names each record's guard node; missing for no wish" },
        ParameterKind { name: "bound", meaning: "largest breach probability, between 0 and 1" },
        ParameterKind { name: "bounds", meaning: "the column with each record's own largest breach probability" },
    ],
    bind: Bind::Table { joint, bind },
};

#[derive(Debug)]
struct PersonalizedPrivacy {
    attribute: String,
    joint: usize,
    /// For each combination the code of its sensitive value.
    value_of: Vec<u32>,
    /// For each combination its wish, if it has one.
    wish_of: Vec<Option<Wish>>,
    /// For each node that is guarded, whether each value of the attribute lies under it.
    nodes: Vec<Vec<bool>>,
}

#[derive(Debug, Clone, Copy)]
struct Wish {
    node: usize,
    bound: f64,
}

fn column(parameters: &Parameters, parameter: &str) -> Option<String> {
    if let Some(Value::Text(name)) = parameters.get(parameter) { Some(name.clone()) } else { None }
}

fn joint(parameters: &Parameters) -> Vec<Vec<String>> {
    let columns: Vec<String> =
        ["attribute", "guard", "bounds"].iter().filter_map(|name| column(parameters, name)).collect();
    if columns.is_empty() { Vec::new() } else { vec![columns] }
}

/// A parameter that must name a column.
fn needed(parameters: &Parameters, position: usize) -> Result<String, ModelError> {
    let ParameterKind { name: parameter, meaning } = KIND.parameters[position];
    match parameters.get(parameter) {
        Some(Value::Text(name)) => Ok(name.clone()),
        None => Err(ModelError::MissingParameter { kind: KIND.kind, parameter, meaning }),
        Some(other) => Err(ModelError::BadParameter {
            kind: KIND.kind,
            parameter,
            found: other.to_string(),
            expected: "the name of a column".to_owned(),
        }),
    }
}

fn bind(parameters: &Parameters, facts: &TableFacts) -> Result<Vec<Box<dyn TableModel>>, ModelError> {
    let (attribute, guard) = (needed(parameters, 0)?, needed(parameters, 1)?);
    let bound = parameters.optional_number(KIND.kind, "bound", (0.0, 1.0))?;
    let bounds = parameters.get("bounds").map(|_| needed(parameters, 3)).transpose()?;
    if bound.is_none() && bounds.is_none() {
        let meaning = "largest breach probability, between 0 and 1; or name a column of them with `bounds`";
        return Err(ModelError::MissingParameter { kind: KIND.kind, parameter: "bound", meaning });
    }
    if facts.has_entity {
        return Err(ModelError::RowsAreNotPeople { kind: KIND.kind });
    }
    for (parameter, column) in [("guard", Some(&guard)), ("bounds", bounds.as_ref())] {
        if column == Some(&attribute) || (parameter == "bounds" && column == Some(&guard)) {
            let problem = "has another part in this model already".to_owned();
            return Err(ModelError::UnusableColumn {
                kind: KIND.kind,
                parameter,
                column: column.cloned().unwrap_or_default(),
                problem,
            });
        }
    }
    let sensitive = parameters.sensitive(KIND.kind, facts)?;
    let columns: Vec<String> = [Some(attribute.clone()), Some(guard), bounds].into_iter().flatten().collect();
    let (Some(joint), [sensitive]) = (facts.joint(&columns), sensitive.as_slice()) else {
        let (column, problem) = (columns.join(" + "), "is not counted in this table".to_owned());
        return Err(ModelError::UnusableColumn { kind: KIND.kind, parameter: "guard", column, problem });
    };
    let counted = &facts.joint[joint];
    let bound_of = bounds_of(counted, bound)?;
    let mut nodes: Vec<(u32, Vec<bool>)> = Vec::new();
    let mut wish_of = Vec::with_capacity(bound_of.len());
    let guards = &counted.parts[1];
    for (&code, bound) in guards.of_code.iter().zip(bound_of) {
        let name = text(guards, code);
        let wish = match nodes.iter().position(|&(known, _)| known == code) {
            _ if name.is_empty() => None,
            Some(node) => Some(node),
            None => {
                let under =
                    under(sensitive, name, &counted.parts[0].values).ok_or_else(|| unknown_node(sensitive, name))?;
                nodes.push((code, under));
                Some(nodes.len() - 1)
            }
        };
        wish_of.push(match wish {
            None => None,
            Some(node) => Some(Wish { node, bound: bound? }),
        });
    }
    let value_of = counted.parts[0].of_code.clone();
    let nodes = nodes.into_iter().map(|(_, under)| under).collect();
    Ok(vec![Box::new(PersonalizedPrivacy { attribute, joint, value_of, wish_of, nodes })])
}

/// The text of a code; none at all where it stands for a missing value.
fn text(part: &JointPart, code: u32) -> &str {
    if part.missing == Some(code) { "" } else { part.values[code as usize].trim() }
}

/// The bound of each combination, where it can be told.
fn bounds_of(counted: &JointFacts, bound: Option<f64>) -> Result<Vec<Result<f64, ModelError>>, ModelError> {
    let codes = counted.parts[0].of_code.len();
    let Some(part) = counted.parts.get(2) else {
        return bound.map(|bound| (0..codes).map(|_| Ok(bound)).collect()).ok_or(ModelError::MissingParameter {
            kind: KIND.kind,
            parameter: "bound",
            meaning: KIND.parameters[2].meaning,
        });
    };
    let of_code = |&code: &u32| {
        let text = text(part, code);
        let own = text.parse::<f64>().ok().filter(|own| (0.0..=1.0).contains(own));
        let problem = if text.is_empty() {
            "has no number for a record with a guard; fill it in, or give a `bound` for those without".to_owned()
        } else {
            format!("holds `{text}`; expected a number between 0 and 1")
        };
        own.or(bound.filter(|_| text.is_empty())).ok_or(ModelError::UnusableColumn {
            kind: KIND.kind,
            parameter: "bounds",
            column: counted.columns[2].clone(),
            problem,
        })
    };
    Ok(part.of_code.iter().map(of_code).collect())
}

/// Which values lie under a node, by name; none if there is no such node.
fn under(sensitive: &SensitiveFacts, node: &str, values: &[String]) -> Option<Vec<bool>> {
    let mut is_known = false;
    let mut is_under: Vec<bool> = values.iter().map(|value| value == node).collect();
    for level in sensitive.tree.iter().flatten().zip(sensitive.labels.iter()) {
        let (label_of, names) = level;
        let Some(label) = names.iter().position(|name| name == node) else { continue };
        is_known = true;
        for (is_under, &of_code) in is_under.iter_mut().zip(label_of) {
            *is_under |= of_code as usize == label;
        }
    }
    (is_known || is_under.contains(&true)).then_some(is_under)
}

fn unknown_node(sensitive: &SensitiveFacts, node: &str) -> ModelError {
    let mut known: Vec<&str> = sensitive.labels.iter().rev().flatten().map(String::as_str).collect();
    known.extend(sensitive.values.iter().map(String::as_str));
    let mut shown: Vec<String> = Vec::new();
    for name in known {
        let name = format!("`{name}`");
        if !shown.contains(&name) && shown.len() < 10 {
            shown.push(name);
        }
    }
    let hint =
        if sensitive.tree.is_some() { "" } else { "; give the attribute a hierarchy to guard more than single values" };
    ModelError::Impossible {
        kind: KIND.kind,
        reason: format!(
            "a record guards `{node}`, which is no node in the hierarchy of `{}`; its nodes are {}{hint}",
            sensitive.name,
            shown.join(", ")
        ),
    }
}

impl PersonalizedPrivacy {
    fn holds(&self, combinations: &[(u32, u32)], rows: u64) -> bool {
        let mut share_of: Vec<(usize, u64)> = Vec::new();
        combinations.iter().filter_map(|&(code, _)| self.wish_of[code as usize]).all(|wish| {
            let known = share_of.iter().find(|&&(node, _)| node == wish.node).map(|&(_, under)| under);
            let under = known.unwrap_or_else(|| {
                let is_under = |code: u32| self.nodes[wish.node][self.value_of[code as usize] as usize];
                let under =
                    combinations.iter().filter(|&&(code, _)| is_under(code)).map(|&(_, rows)| u64::from(rows)).sum();
                share_of.push((wish.node, under));
                under
            });
            !exceeds(under, rows, wish.bound)
        })
    }
}

impl TableModel for PersonalizedPrivacy {
    fn describe(&self) -> String {
        format!("personalized privacy of {}", self.attribute)
    }

    fn failing(&self, classes: &Classes, kept: &[bool]) -> Vec<u32> {
        let joint = &classes.joint[self.joint];
        let fails = |&class: &usize| {
            kept[class] && classes.rows[class] > 0 && !self.holds(joint.of(class), classes.rows[class])
        };
        (0..classes.len()).filter(fails).map(|class| class as u32).collect()
    }
}
