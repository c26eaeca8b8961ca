//! Made-up people and slots.

mod population;
mod pyramid;
mod resources;

pub use population::{Ages, FIRST_POSTCODE, Person, Population, Sex};
pub use resources::Resources;
