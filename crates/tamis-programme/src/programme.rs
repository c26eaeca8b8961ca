//! People, slots and conditions as one scheduling problem, and its answer as a slot for every person.

use crate::conditions::{Conditions, Mixing, Reach, common_slots};
use crate::conflict::NamedConflict;
use crate::parties::Parties;
use crate::{People, ProgrammeError, Slots};
use rand::SeedableRng;
use rand::seq::SliceRandom;
use rand_chacha::ChaCha8Rng;
use tamis_appointments::{
    Allowed, AnonymityVector, AppointmentError, Instance, Method, Schedule, Solution, SolveOptions, solve,
};

/// A programme ready to be scheduled.
#[derive(Debug)]
pub struct Programme {
    pub(crate) people: People,
    pub(crate) slots: Slots,
    pub(crate) conditions: Conditions,
    pub(crate) reach: Reach,
    pub(crate) parties: Parties,
    pub(crate) instance: Instance,
    notes: Vec<String>,
}

impl Programme {
    /// Finds out who is alike and where everybody may go. Linear in people.
    pub fn new(people: People, slots: Slots, conditions: Conditions) -> Result<Self, ProgrammeError> {
        let (reach, notes) = conditions.reach(&people, &slots)?;
        let mixing = Mixing::bind(&conditions.mixing, &people)?;
        let (parties, units) = Parties::new(&people, &slots, &mixing, &reach, conditions.together.as_deref())?;
        let instance = Instance {
            quasi_ids: people.first_row_of_quasi.len(),
            capacities: slots.capacities.clone(),
            units,
            attributes: mixing.attributes,
            mixing: mixing.rules,
        };
        instance.validate()?;
        Ok(Self { people, slots, conditions, reach, parties, instance, notes })
    }

    /// The people.
    pub fn people(&self) -> &People {
        &self.people
    }

    /// The slots.
    pub fn slots(&self) -> &Slots {
        &self.slots
    }

    /// The problem in numbers.
    pub fn instance(&self) -> &Instance {
        &self.instance
    }

    /// What there is to remark about the files.
    pub fn notes(&self) -> &[String] {
        &self.notes
    }

    /// The anonymity vector of the people before they have appointments.
    pub fn vector_before(&self) -> AnonymityVector {
        AnonymityVector::of_sizes(self.people.frequencies())
    }

    /// Schedules everybody; if that is impossible the error names the people and slots that cannot be reconciled.
    pub fn solve(&self, method: Method, options: &SolveOptions) -> Result<Solution, ProgrammeError> {
        solve(&self.instance, method, options).map_err(|error| match error {
            AppointmentError::Infeasible(conflict) => {
                ProgrammeError::NoSchedule(Box::new(NamedConflict::new(&conflict, self)))
            }
            error => error.into(),
        })
    }

    /// The slot of every person. People who are alike to the schedule are drawn by the seed, so that neither the order of rows nor
    /// anything else about a person tells who of them goes where.
    pub fn appoint(&self, schedule: &Schedule, seed: u64) -> Appointments {
        let mut random = ChaCha8Rng::seed_from_u64(seed);
        let mut slot_of_party = vec![0; self.parties.count()];
        for (unit, row) in schedule.rows.iter().enumerate() {
            let mut drawn = self.parties.of_unit(unit).to_vec();
            drawn.shuffle(&mut random);
            let mut drawn = drawn.into_iter();
            for placement in row {
                for party in drawn.by_ref().take(placement.units as usize) {
                    slot_of_party[party as usize] = placement.slot as u32;
                }
            }
        }
        let slot_of_row = (0..self.people.count()).map(|row| slot_of_party[self.parties.of_row(row)]).collect();
        Appointments { slot_of_row }
    }

    /// The slots to which each of these people may go.
    pub(crate) fn slots_in_common(&self, rows: &[usize]) -> Allowed {
        common_slots(rows.iter().map(|&row| self.reach.of_row(row)), self.slots.count())
    }
}

/// The slot of every person.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Appointments {
    pub(crate) slot_of_row: Vec<u32>,
}

impl Appointments {
    /// The slot of the person in this row.
    pub fn slot(&self, row: usize) -> usize {
        self.slot_of_row[row] as usize
    }
}
