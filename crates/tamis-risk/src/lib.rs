//! Re-identification risk of a table.
//!
//! Three attackers are measured from the sizes of classes: [`ProsecutorRisk`] knows that a person is in the table, [`JournalistRisk`]
//! only that they are in the population around it and wants anyone, and the marketer, whose risk is the journalist's average, wants as
//! many as possible. [`Records`] are the distinct tuples of the quasi-identifiers; from them come the minimal sample uniques of every
//! person with their SUDA scores ([`MinimalUniques`], [`suda`]) and what each column contributes ([`contribution`]). [`hipaa`] looks at
//! names and values for the 18 identifiers of the safe harbour rule, with the recognisers of [`recognise`]. [`attacks`] tries what the
//! literature describes on a table.
//!
//! Everything works on counts and codes; reading tables and telling people about the figures is done elsewhere.
//!
//! ```
//! use tamis_risk::{JournalistRisk, ProsecutorRisk};
//! // Two classes: 2 and 10 rows, 20 and 40 in the population.
//! let prosecutor = ProsecutorRisk::of([(2, 2), (10, 10)].into_iter(), 0.1);
//! assert_eq!((prosecutor.average, prosecutor.max), (2.0 / 12.0, 0.5));
//! assert_eq!(prosecutor.at_risk, 2.0 / 12.0);
//! let journalist = JournalistRisk::of([(2, 1.0 / 20.0), (10, 1.0 / 40.0)].into_iter(), 0.1);
//! assert_eq!((journalist.max, journalist.at_risk), (0.05, 0.0));
//! ```

pub mod attacks;
pub mod contribution;
pub mod hipaa;
mod journalist;
mod minimal_uniques;
mod prosecutor;
pub mod recognise;
mod records;
pub mod suda;

pub use journalist::{JournalistRisk, expected_risk};
pub use minimal_uniques::{ColumnSet, MinimalUniques, subsets_up_to};
pub use prosecutor::ProsecutorRisk;
pub use records::Records;
