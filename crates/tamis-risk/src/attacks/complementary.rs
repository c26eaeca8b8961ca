//! Complementary releases: two releases of one table, joined on what both left as it is.
//!
//! *Definition.* A row of the first release and one of the second can be about the same person if they agree on the columns joined on
//! and their quasi-identifiers can be true of one person: with a hierarchy, one value covers the other; without, equal texts agree, `*`
//! covers everything, and texts of columns that have no text in common are taken to be compatible. A linked row has the more specific
//! value of each column.
//!
//! Where as many rows of both releases share the joined values, they are taken to be about the same people, and pairs follow by elimination: a row with a
//! single partner left takes it, and the partner is no longer free for others. Pairs found so are *certain*. What remains can be paired in
//! several ways; the linking table then pairs the rows in the order in which they stand and counts them as uncertain.
//!
//! A certain row is at risk if fewer than k rows can have its values: all certain rows with the same values, and of the uncertain
//! ones as many as could at most have them, so that nobody is named who might still hide.
//!
//! *Source.* Sweeney (2002), section "complementary release attack".
//!
//! *On the example of the thesis* (Table 11): `obesidad` occurs twice in both releases and fits in both ways, so two rows of the printed
//! linking table are one of two possibilities; the printed one follows from the order of rows. The two unique tuples are certain. The
//! running text prints the second with 05345 and "hipertención" where all its tables have 05346 and hipertensión, and the second column of the linking
//! table is headed C. Postal where it holds the year of birth.
//!
//! *What a success proves.* A second release must build on the first, or the columns they share must be quasi-identifiers.
//!
//! *Cost.* A hash join on the shared values; within a value, the product of the different quasi-identifiers of both releases.

use super::classes::Classes;
use super::combine::{Pick, Relation, combined, shared_columns};
use super::error::setting;
use super::report::{Found, are, counted, people};
use super::{AttackError, Fields, Finding, LabelsByColumn, Report};
use std::collections::{HashMap, HashSet};
use tamis_table::Table;

/// How the attack is tried.
#[derive(Debug, Clone, Default)]
pub struct Options<'a> {
    /// The columns to join on.
    pub on: Vec<&'a str>,
    /// The quasi-identifiers; the other shared columns if empty.
    pub quasi: Vec<&'a str>,
    /// The hierarchies of the quasi-identifiers.
    pub labels: LabelsByColumn,
    /// A row is at risk if fewer than this many can share its values; the smaller k of the two releases if absent.
    pub k: Option<u64>,
    /// How many findings to describe.
    pub limit: usize,
}

/// Rows of one release with the same values, joined ones and quasi-identifiers.
struct Kind {
    class: usize,
    /// Rows that have no partner yet, the next one last.
    rows: Vec<u32>,
}

/// Two kinds that can be about the same people, by their positions.
struct Edge {
    first: u32,
    second: u32,
}

/// More pairs of kinds than this under one joined value would fill the memory.
const MOST_EDGES: usize = 50_000_000;

/// The rows of both releases with the same joined values.
struct Group {
    first: Vec<Kind>,
    second: Vec<Kind>,
    edges: Vec<Edge>,
}

/// A row of each release, linked.
struct Link {
    pair: (usize, usize),
    is_certain: bool,
}

/// Links two releases; the linking table in the order of the first release, and what it exposes.
pub fn attack(first: &Table, second: &Table, options: &Options<'_>) -> Result<(Table, Report), AttackError> {
    let shared = shared_columns(first, second);
    let quasi: Vec<&str> = if options.quasi.is_empty() {
        shared.iter().copied().filter(|name| !options.on.contains(name)).collect()
    } else {
        options.quasi.clone()
    };
    if options.on.is_empty() || quasi.is_empty() {
        return Err(setting("the releases need a column to join on and another one in common"));
    }
    let mut relations: HashMap<&str, Relation<'_>> = HashMap::new();
    for name in &quasi {
        relations.insert(name, Relation::of(first.column(name)?, second.column(name)?, options.labels.get(*name)));
    }
    let names = [&options.on[..], &quasi[..]].concat();
    let (ours, theirs) = (Classes::of(first, &names)?, Classes::of(second, &names)?);
    let mut groups = grouped(&ours, &theirs, options.on.len());
    let (mut links, mut possible) = (Vec::new(), HashMap::new());
    for group in &mut groups {
        let pairs = group.first.len().saturating_mul(group.second.len());
        if pairs > MOST_EDGES {
            return Err(setting(format!(
                "{pairs} pairs of rows agree on {}, more than the {MOST_EDGES} that can be compared; join on more columns",
                options.on.join(", ")
            )));
        }
        let mut picks = |first: &Kind, second: &Kind| -> Option<Vec<Pick>> {
            let pick = |(column, name): (usize, &&str)| {
                let column = column + options.on.len();
                relations.get_mut(*name)?.pick(ours.code(column, first.class), theirs.code(column, second.class))
            };
            quasi.iter().enumerate().map(pick).collect()
        };
        group.connect(&mut picks);
        links.extend(group.eliminate().into_iter().map(|pair| Link { pair, is_certain: true }));
        for (values, rows) in group.most_of_each(&ours, &theirs, options.on.len(), &mut picks) {
            *possible.entry(values).or_insert(0) += rows;
        }
        links.extend(group.pair_in_order().into_iter().map(|pair| Link { pair, is_certain: false }));
        group.edges = Vec::new();
    }
    links.sort_by_key(|link| link.pair);
    let pairs: Vec<(usize, usize)> = links.iter().map(|link| link.pair).collect();
    let table = combined(first, second, &mut relations, &pairs)?;
    let (k_first, k_second) = (Classes::of(first, &quasi)?.k(), Classes::of(second, &quasi)?.k());
    let report = assess(&table, &links, &possible, &quasi, (k_first, k_second), options)?;
    let unlinked = first.rows() - links.len();
    Ok((table, report.figure("unlinked_rows", unlinked)))
}

