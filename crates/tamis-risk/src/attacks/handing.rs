//! All ways to hand the sensitive values of a release to the people in it.

use super::AttackError;
use super::error::setting;
use super::fit::Fit;
use super::refusal::{Mask, Way, log_factorials, most_ways};

/// More steps than this are too many to find the ways, even if few are left in the end.
const MOST_STEPS: u64 = 20_000_000;

/// Handing out goes one call deeper for every slot of every group.
const DEEPEST: usize = 10_000;

/// What a class must meet.
pub(crate) struct Requirement {
    /// Each value that matters makes up at most 1/l of a class.
    pub(crate) l: f64,
    /// The least size of a class.
    pub(crate) k: u64,
    /// Whether each value matters.
    pub(crate) matters: Vec<bool>,
}

impl Requirement {
    /// Whether a class with these counts of sensitive values holds.
    pub(crate) fn holds(&self, counts: &[u32]) -> bool {
        let size: u32 = counts.iter().sum();
        let is_rare = |(&count, &matters): (&u32, &bool)| !matters || f64::from(count) * self.l <= f64::from(size);
        u64::from(size) >= self.k && counts.iter().zip(&self.matters).all(is_rare)
    }
}

/// Groups of people that fit the same released classes, directly or through others.
#[derive(Default)]
pub(crate) struct Part {
    /// Groups of people with the same values.
    pub(crate) groups: Vec<usize>,
    /// Released classes.
    pub(crate) classes: Vec<usize>,
}

/// Rows of a part that are alike: a class and a sensitive value.
struct Slot {
    class: usize,
    value: usize,
    rows: u32,
}

/// Every way to hand the sensitive values of a part's classes to its people.
///
/// `histograms` counts the values of each released class. Each of `refinements` says which finer class every group of the part would be
/// in; a way sets the bits of those in which some class does not meet the requirement. A way counts how many people of each group
/// have each value, and weighs as many assignments to people as there are.
pub(crate) fn ways_of(
    fit: &Fit<'_>,
    part: &Part,
    histograms: &[Vec<u32>],
    refinements: &[Vec<usize>],
    requirement: &Requirement,
) -> Result<Vec<Way>, AttackError> {
    let mut slots = Vec::new();
    for &class in &part.classes {
        let used = histograms[class].iter().enumerate().filter(|(_, count)| **count > 0);
        slots.extend(used.map(|(value, &rows)| Slot { class, value, rows }));
    }
    let domain = requirement.matters.len();
    let largest = part.groups.iter().map(|&group| fit.people.size(group)).max().unwrap_or(0);
    if part.groups.len().saturating_mul(slots.len()) > DEEPEST {
        return Err(too_many(fit, part, part.groups.len() * domain));
    }
    let mut handing = Handing {
        fit,
        part,
        slots,
        domain,
        counts: vec![0; part.groups.len() * domain],
        ways: Vec::new(),
        steps: 0,
        factorials: log_factorials(largest),
        judge: &|counts| {
            let fails = |classes: &Vec<usize>| {
                let mut merged = vec![vec![0u32; domain]; classes.iter().max().map_or(0, |most| most + 1)];
                for (group, &class) in classes.iter().enumerate() {
                    for (sum, count) in merged[class].iter_mut().zip(&counts[group * domain..]) {
                        *sum += count;
                    }
                }
                merged.iter().any(|class| !requirement.holds(class))
            };
            refinements.iter().enumerate().fold(0, |mask, (bit, classes)| mask | Mask::from(fails(classes)) << bit)
        },
    };
    let first = part.groups.first().map_or(0, |&group| fit.people.size(group) as u32);
    handing.next(0, 0, first, 0.0)?;
    if handing.ways.is_empty() {
        return Err(setting(
            "the classes of the release have other sizes than the groups of people who fit them; the external table must list exactly the people of the release",
        ));
    }
    Ok(handing.ways)
}

fn too_many(fit: &Fit<'_>, part: &Part, counts: usize) -> AttackError {
    let class = part.classes.first().map(|&class| fit.released.fields(class).phrase());
    AttackError::TooManyWays { what: format!("the class {}", class.unwrap_or_default()), limit: most_ways(counts) }
}

/// Hands slots to groups, one group after the other, one slot after the other.
struct Handing<'a> {
    fit: &'a Fit<'a>,
    part: &'a Part,
    slots: Vec<Slot>,
    domain: usize,
    counts: Vec<u32>,
    ways: Vec<Way>,
    steps: u64,
    factorials: Vec<f64>,
    judge: &'a dyn Fn(&[u32]) -> Mask,
}

impl Handing<'_> {
    /// Gives the people of group number `group` that still need a row some of slot number `slot`, in every way.
    ///
    /// `weight` is the logarithm of the ways to tell apart who of a group gets what: the factorial of its size over those of what it got.
    fn next(&mut self, group: usize, slot: usize, needed: u32, weight: f64) -> Result<(), AttackError> {
        self.steps += 1;
        if self.ways.len() as u64 > most_ways(self.counts.len()) || self.steps > MOST_STEPS {
            return Err(too_many(self.fit, self.part, self.counts.len()));
        }
        let Some(&people) = self.part.groups.get(group) else {
            if self.slots.iter().all(|slot| slot.rows == 0) {
                let fails = (self.judge)(&self.counts);
                self.ways.push(Way { fails, weight, counts: self.counts.clone() });
            }
            return Ok(());
        };
        if slot == self.slots.len() {
            if needed > 0 {
                return Ok(());
            }
            let next = self.part.groups.get(group + 1).map_or(0, |&next| self.fit.people.size(next) as u32);
            return self.next(group + 1, 0, next, weight + self.factorials[self.fit.people.size(people) as usize]);
        }
        let Slot { class, value, rows } = self.slots[slot];
        let fits = self.fit.released_for(people).contains(&(class as u32));
        let cell = group * self.domain + value;
        for taken in 0..=if fits { rows.min(needed) } else { 0 } {
            self.slots[slot].rows -= taken;
            self.counts[cell] += taken;
            self.next(group, slot + 1, needed - taken, weight - self.factorials[taken as usize])?;
            self.counts[cell] -= taken;
            self.slots[slot].rows += taken;
        }
        Ok(())
    }
}
