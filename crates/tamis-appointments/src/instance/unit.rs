//! People who are alike to the schedule.

use std::sync::Arc;

/// Some number of units of people: a unit goes to one slot as a whole. Most units are single people; a family is a unit with
/// several members.
#[derive(Debug, Clone, PartialEq)]
pub struct Unit {
    /// Who belongs to one unit.
    pub members: Vec<Member>,
    /// How many such units there are.
    pub count: u64,
    /// Where they may go.
    pub allowed: Allowed,
}

/// People of a unit with the same quasi-identifier and the same values of the attributes that mixing rules speak of.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Member {
    /// The number of the quasi-identifier value.
    pub quasi_id: usize,
    /// The code of each attribute of the instance.
    pub values: Vec<u32>,
    /// How many such people one unit has.
    pub people: u64,
}

/// The slots a unit may go to.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Allowed {
    /// Any slot.
    All,
    /// These slots, in ascending order.
    Only(Arc<[usize]>),
}

impl Allowed {
    /// Whether this slot is among them.
    pub fn contains(&self, slot: usize) -> bool {
        match self {
            Self::All => true,
            Self::Only(slots) => slots.binary_search(&slot).is_ok(),
        }
    }

    /// The slots, of so many there are.
    pub fn slots(&self, of: usize) -> Vec<usize> {
        match self {
            Self::All => (0..of).collect(),
            Self::Only(slots) => slots.to_vec(),
        }
    }
}

impl Unit {
    /// Single people of one quasi-identifier value who may go anywhere.
    pub fn people(quasi_id: usize, count: u64) -> Self {
        Self { members: vec![Member { quasi_id, values: Vec::new(), people: 1 }], count, allowed: Allowed::All }
    }

    /// How many people one unit has.
    pub fn size(&self) -> u64 {
        self.members.iter().map(|member| member.people).sum()
    }

    /// How many people all these units have.
    pub fn people_in_all(&self) -> u64 {
        self.size() * self.count
    }

    /// Whether a unit is one person.
    pub fn is_single_person(&self) -> bool {
        self.size() == 1
    }
}