/// How many uncertain rows could at most have these values.
type Possible<'a> = HashMap<Vec<&'a str>, u64>;

fn assess(
    table: &Table,
    links: &[Link],
    possible: &Possible<'_>,
    quasi: &[&str],
    (k_first, k_second): (u64, u64),
    options: &Options<'_>,
) -> Result<Report, AttackError> {
    let k = options.k.unwrap_or(k_first.min(k_second));
    let classes = Classes::of(table, quasi)?;
    let mut certain = vec![0u64; classes.first_rows.len()];
    for (&class, link) in classes.class_of_row.iter().zip(links) {
        certain[class as usize] += u64::from(link.is_certain);
    }
    let most = |class: usize| {
        let values: Vec<&str> = (0..quasi.len()).map(|column| classes.text(column, class)).collect();
        certain[class] + possible.get(&values).copied().unwrap_or(0)
    };
    let mut exposed: Vec<(u64, usize)> = classes
        .class_of_row
        .iter()
        .enumerate()
        .filter(|&(row, _)| links[row].is_certain)
        .map(|(row, &class)| (most(class as usize), row))
        .filter(|&(most, _)| most < k)
        .collect();
    exposed.sort_unstable();
    let unique = exposed.iter().filter(|&&(most, _)| most == 1).count();
    let mut found = Found::new(options.limit);
    for &(most, row) in &exposed {
        found.add(|| {
            let who = classes.fields(classes.class_of_row[row] as usize);
            let known = |name: &&str| table.column(name).map(|column| ((*name).to_owned(), column.text(row).to_owned()));
            let learned = Fields(options.on.iter().filter_map(|name| known(name).ok()).collect());
            let among =
                if most == 1 { "belongs to one person only".to_owned() } else { format!("belongs to at most {}", people(most)) };
            let sentence = format!(
                "Joined, the releases say that {} {among}, although each release by itself hides everyone among {k_first} and {k_second}: whoever that is has {}.",
                who.phrase(),
                learned.phrase()
            );
            Finding { people: 1, probability: 1.0 / most as f64, who, learned, sentence }
        });
    }
    let linked = links.len() as u64;
    let certain = links.iter().filter(|link| link.is_certain).count() as u64;
    Ok(Report::new("complementary", linked, exposed.len() as u64, found)
        .summary(format!(
            "{} of {} linked through {} {} among fewer than {k}, {unique} of them alone; {certain} of {} {} certain.",
            exposed.len(),
            people(linked),
            options.on.join(", "),
            are(exposed.len() as u64),
            counted(linked, "link", "links"),
            are(certain)
        ))
        .figure("k_first", k_first)
        .figure("k_second", k_second)
        .figure("k", k)
        .figure("unique", unique)
        .figure("certain_links", certain)
        .figure("uncertain_links", linked - certain))
}

/// The kinds of both releases by their joined values, in order of first appearance.
fn grouped(ours: &Classes<'_>, theirs: &Classes<'_>, joined: usize) -> Vec<Group> {
    let mut groups: Vec<Group> = Vec::new();
    let mut number: HashMap<Vec<&str>, usize> = HashMap::new();
    for (classes, is_first) in [(ours, true), (theirs, false)] {
        for class in 0..classes.first_rows.len() {
            let values: Vec<&str> = (0..joined).map(|column| classes.text(column, class)).collect();
            let position = *number.entry(values).or_insert_with(|| {
                groups.push(Group { first: Vec::new(), second: Vec::new(), edges: Vec::new() });
                groups.len() - 1
            });
            let kind = Kind { class, rows: classes.members.group(class).iter().rev().copied().collect() };
            if is_first { groups[position].first.push(kind) } else { groups[position].second.push(kind) }
        }
    }
    groups
}

