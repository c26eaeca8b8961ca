//! What can be wrong with a problem.

use crate::vector::VectorError;

/// Why there is no schedule.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum AppointmentError {
    /// Nobody to appoint.
    #[error("there is nobody to appoint")]
    NoPeople,
    /// Nowhere to go.
    #[error("there is no slot to go to")]
    NoSlots,
    /// A quasi-identifier value without people.
    #[error("frequency {position} is zero; every quasi-identifier value needs people")]
    ZeroFrequency {
        /// Counted from 1.
        position: usize,
    },
    /// A slot without places.
    #[error("capacity {position} is zero; leave out slots that take nobody")]
    ZeroCapacity {
        /// Counted from 1.
        position: usize,
    },
    /// Sums that no programme has.
    #[error("the {what} are too large to be added up; at most 2^40 people can be scheduled")]
    TooLarge {
        /// Which numbers.
        what: &'static str,
    },
    /// Less room than people.
    #[error("the slots take {places} people, but there are {people}: {} places are missing", people - places)]
    TooFewPlaces {
        /// How many people there are.
        people: u64,
        /// How many places there are.
        places: u64,
    },
    /// A vector that cannot be ranked or compared.
    #[error(transparent)]
    Vector(#[from] VectorError),
    /// A schedule that does not hold: a mistake of the solver, found by the check that every schedule goes through.
    #[error(
        "the schedule found does not hold ({0}); nothing was written. This is a mistake in Tamis, please report it"
    )]
    BrokenSchedule(String),
    /// Conditions that cannot be met together.
    #[error("no schedule meets the conditions: {}", .0.reason)]
    Infeasible(Box<Conflict>),
}

/// The smallest set of people, slots and rules found that cannot be reconciled.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Conflict {
    /// A sentence that speaks of units, slots and rules by number (from 1).
    pub reason: String,
    /// The units concerned, as positions in the instance.
    pub units: Vec<usize>,
    /// The slots concerned.
    pub slots: Vec<usize>,
    /// The mixing rules concerned.
    pub rules: Vec<usize>,
    /// How many people these units are.
    pub people: u64,
    /// How many of them the slots can take.
    pub places: u64,
    /// Whether it is proved that no schedule exists, or none was found in the time given.
    pub is_proved: bool,
}
