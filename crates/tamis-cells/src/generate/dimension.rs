//! One dimension of a random table and what its categories are called.

use std::str::FromStr;

use super::Labels;

/// The categories of one dimension, without the total: `[10]` is ten of them, `[3, 4]` three groups of four.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Dimension {
    /// How many parts the total has, how many each of those, and so on.
    pub branches: Vec<usize>,
}

impl Dimension {
    /// A dimension without groups.
    pub fn flat(size: usize) -> Self {
        Self { branches: vec![size] }
    }

    /// How many categories there are that are not summed up from others; none if they cannot be counted.
    pub fn leaves(&self) -> Option<usize> {
        self.branches.iter().try_fold(1_usize, |leaves, branch| leaves.checked_mul(*branch))
    }

    /// How many categories there are with groups and the total; none if they cannot be counted.
    pub fn nodes(&self) -> Option<usize> {
        let (mut level, mut nodes) = (1_usize, 1_usize);
        for branch in &self.branches {
            level = level.checked_mul(*branch)?;
            nodes = nodes.checked_add(level)?;
        }
        Some(nodes)
    }

    /// The labels of dimension `number` (the first is 0), groups behind their members.
    pub(super) fn labels(&self, number: usize) -> Labels {
        let name = match number {
            0 => "r".to_owned(),
            1 => "c".to_owned(),
            2 => "s".to_owned(),
            _ => format!("d{}_", number + 1),
        };
        let mut labels = Labels { name: String::new(), labels: Vec::new(), parents: Vec::new() };
        append(&name, &self.branches, &mut labels, "Total");
        name.trim_end_matches('_').clone_into(&mut labels.name);
        labels
    }
}

/// Adds the parts of a label and then itself; returns its position.
fn append(prefix: &str, branches: &[usize], labels: &mut Labels, own: &str) -> usize {
    let mut parts = Vec::new();
    if let [parts_here, deeper @ ..] = branches {
        for part in 1..=*parts_here {
            let label = format!("{prefix}{part}");
            parts.push(append(&format!("{label}."), deeper, labels, &label));
        }
    }
    let position = labels.labels.len();
    labels.labels.push(own.to_owned());
    labels.parents.push(None);
    for part in parts {
        labels.parents[part] = Some(position);
    }
    position
}

/// Written as sizes with an x between them: `10`, or `3x4` for three groups of four.
impl FromStr for Dimension {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let branches: Result<Vec<usize>, _> = text.trim().split(['x', 'X']).map(|size| size.trim().parse()).collect();
        match branches {
            Ok(branches) if branches.iter().all(|branch| *branch > 0) => Ok(Self { branches }),
            _ => {
                Err(format!("{text:?} is no size; expected a number as 10, or groups as 3x4 for three groups of four"))
            }
        }
    }
}