impl Group {
    fn connect(&mut self, picks: &mut impl FnMut(&Kind, &Kind) -> Option<Vec<Pick>>) {
        for (first, left) in self.first.iter().enumerate() {
            for (second, right) in self.second.iter().enumerate() {
                if picks(left, right).is_some() {
                    self.edges.push(Edge { first: first as u32, second: second as u32 });
                }
            }
        }
    }

    fn kinds(&self, edge: &Edge) -> (&Kind, &Kind) {
        (&self.first[edge.first as usize], &self.second[edge.second as usize])
    }

    /// Takes the pairs that follow by elimination out of the group; none if the releases do not have the same number of rows here.
    fn eliminate(&mut self) -> Vec<(usize, usize)> {
        let rows = |kinds: &[Kind]| kinds.iter().map(|kind| kind.rows.len()).sum::<usize>();
        let mut pairs = Vec::new();
        if rows(&self.first) != rows(&self.second) {
            return pairs;
        }
        while let Some(position) = self.forced_edge() {
            let (first, second) = (self.edges[position].first as usize, self.edges[position].second as usize);
            for _ in 0..self.first[first].rows.len().min(self.second[second].rows.len()) {
                let taken = (self.first[first].rows.pop(), self.second[second].rows.pop());
                if let (Some(row), Some(other)) = taken {
                    pairs.push((row as usize, other as usize));
                }
            }
            let (left, right) = (&self.first, &self.second);
            let is_open = |edge: &Edge| {
                !left[edge.first as usize].rows.is_empty() && !right[edge.second as usize].rows.is_empty()
            };
            self.edges.retain(is_open);
        }
        pairs
    }

    /// An edge whose rows on one side have no other partner and find enough on the other.
    fn forced_edge(&self) -> Option<usize> {
        let mut firsts = vec![0; self.first.len()];
        let mut seconds = vec![0; self.second.len()];
        for edge in &self.edges {
            firsts[edge.first as usize] += 1;
            seconds[edge.second as usize] += 1;
        }
        self.edges.iter().position(|edge| {
            let (left, right) = self.kinds(edge);
            let (left, right) = (left.rows.len(), right.rows.len());
            firsts[edge.first as usize] == 1 && left <= right || seconds[edge.second as usize] == 1 && right <= left
        })
    }

    /// For each combination of values that an uncertain link could have, how many links could at most have it.
    fn most_of_each<'a>(
        &self,
        ours: &Classes<'a>,
        theirs: &Classes<'a>,
        joined: usize,
        picks: &mut impl FnMut(&Kind, &Kind) -> Option<Vec<Pick>>,
    ) -> Vec<(Vec<&'a str>, u64)> {
        let mut kinds: HashMap<Vec<&'a str>, (HashSet<u32>, HashSet<u32>)> = HashMap::new();
        for edge in &self.edges {
            let (left, right) = self.kinds(edge);
            let value = |(column, pick): (usize, Pick)| match pick {
                Pick::First => ours.text(column + joined, left.class),
                Pick::Second => theirs.text(column + joined, right.class),
            };
            let values = picks(left, right).unwrap_or_default().into_iter().enumerate().map(value).collect();
            let sides = kinds.entry(values).or_default();
            sides.0.insert(edge.first);
            sides.1.insert(edge.second);
        }
        let most = |(firsts, seconds): (HashSet<u32>, HashSet<u32>)| {
            let left: usize = firsts.iter().map(|&kind| self.first[kind as usize].rows.len()).sum();
            let right: usize = seconds.iter().map(|&kind| self.second[kind as usize].rows.len()).sum();
            left.min(right) as u64
        };
        kinds.into_iter().map(|(values, sides)| (values, most(sides))).collect()
    }

    /// Pairs what is left: each row of the first release, in order, with the first free row of the second that fits.
    fn pair_in_order(&mut self) -> Vec<(usize, usize)> {
        let mut partners: Vec<Vec<usize>> = vec![Vec::new(); self.first.len()];
        for edge in &self.edges {
            partners[edge.first as usize].push(edge.second as usize);
        }
        let mut rows: Vec<(u32, usize)> = Vec::new();
        for (position, kind) in self.first.iter().enumerate() {
            rows.extend(kind.rows.iter().map(|&row| (row, position)));
        }
        rows.sort_unstable();
        let mut pairs = Vec::new();
        for (row, kind) in rows {
            let next = |second: &&usize| self.second[**second].rows.last().copied().unwrap_or(u32::MAX);
            let Some(&second) = partners[kind].iter().min_by_key(next) else { continue };
            if let Some(other) = self.second[second].rows.pop() {
                pairs.push((row as usize, other as usize));
            }
        }
        pairs
    }
}
