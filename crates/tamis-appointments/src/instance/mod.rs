//! Who must be scheduled, and where they may go.

mod components;
mod mixing;
mod plain;
mod unit;

pub use components::Component;
pub use mixing::{Attribute, Limit, MixingRule, Share, Who};
pub use plain::Plain;
pub use unit::{Allowed, Member, Unit};

use crate::AppointmentError;
use crate::schedule::Schedule;

/// A scheduling problem: units of people, slots with capacities, and what a slot may hold.
///
/// Everything that ties people to slots is said by the units: a person who may only go to some slots is a unit with those
/// slots allowed, a fixed appointment is a unit with one slot allowed, a family is a unit with several members.
#[derive(Debug, Clone, PartialEq)]
pub struct Instance {
    /// How many quasi-identifier values there are; members name them by number.
    pub quasi_ids: usize,
    /// How many people each slot can take.
    pub capacities: Vec<u64>,
    /// The people, those that are alike to the schedule together.
    pub units: Vec<Unit>,
    /// The attributes that mixing rules speak of.
    pub attributes: Vec<Attribute>,
    /// What every slot must hold.
    pub mixing: Vec<MixingRule>,
}

impl Instance {
    /// Frequencies and capacities without any further condition.
    pub fn plain(frequencies: &[u64], capacities: &[u64]) -> Result<Self, AppointmentError> {
        let units = frequencies.iter().enumerate().map(|(quasi_id, &count)| Unit::people(quasi_id, count)).collect();
        let instance = Self {
            quasi_ids: frequencies.len(),
            capacities: capacities.to_vec(),
            units,
            attributes: Vec::new(),
            mixing: Vec::new(),
        };
        instance.validate()?;
        Ok(instance)
    }

    /// How many people there are.
    pub fn people(&self) -> u64 {
        self.units.iter().map(Unit::people_in_all).sum()
    }

    /// How many people each quasi-identifier value has.
    pub fn frequencies(&self) -> Vec<u64> {
        let mut frequencies = vec![0; self.quasi_ids];
        for unit in &self.units {
            for member in &unit.members {
                frequencies[member.quasi_id] += member.people * unit.count;
            }
        }
        frequencies
    }

    /// The problem without its conditions: a schedule of this instance is one of that, so the optimum there is a bound here.
    pub fn relaxed(&self) -> Plain {
        Plain { frequencies: self.frequencies(), capacities: self.capacities.clone() }
    }

    /// The plain problem this instance is, if nothing but frequencies and capacities matters.
    pub fn as_plain(&self) -> Option<Plain> {
        let is_free = |unit: &Unit| matches!(unit.allowed, Allowed::All) && unit.is_single_person();
        (self.mixing.is_empty() && self.units.iter().all(is_free)).then(|| self.relaxed())
    }

    /// Whether unit `i` is the people of quasi-identifier value `i`, so that a schedule of the plain problem is one of this.
    pub(crate) fn is_one_unit_per_quasi_id(&self) -> bool {
        let is_row = |(row, unit): (usize, &Unit)| unit.members.first().is_some_and(|member| member.quasi_id == row);
        self.units.len() == self.quasi_ids && self.units.iter().enumerate().all(is_row)
    }

    /// Whether the numbers make sense and there is room for everybody; conditions are looked at when it is solved.
    pub fn validate(&self) -> Result<(), AppointmentError> {
        self.validate_numbers()?;
        let (people, places) = (self.people(), self.capacities.iter().sum::<u64>());
        if people > places {
            return Err(AppointmentError::TooFewPlaces { people, places });
        }
        Ok(())
    }

    fn validate_numbers(&self) -> Result<(), AppointmentError> {
        if self.units.is_empty() {
            return Err(AppointmentError::NoPeople);
        }
        if self.capacities.is_empty() {
            return Err(AppointmentError::NoSlots);
        }
        if let Some(position) = self.frequencies_checked()?.iter().position(|&frequency| frequency == 0) {
            return Err(AppointmentError::ZeroFrequency { position: position + 1 });
        }
        if let Some(position) = self.capacities.iter().position(|&capacity| capacity == 0) {
            return Err(AppointmentError::ZeroCapacity { position: position + 1 });
        }
        let sum = self.capacities.iter().try_fold(0_u64, |sum, &capacity| sum.checked_add(capacity));
        sum.filter(|&sum| sum <= MOST_PEOPLE).map(drop).ok_or(AppointmentError::TooLarge { what: "capacities" })
    }

    /// The frequencies, refused where they cannot be summed.
    fn frequencies_checked(&self) -> Result<Vec<u64>, AppointmentError> {
        let mut sum = 0_u64;
        for unit in &self.units {
            for member in &unit.members {
                let people = member.people.checked_mul(unit.count);
                sum = people
                    .and_then(|people| sum.checked_add(people))
                    .filter(|&sum| sum <= MOST_PEOPLE)
                    .ok_or(AppointmentError::TooLarge { what: "frequencies" })?;
            }
        }
        Ok(self.frequencies())
    }

    /// Whether a schedule appoints everybody, within capacities and conditions; what is wrong with it otherwise. Every solver's
    /// result goes through this check, which shares nothing with the solvers.
    pub fn check(&self, schedule: &Schedule) -> Result<(), String> {
        if schedule.rows.len() != self.units.len() {
            return Err(format!("{} units are scheduled, there are {}", schedule.rows.len(), self.units.len()));
        }
        for (number, (unit, row)) in self.units.iter().zip(&schedule.rows).enumerate() {
            let placed: u64 = row.iter().map(|placement| placement.units).sum();
            if placed != unit.count {
                return Err(format!("unit {number}: {placed} of {} are scheduled", unit.count));
            }
            if let Some(placement) = row.iter().find(|placement| !unit.allowed.contains(placement.slot)) {
                return Err(format!("unit {number} may not go to slot {}", placement.slot));
            }
        }
        let loads = schedule.loads(self);
        if let Some(slot) = (0..loads.len()).find(|&slot| loads[slot] > self.capacities[slot]) {
            return Err(format!("slot {slot} holds {} people, its capacity is {}", loads[slot], self.capacities[slot]));
        }
        self.mixing.iter().try_for_each(|rule| rule.check(self, schedule))
    }
}

/// More people than this are refused: sums and products of them must fit 64 bits.
const MOST_PEOPLE: u64 = 1 << 40;
