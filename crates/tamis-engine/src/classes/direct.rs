//! Groups the distinct tuples of one transformation anew: slower than rolling up, but it can count anything.

use super::company::Company;
use super::groups::Groups;
use super::verdict::{Judge, JudgedClass};
use crate::{Forced, Problem, Tally};
use tamis_privacy::Class;
use tamis_table::FrequencySet;

/// Which class each tuple is in and which classes are released.
#[derive(Debug, Clone)]
pub(crate) struct ClassAssignment {
    /// Class of each tuple.
    pub(crate) class_of_tuple: Vec<u32>,
    /// Whether each class is released.
    pub(crate) is_kept: Vec<bool>,
    /// Rows of each class.
    pub(crate) rows: Vec<u64>,
    /// What k counts: people, or rows that may be of this class where missing values match anything.
    pub(crate) sizes: Vec<u64>,
}

/// Adds up what models see of a set of tuples.
struct Counter<'f> {
    frequency: &'f FrequencySet,
    offsets: Vec<usize>,
    counts: Vec<u32>,
    /// The last set in which each person was seen, and each (person, value), so that they count once.
    seen: Vec<u32>,
    pairs: Vec<(u32, u32)>,
    set: u32,
}

impl<'f> Counter<'f> {
    fn new(frequency: &'f FrequencySet) -> Self {
        let mut offsets = Vec::new();
        let mut width = 0;
        for sensitive in &frequency.sensitive {
            offsets.push(width);
            width += sensitive.totals.len();
        }
        let people = frequency.entities.as_ref().map_or(0, |entities| entities.people as usize);
        Self { frequency, offsets, counts: vec![0; width], seen: vec![0; people], pairs: Vec::new(), set: 0 }
    }

    /// Size (people or rows) and population of a set of tuples; its histograms are in `self.counts`.
    #[allow(clippy::needless_pass_by_value, reason = "a cheap, cloned iterator")]
    fn count(&mut self, tuples: impl Iterator<Item = u32> + Clone) -> (u64, u64) {
        let frequency = self.frequency;
        self.counts.fill(0);
        let rows: u64 = tuples.clone().map(|tuple| u64::from(frequency.counts[tuple as usize])).sum();
        let population = match &frequency.population {
            Some(population) => tuples.clone().map(|tuple| u64::from(population[tuple as usize])).sum(),
            None => rows,
        };
        let Some(entities) = &frequency.entities else {
            for (sensitive, &offset) in frequency.sensitive.iter().zip(&self.offsets) {
                for tuple in tuples.clone() {
                    let range =
                        sensitive.starts[tuple as usize] as usize..sensitive.starts[tuple as usize + 1] as usize;
                    for (&code, &count) in sensitive.codes[range.clone()].iter().zip(&sensitive.counts[range]) {
                        self.counts[offset + code as usize] += count;
                    }
                }
            }
            return (rows, population);
        };
        self.set += 1;
        let mut people = 0;
        for tuple in tuples.clone() {
            let range = entities.starts[tuple as usize] as usize..entities.starts[tuple as usize + 1] as usize;
            for &person in &entities.ids[range] {
                people += u64::from(std::mem::replace(&mut self.seen[person as usize], self.set) != self.set);
            }
        }
        for ((values, starts), &offset) in entities.values.iter().zip(&entities.value_starts).zip(&self.offsets) {
            self.pairs.clear();
            for tuple in tuples.clone() {
                self.pairs
                    .extend_from_slice(&values[starts[tuple as usize] as usize..starts[tuple as usize + 1] as usize]);
            }
            self.pairs.sort_unstable();
            self.pairs.dedup();
            for &(_, code) in &self.pairs {
                self.counts[offset + code as usize] += 1;
            }
        }
        (people, population)
    }
}

