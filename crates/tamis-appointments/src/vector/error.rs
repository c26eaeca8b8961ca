//! What can be wrong with a vector or an index.

use super::{LARGEST_EXACT, MOST_PEOPLE};
use num_bigint::BigUint;

/// Why a vector cannot be read, ranked or compared.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum VectorError {
    /// A component that is not a number of cells.
    #[error(
        "component {position} of the vector is `{found}`; expected a whole number of cells of 0 or more, or SIZE:CELLS"
    )]
    Component {
        /// Counted from 1.
        position: usize,
        /// What stands there.
        found: String,
    },
    /// Pairs and plain components together.
    #[error(
        "component {position} of the vector is `{found}`; write all components as numbers of cells or all as SIZE:CELLS"
    )]
    Mixed {
        /// Counted from 1.
        position: usize,
        /// What stands there.
        found: String,
    },
    /// Cells without people.
    #[error("component {position} of the vector has size 0; a cell holds at least one person")]
    ZeroSize {
        /// Counted from 1.
        position: usize,
    },
    /// A size that occurs twice.
    #[error("component {position} of the vector gives the cells of size {size} again; give each size once")]
    Repeated {
        /// Counted from 1.
        position: usize,
        /// The size.
        size: u64,
    },
    /// Nobody.
    #[error("the vector has no cells, so it stands for nobody; expected at least one number above 0")]
    NoPeople,
    /// More people than anybody counts.
    #[error("the vector stands for more than {MOST_PEOPLE} people; that is more than can be counted here")]
    TooManyPeople,
    /// A vector of another number of people than was said.
    #[error("the vector stands for {}, {} {} than the {expected} expected",
        told_people(*found), found.abs_diff(*expected), if found > expected { "more" } else { "fewer" })]
    OtherPeople {
        /// How many it has.
        found: u64,
        /// How many it should have.
        expected: u64,
    },
    /// No people at all.
    #[error("the number of people is 0; an order of vectors needs at least one person")]
    NobodyToOrder,
    /// Too many people for exact integers.
    #[error(
        "{people} people are more than the {LARGEST_EXACT} for whom indexes are computed exactly; use the logarithmic value"
    )]
    TooManyForExact {
        /// How many there are.
        people: u64,
    },
    /// An index that no vector has.
    #[error("the index {found} is out of range: the vectors of {people} people have the indexes 0 to {last}")]
    IndexOutOfRange {
        /// The index.
        found: BigUint,
        /// How many people.
        people: u64,
        /// The last index.
        last: BigUint,
    },
}

fn told_people(people: u64) -> String {
    format!("{people} {}", if people == 1 { "person" } else { "people" })
}
