//! Tables whose rows are rows of other tables: partitions, tables that inherit, tables under another name, views.
//!
//! What a selector says of a table holds for all of these, however many steps are between.

use hashbrown::HashMap;

use super::words::{Name, may_be_one};

/// Tables that are parts of others, or have parts, and the selectors that are meant for their rows.
#[derive(Debug, Default)]
pub(super) struct Descent {
    tables: Vec<Table>,
    /// Their positions by the last part of their names.
    by_last: HashMap<String, Vec<usize>>,
}

#[derive(Debug)]
struct Table {
    name: Name,
    /// Positions of the selectors that name it, or something it is a part of.
    selectors: Vec<usize>,
    /// Positions of its parts, and of names by which a dump may mean the same table.
    parts: Vec<usize>,
    /// The same the other way round.
    wholes: Vec<usize>,
}

impl Descent {
    /// Takes note that the rows of one table are rows of another one. `named_by` tells which selectors name a table. Tells whether selectors are
    /// meant for more tables than before.
    pub(super) fn add(
        &mut self,
        part: &[String],
        whole: &[String],
        named_by: impl Fn(&[String]) -> Vec<usize>,
    ) -> bool {
        let [part, whole] = [part, whole].map(|name| self.position(name, &named_by));
        if part == whole || self.tables[whole].parts.contains(&part) {
            return false;
        }
        self.link(part, whole);
        self.spread(whole)
    }

    /// Whether a table is a part of another one, or has parts.
    pub(super) fn has(&self, name: &[String]) -> bool {
        self.namesakes(name).next().is_some()
    }

    /// The tables for which selectors are meant, each with the first of these.
    pub(super) fn selected(&self) -> impl Iterator<Item = (&[String], usize)> {
        self.tables.iter().filter_map(|table| Some((table.name.as_slice(), *table.selectors.first()?)))
    }

    /// The last parts of the names of tables that are parts of a table, or are it under another name, by one step or several.
    pub(super) fn parts(&self, name: &[String]) -> Vec<String> {
        let found = self.reached(name, |table| &table.parts);
        found.into_iter().filter_map(|at| self.tables[at].name.last().cloned()).collect()
    }

    /// The tables that a table is a part of by one step or several, itself included.
    pub(super) fn wholes<'a>(&'a self, name: &'a [String]) -> Vec<&'a [String]> {
        let found = self.reached(name, |table| &table.wholes);
        found.into_iter().map(|at| self.tables[at].name.as_slice()).collect()
    }

    /// The positions of a table and of all that can be reached from it.
    fn reached(&self, name: &[String], next: impl Fn(&Table) -> &Vec<usize>) -> Vec<usize> {
        let mut found: Vec<usize> = self.namesakes(name).collect();
        let mut is_known = vec![false; self.tables.len()];
        for at in &found {
            is_known[*at] = true;
        }
        let mut at = 0;
        while let Some(&from) = found.get(at) {
            for &to in next(&self.tables[from]) {
                if !std::mem::replace(&mut is_known[to], true) {
                    found.push(to);
                }
            }
            at += 1;
        }
        found
    }

    /// The selectors that are meant for the rows of a table because it is a part of another one, or is one that has parts.
    pub(super) fn selectors(&self, name: &[String]) -> Vec<usize> {
        let mut all: Vec<usize> = self.namesakes(name).flat_map(|at| &self.tables[at].selectors).copied().collect();
        all.sort_unstable();
        all.dedup();
        all
    }

    fn namesakes<'a>(&'a self, name: &'a [String]) -> impl Iterator<Item = usize> + 'a {
        let known = self.by_last.get(&last(name)).into_iter().flatten().copied();
        known.filter(move |at| may_be_one(&self.tables[*at].name, name))
    }

    fn position(&mut self, name: &[String], named_by: impl Fn(&[String]) -> Vec<usize>) -> usize {
        if let Some(known) = self.namesakes(name).find(|at| self.tables[*at].name == name) {
            return known;
        }
        let namesakes: Vec<usize> = self.namesakes(name).collect();
        let new = self.tables.len();
        let selectors = named_by(name);
        self.tables.push(Table { name: name.to_vec(), selectors, parts: Vec::new(), wholes: Vec::new() });
        self.by_last.entry(last(name)).or_default().push(new);
        for namesake in namesakes {
            self.link(namesake, new);
            self.link(new, namesake);
            self.spread(namesake);
        }
        self.spread(new);
        new
    }

    fn link(&mut self, part: usize, whole: usize) {
        self.tables[whole].parts.push(part);
        self.tables[part].wholes.push(whole);
    }

    /// Hands the selectors of a table on to its parts, and from there to theirs. Tells whether one of them had not had them.
    fn spread(&mut self, from: usize) -> bool {
        let mut changed = vec![from];
        let mut is_new = false;
        while let Some(whole) = changed.pop() {
            for at in 0..self.tables[whole].parts.len() {
                let part = self.tables[whole].parts[at];
                let new: Vec<usize> = {
                    let has = &self.tables[part].selectors;
                    self.tables[whole].selectors.iter().filter(|selector| !has.contains(selector)).copied().collect()
                };
                if !new.is_empty() {
                    self.tables[part].selectors.extend(new);
                    changed.push(part);
                    is_new = true;
                }
            }
        }
        is_new
    }
}

fn last(name: &[String]) -> String {
    name.last().map(|last| last.to_ascii_lowercase()).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn name(written: &str) -> Name {
        written.split('.').map(str::to_owned).collect()
    }

    fn descent(links: &[(&str, &str)]) -> Descent {
        let mut descent = Descent::default();
        for (part, whole) in links {
            descent.add(
                &name(part),
                &name(whole),
                |name| if name.last().unwrap() == "whole" { vec![7] } else { vec![] },
            );
        }
        descent
    }

    #[test]
    fn rows_of_a_part_of_a_part_belong_to_the_whole_in_whatever_order_that_is_said() {
        let mut links = vec![("s.a", "s.b"), ("s.b", "S.c"), ("s.c", "s.whole"), ("x.b", "x.y"), ("s.whole", "s.a")];
        for _ in 0..links.len() {
            links.rotate_left(1);
            let descent = descent(&links);
            for written in ["s.a", "a", "s.b", "S.C", "c", "s.whole"] {
                assert_eq!(descent.selectors(&name(written)), [7], "{written} {links:?}");
            }
            for written in ["x.b", "x.y", "z", "x.a"] {
                assert!(descent.selectors(&name(written)).is_empty(), "{written} {links:?}");
            }
        }
    }

    #[test]
    fn a_long_chain_is_followed_to_its_end() {
        let links: Vec<(String, String)> = (0..3_000).map(|at| (format!("t{at}"), format!("t{}", at + 1))).collect();
        let mut descent = Descent::default();
        for (part, whole) in &links {
            descent.add(&name(part), &name(whole), |name| if name == ["t3000"] { vec![1] } else { vec![] });
        }
        assert_eq!(descent.selectors(&name("T0")), [1]);
    }
}
