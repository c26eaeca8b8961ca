//! Who may meet in a slot: the ethical conditions of the paper's section 9.

use super::Instance;
use crate::schedule::Schedule;
use std::collections::{BTreeMap, BTreeSet};
use std::str::FromStr;

/// An attribute that mixing rules speak of, with its values.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Attribute {
    /// Its name.
    pub name: String,
    /// Its values; a member's code is the position here.
    pub values: Vec<String>,
}

/// A condition on every slot that holds anybody.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MixingRule {
    /// The number of the attribute.
    pub attribute: usize,
    /// Whom the rule counts.
    pub who: Who,
    /// What it asks of them.
    pub limit: Limit,
}

/// Whose number a mixing rule limits.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Who {
    /// The people of each value by themselves.
    Each,
    /// The people of one value.
    Only(u32),
    /// Everybody but the people of one value, taken together.
    AllBut(u32),
}

/// What a mixing rule asks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Limit {
    /// They are at most this share of the people in the slot.
    MaximumShare(Share),
    /// They have at least so many different values, unless the slot holds none of them.
    MinimumDistinct(u32),
}

/// An exact share between 0 and 1, from its decimal text.
///
/// ```
/// use tamis_appointments::Share;
///
/// let share: Share = "0.15".parse()?;
/// assert!(share.allows(3, 20) && !share.allows(4, 20));
/// # Ok::<(), String>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Share {
    numerator: u64,
    denominator: u64,
}

impl Share {
    /// Whether so many of a whole are at most this share.
    pub fn allows(self, part: u64, whole: u64) -> bool {
        u128::from(part) * u128::from(self.denominator) <= u128::from(whole) * u128::from(self.numerator)
    }

    /// The share as numerator and denominator.
    pub fn fraction(self) -> (u64, u64) {
        (self.numerator, self.denominator)
    }
}

impl FromStr for Share {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let expected = || format!("`{text}` is not a share; write a number from 0 to 1 such as 0.15");
        let (whole, decimals) = text.split_once('.').unwrap_or((text, ""));
        let is_digits = |digits: &str| digits.bytes().all(|byte| byte.is_ascii_digit());
        if decimals.len() > 9 || !is_digits(whole) || !is_digits(decimals) || whole.len() + decimals.len() == 0 {
            return Err(expected());
        }
        let denominator = 10_u64.pow(decimals.len() as u32);
        let numerator: u64 = format!("{whole}{decimals}").parse().map_err(|_| expected())?;
        if numerator > denominator {
            return Err(expected());
        }
        Ok(Self { numerator, denominator })
    }
}

impl MixingRule {
    /// Whether the rule counts people of this value.
    pub fn counts(&self, value: u32) -> bool {
        match self.who {
            Who::Each => true,
            Who::Only(only) => value == only,
            Who::AllBut(but) => value != but,
        }
    }

    /// Whether a slot with so many people of each value keeps the rule.
    pub fn holds(&self, people_of_value: &BTreeMap<u32, u64>) -> bool {
        let whole: u64 = people_of_value.values().sum();
        let counted = people_of_value.iter().filter(|&(&value, &people)| people > 0 && self.counts(value));
        match (self.limit, self.who) {
            (Limit::MaximumShare(share), Who::Each) => {
                counted.into_iter().all(|(_, &people)| share.allows(people, whole))
            }
            (Limit::MaximumShare(share), _) => share.allows(counted.map(|(_, &people)| people).sum(), whole),
            (Limit::MinimumDistinct(least), _) => {
                let distinct = counted.map(|(value, _)| value).collect::<BTreeSet<_>>().len();
                distinct == 0 || distinct >= least as usize
            }
        }
    }

    /// Whether every slot of a schedule keeps the rule.
    pub(super) fn check(&self, instance: &Instance, schedule: &Schedule) -> Result<(), String> {
        let mut slots: BTreeMap<usize, BTreeMap<u32, u64>> = BTreeMap::new();
        for (unit, row) in instance.units.iter().zip(&schedule.rows) {
            for placement in row {
                for member in &unit.members {
                    let people = slots.entry(placement.slot).or_default();
                    *people.entry(member.values[self.attribute]).or_insert(0) += member.people * placement.units;
                }
            }
        }
        match slots.iter().find(|(_, people)| !self.holds(people)) {
            Some((slot, _)) => {
                Err(format!("slot {slot} breaks a rule on {}", instance.attributes[self.attribute].name))
            }
            None => Ok(()),
        }
    }
}