/// Evaluates a transformation and says what becomes of every tuple.
///
/// Linear in the distinct tuples and their sensitive values; with missing values that match anything, also in the number of classes times
/// the number of classes that have such a value.
pub(crate) fn assign(problem: &Problem, levels: &[usize]) -> (Tally, ClassAssignment) {
    let frequency = &problem.frequency;
    let groups = Groups::of(frequency, levels);
    let label = |class: usize, j: usize| {
        let tuple = groups.tuples(class)[0] as usize;
        frequency.attributes[j].recoder.labels_of_codes(levels[j])[frequency.codes[j][tuple] as usize]
    };
    let rows: Vec<u64> = (0..groups.len())
        .map(|class| groups.tuples(class).iter().map(|&tuple| u64::from(frequency.counts[tuple as usize])).sum())
        .collect();
    let neighbours =
        if problem.has_wildcards() { compatible(problem, levels, groups.len(), label) } else { Vec::new() };
    let company = Company::of(problem, groups.len(), || groups.view(frequency, levels));
    let mut is_kept = company.doomed.iter().map(|&doomed| !doomed).collect::<Vec<bool>>();
    let mut sizes = vec![0; groups.len()];
    let mut counter = Counter::new(frequency);
    let mut forced = None;
    // Where missing values match anything, or where a requirement is on all classes together, suppressing a class takes its rows from
    // the classes that counted on them, so judging is repeated until nothing more falls. Otherwise the second round finds nothing.
    loop {
        let mut judge = Judge::new(problem, levels);
        let mut kept_rows = 0;
        let before = is_kept.clone();
        for class in 0..groups.len() {
            let others = neighbours.get(class).map_or(&[][..], Vec::as_slice);
            let others = others.iter().filter(|&&other| before[other as usize]);
            let tuples = groups.tuples(class).iter().chain(others.flat_map(|&other| groups.tuples(other as usize)));
            let (size, population) = counter.count(tuples.copied());
            sizes[class] = size;
            let counts = counter.counts.as_slice();
            let judged = JudgedClass { class: Class { size, population, counts }, rows: rows[class] };
            if before[class] {
                is_kept[class] = judge.add(&judged, |j| label(class, j));
            } else {
                judge.add_fallen(rows[class], |j| label(class, j));
            }
            kept_rows += if is_kept[class] { rows[class] } else { 0 };
        }
        let mut tally = judge.finish(kept_rows, row_lines(problem, levels));
        // What falls in later rounds may stand below, where the class it counted on need not fall. Only who fails with all possible
        // company fails there too, and only if there is no more company below.
        let at_first = forced.get_or_insert_with(|| {
            let of_classes = tally.forced.clone();
            let mut at_first =
                if is_missed_above(problem, levels) { Forced::nothing(levels.len()) } else { of_classes };
            at_first.rows = at_first.rows.max(company.least_fallen);
            at_first
        });
        is_kept = company.settle(is_kept);
        if (neighbours.is_empty() && problem.table_models.is_empty()) || is_kept == before {
            tally.forced.clone_from(at_first);
            let assignment = ClassAssignment { class_of_tuple: groups.class_of_tuple, is_kept, rows, sizes };
            return (tally, assignment);
        }
    }
}

/// For each class the other classes it could be mistaken for, because one of the two has a missing value wherever they differ.
fn compatible(
    problem: &Problem,
    levels: &[usize],
    classes: usize,
    label: impl Fn(usize, usize) -> u32,
) -> Vec<Vec<u32>> {
    let attributes = &problem.frequency.attributes;
    let wildcards: Vec<Option<u32>> = attributes
        .iter()
        .zip(levels)
        .map(|(attribute, &level)| {
            let labels = attribute.recoder.labels_of_codes(level);
            let wildcard = labels[attribute.wildcard? as usize];
            // Once generalized together with other values, the missing one is no longer missing.
            (labels.iter().filter(|&&label| label == wildcard).count() == 1).then_some(wildcard)
        })
        .collect();
    let labels: Vec<Vec<u32>> =
        (0..classes).map(|class| (0..attributes.len()).map(|j| label(class, j)).collect()).collect();
    let has_wildcard = |class: usize| labels[class].iter().zip(&wildcards).any(|(&label, &wild)| wild == Some(label));
    let matches = |left: usize, right: usize| {
        let mut pairs = labels[left].iter().zip(&labels[right]).zip(&wildcards);
        pairs.all(|((&l, &r), &wild)| l == r || wild == Some(l) || wild == Some(r))
    };
    let mut neighbours = vec![Vec::new(); classes];
    for open in (0..classes).filter(|&class| has_wildcard(class)) {
        for other in (0..classes).filter(|&other| other != open && matches(open, other)) {
            neighbours[open].push(other as u32);
            if !has_wildcard(other) {
                neighbours[other].push(open as u32);
            }
        }
    }
    neighbours
}

/// Whether a missing value was generalized together with some values but not all, and so no longer matches the others as it does
/// below.
fn is_missed_above(problem: &Problem, levels: &[usize]) -> bool {
    problem.frequency.attributes.iter().zip(levels).any(|(attribute, &level)| {
        let labels = attribute.recoder.labels_of_codes(level);
        let sharing =
            attribute.wildcard.map(|wild| labels.iter().filter(|&&label| label == labels[wild as usize]).count());
        sharing.is_some_and(|sharing| sharing > 1 && sharing < labels.len())
    })
}

/// For each attribute the sum over all rows of their label's lines.
fn row_lines<'a>(problem: &'a Problem, levels: &'a [usize]) -> impl Iterator<Item = u64> + 'a {
    let frequency = &problem.frequency;
    frequency.attributes.iter().zip(&frequency.codes).zip(levels).map(|((attribute, codes), &level)| {
        let lines = attribute.recoder.label_lines(level);
        let labels = attribute.recoder.labels_of_codes(level);
        let of_code = |code: u32| lines[labels[code as usize] as usize];
        codes.iter().zip(&frequency.counts).map(|(&code, &count)| u64::from(count) * of_code(code)).sum()
    })
}
