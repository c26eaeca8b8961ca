//! A tree of named groups, written as lists of children or as parents.

use super::{Labels, MOST_LEVELS, SUPPRESSED, fail};
use crate::HierarchyError;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, HashSet};

/// Named groups within named groups.
///
/// Each node is given a parent, in either direction or both; nodes without parent lie under `*`. All leaves are listed, and so
/// are inner nodes that occur as values. Where branches are unequally deep, the shorter ones repeat the nearest ancestor, and an
/// inner node that occurs as a value stays itself, until the level on which the longest branch gets there.
///
/// ```
/// use tamis_table::hierarchy::builders::{Builder, Tree};
/// let branch = |parent: &str, children: [&str; 2]| (parent.to_owned(), children.map(str::to_owned).to_vec());
/// let children = [branch("Europe", ["Iberia", "Malta"]), branch("Iberia", ["Spain", "Portugal"])].into();
/// let country = Builder::Tree(Tree { children, ..Tree::default() });
/// let rows = country.build(&["Malta", "Spain"])?;
/// assert_eq!(rows[0].labels, ["Malta", "Europe", "Europe", "*"]);
/// assert_eq!(rows[1].labels, ["Spain", "Iberia", "Europe", "*"]);
/// # Ok::<(), tamis_table::HierarchyError>(())
/// ```
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Tree {
    /// The children of each parent.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub children: BTreeMap<String, Vec<String>>,
    /// The parent of each child.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub parents: BTreeMap<String, String>,
}

impl Tree {
    pub(super) fn rows(&self, values: &[&str]) -> Result<Vec<Labels>, HierarchyError> {
        let parents = self.parents()?;
        let inner: HashSet<&str> = parents.values().copied().collect();
        let known = |value: &str| parents.contains_key(value) || inner.contains(value);
        let strangers: Vec<&str> = values.iter().copied().filter(|value| !known(value)).collect();
        if let Some(stranger) = strangers.first() {
            let others = match strangers.len() {
                1 => String::new(),
                count => format!(" (nor {} more)", count - 1),
            };
            return fail(format!("the tree has no node for the value `{stranger}`{others}; add it under its parent"));
        }
        let mut listed: HashSet<&str> = values.iter().copied().collect();
        let rest = self.leaves().filter(|leaf| !inner.contains(leaf) && listed.insert(leaf)).collect::<Vec<_>>();
        let listed: Vec<&str> = values.iter().copied().chain(rest).collect();
        let paths = listed.iter().map(|value| path_from_top(value, &parents)).collect::<Result<Vec<_>, _>>()?;
        // A node that is no value still must not lie on a cycle.
        for node in parents.keys() {
            path_from_top(node, &parents)?;
        }
        let depth = paths.iter().map(Vec::len).max().unwrap_or(1);
        Ok(paths
            .iter()
            .map(|path| {
                let own = path.len() - 1;
                let stays = inner.contains(path[own]) || own == 0;
                let labels = (1..depth - 1).map(|level| {
                    let wanted = depth - 1 - level;
                    path[wanted.min(if stays { own } else { own - 1 })].to_owned()
                });
                std::iter::once(path[own].to_owned()).chain(labels).collect()
            })
            .collect())
    }

    /// The parent of each node that has one.
    fn parents(&self) -> Result<BTreeMap<&str, &str>, HierarchyError> {
        let downwards =
            self.children.iter().flat_map(|(parent, children)| children.iter().map(move |child| (child, parent)));
        let mut parents: BTreeMap<&str, &str> = BTreeMap::new();
        for (child, parent) in downwards.chain(&self.parents) {
            if child == SUPPRESSED {
                return fail(format!("`{SUPPRESSED}` is the top of every tree and cannot lie under `{parent}`"));
            }
            if let Some(other) = parents.insert(child, parent)
                && other != parent
            {
                return fail(format!("`{child}` has two parents, `{other}` and `{parent}`; keep one of them"));
            }
        }
        if parents.is_empty() {
            return fail("the tree is empty; give it `children` or `parents`");
        }
        Ok(parents)
    }

    /// All nodes that were given a parent, in the order they are written in.
    fn leaves(&self) -> impl Iterator<Item = &str> {
        self.children.values().flatten().chain(self.parents.keys()).map(String::as_str)
    }
}

/// The nodes from `*` down to `node`.
fn path_from_top<'a>(node: &'a str, parents: &BTreeMap<&'a str, &'a str>) -> Result<Vec<&'a str>, HierarchyError> {
    let mut path = vec![node];
    let mut next = node;
    while let Some(&parent) = parents.get(next) {
        if path.contains(&parent) {
            return fail(format!("`{parent}` lies under itself; one of the nodes of that circle must be the topmost"));
        }
        if path.len() > MOST_LEVELS {
            return fail(format!(
                "`{node}` lies more than {MOST_LEVELS} levels deep; leave out some of the nodes above it"
            ));
        }
        path.push(parent);
        next = parent;
    }
    if next != SUPPRESSED {
        path.push(SUPPRESSED);
    }
    path.reverse();
    Ok(path)
}
