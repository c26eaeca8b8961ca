//! What a programme asks of a schedule beside room for everybody.

mod allowed_pairs;
mod column_pair;
mod distance;
mod fixed;
mod mixing;
mod reach;
mod region;

pub use allowed_pairs::AllowedPairs;
pub use column_pair::ColumnPair;
pub use distance::{Distance, Location};
pub use mixing::{MixingText, WhoText};

pub(crate) use fixed::check_fixed;
pub(crate) use mixing::Mixing;
pub(crate) use reach::{Reach, common_slots};

use crate::{People, ProgrammeError, Slots};
use reach::Restriction;

/// The conditions of a programme; all of them hold together.
#[derive(Debug, Clone, Default)]
pub struct Conditions {
    /// People only go to slots with the same values in these columns.
    pub regions: Vec<ColumnPair>,
    /// People only go to slots nearby.
    pub distance: Option<Distance>,
    /// People only go where a list lets them.
    pub allowed: Option<AllowedPairs>,
    /// The column of people that names the slot of those whose appointment stands; empty for the others.
    pub fixed: Option<String>,
    /// The column of people whose value unites those who must not be split; empty for those on their own.
    pub together: Option<String>,
    /// Who may meet in a slot.
    pub mixing: Vec<MixingText>,
}

impl Conditions {
    /// Where everybody may go, and what there is to remark about it.
    pub(crate) fn reach(&self, people: &People, slots: &Slots) -> Result<(Reach, Vec<String>), ProgrammeError> {
        let mut notes = Vec::new();
        let mut restrictions: Vec<Restriction> = Vec::new();
        if !self.regions.is_empty() {
            restrictions.push(region::restrict(&self.regions, people, slots)?);
        }
        if let Some(distance) = &self.distance {
            restrictions.push(distance.restrict(people, slots)?);
        }
        if let Some(allowed) = &self.allowed {
            restrictions.push(allowed.restrict(people, slots, &mut notes)?);
        }
        if let Some(column) = &self.fixed {
            restrictions.push(fixed::restrict(column, people, slots)?);
        }
        Ok((Reach::new(restrictions, people, slots)?, notes))
    }
}
